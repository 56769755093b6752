package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/reconcile"
	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/storetest"
)

// TestReconcile compares files with a ledger at the command line: what matches, what differs, what was settled since, and what
// cannot be read with the given columns.
func TestReconcile(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		environ := environment(url)
		s := open(t, url)
		user := models.UserID(players(t, s, 1)[0])
		apply := func(op models.Operation) {
			op.Source, op.UserID = models.SourcePlatform, user
			result, err := s.Apply(t.Context(), op)
			require.NoError(t, err)
			require.Equal(t, models.None, result.Decline)
		}
		apply(models.Operation{Kind: models.Bet, TransactionID: "b1", RoundID: "r", Bet: 100})
		apply(models.Operation{Kind: models.Win, TransactionID: "w1", RoundID: "r", Win: 250})
		dir := t.TempDir()
		file := func(name, text string) string {
			path := filepath.Join(dir, name)
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			return path
		}
		from, to := time.Now().UTC().AddDate(0, 0, -1).Format(time.DateOnly),
			time.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly)
		compare := func(args ...string) (int, string, string) {
			return command(t, environ,
				append([]string{"reconcile", "--from", from, "--to", to, "--margin", "0s", "--as", "farid"}, args...)...)
		}

		good := file("good.csv", "Ref|Art|Summe\nb1|bet|-1,00\nw1|win|2,50\n")
		status, out, errs := compare(good)
		require.Equal(t, 2, status, out+errs)
		require.Contains(t, errs, "transaction: choose the column")
		columns := []string{"--column", "transaction=Ref", "--column", "kind=Art", "--column", "amount=Summe"}
		status, out, errs = compare(append(columns, good)...)
		require.Equal(t, 0, status, out+errs)
		require.Contains(t, out, "no differences")
		status, out, errs = compare(good)
		require.Equal(t, 0, status, "the columns are remembered: "+out+errs)

		// A line that cannot be read leaves open whether the books match.
		status, out, errs = compare(file("broken.csv", "Ref|Art|Summe\nb1|bet|-1,00\nw1|win|2,50\nbroken\n"))
		require.Equal(t, 1, status, out+errs)
		require.NotContains(t, out, "no differences")
		require.Contains(t, out, "1 of 3 lines were not compared, so the comparison is not complete")
		status, out, errs = compare("--json", file("broken.csv", "Ref|Art|Summe\nb1|bet|-1,00\nw1|win|2,50\nbroken again\n"))
		require.Equal(t, 1, status, out+errs)
		require.Contains(t, out, `"agree": false`)

		// A transaction that failed there and never came here neither matches nor differs.
		apply(models.Operation{Kind: models.Bet, TransactionID: "b2", RoundID: "r", Bet: 40})
		apply(models.Operation{Kind: models.Rollback, TransactionID: "b2"})
		status, out, errs = compare(append(append([]string{}, columns...), "--column", "state=Stand",
			file("failed.csv", "Ref|Art|Summe|Stand\nb1|bet|-1,00|ok\nw1|win|2,50|ok\nb9|bet|-7,00|failed\n"))...)
		require.Equal(t, 0, status, out+errs)
		require.Regexp(t, `\nagree +EUR +2 `, out)
		require.Contains(t, out, "2 in one book only")

		// The remembered columns in a file with another separator.
		other := file("other.csv", "Ref;Art;Summe\nb1;bet;-1.00\nw1;win;2.50\n")
		status, out, errs = compare(other)
		require.Equal(t, 2, status, out+errs)
		require.Contains(t, errs, "its separator is a semicolon; that of the last file with the same columns was a bar")
		require.Contains(t, errs, "--delimiter semicolon")
		status, out, errs = compare("--delimiter", "semicolon", other)
		require.Equal(t, 0, status, out+errs)
		require.Contains(t, out, "no differences")
		status, out, errs = compare(other)
		require.Equal(t, 0, status, "the separator is remembered: "+out+errs)

		bad := file("bad.csv", "Ref|Art|Summe\nb1|bet|-1,50\nunknown|win|7,00\nbroken\n")
		report := filepath.Join(dir, "report.csv")
		status, out, errs = compare("--delimiter", "bar", "--json", "--report", report, bad)
		require.Equal(t, 1, status, out+errs)
		var result struct {
			Differences, Lines int64
			BadLines           int64 `json:"bad_lines"`
			Sums               []struct {
				Bucket string
				Ours   struct{ Turnover string }
			}
		}
		require.NoError(t, json.Unmarshal([]byte(out), &result), out)
		require.EqualValues(t, 3, result.Differences, "w1 has no line, b1 another amount, unknown is not ours")
		require.EqualValues(t, 1, result.BadLines)
		text, err := os.ReadFile(report)
		require.NoError(t, err)
		r := csv.NewReader(strings.NewReader(string(text)))
		r.FieldsPerRecord = -1
		records, err := r.ReadAll()
		require.NoError(t, err)
		require.Contains(t, records[len(records)-1][0], "Differences: 3")
		cases, _, err := s.Cases(t.Context(), models.CaseFilter{Rule: models.CaseStatement, Limit: 10})
		require.NoError(t, err)
		require.Len(t, cases, 3, "each difference has its case")

		// The same file again, once the win has come in.
		apply(models.Operation{Kind: models.Win, TransactionID: "unknown", RoundID: "r", Win: 700})
		status, out, errs = compare(bad)
		require.Equal(t, 1, status, out+errs)
		require.Contains(t, out, "1 settled, 0 new")
		again, _, err := s.Cases(t.Context(), models.CaseFilter{Rule: models.CaseStatement, Limit: 10})
		require.NoError(t, err)
		require.Equal(t, cases, again, "and no second one")

		pipe := filepath.Join(dir, "pipe.csv")
		require.NoError(t, syscall.Mkfifo(pipe, 0o600))
		for name, args := range map[string][]string{
			"no period":                           {"reconcile", good},
			"no file":                             {"reconcile", "--from", from, "--to", to, filepath.Join(dir, "none.csv")},
			"an invalid time zone":                {"reconcile", "--from", from, "--to", to, "--zone", "Mars", good},
			"a period that ends before it begins": {"reconcile", "--from", to, "--to", from, good},
			"a column that does not exist": {"reconcile", "--from", from, "--to", to, "--column", "transaction=None",
				"--column", "amount=Summe", good},
			"a field that does not exist": {"reconcile", "--from", from, "--to", to, "--column", "shoe=Ref", good},
			"a folder":                    {"reconcile", "--from", from, "--to", to, dir},
			"a pipe":                      {"reconcile", "--from", from, "--to", to, pipe},
			"a device":                    {"reconcile", "--from", from, "--to", to, os.DevNull},
			"a report over the file":      {"reconcile", "--from", from, "--to", to, "--report", good, good},
			"an empty file":               {"reconcile", "--from", from, "--to", to, file("empty.csv", "")},
		} {
			status, out, errs := command(t, environ, args...)
			require.Equal(t, 2, status, name+out+errs)
			require.NotEmpty(t, errs, name)
		}
		kept, err := os.ReadFile(good)
		require.NoError(t, err)
		require.Equal(t, "Ref|Art|Summe\nb1|bet|-1,00\nw1|win|2,50\n", string(kept))
	})
}

