package proof

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/pressly/goose/v3"
	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
)

// A purge takes lines out of the database that are older than they have to be kept, and leaves a proof behind.
//
//   - First every line that will go is written to an archive, from one snapshot, and compared with its chain on the way: a
//     ledger that does not hold is not purged. Nothing is deleted before the archive is safe where its keeper wants it.
//   - Then each wallet gets the row of its new beginning, proved with the ledger's key, in the transaction that deletes its
//     lines. Killed in the middle, some wallets begin anew and the others do not yet: both hold, and the next purge does the
//     rest.
//   - Audit events say what rows must be (states.go). Before the latest such event of a row goes, a new one says the same.
//   - What is needed to refuse an old TransactionID stays for ever, in retired_postings: it is answered as a duplicate however
//     old it is (specification, Errors 4 and 5), and no old signed request is ever played again. What stays is proved by the
//     wallet's new beginning.
//
// The database refuses DELETE of lines by trigger. A purge runs under the migrating account, which takes those triggers away
// and makes them again at the end; while they are away nobody is stopped who may write to the database, but whoever lacks the
// key cannot prove a beginning, so that verify finds what else was deleted. UPDATE stays refused throughout.

// Purge is what BeginPurge has archived.
type Purge struct {
	models.ArchiveCounts
	Scope   models.PurgeScope
	Digest  models.Hash // of the archive
	wallets []purgedWallet
	audit   int64 // the last event that goes, or 0
}

// purgedWallet is a wallet whose front was archived.
type purgedWallet struct {
	models.Beginning       // where its chains begin from then on
	last             int64 // the number of its last archived posting
	spins            bool  // whether lines of the free-spin ledger were archived, this time
}

// BeginPurge writes everything that scope selects to archive, and returns it for FinishPurge. It changes nothing; with
// io.Discard it says what would go. It returns an error that names the wallet where a chain does not hold.
func (s *Store) BeginPurge(ctx context.Context, scope models.PurgeScope, archive io.Writer) (*Purge, error) {
	p := &Purge{Scope: scope}
	if err := s.archive(ctx, p, archive); err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	return p, nil
}

func (s *Store) archive(ctx context.Context, p *Purge, to io.Writer) error {
	v := &verifier{s: s}
	var err error
	if v.tx, err = s.db.Snapshot(ctx); err != nil {
		return err
	}
	defer v.tx.Rollback()
	w, err := models.NewArchiveWriter(to, s.db.Chain,
		models.ArchiveHeader{At: s.db.Now(), LedgerBefore: p.Scope.LedgerBefore, AuditBefore: p.Scope.AuditBefore})
	if err != nil {
		return err
	}
	if !p.Scope.LedgerBefore.IsZero() {
		youngest, err := v.youngest(ctx, p.Scope.LedgerBefore)
		if err != nil {
			return err
		}
		for _, player := range slices.Sorted(maps.Keys(youngest)) {
			before := w.SpinEntries
			b, err := v.archiveWallet(ctx, w, player, youngest[player])
			if err != nil {
				return err
			}
			p.wallets = append(p.wallets, purgedWallet{b, youngest[player], w.SpinEntries > before})
		}
	}
	if !p.Scope.AuditBefore.IsZero() {
		if err := v.archiveAudit(ctx, w, p); err != nil {
			return err
		}
	}
	p.ArchiveCounts = w.ArchiveCounts
	p.Digest, err = w.Close()
	return err
}

// youngest finds the number of each wallet's last posting that is older than before.
func (v *verifier) youngest(ctx context.Context, before time.Time) (map[int64]int64, error) {
	end, err := v.s.db.NumberAt(ctx, "postings", before.Add(db.Apart))
	if err != nil {
		return nil, err
	}
	numbers := map[int64]int64{}
	var q db.Statement
	q.Begin("SELECT player_id, MAX(id) FROM postings WHERE id < ").Number(end).Text(" AND at_us < ").Number(db.Micros(before)).
		Text(" GROUP BY player_id")
	return numbers, q.Query(ctx, v.tx, func(rows *sql.Rows) error {
		var player, id int64
		err := rows.Scan(&player, &id)
		numbers[player] = id
		return err
	})
}

