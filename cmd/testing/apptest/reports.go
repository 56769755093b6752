package apptest

import (
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

// SetClockToNoon moves the site's clock to the next noon UTC, so that there is time on both sides, and returns that day.
func (s *Site) SetClockToNoon() models.Day {
	s.T.Helper()
	now := s.Now().UTC()
	noon := models.DayOf(now, time.UTC).Begin(time.UTC).Add(12 * time.Hour)
	if noon.Before(now) {
		noon = noon.Add(24 * time.Hour)
	}
	s.Later(noon.Sub(now))
	return models.DayOf(s.Now(), time.UTC)
}

func (s *Site) SumUpDays() {
	s.T.Helper()
	_, err := s.Store.FollowDays(s.T.Context())
	require.NoError(s.T, err)
}

// CellsOf returns the texts of the cells in the first matching row.
func CellsOf(a *Answer, row string) (list []string) {
	for _, cell := range a.Find(row).First().Find("td").EachIter() {
		list = append(list, strings.Join(strings.Fields(cell.Text()), " "))
	}
	return list
}
