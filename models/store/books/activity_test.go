package books_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// playBook calculates independently what the sums of minutes should be.
type playBook struct {
	currency map[models.UserID]models.Currency
	test     map[models.UserID]bool
	minutes  map[models.Currency]map[time.Time]*models.MoneySums
	rounds   map[models.RoundID][]models.Operation // applied, even if rolled back, in order
	booked   map[models.TransactionID]bookedOperation
}

type bookedOperation struct {
	models.Operation
	spins bool // a win in a round with free spins only
}

func newPlayBook() *playBook {
	return &playBook{
		currency: map[models.UserID]models.Currency{}, test: map[models.UserID]bool{},
		minutes: map[models.Currency]map[time.Time]*models.MoneySums{},
		rounds:  map[models.RoundID][]models.Operation{},
		booked:  map[models.TransactionID]bookedOperation{},
	}
}

// book notes an operation that was applied at a time.
func (b *playBook) book(op models.Operation, at time.Time) {
	original := bookedOperation{Operation: op}
	if op.Kind == models.Rollback {
		original = b.booked[op.TransactionID]
	} else {
		if op.Kind == models.Win {
			money, spins := false, false
			for _, stake := range b.rounds[op.RoundID] {
				money, spins = money || !stake.FreeSpin, spins || stake.FreeSpin
			}
			original.spins = spins && !money
		} else {
			b.rounds[op.RoundID] = append(b.rounds[op.RoundID], op)
		}
		b.booked[op.TransactionID] = original
	}
	if b.test[op.UserID] {
		return
	}
	currency := b.currency[op.UserID]
	if b.minutes[currency] == nil {
		b.minutes[currency] = map[time.Time]*models.MoneySums{}
	}
	m := b.minutes[currency][at.Truncate(time.Minute)]
	if m == nil {
		m = &models.MoneySums{}
		b.minutes[currency][at.Truncate(time.Minute)] = m
	}
	o := original.Operation
	stakes := o.Kind == models.Bet || o.Kind == models.BetWin
	switch back := op.Kind == models.Rollback; {
	case o.FreeSpin && back:
		m.Spins, m.SpinStakes = m.Spins-1, m.SpinStakes.Add(-o.Bet)
	case o.FreeSpin:
		m.Spins, m.SpinStakes = m.Spins+1, m.SpinStakes.Add(o.Bet)
	case original.spins && back:
		m.SpinWinsReversed = m.SpinWinsReversed.Add(o.Win)
	case original.spins:
		m.SpinWins = m.SpinWins.Add(o.Win)
	case back:
		m.StakesReversed, m.WinsReversed = m.StakesReversed.Add(o.Bet), m.WinsReversed.Add(o.Win)
	default:
		m.Stakes, m.Wins = m.Stakes.Add(o.Bet), m.Wins.Add(o.Win)
		if stakes {
			m.Bets++
		}
	}
}

// play returns what Store.Play should return.
func (b *playBook) play(from, to time.Time) []models.CurrencyPlay {
	var list []models.CurrencyPlay
	for _, currency := range []models.Currency{"EUR", "TRY", "UAH"} {
		sum, found := models.CurrencyPlay{Currency: currency}, false
		for at, m := range b.minutes[currency] {
			if at.Before(from) || !at.Before(to) {
				continue
			}
			found = true
			sum.Bets, sum.Stakes, sum.StakesReversed = sum.Bets+m.Bets, sum.Stakes.Add(m.Stakes),
				sum.StakesReversed.Add(m.StakesReversed)
			sum.Wins, sum.WinsReversed = sum.Wins.Add(m.Wins), sum.WinsReversed.Add(m.WinsReversed)
			sum.Spins, sum.SpinStakes = sum.Spins+m.Spins, sum.SpinStakes.Add(m.SpinStakes)
			sum.SpinWins, sum.SpinWinsReversed = sum.SpinWins.Add(m.SpinWins), sum.SpinWinsReversed.Add(m.SpinWinsReversed)
		}
		if found {
			list = append(list, sum)
		}
	}
	return list
}

