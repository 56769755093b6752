package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// withoutPages are the packages of app that do what pages ask for and have no pages themselves.
var withoutPages = []string{
	"app/activity", "app/answers", "app/archive", "app/bonus", "app/catalogue", "app/evidence", "app/export", "app/feed",
	"app/gamesession", "app/jobs",
	"app/notices", "app/pack", "app/paper", "app/platform", "app/reconcile", "app/sheet",
	"app/signon",
}

// belowWeb are the parts of the site that know no page and no store.
var belowWeb = []string{"app/assets", "app/atonce", "app/credentials", "app/gamehosts", "app/meter",
	"app/passkeys", "app/staffsession", "app/typed", "app/uploads"}

// arrows says which of our packages each package may import, its subpackages included where a name ends in "/...". The most
// exact row counts, and a package without a row fails: every new package needs one here.
//
// The rules behind the table: the domain in models knows neither HTTP nor SQL; the packages of the store build on db, and the
// one that moves money builds on nothing else; app and callbacks, the two listeners, do not know each other; the
// simulator shares with what it checks only the format of callbacks.
var arrows = map[string][]string{
	"cmd/bench": {"callbacks/wire", "cmd/testing/mariadb"},
	"cmd/pitboss": {"app/...", "callbacks", "callbacks/listener", "callbacks/wire", "callbacks/simulator", "cmd/pitboss/config",
		"cmd/pitboss/demo", "cmd/pitboss/lobby", "models", "models/store", "migrations"},
	"cmd/pitboss/config": {"app", "app/evidence", "app/notices", "app/platform", "app/signon", "app/web", "callbacks",
		"callbacks/listener", "callbacks/wire", "models", "models/store"},
	"cmd/pitboss/demo": append([]string{"app/credentials", "callbacks", "callbacks/simulator", "models", "models/store"},
		withoutPages...),
	"cmd/pitboss/lobby": {}, // it is a casino's website, which has nothing else

	// What tests start: a server, a database, a site, a browser.
	"cmd/testing/mariadb":     {},
	"cmd/testing/withmariadb": {"cmd/testing/mariadb"},
	"cmd/testing/storetest":   {"cmd/testing/mariadb", "models", "models/store/...", "migrations"},
	"cmd/testing/apptest":     {"cmd/testing/storetest", "cmd/testing/browsertest", "app/...", "callbacks/simulator", "models", "models/store"},
	"cmd/testing/browsertest": {},

	// Pages build on what they share in pages, and that on web; no folder of pages knows another, and app puts them together.
	"app":               {"app/...", "models", "models/store", "views"},
	"app/pages/...":     append(append([]string{"app/pages", "app/web", "models", "models/store", "views"}, belowWeb...), withoutPages...),
	"app/pages/clients": {"app/pages", "app/typed", "app/web", "callbacks/listener", "models", "models/store", "views"}, // for networks
	"app/pages":         append([]string{"app/atonce", "app/web", "models", "models/store", "views"}, withoutPages...),
	"app/web": append(append([]string{"callbacks/listener", "models", "models/store", "static", "views"}, belowWeb...),
		withoutPages...),
	"app/credentials":  {},
	"app/assets":       {"static"},
	"app/atonce":       {},
	"app/gamehosts":    {},
	"app/uploads":      {},
	"app/meter":        {},
	"app/typed":        {"models"},
	"app/staffsession": {"app/credentials", "models"},
	"app/passkeys":     {"models"},

	// Services have no pages.
	"app/...":      append([]string{"models", "models/store"}, withoutPages...),
	"app/api":      append([]string{"callbacks/listener", "callbacks/wire", "models", "models/store"}, withoutPages...), // the third listener
	"app/feed":     {"models"},
	"app/paper":    {},
	"app/platform": {"callbacks/wire", "models"},
	"app/golive":   {"callbacks/scenarios", "callbacks/wire", "models"},
	"app/sheet":    {"app/archive", "models"},
	"app/signon":   {"app/credentials", "models"},

	"callbacks":           {"callbacks/listener", "callbacks/wire", "models"},
	"callbacks/listener":  {}, // what both listeners share
	"callbacks/wire":      {"models"},
	"callbacks/scenarios": {"callbacks/wire"}, // what go-live checks and the tests of callbacks play
	"callbacks/simulator": {"callbacks/wire", "models"},

	"models":               {},
	"models/store":         {"models/store/...", "models"},
	"models/store/db":      {"models", "migrations"},
	"models/store/ledger":  {"models/store/db", "models"},
	"models/store/staff":   {"models/store/db", "models"},
	"models/store/players": {"models/store/ledger", "models/store/db", "models"},
	"models/store/spins":   {"models/store/players", "models/store/staff", "models/store/db", "models"},
	"models/store/books": {"models/store/players", "models/store/spins", "models/store/ledger", "models/store/staff",
		"models/store/db", "models"},
	"models/store/statements": {"models/store/players", "models/store/db", "models"},
	"models/store/proof": {"models/store/books", "models/store/players", "models/store/spins", "models/store/ledger",
		"models/store/staff", "models/store/db", "models"},
	"models/store/control": {"models/store/proof", "models/store/books", "models/store/statements", "models/store/players",
		"models/store/spins", "models/store/ledger", "models/store/staff", "models/store/db", "models"},

	"migrations": {},
	"views":      {},
	"static":     {},
}

