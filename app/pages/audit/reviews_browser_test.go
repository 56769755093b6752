package audit_test

import (
	"testing"
	"time"

	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/browsertest"
	"pitboss/models"
)

// The reviewed days and the review of a day, in both themes and at both widths.
func TestReviewIsFine(t *testing.T) {
	t.Parallel()
	chrome := browsertest.Start(t)
	s := apptest.SqliteSite(t)
	s.PlayerWithBalance("anna", 1000)
	day := models.DayOf(s.Now(), time.UTC)
	s.Later(24 * 4 * time.Hour)
	s.Hire("chloe", models.Compliance)
	for _, view := range []browsertest.View{{}, {Width: browsertest.Phone, Dark: true}, {Dark: true}, {Width: browsertest.Phone}} {
		tab := chrome.Open(t, view)
		s.SignInTab(tab, "chloe")
		tab.Go(s.Base.String() + "/audit?casino-day=" + string(day))
		tab.RequireFine("audit-day")
	}
}
