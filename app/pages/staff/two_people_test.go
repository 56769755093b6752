package staff_test

import (
	"bufio"
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

	"pitboss/app"
	"pitboss/app/notices"
	"pitboss/app/pages/staff"
	"pitboss/app/web"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// hire has an administrator create a colleague, who sets a password with the link that the page shows.
func hire(b *apptest.Browser, username string, role models.Role) *apptest.Browser {
	b.T.Helper()
	page := b.Post("/staff/new", "/staff",
		url.Values{"username": {username}, "name": {username}, "role": {string(role)}, "password": {apptest.Password}})
	theirs := b.Site.Browser("198.51.100.30")
	require.Contains(b.T, theirs.UseLink(apptest.LinkCode(b.T, page), apptest.ChosenPassword).Find("h1").Text(),
		"Your password is set")
	require.Equal(b.T, "/", theirs.SignIn(username, apptest.ChosenPassword).Location)
	return theirs
}

// A new colleague sets their own password with a link that works once and that only the page has.
func TestNewStaffSetTheirPassword(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		s := apptest.NewSite(t, dbURL)
		admin := s.SignedIn("ann", models.Administrator)
		form := url.Values{"username": {"Carla.Diaz"}, "name": {"Carla Díaz"}, "role": {"bonus"}}
		made := admin.Post("/staff/new", "/staff", form)
		code := apptest.LinkCode(t, made)
		require.Contains(t, made.Text(), "no mail server is set up")
		taken := admin.Post("/staff/new", "/staff", form)
		require.Equal(t, http.StatusUnprocessableEntity, taken.Status)
		require.Contains(t, taken.Find("#f-username-wrong").Text(), "taken")
		require.Equal(t, "Carla Díaz", taken.Find("#f-name").AttrOr("value", ""), "what was typed stays")
		member := apptest.StaffNamed(t, s, "carla.diaz")
		require.Empty(t, member.PasswordHash)
		require.NotContains(t, apptest.DumpDatabase(t, dbURL), strings.SplitN(code, ".", 2)[1])
		events, err := s.Store.AuditEvents(t.Context(),
			models.AuditFilter{Object: "staff", ObjectID: fmt.Sprint(member.ID), Span: models.Span{Limit: 9}})
		require.NoError(t, err)
		require.Contains(t, events.Rows[0].After, `"delivery":"shown"`)

		carla := s.Browser("198.51.100.4")
		require.Equal(t, http.StatusUnprocessableEntity, carla.SignIn("carla.diaz", "").Status,
			"no password is not an empty one")
		page := carla.Get("/link")
		require.Equal(t, "no-referrer", page.Header.Get("Referrer-Policy"))
		apptest.RequireNothingInline(t, page)
		for why, chosen := range map[string]string{"12 characters": "short", "easy to guess": "Password123456!",
			"username": "carla.diaz-has-a-password"} {
			answer := carla.UseLink(code, chosen)
			require.Equal(t, http.StatusUnprocessableEntity, answer.Status, chosen)
			require.Contains(t, answer.Find("#f-new-wrong").Text(), why)
		}
		require.Contains(t, carla.Post("/link", "/link",
			url.Values{"code": {code}, "new": {apptest.ChosenPassword},
				"repeat": {"another one"}}).Find("#f-repeat-wrong").Text(),
			"The two passwords differ")
		other := fmt.Sprint(apptest.StaffNamed(t, s, "ann").ID) + code[strings.IndexByte(code, '.'):]
		for _, wrong := range []string{"", "x", "1.", other, code[:len(code)-1], code + "x"} {
			require.Contains(t, carla.UseLink(wrong, apptest.ChosenPassword).Find("#link-code-wrong").Text(),
				"This link was used",
				wrong)
		}
		require.Contains(t, carla.UseLink(code, apptest.ChosenPassword).Text(), "Sign in as carla.diaz")
		require.Contains(t, carla.UseLink(code, "third copper window").Find("#link-code-wrong").Text(), "This link was used",
			"it works once")
		require.Equal(t, "/", carla.SignIn("carla.diaz", apptest.ChosenPassword).Location)

		// A reset ends the password, the sessions and the previous link. An expired link does not work.
		path := staff.StaffPath(member.ID)
		first := apptest.LinkCode(t, admin.Post(path+"/password", path+"/password", nil))
		require.Equal(t, http.StatusSeeOther, carla.Get("/").Status)
		require.Equal(t, http.StatusUnprocessableEntity, carla.SignIn("carla.diaz", apptest.ChosenPassword).Status)
		second := apptest.LinkCode(t, admin.Post(path+"/password", path+"/password", nil))
		require.Contains(t, carla.UseLink(first, "third copper window").Text(), "replaced by a newer one")
		require.Contains(t, carla.UseLink(second, apptest.ChosenPassword).Find("#f-new-wrong").Text(),
			"used this password before")
		s.Later(25 * time.Hour)
		require.Contains(t, carla.UseLink(second, "third copper window").Text(), "has expired")
	})
}

