package reconcile_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/jobs"
	"pitboss/app/reconcile"
	"pitboss/app/sheet"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

func TestMain(m *testing.M) { storetest.Main(m) }

var finance = models.Actor{Name: "farid"}

var vienna = func() *time.Location {
	zone, err := time.LoadLocation("Europe/Vienna")
	if err != nil {
		panic(err)
	}
	return zone
}()

var (
	since = time.Date(2026, 11, 19, 0, 0, 0, 0, vienna)
	until = time.Date(2026, 11, 20, 0, 0, 0, 0, vienna)
)

const margin = 5 * time.Minute

// The clock is before the period while wallets are opened, and after it when files are uploaded.
var begun = time.Now()

func (b *books) now() time.Time {
	return since.AddDate(0, 0, -2).Add(time.Since(begun)).Add(time.Duration(b.ahead.Load()))
}

func (b *books) later(d time.Duration) { b.ahead.Add(int64(d)) }

// books are the two sides of a made-up day: ours in a database, theirs in a file.
type books struct {
	t       testing.TB
	url     string
	store   *store.Store
	service *reconcile.Service
	players []models.Player
	ours    []our
	rows    []string // of the file, without its header
	random  *rand.Rand
	ahead   atomic.Int64 // of the clock
}

// our is one of our transactions.
type our struct {
	source   models.Source
	id       string
	player   models.Player
	kind     models.OperationKind
	bet, win models.Amount
	free     bool
	reversed bool
	at       time.Time
}

func open(t testing.TB, url string) *books {
	b := &books{t: t, url: url, random: rand.New(rand.NewPCG(7, 19))}
	b.store = storetest.Open(t, store.Config{URL: url, Now: b.now})
	b.service = reconcile.New(reconcile.Config{Store: b.store, Every: time.Nanosecond})
	for i, user := range []models.UserID{"anna", "kemal.yildirim-öztürk", "=1+1", "luiza", "-bob"} {
		currency := models.Currency("EUR")
		if i%2 == 1 {
			currency = "TRY"
		}
		made, err := b.store.CreatePlayer(t.Context(), finance, models.NewPlayer{UserID: user, Currency: currency})
		require.NoError(t, err)
		b.players = append(b.players, made)
	}
	b.later(5 * 24 * time.Hour)
	return b
}

// played makes one of our transactions, of a random kind.
func (b *books) played(n int, at time.Time) our {
	o := our{source: models.SourcePlatform, id: fmt.Sprintf("%08x-%06d", b.random.Uint32(), n),
		player: b.players[b.random.IntN(len(b.players))], at: at.Add(time.Duration(b.random.IntN(999)) * time.Microsecond)}
	switch b.random.IntN(10) {
	case 0, 1, 2:
		o.kind, o.win = models.Win, models.Amount(1+b.random.IntN(500_000))
	case 3:
		o.kind, o.bet, o.win = models.BetWin, models.Amount(1+b.random.IntN(5000)), models.Amount(b.random.IntN(9000))
	case 4:
		o.kind, o.bet, o.free = models.Bet, 50, true
	default:
		o.kind, o.bet = models.Bet, models.Amount(1+b.random.IntN(5000))
	}
	o.reversed = b.random.IntN(40) == 0
	return o
}

var header = "Transaction ID;Type;Bet amount;Win amount;Status;User ID;Currency;Time;Free spin"

// row writes a transaction as the platform's file has it: a comma for decimals, local time, the day first.
func (o our) row() string {
	kind := map[models.OperationKind]string{models.Bet: "Withdraw", models.Win: "Deposit", models.BetWin: "BetWin"}[o.kind]
	comma := func(a models.Amount) string {
		return strings.NewReplacer(",", ".", ".", ",").Replace(a.Grouped())
	}
	state := "processed"
	if o.reversed {
		state = "Rolled back"
	}
	return fmt.Sprintf("%s;%s;%s;%s;%s;%q;%s;%s;%t", o.id, kind, comma(o.bet), comma(o.win), state, string(o.player.UserID),
		o.player.Wallet.Currency, o.at.In(vienna).Format("02.01.2006 15:04:05.000"), o.free)
}

// exec changes the database behind the store.
func (b *books) exec(statement string, args ...any) {
	b.t.Helper()
	driver, dsn, _ := strings.Cut(b.url, "://")
	db, err := sql.Open(driver, dsn)
	require.NoError(b.t, err)
	defer db.Close()
	_, err = db.Exec(statement, args...)
	require.NoError(b.t, err)
}

