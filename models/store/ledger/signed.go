package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// One sign, one reading: models/signed.go says what that means, and why what was accepted tells its text. This is how an
// attempt finds it.
//
// The statement that looks up the members' transactionIDs looks up those of other readings too, and asks how many shapes there
// are, so that a bet costs no further round trip. Where all IDs have one length, no member has another ID to look for.
//
// Where their lengths differ, a text can be cut in many places, and the IDs that come of it begin alike: they are looked for as
// one range of the index, from the shortest on. Where such ranges turn out to hold many IDs that have nothing to do with it,
// each is looked for by itself from then on.
//
// Why no race gets through. Two readings of one text are accepted by two attempts, and
//
//   - they name the same player: the wallet's lock comes first, so the second finds what the first has committed.
//   - they have the same transactionID: the unique key refuses one.
//   - they name two players and have two transactionIDs: an attempt that has another ID to look for also looks up who else the
//     text could name, and locks those wallets before it looks again. Whoever comes second waits there. A shared lock keeps
//     their owners' attempts away and lets others pass that share it: short names are named by the texts of many.
//   - one of them has a shape that this instance has not heard of: the shape was committed with the first of its kind, so their
//     number tells, and the attempt reads all shapes and looks again. An attempt with a shape that nobody has had yet locks the
//     ledger's row first, so two such attempts follow one another.
//
// On Galera, where a lock is of one node, attempts with one text take turns (db/galera.go).
//
// A declined text is looked for by its digest, whoever is named: a player of that name may have come since. A declined callback
// that races another reading has booked nothing.

// IDShapes is what an instance remembers of the ledger's row and of the shapes.
type IDShapes struct {
	*models.IDShapes
	count   int64 // by the ledger's row
	retired bool  // something was purged
	crowded bool  // ranges of IDs hold too many others
}

// signedTexts is what an attempt knows of its members' texts.
type signedTexts struct {
	stored   IDShapes         // the ledger's
	shapes   *models.IDShapes // and the members' own
	added    []models.IDShape // to be written
	ids      map[*Member][]models.TransactionID
	users    map[*Member][]models.UserID // whom the texts could name
	named    map[models.UserID]int64     // the players among these whom the texts could name
	names    map[int64]models.UserID     // what players are called, as far as it is known here
	declined map[models.SignedDigest]models.Reading
	claims   []*Member // declined, and not known yet
}

// Kinds of rows of the statement that looks up the platform's transactions.
const (
	rowTransaction = iota
	rowDeclinedText
	rowPlayer
	rowShapes
)

