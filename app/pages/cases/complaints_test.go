package cases_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// Support and compliance record complaints from the player's page or from the list of cases. Complaints are listed with their
// deadlines, overdue ones are marked, and people work on them as on other cases.
func TestComplaintIsRecordedAndAnswered(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		s := apptest.NewSite(t, dbURL)
		p := s.PlayerWithHistory("anna")
		sofia, chloe, farid := s.SignedIn("sofia", models.Support), s.SignedIn("chloe", models.Compliance),
			s.SignedIn("farid", models.Finance)
		require.Equal(t, 1, sofia.Get(pages.PlayerPath(p.ID)).Find("a[href='/cases/new?"+pages.PlayerOf(p.ID)+"']").Length())
		require.Equal(t, 1, chloe.Get("/cases").Find("a[href='/cases/new']").Length())
		require.Zero(t, farid.Get("/cases").Find("a[href='/cases/new']").Length())
		refused := farid.Get("/cases/new")
		require.Equal(t, http.StatusForbidden, refused.Status)
		require.Contains(t, refused.Text(), "Ask a colleague with the support or compliance role.")

		form := sofia.Get("/cases/new?player=anna")
		require.Equal(t, "anna", form.Find("[name=player]").AttrOr("value", ""))
		wrong := sofia.Post("/cases/new", "/cases",
			url.Values{"player": {"Anna"}, "due": {"2001-01-01"}, "text": {"It lacks."}})
		require.Equal(t, http.StatusUnprocessableEntity, wrong.Status)
		for _, words := range []string{"There is no player with this ID.",
			"1 Jan 2001 is over.",
			"Enter the complainant's reference"} {
			require.Contains(t, wrong.Find(".invalid-feedback").Text(), words)
		}
		require.Equal(t, "It lacks.", wrong.Find("textarea").Text(), "what was typed is kept")

		day := s.Now().UTC().Add(24 * time.Hour)
		typed := url.Values{"player": {"anna"}, "reference": {"ADR-7"}, "due": {day.Format(time.DateOnly)},
			"text": {"She never saw the win of 12.50."}, "about": {"no-such-id"}}
		require.Contains(t, sofia.Post("/cases/new", "/cases", typed).Find(".invalid-feedback").Text(), "no transaction or round with this ID")
		list, err := s.Store.Transactions(t.Context(), models.TransactionFilter{PlayerID: p.ID, Kind: models.Bet,
			Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		typed.Set("about", string(list.Rows[0].RoundID))
		made := sofia.Post("/cases/new", "/cases", typed)
		require.Equal(t, http.StatusSeeOther, made.Status, made.Body)
		page := farid.Get(made.Location)
		require.Contains(t, page.Text(), "She never saw the win of 12.50.")
		require.Contains(t, page.Text(), "ADR-7")
		about, err := s.Store.Cases(t.Context(), models.CaseFilter{PlayerID: p.ID, Rule: models.CaseComplaint, Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		require.NotEmpty(t, about.Rows[0].TransactionID)
		require.NotZero(t, page.Find("a[href^='/transactions/'], a[href^='/search?q=']").Length(), "the page leads to it")
		require.Contains(t, page.Text(), day.Format("2 Jan 2006"))
		require.Zero(t, page.Find("[aria-label='Due date']").Length(), "finance does not give complaints another date")
		due := made.Location + "/due"
		require.Contains(t, sofia.Post(made.Location, due, url.Values{"due": {"2001-01-01"}, "moved": {" "}}).
			Find(".invalid-feedback").Text(), "1 Jan 2001 is over.")
		day = day.Add(48 * time.Hour)
		require.Equal(t, http.StatusSeeOther, sofia.Post(made.Location, due, url.Values{"due": {day.Format(time.DateOnly)},
			"moved": {"The arbiter gave two more days."}}).Status)
		page = chloe.Get(made.Location)
		require.Contains(t, page.Find("[aria-label='What happened']").Text(), "Answer by "+day.Format("2 Jan 2006")+" instead of ")
		require.Equal(t, day.Format(time.DateOnly), page.Find("#f-due").AttrOr("value", ""))
		typed.Del("csrf") // the page is opened again; a second click alone would not be a second form
		again := sofia.Post("/cases/new", "/cases", typed)
		require.Equal(t, made.Location, again.Location, "recorded twice, it is one case")
		require.Contains(t, sofia.Get(made.Location).Text(), "recorded already")

		require.Contains(t, farid.Get("/cases?rule=21").Find("tbody").Text(), "answer by "+day.Format("2 Jan 2006"))
		require.Zero(t, farid.Get("/cases?due=overdue").Find("tbody tr").Length())
		require.Equal(t, 1, farid.Get("/cases?due=168h").Find("tbody tr").Length())
		s.Later(97 * time.Hour)
		for _, b := range []*apptest.Browser{sofia, farid} {
			require.Equal(t, http.StatusSeeOther,
				b.SignIn(map[*apptest.Browser]string{sofia: "sofia", farid: "farid"}[b], apptest.Password).
					Status)
		}
		require.Contains(t, farid.Get("/cases?due=overdue").Find("tbody").Text(), "Overdue")
		require.Contains(t, farid.Get(made.Location).Text(), "overdue by")
		require.Equal(t, http.StatusSeeOther, farid.Post(made.Location, made.Location+"/decision",
			url.Values{"state": {"explained"}, "reason": {"The win is in the ledger."}}).Status)
		require.Zero(t, farid.Get("/cases?due=overdue").Find("tbody tr").Length())
	})
}

// A complaint is found by its reference or the beginning of it; case does not matter.
func TestSearchFindsComplaints(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		p := s.PlayerWithHistory("anna")
		open := func(reference string) string {
			id, err := s.Store.OpenComplaint(t.Context(), models.Actor{Name: "sofia"}, models.NewComplaint{PlayerID: p.ID,
				Reference: reference, Due: s.Now().Add(time.Hour), Text: "She never saw the win."})
			require.NoError(t, err)
			return pages.CasePath(id)
		}
		first, second := open("ADR-2026/118"), open("ADR-2026/119-şikâyet")
		open("12")
		sofia := s.SignedIn("sofia", models.Support)
		search := func(text string) *apptest.Answer { return sofia.Get("/search?q=" + url.QueryEscape(text)) }
		for text, want := range map[string]string{"ADR-2026/118": first, "adr-2026/118": first, "ADR-2026/119": second,
			"ADR-2026/119-şikâyet": second, "ADR-20…âyet": second, "case 1": first} {
			require.Equal(t, want, search(text).Location, text)
		}
		both := search("adr-2026")
		require.Equal(t, 2, both.Find("section[aria-label=Cases] tbody tr, section[aria-label=Cases] li").Length(), both.Body)
		require.Equal(t, "/cases/3", search("12").Location, "a reference that is a number, while no case has that number")
		require.Contains(t, search("ADR-2027").Find(".pb-empty").Text(), "No results")
	})
}

