package control_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// house is what stops everybody.
type house struct {
	frozen int64 // number of the restriction that freezes all play; 0 if none does
}

// limited is a player with limits, from which every figure is calculated again each time: by comparing dates, not instants.
type limited struct {
	user  models.UserID
	id    int64
	zone  *time.Location
	zoned bool // since the player was created
	set   []limitSet
	done  []*limitedOp // of the last two months
	house *house

	blocked     bool
	worth, held models.Amount
	open        []models.CashRequest // cash-outs that are neither paid nor returned
}

type limitSet struct {
	at time.Time
	models.LimitChange
}

type limitedOp struct {
	models.Operation
	at     time.Time
	undone bool
}

// amount follows the changes of one limit, and returns nil if there is none.
func (l *limited) amount(kind models.LimitKind, period models.LimitPeriod, now time.Time) (amount *models.Amount) {
	var next *models.Amount
	var from time.Time // of next
	waits := false
	advance := func(to time.Time) {
		if waits && !to.Before(from) {
			amount, waits = next, false
		}
	}
	for _, s := range l.set {
		if s.Kind != kind || s.Period != period {
			continue
		}
		advance(s.at)
		switch {
		case amount == nil, s.To != nil && *s.To <= *amount:
			amount, waits = s.To, false
		case waits && (next == nil) == (s.To == nil) && (next == nil || *next == *s.To):
		default:
			next, from, waits = s.To, s.at.Add(24*time.Hour), true
		}
	}
	advance(now)
	return amount
}

// used adds up what counts in the period of now.
func (l *limited) used(kind models.LimitKind, period models.LimitPeriod, now time.Time) (sum models.Amount) {
	for _, d := range l.done {
		then, now := d.at.In(l.zone), now.In(l.zone)
		same := then.Year() == now.Year() && then.Month() == now.Month()
		switch period {
		case models.LimitDay:
			same = same && then.Day() == now.Day()
		case models.LimitWeek:
			year, week := then.ISOWeek()
			thisYear, thisWeek := now.ISOWeek()
			same = year == thisYear && week == thisWeek
		}
		if !same || d.undone || d.FreeSpin {
			continue
		}
		switch {
		case kind == models.LimitDeposit && d.Kind == models.CashIn:
			sum += d.Win
		case kind != models.LimitDeposit && d.Kind != models.CashIn:
			sum += d.Bet
			if kind == models.LimitLoss {
				sum -= d.Win
			}
		}
	}
	return sum
}

// ask answers an operation, and follows it.
func (l *limited) ask(op models.Operation, now time.Time) models.Decline {
	if op.Kind == models.Rollback {
		for _, d := range l.done {
			if d.TransactionID == op.TransactionID {
				if !d.FreeSpin {
					l.worth += d.Bet - d.Win
				}
				d.undone = true
			}
		}
		return models.None
	}
	bets := op.Kind == models.Bet || op.Kind == models.BetWin
	switch {
	case bets && l.house.frozen != 0:
		return models.HouseFrozen
	case l.blocked && (bets || op.Kind == models.CashIn):
		return models.PlayerRestricted
	case op.Kind == models.CashOut && op.Bet > l.worth:
		return models.InsufficientFunds
	case op.Kind == models.CashOut:
		l.worth, l.held = l.worth-op.Bet, l.held+op.Bet
		return models.None
	}
	asked := op.Bet
	if op.Kind == models.CashIn {
		asked = op.Win
	}
	for _, kind := range models.LimitKinds {
		for _, period := range models.LimitPeriods {
			most := l.amount(kind, period, now)
			counts := (kind == models.LimitDeposit) == (op.Kind == models.CashIn) && op.Kind != models.Win && !op.FreeSpin
			if counts && asked > 0 && most != nil && l.used(kind, period, now)+asked > *most {
				return models.LimitReached
			}
		}
	}
	if op.Kind != models.CashIn && !op.FreeSpin && op.Bet > 0 && op.Bet > l.worth {
		return models.InsufficientFunds
	}
	if !op.FreeSpin {
		l.worth += op.Win - op.Bet
	}
	l.done = append(l.done, &limitedOp{Operation: op, at: now})
	for l.done[0].at.Before(now.AddDate(0, -2, 0)) {
		l.done = l.done[1:]
	}
	return models.None
}

