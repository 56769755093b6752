package ledger

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// One attempt: lock, load, decide, write, commit. batch.go says how operations come together and what happens when an attempt
// fails.

// Member is one operation on its way through an attempt.
type Member struct {
	Op       models.Operation
	PlayerID int64
	Result   models.Result
	settled  bool // result is final: it was found to be committed
	Patient  bool // it waits for its wallet while somebody else holds it
	aside    bool // left out of the attempt under way, since somebody else holds its wallet
	Wrote    mark // in the attempt under way
	doubt    mark // in an earlier attempt of unknown outcome

	processed bool                // it became a transaction, in the attempt under way
	digest    models.SignedDigest // of its signed text, once somebody has asked
	cause     string              // why it was refused, where the decline does not say all

	// more writes what belongs to the operation and is not ledger, in the attempt's transaction, after the ledger: result and
	// wrote are of this attempt, and an error undoes all of it. It runs again with each attempt. Such a member is alone in its
	// attempt: ApplyAlone.
	More func(tx *gorm.DB) error
}

// mark is what an attempt wrote for a member. Its hash covers time, content and all that came before it in the wallet, so
// whoever finds it at its place knows that this very attempt was committed.
type mark struct {
	Seq    int64 // of its first line
	last   int64 // and of its last
	Spin   bool
	hash   models.Hash
	result models.Result
}

// attempt settles members, all patient or none, in one database transaction. Those who are not patient, and whose wallet
// somebody else holds, are left out. After an error nothing is known to be settled: where the commit's outcome is in doubt,
// each member keeps what the next attempt has to look for.
//
// COMMIT is a statement like the others, because ctx then ends a wait for its answer too: sql.Tx.Commit would wait for as
// long as a silent connection lasts.
func (s *Store) attempt(ctx context.Context, members []*Member) error {
	began := time.Now()
	err := s.try(ctx, members)
	s.meter.batch(len(members), began)
	if s.db.Traced != nil {
		s.db.Traced(db.Attempt{Began: began, Operations: len(members), Requests: requestsOf(members), Err: err})
	}
	return err
}

// requestsOf lists the callbacks that brought operations which were not set aside.
func requestsOf(members []*Member) iter.Seq[models.RequestID] {
	return func(yield func(models.RequestID) bool) {
		for _, m := range members {
			if m.Op.Receipt != nil && !m.aside && !yield(m.Op.Receipt.RequestID) {
				return
			}
		}
	}
}

// try is attempt, which counts it.
func (s *Store) try(ctx context.Context, members []*Member) error {
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
	if err := s.Settle(ctx, conn, members); err != nil {
		return err
	}
	if err := s.writeMore(ctx, conn, members[0]); err != nil {
		return err
	}
	if _, err := conn.ExecContext(ctx, "COMMIT"); err != nil {
		// Only a deadlock is a clear no, and on Galera not even that is (db/galera.go). A connection cut during COMMIT may have
		// committed.
		if db.MySQLNumber(err) != db.MySQLDeadlock || s.db.Galera() {
			for _, m := range members {
				if !m.aside {
					m.doubt = m.Wrote
				}
			}
		}
		return err
	}
	committed = true
	return nil
}

// ApplyAlone applies an operation that has more to write, in an attempt of its own. It waits for the wallet: somebody is
// looking at a page.
func (s *Store) ApplyAlone(ctx context.Context, m *Member) error {
	return (&single{s}).apply(ctx, m)
}

