package signin_test

import (
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
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

func TestSignIn(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.Hire("ann", models.Administrator)
		b := s.Browser("198.51.100.1")

		refused := b.SignIn("ann", "not the password")
		require.Equal(t, http.StatusUnprocessableEntity, refused.Status)
		require.Equal(t, "ann", refused.Find("#username").AttrOr("value", ""))
		require.Empty(t, refused.Find("#password").AttrOr("value", ""))
		wrong := refused.Find("#password-wrong").Text()
		require.Contains(t, wrong, "do not match")
		require.Equal(t, wrong, b.SignIn("nobody-of-this-name", "not the password").Find("#password-wrong").Text(),
			"a name that does not exist looks like one that does")
		require.Empty(t, cookieOf(b, "session"))

		require.Equal(t, "/", b.SignIn("ANN", apptest.Password).Location)
		require.Equal(t, http.StatusOK, b.Get("/").Status)
		require.Equal(t, "/", b.Get("/signin").Location)

		signedOut := b.Post("/", "/signout", nil)
		require.Equal(t, "/signin", signedOut.Location)
		require.Equal(t, "/signin?next=%2F", b.Get("/").Location)
	})
}

// TestSignInRedirectsWithinTheSite: after sign-in, the site only redirects to its own addresses.
func TestSignInRedirectsWithinTheSite(t *testing.T) {
	s := apptest.SqliteSite(t)
	s.Hire("ann", models.Administrator)
	for next, leads := range map[string]string{
		"/staff?role=admin": "/staff?role=admin", "https://evil.example/": "/", "//evil.example": "/", "/\\evil.example": "/",
		"staff": "/", "/\tx": "/", "javascript:alert(1)": "/", "": "/",
	} {
		b := s.Browser("198.51.100.1")
		answer := b.Post("/signin", "/signin", url.Values{"username": {"ann"}, "password": {apptest.Password}, "next": {next}})
		require.Equal(t, leads, answer.Location, next)
	}
}

// TestSessionFixation: a session gets a new name at sign-in, and the server refuses a name that it never gave out.
func TestSessionFixation(t *testing.T) {
	s := apptest.SqliteSite(t)
	s.Hire("ann", models.Administrator)
	b := s.Browser("198.51.100.1")
	planted := strings.Repeat("A", 43)
	b.Client.Jar.SetCookies(s.Base, []*http.Cookie{{Name: "session", Value: planted, Path: "/"}})
	require.Equal(t, http.StatusSeeOther, b.Get("/").Status)
	b.SignIn("ann", apptest.Password)
	first := cookieOf(b, "session")
	require.NotEqual(t, planted, first)

	// Signing in again in the same browser ends the earlier session.
	again := b.Post("/signin", "/signin", url.Values{"username": {"ann"}, "password": {apptest.Password},
		"csrf": {signInToken(b)}})
	require.Equal(t, http.StatusSeeOther, again.Status)
	second := cookieOf(b, "session")
	require.NotEqual(t, first, second)
	thief := s.Browser("203.0.113.9")
	thief.Client.Jar.SetCookies(s.Base, []*http.Cookie{{Name: "session", Value: first, Path: "/"}})
	require.Equal(t, "/signin?next=%2F", thief.Get("/").Location)
}

// signInToken returns a token for the sign-in form, made from the cookie as the page would make it.
func signInToken(b *apptest.Browser) string {
	token := cookieOf(b, signin.SignInCookie)
	if token == "" {
		token = credentials.RandomText()
		b.Client.Jar.SetCookies(b.Site.Base, []*http.Cookie{{Name: signin.SignInCookie, Value: token, Path: "/"}})
	}
	return credentials.Masked(token)
}

