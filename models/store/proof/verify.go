package proof

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
)

// Verify reads the whole ledger in one snapshot, while players play, and checks that
//
//   - each player has a wallet, whose entries begin with its opening balance;
//   - each wallet's balance is the sum of its entries, and each balance follows from the one before; so is the held amount, which
//     is never negative, and what is used of the player's limits;
//   - each operation is booked once, each rollback reverses exactly what was booked, and each free spin has exactly one line;
//   - each adjustment belongs to an approved correction, and each such correction has its line;
//   - both hash chains of each wallet are complete and valid up to the heads in the wallet's row;
//   - the audit chain is complete and valid too, and each of its texts is the original or was erased with the key;
//   - each row that the audit log covers matches its latest event, and none was inserted or deleted without one (states.go);
//   - no job's position was changed in the database, so that the rules that open cases have looked at everything;
//   - the sums of days and minutes match the ledger (CheckDays);
//   - the row of each checkpoint follows from the one before.
//
// done, if not nil, is called from time to time with the number of entries read. An error means that the ledger could not be
// read.
func (s *Store) Verify(ctx context.Context, done func(entries int64)) (models.Verification, error) {
	return s.VerifyAgainst(ctx, nil, done)
}

// OpenCheckpoint opens a checkpoint's file for VerifyAgainst. It returns the errors of models.OpenCheckpoint.
func (s *Store) OpenCheckpoint(file io.ReadSeeker) (*models.CheckpointReader, error) {
	return models.OpenCheckpoint(file, s.db.Chain)
}

// VerifyAgainst is Verify with a comparison of the ledger with a checkpoint, unless that is nil: each chain must still contain
// the line that was its head then. Only this comparison detects that the end of a chain was deleted or a backup was restored
// (verify_checkpoint.go).
func (s *Store) VerifyAgainst(ctx context.Context, checkpoint *models.CheckpointReader,
	done func(entries int64)) (models.Verification, error) {
	return s.verify(ctx, &verifier{checkpoint: checkpoint, done: done})
}

// VerifyGently is VerifyAgainst, but it pauses for rest times as long as it works, so that callbacks do not slow down.
func (s *Store) VerifyGently(ctx context.Context, checkpoint *models.CheckpointReader, rest int,
	done func(entries int64)) (models.Verification, error) {
	return s.verify(ctx, &verifier{checkpoint: checkpoint, rest: rest, done: done})
}

