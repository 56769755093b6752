package ledger

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// A signature must not be used for two readings of its text. models/signed.go explains which readings there are, and how an
// accepted one is found: by a transaction ID of another length that occurs in the ledger. This file looks them up for an attempt.
//
// The lengths are in the ledger's row (ledgers.id_lengths), which each attempt reads anyway. If there is only one, the query by
// transaction IDs has only the members' own, and nothing else is done.
//
// Why no race gets through. Assume that two attempts accept two readings of one text, with transaction IDs of lengths m and n.
//
//   - Each attempt locks the ledger's row, shared, until it ends, and accepts an ID only if its length is in that row. A new
//     length is added by a transaction of its own, which needs the row exclusively and so waits for all attempts under way
//     (addLengths). Say that n was added last, and A is the attempt with m. If A read the row before n was added, A had ended
//     before that, and the attempt with n began after it and finds what A has committed. Otherwise both attempts know both
//     lengths.
//   - If both name one player, the second waits for the wallet's lock, and then finds what the first has committed.
//   - If they name two players, both of these exist, and each attempt finds that the other's name is a player's: players are
//     created between attempts (AwaitAttempts). So each takes a turn for the text before it looks up: it inserts the text's
//     digest into text_turns and deletes it again. The second waits there until the first has ended. A rollback with other IDs
//     takes a turn whoever else it could name.
//   - Readings of one text with transaction IDs of one length have the same ID, so the unique key refuses the second.
//
// SQLite has one writer at a time. On Galera, locks are only valid on one node, but keys that two nodes write are checked. So
// there every attempt takes turns, whatever the lengths (db/galera.go).
//
// No wallet but a member's own is locked. A declined text is found by its digest, whichever player it names. If a declined
// callback races with another reading, it has booked nothing.

// ledgerRow is what an attempt needs of the ledger's row.
type ledgerRow struct {
	text    string // the lengths of transaction IDs, each followed by a blank
	lengths []int
	crowded bool // a range of IDs had many unrelated ones, so each ID is looked up by itself
}

func newLedgerRow(text string) *ledgerRow {
	row := &ledgerRow{text: text}
	for field := range strings.FieldsSeq(text) {
		// Impossible lengths are left out, so that a manipulated row cannot make whole batches fail.
		if n, err := strconv.Atoi(field); err == nil && n > 0 && n <= models.MaxIDBytes {
			row.lengths = append(row.lengths, n)
		}
	}
	return row
}

// newLengths is the error of an attempt that would accept transaction IDs of lengths that are not in the ledger's row. It has
// written nothing and is repeated once they are.
type newLengths []int

func (n newLengths) Error() string { return fmt.Sprint("transaction IDs of new lengths: ", []int(n)) }

// addLengths adds lengths to the ledger's row. It waits for all attempts under way, and attempts that begin later wait for it.
func (s *Store) addLengths(ctx context.Context, lengths []int) error {
	for _, n := range lengths {
		number := strconv.Itoa(n)
		_, err := s.db.Pools.Write.ExecContext(ctx, "UPDATE ledgers SET id_lengths = CONCAT(id_lengths, ?) "+
			"WHERE id = 1 AND CONCAT(' ', id_lengths) NOT LIKE ?", number+" ", "% "+number+" %")
		if err != nil {
			return fmt.Errorf("add a length of transaction IDs: %w", err)
		}
	}
	return nil
}

// signedTexts is what an attempt knows about the members' signed texts.
type signedTexts struct {
	row      *ledgerRow // as this instance last read it
	read     bool       // the row has been read and locked
	others   map[*Member][]models.TransactionID
	names    map[int64]models.UserID // of players, as far as they are known
	players  map[models.UserID]bool  // names in the members' texts that are a player's
	turns    map[*Member]bool        // who has taken a turn
	declined map[models.SignedDigest]models.Reading
	claims   []*Member // declined texts to be stored
	added    newLengths
	found    int // postings of the latest lookup
	most     int // how many of them ranges of IDs may find; 0 if there are no ranges
}

// leastRange is how many bytes the IDs of a range have in common at least. They come from one text, so each is the beginning of
// the next longer one.
const leastRange = 16

