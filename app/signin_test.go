package app

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/app/credentials"
	"pitboss/app/pages/signin"
	"pitboss/app/pages/staff"
	"pitboss/models"
)

func TestSignIn(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		s.hire("ann", models.Administrator)
		b := s.browser("198.51.100.1")

		refused := b.signIn("ann", "not the password")
		require.Equal(t, http.StatusUnprocessableEntity, refused.status)
		require.Equal(t, "ann", refused.Find("#username").AttrOr("value", ""))
		require.Empty(t, refused.Find("#password").AttrOr("value", ""))
		wrong := refused.Find("#password-wrong").Text()
		require.Contains(t, wrong, "do not match")
		require.Equal(t, wrong, b.signIn("nobody-of-this-name", "not the password").Find("#password-wrong").Text(),
			"a name that does not exist looks like one that does")
		require.Empty(t, b.cookie("session"))

		require.Equal(t, "/", b.signIn("ANN", password).location)
		require.Equal(t, http.StatusOK, b.get("/").status)
		require.Equal(t, "/", b.get("/signin").location)

		signedOut := b.post("/", "/signout", nil)
		require.Equal(t, "/signin", signedOut.location)
		require.Equal(t, "/signin?next=%2F", b.get("/").location)
	})
}

// TestSignInRedirectsWithinTheSite: signing in redirects to addresses of this site, and no others.
func TestSignInRedirectsWithinTheSite(t *testing.T) {
	s := sqliteSite(t)
	s.hire("ann", models.Administrator)
	for next, leads := range map[string]string{
		"/staff?role=admin": "/staff?role=admin", "https://evil.example/": "/", "//evil.example": "/", "/\\evil.example": "/",
		"staff": "/", "/\tx": "/", "javascript:alert(1)": "/", "": "/",
	} {
		b := s.browser("198.51.100.1")
		answer := b.post("/signin", "/signin", url.Values{"username": {"ann"}, "password": {password}, "next": {next}})
		require.Equal(t, leads, answer.location, next)
	}
}

// TestSessionFixation gives a session a new name at sign-in, and refuses a name that the server never gave out.
func TestSessionFixation(t *testing.T) {
	s := sqliteSite(t)
	s.hire("ann", models.Administrator)
	b := s.browser("198.51.100.1")
	planted := strings.Repeat("A", 43)
	b.client.Jar.SetCookies(s.base, []*http.Cookie{{Name: "session", Value: planted, Path: "/"}})
	require.Equal(t, http.StatusSeeOther, b.get("/").status)
	b.signIn("ann", password)
	first := b.cookie("session")
	require.NotEqual(t, planted, first)

	// Signing in again in the same browser ends the earlier session.
	again := b.post("/signin", "/signin", url.Values{"username": {"ann"}, "password": {password}, "csrf": {b.signInToken()}})
	require.Equal(t, http.StatusSeeOther, again.status)
	second := b.cookie("session")
	require.NotEqual(t, first, second)
	thief := s.browser("203.0.113.9")
	thief.client.Jar.SetCookies(s.base, []*http.Cookie{{Name: "session", Value: first, Path: "/"}})
	require.Equal(t, "/signin?next=%2F", thief.get("/").location)
}

// signInToken returns a token of the sign-in form, made from the cookie as the page would make it.
func (b *browser) signInToken() string {
	token := b.cookie(signin.SignInCookie)
	if token == "" {
		token = credentials.RandomText()
		b.client.Jar.SetCookies(b.site.base, []*http.Cookie{{Name: signin.SignInCookie, Value: token, Path: "/"}})
	}
	return credentials.Masked(token)
}

func TestCookies(t *testing.T) {
	s := sqliteSite(t)
	s.hire("ann", models.Administrator)
	b := s.browser("198.51.100.1")
	for _, cookie := range b.signIn("ann", password).header.Values("Set-Cookie") {
		require.Contains(t, cookie, "HttpOnly")
		require.Contains(t, cookie, "SameSite=Lax")
		require.Contains(t, cookie, "Path=/")
		require.NotContains(t, cookie, "Domain")
	}
	s.PublicURL = &url.URL{Scheme: "https", Host: "office.example"}
	cookie := s.Cookie("session", "x", time.Hour).String()
	require.Contains(t, cookie, "__Host-session=")
	require.Contains(t, cookie, "Secure")
}

