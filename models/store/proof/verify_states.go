package proof

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/spins"
)

// rowFaultsKept is how many rows that do not match the audit log are reported at most.
const rowFaultsKept = 200

// guardedRows compares every guarded row with the latest audit event about it. It reads the events' objects in the order of the
// index, in chunks, which finds rows that were changed or deleted. If a table has more rows than those with events, it also
// looks for rows that were inserted.
func (v *verifier) guardedRows(ctx context.Context) error {
	planted, err := v.s.db.Planted(ctx, v.tx)
	if err != nil {
		return err
	}
	for _, name := range planted {
		v.report.Rows.AddUpTo(rowFaultsKept,
			"%s does not belong to Pitboss and could change or refuse what Pitboss writes: drop it", name)
	}
	if err := v.watchers(ctx); err != nil {
		return err
	}
	for _, g := range db.GuardedTables {
		known, err := v.knownRows(ctx, g)
		if err != nil {
			return fmt.Errorf("compare each %s with the audit log: %w", g.Object, err)
		}
		var there int64
		var q db.Statement
		err = q.Begin("SELECT COUNT(*) FROM ").Text(g.From).Query(ctx, v.tx, func(r *sql.Rows) error { return r.Scan(&there) })
		if err == nil && there != known {
			err = v.unknownRows(ctx, g)
		}
		if err != nil {
			return fmt.Errorf("compare each %s with the audit log: %w", g.Object, err)
		}
	}
	return v.importLines(ctx)
}

// watchers looks for what was changed so that jobs, or administrators, would overlook something.
func (v *verifier) watchers(ctx context.Context) error {
	faults, err := v.s.db.WatcherFaults(ctx, v.tx)
	for _, fault := range faults {
		v.report.Rows.AddUpTo(rowFaultsKept, "%s", fault)
	}
	if err != nil {
		return err
	}
	var since time.Time
	if v.since {
		since = v.checkpoint.At
	}
	return v.s.missed(ctx, since, func() error { return v.pause(ctx) }, func(f models.Finding) {
		v.report.Rows.AddUpTo(rowFaultsKept, "no case was opened for %s of %s (%s): a job was kept from looking, or did not run",
			f.Rule, f.At.Format("2006-01-02 15:04:05 UTC"), f.Key)
	})
}

// importLines checks that the lines of imports are the uploaded ones, and that none is missing.
func (v *verifier) importLines(ctx context.Context) error {
	var q db.Statement
	q.Begin("SELECT import_id, line, player_id, game_id, spins, mac FROM grant_import_rows ORDER BY import_id, line")
	err := q.Query(ctx, v.tx, func(rows *sql.Rows) error {
		var r spins.UploadedLine
		if err := rows.Scan(&r.ImportID, &r.Line, &r.PlayerID, &r.GameID, &r.Spins, &r.MAC); err != nil {
			return err
		}
		if r.MAC != r.ComputeMAC(v.s.db.Chain) {
			v.report.Rows.AddUpTo(rowFaultsKept, "line %d of grant import %d is not one that was uploaded", r.Line, r.ImportID)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("read the lines of imports: %w", err)
	}
	q.Begin(`SELECT t.id, t.row_count, COUNT(l.line), COALESCE(SUM(l.spins), 0) - t.spins FROM grant_imports t LEFT
		JOIN grant_import_rows l ON l.import_id = t.id
		GROUP BY t.id, t.row_count, t.spins HAVING COUNT(l.line) <> t.row_count OR COALESCE(SUM(l.spins), 0) <> t.spins`)
	err = q.Query(ctx, v.tx, func(rows *sql.Rows) error {
		var id, uploaded, there int64
		var spins string
		if err := rows.Scan(&id, &uploaded, &there, &spins); err != nil {
			return err
		}
		v.report.Rows.AddUpTo(rowFaultsKept, "grant import %d has %d lines of %d that were uploaded", id, there, uploaded)
		return nil
	})
	if err != nil {
		return fmt.Errorf("count the lines of imports: %w", err)
	}
	return nil
}

// knownRows compares the rows that have audit events, and returns how many of them exist.
func (v *verifier) knownRows(ctx context.Context, g *db.GuardedTable) (there int64, err error) {
	err = v.s.db.EachState(ctx, v.tx, g, func(said []db.LatestState) error {
		ids := make([]string, len(said))
		for i, l := range said {
			ids[i] = l.Event.ObjectID
		}
		rows, err := g.Rows(ctx, v.tx, ids)
		there += int64(len(rows))
		for _, l := range said {
			v.report.GuardedRows++
			if row := rows[l.Event.ObjectID]; err == nil && !l.Holds(v.s.db.Chain, row) {
				v.disagrees(g, l, row)
			}
		}
		return err
	})
	return there, err
}

// disagrees reports how a row differs from the state in its latest event.
func (v *verifier) disagrees(g *db.GuardedTable, l db.LatestState, row []byte) {
	switch {
	case row == nil:
		v.report.Rows.AddUpTo(rowFaultsKept, "%s %s is gone, although audit event %d left it there", g.Object, l.Event.ObjectID,
			l.Event.ID)
	case v.s.db.Chain.State(&l.Event, l.Salt, []byte{db.RowGone}) == l.Digest:
		v.report.Rows.AddUpTo(rowFaultsKept, "%s %s exists, although audit event %d removed it", g.Object, l.Event.ObjectID,
			l.Event.ID)
	default:
		v.report.Rows.AddUpTo(rowFaultsKept, "%s %s differs from audit event %d: it was changed in the database",
			g.Object, l.Event.ObjectID, l.Event.ID)
	}
}

// unknownRows finds the rows without audit events.
func (v *verifier) unknownRows(ctx context.Context, g *db.GuardedTable) error {
	var q db.Statement
	for last, more := "", true; more; {
		var ids []string
		q.Begin("SELECT ").Text(g.Key).Text(" FROM ").Text(g.From)
		if last != "" {
			q.Text(" WHERE ").Text(g.Key).Text(" > ").String(last) // both databases compare a numeric key as a number
		}
		q.Text(" ORDER BY ").Text(g.Key).Text(" LIMIT ").Number(db.StatesAtOnce)
		err := q.Query(ctx, v.tx, func(r *sql.Rows) error {
			ids = append(ids, "")
			return r.Scan(&ids[len(ids)-1])
		})
		if err != nil || len(ids) == 0 {
			return err
		}
		last, more = ids[len(ids)-1], len(ids) == db.StatesAtOnce
		q.Begin("SELECT DISTINCT object_id FROM audit_events WHERE object = ").String(g.Object).
			Text(" AND stated = 1 AND object_id IN (").
			Strings(ids).Text(")")
		err = q.Query(ctx, v.tx, func(r *sql.Rows) error {
			var id string
			err := r.Scan(&id)
			ids = slices.DeleteFunc(ids, func(other string) bool { return other == id })
			return err
		})
		if err != nil {
			return err
		}
		for _, id := range ids {
			v.report.Rows.AddUpTo(rowFaultsKept, "%s %s has no audit event: it was inserted in the database", g.Object,
				id)
		}
	}
	return nil
}
