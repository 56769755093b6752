package web

import (
	"bytes"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/views"
)

// Each problem that the code names has its words, and the template has no others.
func TestEveryProblemHasItsWords(t *testing.T) {
	t.Parallel()
	named := regexp.MustCompile(`\b(?:Is: |Is = |badAddress = |as\([^"\n]*|Is, p\.Helped = )"([a-z-]+)"`)
	in := map[string]bool{}
	for _, pattern := range []string{"*.go", "../pages/*/*.go"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, name := range files {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			for _, match := range named.FindAllStringSubmatch(string(text), -1) {
				in[match[1]] = !strings.HasSuffix(name, "_test.go")
			}
		}
	}
	text, err := os.ReadFile("../../views/errors/problem.html")
	require.NoError(t, err)
	quoted := regexp.MustCompile(`"([a-z-]+)"`)
	words := map[string][]string{} // the names for which each template has words
	for _, define := range regexp.MustCompile(`(?s)\{\{define "problem-([a-z]+)"}}(.*?)\{\{end}}\{\{end}}`).FindAllSubmatch(text, -1) {
		for _, branch := range regexp.MustCompile(`eq \.Is[^}]+`).FindAll(define[2], -1) {
			for _, name := range quoted.FindAllSubmatch(branch, -1) {
				words[string(define[1])] = append(words[string(define[1])], string(name[1]))
			}
		}
	}
	require.Len(t, words, 5)
	titled := words["title"]
	for part, names := range words {
		require.Subset(t, titled, names, part)
	}
	require.ElementsMatch(t, titled, words["happened"])
	var used []string
	for name := range in {
		used = append(used, name)
	}
	slices.Sort(titled)
	slices.Sort(used)
	require.Equal(t, titled, used)

	engine, err := views.New(nil)
	require.NoError(t, err)
	about := map[string]any{
		"tampered": models.TamperedError{Object: "correction", ObjectID: "7"},
		"forbidden": struct {
			Role  models.Role
			Needs Permission
		}{models.Bonus, RestrictPlayers},
		"many-fields": MaxFields, "other-network": netip.MustParseAddr("192.0.2.7"), "draft-gone": "/campaigns/new",
	}
	for _, name := range titled {
		p := Problem{Is: name, About: about[name], Helped: Grants[RestrictPlayers]}
		if p.About == nil {
			p.About = int64(7)
		}
		var b bytes.Buffer
		require.NoError(t, engine.Render(&b, "errors/problem", &errorPage{Page: Page{}, Problem: p}, "bare"), name)
		page, err := goquery.NewDocumentFromReader(&b)
		require.NoError(t, err)
		require.Equal(t, page.Find("h1").Text()+" · Pitboss", page.Find("title").Text(), name)
		require.NotEmpty(t, page.Find("h1").Text(), name)
		page.Find(".pb-error dd").Each(func(_ int, said *goquery.Selection) {
			words := strings.TrimSpace(said.Text())
			require.True(t, strings.HasSuffix(words, ".") || words == "7", "%s: %s", name, words)
		})
		page.Find(".pb-error a").Each(func(_ int, link *goquery.Selection) {
			require.Regexp(t, "^/", link.AttrOr("href", ""), name)
		})
	}
}
