package signin_test

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"pitboss/app"
	"pitboss/app/pages/staff"
	"pitboss/app/signon"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/browsertest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// identityProvider is a small identity provider. Whoever visits it becomes the person in claims.
type identityProvider struct {
	*httptest.Server
	key    *rsa.PrivateKey
	claims map[string]any
	down   bool

	challenge string // of the sign-in in progress
}

func newIdentityProvider(t *testing.T) *identityProvider {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	p := &identityProvider{key: key}
	mux := http.NewServeMux()
	answer := func(path string, of func(r *http.Request) any) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			if p.down {
				w.WriteHeader(http.StatusBadGateway)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(of(r))
		})
	}
	answer("/.well-known/openid-configuration", func(*http.Request) any {
		return map[string]any{"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token",
			"jwks_uri": p.URL + "/keys", "id_token_signing_alg_values_supported": []string{"RS256"}}
	})
	answer("/keys", func(*http.Request) any {
		return jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), KeyID: "one", Algorithm: "RS256", Use: "sig"}}}
	})
	answer("/token", func(r *http.Request) any {
		if oauth2.S256ChallengeFromVerifier(r.FormValue("code_verifier")) != p.challenge {
			return map[string]any{"error": "invalid_grant"}
		}
		text, err := json.Marshal(p.claims)
		require.NoError(t, err)
		signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: p.key, KeyID: "one"}}, nil)
		require.NoError(t, err)
		signed, err := signer.Sign(text)
		require.NoError(t, err)
		token, err := signed.CompactSerialize()
		require.NoError(t, err)
		return map[string]any{"access_token": "a", "token_type": "Bearer", "id_token": token}
	})
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	return p
}

// signOnSite connects a site to the provider.
func (p *identityProvider) site(cfg *app.Config, deps *app.Deps) {
	cfg.SignOn = signon.New(signon.Config{Issuer: p.URL, ClientID: "pitboss", ClientSecret: "secret of the tests", GroupsClaim: "groups",
		Roles:      map[string]models.Role{"pb-finance": models.Finance, "pb-support": models.Support, "pb-admins": models.Administrator},
		BreakGlass: []string{"ann"}, Callback: cfg.PublicURL.JoinPath("/signin/sso/answer").String(), Now: deps.Now})
}

// person returns the claims about a person in these groups.
func (p *identityProvider) person(subject string, groups ...string) map[string]any {
	return map[string]any{"iss": p.URL, "aud": "pitboss", "sub": subject, "preferred_username": subject + "@casino.example",
		"name": strings.ToUpper(subject), "email": subject + "@casino.example", "email_verified": true, "groups": groups}
}

// answered visits the provider from a page and returns the address to which the provider sends the browser back.
func (p *identityProvider) answered(b *apptest.Browser, from string, claims map[string]any) string {
	at, err := url.Parse(b.Get(from).Location)
	require.NoError(b.T, err)
	require.Equal(b.T, p.URL, at.Scheme+"://"+at.Host)
	require.Equal(b.T, "S256", at.Query().Get("code_challenge_method"))
	p.challenge = at.Query().Get("code_challenge")
	now := b.Site.Now()
	p.claims = map[string]any{"nonce": at.Query().Get("nonce"), "iat": now.Unix(), "exp": now.Add(time.Minute).Unix()}
	if at.Query().Get("max_age") == "0" {
		p.claims["auth_time"] = now.Unix()
	}
	for name, value := range claims {
		p.claims[name] = value
	}
	return "/signin/sso/answer?code=c&state=" + url.QueryEscape(at.Query().Get("state"))
}

func (p *identityProvider) signIn(b *apptest.Browser, claims map[string]any) *apptest.Answer {
	return b.Get(p.answered(b, "/signin/sso", claims))
}

