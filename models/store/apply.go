package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
)

// One attempt: lock, load, decide, write, commit. batch.go says how operations come together and what happens when an attempt fails.

// member is one operation on its way through an attempt.
type member struct {
	op       models.Operation
	playerID int64
	result   models.Result
	settled  bool // result is final: it was found to be committed
	patient  bool // it waits for its wallet while somebody else holds it
	aside    bool // left out of the attempt under way, since somebody else holds its wallet
	wrote    mark // in the attempt under way
	doubt    mark // in an earlier attempt of unknown outcome

	processed bool                // it became a transaction, in the attempt under way
	digest    models.SignedDigest // of its signed text, once somebody has asked
	cause     string              // why it was refused, where the decline does not say all

	// more writes what belongs to the operation and is not ledger, in the attempt's transaction, after the ledger: result and wrote are of
	// this attempt, and an error undoes all of it. It runs again with each attempt. Such a member is alone in its attempt: applyAlone.
	more func(tx *gorm.DB) error
}

// mark is what an attempt wrote for a member. Its hash covers time, content and all that came before it in the wallet, so whoever finds it
// at its place knows that this very attempt was committed.
type mark struct {
	seq    int64 // of its first line
	last   int64 // and of its last
	spin   bool
	hash   models.Hash
	result models.Result
}

// attempt settles members, all patient or none, in one database transaction. Those who are not patient, and whose wallet somebody else
// holds, are left out. After an error nothing is known to be settled: where the commit's outcome is in doubt, each member keeps what the
// next attempt has to look for.
//
// COMMIT is a statement like the others, because ctx then ends a wait for its answer too: sql.Tx.Commit would wait for as
// long as a silent connection lasts.
func (s *Store) attempt(ctx context.Context, members []*member) error {
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
	if err := s.settle(ctx, conn, members); err != nil {
		return err
	}
	if err := s.writeMore(ctx, conn, members[0]); err != nil {
		return err
	}
	if _, err := conn.ExecContext(ctx, "COMMIT"); err != nil {
		// Only a deadlock is a clear no (Galera's conflicts end so). A connection cut during COMMIT may have committed.
		if mysqlNumber(err) != mysqlDeadlock {
			for _, m := range members {
				if !m.aside {
					m.doubt = m.wrote
				}
			}
		}
		return err
	}
	committed = true
	return nil
}

// applyAlone applies an operation that has more to write, in an attempt of its own. It waits for the wallet: somebody is looking at a page.
func (s *Store) applyAlone(ctx context.Context, m *member) error {
	return (&single{s}).apply(ctx, m)
}

// writeMore writes what m has to write besides the ledger, and then its audit events: the audit head is locked last. Where an earlier attempt
// is found to be committed, all this was committed with it.
func (s *Store) writeMore(ctx context.Context, conn *sql.Conn, m *member) error {
	if m.more == nil || m.settled {
		return nil
	}
	recorded, collected := recording(ctx)
	tx := s.db.WithContext(recorded)
	tx.Statement.ConnPool = conn
	if err := m.more(tx); err != nil {
		return err
	}
	return s.writeAudit(tx, collected)
}

// begin begins a transaction on a connection of its own. On MySQL nothing has to be said: in the pool for money a transaction begins with
// its first statement.
func (s *Store) begin(ctx context.Context) (*sql.Conn, error) {
	conn, err := s.pools.money.Conn(ctx)
	if err != nil || s.dialect == mysqlDialect {
		return conn, err
	}
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		abandon(ctx, conn)
		conn.Close()
		return nil, err
	}
	return conn, nil
}

// abandon rolls back, or closes the connection where that does not succeed, which comes to the same.
func abandon(ctx context.Context, conn *sql.Conn) {
	if _, err := conn.ExecContext(ctx, "ROLLBACK"); err != nil {
		conn.Raw(func(any) error { return driver.ErrBadConn })
	}
}

