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
	"pitboss/app/pages/staff"
	"pitboss/models"
)

// held sends somebody's form, calls meanwhile while the form's password waits to be compared, and returns the form's answer.
func (b *browser) held(username, from, path string, form url.Values, meanwhile func()) *answer {
	b.t.Helper()
	s := b.site
	form.Set("csrf", b.token(from))
	for range cap(s.Hashing) {
		s.Hashing <- struct{}{}
	}
	before := failures(s, username)
	answered := make(chan *answer, 1)
	go func() { answered <- b.send(b.request(http.MethodPost, path, form)) }()
	// An attempt is counted before its password is compared. The request of somebody who is signed in has read the account by
	// then; a sign-in reads it only afterwards.
	require.Eventually(b.t, func() bool { return failures(s, username) > before }, 20*time.Second, time.Millisecond)
	meanwhile()
	for range cap(s.Hashing) {
		<-s.Hashing
	}
	return <-answered
}

// One customer of an internet provider has 2^64 addresses. They count as one.
func TestAttackGuessesFromOneNetwork(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		s.hire("ann", models.Administrator)
		for i := range 5 {
			s.browser(fmt.Sprintf("2001:db8:1:2:%x::%x", i, i+1)).signIn("ann", "guess")
		}
		require.Contains(t, s.browser("2001:db8:1:2::99").signIn("ann", password).text, "Too many failed attempts")
		home := s.browser("2001:db8:1:3::1")
		require.Equal(t, "/", home.signIn("ann", password).location)
		for i := range 40 {
			s.browser(fmt.Sprintf("2001:db8:9:9::%x", i)).signIn(fmt.Sprint("name", i), "guess")
		}
		require.Contains(t, s.browser("2001:db8:9:9::ffff").signIn("new", "guess").text, "Too many failed attempts")
		require.Equal(t, "/", s.browser("2001:db8:1:3::abc").signIn("ann", password).location, "a known network")
	})
}

// Strangers who try passwords from many networks are turned away at once, and staff whose browsers are known sign in.
func TestAttackSignInsFillTheQueue(t *testing.T) {
	s := sqliteSite(t)
	known := s.signedIn("ann", models.Administrator)
	known.post("/", "/signout", nil)
	for range cap(s.Hashing) {
		s.Hashing <- struct{}{}
	}
	const tries = 60
	answers := make(chan string, tries)
	for i := range tries {
		stranger := s.browser(fmt.Sprintf("203.0.113.%d", i+1))
		go func() { answers <- stranger.signIn(fmt.Sprint("name", i), "guess").text }()
	}
	turnedAway := 0
	for ; strings.Contains(<-answers, "Too many people are signing in"); turnedAway++ {
		if turnedAway == tries/2 {
			break
		}
	}
	require.Equal(t, tries/2, turnedAway, "they wait in line without a bound")
	signed := make(chan string)
	go func() { signed <- known.signIn("ann", password).location }()
	for range cap(s.Hashing) {
		<-s.Hashing
	}
	require.Equal(t, "/", <-signed)
	for range tries - turnedAway - 1 {
		<-answers
	}
}

func failures(s *site, username string) int {
	lock, err := s.Store.SignInLock(s.t.Context(), username)
	require.NoError(s.t, err)
	return lock.Failures
}

// reset has an administrator make a link for a colleague, as the pages do.
func (s *site) reset(username string) {
	s.t.Helper()
	require.NoError(s.t, s.Store.MakeStaffLink(s.t.Context(), models.System, models.StaffLink{
		StaffID: mustBe(s.t, s, username).ID, Hash: "hash", Delivery: models.LinkShown, ExpiresAt: s.Now().Add(time.Hour),
	}))
}

