package app

import (
	"bufio"
	"database/sql"
	"fmt"
	"net"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/notices"
	"pitboss/app/pages/staff"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/models/store/storetest"
)

// alterDB changes a database as somebody with write access could.
func alterDB(t *testing.T, dbURL, query string, args ...any) {
	t.Helper()
	driver, dsn, _ := strings.Cut(dbURL, "://")
	if driver == "sqlite" {
		dsn = "file:" + dsn + "?_pragma=busy_timeout(20000)"
	}
	db, err := sql.Open(driver, dsn)
	require.NoError(t, err)
	defer db.Close()
	done, err := db.ExecContext(t.Context(), query, args...)
	require.NoError(t, err)
	n, err := done.RowsAffected()
	require.NoError(t, err)
	require.Positive(t, n)
}

// linkCode returns the code in the link that a page shows.
func linkCode(t testing.TB, page *answer) string {
	t.Helper()
	require.Equal(t, http.StatusOK, page.status, page.text)
	link, err := url.Parse(page.Find(".pb-link-code .id").Text())
	require.NoError(t, err)
	require.NotEmpty(t, link.Fragment, page.text)
	require.NotContains(t, strings.TrimSuffix(link.String(), link.Fragment), link.Fragment)
	return link.Fragment
}

// usesLink sets a password with a link.
func (b *browser) usesLink(code, chosen string) *answer {
	b.t.Helper()
	return b.post("/link", "/link", url.Values{"code": {code}, "new": {chosen}, "repeat": {chosen}})
}

const chosenPassword = "second copper window"

// hired does what hires does; another administrator has also confirmed the account.
func (b *browser) hired(username string, role models.Role) *browser {
	b.t.Helper()
	theirs := b.hires(username, role)
	storetest.Confirm(b.t, b.site.Store, username)
	return theirs
}

// hires returns a colleague whom an administrator has created, and who has set a password with the link that was shown.
func (b *browser) hires(username string, role models.Role) *browser {
	b.t.Helper()
	page := b.post("/staff/new", "/staff",
		url.Values{"username": {username}, "name": {username}, "role": {string(role)}, "password": {password}})
	theirs := b.site.browser("198.51.100.30")
	require.Contains(b.t, theirs.usesLink(linkCode(b.t, page), chosenPassword).Find("h1").Text(), "Your password is set")
	require.Equal(b.t, "/", theirs.signIn(username, chosenPassword).location)
	return theirs
}

// A new colleague sets their own password with a link that works once, and that only the page has.
func TestNewStaffSetTheirPassword(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		s := newSite(t, dbURL)
		admin := s.signedIn("ann", models.Administrator)
		form := url.Values{"username": {"Carla.Diaz"}, "name": {"Carla Díaz"}, "role": {"bonus"}}
		made := admin.post("/staff/new", "/staff", form)
		code := linkCode(t, made)
		require.Contains(t, made.Text(), "no mail server is set up")
		taken := admin.post("/staff/new", "/staff", form)
		require.Equal(t, http.StatusUnprocessableEntity, taken.status)
		require.Contains(t, taken.Find("#f-username-wrong").Text(), "taken")
		require.Equal(t, "Carla Díaz", taken.Find("#f-name").AttrOr("value", ""), "what was typed stays")
		member := mustBe(t, s, "carla.diaz")
		require.Empty(t, member.PasswordHash)
		require.NotContains(t, dump(t, dbURL), strings.SplitN(code, ".", 2)[1])
		events, _, err := s.Store.AuditEvents(t.Context(),
			models.AuditFilter{Object: "staff", ObjectID: fmt.Sprint(member.ID), Limit: 9})
		require.NoError(t, err)
		require.Contains(t, events[0].After, `"delivery":"shown"`)

		carla := s.browser("198.51.100.4")
		require.Equal(t, http.StatusUnprocessableEntity, carla.signIn("carla.diaz", "").status,
			"no password is not an empty one")
		page := carla.get("/link")
		require.Equal(t, "no-referrer", page.header.Get("Referrer-Policy"))
		requireNothingInline(t, page)
		for why, chosen := range map[string]string{"12 characters": "short", "easy to guess": "Password123456!",
			"username": "carla.diaz-has-a-password"} {
			answer := carla.usesLink(code, chosen)
			require.Equal(t, http.StatusUnprocessableEntity, answer.status, chosen)
			require.Contains(t, answer.Find("#f-new-wrong").Text(), why)
		}
		require.Contains(t, carla.post("/link", "/link",
			url.Values{"code": {code}, "new": {chosenPassword}, "repeat": {"another one"}}).Find("#f-repeat-wrong").Text(),
			"The two passwords differ")
		other := fmt.Sprint(mustBe(t, s, "ann").ID) + code[strings.IndexByte(code, '.'):]
		for _, wrong := range []string{"", "x", "1.", other, code[:len(code)-1], code + "x"} {
			require.Contains(t, carla.usesLink(wrong, chosenPassword).Find("#link-code-wrong").Text(), "This link was used",
				wrong)
		}
		require.Contains(t, carla.usesLink(code, chosenPassword).Text(), "Sign in as carla.diaz")
		require.Contains(t, carla.usesLink(code, "third copper window").Find("#link-code-wrong").Text(), "This link was used",
			"it works once")
		require.Equal(t, "/", carla.signIn("carla.diaz", chosenPassword).location)

		// A reset ends the password, the sessions and the previous link. A link that has expired does not work.
		path := staff.StaffPath(member.ID)
		first := linkCode(t, admin.post(path+"/password", path+"/password", nil))
		require.Equal(t, http.StatusSeeOther, carla.get("/").status)
		require.Equal(t, http.StatusUnprocessableEntity, carla.signIn("carla.diaz", chosenPassword).status)
		second := linkCode(t, admin.post(path+"/password", path+"/password", nil))
		require.Contains(t, carla.usesLink(first, "third copper window").Text(), "replaced by a newer one")
		require.Contains(t, carla.usesLink(second, chosenPassword).Find("#f-new-wrong").Text(), "used this password before")
		s.later(25 * time.Hour)
		require.Contains(t, carla.usesLink(second, "third copper window").Text(), "has expired")
	})
}

