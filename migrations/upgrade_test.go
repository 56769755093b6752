package migrations

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The upgrade rule, as far as the text of a migration shows whether it is kept. While a release's instances start, those of
// the release before it still serve callbacks, on the schema that the new ones have migrated. So a migration may add tables,
// columns that need not be written, and indexes that refuse no row, and may fill what it has added. Everything else takes two
// releases: one that no longer needs what is there, and a later one that takes it away and names the first:
//
//	-- Not used since 1.4.0.

// additive are the statements that the release before does not notice. %s is a name, which may be quoted.
var additive = []*regexp.Regexp{
	statement(`CREATE TABLE (IF NOT EXISTS )?%s \(`),
	statement(`CREATE INDEX (IF NOT EXISTS )?%s ON %s \(`),
	statement(`INSERT (OR IGNORE |IGNORE )?INTO %s`),
}

var (
	alterTable   = statement(`ALTER TABLE (%s) `)
	createTable  = statement(`CREATE TABLE (?:IF NOT EXISTS )?(%s) \(`)
	createUnique = statement(`CREATE UNIQUE INDEX (?:IF NOT EXISTS )?%s ON (%s) \(`)
	fill         = statement(`UPDATE (%s) SET (%s) = `)
	upsert       = regexp.MustCompile(`(?i)^INSERT .*\bON (DUPLICATE KEY|CONFLICT\b.*\bDO) UPDATE\b`)
	addColumn    = statement(`ADD (?:COLUMN )?(?:IF NOT EXISTS )?(%s) `)
	addIndex     = statement(`ADD (INDEX|KEY) `)
	hasDefault   = regexp.MustCompile(`(?i)\b(DEFAULT|GENERATED ALWAYS)\b`)
	notNull      = regexp.MustCompile(`(?i)\bNOT NULL\b`)
	refusesRows  = regexp.MustCompile(`(?i)\b(UNIQUE|PRIMARY KEY|CHECK|REFERENCES)\b`)
	notUsed      = regexp.MustCompile(`(?m)^-- Not used since (\d+\.\d+\.\d+)\.$`)
	comment      = regexp.MustCompile(`(?s)--[^\n]*|#[^\n]*|/\*.*?\*/`)
	literal      = regexp.MustCompile(`'(?:[^']|'')*'`)
	spaces       = regexp.MustCompile(`\s+`)
	bracketed    = regexp.MustCompile(`\([^()]*\)`)
)

func statement(text string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)^` + strings.ReplaceAll(text, "%s", "[`\"]?\\w+[`\"]?"))
}

// added is what migrations since the baseline have added, which the release before the one that added it does not know.
type added struct{ tables, columns map[string]bool }

// check returns what in a migration's text breaks the rule, and notes what it adds. released tells whether a version exists.
func (a added) check(text string, released func(version string) bool) (broken []string) {
	if since := notUsed.FindStringSubmatch(text); since != nil {
		if !released(since[1]) {
			return []string{"release " + since[1] + " does not exist"}
		}
		return nil
	}
	_, up, found := strings.Cut(text, "-- +goose Up")
	if !found {
		return []string{"-- +goose Up is missing"}
	}
	up, _, _ = strings.Cut(up, "-- +goose Down")
	up = comment.ReplaceAllString(literal.ReplaceAllString(up, "''"), " ") // neither says what a statement does
	text = strings.TrimSpace(spaces.ReplaceAllString(up, " "))
	for one := range strings.SplitSeq(text, ";") {
		if one = strings.TrimSpace(one); one != "" {
			if why := a.statement(one); why != "" {
				broken = append(broken, fmt.Sprintf("%.60s: %s", one, why))
			}
		}
	}
	return broken
}