// VerifyPlayer verifies one player's wallet, and compares the player's row with the audit log. It returns the faults in words.
func (s *Store) VerifyPlayer(ctx context.Context, id int64) (faults []string, err error) {
	v := &verifier{s: s, began: time.Now(), open: map[int64]*walletCheck{}}
	if v.tx, err = s.db.Snapshot(ctx); err != nil {
		return nil, err
	}
	defer v.tx.Rollback()
	_, _, err = db.Load[models.Player](s.db, v.tx, id)
	if tampered := (models.TamperedError{}); errors.As(err, &tampered) {
		faults, err = append(faults, tampered.Error()), nil
	}
	if err == nil {
		_, err = v.wallets(id-1, 1)
	}
	if err == nil {
		err = v.limits()
	}
	for _, read := range v.readers() {
		if err == nil {
			err = read(ctx, id-1, id)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("verify player %d: %w", id, err)
	}
	v.finish()
	for _, w := range v.report.Faulty {
		faults = append(faults, w.Faults...)
	}
	return faults, nil
}

// readers read the rows about the wallets of a range.
func (v *verifier) readers() []func(context.Context, int64, int64) error {
	return []func(context.Context, int64, int64) error{v.players, v.corrections, v.postings, v.spinEntries}
}

// VerifySince verifies everything written after a checkpoint, and that it continues from the checkpoint: each chain from the
// head that it had then. Rows before that, the uniqueness of transaction IDs, which the database's key ensures, and the sums of
// days and minutes are only read by Verify and VerifyAgainst. If the checkpoint is nil, VerifySince verifies everything.
func (s *Store) VerifySince(ctx context.Context, checkpoint *models.CheckpointReader,
	done func(entries int64)) (models.Verification, error) {
	return s.verify(ctx, &verifier{checkpoint: checkpoint, since: checkpoint != nil, done: done})
}

func (s *Store) verify(ctx context.Context, v *verifier) (models.Verification, error) {
	v.s, v.began = s, time.Now()
	v.report.Keyed = s.db.Chain.Keyed()
	if v.checkpoint != nil {
		v.report.Held = v.checkpoint.Number
	}
	err := v.run(ctx)
	return v.report, err
}

type verifier struct {
	s      *Store
	tx     *gorm.DB
	done   func(int64)
	report models.Verification
	open   map[int64]*walletCheck

	doubled map[claimKey][]int64 // IDs that occur more than once, with the wallets in which they were found
	since   bool                 // only what came after the checkpoint
	after   int64                // all postings after the checkpoint have higher numbers
	rest    int                  // see VerifyGently
	rows    int                  // read so far
	began   time.Time            // when the work since the last pause began

	checkpoint *models.CheckpointReader
	held       *models.Wallet // the next wallet of the checkpoint

}

// verifyChunk is how many wallets are read at once.
const verifyChunk = 200

func (v *verifier) run(ctx context.Context) (err error) {
	if v.tx, err = v.s.db.Snapshot(ctx); err != nil {
		return err
	}
	defer v.tx.Rollback()
	if err := v.nextHeld(); err != nil {
		return err
	}
	if v.since {
		v.report.Since = v.checkpoint.Number
		// A transaction may have been given its number before the checkpoint and have been committed after it.
		if v.after, err = v.s.db.NumberAt(ctx, "postings", v.checkpoint.At.Add(-time.Hour)); err != nil {
			return err
		}
		v.after--
	} else if err := v.doubles(); err != nil {
		return err
	}
	const beyond = math.MaxInt64
	for from := int64(-beyond); ; {
		v.open = map[int64]*walletCheck{}
		last, err := v.wallets(from, verifyChunk)
		if err != nil {
			return err
		}
		// The chunk extends to its last wallet, or to the end, so that rows without a wallet are in a chunk too.
		to := last
		if len(v.open) < verifyChunk {
			to = beyond
		}
		if err := v.hold(to); err != nil {
			return err
		}
		if err := v.limits(); err != nil {
			return err
		}
		for _, read := range v.readers() {
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
	if err := v.auditEvents(ctx); err != nil {
		return err
	}
	if err := v.coveredRows(); err != nil {
		return err
	}
	if err := v.checkpoints(ctx); err != nil {
		return err
	}
	if v.since {
		return nil
	}
	return v.figures(ctx)
}

// work counts a row, and pauses now and then if the verification has to leave time for callbacks.
func (v *verifier) work(ctx context.Context) error {
	if v.rows++; v.rows%500 != 0 {
		return nil
	}
	return v.pause(ctx)
}

func (v *verifier) pause(ctx context.Context) error {
	if v.rest == 0 {
		return ctx.Err()
	}
	pause := time.NewTimer(time.Duration(v.rest) * time.Since(v.began))
	defer pause.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-pause.C:
		v.began = time.Now()
		return nil
	}
}

// doubles looks for transaction IDs that occur more than once. The database's unique key prevents that, except for rollbacks
// that came first.
func (v *verifier) doubles() error {
	v.doubled = map[claimKey][]int64{}
	return db.Each(v.tx, func(rows *sql.Rows) error {
		var source int64
		var id string
		var claim sql.NullInt64
		err := rows.Scan(&source, &id, &claim)
		v.doubled[claimKey{ledger.TransactionKey{Source: models.Source(ledger.StoredKind(source)),
			ID: models.TransactionID(id)}, models.Claim(ledger.StoredKind(claim.Int64))}] = nil
		return err
	}, "SELECT source, transaction_id, claim FROM postings GROUP BY source, transaction_id, claim HAVING COUNT(*) > 1 LIMIT ?",
		maxDoubles)
}

// maxDoubles is how many IDs that occur more than once are reported.
const maxDoubles = 10000

// figures compares the sums of days and minutes with the ledger.
func (v *verifier) figures(ctx context.Context) error {
	days, err := v.s.books.CheckDays(ctx)
	var tampered models.TamperedError
	if errors.As(err, &tampered) { // a setting that the days depend on; coveredRows has reported it
		v.report.Figures.Add("the figures were not compared with the ledger: %s", tampered)
		return nil
	}
	for _, fault := range days.Faults {
		v.report.Figures.Add("%s", fault)
	}
	return err
}

// nextHeld reads the next wallet of the checkpoint.
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

// hold assigns the checkpoint's wallets to the wallets of the chunk, up to the number to. The checkpoint has them in ascending
// order.
func (v *verifier) hold(to int64) error {
	for v.held != nil && v.held.PlayerID <= to {
		w := v.wallet(v.held.PlayerID)
		w.hold(*v.held)
		if v.since && !w.missing {
			w.begin(*v.held)
			w.held.money, w.held.spins = v.held.Seq <= w.row.Seq, v.held.SpinSeq <= w.row.SpinSeq
			w.ahead = !w.held.money || !w.held.spins
		}
		if err := v.nextHeld(); err != nil {
			return err
		}
	}
	return nil
}

// wallets reads up to limit wallets with their players, those with numbers above from, and returns the last number.
func (v *verifier) wallets(from int64, limit int) (last int64, err error) {
	err = db.Each(v.tx, func(rows *sql.Rows) error {
		var w models.Wallet
		var user sql.NullString
		var currency string
		var head, spinHead sql.RawBytes
		if err := rows.Scan(&w.PlayerID, &user, &currency, (*int64)(&w.Balance), (*int64)(&w.Held), &w.Seq, &head,
			&w.SpinSeq, &spinHead, &w.Limits, &w.LimitSums); err != nil {
			return err
		}
		w.Currency = models.Currency(currency)
		w.Head, w.SpinHead = db.StoredHash(head), db.StoredHash(spinHead)
		c := v.wallet(w.PlayerID)
		c.user, c.row, c.missing = models.UserID(user.String), w, false
		if !user.Valid {
			c.fault("its player is gone")
		}
		c.derived.Currency = w.Currency
		v.report.Wallets++
		last = w.PlayerID
		return nil
	}, `SELECT w.player_id, p.user_id, w.currency, w.balance_minor, w.held_minor, w.seq, w.head, w.spin_seq, w.spin_head,
		w.limits, w.limit_sums
		FROM wallets w LEFT JOIN players p ON p.id = w.player_id WHERE w.player_id > ? ORDER BY w.player_id LIMIT ?`,
		from, limit)
	return last, err
}

// limits compares the use of players' limits with the ledger. The limits themselves are covered by the audit log.
func (v *verifier) limits() error {
	for id, w := range v.open {
		l := models.ParseLimits(w.row.Limits, w.row.LimitSums)
		if l == nil {
			continue
		}
		for i, said := range l.Sums {
			sums, err := ledger.SumsSince(v.tx, id, said.From)
			if err != nil {
				return err
			}
			if sums.From, sums.Until = said.From, said.Until; sums != said {
				w.fault("the used part of the limits per %s is not the sum of its entries", models.LimitPeriods[i])
			}
		}
	}
	return nil
}

// players finds players without a wallet.
func (v *verifier) players(ctx context.Context, from, to int64) error {
	return v.ranged(ctx, func(rows *sql.Rows) error {
		var id int64
		var user string
		if err := rows.Scan(&id, &user); err != nil {
			return err
		}
		v.wallet(id).user = models.UserID(user)
		return nil
	}, `SELECT id, user_id FROM players WHERE id > ? AND id <= ?
		AND NOT EXISTS (SELECT 1 FROM wallets WHERE player_id = players.id)`, from, to)
}

func (v *verifier) wallet(id int64) *walletCheck {
	c := v.open[id]
	if c == nil {
		c = &walletCheck{missing: true, booked: map[lineKey]*models.Correction{}}
		c.derived.PlayerID = id
		v.open[id] = c
	}
	return c
}

// corrections reads the booked corrections, so that lines can be compared with them.
func (v *verifier) corrections(ctx context.Context, from, to int64) error {
	return v.ranged(ctx, func(rows *sql.Rows) error {
		var c models.Correction
		var id string
		var kind, spin int64
		if err := rows.Scan(&c.ID, &c.PlayerID, &kind, &id, (*int64)(&c.Effect), &c.Seq, &spin); err != nil {
			return err
		}
		c.Kind, c.TransactionID = models.CorrectionKind(ledger.StoredKind(kind)), models.TransactionID(id)
		w, key := v.wallet(c.PlayerID), lineKey{spin != 0, c.Seq}
		if other := w.booked[key]; other != nil {
			w.fault("corrections %d and %d both say that they booked line %d", other.ID, c.ID, c.Seq)
		}
		w.booked[key] = &c
		return nil
	}, `SELECT id, player_id, kind, transaction_id, effect_minor, seq, spin FROM corrections
		WHERE player_id > ? AND player_id <= ? AND state = ?`, from, to, models.ApprovalApproved)
}

// ranged runs a query about the wallets of the chunk.
func (v *verifier) ranged(ctx context.Context, scan func(*sql.Rows) error, query string, args ...any) error {
	return db.Each(v.tx, func(rows *sql.Rows) error { return errors.Join(scan(rows), v.work(ctx)) }, query, args...)
}

const (
	selectSpinEntries = "SELECT player_id, seq, kind, transaction_id, round_id, spins, stake_minor, grant_known, at_us, " +
		"hash, signed_digest FROM spin_entries"
)

// Queries that compare each line with the others about its transaction, so that this program need not remember all lines.
var (
	// whether the transaction of a rollback, or the payment that bounced, was booked before: 2 if it was, 1 if its details
	// differ, NULL if there is none; and how many lines of the free-spin ledger a free spin has
	checkedPostings = "SELECT CASE WHEN p.claim = 2 THEN (SELECT MAX(CASE WHEN a.kind = " +
		fmt.Sprintf("CASE p.kind WHEN %d THEN %d ELSE p.kind END", models.CashPaid, models.CashOut) + " AND a.round_id = p.round_id " +
		"AND a.bet_minor = p.bet_minor AND a.win_minor = p.win_minor AND a.free_spin = p.free_spin THEN 2 ELSE 1 END) " +
		"FROM postings a WHERE a.source = p.source AND a.transaction_id = p.transaction_id AND a.claim = 1 " +
		"AND a.player_id = p.player_id AND a.id < p.id) " +
		fmt.Sprintf("WHEN p.kind = %d THEN (SELECT MAX(CASE WHEN a.bet_minor = p.win_minor "+
			"AND a.player_id = p.player_id THEN 2 ELSE 1 END) "+
			"FROM postings a WHERE a.source = p.source AND a.transaction_id = REPLACE(p.transaction_id, ' bounced@', '@') "+
			"AND a.claim = 2 AND a.kind = %d AND a.id < p.id) END, ", models.CashBounced, models.CashPaid) +
		"CASE WHEN p.free_spin = 1 THEN (SELECT COUNT(*) FROM spin_entries s WHERE s.player_id = p.player_id " +
		"AND s.round_id = p.round_id AND s.transaction_id = p.transaction_id AND s.kind = " + spinKind("p.claim", 2) +
		") END, " + strings.TrimPrefix(ledger.SelectOf("p"), "SELECT ") + " FROM postings p"

	// whether the ledger has the transaction as a free spin: 2 if it has, 1 if its details differ, otherwise 0 or NULL
	checkedSpins = "SELECT (SELECT MAX(CASE WHEN p.free_spin <> 1 THEN 0 WHEN p.round_id = s.round_id AND p.hash = s.hash " +
		"AND p.at_us = s.at_us AND p.bet_minor = s.stake_minor * s.spins " +
		"AND COALESCE(p.signed_digest, x'') = COALESCE(s.signed_digest, x'') THEN 2 ELSE 1 END) FROM postings p " +
		"WHERE p.source = 1 AND p.transaction_id = s.transaction_id AND p.player_id = s.player_id AND p.claim = " +
		"CASE s.kind WHEN " + strconv.Itoa(int(models.EntrySpinReversed)) + " THEN 2 ELSE 1 END), " +
		strings.TrimPrefix(selectSpinEntries, "SELECT ") + " s"
)

// spinKind returns an SQL expression for the kind of a free spin's line.
func spinKind(claim string, rolledBack int) string {
	return fmt.Sprintf("CASE %s WHEN %d THEN %d ELSE %d END", claim, rolledBack, models.EntrySpinReversed, models.EntrySpin)
}

func (v *verifier) postings(ctx context.Context, from, to int64) error {
	newer, args := "", []any{from, to}
	if v.since { // with a condition on the ID that is always true, MariaDB would read all lines for each chunk of wallets
		newer, args = " AND p.id > ?", []any{from, to, v.after}
	}
	return v.ranged(ctx, func(rows *sql.Rows) error {
		var original, spins sql.NullInt64
		p, err := ledger.ScanPosting(rows, &original, &spins)
		if err != nil {
			return err
		}
		w := v.wallet(p.PlayerID)
		if v.since && (w.ahead || p.Seq <= w.from.Seq) {
			return nil // before the checkpoint, or a free spin after the entry that was the head then: see spinEntries
		}
		switch p.Claim {
		case models.ClaimNone:
			v.report.Tombstones++
		case models.ClaimApplied:
			v.report.Transactions++
		}
		before := v.report.Entries
		v.double(w, &p)
		w.claims(&p, original)
		if p.FreeSpin && spins.Int64 == 0 {
			w.fault("transaction %.80q is a free spin without a line in the free-spin ledger", p.TransactionID)
		}
		w.posting(v.s.db.Chain, &p)
		v.report.Entries += p.Lines()
		if before/10000 != v.report.Entries/10000 {
			v.progress()
		}
		return nil
	}, checkedPostings+" WHERE p.player_id > ? AND p.player_id <= ?"+newer+" ORDER BY p.player_id, p.seq, p.id", args...)
}

// progress reports how many entries were read, or need not be read.
func (v *verifier) progress() {
	if v.done == nil {
		return
	}
	read := v.report.Entries
	if v.since {
		read += v.checkpoint.Entries
	}
	v.done(read)
}

// double finds a posting whose transaction ID was booked before.
func (v *verifier) double(w *walletCheck, p *models.Posting) {
	key := claimKey{ledger.TransactionKey{Source: p.Source, ID: p.TransactionID}, p.Claim}
	players, doubled := v.doubled[key]
	if !doubled {
		return
	}
	v.doubled[key] = append(players, p.PlayerID)
	switch {
	case p.Claim == models.ClaimNone && slices.Contains(players, p.PlayerID):
		w.fault("entry %d: a second tombstone of transaction %.80q", p.Seq, p.TransactionID)
	case p.Claim != models.ClaimNone && len(players) > 0:
		w.fault("entry %d: transaction %.80q is booked a second time", p.Seq, p.TransactionID)
	}
}

func (v *verifier) spinEntries(ctx context.Context, from, to int64) error {
	return v.ranged(ctx, func(rows *sql.Rows) error {
		var booked sql.NullInt64
		e, known, err := scanSpinEntry(rows, &booked)
		if err != nil {
			return err
		}
		w := v.wallet(e.PlayerID)
		if v.since && (w.ahead || e.Seq <= w.from.SpinSeq) {
			return nil
		}
		w.flag(known, "whether a grant was known", e.TransactionID)
		w.spinEntry(v.s.db.Chain, &e, booked.Int64)
		v.report.SpinEntries++
		return nil
	}, checkedSpins+" WHERE s.player_id > ? AND s.player_id <= ? ORDER BY s.player_id, s.seq", from, to)
}

// scanSpinEntry returns a line, and its flag as stored, after any columns before it, which it reads into first.
func scanSpinEntry(rows *sql.Rows, first ...any) (e models.SpinEntry, known int64, err error) {
	var id, round string
	var kind, at int64
	var hash sql.RawBytes
	err = rows.Scan(append(first, &e.PlayerID, &e.Seq, &kind, &id, &round, &e.Spins, (*int64)(&e.Stake), &known, &at, &hash, &e.Signed)...)
	e.Kind, e.Hash, e.GrantKnown = models.EntryKind(ledger.StoredKind(kind)), db.StoredHash(hash), known != 0
	e.TransactionID, e.RoundID, e.At = models.TransactionID(id), models.RoundID(round), db.FromMicros(at)
	return e, known, err
}

// finish compares each wallet's row with its entries, and adds all faults to the report.
func (v *verifier) finish() {
	for _, id := range slices.Sorted(maps.Keys(v.open)) {
		w := v.open[id]
		d, row := &w.derived, &w.row
		switch {
		case w.missing && w.held == nil:
			w.fault("the wallet's row is gone")
		case w.missing:
			w.fault("the wallet's row is gone; at the checkpoint it ended at entry %d", w.held.Seq)
		case w.ahead:
		default:
			if d.Seq == 0 {
				w.fault("there is no entry, not even the opening balance")
			}
			if row.Balance != d.Balance {
				w.fault("the balance is %s, but its entries add up to %s", row.Balance, d.Balance)
			}
			if row.Held != d.Held {
				w.fault("%s are held, but its entries add up to %s", row.Held, d.Held)
			}
			w.ends("entry", "entries", chainHead{row.Seq, row.Head}, chainHead{d.Seq, d.Head})
			w.ends("free-spin entry", "free-spin entries", chainHead{row.SpinSeq, row.SpinHead}, chainHead{d.SpinSeq, d.SpinHead})
		}
		for key, c := range w.booked {
			if !w.before(key) {
				w.fault("correction %d says that it booked line %d, which does not exist", c.ID, key.seq)
			}
		}
		w.settle()
		if w.total > 0 {
			v.report.Faulty = append(v.report.Faulty,
				models.WalletFaults{PlayerID: id, UserID: w.user, Faults: w.faults, Total: w.total})
		}
	}
	v.progress()
}
