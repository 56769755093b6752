package app

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/credentials"
	"pitboss/app/draft"
	"pitboss/app/pages"
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
	eachSite(t, func(t *testing.T, s *site) {
		g, anna := s.offer(), s.punter("anna", false)
		bruno := s.signedIn("bruno", models.Bonus)
		form := grantForm("anna", g, "20")
		form.Set("csrf", bruno.token("/free-spins/new"))
		asked := bruno.sendOnce(bruno.request(http.MethodPost, "/free-spins/new", form))
		require.Equal(t, http.StatusSeeOther, asked.status)
		require.True(t, strings.HasPrefix(asked.location, "/free-spins/new/confirm?draft="), asked.location)
		require.NotContains(t, asked.location, "anna")
		for range 2 {
			page := bruno.get(asked.location)
			require.Equal(t, http.StatusOK, page.status)
			require.Contains(t, page.Find(".action").Text(), "Grant 20 spins on "+g.Name+" to anna.")
		}
		require.Empty(t, s.grantsOf(anna), "a GET grants nothing")
		change := bruno.get(bruno.get(asked.location).Find(".pb-confirm a.btn").AttrOr("href", ""))
		require.Equal(t, http.StatusOK, change.status)
		require.Equal(t, "Goodwill", change.Find("#f-reason").AttrOr("value", ""), "Change brings back what was typed")

		form.Set("spins", "6000")
		refused := bruno.sendOnce(bruno.request(http.MethodPost, "/free-spins/new", form))
		require.Equal(t, http.StatusSeeOther, refused.status)
		again := bruno.get(refused.location)
		require.Equal(t, http.StatusUnprocessableEntity, again.status)
		require.Equal(t, "6000", again.Find("#f-spins").AttrOr("value", ""))
		require.Contains(t, again.Find("#f-spins-wrong").Text(), "more than your limit")

		require.Equal(t, http.StatusSeeOther, bruno.sendAgain(bruno.get(asked.location), ".pb-confirm", nil).status)
		require.Len(t, s.grantsOf(anna), 1)
		back := bruno.get(asked.location)
		require.Contains(t, back.Find(".pb-note").Text(), "Nothing was granted a second time")
		require.Zero(t, back.Find(".pb-confirm").Length(), "Back leads to a page that grants nothing more")

		require.Equal(t, http.StatusSeeOther, bruno.get("/free-spins/new/confirm").status,
			"without a draft there is nothing to confirm")
	})
}

func TestCorrectionConfirmationHasAnAddress(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		s.stranded("anna", "bet", 10000, 2500)
		mira := s.signedIn("mira", models.Finance)
		form := rollbackForm("bet")
		form.Set("csrf", mira.token("/corrections/new"))
		asked := mira.sendOnce(mira.request(http.MethodPost, "/corrections/new", form))
		require.Equal(t, http.StatusSeeOther, asked.status)
		require.True(t, strings.HasPrefix(asked.location, "/corrections/new/confirm?draft="), asked.location)
		page := mira.get(asked.location)
		require.Equal(t, http.StatusOK, page.status)
		list, _, err := s.Store.Corrections(t.Context(), models.CorrectionFilter{Limit: 9})
		require.NoError(t, err)
		require.Empty(t, list)
		done := mira.sendAgain(page, ".pb-confirm", nil)
		require.Equal(t, http.StatusSeeOther, done.status, done.text)
		back := mira.get(asked.location)
		require.Contains(t, back.Find(".pb-note").Text(), "Nothing was requested a second time")
		require.Zero(t, back.Find(".pb-confirm").Length())
	})
}

func TestTypedSurvivesSigningInAgain(t *testing.T) {
	s := sqliteSite(t)
	g, anna := s.offer(), s.punter("anna", false)
	bruno := s.signedIn("bruno", models.Bonus)
	form := grantForm("anna", g, "20")
	form.Set("csrf", bruno.token("/free-spins/new"))
	asked := bruno.sendOnce(bruno.request(http.MethodPost, "/free-spins/new", form))
	confirm := fields(bruno.get(asked.location), ".pb-confirm")
	s.later(3 * time.Hour) // idle for too long

	signIn := func(a *answer) *answer {
		t.Helper()
		require.Equal(t, http.StatusSeeOther, a.status, a.text)
		require.True(t, strings.HasPrefix(a.location, "/signin?next="), a.location)
		signIn := bruno.get(a.location)
		// it redirects to that page
		return bruno.sendAgain(signIn, ".pb-signin form", url.Values{"username": {"bruno"}, "password": {password}})
	}
	filled := signIn(bruno.sendOnce(bruno.request(http.MethodPost, "/free-spins/new", form)))
	require.Contains(t, filled.Find("h1").Text(), "Grant free spins")
	require.Equal(t, []string{"anna", "20", "Goodwill"},
		[]string{filled.Find("#f-player").AttrOr("value", ""), filled.Find("#f-spins").AttrOr("value", ""),
			filled.Find("#f-reason").AttrOr("value", "")})

	s.later(3 * time.Hour)
	shown := signIn(bruno.get(asked.location))
	require.Contains(t, shown.Find(".action").Text(), "Grant 20 spins", "the confirmation page is there after signing in")
	s.later(3 * time.Hour)
	filled = signIn(bruno.sendOnce(bruno.request(http.MethodPost, "/free-spins", confirm)))
	require.Equal(t, "Goodwill", filled.Find("#f-reason").AttrOr("value", ""),
		"what was confirmed while signed out has to be confirmed again")
	require.Empty(t, s.grantsOf(anna))
}

