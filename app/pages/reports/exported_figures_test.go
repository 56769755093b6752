package reports_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/export"
	"pitboss/app/pages/reports"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// Each figure of a day that leads to a list is the sum of that list's file, in two zones of days.
func TestFiguresFromExports(t *testing.T) {
	columns := map[string]string{"+ Opening balances": "Moved", "− Turnover": "Bet", "+ Payout": "Win", "+ Free-spin wins": "Win",
		"Balance change": "Moved", "Free-spin stakes": "Bet", "Rollbacks": ""}
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		day, figures := twoDays(s), 0
		farid := s.SignedIn("farid", models.Finance)
		for _, zone := range []string{"UTC", "Asia/Tokyo"} {
			storetest.SetZone(t, s.Store, zone)
			s.SumUpDays()
			for _, day := range []models.Day{day, day.Add(1)} {
				for _, row := range farid.Get(reports.DayPath(day)).Find("[aria-label='The day’s figures'] tbody tr").EachIter() {
					figure, link := row.Find("td").First().Text(), row.Find("td").Eq(1).Find("a")
					if link.Length() == 0 {
						continue
					}
					column, known := columns[figure]
					require.True(t, known, figure)
					header, rows, _ := farid.Download(link.AttrOr("href", ""), export.CSV)
					tests := apptest.ColumnOf(t, header, rows, "Test player") // they have a column of their own
					sum := models.Amount(0)
					if column != "" {
						states := apptest.ColumnOf(t, header, rows, "State")
						for i, cell := range apptest.ColumnOf(t, header, rows, column) {
							if cell != "" && tests[i] == "no" && !strings.Contains(states[i], "olled back") {
								sum += hundredths(t, cell)
							}
						}
						require.Equal(t, link.Text(), sum.Grouped(), "%s of %s in %s", figure, day, zone)
					} else {
						require.Equal(t, link.Text(), strconv.Itoa(len(rows)), "%s of %s in %s", figure, day, zone)
					}
					figures++
				}
			}
		}
		require.GreaterOrEqual(t, figures, 10)
	})
}

func hundredths(t *testing.T, cell string) models.Amount {
	digits, negative := strings.CutPrefix(cell, "-")
	a, err := models.ParseAmount(digits)
	require.NoError(t, err)
	if negative {
		return -a
	}
	return a
}
