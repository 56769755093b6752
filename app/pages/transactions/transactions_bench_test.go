package transactions_test

import (
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/apptest"
	"pitboss/app/pages"
	"pitboss/models"
	"pitboss/models/store/storetest"
	"pitboss/models/store/storetest/mariadb"
)

// BenchmarkTransactionsPage opens lists and pages over a million transactions on MariaDB like a browser that already has the
// site's styles and scripts. It reports the milliseconds from request to last byte, and the page's bytes on the wire.
func BenchmarkTransactionsPage(b *testing.B) {
	readPages(b, storetest.URL(b, storetest.MariaDB), apptest.BenchTransactions)
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
	readPages(b, "mysql://"+server.DSN("pitboss"), 10*apptest.BenchTransactions)
}

func readPages(b *testing.B, url string, transactions int) {
	b.Helper()
	s := apptest.NewSite(b, url)
	apptest.FillLedger(b, s, url, transactions)
	chloe := s.SignedIn("chloe", models.Compliance)
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
			if probe := chloe.Get(path); probe.Location != "" {
				path = probe.Location // of the round's first transaction
			}
			for b.Loop() {
				request := chloe.Request(http.MethodGet, path, nil)
				request.Header.Set("Accept-Encoding", "br, gzip")
				response, err := chloe.Client.Do(request)
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