// Somebody who knows a password has requests under way while an administrator resets the account. After the reset, none of them
// can leave a password, a second factor or recovery codes of their choice, or a session.
func TestAttackRequestOutlivesReset(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		const stolen = "stolen copper window"
		thief := s.signedIn("jonas", models.Finance)
		change := url.Values{"current": {password}, "new": {stolen}, "repeat": {stolen}}
		late := thief.held("jonas", "/account", "/account/password", change, func() { s.reset("jonas") })
		require.Equal(t, http.StatusUnauthorized, late.status, late.text)
		require.Empty(t, mustBe(t, s, "jonas").PasswordHash, "the reset stays in effect")
		require.Equal(t, http.StatusSeeOther, thief.get("/").status)

		// The same if the reset comes after the password was compared, when only the last statements of the request are left.
		by, id := models.Actor{Name: "fay", Channel: models.ChannelBrowser}, s.hire("fay", models.Finance).ID
		thief = s.browser("198.51.100.66")
		require.Equal(t, "/", thief.signIn("fay", password).location)
		_, kept := thief.enroll()
		before := mustBe(t, s, "fay")
		ended := s.SessionHash(thief.cookie("session"))
		s.reset("fay")
		for name, err := range map[string]error{
			"password": s.Store.SetStaffPassword(t.Context(), by, id, passwordHash(), ended),
			"second factor": s.Store.SetStaffTOTP(t.Context(), by, id,
				models.SecondFactor{Sealed: "sealed", Step: 1, Codes: []string{"code"}}, ended),
			"removal":        s.Store.ClearStaffTOTP(t.Context(), by, id, ended),
			"recovery codes": s.Store.SetRecoveryCodes(t.Context(), by, id, []string{"code"}, ended),
		} {
			require.ErrorIs(t, err, models.ErrSessionEnded, name)
		}
		require.Empty(t, mustBe(t, s, "fay").PasswordHash)
		require.Equal(t, before.TOTPSecret, mustBe(t, s, "fay").TOTPSecret)
		used, err := s.Store.UseRecoveryCode(t.Context(), by, id, credentials.RecoveryHash(kept[0]))
		require.NoError(t, err)
		require.True(t, used, "the codes are as they were")
	})
}

// A password that was right when a sign-in began creates no session if the account has been reset, disabled or given another
// role.
func TestAttackSignInOutlivesReset(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		for username, meanwhile := range map[string]func(id int64){
			"jonas": func(int64) { s.reset("jonas") },
			"kim": func(id int64) {
				require.NoError(t, s.Store.SetStaffRole(t.Context(), models.System, id, models.Support))
			},
		} {
			s.hire(username, models.Finance)
			before := mustBe(t, s, username)
			meanwhile(before.ID)
			session := models.StaffSession{Hash: "of " + username, StaffID: before.ID, CreatedAt: s.Now(),
				ExpiresAt: s.Now().Add(time.Hour)}
			require.ErrorIs(t, s.Store.CreateStaffSession(t.Context(), session, before), models.ErrSessionEnded, username)
		}
		s.hire("fay", models.Finance)
		thief := s.browser("198.51.100.66")
		late := thief.held("fay", "/signin", "/signin", url.Values{"username": {"fay"}, "password": {password}},
			func() { s.reset("fay") })
		require.NotEqual(t, http.StatusSeeOther, late.status)
		list, err := s.Store.StaffSessions(t.Context(), mustBe(t, s, "fay").ID)
		require.NoError(t, err)
		require.Empty(t, list)
	})
}

// Neither the badge of a correction nor a count says that it waits for a reader who may not approve it.
func TestTiedCorrectionsWaitForAnother(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		s.stranded("anna", "bet", 10000, 2500)
		jonas, ann := s.signedIn("jonas", models.Finance), s.signedIn("ann", models.Administrator)
		sofia := s.signedIn("sofia", models.Support)
		jonasID := mustBe(t, s, "jonas").ID
		s.hire("mira", models.Finance)
		require.Equal(t, http.StatusSeeOther,
			ann.post(staff.StaffPath(jonasID)+"/email", staff.StaffPath(jonasID)+"/email",
				url.Values{"email": {"jonas@casino.example"}}).
				status)
		path := sofia.postCredit(password).location
		waits := func() string { return text(jonas.get("/"), ".pb-nav a[href='/corrections'] .n") }
		require.Contains(t, waits(), "1 waiting")
		require.Equal(t, "Waiting for you", text(jonas.get(path), ".pb-confirm .badge"))

		sofiaID := mustBe(t, s, "sofia").ID
		require.Equal(t, http.StatusSeeOther,
			ann.post(staff.StaffPath(sofiaID)+"/email", staff.StaffPath(sofiaID)+"/email",
				url.Values{"email": {"sofia@casino.example"}}).
				status)
		require.Empty(t, waits())
		page := jonas.get(path)
		require.Equal(t, "Waiting for somebody else", text(page, ".pb-confirm .badge"))
		require.Equal(t, "Waiting for somebody else 1", text(page, "#g-tied"))
		require.Zero(t, page.Find("#g-waiting").Length())
		require.Contains(t, jonas.get("/corrections/all").Text(), "Waiting for somebody else")
		require.Contains(t, text(jonas.get("/corrections"), ".pb-empty"), "Nothing is waiting for you")
		mira := s.browser("198.51.100.9")
		require.Equal(t, "/", mira.signIn("mira", password).location)
		require.Contains(t, text(mira.get("/"), ".pb-nav a[href='/corrections'] .n"), "1 waiting")
	})
}

