package db

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"slices"
	"strconv"
	"strings"

	"pitboss/models"
)

// GuardedTable declares a kind of row that the audit chain covers.
type GuardedTable struct {
	Object string // the Object of its audit events
	From   string // the table, as t, and the tables joined to it
	Key    string // the column whose value is the events' ObjectID
	text   bool   // whether the key is a text
	// The covered columns. A 0 or an empty text adds nothing to the digest, so that existing rows keep their digests if a
	// column is added.
	numbers, texts []string
	lists          []guardedList
	columns        []string
}

// guardedList is a table of rows that belong to a guarded row. key is the column with the guarded row's key, and columns are
// covered.
type guardedList struct {
	table, key string
	columns    []string
}

// GuardedTables are all kinds of rows that the audit chain covers. Columns that are left out change without an audit event and
// authorize nothing; the README lists them.
var GuardedTables = []*GuardedTable{
	{
		Object: "player", From: "players t JOIN wallets w ON w.player_id = t.id", Key: "t.id",
		numbers: []string{"t.test", "t.created_at_us", "w.blocked", "w.erased"}, texts: []string{"t.user_id", "w.currency"},
	},
	{
		Object: "correction", From: "corrections t", Key: "t.id",
		numbers: []string{"at_us", "kind", "player_id", "amount_minor", "effect_minor", "maker_id", "asked_before_minor",
			"state", "checker_id",
			"alone", "decided_at_us", "seq", "spin", "before_minor", "after_minor"},
		texts: []string{"transaction_id", "round_id", "reason", "note", "reference", "maker", "maker_role", "checker",
			"checker_role", "decision_note", "assignee", "another"},
	},
	{
		Object: "staff", From: "staff t", Key: "t.id",
		numbers: []string{"must_change_password", "disabled", "created_at_us", "password_set_at_us", "enabled_at_us",
			"unconfirmed_tie"},
		texts: []string{"username", "name", "role", "email", "password_hash", "totp_secret"},
		lists: []guardedList{
			{"staff_recovery_codes", "staff_id", []string{"code_hash"}},
			{"staff_links", "staff_id", []string{"code_hash", "delivery", "made_at_us", "expires_at_us"}},
			{"staff_passwords", "staff_id", []string{"id", "password_hash"}},
			{"staff_ties", "staff_id", []string{"id", "by_id", "act", "at_us"}},
		},
	},
	{
		Object: "change", From: "change_requests t", Key: "t.id",
		numbers: []string{"at_us", "maker_id", "state", "checker_id", "decided_at_us"},
		texts: []string{"subject", "value_before", "value_after", "reason", "maker", "maker_role", "checker",
			"checker_role", "decision_note"},
	},
	{
		// Without its row, a setting has its first value, which may allow more.
		Object: "setting", From: "settings t", Key: "t.name", text: true,
		numbers: []string{"changed_at_us"}, texts: []string{"value"},
	},
	{
		// Sending a grant, and asking the platform about it, changes the row without an event. The answer proves what was sent.
		Object: "grant", From: "grants t", Key: "t.id",
		numbers: []string{"at_us", "player_id", "game_id", "spins", "again", "repeat_of", "import_id", "import_line",
			"CASE WHEN state = 2 THEN 1 ELSE state END", "result", "latency_us", "answered_at_us", "finished_at_us",
			"resolution", "resolved_at_us", "exception_id"},
		texts: []string{"actor", "role", "reason", "free_spin_id", "message", "answer_raw", "resolved_by", "resolution_note"},
	},
	{
		// Each line of an import proves itself (spins.UploadedLine), and its grant shows what became of it.
		Object: "grant import", From: "grant_imports t", Key: "t.id",
		numbers: []string{"at_us", "again", "state", "row_count", "spins", "finished_at_us", "exception_id"},
		texts:   []string{"actor", "role", "file_name", "digest", "reason"},
	},
	{
		Object: "grant exception", From: "grant_exceptions t", Key: "t.id",
		numbers: []string{"at_us", "expires_at_us", "maker_id", "player_id", "game_id", "spins", "again", "import_id", "state",
			"checker_id",
			"decided_at_us", "grant_id"},
		texts: []string{"maker", "maker_role", "reason", "exceeded", "checker", "checker_role", "decision_note"},
	},
	{
		Object: "case", From: "cases t", Key: "t.id",
		numbers: []string{"rule", "state", "at_us", "found_at_us", "player_id", "transaction_number", "grant_id",
			"statement_id", "verification_id",
			"amount_minor", "decided_at_us", "due_us"},
		texts: []string{"key_digest", "transaction_id", "currency", "owner", "decided_by", "reason", "facts", "reference"},
		lists: []guardedList{{"case_notes", "case_id", []string{"number", "at_us", "actor", "body"}}},
	},
	{
		// Without its row, a day is open again.
		Object: "day", From: "(SELECT day FROM closed_days UNION SELECT day FROM day_signatures) d LEFT " +
			"JOIN closed_days t ON t.day = d.day",
		Key: "d.day", text: true,
		numbers: []string{"t.from_us", "t.until_us", "t.closed_at_us"}, texts: []string{"t.zone", "t.digest", "t.stakes"},
		lists: []guardedList{
			{"day_signatures", "day",
				[]string{"role", "signed_by", "at_us", "note", "digest", "checkpoint", "verification", "statements", "open_cases",
					"unknown_grants"}},
		},
	},
	{
		// The time of the file's delivery is written without an event.
		Object: "checkpoint", From: "checkpoints t", Key: "t.number",
		numbers: []string{"at_us", "wallets", "entries", "spin_entries", "audit_seq", "size_bytes"},
		texts:   []string{"previous", "digest", "signature", "key_fingerprint", "actor", "file_name"},
	},
	{
		// Its digest covers the wallets that it names (verify_restores.go).
		Object: "restore", From: "restores t", Key: "t.id",
		numbers: []string{"at_us", "maker_id", "state", "checker_id", "decided_at_us", "audit_seq", "wallets", "entries",
			"spin_entries",
			"missing"},
		texts: []string{"maker", "maker_role", "os_user", "source", "reason", "checker", "checker_role", "decision_note",
			"checkpoints", "audit_head",
			"sums", "digest",
			"report_digest"},
	},
	{
		// Progress changes without events. The file's columns are covered from its event of being ready.
		Object: "export", From: "exports t", Key: "t.id",
		numbers: []string{"at_us", "staff_id"},
		texts:   []string{"actor", "list", "title", "query", "filters", "zone", "format", "digest", "folder", "file_name"},
	},
	{
		// A verification's progress changes without events while it runs.
		Object: "verification", From: "verifications t", Key: "t.id",
		numbers: []string{"asked_at_us", "CASE WHEN state = 3 THEN 1 ELSE 0 END",
			"CASE WHEN state = 3 THEN ended_at_us ELSE 0 END",
			"CASE WHEN state = 3 THEN lines_read ELSE 0 END", "CASE WHEN state = 3 THEN faults ELSE 0 END"},
		texts: []string{"actor", "report", "error"},
	},
	{
		// All games together, because a synchronization may change thousands. The times when they were last seen change without
		// an event.
		Object: "games", From: "(SELECT 'all' AS id FROM games LIMIT 1) t", Key: "t.id", text: true,
		lists: []guardedList{{"games", "'all'",
			[]string{"id", "game_id", "name", "type", "provider", "thumbnail", "former_name",
				"added_at_us", "gone_at_us"}}},
	},
}

