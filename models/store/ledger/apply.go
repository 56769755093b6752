package ledger

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// The money path. An attempt settles operations in one database transaction: it locks their wallets, looks up what is known
// about them, has models.Decide decide each against the state after the ones before it, inserts postings, updates wallets and
// commits. batch.go says how operations get here, and what happens when an attempt fails.
//
// After an attempt without an answer, the next one locks the same wallets, which waits until the first has ended, and looks for
// the postings that the first would have written, by their hashes (resolve). db/galera.go says why that is final on a cluster,
// too.

// Member is an operation, with its state across attempts.
type Member struct {
	Op       models.Operation
	PlayerID int64
	Result   models.Result
	settled  bool                // an earlier attempt committed it: Result is final
	patient  bool                // it waits if another transaction has locked its wallet
	aside    bool                // the current attempt leaves it out, because another transaction has locked its wallet
	Wrote    mark                // what the current attempt wrote
	unsure   mark                // what an earlier attempt of unknown outcome wrote
	digest   models.SignedDigest // of its signed text; zero if it has none
	compare  bool                // an attempt met a duplicate key: the next one looks first for what left this text
	counts   int64               // the client whose sums of the day the operation may change (client_cash.go), or 0

	// More, if set, writes what belongs to the operation besides the ledger, in the same transaction and after it. It runs
	// again in each attempt; Result and Wrote are those of the attempt. Such a member is alone in its attempt: see ApplyAlone.
	More func(tx *gorm.DB) error
}

// mark is what an attempt wrote for a member. Its hash covers the time, the contents and all earlier lines of the wallet, so a
// line with this hash proves that this attempt was committed.
type mark struct {
	Seq    int64 // of the first line
	last   int64 // sequence number of the last line
	Spin   bool
	hash   models.Hash
	result models.Result
}

// attempt settles members, either all patient or none. It leaves out members that are not patient and whose wallet another
// transaction has locked. After an error, no member is settled; if the outcome of the commit is unknown, each member keeps the
// mark that the next attempt has to look for.
//
// COMMIT is executed as a plain statement, in one packet with what it commits if the database allows that. So ctx limits the
// wait for its answer; sql.Tx.Commit would wait as long as a silent connection lasts.
func (s *Store) attempt(ctx context.Context, members []*Member) error {
	defer s.meter.batch(len(members), time.Now())
	conn, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	writes := db.NewPacket(conn, s.db.SendsTogether())
	err = s.settle(ctx, conn, writes, members)
	if m := members[0]; err == nil && m.More != nil && !m.settled {
		if err = writes.Send(ctx); err == nil {
			err = s.writeMore(ctx, conn, m)
		}
	}
	if err != nil {
		abandon(ctx, conn)
		compareNext(members, err)
		return err
	}
	if _, err = writes.ExecContext(ctx, "COMMIT"); err == nil {
		err = writes.Send(ctx)
	}
	if err != nil {
		compareNext(members, err)
		// After a deadlock or a duplicate key nothing was committed, except on Galera, where not even a deadlock is certain
		// (db/galera.go). After any other error, such as a lost connection, the transaction may have been committed.
		if s.db.Galera() || db.MySQLNumber(err) != db.MySQLDeadlock && !db.IsDuplicate(err) {
			for _, m := range members {
				if !m.aside {
					m.unsure = m.Wrote
				}
			}
		}
		abandon(ctx, conn)
	}
	return err
}

// compareNext has the next attempt look for the members' signed texts if this one met a duplicate key.
func compareNext(members []*Member, err error) {
	for _, m := range members {
		m.compare = m.compare || db.IsDuplicate(err)
	}
}

// writeMore runs m.More and then writes its audit events, because the head of the audit log is locked last.
func (s *Store) writeMore(ctx context.Context, conn *sql.Conn, m *Member) error {
	recorded, collected := db.Recording(ctx)
	tx := s.db.Write.WithContext(recorded)
	tx.Statement.ConnPool = conn
	if err := s.db.TakeTurn(tx, collected, true); err != nil {
		return err
	}
	if err := m.More(tx); err != nil {
		return err
	}
	return s.db.WriteAudit(tx, collected)
}