// TestAttackDraft tries to misuse addresses with drafts.
func TestAttackDraft(t *testing.T) {
	s := sqliteSite(t)
	g, anna := s.offer(), s.punter("anna", false)
	bruno, berta := s.signedIn("bruno", models.Bonus), s.signedIn("berta", models.Bonus)
	form := grantForm("anna", g, "20")
	form.Set("csrf", bruno.token("/free-spins/new"))
	asked := bruno.sendOnce(bruno.request(http.MethodPost, "/free-spins/new", form))
	sealed := draftOf(t, asked.location)

	lost := func(b *browser, path, sealed, why string) {
		t.Helper()
		a := b.get(path + "?draft=" + url.QueryEscape(sealed))
		require.Equal(t, http.StatusSeeOther, a.status, why)
		require.Equal(t, path, a.location, why)
	}
	lost(berta, "/free-spins/new/confirm", sealed, "a colleague's")
	require.Contains(t, berta.get("/free-spins/new").Find(".pb-flash").Text(), "only for the person who typed it")
	lost(bruno, "/free-spins/new", sealed, "another page's")
	for name, changed := range map[string]string{"cut": sealed[:len(sealed)-4], "longer": sealed + "AAAA",
		"another letter": "A" + sealed[1:], "no base64": "*", "nothing sealed": "AAAA"} {
		if changed == sealed {
			continue
		}
		lost(bruno, "/free-spins/new/confirm", changed, name)
	}
	s.later(11 * time.Hour)
	require.Equal(t, http.StatusSeeOther, bruno.signIn("bruno", password).status)
	require.Equal(t, http.StatusOK, bruno.get(asked.location).status)
	s.later(2 * time.Hour)
	require.Equal(t, http.StatusSeeOther, bruno.signIn("bruno", password).status)
	lost(bruno, "/free-spins/new/confirm", sealed, "too old")
	require.Empty(t, s.grantsOf(anna))

	// Somebody who is signed out can at most fill in a form, never a confirmation page, and secrets are not kept.
	stranger := s.browser("203.0.113.9")
	form.Set("password", "hunter2")
	kept := stranger.sendOnce(stranger.request(http.MethodPost, "/free-spins", form))
	require.Equal(t, http.StatusSeeOther, kept.status)
	next, err := url.Parse(kept.location)
	require.NoError(t, err)
	address := next.Query().Get("next")
	require.True(t, strings.HasPrefix(address, "/free-spins/new?draft="), address)
	lost(bruno, "/free-spins/new/confirm", draftOf(t, address), "typed while signed out")
	d, err := s.Drafts.Open("/free-spins/new", draft.Nobody, draftOf(t, address))
	require.NoError(t, err)
	require.Equal(t, "anna", d.Values["player"])
	require.NotContains(t, d.Values, "password")
	require.NotContains(t, d.Values, "csrf")
	form.Set("reason", strings.Repeat("all different ", 4000))
	long := stranger.sendOnce(stranger.request(http.MethodPost, "/free-spins/new", form))
	require.Equal(t, http.StatusUnauthorized, long.status, "it is never compressed: that would cost 3 s of CPU for each MB")
	require.Equal(t, http.StatusUnauthorized,
		stranger.sendOnce(stranger.request(http.MethodPost, "/games/syncs", url.Values{})).status)
}

