package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/callbacks/wire"
	"pitboss/cmd/pitboss/config"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// TestFigures calls a server and finds its answers in the figures: the sums of play while it serves, the counts of callbacks at
// the latest when it has ended.
func TestFigures(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		environ := environment(url)
		settings, err := config.Load[config.Server](environ)
		require.NoError(t, err)
		server, err := NewServer(t.Context(), settings, newLog(&console{err: testLog{t}}, "text"))
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- server.Serve(ctx) }()
		s := open(t, url)
		user := players(t, s, 1)[0]
		bet := wire.Request{UserID: user, Amount: "2.50", TransactionID: "t1", RoundID: "r1"}
		require.Equal(t, 0, call(t, server.CallbackURL(), wire.Withdraw, bet))
		require.Equal(t, 11, call(t, server.CallbackURL(), wire.Withdraw, bet))
		require.Equal(t, 0, call(t, server.CallbackURL(), wire.GetBalance, wire.Request{UserID: user}))

		from, to := time.Now().Add(-time.Hour).Truncate(time.Hour), time.Now().Add(time.Hour)
		require.Eventually(t, func() bool {
			play, err := s.Play(t.Context(), from, to)
			return err == nil && len(play) == 1 && play[0].Turnover() == models.Amount(250)
		}, time.Minute, 50*time.Millisecond)
		cancel()
		require.NoError(t, <-ended)
		counts, err := s.CallbackCounts(t.Context(), from, to)
		require.NoError(t, err)
		require.Equal(t, map[models.CallbackAnswer]uint64{{Endpoint: "Withdraw"}: 1, {Endpoint: "Withdraw", Result: 11}: 1,
			{Endpoint: "GetBalance"}: 1}, counts.Answers)
		before, err := s.Play(t.Context(), from, to)
		require.NoError(t, err)
		status, out, errs := command(t, environ, "figures", "rebuild")
		require.Zero(t, status, errs)
		require.True(t, strings.HasPrefix(out, "recalculated up to 20"), out)
		after, err := s.Play(t.Context(), from, to)
		require.NoError(t, err)
		require.Equal(t, before, after)

		// The server has summed up the day too, and the sums are correct.
		day := models.DayOf(time.Now(), time.UTC)
		reports, err := s.DayReports(t.Context(), models.ReportFilter{From: day.Add(-1), To: day})
		require.NoError(t, err)
		require.NotEmpty(t, reports)
		require.Equal(t, models.Amount(250), reports[0].Turnover())
		status, out, errs = command(t, environ, "figures", "check")
		require.Zero(t, status, errs)
		require.Contains(t, out, " 0 are not counted yet")
	})
}