// rangeOf returns the range of the IDs that begin with the shortest of them, if that is long enough and there are at least
// three, and the other IDs. Estimating a range costs MariaDB less than a dozen lookups.
func rangeOf(ids []models.TransactionID) (r idRange, alone []string) {
	shortest := slices.MinFunc(ids, func(x, y models.TransactionID) int { return len(x) - len(y) })
	r.from = string(shortest)
	alike := 0
	for _, id := range ids {
		if s := string(id); strings.HasPrefix(s, r.from) {
			r.to = max(r.to, s)
			alike++
		} else {
			alone = append(alone, s)
		}
	}
	if alike < 3 || len(r.from) < leastRange {
		r, alone = idRange{}, nil
		for _, id := range ids {
			alone = append(alone, string(id))
		}
	}
	return r, alone
}

// crowd reports whether the ranges found more than IDs of one text can have. The lookups are then repeated without ranges, by
// this instance from now on.
func (b *ledgerBatch) crowd() bool {
	s := &b.signed
	if s.most == 0 || s.found <= s.most {
		return false
	}
	row := *s.row
	row.crowded = true
	s.row = &row
	b.known.Store(s.row)
	return true
}

// lookup is a statement of an attempt, and the function that reads its rows, if it has any.
type lookup struct {
	write func(q *db.Statement)
	scan  func(*sql.Rows) error
}

// loadPlatform reads what is known about the platform's transaction IDs and signed texts of the members. first are the lookups
// that were sent with the wallets' locks, if any.
func (b *ledgerBatch) loadPlatform(ctx context.Context, tx transaction, members []*Member) error {
	for !b.signed.read || b.crowd() || b.takesTurns(members) {
		b.signed.read = true // unless the row has changed
		for _, l := range b.lookups(members) {
			l.write(b.stmt.Begin(""))
			var err error
			if l.scan == nil {
				err = b.stmt.Exec(ctx, tx)
			} else {
				err = b.stmt.Query(ctx, tx, l.scan)
			}
			if err != nil {
				return err
			}
		}
	}
	return b.nameOthers(ctx, tx, members)
}

// lookups returns the statements that lock the ledger's row, take turns, and look up what is known about the members' IDs and
// texts. If the row has changed, b.signed.read is false afterwards, and they have to be repeated.
func (b *ledgerBatch) lookups(members []*Member) (list []lookup) {
	s := &b.signed
	s.others, s.found, s.most = map[*Member][]models.TransactionID{}, 0, 0
	var ids, names []string
	var ranges []idRange
	var digests, turns []models.SignedDigest
	for _, m := range members {
		if m.settled || m.Op.Source != models.SourcePlatform {
			continue
		}
		if m.Op.Signed == "" {
			ids = append(ids, string(m.Op.TransactionID))
			continue
		}
		digests = append(digests, b.digest(m))
		if m.Op.Kind == models.Rollback && len(m.Op.Signed) <= models.MaxIDBytes {
			names = append(names, m.Op.Signed)
		}
		others := m.Op.OtherIDs(s.row.lengths)
		if len(others) > 0 {
			s.others[m] = others
			for _, user := range m.Op.OtherUsers() {
				names = append(names, string(user))
			}
		}
		all := append(slices.Clone(others), m.Op.TransactionID)
		if r, alone := rangeOf(all); r.from != "" && b.dialect == db.MySQL && !s.row.crowded {
			ranges, ids = append(ranges, r), append(ids, alone...)
		} else {
			for _, id := range all {
				ids = append(ids, string(id))
			}
		}
		if b.galera || b.waitsForOthers(m) {
			s.turns[m] = true
			turns = append(turns, b.digest(m))
		}
	}
	if len(ids) == 0 && len(ranges) == 0 {
		return nil
	}
	if len(ranges) > 0 {
		s.most = 4*len(members) + 1000 // each ID has one or two postings
	}
	add := func(write func(*db.Statement), scan func(*sql.Rows) error) { list = append(list, lookup{write, scan}) }
	add(func(q *db.Statement) {
		// A freeze is written while no attempt holds this row, so this attempt finds each one that was committed before it.
		q.Text("SELECT id_lengths, EXISTS (SELECT 1 FROM restrictions WHERE subject = ").Number(int64(models.OfHouse)).
			Text(" AND state <> ").Number(int64(models.ApprovalApproved)).Text(") FROM ledgers WHERE id = 1").
			Text(b.dialect.ForShare())
	}, b.scanRow)
	if len(turns) > 0 {
		slices.SortFunc(turns, func(x, y models.SignedDigest) int { return bytes.Compare(x[:], y[:]) }) // against deadlocks
		turns = slices.Compact(turns)
		add(func(q *db.Statement) {
			q.Text("INSERT INTO text_turns (digest) VALUES ")
			for i, d := range turns {
				q.Row(i)
				q.Digest(d).Text(")")
			}
			q.Text(b.dialect.OnConflict("digest")).Text("digest = text_turns.digest")
		}, nil)
		add(func(q *db.Statement) { q.Text("DELETE FROM text_turns WHERE digest IN (").Digests(turns).Text(")") }, nil)
	}
	add(func(q *db.Statement) {
		selectClaims(q, b.dialect, models.SourcePlatform, ids, ranges)
		if s.most > 0 {
			q.Text(" LIMIT ").Number(int64(s.most + 1))
		}
	},
		func(rows *sql.Rows) error {
			s.found++
			return b.scan(models.SourcePlatform, rows)
		})
	if len(digests) > 0 {
		add(func(q *db.Statement) {
			q.Text("SELECT digest, kind, user_length, transaction_length FROM declined_texts WHERE digest IN (").
				Digests(digests).Text(")")
		}, b.scanDeclined)
	}
	if len(names) > 0 {
		slices.Sort(names)
		names = slices.Compact(names) // texts of players with similar names name the same others
		add(func(q *db.Statement) {
			q.Text("SELECT user_id FROM players WHERE user_id IN (").Strings(names).Text(")")
		}, func(rows *sql.Rows) error {
			var user string
			err := rows.Scan(&user)
			s.players[models.UserID(user)] = true
			return err
		})
	}
	return list
}