// A new installation works on its first day. Its two administrators come from the command line, create everybody else and
// confirm them. A correction, a limit and an API client with its secret are approved at once, and the first player pays in.
func TestFirstDay(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.PlayerWithOpenBet("anna", "bet", 10000, 2500)
		operator := models.Actor{Name: "otto", Channel: models.ChannelCommandLine, OSUser: "root"}
		first, err := s.Store.CreateFirstStaff(t.Context(), operator, models.Staff{Username: "ann", Name: "Ann", Role: models.Administrator,
			PasswordHash: apptest.PasswordHash()})
		require.NoError(t, err)
		second, err := s.Store.CreateStaff(t.Context(), operator, models.Staff{Username: "adam", Name: "Adam", Role: models.Administrator})
		require.NoError(t, err)
		code, link := staff.NewStaffLink([]byte("session key of the tests"), second.ID, models.LinkShown, s.Now().Add(time.Hour))
		require.NoError(t, s.Store.MakeStaffLink(t.Context(), operator, link))
		ann, adam := s.Browser("198.51.100.1"), s.Browser("198.51.100.2")
		require.Equal(t, "/", ann.SignIn(first.Username, apptest.Password).Location)
		require.Contains(t, adam.UseLink(code, apptest.Password).Text(), "Your password is set")
		require.Equal(t, "/", adam.SignIn(second.Username, apptest.Password).Location)

		team := map[string]*apptest.Browser{}
		for name, role := range map[string]models.Role{"farid": models.Finance, "fay": models.Finance, "chloe": models.Compliance} {
			team[name] = hire(ann, name, role)
			require.Contains(t, team[name].Get("/").Text(), "Your account is not confirmed yet")
			path := staff.StaffPath(apptest.StaffNamed(t, s, name).ID)
			require.Zero(t, ann.Get(path).Find("a[href$='/confirmation']").Length())
			require.Equal(t, path, confirms(adam, path).Location)
			require.NotContains(t, team[name].Get("/").Text(), "Your account is not confirmed yet")
		}
		asked := team["farid"].PostCredit(apptest.ChosenPassword).Location
		form := apptest.FieldsOf(team["fay"].Get(asked), ".pb-confirm", "password", apptest.ChosenPassword)
		require.Equal(t, http.StatusSeeOther, team["fay"].Post("", asked+"/approval", form).Status)
		require.EqualValues(t, 8000, s.Balance("anna"))
		for _, change := range []struct {
			path, to string
			form     url.Values
		}{
			{"/settings", "/settings/sign-in", url.Values{"idle": {"20"}, "session": {"10"}, "unused": {"90"}, "reason": {"our shifts"}}},
			{"/clients/new", "/clients", url.Values{"name": {"cashier"}, "scope": {"deposits"}, "networks": {"192.0.2.7"}, "cash": {"EUR 500.00"}, "per-minute": {"60"}, "reason": {"cash"}}},
		} {
			change.form.Set("password", apptest.Password)
			asked := ann.Post(change.path, change.to, change.form)
			require.Equal(t, http.StatusSeeOther, asked.Status, asked.Body)
			done := adam.Post(asked.Location, asked.Location+"/approval", url.Values{"password": {apptest.Password}})
			require.Equal(t, http.StatusSeeOther, done.Status, done.Body)
			require.Contains(t, adam.Get(asked.Location).Text(), "The change is in effect")
		}
		// Each of the two administrators sees one half of the client's secret, and the first player pays in.
		half := func(page *apptest.Answer) string { return page.Find(".pb-link-code .id").First().Text() }
		token := half(ann.Post("/clients/1/secret", "/clients/1/secret", url.Values{"reason": {"first day"}, "overlap": {"0"},
			"password": {apptest.Password}}))
		asked = "/settings/changes/3"
		token += half(adam.Post(asked, asked+"/approval", url.Values{"password": {apptest.Password}}))
		id, _, ok := models.ParseAPIToken(token)
		require.True(t, ok, token)
		client, found, err := s.Store.APIClient(t.Context(), id)
		require.NoError(t, err)
		require.True(t, found)
		require.Equal(t, []models.APIScope{models.ScopeDeposits}, client.Scopes)
		paid, err := s.Store.ApplyCash(t.Context(), client.Actor(), models.CashRequest{Client: id, ID: "first", UserID: "anna", Amount: 2000,
			Currency: "EUR"}.Deposit(), client.APITerms)
		require.NoError(t, err)
		require.Equal(t, models.None, paid.Decline)
		require.EqualValues(t, 10000, s.Balance("anna"))
	})
}

