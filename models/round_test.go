package models_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pitboss/models"
)

// TestRoundState numbers each row like the rules at models.RoundState, in their order.
func TestRoundState(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	staked := func(d time.Duration, more func(*models.Round)) models.Round {
		r := models.Round{Bets: 1, Staked: models.Amount(1000), At: ago(d), LastAt: ago(d),
			RoundSigns: models.RoundSigns{AsOf: now, StakedAt: ago(d)}}
		if more != nil {
			more(&r)
		}
		return r
	}
	for _, c := range []struct {
		name  string
		round models.Round
		want  models.RoundState
	}{
		{"1. a win, and no bet that is not rolled back", models.Round{Wins: 1, Won: models.Amount(5)}, models.RoundUnstaked},
		{"1. a win of 0.00 without a bet", models.Round{Losses: 1}, models.RoundUnstaked},
		{"1. everything is rolled back", models.Round{Reversed: 2}, models.RoundReversed},
		{"1. everything is rolled back, with an open case", models.Round{Reversed: 2, RoundSigns: models.RoundSigns{CaseID: 7}},
			models.RoundReversed},
		{"2. a win", staked(0, func(r *models.Round) { r.Wins, r.Won = 1, models.Amount(5) }), models.RoundWon},
		{"2. a win with an open case", staked(0, func(r *models.Round) { r.Wins, r.Won, r.CaseID = 1, models.Amount(5), 7 }),
			models.RoundWon},
		{"2. a win of 0.00", staked(0, func(r *models.Round) { r.Losses = 1 }), models.RoundLost},
		{"2. a win of 0.00 and one that paid",
			staked(0, func(r *models.Round) { r.Wins, r.Losses, r.Won = 1, 1, models.Amount(5) }), models.RoundWon},
		{"2. a win of a free spin", models.Round{Spins: 1, Wins: 1, Won: models.Amount(5)}, models.RoundWon},
		{"3. an open case, while it is played", staked(time.Second, func(r *models.Round) { r.CaseID = 7 }),
			models.RoundInterrupted},
		{"3. an open case, although a statement settles it",
			staked(time.Hour, func(r *models.Round) { r.CaseID, r.Settled = 7, true }), models.RoundInterrupted},
		{"4. the statement lists no win", staked(time.Hour, func(r *models.Round) { r.Settled = true }), models.RoundLost},
		{"5. the player has begun another round", staked(time.Second, func(r *models.Round) { r.Later = true }),
			models.RoundNoWin},
		{"5. five minutes", staked(models.RoundSettles, nil), models.RoundNoWin},
		{"6. just now", staked(0, nil), models.RoundInPlay},
		{"6. by a clock that is ahead", staked(-time.Second, nil), models.RoundInPlay},
		{"6. almost a minute", staked(models.RoundPlays-1, nil), models.RoundInPlay},
		{"6. a minute", staked(models.RoundPlays, nil), models.RoundNoWinYet},
		{"6. almost five minutes", staked(models.RoundSettles-1, nil), models.RoundNoWinYet},
	} {
		require.Equal(t, c.want, c.round.State(), c.name)
	}
	words := map[string]bool{}
	for _, s := range models.RoundStates {
		require.NotEqual(t, "unknown", s.String())
		words[s.String()] = true
	}
	require.Len(t, words, len(models.RoundStates))
}

// TestRoundStateProperties draws rounds and lets time pass.
func TestRoundStateProperties(t *testing.T) {
	begun := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		within := func(label string) time.Time {
			return begun.Add(time.Duration(rapid.Int64Range(0, int64(20*time.Minute)).Draw(t, label)))
		}
		r := models.Round{
			Bets: rapid.Int64Range(0, 2).Draw(t, "bets"), Spins: rapid.Int64Range(0, 1).Draw(t, "spins"),
			Wins: rapid.Int64Range(0, 2).Draw(t, "wins"), Losses: rapid.Int64Range(0, 1).Draw(t, "losses"), At: begun,
			RoundSigns: models.RoundSigns{
				StakedAt: within("staked"), Later: rapid.Bool().Draw(t, "later"), Settled: rapid.Bool().Draw(t, "settled"),
				CaseID: rapid.Int64Range(0, 1).Draw(t, "case"),
			},
		}
		if r.Bets > 0 {
			r.Staked = models.Amount(rapid.Int64Range(0, 1000).Draw(t, "stake"))
		}
		if r.Wins > 0 {
			r.Won = models.Amount(rapid.Int64Range(1, 1000).Draw(t, "won"))
		}
		net, last := r.Net(), models.RoundState(0)
		order := map[models.RoundState]int{models.RoundInPlay: 1, models.RoundNoWinYet: 2, models.RoundNoWin: 3}
		for at := begun; at.Before(begun.Add(30 * time.Minute)); at = at.Add(10 * time.Second) {
			r.AsOf = at
			s := r.State()
			require.Contains(t, models.RoundStates, s)
			require.Equal(t, net, r.Net(), "states move no money")
			if s.Undecided() {
				require.False(t, r.HasResult())
				require.Positive(t, r.Bets+r.Spins)
				require.Equal(t, r.Staked, r.Funds())
			} else {
				require.Zero(t, r.Funds())
			}
			if s.Pending() {
				require.True(t, s.Undecided())
				require.False(t, r.Later)
				require.Less(t, at.Sub(r.StakedAt), models.RoundSettles)
				require.Equal(t, r.Staked, r.InPlay())
			} else {
				require.Zero(t, r.InPlay())
			}
			if last != 0 {
				if order[last] == 0 || order[s] == 0 {
					require.Equal(t, last, s, "time alone decides nothing")
				}
				require.GreaterOrEqual(t, order[s], order[last], "time passes in one direction")
			}
			last = s
		}
		require.False(t, last.Pending(), "nothing is in play forever")
		sum := models.SumStakes([]models.Round{r, r})
		require.Empty(t, sum)
	})
}
