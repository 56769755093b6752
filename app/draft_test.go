package app_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/credentials"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// draftOf returns the draft in an address.
func draftOf(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	return u.Query().Get("draft")
}

func TestConfirmationPagesHaveAddresses(t *testing.T) {
	t.Parallel()
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g, anna := s.SyncedGame(), s.NewPlayer("anna", false)
		bruno := s.SignedIn("bruno", models.Bonus)
		form := apptest.GrantForm("anna", g, "20")
		form.Set("csrf", bruno.Token("/campaigns/new"))
		asked := bruno.SendOnce(bruno.Request(http.MethodPost, "/campaigns/new", form))
		require.Equal(t, http.StatusSeeOther, asked.Status)
		require.True(t, strings.HasPrefix(asked.Location, "/campaigns/new/confirm?draft="), asked.Location)
		require.NotContains(t, asked.Location, "anna")
		for range 2 {
			page := bruno.Get(asked.Location)
			require.Equal(t, http.StatusOK, page.Status)
			require.Contains(t, page.Find(".action").Text(), "Grant 20 spins to anna in 1 grant.")
		}
		require.Empty(t, s.GrantsOf(anna), "a GET grants nothing")
		change := bruno.Post("", "/campaigns/new", apptest.FieldsOf(bruno.Get(asked.Location), "#campaign", "change", "yes"))
		require.Equal(t, http.StatusOK, change.Status)
		require.Equal(t, "Goodwill", change.Find("#f-name").AttrOr("value", ""), "Change brings back what was typed")

		form.Set("name", "")
		refused := bruno.SendOnce(bruno.Request(http.MethodPost, "/campaigns/new", form))
		require.Equal(t, http.StatusSeeOther, refused.Status)
		again := bruno.Get(refused.Location)
		require.Equal(t, http.StatusUnprocessableEntity, again.Status)
		require.Equal(t, "20", again.Find("#f-spins").AttrOr("value", ""))
		require.Contains(t, again.Find("#f-name-wrong").Text(), "a name of 1 to 100")

		require.Equal(t, http.StatusSeeOther, bruno.SendAgain(bruno.Get(asked.Location), ".pb-confirm", nil).Status)
		s.RunCampaigns()
		require.Len(t, s.GrantsOf(anna), 1)
		back := bruno.Get(asked.Location)
		require.Contains(t, back.Find(".pb-note").Text(), "Exactly these lines were granted before")
		require.Zero(t, back.Find(".pb-confirm").Length(), "Back leads to a page that grants nothing more")

		require.Equal(t, http.StatusSeeOther, bruno.Get("/campaigns/new/confirm").Status,
			"without a draft there is nothing to confirm")
	})
}

func TestTypedSurvivesSigningInAgain(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	g, anna := s.SyncedGame(), s.NewPlayer("anna", false)
	bruno := s.SignedIn("bruno", models.Bonus)
	form := apptest.GrantForm("anna", g, "20")
	form.Set("csrf", bruno.Token("/campaigns/new"))
	asked := bruno.SendOnce(bruno.Request(http.MethodPost, "/campaigns/new", form))
	confirm := apptest.FieldsOf(bruno.Get(asked.Location), ".pb-confirm")
	s.Later(3 * time.Hour) // idle for too long

	signIn := func(a *apptest.Answer) *apptest.Answer {
		t.Helper()
		require.Equal(t, http.StatusSeeOther, a.Status, a.Body)
		require.True(t, strings.HasPrefix(a.Location, "/signin?next="), a.Location)
		signIn := bruno.Get(a.Location)
		// it redirects to that page
		return bruno.SendAgain(signIn, ".pb-signin form", url.Values{"username": {"bruno"}, "password": {apptest.Password}})
	}
	filled := signIn(bruno.SendOnce(bruno.Request(http.MethodPost, "/campaigns/new", form)))
	require.Contains(t, filled.Find("h1").Text(), "Grant free spins")
	require.Equal(t, []string{"anna", "20", "Goodwill"},
		[]string{filled.Find("#f-player").AttrOr("value", ""), filled.Find("#f-spins").AttrOr("value", ""),
			filled.Find("#f-name").AttrOr("value", "")})

	s.Later(3 * time.Hour)
	shown := signIn(bruno.Get(asked.Location))
	require.Contains(t, shown.Find(".action").Text(), "Grant 20 spins", "the confirmation page is there after signing in")
	s.Later(3 * time.Hour)
	filled = signIn(bruno.SendOnce(bruno.Request(http.MethodPost, "/campaigns", confirm)))
	require.Equal(t, "Goodwill", filled.Find("#f-name").AttrOr("value", ""),
		"what was confirmed while signed out has to be confirmed again")
	require.Empty(t, s.GrantsOf(anna))
}

