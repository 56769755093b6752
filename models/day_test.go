package models_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

func TestDayBorders(t *testing.T) {
	for _, one := range []struct {
		zone  string
		day   models.Day
		begin string // UTC
		hours float64
	}{
		{"UTC", "2026-11-20", "2026-11-20T00:00:00Z", 24},
		{"Europe/Vienna", "2026-03-29", "2026-03-28T23:00:00Z", 23},
		{"Europe/Vienna", "2026-10-25", "2026-10-24T22:00:00Z", 25},
		{"America/New_York", "2026-11-01", "2026-11-01T04:00:00Z", 25},
		{"Africa/Cairo", "2024-04-26", "2024-04-25T22:00:00Z", 23},   // its midnight does not exist
		{"America/Havana", "2024-11-03", "2024-11-03T04:00:00Z", 25}, // its midnight comes twice
		{"Australia/Lord_Howe", "2026-04-05", "2026-04-04T13:00:00Z", 24.5},
		{"Asia/Kathmandu", "2026-11-20", "2026-11-19T18:15:00Z", 24},
		{"Pacific/Kiritimati", "2026-11-20", "2026-11-19T10:00:00Z", 24},
	} {
		zone, err := time.LoadLocation(one.zone)
		require.NoError(t, err)
		begin, end := one.day.Begin(zone), one.day.End(zone)
		require.Equal(t, one.begin, begin.UTC().Format(time.RFC3339), one.zone)
		require.InDelta(t, one.hours, end.Sub(begin).Hours(), 0, one.zone)
		require.Equal(t, one.day, models.DayOf(begin, zone), one.zone)
		require.Equal(t, one.day.Add(-1), models.DayOf(begin.Add(-time.Microsecond), zone), one.zone)
		require.Equal(t, one.day, models.DayOf(end.Add(-time.Microsecond), zone), one.zone)
	}
	for _, text := range []string{"", "2026-2-3", "2026-02-30", "0000-00-00", "9999-01-01", "20.11.2026", "2026-11-20 "} {
		_, err := models.ParseDay(text)
		require.ErrorIs(t, err, models.ErrDay, text)
	}
	require.Equal(t, models.Day("2028-02-29"), models.Day("2028-02-28").Add(1))
	require.Equal(t, 3, models.ReportFilter{From: "2026-02-27", To: "2026-03-01"}.Days())
}

// Periods are compared with as many days, with the same days of the weeks before, or with the months before.
func TestPeriodBefore(t *testing.T) {
	for _, one := range []struct {
		first, last models.Day
		unit        models.Unit
		from, to    models.Day
	}{
		{"2026-11-28", "2026-11-28", models.Days, "2026-11-27", "2026-11-27"},
		{"2026-11-28", "2026-11-28", models.Weeks, "2026-11-21", "2026-11-21"},
		{"2026-11-23", "2026-11-26", models.Weeks, "2026-11-16", "2026-11-19"},
		{"2026-10-31", "2026-11-29", models.Days, "2026-10-01", "2026-10-30"},
		{"2026-10-31", "2026-11-29", models.Weeks, "2026-09-26", "2026-10-25"}, // 30 days, so five weeks earlier
		{"2026-03-01", "2026-03-31", models.Days, "2026-02-01", "2026-02-28"},  // whole months
		{"2026-01-01", "2026-03-31", models.Days, "2025-10-01", "2025-12-31"},
		{"2026-11-01", "2026-11-29", models.Months, "2026-10-01", "2026-10-29"},
		{"2026-03-01", "2026-03-30", models.Months, "2026-02-01", "2026-02-28"},
		{"2026-12-01", "2026-12-01", models.Months, "2026-11-01", "2026-11-01"},
		{"2028-02-01", "2028-02-29", models.Months, "2028-01-01", "2028-01-31"},
	} {
		from, to := one.first.Before(one.last, one.unit)
		require.Equal(t, []models.Day{one.from, one.to}, []models.Day{from, to}, one)
	}
	require.Equal(t, []models.Day{"2026-11-23", "2026-11-23"}, []models.Day{models.Day("2026-11-23").Week(), models.Day("2026-11-29").Week()})
}

func TestClockOfADay(t *testing.T) {
	for _, one := range []struct {
		zone        string
		day         models.Day
		of          string
		first, last string // UTC; empty if the clocks skip the time
	}{
		{"UTC", "2026-11-20", "14:05", "2026-11-20T14:05:00Z", "2026-11-20T14:05:00Z"},
		{"Europe/Vienna", "2026-07-01", "00:00", "2026-06-30T22:00:00Z", "2026-06-30T22:00:00Z"},
		{"Europe/Vienna", "2026-10-25", "01:59", "2026-10-24T23:59:00Z", "2026-10-24T23:59:00Z"},
		{"Europe/Vienna", "2026-10-25", "02:30", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"}, // twice
		{"Europe/Vienna", "2026-10-25", "03:00", "2026-10-25T02:00:00Z", "2026-10-25T02:00:00Z"},
		{"Europe/Vienna", "2026-03-29", "01:59", "2026-03-29T00:59:00Z", "2026-03-29T00:59:00Z"},
		{"Europe/Vienna", "2026-03-29", "02:30", "", ""},
		{"Europe/Vienna", "2026-03-29", "03:00", "2026-03-29T01:00:00Z", "2026-03-29T01:00:00Z"},
		{"Africa/Cairo", "2024-04-26", "00:30", "", ""}, // its first hour is skipped
		{"America/Havana", "2024-11-03", "00:30", "2024-11-03T04:30:00Z", "2024-11-03T05:30:00Z"},
		{"Australia/Lord_Howe", "2026-04-05", "01:45", "2026-04-04T14:45:00Z", "2026-04-04T15:15:00Z"}, // half an hour
	} {
		zone, err := time.LoadLocation(one.zone)
		require.NoError(t, err)
		of, err := time.Parse("15:04", one.of)
		require.NoError(t, err)
		first, last, exists := one.day.Clock(of, zone)
		if require.Equal(t, one.first != "", exists, one); exists {
			require.Equal(t, []string{one.first, one.last},
				[]string{first.UTC().Format(time.RFC3339), last.UTC().Format(time.RFC3339)}, one)
		}
	}
}