func TestCookies(t *testing.T) {
	s := apptest.SqliteSite(t)
	s.Hire("ann", models.Administrator)
	b := s.Browser("198.51.100.1")
	for _, cookie := range b.SignIn("ann", apptest.Password).Header.Values("Set-Cookie") {
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
	s := apptest.SqliteSite(t)
	b := s.SignedIn("ann", models.Administrator)
	token := b.Token("/account")
	profile := url.Values{"zone": {"Europe/Vienna"}, "theme": {"dark"}, "density": {"compact"}}

	without := b.Post("", "/account/profile", url.Values{"csrf": {""}, "zone": {"Europe/Vienna"}})
	require.Equal(t, http.StatusForbidden, without.Status)
	require.Contains(t, without.Find("h1").Text(), "another session")
	stolen := s.SignedIn("bob", models.Administrator).Token("/account")
	require.Equal(t, http.StatusForbidden, b.Post("", "/account/profile", url.Values{"csrf": {stolen}}).Status,
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
			request := b.Request(http.MethodPost, "/account/profile", form)
			if header[0] == "Origin" {
				request.Header.Del("Sec-Fetch-Site")
			}
			request.Header.Set(header[0], header[1])
			if header[0] != "Origin" {
				request.Header.Set("Origin", "https://evil.example")
			}
			answer := b.Send(request)
			require.Equal(t, http.StatusForbidden, answer.Status)
			require.Contains(t, answer.Find("h1").Text(), "another site")
		})
	}
	profile.Set("csrf", token)
	forwarded := b.Request(http.MethodPost, "/account/profile", profile) // from a browser that sends no Sec-Fetch-Site
	forwarded.Header.Del("Sec-Fetch-Site")
	forwarded.Header.Set("Origin", "https://evil.example")
	forwarded.Header.Set("X-Forwarded-Host", "evil.example")
	require.Equal(t, http.StatusForbidden, b.Send(forwarded).Status, "nobody says what this site is called but its settings")
	require.Equal(t, http.StatusSeeOther, b.Send(b.Request(http.MethodPost, "/account/profile", profile)).Status)

	// A token in the address does not count, because addresses end up in logs and histories.
	require.Equal(t, http.StatusForbidden,
		b.Send(b.Request(http.MethodPost, "/account/profile?csrf="+token, url.Values{"zone": {"UTC"}})).Status)
}

func TestIdleAndAbsoluteTimeouts(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		b := s.SignedIn("ann", models.Administrator)
		for range 4 {
			s.Later(14 * time.Minute)
			require.Equal(t, http.StatusOK, b.Get("/").Status, "a request keeps the session")
		}
		poll := func() *apptest.Answer {
			request := b.Request(http.MethodGet, "/", nil)
			request.Header.Set("Pitboss-Live", "1")
			return b.Send(request)
		}
		s.Later(14 * time.Minute)
		require.Equal(t, http.StatusOK, poll().Status)
		s.Later(2 * time.Minute)
		require.Equal(t, http.StatusUnauthorized, poll().Status, "polling does not keep the session")

		require.Equal(t, http.StatusSeeOther, b.SignIn("ann", apptest.Password).Status)
		for range 51 {
			s.Later(14 * time.Minute)
			require.Equal(t, http.StatusOK, b.Get("/").Status)
		}
		s.Later(8 * time.Minute)
		require.Equal(t, http.StatusSeeOther, b.Get("/").Status, "after twelve hours the session ends, however busy")
	})
}

func TestRevocation(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		desk := s.SignedIn("ann", models.Administrator)
		phone := s.Browser("198.51.100.2")
		phone.SignIn("ann", apptest.Password)
		require.Equal(t, 2, desk.Get("/account").Find("tbody tr").Length())
		require.Equal(t, "/signin", desk.Post("/account", "/account/sessions/revocation", nil).Location)
		require.Equal(t, http.StatusSeeOther, phone.Get("/").Status)
		require.Equal(t, http.StatusSeeOther, desk.Get("/").Status)

		// Saving a session that was revoked in the middle of a request does not restore it.
		desk.SignIn("ann", apptest.Password)
		row, _, found, err := s.Store.StaffSession(t.Context(), s.SessionHash(cookieOf(desk, "session")))
		require.NoError(t, err)
		require.True(t, found)
		require.NoError(t, s.Store.EndStaffSession(t.Context(), row.Hash))
		there, err := s.Store.SaveStaffSession(t.Context(), row.Hash, "{}", row.MAC)
		require.NoError(t, err)
		require.False(t, there)
		require.Equal(t, http.StatusSeeOther, desk.Get("/").Status)
	})
}

