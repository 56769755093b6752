package views

import (
	"io/fs"
	"path"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// A template that is defined twice silently takes the place of the first on pages that meant that one.
func TestSharedTemplatesAreDefinedOnce(t *testing.T) {
	defines := regexp.MustCompile(`{{-?\s*define "([^"]+)"`)
	names, err := fs.Glob(files, "*/*.html")
	require.NoError(t, err)
	shared := map[string]string{}
	for _, sharing := range []bool{true, false} {
		for _, name := range names {
			if folder := path.Dir(name); (folder == "layouts" || folder == "partials") != sharing {
				continue
			}
			text, err := fs.ReadFile(files, name)
			require.NoError(t, err)
			for _, match := range defines.FindAllStringSubmatch(string(text), -1) {
				require.Empty(t, shared[match[1]], "%s defines %q, which %s has defined", name, match[1], shared[match[1]])
				if sharing {
					shared[match[1]] = name
				}
			}
		}
	}
	require.NotEmpty(t, shared)
}
