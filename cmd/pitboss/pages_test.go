package main

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	// routeRow is a row of app/routes.go whose handler is in a package of app/pages.
	routeRow = regexp.MustCompile(`(?:get|post)\("/([^"]*)", [^,]+, a\.(\w+)\.\w+\)`)
	rendered = regexp.MustCompile(`a\.(?:Render|Refused)\(c, "([^"/]+)/[^"]+"`)
)

// elsewhere are the addresses that are not below the name of their package.
var elsewhere = map[string]string{"packs": "exports", "link": "signin",
	"players/:id/transactions": "transactions", "players/:id/rounds": "rounds", "players/:id/callbacks": "callbacks",
	"players/:id/sessions": "sessions"}

// withoutPackage are the folders of templates that belong to no package of app/pages.
var withoutPackage = map[string]bool{"layouts": true, "partials": true, "errors": true, "overview": true, "search": true}

// TestPagesHaveOneName checks that a package of app/pages is named as its folder in views and as the first part of its
// addresses: knowing one of the three is enough to find the others.
func TestPagesHaveOneName(t *testing.T) {
	root := repository(t)
	routes, err := os.ReadFile(filepath.Join(root, "app", "routes.go"))
	require.NoError(t, err)
	rows := routeRow.FindAllStringSubmatch(string(routes), -1)
	require.Greater(t, len(rows), 100)
	for _, row := range rows {
		parts := strings.Split(row[1], "/")
		want := strings.ReplaceAll(parts[0], "-", "")
		for below, pkg := range elsewhere {
			if within(below, row[1]) {
				want = pkg
			}
		}
		assert.Equal(t, want, row[2], "/%s is served by the package %s", row[1], row[2])
	}

	packages := map[string]bool{}
	goFiles(t, root, func(name string) {
		if path.Dir(path.Dir(name)) != "app/pages" {
			return
		}
		pkg := path.Base(path.Dir(name))
		packages[pkg] = true
		text, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		for _, match := range rendered.FindAllStringSubmatch(string(text), -1) {
			assert.Equal(t, pkg, strings.ReplaceAll(match[1], "-", ""), "%s shows a template of %s", name, match[1])
		}
	})
	require.NotEmpty(t, packages)
	folders, err := os.ReadDir(filepath.Join(root, "views"))
	require.NoError(t, err)
	for _, folder := range folders {
		pkg := strings.ReplaceAll(folder.Name(), "-", "")
		if folder.IsDir() && !withoutPackage[pkg] {
			assert.True(t, packages[pkg], "views/%s has no package in app/pages", folder.Name())
			delete(packages, pkg)
		}
	}
	assert.Empty(t, packages, "packages of app/pages without a folder in views")
}