func TestAttackCrossSiteForms(t *testing.T) {
	s := sqliteSite(t)
	b := s.signedIn("ann", models.Administrator)
	token := b.token("/account")
	profile := url.Values{"zone": {"Europe/Vienna"}, "theme": {"dark"}, "density": {"compact"}}

	without := b.post("", "/account/profile", url.Values{"csrf": {""}, "zone": {"Europe/Vienna"}})
	require.Equal(t, http.StatusForbidden, without.status)
	require.Contains(t, without.Find("h1").Text(), "another session")
	stolen := s.signedIn("bob", models.Administrator).token("/account")
	require.Equal(t, http.StatusForbidden, b.post("", "/account/profile", url.Values{"csrf": {stolen}}).status,
		"another session's token")

	for name, header := range map[string][2]string{
		"another site by Sec-Fetch-Site": {"Sec-Fetch-Site", "cross-site"},
		"a sister site":                  {"Sec-Fetch-Site", "same-site"},
		"another site by Origin":         {"Origin", "https://evil.example"},
	} {
		t.Run(name, func(t *testing.T) {
			form := url.Values{"csrf": {token}}
			for k, v := range profile {
				form[k] = v
			}
			request := b.request(http.MethodPost, "/account/profile", form)
			if header[0] == "Origin" {
				request.Header.Del("Sec-Fetch-Site")
			}
			request.Header.Set(header[0], header[1])
			if header[0] != "Origin" {
				request.Header.Set("Origin", "https://evil.example")
			}
			answer := b.send(request)
			require.Equal(t, http.StatusForbidden, answer.status)
			require.Contains(t, answer.Find("h1").Text(), "another site")
		})
	}
	profile.Set("csrf", token)
	forwarded := b.request(http.MethodPost, "/account/profile", profile) // from a browser that sends no Sec-Fetch-Site
	forwarded.Header.Del("Sec-Fetch-Site")
	forwarded.Header.Set("Origin", "https://evil.example")
	forwarded.Header.Set("X-Forwarded-Host", "evil.example")
	require.Equal(t, http.StatusForbidden, b.send(forwarded).status, "nobody says what this site is called but its settings")
	require.Equal(t, http.StatusSeeOther, b.send(b.request(http.MethodPost, "/account/profile", profile)).status)

	// A token in the address does not count: addresses are in logs and histories.
	require.Equal(t, http.StatusForbidden,
		b.send(b.request(http.MethodPost, "/account/profile?csrf="+token, url.Values{"zone": {"UTC"}})).status)
}

func TestIdleAndAbsoluteTimeouts(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		b := s.signedIn("ann", models.Administrator)
		for range 4 {
			s.later(14 * time.Minute)
			require.Equal(t, http.StatusOK, b.get("/").status, "a request keeps the session")
		}
		poll := func() *answer {
			request := b.request(http.MethodGet, "/", nil)
			request.Header.Set("Pitboss-Live", "1")
			return b.send(request)
		}
		s.later(14 * time.Minute)
		require.Equal(t, http.StatusOK, poll().status)
		s.later(2 * time.Minute)
		require.Equal(t, http.StatusUnauthorized, poll().status, "polling does not keep the session")

		require.Equal(t, http.StatusSeeOther, b.signIn("ann", password).status)
		for range 51 {
			s.later(14 * time.Minute)
			require.Equal(t, http.StatusOK, b.get("/").status)
		}
		s.later(8 * time.Minute)
		require.Equal(t, http.StatusSeeOther, b.get("/").status, "after twelve hours the session ends, however busy")
	})
}