// An administrator with two accounts of their own making counts as one person, whichever account they use.
func TestAttackTwoAccountsOfOneAdministrator(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		s.stranded("anna", "bet", 10000, 2500)
		honest := s.signedIn("jonas", models.Finance)
		ann := s.signedIn("ann", models.Administrator)
		support, finance := ann.hired("sock-one", models.Support), ann.hired("sock-two", models.Finance)
		page := support.postCredit(chosenPassword)
		path := page.location
		shown := finance.get(path)
		require.Contains(t, shown.Find("[aria-label='You cannot approve this']").Text(),
			"Ann made a link that sets the password of sock-one")
		require.Contains(t, shown.Find("[aria-label='You cannot approve this']").Text(),
			"These colleagues can approve it: Jonas")
		require.Zero(t, shown.Find("button:contains('Credit')").Length())
		refused := finance.post(path, path+"/approval",
			url.Values{"after": {"8000"}, "others": {"0"}, "reversed": {"0"}, "similar": {"0"}, "password": {chosenPassword}})
		require.NotEqual(t, http.StatusSeeOther, refused.status)
		require.Contains(t, refused.Text(), "Nothing was booked")
		require.EqualValues(t, 7500, s.balance("anna"))

		// A colleague who is not tied to the maker can approve it.
		require.Equal(t, http.StatusSeeOther, honest.approves(path).status)
		require.EqualValues(t, 8000, s.balance("anna"))

		// After the period they count as two people.
		later := support.postCredit(chosenPassword).location
		s.later(7*24*time.Hour + time.Minute)
		require.Equal(t, "/", finance.signIn("sock-two", chosenPassword).location)
		require.Equal(t, http.StatusSeeOther,
			finance.post(later, later+"/approval",
				url.Values{"after": {"8500"}, "others": {"0"}, "reversed": {"0"}, "similar": {"1"}, "password": {chosenPassword}}).status)
		require.EqualValues(t, 8500, s.balance("anna"))
	})
}

