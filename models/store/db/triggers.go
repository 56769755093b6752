package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	mysqldriver "github.com/go-sql-driver/mysql"
	"github.com/pressly/goose/v3"
	"gorm.io/gorm"

	"pitboss/models"
)

// The ledgers, the texts of declined callbacks and the audit log are append-only. Triggers make the database itself refuse
// UPDATE and DELETE of their rows, and therefore also REPLACE and INSERT ... ON DUPLICATE KEY UPDATE (on SQLite, REPLACE needs
// recursive_triggers for that, see sqliteURI). INSERT has no trigger, so callbacks pay nothing. An account that may drop
// triggers can bypass them, so the program's account should not have that privilege.
//
// To find out which triggers exist, Pitboss tries each change on a row that it never commits, because an account without the
// privilege TRIGGER cannot list them. The trial locks no row that anybody else uses.

// Guarded are the append-only tables, each with the values of a row for trials. Column key gets a number for the trial, in this
// format.
var Guarded = []struct{ Table, key, format, columns, values string }{
	{"postings", "id", "-%d", "player_id, source, transaction_id, seq, kind, round_id, bet_minor, win_minor, free_spin, " +
		"after_minor, at_us, hash",
		"0, 0, '', 0, 0, '', 0, 0, 0, 0, 0, " + noHash},
	{"spin_entries", "player_id", "-%d", "seq, kind, transaction_id, round_id, spins, stake_minor, grant_known, at_us, hash",
		"0, 0, '', '', 0, 0, 0, 0, " + noHash},
	{"declined_texts", "digest", "x'%032x'", "kind, user_length, transaction_length, at_us", "0, 0, 0, 0"},
	{"audit_events", "id", "-%d", "at_us, actor, address, session, action, object, object_id, before_text, after_text, reason, hash",
		"0, '', '', '', '', '', '', '', '', '', " + noHash},
}

// GuardedTables returns the names of the append-only tables.
func GuardedTables() (names []string) {
	for _, g := range Guarded {
		names = append(names, g.Table)
	}
	return names
}

const noHash = "x'0000000000000000000000000000000000000000000000000000000000000000'"

// trigger is a trigger that refuses one kind of change.
type trigger struct {
	table, event string
}

// drop returns the statement that drops the trigger.
func (t trigger) drop() string {
	return fmt.Sprintf("DROP TRIGGER IF EXISTS %s_no_%s", t.table, strings.ToLower(t.event))
}

// create returns the statement that creates the trigger.
func (t trigger) create(d Dialect) string {
	head := fmt.Sprintf("CREATE TRIGGER %s_no_%s BEFORE %s ON %s", t.table, strings.ToLower(t.event), t.event, t.table)
	said := t.table + " are only added"
	if d == MySQL {
		return head + " FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = '" + said + "'"
	}
	return head + " BEGIN SELECT RAISE(ABORT, '" + said + "'); END"
}

const (
	mysqlSignal         = 1644
	MySQLTableDenied    = 1142
	MySQLColumnDenied   = 1143
	MySQLDatabaseDenied = 1044
	mysqlSuperNeeded    = 1227
	mysqlBinaryLog      = 1419 // a trigger needs SUPER, or log_bin_trust_function_creators
	mysqlNoDefiner      = 1449 // as in a dump restored on another server, where the account of its triggers does not exist
	sqliteTrigger       = 1811
)

// missingTriggers tries every change that should be refused, in a transaction that is rolled back, and returns the triggers of
// the changes that succeeded, and those without a definer. A change that the account has no privilege for counts as refused.
func missingTriggers(ctx context.Context, d Dialect, pool *sql.DB) (missing []trigger, err error) {
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	number := 1 + rand.Int64N(1<<62) // no other trial has it at the same time
	for _, g := range Guarded {
		key := fmt.Sprintf(g.format, number) // no wallet and no text has it
		insert := fmt.Sprintf("INSERT INTO %s (%s, %s) VALUES (%s, %s)", g.Table, g.key, g.columns, key, g.values)
		if _, err := tx.ExecContext(ctx, insert); err != nil {
			return nil, err
		}
		where := fmt.Sprintf(" WHERE %s = %s", g.key, key)
		for _, try := range []struct{ event, statement string }{
			{"UPDATE", "UPDATE " + g.Table + " SET at_us = 1" + where},
			{"DELETE", "DELETE FROM " + g.Table + where},
		} {
			_, err := tx.ExecContext(ctx, try.statement)
			switch n := MySQLNumber(err); {
			case err == nil, n == mysqlNoDefiner:
				missing = append(missing, trigger{g.Table, try.event})
			case n == mysqlSignal, n == MySQLTableDenied, n == MySQLColumnDenied, SQLiteCode(err) == sqliteTrigger:
			default:
				return nil, err
			}
		}
	}
	return missing, nil
}

// CreateTriggers creates the missing triggers. If this account is not allowed to, it logs that and returns nil: callbacks are
// served anyway, and Unguarded reports what is missing.
func (s *DB) CreateTriggers(ctx context.Context, pool *sql.DB) error {
	missing, err := missingTriggers(ctx, s.Dialect, pool)
	if err != nil {
		return fmt.Errorf("look for triggers: %w", err)
	}
	for _, t := range missing {
		_, err := pool.ExecContext(ctx, t.drop()) // it may do something else
		if err == nil {
			_, err = pool.ExecContext(ctx, t.create(s.Dialect))
		}
		switch MySQLNumber(err) {
		case mysqlBinaryLog, MySQLTableDenied, MySQLDatabaseDenied, mysqlSuperNeeded:
			var why *mysqldriver.MySQLError
			errors.As(err, &why)
			s.Log.Warn("The database does not let this account create the triggers that protect the ledger; see "+
				"/readyz, and Installing in the handbook.", "number", why.Number, "error", why.Message)
			return nil
		default:
			if err != nil {
				return fmt.Errorf("create trigger: %w", err)
			}
		}
	}
	return nil
}

