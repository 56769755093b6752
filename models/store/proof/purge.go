package proof

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/pressly/goose/v3"
	"golang.org/x/sync/errgroup"
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
//     rest. A wallet of many lines gets several beginnings, one after the other: a transaction deletes some thousand postings,
//     so that nobody who plays waits long for it.
//   - Audit events say what rows must be (states.go). Before the latest such event of a row goes, a new one says the same.
//   - What is needed to refuse an old TransactionID stays for ever, in retired_postings: it is answered as a duplicate however
//     old it is (specification, Errors 4 and 5), and no old signed request is ever played again. What stays is proved by the
//     wallet's new beginning.
//
// What it costs on MariaDB: about 55 microseconds of processor time for each row. Reading and writing the archive are 15 of
// them, keeping what refuses the ID 7; the rest deletes the row from the table and five indexes, half of it by the server in
// the background.
//
// Why not partitions, or a table for each month, that could be dropped at once: a key that is unique over all time would have
// to be a table of its own, which costs every bet a row more. Dropping waits for everybody who reads the table, and every
// callback waits behind it. And it is not one change with the new beginnings: killed in between, lines would be missing without
// proof, or stand before their chain's beginning, where verify must not overlook them.
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

// purgedWallet is a wallet of which a part was archived: the front, or what comes behind the purgedWallet before it.
type purgedWallet struct {
	models.Beginning       // where its chains begin from then on
	last             int64 // the number of its last archived posting
	rows             int   // how many postings were archived
	spins            bool  // whether lines of the free-spin ledger were
}

// oldWallet is a wallet that has postings to archive.
type oldWallet struct {
	player, last int64 // number of the youngest of them
	rows         int   // about how many
}

// How much is read, or deleted, at once: so many postings of up to purgeWallets wallets. On SQLite whoever plays waits for the
// whole of a transaction, which is smaller there.
var purgeRows = map[db.Dialect]int{db.MySQL: 4000, db.SQLite: 1000}

const purgeWallets = 400 // SQLite takes a SELECT of 500 parts