// TestAttackDraft tries to misuse addresses with drafts.
func TestAttackDraft(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	g, anna := s.SyncedGame(), s.NewPlayer("anna", false)
	bruno, berta := s.SignedIn("bruno", models.Bonus), s.SignedIn("berta", models.Bonus)
	form := apptest.GrantForm("anna", g, "20")
	form.Set("csrf", bruno.Token("/campaigns/new"))
	asked := bruno.SendOnce(bruno.Request(http.MethodPost, "/campaigns/new", form))
	sealed := draftOf(t, asked.Location)

	lost := func(b *apptest.Browser, path, sealed, why string) {
		t.Helper()
		a := b.Get(path + "?draft=" + url.QueryEscape(sealed))
		require.Equal(t, http.StatusSeeOther, a.Status, why)
		require.Equal(t, path, a.Location, why)
	}
	lost(berta, "/campaigns/new/confirm", sealed, "a colleague's")
	require.Contains(t, berta.Get("/campaigns/new").Find(".pb-flash").Text(), "only for the person who typed it")
	lost(bruno, "/campaigns/new", sealed, "another page's")
	for name, changed := range map[string]string{"cut": sealed[:len(sealed)-4], "longer": sealed + "AAAA",
		"another letter": "A" + sealed[1:], "no base64": "*", "nothing sealed": "AAAA"} {
		if changed == sealed {
			continue
		}
		lost(bruno, "/campaigns/new/confirm", changed, name)
	}
	s.Later(11 * time.Hour)
	require.Equal(t, http.StatusSeeOther, bruno.SignIn("bruno", apptest.Password).Status)
	require.Equal(t, http.StatusOK, bruno.Get(asked.Location).Status)
	s.Later(2 * time.Hour)
	require.Equal(t, http.StatusSeeOther, bruno.SignIn("bruno", apptest.Password).Status)
	lost(bruno, "/campaigns/new/confirm", sealed, "too old")
	require.Empty(t, s.GrantsOf(anna))

	// Somebody who is signed out can at most fill in a form, never a confirmation page, and secrets are not kept.
	stranger := s.Browser("203.0.113.9")
	form.Set("password", "hunter2")
	kept := stranger.SendOnce(stranger.Request(http.MethodPost, "/campaigns", form))
	require.Equal(t, http.StatusSeeOther, kept.Status)
	next, err := url.Parse(kept.Location)
	require.NoError(t, err)
	address := next.Query().Get("next")
	require.True(t, strings.HasPrefix(address, "/campaigns/new?draft="), address)
	lost(bruno, "/campaigns/new/confirm", draftOf(t, address), "typed while signed out")
	d, err := s.OpenDraft("/campaigns/new", web.Nobody, draftOf(t, address))
	require.NoError(t, err)
	require.Equal(t, "anna", d.Values["player"])
	require.NotContains(t, d.Values, "password")
	require.NotContains(t, d.Values, "csrf")
	form.Set("name", strings.Repeat("all different ", 4000))
	long := stranger.SendOnce(stranger.Request(http.MethodPost, "/campaigns/new", form))
	require.Equal(t, http.StatusUnauthorized, long.Status, "it is never compressed: that would cost 3 s of CPU for each MB")
	require.Equal(t, http.StatusUnauthorized,
		stranger.SendOnce(stranger.Request(http.MethodPost, "/games/syncs", url.Values{})).Status)
}

// A draft that does not fit into an address is never cut: the answer to the form is the page itself, and somebody who is signed
// out is told that nothing was kept.
func TestLongDrafts(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	g := s.SyncedGame()
	bruno, stranger := s.SignedIn("bruno", models.Bonus), s.Browser("203.0.113.9")
	sheet := &strings.Builder{}
	for range 900 {
		fmt.Fprintf(sheet, "%s,%s,5\n", credentials.RandomText(), g.GameID)
	}
	form := url.Values{"paste": {sheet.String()}, "name": {""}, "csrf": {bruno.Token("/campaigns/new")}}
	refused := bruno.SendOnce(bruno.Request(http.MethodPost, "/campaigns/new", form))
	require.Equal(t, http.StatusUnprocessableEntity, refused.Status)
	require.Equal(t, sheet.String(), strings.TrimPrefix(refused.Find("#f-paste").Text(), "\n"), "whole")
	require.Contains(t, refused.Find("#f-name-wrong").Text(), "name of 1 to 100")
	require.Equal(t, http.StatusUnauthorized,
		stranger.SendOnce(stranger.Request(http.MethodPost, "/campaigns/new", form)).Status)
	form.Set("paste", "anna,1,5\n")
	require.Equal(t, http.StatusSeeOther,
		stranger.SendOnce(stranger.Request(http.MethodPost, "/campaigns/new", form)).Status)
	for _, d := range []web.Draft{
		{Values: map[string]string{"note": strings.Repeat("a", web.LongestDraft)}},
		{Values: map[string]string{strings.Repeat("a", web.LongestDraft): ""}},
		{Wrong: map[string]string{"note": strings.Repeat("a", web.LongestDraft)}},
		{Values: map[string]string{"note": strings.Repeat("\x01", web.LongestDraft/4)}}, // longer as JSON
	} {
		_, err := s.SealDraft("/x", 1, d)
		require.ErrorIs(t, err, web.ErrDraftLong)
	}
	kept, err := s.SealDraft("/x", 1, web.Draft{Values: map[string]string{"note": strings.Repeat("ж", 2500)}})
	require.NoError(t, err, "the longest text of a field, in any script")
	require.LessOrEqual(t, len(kept), web.LongestDraft)
}