// Cases with a deadline are listed with the nearest deadline first, page by page. The overview tells people who answer
// complaints which ones are overdue or due within a week.
func TestComplaintsByDeadline(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		p := s.PlayerWithHistory("anna")
		_, _, err := s.Store.OpenCases(t.Context(), []models.Finding{{Rule: models.CaseStatement, Key: "x", At: s.Now()}})
		require.NoError(t, err)
		for _, days := range []int{20, 3, 40, 1} {
			_, err := s.Store.OpenComplaint(t.Context(), models.Actor{Name: "sofia"}, models.NewComplaint{PlayerID: p.ID,
				Reference: fmt.Sprintf("in %d days", days), Due: s.Now().Add(time.Duration(days) * 24 * time.Hour),
				Text: "No win."})
			require.NoError(t, err)
		}
		sofia, bruno := s.SignedIn("sofia", models.Support), s.SignedIn("bruno", models.Bonus)
		hrefs := func(page *apptest.Answer) []string {
			return page.Find("tbody .c-what a").Map(func(_ int, a *goquery.Selection) string {
				path, _, _ := strings.Cut(a.AttrOr("href", ""), "?")
				return path
			})
		}
		list := sofia.Get("/cases?due=any")
		require.Equal(t, []string{"/cases/5", "/cases/3", "/cases/2", "/cases/4"}, hrefs(list))
		require.Contains(t, list.Find(".lede").Text(), "Nearest deadline first")
		require.Equal(t, []string{"/cases/5", "/cases/3"}, hrefs(sofia.Get("/cases?due=168h")))
		require.Equal(t, "/cases/2?due=any", sofia.Get("/cases/3?due=any").Find("a[rel=next]").AttrOr("href", ""))
		require.Equal(t, "/cases/5?due=any", sofia.Get("/cases/3?due=any").Find("a[rel=prev]").AttrOr("href", ""))

		f := models.CaseFilter{ByDue: true, Span: models.Span{Limit: 3}}
		page, err := s.Store.Cases(t.Context(), f)
		require.NoError(t, err)
		require.True(t, page.More)
		f.Page = f.Place(page.Rows[2])
		rest, err := s.Store.Cases(t.Context(), f)
		require.NoError(t, err)
		require.False(t, rest.More)
		require.Equal(t, []int64{4}, []int64{rest.Rows[0].ID})
		f.Page = f.Place(rest.Rows[0])
		f.Page.Newer = true
		back, err := s.Store.Cases(t.Context(), f)
		require.NoError(t, err)
		require.Equal(t, []int64{5, 3, 2}, []int64{back.Rows[0].ID, back.Rows[1].ID, back.Rows[2].ID})

		todo := func(b *apptest.Browser) string { return apptest.TextOf(b.Get("/"), ".pb-todo a[href^='/cases?due']") }
		require.Regexp(t, `^2\s*Complaints to answer\s*first due `, todo(sofia))
		require.Empty(t, todo(bruno), "bonus does not answer complaints")
		s.Later(25 * time.Hour)
		require.Equal(t, http.StatusSeeOther, sofia.SignIn("sofia", apptest.Password).Status)
		require.Contains(t, todo(sofia), "overdue by 1 h")
	})
}

