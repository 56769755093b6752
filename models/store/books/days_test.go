package books_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// dayLine is what a person would note about a line to add up days.
type dayLine struct {
	user     models.UserID
	currency models.Currency
	test     bool
	at       time.Time
	figures  models.DayFigures
}

// dayBook reads lines from the ledger's tables with simple SQL, not with the code under test.
func dayBook(x *storetest.Database, t *testing.T) []dayLine {
	t.Helper()
	db := storetest.OpenURL(t, x.Config.URL)
	rows, err := db.Query(`SELECT p.user_id, w.currency, p.test, e.at_us, e.kind, e.amount_minor, e.held_minor, COALESCE(t.kind = 3, 0),
			EXISTS (SELECT 1 FROM transactions b WHERE b.player_id = e.player_id AND b.round_id = e.round_id
			AND b.free_spin = 1 AND b.at_us <= t.at_us) AND
			NOT EXISTS (SELECT 1 FROM transactions b WHERE b.player_id = e.player_id AND b.round_id = e.round_id
			AND b.kind IN (1, 3) AND b.free_spin = 0 AND b.at_us <= t.at_us)
		FROM entries e JOIN players p ON p.id = e.player_id JOIN wallets w ON w.player_id = e.player_id LEFT
		JOIN transactions t ON t.source = e.source AND t.transaction_id = e.transaction_id
		ORDER BY e.player_id, e.seq`)
	require.NoError(t, err)
	defer rows.Close()
	var list []dayLine
	for rows.Next() {
		var l dayLine
		var us, minor, held int64
		var kind models.EntryKind
		var betWin, spins bool
		require.NoError(t, rows.Scan(&l.user, &l.currency, &l.test, &us, &kind, &minor, &held, &betWin, &spins))
		l.at = time.UnixMicro(us)
		a, f := models.Amount(minor), &l.figures
		f.Moved = a
		switch kind {
		case models.EntryOpening:
			f.Openings = a
		case models.EntryCashIn:
			f.Deposits = a
		case models.EntryCashOut:
			f.Requested = -a
		case models.EntryCashReturned:
			f.Returned = a
		case models.EntryCashPaid:
			f.Paid = models.Amount(-held)
		case models.EntryBet:
			f.Bets, f.Stakes, f.Players = 1, -a, 1
		case models.EntryWin:
			f.Wins = a
			if spins {
				f.Wins, f.SpinWins = models.Amount(0), a
			}
		case models.EntryBetReversed:
			f.Reversals, f.StakesReversed = 1, a
		case models.EntryWinReversed:
			if f.WinsReversed = -a; !betWin { // the rollback of a bet with a win is counted with its bet
				f.Reversals = 1
			}
			if spins {
				f.WinsReversed, f.SpinWinsReversed = models.Amount(0), -a
			}
		case models.EntryAdjustment:
			if f.Corrections = 1; minor < 0 {
				f.Debits = -a
			} else {
				f.Credits = a
			}
		}
		list = append(list, l)
	}
	require.NoError(t, rows.Err())
	spins, err := db.Query(`SELECT p.user_id, w.currency, p.test, e.at_us, e.spins, e.stake_minor FROM spin_entries e
		JOIN players p ON p.id = e.player_id JOIN wallets w ON w.player_id = e.player_id ORDER BY e.player_id, e.seq`)
	require.NoError(t, err)
	defer spins.Close()
	for spins.Next() {
		var l dayLine
		var us int64
		require.NoError(t, spins.Scan(&l.user, &l.currency, &l.test, &us, &l.figures.Spins, &l.figures.SpinStakes))
		l.at = time.UnixMicro(us)
		if l.figures.Players = 1; l.figures.Spins < 0 {
			l.figures.Players, l.figures.Reversals = 0, 1
		}
		list = append(list, l)
	}
	require.NoError(t, spins.Err())
	return list
}

type dayOf struct {
	day      models.Day
	currency models.Currency
	user     models.UserID // empty for all
}

// sumDays adds up a book by the days of a zone. Lines of one wallet are in order; none counts on a day before the first open
// one.
func sumDays(book []dayLine, day func(dayLine) models.Day, test models.TestPlayers) map[dayOf]models.DayFigures {
	sums := map[dayOf]models.DayFigures{}
	played := map[dayOf]bool{}
	for _, l := range book {
		if test != models.WithTest && l.test != (test == models.OnlyTest) {
			continue
		}
		one := dayOf{day(l), l.currency, l.user}
		f := l.figures
		if played[one] {
			f.Players = 0
		}
		played[one] = played[one] || l.figures.Players > 0
		for _, k := range []dayOf{one, {one.day, l.currency, ""}} {
			sum := sums[k]
			sum.Add(f)
			sums[k] = sum
		}
	}
	return sums
}