func TestRevocation(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		desk := s.signedIn("ann", models.Administrator)
		phone := s.browser("198.51.100.2")
		phone.signIn("ann", password)
		require.Equal(t, 2, desk.get("/account").Find("tbody tr").Length())

		end := desk.get("/account").Find("form[action$='/revocation']:not([action='/account/sessions/revocation'])")
		require.Equal(t, 1, end.Length())
		require.Equal(t, http.StatusSeeOther, desk.post("/account", end.AttrOr("action", ""), nil).status)
		require.Equal(t, http.StatusSeeOther, phone.get("/").status, "the revoked session has ended")
		require.Equal(t, http.StatusOK, desk.get("/").status)

		phone.signIn("ann", password)
		require.Equal(t, "/signin", desk.post("/account", "/account/sessions/revocation", nil).location)
		require.Equal(t, http.StatusSeeOther, phone.get("/").status)
		require.Equal(t, http.StatusSeeOther, desk.get("/").status)

		// Saving a session that was revoked in the middle of a request does not bring it back.
		desk.signIn("ann", password)
		row, _, found, err := s.Store.StaffSession(t.Context(), s.SessionHash(desk.cookie("session")))
		require.NoError(t, err)
		require.True(t, found)
		require.NoError(t, s.Store.EndStaffSession(t.Context(), row.Hash))
		there, err := s.Store.SaveStaffSession(t.Context(), row.Hash, "{}", row.MAC)
		require.NoError(t, err)
		require.False(t, there)
		require.Equal(t, http.StatusSeeOther, desk.get("/").status)
	})
}

// TestLock makes guessers wait, and nobody else.
func TestLock(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		known := s.signedIn("ann", models.Administrator)
		guesser := s.browser("203.0.113.66")
		for i := range 5 {
			require.Contains(t, guesser.signIn("ann", "guess "+strconv.Itoa(i)).Find(".pb-form").Text(), "do not match")
		}
		locked := guesser.signIn("ann", password)
		require.Equal(t, http.StatusUnprocessableEntity, locked.status, "even the right password has to wait")
		require.Contains(t, locked.Find("[role=alert]").Text(), "Too many failed attempts")
		require.NotEmpty(t, locked.header.Get("Retry-After"))

		// The owner's browser does not have to wait, nor do the owner's sessions, other accounts, or yet another stranger.
		require.Equal(t, http.StatusOK, known.get("/").status)
		known.post("/", "/signout", nil)
		require.Equal(t, "/", known.signIn("ann", password).location)
		s.hire("bob", models.Finance)
		require.Equal(t, "/", guesser.signIn("bob", password).location)
		require.Equal(t, "/", s.browser("198.51.100.77").signIn("ann", password).location)

		// Many addresses together lock the account for strangers, but not for known browsers and addresses.
		for i := range 20 {
			s.browser("203.0.113."+strconv.Itoa(100+i)).signIn("ann", "guess")
		}
		require.Contains(t, s.browser("203.0.113.200").signIn("ann", password).Find("[role=alert]").Text(), "Too many")
		known.post("/", "/signout", nil)
		require.Equal(t, "/", known.signIn("ann", password).location, "a known browser")
		nearby := s.browser("198.51.100.1")
		require.Equal(t, "/", nearby.signIn("ann", password).location, "a known address")

		// An administrator lifts the lock.
		ann, _, err := s.Store.StaffNamed(t.Context(), "ann")
		require.NoError(t, err)
		page := known.get(staff.StaffPath(ann.ID))
		require.Contains(t, page.Text(), "Sign-in is slowed down")
		require.Equal(t, http.StatusSeeOther, known.post(staff.StaffPath(ann.ID), staff.StaffPath(ann.ID)+"/unlock", nil).
			status)
		require.Equal(t, "/", s.browser("203.0.113.201").signIn("ann", password).location)
	})
}

func TestLockEnds(t *testing.T) {
	s := sqliteSite(t)
	s.hire("ann", models.Administrator)
	b := s.browser("203.0.113.5")
	for range 5 {
		b.signIn("ann", "guess")
	}
	require.Contains(t, b.signIn("ann", password).text, "Too many")
	s.later(31 * time.Second)
	require.Contains(t, b.signIn("ann", "guess").text, "do not match")
	s.later(31 * time.Second)
	require.Contains(t, b.signIn("ann", password).text, "Too many", "the second wait is longer")
	s.later(30 * time.Second)
	require.Equal(t, "/", b.signIn("ann", password).location)
}

// TestManyTriesAtOnce: attempts at the same time count like attempts one after another.
func TestManyTriesAtOnce(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		s.hire("ann", models.Administrator)
		tried := make(chan bool)
		const tries = 20
		for range tries {
			go func() {
				wait, _, err := s.Store.BeginSignIn(t.Context(), models.SignInTry{Username: "ann", Address: "203.0.113.5"})
				tried <- err == nil && wait == 0
			}()
		}
		allowed := 0
		for range tries {
			if <-tried {
				allowed++
			}
		}
		require.Equal(t, 5, allowed)
	})
}