// CheckTriggerRight returns why the account that applies migrations may not create triggers. It creates a table with a trigger
// and drops it, because a server with a binary log may refuse triggers in spite of the account's privileges.
func (s *DB) CheckTriggerRight(ctx context.Context) (err error) {
	if s.Dialect == SQLite {
		return nil
	}
	pool := s.Pools.Write
	if s.MigrateURL != "" {
		if pool, err = s.OpenMigrating(ctx); err != nil {
			return err
		}
		defer pool.Close()
	}
	name := fmt.Sprintf("trial_%d", rand.Int64())
	if _, err = pool.ExecContext(ctx, "CREATE TABLE "+name+" (id BIGINT PRIMARY KEY)"); err != nil {
		return fmt.Errorf("this account may not create tables: %w", err)
	}
	if _, err = pool.ExecContext(ctx, trigger{name, "UPDATE"}.create(s.Dialect)); err != nil {
		err = fmt.Errorf("this account may not create the triggers that protect the ledger: %w", err)
	}
	_, dropped := pool.ExecContext(context.WithoutCancel(ctx), "DROP TABLE "+name)
	return errors.Join(err, dropped)
}

// Unguarding drops the triggers that refuse an event, UPDATE or DELETE, of some tables, calls fn, and creates them again. No
// other instance migrates or does this meanwhile. If fn or the triggers fail because somebody else uses a table, it tries
// again.
func (s *DB) Unguarding(ctx context.Context, event string, tables []string, fn func(context.Context) error) error {
	pool := s.Pools.Write
	if s.MigrateURL != "" {
		var err error
		if pool, err = s.OpenMigrating(ctx); err != nil {
			return err
		}
		defer pool.Close()
	}
	done := false
	return s.migrating(ctx, pool, true, func(ctx context.Context, _ *goose.Provider) error {
		var err error
		for _, table := range tables {
			if err == nil {
				_, err = pool.ExecContext(ctx, trigger{table, event}.drop())
			}
		}
		if err == nil && !done { // it is, if the triggers could not be created again
			err = fn(ctx)
			done = err == nil
		}
		return errors.Join(err, s.CreateTriggers(context.WithoutCancel(ctx), pool))
	})
}

// Unguarded returns the changes of append-only tables that the database would let this account make, such as "UPDATE of
// postings". There should be none.
func (s *DB) Unguarded(ctx context.Context) (changes []string, err error) {
	missing, err := missingTriggers(ctx, s.Dialect, s.Pools.Write)
	if err != nil {
		return nil, fmt.Errorf("try the triggers: %w", err)
	}
	for _, t := range missing {
		changes = append(changes, t.event+" of "+t.table)
	}
	return changes, nil
}

// ForeignTriggers returns the names of triggers that could alter what Pitboss writes. The audit log covers a row as it is at
// the end of its change, including what such a trigger has done to it. Triggers on UPDATE or DELETE of append-only tables never
// run in a change, so they are left out. On MySQL and MariaDB an account without the privilege TRIGGER sees no triggers.
func (s *DB) ForeignTriggers(tx *gorm.DB) (names []string, err error) {
	query := `SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = DATABASE()
		AND NOT (event_manipulation IN ('UPDATE', 'DELETE') AND event_object_table IN ?) ORDER BY 1 LIMIT ?`
	if s.Dialect == SQLite {
		// SQLite stores a trigger's text as it was written, from the name on. When the table is renamed, it quotes the table's
		// name.
		begins := func(event string) string {
			head := "'CREATE TRIGGER ' || name || ' BEFORE " + event + " ON ' || tbl_name || ' '"
			return "substr(replace(sql, '\"', ''), 1, length(" + head + ")) = " + head
		}
		query = "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND NOT ((" + begins("UPDATE") + " OR " + begins("DELETE") +
			") AND tbl_name IN ?) ORDER BY 1 LIMIT ?"
	}
	return All[string](tx, query, GuardedTables(), models.FaultsKept)
}

// Planted returns what somebody has added to the database that could alter or refuse what Pitboss writes, such as "trigger x"
// or "event x": foreign triggers, events and check constraints. On SQLite, a constraint can only be added by editing the
// schema's text. On MySQL and MariaDB an account without the privileges TRIGGER and EVENT sees neither triggers nor events.
func (s *DB) Planted(tx *gorm.DB) (planted []string, err error) {
	triggers, err := s.ForeignTriggers(tx)
	for _, name := range triggers {
		planted = append(planted, "trigger "+name)
	}
	if err != nil {
		return nil, err
	}
	list := "SELECT CONCAT('event ', event_name) FROM information_schema.events WHERE event_schema = DATABASE() UNION ALL " +
		"SELECT CONCAT('check constraint ', constraint_name) FROM information_schema.check_constraints " +
		"WHERE constraint_schema = DATABASE()"
	if s.Dialect == SQLite {
		list = "SELECT 'check constraint of table ' || name FROM sqlite_schema WHERE type = 'table' AND " +
			"instr(replace(replace(upper(sql), ' ', ''), 'KEYCHECK(ID=1)', ''), 'CHECK(') > 0"
	}
	more, err := All[string](tx, list)
	return append(planted, more...), err
}