// again answers a replay of an operation that was answered with first.
func again(op models.Operation, first models.Decline) models.Decline {
	switch {
	case first != models.None:
		return first
	case op.Kind == models.Rollback:
		return models.RolledBack
	}
	return models.Duplicate
}

// Nothing is lost, doubled, below zero, or played against a restriction, a freeze or a limit, and limits are exact to the cent:
// over days, weeks, months and changes of the clocks in several zones, with restarts, rollbacks of what is current and what is
// over, cash-outs that are paid, returned or bounce, and limits that are set, raised and lowered in between.
func TestMixedOperations(t *testing.T) {
	t.Parallel()
	starts := []string{"2026-03-05T22:00:00Z", "2026-03-26T22:00:00Z", "2026-10-22T22:00:00Z"}
	storetest.EachEngine(t, func(t *testing.T, engine string) {
		for history := range storetest.Scaled(3, 9) { // at once, because most of the time is spent on waiting for the database
			t.Run(fmt.Sprint("history ", history), func(t *testing.T) {
				t.Parallel()
				begin, err := time.Parse(time.RFC3339, starts[history%len(starts)])
				require.NoError(t, err)
				clock := &storetest.Clock{}
				clock.Set(begin)
				x := storetest.NewDatabase(t, engine)
				x.Config.Now = clock.Now
				followLimits(t, x, clock, rand.New(rand.NewPCG(uint64(history), 7)), mixedOperations(t)/storetest.Scaled(3, 9)/2)
			})
		}
	})
}

// mixedOperations returns how many operations the test follows, on both databases together.
func mixedOperations(t *testing.T) int {
	if text := os.Getenv("PITBOSS_TEST_MIXED_OPERATIONS"); text != "" {
		n, err := strconv.Atoi(text)
		require.NoError(t, err)
		return n
	}
	return storetest.Scaled(1200, 40_000)
}

func followLimits(t *testing.T, x *storetest.Database, clock *storetest.Clock, random *rand.Rand, steps int) {
	s := x.Open(t)
	stan := storetest.SignerNamed(t, s, "stan", models.Support)
	var players []*limited
	var one house
	for _, name := range []string{"Europe/Vienna", "America/New_York", "Asia/Beirut", "America/Havana", "Australia/Lord_Howe", "UTC"} {
		zone, err := time.LoadLocation(name)
		require.NoError(t, err)
		user := models.UserID(name)
		created := models.NewPlayer{UserID: user, Currency: "EUR", Balance: 3000}
		if len(players)%2 == 0 {
			created.Zone = name
		}
		made, err := s.CreatePlayer(t.Context(), storetest.Tester, created)
		require.NoError(t, err)
		players = append(players, &limited{user: user, id: made.ID, zone: zone, zoned: created.Zone != "", worth: 3000, house: &one})
	}
	pause := max(1, steps/1000) // so that a long history is not of centuries
	for step := range steps {
		if step%pause == 0 {
			clock.Set(clock.Now().Add([]time.Duration{0, time.Second, 7 * time.Minute, time.Hour, 5 * time.Hour}[random.IntN(5)]))
		}
		if step%(50*pause) == 49 {
			restarted, err := store.Open(t.Context(), x.Config)
			require.NoError(t, err)
			t.Cleanup(func() { restarted.Close() })
			s = restarted
			_, err = s.FindCases(t.Context(), models.CaseRulesConfig{}) // the rules do not look back for ever
			require.NoError(t, err)
		}
		p, now := players[random.IntN(len(players))], clock.Now()
		switch random.IntN(12) {
		case 0:
			setSomeLimits(t, s, stan, p, random, now)
		case 1:
			stopSomething(t, s, stan, p, random)
		case 2:
			moveCashOut(t, s, p, fmt.Sprint(step), random)
		default:
			op := someOperation(p, fmt.Sprint(step), random)
			want := p.ask(op, now)
			r := storetest.Apply(t, s, op)
			require.Equal(t, want.String(), r.Decline.String(), "step %d, %s: %+v", step, now, op)
			require.Equal(t, p.worth, r.Balance.Amount)
			require.Equal(t, want == models.LimitReached, r.Limit != nil)
			if random.IntN(4) == 0 {
				require.Equal(t, again(op, want).String(), storetest.Apply(t, s, op).Decline.String(), "a replay of %+v", op)
			}
		}
		if step%pause == 0 {
			requireLimits(t, s, p, now)
		}
	}
	_, err := s.FindCases(t.Context(), models.CaseRulesConfig{})
	require.NoError(t, err)
	storetest.RequireWhole(t, s)
}