// writeMore writes what m has to write besides the ledger, and then its audit events: the audit head is locked last. Where an
// earlier attempt is found to be committed, all this was committed with it.
func (s *Store) writeMore(ctx context.Context, conn *sql.Conn, m *Member) error {
	if m.More == nil || m.settled {
		return nil
	}
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

// begin begins a transaction on a connection of its own. On MySQL nothing has to be said: in the pool for money a transaction
// begins with its first statement.
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

// abandon rolls back, or closes the connection where that does not succeed, which comes to the same.
func abandon(ctx context.Context, conn *sql.Conn) {
	if _, err := conn.ExecContext(ctx, "ROLLBACK"); err != nil {
		conn.Raw(func(any) error { return driver.ErrBadConn })
	}
}

// transaction is what runs statements: a connection on which one was begun, or an sql.Tx.
type transaction interface {
	db.Execer
	db.Queryer
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Settle decides each member, in order, against the state as those before it have changed it, and writes what follows. It
// leaves the results in the members; they hold only once tx is committed.
func (s *Store) Settle(ctx context.Context, tx transaction, members []*Member) error {
	b := &ledgerBatch{at: s.db.Now(), dialect: s.db.Dialect, chain: s.db.Chain, known: &s.shapes, galera: s.db.Galera()}
	members, err := b.lockWallets(ctx, tx, members)
	if err != nil {
		return fmt.Errorf("lock wallets: %w", err)
	}
	if len(members) == 0 {
		return nil
	}
	if err := b.resolve(ctx, tx, members); err != nil {
		return fmt.Errorf("look an attempt up again: %w", err)
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

// resolve finds out, under the wallets' locks, whether the attempts that left doubts were committed. On one server the lock
// makes the answer final: such an attempt held it too, so it has ended. db/galera.go says why it is final on a cluster.
func (b *ledgerBatch) resolve(ctx context.Context, tx transaction, members []*Member) error {
	var doubtful []*Member
	for _, m := range members {
		if m.doubt.Seq != 0 {
			doubtful = append(doubtful, m)
		}
	}
	if len(doubtful) == 0 {
		return nil
	}
	type place struct {
		player, last int64
		spin         bool
	}
	hashes := map[place]string{}
	for chunk := range slices.Chunk(doubtful, db.MaxAlternatives/2) {
		for _, spin := range []bool{false, true} {
			q, n := b.stmt.Begin("SELECT player_id, seq, hash FROM postings WHERE free_spin = 0 AND ("), 0
			if spin {
				q = b.stmt.Begin("SELECT player_id, seq, hash FROM spin_entries WHERE (")
			}
			for _, m := range chunk {
				if m.doubt.Spin != spin {
					continue
				}
				if n++; n > 1 {
					q.Text(" OR ")
				}
				q.Text("player_id = ").Number(m.PlayerID).Text(" AND seq = ").Number(m.doubt.last)
			}
			if n == 0 {
				continue
			}
			err := q.Text(")").Query(ctx, tx, func(rows *sql.Rows) error {
				p := place{spin: spin}
				var hash []byte
				err := rows.Scan(&p.player, &p.last, &hash)
				hashes[p] = string(hash)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	for _, m := range doubtful {
		if hashes[place{m.PlayerID, m.doubt.last, m.doubt.Spin}] == string(m.doubt.hash[:]) {
			m.Result, m.settled = m.doubt.result, true
		}
		m.doubt = mark{}
	}
	return nil
}

// TransactionKey names a transaction.
type TransactionKey struct {
	Source models.Source
	ID     models.TransactionID
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
	dialect    db.Dialect
	galera     bool
	chain      *models.Chain
	known      *atomic.Pointer[IDShapes] // what this instance remembers of them
	at         time.Time
	wallets    map[int64]*lockedWallet
	prior      map[TransactionKey]*models.Transaction
	tombstones map[models.Tombstone]bool

	dirty    []*lockedWallet
	postings []models.Posting
	spins    []models.SpinEntry
	signed   signedTexts
	receipts receipts
	stmt     db.Statement
}

// lockWallets locks the wallets of the members in ascending number, so that no two attempts wait for each other, and returns
// the members that take part: all, unless they are not patient and somebody else holds their wallet.
func (b *ledgerBatch) lockWallets(ctx context.Context, tx transaction, members []*Member) ([]*Member, error) {
	numbers := make([]int64, 0, len(members))
	for _, m := range members {
		m.aside = false
		numbers = append(numbers, m.PlayerID)
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	b.wallets = make(map[int64]*lockedWallet, len(numbers))
	q := b.stmt.Begin("SELECT player_id, currency, blocked, erased, balance_minor, seq, head, spin_seq, spin_head, ")
	b.selectGranted(q, members)
	q.Text(" FROM wallets WHERE player_id IN (").Numbers(numbers).Text(") ORDER BY player_id")
	patient := members[0].Patient
	if patient {
		q.Text(b.dialect.ForUpdate())
	} else {
		q.Text(b.dialect.ForUpdateOfFree())
	}
	wallets := make([]lockedWallet, 0, len(numbers))
	err := q.Query(ctx, tx, func(rows *sql.Rows) error {
		var w lockedWallet
		var head, spinHead sql.RawBytes
		var currency string
		err := rows.Scan(&w.PlayerID, &currency, &w.Blocked, &w.erased, (*int64)(&w.Balance), &w.Seq, &head, &w.SpinSeq,
			&spinHead, &w.granted)
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

// load reads what the decisions rest on. It runs after the locks and under READ COMMITTED, so that it sees whatever those who
// held them before have committed.
func (b *ledgerBatch) load(ctx context.Context, tx transaction, members []*Member) error {
	b.prior = make(map[TransactionKey]*models.Transaction, len(members))
	b.tombstones = map[models.Tombstone]bool{}
	platform, own := make([]string, 0, len(members)), []string(nil)
	for _, m := range members {
		switch {
		case m.settled:
		case m.Op.Source == models.SourcePlatform:
			platform = append(platform, string(m.Op.TransactionID))
		default:
			own = append(own, string(m.Op.TransactionID))
		}
	}
	return errors.Join(b.loadPlatform(ctx, tx, platform, members), b.loadOwn(ctx, tx, own))
}

// loadOwn reads transactions that we booked ourselves.
func (b *ledgerBatch) loadOwn(ctx context.Context, tx transaction, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	return selectClaims(b.stmt.Begin(""), b.dialect, models.SourceOwn, ids, true).Query(ctx, tx,
		func(rows *sql.Rows) error { return b.scan(models.SourceOwn, rows, nil) })
}

// selectGranted asks whether a player has a grant that may explain a free spin: one that is open, or under way, or of unknown
// outcome, or that ended lately. Where no free spin is among the members nobody wants to know.
func (b *ledgerBatch) selectGranted(q *db.Statement, members []*Member) {
	if !slices.ContainsFunc(members, func(m *Member) bool { return m.Op.FreeSpin }) {
		q.Text("0")
		return
	}
	q.Text("EXISTS (SELECT 1 FROM grants WHERE grants.player_id = wallets.player_id AND state <> ").
		Number(int64(models.GrantRefused)).
		Text(" AND (finished_at_us = 0 OR finished_at_us >= ").Number(db.Micros(b.at.Add(-models.GrantLingers))).Text("))")
}

// decide settles one member against the state so far and changes that state.
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
	if b.reused(m) {
		m.Result = models.Result{Decline: models.SignReused, Balance: models.Balance{Amount: w.Balance, Currency: w.Currency}}
		b.receipts.add(m, b.at)
		return
	}
	// A tombstone is of the platform's key space: a rollback of its cannot name what we book ourselves.
	tombstoned := m.Op.Source == models.SourcePlatform && b.tombstones[tombstone]
	o := models.Decide(models.State{Wallet: *w, Prior: prior, Tombstoned: tombstoned}, m.Op)
	m.Result = models.Result{Decline: o.Decline, OtherContents: o.OtherContents}

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
	m.Result.Balance = models.Balance{Amount: w.Balance, Currency: w.Currency}
	m.Wrote.result = m.Result
	m.processed = o.Process
	b.note(m, &o, prior)
	b.receipts.add(m, b.at)
}

// post books the lines of an outcome: a posting, and for a free spin its line.
func (b *ledgerBatch) post(m *Member, locked *lockedWallet, o *models.Outcome, prior *models.Transaction) {
	w := &locked.Wallet
	first := w.Seq + 1
	p := w.Post(b.chain, o.Posting(&m.Op, prior, b.at), o.Lines())
	m.Wrote = mark{Seq: first, last: p.Seq, hash: p.Hash}
	if p.FreeSpin {
		line := o.Lines()[0]
		locked.spun = true
		m.Result.Unexplained = line.Spins > 0 && !locked.granted
		e := w.AppendSpin(b.chain, &m.Op, p.RoundID, line, locked.granted, b.at)
		b.spins = append(b.spins, e)
		p.Hash = e.Hash
		m.Wrote = mark{Seq: e.Seq, last: e.Seq, Spin: true, hash: e.Hash}
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

// write stores what was decided, by statements of many rows, each sent by itself: statements sent together in one packet have
// lost acknowledged writes on a Galera cluster.
func (b *ledgerBatch) write(ctx context.Context, tx transaction) error {
	at := b.at.UnixMicro()
	if len(b.postings) > 0 {
		q := b.stmt.Begin("INSERT INTO postings (" + postingColumns + ") VALUES ")
		for i := range b.postings {
			q.Row(i)
			writePosting(q, &b.postings[i]).Text(")")
		}
		if err := q.Exec(ctx, tx); err != nil {
			return err
		}
	}
	if len(b.spins) > 0 {
		q := b.stmt.Begin("INSERT INTO spin_entries (player_id, seq, kind, transaction_id, round_id, spins, stake_minor, " +
			"grant_known, at_us, hash) VALUES ")
		for i := range b.spins {
			e := &b.spins[i]
			q.Row(i)
			q.Number(e.PlayerID).Comma().Number(e.Seq).Comma().Number(int64(e.Kind)).Comma().String(string(e.TransactionID)).
				Comma().
				String(string(e.RoundID)).Comma().Number(e.Spins).Comma().Number(int64(e.Stake)).Comma().Flag(e.GrantKnown).
				Comma().
				Number(at).Comma().Hash(&e.Hash).Text(")")
		}
		if err := q.Exec(ctx, tx); err != nil {
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

// writeWallets writes balances and heads, and the free-spin chain's columns only where it grew: statements are read by the
// database at some nanoseconds a byte.
func (b *ledgerBatch) writeWallets(ctx context.Context, tx transaction) error {
	columns := []string{"balance_minor", "seq", "head"}
	spun := slices.ContainsFunc(b.dirty, func(w *lockedWallet) bool { return w.spun })
	if spun {
		columns = append(columns, "spin_seq", "spin_head")
	}
	q := b.stmt.Begin("INSERT INTO wallets (player_id, currency, blocked, balance_minor, seq, head, spin_seq, spin_head) " +
		"VALUES ")
	for i, w := range b.dirty {
		q.Row(i)
		q.Number(w.PlayerID).Comma().String(string(w.Currency)).Comma().Flag(w.Blocked).Comma().Number(int64(w.Balance)).
			Comma().
			Number(w.Seq).Comma().Hash(&w.Head).Comma()
		if spun {
			q.Number(w.SpinSeq).Comma().Hash(&w.SpinHead).Text(")")
		} else {
			q.Text("0,x'')") // the row exists, so this is never written
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