// An administrator who creates two accounts, and waits until they count as two people, can use neither without a second
// administrator, who is not tied to the first.
func TestAttackTwoAccountsAndPatience(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		s.stranded("anna", "bet", 10000, 2500)
		ann := s.signedIn("ann", models.Administrator)
		support, sock := ann.hires("sock-one", models.Support), ann.hires("sock-two", models.Administrator)
		asked := support.post("/corrections/new", "/corrections/new", url.Values{"kind": {"credit"}, "player": {"anna"},
			"amount": {"5.00"}, "reason": {"goodwill"}, "text": {"As agreed."}})
		require.Equal(t, http.StatusForbidden, asked.status)
		s.later(8 * 24 * time.Hour)
		require.Equal(t, "/", support.signIn("sock-one", chosenPassword).location)
		require.Equal(t, "/", sock.signIn("sock-two", chosenPassword).location)
		require.Equal(t, "/", ann.signIn("ann", password).location)
		for _, who := range []*browser{support, sock} {
			require.Contains(t, who.get("/").Find("[aria-label='Your account is not confirmed yet']").Text(),
				"until a second administrator confirms your account")
			role := mustBe(t, s, map[*browser]string{support: "sock-one", sock: "sock-two"}[who]).Role
			for _, r := range s.Routes() {
				if !slices.Contains(web.Grants[r.Needs], role) || strings.HasPrefix(r.Needs.String(), "view ") {
					continue
				}
				answer := who.ask(r, fillIn(r.Path, 1))
				require.Equal(t, http.StatusForbidden, answer.status, nameOf(r))
				require.Contains(t, answer.Find(".pb-error").Text(), "Ask another administrator to confirm your account under Staff")
			}
		}
		require.Zero(t, support.get("/corrections").Find("a[href='/corrections/new']").Length())
		one := mustBe(t, s, "sock-one")
		path := staff.StaffPath(one.ID)
		unconfirmed := func() bool {
			member := mustBe(t, s, "sock-one")
			return member.Unconfirmed()
		}

		// Neither the first administrator nor the second account confirms it.
		shown := ann.get(path)
		require.Contains(t, shown.Find("[aria-label='Not confirmed yet']").Text(),
			"Ann made a link that sets the password of sock-one")
		require.Contains(t, shown.Text(), "pitboss staff link --username sock-one")
		require.Zero(t, shown.Find("a[href$='/confirmation']").Length())
		form := fields(ann.get(path+"/confirmation"), ".pb-confirm", "password", password)
		refused := ann.post("", path+"/confirmation", form)
		require.Equal(t, path, refused.location)
		require.Contains(t, ann.get(path).Find(".pb-flash").Text(), "somebody else must decide")
		two := mustBe(t, s, "sock-two")
		require.ErrorIs(t, s.Store.ConfirmStaff(t.Context(), two.Signer(), one.ID, one.UnconfirmedTie), models.ErrSignerChanged)

		// An administrator whom nobody has changed confirms what they have seen, and nothing else.
		eve := s.signedIn("eve", models.Administrator)
		require.Contains(t, ann.get(path).Find("[aria-label='Not confirmed yet']").Text(), "These colleagues can approve it: Eve")
		require.Contains(t, eve.get("/staff").Text(), "Not confirmed")
		seen := eve.get(path + "/confirmation")
		require.Contains(t, seen.Text(), "Ann made a link that sets the password of sock-one")
		for range 2 { // with requests in between, because idle sessions would end
			s.later(10 * time.Minute)
			ann.get("/")
			eve.get("/")
		}
		require.Equal(t, http.StatusUnprocessableEntity,
			eve.post("", path+"/confirmation", fields(seen, ".pb-confirm", "password", "wrong")).status)
		require.Equal(t, http.StatusSeeOther,
			ann.post(path+"/second-factor", path+"/second-factor", url.Values{"password": {password}}).status)
		moved := eve.post("", path+"/confirmation", fields(seen, ".pb-confirm", "password", password))
		require.Equal(t, path, moved.location)
		require.Contains(t, eve.get(path).Find(".pb-flash").Text(), "The account was changed in the meantime")
		require.Equal(t, "/", support.signIn("sock-one", chosenPassword).location)
		require.Equal(t, http.StatusForbidden, support.get("/corrections/new").status)
		require.Equal(t, path, eve.confirms(path).location)
		require.Equal(t, http.StatusOK, support.get("/corrections/new").status)
		require.Zero(t, eve.get(path).Find("[aria-label='Not confirmed yet']").Length())

		// A change of role, or of who can sign in, has to be confirmed again. Whoever is at the command line confirms.
		for _, act := range []string{"/role", "/password", "/second-factor", "/disable", "/enable"} {
			form := url.Values{"role": {"finance"}, "reason": {"x"}}
			require.Less(t, ann.post(path, path+act, form).status, 400, act)
			require.Equal(t, act != "/disable", unconfirmed(), act)
			if act != "/disable" {
				eve.confirms(path)
			}
			require.False(t, unconfirmed(), act)
		}
		require.Equal(t, path, ann.post(path, path+"/unlock", nil).location)
		require.Equal(t, path, ann.post(path, path+"/email", url.Values{"email": {"s@casino.example"}}).location)
		require.False(t, unconfirmed())
		require.NoError(t, s.Store.ResetStaffTOTP(t.Context(), models.Actor{Name: "ann", Channel: models.ChannelBrowser}, one.ID))
		require.True(t, unconfirmed())
		require.NoError(t,
			s.Store.MakeStaffLink(t.Context(), models.Actor{Name: "otto", Channel: models.ChannelCommandLine, OSUser: "root"},
				models.StaffLink{StaffID: one.ID, Hash: "x", Delivery: models.LinkShown, ExpiresAt: s.Now().Add(time.Hour)}))
		require.False(t, unconfirmed())
		v, err := s.Store.Verify(t.Context(), nil)
		require.NoError(t, err)
		require.True(t, v.OK(), "%+v", v)
	})
}

