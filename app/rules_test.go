package app_test

import (
	"net/http"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// Whoever answers an inspector with the chapter on rules can open each page that it names.
func TestRulesNamePages(t *testing.T) {
	text, err := os.ReadFile("../views/help/rules.md")
	require.NoError(t, err)
	s := apptest.SqliteSite(t)
	chloe, seen := s.SignedIn("chloe", models.Compliance), map[string]bool{}
	for _, path := range regexp.MustCompile("`(/[a-z/-]+)`").FindAllStringSubmatch(string(text), -1) {
		if seen[path[1]] {
			continue
		}
		seen[path[1]] = true
		page := chloe.Get(path[1])
		require.Equal(t, http.StatusOK, page.Status, path[1])
		require.Equal(t, 1, page.Find("main h1").Length(), path[1])
	}
	require.Greater(t, len(seen), 20)
}