func TestSecondFactor(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		b := s.signedIn("ann", models.Administrator)
		secret := strings.ReplaceAll(b.get("/account/second-factor").Find(".pb-steps .id").Text(), " ", "")
		require.Len(t, secret, 32)
		picture := b.get("/account/second-factor/qr.png")
		require.Equal(t, "image/png", picture.header.Get("Content-Type"))
		require.Equal(t, "no-store", picture.header.Get("Cache-Control"))

		refused := b.post("/account/second-factor", "/account/second-factor", url.Values{"code": {"000000"}})
		require.Equal(t, http.StatusUnprocessableEntity, refused.status)
		require.Equal(t, secret, strings.ReplaceAll(refused.Find(".pb-steps .id").Text(), " ", ""), "the secret stays the same")
		code := s.totpCode(secret)
		setUp := b.post("/account/second-factor", "/account/second-factor", url.Values{"code": {code}})
		require.Equal(t, http.StatusOK, setUp.status)
		var codes []string
		setUp.Find(".pb-recovery li").Each(func(_ int, li *goquery.Selection) { codes = append(codes, li.Text()) })
		require.Len(t, codes, credentials.RecoveryCodes)

		other := s.browser("198.51.100.2")
		require.Equal(t, "/signin/code", other.signIn("ann", password).location)
		require.Equal(t, "/signin/code", other.get("/staff").location, "half signed in is not signed in")
		used := other.post("/signin/code", "/signin/code", url.Values{"code": {code}})
		require.Equal(t, http.StatusUnprocessableEntity, used.status, "the code that set it up is used up")
		s.later(time.Minute)
		code = s.totpCode(secret)
		require.Equal(t, "/", other.post("/signin/code", "/signin/code",
			url.Values{"code": {" " + code[:3] + " " + code[3:]}}).location)
		require.Equal(t, http.StatusOK, other.get("/staff").status)

		// A recovery code works like the phone's codes, once.
		for i, want := range []int{http.StatusSeeOther, http.StatusUnprocessableEntity} {
			lost := s.browser("198.51.100.3")
			require.Equal(t, "/signin/code", lost.signIn("ann", password).location)
			require.Equal(t, want, lost.post("/signin/code", "/signin/code", url.Values{"code": {strings.ToUpper(codes[0])}}).
				status, "use %d", i+1)
		}
		require.Contains(t, other.get("/account").Text(), "9 of 10 recovery codes left")

		// Guessing codes has to wait like guessing passwords.
		thief := s.browser("203.0.113.7")
		waited := false
		for range 8 {
			if thief.signIn("ann", password).location != "/signin/code" {
				waited = true
				break
			}
			thief.post("/signin/code", "/signin/code", url.Values{"code": {"123456"}})
		}
		require.True(t, waited)
	})
}

// settingsForm returns the form of the settings with the defaults, and more.
func settingsForm(more ...string) url.Values {
	form := url.Values{
		"idle": {"15"}, "session": {"12"}, "confirm": {"5"}, "exports": {"24"}, "zone": {"UTC"}, "lock-after": {"10"},
		"lock-minutes": {"30"},
		"unused":       {"90"}, "old-passwords": {"4"}, "link-hours": {"24"},
	}
	for i := 0; i+1 < len(more); i += 2 {
		form.Add(more[i], more[i+1])
	}
	return form
}

func TestSecondFactorRequiredByRole(t *testing.T) {
	s := sqliteSite(t)
	admin := s.signedIn("ann", models.Administrator)
	finance := s.signedIn("bob", models.Finance)
	require.Equal(t, http.StatusSeeOther, admin.post("/settings", "/settings", settingsForm("totp", "finance")).status)

	require.Equal(t, "/account/second-factor", finance.get("/").location)
	require.Equal(t, "/account/second-factor", finance.get("/staff").location)
	page := finance.get("/account/second-factor")
	require.Contains(t, page.Text(), "Your role requires a second factor")
	require.Zero(t, page.Find(".pb-nav").Length())
	secret := strings.ReplaceAll(page.Find(".pb-steps .id").Text(), " ", "")
	require.Equal(t, http.StatusOK,
		finance.post("/account/second-factor", "/account/second-factor", url.Values{"code": {s.totpCode(secret)}}).status)
	require.Equal(t, http.StatusOK, finance.get("/").status)
	require.Equal(t, http.StatusOK, admin.get("/").status, "other roles go on as before")
}

