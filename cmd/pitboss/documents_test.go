package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
)

// documents are what people read before the code. Each file, folder, test and make target that they name exists.
var documents = []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "models/README.md", "views/help/*.md"}

var (
	markdownLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	inlineCode   = regexp.MustCompile("`([^`\n]+)`")
	imageSource  = regexp.MustCompile(`src(?:set)?="([^"]+)"`)
	codeBlock    = regexp.MustCompile(`(?m)^    .*$`)
	commandLine  = regexp.MustCompile(`^ *(?:var/)?pitboss ([a-z-].*)$`)
	label        = regexp.MustCompile(`(?:^|[^*])\*([A-Z][^*]+)\*(?:[^*]|$)`)
	testName     = regexp.MustCompile(`\bTest[A-Z][A-Za-z]+\b`)
	makeTarget   = regexp.MustCompile(`\bmake ([a-z][a-z-]+)`)
	punctuation  = regexp.MustCompile(`[^\w -]`)
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
	for _, link := range append(markdownLink.FindAllStringSubmatch(text, -1), imageSource.FindAllStringSubmatch(text, -1)...) {
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
		if strings.ReplaceAll(punctuation.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-") == anchor {
			return true
		}
	}
	return false
}

// TestDocumentedCommands checks that the commands of pitboss that documents name exist with their flags, and runs those that
// are shown in a block of their own, in the order of the page.
func TestDocumentedCommands(t *testing.T) {
	alongside(t)
	root := repository(t)
	storetest.Each(t, func(t *testing.T, url string) {
		environ := environment(url, "PITBOSS_CHECKPOINT_DIR="+t.TempDir())
		server := boot(t, environ)
		ran := 0
		for _, document := range named(t, root) {
			content, err := os.ReadFile(filepath.Join(root, document))
			require.NoError(t, err)
			for _, span := range inlineCode.FindAllStringSubmatch(string(content), -1) {
				if words := commandLine.FindStringSubmatch(span[1]); words != nil && document != "CHANGELOG.md" { // that has deleted ones
					require.NoError(t, namesCommand(words[1]), "%s: %s", document, span[0])
				}
			}
			for _, line := range codeBlock.FindAllString(string(content), -1) {
				words := commandLine.FindStringSubmatch(line)
				if words == nil {
					continue
				}
				args, err := shellwords(words[1])
				require.NoError(t, err, line)
				for i := range args {
					args[i] = strings.ReplaceAll(args[i], "https://casino.example/wallet", server.CallbackURL())
				}
				var out bytes.Buffer
				con := &console{environ: environ, in: strings.NewReader("correct-horse-battery\n"), out: &out, err: &out}
				require.Zero(t, run(t.Context(), args, con), "%s: %s\n%s", document, line, &out)
				ran++
			}
		}
		require.Greater(t, ran, 5)
	})
}

// namesCommand returns an error if the words are no command or a flag is none of it. What the command still needs may be
// missing.
func namesCommand(words string) error {
	node := kong.Must(&commands{}).Model.Node
	for word := range strings.FieldsSeq(words) {
		flag, isFlag := strings.CutPrefix(word, "--")
		switch {
		case isFlag:
			if flag != "help" && !slices.ContainsFunc(node.Flags, func(f *kong.Flag) bool { return f.Name == flag }) {
				return fmt.Errorf("there is no --%s", flag)
			}
		case strings.ToLower(word) == word && len(node.Children) > 0:
			i := slices.IndexFunc(node.Children, func(n *kong.Node) bool { return n.Name == word })
			if i < 0 {
				return fmt.Errorf("there is no command %s", word)
			}
			node = node.Children[i]
		} // words in capitals stand for any
	}
	return nil
}

// shellwords splits a line at spaces outside quotation marks.
func shellwords(line string) (words []string, err error) {
	reader := csv.NewReader(strings.NewReader(line))
	reader.Comma, reader.LazyQuotes = ' ', true
	return reader.Read()
}

// TestSchemaOnAPage: models/README.md names every table that the migrations create, and no other. An ellipsis ends the name of
// several.
func TestSchemaOnAPage(t *testing.T) {
	root := repository(t)
	content, err := os.ReadFile(filepath.Join(root, "models/README.md"))
	require.NoError(t, err)
	unnamed := map[string]bool{}
	for _, engine := range []string{"mysql", "sqlite"} {
		files, err := filepath.Glob(filepath.Join(root, "migrations", engine, "*.sql"))
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			migration, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, table := range regexp.MustCompile(`(?m)^CREATE TABLE (?:IF NOT EXISTS )?(\w+)`).FindAllStringSubmatch(string(migration), -1) {
				unnamed[table[1]] = true
			}
		}
	}
	tables := slices.Collect(maps.Keys(unnamed))
	for _, row := range regexp.MustCompile(`(?m)^\|[^|]*\|([^|]*)\|.*$`).FindAllStringSubmatch(string(content), -1) {
		for _, span := range inlineCode.FindAllStringSubmatch(row[1], -1) {
			beginning, several := strings.CutSuffix(span[1], "…")
			found := false
			for _, table := range tables {
				if table == beginning || several && strings.HasPrefix(table, beginning) {
					found = true
					delete(unnamed, table)
				}
			}
			require.True(t, found, "there is no table %s", span[1])
		}
	}
	require.Empty(t, unnamed, "tables that models/README.md does not name")
}

// TestHandbookNamesWhatPagesSay: what the chapters for staff name in italics, with a capital letter, a page says.
func TestHandbookNamesWhatPagesSay(t *testing.T) {
	root := repository(t)
	plain := strings.NewReplacer("’", "'", "&amp;", "&")
	var said strings.Builder
	for _, folder := range []string{"views", "app", "models"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, folder), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(name) != ".html" && filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
				return err
			}
			content, err := os.ReadFile(name)
			said.WriteString(strings.ToLower(strings.Join(strings.Fields(plain.Replace(string(content))), " ")))
			return err
		}))
	}
	for _, chapter := range []string{"support", "bonus", "finance", "compliance", "administration", "cases", "rules", "going-live"} {
		content, err := os.ReadFile(filepath.Join(root, "views/help", chapter+".md"))
		require.NoError(t, err)
		labels := label.FindAllStringSubmatch(strings.Join(strings.Fields(plain.Replace(string(content))), " "), -1)
		require.NotEmpty(t, labels, chapter)
		for _, l := range labels {
			if !strings.Contains(said.String(), strings.ToLower(l[1])) {
				t.Errorf("%s.md names *%s*, which no page says", chapter, l[1])
			}
		}
	}
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
