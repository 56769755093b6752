package app

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/browsertest"
	"pitboss/app/pages"
	"pitboss/models"
)

// manyOpen opens n cases of one rule, and returns the internal ID of the newest.
func (s *site) manyOpen(rule models.CaseRule, n int) int64 {
	s.t.Helper()
	var findings []models.Finding
	for i := range n {
		findings = append(findings,
			models.Finding{Rule: rule, Key: fmt.Sprint(rule, i), At: s.Now(), Amount: 100, Currency: "EUR"})
	}
	numbers, _, err := s.Store.OpenCases(s.t.Context(), findings)
	require.NoError(s.t, err)
	return numbers[len(numbers)-1]
}

// A case is assigned to a colleague, who is notified, finds it among theirs, and goes on to the next.
func TestCasesAreAssigned(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		sofia := s.hire("sofia", models.Support)
		require.NoError(t, s.Store.SetStaffEmail(t.Context(), models.Actor{Name: "ada"}, sofia.ID, "sofia@casino.example"))
		s.hire("chloe", models.Compliance)
		farid, greta := s.signedIn("farid", models.Finance), s.signedIn("greta", models.Finance)
		last := s.manyOpen(models.CaseStatement, 3)
		follow := func() {
			t.Helper()
			_, err := s.Store.FollowNotices(t.Context(), []models.NoticeChannel{models.NoticeMail, models.NoticeWebhook})
			require.NoError(t, err)
		}
		follow()
		path := pages.CasePath(last)
		page := farid.get(path)
		requireNothingInline(t, page)
		require.Equal(t, "Nobody", page.Find("#f-assignee option[selected]").Text())
		require.Zero(t, page.Find("#f-assignee option[value=chloe]").Length(), "compliance works on no cases")
		refused := farid.post(path, path+"/owner", url.Values{"assignee": {"chloe"}, "seen": {""}})
		require.Equal(t, http.StatusUnprocessableEntity, refused.status)
		require.Contains(t, refused.Find("#f-assignee-wrong").Text(), "“chloe” cannot decide this")
		require.Equal(t, path, farid.post(path, path+"/owner", url.Values{"assignee": {"sofia"}, "seen": {""}}).location)
		require.Contains(t, farid.get(path).Text(), "assigned to sofia")
		require.Contains(t, text(farid.get(path), "[aria-label=History]"), "Assigned the case to sofia")
		require.Equal(t, path, greta.post(path, path+"/owner", url.Values{"assignee": {"greta"}, "seen": {""}}).location)
		require.Contains(t, greta.get(path).Text(), "sofia was quicker", "two assign at once")

		// Only Sofia is notified, by e-mail.
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
				require.Equal(t, path, n.Kind.Path(n.ObjectID))
			}
		}
		require.Equal(t, 1, told)

		mine := farid.get("/cases?owner=sofia")
		require.Equal(t, 1, mine.Find("tbody tr").Length())
		require.Equal(t, "sofia", mine.Find("#f-owner option[selected]").Text())
		require.Equal(t, 2, farid.get("/cases?owner=-").Find("tbody tr").Length())

		// The queue keeps the filters that it was opened with.
		first := farid.get("/cases?owner=-&rule=11").Find("tbody .c-what a").First().AttrOr("href", "")
		require.Equal(t, pages.CasePath(last-1)+"?owner=-&rule=11", first)
		one := farid.get(first)
		require.Empty(t, one.Find("[data-hotkey=k]").AttrOr("href", ""), "the newest of these")
		require.Equal(t, pages.CasePath(last-2)+"?owner=-&rule=11", one.Find("[data-hotkey=j]").AttrOr("href", ""))
		done := farid.post(first, one.Find("form[action*='/decision']").AttrOr("action", ""),
			url.Values{"state": {"explained"}, "reason": {"It was lost, they say."}})
		require.Equal(t, first, done.location, "the queue stays")
		require.Equal(t, pages.CasePath(last-2)+"?owner=-&rule=11",
			farid.get(first).Find("[data-hotkey=j]").AttrOr("href", ""))
	})
}

// Every page counts the same cases.
func TestOneCountOfCases(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		s.manyOpen(models.CaseStatement, 1168)
		s.manyOpen(models.CaseOverflow, 51)
		farid := s.signedIn("farid", models.Finance)
		page := farid.get("/cases")
		require.Equal(t, "1,219", page.Find("nav a[href='/cases'] .n [aria-hidden]").Text())
		require.Contains(t, text(page, ".pb-foot"), "50 shown of 1,219")
		require.Contains(t, text(farid.get("/cases?rule=11"), ".pb-foot"), "50 shown of 1,168")
		require.Contains(t, text(farid.get("/"), ".pb-todo"), "1219")
		require.Contains(t, text(farid.get("/cases/closing?rule=11"), "main"), "1,168")
	})
}

