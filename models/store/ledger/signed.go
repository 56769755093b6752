package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// One signed text is applied at most once, whatever it is read as: each posting of a callback has the digest of its text, and
// postings_signed is unique. So of two readings, even of two players on two instances, the second fails at that key, and its
// repetition finds the first. A text that left no posting is in declined_texts with the reading in which it may be repeated.
// models/signed.go says what a reading is.

// acceptedText is what became of a signed text that left a posting.
type acceptedText struct {
	id        models.TransactionID
	rollback  bool
	tombstone bool
}

func (a acceptedText) String() string {
	if a.rollback {
		return "a rollback of " + shortened(string(a.id))
	}
	return "transaction " + shortened(string(a.id))
}

// lookup is a statement of an attempt, and the function that reads its rows.
type lookup struct {
	write func(q *db.Statement)
	scan  func(*sql.Rows) error
}

// lookups returns the queries for what is known about the members' transaction IDs and texts at the platform.
func (b *ledgerBatch) lookups(members []*Member) []lookup {
	var ids []string
	var digests []models.SignedDigest
	for _, m := range members {
		if m.settled || m.Op.Source != models.SourcePlatform {
			continue
		}
		ids = append(ids, string(m.Op.TransactionID))
		if m.digest != (models.SignedDigest{}) {
			digests = append(digests, m.digest)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	list := []lookup{{
		// A freeze is written while no attempt holds this row, so this attempt finds each one that was committed before it.
		func(q *db.Statement) {
			q.Text("SELECT EXISTS (SELECT 1 FROM restrictions WHERE subject = ").Number(int64(models.OfHouse)).
				Text(" AND state <> ").Number(int64(models.ApprovalApproved)).Text(") FROM ledgers WHERE id = 1").
				Text(b.dialect.ForShare())
		},
		func(rows *sql.Rows) error { return rows.Scan(&b.frozen) },
	}, {
		func(q *db.Statement) { selectClaims(q, b.dialect, models.SourcePlatform, ids) },
		func(rows *sql.Rows) error { return b.scan(models.SourcePlatform, rows) },
	}}
	if len(digests) == 0 {
		return list
	}
	return append(list, lookup{
		func(q *db.Statement) {
			q.Text("SELECT signed_digest, transaction_id, COALESCE(claim, 0) FROM postings" +
				db.Path{Index: "postings_signed"}.Hint(b.dialect) + " WHERE signed_digest IN (").Digests(digests).Text(")")
		}, b.scanAccepted,
	}, lookup{
		func(q *db.Statement) {
			q.Text("SELECT digest, kind, user_length, transaction_length FROM declined_texts WHERE digest IN (").
				Digests(digests).Text(")")
		}, b.scanDeclined,
	})
}

// loadPlatform runs the lookups, one by one.
func (b *ledgerBatch) loadPlatform(ctx context.Context, tx transaction, members []*Member) error {
	for _, l := range b.lookups(members) {
		l.write(b.stmt.Begin(""))
		if err := b.stmt.Query(ctx, tx, l.scan); err != nil {
			return err
		}
	}
	return nil
}

// AwaitAttempts waits until all attempts under way have ended, and lets no other begin until the transaction ends. It is the last
// step of a change that no attempt may miss.
func (s *Store) AwaitAttempts(tx *gorm.DB) error {
	if err := tx.Exec("SELECT id FROM ledgers WHERE id = 1" + s.db.Dialect.ForUpdate()).Error; err != nil {
		return fmt.Errorf("wait for attempts: %w", err)
	}
	return nil
}

// scan reads a row of selectClaims.
func (b *ledgerBatch) scan(source models.Source, rows *sql.Rows) error {
	var player, claim, first, second, at int64
	var id, round string
	var kind models.OperationKind
	var free bool
	if err := rows.Scan(&player, &id, &claim, (*uint8)(&kind), &round, &first, &second, &free, &at); err != nil {
		return err
	}
	if models.Claim(claim) == models.ClaimNone {
		b.tombstones[models.Tombstone{PlayerID: player, TransactionID: models.TransactionID(id)}] = true
		return nil
	}
	key := TransactionKey{source, models.TransactionID(id)}
	ends := models.Reversed
	if kind == models.CashPaid {
		kind, ends = models.CashOut, models.PaidOut
	}
	t := b.prior[key]
	if t == nil { // the postings that applied it and rolled it back have the same contents
		t = &models.Transaction{
			Source: source, TransactionID: key.ID, PlayerID: player, Kind: kind, RoundID: models.RoundID(round),
			Bet: models.Amount(first), Win: models.Amount(second), FreeSpin: free, State: models.Processed,
			At: db.FromMicros(at),
		}
		b.prior[key] = t
	}
	if models.Claim(claim) == models.ClaimRolledBack {
		t.State, t.ReversedAt = ends, db.FromMicros(at)
	} else {
		t.At = db.FromMicros(at)
	}
	return nil
}

// Known returns the platform's transaction with this ID, or nil, and whether the player has a tombstone for it.
func Known(tx *gorm.DB, d db.Dialect, id models.TransactionID, playerID int64) (*models.Transaction, bool, error) {
	b := &ledgerBatch{prior: map[TransactionKey]*models.Transaction{}, tombstones: map[models.Tombstone]bool{}}
	var q db.Statement
	err := selectClaims(q.Begin(""), d, models.SourcePlatform, []string{string(id)}).
		Query(tx.Statement.Context, tx.Statement.ConnPool,
			func(rows *sql.Rows) error { return b.scan(models.SourcePlatform, rows) })
	if err != nil {
		return nil, false, fmt.Errorf("look up a transaction: %w", err)
	}
	return b.prior[TransactionKey{models.SourcePlatform, id}],
		b.tombstones[models.Tombstone{PlayerID: playerID, TransactionID: id}], nil
}

func (b *ledgerBatch) scanAccepted(rows *sql.Rows) error {
	var digest sql.RawBytes
	var id string
	var claim int64
	if err := rows.Scan(&digest, &id, &claim); err != nil {
		return err
	}
	if len(digest) == len(models.SignedDigest{}) {
		b.accepted[models.SignedDigest(digest)] = acceptedText{models.TransactionID(id),
			models.Claim(claim) != models.ClaimApplied, models.Claim(claim) == models.ClaimNone}
	}
	return nil
}

func (b *ledgerBatch) scanDeclined(rows *sql.Rows) error {
	var digest sql.RawBytes
	var kind int64
	var r models.Reading
	if err := rows.Scan(&digest, &kind, &r.UserLength, &r.TransactionLength); err != nil {
		return err
	}
	r.Kind = models.OperationKind(StoredKind(kind))
	if len(digest) == len(models.SignedDigest{}) {
		b.declined[models.SignedDigest(digest)] = r
	}
	return nil
}

// reused reports whether m's signature was used for another reading of its text, accepted or declined, and sets m.cause. An
// exact repeat of an accepted callback is not reused: it books nothing.
func (b *ledgerBatch) reused(m *Member, prior *models.Transaction) bool {
	if m.digest == (models.SignedDigest{}) || prior != nil && prior.SameContents(m.PlayerID, m.Op) {
		return false
	}
	a, known := b.accepted[m.digest]
	if known && (a.id != m.Op.TransactionID || a.rollback != (m.Op.Kind == models.Rollback)) {
		m.cause = "the signature was used before, for " + a.String()
		return true
	}
	// If its own transaction ID is known, the callback books nothing whatever the endpoint, and the platform expects result 11
	// or 9.
	seen := prior != nil || b.tombstones[models.Tombstone{PlayerID: m.PlayerID, TransactionID: m.Op.TransactionID}]
	r, known := b.declined[m.digest]
	if m.Op.Kind == models.Rollback && models.CallbackKind(r.Kind) == models.GetBalance {
		return false // otherwise a name could keep a transaction from being rolled back
	}
	if own := m.Op.Reading(); known && r != own &&
		!(seen && r.UserLength == own.UserLength && r.TransactionLength == own.TransactionLength) {
		m.cause = "the signature was used before, for " + usedFor(r)
		return true
	}
	return false
}

// usedFor says what a declined text was read as.
func usedFor(r models.Reading) string {
	if r == (models.Reading{}) {
		return "a callback of another agent"
	}
	return fmt.Sprintf("a %s that booked nothing", models.CallbackKind(r.Kind))
}

// shortened returns an ID for use in a sentence.
func shortened(id string) string {
	const most = 160
	if len(id) <= most {
		return id
	}
	return strings.ToValidUTF8(id[:most], "") + "..."
}

// note keeps what other readings of m's text will be compared with: the posting that it left or, if there is none, its reading.
func (b *ledgerBatch) note(m *Member, o *models.Outcome) {
	if m.digest == (models.SignedDigest{}) {
		return
	}
	if len(o.Lines()) > 0 {
		b.accepted[m.digest] = acceptedText{m.Op.TransactionID, m.Op.Kind == models.Rollback, o.Tombstone}
		return
	}
	_, accepted := b.accepted[m.digest]
	if _, declined := b.declined[m.digest]; !accepted && !declined {
		b.declined[m.digest] = m.Op.Reading()
		b.claims = append(b.claims, m)
	}
}
