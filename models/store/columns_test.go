package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
)

// testedElsewhere are covered tables of which the tampered site has no rows: other tests tamper with them.
var testedElsewhere = []string{"staff_passwords"}

// TestEveryColumnIsCoveredOrListed changes every column of every table, one after the other: a check finds the change, or
// uncovered lists the column, and views/help/assurance.md says why. It runs on SQLite only, because migrate_test.go compares
// the columns of the two databases.
func TestEveryColumnIsCoveredOrListed(t *testing.T) {
	t.Parallel()
	x := storetest.NewDatabase(t, storetest.SQLite)
	s := newTampered(t, x)
	var listed []string
	for _, row := range uncovered {
		listed = append(listed, strings.Fields(row.columns)...)
	}
	rows, err := x.DB.QueryContext(t.Context(), `SELECT m.name, c.name, c.type FROM sqlite_schema m, pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' AND m.name NOT LIKE 'goose%'
		ORDER BY m.name, c.cid`)
	require.NoError(t, err)
	type column struct{ table, name, kind string }
	var columns []column
	for rows.Next() {
		var c column
		require.NoError(t, rows.Scan(&c.table, &c.name, &c.kind))
		columns = append(columns, c)
	}
	require.NoError(t, rows.Err())
	var missing []string
	for _, c := range columns {
		name := c.table + "." + c.name
		if slices.Contains(listed, c.table) || slices.Contains(listed, name) || slices.Contains(testedElsewhere, c.table) {
			continue
		}
		if s.Number(t, "SELECT COUNT(*) FROM "+c.table) == 0 {
			missing = append(missing, name+" (no row)")
			continue
		}
		value := c.name + " || 'x'"
		switch c.kind {
		case "INTEGER":
			value = "COALESCE(" + c.name + ", 0) + 1000003"
		case "BLOB":
			value = fmt.Sprintf("CASE length(%[1]s) WHEN 0 THEN x'%[2]s' ELSE CAST(x'a7' || substr(%[1]s, 2) AS BLOB) END",
				c.name,
				strings.Repeat("01", 32))
		}
		s.with(t, fmt.Sprintf("UPDATE %s SET %s = %s", c.table, c.name, value), func() {
			if v, err := s.Verify(t.Context(), nil); err != nil || !v.OK() {
				return
			}
			if by, _ := s.found(t); by == "" {
				missing = append(missing, name)
			}
		})
	}
	require.Empty(t, missing, "no check covers these columns, and uncovered does not list them")
}
