package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"time"

	"pitboss/models"
)

// Verification is what Verify counted and found.
type Verification struct {
	Keyed        bool // the chains are keyed: whoever lacks the key cannot have forged them
	Wallets      int64
	Entries      int64
	SpinEntries  int64
	Transactions int64
	Tombstones   int64
	AuditEvents  int64
	ErasedTexts  int64 // texts of audit events that were erased, by who has the key
	GuardedRows  int64 // rows that the audit log says something about
	Checkpoints  int64
	Held         int64          // the number of the checkpoint that the ledger was held against, or 0
	Faulty       []WalletFaults // in order of the wallets' numbers
	Audit        ChainFaults    // of the audit chain
	Rows         ChainFaults    // of the rows that the audit log covers
	Figures      ChainFaults    // of the sums of days and minutes, as CheckDays finds them
	Written      ChainFaults    // of the rows of checkpoints, and of the one that the ledger was held against
}

// WalletFaults is what does not hold in one wallet.
type WalletFaults struct {
	PlayerID int64
	UserID   models.UserID // empty where the entries belong to no player
	Faults   []string      // the first few
	Total    int           // of all of them
}

// ChainFaults is what does not hold in a chain that belongs to no wallet.
type ChainFaults struct {
	Faults []string // the first few
	Total  int      // of all of them
}

// OK reports that everything holds.
func (v Verification) OK() bool { return v.Faults() == 0 }

// Faults is how many wallets do not hold, and how many faults there are besides.
func (v Verification) Faults() int {
	return len(v.Faulty) + v.Audit.Total + v.Rows.Total + v.Figures.Total + v.Written.Total
}

// faultsKept is how many faults of one wallet, or chain, are told in words.
const faultsKept = 10

func (c *ChainFaults) fault(format string, args ...any) {
	c.faultUpTo(faultsKept, format, args...)
}

// faultUpTo tells of a fault unless so many are told already.
func (c *ChainFaults) faultUpTo(most int, format string, args ...any) {
	c.Total++
	if len(c.Faults) < most {
		c.Faults = append(c.Faults, fmt.Sprintf(format, args...))
	}
}

// Verify reads the whole ledger in one snapshot, so that it may run beside a busy server, and checks that
//
//   - each player has a wallet, whose entries begin with its opening balance;
//   - each wallet's balance is the sum of its entries, and balances before and after join up;
//   - each transaction's row says just what its entries say, and there is none without entries; the same for tombstones;
//   - each adjustment is the doing of a correction that was approved, and each such correction has its line;
//   - both hash chains of each wallet hold, without gap, up to the heads in the wallet's row;
//   - so does the audit chain, and each of its texts is the one that was written, or was erased by who has the key;
//   - each row that the audit log covers is as its latest event left it, and none was put in or removed besides (states.go);
//   - the sums of days and minutes are those of the ledger (CheckDays);
//   - the rows of checkpoints follow from each other.
//
// Of a wallet whose front was purged the chains hold from their beginning, which who has the key has proved; what transactions and
// tombstones from before it say is in the archive alone.
//
// done, where given, is called now and then with the number of entries read. An error means that the ledger could not be read.
func (s *Store) Verify(ctx context.Context, done func(entries int64)) (Verification, error) {
	return s.VerifyAgainst(ctx, nil, done)
}

// OpenCheckpoint opens a checkpoint's file for VerifyAgainst. The errors are those of models.OpenCheckpoint.
func (s *Store) OpenCheckpoint(file io.ReadSeeker) (*models.CheckpointReader, error) {
	return models.OpenCheckpoint(file, s.chain)
}

// VerifyAgainst does what Verify does, and holds the ledger against a checkpoint: each chain still holds, at the checkpoint's place, the
// line that was its head then. A tail that was cut off, or an older state put back, shows there and nowhere else. A nil checkpoint is none.
func (s *Store) VerifyAgainst(ctx context.Context, checkpoint *models.CheckpointReader, done func(entries int64)) (Verification, error) {
	v := &verifier{s: s, done: done, checkpoint: checkpoint, shapes: map[models.IDShape]bool{}}
	v.report.Keyed = s.chain.Keyed()
	if checkpoint != nil {
		v.report.Held = checkpoint.Number
	}
	if err := v.run(ctx, s.pools.read); err != nil {
		return Verification{}, fmt.Errorf("verify: %w", err)
	}
	return v.report, nil
}

