package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	mysqldriver "github.com/go-sql-driver/mysql"

	"pitboss/models"
)

// Lines of the ledgers and of the audit log are only added. Triggers make the database itself refuse UPDATE and DELETE of them,
// and with them REPLACE and INSERT ... ON DUPLICATE KEY UPDATE; on SQLite REPLACE takes recursive_triggers, see sqliteURI.
// INSERT has no trigger: callbacks pay nothing. Whoever may drop triggers gets past them, so the account that the program runs
// under should not be allowed to.
//
// Which triggers there are is found out by trying, on a line that is never committed: an account without the privilege TRIGGER
// cannot see them, and looking costs the tables' locks nothing.

// Guarded are the tables whose lines are only added, each with a line to try on: its first column takes the number.
var Guarded = []struct{ Table, key, columns, values string }{
	{"postings", "id", "player_id, source, transaction_id, seq, kind, round_id, bet_minor, win_minor, free_spin, " +
		"after_minor, at_us, hash",
		"0, 0, '', 0, 0, '', 0, 0, 0, 0, 0, " + noHash},
	{"retired_postings", "player_id", "source, transaction_id, claim, kind, round_id, bet_minor, win_minor, free_spin, at_us",
		"0, '', 0, 0, '', 0, 0, 0, 0"},
	{"spin_entries", "player_id", "seq, kind, transaction_id, round_id, spins, stake_minor, grant_known, at_us, hash",
		"0, 0, '', '', 0, 0, 0, 0, " + noHash},
	{"audit_events", "id", "at_us, actor, address, session, action, object, object_id, before_text, after_text, reason, hash",
		"0, '', '', '', '', '', '', '', '', '', " + noHash},
}

const noHash = "x'0000000000000000000000000000000000000000000000000000000000000000'"

// trigger is one of those that refuse changes.
type trigger struct{ table, event string }

// String names what passes where the trigger is missing: "UPDATE of entries".
func (t trigger) String() string { return t.event + " of " + t.table }

// create is the statement that makes the trigger.
func (t trigger) create(d Dialect) string {
	head := fmt.Sprintf("TRIGGER %s_no_%s BEFORE %s ON %s", t.table, strings.ToLower(t.event), t.event, t.table)
	said := t.table + " are only added"
	if d == MySQL {
		return "CREATE " + head + " FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = '" + said + "'"
	}
	return "CREATE " + strings.Replace(head, "TRIGGER", "TRIGGER IF NOT EXISTS", 1) + " BEGIN SELECT RAISE(ABORT, '" + said +
		"'); END"
}

const (
	mysqlSignal         = 1644
	MySQLTableDenied    = 1142
	MySQLColumnDenied   = 1143
	MySQLDatabaseDenied = 1044
	mysqlSuperNeeded    = 1227
	mysqlBinaryLog      = 1419 // a trigger needs SUPER, or log_bin_trust_function_creators
	mysqlTriggerExists  = 1359
	sqliteTrigger       = 1811
)

// missingTriggers tries every change that should be refused, in a transaction that is rolled back, and returns what passed. A
// change that the account has no privilege for is refused too.
func missingTriggers(ctx context.Context, d Dialect, pool *sql.DB) (missing []trigger, err error) {
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	number := -1 - rand.Int64N(1<<62) // no wallet's, and not that of another who tries at the same time
	for _, g := range Guarded {
		insert := fmt.Sprintf("INSERT INTO %s (%s, %s) VALUES (%d, %s)", g.Table, g.key, g.columns, number, g.values)
		if _, err := tx.ExecContext(ctx, insert); err != nil {
			return nil, err
		}
		where := fmt.Sprintf(" WHERE %s = %d", g.key, number)
		for _, try := range []struct{ event, statement string }{
			{"UPDATE", "UPDATE " + g.Table + " SET at_us = 1" + where},
			{"DELETE", "DELETE FROM " + g.Table + where},
		} {
			_, err := tx.ExecContext(ctx, try.statement)
			switch n := MySQLNumber(err); {
			case err == nil:
				missing = append(missing, trigger{g.Table, try.event})
			case n == mysqlSignal, n == MySQLTableDenied, n == MySQLColumnDenied, SQLiteCode(err) == sqliteTrigger:
			default:
				return nil, err
			}
		}
	}
	return missing, nil
}