// requireReports compares every report with a book.
func requireReports(t *testing.T, s *store.Store, x *storetest.Database, first, last models.Day, day func(dayLine) models.Day) {
	t.Helper()
	ctx := t.Context()
	book := dayBook(x, t)
	for _, test := range []models.TestPlayers{models.WithoutTest, models.WithTest, models.OnlyTest} {
		want := sumDays(book, day, test)
		all := models.ReportFilter{From: first, To: last, Test: test}
		reports, err := s.DayReports(ctx, all)
		require.NoError(t, err)
		owed, held := map[models.Currency]models.Amount{}, map[models.Currency]models.Amount{}
		seen := 0
		for _, r := range slices.Backward(reports) {
			require.Equal(t, want[dayOf{r.Day, r.Currency, ""}], r.DayFigures, "%s %s", r.Day, r.Currency)
			require.Equal(t, owed[r.Currency], r.Opening, "%s %s", r.Day, r.Currency)
			require.Equal(t, r.Moved, r.Explained(), "%s %s", r.Day, r.Currency)
			owed[r.Currency] = r.Closing()
			held[r.Currency] += r.Requested - r.Returned - r.Paid
			require.Equal(t, held[r.Currency], r.HeldNow, "%s %s", r.Day, r.Currency)
			if _, booked := want[dayOf{r.Day, r.Currency, ""}]; booked { // the others have zeros
				seen++
			}
		}
		for k := range want {
			if k.user == "" {
				seen--
			}
		}
		require.Zero(t, seen, "as many days as in the book")
		now, err := s.LiabilityNow(ctx, test)
		require.NoError(t, err)
		for _, l := range now {
			require.Equal(t, [2]models.Amount{owed[l.Currency], held[l.Currency]}, [2]models.Amount{l.Sum, l.Held}, l.Currency)
		}

		players := map[dayOf]models.DayFigures{}
		for k, f := range want {
			if k.user != "" {
				k.day = ""
				sum := players[k]
				sum.Add(f)
				players[k] = sum
			}
		}
		all.Limit = 3
		var before models.PlayerReport
		for more, n := true, 0; more; n++ {
			page, err := s.PlayersReport(ctx, all)
			require.NoError(t, err)
			more = page.More
			for _, p := range page.Rows {
				k := dayOf{"", p.Currency, p.UserID}
				require.Equal(t, players[k], p.DayFigures, p.UserID)
				require.True(t, before.PlayerID == 0 ||
					cmp.Or(cmp.Compare(before.Turnover(), p.Turnover()), cmp.Compare(p.PlayerID, before.PlayerID)) > 0,
					"in order")
				delete(players, k)
				before = p
				all.After = models.PlayerPlace{Turnover: p.Turnover(), PlayerID: p.PlayerID}
			}
		}
		require.Empty(t, players)
	}
	held, err := s.Control(ctx)
	require.NoError(t, err)
	for _, c := range held {
		require.True(t, c.Agrees(), c)
	}
	check, err := s.CheckDays(ctx)
	require.NoError(t, err)
	require.Empty(t, check.Faults)
	require.Zero(t, check.Waiting)
	require.EqualValues(t, len(book), check.Lines)
}

// The control total sums the wallets: play that is not counted yet is no difference, and a balance that was raised in the
// database is.
func TestControlTotalSumsTheWallets(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 500)
		storetest.Apply(t, s, storetest.Bet("anna", "1", 40))
		_, err := s.FollowDays(t.Context())
		require.NoError(t, err)
		storetest.Apply(t, s, storetest.Win("anna", "2", 70))
		storetest.ApplyCash(t, s, storetest.Cash("anna", "out", 30).CashOut())
		agrees := func() bool {
			list, err := s.Control(t.Context())
			require.NoError(t, err)
			require.Len(t, list, 1)
			return list[0].Agrees()
		}
		require.True(t, agrees())
		x.Exec(t, "UPDATE wallets SET balance_minor = balance_minor + 10000")
		require.False(t, agrees())
	})
}