// book writes our side to the database.
func (b *books) book() {
	b.t.Helper()
	driver, dsn := "mysql", strings.TrimPrefix(b.url, "mysql://")
	if path, lite := strings.CutPrefix(b.url, "sqlite://"); lite {
		driver, dsn = "sqlite", path
	}
	db, err := sql.Open(driver, dsn)
	require.NoError(b.t, err)
	defer db.Close()
	for len(b.ours) > 0 {
		chunk := b.ours[:min(len(b.ours), 500)]
		b.ours = b.ours[len(chunk):]
		var text strings.Builder
		var args []any
		text.WriteString("INSERT INTO postings (source, transaction_id, claim, player_id, seq, kind, round_id, bet_minor, " +
			"win_minor, free_spin, after_minor, at_us, hash) VALUES ")
		row := func(o *our, claim models.Claim, at int64) {
			if len(args) > 0 {
				text.WriteString(",")
			}
			text.WriteString("(?,?,?,?,0,?,'r',?,?,?,0,?,x'00')")
			args = append(args, uint8(o.source), o.id, uint8(claim), o.player.ID, uint8(o.kind), int64(o.bet), int64(o.win),
				o.free, at)
		}
		for i := range chunk {
			o := &chunk[i]
			row(o, models.ClaimApplied, o.at.UnixMicro())
			if o.reversed {
				row(o, models.ClaimRolledBack, o.at.UnixMicro()+1)
			}
		}
		_, err := db.ExecContext(b.t.Context(), text.String(), args...)
		require.NoError(b.t, err)
	}
}

// file returns their side, its lines in random order.
func (b *books) file() string {
	b.random.Shuffle(len(b.rows), func(i, j int) { b.rows[i], b.rows[j] = b.rows[j], b.rows[i] })
	return "\ufeff" + header + "\r\n" + strings.Join(b.rows, "\r\n") + "\r\n"
}

// keep uploads a file and requests its comparison.
func (b *books) keep(text string) (models.Statement, models.StatementRun) {
	b.t.Helper()
	st, err := b.service.Keep(b.t.Context(), finance, 0, "platform-2026-11-19.csv", strings.NewReader(text))
	require.NoError(b.t, err)
	st.Layout.Zone = "Europe/Vienna"
	st.Since, st.Until, st.Margin = since, until, margin
	return st, b.ask(st)
}

func (b *books) ask(st models.Statement) models.StatementRun {
	b.t.Helper()
	run, err := b.store.BeginStatementRun(b.t.Context(), finance, st)
	require.NoError(b.t, err)
	return run
}

func (b *books) compare(run models.StatementRun) models.StatementRun {
	b.t.Helper()
	run, err := b.service.Compare(b.t.Context(), run.ID, nil)
	require.NoError(b.t, err)
	require.Equal(b.t, models.JobFinished, run.State, run.Failure)
	return run
}

// found lists the differences of a run by TransactionID.
func (b *books) found(run models.StatementRun) map[string]models.Difference {
	b.t.Helper()
	found := map[string]models.Difference{}
	var last time.Time
	for _, d := range storetest.Pages(b.t, 700, models.Difference.Place, func(at models.Cursor) models.Page[models.Difference] {
		page, err := b.store.Differences(b.t.Context(),
			models.DifferenceFilter{RunID: run.ID, Span: models.Span{Page: at, Limit: 700}})
		require.NoError(b.t, err)
		return page
	}) {
		require.NotContains(b.t, found, string(d.TransactionID))
		require.False(b.t, d.At.Before(last), "they come in the order of their times")
		found[string(d.TransactionID)], last = d, d.At
	}
	return found
}

// expected is a planted difference.
type expected struct {
	bucket models.Bucket
	edge   bool
	remedy models.Remedy
	amount models.Amount
}