type verifier struct {
	s      *Store
	tx     *sql.Tx
	done   func(int64)
	report Verification
	open   map[int64]*walletCheck

	checkpoint *models.CheckpointReader
	held       *models.Wallet // the checkpoint's next wallet

	shapes map[models.IDShape]bool // of the platform's transactions and tombstones
}

// walletCheck is one wallet as its row says, and as its entries say.
type walletCheck struct {
	user       models.UserID
	row        models.Wallet
	missing    bool // the row
	derived    models.Wallet
	front      models.Beginning // of its chains; the zero one where they begin with the opening balance
	held       *models.Wallet   // as the checkpoint knew it
	tx         map[transactionKey]*derivedTransaction
	tombstones map[models.TransactionID]time.Time
	booked     map[lineKey]*models.Correction // which corrections say that a line is theirs
	faults     []string
	total      int
}

// lineKey is a line's place in one of the two ledgers.
type lineKey struct {
	spin bool
	seq  int64
}

// derivedTransaction is a transaction as its entries tell it.
type derivedTransaction struct {
	models.Transaction
	reversals int // lines taken back
	lines     int
	betBack   bool // the line of its bet is taken back
	winBack   bool // so is the line of its win
	early     bool // its own lines were archived; those that took them back were not
	seen      bool // in the table of transactions
}

func (w *walletCheck) fault(format string, args ...any) {
	w.total++
	if len(w.faults) < faultsKept {
		w.faults = append(w.faults, fmt.Sprintf(format, args...))
	}
}

// place checks that the line seq of a chain comes right behind the line last.
func (w *walletCheck) place(one, many string, last, seq int64) {
	if seq > last+1 {
		w.fault("%s missing", lines(one, many, last+1, seq-1))
	} else if seq <= last {
		w.fault("%s %d stands before the chain's beginning", one, seq)
	}
}

// ends compares the end of a chain with the head, and with what the checkpoint knew.
func (w *walletCheck) ends(one, many string, rowSeq int64, rowHead models.Hash, seq int64, head models.Hash, held int64) {
	switch {
	case rowSeq > seq:
		w.fault("%s missing: the head is %s %d", lines(one, many, seq+1, rowSeq), one, rowSeq)
	case rowSeq < seq:
		w.fault("%s put in behind the head, which is %s %d", lines(one, many, rowSeq+1, seq), one, rowSeq)
	case rowHead != head:
		w.fault("the head is not the hash of %s %d", one, seq)
	}
	if held > seq {
		w.fault("%s gone since the checkpoint: the tail was cut off, or an older state was put back", lines(one, many, seq+1, held))
	}
}

// lines names some lines of a chain: "entry 3 is", "entries 3 to 5 are".
func lines(one, many string, from, to int64) string {
	if from == to {
		return fmt.Sprintf("%s %d is", one, from)
	}
	return fmt.Sprintf("%s %d to %d are", many, from, to)
}

// verifyChunk is how many wallets are read at a time.
const verifyChunk = 200

func (v *verifier) run(ctx context.Context, pool *sql.DB) (err error) {
	if v.tx, err = v.s.snapshot(ctx, pool); err != nil {
		return err
	}
	defer v.tx.Rollback()
	if err := v.nextHeld(); err != nil {
		return err
	}
	const beyond = math.MaxInt64
	for from := int64(-beyond); ; {
		v.open = map[int64]*walletCheck{}
		last, err := v.wallets(ctx, from)
		if err != nil {
			return err
		}
		// The chunk's range reaches up to its last wallet, or to the end: rows whose wallet is gone are in some range too.
		to := last
		if len(v.open) < verifyChunk {
			to = beyond
		}
		if err := v.hold(to); err != nil {
			return err
		}
		for _, read := range []func(context.Context, int64, int64) error{v.players, v.beginnings, v.corrections, v.entries, v.spinEntries, v.transactions, v.tombstones} {
			if err := read(ctx, from, to); err != nil {
				return err
			}
		}
		v.finish()
		if to == beyond {
			break
		}
		from = to
	}
	if err := v.idShapes(ctx); err != nil {
		return err
	}
	if err := v.auditEvents(ctx); err != nil {
		return err
	}
	if err := v.guardedRows(ctx); err != nil {
		return err
	}
	if err := v.checkpoints(ctx); err != nil {
		return err
	}
	return v.figures(ctx)
}