// TestLock makes people who guess passwords wait, and nobody else.
func TestLock(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		known := s.SignedIn("ann", models.Administrator)
		guesser := s.Browser("203.0.113.66")
		for i := range 5 {
			require.Contains(t, guesser.SignIn("ann", "guess "+strconv.Itoa(i)).Find(".pb-form").Text(), "do not match")
		}
		locked := guesser.SignIn("ann", apptest.Password)
		require.Equal(t, http.StatusUnprocessableEntity, locked.Status, "even the right password has to wait")
		require.Contains(t, locked.Find("[role=alert]").Text(), "Too many failed attempts")
		require.NotEmpty(t, locked.Header.Get("Retry-After"))

		// The owner's browser and sessions do not have to wait, nor do other accounts or another stranger.
		require.Equal(t, http.StatusOK, known.Get("/").Status)
		known.Post("/", "/signout", nil)
		require.Equal(t, "/", known.SignIn("ann", apptest.Password).Location)
		s.Hire("bob", models.Finance)
		require.Equal(t, "/", guesser.SignIn("bob", apptest.Password).Location)
		require.Equal(t, "/", s.Browser("198.51.100.77").SignIn("ann", apptest.Password).Location)

		// Failures from many addresses lock the account for strangers, but not for known browsers and addresses.
		for i := range 20 {
			s.Browser("203.0.113."+strconv.Itoa(100+i)).SignIn("ann", "guess")
		}
		require.Contains(t, s.Browser("203.0.113.200").SignIn("ann", apptest.Password).Find("[role=alert]").Text(), "Too many")
		known.Post("/", "/signout", nil)
		require.Equal(t, "/", known.SignIn("ann", apptest.Password).Location, "a known browser")
		nearby := s.Browser("198.51.100.1")
		require.Equal(t, "/", nearby.SignIn("ann", apptest.Password).Location, "a known address")

		// An administrator can lift the lock.
		ann, _, err := s.Store.StaffNamed(t.Context(), "ann")
		require.NoError(t, err)
		page := known.Get(staff.StaffPath(ann.ID))
		require.Contains(t, page.Text(), "Sign-in is slowed down")
		require.Equal(t, http.StatusSeeOther, known.Post(staff.StaffPath(ann.ID), staff.StaffPath(ann.ID)+"/unlock", nil).
			Status)
		require.Equal(t, "/", s.Browser("203.0.113.201").SignIn("ann", apptest.Password).Location)
	})
}

func TestLockEnds(t *testing.T) {
	s := apptest.SqliteSite(t)
	s.Hire("ann", models.Administrator)
	b := s.Browser("203.0.113.5")
	for range 5 {
		b.SignIn("ann", "guess")
	}
	require.Contains(t, b.SignIn("ann", apptest.Password).Body, "Too many")
	s.Later(31 * time.Second)
	require.Contains(t, b.SignIn("ann", "guess").Body, "do not match")
	s.Later(31 * time.Second)
	require.Contains(t, b.SignIn("ann", apptest.Password).Body, "Too many", "the second wait is longer")
	s.Later(30 * time.Second)
	require.Equal(t, "/", b.SignIn("ann", apptest.Password).Location)
}