// transaction is what runs statements: a connection on which one was begun, or an sql.Tx.
type transaction interface {
	execer
	queryer
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// settle decides each member, in order, against the state as those before it have changed it, and writes what follows. It leaves
// the results in the members; they hold only once tx is committed.
func (s *Store) settle(ctx context.Context, tx transaction, members []*member) error {
	b := &ledgerBatch{at: s.now(), dialect: s.dialect, chain: s.chain, known: &s.shapes}
	members, err := b.lockWallets(ctx, tx, members)
	if err != nil {
		return fmt.Errorf("lock wallets: %w", err)
	}
	if len(members) == 0 {
		return nil
	}
	for _, m := range members {
		if err := m.resolve(ctx, tx); err != nil {
			return fmt.Errorf("look an attempt up again: %w", err)
		}
	}
	if err := b.load(ctx, tx, members); err != nil {
		return fmt.Errorf("look transactions up: %w", err)
	}
	for _, m := range members {
		if !m.settled {
			b.decide(m)
		}
	}
	if err := b.write(ctx, tx); err != nil {
		return fmt.Errorf("write ledger: %w", err)
	}
	return nil
}

// resolve finds out, under the wallet's lock, whether the attempt that left m.doubt was committed. The lock is what makes the answer
// final: that attempt held it too, so it has ended.
func (m *member) resolve(ctx context.Context, tx transaction) error {
	if m.doubt.seq == 0 {
		return nil
	}
	find := "SELECT hash FROM postings WHERE player_id = ? AND seq = ? AND free_spin = 0"
	if m.doubt.spin {
		find = "SELECT hash FROM spin_entries WHERE player_id = ? AND seq = ?"
	}
	var hash []byte
	err := tx.QueryRowContext(ctx, find, m.playerID, m.doubt.last).Scan(&hash)
	if err != nil && err != sql.ErrNoRows {
		return err
	}
	if string(hash) == string(m.doubt.hash[:]) {
		m.result, m.settled = m.doubt.result, true
	}
	m.doubt = mark{}
	return nil
}

type transactionKey struct {
	source models.Source
	id     models.TransactionID
}

type lockedWallet struct {
	models.Wallet
	erased  bool // its player was erased: nobody has it any more
	granted bool // a grant is known that may explain a free spin
	touched bool // it has to be written
	spun    bool // so do the columns of its free-spin chain
}

// ledgerBatch is the state of one attempt: what was loaded, changed by each decision, and what is to be written.
type ledgerBatch struct {
	dialect    dialect
	chain      *models.Chain
	known      *atomic.Pointer[idShapes] // what this instance remembers of them
	at         time.Time
	wallets    map[int64]*lockedWallet
	prior      map[transactionKey]*models.Transaction
	tombstones map[models.Tombstone]bool

	dirty    []*lockedWallet
	postings []models.Posting
	spins    []models.SpinEntry
	signed   signedTexts
	receipts receipts
	stmt     statement
}

// lockWallets locks the wallets of the members in ascending number, so that no two attempts wait for each other, and returns the members
// that take part: all, unless they are not patient and somebody else holds their wallet.
func (b *ledgerBatch) lockWallets(ctx context.Context, tx transaction, members []*member) ([]*member, error) {
	numbers := make([]int64, 0, len(members))
	for _, m := range members {
		m.aside = false
		numbers = append(numbers, m.playerID)
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	b.wallets = make(map[int64]*lockedWallet, len(numbers))
	q := b.stmt.begin("SELECT player_id, currency, blocked, erased, balance_minor, seq, head, spin_seq, spin_head, ")
	b.selectGranted(q, members)
	q.text(" FROM wallets WHERE player_id IN (").numbers(numbers).text(") ORDER BY player_id")
	patient := members[0].patient
	if patient {
		q.text(b.dialect.forUpdate())
	} else {
		q.text(b.dialect.forUpdateOfFree())
	}
	wallets := make([]lockedWallet, 0, len(numbers))
	err := q.query(ctx, tx, func(rows *sql.Rows) error {
		var w lockedWallet
		var head, spinHead sql.RawBytes
		var currency string
		err := rows.Scan(&w.PlayerID, &currency, &w.Blocked, &w.erased, (*int64)(&w.Balance), &w.Seq, &head, &w.SpinSeq, &spinHead, &w.granted)
		if err != nil {
			return err
		}
		w.Currency = models.Currency(currency)
		copy(w.Head[:], head)
		copy(w.SpinHead[:], spinHead)
		wallets = append(wallets, w)
		b.wallets[w.PlayerID] = &wallets[len(wallets)-1]
		return nil
	})
	if err != nil || patient || b.dialect == sqliteDialect {
		return members, err
	}
	part := make([]*member, 0, len(members))
	for _, m := range members {
		if m.aside = b.wallets[m.playerID] == nil; !m.aside {
			part = append(part, m)
		}
	}
	return part, nil
}

// load reads what the decisions rest on. It runs after the locks and under READ COMMITTED, so that it sees whatever those who held them
// before have committed.
func (b *ledgerBatch) load(ctx context.Context, tx transaction, members []*member) error {
	b.prior = make(map[transactionKey]*models.Transaction, len(members))
	b.tombstones = map[models.Tombstone]bool{}
	platform, own := make([]string, 0, len(members)), []string(nil)
	for _, m := range members {
		switch {
		case m.settled:
		case m.op.Source == models.SourcePlatform:
			platform = append(platform, string(m.op.TransactionID))
		default:
			own = append(own, string(m.op.TransactionID))
		}
	}
	return errors.Join(b.loadPlatform(ctx, tx, platform, members), b.loadOwn(ctx, tx, own))
}

// loadOwn reads transactions that we booked ourselves.
func (b *ledgerBatch) loadOwn(ctx context.Context, tx transaction, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	return selectClaims(b.stmt.begin(""), b.dialect, models.SourceOwn, ids, true).query(ctx, tx, func(rows *sql.Rows) error { return b.scan(models.SourceOwn, rows, nil) })
}

// selectGranted asks whether a player has a grant that may explain a free spin: one that is open, or under way, or of unknown outcome, or
// that ended lately. Where no free spin is among the members nobody wants to know.
func (b *ledgerBatch) selectGranted(q *statement, members []*member) {
	if !slices.ContainsFunc(members, func(m *member) bool { return m.op.FreeSpin }) {
		q.text("0")
		return
	}
	q.text("EXISTS (SELECT 1 FROM grants WHERE grants.player_id = wallets.player_id AND state <> ").number(int64(models.GrantRefused)).
		text(" AND (finished_at_us = 0 OR finished_at_us >= ").number(micros(b.at.Add(-models.GrantLingers))).text("))")
}

// decide settles one member against the state so far and changes that state.
func (b *ledgerBatch) decide(m *member) {
	m.wrote = mark{}
	locked := b.wallets[m.playerID]
	if locked == nil || locked.erased {
		m.result = models.Result{Decline: models.UnknownPlayer}
		return
	}
	w := &locked.Wallet
	key := transactionKey{m.op.Source, m.op.TransactionID}
	tombstone := models.Tombstone{PlayerID: w.PlayerID, TransactionID: m.op.TransactionID}
	prior := b.prior[key]
	m.processed, m.cause = false, ""
	if b.reused(m) {
		m.result = models.Result{Decline: models.SignReused, Balance: models.Balance{Amount: w.Balance, Currency: w.Currency}}
		b.receipts.add(m, b.at)
		return
	}
	// A tombstone is of the platform's key space: a rollback of its cannot name what we book ourselves.
	tombstoned := m.op.Source == models.SourcePlatform && b.tombstones[tombstone]
	o := models.Decide(models.State{Wallet: *w, Prior: prior, Tombstoned: tombstoned}, m.op)
	m.result = models.Result{Decline: o.Decline, OtherContents: o.OtherContents}

	if len(o.Lines()) > 0 {
		b.touch(locked)
		b.post(m, locked, &o, prior)
	}
	switch {
	case o.Process:
		t := b.postings[len(b.postings)-1].Transaction()
		b.prior[key] = &t
	case o.Reverse:
		prior.State, prior.ReversedAt = models.Reversed, b.at
	case o.Tombstone:
		b.tombstones[tombstone] = true
	}
	m.result.Balance = models.Balance{Amount: w.Balance, Currency: w.Currency}
	m.wrote.result = m.result
	m.processed = o.Process
	b.note(m, &o, prior)
	b.receipts.add(m, b.at)
}

// post books the lines of an outcome: a posting, and for a free spin its line.
func (b *ledgerBatch) post(m *member, locked *lockedWallet, o *models.Outcome, prior *models.Transaction) {
	w := &locked.Wallet
	first := w.Seq + 1
	p := w.Post(b.chain, o.Posting(&m.op, prior, b.at), o.Lines())
	m.wrote = mark{seq: first, last: p.Seq, hash: p.Hash}
	if p.FreeSpin {
		line := o.Lines()[0]
		locked.spun = true
		m.result.Unexplained = line.Spins > 0 && !locked.granted
		e := w.AppendSpin(b.chain, &m.op, p.RoundID, line, locked.granted, b.at)
		b.spins = append(b.spins, e)
		p.Hash = e.Hash
		m.wrote = mark{seq: e.Seq, last: e.Seq, spin: true, hash: e.Hash}
	}
	b.postings = append(b.postings, p)
}

// touch notes that w has to be written.
func (b *ledgerBatch) touch(w *lockedWallet) {
	if !w.touched {
		w.touched = true
		b.dirty = append(b.dirty, w)
	}
}

// write stores what was decided, by statements of many rows, each sent by itself: statements sent together in one packet have lost
// acknowledged writes on a Galera cluster.
func (b *ledgerBatch) write(ctx context.Context, tx transaction) error {
	at := b.at.UnixMicro()
	if len(b.postings) > 0 {
		q := b.stmt.begin("INSERT INTO postings (" + postingColumns + ") VALUES ")
		for i := range b.postings {
			q.row(i)
			writePosting(q, &b.postings[i]).text(")")
		}
		if err := q.exec(ctx, tx); err != nil {
			return err
		}
	}
	if len(b.spins) > 0 {
		q := b.stmt.begin("INSERT INTO spin_entries (player_id, seq, kind, transaction_id, round_id, spins, stake_minor, grant_known, at_us, hash) VALUES ")
		for i := range b.spins {
			e := &b.spins[i]
			q.row(i)
			q.number(e.PlayerID).comma().number(e.Seq).comma().number(int64(e.Kind)).comma().string(string(e.TransactionID)).comma().
				string(string(e.RoundID)).comma().number(e.Spins).comma().number(int64(e.Stake)).comma().flag(e.GrantKnown).comma().
				number(at).comma().hash(&e.Hash).text(")")
		}
		if err := q.exec(ctx, tx); err != nil {
			return err
		}
	}
	if err := b.writeSigned(ctx, tx); err != nil {
		return err
	}
	if err := b.receipts.write(ctx, tx, &b.stmt, b.at); err != nil || len(b.dirty) == 0 {
		return err
	}
	return b.writeWallets(ctx, tx)
}

// writeWallets writes balances and heads, and the free-spin chain's columns only where it grew: statements are read by the database at
// some nanoseconds a byte.
func (b *ledgerBatch) writeWallets(ctx context.Context, tx transaction) error {
	columns := []string{"balance_minor", "seq", "head"}
	spun := slices.ContainsFunc(b.dirty, func(w *lockedWallet) bool { return w.spun })
	if spun {
		columns = append(columns, "spin_seq", "spin_head")
	}
	q := b.stmt.begin("INSERT INTO wallets (player_id, currency, blocked, balance_minor, seq, head, spin_seq, spin_head) VALUES ")
	for i, w := range b.dirty {
		q.row(i)
		q.number(w.PlayerID).comma().string(string(w.Currency)).comma().flag(w.Blocked).comma().number(int64(w.Balance)).comma().
			number(w.Seq).comma().hash(&w.Head).comma()
		if spun {
			q.number(w.SpinSeq).comma().hash(&w.SpinHead).text(")")
		} else {
			q.text("0,x'')") // the row exists, so this is never written
		}
	}
	q.text(b.dialect.onConflict("player_id"))
	for i, column := range columns {
		if i > 0 {
			q.comma()
		}
		q.text(b.dialect.incoming(column))
	}
	return q.exec(ctx, tx)
}
