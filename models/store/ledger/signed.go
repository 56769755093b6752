package ledger

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// One signed text is applied at most once, whatever it is read as: each posting of a callback has the digest of its text, and
// postings_signed is unique. So of two readings, even of two players on two instances, the second fails at that key, and its
// repetition finds the first. Nobody looks for the first before that, because a new text is the rule. A text that left no
// posting is in declined_texts with the reading in which it may be repeated. models/signed.go says what a reading is.

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

// AwaitAttempts waits until all attempts under way have ended, and lets no other begin until the transaction ends. It is the
// last step of a change that no attempt may miss.
func (s *Store) AwaitAttempts(tx *gorm.DB) error {
	if err := tx.Exec("SELECT id FROM ledgers WHERE id = 1" + s.db.Dialect.ForUpdate()).Error; err != nil {
		return fmt.Errorf("wait for attempts: %w", err)
	}
	return nil
}

// compareIdle compares the texts of members that left no posting, and so do not meet the key, with those that left one before.
// Such a text is not declined, and a member with another reading of it is refused.
func (b *settlement) compareIdle(ctx context.Context) error {
	var digests []models.SignedDigest
	for _, m := range b.idle {
		if _, accepted := b.accepted[m.digest]; !accepted && !m.compare {
			digests = append(digests, m.digest)
		}
	}
	if len(digests) > 0 {
		b.packet.Query(b.scanAccepted, b.texts.accepted, digests)
		if err := b.packet.Send(ctx); err != nil {
			return fmt.Errorf("look for signed texts: %w", err)
		}
	}
	for _, m := range b.idle {
		b.refuseReused(m, b.prior[TransactionKey{m.op.Source, m.op.TransactionID}])
	}
	b.claims = slices.DeleteFunc(b.claims, func(m *member) bool {
		_, accepted := b.accepted[m.digest]
		return accepted
	})
	return nil
}