// TestEveryDifferenceIsFoundAndNoOther plants differences of every kind in a long day and finds exactly these, on both engines.
func TestEveryDifferenceIsFoundAndNoOther(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		b := open(t, url)
		n := storetest.Scaled(20_000, 100_000)
		step := until.Sub(since.Add(2*margin)) / time.Duration(n+1)
		want := map[string]expected{}
		both := func(o our) { b.ours, b.rows = append(b.ours, o), append(b.rows, o.row()) }
		var planted int
		// Transactions with several lines: a rollback on its own line, once or twice, a bet and a win on two lines, and
		// repeated lines.
		at := since.Add(margin)
		for i := range n {
			at = at.Add(step)
			o := b.played(i, at)
			if i%97 != 0 {
				switch {
				case o.reversed && i%2 == 0:
					b.ours = append(b.ours, o)
					rolledBack := strings.Replace(o.row(), ";Rolled back;", ";;", 1)
					if i%3 > 0 { // some files list only the rollback
						b.rows = append(b.rows, rolledBack)
					}
					b.rows = append(b.rows,
						fmt.Sprintf("%s;RollbackTransaction;;;;%s;%s;%s;", o.id, quoted(o), o.player.Wallet.Currency,
							o.at.In(vienna).Format("02.01.2006 15:04:05")))
				case o.kind == models.BetWin && !o.reversed && i%2 == 0:
					b.ours = append(b.ours, o)
					bet, win := o, o
					bet.kind, bet.win, win.kind, win.bet = models.Bet, 0, models.Win, 0
					b.rows = append(b.rows, bet.row(), win.row())
				case i%53 == 0:
					both(o)
					b.rows = append(b.rows, o.row())
				default:
					both(o)
				}
				continue
			}
			o.free, o.reversed = false, false
			if o.kind == models.BetWin || o.bet == 50 {
				o.kind, o.bet, o.win = models.Bet, 1000, 0
			}
			theirs := o
			size, more := o.bet+o.win, models.RemedyGiveBack
			if o.kind == models.Win {
				more = models.RemedyCredit
			}
			isBet := o.kind == models.Bet
			pick := func(bet, win expected) expected {
				if isBet {
					return bet
				}
				return win
			}
			planted++
			switch planted % 13 {
			case 0:
				theirs.bet, theirs.win = theirs.bet*2, theirs.win*2
				want[o.id] = pick(expected{models.AmountDiffers, false, models.RemedyDebit, size},
					expected{models.AmountDiffers, false, models.RemedyCredit, size})
				both(o)
				b.rows[len(b.rows)-1] = theirs.row()
			case 1:
				theirs.bet, theirs.win = (theirs.bet+1)*3, 0
				theirs.kind = models.Bet
				if isBet {
					theirs.bet = o.bet - 1
					want[o.id] = expected{models.AmountDiffers, false, models.RemedyGiveBack, 1}
				} else {
					want[o.id] = expected{models.AmountDiffers, false, models.RemedyDebit, o.win + 3}
				}
				both(o)
				b.rows[len(b.rows)-1] = theirs.row()
			case 2: // the player
				theirs.player = b.players[(int(o.player.ID))%len(b.players)]
				theirs.player.Wallet = o.player.Wallet
				want[o.id] = expected{models.AmountDiffers, false, models.RemedyLook, 0}
				both(o)
				b.rows[len(b.rows)-1] = theirs.row()
			case 3: // the currency
				theirs.player.Wallet.Currency = "USD"
				want[o.id] = expected{models.AmountDiffers, false, models.RemedyLook, 0}
				both(o)
				b.rows[len(b.rows)-1] = theirs.row()
			case 4: // rolled back there
				theirs.reversed = true
				want[o.id] = pick(expected{models.StateDiffers, false, models.RemedyGiveBack, size},
					expected{models.StateDiffers, false, models.RemedyDebit, size})
				both(o)
				b.rows[len(b.rows)-1] = theirs.row()
			case 5: // rolled back here
				o.reversed = true
				want[o.id] = pick(expected{models.StateDiffers, false, models.RemedyDebit, size},
					expected{models.StateDiffers, false, models.RemedyCredit, size})
				both(o)
				b.rows[len(b.rows)-1] = theirs.row()
			case 6: // failed there
				want[o.id] = pick(expected{models.StateDiffers, false, models.RemedyGiveBack, size},
					expected{models.StateDiffers, false, models.RemedyLeave, size})
				both(o)
				b.rows[len(b.rows)-1] = strings.Replace(theirs.row(), ";processed;", ";FAILED;", 1)
			case 7:
				want[o.id] = pick(expected{models.OnlyOurs, false, models.RemedyGiveBack, size},
					expected{models.OnlyOurs, false, models.RemedyLeave, size})
				b.ours = append(b.ours, o)
			case 8:
				want[o.id] = pick(expected{models.OnlyTheirs, false, models.RemedyLeave, size},
					expected{models.OnlyTheirs, false, models.RemedyCredit, size})
				b.rows = append(b.rows, theirs.row())
			case 9: // neither has an effect: no difference
				o.reversed = true
				b.ours = append(b.ours, o)
			case 10:
				theirs.reversed = true
				b.rows = append(b.rows, theirs.row())
			case 12: // failed there, not applied here: a bet needs nothing, a win was won all the same
				if !isBet {
					want[o.id] = expected{models.OnlyTheirs, false, models.RemedyCredit, size}
				}
				b.rows = append(b.rows, strings.Replace(theirs.row(), ";processed;", ";FAILED;", 1))
			case 11: // a free spin there
				if isBet {
					theirs.free = true
					want[o.id] = expected{models.AmountDiffers, false, more, size}
				}
				both(o)
				b.rows[len(b.rows)-1] = theirs.row()
			}
		}
		// A free spin that only one side has: no money, and still a difference.
		for i, side := range []models.Bucket{models.OnlyOurs, models.OnlyTheirs} {
			o := b.played(n+i, since.Add(time.Hour))
			o.kind, o.bet, o.win, o.free, o.reversed = models.Bet, 50, 0, true, false
			want[o.id] = expected{side, false, models.RemedyNone, 0}
			if side == models.OnlyOurs {
				b.ours = append(b.ours, o)
			} else {
				b.rows = append(b.rows, o.row())
			}
		}
		// Near the edges: on the other side of midnight by the other clock, or only ours and set aside.
		near := func(i int, at time.Time) our {
			o := b.played(n+10+i, at)
			o.kind, o.bet, o.win, o.free, o.reversed = models.Bet, 500, 0, false, false
			return o
		}
		over := near(0, until.Add(2*time.Second))
		b.ours = append(b.ours, over)
		over.at = until.Add(-2 * time.Second)
		b.rows = append(b.rows, over.row())
		early := near(1, since.Add(-3*time.Second))
		b.ours = append(b.ours, early)
		early.at = since.Add(3 * time.Second)
		b.rows = append(b.rows, early.row())
		for i, at := range []time.Time{since.Add(time.Second), until.Add(-margin + time.Second)} {
			aside := near(2+i, at)
			want[aside.id] = expected{models.OnlyOurs, true, models.RemedyGiveBack, 500}
			b.ours = append(b.ours, aside)
		}
		// Not of this period, or not the platform's: left out.
		b.ours = append(b.ours, near(5, since.Add(-time.Hour)), near(6, until.Add(time.Hour)), near(7, until.Add(time.Minute)),
			near(8, since.Add(-time.Minute)))
		own := near(9, since.Add(3*time.Hour))
		own.source, own.kind = models.SourceOwn, models.Adjustment
		b.ours = append(b.ours, own)
		good := len(b.rows)
		// Lines that cannot be used.
		whole := near(20, since.Add(4*time.Hour))
		b.ours, b.rows = append(b.ours, whole), append(b.rows, whole.row())
		good++
		late := near(21, until.Add(2*time.Hour))
		unusable := []string{late.row()}
		b.rows = append(b.rows, unusable...)
		booked := b.ours
		b.book()

		// One line contradicts an earlier one. The earlier one counts.
		other := strings.Replace(whole.row(), "5,00", "6,00", 1)
		file := b.file() + other + "\r\n"
		unusable = append(unusable, other)
		broken := len(unusable)
		st, run := b.keep(file)
		require.Equal(t, ",", st.Layout.Decimal)
		require.Equal(t, models.TimesDayFirst, st.Layout.Times)
		run = b.compare(run)
		found := b.found(run)
		for id, w := range want {
			d, there := found[id]
			require.True(t, there, "%s should be: %v", id, w)
			require.Equal(t, w, expected{d.Bucket, d.Edge, d.Remedy, d.RemedyAmount}, "%s: %+v", id, d)
			require.NotEmpty(t, d.Currency, id)
			require.NotZero(t, d.PlayerID, id)
		}
		for id, d := range found {
			require.Contains(t, want, id, "%+v", d)
		}
		require.EqualValues(t, len(want)-2, run.Differences)
		require.EqualValues(t, 2, run.Edges)
		require.EqualValues(t, good+broken, run.Lines)
		require.EqualValues(t, broken, run.BadLines)
		lines := strings.Split(file, "\r\n")
		var refused []string
		for _, one := range run.Bad {
			require.NotEmpty(t, one.Why)
			refused = append(refused, lines[one.Line-1])
		}
		require.ElementsMatch(t, unusable, refused, "each is reported by its own number")
		b.requireSums(run, found, booked)

		// A second run over the stored file finds the same.
		var told []models.RunProgress
		again, err := b.service.Compare(t.Context(), b.ask(st).ID, func(p models.RunProgress) { told = append(told, p) })
		require.NoError(t, err)
		require.Equal(t, models.JobFinished, again.State, again.Failure)
		require.NotEmpty(t, told)
		for i, p := range told[1:] {
			require.GreaterOrEqual(t, p.Permille, told[i].Permille, "it goes forward")
			require.GreaterOrEqual(t, p.Lines, told[i].Lines)
			require.LessOrEqual(t, p.Permille, 1000)
		}
		require.Equal(t, found, renumbered(b.found(again), run.ID))
	})
}