// together yields parts of a list that have up to most rows, or are one wallet.
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
		old, err := v.oldWallets(ctx, p.Scope.LedgerBefore)
		if err != nil {
			return err
		}
		for part := range together(old, purgeRows[s.db.Dialect], func(w oldWallet) int { return w.rows }) {
			if err := v.archiveWallets(ctx, w, p, part); err != nil {
				return err
			}
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

// oldWallets finds the wallets that have postings older than before, in order.
func (v *verifier) oldWallets(ctx context.Context, before time.Time) (list []oldWallet, err error) {
	end, err := v.s.db.NumberAt(ctx, "postings", before.Add(db.Apart))
	if err != nil {
		return nil, err
	}
	var q db.Statement
	q.Begin("SELECT player_id, MAX(id), COUNT(*) FROM postings WHERE id < ").Number(end).Text(" AND at_us < ").
		Number(db.Micros(before)).Text(" GROUP BY player_id ORDER BY player_id")
	return list, q.Query(ctx, v.tx, func(rows *sql.Rows) error {
		var w oldWallet
		err := rows.Scan(&w.player, &w.last, &w.rows)
		list = append(list, w)
		return err
	})
}

// archiveWallets archives postings of some wallets up to a number each, with their lines in the free-spin ledger, and adds
// where their chains begin then to p. Of one wallet alone it reads a part at once.
func (v *verifier) archiveWallets(ctx context.Context, w *models.ArchiveWriter, p *Purge, old []oldWallet) error {
	begin, err := v.beginningsBefore(ctx, old)
	if err != nil {
		return err
	}
	if len(old) > 1 {
		var q db.Statement
		postings, err := v.oldPostings(ctx, upTo(q.Begin(selectOld), old, v.s.db.Dialect))
		if err != nil {
			return err
		}
		slices.SortFunc(postings, func(a, b models.Posting) int {
			return cmp.Or(cmp.Compare(a.PlayerID, b.PlayerID), cmp.Compare(a.Seq, b.Seq), cmp.Compare(a.ID, b.ID))
		})
		for len(postings) > 0 {
			player := postings[0].PlayerID
			n := slices.IndexFunc(postings, func(p models.Posting) bool { return p.PlayerID != player })
			if n < 0 {
				n = len(postings)
			}
			if err := v.archivePart(ctx, w, p, begin[player], postings[:n]); err != nil {
				return err
			}
			postings = postings[n:]
		}
		return nil
	}
	for seq, id := int64(math.MinInt64), int64(math.MinInt64); ; {
		var q db.Statement
		q.Begin(ledger.SelectPostings + db.Path{Index: "postings_player"}.Hint(v.s.db.Dialect) + " WHERE player_id = ").
			Number(old[0].player).Text(" AND seq >= ").Number(seq).Text(" AND id <= ").Number(old[0].last).
			Text(" AND (seq > ").Number(seq).Text(" OR id > ").Number(id).Text(") ORDER BY seq, id LIMIT ").
			Number(int64(purgeRows[v.s.db.Dialect]))
		postings, err := v.oldPostings(ctx, &q)
		if err != nil || len(postings) == 0 {
			return err
		}
		if err := v.archivePart(ctx, w, p, begin[old[0].player], postings); err != nil {
			return err
		}
		seq, id = postings[len(postings)-1].Seq, postings[len(postings)-1].ID
	}
}

var selectOld = "SELECT " + ledger.SelectOf("p") + " FROM "

// upTo writes a join of wallets k and their postings p up to a number each. As alternatives of a condition they would be
// compared with each row, one after the other.
func upTo(q *db.Statement, old []oldWallet, d db.Dialect) *db.Statement {
	for i, w := range old {
		if i > 0 {
			q.Text(" UNION ALL SELECT ").Number(w.player).Comma().Number(w.last)
		} else {
			q.Text("(SELECT ").Number(w.player).Text(" AS player, ").Number(w.last).Text(" AS newest")
		}
	}
	join := map[db.Dialect]string{db.MySQL: " STRAIGHT_JOIN ", db.SQLite: " CROSS JOIN "}[d]
	return q.Text(") k").Text(join).Text("postings p").Text(db.Path{Index: "postings_player"}.Hint(d)).
		Text(" ON p.player_id = k.player AND p.id <= k.newest")
}

func (v *verifier) oldPostings(ctx context.Context, q *db.Statement) (list []models.Posting, err error) {
	err = q.Query(ctx, v.tx, func(rows *sql.Rows) error {
		p, err := ledger.ScanPosting(rows)
		list = append(list, p)
		return err
	})
	return list, err
}

// beginningsBefore returns where the chains of some wallets begin so far.
func (v *verifier) beginningsBefore(ctx context.Context, old []oldWallet) (map[int64]*models.Beginning, error) {
	begin := make(map[int64]*models.Beginning, len(old))
	numbers := make([]int64, len(old))
	for i, w := range old {
		numbers[i], begin[w.player] = w.player, &models.Beginning{Wallet: models.Wallet{PlayerID: w.player}}
	}
	var unproved error
	err := v.beginningsOf(ctx, numbers[0]-1, numbers[len(numbers)-1], func(b models.Beginning) {
		if begin[b.PlayerID] == nil {
			return
		}
		if begin[b.PlayerID] = &b; b.Proof != v.s.db.Chain.Beginning(&b) {
			unproved = brokenWallet(b.PlayerID, "its beginning after entry", b.Seq)
		}
	})
	if err = errors.Join(err, unproved); err != nil {
		return nil, err
	}
	var q db.Statement
	q.Begin("SELECT player_id, currency FROM wallets WHERE player_id IN (").Numbers(numbers).Text(")")
	return begin, q.Query(ctx, v.tx, func(rows *sql.Rows) error {
		var player int64
		var currency string
		err := rows.Scan(&player, &currency)
		begin[player].Currency = models.Currency(currency)
		return err
	})
}

func brokenWallet(player int64, what string, seq int64) error {
	return fmt.Errorf("wallet %d does not hold at %s %d; run pitboss verify: what does not hold is not purged", player, what, seq)
}

// archivePart archives postings of a wallet, with their lines in the free-spin ledger, and moves b, where its chains begin,
// behind them.
func (v *verifier) archivePart(ctx context.Context, w *models.ArchiveWriter, purge *Purge, b *models.Beginning,
	postings []models.Posting) error {
	chain, lastSpin := v.s.db.Chain, b.SpinSeq
	for i := range postings {
		p := &postings[i]
		b.At = later(b.At, p.At)
		b.Retire(chain, p)
		if p.FreeSpin {
			lastSpin++
		} else {
			if p.Seq != b.Seq+p.Lines() || chain.Posting(b.Head, b.Currency, p) != p.Hash || p.Before() != b.Balance {
				return brokenWallet(b.PlayerID, "entry", p.Seq)
			}
			b.Seq, b.Head, b.Balance = p.Seq, p.Hash, p.After
		}
		if err := w.Posting(p, b.Currency); err != nil {
			return err
		}
	}
	spins := lastSpin > b.SpinSeq
	if spins {
		after := int64(math.MinInt64) // what stands before the beginning does not hold
		if n := len(purge.wallets); n > 0 && purge.wallets[n-1].PlayerID == b.PlayerID {
			after = b.SpinSeq
		}
		var q db.Statement
		q.Begin(selectSpinEntries).Text(" WHERE player_id = ").Number(b.PlayerID).Text(" AND seq > ").Number(after).
			Text(" AND seq <= ").Number(lastSpin).Text(" ORDER BY seq")
		err := q.Query(ctx, v.tx, func(rows *sql.Rows) error {
			e, _, err := scanSpinEntry(rows)
			if err != nil {
				return err
			}
			e.Currency = b.Currency
			if e.Seq != b.SpinSeq+1 || chain.SpinEntry(b.SpinHead, &e) != e.Hash {
				return brokenWallet(b.PlayerID, "free-spin entry", e.Seq)
			}
			b.SpinSeq, b.SpinHead, b.At = e.Seq, e.Hash, later(b.At, e.At)
			return w.SpinEntry(&e)
		})
		if err != nil {
			return err
		}
	}
	b.Proof = chain.Beginning(b)
	purge.wallets = append(purge.wallets, purgedWallet{*b, postings[len(postings)-1].ID, len(postings), spins})
	return nil
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

// purgeEvents is how many audit events are deleted in one transaction.
const purgeEvents = 5000

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
		err := s.deletePostings(ctx, p)
		if err == nil {
			err = s.deleteAuditEvents(ctx, p)
		}
		return errors.Join(err, s.db.CreateTriggers(context.WithoutCancel(ctx), pool))
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
	SELECT p.source, p.transaction_id, COALESCE(p.claim, 0), p.player_id, p.kind, p.round_id, p.bet_minor, p.win_minor,
		p.free_spin, p.at_us
	FROM `

// deleteWallets gives some wallets their new beginnings and deletes what was archived of them. It leaves those alone that have
// begun there already.
func (s *Store) deleteWallets(ctx context.Context, tx *sql.Tx, wallets []purgedWallet) error {
	wallets, err := s.notBegun(ctx, tx, wallets)
	if err != nil || len(wallets) == 0 {
		return err
	}
	if err := s.writeBeginnings(ctx, tx, wallets); err != nil {
		return fmt.Errorf("write new beginnings: %w", err)
	}
	old, archived := make([]oldWallet, len(wallets)), 0
	for i := range wallets {
		old[i] = oldWallet{player: wallets[i].PlayerID, last: wallets[i].last}
		archived += wallets[i].rows
	}
	// Along the index of wallets, whatever part of the ledger they have: a walk through the table would lock the rows of others.
	var q db.Statement
	if err := upTo(q.Begin(retirePostings), old, s.db.Dialect).Exec(ctx, tx); err != nil {
		return fmt.Errorf("keep old IDs: %w", err)
	}
	if s.db.Dialect == db.MySQL {
		upTo(q.Begin("DELETE p FROM "), old, s.db.Dialect)
	} else {
		upTo(q.Begin("DELETE FROM postings WHERE id IN (SELECT p.id FROM "), old, s.db.Dialect).Text(")")
	}
	switch deleted, err := q.Affected(ctx, tx); {
	case err != nil:
		return fmt.Errorf("delete postings: %w", err)
	case deleted > int64(archived):
		return fmt.Errorf("delete postings: %d would go, %d are archived", deleted, archived)
	}
	any := false
	q.Begin("DELETE FROM spin_entries WHERE ")
	for i := range wallets {
		if w := &wallets[i]; w.spins {
			if any {
				q.Text(" OR ")
			}
			q.Text("player_id = ").Number(w.PlayerID).Text(" AND seq <= ").Number(w.SpinSeq)
			any = true
		}
	}
	if !any {
		return nil // InnoDB would lock the gap in which other players' free spins are written, and wait for those
	}
	return q.Exec(ctx, tx)
}

// notBegun leaves out the wallets that have begun where the purge has them begin, or behind that: it was cut off, and does the
// rest.
func (s *Store) notBegun(ctx context.Context, tx *sql.Tx, wallets []purgedWallet) ([]purgedWallet, error) {
	numbers := make([]int64, len(wallets))
	for i := range wallets {
		numbers[i] = wallets[i].PlayerID
	}
	begun := map[int64]models.Wallet{}
	var q db.Statement
	err := q.Begin("SELECT player_id, seq, spin_seq FROM ledger_beginnings WHERE player_id IN (").Numbers(numbers).Text(")").
		Query(ctx, tx, func(rows *sql.Rows) error {
			var w models.Wallet
			err := rows.Scan(&w.PlayerID, &w.Seq, &w.SpinSeq)
			begun[w.PlayerID] = w
			return err
		})
	if err != nil {
		return nil, fmt.Errorf("read beginnings: %w", err)
	}
	return slices.DeleteFunc(slices.Clone(wallets), func(w purgedWallet) bool {
		at, found := begun[w.PlayerID]
		return found && at.Seq >= w.Seq && at.SpinSeq >= w.SpinSeq
	}), nil
}

func (s *Store) writeBeginnings(ctx context.Context, tx *sql.Tx, wallets []purgedWallet) error {
	var q db.Statement
	q.Begin("INSERT INTO ledger_beginnings (player_id, at_us, balance_minor, seq, head, spin_seq, spin_head, retired, proof) " +
		"VALUES ")
	for i := range wallets {
		b := &wallets[i]
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
	return q.Exec(ctx, tx)
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
				err := s.db.Change(ctx, func(tx *gorm.DB) error { return s.deleteWallets(ctx, db.Tx(tx), part) })
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// purgeAtOnce is how many transactions delete at once on MySQL and MariaDB: while one waits for its commit, the other works.
// SQLite has one writer.
const purgeAtOnce = 2

// split cuts a list into about n parts of equal length. All that is of one wallet stays in one part, in its order.
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
