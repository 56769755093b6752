package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/reconcile"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// TestComparisonKilledInTheMiddle kills a server while it writes its findings. The next start continues the comparison and
// finds each difference once.
func TestComparisonKilledInTheMiddle(t *testing.T) {
	alongside(t)
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		var text strings.Builder
		text.WriteString("id,type,amount\n")
		n := long(30_000, 200_000)
		for i := range n {
			fmt.Fprintf(&text, "%08d,win,1.00\n", i*7919%n)
		}
		keeper := reconcile.New(reconcile.Config{Store: s})
		st, err := keeper.Keep(t.Context(), models.System, 0, "day.csv", strings.NewReader(text.String()))
		require.NoError(t, err)
		st.Since, st.Until = time.Now().AddDate(0, 0, -2), time.Now().AddDate(0, 0, -1)
		run, err := s.BeginStatementRun(t.Context(), models.System, st)
		require.NoError(t, err)
		server := start(t, environment(url, ports(t)...))
		require.Eventually(t, func() bool {
			list, err := s.Differences(t.Context(), models.DifferenceFilter{RunID: run.ID, Span: models.Span{Limit: 1}})
			require.NoError(t, err)
			return len(list.Rows) > 0
		}, 2*time.Minute, time.Millisecond)
		server.kill()
		now, _, err := s.StatementRun(t.Context(), run.ID)
		require.NoError(t, err)
		require.Equal(t, models.JobRunning, now.State, "it was killed in the middle")

		// The killed server's lease expires after half a minute; the test does not wait for that.
		ahead := storetest.Open(t,
			store.Config{URL: url, LedgerKey: []byte(testLedger), LockWait: commandLockWait,
				Now: func() time.Time { return time.Now().Add(time.Minute) }})
		free, err := ahead.Lease(t.Context(), "statement comparisons", "nobody", -2*time.Minute)
		require.NoError(t, err)
		require.True(t, free)
		server.launch(t)
		require.Eventually(t, func() bool {
			now, _, err = s.StatementRun(t.Context(), run.ID)
			require.NoError(t, err)
			return now.State == models.JobFinished
		}, 3*time.Minute, 10*time.Millisecond)
		require.EqualValues(t, n, now.Differences)
		seen := map[models.TransactionID]bool{}
		for f := (models.DifferenceFilter{RunID: run.ID, Span: models.Span{Limit: 5000}}); ; {
			list, err := s.Differences(t.Context(), f)
			require.NoError(t, err)
			for _, d := range list.Rows {
				require.False(t, seen[d.TransactionID])
				seen[d.TransactionID] = true
				f.Page = d.Place()
			}
			if !list.More {
				break
			}
		}
		require.Len(t, seen, n)
	})
}