// figures compares the sums of days and minutes with the ledger.
func (v *verifier) figures(ctx context.Context) error {
	days, err := v.s.CheckDays(ctx)
	var tampered models.TamperedError
	if errors.As(err, &tampered) { // a setting that the days depend on, which is among the rows already
		v.report.Figures.fault("the figures were not compared with the ledger: %s", tampered)
		return nil
	}
	for _, fault := range days.Faults {
		v.report.Figures.fault("%s", fault)
	}
	return err
}

// snapshot begins a transaction that reads one state of the database.
func (s *Store) snapshot(ctx context.Context, pool *sql.DB) (*sql.Tx, error) {
	opts := &sql.TxOptions{} // SQLite's driver knows no options; its pool is read-only, and a transaction there is one snapshot
	if s.dialect == mysqlDialect {
		opts.Isolation, opts.ReadOnly = sql.LevelRepeatableRead, true
	}
	return pool.BeginTx(ctx, opts)
}

// nextHeld reads the checkpoint's next wallet.
func (v *verifier) nextHeld() error {
	v.held = nil
	if v.checkpoint == nil {
		return nil
	}
	w, ok, err := v.checkpoint.Wallet()
	if ok {
		v.held = &w
	}
	return err
}

// hold hands the checkpoint's wallets up to the number to, which come in ascending number too, to the wallets in hand.
func (v *verifier) hold(to int64) error {
	for v.held != nil && v.held.PlayerID <= to {
		v.wallet(v.held.PlayerID).held = v.held
		if err := v.nextHeld(); err != nil {
			return err
		}
	}
	return nil
}

// wallets opens the next chunk: the wallets and players above from.
func (v *verifier) wallets(ctx context.Context, from int64) (last int64, err error) {
	var q statement
	q.begin(`SELECT w.player_id, p.user_id, w.currency, w.balance_minor, w.seq, w.head, w.spin_seq, w.spin_head, w.tombstones
		FROM wallets w LEFT JOIN players p ON p.id = w.player_id WHERE w.player_id > `).number(from).
		text(" ORDER BY w.player_id LIMIT ").number(verifyChunk)
	err = q.query(ctx, v.tx, func(rows *sql.Rows) error {
		var w models.Wallet
		var user sql.NullString
		var currency string
		var head, spinHead sql.RawBytes
		if err := rows.Scan(&w.PlayerID, &user, &currency, (*int64)(&w.Balance), &w.Seq, &head, &w.SpinSeq, &spinHead, &w.Tombstones); err != nil {
			return err
		}
		w.Currency = models.Currency(currency)
		w.Head, w.SpinHead = storedHash(head), storedHash(spinHead)
		c := v.wallet(w.PlayerID)
		c.user, c.row, c.missing = models.UserID(user.String), w, false
		if !user.Valid {
			c.fault("its player is gone")
		}
		c.derived.Currency = w.Currency
		v.report.Wallets++
		last = w.PlayerID
		return nil
	})
	return last, err
}

// players finds those that have no wallet.
func (v *verifier) players(ctx context.Context, from, to int64) error {
	var q statement
	q.begin("SELECT id, user_id FROM players WHERE id > ").number(from).text(" AND id <= ").number(to).
		text(" AND NOT EXISTS (SELECT 1 FROM wallets WHERE player_id = players.id)")
	return q.query(ctx, v.tx, func(rows *sql.Rows) error {
		var id int64
		var user string
		if err := rows.Scan(&id, &user); err != nil {
			return err
		}
		v.wallet(id).user = models.UserID(user)
		return nil
	})
}