// An administrator who creates two accounts can use neither of them until somebody else confirms it.
func TestAttackTwoAccountsOfOneAdministrator(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.PlayerWithOpenBet("anna", "bet", 10000, 2500)
		ann := s.SignedIn("ann", models.Administrator)
		support, sock := hire(ann, "sock-one", models.Support), hire(ann, "sock-two", models.Administrator)
		asked := support.Post("/corrections/new", "/corrections/new", url.Values{"kind": {"credit"}, "player": {"anna"},
			"amount": {"5.00"}, "reason": {"goodwill"}, "text": {"As agreed."}})
		require.Equal(t, http.StatusForbidden, asked.Status)
		for _, who := range []*apptest.Browser{support, sock} {
			require.Contains(t, who.Get("/").Find(".pb-note:contains('Your account is not confirmed yet')").Text(),
				"until a second administrator confirms your account")
			role := apptest.StaffNamed(t, s, map[*apptest.Browser]string{support: "sock-one", sock: "sock-two"}[who]).Role
			for _, r := range s.Routes() {
				if !slices.Contains(web.Grants[r.Needs], role) || strings.HasPrefix(r.Needs.String(), "view ") {
					continue
				}
				answer := who.SendTo(r, apptest.FillIn(r.Path, 1))
				require.Equal(t, http.StatusForbidden, answer.Status, apptest.NameOf(r))
				require.Contains(t, answer.Find(".pb-error").Text(),
					"Ask another administrator to confirm your account under Staff")
			}
		}
		require.Zero(t, support.Get("/corrections").Find("a[href='/corrections/new']").Length())
		one := apptest.StaffNamed(t, s, "sock-one")
		path := staff.StaffPath(one.ID)
		unconfirmed := func() bool {
			member := apptest.StaffNamed(t, s, "sock-one")
			return len(member.Unconfirmed) > 0
		}

		// Neither the first administrator nor the second account can confirm it.
		shown := ann.Get(path)
		require.Contains(t, shown.Find(".pb-note:contains('Not confirmed yet')").Text(),
			"Ann made a link that sets its password")
		require.Contains(t, shown.Text(), "pitboss staff link --username sock-one")
		require.Zero(t, shown.Find("a[href$='/confirmation']").Length())
		form := apptest.FieldsOf(ann.Get(path+"/confirmation"), ".pb-confirm", "password", apptest.Password)
		refused := ann.Post("", path+"/confirmation", form)
		require.Equal(t, path, refused.Location)
		require.Contains(t, ann.Get(path).Find(".pb-flash").Text(), "a colleague must decide")
		two := apptest.StaffNamed(t, s, "sock-two")
		_, err := s.Store.ConfirmStaff(t.Context(), two.Signer(), one.ID, one.Unconfirmed.Digest())
		require.ErrorIs(t, err, models.ErrSignerChanged)

		// Another administrator confirms what they have seen, and nothing more.
		eve := s.SignedIn("eve", models.Administrator)
		require.Contains(t, ann.Get(path).Find(".pb-note:contains('Not confirmed yet')").Text(),
			"These colleagues can approve it: Eve")
		require.Contains(t, eve.Get("/staff").Text(), "Not confirmed")
		seen := eve.Get(path + "/confirmation")
		require.Contains(t, seen.Text(), "Ann made a link that sets its password")
		for range 2 { // with requests in between, because idle sessions would end
			s.Later(10 * time.Minute)
			ann.Get("/")
			eve.Get("/")
		}
		require.Equal(t, http.StatusUnprocessableEntity,
			eve.Post("", path+"/confirmation", apptest.FieldsOf(seen, ".pb-confirm", "password", "wrong")).Status)
		require.Equal(t, http.StatusSeeOther,
			ann.Post(path+"/second-factor", path+"/second-factor", url.Values{"reason": {"lost phone; called back"}, "password": {apptest.Password}}).Status)
		moved := eve.Post("", path+"/confirmation", apptest.FieldsOf(seen, ".pb-confirm", "password", apptest.Password))
		require.Equal(t, path, moved.Location)
		require.Contains(t, eve.Get(path).Find(".pb-flash").Text(), "The account was changed in the meantime")
		require.Equal(t, "/", support.SignIn("sock-one", apptest.ChosenPassword).Location)
		require.Equal(t, http.StatusForbidden, support.Get("/corrections/new").Status)
		require.Equal(t, path, confirms(eve, path).Location)
		require.Equal(t, http.StatusOK, support.Get("/corrections/new").Status)
		require.Zero(t, eve.Get(path).Find(".pb-note:contains('Not confirmed yet')").Length())

		// A change of the role, or of who can sign in, must be confirmed again, even if it comes from the command line.
		for _, act := range []string{"/role", "/password", "/second-factor", "/disable", "/enable"} {
			form := url.Values{"role": {"finance"}, "reason": {"x"}}
			require.Less(t, ann.Post(path, path+act, form).Status, 400, act)
			require.Equal(t, act != "/disable", unconfirmed(), act)
			if act != "/disable" {
				confirms(eve, path)
			}
			require.False(t, unconfirmed(), act)
		}
		require.Equal(t, path, ann.Post(path, path+"/unlock", nil).Location)
		require.Equal(t, path, ann.Post(path, path+"/email", url.Values{"email": {"s@casino.example"}}).Location)
		require.False(t, unconfirmed())
		require.NoError(t, s.Store.ResetStaffTOTP(t.Context(), models.Actor{Name: "ann", Channel: models.ChannelBrowser},
			one.ID, "lost phone"))
		require.True(t, unconfirmed())
		require.NoError(t,
			s.Store.MakeStaffLink(t.Context(), models.Actor{Name: "otto", Channel: models.ChannelCommandLine, OSUser: "root"},
				models.StaffLink{StaffID: one.ID, Hash: "x", Delivery: models.LinkShown, ExpiresAt: s.Now().Add(time.Hour)}))
		require.True(t, unconfirmed())
		require.Contains(t, ann.Get(path).Find(".pb-note:contains('Not confirmed yet')").Text(), "The command line made a link")
		confirms(ann, path)
		require.False(t, unconfirmed())

		// Each of two administrators gave the account something. Neither can confirm their own part.
		require.Less(t, ann.Post(path+"/role", path+"/role", url.Values{"role": {"support"}}).Status, 400)
		require.Less(t, eve.Post(path+"/password", path+"/password", nil).Status, 400)
		confirms(ann, path)
		require.Contains(t, ann.Get(path).Find(".pb-flash").Text(), "except what you gave the account yourself")
		require.True(t, unconfirmed())
		confirms(eve, path)
		require.False(t, unconfirmed())
		v, err := s.Store.Verify(t.Context(), nil)
		require.NoError(t, err)
		require.True(t, v.OK(), "%+v", v)
	})
}