// stopSomething restricts a player or freezes all play, or ends that.
func stopSomething(t *testing.T, s *store.Store, by models.Signer, p *limited, random *rand.Rand) {
	t.Helper()
	if random.IntN(3) > 0 {
		if storetest.Release(t, s, p.user); !p.blocked {
			storetest.Restrict(t, s, p.user)
		}
		p.blocked = !p.blocked
		return
	}
	if frozen := p.house.frozen; frozen != 0 {
		storetest.EndRestriction(t, s, frozen)
		p.house.frozen = 0
		return
	}
	r, err := s.Restrict(t.Context(), by, models.Restriction{Subject: models.OfHouse, Kind: models.OtherRestriction,
		Scope: models.FromPlay, Until: models.Permanent, Reason: "a fault"})
	require.NoError(t, err)
	p.house.frozen = r.ID
}

// moveCashOut requests a cash-out, or ends the oldest one.
func moveCashOut(t *testing.T, s *store.Store, p *limited, id string, random *rand.Rand) {
	t.Helper()
	if len(p.open) == 0 || random.IntN(2) == 0 {
		r := storetest.Cash(p.user, "o"+id, models.Amount(1+random.IntN(600)))
		want := p.ask(r.CashOut(), time.Time{})
		require.Equal(t, want.String(), storetest.ApplyCash(t, s, r.CashOut()).Decline.String())
		if want == models.None {
			p.open = append(p.open, r)
		}
	} else {
		r, how := p.open[0], models.CashPaid
		p.open, p.held = p.open[1:], p.held-r.Amount
		if random.IntN(2) == 0 {
			how, p.worth = models.CashReturned, p.worth+r.Amount
		}
		ends := []models.OperationKind{how}
		if how == models.CashPaid && random.IntN(3) == 0 {
			ends, p.worth = append(ends, models.CashBounced), p.worth+r.Amount
		}
		for _, end := range ends {
			require.Equal(t, models.None, storetest.EndCashOut(t, s, r.ID, end).Decline)
			require.Equal(t, models.Duplicate, storetest.EndCashOut(t, s, r.ID, end).Decline)
		}
	}
	stored, _, err := s.PlayerByID(t.Context(), p.id)
	require.NoError(t, err)
	require.Equal(t, [2]models.Amount{p.worth, p.held}, [2]models.Amount{stored.Wallet.Balance, stored.Wallet.Held})
}