// beginnings sets off each wallet whose front was purged from where its chains begin.
func (v *verifier) beginnings(ctx context.Context, from, to int64) error {
	return v.beginningsOf(ctx, from, to, func(b models.Beginning) {
		w := v.wallet(b.PlayerID)
		if b.Proof != v.s.chain.Beginning(&b) {
			w.fault("nothing proves that its chains begin after entry %d and free-spin entry %d", b.Seq, b.SpinSeq)
		}
		b.Currency = w.derived.Currency
		w.front, w.derived = b, b.Wallet
		if h := w.held; h != nil && (h.Seq == b.Seq && h.Head != b.Head || h.SpinSeq == b.SpinSeq && h.SpinHead != b.SpinHead) {
			w.fault("its beginning is not what the checkpoint knew: the lines up to it were others")
		}
	})
}

// purged reports whether a line was archived.
func (w *walletCheck) purged(key lineKey) bool {
	return key.spin && key.seq <= w.front.SpinSeq || !key.spin && key.seq <= w.front.Seq
}

func (v *verifier) wallet(id int64) *walletCheck {
	c := v.open[id]
	if c == nil {
		c = &walletCheck{missing: true, tx: map[transactionKey]*derivedTransaction{}, tombstones: map[models.TransactionID]time.Time{}, booked: map[lineKey]*models.Correction{}}
		c.derived.PlayerID = id
		v.open[id] = c
	}
	return c
}

// corrections reads those that say they were booked, to be held against the lines that follow.
func (v *verifier) corrections(ctx context.Context, from, to int64) error {
	var q statement
	q.begin("SELECT id, player_id, kind, transaction_id, effect_minor, seq, spin FROM corrections WHERE player_id > ").number(from).
		text(" AND player_id <= ").number(to).text(" AND state = ").number(int64(models.CorrectionApproved))
	return q.query(ctx, v.tx, func(rows *sql.Rows) error {
		var c models.Correction
		var id string
		var kind, spin int64
		if err := rows.Scan(&c.ID, &c.PlayerID, &kind, &id, (*int64)(&c.Effect), &c.Seq, &spin); err != nil {
			return err
		}
		c.Kind, c.TransactionID = models.CorrectionKind(storedKind(kind)), models.TransactionID(id)
		w, key := v.wallet(c.PlayerID), lineKey{spin != 0, c.Seq}
		if other := w.booked[key]; other != nil {
			w.fault("corrections %d and %d both say that line %d is theirs", other.ID, c.ID, c.Seq)
		}
		w.booked[key] = &c
		return nil
	})
}

// explain holds a line against the correction that says it is its own, and an adjustment without one against that there has to be one.
func (w *walletCheck) explain(key lineKey, kind models.EntryKind, id models.TransactionID, amount models.Amount) {
	c := w.booked[key]
	delete(w.booked, key)
	switch {
	case c == nil && kind != models.EntryAdjustment:
	case c == nil:
		w.fault("entry %d: an adjustment that no approved correction explains", key.seq)
	case c.Kind.Adjusts() && (kind != models.EntryAdjustment || id != models.AdjustmentID(c.ID) || amount != c.Effect),
		c.Kind == models.CorrectWin && (kind != models.EntryWin || id != c.TransactionID || amount != c.Effect),
		c.Kind == models.CorrectRollback && (!reverses(kind) || id != c.TransactionID),
		!c.Kind.Adjusts() && kind == models.EntryAdjustment:
		w.fault("line %d is not what correction %d says that it booked", key.seq, c.ID)
	}
}

func reverses(kind models.EntryKind) bool {
	return kind == models.EntryBetReversed || kind == models.EntryWinReversed || kind == models.EntrySpinReversed
}

// What stands in a row may be anything that the column takes. A number that is none of ours becomes one that no rule knows, a hash of
// another length one that no line has.

// storedKind is a kind, source or state as it stands in a row.
func storedKind(n int64) uint8 {
	if n < 0 || n > math.MaxUint8 {
		return math.MaxUint8
	}
	return uint8(n)
}

func storedHash(b []byte) (h models.Hash) {
	if len(b) == len(h) {
		copy(h[:], b)
	}
	return h
}

// flag is a yes or no as it stands in a row.
func (w *walletCheck) flag(n int64, what string, id models.TransactionID) bool {
	if n != 0 && n != 1 {
		w.fault("transaction %.80q: %s is neither yes nor no", id, what)
	}
	return n != 0
}

