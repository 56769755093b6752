package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"pitboss/migrations"
	"pitboss/models"
)

// The expected schema is read from the migrations: their tables, in order, with their columns, and the columns that later
// migrations add, one to a line. A migration that changes a table in another way needs a line here.

// table is a table that a migration creates.
type table struct {
	name, file string
	columns    []string
	filled     bool // the migration itself inserts rows
}

var (
	tableBegins = regexp.MustCompile(`^CREATE TABLE (?:IF NOT EXISTS )?(\w+) \($`)
	columnLine  = regexp.MustCompile(`^  ([a-z]\w*) [A-Z]`)
	addedColumn = regexp.MustCompile(`^ALTER TABLE (\w+) ADD COLUMN (\w+) `)
	insertLine  = regexp.MustCompile(`^INSERT (?:IGNORE |OR IGNORE )?INTO (\w+)`)
)

var declared = map[Dialect]func() ([]table, error){
	MySQL:  sync.OnceValues(func() ([]table, error) { return readTables(migrations.FS, MySQL) }),
	SQLite: sync.OnceValues(func() ([]table, error) { return readTables(migrations.FS, SQLite) }),
}

func readTables(from fs.FS, d Dialect) (list []table, err error) {
	files, err := fs.Glob(from, string(d)+"/*.sql")
	for _, file := range files {
		text, err := fs.ReadFile(from, file)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			line = strings.TrimRight(line, "\n")
			if begins := tableBegins.FindStringSubmatch(line); begins != nil {
				list = append(list, table{name: begins[1], file: strings.TrimPrefix(file, string(d)+"/")})
			} else if column := columnLine.FindStringSubmatch(line); column != nil && len(list) > 0 {
				list[len(list)-1].columns = append(list[len(list)-1].columns, column[1])
			} else if added := addedColumn.FindStringSubmatch(line); added != nil {
				for i := range list {
					if list[i].name == added[1] {
						list[i].columns = append(list[i].columns, added[2])
					}
				}
			} else if insert := insertLine.FindStringSubmatch(line); insert != nil {
				for i := range list {
					list[i].filled = list[i].filled || list[i].name == insert[1]
				}
			}
		}
	}
	return list, err
}

// columns returns the columns of the database's tables, by table, and whether an INSERT without the column fails.
func (s *DB) columns(ctx context.Context, pool *sql.DB) (map[string]map[string]bool, error) {
	rows, err := pool.QueryContext(ctx, s.Dialect.pick(
		"SELECT table_name, column_name, is_nullable = 'NO' AND column_default IS NULL AND extra = '' "+
			"FROM information_schema.columns WHERE table_schema = DATABASE()",
		"SELECT t.name, c.name, c.\"notnull\" AND c.dflt_value IS NULL AND NOT c.pk "+
			"FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table'"))
	if err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	defer rows.Close()
	found := map[string]map[string]bool{}
	for rows.Next() {
		var name, column string
		var needed bool
		if err := rows.Scan(&name, &column, &needed); err != nil {
			return nil, fmt.Errorf("read the schema: %w", err)
		}
		if found[name] == nil {
			found[name] = map[string]bool{}
		}
		found[name][column] = needed
	}
	return found, rows.Err()
}

// A SchemaError says how the database's schema differs from the one that the program's migrations make.
type SchemaError struct{ Differences []string }

// Error names the differences, and what to do.
func (e SchemaError) Error() string {
	return "the schema is not that of this program: " + strings.Join(e.Differences, ", ") + ". After a restore, the dump was incomplete: " +
		"restore a whole one into an empty database. If another build made this schema, use that build, or an empty database"
}

// CheckSchema returns a SchemaError if the database lacks a table or column, if a table has a column that the program does not
// know and would not fill, or if the newest player has no wallet, as in a dump that was cut off. It is for databases without
// pending migrations.
func (s *DB) CheckSchema(ctx context.Context) error {
	return s.checkSchema(ctx, s.Pools.Read)
}

func (s *DB) checkSchema(ctx context.Context, pool *sql.DB) error {
	wanted, err := declared[s.Dialect]()
	if err != nil {
		return err
	}
	found, err := s.columns(ctx, pool)
	if err != nil {
		return err
	}
	var wrong []string
	for _, t := range wanted {
		columns, there := found[t.name]
		if !there {
			wrong = append(wrong, "table "+t.name+" is missing")
			continue
		}
		for _, column := range t.columns {
			if _, there := columns[column]; !there {
				wrong = append(wrong, "column "+column+" of table "+t.name+" is missing")
			}
		}
		// The next release, which may run already, adds columns with a default.
		for _, column := range slices.Sorted(maps.Keys(columns)) {
			if columns[column] && !slices.Contains(t.columns, column) {
				wrong = append(wrong, "column "+column+" of table "+t.name+" is not known")
			}
		}
	}
	if len(wrong) == 0 {
		var cut int
		err := pool.QueryRowContext(ctx, "SELECT COUNT(*) FROM players WHERE id = (SELECT MAX(id) FROM players) "+
			"AND id NOT IN (SELECT player_id FROM wallets WHERE player_id = players.id)").Scan(&cut)
		if err != nil {
			return fmt.Errorf("look for the newest wallet: %w", err)
		}
		if cut > 0 {
			wrong = []string{"the newest player has no wallet"}
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	return SchemaError{wrong[:min(len(wrong), models.FaultsKept)]}
}

// CheckPending returns a SchemaError if the database has tables of pending migrations, and not merely the first ones and empty,
// as an interrupted migration leaves them. Migrating over a part of a dump would add the other tables without their rows:
// players would be unknown.
func (s *DB) CheckPending(ctx context.Context) error {
	return s.checkPending(ctx, s.Pools.Write)
}

func (s *DB) checkPending(ctx context.Context, pool *sql.DB) error {
	wanted, err := declared[s.Dialect]()
	if err != nil {
		return err
	}
	list, err := s.Migrations(ctx)
	if err != nil {
		return err
	}
	pending := map[string]bool{}
	for _, m := range list {
		pending[m.File] = m.AppliedAt.IsZero()
	}
	found, err := s.columns(ctx, pool)
	if err != nil {
		return err
	}
	missing := ""
	for _, t := range wanted {
		if !pending[t.file] {
			continue
		}
		_, there := found[t.name]
		switch {
		case !there && missing == "":
			missing = t.name
		case there && missing != "":
			return SchemaError{[]string{"table " + missing + " is missing", "table " + t.name + " is there, although " + t.file + " was not applied"}}
		case there && !t.filled:
			var row int
			err := pool.QueryRowContext(ctx, "SELECT 1 FROM "+t.name+" LIMIT 1").Scan(&row)
			if err == nil {
				return SchemaError{[]string{"table " + t.name + " has rows, although " + t.file + " was not applied"}}
			}
			if !errors.Is(err, sql.ErrNoRows) {
				return fmt.Errorf("look for rows in %s: %w", t.name, err)
			}
		}
	}
	return nil
}
