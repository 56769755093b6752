package views

import (
	"io/fs"
	"path"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each shared template is defined once: a second of the same name would take its place on every page.
func TestSharedTemplatesAreDefinedOnce(t *testing.T) {
	defines := regexp.MustCompile(`{{-?\s*define "([^"]+)"`)
	shared, pages := map[string]string{}, map[string][]string{}
	require.NoError(t, fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".html" {
			return err
		}
		text, err := fs.ReadFile(files, name)
		for _, define := range defines.FindAllStringSubmatch(string(text), -1) {
			if folder := path.Dir(name); folder == "partials" || folder == "layouts" {
				require.Empty(t, shared[define[1]], "%s is defined in %s too", define[1], name)
				shared[define[1]] = name
			} else {
				pages[define[1]] = append(pages[define[1]], name)
			}
		}
		return err
	}))
	require.NotEmpty(t, shared)
	for name, by := range pages {
		require.Empty(t, shared[name], "%s, shared by %s, is defined anew in %s", name, shared[name], by)
	}
}