// fences name packages from outside that only some of ours may import. Tests are exempt, because a test may tamper with rows.
// Each pattern stands for the package and its subpackages.
var fences = []struct {
	imports []string
	within  []string // the only packages that may
}{
	{
		imports: []string{
			"database/sql", "gorm.io", "github.com/go-sql-driver/mysql", "modernc.org/sqlite",
			"github.com/mattn/go-sqlite3", "github.com/libtnb/sqlite", "github.com/pressly/goose",
		},
		within: []string{"models/store", "cmd/testing"}, // tests tamper
	},
	{
		imports: []string{"github.com/gofiber/fiber", "github.com/valyala/fasthttp"},
		within:  []string{"app", "callbacks", "cmd/pitboss", "cmd/bench", "cmd/testing"},
	},
	{
		imports: []string{"net/http", "html/template"},
		within:  []string{"app", "callbacks", "cmd/pitboss", "cmd/testing", "views", "static"},
	},
}

// vague are package names that say nothing about what is inside.
var vague = []string{"utils", "util", "helpers", "helper", "common", "services", "service", "misc"}

// topLevel are the names allowed at the top of the repository, in addition to those that start with a dot.
var topLevel = []string{
	"cmd", "app", "views", "static", "models", "callbacks", "migrations", "go.mod", "go.sum", "Makefile", "README.md",
	"Dockerfile", "compose.yaml", "CONTRIBUTING.md", "CHANGELOG.md",
	"var", // made at run time and ignored
}

// offense returns what is wrong with one import in a file of a package, or "". The package is named by its path below the
// module, the import in full.
func offense(pkg string, isTest bool, imported string) string {
	own, ours := strings.CutPrefix(imported, module+"/")
	switch {
	case ours && own == pkg:
		return "" // an external test of the package itself
	case ours && isTest && pkg != "models":
		return ""
	case ours && isTest:
		return pkg + " imports nothing of ours, not even in tests"
	case ours:
		allowed, known := mayImport(pkg)
		if !known {
			return pkg + " has no row in the table of arrows"
		}
		if !slices.ContainsFunc(allowed, func(pattern string) bool { return matches(pattern, own) }) {
			return pkg + " may import of ours only: " + strings.Join(allowed, ", ")
		}
		return ""
	case isTest:
		return ""
	}
	for _, fence := range fences {
		inside := slices.ContainsFunc(fence.within, func(root string) bool { return within(root, pkg) })
		if !inside && slices.ContainsFunc(fence.imports, func(root string) bool { return outside(root, imported) }) {
			return "only " + strings.Join(fence.within, ", ") + " may import it"
		}
	}
	return ""
}

const module = "pitboss"

// mayImport returns the package's row: its own, or that of the nearest folder above with "/...".
func mayImport(pkg string) (allowed []string, known bool) {
	if allowed, known = arrows[pkg]; known {
		return allowed, true
	}
	for above := path.Dir(pkg); above != "."; above = path.Dir(above) {
		if allowed, known = arrows[above+"/..."]; known {
			return allowed, true
		}
	}
	return nil, false
}

func matches(pattern, pkg string) bool {
	if root, ok := strings.CutSuffix(pattern, "/..."); ok {
		return within(root, pkg)
	}
	return pattern == pkg
}

func within(root, pkg string) bool { return pkg == root || strings.HasPrefix(pkg, root+"/") }

// outside reports whether the import is the root or below it. database/sql/driver only has interfaces through which types say
// how they are stored, so it is not fenced with database/sql.
func outside(root, imported string) bool {
	return within(root, imported) && imported != "database/sql/driver"
}

func repository(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(root, "go.mod"))
	return root
}

// goFiles visits every Go file of the repository with its slash-separated path below the root.
func goFiles(t *testing.T, root string, visit func(name string)) {
	t.Helper()
	require.NoError(t, fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := entry.Name()
		if entry.IsDir() && name != "." &&
			(strings.HasPrefix(base, ".") || base == "node_modules" || base == "testdata" || name == "var") {
			return fs.SkipDir
		}
		if !entry.IsDir() && strings.HasSuffix(base, ".go") {
			visit(name)
		}
		return nil
	}))
}

func TestImportsFollowTheArrows(t *testing.T) {
	root := repository(t)
	seen := map[string]bool{}
	goFiles(t, root, func(name string) {
		pkg := path.Dir(name)
		seen[pkg] = true
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, parser.ImportsOnly)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			if reason := offense(pkg, strings.HasSuffix(name, "_test.go"), imported); reason != "" {
				t.Errorf("%s imports %s: %s", name, imported, reason)
			}
		}
	})
	require.Contains(t, seen, "models", "no package was read")
	for _, pkg := range slices.Sorted(maps.Keys(seen)) {
		if _, known := mayImport(pkg); !known {
			t.Errorf("%s has no row in the table of arrows", pkg)
		}
		if slices.Contains(vague, path.Base(pkg)) {
			t.Errorf("%s: name a package after its contents", pkg)
		}
	}
}

func TestTopLevelHasOnlyTheGivenNames(t *testing.T) {
	entries, err := os.ReadDir(repository(t))
	require.NoError(t, err)
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasPrefix(name, ".") && !slices.Contains(topLevel, name) {
			t.Errorf("%s is at the top of the repository; only the names in topLevel are allowed there", name)
		}
	}
}