func quoted(o our) string { return fmt.Sprintf("%q", string(o.player.UserID)) }

func renumbered(found map[string]models.Difference, run int64) map[string]models.Difference {
	for id, d := range found {
		d.RunID = run
		found[id] = d
	}
	return found
}

// bookKey identifies a sum: of a currency and a bucket or, if that is 0, of all buckets.
type bookKey struct {
	currency models.Currency
	bucket   models.Bucket
	edge     bool
}

// bookSums are both sides' sums.
type bookSums map[bookKey]struct{ ours, theirs models.BookSum }

// add adds a bet and a win of one side.
func (s bookSums) add(key bookKey, theirs bool, free bool, bet, win models.Amount) {
	s.addSums(key, theirs, free, models.Amount(bet), models.Amount(win))
}

func (s bookSums) addSums(key bookKey, theirs bool, free bool, bet, win models.Amount) {
	sums := s[key]
	to := &sums.ours
	if theirs {
		to = &sums.theirs
	}
	if free {
		to.SpinStakes = to.SpinStakes.Add(bet)
	} else {
		to.Turnover, to.Payout = to.Turnover.Add(bet), to.Payout.Add(win)
	}
	s[key] = sums
}

// requireSums compares a run's sums with its differences, and those of all buckets together with the two books, read as simply
// as possible.
func (b *books) requireSums(run models.StatementRun, found map[string]models.Difference, booked []our) {
	b.t.Helper()
	want, planted := bookSums{}, map[models.Bucket]int64{}
	for _, d := range found {
		want.add(bookKey{d.Currency, d.Bucket, d.Edge}, false, false, 0, 0)
		for i, side := range []models.StatementSide{d.Ours, d.Theirs} {
			if side.There && side.Standing == models.StandingApplied {
				want.add(bookKey{side.Currency, d.Bucket, d.Edge}, i == 1, side.FreeSpin, side.Bet, side.Win)
			}
		}
		if !d.Edge {
			planted[d.Bucket]++
		}
	}
	type said struct {
		currency  models.Currency
		bet, win  models.Amount
		free, off bool
	}
	listed := map[string]said{}
	for _, row := range b.rows {
		fields := strings.Split(row, ";")
		if len(fields) != strings.Count(header, ";")+1 {
			continue
		}
		amount := func(text string) models.Amount {
			a, err := models.ParseAmount(strings.NewReplacer(".", "", ",", ".").Replace(text))
			if err != nil {
				return 0 // a line that is broken, or a rollback's
			}
			return a
		}
		l := listed[fields[0]]
		l.currency, l.bet, l.win = models.Currency(fields[6]), max(l.bet, amount(fields[2])), max(l.win, amount(fields[3]))
		l.free = l.free || fields[8] == "true"
		l.off = l.off || fields[1] == "RollbackTransaction" || fields[4] == "Rolled back" || fields[4] == "FAILED"
		listed[fields[0]] = l
	}
	ours := map[string]our{}
	for _, o := range booked {
		l, there := listed[o.id]
		if o.source != models.SourcePlatform || !there && (o.at.Before(since) || !o.at.Before(until)) {
			continue
		}
		if ours[o.id] = o; !o.reversed {
			want.add(bookKey{currency: o.player.Wallet.Currency}, false, o.free, o.bet, o.win)
		}
		if there && l.currency == "" {
			l.currency = o.player.Wallet.Currency
			listed[o.id] = l
		}
	}
	for id, l := range listed {
		if _, both := ours[id]; !l.off && (both || found[id].Theirs.There) {
			want.add(bookKey{currency: l.currency}, true, l.free, l.bet, l.win)
		}
	}

	got, counts := bookSums{}, map[models.Bucket]int64{}
	for _, s := range run.Sums {
		if !s.Edge {
			counts[s.Bucket] += s.Count
		}
		keys := []bookKey{{s.Currency, s.Bucket, s.Edge}, {currency: s.Currency}}
		if s.Bucket == models.Agrees {
			require.Equal(b.t, s.Ours, s.Theirs, "what agrees has the same sums on both sides")
			keys = keys[1:]
		}
		for _, key := range keys {
			for i, side := range []models.BookSum{s.Ours, s.Theirs} {
				got.addSums(key, i == 1, false, side.Turnover, side.Payout)
				got.addSums(key, i == 1, true, side.SpinStakes, models.Amount(0))
			}
		}
	}
	require.Equal(b.t, want, got)
	for _, bucket := range models.Buckets[1:] {
		require.Equal(b.t, planted[bucket], counts[bucket], bucket)
	}
	require.Positive(b.t, counts[models.Agrees])
}