func TestStaffChanges(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		admin := s.signedIn("ann", models.Administrator)
		bob := s.signedIn("bob", models.Finance)
		member, _, err := s.Store.StaffNamed(t.Context(), "bob")
		require.NoError(t, err)
		path := staff.StaffPath(member.ID)

		require.Equal(t, http.StatusSeeOther, admin.post(path+"/role", path+"/role", url.Values{"role": {"support"}}).status)
		require.Equal(t, http.StatusSeeOther, bob.get("/").status, "a change of role ends sessions")
		bob.signIn("bob", password)
		require.Contains(t, bob.get("/").Find(".pb-who").Text(), "support")

		require.Equal(t, http.StatusUnprocessableEntity,
			admin.post(path+"/disable", path+"/disable", url.Values{"reason": {" "}}).status)
		found, _ := s.strandedBet()
		require.NoError(t, s.Store.OwnCase(t.Context(), models.System, found.ID, "", "bob"))
		s.hire("farid", models.Finance)
		s.hire("chloe", models.Compliance)
		leaves := admin.get(path + "/disable")
		require.Contains(t, text(leaves, "[aria-label='Open work']"), "1 open case . The colleague whom you choose below gets it.")
		require.Equal(t, "Nobody farid", text(leaves, "#f-assignee"), "compliance cannot work on cases")
		require.Contains(t, admin.post(path+"/disable", path+"/disable", url.Values{"reason": {"left"}, "assignee": {"chloe"}}).
			Find("#f-assignee-wrong").Text(), "cannot decide this")
		require.Equal(t, http.StatusSeeOther, admin.post(path+"/disable", path+"/disable",
			url.Values{"reason": {"left the company"}, "assignee": {"farid"}}).status)
		found, _, _, err = s.Store.Case(t.Context(), found.ID)
		require.NoError(t, err)
		require.Equal(t, "farid", found.Owner)
		require.Equal(t, http.StatusSeeOther, bob.get("/").status)
		require.Contains(t, bob.signIn("bob", password).Find("[role=alert]").Text(), "disabled")
		require.Equal(t, http.StatusSeeOther, admin.post(path+"/enable", path+"/enable", nil).status)
		require.Equal(t, "/", bob.signIn("bob", password).location)

		// At least one administrator always remains.
		ann, _, err := s.Store.StaffNamed(t.Context(), "ann")
		require.NoError(t, err)
		own := func() *answer {
			return admin.post(staff.StaffPath(ann.ID)+"/role", staff.StaffPath(ann.ID)+"/role", url.Values{"role": {"finance"}})
		}
		require.Contains(t, own().Text(), "own role")
		require.Contains(t, admin.post(staff.StaffPath(ann.ID)+"/disable", staff.StaffPath(ann.ID)+"/disable",
			url.Values{"reason": {"x"}}).
			Text(), "last administrator")
		eve := s.signedIn("eve", models.Administrator)
		refused := own()
		require.Equal(t, http.StatusUnprocessableEntity, refused.status,
			"administrators cannot give themselves the right to move money")
		require.Contains(t, refused.Text(), "own role")
		require.Equal(t, http.StatusSeeOther,
			eve.post(staff.StaffPath(ann.ID)+"/role", staff.StaffPath(ann.ID)+"/role", url.Values{"role": {"finance"}}).status)
		require.Equal(t, http.StatusSeeOther, admin.get("/staff").status)
		require.ErrorIs(t, s.Store.SetStaffRole(t.Context(), models.Actor{Name: "tester"}, mustBe(t, s, "eve").ID,
			models.Support), models.ErrLastAdmin)
	})
}

func mustBe(t testing.TB, s *site, username string) models.Staff {
	t.Helper()
	staff, found, err := s.Store.StaffNamed(t.Context(), username)
	require.NoError(t, err)
	require.True(t, found)
	return staff
}

