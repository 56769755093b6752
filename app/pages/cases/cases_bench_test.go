package cases_test

import (
	"database/sql"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/apptest"
	"pitboss/app/pages"
	"pitboss/models"
	"pitboss/models/store/storetest"
)

// BenchmarkCases runs the rules of cases on MariaDB over a million transactions, a thousand in each second. It runs them every
// five seconds, as the job does, and reports the milliseconds of one run. Then it opens lists and pages with a hundred thousand
// cases, half of them open, and closes open cases together, ten thousand at a time.
func BenchmarkCases(b *testing.B) {
	url := storetest.URL(b, storetest.MariaDB)
	s := apptest.NewSite(b, url)
	apptest.FillLedger(b, s, url, apptest.BenchTransactions)
	end := time.Now()
	look := func() {
		_, err := s.Store.FindCases(b.Context(), models.CaseRulesConfig{})
		require.NoError(b, err)
	}
	s.SetClock(end.Add(-500 * time.Second))
	look()
	b.Run("rules", func(b *testing.B) {
		for b.Loop() {
			s.SetClock(s.Now().Add(5 * time.Second))
			look()
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/look")
	})
	db, err := sql.Open("mysql", strings.TrimPrefix(url, "mysql://"))
	require.NoError(b, err)
	defer db.Close()
	_, err = db.ExecContext(b.Context(),
		`INSERT INTO cases (rule, key_digest, state, at_us, found_at_us, player_id, transaction_number, transaction_id,
			grant_id, statement_id, verification_id, amount_minor, currency, owner, decided_by, decided_at_us, reason, facts,
			reference, due_us)
		SELECT 11, UNHEX(SHA2(id, 256)), 1 + id MOD 2, at_us, at_us, player_id, id, transaction_id, 0, 1 + id MOD 7, 0, 100,
		'EUR', '', '', 0, '', '[]', '', 0 FROM postings WHERE claim = 1 AND id <= 100200`)
	require.NoError(b, err)
	farid := s.SignedIn("farid", models.Finance)
	for _, page := range []struct{ name, path string }{
		{"overview", "/"}, {"cases", "/cases"}, {"all cases", "/cases?state=all"},
		{"cases of a rule that has none", "/cases?rule=2"}, {"cases of a player", "/cases?player=player-0500"},
		{"cases of a statement", "/cases?state=all&statement=3"}, {"cases of nobody, old", "/cases?owner=-&age=168h"},
		{"case", pages.CasePath(50000)}, {"player with cases", pages.PlayerPath(500)},
		{"player without", pages.PlayerPath(999)},
	} {
		b.Run(page.name, func(b *testing.B) {
			for b.Loop() {
				response, err := farid.Client.Do(farid.Request(http.MethodGet, page.path, nil))
				require.NoError(b, err)
				_, err = io.Copy(io.Discard, response.Body)
				response.Body.Close()
				require.NoError(b, err)
				require.Equal(b, http.StatusOK, response.StatusCode)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/page")
		})
	}
	b.Run("close 10,000", func(b *testing.B) {
		for b.Loop() {
			_, err := db.ExecContext(b.Context(), "UPDATE cases SET state = ? WHERE statement_id = 3 OR statement_id = 5",
				uint8(models.CaseOpen))
			require.NoError(b, err)
			begun := time.Now()
			closed, err := s.Store.DecideCases(b.Context(), models.Actor{Name: "farid"},
				models.CaseFilter{Rule: models.CaseStatement}, models.CaseExplained, "The file was of another day.", 10_000)
			require.NoError(b, err)
			require.Equal(b, 10_000, closed)
			b.ReportMetric(float64(time.Since(begun).Microseconds())/1000, "ms/closing")
		}
	})
}