func (v *verifier) ranged(ctx context.Context, what string, from, to int64, scan func(*sql.Rows) error) error {
	var q statement
	q.begin(what).text(" WHERE player_id > ").number(from).text(" AND player_id <= ").number(to)
	if what == selectEntries || what == selectSpinEntries {
		q.text(" ORDER BY player_id, seq")
	}
	return q.query(ctx, v.tx, scan)
}

const (
	selectEntries = `SELECT player_id, seq, kind, source, transaction_id, round_id, amount_minor, before_minor, after_minor, at_us, hash
		FROM entries`
	selectSpinEntries  = "SELECT player_id, seq, kind, transaction_id, round_id, spins, stake_minor, grant_known, at_us, hash FROM spin_entries"
	selectTransactions = `SELECT player_id, source, transaction_id, kind, round_id, bet_minor, win_minor, free_spin, state, at_us, reversed_at_us
		FROM transactions`
	selectTombstones = "SELECT player_id, transaction_id, at_us FROM tombstones"
)

func (v *verifier) entries(ctx context.Context, from, to int64) error {
	return v.ranged(ctx, selectEntries, from, to, func(rows *sql.Rows) error {
		e, err := scanEntry(rows)
		if err != nil {
			return err
		}
		v.wallet(e.PlayerID).entry(v.s.chain, &e)
		v.report.Entries++
		if v.done != nil && v.report.Entries%10000 == 0 {
			v.done(v.report.Entries)
		}
		return nil
	})
}

func scanEntry(rows *sql.Rows) (e models.Entry, err error) {
	var id, round string
	var kind, source, at int64
	var hash sql.RawBytes
	err = rows.Scan(&e.PlayerID, &e.Seq, &kind, &source, &id, &round, (*int64)(&e.Amount), (*int64)(&e.Before), (*int64)(&e.After), &at, &hash)
	e.Kind, e.Source, e.Hash = models.EntryKind(storedKind(kind)), models.Source(storedKind(source)), storedHash(hash)
	e.TransactionID, e.RoundID, e.At = models.TransactionID(id), models.RoundID(round), fromMicros(at)
	return e, err
}

// entry checks one line against those before it and derives what it did to its transaction.
func (w *walletCheck) entry(chain *models.Chain, e *models.Entry) {
	d := &w.derived
	w.place("entry", "entries", d.Seq, e.Seq)
	if (d.Seq == 0) != (e.Kind == models.EntryOpening) {
		w.fault("entry %d: a ledger begins with its opening balance, which comes once", e.Seq)
	}
	e.Currency = d.Currency
	if chain.Entry(d.Head, e) != e.Hash {
		w.fault("entry %d: its hash does not follow from its content and the line before it", e.Seq)
	}
	if h := w.held; h != nil && h.Seq == e.Seq && h.Head != e.Hash {
		w.fault("entry %d is not the one that the checkpoint knew: the entries up to it are others", e.Seq)
	}
	if e.Before != d.Balance {
		w.fault("entry %d begins at %s, the line before it ended at %s", e.Seq, e.Before, d.Balance)
	}
	if after, ok := e.Before.Plus(e.Amount); !ok || after != e.After {
		w.fault("entry %d: %s and %s do not make %s", e.Seq, e.Before, e.Amount, e.After)
	}
	d.Seq, d.Head, d.Balance = e.Seq, e.Hash, e.After
	w.explain(lineKey{false, e.Seq}, e.Kind, e.TransactionID, e.Amount)
	if e.Kind == models.EntryTombstone {
		if _, ok := w.tombstones[e.TransactionID]; ok {
			w.fault("entry %d: a second tombstone of transaction %.80q", e.Seq, e.TransactionID)
		}
		w.tombstones[e.TransactionID] = e.At
		d.Tombstones++
		return
	}
	key := transactionKey{e.Source, e.TransactionID}
	t := w.tx[key]
	switch e.Kind {
	case models.EntryOpening, models.EntryBet, models.EntryAdjustment:
		if t != nil {
			w.fault("entry %d: transaction %.80q is booked a second time", e.Seq, e.TransactionID)
			return
		}
		t = w.begin(key, e.RoundID, models.Bet, e)
		t.Bet = -e.Amount
		if e.Kind == models.EntryOpening {
			t.Kind, t.Bet, t.Win = models.Opening, 0, e.Amount
		}
		if e.Kind == models.EntryAdjustment {
			t.Kind, t.Bet, t.Win = models.Adjustment, max(-e.Amount, 0), max(e.Amount, 0)
		}
	case models.EntryWin:
		if t == nil {
			t = w.begin(key, e.RoundID, models.Win, e)
			t.Win = e.Amount
			return
		}
		if t.Kind != models.Bet || t.FreeSpin || t.State != models.Processed || t.At != e.At || t.RoundID != e.RoundID {
			w.fault("entry %d: transaction %.80q is booked a second time", e.Seq, e.TransactionID)
			return
		}
		t.Kind, t.Win, t.lines = models.BetWin, e.Amount, t.lines+1
	case models.EntryBetReversed, models.EntryWinReversed:
		if t == nil && w.front.Seq > 0 { // what it takes back was archived: the transaction's row tells
			t = w.begun(key, e.RoundID)
		}
		if t != nil && t.early && t.reversals < 2 {
			if e.Kind == models.EntryBetReversed {
				t.Bet = e.Amount
			} else {
				t.Win = -e.Amount
			}
			t.ReversedAt = e.At
			t.reversals, t.lines = t.reversals+1, t.lines+1
			return
		}
		ok := t != nil && !t.FreeSpin && t.Kind != models.Opening && t.Kind != models.Adjustment
		if ok && e.Kind == models.EntryBetReversed { // the bet and the win come back in either order: see models.Decide
			ok, t.betBack = t.Kind != models.Win && e.Amount == t.Bet && !t.betBack, true
		} else if ok {
			ok, t.winBack = t.Kind != models.Bet && e.Amount == -t.Win && !t.winBack, true
		}
		if !ok {
			w.fault("entry %d takes back what transaction %.80q did not book", e.Seq, e.TransactionID)
			return
		}
		t.State, t.ReversedAt = models.Reversed, e.At
		t.reversals++
	default:
		w.fault("entry %d is of no known kind (%d)", e.Seq, e.Kind)
	}
}