// TestOwnAccountAsksForThePassword asks even right after sign-in: somebody else may be at the desk.
func TestOwnAccountAsksForThePassword(t *testing.T) {
	s := sqliteSite(t)
	b := s.signedIn("bob", models.Bonus)
	refused := b.post("/account", "/account/second-factor/removal", url.Values{"password": {"wrong"}})
	require.Equal(t, http.StatusUnprocessableEntity, refused.status)
	require.Contains(t, refused.Find("#confirm-password-wrong").Text(), "not your password")
	require.Equal(t, http.StatusSeeOther,
		b.post("/account", "/account/second-factor/removal", url.Values{"password": {password}}).status)
}

// Somebody created without a profile, at the command line, chooses colors like everybody else.
func TestThemeWithoutAProfile(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		_, err := s.Store.CreateStaff(t.Context(), models.System,
			models.Staff{Username: "ann", Name: "Ann", Role: models.Administrator, PasswordHash: passwordHash()})
		require.NoError(t, err)
		ann := s.browser("198.51.100.1")
		require.Equal(t, "/", ann.signIn("ann", password).location)
		require.Equal(t, "UTC", ann.get("/account").Find("input[name=zone]").AttrOr("value", ""))
		require.Equal(t, "/staff", ann.post("/staff", "/account/theme", url.Values{"theme": {"dark"}, "back": {"/staff"}}).
			location)
		require.Equal(t, "dark", ann.get("/staff").Find("html").AttrOr("data-bs-theme", ""))
	})
}

func TestSavedViews(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		ann, eve := s.signedIn("ann", models.Administrator), s.signedIn("eve", models.Administrator)
		page := ann.get("/staff?role=finance&q=&state=")
		require.Equal(t, 1, page.Find(".pb-chip").Length(), "empty fields are not filters")
		require.Equal(t, "role=finance", page.Find("#views input[name=query]").AttrOr("value", ""))

		for _, view := range []url.Values{
			{"page": {"/staff"}, "query": {"role=finance"}, "name": {"Money <b>people</b>"}, "shared": {"yes"}},
			{"page": {"/staff"}, "query": {"state=disabled"}, "name": {"Gone"}},
		} {
			saved := ann.post("/staff?role=finance", "/views", view)
			require.Equal(t, "/staff?"+view.Get("query"), saved.location)
		}
		require.Equal(t, 2, ann.get("/staff").Find("a.pb-view").Length())
		shared := eve.get("/staff").Find("a.pb-view")
		require.Equal(t, 1, shared.Length(), "colleagues do not see views that are not shared")
		require.Equal(t, "Money <b>people</b>", shared.Text())
		require.Equal(t, "/staff?role=finance", shared.AttrOr("href", ""))
		own := ann.get("/staff").Find("#views form[action$=removal]")
		require.Equal(t, http.StatusNotFound, eve.post("/staff", own.First().AttrOr("action", ""), nil).status, "not shared")
		cleo := s.signedIn("cleo", models.Compliance)
		require.Equal(t, "Money <b>people</b>", cleo.get("/staff").Find("a.pb-view").Text())
		require.Zero(t, cleo.get("/staff").Find("#views form[action$=removal]").Length())
		remove := own.Last().AttrOr("action", "")
		require.Equal(t, http.StatusNotFound, cleo.post("/staff", remove, nil).status, "only administrators delete others' views")
		require.Equal(t, "/staff", ann.post("/staff", remove, url.Values{"back": {"/staff"}}).location)
		require.Equal(t, "/", ann.post("/staff", "/views",
			url.Values{"page": {"https://evil.example"}, "query": {"a=b"}, "name": {"x"}}).location[:1])
		require.Equal(t, "/staff",
			ann.post("/staff", "/views",
				url.Values{"page": {"/staff"}, "query": {"q=" + strings.Repeat("x", models.MaxViewQuery)}, "name": {"x"}}).
				location)

		// Filters that the list refuses are not saved either.
		for query, why := range map[string]string{
			"page=/staff&query=role=pope":           "The address has role=pope, but the filter Role has no value “pope”",
			"page=/staff&query=colour=green":        "The address has colour=green, but this list has no filter “colour”",
			"page=/transactions&query=bet-from=abc": "The address has bet-from=abc, but “abc” is not an amount",
			"page=/settings&query=a=b":              "There is no such list",
			"page=/nowhere&query=a=b":               "There is no such list",
			"page=/staff/1/role&query=a=b":          "There is no such list",
		} {
			list, query, _ := strings.Cut(strings.TrimPrefix(query, "page="), "&query=")
			refused := ann.post("/staff", "/views", url.Values{"page": {list}, "query": {query}, "name": {"kept anyway"}})
			require.Equal(t, http.StatusSeeOther, refused.status, list+query)
			require.Contains(t, ann.get("/staff").Find(".pb-flash").Text(), "The view was not saved. "+why)
		}
		require.NotContains(t, ann.get("/staff").Text(), "kept anyway")
		require.NotContains(t, ann.get("/transactions").Text(), "kept anyway")
	})
}