func (b *settlement) scanAccepted(rows *sql.Rows) error {
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

// scanRefusal reads a row of texts.refusals.
func (b *settlement) scanRefusal(rows *sql.Rows) error {
	var digest sql.RawBytes
	var r models.Reading
	var kind int64
	if err := rows.Scan(&b.frozen, &digest, &kind, &r.UserLength, &r.TransactionLength); err != nil {
		return err
	}
	r.Kind = models.OperationKind(StoredKind(kind))
	if len(digest) == len(models.SignedDigest{}) {
		b.declined[models.SignedDigest(digest)] = r
	}
	return nil
}

// refuseReused refuses m, and reports that, if its signature was used before for another reading of its text, accepted or
// declined. An exact repeat of an accepted callback is not another reading: it books nothing.
func (b *settlement) refuseReused(m *member, prior *models.Transaction) bool {
	player, cause := m.result.Decided.PlayerID, ""
	if m.digest == (models.SignedDigest{}) || prior != nil && prior.SameContents(player, m.op) {
		return false
	}
	// If its own transaction ID is known, the callback books nothing whatever the endpoint, and the platform expects result 11
	// or 9.
	seen := prior != nil || b.tombstones[models.Tombstone{PlayerID: player, TransactionID: m.op.TransactionID}]
	own, rollback := m.op.Reading(), m.op.Kind == models.Rollback
	a, accepted := b.accepted[m.digest]
	r, declined := b.declined[m.digest]
	switch {
	case accepted && (a.id != m.op.TransactionID || a.rollback != rollback):
		cause = "the signature was used before, for " + a.String()
	case !declined, r == own,
		rollback && models.CallbackKind(r.Kind) == models.GetBalance, // otherwise a name could keep a transaction from being rolled back
		seen && r.UserLength == own.UserLength && r.TransactionLength == own.TransactionLength:
		return false
	default:
		cause = "the signature was used before, for " + usedFor(r)
	}
	m.result = models.Result{Decline: models.SignReused, Balance: m.result.Balance,
		Decided: models.Decided{At: b.at, PlayerID: player, Cause: cause}}
	return true
}

// remember keeps what other readings of a member's text will be compared with: the posting that it left or, if there is none, its
// reading.
func (b *settlement) remember(m *member, writes, tombstone bool) {
	if m.digest == (models.SignedDigest{}) {
		return
	}
	if writes {
		b.accepted[m.digest] = acceptedText{m.op.TransactionID, m.op.Kind == models.Rollback, tombstone}
		return
	}
	b.idle = append(b.idle, m)
	if _, declined := b.declined[m.digest]; !declined {
		b.declined[m.digest] = m.op.Reading()
		b.claims = append(b.claims, m)
	}
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

// writeDeclined adds the attempt's declined texts to the packet.
func (b *settlement) writeDeclined() {
	texts := make([]declinedText, len(b.claims))
	for i, m := range b.claims {
		texts[i] = declinedText{m.digest, m.op.Reading()}
	}
	insertDeclined(b.packet.Add(b.texts.insertDeclined), texts, b.at)
}

// declinedText is a signed text that booked nothing, and the only reading in which it may be repeated.
type declinedText struct {
	digest  models.SignedDigest
	reading models.Reading
}

// insertDeclined adds the rows of texts.insertDeclined. If a text is stored already, its first reading is kept.
func insertDeclined(q *db.Statement, texts []declinedText, at time.Time) *db.Statement {
	for i, t := range texts {
		r := t.reading
		q.Row(i, "(?,?,?,?,?)", t.digest, r.Kind, r.UserLength, r.TransactionLength, db.Micros(at))
	}
	return q
}

// keepDeclined stores a declined text.
func (s *Store) keepDeclined(ctx context.Context, to db.Execer, text string, reading models.Reading) error {
	q := new(db.Statement).Add(s.texts.insertDeclined)
	return insertDeclined(q, []declinedText{{s.db.Chain.Signed(text), reading}}, s.db.Now()).Exec(ctx, to)
}

// KeepRefused stores the digest of a signed text that was refused before it reached a wallet, because it names no player or has
// wrong input. It is stored before the callback is answered, so that no other reading of the text is accepted, not even for a
// player who gets the name later. It does nothing if text is empty.
func (s *Store) KeepRefused(ctx context.Context, text string, reading models.Reading) error {
	if text == "" {
		return nil
	}
	for try := 0; ; try++ {
		err := s.keepDeclined(ctx, s.db.Pools.Write, text, reading)
		if err == nil {
			return nil
		}
		if !db.IsContention(err) && !db.IsDown(err) || !db.Pause(ctx, try) {
			return fmt.Errorf("keep the text of a refused callback: %w", err)
		}
	}
}

// KeepErased stores the digest of a name that is erased, by which ErasedUsers recognizes it.
func (s *Store) KeepErased(tx *gorm.DB, user models.UserID) error {
	reading := models.Reading{Kind: models.OperationKind(models.GetBalance), UserLength: len(user)}
	if err := s.keepDeclined(tx.Statement.Context, db.Tx(tx), string(user), reading); err != nil {
		return fmt.Errorf("keep an erased name: %w", err)
	}
	return nil
}

// ErasedUsers returns which of these names belonged to players who were erased, by the digests that KeepErased stored. A name
// that a player has now is not among them.
func (s *Store) ErasedUsers(ctx context.Context, users []models.UserID) (map[models.UserID]bool, error) {
	erased := map[models.UserID]bool{}
	if len(users) == 0 {
		return erased, nil
	}
	digests, names := make([][]byte, len(users)), make([]string, len(users))
	for i, user := range users {
		digest := s.db.Chain.Signed(string(user))
		digests[i], names[i] = digest[:], string(user)
	}
	read := s.db.Read.WithContext(ctx)
	var kept [][]byte
	var now []models.UserID
	err := read.Raw("SELECT digest FROM declined_texts WHERE kind = ? AND digest IN ?", models.GetBalance, digests).Scan(&kept).Error
	if err == nil && len(kept) > 0 {
		err = read.Raw("SELECT user_id FROM players WHERE user_id IN ?", names).Scan(&now).Error
	}
	if err != nil {
		return nil, fmt.Errorf("look for erased players: %w", err)
	}
	for i, user := range users {
		if slices.ContainsFunc(kept, func(d []byte) bool { return bytes.Equal(d, digests[i]) }) && !slices.Contains(now, user) {
			erased[user] = true
		}
	}
	return erased, nil
}
