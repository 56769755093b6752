package exports_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/apptest"
	"pitboss/models"
	"pitboss/models/store/storetest"
)

// BenchmarkExportMillion exports a million transactions out of MariaDB and compares the file's sum with the tables'. It reports
// how long that took and the most memory that the program used, including the site and the database's driver.
func BenchmarkExportMillion(b *testing.B) {
	url := storetest.URL(b, storetest.MariaDB)
	s := apptest.NewSite(b, url)
	apptest.FillLedger(b, s, url, apptest.BenchTransactions)
	s.Hire("chloe", models.Compliance)
	chloe, _, err := s.Store.StaffNamed(b.Context(), "chloe")
	require.NoError(b, err)
	for _, format := range []models.ExportFormat{models.CSV, models.XLSX} {
		b.Run(string(format), func(b *testing.B) {
			for b.Loop() {
				e, err := s.Exports.Ask(b.Context(), models.Actor{Name: "chloe"},
					models.Export{StaffID: chloe.ID, List: "/transactions", Title: "Transactions", Zone: "Europe/Vienna",
						Format: format})
				require.NoError(b, err)
				var m runtime.MemStats
				var peak uint64
				for e.State.Open() {
					runtime.ReadMemStats(&m)
					peak = max(peak, m.HeapInuse)
					time.Sleep(20 * time.Millisecond)
					e, _, err = s.Store.Export(b.Context(), e.ID)
					require.NoError(b, err)
				}
				require.Equal(b, models.JobFinished, e.State, e.Failure)
				require.EqualValues(b, apptest.BenchTransactions+apptest.BenchPlayers, e.Rows)
				b.ReportMetric(e.FinishedAt.Sub(e.StartedAt).Seconds(), "s/export")
				b.ReportMetric(float64(peak)/(1<<20), "MB-heap-at-most")
				b.ReportMetric(float64(e.Bytes)/(1<<20), "MB-file")
			}
		})
	}
}
