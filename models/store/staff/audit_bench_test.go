package staff_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/storetest"
)

// BenchmarkAuditLog lists pages of a log of 300,000 events on MariaDB by each filter and by pairs of them.
func BenchmarkAuditLog(b *testing.B) {
	url := storetest.URL(b, storetest.MariaDB)
	s := storetest.Open(b, store.Config{URL: url})
	db, err := sql.Open("mysql", strings.TrimPrefix(url, "mysql://"))
	require.NoError(b, err)
	defer db.Close()
	const events = 300_000
	begun := time.Now().Add(-events * time.Second)
	digits := "(SELECT 0 d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 " +
		"UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)"
	numbers := "SELECT a.d + 10 * b.d + 100 * c.d + 1000 * d.d AS n FROM " + digits + " a JOIN " + digits + " b JOIN " +
		digits + " c JOIN " + digits + " d"
	for from := 0; from < events; from += 10_000 {
		_, err = db.Exec(fmt.Sprintf(`INSERT INTO audit_events (id, at_us, actor, address, session, action, object, object_id,
			before_text, after_text, reason)
			SELECT 1 + n, %d + n * 1000000, CONCAT('staff', n MOD 40), CONCAT('203.0.113.', n MOD 200), LPAD(HEX(n DIV 50), 8,
			'0'), IF(n MOD 10 = 0, 'player created', 'player viewed'),
				IF(n MOD 100 = 0, 'setting', 'player'), n MOD 5000, '{"test":"no"}', '{"test":"yes"}', IF(n MOD 10 = 0,
				CONCAT('because of letter ', n), '')
			FROM (SELECT %d + n AS n FROM (%s) n) n ORDER BY n`, begun.UnixMicro(), from, numbers))
		require.NoError(b, err)
	}
	_, err = db.Exec("ANALYZE TABLE audit_events")
	require.NoError(b, err)
	middle := begun.Add(events / 2 * time.Second)
	for _, c := range []struct {
		name   string
		filter models.AuditFilter
	}{
		{"all", models.AuditFilter{}},
		{"deep", models.AuditFilter{Span: models.Span{Page: models.Cursor{ID: events / 2}}}},
		{"who", models.AuditFilter{Actor: "staff7"}},
		{"what", models.AuditFilter{Action: "player created"}},
		{"kind", models.AuditFilter{Object: "setting"}},
		{"thing", models.AuditFilter{Object: "player", ObjectID: "4321"}},
		{"number alone", models.AuditFilter{ObjectID: "4321"}},
		{"address", models.AuditFilter{Address: "203.0.113.17"}},
		{"session", models.AuditFilter{Session: "00000FA0"}},
		{"time", models.AuditFilter{Span: models.Span{Since: middle, Until: middle.Add(time.Hour)}}},
		{"reason", models.AuditFilter{Reason: "letter 1500"}},
		{"a reason nobody gave", models.AuditFilter{Reason: "nothing of the sort"}},
		{"who and what, without a match", models.AuditFilter{Actor: "staff7", Action: "player created"}},
		{"who in a time", models.AuditFilter{Actor: "staff7", Span: models.Span{Since: middle, Until: middle.Add(time.Hour)}}},
		{"who and why", models.AuditFilter{Actor: "staff0", Reason: "letter"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			c.filter.Limit = 50
			for b.Loop() {
				_, err := s.AuditEvents(b.Context(), c.filter)
				require.NoError(b, err)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/page")
		})
	}
	b.Run("words", func(b *testing.B) {
		for b.Loop() {
			_, _, err := s.AuditWords(b.Context())
			require.NoError(b, err)
		}
	})
}