// GuardedByObject has the guarded tables by their Object.
var GuardedByObject = func() map[string]*GuardedTable {
	m := map[string]*GuardedTable{}
	for _, g := range GuardedTables {
		g.columns = append(slices.Clone(g.numbers), g.texts...)
		m[g.Object] = g
	}
	return m
}()

// The first column of each row that selectRows and stated select. Rows of lists have the list's index instead.
const (
	guardedRow = -1
	eventOfRow = -2 // the latest event with a state
)

// Rows returns the rows with these keys by key, encoded for their digests. It runs one statement. A key without a row is not in
// the map.
func (g *GuardedTable) Rows(ctx context.Context, tx Queryer, ids []string) (map[string][]byte, error) {
	var q Statement
	g.selectRows(&q, ids)
	return g.scanRows(ctx, tx, &q, nil)
}

// stated returns the row with this key, encoded for its digest, or nil if there is none, and its state by the latest event with
// a state. One statement reads both, so that no change can happen in between; it runs for every page, which checks the row of
// its reader.
func (g *GuardedTable) stated(ctx context.Context, tx Queryer, id string) (row []byte, said LatestState, err error) {
	var q Statement
	q.Text("SELECT ").Number(eventOfRow).Text(" AS part, id, salts, digests").Text(strings.Repeat(", NULL", g.width()-2)).
		Text(" FROM audit_events WHERE id = (SELECT MAX(id) FROM audit_events WHERE object = ").String(g.Object).
		Text(" AND stated = 1 AND object_id = ").String(id).Text(") UNION ALL ")
	g.selectRows(&q, []string{id})
	rows, err := g.scanRows(ctx, tx, &q, func(line models.AuditLine) {
		said.Event = models.AuditEvent{ID: line.ID, Object: g.Object, ObjectID: id}
		said.Digest, said.Salt = line.State()
	})
	return rows[id], said, err
}

