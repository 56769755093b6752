package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

// TestSumsBeyondAnAmount has wallets hold more together than an amount can be, as a platform gone mad could make them. Figures are held at the
// end of the range, no query fails, the other currency's figures are right, days go on being summed up, and nobody signs.
func TestSumsBeyondAnAmount(t *testing.T) {
	onEngines(t, func(t *testing.T, x *site) {
		ctx := t.Context()
		clock := &hands{}
		clock.set(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
		x.cfg.Now = clock.now
		s := x.open(t)
		carl, err := s.CreatePlayer(ctx, tester, models.NewPlayer{UserID: "carl", Currency: "TRY", Balance: 500})
		require.NoError(t, err)
		follow := func() {
			t.Helper()
			_, err := s.FollowDays(ctx)
			require.NoError(t, err)
			clock.set(clock.now().Add(5 * time.Minute))
			_, err = s.FollowMoney(ctx)
			require.NoError(t, err)
		}
		rich := func(user models.UserID, n int) { // won, staked, and won again
			t.Helper()
			create(t, s, user, 0)
			for i := range n {
				id := models.TransactionID(fmt.Sprintf("%s-%d", user, i))
				if i > 0 {
					require.Equal(t, models.None, apply(t, s, models.Operation{Source: models.SourcePlatform, Kind: models.Bet, UserID: user, TransactionID: id + "-b", RoundID: "r", Bet: models.MaxAmount}).Decline)
				}
				require.Equal(t, models.None, apply(t, s, models.Operation{Source: models.SourcePlatform, Kind: models.Win, UserID: user, TransactionID: id, RoundID: "r", Win: models.MaxAmount}).Decline)
			}
		}
		rich("anna", 3)
		follow()
		rich("bert", 1)
		follow()
		rich("dora", 2)
		require.Equal(t, models.None, apply(t, s, models.Operation{Source: models.SourcePlatform, Kind: models.Bet, UserID: "carl", TransactionID: "c1", RoundID: "c", Bet: 200}).Decline)
		follow()
		day := models.Day("2026-11-20")
		reports, err := s.DayReports(ctx, models.ReportFilter{From: day, To: day.Add(1)})
		require.NoError(t, err)
		require.Len(t, reports, 2)
		require.Equal(t, models.MaxAmount, reports[0].Wins)
		require.Equal(t, models.MaxAmount, reports[0].Stakes)
		require.Equal(t, models.MaxAmount, reports[0].Closing())
		require.Equal(t, models.Amount(200), reports[1].Turnover())
		require.Equal(t, models.Amount(300), reports[1].Closing())
		groups, err := s.DayGroups(ctx, day)
		require.NoError(t, err)
		require.Len(t, groups, 2)
		players, _, err := s.PlayersReport(ctx, models.ReportFilter{From: day, To: day, Limit: 10})
		require.NoError(t, err)
		require.Len(t, players, 4)
		totals, err := s.Control(ctx)
		require.NoError(t, err)
		require.Equal(t, []bool{false, true}, []bool{totals[0].Agrees(), totals[1].Agrees()})
		for _, read := range []func() ([]models.Liability, error){
			func() ([]models.Liability, error) { return s.LiabilityNow(ctx, models.WithTest) },
			func() ([]models.Liability, error) { return s.LiabilityAt(ctx, clock.now(), models.WithTest) },
		} {
			owed, err := read()
			require.NoError(t, err)
			require.Equal(t, []models.Amount{models.MaxAmount, 300}, []models.Amount{owed[0].Sum, owed[1].Sum})
		}
		play, err := s.Play(ctx, clock.now().Truncate(time.Hour), clock.now().Add(time.Hour))
		require.NoError(t, err)
		require.Equal(t, models.MaxAmount, play[0].Wins)
		_, err = s.CheckDays(ctx)
		require.NoError(t, err)
		rounds, err := s.Rounds(ctx, models.RoundFilter{Limit: 10})
		require.NoError(t, err)
		require.Len(t, rounds.Rows, 4)
		require.NoError(t, s.RebuildDays(ctx))

		clock.set(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
		follow()
		c, err := s.DayInterval(ctx, day)
		require.NoError(t, err)
		groups, err = s.DayGroups(ctx, day)
		require.NoError(t, err)
		_, err = s.SignDay(ctx, staffed(t, s, "fred", models.Finance), day, models.ReportDigest(c, groups), "nothing to add here")
		require.ErrorIs(t, err, models.ErrDayUnbalanced)

		// Below zero, and to the unit at the ends.
		for _, row := range []struct {
			amounts []int64
			want    models.Amount
		}{
			{[]int64{1, -2}, -1}, {[]int64{-1, -1 << 40, 1 << 33}, -1 - 1<<40 + 1<<33}, {[]int64{int64(models.MaxAmount) - 1, 1}, models.MaxAmount},
			{[]int64{int64(models.MaxAmount), -1}, models.MaxAmount - 1}, {[]int64{-int64(models.MaxAmount) + 1, -1}, -models.MaxAmount},
			{[]int64{int64(models.MaxAmount), 1}, models.MaxAmount}, {[]int64{-int64(models.MaxAmount), -2}, -models.MaxAmount},
			{[]int64{int64(models.MaxAmount), int64(models.MaxAmount), -int64(models.MaxAmount)}, models.MaxAmount},
		} {
			_, err := x.db.ExecContext(ctx, "DELETE FROM daily_sums WHERE currency = 'TRY'")
			require.NoError(t, err)
			for i, amount := range row.amounts {
				_, err := x.db.ExecContext(ctx, `INSERT INTO daily_sums (day, player_id, currency, test, from_seq, to_seq, from_spin_seq, to_spin_seq, bets, stake_minor, stake_reversed_minor, win_minor,
					win_reversed_minor, spins, spin_stake_minor, spin_win_minor, spin_win_reversed_minor, reversals, opening_minor, credit_minor, debit_minor, corrections, moved_minor, players)
					VALUES (?, ?, 'TRY', 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ?, 0)`,
					string(day.Add(i)), carl.ID, amount)
				require.NoError(t, err)
			}
			players, _, err := s.PlayersReport(ctx, models.ReportFilter{From: day, To: day.Add(9), Currency: "TRY", Limit: 1})
			require.NoError(t, err)
			require.Equal(t, row.want, players[0].Moved, "%v", row.amounts)
		}
	})
}