// loadPlatform reads the platform's transactions that have one of these IDs, and what else there is to know of the members'
// texts.
func (b *ledgerBatch) loadPlatform(ctx context.Context, tx transaction, ids []string, members []*Member) error {
	if len(ids) == 0 {
		return nil
	}
	s := &b.signed
	s.names, s.declined = make(map[int64]models.UserID, len(members)), map[models.SignedDigest]models.Reading{}
	if b.galera {
		if err := b.takeTextTurns(ctx, tx, members); err != nil {
			return err
		}
	}
	if err := b.prepareShapes(ctx, tx, members); err != nil {
		return err
	}
	for locked := false; ; {
		s.ids, s.users, s.named = map[*Member][]models.TransactionID{}, map[*Member][]models.UserID{}, map[models.UserID]int64{}
		marks := ledgerMarks{shapes: -1}
		if err := b.lookUp(ctx, tx, members, &marks); err != nil {
			return err
		}
		if marks.found > mostFound(len(members)) && !s.stored.crowded {
			s.stored.crowded = true
			b.remember()
			continue
		}
		if marks.shapes >= 0 && marks.shapes != s.stored.count || marks.retired && !s.stored.retired {
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

// prepareShapes takes the shapes that are known to this instance, and where a member has another, the turn to add it.
func (b *ledgerBatch) prepareShapes(ctx context.Context, tx transaction, members []*Member) error {
	s := &b.signed
	if known := b.known.Load(); known != nil {
		s.stored = *known
	} else {
		s.stored.IDShapes = models.NewIDShapes(nil)
	}
	s.shapes = s.stored.IDShapes
	if len(newShapes(s.shapes, members)) == 0 {
		return nil
	}
	q := b.stmt.Begin("SELECT shapes FROM ledgers WHERE id = 1").Text(b.dialect.ForUpdate())
	if err := q.Query(ctx, tx, func(*sql.Rows) error { return nil }); err != nil {
		return err
	}
	return b.readShapes(ctx, tx, members)
}

// possibleShapes leaves out what no ID has: a row that somebody puts into the table must not end the callbacks of a whole
// batch.
var possibleShapes = fmt.Sprintf(" WHERE transaction_length BETWEEN 0 AND %d AND round_length BETWEEN 0 AND %[1]d "+
	"AND amount_first IN (0, 1)", models.MaxIDBytes)

// readShapes reads all shapes, remembers them for this instance, and adds those of the members.
func (b *ledgerBatch) readShapes(ctx context.Context, tx transaction, members []*Member) error {
	s := &b.signed
	var list []models.IDShape
	q := b.stmt.Begin("SELECT 0, transaction_length, round_length, amount_first FROM id_shapes" + possibleShapes +
		" UNION ALL SELECT 1, shapes, retired, 0 FROM ledgers WHERE id = 1")
	err := q.Query(ctx, tx, func(rows *sql.Rows) error {
		var marks bool
		var first, second int64
		var amount bool
		if err := rows.Scan(&marks, &first, &second, &amount); err != nil {
			return err
		}
		if marks {
			s.stored.count, s.stored.retired = first, s.stored.retired || second != 0
		} else {
			list = append(list, models.IDShape{Transaction: int(first), Round: int(second), Amount: amount})
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

// remember keeps for this instance what the attempt knows of the ledger's shapes.
func (b *ledgerBatch) remember() {
	known := b.signed.stored
	b.known.Store(&known)
}

// newShapes are those of the members that are not among shapes.
func newShapes(shapes *models.IDShapes, members []*Member) (list []models.IDShape) {
	for _, m := range members {
		if shape := m.Op.Shape(); !m.settled && m.Op.Source == models.SourcePlatform && !shapes.Has(shape) {
			list = append(list, shape)
		}
	}
	return list
}

// ledgerMarks is what the ledger's row says, and how many postings were found.
type ledgerMarks struct {
	shapes  int64
	retired bool
	found   int
}

// mostFound is how many postings an attempt may find before its ranges of IDs are too wide: each ID has one, or two.
func mostFound(members int) int { return 4*members + 1000 }

// leastRange is how many bytes IDs must have in common to be looked for as a range.
const leastRange = 16

// lookUp runs the statement that looks up transactions, declined texts, players and the number of shapes.
func (b *ledgerBatch) lookUp(ctx context.Context, tx transaction, members []*Member, marks *ledgerMarks) error {
	s := &b.signed
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
	q := b.stmt.Begin("")
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
		q.Text(" UNION ALL SELECT 2, id, user_id, 0, 0, '', 0, 0, 0, 0 FROM players WHERE user_id IN (").Strings(users).
			Text(")")
	}
	q.Text(" UNION ALL SELECT 3, shapes, '', retired, 0, '', 0, 0, 0, 0 FROM ledgers WHERE id = 1")
	return q.Query(ctx, tx, func(rows *sql.Rows) error { return b.scan(models.SourcePlatform, rows, marks) })
}

// beginsAlike returns the shortest of some IDs that is long enough to be looked for as the beginning of others, if there are
// any.
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

// digest identifies m's text.
func (b *ledgerBatch) digest(m *Member) models.SignedDigest {
	if m.digest == (models.SignedDigest{}) {
		m.digest = b.chain.Signed(m.Op.Signed)
	}
	return m.digest
}

// scan takes in a row of the statement that looks up transactions.
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
		if t == nil { // the posting that applied it and the one that rolled it back tell the same
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

// Known returns the platform's transaction of this ID, nil where there is none, and whether the player's rollback of it came
// first: as an attempt would find them, what a purge has archived among them.
func Known(tx *gorm.DB, d db.Dialect, id models.TransactionID, playerID int64) (*models.Transaction, bool, error) {
	b := &ledgerBatch{prior: map[TransactionKey]*models.Transaction{}, tombstones: map[models.Tombstone]bool{}}
	var q db.Statement
	err := selectClaims(q.Begin(""), d, models.SourcePlatform, []string{string(id)}, true).
		Query(tx.Statement.Context, tx.Statement.ConnPool,
			func(rows *sql.Rows) error { return b.scan(models.SourcePlatform, rows, nil) })
	if err != nil {
		return nil, false, fmt.Errorf("look a transaction up: %w", err)
	}
	return b.prior[TransactionKey{models.SourcePlatform, id}],
		b.tombstones[models.Tombstone{PlayerID: playerID, TransactionID: id}], nil
}

// otherWallets are those of players whom a text could name that has another transactionID to look for, as far as they are not
// locked. A rollback has none to fear while nobody has such a transaction: another reading of it would be a rollback of
// nothing.
func (b *ledgerBatch) otherWallets() (list []int64) {
	for m, ids := range b.signed.ids {
		if m.Op.Kind == models.Rollback && !slices.ContainsFunc(ids, func(id models.TransactionID) bool {
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

// nameOthers looks up what the players are called whose transactions could be other readings.
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

// candidates are the transactions that could be readings of m's text.
func (b *ledgerBatch) candidates(m *Member) (list []*models.Transaction) {
	if m.settled || m.Op.Signed == "" {
		return nil
	}
	if t := b.prior[TransactionKey{models.SourcePlatform, m.Op.TransactionID}]; t != nil {
		list = append(list, t)
	}
	for _, id := range b.signed.ids[m] {
		if t := b.prior[TransactionKey{models.SourcePlatform, id}]; t != nil {
			list = append(list, t)
		}
	}
	return list
}

// reused reports whether m's text was accepted with another reading, or declined with one, and notes which. What was accepted
// itself is not: its repeat books nothing, whatever others have made of its text.
func (b *ledgerBatch) reused(m *Member) bool {
	if m.Op.Signed == "" {
		return false
	}
	if t := b.prior[TransactionKey{models.SourcePlatform, m.Op.TransactionID}]; t != nil && t.SameContents(m.PlayerID, m.Op) {
		return false
	}
	s := &b.signed
	for _, t := range b.candidates(m) {
		user, other := m.Op.SignedAs(t)
		// Who was erased had this name, or one that ends the text in the same way, which does not happen by chance.
		if name := s.names[t.PlayerID]; other && (name == user || name == models.ErasedName(t.PlayerID)) {
			m.cause = "the sign came before, for transaction " + shortened(string(t.TransactionID))
			return true
		}
	}
	for _, id := range s.ids[m] {
		user, ok := strings.CutSuffix(m.Op.Signed, string(id))
		if player := s.named[models.UserID(user)]; ok && player != 0 &&
			b.tombstones[models.Tombstone{PlayerID: player, TransactionID: id}] {
			m.cause = "the sign came before, for a rollback of " + shortened(string(id))
			return true
		}
	}
	if m.Op.Kind == models.Rollback && s.named[models.UserID(m.Op.Signed)] != 0 {
		m.cause = "the sign may be that of a GetBalance: userID and transactionID together name a player"
		return true
	}
	r, known := s.declined[b.digest(m)]
	// Under an ID that is known already nothing is booked whatever the endpoint, and the platform is owed its answer: 11, or 9.
	if own := m.Op.Reading(); known && r != own &&
		!(r.UserLength == own.UserLength && r.TransactionLength == own.TransactionLength && b.seen(m)) {
		m.cause = fmt.Sprintf("the sign came before, for a %s that booked nothing", models.CallbackKind(r.Kind))
		return true
	}
	return false
}

// seen reports whether the transactionID of m was applied, or rolled back before it came.
func (b *ledgerBatch) seen(m *Member) bool {
	return b.prior[TransactionKey{m.Op.Source, m.Op.TransactionID}] != nil ||
		b.tombstones[models.Tombstone{PlayerID: m.PlayerID, TransactionID: m.Op.TransactionID}]
}

// shortened is an ID within a sentence.
func shortened(id string) string {
	const most = 160
	if len(id) <= most {
		return id
	}
	return strings.ToValidUTF8(id[:most], "") + "..."
}

// note keeps what m leaves behind for later readings of its text: the shape of its IDs, or its text, where it was declined.
func (b *ledgerBatch) note(m *Member, o *models.Outcome, prior *models.Transaction) {
	if m.Op.Source != models.SourcePlatform {
		return
	}
	s := &b.signed
	switch {
	case o.Process || o.Tombstone:
		if shape := m.Op.Shape(); !s.stored.Has(shape) && !slices.Contains(s.added, shape) {
			s.added = append(s.added, shape)
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