// confirms confirms what another administrator did to the account with this page.
func confirms(b *apptest.Browser, path string) *apptest.Answer {
	b.T.Helper()
	return b.Post("", path+"/confirmation", apptest.FieldsOf(b.Get(path+"/confirmation"), ".pb-confirm", "password",
		apptest.Password))
}

// One administrator alone cannot change the free-spin limits.
func TestAttackOneAdministratorRaisesLimits(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		ann, eve := s.SignedIn("ann", models.Administrator), s.SignedIn("eve", models.Administrator)
		const at = "/settings/free-spins"
		limits := apptest.FieldsOf(ann.Get(at), "main form", "grant", "80", "reason", "tried")
		asked := ann.Post(at, at, limits)
		require.Equal(t, http.StatusSeeOther, asked.Status, asked.Body)
		held := func() int64 {
			rules, err := s.Store.GrantRules(t.Context())
			require.NoError(t, err)
			return rules.Limits.SpinsPerGrant
		}
		before := held()
		require.Zero(t, ann.Get(asked.Location).Find("button:contains('Approve')").Length())
		require.Equal(t, http.StatusSeeOther, ann.Post(asked.Location, asked.Location+"/approval", nil).Status)
		require.Contains(t, ann.Get(asked.Location).Text(), "yourself")
		require.ErrorIs(t, s.Store.SetSetting(t.Context(), models.System, string(models.ChangeGrantLimits), "{}", ""),
			models.ErrNeedsTwo)
		require.Equal(t, before, held())
		require.Equal(t, asked.Location, ann.Post(at, at, limits).Location, "one at a time")

		require.Contains(t, eve.Get("/").Text(), "Change to approve")
		require.Contains(t, eve.Get("/settings").Find("#changes").Text(), "Free-spin limits")
		require.Contains(t, eve.Get(asked.Location).Find(".pb-ba").Text(), "80")
		require.Equal(t, http.StatusSeeOther, eve.Post(asked.Location, asked.Location+"/approval", nil).Status)
		require.EqualValues(t, 80, held())

		// Only the administrator who requested a change can withdraw it.
		mine := ann.Post(at, at, apptest.FieldsOf(ann.Get(at), "main form", "grant", "70", "reason", "tried"))
		require.Equal(t, http.StatusSeeOther, eve.Post(mine.Location, mine.Location+"/withdrawal", nil).Status)
		require.Contains(t, eve.Get(mine.Location).Text(), "Only the person who requested this can withdraw it.")
	})
}

