package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// A signature must not be used for two readings of its text. models/signed.go explains that, and why the text of an accepted
// callback can be found from its row. This file finds other readings for an attempt.
//
// The query that looks up the members' transaction IDs also looks up those of other readings and the number of shapes, so a bet
// needs no extra round trip. If all IDs have the same length, there are no other IDs to look up.
//
// If lengths differ, a text can be split at many places. The resulting IDs have a common prefix, so they are looked up as one
// range of the index. If such ranges turn out to contain many unrelated IDs, each ID is looked up separately from then on.
//
// With IDs of 24 to 36 characters, looking for other readings takes 7 to 14 % of MariaDB's time and 7 % of the rate at 64 and
// 256 connections: the same build with such IDs and with IDs of one length. Unlike equalities, ranges are estimated before they
// are read: with the first 20 characters of IDs in a column of their own, a lookup of 60 bets took 5 microseconds a bet instead
// of 9 in a trial. But then every query by ID would have to split it.
//
// Why no race gets through. If two attempts accept two readings of one text, then
//
//   - either both name the same player: the second waits for the wallet's lock and finds what the first has committed;
//   - or both have the same transaction ID: the unique key refuses one;
//   - or they name two players and two transaction IDs: an attempt with another ID to look up also looks up which other players
//     the text could name, and locks their wallets before it looks again. The second attempt waits there. The lock is shared:
//     it excludes attempts of these players, but not other readers, because many texts can name the same short name;
//   - or one of them has a shape, or a length of a user ID, that the other's instance does not know: these are committed with
//     the first transaction that has them. If that was before the other looked up, the number of shapes has changed, and the
//     other reads all shapes and looks again. If not, the one with the new shape knows the other's, waits for the other's
//     wallet, and finds what was committed. An attempt that adds a shape locks the ledger's row first, so such attempts run
//     one after the other.
//
// On Galera, where a lock is only valid on one node, attempts with the same text take turns (db/galera.go).
//
// A declined text is found by its digest, whichever player it names: a player with that name may have been created since. If a
// declined callback races with another reading, it has booked nothing.

// IDShapes are the shapes of IDs in the ledger, as this instance last read them.
type IDShapes struct {
	*models.IDShapes
	count   int64 // how many rows they have, according to the ledger's row
	retired bool  // a purge has archived postings
	crowded bool  // ranges of IDs contain too many unrelated ones
}

// signedTexts is what an attempt knows about the members' signed texts.
type signedTexts struct {
	stored   IDShapes         // in the ledger
	shapes   *models.IDShapes // those in the ledger, and the members' own
	added    []models.IDShape // to be stored
	ids      map[*Member][]models.TransactionID
	users    map[*Member][]models.UserID // names that other readings of the text could have
	named    map[models.UserID]int64     // the players who have one of these names
	names    map[int64]models.UserID     // the players' names, as far as they are known
	declined map[models.SignedDigest]models.Reading
	claims   []*Member // declined texts to be stored

	marks    ledgerMarks // of the latest lookup
	lookedUp bool        // together with the wallets' locks
}

// begin initializes s for an attempt with that many members, with the shapes that this instance remembers.
func (s *signedTexts) begin(known *atomic.Pointer[IDShapes], members int) {
	s.names, s.declined = make(map[int64]models.UserID, members), map[models.SignedDigest]models.Reading{}
	if remembered := known.Load(); remembered != nil {
		s.stored = *remembered
	} else {
		s.stored.IDShapes = models.NewIDShapes(nil)
	}
	s.shapes = s.stored.IDShapes
}

// Kinds of rows of the query in selectKnown.
const (
	rowTransaction = iota
	rowDeclinedText
	rowPlayer
	rowShapes
)