// A case leads to the correction that fits it. A missing win is another transaction than the one in the case; a missing bet is
// the platform's own. Once such a correction is requested, the case shows it and does not offer another.
func TestCaseLeadsToItsCorrection(t *testing.T) {
	s := apptest.SqliteSite(t)
	anna := s.PlayerWithHistory("anna")
	farid, greta, sofia := s.SignedIn("farid", models.Finance), s.SignedIn("greta", models.Finance), s.SignedIn("sofia", models.Support)
	bet := s.Transaction("3-anna")
	due := s.Now().UTC().Add(24 * time.Hour).Format(time.DateOnly)
	made := sofia.Post("/cases/new", "/cases", url.Values{"player": {"anna"}, "reference": {"ADR-9"}, "due": {due},
		"text": {"The win of this round is missing."}, "about": {string(bet.RoundID)}})
	require.Equal(t, http.StatusSeeOther, made.Status, made.Body)
	const guide = "[aria-label='What to find out']"
	form := farid.Get(farid.Get(made.Location).Find(guide+" a[href*='kind=win']").AttrOr("href", ""))
	require.Equal(t, string(bet.RoundID), form.Find("[name=round]").AttrOr("value", ""))
	require.Empty(t, form.Find("[name=transaction]").AttrOr("value", ""), "it is not the bet's")

	theirs := &models.StatementLine{TransactionID: "only-theirs", UserID: "anna", Currency: "EUR", Kind: models.Bet, Bet: 100,
		Standing: models.StandingApplied}
	missing, _ := s.CaseOfDifference(nil, theirs)
	page := farid.Get(pages.CasePath(missing.ID))
	form = farid.Get(page.Find(guide+" a[href*='kind=bet']").AttrOr("href", ""))
	require.Equal(t, "only-theirs", form.Find("[name=transaction]").AttrOr("value", ""))
	require.Equal(t, "1.00", form.Find("[name=amount]").AttrOr("value", ""))
	require.Equal(t, "anna", form.Find("[name=player]").AttrOr("value", ""))
	before := s.Balance("anna")
	asked := farid.RequestCorrection(apptest.FieldsOf(form, "form[action='/corrections/new']", "round", "their-round", "reason",
		"bet-not-debited", "text", "Their file has it.", "player-number", fmt.Sprint(anna.ID)))
	require.Contains(t, apptest.TextOf(asked, "main"), "Book anna’s missing bet of 1.00")
	page = farid.Get(pages.CasePath(missing.ID))
	require.Contains(t, apptest.TextOf(page, guide), "waits for approval: Book a missing bet, 1.00 EUR . Its approval closes this case")
	require.Zero(t, page.Find(guide+" a[href*='/corrections/new?']").Length())
	path := page.Find(guide+" a[href^='/corrections/']").AttrOr("href", "")
	require.Contains(t, apptest.TextOf(greta.Get(path), ".pb-ba"), "Closed as adjusted")
	require.Equal(t, http.StatusSeeOther, greta.ApproveCorrection(path).Status)
	require.Equal(t, before-100, s.Balance("anna"))
	require.Contains(t, apptest.TextOf(farid.Get(pages.CasePath(missing.ID)), "[aria-label^='Outcome']"), "Outcome: adjusted")

	// The statement shows what was booked instead of its advice, and names the other statements of its period.
	st, _, err := s.Store.Statement(t.Context(), missing.StatementID)
	require.NoError(t, err)
	again, err := s.Store.CreateStatement(t.Context(), models.Actor{Name: "farid"}, models.Statement{FileName: "again.csv", Digest: st.Digest})
	require.NoError(t, err)
	again.Since, again.Until = st.Since.Add(time.Minute), st.Until
	_, err = s.Store.BeginStatementRun(t.Context(), models.Actor{Name: "farid"}, again)
	require.NoError(t, err)
	first := farid.Get(pages.StatementPath(missing.StatementID))
	require.Contains(t, apptest.TextOf(first, "#same-period"), "1 other statement covers this period")
	require.Contains(t, apptest.TextOf(first, "#same-period"), "It is the same file.")
}