// CreateTriggers makes those that are missing. Where the database does not let this account, that is logged, and Unguarded
// tells: callbacks are served all the same.
func (s *DB) CreateTriggers(ctx context.Context, pool *sql.DB) error {
	missing, err := missingTriggers(ctx, s.Dialect, pool)
	if err != nil {
		return fmt.Errorf("look for triggers: %w", err)
	}
	for _, t := range missing {
		_, err := pool.ExecContext(ctx, t.create(s.Dialect))
		switch MySQLNumber(err) {
		case mysqlBinaryLog, MySQLTableDenied, MySQLDatabaseDenied, mysqlSuperNeeded:
			var why *mysqldriver.MySQLError
			errors.As(err, &why)
			s.Log.Warn("The database does not let this account make the triggers that refuse changes of the ledger; see "+
				"/readyz and the README.", "number", why.Number, "error", why.Message)
			return nil
		case mysqlTriggerExists: // it does something else; Unguarded tells
		default:
			if err != nil {
				return fmt.Errorf("create trigger: %w", err)
			}
		}
	}
	return nil
}

// unguarded remembers for a minute that nothing was found, and for some seconds what was: asking writes to the tables, though
// nothing stays.
type unguarded struct {
	mu    sync.Mutex
	at    time.Time
	found []string
}

// Unguarded names which changes of lines that are only added the database would let this account make: "UPDATE of entries".
// There should be none. The answer may be a minute old.
func (s *DB) Unguarded(ctx context.Context) ([]string, error) {
	u := &s.unguarded
	u.mu.Lock()
	defer u.mu.Unlock()
	lasts := time.Minute
	if len(u.found) > 0 {
		lasts = 5 * time.Second
	}
	if !u.at.IsZero() && time.Since(u.at) < lasts {
		return u.found, nil
	}
	missing, err := missingTriggers(ctx, s.Dialect, s.Pools.Write)
	if err != nil {
		return nil, fmt.Errorf("try the triggers: %w", err)
	}
	u.found = nil
	for _, t := range missing {
		u.found = append(u.found, t.String())
	}
	u.at = time.Now()
	return u.found, nil
}

// ForeignTriggers names the triggers that could write along with Pitboss: what they make of a row would be covered as if
// Pitboss had meant it, since the audit log covers a row as it is at the end of its change. Triggers on UPDATE or DELETE of
// lines that are only added run in no such change. On MySQL and MariaDB an account without the privilege TRIGGER sees none.
func (s *DB) ForeignTriggers(ctx context.Context, tx Queryer) (names []string, err error) {
	var q Statement
	if s.Dialect == MySQL {
		q.Begin("SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = DATABASE() " +
			"AND NOT (event_manipulation IN ('UPDATE', 'DELETE')")
		q.Text(" AND event_object_table IN (")
	} else {
		// SQLite keeps a trigger's text from its name on, as it was written; it quotes the table's name when the table is
		// renamed.
		begins := func(event string) string {
			head := "'CREATE TRIGGER ' || name || ' BEFORE " + event + " ON ' || tbl_name || ' '"
			return "substr(replace(sql, '\"', ''), 1, length(" + head + ")) = " + head
		}
		q.Begin("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND NOT ((").Text(begins("UPDATE")).Text(" OR ").
			Text(begins("DELETE"))
		q.Text(") AND tbl_name IN (")
	}
	for i, g := range Guarded {
		if i > 0 {
			q.Comma()
		}
		q.String(g.Table)
	}
	err = q.Text(")) ORDER BY 1 LIMIT ").Number(models.FaultsKept).Query(ctx, tx, func(r *sql.Rows) error {
		names = append(names, "")
		return r.Scan(&names[len(names)-1])
	})
	if err != nil {
		return nil, fmt.Errorf("look for triggers: %w", err)
	}
	return names, nil
}