// confirms confirms what another administrator did to the account with this page.
func (b *browser) confirms(path string) *answer {
	b.t.Helper()
	return b.post("", path+"/confirmation", fields(b.get(path+"/confirmation"), ".pb-confirm", "password", password))
}

// postCredit requests a credit of 5.00 for anna.
func (b *browser) postCredit(secret string) *answer {
	b.t.Helper()
	page := b.post("/corrections/new", "/corrections/new",
		url.Values{"kind": {"credit"}, "player": {"anna"}, "amount": {"5.00"}, "reason": {"goodwill"}, "text": {"As agreed."},
			"another": {"They lost two payments."}})
	require.Equal(b.t, http.StatusOK, page.status, page.text)
	done := b.post("", "/corrections", fields(page, ".pb-confirm", "password", secret))
	require.Equal(b.t, http.StatusSeeOther, done.status, done.text)
	return done
}

// An administrator who resets a colleague, gets the finance role and requests a correction cannot approve it with that
// colleague's account.
func TestAttackResetColleagueApproves(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		s.stranded("anna", "bet", 10000, 2500)
		s.hire("farid", models.Finance)
		ann, eve := s.signedIn("ann", models.Administrator), s.signedIn("eve", models.Administrator)
		farid := mustBe(t, s, "farid")
		for _, act := range []string{"/unlock", "/second-factor"} {
			require.Equal(t, http.StatusSeeOther, ann.post(staff.StaffPath(farid.ID)+act, staff.StaffPath(farid.ID)+act, nil).
				status)
		}
		annID := mustBe(t, s, "ann").ID
		require.Equal(t, http.StatusSeeOther,
			eve.post(staff.StaffPath(annID)+"/role", staff.StaffPath(annID)+"/role", url.Values{"role": {"finance"}}).status)
		storetest.Confirm(t, s.Store, "farid")
		storetest.Confirm(t, s.Store, "ann")
		require.Equal(t, "/", ann.signIn("ann", password).location)
		asked := ann.postCredit(password).location
		finance := s.browser("198.51.100.8")
		require.Equal(t, "/", finance.signIn("farid", password).location)
		shown := finance.get(asked)
		require.Contains(t, shown.Text(), "Ann reset the second factor of Farid")
		require.Contains(t, shown.Text(), "Nobody can approve it before")
		require.Contains(t, finance.approves(asked).Text(), "Nothing was booked")
		require.EqualValues(t, 7500, s.balance("anna"))
		end := finance.post(asked+"/refusal", asked+"/refusal", url.Values{"text": {"Not like this."}})
		require.Equal(t, asked, end.location, "refusing is allowed: it moves no money")
	})
}

// One administrator alone can change neither the limits for acting alone nor the period of the two-person rule.
func TestAttackOneAdministratorRaisesLimits(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		ann, eve := s.signedIn("ann", models.Administrator), s.signedIn("eve", models.Administrator)
		limits := url.Values{"role": {"support"}, "currency": {"EUR"}, "amount": {"1000.00"}, "per_day": {"5000.00"},
			"reason": {"tried"}}
		asked := ann.post("/settings/corrections", "/settings/corrections", limits)
		require.Equal(t, http.StatusSeeOther, asked.status, asked.text)
		held, err := s.Store.CorrectionLimits(t.Context())
		require.NoError(t, err)
		require.Empty(t, held)
		require.Zero(t, ann.get(asked.location).Find("button:contains('Approve')").Length())
		require.Equal(t, http.StatusSeeOther, ann.post(asked.location, asked.location+"/approval", nil).status)
		require.Contains(t, ann.get(asked.location).Text(), "yourself")
		sock := ann.hired("sock", models.Administrator)
		require.Contains(t, sock.get(asked.location).Text(), "You cannot approve this")
		require.Equal(t, http.StatusSeeOther,
			sock.post(asked.location, asked.location+"/approval", url.Values{"password": {chosenPassword}}).status)
		require.ErrorIs(t, s.Store.SetSetting(t.Context(), models.System, string(models.ChangeCorrectionLimits), "{}", ""),
			models.ErrNeedsTwo)
		held, err = s.Store.CorrectionLimits(t.Context())
		require.NoError(t, err)
		require.Empty(t, held)
		again := ann.post("/settings/corrections", "/settings/corrections", limits)
		require.Equal(t, asked.location, again.location, "one at a time")

		require.Contains(t, eve.get("/").Text(), "Change to approve")
		require.Contains(t, eve.get("/settings").Find("#changes").Text(), "Limits for acting alone")
		require.Contains(t, eve.get(asked.location).Find(".pb-ba").Text(), "1,000.00 per correction, 5,000.00 a day")
		require.Equal(t, http.StatusSeeOther, eve.post(asked.location, asked.location+"/approval", nil).status)
		held, err = s.Store.CorrectionLimits(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 100000, held.Of(models.Support, "EUR").Amount)

		period := ann.post("/settings", "/settings/two-people", url.Values{"days": {"1"}, "days-reason": {"Too long."}})
		require.Equal(t, http.StatusSeeOther, period.status, period.text)
		two, err := s.Store.TwoPeople(t.Context())
		require.NoError(t, err)
		require.Equal(t, 7, two.Days)
		require.Equal(t, http.StatusSeeOther, eve.post(period.location, period.location+"/approval", nil).status)
		two, err = s.Store.TwoPeople(t.Context())
		require.NoError(t, err)
		require.Equal(t, 1, two.Days)
		for _, wrong := range []string{"", "0", "366", "x"} {
			refused := ann.post("/settings", "/settings/two-people", url.Values{"days": {wrong}, "days-reason": {"x"}})
			require.Equal(t, http.StatusUnprocessableEntity, refused.status, wrong)
			require.Contains(t, refused.Find("#f-days-wrong").Text(), "1 to 365")
		}
		// Only the administrator who requested a change can withdraw it.
		mine := ann.post("/settings", "/settings/two-people", url.Values{"days": {"30"}, "days-reason": {"x"}})
		require.Equal(t, http.StatusSeeOther, eve.post(mine.location, mine.location+"/withdrawal", nil).status)
		require.Contains(t, eve.get(mine.location).Text(), "Only the person who requested this can withdraw it.")
	})
}