// loadPlatform reads the platform's transactions with these IDs, and everything needed to find other readings of the members'
// texts.
func (b *ledgerBatch) loadPlatform(ctx context.Context, tx transaction, members []*Member) error {
	s := &b.signed
	if b.galera {
		if err := b.takeTextTurns(ctx, tx, members); err != nil {
			return err
		}
	}
	if !s.lookedUp {
		if err := b.prepareShapes(ctx, tx, members); err != nil {
			return err
		}
	}
	for locked := false; ; s.lookedUp = false {
		if !s.lookedUp {
			q := b.stmt.Begin("")
			if err := q.Query(ctx, tx, b.selectKnown(q, members)); err != nil {
				return err
			}
		}
		if s.marks.found > mostFound(s.marks.members) && !s.stored.crowded {
			s.stored.crowded = true
			b.remember()
			continue
		}
		if s.marks.shapes >= 0 && s.marks.shapes != s.stored.count || s.marks.retired && !s.stored.retired {
			if err := b.readShapes(ctx, tx, members); err != nil {
				return err
			}
			continue
		}
		others := b.otherWallets()
		if locked || len(others) == 0 || b.dialect == db.SQLite {
			return b.nameOthers(ctx, tx, members)
		}
		q := b.stmt.Begin("SELECT player_id FROM wallets WHERE player_id IN (").Numbers(others).Text(") ORDER BY player_id").
			Text(b.dialect.ForShare())
		if err := q.Query(ctx, tx, func(*sql.Rows) error { return nil }); err != nil {
			return err
		}
		locked = true
	}
}

// looksUpAtOnce reports whether the members' transactions can be looked up in the packet that locks their wallets: all of them
// come from the platform, have shapes that this instance knows, and were not in an attempt of unknown outcome.
func (b *ledgerBatch) looksUpAtOnce(members []*Member) bool {
	b.signed.lookedUp = len(newShapes(b.signed.shapes, members)) == 0 && !slices.ContainsFunc(members, func(m *Member) bool {
		return m.Op.Source != models.SourcePlatform || m.unsure.Seq != 0 || m.settled
	})
	return b.signed.lookedUp
}

// prepareShapes locks the ledger's row and reads all shapes, if a member has one that this instance does not remember.
func (b *ledgerBatch) prepareShapes(ctx context.Context, tx transaction, members []*Member) error {
	s := &b.signed
	if len(newShapes(s.shapes, members)) == 0 {
		return nil
	}
	q := b.stmt.Begin("SELECT shapes FROM ledgers WHERE id = 1").Text(b.dialect.ForUpdate())
	if err := q.Query(ctx, tx, func(*sql.Rows) error { return nil }); err != nil {
		return err
	}
	return b.readShapes(ctx, tx, members)
}

// selectShapes excludes impossible lengths, so that a manipulated row cannot make whole batches fail.
var selectShapes = fmt.Sprintf("SELECT 0, 0, transaction_length, round_length, amount_first FROM id_shapes "+
	"WHERE transaction_length BETWEEN 0 AND %d AND round_length BETWEEN 0 AND %[1]d AND amount_first IN (0, 1) "+
	"UNION ALL SELECT 0, length, 0, 0, 0 FROM user_lengths WHERE length BETWEEN 1 AND %[1]d "+
	"UNION ALL SELECT 1, 0, shapes, retired, 0 FROM ledgers WHERE id = 1", models.MaxIDBytes)