// The first sign-in creates an account with the role that the groups give. Later ones apply the groups again.
func TestSingleSignOn(t *testing.T) {
	storetest.Each(t, func(t *testing.T, database string) {
		p := newIdentityProvider(t)
		s := apptest.NewSite(t, database, p.site)
		s.Hire("ann", models.Administrator)
		mira := s.Browser("198.51.100.7")
		require.Contains(t, mira.Get("/signin").Text(), "Break-glass account")
		require.Equal(t, "/", p.signIn(mira, p.person("mira", "pb-finance", "others")).Location)
		row := apptest.StaffNamed(t, s, "mira")
		require.Equal(t, models.NewIdentity(p.URL, "mira"), row.Identity)
		require.Equal(t, models.Finance, row.Role)
		require.Equal(t, "mira@casino.example", row.Email)
		require.Equal(t, models.GivenByProvider, row.Unconfirmed[0].By, "an administrator confirms what the provider gives")
		require.Contains(t, mira.Get("/account").Text(), "those of your identity provider")

		// The e-mail address and the username do not identify the account; the subject does.
		other := s.Browser("198.51.100.8")
		claims := p.person("mira", "pb-finance")
		claims["sub"] = "somebody else"
		require.Contains(t, p.signIn(other, claims).Text(), "Another account has your username, mira")
		claims = p.person("mira", "pb-support")
		claims["preferred_username"], claims["email_verified"] = "renamed", false
		require.Equal(t, "/", p.signIn(other, claims).Location)
		require.Equal(t, models.Support, apptest.StaffNamed(t, s, "mira").Role)
		require.Contains(t, mira.Get("/").Location, "/signin", "the role has changed, so older sessions end")
		events, err := s.Store.AuditEvents(t.Context(), models.AuditFilter{Action: "staff role changed", Span: models.Span{Limit: 9}})
		require.NoError(t, err)
		require.Len(t, events.Rows, 1)
		require.Contains(t, events.Rows[0].Reason, "identity provider")

		// Nobody can change the role here. A password is useless unless the account is a break-glass account.
		require.ErrorIs(t, s.Store.SetStaffRole(t.Context(), models.System, row.ID, models.Finance), models.ErrRoleFromProvider)
		s.Hire("noah", models.Support)
		refused := s.Browser("").SignIn("noah", apptest.Password)
		require.Contains(t, refused.Text(), "Only break-glass accounts sign in with a password here")
		ann := s.Browser("198.51.100.9")
		require.Equal(t, "/", ann.SignIn("ann", apptest.Password).Location)
		require.Equal(t, "/account/second-factor", ann.Get("/").Location, "a password alone is not enough")
		events, err = s.Store.AuditEvents(t.Context(), models.AuditFilter{Action: models.BreakGlass, Span: models.Span{Limit: 9}})
		require.NoError(t, err)
		require.Len(t, events.Rows, 1)
		kind, _, notified := models.NoticeOf(events.Rows[0])
		require.True(t, notified)
		require.Equal(t, models.NoticeStaff, kind)

		// People who lose their groups or whose account is disabled cannot sign in, and their sessions end.
		require.Equal(t, http.StatusOK, other.Get("/").Status)
		require.Contains(t, p.signIn(s.Browser(""), p.person("mira")).Text(), "None of your groups has a role here")
		require.Contains(t, other.Get("/").Location, "/signin")
		require.Contains(t, p.signIn(other, p.person("mira", "pb-support", "pb-admins")).Text(), "more than one role")
		require.NoError(t, s.Store.DisableStaff(t.Context(), models.System, row.ID, "has left"))
		require.Contains(t, p.signIn(other, p.person("mira", "pb-support")).Text(), "This account is disabled")

		// The provider is down.
		p.down = true
		require.Contains(t, other.Get(p.whileDown(other)).Text(), "The identity provider cannot be reached")
		p.down = false
	})
}

// whileDown returns an answer of the provider that arrives when the provider is down.
func (p *identityProvider) whileDown(b *apptest.Browser) string {
	return p.answered(b, "/signin/sso", p.person("mira", "pb-support"))
}

// A site starts without its identity provider, and its sign-in page says what to do.
func TestSingleSignOnProviderDown(t *testing.T) {
	p := newIdentityProvider(t)
	p.down = true
	s := apptest.SqliteSite(t, p.site)
	page := s.Browser("").Get("/signin/sso")
	require.Contains(t, page.Text(), "The identity provider cannot be reached")
	require.Contains(t, page.Text(), "administrators with a break-glass account sign in with a password")
	tab := browsertest.Start(t).Open(t, browsertest.View{})
	tab.Go(s.Base.String() + "/signin/sso")
	tab.Click("summary")
	tab.RequireFine("sign-on")
	p.down = false
	require.Equal(t, "/", p.signIn(s.Browser(""), p.person("mira", "pb-finance")).Location)
}