// TestDailySums plays over a week in which the clocks change, with lines on the borders of days, and compares every day's
// report with sums made directly from the entries: during play, after the days are recalculated, in another zone, and with
// closed days.
func TestDailySums(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		ctx := t.Context()
		clock := &storetest.Clock{}
		vienna, err := time.LoadLocation("Europe/Vienna")
		require.NoError(t, err)
		clock.Set(time.Date(2026, 10, 22, 6, 0, 0, 0, vienna))
		x.Config.Now = clock.Now
		s := x.Open(t)
		storetest.SetZone(t, s, "Europe/Vienna")
		admin, _ := storetest.Administrators(t, s)
		_, err = s.RequestChange(ctx, admin, models.ChangeReportZone, "Europe/Atlantis", "tried")
		require.ErrorIs(t, err, models.ErrChangeInvalid)
		var users []models.UserID
		currencies := map[models.UserID]models.Currency{}
		for i, currency := range []models.Currency{"EUR", "EUR", "EUR", "TRY", "TRY", "UAH", "EUR"} {
			p := models.NewPlayer{UserID: models.UserID(fmt.Sprintf("player %d", i)), Currency: currency, Balance: 90_000,
				Test: i == 6}
			_, err := s.CreatePlayer(ctx, storetest.Tester, p)
			require.NoError(t, err)
			users = append(users, p.UserID)
			currencies[p.UserID] = currency
		}
		random := rand.New(rand.NewPCG(3, 29))
		var ids, outs []models.Operation
		rounds := map[models.UserID]models.RoundID{}
		number := 0
		play := func(n int, step time.Duration) {
			for range n {
				number++
				clock.Set(clock.Now().Add(time.Duration(random.Int64N(int64(step)))))
				if random.IntN(20) == 0 { // exactly midnight in one of the zones, or a microsecond before
					zone := []*time.Location{vienna, time.UTC}[random.IntN(2)]
					at := models.DayOf(clock.Now(), zone).End(zone)
					clock.Set(at.Add(-time.Duration(random.IntN(2)) * time.Microsecond))
				}
				user := users[random.IntN(len(users))]
				id := models.TransactionID(fmt.Sprintf("t%d", number))
				op := models.Operation{Source: models.SourcePlatform, UserID: user, TransactionID: id,
					RoundID: models.RoundID("r" + string(id))}
				switch random.IntN(10) {
				case 0, 1:
					op.Kind, op.Bet = models.Bet, models.Amount(random.IntN(900))
					rounds[user] = op.RoundID
				case 2:
					op.Kind, op.Bet, op.FreeSpin = models.Bet, models.Amount(random.IntN(100)), true
					rounds[user] = op.RoundID
				case 3:
					op.Kind, op.Bet, op.Win = models.BetWin, models.Amount(random.IntN(500)), models.Amount(random.IntN(500))
				case 4, 5:
					op.Kind, op.Win = models.Win, models.Amount(random.IntN(1500))
					if rounds[user] != "" {
						op.RoundID = rounds[user]
					}
				case 6:
					if len(ids) == 0 {
						continue
					}
					earlier := ids[random.IntN(len(ids))]
					op = models.Operation{Source: models.SourcePlatform, Kind: models.Rollback, UserID: earlier.UserID,
						TransactionID: earlier.TransactionID}
				}
				switch n := random.IntN(6); {
				case op.Kind != 0:
				case n < 2:
					op = models.CashRequest{Client: 1, ID: string(id), UserID: user, Amount: models.Amount(1 + random.IntN(900)),
						Currency: currencies[user]}.Deposit()
				case n < 4 || len(outs) == 0:
					op = models.CashRequest{Client: 1, ID: string(id), UserID: user, Amount: models.Amount(1 + random.IntN(900)),
						Currency: currencies[user]}.CashOut()
				default: // one that has ended already is declined
					op = outs[random.IntN(len(outs))]
					op.Kind = []models.OperationKind{models.CashPaid, models.CashReturned}[n-4]
				}
				applied := storetest.Apply(t, s, op).Decline == models.None
				switch {
				case applied && op.Kind == models.CashOut:
					outs = append(outs, op)
				case applied && op.Kind < models.Rollback:
					ids = append(ids, op)
				}
				if random.IntN(15) == 0 {
					_, err := s.FollowDays(ctx)
					require.NoError(t, err)
				}
			}
			_, err := s.FollowDays(ctx)
			require.NoError(t, err)
		}
		inZone := func(zone *time.Location) func(dayLine) models.Day {
			return func(l dayLine) models.Day { return models.DayOf(l.at, zone) }
		}
		play(storetest.Scaled(150, 600), 120*time.Minute) // 25 days; a signature closes at most 31 earlier ones
		first, last := models.Day("2026-10-01"), models.Day("2027-12-31")
		requireReports(t, s, x, first, last, inZone(vienna))

		// Manipulated rows are reported, and recalculated.
		x.Exec(t, "UPDATE daily_sums SET stake_minor = stake_minor + 1 WHERE player_id = 1")
		check, err := s.CheckDays(ctx)
		require.NoError(t, err)
		require.NotEmpty(t, check.Faults)
		require.Contains(t, check.Faults[0], "player 1 on 2026-10-2")
		require.NoError(t, s.RebuildDays(ctx))
		requireReports(t, s, x, first, last, inZone(vienna))

		// Another zone: every day is recalculated.
		storetest.SetZone(t, s, "UTC")
		upTo, err := s.DaysUpTo(ctx)
		require.NoError(t, err)
		require.Zero(t, upTo, "sums are not complete while they are recalculated")
		_, err = s.FollowDays(ctx)
		require.NoError(t, err)
		requireReports(t, s, x, first, last, inZone(time.UTC))
		storetest.SetZone(t, s, "Europe/Vienna")
		_, err = s.FollowDays(ctx)
		require.NoError(t, err)

		// Days are closed, in Vienna. A line with an older time counts on the first open day, also in another zone and after
		// everything is recalculated.
		closing := models.DayOf(clock.Now(), vienna).Add(-1)
		closed := storetest.SignDay(t, s, closing, models.Finance, "fred")
		end := closing.End(vienna)
		require.Equal(t, end.UTC(), closed.Until)
		now := clock.Now()
		clock.Set(end.Add(-2 * time.Hour))
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Bet("player 0", "late", 7)).Decline)
		clock.Set(now)
		play(40, 60*time.Minute)
		days := func(zone *time.Location) func(dayLine) models.Day {
			return func(l dayLine) models.Day {
				if l.at.Before(end) && !(l.user == "player 0" && l.at.Equal(end.Add(-2*time.Hour)) &&
					l.figures.Stakes == models.Amount(7)) {
					return models.DayOf(l.at, vienna)
				}
				return max(models.DayOf(l.at, zone), closing.Add(1))
			}
		}
		requireReports(t, s, x, first, last, days(vienna))
		check, err = s.CheckDays(ctx)
		require.NoError(t, err)
		require.EqualValues(t, 1, check.Late)
		for _, name := range []string{"America/New_York", "Asia/Tokyo", "Europe/Vienna"} {
			zone, err := time.LoadLocation(name)
			require.NoError(t, err)
			storetest.SetZone(t, s, name)
			zones, err := s.ZonesOfDays(ctx, closing, closing.Add(1))
			require.NoError(t, err)
			require.Equal(t, models.ZoneDays{Zone: "Europe/Vienna", Last: closing}, zones[0])
			require.Equal(t, name, zones[len(zones)-1].Zone, "closed days keep their hours")
			_, err = s.FollowDays(ctx)
			require.NoError(t, err)
			requireReports(t, s, x, first, last, days(zone))
			next, err := s.DayInterval(ctx, closing.Add(1))
			require.NoError(t, err)
			require.Equal(t, end.UTC(), next.From, "every instant is on exactly one day")
		}
		require.NoError(t, s.RebuildDays(ctx))
		requireReports(t, s, x, first, last, days(vienna))

		// A closed day that somebody has altered is found.
		x.Exec(t, "UPDATE daily_totals SET win_minor = win_minor + 1, moved_minor = moved_minor + 1 WHERE day = ?",
			string(closing))
		check, err = s.CheckDays(ctx)
		require.NoError(t, err)
		require.Contains(t, fmt.Sprint(check.Faults),
			string(closing)+" is closed, but its figures are not those that were signed")
		require.Contains(t, fmt.Sprint(check.Faults), string(closing)+": fred signed other figures for finance")
		x.Exec(t, "UPDATE closed_days SET digest = 'x' WHERE day = ?", string(closing.Add(-1)))
		x.Exec(t, "UPDATE day_signatures SET digest = 'x'")
		check, err = s.CheckDays(ctx)
		require.NoError(t, err)
		require.Contains(t, fmt.Sprint(check.Faults), string(closing)+": the audit log has other figures")
	})
}