// waitsForOthers reports whether another attempt may accept another reading of m's text at the same time, for another player.
func (b *ledgerBatch) waitsForOthers(m *Member) bool {
	if b.dialect == db.SQLite || len(b.signed.others[m]) == 0 {
		return false
	}
	return m.Op.Kind == models.Rollback ||
		slices.ContainsFunc(m.Op.OtherUsers(), func(user models.UserID) bool { return b.signed.players[user] })
}

// takesTurns reports whether a member has to take a turn that it has not taken, because the text names another player. The
// lookups are then repeated.
func (b *ledgerBatch) takesTurns(members []*Member) bool {
	return slices.ContainsFunc(members, func(m *Member) bool { return !b.signed.turns[m] && b.waitsForOthers(m) })
}

// AwaitAttempts waits until all attempts under way have ended, and lets no other begin until the transaction ends. It is the last
// step of creating players, so that no attempt misses a player whom a text can name.
func (s *Store) AwaitAttempts(tx *gorm.DB) error {
	if err := tx.Exec("SELECT id FROM ledgers WHERE id = 1" + s.db.Dialect.ForUpdate()).Error; err != nil {
		return fmt.Errorf("wait for attempts: %w", err)
	}
	return nil
}

// scanRow reads the ledger's row. If it has changed, this instance remembers it, and the lookups have to be repeated.
func (b *ledgerBatch) scanRow(rows *sql.Rows) error {
	var text sql.RawBytes
	if err := rows.Scan(&text, &b.frozen); err != nil {
		return err
	}
	s := &b.signed
	if string(text) != s.row.text {
		s.row, s.read = newLedgerRow(string(text)), false
		b.known.Store(s.row)
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
		b.signed.declined[models.SignedDigest(digest)] = r
	}
	return nil
}

// digest returns the digest of m's text.
func (b *ledgerBatch) digest(m *Member) models.SignedDigest {
	if m.digest == (models.SignedDigest{}) {
		m.digest = b.chain.Signed(m.Op.Signed)
	}
	return m.digest
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
	err := selectClaims(q.Begin(""), d, models.SourcePlatform, []string{string(id)}, nil).
		Query(tx.Statement.Context, tx.Statement.ConnPool,
			func(rows *sql.Rows) error { return b.scan(models.SourcePlatform, rows) })
	if err != nil {
		return nil, false, fmt.Errorf("look up a transaction: %w", err)
	}
	return b.prior[TransactionKey{models.SourcePlatform, id}],
		b.tombstones[models.Tombstone{PlayerID: playerID, TransactionID: id}], nil
}

// otherReading is something accepted that m's text would be if its player had that name.
type otherReading struct {
	player int64
	user   models.UserID
	of     string // in words
}

