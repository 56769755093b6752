package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// One attempt: lock the wallets, load what is known, decide, write, commit. batch.go says how operations get into an attempt
// and what happens when it fails.

// Member is an operation, with its state across attempts.
type Member struct {
	Op       models.Operation
	PlayerID int64
	Result   models.Result
	settled  bool // an earlier attempt committed it: Result is final
	patient  bool // it waits if another transaction has locked its wallet
	aside    bool // the current attempt leaves it out, because another transaction has locked its wallet
	Wrote    mark // what the current attempt wrote
	unsure   mark // what an earlier attempt of unknown outcome wrote

	processed bool                // the current attempt made it a transaction
	digest    models.SignedDigest // of its signed text; zero if it has none
	cause     string              // why it was refused, if the decline does not say it
	counts    int64               // the client whose sums of the day the operation may change (client_cash.go), or 0

	// More, if set, writes what belongs to the operation besides the ledger. It runs after the ledger has been written, in the
	// same database transaction, and again in each attempt; Result and Wrote are those of the attempt. If it returns an error,
	// everything is rolled back. Such a member is alone in its attempt: see ApplyAlone.
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

// attempt settles members, either all patient or none, in one database transaction. It leaves out members that are not patient
// and whose wallet another transaction has locked. After an error, no member is settled; if the outcome of the commit is
// unknown, each member keeps the mark that the next attempt has to look for.
//
// COMMIT is executed as a plain statement, in one packet with what it commits if the database allows that. So ctx limits the
// wait for its answer; sql.Tx.Commit would wait as long as a silent connection lasts.
func (s *Store) attempt(ctx context.Context, members []*Member) error {
	defer s.meter.batch(len(members), time.Now())
	conn, err := s.begin(ctx)
	if err != nil {
		return err
	}
	committed := false
	defer func() {
		if !committed {
			abandon(ctx, conn)
		}
		conn.Close()
	}()
	writes := db.NewPacket(conn, s.db.SendsTogether())
	if err := s.settle(ctx, conn, writes, members); err != nil {
		return err
	}
	if m := members[0]; m.More != nil && !m.settled {
		if err := writes.Send(ctx); err != nil {
			return fmt.Errorf("write ledger: %w", err)
		}
		if err := s.writeMore(ctx, conn, m); err != nil {
			return err
		}
	}
	_, err = writes.ExecContext(ctx, "COMMIT")
	if err == nil {
		err = writes.Send(ctx)
	}
	if err != nil {
		// After a deadlock or a duplicate key nothing was committed, except on Galera, where not even a deadlock is certain
		// (db/galera.go). After any other error, such as a lost connection, the transaction may have been committed.
		if s.db.Galera() || db.MySQLNumber(err) != db.MySQLDeadlock && !db.IsDuplicate(err) {
			for _, m := range members {
				if !m.aside {
					m.unsure = m.Wrote
				}
			}
		}
		return err
	}
	committed = true
	return nil
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

// Settle decides the members in order, each against the state after the ones before it, and writes the postings. It waits for
// wallets that another transaction has locked. The results in the members are valid only once tx has been committed.
func (s *Store) Settle(ctx context.Context, tx *sql.Tx, members []*Member) error {
	for _, m := range members {
		m.patient = true
	}
	return s.settle(ctx, tx, db.NewPacket(tx, false), members)
}

// settle does what Settle does, except that it adds its writes to a packet, which the caller has to send.
func (s *Store) settle(ctx context.Context, tx transaction, writes *db.Packet, members []*Member) error {
	b := &ledgerBatch{
		at: s.db.Now(), grantedOnly: s.db.GrantedOnly, dialect: s.db.Dialect, chain: s.db.Chain,
		prior:      make(map[TransactionKey]*models.Transaction, len(members)),
		tombstones: map[models.Tombstone]bool{}, moved: map[moved]models.Amount{},
		dirty:    make([]*lockedWallet, 0, len(members)),
		postings: make([]models.Posting, 0, len(members)),
		accepted: make(map[models.SignedDigest]acceptedText, len(members)),
		declined: map[models.SignedDigest]models.Reading{},
	}
	members, err := b.lockWallets(ctx, tx, members, writes.Together)
	if err != nil {
		return fmt.Errorf("lock wallets or look up transactions: %w", err)
	}
	if len(members) == 0 {
		return nil
	}
	if err := b.resolve(ctx, tx, members); err != nil {
		return fmt.Errorf("look for an earlier attempt: %w", err)
	}
	if err := b.load(ctx, tx, members); err != nil {
		return fmt.Errorf("look up transactions: %w", err)
	}
	if err := b.loadMoved(ctx, tx, members); err != nil {
		return err
	}
	for _, m := range members {
		if !m.settled {
			b.decide(m)
		}
	}
	if err := b.write(ctx, writes); err != nil {
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
	spun    bool                 // the columns of its free-spin chain are to be written too
}

// ledgerBatch is the state of one attempt: what was loaded, how the decisions have changed it, and what is to be written.
type ledgerBatch struct {
	dialect     db.Dialect
	looked      bool // the platform's IDs and texts have been looked up
	grantedOnly bool
	frozen      bool // a restriction of the house is in effect
	chain       *models.Chain
	at          time.Time
	wallets     map[int64]*lockedWallet
	prior       map[TransactionKey]*models.Transaction
	tombstones  map[models.Tombstone]bool

	moved    map[moved]models.Amount // what clients have moved today
	movedNow []moved                 // the sums to be written

	dirty    []*lockedWallet
	holds    bool // cash was booked: held amounts are to be written
	limited  bool // a wallet with limits is to be written
	postings []models.Posting
	spins    []models.SpinEntry
	accepted map[models.SignedDigest]acceptedText   // texts that left a posting
	declined map[models.SignedDigest]models.Reading // texts that left none
	claims   []*Member                              // declined texts to be stored
	stmt     db.Statement
}

// lockWallets locks the wallets of the members in the order of their numbers, so that attempts do not deadlock. It returns the
// members to settle: all, except those that are not patient and whose wallet another transaction has locked. If together is
// true, it also looks up what loadPlatform needs.
func (b *ledgerBatch) lockWallets(ctx context.Context, tx transaction, members []*Member, together bool) ([]*Member, error) {
	numbers := make([]int64, 0, len(members))
	for _, m := range members {
		m.aside = false
		numbers = append(numbers, m.PlayerID)
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	b.wallets = make(map[int64]*lockedWallet, len(numbers))
	q := b.stmt.Begin("SELECT player_id, currency, play_from_us, deposits_from_us, cash_outs_from_us, limits, limit_sums, erased, " +
		"balance_minor, held_minor, seq, head, spin_seq, spin_head, ")
	b.selectGranted(q, members)
	q.Text(" FROM wallets WHERE player_id IN (").Numbers(numbers).Text(") ORDER BY player_id")
	patient := members[0].patient
	if patient {
		q.Text(b.dialect.ForUpdate())
	} else {
		q.Text(b.dialect.ForUpdateOfFree())
	}
	wallets := make([]lockedWallet, 0, len(numbers))
	var currency models.Currency // most wallets have the same one, so they share the string
	var head, spinHead, code, limits, sums sql.RawBytes
	scan := []func(*sql.Rows) error{func(rows *sql.Rows) error {
		var w lockedWallet
		var playFrom, depositsFrom, cashOutsFrom int64
		err := rows.Scan(&w.PlayerID, &code, &playFrom, &depositsFrom, &cashOutsFrom, &limits, &sums, &w.erased,
			(*int64)(&w.Balance), (*int64)(&w.Held), &w.Seq, &head, &w.SpinSeq, &spinHead, &w.granted)
		if err != nil {
			return err
		}
		if string(code) != string(currency) {
			currency = models.Currency(code)
		}
		w.Currency, w.PlayFrom = currency, db.FromMicros(playFrom)
		w.DepositsFrom, w.CashOutsFrom = db.FromMicros(depositsFrom), db.FromMicros(cashOutsFrom)
		if len(limits) > 0 {
			w.limits = models.ParseLimits(string(limits), string(sums))
		}
		copy(w.Head[:], head)
		copy(w.SpinHead[:], spinHead)
		wallets = append(wallets, w)
		b.wallets[w.PlayerID] = &wallets[len(wallets)-1]
		return nil
	}}
	if together {
		b.looked = true
		for _, l := range b.lookups(members) {
			l.write(q.Text(";"))
			scan = append(scan, l.scan)
		}
	}
	err := q.Query(ctx, tx, scan...)
	if err != nil || patient || b.dialect == db.SQLite {
		return members, err
	}
	part := make([]*Member, 0, len(members))
	for _, m := range members {
		if m.aside = b.wallets[m.PlayerID] == nil; !m.aside {
			part = append(part, m)
		}
	}
	return part, nil
}

// load reads what the decisions depend on. It runs after the locks and under READ COMMITTED, so it sees everything that earlier
// holders of the locks have committed.
func (b *ledgerBatch) load(ctx context.Context, tx transaction, members []*Member) error {
	others := map[models.Source][]string{}
	platform := false
	for _, m := range members {
		switch {
		case m.settled:
		case m.Op.Source == models.SourcePlatform:
			platform = true
		default:
			others[m.Op.Source] = append(others[m.Op.Source], string(m.Op.TransactionID))
		}
	}
	if platform && !b.looked {
		if err := b.loadPlatform(ctx, tx, members); err != nil {
			return err
		}
	}
	for source, ids := range others { // corrections and openings, and cash
		err := selectClaims(b.stmt.Begin(""), b.dialect, source, ids).Query(ctx, tx,
			func(rows *sql.Rows) error { return b.scan(source, rows) })
		if err != nil {
			return err
		}
	}
	return nil
}

// selectGranted selects how many spins are left of the player's grants that may explain a free spin: those that are requested,
// active, of unknown outcome, or that ended recently. Spins that are not attributed to a grant yet count as used. It selects 0 if
// no member is a free spin.
func (b *ledgerBatch) selectGranted(q *db.Statement, members []*Member) {
	if !slices.ContainsFunc(members, func(m *Member) bool { return m.Op.FreeSpin }) {
		q.Text("0")
		return
	}
	q.Text("(SELECT COALESCE(SUM(spins - ours), 0) FROM grants WHERE grants.player_id = wallets.player_id AND ours < spins " +
		"AND state <> ").Number(int64(models.GrantRefused)).
		Text(" AND (finished_at_us = 0 OR finished_at_us >= ").Number(db.Micros(b.at.Add(-models.GrantLingers))).
		Text(")) - (SELECT COALESCE(SUM(spins), 0) FROM spin_entries e WHERE e.player_id = wallets.player_id " +
			"AND (e.grant_known = 1 OR e.spins < 0) AND e.seq > (SELECT COALESCE(MAX(a.seq), 0) FROM spin_attributions a " +
			"WHERE a.player_id = wallets.player_id))")
}

// decide decides a member against the current state, and updates the state.
func (b *ledgerBatch) decide(m *Member) {
	m.Wrote = mark{}
	locked := b.wallets[m.PlayerID]
	if locked == nil || locked.erased {
		m.Result = models.Result{Decline: models.UnknownPlayer}
		return
	}
	w := &locked.Wallet
	key := TransactionKey{m.Op.Source, m.Op.TransactionID}
	tombstone := models.Tombstone{PlayerID: w.PlayerID, TransactionID: m.Op.TransactionID}
	prior := b.prior[key]
	m.processed, m.cause = false, ""
	if b.reused(m, prior) {
		m.Result = models.Result{Decline: models.SignReused, Balance: models.Balance{Amount: w.Balance, Currency: w.Currency},
			Decided: models.Decided{At: b.at, PlayerID: w.PlayerID, Cause: m.cause}}
		return
	}
	at := b.at
	if locked.limits != nil {
		if since := locked.limits.Since(); at.Before(since) {
			at = since // this instance's clock is late
		}
		locked.limits.Turn(at)
	}
	// Tombstones are for the platform's IDs: a rollback from the platform cannot mean one of our own transactions.
	tombstoned := m.Op.Source == models.SourcePlatform && (b.tombstones[tombstone] || b.accepted[m.digest].tombstone)
	state := models.State{Wallet: *w, Limits: locked.limits, Prior: prior, Tombstoned: tombstoned, At: at,
		Frozen: b.frozen, Ungranted: b.grantedOnly && locked.granted <= 0}
	if m.counts != 0 {
		sums := b.sumsOf(m)
		state.Moved = models.CashCaps{PerDay: b.moved[sums[0]], PerPlayer: b.moved[sums[1]]}
	}
	o := models.Decide(state, m.Op)
	m.Result = models.Result{Decline: o.Decline, OtherContents: o.OtherContents, Limit: o.Limit, Cap: o.Cap}
	if o.Limit != nil {
		m.cause = o.Limit.String()
	}

	if len(o.Lines()) > 0 {
		b.touch(locked)
		b.post(m, locked, &o, prior, at)
	}
	switch {
	case o.Process:
		t := b.postings[len(b.postings)-1].Transaction()
		b.prior[key] = &t
		if locked.limits != nil {
			locked.limits.Count(&t, false)
		}
		if m.counts != 0 {
			b.countMoved(m, m.Op.Bet+m.Op.Win)
		}
	case o.Reverse:
		if m.counts != 0 {
			b.countMoved(m, -prior.Bet)
		}
		prior.State, prior.ReversedAt = models.Reversed, at
		if locked.limits != nil {
			locked.limits.Count(prior, true)
		}
	case o.Pay:
		prior.State, prior.ReversedAt = models.PaidOut, at
	case o.Tombstone:
		b.tombstones[tombstone] = true
	}
	m.Result.Balance, m.Result.Held = models.Balance{Amount: w.Balance, Currency: w.Currency}, w.Held
	m.Result.Decided = models.Decided{At: at, PlayerID: w.PlayerID, Seq: m.Wrote.Seq, Cause: m.cause}
	m.Wrote.result = m.Result
	m.processed = o.Process
	b.note(m, &o)
}

// post adds an outcome's posting, and for a free spin its line in the free-spin ledger.
func (b *ledgerBatch) post(m *Member, locked *lockedWallet, o *models.Outcome, prior *models.Transaction,
	at time.Time) {
	w := &locked.Wallet
	first := w.Seq + 1
	p := o.Posting(&m.Op, prior, at)
	p.Signed = m.digest
	p = w.Post(b.chain, p, o.Lines())
	m.Wrote = mark{Seq: first, last: p.Seq, hash: p.Hash}
	if p.FreeSpin {
		line := o.Lines()[0]
		locked.spun = true
		known := locked.granted > 0
		m.Result.Unexplained = line.Spins > 0 && !known
		e := w.AppendSpin(b.chain, models.SpinEntry{
			Kind: line.Kind, TransactionID: p.TransactionID, RoundID: p.RoundID, Spins: line.Spins, Stake: line.Amount,
			GrantKnown: known, At: at, Signed: m.digest,
		})
		if known || line.Spins < 0 { // a rollback returns its spin
			locked.granted -= line.Spins
		}
		b.spins = append(b.spins, e)
		p.Hash = e.Hash
		m.Wrote = mark{Seq: e.Seq, last: e.Seq, Spin: true, hash: e.Hash}
	}
	b.holds = b.holds || p.Kind.IsCash()
	b.postings = append(b.postings, p)
}

// touch marks w to be written.
func (b *ledgerBatch) touch(w *lockedWallet) {
	if !w.touched {
		w.touched = true
		b.dirty = append(b.dirty, w)
		b.limited = b.limited || w.limits != nil
	}
}

// write stores what was decided, with multi-row statements.
func (b *ledgerBatch) write(ctx context.Context, tx db.Execer) error {
	if len(b.postings) > 0 {
		q := b.stmt.Begin("INSERT INTO postings (" + boundColumns + ", request, received_us, address")
		if b.holds {
			q.Text(", held_minor")
		}
		q.Text(") VALUES ")
		for i := range b.postings {
			q.Row(i)
			writePosting(q, &b.postings[i], b.holds).Text(")")
		}
		if err := q.Exec(ctx, tx); err != nil {
			return err
		}
	}
	if len(b.spins) > 0 {
		q := b.stmt.Begin("INSERT INTO spin_entries (player_id, seq, kind, transaction_id, round_id, spins, stake_minor, " +
			"grant_known, at_us, hash, signed_digest) VALUES ")
		for i := range b.spins {
			e := &b.spins[i]
			q.Row(i)
			q.Number(e.PlayerID).Comma().Number(e.Seq).Comma().Number(int64(e.Kind)).Comma().String(string(e.TransactionID)).
				Comma().
				String(string(e.RoundID)).Comma().Number(e.Spins).Comma().Number(int64(e.Stake)).Comma().Flag(e.GrantKnown).
				Comma().
				Number(e.At.UnixMicro()).Comma().Hash(&e.Hash).Comma().Digest(e.Signed).Text(")")
		}
		if err := q.Exec(ctx, tx); err != nil {
			return err
		}
	}
	if err := cmp.Or(b.writeSigned(ctx, tx), b.writeMoved(ctx, tx)); err != nil {
		return err
	}
	if len(b.dirty) == 0 {
		return nil
	}
	return b.writeWallets(ctx, tx)
}

// writeWallets writes balances and chain heads. It writes the columns of the free-spin chain only for wallets with a new free
// spin, held amounts only if cash was booked, and sums only for wallets with limits, because every byte of a statement costs the
// database time to parse.
func (b *ledgerBatch) writeWallets(ctx context.Context, tx db.Execer) error {
	columns := []string{"balance_minor", "seq", "head"}
	if b.holds {
		columns = append(columns, "held_minor")
	}
	if b.limited {
		columns = append(columns, "limit_sums")
	}
	spun := slices.ContainsFunc(b.dirty, func(w *lockedWallet) bool { return w.spun })
	if spun {
		columns = append(columns, "spin_seq", "spin_head")
	}
	q := b.stmt.Begin("INSERT INTO wallets (player_id, currency, balance_minor, seq, head, ")
	if b.holds {
		q.Text("held_minor, ")
	}
	if b.limited {
		q.Text("limit_sums, ")
	}
	q.Text("spin_seq, spin_head) VALUES ")
	for i, w := range b.dirty {
		q.Row(i)
		q.Number(w.PlayerID).Comma().String(string(w.Currency)).Comma().Number(int64(w.Balance)).
			Comma().
			Number(w.Seq).Comma().Hash(&w.Head).Comma()
		if b.holds {
			q.Number(int64(w.Held)).Comma()
		}
		switch {
		case w.limits != nil:
			q.String(w.limits.SumsText()).Comma()
		case b.limited:
			q.Text("'',")
		}
		if spun {
			q.Number(w.SpinSeq).Comma().Hash(&w.SpinHead).Text(")")
		} else {
			q.Text("0,x'')") // never written, since the row exists
		}
	}
	q.Text(b.dialect.OnConflict("player_id"))
	for i, column := range columns {
		if i > 0 {
			q.Comma()
		}
		q.Text(b.dialect.Incoming(column))
	}
	return q.Exec(ctx, tx)
}
