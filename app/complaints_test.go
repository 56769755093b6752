package app

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/browsertest"
	"pitboss/app/things"
	"pitboss/models"
	"pitboss/models/store/storetest"
)

// Support and compliance record complaints from the player's page or from Cases; they are listed with their deadline, overdue
// ones are marked, and they are worked on as other cases are.
func TestComplaintIsRecordedAndAnswered(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		s := newSite(t, dbURL)
		p := s.story("anna")
		sofia, chloe, farid := s.signedIn("sofia", models.Support), s.signedIn("chloe", models.Compliance),
			s.signedIn("farid", models.Finance)
		require.Equal(t, 1, sofia.get(things.PlayerPath(p.ID)).Find("a[href='/cases/new?player=anna']").Length())
		require.Equal(t, 1, chloe.get("/cases").Find("a[href='/cases/new']").Length())
		require.Zero(t, farid.get("/cases").Find("a[href='/cases/new']").Length())
		refused := farid.get("/cases/new")
		require.Equal(t, http.StatusForbidden, refused.status)
		require.Contains(t, refused.Text(), "Ask a colleague of one of the roles support and compliance.")

		form := sofia.get("/cases/new?player=anna")
		require.Equal(t, "anna", form.Find("[name=player]").AttrOr("value", ""))
		wrong := sofia.post("/cases/new", "/cases",
			url.Values{"player": {"Anna"}, "due": {"1999-01-01"}, "text": {"It lacks."}})
		require.Equal(t, http.StatusUnprocessableEntity, wrong.status)
		for _, words := range []string{"There is no player with this ID.", "1 Jan 1999 is more than two years from today.",
			"Enter the reference"} {
			require.Contains(t, wrong.Find(".invalid-feedback").Text(), words)
		}
		require.Equal(t, "It lacks.", wrong.Find("textarea").Text(), "what was typed is kept")

		day := s.Now().UTC().Add(24 * time.Hour)
		typed := url.Values{"player": {"anna"}, "reference": {"ADR-7"}, "due": {day.Format(time.DateOnly)},
			"text": {"She never saw the win of 12.50."}}
		made := sofia.post("/cases/new", "/cases", typed)
		require.Equal(t, http.StatusSeeOther, made.status, made.text)
		page := farid.get(made.location)
		require.Contains(t, page.Text(), "She never saw the win of 12.50.")
		require.Contains(t, page.Text(), "ADR-7")
		require.Contains(t, page.Text(), day.Format("2 Jan 2006"))
		again := sofia.post("/cases/new", "/cases", typed)
		require.Equal(t, made.location, again.location, "twice is once")
		require.Contains(t, sofia.get(made.location).Text(), "recorded already")

		require.Contains(t, farid.get("/cases?rule=21").Find("tbody").Text(), "answer by "+day.Format("2 Jan 2006"))
		require.Zero(t, farid.get("/cases?due=overdue").Find("tbody tr").Length())
		require.Equal(t, 1, farid.get("/cases?due=168h").Find("tbody tr").Length())
		s.later(49 * time.Hour)
		for _, b := range []*browser{sofia, farid} {
			require.Equal(t, http.StatusSeeOther, b.signIn(map[*browser]string{sofia: "sofia", farid: "farid"}[b], password).
				status)
		}
		require.Contains(t, farid.get("/cases?due=overdue").Find("tbody").Text(), "Overdue")
		require.Contains(t, farid.get(made.location).Text(), "overdue by")
		require.Equal(t, http.StatusSeeOther, farid.post(made.location, made.location+"/decision",
			url.Values{"state": {"explained"}, "reason": {"The win is in the ledger."}}).status)
		require.Zero(t, farid.get("/cases?due=overdue").Find("tbody tr").Length())
	})
}

// TestComplaintPagesAreFine looks at the form and at an overdue complaint.
func TestComplaintPagesAreFine(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	p := s.story("anna")
	s.hire("sofia", models.Support)
	for reference, due := range map[string]time.Time{"ADR-7": s.Now().Add(-26 * time.Hour),
		"ADR-8": s.Now().Add(50 * time.Hour)} {
		_, err := s.Store.OpenComplaint(t.Context(), models.Actor{Name: "sofia"},
			models.NewComplaint{PlayerID: p.ID, Reference: reference, Due: due, Text: "She never saw the win of 12.50."})
		require.NoError(t, err)
	}
	tab := browsertest.Start(t).Open(t, browsertest.View{})
	s.signInTab(tab, "sofia")
	for _, page := range []struct{ name, path string }{
		{"complaint-new", "/cases/new?player=anna"}, {"complaints", "/cases?rule=21"}, {"complaint", things.CasePath(1)},
	} {
		tab.Go(s.base.String() + page.path)
		tab.RequireFine(page.name)
	}
}
