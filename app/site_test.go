package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/alexedwards/argon2id"
	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"pitboss/app/bonus"
	"pitboss/app/browsertest"
	"pitboss/app/catalogue"
	"pitboss/app/credentials"
	"pitboss/app/evidence"
	"pitboss/app/export"
	"pitboss/app/gamesession"
	"pitboss/app/platform"
	"pitboss/app/reconcile"
	"pitboss/app/web"
	"pitboss/callbacks/simulator"
	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/storetest"
)

func TestMain(m *testing.M) { runTests(m) }

// runTests runs the tests of a package whose tests start sites. They hash passwords cheaply, because there are hundreds and the
// race detector makes each take seconds. TestPasswordsAreHashedStrongly checks the program's own parameters.
func runTests(m *testing.M) {
	strong := *credentials.HashParams
	strongParams, credentials.HashParams.Memory, credentials.HashParams.Iterations = &strong, 8, 1
	credentials.Nobody = passwordHash()
	storetest.Main(m, browsertest.End)
}

// strongParams are the program's own parameters.
var strongParams *argon2id.Params

// passwordAlone are the sign-in rules of the tests: by default, nobody needs a second factor.
var passwordAlone = func() models.SignInRules {
	rules := models.DefaultSignInRules
	rules.TOTPRoles = nil
	return rules
}()

// password is everybody's password in the tests.
const password = "plum orbit lantern 47"

var passwordHash = sync.OnceValue(func() string {
	hash, err := credentials.HashPassword(password)
	if err != nil {
		panic(err)
	}
	return hash
})

// site is the back office on a port of its own, over a real database.
type site struct {
	*App
	Deps
	t       testing.TB
	base    *url.URL
	mu      sync.Mutex
	forward time.Duration // how far the site's clock is ahead of ours
	sim     *simulator.Simulator

	stopStatements func() // from now on, no comparison of a statement continues
}

// newSite starts a site over the database at dbURL. The changes are made to its configuration and services before it starts.
func newSite(t testing.TB, dbURL string, changes ...func(*Config, *Deps)) *site {
	return newKeyedSite(t, dbURL, nil, changes...)
}

// proving gives a site a service that writes checkpoints to dir and verifies the ledger, once s.prove runs it.
func proving(dir string) func(*Config, *Deps) {
	return func(_ *Config, deps *Deps) {
		deps.Evidence = evidence.New(evidence.Config{Store: deps.Store, Dir: dir, Every: 24 * time.Hour, Holder: "site"})
	}
}

// prove runs the service of a site that is proving.
func (s *site) prove() {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Evidence.Run(ctx)
	}()
	s.t.Cleanup(func() {
		cancel()
		<-ended
	})
}

// newKeyedSite is newSite with the key of the ledger's chains.
func newKeyedSite(t testing.TB, dbURL string, ledgerKey []byte, changes ...func(*Config, *Deps)) *site {
	t.Helper()
	s := &site{t: t}
	now := func() time.Time {
		s.mu.Lock()
		defer s.mu.Unlock()
		return time.Now().Add(s.forward)
	}
	db := storetest.Open(t, store.Config{URL: dbURL, Now: now, LedgerKey: ledgerKey})
	require.NoError(t, db.SetSignInRules(t.Context(), models.System, passwordAlone))
	secrets := platform.Config{AgentID: "LUMEN01", APIToken: "token-of-the-tests", SecretKey: "secret-of-the-tests"}
	var err error
	s.sim, err = simulator.New(simulator.Config{AgentID: secrets.AgentID, APIToken: secrets.APIToken,
		SecretKey: secrets.SecretKey, CallbackURL: "http://127.0.0.1:1", Games: 60})
	require.NoError(t, err)
	outside := httptest.NewServer(s.sim.Handler())
	t.Cleanup(outside.Close)
	secrets.URL, secrets.Backoff, secrets.BreakerDelay = outside.URL, time.Millisecond, time.Millisecond
	client, err := platform.New(secrets)
	require.NoError(t, err)
	exports := export.New(export.Config{Store: db, Dir: filepath.Join(t.TempDir(), "exports"), Now: now})
	writing, stop := context.WithCancel(context.Background())
	stopped := make(chan struct{})
	go func() { defer close(stopped); exports.Run(writing) }()
	t.Cleanup(func() { stop(); <-stopped })
	statements := reconcile.New(reconcile.Config{Store: db, Dir: filepath.Join(t.TempDir(), "statements"), Holder: "site",
		Every: 10 * time.Millisecond})
	comparing, halt := context.WithCancel(context.Background())
	halted := make(chan struct{})
	go func() { defer close(halted); statements.Run(comparing) }()
	s.stopStatements = func() { halt(); <-halted }
	t.Cleanup(s.stopStatements)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s.base = &url.URL{Scheme: "http", Host: listener.Addr().String()}
	cfg := Config{Config: web.Config{SessionKey: []byte("session key of the tests"),
		PublicURL: s.base, GameHosts: []string{"games.example", outside.Listener.Addr().String()}, Operator: "lumen.example",
		Environment: "Test", AgentID: "LUMEN01", Contact: "support@platform.example",
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
		Thumbnails:     []string{outside.Listener.Addr().String()},
	}}
	deps := Deps{
		Store: db, Now: now, Platform: client,
		Catalogue: catalogue.New(catalogue.Config{Store: db, Platform: client, Now: now, Log: slog.New(slog.DiscardHandler)}),
		Launcher:  gamesession.New(gamesession.Config{Store: db, Platform: client}),
		Bonus:     bonus.New(bonus.Config{Store: db, Platform: client, Holder: "site", Now: now}),
		Exports:   exports, Statements: statements,
	}
	for _, change := range changes {
		change(&cfg, &deps)
	}
	s.Deps = deps
	s.App, err = New(cfg, deps)
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() { done <- s.Listen(listener) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = s.Shutdown(ctx) // connections that the browser keeps open are cut after the deadline
		require.NoError(t, <-done)
	})
	return s
}

