package views

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The divider between two days names the day in the reader's zone, with the year only if it is another year.
func TestDayWord(t *testing.T) {
	vienna, err := time.LoadLocation("Europe/Vienna")
	require.NoError(t, err)
	now := time.Date(2026, 1, 2, 0, 30, 0, 0, vienna)
	for at, want := range map[time.Time]string{
		now:                          "Today",
		now.Add(-31 * time.Minute):   "Yesterday",
		now.Add(-25 * time.Hour):     "Wednesday, 31 Dec 2025",
		now.Add(36 * 24 * time.Hour): "Saturday, 7 Feb",
		time.Date(2026, 1, 1, 23, 10, 0, 0, time.UTC): "Today", // half past midnight in Vienna
	} {
		require.Equal(t, want, NewMoment(at, now, vienna).DayWord(), at.String())
	}
}
