package reports_test

import (
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages/reports"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// BenchmarkReports opens reports, and lists of players by what they did, over a million player days on MariaDB: ten thousand
// players, or PITBOSS_BENCH_PLAYERS, who each played on a hundred days. One in ten stopped twenty days ago.
func BenchmarkReports(b *testing.B) {
	url := storetest.URL(b, storetest.MariaDB)
	s := apptest.NewSite(b, url)
	const days = 100
	players := 10_000
	if text := os.Getenv("PITBOSS_BENCH_PLAYERS"); text != "" {
		var err error
		players, err = strconv.Atoi(text)
		require.NoError(b, err)
	}
	file := models.PlayerFile{}
	for i := range players {
		file.Players = append(file.Players,
			models.NewPlayer{UserID: models.UserID(fmt.Sprintf("player-%05d", i+1)),
				Currency: []models.Currency{"EUR", "TRY"}[i%2], Balance: 100_000})
		file.Lines = append(file.Lines, i)
	}
	_, err := s.Store.ImportPlayers(b.Context(), models.System, file, nil)
	require.NoError(b, err)
	s.SumUpDays()
	db, err := sql.Open("mysql", strings.TrimPrefix(url, "mysql://"))
	require.NoError(b, err)
	defer db.Close()
	today := models.DayOf(time.Now(), time.UTC)
	const columns = "bets, stake_minor, stake_reversed_minor, win_minor, win_reversed_minor, spins, spin_stake_minor, " +
		"spin_win_minor, spin_win_reversed_minor, reversals, opening_minor, credit_minor, debit_minor, corrections, " +
		"deposit_minor, requested_minor, returned_minor, paid_minor, moved_minor, players"
	for back := range days {
		_, err := db.ExecContext(b.Context(),
			"INSERT INTO daily_sums (day, player_id, currency, test, from_seq, to_seq, from_spin_seq, to_spin_seq, "+
				"largest_win_minor, largest_win_seq, "+columns+`)
			SELECT ?, player_id, currency, 0, 2, 2, 0, 0, 90 * (player_id MOD 977), 2, 10, 100 * (player_id MOD 977), 0,
				90 * (player_id MOD 977), 0, 1, 50, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20 - 10 * (player_id MOD 977), 1
			FROM wallets WHERE player_id MOD 10 > 0 OR ? >= 20`, string(today.Add(-back-1)), back)
		require.NoError(b, err)
	}
	sums := strings.Join(strings.Split(columns, ", "), "), SUM(")
	_, err = db.ExecContext(b.Context(),
		"INSERT INTO daily_totals (day, currency, test, "+columns+") SELECT day, currency, test, SUM("+sums+
			") FROM daily_sums WHERE day < ? GROUP BY day, currency, test", string(today))
	require.NoError(b, err)
	_, err = db.ExecContext(b.Context(), "ANALYZE TABLE daily_sums, daily_totals, daily_heads")
	require.NoError(b, err)
	farid := s.SignedIn("farid", models.Finance)
	month, since := string(today.Add(-30)), string(today.Add(-20))
	for _, page := range []struct{ name, path string }{
		{"days", "/reports"}, {"days of a year", "/reports?from=" + string(today.Add(-365))},
		{"days of a player", "/reports?player=player-00500"}, {"players of a month", "/reports/players"},
		{"players of a day", "/reports/players?from=" + string(today.Add(-1)) + "&to=" + string(today.Add(-1))},
		{"a day", reports.DayPath(today.Add(-1))},
		{"liability", "/reports/liability"},
		{"games", "/reports/games"},
		{"players who lost", "/players?currency=EUR&loss=200&from=" + month},
		{"players who lost and left", "/players?currency=EUR&loss=200&from=" + month + "&not-played-since=" + since},
		{"players with turnover of 100 days", "/players?currency=EUR&turnover=9000&from=" + string(today.Add(-100))},
	} {
		b.Run(page.name, func(b *testing.B) {
			size := 0
			for b.Loop() {
				request := farid.Request(http.MethodGet, page.path, nil)
				request.Header.Set("Accept-Encoding", "br, gzip")
				response, err := farid.Client.Do(request)
				require.NoError(b, err)
				body, err := io.ReadAll(response.Body)
				response.Body.Close()
				require.NoError(b, err)
				require.Equal(b, http.StatusOK, response.StatusCode)
				size = len(body)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/page")
			b.ReportMetric(float64(size), "B/page")
		})
	}
}