// statement returns why a statement breaks the rule.
func (a added) statement(s string) (why string) {
	if m := createTable.FindStringSubmatch(s); m != nil {
		a.tables[bare(m[1])] = true
		return ""
	}
	if m := createUnique.FindStringSubmatch(s); m != nil {
		if !a.tables[bare(m[1])] {
			return "the release before may write rows that this index refuses"
		}
		return ""
	}
	if m := fill.FindStringSubmatch(s); m != nil {
		for _, column := range assigned(s) {
			if !a.tables[bare(m[1])] && !a.columns[bare(m[1])+"."+bare(column)] {
				return "it changes what the release before has written"
			}
		}
		return ""
	}
	if upsert.MatchString(s) {
		return "it changes what the release before has written"
	}
	if m := alterTable.FindStringSubmatch(s); m != nil {
		return a.alter(bare(m[1]), s[len(m[0]):])
	}
	for _, allowed := range additive {
		if allowed.MatchString(s) {
			return ""
		}
	}
	return "only what adds a table, a column or an index is known to be safe"
}

// assigned are the columns that an UPDATE sets.
func assigned(update string) (columns []string) {
	_, clauses, _ := cutFold(update, " SET ")
	for bracketed.MatchString(clauses) {
		clauses = bracketed.ReplaceAllString(clauses, "")
	}
	clauses, _, _ = cutFold(clauses, " WHERE ")
	for clause := range strings.SplitSeq(clauses, ",") {
		column, _, _ := strings.Cut(clause, "=")
		columns = append(columns, strings.TrimSpace(column))
	}
	return columns
}