// A correction is assigned to a colleague who can decide it; others with the permission still can too.
func TestCorrectionsAreAssigned(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		mira, jonas, lena := s.signedIn("mira", models.Finance), s.signedIn("jonas", models.Finance),
			s.signedIn("lena", models.Finance)
		s.stranded("anna", "bet-1", 10000, 2500)
		s.stranded("bert", "bet-2", 10000, 1000)
		for _, id := range []string{"bet-1", "bet-2"} {
			mira.asks(rollbackForm(id))
		}
		page := jonas.get(pages.CorrectionPath(1))
		requireNothingInline(t, page)
		require.Zero(t, page.Find("#f-assignee option[value=mira]").Length(), "its maker cannot decide it")
		require.Equal(t, "2", page.Find("nav a[href='/corrections'] .n [aria-hidden]").Text())
		require.Equal(t, "2", text(page, "#g-waiting span"), "the same count")
		path := pages.CorrectionPath(1) + "/assignee"
		refused := jonas.post(pages.CorrectionPath(1), path, url.Values{"assignee": {"mira"}, "seen": {""}})
		require.Equal(t, http.StatusUnprocessableEntity, refused.status)
		require.Contains(t, refused.Find("#f-assignee-wrong").Text(), "“mira” cannot decide this")
		require.Equal(t, pages.CorrectionPath(1),
			jonas.post(pages.CorrectionPath(1), path, url.Values{"assignee": {"lena"}, "seen": {""}}).
				location)
		require.Equal(t, pages.CorrectionPath(1),
			jonas.post(pages.CorrectionPath(1), path, url.Values{"assignee": {"jonas"}, "seen": {""}}).location)
		require.Contains(t, jonas.get(pages.CorrectionPath(1)).Text(), "A colleague was quicker")
		require.Contains(t, text(jonas.get(pages.CorrectionPath(1)), "[aria-label='Waiting and decided']"), "assigned to lena")
		hers := lena.get("/corrections")
		require.Equal(t, "1", text(hers, "#g-assigned span"))
		require.Contains(t, text(hers, ".pb-confirm"), "Correction 1", "hers comes first")
		require.Equal(t, pages.CorrectionPath(2), hers.Find("[data-hotkey=j]").AttrOr("href", ""))
		require.Equal(t, 1, lena.get("/corrections/all?assignee=lena").Find("tbody tr").Length())
		require.Equal(t, 1, lena.get("/corrections/all?assignee=-").Find("tbody tr").Length())
		require.Equal(t, http.StatusSeeOther, jonas.approves(pages.CorrectionPath(1)).status,
			"others may still decide an assigned correction")
		require.EqualValues(t, 10000, s.balance("anna"))
		require.Equal(t, pages.CorrectionPath(1),
			lena.post("/corrections", path, url.Values{"assignee": {"-"}, "seen": {"lena"}}).
				location)
		require.Contains(t, lena.get(pages.CorrectionPath(1)).Text(), "A colleague was quicker")
	})
}

// TestQueueKeysInTheBrowser works through corrections and cases with keys: none of them decides anything by itself.
func TestQueueKeysInTheBrowser(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	mira := s.signedIn("mira", models.Finance)
	s.stranded("anna", "bet-8f31-1", 10000, 2500)
	s.stranded("bert", "bet-8f31-2", 10000, 1000)
	for _, id := range []string{"bet-8f31-1", "bet-8f31-2"} {
		mira.asks(rollbackForm(id))
	}
	s.hire("jonas", models.Finance)
	last := s.manyOpen(models.CaseStatement, 3)
	tab := browsertest.Start(t).Open(t, browsertest.View{})
	s.signInTab(tab, "jonas")
	tab.Go(s.base.String() + pages.CorrectionPath(2))
	tab.RequireFine("correction-queue")
	tab.Press("?")
	tab.WaitText("#keys", "Approve: moves to the button, books nothing")
	tab.Screenshot("correction-keys")
	tab.Press("?")
	tab.Press("y")
	tab.Wait(".pb-confirm .btn-primary:focus")
	require.EqualValues(t, 7500, s.balance("anna"))
	require.EqualValues(t, 9000, s.balance("bert"), "a key alone books nothing")
	tab.Press("j")
	tab.WaitText(".pb-confirm", "Correction 1")
	tab.Press("k")
	tab.WaitText(".pb-confirm", "Correction 2")
	tab.Press("n")
	tab.WaitText("h1", "Refuse correction 2")

	tab.Go(s.base.String() + "/cases")
	tab.Follow("tbody .c-what a")
	tab.WaitText(".pb-crumbs", fmt.Sprint(last))
	tab.RequireFine("case-queue")
	tab.Press("j")
	tab.WaitText(".pb-crumbs", fmt.Sprint(last-1))
	tab.Press("a")
	tab.Wait("#f-assignee:focus")
	tab.Go(s.base.String() + pages.CasePath(last-1))
	tab.Press("c")
	tab.Wait("#f-state-0:focus")
	tab.Go(s.base.String() + pages.CasePath(last-1))
	tab.Press("k")
	tab.WaitText(".pb-crumbs", fmt.Sprint(last))
	require.Empty(t, tab.Errors())
}