// A browser that sends a form twice, because somebody clicked twice, shows the answer to the second request. Nothing is done
// twice, and the second answer leads where the first one did.
func TestDoubleClicksCollide(t *testing.T) {
	t.Parallel()
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		found, _ := s.CaseOfOpenBet()
		g, anna := s.SyncedGame(), s.NewPlayer("otto", false)
		farid, sofia, bruno := s.SignedIn("farid", models.Finance), s.SignedIn("sofia", models.Support),
			s.SignedIn("bruno", models.Bonus)
		twice := func(b *apptest.Browser, from, path string, form url.Values) string {
			t.Helper()
			form.Set("csrf", b.Token(from))
			answers := make(chan *apptest.Answer)
			for range 2 {
				request := b.Request(http.MethodPost, path, form)
				go func() { answers <- b.SendOnce(request) }()
			}
			one, other := <-answers, <-answers
			require.Equal(t, http.StatusSeeOther, one.Status, one.Body)
			require.Equal(t, one.Location, other.Location, other.Body)
			return one.Location
		}
		page := pages.CasePath(found.ID)
		twice(farid, page, page+"/comments", url.Values{"text": {"Asked the platform."}})
		require.Equal(t, 1, strings.Count(farid.Get(page).Text(), "Asked the platform."))
		farid.Post(page, page+"/comments", url.Values{"text": {"Asked the platform."}})
		require.Equal(t, 2, strings.Count(farid.Get(page).Text(), "Asked the platform."), "who says it again, says it twice")

		made := sofia.Get(twice(sofia, "/players/new", "/players", url.Values{"user": {"bert"}, "currency": {"EUR"}}))
		require.Contains(t, made.Find(".pb-flash").Text(), "bert now has a wallet")
		require.NotContains(t, made.Text(), "already exists")

		form := apptest.GrantForm("otto", g, "20")
		form.Set("csrf", bruno.Token("/campaigns/new"))
		confirm := apptest.FieldsOf(bruno.Get(bruno.SendOnce(bruno.Request(http.MethodPost, "/campaigns/new", form)).Location),
			".pb-confirm")
		twice(bruno, "/campaigns/new", "/campaigns", confirm)
		s.RunCampaigns()
		require.Len(t, s.GrantsOf(anna), 1)

		// A refused form is answered each time, and can be sent again.
		form = url.Values{"user": {""}, "currency": {"EUR"}, "csrf": {sofia.Token("/players/new")}}
		for range 2 {
			require.Equal(t, http.StatusUnprocessableEntity,
				sofia.Send(sofia.Request(http.MethodPost, "/players", form)).Status)
		}
	})
}

// Somebody whose session ended signs in again in another tab, and then sends the form of the first one.
func TestTypedSurvivesSigningInInAnotherTab(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	g, anna := s.SyncedGame(), s.NewPlayer("anna", false)
	bruno := s.SignedIn("bruno", models.Bonus)
	form := apptest.GrantForm("anna", g, "20")
	form.Set("csrf", bruno.Token("/campaigns/new"))
	bruno.Post("/", "/signout", nil)
	bruno.SignIn("bruno", apptest.Password)
	kept := bruno.Get(bruno.SendOnce(bruno.Request(http.MethodPost, "/campaigns/new", form)).Location)
	require.Contains(t, kept.Find(".pb-flash").Text(), "You have signed in again since you opened this form.")
	require.Equal(t, "Goodwill", kept.Find("#f-name").AttrOr("value", ""))
	require.Empty(t, s.GrantsOf(anna))
}
