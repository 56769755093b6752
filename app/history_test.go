package app_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/app/pages/staff"
	"pitboss/app/web"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

func TestHistoryIsInSentences(t *testing.T) {
	t.Parallel()
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g := s.SyncedGame()
		anna := s.NewPlayer("anna", false)
		s.PlayerWithOpenBet("bert", "bet", 10000, 2500)
		mira, chloe, ada := s.SignedIn("mira", models.Finance), s.SignedIn("chloe", models.Compliance),
			s.SignedIn("ada", models.Administrator)
		bruno := apptest.StaffNamed(t, s, "mira")
		granted := s.Grant("anna", g, 20)
		mira.RequestCorrection(apptest.RollbackForm("bet"))
		storetest.Restrict(t, s.Store, "anna")

		said := func(a *apptest.Answer) string {
			return strings.Join(strings.Fields(a.Find("[aria-label=History], main").Last().Text()), " ")
		}
		grant := chloe.Get(web.PathOf("/free-spins", granted.ID))
		require.Contains(t, said(grant), "Grant requested: 20 spins on "+string(g.GameID)+" for anna")
		require.Contains(t, said(grant), "Grant confirmed")
		require.Contains(t, grant.Find("[aria-label=History] details").Text(), "user id: anna",
			"the fields are there, but folded")
		require.Contains(t, said(chloe.Get(pages.CorrectionPath(1))),
			"Correction requested: "+models.CorrectRollback.String()+", 25.00 EUR for bert, transaction bet")
		require.Contains(t, said(chloe.Get(pages.PlayerPath(anna.ID)+"/history")), "Player restriction set: asked us to")
		require.Contains(t, said(ada.Get(staff.StaffPath(bruno.ID))), "Staff created: mira (Mira), finance")
		audit := chloe.Get("/audit")
		require.Contains(t, said(audit), "Grant requested: 20 spins on "+string(g.GameID)+" for anna")
		require.Contains(t, said(audit), "Player restriction set: anna")
		require.Contains(t, said(audit), "Player created: anna, ")
	})
}
