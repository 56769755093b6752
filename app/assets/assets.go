// Package assets serves the built styles, scripts and fonts to browsers.
package assets

import (
	"io/fs"
	"path"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/static"
)

// Files are the built files, by name.
type Files map[string][]byte

// Asked reports whether a request asks for a built file.
func Asked(c *fiber.Ctx) bool { return strings.HasPrefix(c.Path(), "/static/") }

var types = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".woff2": "font/woff2", ".svg": "image/svg+xml",
}

// Read returns the built files. Call it only once: the files are embedded in the program, and each call makes a copy.
func Read() (Files, error) {
	files := static.Files()
	names, err := fs.ReadDir(files, ".")
	if err != nil {
		return nil, err
	}
	contents := Files{}
	for _, entry := range names {
		if entry.IsDir() {
			continue
		}
		if contents[entry.Name()], err = fs.ReadFile(files, entry.Name()); err != nil {
			return nil, err
		}
	}
	return contents, nil
}

// Serve answers with the built file that the address names. The name of a file changes with its contents, so browsers may keep
// it for a year without asking.
func (f Files) Serve(c *fiber.Ctx) error {
	name := c.Params("name")
	contentType, known := types[path.Ext(name)]
	if !known {
		return fiber.ErrNotFound
	}
	c.Set(fiber.HeaderVary, fiber.HeaderAcceptEncoding)
	for _, coding := range []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}, {"", ""}} {
		if coding.name != "" && !strings.Contains(c.Get(fiber.HeaderAcceptEncoding), coding.name) {
			continue
		}
		content, there := f[name+coding.suffix]
		if !there {
			continue
		}
		if coding.name != "" {
			c.Set(fiber.HeaderContentEncoding, coding.name)
		}
		c.Set(fiber.HeaderContentType, contentType)
		c.Set(fiber.HeaderCacheControl, "public, max-age=31536000, immutable")
		c.Response().SetBodyRaw(content) // without a copy for each request
		return nil
	}
	return fiber.ErrNotFound
}