// One member of staff shares so many views that nobody finds their own.
func TestAttackSharedViewsHideOthers(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		ann, eve, cleo := s.signedIn("ann", models.Administrator), s.signedIn("eve", models.Administrator),
			s.signedIn("cleo", models.Compliance)
		view := func(name string, shared ...string) url.Values {
			return url.Values{"page": {"/staff"}, "query": {"role=finance"}, "name": {name}, "shared": shared}
		}
		cleo.post("/staff", "/views", view("zz mine"))
		for i := range models.MaxViews {
			eve.post("/staff", "/views", view(fmt.Sprint("a", i), "yes"))
		}
		require.Equal(t, http.StatusSeeOther, eve.post("/staff", "/views", view("one more", "yes")).status)
		require.Contains(t, eve.get("/staff").Find(".pb-flash").Text(),
			"The view was not saved. You already have 20 views of this list; delete one first.")
		shown := cleo.get("/staff").Find("a.pb-view")
		require.Equal(t, models.MaxViews+1, shown.Length())
		require.Equal(t, "zz mine", shown.First().Text(), "their own come first")

		remove := ann.get("/staff").Find("#views form[action$=removal]").First().AttrOr("action", "")
		require.Equal(t, "/staff", ann.post("/staff", remove, url.Values{"back": {"/staff"}}).location)
		require.Equal(t, models.MaxViews, cleo.get("/staff").Find("a.pb-view").Length())
		require.Contains(t, ann.get("/audit").Text(), "Shared view of a list deleted")
	})
}

func TestSearch(t *testing.T) {
	s := sqliteSite(t)
	admin, support := s.signedIn("ann", models.Administrator), s.signedIn("hannah", models.Support)
	require.Equal(t, "/staff/1", admin.get("/search?q=ANN").location, "the exact name wins over those that contain it")
	page := admin.get("/search?q=nn")
	require.Equal(t, 2, page.Find("tbody tr").Length())
	require.Equal(t, "Search for “nn”", page.Find("h1").Text())
	require.Equal(t, "nn", page.Find("[data-jump]").AttrOr("value", ""), "so that more can be typed")
	require.Empty(t, admin.get("/staff?q=nn").Find("[data-jump]").AttrOr("value", ""))
	require.Contains(t, support.get("/search?q=ann").Text(), "No results for", "only what the reader may read is found")
	matches := admin.get("/search/matches?kind=staff&q=han")
	require.Equal(t, "hannah", matches.Find("[role=option]").AttrOr("data-value", ""))
	require.Zero(t, matches.Find("nav").Length())
}

func TestClientAddress(t *testing.T) {
	s := sqliteSite(t)
	s.signedIn("ann", models.Administrator)
	forged := s.browser("1.2.3.4, 198.51.100.44")
	forged.signIn("ann", password)
	require.Contains(t, forged.get("/account").Text(), "198.51.100.44",
		"anything before the trusted proxy's own entry is the client's invention")
	require.NotContains(t, forged.get("/account").Text(), "1.2.3.4")
}

// TestPasswordsAreHashedStrongly compares the program's parameters with the recommended minimum, see password.go.
func TestPasswordsAreHashedStrongly(t *testing.T) {
	require.GreaterOrEqual(t, strongParams.Memory, uint32(19*1024))
	require.GreaterOrEqual(t, strongParams.Iterations, uint32(2))
	require.GreaterOrEqual(t, strongParams.SaltLength, uint32(16))
}
