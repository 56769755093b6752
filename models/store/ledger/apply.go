package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"pitboss/models"
	"pitboss/models/store/db"
)

// The money path. An attempt settles operations in one database transaction: it locks their wallets, looks up what is known
// about them, has models.Decide decide each against the state after the ones before it, inserts postings, updates wallets and
// commits. group_commit.go says which operations share an attempt, and afterFailure what happens when one fails.
//
// After an attempt without an answer, the next one locks the same wallets, which waits until the first has ended, and looks for
// the postings that the first would have written, by their hashes (resolve). db/galera.go says why that is final on a cluster,
// too.

// member is an operation in an attempt, with its state across attempts.
type member struct {
	op      models.Operation
	digest  models.SignedDigest // of its signed text; zero if it has none
	result  models.Result
	wrote   mark   // what the current attempt wrote
	lost    []mark // what earlier attempts of unknown outcome wrote
	compare bool   // an attempt met a duplicate key: the next one looks first for what left this text
	counts  int64  // the client whose sums of the day the operation may change (client_cash.go), or 0
	more    More   // if set, the member is alone in its attempt, and more runs again in each
}

// caller waits for an operation on the wallet whose number is its key.
type caller = request[member]

// mark is what an attempt wrote for a member. Its hash covers the time, the contents and all earlier lines of the wallet, so a
// line with this hash proves that this attempt was committed.
type mark struct {
	last   int64 // sequence number of the last line; 0 if there is none
	spin   bool
	hash   models.Hash
	result models.Result
}

// attempt settles callers, either all patient or none. It leaves out those who are not patient and whose wallet another
// transaction has locked. After an error, only callers whom an earlier attempt has settled are; if the outcome of the commit is
// unknown, each keeps the mark that the next attempt has to look for.
//
// COMMIT is executed as a plain statement, in one packet with what it commits if the database allows that. So ctx limits the
// wait for its answer; sql.Tx.Commit would wait as long as a silent connection lasts.
func (s *Store) attempt(ctx context.Context, group []*caller) (err error) {
	began, ended := time.Now(), errors.New("the attempt panicked")
	defer func() {
		s.meter.size.Observe(float64(len(group)))
		s.meter.seconds.Observe(time.Since(began).Seconds())
		s.writable.note(group, ended)
	}()
	conn, err := s.begin(ctx)
	if err != nil {
		ended = err
		return err
	}
	committing := false
	defer func() {
		if ended != nil { // even after a panic: the next user of the connection must not commit what this attempt has written
			s.keepMarks(group, ended, committing)
			abandon(ctx, conn)
		}
		conn.Close()
	}()
	packet := &db.Packet{Tx: conn, Together: s.db.Together()}
	err = s.transact(ctx, packet, group)
	if c := group[0]; err == nil && c.asks.more != nil && !c.settled {
		if err = packet.Send(ctx); err == nil {
			err = s.writeMore(ctx, conn, &c.asks)
		}
	}
	if err == nil {
		packet.Add("COMMIT")
		committing = true
		err = packet.Send(ctx)
	}
	ended = err
	return err
}

// keepMarks keeps what the next attempt has to know about one that failed. After a duplicate key, it looks first for what left
// these texts. If COMMIT was sent, the transaction may have been committed, such as when the connection was lost: then it looks
// for what this attempt would have written. After a deadlock or a duplicate key nothing was committed, except on Galera, where
// not even a deadlock is certain (db/galera.go).
func (s *Store) keepMarks(group []*caller, err error, committing bool) {
	duplicate := db.IsDuplicate(err)
	unsure := committing && (s.db.Galera() || db.MySQLNumber(err) != db.MySQLDeadlock && !duplicate)
	for _, c := range group {
		m := &c.asks
		m.compare = m.compare || duplicate
		if unsure && !c.aside && m.wrote.last != 0 {
			m.lost, c.unsure = append(m.lost, m.wrote), true
		}
	}
}

// afterFailure decides what happens to callers whose attempt has failed for the try-th time.
func (s *Store) afterFailure(group []*caller, err error, try int) (next step) {
	patient, alone := group[0].patient, len(group) == 1
	contention, duplicate := db.IsContention(err), db.IsDuplicate(err)
	waited := db.MySQLNumber(err) == db.MySQLLockWait // the lock wait has taken enough time
	switch {
	case db.IsDown(err), s.db.Dialect == db.SQLite && contention: // affects every group equally
		next = again
	case (contention || duplicate) && try == 0 && !waited:
		next = again
	case patient && alone && (contention || duplicate && try < 20):
		next = again
	case !patient && (contention || duplicate || !alone):
		next = setAside
	case alone:
		return fail
	default:
		next = apart
	}
	s.db.Retries.Count("operations", err)
	return next
}