// TestSettledSince compares a file again after some of the differences were settled.
func TestSettledSince(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		b := open(t, url)
		ctx := t.Context()
		now := b.now()
		anna := b.players[0]
		adjust := models.Operation{Source: models.SourceOwn, Kind: models.Adjustment, UserID: anna.UserID,
			TransactionID: "adj-1", Win: 10_000}
		for _, op := range []models.Operation{
			adjust,
			{Source: models.SourcePlatform, Kind: models.Bet, UserID: anna.UserID, TransactionID: "stranded", RoundID: "r1",
				Bet: 1000},
			{Source: models.SourcePlatform, Kind: models.Bet, UserID: anna.UserID, TransactionID: "fine", RoundID: "r2",
				Bet: 200},
		} {
			result, err := b.store.Apply(ctx, op)
			require.NoError(t, err)
			require.Equal(t, models.None, result.Decline)
		}
		b.later(2 * time.Hour)
		text := "id,type,amount,status\nstranded,bet,10.00,rolled back\nfine,bet,2.00,ok\nmissing,win,7.50,ok\n"
		st, err := b.service.Keep(ctx, finance, 0, "today.csv", strings.NewReader(text))
		require.NoError(t, err)
		st.Since, st.Until, st.Margin = now.Add(-time.Hour), now.Add(time.Hour), margin
		first := b.compare(b.ask(st))
		require.EqualValues(t, 2, first.Differences)
		require.Equal(t, models.StateDiffers, b.found(first)["stranded"].Bucket)
		require.Equal(t, models.OnlyTheirs, b.found(first)["missing"].Bucket)

		// A rollback and a win booked by hand have the platform's ID of the transaction.
		for _, op := range []models.Operation{
			{Source: models.SourcePlatform, Kind: models.Rollback, UserID: anna.UserID, TransactionID: "stranded"},
			{Source: models.SourcePlatform, Kind: models.Rollback, UserID: anna.UserID, TransactionID: "fine"},
		} {
			result, err := b.store.Apply(ctx, op)
			require.NoError(t, err)
			require.Equal(t, models.None, result.Decline)
		}
		second := b.compare(b.ask(st))
		require.EqualValues(t, 2, second.Differences)
		require.NotContains(t, b.found(second), "stranded")
		require.Equal(t, models.StateDiffers, b.found(second)["fine"].Bucket)
		runs, err := b.store.StatementRuns(ctx, st.ID, 10)
		require.NoError(t, err)
		require.Len(t, runs, 2)
		require.Equal(t, "farid", runs[0].Actor)
	})
}