// TestDaysAcrossClockChanges books lines at the borders of the days around which many zones change their clocks, and just
// before them, and compares the reports of every zone with sums made directly from the entries.
func TestDaysAcrossClockChanges(t *testing.T) {
	zones := map[string][]models.Day{
		"Europe/Vienna": {"2026-03-29", "2026-10-25"}, "America/New_York": {"2026-03-08", "2026-11-01"},
		// where midnight is skipped
		"Africa/Cairo": {"2026-04-24", "2026-10-30"}, "America/Havana": {"2026-03-08", "2026-11-01"},
		"Australia/Lord_Howe": {"2026-04-05", "2026-10-04"},
		"Asia/Kathmandu":      {"2026-05-01"}, "Pacific/Kiritimati": {"2026-05-01"},
	}
	places := map[string]*time.Location{}
	var borders []time.Time
	for name, changes := range zones {
		zone, err := time.LoadLocation(name)
		require.NoError(t, err)
		places[name] = zone
		uneven := 0
		for _, change := range changes {
			for day := range 4 {
				d := change.Add(day - 2)
				if d.End(zone).Sub(d.Begin(zone)) != 24*time.Hour {
					uneven++
				}
				borders = append(borders, d.End(zone))
			}
		}
		require.Equal(t, len(changes) > 1, uneven >= 2, "%s changes its clocks on these days", name)
	}
	slices.SortFunc(borders, time.Time.Compare)
	borders = slices.CompactFunc(borders, time.Time.Equal)
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		ctx := t.Context()
		clock := &storetest.Clock{}
		clock.Set(time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC))
		x.Config.Now = clock.Now
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 1_000_000)
		_, err := s.CreatePlayer(ctx, storetest.Tester, models.NewPlayer{UserID: "odile", Currency: "TRY", Balance: 1_000_000})
		require.NoError(t, err)
		number := 0
		at := func(when time.Time, op models.Operation) {
			clock.Set(when)
			require.Equal(t, models.None, storetest.Apply(t, s, op).Decline)
		}
		for _, border := range borders {
			for _, user := range []models.UserID{"anna", "odile"} {
				number++
				id := models.TransactionID(fmt.Sprint("t", number))
				amount := models.Amount(number) // each sum has different amounts
				at(border.Add(-time.Microsecond), storetest.Bet(user, id+"-last", 1000+amount))
				at(border, storetest.Win(user, id+"-first", 500+amount))
				at(border.Add(90*time.Minute), storetest.Rollback(user, id+"-last"))
				clock.Set(border.Add(-time.Microsecond)) // the other player's lines have the same times
			}
		}
		clock.Set(time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC))
		for name, zone := range places {
			storetest.SetZone(t, s, name)
			_, err := s.FollowDays(ctx)
			require.NoError(t, err)
			requireReports(t, s, x, "2026-01-01", "2026-11-30", func(l dayLine) models.Day { return models.DayOf(l.at, zone) })
		}
	})
}