// Changes to accounts and limits require the password again, and every other administrator is notified.
func TestChangesOfAccessAskForThePassword(t *testing.T) {
	s := apptest.SqliteSite(t)
	ann, eve := s.SignedIn("ann", models.Administrator), s.SignedIn("eve", models.Administrator)
	bob := s.Hire("bob", models.Finance)
	for range 2 { // with requests in between, because idle sessions would end
		s.Later(10 * time.Minute)
		require.Equal(t, http.StatusOK, ann.Get("/staff").Status)
		require.Equal(t, http.StatusOK, eve.Get("/staff").Status)
	}
	path := staff.StaffPath(bob.ID)
	for at, form := range map[string]url.Values{
		path + "/role": {"role": {"support"}}, path + "/password": {}, path + "/second-factor": {"reason": {"lost phone"}}, path + "/unlock": {},
		path + "/disable": {"reason": {"x"}},
		path + "/enable":  {}, path + "/email": {"email": {"bob@casino.example"}}, "/settings/sign-in": apptest.SignInSettings(),
		"/staff": {"username": {"zoe"}, "name": {"Zoe"}, "role": {"bonus"}},
	} {
		for _, wrong := range []string{"", "not the password"} {
			form.Set("password", wrong)
			form.Del("csrf")
			refused := ann.Post("/account", at, form)
			require.Equal(t, http.StatusUnprocessableEntity, refused.Status, at)
			require.Contains(t, refused.Text(), "your password.", at)
			require.Equal(t, http.StatusSeeOther,
				eve.Post("/account", staff.StaffPath(apptest.StaffNamed(t, s, "ann").ID)+"/unlock",
					url.Values{"password": {apptest.Password}}).
					Status)
		}
	}
	require.Equal(t, models.Finance, apptest.StaffNamed(t, s, "bob").Role)
	require.Equal(t, http.StatusSeeOther,
		ann.Post("/account", path+"/role", url.Values{"role": {"support"}, "password": {apptest.Password}}).Status)
}

// A session row that was altered with SQL signs nobody in.
func TestAttackSessionRowStaffChanged(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		s := apptest.NewSite(t, dbURL)
		ann, bob := s.Hire("ann", models.Administrator), s.Hire("bob", models.Support)
		for what, change := range map[string]string{
			"staff number": fmt.Sprintf("UPDATE staff_sessions SET staff_id = %d WHERE staff_id = %d", ann.ID, bob.ID),
			"beginning": fmt.Sprintf("UPDATE staff_sessions SET created_at_us = created_at_us + 1000000 "+
				"WHERE staff_id = %d", bob.ID),
			"end": fmt.Sprintf("UPDATE staff_sessions SET expires_at_us = expires_at_us + 1000000 "+
				"WHERE staff_id = %d", bob.ID),
			"values": fmt.Sprintf("UPDATE staff_sessions SET data = REPLACE(data, '\"confirmed\"', '\"Confirmed\"') "+
				"WHERE staff_id = %d", bob.ID),
		} {
			b := s.Browser("198.51.100.1")
			require.Equal(t, "/", b.SignIn("bob", apptest.Password).Location)
			require.Equal(t, http.StatusOK, b.Get("/").Status)
			apptest.AlterDatabase(t, dbURL, change)
			page := b.Get("/staff")
			require.Equal(t, "/signin?next=%2Fstaff", page.Location, what)
			require.Equal(t, http.StatusSeeOther, b.Get("/").Status, what)
			left, err := s.Store.StaffSessions(t.Context(), ann.ID)
			require.NoError(t, err)
			require.Empty(t, left, what)
		}
		events, err := s.Store.AuditEvents(t.Context(),
			models.AuditFilter{Object: "staff", Action: "staff session refused", Span: models.Span{Limit: 9}})
		require.NoError(t, err)
		require.Len(t, events.Rows, 4)
	})
}

