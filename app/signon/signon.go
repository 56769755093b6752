// Package signon lets staff sign in at the operator's identity provider with OpenID Connect: the authorization code flow with
// PKCE. models/sign_on.go has the rules for what that allows. The provider takes care of these people's passwords and second
// factors, and has to require a second factor if the operator wants one.
package signon

import (
	"cmp"
	"context"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"pitboss/app/credentials"
	"pitboss/models"
)

// Config says how to reach the identity provider, and which roles its groups give.
type Config struct {
	Issuer, ClientID, ClientSecret string

	GroupsClaim string                 // the claim of ID tokens that lists a person's groups
	Roles       map[string]models.Role // by group
	BreakGlass  []string               // the usernames that may still sign in with a password

	Callback string        // the address on our site to which the provider sends people back
	Timeout  time.Duration // of each request to the provider; 0 means 5 s
	Now      func() time.Time
}

// Provider is the identity provider. Pitboss fetches its keys and addresses when it needs them, so it can start while the
// provider is down.
type Provider struct {
	Config
	client *http.Client

	mu    sync.Mutex
	known *oidc.Provider
}

// maxAnswer is the most bytes that an answer of the provider may have.
const maxAnswer = 1 << 20

// limited reads no more than maxAnswer bytes of an answer, because the libraries read the provider's documents into memory.
type limited struct{}

func (limited) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		answer.Body = http.MaxBytesReader(nil, answer.Body, maxAnswer)
	}
	return answer, err
}

// New returns the provider.
func New(cfg Config) *Provider {
	return &Provider{Config: cfg, client: &http.Client{Timeout: cmp.Or(cfg.Timeout, 5*time.Second), Transport: limited{}}}
}

// Errors that keep somebody from signing in. Their texts are for logs, except Refused's.
var (
	ErrUnreachable = errors.New("the identity provider cannot be reached")
	ErrAnswer      = errors.New("the identity provider's answer is not acceptable")
)

// Refused means that the provider knows a person whose groups give no role, or more than one.
type Refused struct {
	models.Identity
	Roles  []models.Role // that their groups give
	Groups []string      // those that give a role
}

// Error returns the text for the log.
func (r Refused) Error() string {
	return fmt.Sprintf("the groups of %s give %d roles", r.Subject(), len(r.Roles))
}

// flow is kept in a cookie until its owner comes back from the provider, because the answer must come to the same browser.
type flow struct {
	State, Nonce, Verifier string
	Next                   string // the page to go to afterwards
	Again                  bool   // they are signed in, and have to prove their identity again
}

// MayUsePassword reports whether this account may sign in with a password.
func (p *Provider) MayUsePassword(username string) bool {
	return slices.Contains(p.BreakGlass, username)
}

// discovered returns the provider's metadata and the OAuth client for it.
func (p *Provider) discovered(ctx context.Context) (*oidc.Provider, *oauth2.Config, error) {
	p.mu.Lock()
	known := p.known
	p.mu.Unlock()
	if known == nil {
		var err error
		if known, err = oidc.NewProvider(oidc.ClientContext(ctx, p.client), p.Issuer); err != nil {
			return nil, nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
		}
		p.mu.Lock()
		p.known = known
		p.mu.Unlock()
	}
	return known, &oauth2.Config{ClientID: p.ClientID, ClientSecret: p.ClientSecret, Endpoint: known.Endpoint(), RedirectURL: p.Callback,
		Scopes: []string{oidc.ScopeOpenID, "profile", "email"}}, nil
}

// longestNext limits the address of the next page, in bytes, because browsers keep cookies of up to 4096 bytes. A longer
// address loses what was typed into the form, so the form is empty afterwards.
const longestNext = 2400

// Begin returns the provider's address for a sign-in, the state that comes back with the answer, and the cookie that the
// browser keeps until then. Its error is ErrUnreachable.
func (p *Provider) Begin(ctx context.Context, next string, again bool) (address, state, kept string, err error) {
	_, client, err := p.discovered(ctx)
	if err != nil {
		return "", "", "", err
	}
	if len(next) > longestNext {
		next, _, _ = strings.Cut(next, "?")
	}
	f := flow{State: credentials.RandomText(), Nonce: credentials.RandomText(), Verifier: oauth2.GenerateVerifier(), Next: next,
		Again: again}
	options := []oauth2.AuthCodeOption{oidc.Nonce(f.Nonce), oauth2.S256ChallengeOption(f.Verifier)}
	if again {
		options = append(options, oauth2.SetAuthURLParam("prompt", "login"), oauth2.SetAuthURLParam("max_age", "0"))
	}
	text, err := json.Marshal(f)
	return client.AuthCodeURL(f.State, options...), f.State, base64.RawURLEncoding.EncodeToString(text), err
}