// otherReadings returns what may have been accepted with other readings of m's text.
func (b *ledgerBatch) otherReadings(m *Member) (list []otherReading) {
	for _, id := range b.signed.others[m] {
		if t := b.prior[TransactionKey{models.SourcePlatform, id}]; t != nil {
			if user := m.Op.SignedAs(t); user != "" {
				list = append(list, otherReading{t.PlayerID, user, "transaction " + shortened(string(id))})
			}
		}
		for t := range b.tombstones {
			if user, ok := strings.CutSuffix(m.Op.Signed, string(id)); ok && user != "" && t.TransactionID == id {
				list = append(list, otherReading{t.PlayerID, models.UserID(user), "a rollback of " + shortened(string(id))})
			}
		}
	}
	return list
}

// nameOthers looks up the unknown names of players whose transactions could be other readings.
func (b *ledgerBatch) nameOthers(ctx context.Context, tx transaction, members []*Member) error {
	var unknown []int64
	for _, m := range members {
		b.signed.names[m.PlayerID] = m.Op.UserID
	}
	for _, m := range members {
		for _, other := range b.otherReadings(m) {
			if b.signed.names[other.player] == "" {
				unknown = append(unknown, other.player)
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

// reused reports whether m's signature was used for another reading of its text, accepted or declined, and sets m.cause. An
// exact repeat of an accepted callback is not reused: it books nothing.
func (b *ledgerBatch) reused(m *Member) bool {
	if m.Op.Signed == "" {
		return false
	}
	if t := b.prior[TransactionKey{models.SourcePlatform, m.Op.TransactionID}]; t != nil && t.SameContents(m.PlayerID, m.Op) {
		return false
	}
	for _, other := range b.otherReadings(m) {
		// An erased player had this name, or a name that ends the text in the same way, which does not happen by chance.
		if name := b.signed.names[other.player]; name == other.user || name == models.ErasedName(other.player) {
			m.cause = "the signature was used before, for " + other.of
			return true
		}
	}
	if m.Op.Kind == models.Rollback && b.signed.players[models.UserID(m.Op.Signed)] {
		m.cause = "the signature may be from a GetBalance: userID and transactionID together are the name of a player"
		return true
	}
	r, known := b.signed.declined[b.digest(m)]
	// If its own transaction ID is known, the callback books nothing whatever the endpoint, and the platform expects result 11
	// or 9.
	if own := m.Op.Reading(); known && r != own &&
		!(r.UserLength == own.UserLength && r.TransactionLength == own.TransactionLength && b.seen(m)) {
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

// seen reports whether m's transaction ID was applied, or has a tombstone.
func (b *ledgerBatch) seen(m *Member) bool {
	return b.prior[TransactionKey{m.Op.Source, m.Op.TransactionID}] != nil ||
		b.tombstones[models.Tombstone{PlayerID: m.PlayerID, TransactionID: m.Op.TransactionID}]
}

// shortened returns an ID for use in a sentence.
func shortened(id string) string {
	const most = 160
	if len(id) <= most {
		return id
	}
	return strings.ToValidUTF8(id[:most], "") + "..."
}

// note keeps what later readings of m's text will be compared with: the length of its ID or, if it was declined, its text.
func (b *ledgerBatch) note(m *Member, o *models.Outcome, prior *models.Transaction) {
	if m.Op.Source != models.SourcePlatform {
		return
	}
	s := &b.signed
	switch {
	case o.Process || o.Tombstone:
		if n := len(m.Op.TransactionID); !slices.Contains(s.row.lengths, n) && !slices.Contains(s.added, n) {
			s.added = append(s.added, n)
		}
	case m.Op.Signed == "" || o.Reverse || m.Op.Kind == models.Rollback && o.Decline == models.RolledBack:
	case prior != nil && prior.SameContents(m.PlayerID, m.Op):
	default:
		if _, known := s.declined[b.digest(m)]; !known {
			s.declined[b.digest(m)] = m.Op.Reading()
			s.claims = append(s.claims, m)
		}
	}
}

// withLengths makes an attempt, and repeats it after adding the lengths that it needs.
func (s *Store) withLengths(ctx context.Context, attempt func() error) error {
	for {
		err := attempt()
		var missing newLengths
		if !errors.As(err, &missing) {
			return err
		}
		if err := s.addLengths(ctx, missing); err != nil {
			return err
		}
	}
}