// begin starts a transaction on a connection of its own. On MySQL there is nothing to send: the connections of the money pool
// have autocommit off.
func (s *Store) begin(ctx context.Context) (*sql.Conn, error) {
	conn, err := s.db.Pools.Money.Conn(ctx)
	if err != nil || s.db.Dialect == db.MySQL {
		return conn, err
	}
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		abandon(ctx, conn)
		conn.Close()
		return nil, err
	}
	return conn, nil
}

// abandon rolls back, or closes the connection if that fails, which has the same effect.
func abandon(ctx context.Context, conn *sql.Conn) {
	if _, err := conn.ExecContext(ctx, "ROLLBACK"); err != nil {
		conn.Raw(func(any) error { return driver.ErrBadConn })
	}
}

// transaction runs statements within a transaction: a connection after begin, or an sql.Tx.
type transaction interface {
	db.Execer
	db.Queryer
}

// Settle decides the members in order and writes the postings in tx. It waits for wallets that another transaction has locked.
// The results in the members are valid only once tx has been committed.
func (s *Store) Settle(ctx context.Context, tx *sql.Tx, members []*Member) error {
	for _, m := range members {
		m.patient = true
	}
	return s.settle(ctx, tx, db.NewPacket(tx, false), members)
}

// settle does what Settle does, except that it adds its writes to a packet, which the caller has to send.
func (s *Store) settle(ctx context.Context, tx transaction, writes *db.Packet, members []*Member) error {
	b := &batch{
		at: s.db.Now(), grantedOnly: s.db.GrantedOnly, dialect: s.db.Dialect, chain: s.db.Chain,
		wallets:    make(map[int64]*lockedWallet, len(members)),
		prior:      make(map[TransactionKey]*models.Transaction, len(members)),
		tombstones: map[models.Tombstone]bool{},
		accepted:   make(map[models.SignedDigest]acceptedText, len(members)),
		declined:   map[models.SignedDigest]models.Reading{},
		moved:      map[moved]models.Amount{},
		postings:   make([]models.Posting, 0, len(members)),
	}
	if err := b.lockAndLookUp(ctx, tx, members, writes.Together); err != nil {
		return fmt.Errorf("lock wallets or look up transactions: %w", err)
	}
	members = slices.DeleteFunc(slices.Clone(members), func(m *Member) bool {
		m.aside = b.dialect == db.MySQL && !m.patient && b.wallets[m.PlayerID] == nil
		return m.aside
	})
	if err := resolve(ctx, tx, members); err != nil {
		return fmt.Errorf("look for an earlier attempt: %w", err)
	}
	if err := b.loadMoved(ctx, tx, members); err != nil {
		return err
	}
	for _, m := range members {
		if !m.settled {
			b.decide(m)
		}
	}
	if err := b.compareIdle(ctx, tx); err != nil {
		return err
	}
	if err := errors.Join(b.insert(ctx, writes), b.update(ctx, writes)); err != nil {
		return fmt.Errorf("write ledger: %w", err)
	}
	return nil
}

// TransactionKey identifies a transaction.
type TransactionKey struct {
	Source models.Source
	ID     models.TransactionID
}

type lockedWallet struct {
	models.Wallet
	erased  bool                 // the player has been erased
	granted int64                // spins left of grants that may explain a free spin
	limits  *models.PlayerLimits // with the sums of the current periods; nil if the player has none
	touched bool                 // to be written
}

// batch is the state of one attempt: what was looked up, how the decisions have changed it, and what is to be written.
type batch struct {
	dialect     db.Dialect
	grantedOnly bool
	frozen      bool // a restriction of the house is in effect
	chain       *models.Chain
	at          time.Time
	wallets     map[int64]*lockedWallet
	prior       map[TransactionKey]*models.Transaction
	tombstones  map[models.Tombstone]bool
	accepted    map[models.SignedDigest]acceptedText   // texts that left a posting
	declined    map[models.SignedDigest]models.Reading // texts that left none
	idle        []*Member                              // members with a text that leave no posting
	claims      []*Member                              // those of them whose text is to be stored as declined

	moved    map[moved]models.Amount // what clients have moved today
	movedNow []moved                 // the sums to be written

	dirty    []*lockedWallet
	holds    bool // cash was booked: held amounts are to be written
	limited  bool // a wallet with limits is to be written
	postings []models.Posting
	spins    []models.SpinEntry
}