// Changing accounts and limits requires the password again, and every other administrator is told.
func TestChangesOfAccessAskForThePassword(t *testing.T) {
	s := sqliteSite(t)
	ann, eve := s.signedIn("ann", models.Administrator), s.signedIn("eve", models.Administrator)
	bob := s.hire("bob", models.Finance)
	for range 2 { // with requests in between, because idle sessions would end
		s.later(10 * time.Minute)
		require.Equal(t, http.StatusOK, ann.get("/staff").status)
		require.Equal(t, http.StatusOK, eve.get("/staff").status)
	}
	path := staff.StaffPath(bob.ID)
	for at, form := range map[string]url.Values{
		path + "/role": {"role": {"support"}}, path + "/password": {}, path + "/second-factor": {}, path + "/unlock": {},
		path + "/disable": {"reason": {"x"}},
		path + "/enable":  {}, path + "/email": {"email": {"bob@casino.example"}}, "/settings": settingsForm(),
		"/settings/corrections": {"role": {""}, "currency": {""}, "amount": {""}, "per_day": {""}, "reason": {"x"}},
		"/staff":                {"username": {"zoe"}, "name": {"Zoe"}, "role": {"bonus"}},
	} {
		for _, wrong := range []string{"", "not the password"} {
			form.Set("password", wrong)
			form.Del("csrf")
			refused := ann.post("/account", at, form)
			require.Equal(t, http.StatusUnprocessableEntity, refused.status, at)
			require.Contains(t, refused.Text(), "not your password", at)
			require.Equal(t, http.StatusSeeOther,
				eve.post("/account", staff.StaffPath(mustBe(t, s, "ann").ID)+"/unlock", url.Values{"password": {password}}).
					status)
		}
	}
	require.Equal(t, models.Finance, mustBe(t, s, "bob").Role)
	require.Equal(t, http.StatusSeeOther,
		ann.post("/account", path+"/role", url.Values{"role": {"support"}, "password": {password}}).status)
	seen := eve.get("/staff/changes")
	require.Contains(t, seen.Text(), "Role changed: bob")
	require.Contains(t, eve.get("/").Text(), "other administrators")
	require.NotContains(t, ann.get("/staff/changes").Text(), "Role changed", "nobody is told what they did themselves")
	newest := seen.Find("[name=newest]").AttrOr("value", "")
	require.Equal(t, "/staff/changes", eve.post("/staff/changes", "/staff/changes/seen", url.Values{"newest": {newest}}).
		location)
	require.Contains(t, eve.get("/staff/changes").Text(), "Nothing new")
}