func (w *walletCheck) begin(key transactionKey, round models.RoundID, kind models.OperationKind, e *models.Entry) *derivedTransaction {
	t := &derivedTransaction{lines: 1, Transaction: models.Transaction{
		Source: key.source, TransactionID: key.id, PlayerID: w.derived.PlayerID, RoundID: round, Kind: kind, State: models.Processed, At: e.At,
	}}
	w.tx[key] = t
	return t
}

// begun notes a transaction whose own lines were archived.
func (w *walletCheck) begun(key transactionKey, round models.RoundID) *derivedTransaction {
	t := &derivedTransaction{early: true, Transaction: models.Transaction{
		Source: key.source, TransactionID: key.id, PlayerID: w.derived.PlayerID, RoundID: round, State: models.Reversed,
	}}
	w.tx[key] = t
	return t
}

func (v *verifier) spinEntries(ctx context.Context, from, to int64) error {
	return v.ranged(ctx, selectSpinEntries, from, to, func(rows *sql.Rows) error {
		e, known, err := scanSpinEntry(rows)
		if err != nil {
			return err
		}
		w := v.wallet(e.PlayerID)
		w.flag(known, "whether a grant was known", e.TransactionID)
		w.spinEntry(v.s.chain, &e)
		v.report.SpinEntries++
		return nil
	})
}

// scanSpinEntry returns a line, and its flag as it stands in the row.
func scanSpinEntry(rows *sql.Rows) (e models.SpinEntry, known int64, err error) {
	var id, round string
	var kind, at int64
	var hash sql.RawBytes
	err = rows.Scan(&e.PlayerID, &e.Seq, &kind, &id, &round, &e.Spins, (*int64)(&e.Stake), &known, &at, &hash)
	e.Kind, e.Hash, e.GrantKnown = models.EntryKind(storedKind(kind)), storedHash(hash), known != 0
	e.TransactionID, e.RoundID, e.At = models.TransactionID(id), models.RoundID(round), fromMicros(at)
	return e, known, err
}