// TestSignDay tries to sign days in ways that are refused, then signs them correctly.
func TestSignDay(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		ctx := t.Context()
		clock := &storetest.Clock{}
		clock.Set(time.Date(2026, 11, 20, 23, 50, 0, 0, time.UTC))
		x.Config.Now = clock.Now
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 10_000)
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Bet("anna", "b1", 500)).Decline)
		_, err := s.FollowDays(ctx)
		require.NoError(t, err)
		day := models.Day("2026-11-20")
		see := func() models.DaySeen {
			c, err := s.DayInterval(ctx, day)
			require.NoError(t, err)
			groups, err := s.DayGroups(ctx, day)
			require.NoError(t, err)
			return storetest.SeenDay(t, s, c, groups)
		}
		sign := func(name string, role models.Role, seen models.DaySeen, note string) error {
			_, err := s.SignDay(ctx, storetest.SignerNamed(t, s, name, role), day, seen, note)
			return err
		}
		const note = "looked at, nothing to add"
		require.ErrorIs(t, sign("fred", models.Finance, see(), note), models.ErrDayRuns)
		clock.Set(time.Date(2026, 11, 21, 0, 14, 59, 0, time.UTC))
		require.ErrorIs(t, sign("fred", models.Finance, see(), note), models.ErrDayRuns)
		clock.Set(time.Date(2026, 11, 21, 0, 15, 0, 0, time.UTC))
		shown := see()
		clock.Set(time.Date(2026, 11, 20, 23, 59, 59, 0, time.UTC))
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Bet("anna", "b2", 300)).Decline)
		clock.Set(time.Date(2026, 11, 21, 0, 15, 0, 0, time.UTC))
		require.ErrorIs(t, sign("fred", models.Finance, shown, note), models.ErrDayMoved, "a line has come in since")
		require.ErrorIs(t, sign("ann", models.Administrator, see(), note), models.ErrDaySigner)
		require.ErrorIs(t, sign("fred", models.Finance, see(), "short"), models.ErrDayNote, "there is no checkpoint")
		state, err := s.DayState(ctx, day)
		require.NoError(t, err)
		require.Equal(t, models.DayEnded, state, "refusals changed nothing")
		require.Zero(t, x.Number(t, "SELECT COUNT(*) FROM closed_days"))

		fred := storetest.SignerNamed(t, s, "fred", models.Finance)
		require.NoError(t, s.SetStaffRole(ctx, storetest.Tester, fred.StaffID, models.Support))
		_, err = s.SignDay(ctx, fred, day, see(), note)
		require.ErrorIs(t, err, models.ErrSignerChanged, "the role has changed since")
		require.Zero(t, x.Number(t, "SELECT COUNT(*) FROM closed_days"))

		shown = see()
		v, err := s.Verify(ctx, nil)
		require.NoError(t, err)
		require.NoError(t, s.RecordVerification(ctx, storetest.Tester, clock.Now(), v))
		require.ErrorIs(t, sign("fred", models.Finance, shown, note), models.ErrDayKnown, "a verification has ended since")
		require.Zero(t, x.Number(t, "SELECT COUNT(*) FROM closed_days"))

		require.NoError(t, sign("fred", models.Finance, see(), note))
		require.ErrorIs(t, sign("frieda", models.Finance, see(), note), models.ErrDaySigned)
		require.ErrorIs(t, sign("fred", models.Compliance, see(), note), models.ErrDaySigner, "two people")
		state, err = s.DayState(ctx, day)
		require.NoError(t, err)
		require.Equal(t, models.DayClosed, state)

		// A late line counts on the next day, and what was signed stays.
		shown = see()
		clock.Set(time.Date(2026, 11, 20, 23, 59, 59, 500, time.UTC))
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Bet("anna", "b3", 200)).Decline)
		clock.Set(time.Date(2026, 11, 21, 1, 0, 0, 0, time.UTC))
		_, err = s.FollowDays(ctx)
		require.NoError(t, err)
		require.Equal(t, shown, see())
		require.NoError(t, sign("carla", models.Compliance, shown, note))
		c, err := s.DayInterval(ctx, day)
		require.NoError(t, err)
		require.Equal(t, shown.Figures, c.Digest)
		require.Len(t, c.Signed, 2)
		state, err = s.DayState(ctx, day)
		require.NoError(t, err)
		require.Equal(t, models.DaySigned, state)
		reports, err := s.DayReports(ctx, models.ReportFilter{From: day, To: "2026-11-21"})
		require.NoError(t, err)
		require.Len(t, reports, 2)
		require.Equal(t, models.Amount(200), reports[0].Turnover())
		require.Equal(t, models.Amount(800), reports[1].Turnover())
		require.EqualValues(t, 3, x.Number(t, "SELECT COUNT(*) FROM audit_events WHERE action IN ('day closed', 'day signed')"))
	})
}

