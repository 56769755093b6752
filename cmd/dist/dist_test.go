package main

import (
	"bytes"
	"debug/buildinfo"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// sources makes a small program in its own folder, with the files that a release takes from the repository.
func sources(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
	}
	put("go.mod", "module small\n\ngo 1.26.0\n")
	put("cmd/pitboss/main.go", "package main\n\nfunc main() { println(version) }\n")
	put("cmd/pitboss/version.go", "package main\n\nvar version = \"0.9.0-dev\"\n")
	put("static/dist/manifest.json", "{}")
	for _, name := range []string{"static/package-lock.json", "views/help/installing.md", "views/help/operating.md",
		"views/help/backup.md", "views/help/sizing.md", "views/help/performance.md", "views/help/assurance.md", "CHANGELOG.md",
		"compose.yaml"} {
		content, err := os.ReadFile(filepath.Join("..", "..", name))
		require.NoError(t, err)
		put(name, string(content))
	}
	return root
}

// released makes a release of new sources.
func released(t *testing.T) (release, map[string]string) {
	t.Helper()
	r := release{root: sources(t), out: filepath.Join(t.TempDir(), "dist"), program: "./cmd/pitboss", version: "1.2.3-rc.1",
		log: io.Discard}
	require.NoError(t, r.make())
	made := map[string]string{}
	require.NoError(t, fs.WalkDir(os.DirFS(r.out), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(r.out, name))
		made[name] = string(content)
		return err
	}))
	return r, made
}

// TestReleaseIsReproducible makes a release twice, from copies of the sources in different folders and under different umasks.
func TestReleaseIsReproducible(t *testing.T) {
	_, first := released(t)
	mask := syscall.Umask(0o077)
	_, second := released(t)
	syscall.Umask(mask)
	require.Len(t, first, 5)
	for name, content := range first {
		require.True(t, second[name] == content, "%s differs", name)
	}
	require.Len(t, second, len(first))
}

func TestRelease(t *testing.T) {
	r, made := released(t)
	for _, arch := range architectures {
		binary := "pitboss-1.2.3-rc.1-linux-" + arch
		require.Contains(t, made, binary)
		require.Contains(t, made, "pitboss_1.2.3~rc.1_"+arch+".deb")
		require.Contains(t, made[binary], "1.2.3-rc.1", "the version is linked in")
		require.NotContains(t, made[binary], r.root, "the folder of the sources is in the binary")
		info, err := buildinfo.Read(strings.NewReader(made[binary]))
		require.NoError(t, err)
		settings := map[string]string{}
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
		require.Equal(t, arch, settings["GOARCH"])
		require.Equal(t, "0", settings["CGO_ENABLED"])
	}
	check := exec.Command("sha256sum", "--check", "--strict", "SHA256SUMS")
	check.Dir = r.out
	said, err := check.CombinedOutput()
	require.NoError(t, err, "%s", said)
	require.Equal(t, len(made)-1, bytes.Count(said, []byte(": OK\n")))
}

// TestPackage looks at what the Debian package installs: every file of files/, with modes and owner.
func TestPackage(t *testing.T) {
	r, made := released(t)
	deb := filepath.Join(r.out, "pitboss_1.2.3~rc.1_arm64.deb")
	said, err := exec.Command("dpkg-deb", "--contents", deb).Output()
	require.NoError(t, err)
	modes := map[string]string{}
	for line := range strings.Lines(string(said)) {
		fields := strings.Fields(line)
		require.Equal(t, "root/root", fields[1], line)
		modes[strings.TrimPrefix(fields[5], "./")] = fields[0]
	}
	for name, mode := range map[string]string{
		"usr/bin/pitboss": "-rwxr-xr-x", "usr/sbin/pitbossctl": "-rwxr-xr-x",
		"usr/lib/systemd/system/pitboss.service": "-rw-r--r--", "usr/lib/sysusers.d/pitboss.conf": "-rw-r--r--",
		"etc/pitboss/pitboss.env": "-rw-r-----", "etc/pitboss/credentials/": "drwx------",
		"usr/share/doc/pitboss/examples/nginx.conf": "-rw-r--r--", "usr/share/doc/pitboss/examples/haproxy.cfg": "-rw-r--r--",
		"usr/share/doc/pitboss/examples/prometheus-rules.yml":   "-rw-r--r--",
		"usr/share/doc/pitboss/examples/grafana-dashboard.json": "-rw-r--r--",
	} {
		require.Equal(t, mode, modes[name], name)
	}
	root := t.TempDir()
	require.NoError(t, exec.Command("dpkg-deb", "--raw-extract", deb, root).Run())
	program, err := os.ReadFile(filepath.Join(root, "usr/bin/pitboss"))
	require.NoError(t, err)
	require.True(t, string(program) == made["pitboss-1.2.3-rc.1-linux-arm64"], "the package has another program")
	control, err := os.ReadFile(filepath.Join(root, "DEBIAN/control"))
	require.NoError(t, err)
	require.Contains(t, string(control), "Version: 1.2.3~rc.1\nArchitecture: arm64\n")
	for _, script := range []string{"DEBIAN/postinst", "DEBIAN/prerm", "DEBIAN/postrm", "usr/sbin/pitbossctl"} {
		require.NoError(t, exec.Command("sh", "-n", filepath.Join(root, script)).Run(), script)
	}

	packed := map[string]bool{}
	link := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	for _, p := range contents {
		packed[p.from] = true
		if !strings.HasPrefix(p.path, documents) || !strings.HasSuffix(p.path, ".md") {
			continue
		}
		document, err := os.ReadFile(filepath.Join(root, p.path))
		require.NoError(t, err)
		for _, l := range link.FindAllSubmatch(document, -1) {
			require.FileExists(t, filepath.Join(root, documents, string(l[1])), "%s links it", p.path)
		}
	}
	all, err := files.ReadDir("files")
	require.NoError(t, err)
	for _, f := range all {
		require.True(t, packed[f.Name()], "files/%s is not in the package", f.Name())
	}
}

func TestWhatAReleaseRefuses(t *testing.T) {
	for _, version := range []string{"", "1.2", "v1.2.3", "1.2.3 -X main.x=y", "1.2.3/.."} {
		require.ErrorContains(t, release{root: sources(t), version: version}.make(), "it must look like 1.2.3", version)
	}
	bare := sources(t)
	require.NoError(t, os.Remove(filepath.Join(bare, "static/dist/manifest.json")))
	require.ErrorContains(t, release{root: bare, version: "1.2.3"}.make(), "make front")
	ours, err := sourceVersion(filepath.Join("..", "pitboss", "version.go"))
	require.NoError(t, err)
	require.Regexp(t, validVersion, ours)
}