// Person is somebody who came back from the provider.
type Person struct {
	models.SignOn
	Next  string
	Fresh bool // they have just proved their identity to the provider
}

// maxAge is how old a password entry at the provider may be if the person had to enter the password again.
const maxAge = 5 * time.Minute

// Finish returns the person who came back, given the browser's cookie and the parameters in the address. Its error is Refused,
// ErrUnreachable or ErrAnswer.
func (p *Provider) Finish(ctx context.Context, kept, state, code, refusal string) (who Person, err error) {
	var f flow
	text, err := base64.RawURLEncoding.DecodeString(kept)
	if err == nil {
		err = json.Unmarshal(text, &f)
	}
	switch {
	case err != nil || f.State == "" || subtle.ConstantTimeCompare([]byte(f.State), []byte(state)) != 1:
		return who, fmt.Errorf("%w: it is not for this browser", ErrAnswer)
	case code == "":
		return who, fmt.Errorf("%w: it refused: %.100q", ErrAnswer, refusal)
	}
	provider, client, err := p.discovered(ctx)
	if err != nil {
		return who, err
	}
	ctx = oidc.ClientContext(ctx, p.client)
	tokens, err := client.Exchange(ctx, code, oauth2.VerifierOption(f.Verifier))
	var answered *oauth2.RetrieveError
	switch {
	case errors.As(err, &answered) && answered.Response.StatusCode < http.StatusInternalServerError:
		return who, fmt.Errorf("%w: it refused the code: %.100q", ErrAnswer, answered.ErrorCode) // its body may have a secret
	case err != nil:
		return who, fmt.Errorf("%w: the code could not be exchanged", ErrUnreachable)
	}
	raw, _ := tokens.Extra("id_token").(string)
	token, err := provider.Verifier(&oidc.Config{ClientID: p.ClientID, Now: p.Now}).Verify(ctx, raw)
	if err != nil {
		return who, fmt.Errorf("%w: %w", ErrAnswer, err)
	}
	if subtle.ConstantTimeCompare([]byte(token.Nonce), []byte(f.Nonce)) != 1 {
		return who, fmt.Errorf("%w: its token is for another sign-in", ErrAnswer)
	}
	var claims map[string]any
	if err := errors.Join(token.Claims(&claims), models.CheckSubject(token.Subject)); err != nil {
		return who, fmt.Errorf("%w: %w", ErrAnswer, err)
	}
	at, _ := strconv.ParseFloat(fmt.Sprint(claims["auth_time"]), 64) // some providers send a string; 0 if it is missing
	proved := time.Unix(int64(at), 0)
	who = Person{Next: f.Next, Fresh: f.Again && p.Now().Sub(proved) < maxAge && proved.Sub(p.Now()) < maxAge}
	if f.Again && !who.Fresh {
		return who, fmt.Errorf("%w: it did not ask for the password again, or does not say when (auth_time)", ErrAnswer)
	}
	who.SignOn, err = p.signOn(models.NewIdentity(p.Issuer, token.Subject), claims)
	return who, err
}

// signOn returns what a token's claims say about a person, or Refused.
func (p *Provider) signOn(identity models.Identity, claims map[string]any) (models.SignOn, error) {
	text := func(name string) string {
		s, _ := claims[name].(string)
		return s
	}
	on := models.SignOn{Identity: identity}
	refused := Refused{Identity: identity}
	groups, several := claims[p.GroupsClaim].([]any)
	if !several {
		groups = []any{claims[p.GroupsClaim]} // some providers send a single group as a string
	}
	for _, group := range groups {
		name, _ := group.(string)
		if role, known := p.Roles[name]; known {
			refused.Groups = append(refused.Groups, name)
			if !slices.Contains(refused.Roles, role) {
				refused.Roles = append(refused.Roles, role)
			}
		}
	}
	if len(refused.Roles) != 1 {
		return on, refused
	}
	on.Role = refused.Roles[0]
	if email, err := models.ParseEmail(text("email")); err == nil && fmt.Sprint(claims["email_verified"]) == "true" {
		on.Email = email
	}
	for _, name := range []string{text("preferred_username"), text("email"), identity.Subject()} {
		if on.Username = username(name); on.Username != "" {
			break
		}
	}
	var err error
	if on.Name, err = models.ParseName(text("name")); err != nil {
		on.Name = on.Username
	}
	return on, nil
}

// username makes a username from a person's name at the provider, such as mira from Mira@casino.example. It returns "" if
// nothing in the name can be used.
func username(name string) string {
	name, _, _ = strings.Cut(strings.ToLower(name), "@")
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r == '_' {
			return r
		}
		return '-'
	}, name)
	name = strings.TrimLeft(name, "0123456789._-")
	parsed, err := models.ParseUsername(name[:min(len(name), 32)])
	if err != nil {
		return ""
	}
	return parsed
}
