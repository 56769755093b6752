package proof

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
)

// The chains that do not belong to a wallet: audit events and checkpoints.

const selectAuditEvents = `SELECT id, at_us, actor, address, session, action, object, object_id, player_id, before_text, after_text,
	reason, salts, digests, hash,
	channel, os_user, stated, replaces FROM audit_events`

func (v *verifier) auditEvents(ctx context.Context) error {
	head, err := db.ReadAuditHead(v.tx, "")
	found := !errors.Is(err, db.ErrAuditHead)
	if err != nil && found {
		return err
	}
	faults := &v.report.Audit
	var seq int64
	var hash models.Hash
	if !found {
		faults.Add("the head of the audit chain is gone")
	}
	if v.since && v.checkpoint.AuditSeq <= head.Seq {
		seq, hash = v.checkpoint.AuditSeq, v.checkpoint.Audit
	}
	from, after := seq, int64(math.MinInt64)
	if v.since {
		after = from
	}
	held := v.heldEvent()
	latest := map[db.CoveredRow]int64{} // events with a state
	err = db.Each(v.tx, func(rows *sql.Rows) error {
		l, err := scanAuditLine(rows)
		if err = errors.Join(err, v.work(ctx)); err != nil {
			return err
		}
		v.report.AuditEvents++
		name := fmt.Sprintf("event %d (%s, by %s)", l.ID, l.Action, l.Actor.Name)
		switch {
		case l.ID <= seq:
			faults.Add("%s is before the chain's beginning", name)
			return nil
		case l.ID > seq+1:
			faults.Add("%s missing", lines("event", "events", seq+1, l.ID-1))
		}
		if v.s.db.Chain.AuditEvent(hash, &l) != l.Hash {
			faults.Add("%s: its hash does not match its contents and the event before it", name)
		}
		if row := (db.CoveredRow{Object: l.Object, ID: l.ObjectID}); l.Stated() {
			// If the replaced event is before the first that is read, the checkpoint has proved that one.
			if before := latest[row]; before != l.Replaces && (before != 0 || l.Replaces < 0 || l.Replaces > from) {
				faults.Add("%s: it says that it replaces event %d as the latest of %s %s, but that was event %d", name,
					l.Replaces, row.Object, row.ID, before)
			}
			latest[row] = l.ID
		}
		changed, erased := v.s.db.Chain.AuditTexts(&l)
		for _, t := range changed {
			faults.Add("%s: its %s is not the original", name, t)
		}
		v.report.ErasedTexts += int64(len(erased))
		if l.ID == held.seq && l.Hash != held.hash {
			faults.Add("%s differs from the checkpoint: it or an earlier event was changed", name)
		}
		seq, hash = l.ID, l.Hash
		return nil
	}, selectAuditEvents+" WHERE id > ? ORDER BY id", after)
	if err != nil {
		return err
	}
	switch {
	case !found:
	case head.Seq > seq:
		faults.Add("%s missing: the head is event %d", lines("event", "events", seq+1, head.Seq), head.Seq)
	case head.Seq < seq:
		faults.Add("%s inserted after the head, which is event %d", lines("event", "events", head.Seq+1, seq), head.Seq)
	case head.Hash != hash:
		faults.Add("the head is not the hash of event %d", seq)
	}
	if held.seq > seq {
		faults.Add("%s gone since the checkpoint: the end of the chain was deleted, or an older state was restored",
			lines("event", "events", seq+1, held.seq))
	}
	return nil
}

// scanAuditLine reads an event. If its flag stated does not match its digests, the event gets a hash that cannot match: the
// flag is used to find the latest state of a row, so it has to be covered too.
func scanAuditLine(rows *sql.Rows) (l models.AuditLine, err error) {
	var at, channel, stated int64
	err = rows.Scan(&l.ID, &at, &l.Actor.Name, &l.Actor.Address, &l.Actor.Session, &l.Action, &l.Object, &l.ObjectID, &l.PlayerID,
		&l.Before, &l.After, &l.Reason,
		&l.Salts, &l.Digests, &l.Hash, &channel, &l.Actor.OSUser, &stated, &l.Replaces)
	if err != nil {
		return l, err
	}
	l.At, l.Actor.Channel = db.FromMicros(at), models.Channel(ledger.StoredKind(channel))
	if (stated == 1) != l.Stated() || stated&^1 != 0 {
		l.Hash = models.Hash{}
	}
	return l, nil
}

func (v *verifier) checkpoints(ctx context.Context) error {
	faults := &v.report.Written
	var last models.Checkpoint
	known := v.checkpoint == nil
	err := db.Each(v.tx, func(rows *sql.Rows) error {
		var cp models.Checkpoint
		var at int64
		if err := rows.Scan(&cp.Number, &at, &cp.Previous, &cp.Digest, &cp.Signature); err != nil {
			return err
		}
		cp.At = db.FromMicros(at)
		v.report.Checkpoints++
		if cp.Number != last.Number+1 {
			faults.Add("%s missing", lines("checkpoint", "checkpoints", last.Number+1, cp.Number-1))
		} else if cp.Previous != last.Digest {
			faults.Add("checkpoint %d does not follow the one before it", cp.Number)
		}
		if !cp.Signed(v.s.db.Chain) {
			faults.Add("checkpoint %d: its row is not the one that was signed", cp.Number)
		}
		if held := v.checkpoint; held != nil && held.Number == cp.Number {
			known = true
			if held.Digest != cp.Digest {
				faults.Add("checkpoint %d in the database differs from the one in the file", cp.Number)
			}
		}
		last = cp
		return nil
	}, "SELECT number, at_us, previous, digest, signature FROM checkpoints ORDER BY number")
	if err != nil {
		return err
	}
	if !known {
		faults.Add("the database does not know checkpoint %d of %s: an older state was restored, or the row was deleted",
			v.checkpoint.Number, v.checkpoint.At.Format("2006-01-02 15:04:05 UTC"))
	}
	return nil
}