// lockAndLookUp locks the wallets in the order of their numbers, so that attempts do not deadlock, and then reads what the
// decisions depend on. Under READ COMMITTED it sees everything that earlier holders of the locks have committed.
func (b *batch) lockAndLookUp(ctx context.Context, tx db.Queryer, members []*Member, together bool) error {
	var numbers []int64
	var digests, compared []models.SignedDigest
	ids, spins := map[models.Source][]string{}, false
	for _, m := range members {
		numbers = append(numbers, m.PlayerID)
		ids[m.Op.Source] = append(ids[m.Op.Source], string(m.Op.TransactionID))
		if spins = spins || m.Op.FreeSpin; m.digest != (models.SignedDigest{}) {
			digests = append(digests, m.digest)
			if m.compare {
				compared = append(compared, m.digest)
			}
		}
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	lock := b.dialect.ForUpdateOfFree()
	if members[0].patient {
		lock = b.dialect.ForUpdate()
	}
	reads := db.Reads{Together: together}
	reads.Add(b.scanWallet, `SELECT player_id, currency, play_from_us, deposits_from_us, cash_outs_from_us, limits, limit_sums, erased,
		balance_minor, held_minor, seq, head, spin_seq, spin_head FROM wallets WHERE player_id IN (?) ORDER BY player_id`+lock, numbers)
	for source, ids := range ids {
		reads.Add(func(rows *sql.Rows) error { return b.scanClaim(source, rows) }, selectClaims(b.dialect), source, ids)
	}
	if len(ids[models.SourcePlatform]) > 0 {
		// A freeze is written while no attempt holds this row, so this attempt finds each one that was committed before it.
		b.frozen = true // unless that row says otherwise: without it, nobody plays
		reads.Add(func(rows *sql.Rows) error { return rows.Scan(&b.frozen) }, `SELECT EXISTS (SELECT 1 FROM restrictions
			WHERE subject = ? AND state <> ?) FROM ledgers WHERE id = 1`+b.dialect.ForShare(), models.OfHouse, models.ApprovalApproved)
	}
	if len(digests) > 0 {
		reads.Add(b.scanDeclined, `SELECT digest, kind, user_length, transaction_length FROM declined_texts WHERE digest IN (?)`, digests)
	}
	if len(compared) > 0 {
		reads.Add(b.scanAccepted, selectAccepted(b.dialect), compared)
	}
	if spins {
		reads.Add(b.scanGranted, selectGranted, models.GrantRefused, models.GrantLingers.Microseconds(), numbers, models.GrantRefused,
			db.Micros(b.at.Add(-models.GrantLingers)))
	}
	return reads.Run(ctx, tx)
}

// selectGranted reads how many spins are left of players' grants that may explain a free spin: those that are requested,
// active, of unknown outcome, or that ended recently. Since the first of them, the player cannot have used more spins than
// these and other grants of that time have. Only what hash chains cover counts: the grants, and the free spins that grants
// explained or that were returned.
const selectGranted = `SELECT o.player_id, (SELECT COALESCE(SUM(g.spins), 0) FROM grants g WHERE g.player_id = o.player_id
	AND g.state <> ? AND (g.finished_at_us = 0 OR g.finished_at_us >= o.since_us - ?)) -
	(SELECT COALESCE(SUM(e.spins), 0) FROM spin_entries e WHERE e.player_id = o.player_id AND e.at_us >= o.since_us
	AND (e.grant_known = 1 OR e.spins < 0))
	FROM (SELECT player_id, MIN(at_us) AS since_us FROM grants WHERE player_id IN (?) AND state <> ?
	AND (finished_at_us = 0 OR finished_at_us >= ?) GROUP BY player_id) o`

func (b *batch) scanWallet(rows *sql.Rows) error {
	w := new(lockedWallet)
	var playFrom, depositsFrom, cashOutsFrom int64
	var currency, limits, sums, head, spinHead sql.RawBytes
	err := rows.Scan(&w.PlayerID, &currency, &playFrom, &depositsFrom, &cashOutsFrom, &limits, &sums, &w.erased, (*int64)(&w.Balance),
		(*int64)(&w.Held), &w.Seq, &head, &w.SpinSeq, &spinHead)
	if err != nil {
		return err
	}
	w.Currency, w.PlayFrom = models.Currency(currency), db.FromMicros(playFrom)
	w.DepositsFrom, w.CashOutsFrom = db.FromMicros(depositsFrom), db.FromMicros(cashOutsFrom)
	if len(limits) > 0 {
		w.limits = models.ParseLimits(string(limits), string(sums))
	}
	copy(w.Head[:], head)
	copy(w.SpinHead[:], spinHead)
	b.wallets[w.PlayerID] = w
	return nil
}

func (b *batch) scanGranted(rows *sql.Rows) error {
	var player, left int64
	if err := rows.Scan(&player, &left); err != nil {
		return err
	}
	if w := b.wallets[player]; w != nil {
		w.granted = left
	}
	return nil
}

// resolve finds out whether earlier attempts of unknown outcome were committed. The wallets are locked, so the answer is final.
func resolve(ctx context.Context, tx db.Queryer, members []*Member) error {
	for _, m := range members {
		if m.unsure.Seq == 0 {
			continue
		}
		find := "SELECT hash FROM postings WHERE free_spin = 0 AND player_id = ? AND seq = ?"
		if m.unsure.Spin {
			find = "SELECT hash FROM spin_entries WHERE player_id = ? AND seq = ?"
		}
		var q db.Statement
		err := q.Add(find, m.PlayerID, m.unsure.last).Query(ctx, tx, func(rows *sql.Rows) error {
			var hash models.Hash
			err := rows.Scan(&hash)
			m.settled = hash == m.unsure.hash
			return err
		})
		if err != nil {
			return err
		}
		if m.settled {
			m.Result = m.unsure.result
		}
		m.unsure = mark{}
	}
	return nil
}

// decide decides a member against the current state, and updates the state.
func (b *batch) decide(m *Member) {
	m.Wrote = mark{}
	w := b.wallets[m.PlayerID]
	if w == nil || w.erased {
		m.Result = models.Result{Decline: models.UnknownPlayer}
		return
	}
	key := TransactionKey{m.Op.Source, m.Op.TransactionID}
	tombstone := models.Tombstone{PlayerID: w.PlayerID, TransactionID: m.Op.TransactionID}
	prior := b.prior[key]
	m.Result = models.Result{Decided: models.Decided{At: b.at, PlayerID: w.PlayerID},
		Balance: models.Balance{Amount: w.Balance, Currency: w.Currency}}
	if b.refuseReused(m, prior) {
		return
	}
	at := b.at
	if w.limits != nil {
		if since := w.limits.Since(); at.Before(since) {
			at = since // this instance's clock is late
		}
		w.limits.Turn(at)
	}
	// Tombstones are for the platform's IDs: a rollback from the platform cannot mean one of our own transactions.
	tombstoned := m.Op.Source == models.SourcePlatform && (b.tombstones[tombstone] || b.accepted[m.digest].tombstone)
	o := models.Decide(models.State{Wallet: w.Wallet, Limits: w.limits, Prior: prior, Tombstoned: tombstoned, At: at, Frozen: b.frozen,
		Moved: b.movedBy(m), Ungranted: b.grantedOnly && w.granted <= 0}, m.Op)
	m.Result.Decline, m.Result.OtherContents, m.Result.Limit, m.Result.Cap = o.Decline, o.OtherContents, o.Limit, o.Cap
	if o.Limit != nil {
		m.Result.Decided.Cause = o.Limit.String()
	}
	if len(o.Lines()) > 0 {
		b.post(m, w, &o, prior, at)
	}
	switch {
	case o.Process:
		t := b.postings[len(b.postings)-1].Transaction()
		b.prior[key] = &t
		w.limits.Count(&t, false)
		b.countMoved(m, m.Op.Bet+m.Op.Win)
	case o.Reverse:
		b.countMoved(m, -prior.Bet)
		prior.State, prior.ReversedAt = models.Reversed, at
		w.limits.Count(prior, true)
	case o.Pay:
		prior.State, prior.ReversedAt = models.PaidOut, at
	case o.Tombstone:
		b.tombstones[tombstone] = true
	}
	m.Result.Balance, m.Result.Held = models.Balance{Amount: w.Balance, Currency: w.Currency}, w.Held
	m.Result.Decided.At, m.Result.Decided.Seq = at, m.Wrote.Seq
	m.Wrote.result = m.Result
	b.note(m, &o)
}

// post adds an outcome's posting, and for a free spin its line in the free-spin ledger.
func (b *batch) post(m *Member, w *lockedWallet, o *models.Outcome, prior *models.Transaction, at time.Time) {
	first := w.Seq + 1
	p := o.Posting(&m.Op, prior, at)
	p.Signed = m.digest
	p = w.Post(b.chain, p, o.Lines())
	m.Wrote = mark{Seq: first, last: p.Seq, hash: p.Hash}
	if p.FreeSpin {
		line, known := o.Lines()[0], w.granted > 0
		m.Result.Unexplained = line.Spins > 0 && !known
		e := w.AppendSpin(b.chain, models.SpinEntry{Kind: line.Kind, TransactionID: p.TransactionID, RoundID: p.RoundID,
			Spins: line.Spins, Stake: line.Amount, GrantKnown: known, At: at, Signed: m.digest})
		if known || line.Spins < 0 { // a rollback returns its spin
			w.granted -= line.Spins
		}
		b.spins = append(b.spins, e)
		p.Hash = e.Hash
		m.Wrote = mark{Seq: e.Seq, last: e.Seq, Spin: true, hash: e.Hash}
	}
	b.holds = b.holds || p.Kind.IsCash()
	b.postings = append(b.postings, p)
	if !w.touched {
		w.touched, b.dirty = true, append(b.dirty, w)
		b.limited = b.limited || w.limits != nil
	}
}

// insert adds the postings, lines of free spins, declined texts and sums of clients.
func (b *batch) insert(ctx context.Context, to db.Execer) error {
	var q db.Statement
	if len(b.postings) > 0 {
		q.Add("INSERT INTO postings (" + postingColumns + ", request, received_us, address) VALUES ")
		for i := range b.postings {
			addPosting(&q, i, &b.postings[i])
		}
		if err := q.Exec(ctx, to); err != nil {
			return err
		}
	}
	if len(b.spins) > 0 {
		q = db.Statement{}
		q.Add("INSERT INTO spin_entries (player_id, seq, kind, transaction_id, round_id, spins, stake_minor, grant_known, at_us, hash, " +
			"signed_digest) VALUES ")
		for i := range b.spins {
			e := &b.spins[i]
			q.Row(i, "(?,?,?,?,?,?,?,?,?,?,?)", e.PlayerID, e.Seq, e.Kind, e.TransactionID, e.RoundID, e.Spins, e.Stake, e.GrantKnown,
				e.At.UnixMicro(), &e.Hash, e.Signed)
		}
		if err := q.Exec(ctx, to); err != nil {
			return err
		}
	}
	return errors.Join(b.writeDeclined(ctx, to), b.writeMoved(ctx, to))
}

// update writes balances and chain heads. It writes the columns of the free-spin chain only for wallets with a new free spin,
// held amounts only if cash was booked, and sums only for wallets with limits, because every byte of a statement costs the
// database time to parse.
func (b *batch) update(ctx context.Context, to db.Execer) error {
	if len(b.dirty) == 0 {
		return nil
	}
	columns, optional := []string{"balance_minor", "seq", "head"}, ""
	if b.holds {
		columns, optional = append(columns, "held_minor"), optional+", held_minor"
	}
	if b.limited {
		columns, optional = append(columns, "limit_sums"), optional+", limit_sums"
	}
	if len(b.spins) > 0 {
		columns = append(columns, "spin_seq", "spin_head")
	}
	var q db.Statement
	q.Add("INSERT INTO wallets (player_id, currency, balance_minor, seq, head, spin_seq, spin_head" + optional + ") VALUES ")
	for i, w := range b.dirty {
		q.Row(i, "(?,?,?,?,?", w.PlayerID, w.Currency, w.Balance, w.Seq, &w.Head)
		if len(b.spins) > 0 {
			q.Add(",?,?", w.SpinSeq, &w.SpinHead)
		} else {
			q.Add(",0,x''") // not written, because the row exists
		}
		if b.holds {
			q.Add(",?", w.Held)
		}
		if b.limited {
			q.Add(",?", w.limits.SumsText())
		}
		q.Add(")")
	}
	return q.Upsert("player_id", b.dialect, columns...).Exec(ctx, to)
}
