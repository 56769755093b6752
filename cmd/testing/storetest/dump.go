package storetest

import (
	"context"
	"database/sql"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Dump returns the statements that turn an empty database of the same engine into a copy of the one at url. Rows are in the
// order of their keys.
func Dump(t testing.TB, url string) string {
	t.Helper()
	return dumped(t, url, true)
}

// Schema returns the statements of Dump without the rows. It is the same for any two databases with the same schema.
func Schema(t testing.TB, url string) string {
	t.Helper()
	return counters.ReplaceAllString(dumped(t, url, false), "")
}

// counters match the number that a table's next row will get.
var counters = regexp.MustCompile(` AUTO_INCREMENT=\d+`)

func dumped(t testing.TB, url string, rows bool) string {
	t.Helper()
	dump := dumpMariaDB
	if strings.HasPrefix(url, "sqlite://") {
		dump = dumpSQLite
	}
	script, err := dump(t.Context(), OpenURL(t, url), rows)
	require.NoError(t, err)
	return script
}

// Filled creates a database from a script that Dump returned, and returns its URL. The database is deleted when the test ends.
func Filled(t testing.TB, engine, script string) string {
	t.Helper()
	if engine == MariaDB {
		return "mysql://" + freshDatabase(t, script)
	}
	url := EmptyURL(t, engine)
	_, err := OpenURL(t, url).ExecContext(t.Context(), "BEGIN;\n"+script+"COMMIT;")
	require.NoError(t, err)
	return url
}

// dumpSQLite returns the script of a SQLite database. Triggers come last, so that they do not act on the inserted rows.
func dumpSQLite(ctx context.Context, db *sql.DB, withRows bool) (string, error) {
	const schema = "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND type "
	tables, err := query(ctx, db, schema+"= 'table' ORDER BY name")
	if err != nil {
		return "", err
	}
	var script strings.Builder
	for _, table := range tables {
		script.WriteString(table[1].text + ";\n")
	}
	for _, table := range append(tables, []value{{text: "sqlite_sequence"}}) {
		if !withRows {
			break
		}
		if err := dumpRows(ctx, db, table[0].text, literalSQLite, &script); err != nil {
			return "", err
		}
	}
	others, err := query(ctx, db, schema+"<> 'table' ORDER BY type, name")
	for _, other := range others {
		script.WriteString(other[1].text + ";\n")
	}
	return script.String(), err
}

// dumpMariaDB returns the statements that create the tables, rows and triggers of a small database. The schema has no views and
// no foreign keys, so the order of the tables does not matter.
func dumpMariaDB(ctx context.Context, db *sql.DB, withRows bool) (string, error) {
	tables, err := query(ctx, db, "SHOW FULL TABLES WHERE Table_type = 'BASE TABLE'")
	if err != nil {
		return "", err
	}
	var script strings.Builder
	for _, table := range tables {
		name := "`" + table[0].text + "`"
		created, err := query(ctx, db, "SHOW CREATE TABLE "+name)
		if err != nil {
			return "", err
		}
		script.WriteString(created[0][1].text + ";\n")
		if !withRows {
			continue
		}
		if err := dumpRows(ctx, db, table[0].text, literalMariaDB, &script); err != nil {
			return "", err
		}
	}
	triggers, err := query(ctx, db, "SHOW TRIGGERS")
	if err != nil {
		return "", err
	}
	for _, trigger := range triggers {
		created, err := query(ctx, db, "SHOW CREATE TRIGGER `"+trigger[0].text+"`")
		if err != nil {
			return "", err
		}
		script.WriteString("SET sql_mode = " + literalMariaDB(created[0][1]) + ";\n" + definer.ReplaceAllString(created[0][2].text, "") + ";\n")
	}
	return script.String(), nil
}

// definer matches the account that created a trigger, which may not exist on another server.
var definer = regexp.MustCompile(" DEFINER=`[^`]*`@`[^`]*`")

// dumpRows writes the statements that insert the rows of a table.
func dumpRows(ctx context.Context, db *sql.DB, table string, literal func(value) string, script *strings.Builder) error {
	rows, err := query(ctx, db, "SELECT * FROM `"+table+"`")
	if err != nil {
		return err
	}
	for _, row := range rows {
		literals := make([]string, len(row))
		for i, v := range row {
			literals[i] = literal(v)
		}
		script.WriteString("INSERT INTO `" + table + "` VALUES (" + strings.Join(literals, ", ") + ");\n")
	}
	return nil
}

// value is one value of a row, as the database prints it.
type value struct {
	text                 string
	null, number, binary bool
}

// literalSQLite returns the value as a literal in SQLite's SQL.
func literalSQLite(v value) string {
	switch {
	case v.null:
		return "NULL"
	case v.number:
		return v.text
	case v.binary:
		return "X'" + hex.EncodeToString([]byte(v.text)) + "'"
	default:
		return "'" + strings.ReplaceAll(v.text, "'", "''") + "'"
	}
}

// literalMariaDB returns the value as a literal in MariaDB's SQL, in which a backslash escapes. IDs from outside stay readable.
func literalMariaDB(v value) string {
	if v.binary = v.binary && strings.ContainsFunc(v.text, func(r rune) bool { return r < ' ' || r > '~' }); !v.binary {
		v.text = strings.ReplaceAll(v.text, `\`, `\\`)
	}
	return literalSQLite(v)
}

// query returns the rows of a statement.
func query(ctx context.Context, db *sql.DB, statement string) (out [][]value, err error) {
	rows, err := db.QueryContext(ctx, statement)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", statement, err)
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", statement, err)
	}
	for rows.Next() {
		texts := make([]sql.NullString, len(types))
		into := make([]any, len(types))
		for i := range texts {
			into[i] = &texts[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, fmt.Errorf("%s: %w", statement, err)
		}
		row := make([]value, len(types))
		for i, text := range texts {
			kind := types[i].DatabaseTypeName()
			row[i] = value{text.String, !text.Valid, strings.HasSuffix(kind, "INT") || strings.HasSuffix(kind, "INTEGER"),
				strings.HasSuffix(kind, "BINARY") || strings.HasSuffix(kind, "BLOB")}
		}
		out = append(out, row)
	}
	return out, rows.Err()
}