// A session's row that was changed with SQL lets nobody in.
func TestAttackSessionRowStaffChanged(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		s := newSite(t, dbURL)
		ann, bob := s.hire("ann", models.Administrator), s.hire("bob", models.Support)
		for what, change := range map[string]string{
			"staff number": fmt.Sprintf("UPDATE staff_sessions SET staff_id = %d WHERE staff_id = %d", ann.ID, bob.ID),
			"beginning": fmt.Sprintf("UPDATE staff_sessions SET created_at_us = created_at_us + 1000000 "+
				"WHERE staff_id = %d", bob.ID),
			"end": fmt.Sprintf("UPDATE staff_sessions SET expires_at_us = expires_at_us + 1000000 "+
				"WHERE staff_id = %d", bob.ID),
			"values": fmt.Sprintf("UPDATE staff_sessions SET data = REPLACE(data, '\"confirmed\"', '\"Confirmed\"') "+
				"WHERE staff_id = %d", bob.ID),
		} {
			b := s.browser("198.51.100.1")
			require.Equal(t, "/", b.signIn("bob", password).location)
			require.Equal(t, http.StatusOK, b.get("/").status)
			alterDB(t, dbURL, change)
			page := b.get("/staff")
			require.Equal(t, "/signin?next=%2Fstaff", page.location, what)
			require.Equal(t, http.StatusSeeOther, b.get("/").status, what)
			left, err := s.Store.StaffSessions(t.Context(), ann.ID)
			require.NoError(t, err)
			require.Empty(t, left, what)
		}
		events, err := s.Store.AuditLog(t.Context(),
			models.AuditFilter{Object: "staff", Action: "staff session refused", Limit: 9})
		require.NoError(t, err)
		require.Len(t, events.Rows, 4)
	})
}

// In a live session the second factor cannot be replaced without the password and a code of the old factor.
func TestAttackSecondFactorReplacedInSession(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		ann := s.signedIn("ann", models.Administrator)
		secret, codes := ann.enroll()
		before := mustBe(t, s, "ann").TOTPSecret
		s.later(time.Minute)
		offered := func() string {
			return strings.ReplaceAll(ann.get("/account/second-factor").Find(".pb-steps .id").Text(), " ", "")
		}()
		require.NotEqual(t, secret, offered)
		change := func(form url.Values) *answer {
			form.Set("code", s.totpCode(offered))
			return ann.post("/account", "/account/second-factor", form)
		}
		for _, form := range []url.Values{
			{}, {"password": {password}}, {"old": {s.totpCode(secret)}}, {"password": {"wrong"}, "old": {s.totpCode(secret)}},
			{"password": {password}, "old": {"000000"}},
			{"password": {password}, "old": {s.totpCode(offered)}},
		} {
			require.Equal(t, http.StatusUnprocessableEntity, change(form).status)
		}
		require.NoError(t, s.Store.UnlockSignIn(t.Context(), models.System, mustBe(t, s, "ann").ID))
		for _, path := range []string{"/account/second-factor/removal", "/account/recovery-codes"} {
			require.Equal(t, http.StatusUnprocessableEntity, ann.post("/account", path, url.Values{"password": {password}}).
				status, path)
			require.Equal(t, http.StatusUnprocessableEntity,
				ann.post("/account", path, url.Values{"password": {password}, "old": {"nonesuch-code"}}).status, path)
		}
		require.Equal(t, before, mustBe(t, s, "ann").TOTPSecret)
		require.NoError(t, s.Store.UnlockSignIn(t.Context(), models.System, mustBe(t, s, "ann").ID))

		page := change(url.Values{"password": {password}, "old": {s.totpCode(secret)}})
		require.Equal(t, http.StatusOK, page.status, page.text)
		require.Equal(t, http.StatusUnprocessableEntity,
			ann.post("/account", "/account/second-factor/removal", url.Values{"password": {password}, "old": {codes[0]}}).
				status, "the old codes are void")
		fresh := page.Find(".pb-recovery li").First().Text()
		require.Equal(t, http.StatusSeeOther,
			ann.post("/account", "/account/second-factor/removal", url.Values{"password": {password}, "old": {fresh}}).status,
			"a recovery code replaces a lost phone")
		require.Empty(t, mustBe(t, s, "ann").TOTPSecret)
	})
}

// Nobody can reuse one of their last four passwords.
func TestOldPasswordsAreRefused(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		b := s.signedIn("ann", models.Support)
		current := password
		change := func(chosen string) *answer {
			return b.post("/account/password", "/account/password",
				url.Values{"current": {current}, "new": {chosen}, "repeat": {chosen}})
		}
		for i := range 3 {
			chosen := fmt.Sprintf("copper window of %d lanterns", 50+i)
			require.Equal(t, http.StatusSeeOther, change(chosen).status)
			current = chosen
		}
		for _, old := range []string{password, "copper window of 50 lanterns", current} {
			require.Contains(t, change(old).Find("#f-new-wrong").Text(), "last 4", old)
		}
		require.Equal(t, http.StatusSeeOther, change("copper window of 60 lanterns").status)
		current = "copper window of 60 lanterns"
		require.Equal(t, http.StatusSeeOther, change(password).status, "the fifth last is accepted")
	})
}

