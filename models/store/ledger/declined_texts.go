package ledger

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// writeSigned stores the attempt's declined texts.
func (b *ledgerBatch) writeSigned(ctx context.Context, tx db.Execer) error {
	texts := make([]declinedText, len(b.claims))
	for i, m := range b.claims {
		texts[i] = declinedText{m.digest, m.Op.Reading()}
	}
	return writeDeclined(ctx, tx, &b.stmt, texts, b.at, b.dialect)
}

// declinedText is a signed text that booked nothing, and the only reading in which it may be repeated.
type declinedText struct {
	digest  models.SignedDigest
	reading models.Reading
}

// writeDeclined stores declined texts. If one is stored already, its first reading is kept.
func writeDeclined(ctx context.Context, tx db.Execer, q *db.Statement, texts []declinedText, at time.Time, d db.Dialect) error {
	if len(texts) == 0 {
		return nil
	}
	q.Begin("INSERT INTO declined_texts (digest, kind, user_length, transaction_length, at_us) VALUES ")
	for i, t := range texts {
		r := t.reading
		q.Row(i)
		q.Digest(t.digest).Comma().Number(int64(r.Kind)).Comma().Number(int64(r.UserLength)).Comma().
			Number(int64(r.TransactionLength)).Comma().
			Number(db.Micros(at)).Text(")")
	}
	q.Text(d.OnConflict("digest")).Text("digest = declined_texts.digest")
	return q.Exec(ctx, tx)
}

// KeepRefused stores the digest of a signed text that was refused before it reached a wallet, because it names no player or has
// wrong input. It is stored before the callback is answered, so that no other reading of the text is accepted, not even for a
// player who gets the name later. It does nothing if text is empty.
func (s *Store) KeepRefused(ctx context.Context, text string, reading models.Reading) error {
	if text == "" {
		return nil
	}
	for try := 0; ; try++ {
		var q db.Statement
		err := writeDeclined(ctx, s.db.Pools.Write, &q, []declinedText{{s.db.Chain.Signed(text), reading}}, s.db.Now(),
			s.db.Dialect)
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
	var q db.Statement
	reading := models.Reading{Kind: models.OperationKind(models.GetBalance), UserLength: len(user)}
	err := writeDeclined(tx.Statement.Context, db.Tx(tx), &q, []declinedText{{s.db.Chain.Signed(string(user)), reading}},
		s.db.Now(), s.db.Dialect)
	if err != nil {
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
