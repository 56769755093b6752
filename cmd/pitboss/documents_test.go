package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// documents are what people read before the code. Each file, folder, test and make target that they name exists.
var documents = []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "models/README.md", "views/help/*.md"}

var (
	markdownLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	inlineCode   = regexp.MustCompile("`([^`\n]+)`")
	codeBlock    = regexp.MustCompile(`(?m)^    .*$`)
	testName     = regexp.MustCompile(`\bTest[A-Z][A-Za-z]+\b`)
	makeTarget   = regexp.MustCompile(`\bmake ([a-z][a-z-]+)`)
	heading      = regexp.MustCompile(`(?m)^#+ (.+)$`)
	// A path has a slash in it or ends like a file of ours.
	repositoryPath = regexp.MustCompile(`^\.?[A-Za-z][\w.-]*(/[\w.-]+)*/?$`)
	fileName       = regexp.MustCompile(`\.(go|md|sql|html|js|mod|yaml|env|service|conf|cfg)$`)
)

func TestDocumentsNameWhatExists(t *testing.T) {
	root := repository(t)
	tests, targets := testNames(t, root), makeTargets(t, root)
	for _, document := range named(t, root) {
		content, err := os.ReadFile(filepath.Join(root, document))
		require.NoError(t, err)
		for _, missing := range missingNames(root, document, string(content), tests, targets) {
			t.Errorf("%s names %s, which does not exist", document, missing)
		}
	}
}

// named returns the paths of all documents.
func named(t *testing.T, root string) (names []string) {
	t.Helper()
	for _, pattern := range documents {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		require.NotEmpty(t, found, pattern)
		for _, path := range found {
			name, err := filepath.Rel(root, path)
			require.NoError(t, err)
			names = append(names, filepath.ToSlash(name))
		}
	}
	return names
}

// missingNames returns what a document names but the repository does not have.
func missingNames(root, document, text string, tests, targets map[string]bool) (missing []string) {
	there := func(name string) bool {
		_, err := os.Stat(filepath.Join(root, name))
		return err == nil
	}
	for _, link := range markdownLink.FindAllStringSubmatch(text, -1) {
		target, section, _ := strings.Cut(link[1], "#")
		if strings.Contains(target, "://") {
			continue
		}
		linked := document
		if target != "" {
			linked = path.Join(path.Dir(document), target)
		}
		if !there(linked) || section != "" && !hasSection(filepath.Join(root, linked), section) {
			missing = append(missing, "the link "+link[1])
		}
	}
	var code []string
	for _, span := range inlineCode.FindAllStringSubmatch(text, -1) {
		code = append(code, span[1])
		inRepository := strings.Contains(span[1], "/") || fileName.MatchString(span[1])
		// var is made at run time
		if !repositoryPath.MatchString(span[1]) || !inRepository || strings.HasPrefix(span[1], "var/") {
			continue
		}
		if sibling := path.Join(path.Dir(document), span[1]); !there(span[1]) && !there(sibling) && !isPackage(span[1]) {
			missing = append(missing, "`"+span[1]+"`")
		}
	}
	code = append(code, codeBlock.FindAllString(text, -1)...)
	for _, c := range code {
		for _, name := range testName.FindAllString(c, -1) {
			if !tests[name] && name != "TestX" && name != "TestAttack" { // these two stand for any
				missing = append(missing, "the test "+name)
			}
		}
		for _, target := range makeTarget.FindAllStringSubmatch(c, -1) {
			if !targets[target[1]] {
				missing = append(missing, "make "+target[1])
			}
		}
	}
	return missing
}

// isPackage reports whether a name only looks like a path, such as mysql/sqlite: its first part is no folder at the top.
func isPackage(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	for _, top := range topLevel {
		if first == top {
			return false
		}
	}
	return !strings.HasPrefix(first, ".") && !fileName.MatchString(name)
}

// hasSection reports whether a document has the heading of an anchor.
func hasSection(file, anchor string) bool {
	content, err := os.ReadFile(file)
	if err != nil {
		return false
	}
	for _, h := range heading.FindAllStringSubmatch(string(content), -1) {
		if strings.ReplaceAll(strings.ToLower(h[1]), " ", "-") == anchor {
			return true
		}
	}
	return false
}

func testNames(t *testing.T, root string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	goFiles(t, root, func(name string) {
		if !strings.HasSuffix(name, "_test.go") {
			return
		}
		content, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		for _, d := range declared.FindAllStringSubmatch(string(content), -1) {
			names[d[1]] = true
		}
	})
	require.Greater(t, len(names), 100)
	return names
}

func makeTargets(t *testing.T, root string) map[string]bool {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, "Makefile"))
	require.NoError(t, err)
	targets := map[string]bool{}
	for _, d := range regexp.MustCompile(`(?m)^([a-z-]+):`).FindAllStringSubmatch(string(content), -1) {
		targets[d[1]] = true
	}
	require.NotEmpty(t, targets)
	return targets
}

// TestMissingNamesAreSeen shows that the test of documents can fail.
func TestMissingNamesAreSeen(t *testing.T) {
	root := repository(t)
	tests, targets := map[string]bool{"TestReal": true}, map[string]bool{"run": true}
	for text, missing := range map[string]string{
		"`models/decide.go` and `models/`": "",
		"`models/decided.go`":              "`models/decided.go`",
		"`cmd/nothing/`":                   "`cmd/nothing/`",
		"`nothing.go`":                     "`nothing.go`",
		"[here](README.md) and [there](https://docs.example/x)": "",
		"[here](READYOU.md)":                                        "the link READYOU.md",
		"[below](README.md#two-commands)":                           "",
		"[below](README.md#three-commands)":                         "the link README.md#three-commands",
		"`TestReal`, and `TestX` stands for any":                    "",
		"`TestUnreal`":                                              "the test TestUnreal",
		"    make run      # and more\n    make walk":               "make walk",
		"the methods `Apply` and `/gameList`, and `win-1`/`win-1r`": "",
	} {
		found := missingNames(root, "README.md", text, tests, targets)
		if missing == "" {
			require.Empty(t, found, text)
		} else {
			require.Equal(t, []string{missing}, found, text)
		}
	}
}

// TestMakeHelpTellsTimes: make help says how long each target takes.
func TestMakeHelpTellsTimes(t *testing.T) {
	content, err := os.ReadFile(filepath.Join(repository(t), "Makefile"))
	require.NoError(t, err)
	listed := regexp.MustCompile(`(?m)^([a-z-]+):.*## (.*)$`).FindAllStringSubmatch(string(content), -1)
	require.NotEmpty(t, listed)
	takes := regexp.MustCompile(
		`\((?:.*, |.*; )?(?:at once|seconds|(?:about )?an? (?:minute|hour)|(?:about )?\d+ (?:seconds|minutes|hours)|FUZZTIME.*)[^()]*\)$`)
	for _, l := range listed {
		require.Regexp(t, takes, l[2], fmt.Sprintf("make %s: how long does it take?", l[1]))
	}
}