// TestMoneyMinutes plays at random over hours, with lines that appear late, a follower that pauses, and one that begins from
// scratch, and compares the sums with a playBook.
func TestMoneyMinutes(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		ctx := t.Context()
		clock, book := &storetest.Clock{}, newPlayBook()
		begun := time.Date(2026, 11, 20, 21, 7, 30, 0, time.UTC)
		clock.Set(begun)
		x.Config.Now = clock.Now
		s := x.Open(t)
		upTo, err := s.FollowDays(ctx)
		require.NoError(t, err)
		require.Equal(t, begun, upTo, "an empty ledger is summed up at once")

		var users []models.UserID
		for i, currency := range []models.Currency{"EUR", "EUR", "EUR", "TRY", "TRY", "UAH", "EUR"} {
			p := models.NewPlayer{UserID: models.UserID(fmt.Sprintf("player %d", i)), Currency: currency, Balance: 5000,
				Test: i == 6}
			_, err := s.CreatePlayer(ctx, storetest.Tester, p)
			require.NoError(t, err)
			users = append(users, p.UserID)
			book.currency[p.UserID], book.test[p.UserID] = currency, p.Test
		}
		check := func() {
			t.Helper()
			now := clock.Now()
			for _, from := range []time.Duration{0, 3 * quarterHour, 26 * time.Hour} {
				for _, ago := range []time.Duration{0, 20 * time.Minute, 90 * time.Minute} {
					from, to := now.Truncate(quarterHour).Add(-from-ago.Truncate(quarterHour)),
						now.Add(-ago).Truncate(time.Minute)
					got, err := s.Play(ctx, from, to)
					require.NoError(t, err)
					require.Equal(t, book.play(from, to), got, "%v to %v", from, to)
				}
			}
		}
		random := rand.New(rand.NewPCG(7, 11))
		last := map[models.UserID]models.RoundID{}
		var ids []models.Operation
		for i := range storetest.Scaled(500, 5000) {
			now := clock.Now().Add(time.Duration(random.IntN(40)) * time.Second)
			if random.IntN(150) == 0 {
				now = now.Add(3 * time.Hour) // nobody plays
			}
			clock.Set(now)
			at := now
			if random.IntN(5) == 0 { // its time is taken before its commit, which comes after others
				at = now.Add(-time.Duration(random.IntN(150)) * time.Second)
				clock.Set(at)
			}
			user := users[random.IntN(len(users))]
			op := models.Operation{Source: models.SourcePlatform, UserID: user,
				TransactionID: models.TransactionID(fmt.Sprintf("t%d", i)), RoundID: models.RoundID(fmt.Sprintf("r%d", i))}
			switch random.IntN(8) {
			case 0, 1:
				op.Kind, op.Bet = models.Bet, models.Amount(random.IntN(900))
			case 2:
				op.Kind, op.Bet, op.FreeSpin = models.Bet, models.Amount(random.IntN(100)), true
			case 3:
				op.Kind, op.Bet, op.Win = models.BetWin, models.Amount(random.IntN(500)), models.Amount(random.IntN(500))
			case 4, 5:
				op.Kind, op.Win = models.Win, models.Amount(random.IntN(1500))
				if last[user] != "" {
					op.RoundID = last[user]
				}
			case 6: // one more stake in a round, of money or a free spin
				op.Kind, op.Bet, op.FreeSpin = models.Bet, 50, random.IntN(2) == 0
				if last[user] != "" {
					op.RoundID = last[user]
				}
			case 7:
				if len(ids) == 0 {
					continue
				}
				earlier := ids[random.IntN(len(ids))]
				op = models.Operation{Source: models.SourcePlatform, Kind: models.Rollback, UserID: earlier.UserID,
					TransactionID: earlier.TransactionID}
			}
			// A round is played in order: no transaction is earlier than the one before it.
			if stakes := book.rounds[op.RoundID]; len(stakes) > 0 && at.Before(now) {
				at = now
				clock.Set(at)
			}
			if storetest.Apply(t, s, op).Decline == models.None {
				book.book(op, at)
				if op.Kind != models.Rollback {
					ids = append(ids, op)
				}
				if op.Kind == models.Bet {
					last[user] = op.RoundID
				}
			}
			clock.Set(now)
			if random.IntN(4) == 0 && (i < 200 || i > 300) { // paused in between
				if random.IntN(3) == 0 { // late lines are not visible to it yet
					_, err := s.FollowDays(ctx)
					require.NoError(t, err)
					continue
				}
				now = now.Truncate(time.Minute).Add(time.Minute)
				clock.Set(now)
				upTo, err := s.FollowDays(ctx)
				require.NoError(t, err)
				require.Equal(t, now, upTo)
				check()
			}
		}
		clock.Set(clock.Now().Truncate(time.Minute).Add(time.Minute))
		_, err = s.FollowDays(ctx)
		require.NoError(t, err)
		check()
		rows := x.Number(t, "SELECT COUNT(*) FROM money_minutes")

		require.NoError(t, s.RebuildDays(ctx))
		check()
		require.Equal(t, rows, x.Number(t, "SELECT COUNT(*) FROM money_minutes"))

		// RebuildDays corrects manipulated sums, and removes those of players who have become test players.
		x.Exec(t, "UPDATE money_minutes SET bets = bets + 1, stake_minor = 1")
		x.Exec(t, "UPDATE players SET test = 1 WHERE user_id = ?", "player 5")
		book.test["player 5"] = true
		delete(book.minutes, "UAH")
		require.NoError(t, s.RebuildDays(ctx))
		check()
	})
}

