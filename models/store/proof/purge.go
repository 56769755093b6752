package proof

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// A purge deletes lines that no longer have to be kept, and leaves proof of them.
//
//   - First it writes every line that will be deleted to an archive, from one snapshot, and verifies the chains: an
//     inconsistent ledger is not purged. Nothing is deleted before the archive is stored safely.
//   - Then each wallet gets a row with its new beginning, proved with the ledger's key, in the same transaction that deletes
//     its lines. If the purge is killed, some wallets have new beginnings and others do not; both are consistent, and the next
//     purge continues. A wallet with many lines gets several beginnings, one after the other: a transaction deletes a few
//     thousand postings, so that no player has to wait long.
//   - Audit events have the states of rows (states.go). Before the purge deletes the latest event about a row, it adds a new
//     one with the same state.
//   - What is needed to refuse an old transaction ID is kept forever in retired_postings: such a callback is answered as a
//     duplicate however old the ID is (specification, Errors 4 and 5), so an old signed request can never be applied again. The
//     wallet's new beginning proves these rows.
//
// Cost on MariaDB: about 55 microseconds of CPU time per row: 15 to read it and write the archive, 7 to keep its ID; the rest
// deletes it from the table and five indexes, half of that by the server in the background. Each wallet has a transaction of its
// own, and so waits for a flush.
//
// Why not partitions or a table per month, which could be dropped at once? A key that is unique over all time would have to be
// a separate table, which costs every bet another row. Dropping waits for everybody who reads the table, and every callback
// waits behind it. And dropping cannot be in one transaction with the new beginnings: after a kill in between, lines would be
// missing without proof, or remain before the beginning of their chain, which verify reports as a fault.
//
// Triggers refuse to delete lines. A purge runs with the migration account, which drops these triggers and creates them again
// at the end. In the meantime, anybody who may write to the database can delete lines, but cannot prove a beginning without the
// key, so verify finds whatever they deleted. UPDATE is refused all the time.

// Purge is what BeginPurge has archived and FinishPurge deletes.
type Purge struct {
	models.ArchiveCounts
	Scope   models.PurgeScope
	Digest  models.Hash // of the archive
	wallets []purgedWallet
	audit   int64 // the last event to be deleted, or 0
}

// purgedWallet is an archived part of a wallet: its first lines, or those that follow the previous part.
type purgedWallet struct {
	models.Beginning       // where its chains will begin
	last             int64 // the number of its last archived posting
	rows             int   // how many postings were archived
	spins            bool  // whether lines of the free-spin ledger were archived
}

// purgeRows is how many postings of a wallet are read or deleted at once: its player waits for the transaction, and on SQLite
// everybody does.
const purgeRows = 1000

// purgeEvents is how many audit events are deleted in one transaction.
const purgeEvents = 5000

// FinishPurge deletes what p has archived under the name archive, which must be stored safely by now. If it was interrupted,
// call it again to delete the rest.
func (s *Store) FinishPurge(ctx context.Context, by models.Actor, p *Purge, archive string) error {
	record := func(action string) error {
		return s.db.Change(ctx, func(tx *gorm.DB) error {
			return s.db.Record(tx, models.AuditEvent{Actor: by, Action: action, Object: "purge",
				After: db.JsonText(map[string]any{
					"archive": archive, "digest": fmt.Sprintf("%x", p.Digest), "ledger_before": p.Scope.LedgerBefore,
					"audit_before": p.Scope.AuditBefore,
					"entries":      p.Entries, "spin_entries": p.SpinEntries, "audit_events": p.AuditEvents,
				})})
		})
	}
	if err := record("purge begun"); err != nil {
		return fmt.Errorf("purge: %w", err)
	}
	if err := s.carryStates(ctx, by, p.audit); err != nil {
		return fmt.Errorf("purge: %w", err)
	}
	err := s.db.Unguarding(ctx, "DELETE", db.GuardedTables(), func(ctx context.Context) error {
		if err := s.deletePostings(ctx, p); err != nil {
			return err
		}
		return s.deleteAuditEvents(ctx, p)
	})
	if err == nil {
		err = record("purge finished")
	}
	if err != nil {
		return fmt.Errorf("purge: %w", err)
	}
	return nil
}

// carryStates writes new audit events for rows whose latest event is among those up to the number last, which are about to be
// deleted. If a row does not match its latest event, it ends the purge rather than approve the row.
func (s *Store) carryStates(ctx context.Context, by models.Actor, last int64) error {
	if last == 0 {
		return nil
	}
	for _, k := range db.CoveredKinds {
		err := s.db.EachState(s.db.Read.WithContext(ctx), k, func(said []db.LatestState) error {
			var ids []string
			for _, l := range said {
				if l.Event.ID <= last && !l.Removed(s.db.Chain) {
					ids = append(ids, l.Event.ObjectID)
				}
			}
			if len(ids) == 0 {
				return nil
			}
			return s.db.Change(ctx, func(tx *gorm.DB) error {
				if _, err := s.db.LoadObjects(tx, k.Object, ids); err != nil {
					return err
				}
				for _, id := range ids {
					if err := s.db.Record(tx,
						models.AuditEvent{Actor: by, Action: "state carried over", Object: k.Object, ObjectID: id}); err !=
						nil {
						return err
					}
				}
				return nil
			})
		})
		if err != nil {
			return fmt.Errorf("carry over the state of each %s: %w", k.Object, err)
		}
	}
	return nil
}

