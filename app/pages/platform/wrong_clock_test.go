package platform_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// The platform page and the overview warn if this machine's clock differs from the database's.
func TestWrongClockIsShown(t *testing.T) {
	url := storetest.URL(t, storetest.MariaDB)
	s := apptest.NewSite(t, url)
	admin := s.SignedIn("ada", models.Administrator)
	require.NotContains(t, admin.Get("/").Body, "This machine’s clock")
	s.App.Store = storetest.Open(t,
		store.Config{URL: url, LocalTime: func() time.Time { return time.Now().Add(-2*time.Hour - 5*time.Minute) }})
	require.Contains(t, admin.Get("/").Body, "This machine’s clock is 2 h 5 min behind the database’s")
}
