// Package static embeds what the browser loads: the stylesheet, the script and the fonts that npm run build puts into dist. A
// clone in which nothing was built yet compiles too, and serves its pages unstyled.
package static

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
)

//go:embed dist
var dist embed.FS

// Files is the built folder. Its names carry a hash of their bytes, so that a browser may keep them for ever. Next to a
// file are copies of it, compressed, as name.br and name.gz, where they are smaller.
func Files() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // only a misspelled name in the line above could cause it
	}
	return files
}

// Manifest maps plain names, such as main.css, to the built ones. It is empty where nothing was built.
func Manifest() (map[string]string, error) {
	written, err := fs.ReadFile(Files(), "manifest.json")
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]string{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("static: reading the manifest: %w", err)
	}
	names := map[string]string{}
	if err := json.Unmarshal(written, &names); err != nil {
		return nil, fmt.Errorf("static: reading the manifest: %w", err)
	}
	return names, nil
}