// setSomeLimits sets one limit or several of a player.
func setSomeLimits(t *testing.T, s *store.Store, by models.Signer, p *limited, random *rand.Rand, now time.Time) {
	t.Helper()
	r := models.LimitsRequest{Reason: "asked us to"}
	stands := false
	for _, kind := range models.LimitKinds {
		for _, period := range models.LimitPeriods {
			stands = stands || p.amount(kind, period, now) != nil
			if random.IntN(3) > 0 {
				continue
			}
			c := models.LimitChange{Kind: kind, Period: period}
			if random.IntN(4) > 0 {
				c.To = new(max(1, models.Amount(random.IntN(8))*250*models.Amount(period)))
			}
			r.Changes = append(r.Changes, c)
			p.set = append(p.set, limitSet{now, c})
		}
	}
	if !stands && !p.zoned {
		r.Zone = p.zone.String()
	}
	if len(r.Changes) > 0 {
		require.NoError(t, s.SetLimits(t.Context(), by, p.id, r))
	}
}

func someOperation(p *limited, id string, random *rand.Rand) models.Operation {
	bet := []models.Amount{0, 1, 50, 249, 250, 500}[random.IntN(6)]
	transaction := models.TransactionID("t" + id)
	switch random.IntN(7) {
	case 0:
		return storetest.Win(p.user, transaction, bet)
	case 1:
		return storetest.BetWin(p.user, transaction, bet, 250)
	case 2:
		return storetest.Cash(p.user, "c"+id, bet+1).Deposit()
	case 3:
		return storetest.FreeSpin(p.user, transaction, bet)
	case 4:
		if n := len(p.done); n > 0 {
			if d := p.done[n-1-random.IntN(min(n, 12))]; !d.undone && d.Source == models.SourcePlatform {
				return storetest.Rollback(p.user, d.TransactionID)
			}
		}
	}
	return storetest.Bet(p.user, transaction, bet)
}

// requireLimits requires that a player's limits, and what is used and left, are as they are calculated here.
func requireLimits(t *testing.T, s *store.Store, p *limited, now time.Time) {
	t.Helper()
	stored, _, err := s.PlayerByID(t.Context(), p.id)
	require.NoError(t, err)
	states := models.ParseLimits(stored.Wallet.Limits, stored.Wallet.LimitSums).States(now)
	for _, kind := range models.LimitKinds {
		for _, period := range models.LimitPeriods {
			most := p.amount(kind, period, now)
			if most == nil {
				continue
			}
			require.NotEmpty(t, states)
			state, used := states[0], p.used(kind, period, now)
			states = states[1:]
			require.Equal(t, [3]models.Amount{*most, used, max(0, *most-used)}, [3]models.Amount{state.Amount, state.Used, state.Left},
				"%s %s", state.Name(), now)
			require.NotZero(t, state.Until)
		}
	}
	require.Empty(t, states)
}

// What a request for limits is refused for, and that nothing is changed then.
func TestLimitsRefused(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		anna := storetest.CreatePlayer(t, s, "anna", 1000)
		stan := storetest.SignerNamed(t, s, "stan", models.Support)
		change := models.LimitChange{Kind: models.LimitStake, Period: models.LimitDay, To: new(models.Amount(100))}
		set := func(by models.Signer, zone, reason string, changes ...models.LimitChange) error {
			return s.SetLimits(t.Context(), by, anna.ID, models.LimitsRequest{Changes: changes, Zone: zone, Reason: reason})
		}
		mira := storetest.SignerNamed(t, s, "mira", models.Finance)
		before := x.Digest(t)
		require.ErrorIs(t, set(stan, "", " ", change), models.ErrDecisionText)
		require.ErrorIs(t, set(stan, "", "asked"), models.ErrLimitNone)
		require.ErrorIs(t, set(stan, "", "asked", change, change), models.ErrLimitTwice)
		require.ErrorIs(t, set(stan, "Local", "asked", change), models.ErrLimitZone)
		require.ErrorIs(t, set(stan, "", "asked", models.LimitChange{Kind: 4, Period: 1}), models.ErrLimitKind)
		require.ErrorIs(t, set(stan, "", "asked",
			models.LimitChange{Kind: 1, Period: 1, To: new(models.Amount(-1))}), models.ErrLimitAmount)
		require.Error(t, set(mira, "", "asked", change))
		require.ErrorIs(t, s.SetLimits(t.Context(), stan, 99, models.LimitsRequest{Changes: []models.LimitChange{change}, Reason: "x"}),
			models.ErrPlayerUnknown)
		require.Equal(t, before, x.Digest(t))
		require.NoError(t, set(stan, "Asia/Tokyo", "asked", change))
		require.ErrorIs(t, set(stan, "UTC", "asked", change), models.ErrLimitZoneIs)
		storetest.RequireWhole(t, s)
	})
}