// A draft that does not fit into an address is never cut: the answer to the form is the page itself, and somebody who is signed
// out is told that nothing was kept.
func TestLongDrafts(t *testing.T) {
	s := sqliteSite(t)
	g := s.offer()
	bruno, stranger := s.signedIn("bruno", models.Bonus), s.browser("203.0.113.9")
	sheet := &strings.Builder{}
	for range 900 {
		fmt.Fprintf(sheet, "%s,%s,5\n", credentials.RandomText(), g.GameID)
	}
	form := url.Values{"paste": {sheet.String()}, "reason": {""}, "csrf": {bruno.token("/free-spins/imports/new")}}
	refused := bruno.sendOnce(bruno.request(http.MethodPost, "/free-spins/imports/drafts", form))
	require.Equal(t, http.StatusUnprocessableEntity, refused.status)
	require.Equal(t, sheet.String(), strings.TrimPrefix(refused.Find("#f-paste").Text(), "\n"), "whole")
	require.Contains(t, refused.Find("#f-reason-wrong").Text(), "Enter a reason.")
	require.Equal(t, http.StatusUnauthorized,
		stranger.sendOnce(stranger.request(http.MethodPost, "/free-spins/imports/drafts", form)).status)
	form.Set("paste", "anna,1,5\n")
	require.Equal(t, http.StatusSeeOther,
		stranger.sendOnce(stranger.request(http.MethodPost, "/free-spins/imports/drafts", form)).status)
	for _, d := range []draft.Draft{
		{Values: map[string]string{"note": strings.Repeat("a", draft.Longest)}},
		{Values: map[string]string{strings.Repeat("a", draft.Longest): ""}},
		{Wrong: map[string]string{"note": strings.Repeat("a", draft.Longest)}},
		{Values: map[string]string{"note": strings.Repeat("\x01", draft.Longest/4)}}, // longer as JSON
	} {
		_, err := s.Drafts.Seal("/x", 1, d)
		require.ErrorIs(t, err, draft.ErrLong)
	}
	kept, err := s.Drafts.Seal("/x", 1, draft.Draft{Values: map[string]string{"note": strings.Repeat("ж", 2500)}})
	require.NoError(t, err, "the longest text of a field, in any script")
	require.LessOrEqual(t, len(kept), draft.Longest)
}

// A browser that sends a form twice, because somebody clicked twice, shows the answer to the second request. Nothing is done
// twice, and the second answer leads where the first one did.
func TestDoubleClicksCollide(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		found, _ := s.strandedBet()
		g, anna := s.offer(), s.punter("otto", false)
		farid, sofia, bruno := s.signedIn("farid", models.Finance), s.signedIn("sofia", models.Support),
			s.signedIn("bruno", models.Bonus)
		twice := func(b *browser, from, path string, form url.Values) string {
			t.Helper()
			form.Set("csrf", b.token(from))
			answers := make(chan *answer)
			for range 2 {
				request := b.request(http.MethodPost, path, form)
				go func() { answers <- b.sendOnce(request) }()
			}
			one, other := <-answers, <-answers
			require.Equal(t, http.StatusSeeOther, one.status, one.text)
			require.Equal(t, one.location, other.location, other.text)
			return one.location
		}
		page := pages.CasePath(found.ID)
		twice(farid, page, page+"/comments", url.Values{"text": {"Asked the platform."}})
		require.Equal(t, 1, strings.Count(farid.get(page).Text(), "Asked the platform."))
		farid.post(page, page+"/comments", url.Values{"text": {"Asked the platform."}})
		require.Equal(t, 2, strings.Count(farid.get(page).Text(), "Asked the platform."), "who says it again, says it twice")

		made := sofia.get(twice(sofia, "/players/new", "/players", url.Values{"user": {"bert"}, "currency": {"EUR"}}))
		require.Contains(t, made.Find(".pb-flash").Text(), "bert now has a wallet")
		require.NotContains(t, made.Text(), "already exists")

		form := grantForm("otto", g, "20")
		form.Set("csrf", bruno.token("/free-spins/new"))
		confirm := fields(bruno.get(bruno.sendOnce(bruno.request(http.MethodPost, "/free-spins/new", form)).location),
			".pb-confirm")
		twice(bruno, "/free-spins/new", "/free-spins", confirm)
		require.Len(t, s.grantsOf(anna), 1)

		// A refused form is answered each time, and can be sent again.
		form = url.Values{"user": {""}, "currency": {"EUR"}, "csrf": {sofia.token("/players/new")}}
		for range 2 {
			require.Equal(t, http.StatusUnprocessableEntity, sofia.send(sofia.request(http.MethodPost, "/players", form)).status)
		}
	})
}

// Somebody whose session ended signs in again in another tab, and then sends the form of the first one.
func TestTypedSurvivesSigningInInAnotherTab(t *testing.T) {
	s := sqliteSite(t)
	g, anna := s.offer(), s.punter("anna", false)
	bruno := s.signedIn("bruno", models.Bonus)
	form := grantForm("anna", g, "20")
	form.Set("csrf", bruno.token("/free-spins/new"))
	bruno.post("/", "/signout", nil)
	bruno.signIn("bruno", password)
	kept := bruno.get(bruno.sendOnce(bruno.request(http.MethodPost, "/free-spins/new", form)).location)
	require.Contains(t, kept.Find(".pb-flash").Text(), "You have signed in again since you opened this form.")
	require.Equal(t, "Goodwill", kept.Find("#f-reason").AttrOr("value", ""))
	require.Empty(t, s.grantsOf(anna))
}