// Nor does a change wait for a reader who may not approve it.
func TestTiedChangesWaitForAnother(t *testing.T) {
	s := sqliteSite(t)
	ann, eve := s.signedIn("ann", models.Administrator), s.signedIn("eve", models.Administrator)
	require.Equal(t, http.StatusSeeOther,
		ann.post("/settings", "/settings/two-people", url.Values{"days": {"14"}, "days-reason": {"Our shifts."}}).status)
	waits := func() string { return text(eve.get("/"), ".pb-nav a[href='/settings'] .n") }
	require.Contains(t, waits(), "1 waiting")
	annID := mustBe(t, s, "ann").ID
	require.Equal(t, http.StatusSeeOther,
		eve.post(staff.StaffPath(annID)+"/email", staff.StaffPath(annID)+"/email", url.Values{"email": {"ann@casino.example"}}).
			status)
	require.Empty(t, waits())
}

// An administrator does something that others should see, and then a hundred things that do not matter. Marking those as seen
// hides nothing: the first stays until it has been shown.
func TestAttackAlertsFlooded(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		eve := s.signedIn("eve", models.Administrator)
		s.hire("ann", models.Administrator)
		id := s.hire("jonas", models.Finance).ID
		by := models.Actor{Name: "ann", Channel: models.ChannelBrowser}
		require.NoError(t, s.Store.ResetStaffTOTP(t.Context(), by, id))
		for n := range staff.MostAlerts {
			require.NoError(t, s.Store.UnlockSignIn(t.Context(), by, id))
			require.NoError(t, s.Store.SetExportHours(t.Context(), by, n%12+1))
		}
		page := eve.get("/staff/changes")
		require.Equal(t, 1, strings.Count(page.Text(), "Second factor reset: jonas"))
		require.Equal(t, 1, strings.Count(page.Text(), "to get the next ones"))
		for range 2 {
			page = eve.get("/staff/changes")
			newest := page.Find("input[name=newest]").AttrOr("value", "")
			require.Equal(t, http.StatusSeeOther,
				eve.post("/staff/changes", "/staff/changes/seen", url.Values{"newest": {newest}}).status)
		}
		require.Contains(t, eve.get("/staff/changes").Text(), "Nothing new")
	})
}

// At the command line people can give any name. The administrator whose name was used is told what was done under it.
func TestAttackCommandLineInAnothersName(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		eve := s.signedIn("eve", models.Administrator)
		id := s.hire("jonas", models.Finance).ID
		by := models.Actor{Name: "eve", Channel: models.ChannelCommandLine, OSUser: "deploy"}
		require.NoError(t, s.Store.ResetStaffTOTP(t.Context(), by, id))
		page := eve.get("/staff/changes")
		require.Contains(t, page.Text(), "Second factor reset: jonas")
		require.Contains(t, page.Text(), "command line")
		require.NoError(t, s.Store.UnlockSignIn(t.Context(), models.Actor{Name: "eve", Channel: models.ChannelBrowser}, id))
		require.NotContains(t, eve.get("/staff/changes").Text(), "unlocked")
	})
}

// An administrator keeps a link until the two-person rule's period is nearly over, and then uses it. That starts the period
// again.
func TestAttackLinkUsedAfterThePeriod(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		rules := passwordAlone
		rules.LinkHours = 168
		require.NoError(t, s.Store.SetSignInRules(t.Context(), models.System, rules))
		ann := s.signedIn("ann", models.Administrator)
		jonas, annID := s.hire("jonas", models.Finance), mustBe(t, s, "ann").ID
		s.ForgetRules()
		path := staff.StaffPath(jonas.ID) + "/password"
		code := linkCode(t, ann.post(path, path, url.Values{"password": {password}}))
		s.later(168*time.Hour - time.Minute)
		theirs := s.browser("198.51.100.30")
		require.Contains(t, theirs.usesLink(code, chosenPassword).Find("h1").Text(), "Your password is set")
		s.later(2 * time.Minute)
		ties, err := s.Store.Ties(t.Context())
		require.NoError(t, err)
		require.Error(t, ties.Between(annID, jonas.ID))
		s.later(7 * 24 * time.Hour)
		ties, err = s.Store.Ties(t.Context())
		require.NoError(t, err)
		require.NoError(t, ties.Between(annID, jonas.ID))
	})
}