// TestComparisonKilledInTheMiddle kills a server while it writes its findings. The next start continues the comparison and
// finds each difference once.
func TestComparisonKilledInTheMiddle(t *testing.T) {
	alongside(t)
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		dir := filepath.Join(t.TempDir(), "statements")
		var text strings.Builder
		text.WriteString("id,type,amount\n")
		n := long(30_000, 200_000)
		for i := range n {
			fmt.Fprintf(&text, "%08d,win,1.00\n", i*7919%n)
		}
		keeper := reconcile.New(reconcile.Config{Store: s, Dir: dir, Holder: "test"})
		st, err := keeper.Keep(t.Context(), models.System, "day.csv", strings.NewReader(text.String()))
		require.NoError(t, err)
		st.Since, st.Until = time.Now().AddDate(0, 0, -2), time.Now().AddDate(0, 0, -1)
		run, err := s.BeginStatementRun(t.Context(), models.System, st)
		require.NoError(t, err)
		server := start(t, append(environment(url, ports(t)...), "PITBOSS_STATEMENT_DIR="+dir))
		require.Eventually(t, func() bool {
			list, _, err := s.Differences(t.Context(), models.DifferenceFilter{RunID: run.ID, Limit: 1})
			require.NoError(t, err)
			return len(list) > 0
		}, 2*time.Minute, time.Millisecond)
		server.kill()
		now, _, err := s.StatementRun(t.Context(), run.ID)
		require.NoError(t, err)
		require.Equal(t, models.RunUnderWay, now.State, "it was killed in the middle")

		// The killed server's lease expires after half a minute; the test does not wait for that.
		ahead := storetest.Open(t,
			store.Config{URL: url, LedgerKey: []byte(testLedger), LockWait: commandLockWait,
				Now: func() time.Time { return time.Now().Add(time.Minute) }})
		free, err := ahead.Lease(t.Context(), fmt.Sprintf("statement run %d", run.ID), "nobody", -2*time.Minute)
		require.NoError(t, err)
		require.True(t, free)
		server.launch(t)
		require.Eventually(t, func() bool {
			now, _, err = s.StatementRun(t.Context(), run.ID)
			require.NoError(t, err)
			return now.State == models.RunFinished
		}, 3*time.Minute, 10*time.Millisecond)
		require.EqualValues(t, n, now.Differences)
		seen := map[models.TransactionID]bool{}
		for f := (models.DifferenceFilter{RunID: run.ID, Limit: 5000}); ; {
			list, more, err := s.Differences(t.Context(), f)
			require.NoError(t, err)
			for _, d := range list {
				require.False(t, seen[d.TransactionID])
				seen[d.TransactionID] = true
				f.After = d.Place()
			}
			if !more {
				break
			}
		}
		require.Len(t, seen, n)
		left, err := filepath.Glob(filepath.Join(dir, "run-*"))
		require.NoError(t, err)
		require.Empty(t, left, "nothing of the killed comparison is left")
	})
}
