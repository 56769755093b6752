package corrections_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// A correction is assigned to a colleague who can decide it. Others with the permission still can.
func TestCorrectionsAreAssigned(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		mira, jonas, lena := s.SignedIn("mira", models.Finance), s.SignedIn("jonas", models.Finance),
			s.SignedIn("lena", models.Finance)
		s.PlayerWithOpenBet("anna", "bet-1", 10000, 2500)
		s.PlayerWithOpenBet("bert", "bet-2", 10000, 1000)
		for _, id := range []string{"bet-1", "bet-2"} {
			mira.RequestCorrection(apptest.RollbackForm(id))
		}
		page := jonas.Get(pages.CorrectionPath(1))
		apptest.RequireNothingInline(t, page)
		require.Zero(t, page.Find("#f-assignee option[value=mira]").Length(), "its maker cannot decide it")
		require.Equal(t, "2", page.Find("nav a[href='/corrections'] .n [aria-hidden]").Text())
		path := pages.CorrectionPath(1) + "/assignee"
		refused := jonas.Post(pages.CorrectionPath(1), path, url.Values{"assignee": {"mira"}, "seen": {""}})
		require.Equal(t, http.StatusUnprocessableEntity, refused.Status)
		require.Contains(t, refused.Find("#f-assignee-wrong").Text(), "“mira” cannot decide this")
		require.Equal(t, pages.CorrectionPath(1),
			jonas.Post(pages.CorrectionPath(1), path, url.Values{"assignee": {"lena"}, "seen": {""}}).
				Location)
		require.Equal(t, pages.CorrectionPath(1),
			jonas.Post(pages.CorrectionPath(1), path, url.Values{"assignee": {"jonas"}, "seen": {""}}).Location)
		require.Contains(t, jonas.Get(pages.CorrectionPath(1)).Text(), "A colleague was quicker")
		require.Contains(t, apptest.TextOf(jonas.Get("/corrections"), "tbody"), "assigned to lena")
		require.Equal(t, pages.CorrectionPath(2), lena.Get(pages.CorrectionPath(1)).Find("[data-hotkey=k]").AttrOr("href", ""))
		require.Equal(t, 1, lena.Get("/corrections?assignee=lena").Find("tbody tr").Length())
		require.Equal(t, 1, lena.Get("/corrections?assignee=-").Find("tbody tr").Length())
		require.Equal(t, http.StatusSeeOther, jonas.ApproveCorrection(pages.CorrectionPath(1)).Status,
			"others may still decide an assigned correction")
		require.EqualValues(t, 10000, s.Balance("anna"))
		require.Equal(t, pages.CorrectionPath(1),
			lena.Post("/corrections", path, url.Values{"assignee": {"-"}, "seen": {"lena"}}).
				Location)
		require.Contains(t, lena.Get(pages.CorrectionPath(1)).Text(), "A colleague was quicker")
	})
}