// A complaint can be recorded from the page of its subject. Forms accept IDs as pages shorten them: if one object has that ID,
// they name it, and if several do, they say how many.
func TestShortenedIDsInForms(t *testing.T) {
	s := apptest.SqliteSite(t)
	anna := s.PlayerWithBalance("anna-0123456789-abcdef", 5000)
	user := anna.UserID
	s.Book(apptest.Bet(user, "aaaaaa-1-zzzzzz", "rrrrrr-1-ssssss", 100), apptest.Bet(user, "aaaaaa-2-zzzzzz", "rrrrrr-2-ssssss", 100),
		apptest.Bet(user, "bbbbbb-1-zzzzzz", "qqqqqq-1-ssssss", 100))
	sofia := s.SignedIn("sofia", models.Support)
	bet := s.Transaction("bbbbbb-1-zzzzzz")
	for _, path := range []string{pages.TransactionPath(bet.ID), pages.RoundPath(bet.ID)} {
		form := sofia.Get(sofia.Get(path).Find(".pb-actions a[href^='/cases/new']").AttrOr("href", ""))
		require.Equal(t, http.StatusOK, form.Status, path)
		require.Equal(t, string(user), form.Find("[name=player]").AttrOr("value", ""), path)
		require.Equal(t, "bbbbbb-1-zzzzzz", form.Find("[name=about]").AttrOr("value", ""), path)
	}
	due := s.Now().UTC().Add(24 * time.Hour).Format(time.DateOnly)
	complain := func(player, about string) *apptest.Answer {
		return sofia.Post("/cases/new", "/cases", url.Values{"player": {player}, "reference": {about}, "due": {due},
			"text": {"It is missing."}, "about": {about}})
	}
	for about, words := range map[string]string{"aaaaaa…zzzzzz": "2 IDs begin and end like this one", "rrrrrr...ssssss": "2 IDs begin and end",
		"cccccc…zzzzzz": "has no transaction or round with this ID"} {
		refused := complain(string(user), about)
		require.Equal(t, http.StatusUnprocessableEntity, refused.Status, about)
		require.Contains(t, refused.Find(".invalid-feedback").Text(), words, about)
	}
	for _, about := range []string{"bbbbbb…zzzzzz", "qqqqqq…ssssss"} {
		made := complain("anna-01…abcdef", about)
		require.Equal(t, http.StatusSeeOther, made.Status, made.Body)
		require.NotZero(t, sofia.Get(made.Location).Find("a[href='"+pages.TransactionPath(bet.ID)+"']").Length())
	}
	win := url.Values{"kind": {"win"}, "player": {string(user)}, "amount": {"1.00"}, "reason": {"win-not-credited"},
		"text": {"It was lost."}, "transaction": {"their-win"}, "round": {"rrrrrr…ssssss"}}
	require.Contains(t, sofia.Post("/corrections/new", "/corrections/new", win).Find(".invalid-feedback").Text(),
		"2 rounds of this player begin and end like this")
	win.Set("round", "qqqqqq…ssssss")
	require.Equal(t, "qqqqqq-1-ssssss", sofia.Post("/corrections/new", "/corrections/new", win).
		Find(".pb-confirm [name=round]").AttrOr("value", ""))
	rollback := apptest.RollbackForm("bbbbbb…zzzzzz")
	require.Equal(t, "bbbbbb-1-zzzzzz", sofia.Post("/corrections/new", "/corrections/new", rollback).
		Find(".pb-confirm [name=transaction]").AttrOr("value", ""))
}