// retirePostings keeps what is needed to refuse old IDs.
const retirePostings = `INSERT INTO retired_postings (source, transaction_id, claim, player_id, kind, round_id, bet_minor,
	win_minor, free_spin, at_us)
	SELECT p.source, p.transaction_id, COALESCE(p.claim, 0), p.player_id, p.kind, p.round_id, p.bet_minor, p.win_minor,
		p.free_spin, p.at_us
	FROM `

// deletePart writes the new beginning of a wallet and deletes its archived lines, unless it has that beginning or a later one: then
// it was purged before an interruption.
func (s *Store) deletePart(tx *gorm.DB, w *purgedWallet) error {
	_, begun, err := db.One[models.Wallet](tx.Table("ledger_beginnings").Select("player_id").
		Where("player_id = ? AND seq >= ? AND spin_seq >= ?", w.PlayerID, w.Seq, w.SpinSeq), "read a beginning")
	if err != nil || begun {
		return err
	}
	if err := tx.Exec("DELETE FROM ledger_beginnings WHERE player_id = ?", w.PlayerID).Error; err != nil {
		return fmt.Errorf("delete the old beginning: %w", err)
	}
	err = tx.Exec("INSERT INTO ledger_beginnings (player_id, at_us, balance_minor, held_minor, seq, head, spin_seq, spin_head, "+
		"retired, proof) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", w.PlayerID, db.Micros(w.At), w.Balance, w.Held, w.Seq, w.Head[:],
		w.SpinSeq, w.SpinHead[:], w.Retired[:], w.Proof[:]).Error
	if err != nil {
		return fmt.Errorf("write the new beginning: %w", err)
	}
	// Always use the index of wallets: scanning the table would lock the rows of other wallets.
	theirs := "postings p" + db.Path{Index: "postings_player"}.Hint(s.db.Dialect) + " WHERE p.player_id = ? AND p.id <= ?"
	if err := tx.Exec(retirePostings+theirs, w.PlayerID, w.last).Error; err != nil {
		return fmt.Errorf("keep old IDs: %w", err)
	}
	remove := "DELETE FROM postings WHERE id IN (SELECT p.id FROM " + theirs + ")"
	if s.db.Dialect == db.MySQL {
		remove = "DELETE p FROM " + theirs
	}
	switch deleted := tx.Exec(remove, w.PlayerID, w.last); {
	case deleted.Error != nil:
		return fmt.Errorf("delete postings: %w", deleted.Error)
	case deleted.RowsAffected > int64(w.rows):
		return fmt.Errorf("delete postings: %d would be deleted, but %d are archived", deleted.RowsAffected, w.rows)
	}
	err = tx.Exec("DELETE FROM event_order WHERE player_id = ? AND (ledger = 2 AND to_seq <= ? OR ledger = 3 AND to_seq <= ?)",
		w.PlayerID, w.Seq, w.SpinSeq).Error
	if err != nil {
		return fmt.Errorf("delete parts of the order of events: %w", err)
	}
	if !w.spins {
		return nil // on InnoDB, a DELETE would lock the gap where other players' free spins are inserted, and wait for them
	}
	return tx.Exec("DELETE FROM spin_entries WHERE player_id = ? AND seq <= ?", w.PlayerID, w.SpinSeq).Error
}

func (s *Store) deletePostings(ctx context.Context, p *Purge) error {
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		return tx.Exec("UPDATE ledgers SET retired = 1 WHERE id = 1 AND retired = 0").Error
	})
	if err != nil {
		return err
	}
	for i := range p.wallets {
		if err := s.db.Change(ctx, func(tx *gorm.DB) error { return s.deletePart(tx, &p.wallets[i]) }); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) deleteAuditEvents(ctx context.Context, p *Purge) error {
	for more := p.audit > 0; more; {
		err := s.db.Change(ctx, func(tx *gorm.DB) error {
			head, err := db.ReadAuditHead(tx, s.db.Dialect.ForUpdate())
			if err != nil {
				return err
			}
			to := min(p.audit, head.BeginSeq+purgeEvents)
			if more = to > head.BeginSeq; !more {
				return nil
			}
			var last []models.AuditLine
			if err := tx.Raw("SELECT * FROM audit_events WHERE id = ?", to).Scan(&last).Error; err != nil || len(last) == 0 {
				return errors.Join(fmt.Errorf("audit event %d is gone", to), err)
			}
			hash := last[0].Hash
			proof := s.db.Chain.AuditBeginning(to, hash)
			if err := tx.Exec("UPDATE audit_head SET begin_seq = ?, begin_hash = ?, proof = ? WHERE id = 1", to, hash[:],
				proof[:]).Error; err != nil {
				return err
			}
			return tx.Exec("DELETE FROM audit_events WHERE id <= ?", to).Error
		})
		if err != nil {
			return err
		}
	}
	return nil
}
