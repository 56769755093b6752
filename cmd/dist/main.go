// Command dist makes a release: for each processor a static binary and a Debian package, and SHA-256 checksums of
// all files. `make dist` runs it.
//
// The same sources, Go and dpkg make the same bytes in any folder on any day, so that anybody can build a release again and
// compare checksums. The result does not depend on the clock, the name of a folder or the permissions of a checkout: files in
// packages have the modes given in package.go and the time in epoch. `make dist-check` builds everything twice and
// compares.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"time"
)

// architectures are the processors that a release is for, as Go and Debian both name them.
var architectures = []string{"amd64", "arm64"}

// epoch is the time of all files: a fixed day, because a release that is built again later must be the same.
var epoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// release is a release to make.
type release struct {
	root    string // folder of the sources
	out     string // folder for the results; it is emptied first
	program string // package to build, such as ./cmd/pitboss
	version string // such as 1.2.3 or 1.3.0-rc.1
	log     io.Writer
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	r := release{root: ".", program: "./cmd/pitboss", log: os.Stdout}
	flags := flag.NewFlagSet("dist", flag.ContinueOnError)
	flags.StringVar(&r.out, "out", "var/dist", "folder for the release")
	flags.StringVar(&r.version, "version", "", "version, such as 1.2.3; by default that in cmd/pitboss/version.go")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var err error
	if r.version == "" {
		if r.version, err = sourceVersion(filepath.Join(r.root, "cmd", "pitboss", "version.go")); err != nil {
			return err
		}
	}
	return r.make()
}

var versionInSource = regexp.MustCompile(`(?m)^var version = "([^"]+)"$`)

func sourceVersion(file string) (string, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	found := versionInSource.FindSubmatch(source)
	if found == nil {
		return "", fmt.Errorf("%s does not declare the version", file)
	}
	return string(found[1]), nil
}

var validVersion = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$`)

func (r release) make() error {
	if !validVersion.MatchString(r.version) {
		return fmt.Errorf("the version is %q; it must look like 1.2.3 or 1.2.3-rc.1", r.version)
	}
	if _, err := os.Stat(filepath.Join(r.root, "static", "dist", "manifest.json")); err != nil {
		return fmt.Errorf("the front end has not been built; run make front: %w", err)
	}
	if err := os.RemoveAll(r.out); err != nil {
		return err
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	var made []string
	for _, arch := range architectures {
		files, err := r.makeFor(arch)
		if err != nil {
			return fmt.Errorf("%s: %w", arch, err)
		}
		made = append(made, files...)
	}
	return r.writeSums(made)
}

// makeFor makes the binary and the package for one processor, and returns their names.
func (r release) makeFor(arch string) ([]string, error) {
	name := fmt.Sprintf("pitboss-%s-linux-%s", r.version, arch)
	binary := filepath.Join(r.out, name)
	if err := r.build(binary, arch); err != nil {
		return nil, err
	}
	deb, err := r.debian(binary, arch)
	if err != nil {
		return nil, err
	}
	return []string{name, deb}, nil
}

// build compiles the program. It sets everything that could differ between two machines.
func (r release) build(binary, arch string) error {
	binary, err := filepath.Abs(binary)
	if err != nil {
		return err
	}
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -X main.version="+r.version, "-o",
		binary, r.program)
	build.Dir = r.root
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch, "GOAMD64=v1", "GOARM64=v8.0", "GOFLAGS=",
		"GOEXPERIMENT=", "GOFIPS140=off", "GOWORK=off")
	if said, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, said)
	}
	return nil
}

// writeSums writes SHA256SUMS, which `sha256sum -c` reads.
func (r release) writeSums(names []string) error {
	slices.Sort(names)
	var sums bytes.Buffer
	for _, name := range names {
		digest, err := fileDigest(filepath.Join(r.out, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%s  %s\n", hex.EncodeToString(digest), name)
	}
	_, err := fmt.Fprintf(r.log, "%sin %s, with SHA256SUMS\n", sums.String(), r.out)
	return errors.Join(os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), sums.Bytes(), 0o644), err)
}

func fileDigest(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return nil, err
	}
	return hash.Sum(nil), nil
}
