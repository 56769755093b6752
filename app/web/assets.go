package web

import (
	"io/fs"
	"path"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/static"
)

func isStatic(c *fiber.Ctx) bool { return strings.HasPrefix(c.Path(), "/static/") }

var assetTypes = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".woff2": "font/woff2", ".svg": "image/svg+xml",
}

// readAssets reads the built files once: they are embedded in the program, and every further reading would be a copy.
func readAssets() (map[string][]byte, error) {
	files := static.Files()
	names, err := fs.ReadDir(files, ".")
	if err != nil {
		return nil, err
	}
	contents := map[string][]byte{}
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

// asset serves a built file. Its name changes with its bytes, so a browser may keep it for a year without asking.
func (s *Site) asset(c *fiber.Ctx) error {
	name := c.Params("name")
	contentType, known := assetTypes[path.Ext(name)]
	if !known {
		return fiber.ErrNotFound
	}
	c.Set(fiber.HeaderVary, fiber.HeaderAcceptEncoding)
	for _, coding := range []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}, {"", ""}} {
		if coding.name != "" && !strings.Contains(c.Get(fiber.HeaderAcceptEncoding), coding.name) {
			continue
		}
		content, there := s.assets[name+coding.suffix]
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