// An account unused for 90 days is disabled, by the job or when somebody tries to sign in, but never the last administrator's.
func TestUnusedAccountsAreDisabled(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		ann := s.signedIn("ann", models.Administrator)
		s.hire("eve", models.Administrator)
		s.signedIn("bob", models.Finance)
		s.later(89 * 24 * time.Hour)
		n, err := s.Store.DisableAllUnused(t.Context())
		require.NoError(t, err)
		require.Zero(t, n)
		s.signedIn("zoe", models.Bonus)
		s.later(2 * 24 * time.Hour)
		require.Contains(t, s.browser("198.51.100.1").signIn("bob", password).Find("[role=alert]").Text(), "disabled",
			"before the job has run")
		n, err = s.Store.DisableAllUnused(t.Context())
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.True(t, mustBe(t, s, "eve").Disabled, "an account that never signed in is disabled first")
		require.False(t, mustBe(t, s, "ann").Disabled, "the last administrator")
		require.False(t, mustBe(t, s, "zoe").Disabled)
		require.Equal(t, "/", ann.signIn("ann", password).location)
		bob := mustBe(t, s, "bob")
		events, _, err := s.Store.AuditEvents(t.Context(),
			models.AuditFilter{Object: "staff", ObjectID: fmt.Sprint(bob.ID), Limit: 5})
		require.NoError(t, err)
		require.Equal(t, "system", events[1].Actor.Name)
		require.Contains(t, events[1].Reason, "90 days")

		require.Equal(t, http.StatusSeeOther,
			ann.post(staff.StaffPath(bob.ID)+"/enable", staff.StaffPath(bob.ID)+"/enable", nil).status)
		require.Equal(t, "/", s.browser("198.51.100.1").signIn("bob", password).location, "enabled again")
	})
}

// Ten failures lock strangers out for half an hour, but not the owner's browser.
func TestLockOfHalfAnHour(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		owner := s.signedIn("ann", models.Administrator)
		owner.post("/", "/signout", nil)
		for i := range 10 {
			s.browser(fmt.Sprintf("203.0.113.%d", 10+i)).signIn("ann", "guess")
		}
		stranger := s.browser("203.0.113.99")
		s.later(29 * time.Minute)
		require.Contains(t, stranger.signIn("ann", password).text, "Too many")
		require.Equal(t, "/", owner.signIn("ann", password).location, "a known browser")
		s.later(2 * time.Minute)
		require.Equal(t, "/", stranger.signIn("ann", password).location)
	})
}

// By default, people who move money, sign or administer need a second factor. Those without one are redirected to set it up.
func TestSecondFactorIsRequiredByDefault(t *testing.T) {
	s := sqliteSite(t)
	require.NoError(t, s.Store.SetSignInRules(t.Context(), models.System, models.DefaultSignInRules))
	s.ForgetRules()
	for _, role := range models.Roles {
		b := s.signedIn("r-"+string(role), role)
		want := ""
		if role == models.Administrator || role == models.Finance || role == models.Compliance {
			want = "/account/second-factor"
		}
		require.Equal(t, want, b.get("/").location, role)
	}
}

// mailbox is a mail server that keeps what it receives.
type mailbox struct {
	mu      sync.Mutex
	letters []string
	to      []string
}

// postOffice starts a mail server, and returns the change to a site that sends mail through it.
func postOffice(t testing.TB) (*mailbox, func(*Config, *Deps)) {
	t.Helper()
	box := &mailbox{}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go box.serve(conn)
		}
	}()
	return box, func(cfg *Config, deps *Deps) {
		deps.Notices = notices.New(notices.Config{Store: deps.Store, PublicURL: cfg.PublicURL,
			Server: "smtp://" + l.Addr().String(), From: "pitboss@casino.example", To: []string{"ops@casino.example"},
			Now: deps.Now})
	}
}