const quarterHour = 15 * time.Minute

// TestMoneyFollowersAtOnce lets several instances sum up the same ledger while it grows.
func TestMoneyFollowersAtOnce(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		instances := []*store.Store{x.Open(t), x.Open(t), x.Open(t)}
		storetest.CreatePlayer(t, instances[0], "anna", 1_000_000)
		day := time.Now().UTC().Truncate(24 * time.Hour)
		storetest.Together(len(instances), func(i int) {
			for n := range 40 {
				_, err := instances[i].Apply(t.Context(),
					storetest.Bet("anna", models.TransactionID(fmt.Sprintf("%d-%d", i, n)), 100))
				if err == nil {
					_, err = instances[i].FollowDays(t.Context())
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
		_, err := instances[0].FollowDays(t.Context())
		require.NoError(t, err)
		play, err := instances[0].Play(t.Context(), day, day.Add(48*time.Hour))
		require.NoError(t, err)
		require.Len(t, play, 1)
		require.Equal(t, models.CurrencyPlay{Currency: "EUR",
			MoneySums: models.MoneySums{Bets: 120, Stakes: models.Amount(12000)}}, play[0])
	})
}

// TestCallbackMinutes adds up the counts of several instances.
func TestCallbackMinutes(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		ctx := t.Context()
		s := x.Open(t)
		_, found, err := s.LastCallback(ctx)
		require.NoError(t, err)
		require.False(t, found)
		at := time.Date(2026, 11, 20, 12, 3, 0, 0, time.UTC)
		bet, broken, stranger := models.CallbackAnswer{Endpoint: "Withdraw"},
			models.CallbackAnswer{Endpoint: "Withdraw", Result: models.NoAnswer}, models.CallbackAnswer{Result: 404}
		counts := models.CallbackCounts{Answers: map[models.CallbackAnswer]uint64{bet: 3, broken: 1, stranger: 5}}
		instances := []*store.Store{s, storetest.Open(t, x.Config)}
		storetest.Together(20, func(i int) {
			if err := instances[i%2].AddCallbacks(ctx, at.Add(time.Duration(i)*time.Second), counts); err != nil {
				t.Error(err)
			}
		})
		require.NoError(t, s.AddCallbacks(ctx, at.Add(2*time.Minute),
			models.CallbackCounts{Answers: map[models.CallbackAnswer]uint64{stranger: 1}}))
		require.NoError(t, s.AddCallbacks(ctx, at.Add(2*time.Minute), models.CallbackCounts{}))

		minutes, err := s.CallbackMinutes(ctx, at.Add(-time.Minute), at.Add(3*time.Minute))
		require.NoError(t, err)
		require.Len(t, minutes, 4)
		require.True(t, minutes[0].Empty())
		require.Equal(t, at, minutes[1].At)
		require.Equal(t, map[models.CallbackAnswer]uint64{bet: 60, broken: 20, stranger: 100}, minutes[1].Answers)
		require.Equal(t, uint64(80), minutes[1].Callbacks(nil))
		require.Equal(t, map[models.CallbackAnswer]uint64{stranger: 1}, minutes[3].Answers)

		whole, err := s.CallbackCounts(ctx, at, at.Add(time.Hour))
		require.NoError(t, err)
		require.Equal(t, map[models.CallbackAnswer]uint64{bet: 60, broken: 20, stranger: 101}, whole.Answers)
		last, found, err := s.LastCallback(ctx)
		require.NoError(t, err)
		require.True(t, found)
		require.Equal(t, at, last, "a request to an unknown path is not a callback")

		require.NoError(t, s.ForgetCallbacks(ctx, at.Add(time.Minute)))
		whole, err = s.CallbackCounts(ctx, at, at.Add(time.Hour))
		require.NoError(t, err)
		require.Equal(t, map[models.CallbackAnswer]uint64{stranger: 1}, whole.Answers)
	})
}