// cutFold is strings.Cut, whatever the case of ASCII letters.
func cutFold(s, sep string) (before, after string, found bool) {
	i := strings.Index(strings.ToUpper(s), sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// alter returns why the clauses of an ALTER TABLE break the rule.
func (a added) alter(table, clauses string) (why string) {
	if a.tables[table] {
		return ""
	}
	flat := clauses // without brackets, whose commas do not end a clause
	for bracketed.MatchString(flat) {
		flat = bracketed.ReplaceAllString(flat, "")
	}
	for clause := range strings.SplitSeq(flat, ",") {
		clause = strings.TrimSpace(clause)
		switch m := addColumn.FindStringSubmatch(clause); {
		case addIndex.MatchString(clause):
		case m == nil || strings.EqualFold(m[1], "UNIQUE") || strings.EqualFold(m[1], "CONSTRAINT"):
			return "the release before may need what it changes"
		case notNull.MatchString(clause) && !hasDefault.MatchString(clause):
			return "the release before writes rows without this column, so it needs a default"
		case refusesRows.MatchString(clause):
			return "the release before may write rows that this refuses"
		default:
			a.columns[table+"."+bare(m[1])] = true
		}
	}
	return ""
}

func bare(name string) string { return strings.ToLower(strings.Trim(name, "`\"")) }

func TestMigrationsOnlyAdd(t *testing.T) {
	changes, err := os.ReadFile(filepath.Join("..", "CHANGELOG.md"))
	require.NoError(t, err)
	released := func(version string) bool { return strings.Contains(string(changes), "\n## "+version) }
	for _, folder := range []string{"mysql", "sqlite"} {
		all := added{map[string]bool{}, map[string]bool{}}
		names, err := fs.Glob(FS, folder+"/*.sql")
		require.NoError(t, err)
		baseline := 0
		for _, name := range names {
			number, err := strconv.Atoi(path.Base(name)[:5])
			require.NoError(t, err, name)
			if number <= Baseline {
				baseline++
				continue
			}
			text, err := fs.ReadFile(FS, name)
			require.NoError(t, err)
			require.Empty(t, all.check(string(text), released), "%s breaks the upgrade rule", name)
		}
		require.Equal(t, Baseline, baseline, "files of the baseline")
	}
}

// What breaks the rule is found.
func TestUpgradeRuleIsChecked(t *testing.T) {
	released := func(version string) bool { return version == "1.2.0" }
	for _, row := range []struct{ sql, want string }{
		{"CREATE TABLE new (id INTEGER NOT NULL, UNIQUE (id)) STRICT; CREATE UNIQUE INDEX new_id ON new (id);", ""},
		{"CREATE INDEX cases_due ON cases (due_us);", ""},
		{"ALTER TABLE cases ADD COLUMN due_us BIGINT NOT NULL DEFAULT 0, ADD price DECIMAL(10, 2) NULL, ADD INDEX due " +
			"(due_us, id);",
			""},
		{"ALTER TABLE cases ADD COLUMN due_us INTEGER; -- DROP\nUPDATE cases SET due_us = at_us;", ""},
		{"INSERT IGNORE INTO settings (name) VALUES ('x');", ""},
		{"DROP TABLE cases;", "safe"},
		{"ALTER TABLE cases DROP COLUMN note;", "may need"},
		{"ALTER TABLE cases RENAME COLUMN note TO remark;", "may need"},
		{"ALTER TABLE cases RENAME TO files;", "may need"},
		{"ALTER TABLE cases ADD COLUMN due_us INTEGER NOT NULL;", "default"},
		{"ALTER TABLE cases ADD COLUMN due_us INTEGER NOT NULL; -- the default is 0", "default"},
		{"ALTER TABLE cases ADD COLUMN due_us INTEGER NOT NULL /* default: none */;", "default"},
		{"ALTER TABLE cases ADD COLUMN due_us BIGINT NOT NULL # DEFAULT 0\n;", "default"},
		{"ALTER TABLE cases ADD COLUMN due_us BIGINT NOT NULL COMMENT 'a default -- of sorts';", "default"},
		{"ALTER TABLE cases ADD COLUMN a INTEGER NOT NULL DEFAULT 0, ADD COLUMN b INTEGER NOT NULL;", "default"},
		{"ALTER TABLE cases ADD COLUMN code INTEGER UNIQUE;", "refuses"},
		{"ALTER TABLE cases ADD COLUMN code INTEGER CHECK (code > 0);", "refuses"},
		{"ALTER TABLE cases ADD UNIQUE (code);", "may need"},
		{"ALTER TABLE cases ADD CONSTRAINT c CHECK (code > 0);", "may need"},
		{"ALTER TABLE cases MODIFY COLUMN note VARBINARY(10) NOT NULL;", "may need"},
		{"ALTER TABLE cases CHANGE note note VARBINARY(10);", "may need"},
		{"ALTER TABLE cases ALTER COLUMN turns DROP DEFAULT;", "may need"},
		{"ALTER TABLE cases DROP INDEX cases_due;", "may need"},
		{"CREATE UNIQUE INDEX cases_code ON cases (code);", "refuses"},
		{"DROP INDEX cases_due;", "safe"},
		{"UPDATE cases SET state = 2;", "has written"},
		{"ALTER TABLE cases ADD COLUMN due_us INTEGER; UPDATE cases SET due_us = MAX(at_us, 1), state = 2;", "has written"},
		{"ALTER TABLE cases ADD COLUMN due_us INTEGER; UPDATE cases SET due_us = at_us, due_us = 1 WHERE state = 2, 1;", ""},
		{"INSERT INTO settings (name) VALUES ('x') ON DUPLICATE KEY UPDATE value = 'y';", "has written"},
		{"INSERT INTO settings (name) VALUES ('x') ON CONFLICT (name) DO UPDATE SET value = 'y';", "has written"},
		{"DELETE FROM cases;", "safe"},
		{"TRUNCATE TABLE cases;", "safe"},
		{"CREATE TRIGGER t BEFORE INSERT ON cases BEGIN SELECT 1; END;", "safe"},
	} {
		a := added{map[string]bool{}, map[string]bool{}}
		found := strings.Join(a.check("-- Why.\n-- +goose Up\n"+row.sql, released), "\n")
		if row.want == "" {
			require.Empty(t, found, row.sql)
		} else {
			require.Contains(t, found, row.want, row.sql)
		}
	}
	a := added{map[string]bool{}, map[string]bool{}}
	require.Empty(t, a.check("-- Why.\n-- Not used since 1.2.0.\n-- +goose Up\nDROP TABLE cases;", released))
	require.NotEmpty(t, a.check("-- Why.\n-- Not used since 1.3.0.\n-- +goose Up\nDROP TABLE cases;", released))
}