// TestPeriodNotOver compares a file of a day that is not over: it cannot have what was played after the upload, or just before
// it, however often it is compared.
func TestPeriodNotOver(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		b := open(t, url)
		bet := func(id models.TransactionID) {
			t.Helper()
			result, err := b.store.Apply(t.Context(),
				models.Operation{Source: models.SourcePlatform, Kind: models.Bet, UserID: b.players[0].UserID,
					TransactionID: id, RoundID: "r"})
			require.NoError(t, err)
			require.Equal(t, models.None, result.Decline)
		}
		from := b.now()
		bet("long before")
		b.later(time.Hour)
		bet("just before")
		upload := func() models.Statement {
			t.Helper()
			st, err := b.service.Keep(t.Context(), finance, 0, "today.csv",
				strings.NewReader("id,type,amount\nlong before,bet,0.00\n"))
			require.NoError(t, err)
			st.Since, st.Until, st.Margin = from.Add(-time.Hour), from.Add(23*time.Hour), margin
			return st
		}
		st := upload()
		bet("just after")
		b.later(time.Hour)
		bet("long after")
		run := b.compare(b.ask(st))
		found := b.found(run)
		require.True(t, found["just before"].Edge)
		require.NotContains(t, found, "just after")
		require.NotContains(t, found, "long after")
		require.EqualValues(t, 0, run.Differences)
		second := b.compare(b.ask(upload()))
		require.Len(t, second.Sums, 3)
		require.True(t, !second.Sums[1].Edge && second.Sums[2].Edge, "what is set aside comes after what differs")
		again := b.found(second)
		require.Equal(t, models.OnlyOurs, again["just before"].Bucket)
		require.False(t, again["just before"].Edge, "an hour ago by now")
		require.False(t, again["just after"].Edge)
		require.True(t, again["long after"].Edge, "another file of the same period is not a neighboring one")
		b.later(24 * time.Hour)
		over := b.found(b.compare(b.ask(upload())))
		require.False(t, over["long after"].Edge)
		require.Contains(t, over, "long after")
	})
}