func (m *mailbox) serve(conn net.Conn) {
	defer conn.Close()
	c := textproto.NewConn(conn)
	say := func(line string) { _ = c.PrintfLine("%s", line) }
	say("220 test")
	for {
		line, err := c.ReadLine()
		if err != nil {
			return
		}
		switch verb := strings.ToUpper(strings.SplitN(line, " ", 2)[0]); verb {
		case "DATA":
			say("354 go on")
			lines, err := readAll(c.R)
			if err != nil {
				return
			}
			m.mu.Lock()
			m.letters = append(m.letters, lines)
			m.mu.Unlock()
			say("250 kept")
		case "RCPT":
			m.mu.Lock()
			m.to = append(m.to, line)
			m.mu.Unlock()
			say("250 ok")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

func readAll(r *bufio.Reader) (string, error) {
	lines, err := textproto.NewReader(r).ReadDotLines()
	return strings.Join(lines, "\n"), err
}

func (m *mailbox) last() (letter, to string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.letters) == 0 {
		return "", ""
	}
	return m.letters[len(m.letters)-1], m.to[len(m.to)-1]
}

// With a mail server the link goes only to its owner; administrators with an address are told what others do.
func TestLinksAreMailed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		box, sending := postOffice(t)
		s := newSite(t, dbURL, sending)
		ann := s.signedIn("ann", models.Administrator)
		eve, err := s.Store.CreateStaff(t.Context(), models.System,
			models.Staff{Username: "eve", Name: "Eve", Role: models.Administrator, Email: "eve@casino.example",
				PasswordHash: passwordHash()})
		require.NoError(t, err)
		require.NoError(t, s.Notices.Work(t.Context())) // notices begin here
		form := url.Values{"username": {"zoe"}, "name": {"Zoé"}, "role": {"finance"}}
		require.Contains(t, ann.post("/staff/new", "/staff", form).Find("#f-email-wrong").Text(), "Enter the address")
		form.Set("email", "zoe@casino.example")
		made := ann.post("/staff/new", "/staff", form)
		require.Equal(t, http.StatusSeeOther, made.status, made.text)
		letter, to := box.last()
		require.Contains(t, to, "zoe@casino.example")
		_, code, found := strings.Cut(letter, "/link#")
		require.True(t, found, letter)
		code = strings.Fields(code)[0]
		shown := ann.get(made.location)
		require.Contains(t, shown.Find(".pb-flash").Text(), "A link was sent to zoe@casino.example")
		require.NotContains(t, shown.text, code)
		require.Contains(t, shown.Find(".pb-facts").Text(), "a link was sent")
		zoe := s.browser("198.51.100.4")
		require.Contains(t, zoe.usesLink(code, chosenPassword).Text(), "Your password is set")

		require.NoError(t, s.Notices.Work(t.Context()))
		letter, to = box.last()
		require.Contains(t, to, eve.Email)
		require.Contains(t, letter, "ops@casino.example")
		require.Contains(t, letter, "A staff account was changed")
		require.NotContains(t, letter, "Zo", "a notice names nobody")

		// A colleague without an address needs one first, and a mail server that does not answer is reported.
		bob := s.hire("bob", models.Support)
		require.Equal(t, staff.StaffPath(bob.ID)+"/email", ann.post("/staff", staff.StaffPath(bob.ID)+"/password", nil).
			location)
		require.Equal(t, http.StatusSeeOther,
			ann.post("/staff", staff.StaffPath(bob.ID)+"/email", url.Values{"email": {"bob@casino.example"}}).status)
		s.Notices.Server = "smtp://127.0.0.1:1"
		failed := ann.post("/staff", staff.StaffPath(bob.ID)+"/password", nil)
		require.Contains(t, ann.get(failed.location).Find(".pb-flash").Text(), "The e-mail was not sent")
	})
}

// One administrator alone makes sign-in stricter, but not weaker: fewer roles with a second factor, or longer sessions.
func TestAttackOneAdministratorWeakensSignIn(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		ann, eve := s.signedIn("ann", models.Administrator), s.signedIn("eve", models.Administrator)
		rules := func() models.SignInRules {
			now, err := s.Store.SignInRules(t.Context())
			require.NoError(t, err)
			return now
		}
		stricter := settingsForm("totp", "bonus")
		require.Equal(t, "/settings", ann.post("/settings", "/settings", stricter).location)
		require.Equal(t, []models.Role{models.Bonus}, rules().TOTPRoles)

		weaker := settingsForm()
		weaker.Set("idle", "60")
		refused := ann.post("/settings", "/settings", weaker)
		require.Equal(t, http.StatusUnprocessableEntity, refused.status)
		require.Contains(t, refused.Find("#f-weaker-wrong").Text(), "Say why.")
		weaker.Set("weaker", "Nobody has a telephone.")
		asked := ann.post("/settings", "/settings", weaker)
		require.Equal(t, http.StatusSeeOther, asked.status, asked.text)
		require.Equal(t, []models.Role{models.Bonus}, rules().TOTPRoles)
		require.Equal(t, 15, rules().IdleMinutes)
		require.Equal(t, http.StatusSeeOther, ann.post(asked.location, asked.location+"/approval", nil).status)
		require.Equal(t, 15, rules().IdleMinutes, "the requester does not approve it")
		change := eve.get(asked.location).Find(".pb-ba").Text()
		require.Contains(t, change, "Roles that need a second factorbonusnone")
		require.Contains(t, change, "Idle timeout (minutes)1560")
		require.Equal(t, http.StatusSeeOther, eve.post(asked.location, asked.location+"/approval", nil).status)
		require.Empty(t, rules().TOTPRoles)
		require.Equal(t, 60, rules().IdleMinutes)

		loose := rules()
		loose.LockAfter--
		loose.LinkHours++
		by := models.Actor{Name: "ann", Channel: models.ChannelBrowser}
		require.ErrorIs(t, s.Store.SetSignInRules(t.Context(), by, loose), models.ErrNeedsTwo)
	})
}