// Before money moves, the provider asks again who it is, and the form keeps what was typed.
func TestSingleSignOnAgain(t *testing.T) {
	p := newIdentityProvider(t)
	s := apptest.SqliteSite(t, p.site)
	admin := s.Browser("")
	require.Equal(t, "/", p.signIn(admin, p.person("eve", "pb-admins")).Location)
	storetest.Confirm(t, s.Store, "eve")
	form := url.Values{"username": {"carla"}, "name": {"Carla"}, "role": {"bonus"}}
	again := admin.Post("/staff/new", "/staff", form)
	require.Contains(t, again.Location, "/signin?again=1&next=%2Fstaff%2Fnew%3Fdraft%3D")
	page := admin.Get(again.Location)
	require.Contains(t, page.Text(), "asks you to sign in again")
	link := page.Find("a.btn-primary").AttrOr("href", "")
	old := p.person("eve", "pb-admins")
	old["auth_time"] = s.Now().Add(-time.Hour).Unix()
	require.Contains(t, admin.Get(p.answered(admin, link, old)).Text(), "does not match this sign-in")
	back := admin.Get(p.answered(admin, link, p.person("eve", "pb-admins"))).Location
	require.Equal(t, "carla", admin.Get(back).Find("#f-username").AttrOr("value", ""))
	form.Del("csrf")
	require.Equal(t, http.StatusOK, admin.Post(back, "/staff", form).Status)
	require.Equal(t, models.Bonus, apptest.StaffNamed(t, s, "carla").Role)

	// One administrator links an existing account, and another confirms it.
	carla := apptest.StaffNamed(t, s, "carla")
	path := staff.StaffPath(carla.ID) + "/identity"
	require.Contains(t, admin.Post(path, path, url.Values{"subject": {"eve"}}).Text(), "already linked")
	require.Equal(t, staff.StaffPath(carla.ID), admin.Post(path, path, url.Values{"subject": {"c-1"}}).Location)
	claims := p.person("c-1", "pb-support")
	theirs := s.Browser("")
	require.Equal(t, "/", p.signIn(theirs, claims).Location)
	linked := apptest.StaffNamed(t, s, "carla")
	require.Equal(t, models.Support, linked.Role)
	require.Len(t, linked.Unconfirmed, 4)
}

// What the standard allows and some providers do: a single group as a string, a verified address and a time as strings. Also,
// two tabs at once.
func TestSingleSignOnVariants(t *testing.T) {
	p := newIdentityProvider(t)
	s := apptest.SqliteSite(t, p.site)
	b := s.Browser("")
	claims := p.person("nora", "")
	claims["groups"], claims["email_verified"] = "pb-finance", "true"
	first := p.answered(b, "/signin/sso?next=%2Fcases", claims)
	firstClaims, firstChallenge := p.claims, p.challenge
	second := p.answered(b, "/signin/sso?next=%2Frounds", claims)
	secondClaims, secondChallenge := p.claims, p.challenge
	p.claims, p.challenge = firstClaims, firstChallenge
	require.Equal(t, "/cases", b.Get(first).Location)
	require.Equal(t, "nora@casino.example", apptest.StaffNamed(t, s, "nora").Email)
	p.claims, p.challenge = secondClaims, secondChallenge
	require.Equal(t, "/rounds", b.Get(second).Location)

	claims["auth_time"] = fmt.Sprint(s.Now().Unix())
	require.Equal(t, "/account", b.Get(p.answered(b, "/signin/sso?again=1&next=%2Faccount", claims)).Location)
	for range 30 {
		b.Get("/signin/sso?again=1&next=%2F" + strings.Repeat("a", 1000))
	}
	require.Equal(t, http.StatusOK, b.Get("/").Status, "sign-ons that never came back leave few cookies")
}