// In a live session, the second factor cannot be replaced without the password and a code from the old one.
func TestAttackSecondFactorReplacedInSession(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		ann := s.SignedIn("ann", models.Administrator)
		secret, codes := ann.Enroll()
		before := apptest.StaffNamed(t, s, "ann").TOTPSecret
		s.Later(time.Minute)
		offered := func() string {
			return strings.ReplaceAll(ann.Get("/account/second-factor").Find(".pb-steps .id").Text(), " ", "")
		}()
		require.NotEqual(t, secret, offered)
		change := func(form url.Values) *apptest.Answer {
			form.Set("code", s.TotpCode(offered))
			return ann.Post("/account", "/account/second-factor", form)
		}
		for _, form := range []url.Values{
			{}, {"password": {apptest.Password}}, {"old": {s.TotpCode(secret)}},
			{"password": {"wrong"}, "old": {s.TotpCode(secret)}},
			{"password": {apptest.Password}, "old": {"000000"}},
			{"password": {apptest.Password}, "old": {s.TotpCode(offered)}},
		} {
			require.Equal(t, http.StatusUnprocessableEntity, change(form).Status)
		}
		require.NoError(t, s.Store.UnlockSignIn(t.Context(), models.System, apptest.StaffNamed(t, s, "ann").ID))
		for _, old := range []string{"", "nonesuch-code"} {
			require.Equal(t, http.StatusUnprocessableEntity, ann.Post("/account", "/account/second-factor/removal",
				url.Values{"password": {apptest.Password}, "old": {old}}).Status)
		}
		require.Equal(t, before, apptest.StaffNamed(t, s, "ann").TOTPSecret)
		require.NoError(t, s.Store.UnlockSignIn(t.Context(), models.System, apptest.StaffNamed(t, s, "ann").ID))

		page := change(url.Values{"password": {apptest.Password}, "old": {s.TotpCode(secret)}})
		require.Equal(t, http.StatusOK, page.Status, page.Body)
		require.Equal(t, http.StatusUnprocessableEntity,
			ann.Post("/account", "/account/second-factor/removal",
				url.Values{"password": {apptest.Password}, "old": {codes[0]}}).
				Status, "the old codes are void")
		fresh := page.Find(".pb-recovery li").First().Text()
		require.Equal(t, http.StatusSeeOther,
			ann.Post("/account", "/account/second-factor/removal",
				url.Values{"password": {apptest.Password}, "old": {fresh}}).Status,
			"a recovery code replaces a lost phone")
		require.Empty(t, apptest.StaffNamed(t, s, "ann").TOTPSecret)
	})
}

// Nobody can reuse any of their last four passwords.
func TestOldPasswordsAreRefused(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		b := s.SignedIn("ann", models.Support)
		current := apptest.Password
		change := func(chosen string) *apptest.Answer {
			return b.Post("/account/password", "/account/password",
				url.Values{"current": {current}, "new": {chosen}, "repeat": {chosen}})
		}
		for i := range 3 {
			chosen := fmt.Sprintf("copper window of %d lanterns", 50+i)
			require.Equal(t, http.StatusSeeOther, change(chosen).Status)
			current = chosen
		}
		for _, old := range []string{apptest.Password, "copper window of 50 lanterns", current} {
			require.Contains(t, change(old).Find("#f-new-wrong").Text(), "last 4", old)
		}
		require.Equal(t, http.StatusSeeOther, change("copper window of 60 lanterns").Status)
		current = "copper window of 60 lanterns"
		require.Equal(t, http.StatusSeeOther, change(apptest.Password).Status, "the fifth last is accepted")
	})
}

