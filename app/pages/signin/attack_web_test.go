package signin_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/credentials"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// sendHeldBack sends somebody's form, calls meanwhile while the form's password is waiting to be compared, and returns the
// answer.
func sendHeldBack(b *apptest.Browser, username, from, path string, form url.Values, meanwhile func()) *apptest.Answer {
	b.T.Helper()
	s := b.Site
	form.Set("csrf", b.Token(from))
	for range cap(s.Hashing) {
		s.Hashing <- struct{}{}
	}
	before := failures(s, username)
	answered := make(chan *apptest.Answer, 1)
	go func() { answered <- b.Send(b.Request(http.MethodPost, path, form)) }()
	// An attempt is counted before its password is compared. By then, a request from somebody who is signed in has read the
	// account; a sign-in reads it only afterwards.
	require.Eventually(b.T, func() bool { return failures(s, username) > before }, time.Minute, time.Millisecond)
	meanwhile()
	for range cap(s.Hashing) {
		<-s.Hashing
	}
	return <-answered
}

// A single customer of an internet provider has 2^64 addresses, which count as one.
func TestAttackGuessesFromOneNetwork(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.Hire("ann", models.Administrator)
		for i := range 5 {
			s.Browser(fmt.Sprintf("2001:db8:1:2:%x::%x", i, i+1)).SignIn("ann", "guess")
		}
		require.Contains(t, s.Browser("2001:db8:1:2::99").SignIn("ann", apptest.Password).Body, "Too many failed attempts")
		home := s.Browser("2001:db8:1:3::1")
		require.Equal(t, "/", home.SignIn("ann", apptest.Password).Location)
		for i := range 40 {
			s.Browser(fmt.Sprintf("2001:db8:9:9::%x", i)).SignIn(fmt.Sprint("name", i), "guess")
		}
		require.Contains(t, s.Browser("2001:db8:9:9::ffff").SignIn("new", "guess").Body, "Too many failed attempts")
		require.Equal(t, "/", s.Browser("2001:db8:1:3::abc").SignIn("ann", apptest.Password).Location, "a known network")
	})
}

// Strangers who try passwords from many networks are turned away at once, while staff with known browsers can sign in.
func TestAttackSignInsFillTheQueue(t *testing.T) {
	s := apptest.SqliteSite(t)
	known := s.SignedIn("ann", models.Administrator)
	known.Post("/", "/signout", nil)
	for range cap(s.Hashing) {
		s.Hashing <- struct{}{}
	}
	const tries = 60
	answers := make(chan string, tries)
	for i := range tries {
		stranger := s.Browser(fmt.Sprintf("203.0.113.%d", i+1))
		go func() { answers <- stranger.SignIn(fmt.Sprint("name", i), "guess").Body }()
	}
	turnedAway := 0
	for ; strings.Contains(<-answers, "Too many people are signing in"); turnedAway++ {
		if turnedAway == tries/2 {
			break
		}
	}
	require.Equal(t, tries/2, turnedAway, "they wait in line without a bound")
	signed := make(chan string)
	go func() { signed <- known.SignIn("ann", apptest.Password).Location }()
	for range cap(s.Hashing) {
		<-s.Hashing
	}
	require.Equal(t, "/", <-signed)
	for range tries - turnedAway - 1 {
		<-answers
	}
}

func failures(s *apptest.Site, username string) int {
	lock, err := s.Store.SignInLock(s.T.Context(), username)
	require.NoError(s.T, err)
	return lock.Failures
}

// resetPassword has an administrator make a link for a colleague, as the pages would.
func resetPassword(s *apptest.Site, username string) {
	s.T.Helper()
	require.NoError(s.T, s.Store.MakeStaffLink(s.T.Context(), models.System, models.StaffLink{
		StaffID: apptest.StaffNamed(s.T, s, username).ID, Hash: "hash", Delivery: models.LinkShown,
		ExpiresAt: s.Now().Add(time.Hour),
	}))
}