func (w *walletCheck) spinEntry(chain *models.Chain, e *models.SpinEntry) {
	d := &w.derived
	w.place("free-spin entry", "free-spin entries", d.SpinSeq, e.Seq)
	e.Currency = d.Currency
	if chain.SpinEntry(d.SpinHead, e) != e.Hash {
		w.fault("free-spin entry %d: its hash does not follow from its content and the line before it", e.Seq)
	}
	if h := w.held; h != nil && h.SpinSeq == e.Seq && h.SpinHead != e.Hash {
		w.fault("free-spin entry %d is not the one that the checkpoint knew: the entries up to it are others", e.Seq)
	}
	d.SpinSeq, d.SpinHead = e.Seq, e.Hash
	w.explain(lineKey{true, e.Seq}, e.Kind, e.TransactionID, 0)
	key := transactionKey{models.SourcePlatform, e.TransactionID}
	t := w.tx[key]
	switch {
	case e.Kind == models.EntrySpin && e.Spins == 1 && t == nil:
		t = w.begin(key, e.RoundID, models.Bet, &models.Entry{At: e.At})
		t.FreeSpin, t.Bet = true, e.Stake
	case e.Kind == models.EntrySpinReversed && e.Spins == -1 && t == nil && w.front.SpinSeq > 0:
		t = w.begun(key, e.RoundID)
		t.FreeSpin, t.Bet, t.ReversedAt, t.reversals, t.lines = true, -e.Stake, e.At, 1, 1
	case e.Kind == models.EntrySpin:
		w.fault("free-spin entry %d: transaction %.80q is booked a second time", e.Seq, e.TransactionID)
	case e.Kind == models.EntrySpinReversed && e.Spins == -1 && t != nil && t.FreeSpin && t.reversals == 0 && e.Stake == -t.Bet:
		t.State, t.ReversedAt, t.reversals = models.Reversed, e.At, 1
	default:
		w.fault("free-spin entry %d takes back what transaction %.80q did not book", e.Seq, e.TransactionID)
	}
}

func (v *verifier) transactions(ctx context.Context, from, to int64) error {
	return v.ranged(ctx, selectTransactions, from, to, func(rows *sql.Rows) error {
		var t models.Transaction
		var id, round string
		var source, kind, free, state, at, reversed int64
		err := rows.Scan(&t.PlayerID, &source, &id, &kind, &round, (*int64)(&t.Bet), (*int64)(&t.Win), &free, &state, &at, &reversed)
		if err != nil {
			return err
		}
		t.TransactionID, t.RoundID, t.At, t.ReversedAt = models.TransactionID(id), models.RoundID(round), fromMicros(at), fromMicros(reversed)
		t.Source, t.Kind, t.State = models.Source(storedKind(source)), models.OperationKind(storedKind(kind)), models.TransactionState(storedKind(state))
		v.report.Transactions++
		if t.Source == models.SourcePlatform {
			v.shapes[(&models.Operation{Kind: t.Kind, TransactionID: t.TransactionID, RoundID: t.RoundID}).Shape()] = true
		}
		w := v.wallet(t.PlayerID)
		t.FreeSpin = w.flag(free, "whether it is a free spin", t.TransactionID)
		d := w.tx[transactionKey{t.Source, t.TransactionID}]
		old := w.front.Seq+w.front.SpinSeq > 0 && !t.At.After(w.front.At)
		if d != nil && d.early && old {
			d.Kind, d.At = t.Kind, t.At
		}
		switch {
		case d == nil && old && (t.State == models.Processed || !t.ReversedAt.After(w.front.At)): // its lines were archived
		case d == nil:
			w.fault("transaction %.80q has no entry", t.TransactionID)
		case d.seen:
			w.fault("transaction %.80q stands twice", t.TransactionID)
		default:
			d.seen = true
			if d.Transaction != t {
				w.fault("transaction %.80q says %s of bet %s, win %s, round %.80q, %s; its entries say %s of bet %s, win %s, round %.80q, %s",
					t.TransactionID, t.Kind, t.Bet, t.Win, t.RoundID, t.State, d.Kind, d.Bet, d.Win, d.RoundID, d.State)
			}
		}
		return nil
	})
}

