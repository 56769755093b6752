package cases_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/browsertest"
	"pitboss/models"
)

// A case is assigned to a colleague. The colleague is notified, finds it among their own, and goes on to the next.
func TestCasesAreAssigned(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		sofia := s.Hire("sofia", models.Support)
		require.NoError(t, s.Store.SetStaffEmail(t.Context(), models.Actor{Name: "ada"}, sofia.ID, "sofia@casino.example"))
		s.Hire("chloe", models.Compliance)
		farid, greta := s.SignedIn("farid", models.Finance), s.SignedIn("greta", models.Finance)
		last := s.OpenManyCases(models.CaseStatement, 3)
		follow := func() {
			t.Helper()
			_, err := s.Store.FollowNotices(t.Context(), true)
			require.NoError(t, err)
		}
		follow()
		path := pages.CasePath(last)
		page := farid.Get(path)
		apptest.RequireNothingInline(t, page)
		require.Equal(t, "Unassigned", page.Find("#f-assignee option[selected]").Text())
		require.Zero(t, page.Find("#f-assignee option[value=chloe]").Length(), "compliance works on no cases")
		refused := farid.Post(path, path+"/owner", url.Values{"assignee": {"chloe"}, "seen": {""}})
		require.Equal(t, http.StatusUnprocessableEntity, refused.Status)
		require.Contains(t, refused.Find("#f-assignee-wrong").Text(), "“chloe” cannot decide this")
		long := farid.Post(path, path+"/owner", url.Values{"assignee": {"sofia"}, "seen": {""}, "why": {strings.Repeat("x", 501)}})
		require.Equal(t, http.StatusUnprocessableEntity, long.Status)
		require.Contains(t, long.Text(), "at most 500 characters")
		require.Equal(t, path, farid.Post(path, path+"/owner", url.Values{"assignee": {"sofia"}, "seen": {""},
			"why": {"The platform has answered."}}).Location)
		require.Contains(t, farid.Get(path).Text(), "assigned to sofia")
		require.Contains(t, apptest.TextOf(farid.Get(path), "[aria-label=History]"), "The platform has answered.")
		require.Contains(t, apptest.TextOf(farid.Get(path), "[aria-label=History]"), "Case handed over: sofia")
		require.Equal(t, path, greta.Post(path, path+"/owner", url.Values{"assignee": {"greta"}, "seen": {""}}).Location)
		require.Contains(t, greta.Get(path).Text(), "sofia was quicker", "two assign at once")

		// Sofia gets an e-mail; nobody else is notified.
		follow()
		due, err := s.Store.DueNotices(t.Context(), 100)
		require.NoError(t, err)
		told := 0
		for _, n := range due {
			if n.Kind == models.NoticeAssigned {
				told++
				require.Equal(t, models.NoticeMail, n.Channel)
				readers, err := s.Store.NoticeReaders(t.Context(), n)
				require.NoError(t, err)
				require.Equal(t, []string{"sofia@casino.example"}, readers)
				require.Equal(t, path, n.Path())
			}
		}
		require.Equal(t, 1, told)

		mine := farid.Get("/cases?owner=sofia")
		require.Equal(t, 1, mine.Find("tbody tr").Length())
		require.Equal(t, "sofia", mine.Find("#f-owner option[selected]").Text())
		require.Equal(t, 2, farid.Get("/cases?owner=-").Find("tbody tr").Length())

		// The queue keeps the filters with which it was opened.
		first := farid.Get("/cases?owner=-&rule=11").Find("tbody .c-what a").First().AttrOr("href", "")
		require.Equal(t, pages.CasePath(last-1)+"?owner=-&rule=11", first)
		one := farid.Get(first)
		require.Empty(t, one.Find("[data-hotkey=k]").AttrOr("href", ""), "the newest of these")
		require.Equal(t, pages.CasePath(last-2)+"?owner=-&rule=11", one.Find("[data-hotkey=j]").AttrOr("href", ""))
		done := farid.Post(first, one.Find("form[action*='/decision']").AttrOr("action", ""),
			url.Values{"state": {"explained"}, "reason": {"It was lost, they say."}})
		require.Equal(t, first, done.Location, "the queue stays")
		require.Equal(t, pages.CasePath(last-2)+"?owner=-&rule=11",
			farid.Get(first).Find("[data-hotkey=j]").AttrOr("href", ""))
	})
}

// All pages count the same cases.
func TestOneCountOfCases(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.OpenManyCases(models.CaseStatement, 1168)
		s.OpenManyCases(models.CaseOverflow, 51)
		farid := s.SignedIn("farid", models.Finance)
		page := farid.Get("/cases")
		require.Equal(t, "1,219", page.Find("nav a[href='/cases'] .n [aria-hidden]").Text())
		require.Contains(t, apptest.TextOf(page, ".pb-foot"), "50 shown of 1,219")
		require.Contains(t, apptest.TextOf(farid.Get("/cases?rule=11"), ".pb-foot"), "50 shown of 1,168")
		require.Contains(t, apptest.TextOf(farid.Get("/"), ".pb-todo"), "1219")
		require.Contains(t, apptest.TextOf(farid.Get("/cases/closing?rule=11"), "main"), "1,168")
	})
}

// TestKeysOfQueuesInTheBrowser works through corrections and cases with keys. No key decides anything by itself.
func TestKeysOfQueuesInTheBrowser(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	mira := s.SignedIn("mira", models.Finance)
	s.PlayerWithOpenBet("anna", "bet-8f31-1", 10000, 2500)
	s.PlayerWithOpenBet("bert", "bet-8f31-2", 10000, 1000)
	for _, id := range []string{"bet-8f31-1", "bet-8f31-2"} {
		mira.RequestCorrection(apptest.RollbackForm(id))
	}
	s.Hire("jonas", models.Finance)
	last := s.OpenManyCases(models.CaseStatement, 3)
	tab := browsertest.Start(t).Open(t, browsertest.View{})
	s.SignInTab(tab, "jonas")
	tab.Go(s.Base.String() + pages.CorrectionPath(2))
	tab.RequireFine("correction-queue")
	tab.Press("?")
	tab.WaitText("#shortcuts", "Approve: moves to the button, changes nothing")
	tab.Screenshot("correction-keys")
	tab.Press("?")
	tab.Press("y")
	tab.Wait(".pb-confirm .btn-primary:focus")
	require.EqualValues(t, 7500, s.Balance("anna"))
	require.EqualValues(t, 9000, s.Balance("bert"), "a key alone books nothing")
	tab.Press("j")
	tab.WaitText(".pb-confirm", "Correction 1")
	tab.Press("k")
	tab.WaitText(".pb-confirm", "Correction 2")
	tab.Press("n")
	tab.Wait("[formaction$='/refusal']:focus")

	tab.Go(s.Base.String() + "/cases")
	tab.Follow("tbody .c-what a")
	tab.WaitText(".pb-crumbs", fmt.Sprint(last))
	tab.RequireFine("case-queue")
	tab.Press("j")
	tab.WaitText(".pb-crumbs", fmt.Sprint(last-1))
	tab.Press("a")
	tab.Wait("#f-assignee:focus")
	tab.Go(s.Base.String() + pages.CasePath(last-1))
	tab.Press("c")
	tab.Wait("#f-state-0:focus")
	tab.Go(s.Base.String() + pages.CasePath(last-1))
	tab.Press("k")
	tab.WaitText(".pb-crumbs", fmt.Sprint(last))
	require.Empty(t, tab.Errors())
}