// transact decides callers in order, and adds what is to be written to the packet, which its caller sends. Results are valid
// only once the transaction has been committed.
func (s *Store) transact(ctx context.Context, packet *db.Packet, group []*caller) error {
	b := &settlement{
		at:          s.db.Now(), // before the wallets are locked, so lines of a wallet may be dated a lock wait apart
		grantedOnly: s.db.GrantedOnly, texts: &s.texts, chain: s.db.Chain, packet: packet,
		settling:   make([]*caller, 0, len(group)),
		wallets:    make(map[int64]*lockedWallet, len(group)),
		prior:      make(map[TransactionKey]*models.Transaction, len(group)),
		tombstones: map[models.Tombstone]bool{},
		accepted:   make(map[models.SignedDigest]acceptedText, len(group)),
		declined:   map[models.SignedDigest]models.Reading{},
		moved:      map[moved]models.Amount{},
		postings:   make([]models.Posting, 0, len(group)),
	}
	if err := b.lockAndLookUp(ctx, group); err != nil {
		return fmt.Errorf("lock wallets or look up transactions: %w", err)
	}
	unsure, cash := false, false
	for _, c := range group {
		if c.aside = !c.patient && b.wallets[c.key] == nil && s.db.Dialect == db.MySQL; !c.aside {
			b.settling = append(b.settling, c)
			unsure, cash = unsure || len(c.asks.lost) > 0, cash || c.asks.op.Source == models.SourceClient
		}
	}
	if unsure {
		if err := b.resolve(ctx); err != nil {
			return fmt.Errorf("look for an earlier attempt: %w", err)
		}
	}
	if cash {
		if err := b.loadMoved(ctx); err != nil {
			return err
		}
	}
	for _, c := range b.settling {
		if !c.settled {
			b.decide(c.key, &c.asks)
		}
	}
	if len(b.idle) > 0 {
		if err := b.compareIdle(ctx); err != nil {
			return err
		}
	}
	b.write()
	return nil
}

// settlement is the state of one attempt: what was looked up, how the decisions have changed it, and what is to be written.
type settlement struct {
	packet      *db.Packet
	texts       *texts
	chain       *models.Chain
	grantedOnly bool
	frozen      bool // a restriction of the house is in effect
	at          time.Time
	settling    []*caller
	wallets     map[int64]*lockedWallet
	prior       map[TransactionKey]*models.Transaction
	tombstones  map[models.Tombstone]bool
	accepted    map[models.SignedDigest]acceptedText   // texts that left a posting
	declined    map[models.SignedDigest]models.Reading // texts that left none
	idle        []*member                              // members with a text that leave no posting
	claims      []*member                              // those of them whose text is to be stored as declined

	moved    map[moved]models.Amount // what clients have moved today
	movedNow []moved                 // the sums to be written

	dirty    []*lockedWallet
	rare     bool // cash, or a wallet with limits: held amounts and sums are to be written
	postings []models.Posting
	spins    []models.SpinEntry
}

