package app

import (
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/models"
	"pitboss/models/store/storetest"
	"pitboss/models/store/storetest/mariadb"
)

// The size of the ledger that the benchmarks read.
const (
	benchTransactions = 1_000_000
	benchPlayers      = 1_000
)

// fillLedger writes transactions of a thousand players with their ledger lines, a millisecond apart: of ten, six are bets,
// three wins and one a free spin; one in five hundred is rolled back. A round has two transactions.
func fillLedger(b *testing.B, s *site, url string, transactions int) {
	b.Helper()
	file := models.PlayerFile{}
	for i := range benchPlayers {
		file.Players = append(file.Players,
			models.NewPlayer{UserID: models.UserID(fmt.Sprintf("player-%04d", i+1)), Currency: "EUR"})
		file.Lines = append(file.Lines, i)
	}
	_, err := s.Store.ImportPlayers(b.Context(), models.System, file, nil)
	require.NoError(b, err)
	db, err := sql.Open("mysql", strings.TrimPrefix(url, "mysql://"))
	require.NoError(b, err)
	defer db.Close()
	digits := "(SELECT 0 d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 " +
		"UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)"
	numbers := "SELECT ? + u.d + 10 * v.d + 100 * w.d + 1000 * x.d AS n FROM " +
		strings.Join([]string{digits + " u", digits + " v", digits + " w", digits + " x"}, " JOIN ") + " ORDER BY n"
	begun := time.Now().Add(-time.Duration(transactions) * time.Millisecond).UnixMicro()
	for from := 0; from < transactions; from += 10_000 {
		_, err := db.ExecContext(b.Context(),
			fmt.Sprintf(`INSERT INTO postings (source, transaction_id, claim, player_id, seq, kind, round_id, bet_minor,
				win_minor, free_spin, after_minor, at_us, hash)
			SELECT 1, MD5(n), 1, 1 + n DIV 2 MOD %[1]d, 2 + n DIV (2 * %[1]d) * 2 + n MOD 2, IF(n MOD 10 IN (1, 3, 5), 2, 1),
			SHA1(n DIV 2), IF(n MOD 10 IN (1, 3, 5), 0, 20 + n MOD 977), IF(n MOD 10 IN (1, 3, 5), n MOD 1543, 0),
				n MOD 10 = 9, 100000, %[2]d + n * 1000, UNHEX(SHA2(n, 256)) FROM (%[3]s) n`, benchPlayers, begun, numbers),
			from)
		require.NoError(b, err)
		_, err = db.ExecContext(b.Context(),
			fmt.Sprintf(`INSERT INTO postings (source, transaction_id, claim, player_id, seq, kind, round_id, bet_minor,
				win_minor, free_spin, after_minor, at_us, hash)
			SELECT 1, MD5(n), 2, 1 + n DIV 2 MOD %[1]d, 2 + n DIV (2 * %[1]d) * 2 + n MOD 2, IF(n MOD 10 IN (1, 3, 5), 2, 1),
			SHA1(n DIV 2), IF(n MOD 10 IN (1, 3, 5), 0, 20 + n MOD 977), IF(n MOD 10 IN (1, 3, 5), n MOD 1543, 0),
				n MOD 10 = 9, 100000, %[2]d + n * 1000 + 500, UNHEX(SHA2(n, 256)) FROM (%[3]s) n WHERE n MOD 500 = 0`,
				benchPlayers, begun, numbers), from)
		require.NoError(b, err)
	}
	_, err = db.ExecContext(b.Context(), "ANALYZE TABLE postings")
	require.NoError(b, err)
	_, err = db.ExecContext(b.Context(),
		fmt.Sprintf("UPDATE wallets SET seq = %d, spin_seq = 0, balance_minor = 100000", 1+transactions/benchPlayers))
	require.NoError(b, err)
}

// BenchmarkTransactionsPage opens lists and pages over a million transactions on MariaDB like a browser that already has the
// site's styles and scripts. It reports the milliseconds from request to last byte, and the page's bytes on the wire.
func BenchmarkTransactionsPage(b *testing.B) {
	readPages(b, storetest.URL(b, storetest.MariaDB), benchTransactions)
}

// BenchmarkTransactionsPageGrowth does the same over ten million transactions, on a server whose buffer pool they fit into.
func BenchmarkTransactionsPageGrowth(b *testing.B) {
	server, err := mariadb.Start(filepath.Join(b.TempDir(), "mariadb"), "--innodb-buffer-pool-size=6G",
		"--innodb-log-file-size=1G")
	require.NoError(b, err)
	defer server.Stop()
	db, err := sql.Open("mysql", server.DSN(""))
	require.NoError(b, err)
	defer db.Close()
	_, err = db.Exec("CREATE DATABASE pitboss")
	require.NoError(b, err)
	readPages(b, "mysql://"+server.DSN("pitboss"), 10*benchTransactions)
}

func readPages(b *testing.B, url string, transactions int) {
	b.Helper()
	s := newSite(b, url)
	fillLedger(b, s, url, transactions)
	chloe := s.signedIn("chloe", models.Compliance)
	middle := time.Now().Add(-time.Duration(transactions) / 2 * time.Millisecond).UTC()
	for _, page := range []struct{ name, path string }{
		{"transactions", "/transactions"},
		{"transactions deep", fmt.Sprintf("/transactions?after=%d.%d", middle.UnixMicro(), transactions/2)},
		{"transactions of a player", "/transactions?player=player-0500"},
		{"transactions by kind", "/transactions?kind=win"},
		{"transactions rolled back", "/transactions?state=rolled-back"},
		{"transactions of free spins", "/transactions?with=free-spins"},
		{"transactions by amount", "/transactions?bet-from=15.40&bet-to=15.41"},
		{"transactions by an amount nobody has", "/transactions?bet-from=1000000"},
		{"transactions by time",
			"/transactions?since=" + middle.Format("2006-01-02+15:04") + "&until=" +
				middle.Add(time.Minute).Format("2006-01-02+15:04")},
		{"transactions of a player by state", "/transactions?player=player-0500&state=applied&bet-from=1"},
		{"transactions changed, of which there are none", "/transactions?state=changed"},
		{"transaction", pages.TransactionPath(int64(transactions / 2))},
		{"rounds", "/rounds"},
		{"rounds without a result for five minutes", "/rounds?state=open&age=5m"},
		{"rounds in play", "/rounds?state=pending"},
		{"rounds that are interrupted", "/rounds?state=interrupted"},
		{"rounds that are lost", "/rounds?state=lost"},
		{"liability", "/reports/liability"},
		{"rounds with funds that none has", "/rounds?funds=1000000"},
		{"round", pages.RoundPath(int64(transactions / 2))},
		{"players", "/players"},
		{"player", pages.PlayerPath(500)},
		{"ledger of a player", pages.PlayerPath(500) + "/ledger"},
		{"search", "/search?q=5"},
	} {
		b.Run(page.name, func(b *testing.B) {
			path, size := page.path, 0
			if probe := chloe.get(path); probe.location != "" {
				path = probe.location // of the round's first transaction
			}
			for b.Loop() {
				request := chloe.request(http.MethodGet, path, nil)
				request.Header.Set("Accept-Encoding", "br, gzip")
				response, err := chloe.client.Do(request)
				require.NoError(b, err)
				body, err := io.ReadAll(response.Body)
				response.Body.Close()
				require.NoError(b, err)
				require.Less(b, response.StatusCode, http.StatusMultipleChoices, path)
				size = len(body)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/page")
			b.ReportMetric(float64(size), "B/page")
		})
	}
}
