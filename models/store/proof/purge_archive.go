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

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
)

// The first part of a purge (purge.go): read what it will delete from one snapshot, verify it, and write it to an archive.

// oldWallet is a wallet with postings to archive.
type oldWallet struct {
	player, last int64 // number of the latest such posting
	rows         int   // about how many
}

// BeginPurge writes everything that scope selects to archive, and returns it for FinishPurge. It changes nothing; with
// io.Discard it only reports what would be deleted. If a chain is inconsistent, its error names the wallet.
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

// oldWallets returns the wallets with postings older than before, in order.
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

// archiveWallets archives the postings of some wallets, up to the last one to archive of each, with their lines in the
// free-spin ledger, and adds the wallets' new beginnings to p. If there is only one wallet, it is read in parts.
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

// upTo writes a join of wallets k with their postings p, up to the last one of each. With a condition made of alternatives
// instead, the database would compare each row with every wallet.
func upTo(q *db.Statement, old []oldWallet, d db.Dialect) *db.Statement {
	for i, w := range old {
		if i > 0 {
			q.Text(" UNION ALL SELECT ").Number(w.player).Comma().Number(w.last)
		} else {
			q.Text("(SELECT ").Number(w.player).Text(" AS player, ").Number(w.last).Text(" AS newest")
		}
	}
	return q.Text(") k").Text(d.JoinInOrder()).Text("postings p").Text(db.Path{Index: "postings_player"}.Hint(d)).
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

// beginningsBefore returns where the chains of some wallets begin now.
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
	return fmt.Errorf("wallet %d is inconsistent at %s %d, so nothing was purged; run pitboss verify", player, what, seq)
}

// archivePart archives postings of a wallet, with their lines in the free-spin ledger, and moves b, the beginning of its
// chains, after them.
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
		after := int64(math.MinInt64) // a line before the beginning is a fault
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
	recent := false // everything after a recent event is kept, even if an instance with a slow clock wrote it
	var q db.Statement
	return q.Begin(selectAuditEvents).Text(" ORDER BY id").Query(ctx, v.tx, func(rows *sql.Rows) error {
		l, err := scanAuditLine(rows)
		recent = recent || !l.At.Before(p.Scope.AuditBefore)
		if err != nil || recent {
			return err
		}
		if l.ID != seq+1 || v.s.db.Chain.AuditEvent(hash, &l) != l.Hash {
			return fmt.Errorf("the audit log is inconsistent at event %d, so nothing was purged; run pitboss verify",
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