// lockAndLookUp locks the wallets in the order of their numbers, so that attempts do not deadlock, and then reads what the
// decisions depend on. Under READ COMMITTED it sees everything that earlier holders of the locks have committed.
func (b *settlement) lockAndLookUp(ctx context.Context, group []*caller) error {
	numbers, spins := make([]int64, 0, len(group)), false
	ids := map[models.Source][]string{}
	var digests, compared []models.SignedDigest
	for _, c := range group {
		m := &c.asks
		numbers, spins = append(numbers, c.key), spins || m.op.FreeSpin
		ids[m.op.Source] = append(ids[m.op.Source], string(m.op.TransactionID))
		if m.digest != (models.SignedDigest{}) {
			digests = append(digests, m.digest)
			if m.compare {
				compared = append(compared, m.digest)
			}
		}
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	lock := b.texts.lockFree
	if group[0].patient {
		lock = b.texts.lock
	}
	b.packet.Query(b.scanWallet, lock, numbers)
	for source, ids := range ids {
		b.packet.Query(func(rows *sql.Rows) error { return b.scanClaim(source, rows) }, b.texts.claims, source, ids)
	}
	if len(ids[models.SourcePlatform]) > 0 {
		b.frozen = true // unless a row says otherwise: without it, nobody plays
		b.packet.Query(b.scanRefusal, b.texts.refusals, models.OfHouse, models.ApprovalApproved, digests)
	}
	if len(compared) > 0 {
		b.packet.Query(b.scanAccepted, b.texts.accepted, compared)
	}
	if spins {
		b.packet.Query(b.scanGranted, b.texts.granted, models.GrantRefused, models.GrantLingers.Microseconds(), numbers, models.GrantRefused,
			db.Micros(b.at.Add(-models.GrantLingers)))
	}
	return b.packet.Send(ctx)
}

// resolve finds out whether earlier attempts of unknown outcome were committed. The wallets are locked, so the answer is final.
func (b *settlement) resolve(ctx context.Context) error {
	for _, c := range b.settling {
		for _, lost := range c.asks.lost {
			find := "SELECT hash FROM postings WHERE free_spin = 0 AND player_id = ? AND seq = ?"
			if lost.spin {
				find = "SELECT hash FROM spin_entries WHERE player_id = ? AND seq = ?"
			}
			b.packet.Query(func(rows *sql.Rows) error {
				var hash models.Hash
				err := rows.Scan(&hash)
				if hash == lost.hash {
					c.settled, c.asks.result = true, lost.result
				}
				return err
			}, find, c.key, lost.last)
		}
	}
	return b.packet.Send(ctx)
}

// decide decides a member against the current state, and updates the state.
func (b *settlement) decide(player int64, m *member) {
	m.wrote = mark{}
	w := b.wallets[player]
	if w == nil || w.erased {
		m.result = models.Result{Decline: models.UnknownPlayer}
		return
	}
	key := TransactionKey{m.op.Source, m.op.TransactionID}
	tombstone := models.Tombstone{PlayerID: player, TransactionID: m.op.TransactionID}
	prior, at := b.prior[key], b.at
	m.result = models.Result{Decided: models.Decided{At: at, PlayerID: player},
		Balance: models.Balance{Amount: w.Balance, Currency: w.Currency}}
	if b.refuseReused(m, prior) {
		return
	}
	if w.limits != nil {
		if since := w.limits.Since(); at.Before(since) {
			at = since // this instance's clock is late
		}
		w.limits.Turn(at)
	}
	// Tombstones are for the platform's IDs: a rollback from the platform cannot mean one of our own transactions.
	state := models.State{Wallet: w.Wallet, Limits: w.limits, Prior: prior, At: at, Frozen: b.frozen,
		Tombstoned: m.op.Source == models.SourcePlatform && (b.tombstones[tombstone] || b.accepted[m.digest].tombstone),
		Ungranted:  b.grantedOnly && w.granted <= 0}
	if m.counts != 0 {
		state.Moved = b.movedBy(m, w)
	}
	o := models.Decide(state, m.op)
	r := &m.result
	r.Decline, r.OtherContents, r.Limit, r.Cap, r.Decided.At = o.Decline, o.OtherContents, o.Limit, o.Cap, at
	if o.Limit != nil {
		r.Decided.Cause = o.Limit.String()
	}
	writes := len(o.Lines) > 0
	var line models.Posting
	if writes {
		line = b.book(m, w, &o, prior, at)
	}
	switch {
	case o.Process:
		t := line.Transaction()
		prior, b.prior[key] = &t, &t
	case o.Reverse:
		prior.State, prior.ReversedAt = models.Reversed, at
	case o.Pay:
		prior.State, prior.ReversedAt = models.PaidOut, at
	case o.Tombstone:
		b.tombstones[tombstone] = true
	}
	if w.limits != nil && (o.Process || o.Reverse) {
		w.limits.Count(prior, o.Reverse)
	}
	if m.counts != 0 && (o.Process || o.Reverse) {
		b.countMoved(m, w, prior)
	}
	r.Balance.Amount, r.Held = w.Balance, w.Held
	m.wrote.result = m.result
	b.remember(m, writes, o.Tombstone)
}

// book adds an outcome's posting, which it returns, and for a free spin its line in the free-spin ledger.
func (b *settlement) book(m *member, w *lockedWallet, o *models.Outcome, prior *models.Transaction, at time.Time) models.Posting {
	m.result.Decided.Seq = w.Seq + 1
	p := w.Book(b.chain, o, &m.op, prior, at, m.digest)
	m.wrote = mark{last: p.Seq, hash: p.Hash}
	if p.FreeSpin {
		line, known := o.Lines[0], w.granted > 0
		e := w.BookSpin(b.chain, models.SpinEntry{Kind: line.Kind, TransactionID: p.TransactionID, RoundID: p.RoundID,
			Spins: line.Spins, Stake: line.Amount, GrantKnown: known, At: at, Signed: m.digest})
		if known || line.Spins < 0 { // a rollback returns its spin
			w.granted -= line.Spins
		}
		b.spins = append(b.spins, e)
		p.Hash, m.result.Unexplained = e.Hash, line.Spins > 0 && !known
		m.result.Decided.Seq, m.result.Decided.Spin = e.Seq, true
		m.wrote = mark{last: e.Seq, spin: true, hash: e.Hash}
	}
	b.rare = b.rare || p.Kind.IsCash() || w.limits != nil
	b.postings = append(b.postings, p)
	if !w.touched {
		w.touched, b.dirty = true, append(b.dirty, w)
	}
	return p
}

// write adds the rows of the attempt to the packet: postings, free spins, declined texts, sums of clients, wallets.
func (b *settlement) write() {
	if len(b.postings) > 0 {
		insertPostings(b.packet, b.postings)
	}
	if len(b.spins) > 0 {
		insertSpins(b.packet, b.spins)
	}
	if len(b.claims) > 0 {
		b.writeDeclined()
	}
	if len(b.movedNow) > 0 {
		b.writeMoved()
	}
	if len(b.dirty) > 0 {
		b.writeWallets()
	}
}