// TestSignDayBeforeTheBooks tries to sign days before the books begin: a mistyped year would close every day since.
func TestSignDayBeforeTheBooks(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		ctx := t.Context()
		clock := &storetest.Clock{}
		clock.Set(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
		x.Config.Now = clock.Now
		s := x.Open(t)
		sign := func(name string, role models.Role, day models.Day) error {
			c, err := s.DayInterval(ctx, day)
			require.NoError(t, err)
			groups, err := s.DayGroups(ctx, day)
			require.NoError(t, err)
			_, err = s.SignDay(ctx, storetest.SignerNamed(t, s, name, role), day, storetest.SeenDay(t, s, c, groups),
				"nothing to add here")
			return err
		}
		require.ErrorIs(t, sign("fred", models.Finance, "2006-11-20"), models.ErrDayBefore, "there are no books at all")
		storetest.CreatePlayer(t, s, "anna", 10_000)
		clock.Set(time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC))
		require.ErrorIs(t, sign("fred", models.Finance, "2006-11-20"), models.ErrDayBefore)
		require.ErrorIs(t, sign("fred", models.Finance, "2026-11-19"), models.ErrDayBefore)
		require.Zero(t, x.Number(t, "SELECT COUNT(*) FROM closed_days"))
		require.NoError(t, sign("fred", models.Finance, "2026-11-21"), "a day without lines can be signed")
		require.EqualValues(t, 2, x.Number(t, "SELECT COUNT(*) FROM closed_days"))
		for _, role := range models.DaySigners {
			require.ErrorIs(t, sign("fred", role, "2026-11-19"), models.ErrDayBefore)
		}
		require.EqualValues(t, 1, x.Number(t, "SELECT COUNT(*) FROM day_signatures"))
	})
}

// TestSignDayClosesEarlierDays signs a day that closes earlier ones, which must be those that were shown.
func TestSignDayClosesEarlierDays(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		ctx := t.Context()
		clock := &storetest.Clock{}
		clock.Set(time.Date(2026, 9, 2, 12, 0, 0, 0, time.UTC))
		x.Config.Now = clock.Now
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 10_000)
		clock.Set(time.Date(2026, 9, 5, 12, 0, 0, 0, time.UTC))
		fred := storetest.SignerNamed(t, s, "fred", models.Finance)
		see := func(day models.Day) models.DaySeen {
			_, err := s.FollowDays(ctx)
			require.NoError(t, err)
			c, err := s.DayInterval(ctx, day)
			require.NoError(t, err)
			groups, err := s.DayGroups(ctx, day)
			require.NoError(t, err)
			return storetest.SeenDay(t, s, c, groups)
		}
		sign := func(day models.Day, seen models.DaySeen) error {
			_, err := s.SignDay(ctx, fred, day, seen, "checked, and nothing to add")
			return err
		}
		seen := see("2026-09-04")

		// An instance whose clock is late books on an earlier day than any before.
		clock.Set(time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC))
		storetest.CreatePlayer(t, s, "bea", 10_000)
		clock.Set(time.Date(2026, 9, 5, 12, 0, 0, 0, time.UTC))
		_, err := s.FollowDays(ctx)
		require.NoError(t, err)
		require.ErrorIs(t, sign("2026-09-04", seen), models.ErrDayMoved, "a day was added, so the liability before differs")
		require.Zero(t, x.Number(t, "SELECT COUNT(*) FROM closed_days"))

		require.NoError(t, sign("2026-09-04", see("2026-09-04")))
		require.EqualValues(t, 4, x.Number(t, "SELECT COUNT(*) FROM closed_days"))
	})
}

// TestDaysOfZonesFarApart closes a day in a zone that is far ahead, and continues in one that is far behind: no instant is on
// two days, or on a day that ends before it begins.
func TestDaysOfZonesFarApart(t *testing.T) {
	x := storetest.NewDatabase(t, storetest.SQLite)
	ctx := t.Context()
	clock := &storetest.Clock{}
	clock.Set(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	x.Config.Now = clock.Now
	s := x.Open(t)
	storetest.SetZone(t, s, "Pacific/Pago_Pago") // eleven hours behind UTC
	storetest.CreatePlayer(t, s, "anna", 10_000)
	clock.Set(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
	_, err := s.FollowDays(ctx)
	require.NoError(t, err)
	before := storetest.SignDay(t, s, "2026-11-20", models.Finance, "fred")
	storetest.SetZone(t, s, "Pacific/Kiritimati") // fourteen hours ahead of UTC
	clock.Set(time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC))
	for day := models.Day("2026-11-21"); day <= "2026-11-23"; day = day.Add(1) {
		c, err := s.DayInterval(ctx, day)
		require.NoError(t, err)
		require.Equal(t, before.Until, c.From, "%s", day)
		require.False(t, c.Until.Before(c.From), "%s from %s until %s", day, c.From, c.Until)
		before = storetest.SignDay(t, s, day, models.Finance, "fred")
		require.Equal(t, c.Until, before.Until)
	}
	require.Equal(t, time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC), before.Until)
}