// Wrong passwords of others cannot keep anybody from single sign-on, and are not counted if the account may not use a password.
func TestAttackPasswordsAgainstSingleSignOn(t *testing.T) {
	p := newIdentityProvider(t)
	s := apptest.SqliteSite(t, p.site)
	s.Hire("ann", models.Administrator)
	ann := models.NewIdentity(p.URL, "ann")
	require.NoError(t, s.Store.SetStaffIdentity(t.Context(), models.System, apptest.StaffNamed(t, s, "ann").ID, ann))
	require.Equal(t, "/", p.signIn(s.Browser(""), p.person("mira", "pb-finance")).Location)
	for i := range 12 {
		stranger := s.Browser(fmt.Sprintf("203.0.113.%d", i))
		require.Contains(t, stranger.SignIn("mira", "a guess").Text(), "Only break-glass accounts sign in with a password here")
		stranger.SignIn("ann", "a guess")
	}
	lock, err := s.Store.SignInLock(t.Context(), "mira")
	require.NoError(t, err)
	require.Zero(t, lock.Failures)
	require.Equal(t, "/", p.signIn(s.Browser("192.0.2.9"), p.person("mira", "pb-finance")).Location)
	require.Contains(t, s.Browser("192.0.2.9").SignIn("ann", apptest.Password).Text(), "Wait ")
	require.Equal(t, "/", p.signIn(s.Browser("192.0.2.9"), p.person("ann", "pb-admins")).Location, "who can also use a password")
}

// An answer that is not the provider's, not for Pitboss, not for this browser or not for now signs nobody in.
func TestAttackSingleSignOn(t *testing.T) {
	p := newIdentityProvider(t)
	s := apptest.SqliteSite(t, p.site)
	stranger, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	known := p.key
	for name, row := range map[string]struct {
		claims map[string]any
		before func(b *apptest.Browser, answer string) string
	}{
		"a nonce of another sign-in":   {claims: map[string]any{"nonce": "another"}},
		"no nonce":                     {claims: map[string]any{"nonce": ""}},
		"a token for another program":  {claims: map[string]any{"aud": "payroll"}},
		"a token of another issuer":    {claims: map[string]any{"iss": "https://elsewhere.example"}},
		"a token that has expired":     {claims: map[string]any{"exp": s.Now().Add(-time.Minute).Unix()}},
		"no subject":                   {claims: map[string]any{"sub": ""}},
		"a subject with other signs":   {claims: map[string]any{"sub": "mira\n"}},
		"no groups":                    {claims: map[string]any{"groups": nil}},
		"a group that is not a text":   {claims: map[string]any{"groups": map[string]any{"pb-admins": true}}},
		"a group like one with a role": {claims: map[string]any{"groups": []string{"PB-ADMINS", "pb-admins ", "admin"}}},
		"a token signed by another key": {before: func(_ *apptest.Browser, answer string) string {
			p.key = stranger
			return answer
		}},
		"an answer for another browser": {before: func(b *apptest.Browser, answer string) string {
			theirs := p.answered(s.Browser(""), "/signin/sso", p.person("mira", "pb-admins"))
			return theirs
		}},
		"an answer without a state": {before: func(*apptest.Browser, string) string { return "/signin/sso/answer?code=c&state=" }},
		"an answer without a code": {before: func(_ *apptest.Browser, answer string) string {
			return strings.Replace(answer, "code=c", "error=no", 1)
		}},
		"a code for another verifier": {before: func(_ *apptest.Browser, answer string) string {
			p.challenge = "another"
			return answer
		}},
		"an answer that was used": {before: func(b *apptest.Browser, answer string) string {
			require.Equal(t, "/", b.Get(answer).Location)
			b.Post("/", "/signout", nil)
			return answer
		}},
	} {
		t.Run(name, func(t *testing.T) {
			p.key = known
			b := s.Browser("")
			claims := p.person("mira", "pb-admins")
			for claim, value := range row.claims {
				claims[claim] = value
			}
			answer := p.answered(b, "/signin/sso", claims)
			if row.before != nil {
				answer = row.before(b, answer)
			}
			page := b.Get(answer)
			require.Equal(t, http.StatusUnprocessableEntity, page.Status, page.Location)
			require.Contains(t, b.Get("/").Location, "/signin")
		})
	}
	p.key = known
}