// later moves the site's clock forward.
func (s *site) later(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forward += d
}

// hire creates a member of staff who can sign in.
func (s *site) hire(username string, role models.Role) models.Staff {
	s.t.Helper()
	made, err := s.Store.CreateStaff(s.t.Context(), models.System, models.Staff{
		Username: username, Name: strings.ToUpper(username[:1]) + username[1:], Role: role, PasswordHash: passwordHash(),
		Profile: models.DefaultProfile,
	})
	require.NoError(s.t, err)
	return made
}

// browser is a person's browser, with cookies and an address.
type browser struct {
	t      testing.TB
	site   *site
	client *http.Client
	from   string // X-Forwarded-For, which the site trusts from this machine
}

func (s *site) browser(from string) *browser {
	jar, err := cookiejar.New(nil)
	require.NoError(s.t, err)
	return &browser{t: s.t, site: s, from: from, client: &http.Client{
		Jar:           jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// signedIn returns a browser in which a new member of staff of this role is signed in.
func (s *site) signedIn(username string, role models.Role) *browser {
	s.t.Helper()
	s.hire(username, role)
	b := s.browser("198.51.100.1")
	page := b.signIn(username, password)
	require.Equal(s.t, http.StatusSeeOther, page.status, page.text)
	return b
}

// answer is a page as the browser received it.
type answer struct {
	*goquery.Document
	status   int
	location string
	header   http.Header
	text     string
}

// send sends a request. If the answer to a form is a redirect to a page with a draft, to confirm or correct the form, it
// follows the redirect as a browser does.
func (b *browser) send(request *http.Request) *answer {
	b.t.Helper()
	a := b.sendOnce(request)
	for request.Method == http.MethodPost && a.status == http.StatusSeeOther && strings.Contains(a.location, "?draft=") &&
		!strings.HasPrefix(a.location, "/signin") {
		a = b.get(a.location)
	}
	return a
}

// sendOnce sends a request and follows no redirect.
func (b *browser) sendOnce(request *http.Request) *answer {
	b.t.Helper()
	if b.from != "" {
		request.Header.Set("X-Forwarded-For", b.from)
	}
	response, err := b.client.Do(request)
	// A body beyond the limit is refused before all of it has arrived. That may reset the connection before the client has read
	// the answer, or while it still writes; it then sends the request again.
	for (errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)) && request.ContentLength > web.AnybodysBody {
		request.Body, err = request.GetBody()
		require.NoError(b.t, err)
		response, err = b.client.Do(request)
	}
	require.NoError(b.t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(b.t, err)
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(string(body)))
	require.NoError(b.t, err)
	onOneLine(doc.Nodes[0])
	return &answer{doc, response.StatusCode, response.Header.Get("Location"), response.Header, string(body)}
}

// onOneLine turns the line breaks of a page's text into spaces, as a browser shows them.
func onOneLine(node *html.Node) {
	if node.Type == html.TextNode {
		node.Data = strings.ReplaceAll(node.Data, "\n", " ")
	}
	for child := range node.ChildNodes() {
		if child.Data != "pre" && child.Data != "textarea" {
			onOneLine(child)
		}
	}
}

func (b *browser) request(method, path string, form url.Values) *http.Request {
	b.t.Helper()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	request, err := http.NewRequestWithContext(b.t.Context(), method, b.site.base.String()+path, body)
	require.NoError(b.t, err)
	if form != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("Origin", b.site.base.String())
		request.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	return request
}

func (b *browser) get(path string) *answer {
	b.t.Helper()
	return b.send(b.request(http.MethodGet, path, nil))
}

// post sends a form with the token of the page at from.
func (b *browser) post(from, path string, form url.Values) *answer {
	b.t.Helper()
	if form == nil {
		form = url.Values{}
	}
	if !form.Has("csrf") {
		form.Set("csrf", b.token(from))
	}
	return b.send(b.request(http.MethodPost, path, form))
}

func (b *browser) token(from string) string {
	b.t.Helper()
	return b.get(from).Find("input[name=csrf]").First().AttrOr("value", "")
}

func (b *browser) signIn(username, password string) *answer {
	b.t.Helper()
	return b.post("/signin", "/signin", url.Values{"username": {username}, "password": {password}})
}

// cookie returns the value of one of the browser's cookies.
func (b *browser) cookie(name string) string {
	for _, c := range b.client.Jar.Cookies(b.site.base) {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}

// totpCode returns the code of a secret at the site's present time.
func (s *site) totpCode(secret string) string {
	s.t.Helper()
	code, err := totp.GenerateCode(secret, s.Now())
	require.NoError(s.t, err)
	return code
}

// eachSite runs fn over both databases.
func eachSite(t *testing.T, fn func(t *testing.T, s *site), changes ...func(*Config, *Deps)) {
	storetest.Each(t, func(t *testing.T, url string) { fn(t, newSite(t, url, changes...)) })
}

// sqliteSite returns a site over SQLite, for tests in which the database does not matter.
func sqliteSite(t testing.TB, changes ...func(*Config, *Deps)) *site {
	return newSite(t, storetest.URL(t, storetest.SQLite), changes...)
}

// nameOf returns a route's name for a subtest.
func nameOf(r web.Route) string {
	return fmt.Sprintf("%s %s", r.Method, strings.ReplaceAll(r.Path, "/", "|"))
}