// TestEdgesOfNeighbors sets aside what is near midnight until the neighboring statement lacks it too, whichever is compared
// first.
func TestEdgesOfNeighbors(t *testing.T) {
	for _, nextFirst := range []bool{false, true} {
		storetest.Each(t, func(t *testing.T, url string) {
			b := open(t, url)
			missing := our{source: models.SourcePlatform, id: "missing", player: b.players[0], kind: models.Bet, bet: 500,
				at: until.Add(-time.Second)}
			shifted := missing
			shifted.id = "shifted"
			b.ours = append(b.ours, missing, shifted)
			b.book()
			shifted.at = until.Add(time.Second)
			day, err := b.service.Keep(t.Context(), finance, 0, "day.csv", strings.NewReader(header+"\n"))
			require.NoError(t, err)
			next, err := b.service.Keep(t.Context(), finance, 0, "next.csv", strings.NewReader(header+"\n"+shifted.row()+"\n"))
			require.NoError(t, err)
			next.Layout.Zone, day.Layout.Zone = "Europe/Vienna", "Europe/Vienna"
			next.Layout.Decimal, next.Layout.Times = ",", models.TimesDayFirst
			day.Since, day.Until, day.Margin = since, until, margin
			next.Since, next.Until, next.Margin = until, until.AddDate(0, 0, 1), margin
			if nextFirst {
				// The first comparison sets nothing of the other day aside. The second does, and the first finds it when it is
				// run again.
				require.Empty(t, b.found(b.compare(b.ask(next))))
			}
			first := b.found(b.compare(b.ask(day)))
			require.Len(t, first, 2)
			require.True(t, first["missing"].Edge && first["shifted"].Edge)
			second := b.found(b.compare(b.ask(next)))
			require.Len(t, second, 1)
			require.False(t, second["missing"].Edge)
			require.Equal(t, models.OnlyOurs, second["missing"].Bucket)
			require.Contains(t, second["missing"].Detail, "neighboring")
		})
	}
}

// TestStoppedAndCutOff cuts off a run in its middle, which another instance begins again, and stops one.
func TestStoppedAndCutOff(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		b := open(t, url)
		ctx := t.Context()
		for i := range 3000 {
			o := b.played(i, since.Add(time.Hour+time.Duration(i)*time.Second))
			o.reversed = false
			b.ours = append(b.ours, o)
			if i%2 == 0 {
				b.rows = append(b.rows, o.row())
			}
		}
		b.book()
		st, run := b.keep(b.file())

		// Cut off while findings are being written: after the next run, each finding is there once.
		dying, kill := context.WithCancel(ctx)
		_, err := b.service.Compare(dying, run.ID, func(p models.RunProgress) {
			if p.Permille == 980 {
				kill()
			}
		})
		require.ErrorIs(t, err, context.Canceled)
		half, err := b.store.Differences(ctx, models.DifferenceFilter{RunID: run.ID, Span: models.Span{Limit: 5000}})
		require.NoError(t, err)
		require.NotEmpty(t, half.Rows)
		state := func(id int64) models.StatementRun {
			run, _, err := b.store.StatementRun(ctx, id)
			require.NoError(t, err)
			return run
		}
		require.True(t, state(run.ID).State.Open())
		another := reconcile.New(reconcile.Config{Store: storetest.Open(t, store.Config{URL: url, Now: b.now})})
		working, stop := context.WithCancel(ctx)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			jobs.Schedule{Leases: another.Store, Holder: "another", Log: slog.New(slog.DiscardHandler)}.Run(working, another.Comparisons())
		}()
		require.Eventually(t, func() bool { return state(run.ID).State == models.JobFinished }, 2*time.Minute,
			5*time.Millisecond)
		require.EqualValues(t, 1500, state(run.ID).Differences)
		require.Len(t, b.found(run), 1500)
		stop()
		<-ended

		stopped := b.ask(st)
		_, err = b.store.BeginStatementRun(ctx, finance, st)
		require.ErrorIs(t, err, models.ErrRunUnderWay)
		require.ErrorIs(t, b.store.ForgetStatementFile(ctx, finance, st.ID), models.ErrRunUnderWay)
		end, err := b.service.Compare(ctx, stopped.ID, func(p models.RunProgress) {
			if p.Permille > 300 {
				require.NoError(t, b.store.StopRun(ctx, finance, stopped))
			}
		})
		require.NoError(t, err)
		require.Equal(t, models.JobStopped, end.State, end.Failure)
		require.ErrorIs(t, b.store.StopRun(ctx, finance, stopped), models.ErrRunEnded)
		end, err = b.service.Compare(ctx, stopped.ID, nil)
		require.NoError(t, err)
		require.Equal(t, models.JobStopped, end.State)
	})
}