// selectRows adds the SELECT of the rows with these keys and of their lists.
func (g *GuardedTable) selectRows(q *Statement, ids []string) {
	width := g.width()
	q.Text("SELECT ").Number(guardedRow).Comma().Text(g.Key)
	for _, column := range g.columns {
		q.Comma().Text(column)
	}
	q.Text(strings.Repeat(", NULL", width-len(g.columns))).Text(" FROM ").Text(g.From).Text(" WHERE ").Text(g.Key)
	g.in(q, ids)
	for i, list := range g.lists {
		q.Text(" UNION ALL SELECT ").Number(int64(i)).Comma().Text(list.key).Comma().Text(strings.Join(list.columns, ", ")).
			Text(strings.Repeat(", NULL", width-len(list.columns))).
			Text(" FROM ").Text(list.table).Text(" WHERE ").Text(list.key)
		g.in(q, ids)
	}
}

// scanRows runs a statement of selectRows and encodes its rows. If the statement also selects the latest event, it calls event
// with it.
func (g *GuardedTable) scanRows(ctx context.Context, tx Queryer, q *Statement,
	event func(models.AuditLine)) (map[string][]byte, error) {
	rows := map[string][]byte{}
	values := make([]sql.NullString, 2+g.width())
	into := make([]any, len(values))
	for i := range values {
		into[i] = &values[i]
	}
	listed := map[string][]string{} // the encoded rows of lists, by the guarded row's key
	err := q.Query(ctx, tx, func(r *sql.Rows) error {
		if err := r.Scan(into...); err != nil {
			return err
		}
		key := values[1].String
		part, err := strconv.Atoi(values[0].String)
		switch {
		case err != nil:
			return err
		case part == eventOfRow:
			var line models.AuditLine
			line.ID, err = strconv.ParseInt(key, 10, 64)
			err = errors.Join(err, line.Salts.Scan([]byte(values[2].String)), line.Digests.Scan([]byte(values[3].String)))
			event(line)
			return err
		case part == guardedRow:
			rows[key] = g.encode(values[2:])
		default:
			row := []byte{'l', byte(part)}
			for i := range g.lists[part].columns {
				row = encodeColumn(row, "", values[2+i].String)
			}
			listed[key] = append(listed[key], string(row))
		}
		return nil
	})
	for key, list := range listed {
		if row, there := rows[key]; there {
			slices.Sort(list) // the database returns them in any order
			rows[key] = append(row, strings.Join(list, "")...)
		}
	}
	return rows, err
}

// width returns the number of columns of the table or of one of its lists, whichever has most.
func (g *GuardedTable) width() int {
	width := len(g.columns)
	for _, list := range g.lists {
		width = max(width, len(list.columns))
	}
	return width
}

// encode encodes a row's own columns, without its lists.
func (g *GuardedTable) encode(values []sql.NullString) []byte {
	row := []byte{rowThere}
	for i, column := range g.columns {
		switch v := values[i]; {
		case !v.Valid:
			row = encodeColumn(append(row, 'n'), column, "")
		case v.String != "" && (i >= len(g.numbers) || v.String != "0"):
			row = encodeColumn(append(row, 'v'), column, v.String)
		}
	}
	return row
}

// encodeColumn appends a column's name and value, each after its length.
func encodeColumn(row []byte, name, value string) []byte {
	row = append(append(row, byte(len(name))), name...)
	return append(binary.BigEndian.AppendUint32(row, uint32(len(value))), value...)
}

// splitColumn returns the value of a list's encoded column, and what follows it.
func splitColumn(row []byte) (value string, rest []byte) {
	row = row[1:] // the name, which is empty
	end := 4 + binary.BigEndian.Uint32(row)
	return string(row[4:end]), row[end:]
}

// decodeRow returns the values of an encoded row by column. Columns with 0, an empty text or NULL are not in the map.
func decodeRow(row []byte) map[string]string {
	values, _ := splitRow(row)
	return values
}

// splitRow does what decodeRow does and also returns the encoded lists.
func splitRow(row []byte) (values map[string]string, lists []byte) {
	if row == nil {
		return nil, nil
	}
	values = map[string]string{}
	for row = row[1:]; len(row) > 0 && row[0] != 'l'; {
		name := row[2 : 2+int(row[1])]
		row = row[2+len(name):]
		value := row[4 : 4+binary.BigEndian.Uint32(row)]
		row = row[4+len(value):]
		if len(value) > 0 {
			values[string(name)] = string(value)
		}
	}
	return values, row
}

// in adds IN with those ids that the key column can contain.
func (g *GuardedTable) in(q *Statement, ids []string) {
	q.Text(" IN (")
	empty := len(q.Buf)
	for _, id := range ids {
		number, err := strconv.ParseInt(id, 10, 64)
		if !g.text && err != nil {
			continue
		}
		if len(q.Buf) > empty {
			q.Comma()
		}
		if g.text {
			q.String(id)
		} else {
			q.Number(number)
		}
	}
	if len(q.Buf) == empty {
		q.Text("NULL")
	}
	q.Text(")")
}
