package app_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// A column is declared once: no file has two columns with the same name, or one without a name.
func TestEachColumnOfAFileHasOneName(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	chloe := s.Hire("chloe", models.Compliance)
	read := 0
	for _, list := range s.Contents.Lists {
		if strings.Contains(list.Path, ":") { // it belongs to one thing
			continue
		}
		page, err := s.PageOf(chloe, time.UTC, s.Now(), list.Path, "")
		require.NoError(t, err, list.Path)
		file, _, _, err := list.List(t.Context(), page)
		require.NoError(t, err, list.Path)
		names := map[string]bool{"": true}
		for _, c := range file.Columns {
			require.False(t, names[c.Name], "%s has the column “%s” twice, or it has no name", list.Path, c.Name)
			names[c.Name] = true
		}
		read++
	}
	require.Greater(t, read, 15)
}