// TestFilesThatAreNoStatements refuses files that cannot be statements, and says why a run over a changed file has no result.
func TestFilesThatAreNoStatements(t *testing.T) {
	b := open(t, storetest.URL(t, storetest.SQLite))
	for _, text := range []string{"", "\n\n", "\xff\xfei\x00d\x00"} {
		_, err := b.service.Keep(t.Context(), finance, 0, "x.csv", strings.NewReader(text))
		var unreadable sheet.Unreadable
		require.ErrorAs(t, err, &unreadable, "%q", text)
	}
	st, run := b.keep(header + "\n")
	b.exec("UPDATE statements SET digest = 'of another file' WHERE id = ?", st.ID)
	run, err := b.service.Compare(t.Context(), run.ID, nil)
	require.NoError(t, err)
	require.Equal(t, models.JobFailed, run.State)
	require.Contains(t, run.Failure, "has changed since")

	st, err = b.service.Keep(t.Context(), finance, 0, "y.csv", strings.NewReader(header+"\n"))
	require.NoError(t, err)
	require.NoError(t, b.store.ForgetStatementFile(t.Context(), finance, st.ID))
	st, _, err = b.store.Statement(t.Context(), st.ID)
	require.NoError(t, err)
	require.False(t, st.Kept())
	_, err = b.store.OpenStatement(t.Context(), st)
	require.ErrorIs(t, err, models.ErrStatementGone)
}

// BenchmarkStatement compares a statement of a million lines, and reports the seconds and the largest size of the heap.
func BenchmarkStatement(b *testing.B) {
	for _, engine := range storetest.Engines {
		b.Run(engine, func(b *testing.B) {
			books := open(b, storetest.URL(b, engine))
			const n = 1_000_000
			var missing int64
			path := filepath.Join(b.TempDir(), "million.csv")
			f, err := os.Create(path)
			require.NoError(b, err)
			w := bufio.NewWriter(f)
			fmt.Fprintln(w, header)
			for i := range n {
				o := books.played(i, since.Add(margin+time.Duration(i)*85*time.Millisecond))
				books.ours = append(books.ours, o)
				if i%10_000 == 0 {
					o.reversed = false
					books.ours[len(books.ours)-1] = o
					missing++
				} else {
					fmt.Fprintln(w, o.row())
				}
				if len(books.ours) == 10_000 {
					books.book()
					books.ours = nil
				}
			}
			require.NoError(b, errors.Join(w.Flush(), f.Close()))
			file, err := os.Open(path)
			require.NoError(b, err)
			defer file.Close()
			st, err := books.service.Keep(b.Context(), finance, 0, "million.csv", file)
			require.NoError(b, err)
			st.Layout.Zone = "Europe/Vienna"
			st.Since, st.Until, st.Margin = since, until, margin
			runtime.GC()
			var most uint64
			stop, done := make(chan struct{}), make(chan struct{})
			go func() {
				defer close(done)
				tick := time.NewTicker(50 * time.Millisecond)
				defer tick.Stop()
				for {
					select {
					case <-stop:
						return
					case <-tick.C:
						var m runtime.MemStats
						runtime.ReadMemStats(&m)
						most = max(most, m.HeapInuse)
					}
				}
			}()
			b.ResetTimer()
			for range b.N {
				run := books.compare(books.ask(st))
				require.Equal(b, missing, run.Differences)
			}
			b.StopTimer()
			close(stop)
			<-done
			b.ReportMetric(float64(most)/1e6, "MB-heap")
			b.ReportMetric(float64(st.Bytes)/1e6, "MB-file")
		})
	}
}