// readShapes reads all shapes, remembers them, and adds the members' own.
func (b *ledgerBatch) readShapes(ctx context.Context, tx transaction, members []*Member) error {
	s := &b.signed
	var list []models.IDShape
	err := b.stmt.Begin(selectShapes).Query(ctx, tx, func(rows *sql.Rows) error {
		var marks, amount bool
		var user, first, second int64
		if err := rows.Scan(&marks, &user, &first, &second, &amount); err != nil {
			return err
		}
		if marks {
			s.stored.count, s.stored.retired = first, s.stored.retired || second != 0
		} else {
			list = append(list, models.IDShape{User: int(user), Transaction: int(first), Round: int(second), Amount: amount})
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.stored.IDShapes = models.NewIDShapes(list)
	b.remember()
	s.shapes = s.stored.IDShapes
	if more := newShapes(s.shapes, members); len(more) > 0 {
		s.shapes = s.shapes.With(more)
	}
	return nil
}

// remember keeps the shapes of the ledger for this instance's next attempts.
func (b *ledgerBatch) remember() {
	known := b.signed.stored
	b.known.Store(&known)
}

// newShapes returns the members' shapes that are not in shapes.
func newShapes(shapes *models.IDShapes, members []*Member) (list []models.IDShape) {
	for _, m := range members {
		if shape := m.Op.Shape(); !m.settled && m.Op.Source == models.SourcePlatform && !shapes.Has(shape) {
			list = append(list, shape)
		}
	}
	return list
}

// ledgerMarks are the columns of the ledger's row, how many members the query was for, and how many postings it found.
type ledgerMarks struct {
	shapes  int64
	retired bool
	members int
	found   int
}

// mostFound is how many postings an attempt may find before its ranges of IDs count as crowded. Each ID has one or two.
func mostFound(members int) int { return 4*members + 1000 }

// leastRange is how long the common prefix of IDs must be, in bytes, to look them up as a range.
const leastRange = 16

// selectKnown writes the query for transactions, declined texts, players and the number of shapes, and returns the function
// that reads its rows.
func (b *ledgerBatch) selectKnown(q *db.Statement, members []*Member) func(*sql.Rows) error {
	s := &b.signed
	s.ids, s.users, s.named = map[*Member][]models.TransactionID{}, map[*Member][]models.UserID{}, map[models.UserID]int64{}
	s.marks = ledgerMarks{shapes: -1, members: len(members)}
	var digests []models.SignedDigest
	var users, ids, ranges []string
	for _, m := range members {
		if m.settled || m.Op.Source != models.SourcePlatform {
			continue
		}
		if m.Op.Signed == "" {
			ids = append(ids, string(m.Op.TransactionID))
			continue
		}
		s.names[m.PlayerID] = m.Op.UserID
		others, named := s.shapes.OtherReadings(&m.Op)
		if len(others) > 0 {
			s.ids[m], s.users[m] = others, named
		}
		begin := ""
		if len(others) > 1 && b.dialect == db.MySQL && !s.stored.crowded {
			begin = beginsAlike(m.Op.TransactionID, others)
		}
		for _, id := range append(others, m.Op.TransactionID) {
			if begin == "" || !strings.HasPrefix(string(id), begin) {
				ids = append(ids, string(id))
			}
		}
		if begin != "" {
			ranges = append(ranges, begin)
		}
		for _, user := range named {
			users = append(users, string(user))
		}
		digests = append(digests, b.digest(m))
	}
	if len(ranges) == 0 {
		selectClaims(q, b.dialect, models.SourcePlatform, ids, s.stored.retired)
	} else {
		for i, table := range []string{"postings", "retired_postings"} {
			if i > 0 && !s.stored.retired {
				break
			}
			if i > 0 {
				q.Text(" UNION ALL ")
			}
			claimsIn(q.Text("("), b.dialect, table, models.SourcePlatform).Text("(")
			if len(ids) > 0 {
				q.Text("transaction_id IN (").Strings(ids).Text(") OR ")
			}
			for i, begin := range ranges {
				if i > 0 {
					q.Text(" OR ")
				}
				q.Text("transaction_id BETWEEN ").String(begin).Text(" AND ").String(begin + "\xff")
			}
			q.Text(") LIMIT ").Number(int64(mostFound(len(members)) + 1)).Text(")")
		}
	}
	if len(digests) > 0 {
		q.Text(" UNION ALL SELECT 1, 0, digest, kind, 0, '', user_length, transaction_length, 0, 0 FROM declined_texts " +
			"WHERE digest IN (").Digests(digests).Text(")")
	}
	if len(users) > 0 {
		slices.Sort(users)
		users = slices.Compact(users) // texts of players with similar names name the same others
		q.Text(" UNION ALL SELECT 2, id, user_id, 0, 0, '', 0, 0, 0, 0 FROM players WHERE user_id IN (").Strings(users).
			Text(")")
	}
	q.Text(" UNION ALL SELECT 3, shapes, '', retired, 0, '', 0, 0, 0, 0 FROM ledgers WHERE id = 1")
	return func(rows *sql.Rows) error { return b.scan(models.SourcePlatform, rows, &s.marks) }
}

// beginsAlike returns the prefix with which at least three of the IDs can be looked up as a range, or an empty string.
func beginsAlike(own models.TransactionID, others []models.TransactionID) string {
	shortest := ""
	for _, id := range append(others, own) {
		if len(id) >= leastRange && (shortest == "" || len(id) < len(shortest)) {
			shortest = string(id)
		}
	}
	alike := 0
	for _, id := range append(others, own) {
		if strings.HasPrefix(string(id), shortest) {
			alike++
		}
	}
	if shortest == "" || alike < 3 {
		return ""
	}
	return shortest
}

// digest returns the digest of m's text.
func (b *ledgerBatch) digest(m *Member) models.SignedDigest {
	if m.digest == (models.SignedDigest{}) {
		m.digest = b.chain.Signed(m.Op.Signed)
	}
	return m.digest
}

// scan reads a row of selectClaims or selectKnown into b. marks is nil for selectClaims.
func (b *ledgerBatch) scan(source models.Source, rows *sql.Rows, marks *ledgerMarks) error {
	var what, number, claim, first, second, at int64
	var id, round string
	var kind models.OperationKind
	var free bool
	err := rows.Scan(&what, &number, &id, &claim, (*uint8)(&kind), &round, &first, &second, &free, &at)
	if err != nil {
		return err
	}
	switch what {
	case rowDeclinedText:
		b.signed.declined[models.SignedDigest([]byte(id))] = models.Reading{Kind: models.OperationKind(claim),
			UserLength: int(first), TransactionLength: int(second)}
	case rowPlayer:
		b.signed.named[models.UserID(id)], b.signed.names[number] = number, models.UserID(id)
	case rowShapes:
		marks.shapes, marks.retired = number, claim != 0
	case rowTransaction:
		if marks != nil {
			marks.found++
		}
		if models.Claim(claim) == models.ClaimNone {
			b.tombstones[models.Tombstone{PlayerID: number, TransactionID: models.TransactionID(id)}] = true
			return nil
		}
		key := TransactionKey{source, models.TransactionID(id)}
		t := b.prior[key]
		if t == nil { // the postings that applied it and rolled it back have the same contents
			t = &models.Transaction{
				Source: source, TransactionID: key.ID, PlayerID: number, Kind: kind, RoundID: models.RoundID(round),
				Bet: models.Amount(first),
				Win: models.Amount(second), FreeSpin: free, State: models.Processed, At: db.FromMicros(at),
			}
			b.prior[key] = t
		}
		if models.Claim(claim) == models.ClaimRolledBack {
			t.State, t.ReversedAt = models.Reversed, db.FromMicros(at)
		} else {
			t.At = db.FromMicros(at)
		}
	}
	return nil
}

// Known returns the platform's transaction with this ID, or nil, and whether the player has a tombstone for it. Like an
// attempt, it includes what a purge has archived.
func Known(tx *gorm.DB, d db.Dialect, id models.TransactionID, playerID int64) (*models.Transaction, bool, error) {
	b := &ledgerBatch{prior: map[TransactionKey]*models.Transaction{}, tombstones: map[models.Tombstone]bool{}}
	var q db.Statement
	err := selectClaims(q.Begin(""), d, models.SourcePlatform, []string{string(id)}, true).
		Query(tx.Statement.Context, tx.Statement.ConnPool,
			func(rows *sql.Rows) error { return b.scan(models.SourcePlatform, rows, nil) })
	if err != nil {
		return nil, false, fmt.Errorf("look up a transaction: %w", err)
	}
	return b.prior[TransactionKey{models.SourcePlatform, id}],
		b.tombstones[models.Tombstone{PlayerID: playerID, TransactionID: id}], nil
}

// otherWallets returns the unlocked wallets of players whom a text with another transaction ID could name. A rollback needs no
// such locks while none of its other IDs has a transaction: another reading would be a rollback of an unknown transaction.
func (b *ledgerBatch) otherWallets() (list []int64) {
	for m, ids := range b.signed.ids {
		if m.aside || m.Op.Kind == models.Rollback && !slices.ContainsFunc(ids, func(id models.TransactionID) bool {
			return b.prior[TransactionKey{models.SourcePlatform, id}] != nil
		}) {
			continue
		}
		for _, user := range b.signed.users[m] {
			if number := b.signed.named[user]; number != 0 && b.wallets[number] == nil {
				list = append(list, number)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// nameOthers looks up the unknown names of players whose transactions could be other readings.
func (b *ledgerBatch) nameOthers(ctx context.Context, tx transaction, members []*Member) error {
	var unknown []int64
	for _, m := range members {
		for _, t := range b.candidates(m) {
			if _, other := m.Op.SignedAs(t); other && b.signed.names[t.PlayerID] == "" {
				unknown = append(unknown, t.PlayerID)
			}
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	q := b.stmt.Begin("SELECT id, user_id FROM players WHERE id IN (").Numbers(unknown).Text(")")
	return q.Query(ctx, tx, func(rows *sql.Rows) error {
		var id int64
		var user string
		err := rows.Scan(&id, &user)
		b.signed.names[id] = models.UserID(user)
		return err
	})
}
