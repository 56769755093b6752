package main

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"text/template"
)

// files has the unit, the examples and the scripts of the package.
//
//go:embed files
var files embed.FS

// packaged is a file or folder of the Debian package.
type packaged struct {
	path string // below the root, or in DEBIAN
	mode fs.FileMode
	from string // in files/ or, with a leading slash, in the sources; empty for a folder
}

const (
	documents = "usr/share/doc/pitboss/"
	examples  = documents + "examples/"
)

// contents lists the files of the package. Whoever installs it puts the secrets into etc/pitboss/credentials, which only root
// can read; systemd passes copies to the service.
var contents = []packaged{
	{"DEBIAN/control", 0o644, "control"},
	{"DEBIAN/conffiles", 0o644, "conffiles"},
	{"DEBIAN/postinst", 0o755, "postinst"},
	{"DEBIAN/prerm", 0o755, "prerm"},
	{"DEBIAN/postrm", 0o755, "postrm"},
	{"etc/pitboss/pitboss.env", 0o640, "pitboss.env"},
	{"etc/pitboss/credentials", fs.ModeDir | 0o700, ""},
	{"usr/sbin/pitbossctl", 0o755, "pitbossctl"},
	{"usr/lib/systemd/system/pitboss.service", 0o644, "pitboss.service"},
	{"usr/lib/systemd/system/pitboss-verify.service", 0o644, "pitboss-verify.service"},
	{"usr/lib/systemd/system/pitboss-verify.timer", 0o644, "pitboss-verify.timer"},
	{"usr/lib/sysusers.d/pitboss.conf", 0o644, "sysusers.conf"},
	{examples + "nginx.conf", 0o644, "nginx.conf"},
	{examples + "haproxy.cfg", 0o644, "haproxy.cfg"},
	{examples + "prometheus-rules.yml", 0o644, "prometheus-rules.yml"},
	{examples + "grafana-dashboard.json", 0o644, "grafana-dashboard.json"},
	{examples + "kubernetes.yaml", 0o644, "kubernetes.yaml"},
	{examples + "compose.yaml", 0o644, "/compose.yaml"},
	{examples + "pitboss-backup.service", 0o644, "pitboss-backup.service"},
	{examples + "pitboss-backup.timer", 0o644, "pitboss-backup.timer"},
	{examples + "pitboss.service", 0o644, "pitboss.service"}, // the documents link these two
	{examples + "pitboss.env", 0o644, "pitboss.env"},
	{documents + "installing.md", 0o644, "/views/help/installing.md"},
	{documents + "operating.md", 0o644, "/views/help/operating.md"},
	{documents + "backup.md", 0o644, "/views/help/backup.md"},
	{documents + "sizing.md", 0o644, "/views/help/sizing.md"},
	{documents + "performance.md", 0o644, "/views/help/performance.md"},
	{documents + "assurance.md", 0o644, "/views/help/assurance.md"},
	{documents + "CHANGELOG.md", 0o644, "/CHANGELOG.md"},
}

// debian makes the Debian package of a binary, and returns the name of its file.
func (r release) debian(binary, arch string) (string, error) {
	root, err := os.MkdirTemp("", "pitboss-dist-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(root)
	if err := r.stage(root, binary, arch); err != nil {
		return "", err
	}
	name := fmt.Sprintf("pitboss_%s_%s.deb", debianVersion(r.version), arch)
	pack := exec.Command("dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, filepath.Join(r.out, name))
	pack.Env = append(os.Environ(), fmt.Sprintf("SOURCE_DATE_EPOCH=%d", epoch.Unix()), "LC_ALL=C")
	if said, err := pack.CombinedOutput(); err != nil {
		return "", fmt.Errorf("dpkg-deb, from Debian's package dpkg: %w\n%s", err, said)
	}
	return name, nil
}

// debianVersion returns a version as Debian writes it: 1.2.3-rc.1 becomes 1.2.3~rc.1, which sorts before 1.2.3.
func debianVersion(version string) string { return strings.Replace(version, "-", "~", 1) }

// stage lays the package out below root.
func (r release) stage(root, binary, arch string) error {
	program, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	if err := r.put(root, "usr/bin/pitboss", 0o755, program); err != nil {
		return err
	}
	size := len(program)
	for _, p := range contents {
		var text []byte
		if p.from != "" {
			if text, err = r.text(p.from, arch, size); err != nil {
				return err
			}
		}
		if err := r.put(root, p.path, p.mode, text); err != nil {
			return err
		}
	}
	return r.settle(root)
}

// linksInPackage changes links of documents to those of the package, which has the files of this folder as examples.
var linksInPackage = strings.NewReplacer("](../../cmd/dist/files/", "](examples/", "](../../", "](examples/", "](views/help/", "](")

// text returns a file of the package. In control, the version, the processor and the size are filled in.
func (r release) text(from, arch string, size int) ([]byte, error) {
	if name, inSources := strings.CutPrefix(from, "/"); inSources {
		text, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(name)))
		return []byte(linksInPackage.Replace(string(text))), err
	}
	text, err := files.ReadFile(path.Join("files", from))
	if err != nil || from != "control" {
		return text, err
	}
	control, err := template.New("control").Parse(string(text))
	if err != nil {
		return nil, err
	}
	var filled bytes.Buffer
	err = control.Execute(&filled,
		map[string]any{"Version": debianVersion(r.version), "Architecture": arch, "Kilobytes": (size + 1023) / 1024})
	return filled.Bytes(), err
}

func (r release) put(root, name string, mode fs.FileMode, text []byte) error {
	target := filepath.Join(root, filepath.FromSlash(name))
	if mode.IsDir() {
		return os.MkdirAll(target, mode.Perm())
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	return os.WriteFile(target, text, mode)
}

// settle gives everything the same time and the modes of contents, whatever the umask is.
func (r release) settle(root string) error {
	modes := map[string]fs.FileMode{"usr/bin/pitboss": 0o755}
	for _, p := range contents {
		modes[p.path] = p.mode.Perm()
	}
	var all []string
	err := filepath.WalkDir(root, func(name string, _ fs.DirEntry, err error) error {
		all = append(all, name)
		return err
	})
	if err != nil {
		return err
	}
	for _, name := range all {
		inside, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		mode, known := modes[filepath.ToSlash(inside)]
		if !known {
			mode = 0o755 // a folder above a file of the package
		}
		if err := os.Chmod(name, mode); err != nil {
			return err
		}
		if err := os.Chtimes(name, epoch, epoch); err != nil {
			return err
		}
	}
	return nil
}
