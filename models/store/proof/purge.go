package proof

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pressly/goose/v3"
	"golang.org/x/sync/errgroup"
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
// deletes it from the table and five indexes, half of that by the server in the background.
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

// purgeRows is how many postings, of up to purgeWallets wallets, are read or deleted at once. On SQLite players wait for the
// whole transaction, so it is smaller there.
var purgeRows = map[db.Dialect]int{db.MySQL: 4000, db.SQLite: 1000}

const purgeWallets = 400 // SQLite accepts a SELECT of up to 500 parts

// together yields parts of a list that have up to most rows or consist of a single wallet.
func together[T any](list []T, most int, rows func(T) int) func(yield func([]T) bool) {
	return func(yield func([]T) bool) {
		from, sum := 0, 0
		for i, w := range list {
			if sum += rows(w); i > from && (sum > most || i-from == purgeWallets) {
				if !yield(list[from:i]) {
					return
				}
				from, sum = i, rows(w)
			}
		}
		if from < len(list) {
			yield(list[from:])
		}
	}
}

// purgeEvents is how many audit events are deleted in one transaction.
const purgeEvents = 5000

// FinishPurge deletes what p has archived under the name archive, which must be stored safely by now. If it was interrupted,
// call it again to delete the rest.
func (s *Store) FinishPurge(ctx context.Context, by models.Actor, p *Purge, archive string) error {
	pool := s.db.Pools.Write
	if s.db.MigrateURL != "" {
		var err error
		if pool, err = s.db.OpenMigrating(ctx); err != nil {
			return err
		}
		defer pool.Close()
	}
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
	err := s.db.Migrating(ctx, pool, func(ctx context.Context, _ *goose.Provider) (err error) {
		for _, g := range db.Guarded {
			if err == nil {
				_, err = pool.ExecContext(ctx, "DROP TRIGGER IF EXISTS "+g.Table+"_no_delete")
			}
		}
		if err == nil {
			err = s.deletePostings(ctx, p)
		}
		if err == nil {
			err = s.deleteAuditEvents(ctx, p)
		}
		return errors.Join(err, s.db.CreateTriggers(context.WithoutCancel(ctx), pool))
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

// deleteWallets writes the new beginnings of some wallets and deletes their archived lines. It skips wallets that already have
// the new beginning.
func (s *Store) deleteWallets(tx *gorm.DB, wallets []purgedWallet) error {
	wallets, err := s.notBegun(tx, wallets)
	if err != nil || len(wallets) == 0 {
		return err
	}
	if err := s.writeBeginnings(tx, wallets); err != nil {
		return fmt.Errorf("write new beginnings: %w", err)
	}
	old, archived := make([]oldWallet, len(wallets)), 0
	for i := range wallets {
		old[i] = oldWallet{player: wallets[i].PlayerID, last: wallets[i].last}
		archived += wallets[i].rows
	}
	// Always use the index of wallets: scanning the table would lock the rows of other wallets.
	theirs := upTo(old, s.db.Dialect)
	if err := tx.Exec(retirePostings + theirs).Error; err != nil {
		return fmt.Errorf("keep old IDs: %w", err)
	}
	remove := "DELETE FROM postings WHERE id IN (SELECT p.id FROM " + theirs + ")"
	if s.db.Dialect == db.MySQL {
		remove = "DELETE p FROM " + theirs
	}
	switch deleted := tx.Exec(remove); {
	case deleted.Error != nil:
		return fmt.Errorf("delete postings: %w", deleted.Error)
	case deleted.RowsAffected > int64(archived):
		return fmt.Errorf("delete postings: %d would be deleted, but %d are archived", deleted.RowsAffected, archived)
	}
	var spins []string
	for _, w := range wallets {
		err := tx.Exec("DELETE FROM event_order WHERE player_id = ? AND (ledger = 2 AND to_seq <= ? OR ledger = 3 AND to_seq <= ?)",
			w.PlayerID, w.Seq, w.SpinSeq).Error
		if err != nil {
			return fmt.Errorf("delete parts of the order of events: %w", err)
		}
		if w.spins {
			spins = append(spins, fmt.Sprintf("player_id = %d AND seq <= %d", w.PlayerID, w.SpinSeq))
		}
	}
	if len(spins) == 0 {
		return nil // on InnoDB, a DELETE would lock the gap where other players' free spins are inserted, and wait for them
	}
	return tx.Exec("DELETE FROM spin_entries WHERE " + strings.Join(spins, " OR ")).Error
}

// notBegun returns the wallets that do not have the purge's new beginning or a later one yet. The others were purged before an
// interruption.
func (s *Store) notBegun(tx *gorm.DB, wallets []purgedWallet) ([]purgedWallet, error) {
	numbers := make([]int64, len(wallets))
	for i := range wallets {
		numbers[i] = wallets[i].PlayerID
	}
	rows, err := db.All[models.Wallet](tx, "read beginnings",
		"SELECT player_id, seq, spin_seq FROM ledger_beginnings WHERE player_id IN ?", numbers)
	if err != nil {
		return nil, err
	}
	begun := map[int64]models.Wallet{}
	for _, w := range rows {
		begun[w.PlayerID] = w
	}
	return slices.DeleteFunc(slices.Clone(wallets), func(w purgedWallet) bool {
		at, found := begun[w.PlayerID]
		return found && at.Seq >= w.Seq && at.SpinSeq >= w.SpinSeq
	}), nil
}

func (s *Store) writeBeginnings(tx *gorm.DB, wallets []purgedWallet) error {
	var q db.Statement
	q.Begin("INSERT INTO ledger_beginnings (player_id, at_us, balance_minor, held_minor, seq, head, spin_seq, spin_head, retired, " +
		"proof) VALUES ")
	for i := range wallets {
		b := &wallets[i]
		q.Row(i)
		q.Number(b.PlayerID).Comma().Number(db.Micros(b.At)).Comma().Number(int64(b.Balance)).Comma().Number(int64(b.Held)).Comma().Number(b.Seq).Comma().
			Hash(&b.Head).Comma().Number(b.SpinSeq).Comma().Hash(&b.SpinHead).Comma().Hash(&b.Retired).Comma().Hash(&b.Proof).
			Text(")")
	}
	q.Text(s.db.Dialect.OnConflict("player_id"))
	for i, column := range []string{"at_us", "balance_minor", "held_minor", "seq", "head", "spin_seq", "spin_head", "retired", "proof"} {
		if i > 0 {
			q.Comma()
		}
		q.Text(s.db.Dialect.Incoming(column))
	}
	return q.Exec(tx.Statement.Context, db.Tx(tx))
}

func (s *Store) deletePostings(ctx context.Context, p *Purge) error {
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		return tx.Exec("UPDATE ledgers SET retired = 1 WHERE id = 1 AND retired = 0").Error
	})
	if err != nil {
		return err
	}
	at := 1
	if s.db.Dialect == db.MySQL {
		at = purgeAtOnce
	}
	rows := func(w purgedWallet) int { return w.rows }
	group, ctx := errgroup.WithContext(ctx)
	for _, wallets := range split(p.wallets, at) {
		group.Go(func() error {
			for part := range together(wallets, purgeRows[s.db.Dialect], rows) {
				err := s.db.Change(ctx, func(tx *gorm.DB) error { return s.deleteWallets(tx, part) })
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// purgeAtOnce is how many transactions delete at the same time on MySQL and MariaDB: while one waits for its commit, the other
// works. SQLite has one writer.
const purgeAtOnce = 2

// split cuts a list into about n parts of equal length. All parts of one wallet stay together, in order.
func split(list []purgedWallet, n int) (parts [][]purgedWallet) {
	for ; len(list) > 0; n-- {
		end := max(1, len(list)/max(n, 1))
		for end < len(list) && list[end].PlayerID == list[end-1].PlayerID {
			end++
		}
		parts, list = append(parts, list[:end]), list[end:]
	}
	return parts
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