// archiveWallet archives a wallet's postings up to a number, with their lines in the free-spin ledger, and returns where its
// chains begin then.
func (v *verifier) archiveWallet(ctx context.Context, w *models.ArchiveWriter, player, last int64) (models.Beginning, error) {
	chain := v.s.db.Chain
	broken := func(what string, seq int64) error {
		return fmt.Errorf("wallet %d does not hold at %s %d; run pitboss verify: what does not hold is not purged", player,
			what, seq)
	}
	b, found, err := v.beginning(ctx, player)
	if err != nil {
		return b, err
	}
	if found && b.Proof != chain.Beginning(&b) {
		return b, broken("its beginning after entry", b.Seq)
	}
	b.PlayerID = player
	var q db.Statement
	err = q.Begin("SELECT currency FROM wallets WHERE player_id = ").Number(player).Query(ctx, v.tx,
		func(rows *sql.Rows) error { return rows.Scan((*string)(&b.Currency)) })
	if err != nil {
		return b, err
	}
	lastSpin := b.SpinSeq
	q.Begin(ledger.SelectPostings).Text(" WHERE player_id = ").Number(player).Text(" AND id <= ").Number(last).
		Text(" ORDER BY seq, id")
	err = q.Query(ctx, v.tx, func(rows *sql.Rows) error {
		p, err := ledger.ScanPosting(rows)
		if err != nil {
			return err
		}
		b.At = later(b.At, p.At)
		b.Retire(chain, &p)
		if p.FreeSpin {
			lastSpin++
			return w.Posting(&p, b.Currency)
		}
		if p.Seq != b.Seq+p.Lines() || chain.Posting(b.Head, b.Currency, &p) != p.Hash || p.Before() != b.Balance {
			return broken("entry", p.Seq)
		}
		b.Seq, b.Head, b.Balance = p.Seq, p.Hash, p.After
		return w.Posting(&p, b.Currency)
	})
	if err != nil {
		return b, err
	}
	q.Begin(selectSpinEntries).Text(" WHERE player_id = ").Number(player).Text(" AND seq <= ").Number(lastSpin).
		Text(" ORDER BY seq")
	err = q.Query(ctx, v.tx, func(rows *sql.Rows) error {
		e, _, err := scanSpinEntry(rows)
		if err != nil {
			return err
		}
		e.Currency = b.Currency
		if e.Seq != b.SpinSeq+1 || chain.SpinEntry(b.SpinHead, &e) != e.Hash {
			return broken("free-spin entry", e.Seq)
		}
		b.SpinSeq, b.SpinHead, b.At = e.Seq, e.Hash, later(b.At, e.At)
		return w.SpinEntry(&e)
	})
	b.Proof = chain.Beginning(&b)
	return b, err
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func (v *verifier) archiveAudit(ctx context.Context, w *models.ArchiveWriter, p *Purge) error {
	head, found, err := v.auditHead(ctx)
	if err == nil && !found {
		err = db.ErrAuditHead
	}
	if err != nil {
		return err
	}
	seq, hash := head.BeginSeq, head.BeginHash
	recent := false // what follows a recent event stays, even if an instance whose clock was behind wrote it
	var q db.Statement
	return q.Begin(selectAuditEvents).Query(ctx, v.tx, func(rows *sql.Rows) error {
		l, err := scanAuditLine(rows)
		recent = recent || !l.At.Before(p.Scope.AuditBefore)
		if err != nil || recent {
			return err
		}
		if l.ID != seq+1 || v.s.db.Chain.AuditEvent(hash, &l) != l.Hash {
			return fmt.Errorf("the audit log does not hold at event %d; run pitboss verify: what does not hold is not purged",
				l.ID)
		}
		seq, hash, p.audit = l.ID, l.Hash, l.ID
		return w.AuditEvent(&l)
	})
}

// beginning reads where a wallet's chains begin, where that is not with its opening balance.
func (v *verifier) beginning(ctx context.Context, player int64) (b models.Beginning, found bool, err error) {
	err = v.beginningsOf(ctx, player-1, player, func(one models.Beginning) { b, found = one, true })
	return b, found, err
}

func (v *verifier) beginningsOf(ctx context.Context, from, to int64, each func(models.Beginning)) error {
	var q db.Statement
	q.Begin("SELECT player_id, at_us, balance_minor, seq, head, spin_seq, spin_head, retired, proof FROM ledger_beginnings " +
		"WHERE player_id > ").
		Number(from).Text(" AND player_id <= ").Number(to)
	return q.Query(ctx, v.tx, func(rows *sql.Rows) error {
		var b models.Beginning
		var at int64
		var head, spinHead, retired, proof sql.RawBytes
		if err := rows.Scan(&b.PlayerID, &at, (*int64)(&b.Balance), &b.Seq, &head, &b.SpinSeq, &spinHead, &retired,
			&proof); err != nil {
			return err
		}
		b.At, b.Head, b.SpinHead, b.Retired, b.Proof = db.FromMicros(at), db.StoredHash(head), db.StoredHash(spinHead),
			db.StoredHash(retired), db.StoredHash(proof)
		each(b)
		return nil
	})
}

// purgeChunk is how many wallets, or a hundredth of how many audit events, are deleted in one transaction.
const purgeChunk = 50

// FinishPurge deletes what p has archived under the name archive, which must be safe by now. Called again after it was cut off
// it does the rest.
func (s *Store) FinishPurge(ctx context.Context, by models.Actor, p *Purge, archive string) error {
	pool := s.db.Pools.Write
	if s.db.MigrateURL != "" {
		var err error
		if pool, err = s.db.OpenMigrating(ctx); err != nil {
			return err
		}
		defer pool.Close()
	}
	told := func(action string) error {
		return s.db.Change(ctx, func(tx *gorm.DB) error {
			return s.db.Record(tx, models.AuditEvent{Actor: by, Action: action, Object: "purge",
				After: db.JsonText(map[string]any{
					"archive": archive, "digest": fmt.Sprintf("%x", p.Digest), "ledger_before": p.Scope.LedgerBefore,
					"audit_before": p.Scope.AuditBefore,
					"entries":      p.Entries, "spin_entries": p.SpinEntries, "audit_events": p.AuditEvents,
				})})
		})
	}
	if err := told("purge begun"); err != nil {
		return fmt.Errorf("purge: %w", err)
	}
	if err := s.carryStates(ctx, by, p.audit); err != nil {
		return fmt.Errorf("purge: %w", err)
	}
	err := s.db.Migrating(ctx, pool, func(ctx context.Context, _ *goose.Provider) error {
		for _, g := range db.Guarded {
			if _, err := pool.ExecContext(ctx, "DROP TRIGGER IF EXISTS "+g.Table+"_no_delete"); err != nil {
				return fmt.Errorf("take a trigger away: %w", err)
			}
		}
		return errors.Join(s.deleteArchived(ctx, p), s.db.CreateTriggers(context.WithoutCancel(ctx), pool))
	})
	if err == nil {
		err = told("purge finished")
	}
	if err != nil {
		return fmt.Errorf("purge: %w", err)
	}
	return nil
}

// carryStates has a new event say what each row must be of which the events up to the number last were the latest to say it:
// they are about to go. A row that is not what they say is not blessed that way: it ends the purge.
func (s *Store) carryStates(ctx context.Context, by models.Actor, last int64) error {
	if last == 0 {
		return nil
	}
	for _, g := range db.GuardedTables {
		err := s.db.EachState(ctx, s.db.Reads, g, func(said []db.LatestState) error {
			var ids []string
			for _, l := range said {
				if l.Event.ID <= last && !l.Holds(s.db.Chain, nil) {
					ids = append(ids, l.Event.ObjectID)
				}
			}
			if len(ids) == 0 {
				return nil
			}
			return s.db.Change(ctx, func(tx *gorm.DB) error {
				if err := s.db.CheckMany(tx, g.Object, ids); err != nil {
					return err
				}
				for _, id := range ids {
					if err := s.db.Record(tx,
						models.AuditEvent{Actor: by, Action: "state carried over", Object: g.Object, ObjectID: id}); err !=
						nil {
						return err
					}
				}
				return nil
			})
		})
		if err != nil {
			return fmt.Errorf("carry over what the audit log says of each %s: %w", g.Object, err)
		}
	}
	return nil
}

// retirePostings keeps what is needed to refuse old IDs.
const retirePostings = `INSERT INTO retired_postings (source, transaction_id, claim, player_id, kind, round_id, bet_minor,
	win_minor, free_spin, at_us)
	SELECT source, transaction_id, COALESCE(claim, 0), player_id, kind, round_id, bet_minor, win_minor, free_spin, at_us
	FROM postings`

// deleteWallets gives some wallets their new beginnings and deletes what was archived of them.
func (s *Store) deleteWallets(ctx context.Context, tx *sql.Tx, wallets []purgedWallet) error {
	var all, spins []int
	var q db.Statement
	// archived selects the rows up to each wallet's last, of the wallets with these places in the list.
	archived := func(column string, places []int, last func(purgedWallet) int64) error {
		q.Text(" WHERE ")
		for n, i := range places {
			if n > 0 {
				q.Text(" OR ")
			}
			q.Text("player_id = ").Number(wallets[i].PlayerID).Text(" AND ").Text(column).Text(" <= ").Number(last(wallets[i]))
		}
		return q.Exec(ctx, tx)
	}
	posting := func(b purgedWallet) int64 { return b.last }
	q.Begin("INSERT INTO ledger_beginnings (player_id, at_us, balance_minor, seq, head, spin_seq, spin_head, retired, proof) " +
		"VALUES ")
	for i := range wallets {
		b := &wallets[i]
		all = append(all, i)
		if b.spins {
			spins = append(spins, i)
		}
		q.Row(i)
		q.Number(b.PlayerID).Comma().Number(db.Micros(b.At)).Comma().Number(int64(b.Balance)).Comma().Number(b.Seq).Comma().
			Hash(&b.Head).Comma().Number(b.SpinSeq).Comma().Hash(&b.SpinHead).Comma().Hash(&b.Retired).Comma().Hash(&b.Proof).
			Text(")")
	}
	q.Text(s.db.Dialect.OnConflict("player_id"))
	for i, column := range []string{"at_us", "balance_minor", "seq", "head", "spin_seq", "spin_head", "retired", "proof"} {
		if i > 0 {
			q.Comma()
		}
		q.Text(s.db.Dialect.Incoming(column))
	}
	if err := q.Exec(ctx, tx); err != nil {
		return fmt.Errorf("write new beginnings: %w", err)
	}
	// Along the index of wallets, whatever part of the ledger they have: a walk through the table would lock the rows of others.
	from, along := "DELETE FROM postings", ""
	if s.db.Dialect == db.MySQL {
		from, along = "DELETE postings FROM postings", db.Path{Index: "postings_player"}.Hint(db.MySQL)
	}
	q.Begin(retirePostings).Text(along)
	if err := archived("id", all, posting); err != nil {
		return fmt.Errorf("keep old IDs: %w", err)
	}
	q.Begin(from).Text(along)
	if err := archived("id", all, posting); err != nil {
		return fmt.Errorf("delete postings: %w", err)
	}
	if len(spins) == 0 {
		return nil // InnoDB would lock the gap in which other players' free spins are written, and wait for those
	}
	q.Begin("DELETE FROM spin_entries")
	return archived("seq", spins, func(b purgedWallet) int64 { return b.SpinSeq })
}

func (s *Store) deleteArchived(ctx context.Context, p *Purge) error {
	for chunk := range slices.Chunk(p.wallets, purgeChunk) {
		err := s.db.Change(ctx, func(tx *gorm.DB) error {
			if err := tx.Exec("UPDATE ledgers SET retired = 1 WHERE id = 1 AND retired = 0").Error; err != nil {
				return err
			}
			return s.deleteWallets(ctx, db.Tx(tx), chunk)
		})
		if err != nil {
			return err
		}
	}
	for more := p.audit > 0; more; {
		err := s.db.Change(ctx, func(tx *gorm.DB) error {
			head, err := db.ReadAuditHead(tx, s.db.Dialect.ForUpdate())
			if err != nil {
				return err
			}
			to := min(p.audit, head.BeginSeq+purgeChunk*100)
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