// A hundred bets race for the last cent of a limit, on two instances: one gets it.
func TestLastCentOfALimitRace(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		anna := storetest.CreatePlayer(t, a, "anna", 100000)
		stan := storetest.SignerNamed(t, a, "stan", models.Support)
		storetest.Apply(t, a, storetest.Bet("anna", "first", 99))
		require.NoError(t, a.SetLimits(t.Context(), stan, anna.ID, models.LimitsRequest{Reason: "asked", Changes: []models.LimitChange{
			{Kind: models.LimitStake, Period: models.LimitMonth, To: new(models.Amount(100))},
			{Kind: models.LimitDeposit, Period: models.LimitMonth, To: new(models.Amount(1))}}}))
		var ops []models.Operation
		for i := range 100 {
			ops = append(ops, storetest.Bet("anna", models.TransactionID(fmt.Sprint(i)), 1),
				storetest.Cash("anna", fmt.Sprint(i), 1).Deposit())
		}
		applied := map[models.OperationKind]int{}
		for _, r := range storetest.ApplyTogether(t, storetest.Patience, ops, a, b) {
			require.NoError(t, r.Err)
			if r.Decline != models.LimitReached {
				require.Equal(t, models.None, r.Decline)
				applied[r.Kind]++
			}
		}
		require.Equal(t, map[models.OperationKind]int{models.Bet: 1, models.CashIn: 1}, applied)
		storetest.RequireWhole(t, b)
	})
}

// Once a limit is lowered no bet is applied, whatever is under way.
func TestLoweredLimitRacesBets(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		anna := storetest.CreatePlayer(t, a, "anna", 1000000)
		stan := storetest.SignerNamed(t, a, "stan", models.Support)
		limit := func(amount models.Amount) {
			require.NoError(t, b.SetLimits(t.Context(), stan, anna.ID, models.LimitsRequest{Reason: "asked",
				Changes: []models.LimitChange{{Kind: models.LimitLoss, Period: models.LimitMonth, To: &amount}}}))
		}
		limit(500000)
		flowing, stop := make(chan struct{}, 1000), make(chan struct{})
		var bets sync.WaitGroup
		for worker := range 8 {
			bets.Go(func() {
				for i := 0; ; i++ {
					select {
					case <-stop:
						return
					default:
					}
					s := a
					if worker%2 == 1 {
						s = b
					}
					r, err := s.Apply(t.Context(), storetest.Bet("anna", models.TransactionID(fmt.Sprint(worker, "-", i)), 1))
					if err != nil {
						t.Error(err)
						return
					}
					if r.Decline == models.None && i < 100 {
						flowing <- struct{}{}
					}
				}
			})
		}
		for range 20 {
			<-flowing
		}
		limit(1)
		before := x.Number(t, "SELECT seq FROM wallets")
		require.Equal(t, models.LimitReached, storetest.Apply(t, a, storetest.Bet("anna", "after", 1)).Decline)
		require.Equal(t, models.None, storetest.Apply(t, a, storetest.Win("anna", "win", 1)).Decline)
		close(stop)
		bets.Wait()
		require.Equal(t, before+1, x.Number(t, "SELECT seq FROM wallets"), "only the win was booked after the limit")
		storetest.RequireWhole(t, b)
	})
}