// Somebody who knows a password has requests in progress while an administrator resets the account. After the reset, these
// requests can leave neither a session nor a password, second factor or recovery codes of their choice.
func TestAttackRequestOutlivesReset(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		const stolen = "stolen copper window"
		thief := s.SignedIn("jonas", models.Finance)
		change := url.Values{"current": {apptest.Password}, "new": {stolen}, "repeat": {stolen}}
		late := sendHeldBack(thief, "jonas", "/account", "/account/password", change, func() { resetPassword(s, "jonas") })
		require.Equal(t, http.StatusUnauthorized, late.Status, late.Body)
		require.Empty(t, apptest.StaffNamed(t, s, "jonas").PasswordHash, "the reset stays in effect")
		require.Equal(t, http.StatusSeeOther, thief.Get("/").Status)

		// The same is true if the reset comes after the password was compared, when only the request's last statements remain.
		by, id := models.Actor{Name: "fay", Channel: models.ChannelBrowser}, s.Hire("fay", models.Finance).ID
		thief = s.Browser("198.51.100.66")
		require.Equal(t, "/", thief.SignIn("fay", apptest.Password).Location)
		_, kept := thief.Enroll()
		before := apptest.StaffNamed(t, s, "fay")
		ended := s.SessionHash(cookieOf(thief, "session"))
		resetPassword(s, "fay")
		for name, err := range map[string]error{
			"password": s.Store.SetStaffPassword(t.Context(), by, id, apptest.PasswordHash(), ended),
			"second factor": s.Store.SetStaffTOTP(t.Context(), by, id,
				models.SecondFactor{Sealed: "sealed", Step: 1, Codes: []string{"code"}}, ended),
			"removal": s.Store.ClearStaffTOTP(t.Context(), by, id, ended),
		} {
			require.ErrorIs(t, err, models.ErrSessionEnded, name)
		}
		require.Empty(t, apptest.StaffNamed(t, s, "fay").PasswordHash)
		require.Equal(t, before.TOTPSecret, apptest.StaffNamed(t, s, "fay").TOTPSecret)
		used, err := s.Store.UseRecoveryCode(t.Context(), by, id, credentials.RecoveryHash(kept[0]))
		require.NoError(t, err)
		require.True(t, used, "the codes are as they were")
	})
}

// A password that was right when a sign-in began creates no session if the account has since been reset, disabled or given
// another role.
func TestAttackSignInOutlivesReset(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		for username, meanwhile := range map[string]func(id int64){
			"jonas": func(int64) { resetPassword(s, "jonas") },
			"kim": func(id int64) {
				require.NoError(t, s.Store.SetStaffRole(t.Context(), models.System, id, models.Support))
			},
		} {
			s.Hire(username, models.Finance)
			before := apptest.StaffNamed(t, s, username)
			meanwhile(before.ID)
			session := models.StaffSession{Hash: "of " + username, StaffID: before.ID, CreatedAt: s.Now(),
				ExpiresAt: s.Now().Add(time.Hour)}
			require.ErrorIs(t, s.Store.CreateStaffSession(t.Context(), session, before), models.ErrSessionEnded, username)
		}
		s.Hire("fay", models.Finance)
		thief := s.Browser("198.51.100.66")
		late := sendHeldBack(thief, "fay", "/signin", "/signin",
			url.Values{"username": {"fay"}, "password": {apptest.Password}},
			func() { resetPassword(s, "fay") })
		require.NotEqual(t, http.StatusSeeOther, late.Status)
		list, err := s.Store.StaffSessions(t.Context(), apptest.StaffNamed(t, s, "fay").ID)
		require.NoError(t, err)
		require.Empty(t, list)
	})
}

// At the command line, people can give any name. The administrator whose name was used is notified of what was done.
func TestAttackCommandLineInAnothersName(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.Hire("eve", models.Administrator)
		id := s.Hire("jonas", models.Finance).ID
		require.NoError(t, s.Store.SetStaffEmail(t.Context(), models.System, apptest.StaffNamed(t, s, "eve").ID, "eve@casino.example"))
		for channel, told := range map[models.Channel][]string{models.ChannelCommandLine: {"eve@casino.example"}, models.ChannelBrowser: nil} {
			require.NoError(t, s.Store.ResetStaffTOTP(t.Context(), models.Actor{Name: "eve", Channel: channel}, id, "lost phone"))
			events, err := s.Store.AuditEvents(t.Context(), models.AuditFilter{Action: "staff second factor reset", Span: models.Span{Limit: 1}})
			require.NoError(t, err)
			readers, err := s.Store.NoticeReaders(t.Context(), models.Notice{Kind: models.NoticeStaff, EventID: events.Rows[0].ID})
			require.NoError(t, err)
			require.ElementsMatch(t, told, readers)
		}
	})
}

// cookieOf returns the value of a cookie in the browser.
func cookieOf(b *apptest.Browser, name string) string {
	for _, c := range b.Client.Jar.Cookies(b.Site.Base) {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}
