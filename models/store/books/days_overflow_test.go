package books_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// TestAttackSumsBeyondAnAmount lets several wallets together win, stake and own more than the largest amount, also in
// transactions that are rolled back, as a faulty platform could. Every figure is exact, and the day can be signed.
func TestAttackSumsBeyondAnAmount(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		ctx := t.Context()
		clock := &storetest.Clock{}
		clock.Set(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
		x.Config.Now = clock.Now
		s := x.Open(t)
		carl, err := s.CreatePlayer(ctx, storetest.Tester, models.NewPlayer{UserID: "carl", Currency: "TRY", Balance: 500})
		require.NoError(t, err)
		follow := func() {
			t.Helper()
			clock.Set(clock.Now().Add(5 * time.Minute))
			_, err := s.FollowDays(ctx)
			require.NoError(t, err)
		}
		rich := func(user models.UserID, n int) { // won, staked, and won again
			t.Helper()
			storetest.CreatePlayer(t, s, user, 0)
			for i := range n {
				id := models.TransactionID(fmt.Sprintf("%s-%d", user, i))
				if i > 0 {
					require.Equal(t, models.None,
						storetest.Apply(t, s, models.Operation{Source: models.SourcePlatform, Kind: models.Bet, UserID: user,
							TransactionID: id + "-b", RoundID: "r", Bet: models.MaxAmount}).Decline)
				}
				require.Equal(t, models.None,
					storetest.Apply(t, s, models.Operation{Source: models.SourcePlatform, Kind: models.Win, UserID: user,
						TransactionID: id, RoundID: "r", Win: models.MaxAmount}).Decline)
			}
		}
		rich("anna", 3)
		follow()
		rich("bert", 1)
		follow()
		rich("dora", 2)
		require.Equal(t, models.None,
			storetest.Apply(t, s, models.Operation{Source: models.SourcePlatform, Kind: models.Bet, UserID: "carl",
				TransactionID: "c1",
				RoundID:       "c", Bet: 200}).Decline)
		follow()
		storetest.CreatePlayer(t, s, "rolf", 0)
		for i := range 3 { // a win and its rollback
			id := models.TransactionID(fmt.Sprint("back-", i))
			require.Equal(t, models.None, storetest.Apply(t, s, storetest.Win("rolf", id, models.MaxAmount)).Decline)
			require.Equal(t, models.None, storetest.Apply(t, s, storetest.Rollback("rolf", id)).Decline)
		}
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Win("rolf", "low", models.MaxAmount)).Decline)
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Bet("rolf", "spent", models.MaxAmount)).Decline)
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Rollback("rolf", "low")).Decline,
			"below zero, by the largest amount")
		follow()
		// times returns n times the largest amount.
		times := func(n int) (sum models.Amount) {
			for range n {
				sum = sum.Add(models.MaxAmount)
			}
			return sum
		}
		day := models.Day("2026-11-20")
		reports, err := s.DayReports(ctx, models.ReportFilter{From: day, To: day.Add(1)})
		require.NoError(t, err)
		require.Len(t, reports, 2)
		require.Equal(t, times(10), reports[0].Wins)
		require.Equal(t, times(4), reports[0].WinsReversed)
		require.Equal(t, times(4), reports[0].Stakes)
		require.Equal(t, "5,999,999,999,999.94", reports[0].Payout().Grouped())
		require.Equal(t, times(4).Sub(times(6)), reports[0].GGR())
		require.Equal(t, times(2), reports[0].Closing())
		require.Equal(t, reports[0].Moved, reports[0].Explained())
		rtp, known := reports[0].RTP()
		require.True(t, known)
		require.Equal(t, "150.00", rtp.StringFixed(2))
		require.Equal(t, models.Amount(200), reports[1].Turnover())
		require.Equal(t, models.Amount(300), reports[1].Closing())
		groups, err := s.DayGroups(ctx, day)
		require.NoError(t, err)
		require.Len(t, groups, 2)
		players, err := s.PlayersReport(ctx, models.ReportFilter{From: day, To: day, Limit: 10})
		require.NoError(t, err)
		require.Len(t, players.Rows, 5)
		largest := models.ReportFilter{From: day, To: day, Limit: 1} // one player a page
		for _, p := range players.Rows {
			page, err := s.PlayersReport(ctx, largest)
			require.NoError(t, err)
			require.Equal(t, []models.PlayerReport{p}, page.Rows)
			require.Equal(t, p.UserID != players.Rows[4].UserID, page.More)
			largest.After = models.PlayerPlace{Turnover: p.Turnover(), PlayerID: p.PlayerID}
		}
		require.Equal(t, []models.Amount{times(2), times(1), times(1), 200, 0},
			[]models.Amount{players.Rows[0].Turnover(), players.Rows[1].Turnover(), players.Rows[2].Turnover(),
				players.Rows[3].Turnover(),
				players.Rows[4].Turnover()})
		totals, err := s.Control(ctx)
		require.NoError(t, err)
		require.Equal(t, []models.Control{
			{Currency: "EUR", Counted: times(2), Balances: times(2)},
			{Currency: "TRY", Counted: 300, Balances: 300},
		}, totals)
		owed, err := s.LiabilityNow(ctx, models.WithTest)
		require.NoError(t, err)
		require.Equal(t, []models.Amount{times(2), 300}, []models.Amount{owed[0].Sum, owed[1].Sum})
		play, err := s.Play(ctx, clock.Now().Truncate(time.Hour), clock.Now().Add(time.Hour))
		require.NoError(t, err)
		require.Equal(t, times(10), play[0].Wins)
		requireDays := func() {
			t.Helper()
			check, err := s.CheckDays(ctx)
			require.NoError(t, err)
			require.Empty(t, check.Faults)
		}
		requireDays()
		rounds, err := s.Rounds(ctx, models.RoundFilter{Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		require.Len(t, rounds.Rows, 9)
		for _, row := range rounds.Rows {
			if row.UserID == "anna" {
				require.Equal(t, times(3), row.Won)
				require.Equal(t, times(2), row.Staked)
				require.Equal(t, times(1), row.Net())
			}
		}
		require.NoError(t, s.RebuildDays(ctx))
		rebuilt, err := s.DayReports(ctx, models.ReportFilter{From: day, To: day.Add(1)})
		require.NoError(t, err)
		require.Equal(t, reports, rebuilt)

		clock.Set(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
		follow()
		c, err := s.DayInterval(ctx, day)
		require.NoError(t, err)
		groups, err = s.DayGroups(ctx, day)
		require.NoError(t, err)
		_, err = s.SignDay(ctx, storetest.SignerNamed(t, s, "fred", models.Finance), day, storetest.SeenDay(t, s, c, groups),
			"nothing to add here")
		require.NoError(t, err)
		requireDays()
		require.NoError(t, s.RebuildDays(ctx), "closed days stay, and open ones continue from them")
		requireDays()

		// Sums that fit an integer are exact. Any other is an error.
		for _, row := range []struct {
			amounts []int64
			want    models.Amount
			beyond  bool
		}{
			{amounts: []int64{1, -2}, want: -1},
			{amounts: []int64{-1, -1 << 40, 1 << 33}, want: -1 - 1<<40 + 1<<33},
			{amounts: []int64{math.MaxInt64 - 1, 1}, want: math.MaxInt64},
			{amounts: []int64{math.MinInt64 + 1, -1}, want: math.MinInt64},
			{amounts: []int64{math.MaxInt64, 1}, beyond: true}, {amounts: []int64{math.MinInt64, -1}, beyond: true},
			{amounts: []int64{math.MaxInt64, math.MaxInt64}, beyond: true},
		} {
			_, err := x.DB.ExecContext(ctx, "DELETE FROM daily_sums WHERE currency = 'TRY'")
			require.NoError(t, err)
			for i, amount := range row.amounts {
				_, err := x.DB.ExecContext(ctx,
					`INSERT INTO daily_sums (day, player_id, currency, test, from_seq, to_seq, from_spin_seq, to_spin_seq,
						bets, stake_minor, stake_reversed_minor, win_minor,
					win_reversed_minor, spins, spin_stake_minor, spin_win_minor, spin_win_reversed_minor, reversals,
					opening_minor, credit_minor, debit_minor, corrections, deposit_minor,
					requested_minor, returned_minor, paid_minor, moved_minor, players, largest_win_minor, largest_win_seq)
					VALUES (?, ?, 'TRY', 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ?, 0, 0, 0)`,
					string(day.Add(i)), carl.ID, amount)
				require.NoError(t, err)
			}
			players, err := s.PlayersReport(ctx, models.ReportFilter{From: day, To: day.Add(9), Currency: "TRY", Limit: 1})
			if row.beyond {
				require.Error(t, err, "%v", row.amounts)
				continue
			}
			require.NoError(t, err)
			require.Equal(t, row.want, players.Rows[0].Moved, "%v", row.amounts)
		}
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Bet("anna", "tomorrow", 1)).Decline)
		follow()
		_, err = x.DB.ExecContext(ctx, "UPDATE daily_totals SET stake_minor = ? WHERE day = ?", int64(math.MaxInt64),
			string(day.Add(1)))
		require.NoError(t, err)
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Bet("anna", "once more", 1)).Decline)
		_, err = s.FollowDays(ctx)
		require.Error(t, err, "a figure that would exceed an integer is not stored")
	})
}