// TestInstantsNearDaysOfAnotherZone asks what was owed at the ends of days, after days were closed in another zone than the
// current one: each instant is on one day, and every line counts exactly once.
func TestInstantsNearDaysOfAnotherZone(t *testing.T) {
	for _, zones := range [][2]string{
		{"UTC", "Asia/Tokyo"}, {"Asia/Tokyo", "America/New_York"}, {"Pacific/Pago_Pago", "Pacific/Kiritimati"},
		{"Pacific/Kiritimati", "Pacific/Pago_Pago"},
	} {
		t.Run(zones[0]+" then "+zones[1], func(t *testing.T) {
			x := storetest.NewDatabase(t, storetest.SQLite)
			ctx := t.Context()
			clock := &storetest.Clock{}
			begin := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
			clock.Set(begin)
			x.Config.Now = clock.Now
			s := x.Open(t)
			storetest.SetZone(t, s, zones[0])
			storetest.CreatePlayer(t, s, "anna", 10_000)
			const hours = 96
			for n := range hours {
				clock.Set(begin.Add(time.Duration(n) * time.Hour))
				require.Equal(t, models.None, storetest.Apply(t, s,
					storetest.Bet("anna", models.TransactionID(fmt.Sprintf("b%d", n)), 1)).Decline)
			}
			_, err := s.FollowDays(ctx)
			require.NoError(t, err)
			storetest.SignDay(t, s, "2026-11-21", models.Finance, "fred")
			storetest.SetZone(t, s, zones[1])
			_, err = s.FollowDays(ctx)
			require.NoError(t, err)
			reports, err := s.DayReports(ctx, models.ReportFilter{From: "2026-11-19", To: "2026-11-26"})
			require.NoError(t, err)
			for _, r := range reports {
				day, err := s.DayInterval(ctx, r.Day)
				require.NoError(t, err)
				n := 0
				for n < hours && begin.Add(time.Duration(n)*time.Hour).Before(day.Until) {
					n++
				}
				require.Equal(t, models.Amount(10_000-n), r.Closing(), "at the end of %s", r.Day)
			}
			before, err := s.DayInterval(ctx, "2026-11-21")
			require.NoError(t, err)
			for day := before.Day.Add(1); day <= "2026-11-24"; day = day.Add(1) {
				c, err := s.DayInterval(ctx, day)
				require.NoError(t, err)
				require.Equal(t, before.Until.UTC(), c.From.UTC(), "%s", day)
				require.False(t, c.Until.Before(c.From), "%s", day)
				before = c
			}
		})
	}
}

// addLines writes further lines of a cent each directly into the ledger of a wallet with one line, all at the same time as that
// line; their hashes are wrong. It works with SQLite only.
func addLines(x *storetest.Database, t *testing.T, player int64, kind models.OperationKind, minor, n int) {
	t.Helper()
	x.Exec(t, `INSERT INTO postings (source, transaction_id, claim, player_id, seq, kind, round_id, bet_minor, win_minor,
		free_spin, after_minor, at_us, hash)
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
		SELECT ?3, n.i || ' of ' || e.player_id, 1, e.player_id, n.i + 1, ?2, 'r', MAX(-?4, 0), MAX(?4, 0), 0,
		e.after_minor + ?4 * n.i, e.at_us, e.hash
		FROM n JOIN postings e ON e.player_id = ?5 AND e.seq = 1`, n, kind, models.SourcePlatform, minor, player)
	x.Exec(t, "UPDATE wallets SET seq = seq + ?, balance_minor = balance_minor + ? WHERE player_id = ?", n, minor*n, player)
}

// TestDaysOfAVeryLongWallet sums up a wallet with more lines than are read at once: the first player's, and another's.
func TestDaysOfAVeryLongWallet(t *testing.T) {
	t.Parallel()
	x := storetest.NewDatabase(t, storetest.SQLite)
	ctx := t.Context()
	s := x.Open(t)
	const lines = 200_500
	for player, user := range []models.UserID{"anna", "bert"} {
		storetest.CreatePlayer(t, s, user, 10*lines)
		addLines(x, t, int64(player+1), models.Bet, -1, lines)
	}
	_, err := s.FollowDays(ctx)
	require.NoError(t, err)
	check, err := s.CheckDays(ctx)
	require.NoError(t, err)
	require.Empty(t, check.Faults)
	require.Zero(t, check.Waiting, "days reported as summed up have every line")
	require.EqualValues(t, 2*(lines+1), check.Lines)
}

