package mariadb

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Cluster is a Galera cluster on loopback. Each node has its own data folder and can be killed and restarted like any Server.
// After a restart, a node fetches what it has missed from the others.
type Cluster struct {
	Nodes []*Server
}

// libraries are the paths at which Debian, Fedora and a build from source install the Galera provider.
var libraries = []string{"/usr/lib/galera/libgalera_smm.so", "/usr/lib64/galera-4/libgalera_smm.so",
	"/usr/local/lib/galera/libgalera_smm.so"}

// ErrNoGalera means that this machine cannot run the tests of a cluster. Its text says how to change that.
var ErrNoGalera = errors.New("mariadb: the tests of a cluster need the Galera library, rsync, and wsrep_sst_rsync of " +
	"Debian's mariadb-server.\n" +
	"On Debian, as root, this installs them; no service is started:\n" +
	"    .ci/need mariadb galera")

// galera returns the path of the provider, or ErrNoGalera if the provider or a program that copies a node's data is missing.
func galera() (library string, err error) {
	for _, path := range libraries {
		if _, err := os.Stat(path); err == nil {
			library = path
			break
		}
	}
	if library == "" || program("wsrep_sst_rsync") == "" || program("rsync") == "" {
		return "", ErrNoGalera
	}
	return library, nil
}

// StartCluster starts n nodes under dir, which must exist and be empty, and returns once all of them have joined the cluster.
// args are additional settings for every node.
func StartCluster(dir string, n int, args ...string) (*Cluster, error) {
	library, err := galera()
	if err != nil {
		return nil, err
	}
	found, err := locate()
	if err != nil {
		return nil, err
	}
	ports := make([]int, 4*n) // four per node: clients, group, incremental transfer, full transfer
	for i := range ports {
		if ports[i], err = freePort(); err != nil {
			return nil, err
		}
	}
	var peers []string
	for i := range n {
		peers = append(peers, loopback(ports[4*i+1]))
	}
	method, env, err := transferMethod(dir)
	if err != nil {
		return nil, err
	}
	c := &Cluster{}
	for i := range n {
		s := &Server{dir: filepath.Join(dir, "node-"+strconv.Itoa(i+1)), port: ports[4*i], install: found, env: env}
		s.args = append([]string{
			"--innodb-buffer-pool-size=64M", "--binlog-format=ROW", "--innodb-autoinc-lock-mode=2", "--wsrep-on=ON",
			"--wsrep-provider=" + library, "--wsrep-sst-method=" + method, "--wsrep-node-name=node-" + strconv.Itoa(i+1),
			"--wsrep-node-address=127.0.0.1", "--wsrep-sst-receive-address=" + loopback(ports[4*i+3]),
			"--wsrep-slave-threads=4",
			"--wsrep-cluster-name=" + filepath.Base(dir), "--wsrep-cluster-address=gcomm://" + strings.Join(peers, ","),
			"--wsrep-provider-options=gmcast.listen_addr=tcp://" + peers[i] + ";ist.recv_addr=" + loopback(ports[4*i+2]) +
				";gcache.size=64M",
		}, args...)
		s.position = s.recover
		if err := os.MkdirAll(s.DataDir(), 0o700); err != nil {
			return nil, errors.Join(fmt.Errorf("mariadb: %w", err), c.Kill())
		}
		first := i == 0
		if first {
			if err := s.createDataDir(); err != nil {
				return nil, err
			}
			s.args = append(s.args, "--wsrep-new-cluster")
		}
		err := s.Restart()
		if first {
			s.args = s.args[:len(s.args)-1]
		}
		if err != nil {
			return nil, errors.Join(err, c.Kill())
		}
		c.Nodes = append(c.Nodes, s)
	}
	return c, nil
}

// transferMethod returns the method by which nodes copy their data to each other, and the environment that the method needs. If
// root starts the rsync daemon, it writes as the user nobody, who has no permission. So for root, transferMethod makes a copy
// of the script under another name that writes as root.
func transferMethod(dir string) (method string, env []string, err error) {
	if os.Geteuid() != 0 {
		return "rsync", nil, nil
	}
	method = "rsync_as_root"
	bin, original := filepath.Join(dir, "bin"), program("wsrep_sst_rsync")
	script, err := os.ReadFile(original)
	if err == nil {
		err = os.Mkdir(bin, 0o700)
	}
	if err == nil {
		script = bytes.Replace(script, []byte("\nuse chroot = no\n"), []byte("\nuse chroot = no\nuid = root\ngid = root\n"), 1)
		err = os.WriteFile(filepath.Join(bin, "wsrep_sst_"+method), script, 0o700)
	}
	if err == nil {
		err = os.Symlink(filepath.Join(filepath.Dir(original), "wsrep_sst_common"), filepath.Join(bin, "wsrep_sst_common"))
	}
	if err != nil {
		return "", nil, fmt.Errorf("mariadb: %w", err)
	}
	return method, append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH")), nil
}

func loopback(port int) string { return "127.0.0.1:" + strconv.Itoa(port) }

// Kill kills all nodes.
func (c *Cluster) Kill() error {
	var errs []error
	for _, s := range c.Nodes {
		errs = append(errs, s.Kill())
	}
	return errors.Join(errs...)
}

// Hosts returns the addresses of the nodes in the form of a database URL, starting with the node at index first.
func (c *Cluster) Hosts(first int) string {
	var list []string
	for i := range c.Nodes {
		list = append(list, c.Nodes[(first+i)%len(c.Nodes)].Addr())
	}
	return strings.Join(list, ",")
}

// Forget deletes the data of a stopped node, so that the node needs a full copy when it starts again.
func (s *Server) Forget() error {
	if s.PID() != 0 {
		return errors.New("mariadb: the server is running")
	}
	return errors.Join(os.RemoveAll(s.DataDir()), os.MkdirAll(s.DataDir(), 0o700))
}

var recovered = regexp.MustCompile(`Recovered position: ?([0-9a-f-]{36}:\d+)`)

// recover returns the arguments with which a killed node starts at its last position, so that the others only need to send what
// it has missed. The script galera_recovery does the same.
func (s *Server) recover() ([]string, error) {
	if _, err := os.Stat(filepath.Join(s.DataDir(), "ibdata1")); err != nil {
		return nil, nil // it has no data yet
	}
	args := append(s.arguments(filepath.Join(s.dir, "recover.sock")), "--wsrep-recover", "--skip-networking")
	out, err := exec.Command(s.install.server, args...).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("mariadb: recover the position: %w\n%s", err, out[max(0, len(out)-2000):])
	}
	found := recovered.FindSubmatch(out)
	if found == nil || bytes.HasPrefix(found[1], []byte("00000000")) {
		return nil, nil
	}
	return []string{"--wsrep-start-position=" + string(found[1])}, nil
}