// An account that was unused for 90 days is disabled by the job, or when somebody tries to sign in, but never if it is the last
// administrator's.
func TestUnusedAccountsAreDisabled(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		ann := s.SignedIn("ann", models.Administrator)
		s.Hire("eve", models.Administrator)
		s.SignedIn("bob", models.Finance)
		s.Later(89 * 24 * time.Hour)
		n, err := s.Store.DisableAllUnused(t.Context())
		require.NoError(t, err)
		require.Zero(t, n)
		s.SignedIn("zoe", models.Bonus)
		s.Later(2 * 24 * time.Hour)
		require.Contains(t, s.Browser("198.51.100.1").SignIn("bob", apptest.Password).Find("[role=alert]").Text(), "disabled",
			"before the job has run")
		n, err = s.Store.DisableAllUnused(t.Context())
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.True(t, apptest.StaffNamed(t, s, "eve").Disabled, "an account that never signed in is disabled first")
		require.False(t, apptest.StaffNamed(t, s, "ann").Disabled, "the last administrator")
		require.False(t, apptest.StaffNamed(t, s, "zoe").Disabled)
		require.Equal(t, "/", ann.SignIn("ann", apptest.Password).Location)
		bob := apptest.StaffNamed(t, s, "bob")
		events, err := s.Store.AuditEvents(t.Context(),
			models.AuditFilter{Object: "staff", ObjectID: fmt.Sprint(bob.ID), Span: models.Span{Limit: 5}})
		require.NoError(t, err)
		require.Equal(t, "system", events.Rows[1].Actor.Name)
		require.Contains(t, events.Rows[1].Reason, "90 days")

		require.Equal(t, http.StatusSeeOther,
			ann.Post(staff.StaffPath(bob.ID)+"/enable", staff.StaffPath(bob.ID)+"/enable", nil).Status)
		require.Equal(t, "/", s.Browser("198.51.100.1").SignIn("bob", apptest.Password).Location, "enabled again")
	})
}

// Ten failures lock strangers out for half an hour, but not the owner's browser.
func TestLockOfHalfAnHour(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		owner := s.SignedIn("ann", models.Administrator)
		owner.Post("/", "/signout", nil)
		for i := range 10 {
			s.Browser(fmt.Sprintf("203.0.113.%d", 10+i)).SignIn("ann", "guess")
		}
		stranger := s.Browser("203.0.113.99")
		s.Later(29 * time.Minute)
		require.Contains(t, stranger.SignIn("ann", apptest.Password).Body, "Too many")
		require.Equal(t, "/", owner.SignIn("ann", apptest.Password).Location, "a known browser")
		s.Later(2 * time.Minute)
		require.Equal(t, "/", stranger.SignIn("ann", apptest.Password).Location)
	})
}

// By default, people who move money, sign or administer need a second factor. Those without one are redirected to set it up.
func TestSecondFactorIsRequiredByDefault(t *testing.T) {
	s := apptest.SqliteSite(t)
	require.NoError(t, s.Store.SetSignInRules(t.Context(), models.System, models.DefaultSignInRules))
	for _, role := range models.Roles {
		b := s.SignedIn("r-"+string(role), role)
		want := ""
		if role == models.Administrator || role == models.Finance || role == models.Compliance {
			want = "/account/second-factor"
		}
		require.Equal(t, want, b.Get("/").Location, role)
	}
}

// mailbox is a mail server that keeps what it receives.
type mailbox struct {
	mu      sync.Mutex
	letters []string
	to      []string
}

