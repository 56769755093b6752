package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/web"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// A reader in Sydney sees the days of a casino in Malta, and is told so: on the overview, in reports, in the names of their
// months and in their charts.
func TestDaysOfTheCasino(t *testing.T) {
	s := apptest.SqliteSite(t)
	malta, err := time.LoadLocation("Europe/Malta")
	require.NoError(t, err)
	storetest.SetZone(t, s.Store, malta.String())
	day := models.DayOf(s.Now().Add(72*time.Hour), malta)
	at := func(day models.Day, clock time.Duration, id string, stake models.Amount) {
		s.SetClock(day.Begin(malta).Add(clock))
		s.Book(apptest.Bet("anna", id, "r-"+id, stake))
	}
	s.SetClock(day.Add(-1).Begin(malta))
	s.PlayerWithBalance("anna", 10_000)
	at(day.Add(-1), time.Minute, "1", 700)
	at(day.Add(-1), 23*time.Hour+50*time.Minute, "2", 500) // after the time of day that yesterday is compared until
	at(day, time.Minute, "3", 200)
	at(day, 19*time.Hour, "4", 100) // Sydney has the next day
	s.SetClock(day.Begin(malta).Add(20 * time.Hour))
	s.SumUpDays()
	farid := s.SignedIn("farid", models.Finance)
	require.NoError(t, s.Store.SetStaffProfile(t.Context(), apptest.StaffNamed(t, s, "farid").ID,
		models.Profile{Zone: "Australia/Sydney", Theme: "system", Density: "roomy"}))

	overview := farid.Get("/")
	require.Contains(t, apptest.TextOf(overview, ".pb-kpis"), "Turnover 3.00 EUR")
	require.Contains(t, apptest.TextOf(overview, ".pb-kpis"), "from 7.00")
	require.Contains(t, apptest.TextOf(overview, "main"), "Malta")
	require.Contains(t, overview.Find(".pb-kpis [title*='casino']").Text(), "on "+day.Add(-1).Format("2 Jan"))

	both := "from=" + string(day.Add(-1)) + "&to=" + string(day)
	report := farid.Get("/reports?" + both)
	rows := "[aria-label=Days] tbody tr"
	require.Equal(t, []string{day.Format("Mon, 2 Jan 2006"), "EUR", "3.00"}, apptest.CellsOf(report, rows)[:3])
	require.Equal(t, []string{day.Add(-1).Format("Mon, 2 Jan 2006"), "EUR", "12.00"}, apptest.CellsOf(report, rows+":nth-child(2)")[:3])
	require.Equal(t, 2, report.Find(".pb-chart svg").Length())
	for _, chart := range report.Find(".pb-chart svg").EachIter() {
		require.Contains(t, chart.AttrOr("aria-label", ""), "in EUR")
	}
	offset := day.Begin(malta).In(malta).Format("-07:00")
	require.Contains(t, apptest.TextOf(report, "main"), "00:00 "+offset+", days of Europe/Malta")
	require.Contains(t, apptest.TextOf(report, "main"), "both in Europe/Malta")

	month, first := farid.Get("/reports?by=month&"+both), max(day.Month(), day.Add(-1))
	want := web.DaysWords(first, day)
	if first == day.Month() {
		want = day.Format("January 2006") + ", so far"
	}
	require.Equal(t, want, apptest.CellsOf(month, "main table tbody tr")[0])
	require.Contains(t, apptest.TextOf(month, "main"), "days of Europe/Malta")
}