// TestManyTriesAtOnce: simultaneous attempts count like attempts one after another.
func TestManyTriesAtOnce(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.Hire("ann", models.Administrator)
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
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		b := s.SignedIn("ann", models.Administrator)
		secret := strings.ReplaceAll(b.Get("/account/second-factor").Find(".pb-steps .id").Text(), " ", "")
		require.Len(t, secret, 32)
		picture := b.Get("/account/second-factor/qr.png")
		require.Equal(t, "image/png", picture.Header.Get("Content-Type"))
		require.Equal(t, "no-store", picture.Header.Get("Cache-Control"))

		refused := b.Post("/account/second-factor", "/account/second-factor", url.Values{"code": {"000000"}})
		require.Equal(t, http.StatusUnprocessableEntity, refused.Status)
		require.Equal(t, secret, strings.ReplaceAll(refused.Find(".pb-steps .id").Text(), " ", ""), "the secret stays the same")
		code := s.TotpCode(secret)
		setUp := b.Post("/account/second-factor", "/account/second-factor", url.Values{"code": {code}})
		require.Equal(t, http.StatusOK, setUp.Status)
		var codes []string
		setUp.Find(".pb-recovery li").Each(func(_ int, li *goquery.Selection) { codes = append(codes, li.Text()) })
		require.Len(t, codes, credentials.RecoveryCodes)

		other := s.Browser("198.51.100.2")
		require.Equal(t, "/signin/code", other.SignIn("ann", apptest.Password).Location)
		require.Equal(t, "/signin/code", other.Get("/staff").Location, "half signed in is not signed in")
		used := other.Post("/signin/code", "/signin/code", url.Values{"code": {code}})
		require.Equal(t, http.StatusUnprocessableEntity, used.Status, "the code that set it up is used up")
		s.Later(time.Minute)
		code = s.TotpCode(secret)
		require.Equal(t, "/", other.Post("/signin/code", "/signin/code",
			url.Values{"code": {" " + code[:3] + " " + code[3:]}}).Location)
		require.Equal(t, http.StatusOK, other.Get("/staff").Status)

		// A recovery code works once, like one of the phone's codes.
		for i, want := range []int{http.StatusSeeOther, http.StatusUnprocessableEntity} {
			lost := s.Browser("198.51.100.3")
			require.Equal(t, "/signin/code", lost.SignIn("ann", apptest.Password).Location)
			require.Equal(t, want, lost.Post("/signin/code", "/signin/code", url.Values{"code": {strings.ToUpper(codes[0])}}).
				Status, "use %d", i+1)
		}
		require.Contains(t, other.Get("/account").Text(), "9 of 10 recovery codes left")

		// Whoever guesses codes has to wait, as with passwords.
		thief := s.Browser("203.0.113.7")
		waited := false
		for range 8 {
			if thief.SignIn("ann", apptest.Password).Location != "/signin/code" {
				waited = true
				break
			}
			thief.Post("/signin/code", "/signin/code", url.Values{"code": {"123456"}})
		}
		require.True(t, waited)
	})
}

func TestSecondFactorRequiredByRole(t *testing.T) {
	s := apptest.SqliteSite(t)
	admin := s.SignedIn("ann", models.Administrator)
	finance := s.SignedIn("bob", models.Finance)
	rules := apptest.PasswordAlone
	rules.SecondFactorRoles = []models.Role{models.Finance}
	require.NoError(t, s.Store.SetSignInRules(t.Context(), models.System, rules))

	require.Equal(t, "/account/second-factor", finance.Get("/").Location)
	require.Equal(t, "/account/second-factor", finance.Get("/staff").Location)
	page := finance.Get("/account/second-factor")
	require.Contains(t, page.Text(), "Your role requires a second factor")
	require.Zero(t, page.Find(".pb-nav").Length())
	secret := strings.ReplaceAll(page.Find(".pb-steps .id").Text(), " ", "")
	require.Equal(t, http.StatusOK,
		finance.Post("/account/second-factor", "/account/second-factor", url.Values{"code": {s.TotpCode(secret)}}).Status)
	require.Equal(t, http.StatusOK, finance.Get("/").Status)
	require.Equal(t, http.StatusOK, admin.Get("/").Status, "other roles go on as before")
}

func TestClientAddress(t *testing.T) {
	s := apptest.SqliteSite(t)
	s.SignedIn("ann", models.Administrator)
	forged := s.Browser("1.2.3.4, 198.51.100.44")
	forged.SignIn("ann", apptest.Password)
	require.Contains(t, forged.Get("/account").Text(), "198.51.100.44",
		"anything before the trusted proxy's own entry is the client's invention")
	require.NotContains(t, forged.Get("/account").Text(), "1.2.3.4")
}

// TestPasswordsAreHashedStrongly compares the program's parameters with the recommended minimum (see password.go).
func TestPasswordsAreHashedStrongly(t *testing.T) {
	require.GreaterOrEqual(t, apptest.StrongHashing.Memory, uint32(19*1024))
	require.GreaterOrEqual(t, apptest.StrongHashing.Iterations, uint32(2))
	require.GreaterOrEqual(t, apptest.StrongHashing.SaltLength, uint32(16))
}