// postOffice starts a mail server, and returns the change that makes a site send its mail there.
func postOffice(t testing.TB) (*mailbox, func(*app.Config, *app.Deps)) {
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
	return box, func(cfg *app.Config, deps *app.Deps) {
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

// With a mail server, only the link's owner gets it. Administrators with an address are told what others do.
func TestLinksAreMailed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		box, sending := postOffice(t)
		s := apptest.NewSite(t, dbURL, sending)
		ann := s.SignedIn("ann", models.Administrator)
		eve, err := s.Store.CreateStaff(t.Context(), models.System,
			models.Staff{Username: "eve", Name: "Eve", Role: models.Administrator, Email: "eve@casino.example",
				PasswordHash: apptest.PasswordHash()})
		require.NoError(t, err)
		require.NoError(t, s.Notices.Work(t.Context())) // notices begin here
		form := url.Values{"username": {"zoe"}, "name": {"Zoé"}, "role": {"finance"}}
		require.Contains(t, ann.Post("/staff/new", "/staff", form).Find("#f-email-wrong").Text(), "Enter the address")
		form.Set("email", "zoe@casino.example")
		made := ann.Post("/staff/new", "/staff", form)
		require.Equal(t, http.StatusSeeOther, made.Status, made.Body)
		letter, to := box.last()
		require.Contains(t, to, "zoe@casino.example")
		_, code, found := strings.Cut(letter, "/link#")
		require.True(t, found, letter)
		code = strings.Fields(code)[0]
		shown := ann.Get(made.Location)
		require.Contains(t, shown.Find(".pb-flash").Text(), "A link was sent to zoe@casino.example")
		require.NotContains(t, shown.Body, code)
		require.Contains(t, shown.Find(".pb-facts").Text(), "a link was sent")
		zoe := s.Browser("198.51.100.4")
		require.Contains(t, zoe.UseLink(code, apptest.ChosenPassword).Text(), "Your password is set")

		require.NoError(t, s.Notices.Work(t.Context()))
		letter, to = box.last()
		require.Contains(t, to, eve.Email)
		require.Contains(t, letter, "A staff account was changed")
		require.NotContains(t, letter, "Zo", "a notice names nobody")

		// A colleague without an address needs one first, and a mail server that does not answer is reported.
		bob := s.Hire("bob", models.Support)
		require.Equal(t, staff.StaffPath(bob.ID)+"/email", ann.Post("/staff", staff.StaffPath(bob.ID)+"/password", nil).
			Location)
		require.Equal(t, http.StatusSeeOther,
			ann.Post("/staff", staff.StaffPath(bob.ID)+"/email", url.Values{"email": {"bob@casino.example"}}).Status)
		s.Notices.Server = "smtp://127.0.0.1:1"
		failed := ann.Post("/staff", staff.StaffPath(bob.ID)+"/password", nil)
		require.Contains(t, ann.Get(failed.Location).Find(".pb-flash").Text(), "The e-mail was not sent")
	})
}

// No single administrator can change the sign-in rules, for example to require second factors of fewer roles or to allow longer
// sessions.
func TestAttackOneAdministratorWeakensSignIn(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		ann, eve := s.SignedIn("ann", models.Administrator), s.SignedIn("eve", models.Administrator)
		rules := func() models.SignInRules {
			now, err := s.Store.SignInRules(t.Context())
			require.NoError(t, err)
			return now
		}
		strict := apptest.PasswordAlone
		strict.SecondFactorRoles = []models.Role{models.Bonus}
		require.NoError(t, s.Store.SetSignInRules(t.Context(), models.System, strict))

		weaker := apptest.SignInSettings()
		weaker.Set("idle", "60")
		weaker.Set("reason", "")
		refused := ann.Post("/settings", "/settings/sign-in", weaker)
		require.Equal(t, http.StatusUnprocessableEntity, refused.Status)
		require.Contains(t, refused.Find("#f-reason-wrong").Text(), "Say why.")
		require.Equal(t, "60", refused.Find("#f-idle").AttrOr("value", ""))
		require.Equal(t, "UTC", refused.Find("#f-zone").AttrOr("value", ""), "the other forms have what is in force")
		weaker.Set("reason", "Nobody has a telephone.")
		asked := ann.Post("/settings", "/settings/sign-in", weaker)
		require.Equal(t, http.StatusSeeOther, asked.Status, asked.Body)
		require.Equal(t, http.StatusSeeOther, ann.Post(asked.Location, asked.Location+"/approval", nil).Status)
		require.Equal(t, strict, rules(), "the requester does not approve it")
		change := apptest.TextOf(eve.Get(asked.Location), ".pb-ba")
		require.Contains(t, change, "Roles that need a second factor bonus none")
		require.Contains(t, change, "Idle timeout (minutes) 15 60")
		require.Equal(t, http.StatusSeeOther, eve.Post(asked.Location, asked.Location+"/approval", nil).Status)
		require.Empty(t, rules().SecondFactorRoles)
		require.Equal(t, 60, rules().IdleMinutes)

		by := models.Actor{Name: "ann", Channel: models.ChannelBrowser}
		require.ErrorIs(t, s.Store.SetSignInRules(t.Context(), by, strict), models.ErrNeedsTwo)
	})
}