// TestDayFollowersAtOnce lets several instances sum up the same days while they are played, and several people sign at once.
func TestDayFollowersAtOnce(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		clock := &storetest.Clock{}
		day := models.Day("2026-11-20")
		clock.Set(day.End(time.UTC).Add(-time.Minute))
		x.Config.Now = clock.Now
		instances := []*store.Store{x.Open(t), x.Open(t), x.Open(t)}
		for _, user := range []models.UserID{"anna", "bert", "carl"} {
			storetest.CreatePlayer(t, instances[0], user, 1_000_000)
		}
		users := []models.UserID{"anna", "bert", "carl"}
		storetest.Together(len(instances), func(i int) {
			for n := range 40 {
				_, err := instances[i].Apply(t.Context(),
					storetest.Bet(users[n%3], models.TransactionID(fmt.Sprintf("%d-%d", i, n)), 100))
				require.NoError(t, err)
				if n%4 == 0 {
					_, err = instances[i].FollowDays(t.Context())
					require.NoError(t, err)
				}
			}
		})
		_, err := instances[0].FollowDays(t.Context())
		require.NoError(t, err)
		requireReports(t, instances[1], x, day, day, func(dayLine) models.Day { return day })

		clock.Set(day.End(time.UTC).Add(time.Hour))
		_, err = instances[0].FollowDays(t.Context())
		require.NoError(t, err)
		c, err := instances[0].DayInterval(t.Context(), day)
		require.NoError(t, err)
		groups, err := instances[0].DayGroups(t.Context(), day)
		require.NoError(t, err)
		seen := storetest.SeenDay(t, instances[0], c, groups)
		var mu sync.Mutex
		signed := 0
		var signers []models.Signer
		for i := range instances {
			signers = append(signers, storetest.SignerNamed(t, instances[0], fmt.Sprintf("f%d", i), models.Finance))
		}
		storetest.Together(len(instances), func(i int) {
			_, err := instances[i].SignDay(t.Context(), signers[i], day, seen, "at the same time")
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				signed++
			} else {
				require.ErrorIs(t, err, models.ErrDaySigned)
			}
		})
		require.Equal(t, 1, signed)
	})
}

// TestCheckDaysWhileTheyAreSummedUp checks days again and again while they are played and summed up: what changes meanwhile is
// not a fault.
func TestCheckDaysWhileTheyAreSummedUp(t *testing.T) {
	t.Parallel()
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		users := []models.UserID{"anna", "bert", "carl"}
		for _, user := range users {
			storetest.CreatePlayer(t, s, user, 1_000_000)
		}
		bets := storetest.Scaled(100, 1500)
		var played atomic.Bool
		storetest.Together(2, func(i int) {
			for n := 0; i == 0 && n < bets; n++ {
				_, err := s.Apply(t.Context(), storetest.Bet(users[n%3], models.TransactionID(fmt.Sprintf("b%d", n)), 100))
				assert.NoError(t, err)
				_, err = s.FollowDays(t.Context())
				assert.NoError(t, err)
				played.Store(n == bets-1)
			}
			for i == 1 && !played.Load() {
				check, err := s.CheckDays(t.Context())
				assert.NoError(t, err)
				if !assert.Empty(t, check.Faults) {
					return
				}
			}
		})
	})
}

// TestDaysOfABrokenLedger deletes a line of one wallet's ledger with SQL: the days of other wallets are summed up all the same,
// but no day can be signed.
func TestDaysOfABrokenLedger(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		ctx := t.Context()
		clock := &storetest.Clock{}
		day := models.Day("2026-11-20")
		clock.Set(day.Begin(time.UTC).Add(12 * time.Hour))
		x.Config.Now = clock.Now
		s := x.Open(t)
		for _, user := range []models.UserID{"anna", "bert", "carl"} {
			storetest.CreatePlayer(t, s, user, 10_000)
			for n := range 4 {
				require.Equal(t, models.None, storetest.Apply(t, s,
					storetest.Bet(user, models.TransactionID(fmt.Sprintf("%s-%d", user, n)), 100)).
					Decline)
			}
		}
		storetest.DropTriggers(t, x.Config.URL)
		x.Exec(t, "DELETE FROM postings WHERE player_id = 2 AND seq = 3")
		_, err := s.FollowDays(ctx)
		require.ErrorIs(t, err, models.ErrDayGap)
		reports, err := s.DayReports(ctx, models.ReportFilter{From: day, To: day})
		require.NoError(t, err)
		require.Equal(t, models.Amount(900), reports[0].Turnover(), "four bets, one, and four")
		upTo, err := s.DaysUpTo(ctx)
		require.NoError(t, err)
		require.Zero(t, upTo)
		check, err := s.CheckDays(ctx)
		require.NoError(t, err)
		require.EqualValues(t, 3, check.Waiting)
		clock.Set(day.End(time.UTC).Add(time.Hour))
		_, err = s.SignDay(ctx, storetest.SignerNamed(t, s, "fred", models.Finance), day, models.DaySeen{},
			"nothing to say here")
		require.ErrorIs(t, err, models.ErrDayGap)
	})
}