func (v *verifier) tombstones(ctx context.Context, from, to int64) error {
	return v.ranged(ctx, selectTombstones, from, to, func(rows *sql.Rows) error {
		var player, at int64
		var id string
		if err := rows.Scan(&player, &id, &at); err != nil {
			return err
		}
		v.report.Tombstones++
		v.shapes[models.IDShape{Transaction: len(id)}] = true
		w := v.wallet(player)
		if told, ok := w.tombstones[models.TransactionID(id)]; !ok && (w.front.Tombstones == 0 || fromMicros(at).After(w.front.At)) {
			w.fault("the tombstone of transaction %.80q has no entry", id)
		} else if ok && !told.Equal(fromMicros(at)) {
			w.fault("the tombstone of transaction %.80q is of another time than its entry", id)
		}
		delete(w.tombstones, models.TransactionID(id))
		return nil
	})
}

// idShapes checks that the ledger remembers the lengths of all IDs that it has accepted. Without one of them, other readings of a signed
// text would no longer be looked for (models/signed.go).
func (v *verifier) idShapes(ctx context.Context) error {
	var list []models.IDShape
	var q statement
	q.begin("SELECT transaction_length, round_length, amount_first FROM id_shapes")
	err := q.query(ctx, v.tx, func(rows *sql.Rows) error {
		var shape models.IDShape
		var amount int64
		if err := rows.Scan(&shape.Transaction, &shape.Round, &amount); err != nil {
			return err
		}
		shape.Amount = amount == 1
		if most := models.MaxIDBytes; min(shape.Transaction, shape.Round) < 0 || max(shape.Transaction, shape.Round) > most || amount != 0 && amount != 1 {
			v.report.Rows.fault("id_shapes has IDs of %d and %d bytes (%d), which no ID has", shape.Transaction, shape.Round, amount)
			return nil
		}
		list = append(list, shape)
		return nil
	})
	if err != nil {
		return fmt.Errorf("read the shapes of IDs: %w", err)
	}
	known := models.NewIDShapes(list)
	for shape := range v.shapes {
		if !known.Has(shape) {
			v.report.Rows.fault("id_shapes lacks transaction IDs of %d bytes with round IDs of %d bytes: a signature could be used for other values",
				shape.Transaction, shape.Round)
		}
	}
	return nil
}

// finish compares each wallet's row with what its entries say, and keeps what does not hold.
func (v *verifier) finish() {
	for _, id := range slices.Sorted(maps.Keys(v.open)) {
		w := v.open[id]
		d, row := &w.derived, &w.row
		if w.missing && w.held != nil {
			w.fault("the wallet's row is gone, with which the checkpoint knew %d entries", w.held.Seq)
		} else if w.missing {
			w.fault("the wallet's row is gone")
		} else {
			if d.Seq == 0 {
				w.fault("there is no entry, not even the opening balance")
			}
			if row.Balance != d.Balance {
				w.fault("the balance is %s, its entries make %s", row.Balance, d.Balance)
			}
			if row.Tombstones != d.Tombstones {
				w.fault("the wallet counts %d tombstones, its entries %d", row.Tombstones, d.Tombstones)
			}
			var held models.Wallet
			if w.held != nil {
				held = *w.held
			}
			w.ends("entry", "entries", row.Seq, row.Head, d.Seq, d.Head, held.Seq)
			w.ends("free-spin entry", "free-spin entries", row.SpinSeq, row.SpinHead, d.SpinSeq, d.SpinHead, held.SpinSeq)
		}
		for key, t := range w.tx {
			if !t.seen {
				w.fault("transaction %.80q has entries and no row", key.id)
			}
			if t.reversals != 0 && t.reversals != t.lines {
				w.fault("transaction %.80q was rolled back in part", key.id)
			}
		}
		for key, c := range w.booked {
			if !w.purged(key) {
				w.fault("correction %d says that line %d is its own, which does not exist", c.ID, key.seq)
			}
		}
		for id := range w.tombstones {
			w.fault("the tombstone of transaction %.80q has an entry and no row", id)
		}
		if w.total > 0 {
			v.report.Faulty = append(v.report.Faulty, WalletFaults{PlayerID: id, UserID: w.user, Faults: w.faults, Total: w.total})
		}
	}
	if v.done != nil {
		v.done(v.report.Entries)
	}
}
