package main

import (
	"bytes"
	"cmp"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// bill is the list of what is inside a binary (a bill of materials), as CycloneDX 1.6 in JSON
// (https://cyclonedx.org/docs/1.6/json/). The Go modules come from the binary itself, in which the linker recorded them; the
// packages of the front end come from static/package-lock.json, without those that only build or test it.
type bill struct {
	Schema       string       `json:"$schema"`
	Format       string       `json:"bomFormat"`
	SpecVersion  string       `json:"specVersion"`
	SerialNumber string       `json:"serialNumber"`
	Version      int          `json:"version"`
	Metadata     billMetadata `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type billMetadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type     string          `json:"type"`
	Ref      string          `json:"bom-ref"`
	Name     string          `json:"name"`
	Version  string          `json:"version"`
	Hashes   []componentHash `json:"hashes,omitempty"`
	Licenses []license       `json:"licenses,omitempty"`
	PURL     string          `json:"purl"`
}

type componentHash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"` // in hexadecimal
}

type license struct {
	Expression string `json:"expression"`
}

type dependency struct {
	Ref  string   `json:"ref"`
	Uses []string `json:"dependsOn"`
}

// bill returns the bill of materials of a binary.
func (r release) bill(binary, arch string) ([]byte, error) {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	digest, err := fileDigest(binary)
	if err != nil {
		return nil, err
	}
	purl := fmt.Sprintf("pkg:generic/pitboss@%s?arch=%s&os=linux", url.PathEscape(r.version), arch)
	list := bill{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", SpecVersion: "1.6", Version: 1,
		// The same binary always gets the same number.
		SerialNumber: "urn:uuid:" + uuid.NewSHA1(uuid.NameSpaceURL, []byte(purl+"#"+hex.EncodeToString(digest))).String(),
		Metadata: billMetadata{
			Timestamp: r.epoch.Format(time.RFC3339),
			Component: component{
				Type: "application", Ref: purl, Name: "pitboss", Version: r.version, PURL: purl,
				Hashes: []componentHash{{"SHA-256", hex.EncodeToString(digest)}},
			},
		},
		Components: goModules(info),
	}
	packages, err := frontEnd(filepath.Join(r.root, "static", "package-lock.json"))
	if err != nil {
		return nil, err
	}
	list.Components = append(list.Components, packages...)
	slices.SortFunc(list.Components, func(a, b component) int { return cmp.Compare(a.Ref, b.Ref) })
	all := dependency{Ref: purl}
	for _, c := range list.Components {
		all.Uses = append(all.Uses, c.Ref)
	}
	list.Dependencies = []dependency{all}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // addresses of packages have ampersands
	encoder.SetIndent("", "  ")
	err = encoder.Encode(list)
	return text.Bytes(), err
}

// goModules lists Go's standard library and the modules in a binary.
func goModules(info *debug.BuildInfo) []component {
	version, _, _ := strings.Cut(strings.TrimPrefix(info.GoVersion, "go"), " ")
	std := "pkg:golang/std@" + version
	list := []component{{Type: "library", Ref: std, Name: "std", Version: version, PURL: std}}
	for _, module := range info.Deps {
		if module.Replace != nil {
			module = module.Replace
		}
		purl := "pkg:golang/" + module.Path + "@" + url.PathEscape(module.Version)
		c := component{Type: "library", Ref: purl, Name: module.Path, Version: module.Version, PURL: purl}
		// go.sum's h1 is a SHA-256 of the names and digests of all files.
		if sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(module.Sum, "h1:")); err == nil && len(sum) > 0 {
			c.Hashes = []componentHash{{"SHA-256", hex.EncodeToString(sum)}}
		}
		list = append(list, c)
	}
	return list
}

// frontEnd lists the npm packages whose files are in the binary.
func frontEnd(lockFile string) ([]component, error) {
	content, err := os.ReadFile(lockFile)
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version, Integrity, License string
			Dev                         bool
		}
	}
	if err := json.Unmarshal(content, &lock); err != nil {
		return nil, fmt.Errorf("%s: %w", lockFile, err)
	}
	var list []component
	for path, p := range lock.Packages {
		name, isPackage := strings.CutPrefix(path, "node_modules/")
		if !isPackage || p.Dev {
			continue
		}
		purl := "pkg:npm/" + strings.Replace(name, "@", "%40", 1) + "@" + p.Version
		c := component{Type: "library", Ref: purl, Name: name, Version: p.Version, PURL: purl}
		if sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(p.Integrity, "sha512-")); err == nil && len(sum) > 0 {
			c.Hashes = []componentHash{{"SHA-512", hex.EncodeToString(sum)}}
		}
		if p.License != "" {
			c.Licenses = []license{{p.License}}
		}
		list = append(list, c)
	}
	return list, nil
}
