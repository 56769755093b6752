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

// Cluster is some Galera nodes on loopback. Each keeps its data in a folder of its own and can be killed and restarted like any
// Server; one that comes back fetches from the others what it missed.
type Cluster struct {
	Nodes []*Server
}

// libraries are where Debian, Fedora and a build from source put the provider.
var libraries = []string{"/usr/lib/galera/libgalera_smm.so", "/usr/lib64/galera-4/libgalera_smm.so",
	"/usr/local/lib/galera/libgalera_smm.so"}

// ErrNoGalera means that the tests of a cluster cannot run on this machine. Its text says what a person can do.
var ErrNoGalera = errors.New("mariadb: the tests of a cluster need the Galera library, rsync, and wsrep_sst_rsync of " +
	"Debian's mariadb-server.\n" +
	"On Debian, as root, this installs them; no service is started:\n" +
	"    .ci/need mariadb galera")

// galera finds the provider and what copies a node's data.
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

// StartCluster creates n nodes under dir, which must exist and be empty, and returns when all of them are in the cluster.
// Further args are settings of every node.
func StartCluster(dir string, n int, args ...string) (*Cluster, error) {
	library, err := galera()
	if err != nil {
		return nil, err
	}
	found, err := locate()
	if err != nil {
		return nil, err
	}
	ports := make([]int, 4*n) // of each node: clients, group, incremental and whole transfer
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

// transferMethod returns how nodes copy their data to each other, and the environment that this needs. A daemon of rsync that
// root starts would write as nobody, who may not: root has the script with one more setting, under a name of its own.
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

// Kill ends all nodes at once.
func (c *Cluster) Kill() error {
	var errs []error
	for _, s := range c.Nodes {
		errs = append(errs, s.Kill())
	}
	return errors.Join(errs...)
}

// Hosts lists the addresses of the nodes as a database URL does, beginning with number first.
func (c *Cluster) Hosts(first int) string {
	var list []string
	for i := range c.Nodes {
		list = append(list, c.Nodes[(first+i)%len(c.Nodes)].Addr())
	}
	return strings.Join(list, ",")
}

// Forget deletes the data of a node that is down, which then needs a copy of everything.
func (s *Server) Forget() error {
	if s.PID() != 0 {
		return errors.New("mariadb: the server runs")
	}
	return errors.Join(os.RemoveAll(s.DataDir()), os.MkdirAll(s.DataDir(), 0o700))
}

var recovered = regexp.MustCompile(`Recovered position: ?([0-9a-f-]{36}:\d+)`)

// recover finds out how far a node had come that was killed, so that the others need to send only what it missed. It is what
// the script galera_recovery does.
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
