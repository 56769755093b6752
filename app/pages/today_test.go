package pages_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
)

// TestToday compares with the same time of day even if clocks changed overnight.
func TestToday(t *testing.T) {
	vienna, err := time.LoadLocation("Europe/Vienna")
	require.NoError(t, err)
	for name, row := range map[string]struct {
		now          time.Time
		back         time.Duration
		began, words string
	}{
		"an ordinary day": {time.Date(2026, 11, 20, 15, 42, 59, 0, vienna), 24 * time.Hour, "2026-11-18T23:00:00Z",
			"Friday, 20 Nov until 15:42, compared with Thursday until 15:42. Days are the casino’s, in Europe/Vienna."},
		"after the clocks went forward": {time.Date(2026, 3, 29, 12, 0, 0, 0, vienna), 23 * time.Hour, "2026-03-27T23:00:00Z",
			"Sunday, 29 Mar until 12:00, compared with Saturday until 12:00. Days are the casino’s, in Europe/Vienna."},
		"after the clocks went back": {time.Date(2026, 10, 25, 12, 0, 0, 0, vienna), 25 * time.Hour, "2026-10-23T22:00:00Z",
			"Sunday, 25 Oct until 12:00, compared with Saturday until 12:00. Days are the casino’s, in Europe/Vienna."},
	} {
		t.Run(name, func(t *testing.T) {
			d := pages.NewToday(row.now.UTC(), vienna)
			require.Equal(t, row.back, d.Back())
			require.Equal(t, row.began, d.BeganY.UTC().Format(time.RFC3339))
			require.Equal(t, row.words, d.Words())
		})
	}
}
