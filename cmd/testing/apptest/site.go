package apptest

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

	"pitboss/app"
	"pitboss/app/bonus"
	"pitboss/app/catalogue"
	"pitboss/app/credentials"
	"pitboss/app/evidence"
	"pitboss/app/gamesession"
	"pitboss/app/jobs"
	"pitboss/app/platform"
	"pitboss/app/reconcile"
	"pitboss/app/web"
	"pitboss/callbacks/simulator"
	"pitboss/cmd/testing/browsertest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// Main runs the tests of a package that starts sites. They hash passwords cheaply: there are hundreds of passwords, and under
// the race detector each would take seconds. TestPasswordsAreHashedStrongly checks the program's own parameters.
func Main(m *testing.M) {
	strong := *credentials.HashParams
	StrongHashing, credentials.HashParams.Memory, credentials.HashParams.Iterations = &strong, 8, 1
	credentials.Nobody = PasswordHash()
	storetest.Main(m, browsertest.End)
}

// StrongHashing are the program's own parameters.
var StrongHashing *argon2id.Params

// PasswordAlone has the sign-in rules of the tests. By default, nobody needs a second factor.
var PasswordAlone = func() models.SignInRules {
	rules := models.DefaultSignInRules
	rules.SecondFactorRoles = nil
	return rules
}()

// Password is the password of everybody in the tests.
const Password = "plum orbit lantern 47"

var PasswordHash = sync.OnceValue(func() string {
	hash, err := credentials.HashPassword(Password)
	if err != nil {
		panic(err)
	}
	return hash
})

// Site is the back office on its own port, with a real database.
type Site struct {
	*app.App
	app.Deps
	T       testing.TB
	Base    *url.URL
	mu      sync.Mutex
	forward time.Duration // how far the site's clock is ahead of the machine's
	Sim     *simulator.Simulator

	StopStatements func() // stops comparing statements
}

// NewSite starts a site with the database at dbURL. Each of changes can alter its configuration and services before it starts.
func NewSite(t testing.TB, dbURL string, changes ...func(*app.Config, *app.Deps)) *Site {
	return NewKeyedSite(t, dbURL, nil, changes...)
}

// Proving gives a site a service that writes checkpoints to dir and verifies the ledger whenever Prove is called.
func Proving(dir string) func(*app.Config, *app.Deps) {
	return func(_ *app.Config, deps *app.Deps) {
		deps.Evidence = evidence.New(evidence.Config{Store: deps.Store, Dir: dir, Every: 24 * time.Hour, Holder: "site"})
	}
}

// Prove does the verifications that are waiting on a site started with Proving.
func (s *Site) Prove() {
	Work(s.T, s.Store, s.Evidence.Verifications())
}

// Work runs jobs until the test calls stop or ends.
func Work(t testing.TB, s *store.Store, work ...jobs.Job) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		jobs.Schedule{Leases: s, Holder: "site", Log: slog.New(slog.DiscardHandler)}.Run(ctx, work...)
	}()
	stop = func() {
		cancel()
		<-ended
	}
	t.Cleanup(stop)
	return stop
}

// NewKeyedSite is like NewSite, with a key for the ledger's hash chains.
func NewKeyedSite(t testing.TB, dbURL string, ledgerKey []byte, changes ...func(*app.Config, *app.Deps)) *Site {
	t.Helper()
	s := &Site{T: t}
	now := func() time.Time {
		s.mu.Lock()
		defer s.mu.Unlock()
		return time.Now().Add(s.forward)
	}
	db := storetest.Open(t, store.Config{URL: dbURL, Now: now, LedgerKey: ledgerKey})
	require.NoError(t, db.SetSignInRules(t.Context(), models.System, PasswordAlone))
	secrets := platform.Config{AgentID: "LUMEN01", APIToken: "token-of-the-tests", SecretKey: "secret-of-the-tests"}
	var err error
	s.Sim, err = simulator.New(simulator.Config{AgentID: secrets.AgentID, APIToken: secrets.APIToken,
		SecretKey: secrets.SecretKey, CallbackURL: "http://127.0.0.1:1", Games: 60})
	require.NoError(t, err)
	require.NoError(t, s.Sim.RenameGame(s.Sim.Games()[3].GameID, HostileName))
	outside := httptest.NewServer(s.Sim.Handler())
	t.Cleanup(outside.Close)
	secrets.URL, secrets.Backoff, secrets.BreakerDelay = outside.URL, time.Millisecond, time.Millisecond
	client, err := platform.New(secrets)
	require.NoError(t, err)
	statements := reconcile.New(reconcile.Config{Store: db, Every: 10 * time.Millisecond})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s.Base = &url.URL{Scheme: "http", Host: listener.Addr().String()}
	cfg := app.Config{Config: web.Config{SessionKey: []byte("session key of the tests"),
		PublicURL: s.Base, GameHosts: []string{"games.example", outside.Listener.Addr().String()}, Operator: "lumen.example",
		Environment: "Test", AgentID: "LUMEN01", Contact: "support@platform.example",
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
		Thumbnails:     []string{outside.Listener.Addr().String()},
	}}
	deps := app.Deps{
		Store: db, Now: now, Platform: client,
		Catalogue:  catalogue.New(catalogue.Config{Store: db, Platform: client, Now: now, Log: slog.New(slog.DiscardHandler)}),
		Launcher:   gamesession.New(gamesession.Config{Store: db, Platform: client}),
		Bonus:      bonus.New(bonus.Config{Store: db, Platform: client, Now: now}),
		Statements: statements,
	}
	for _, change := range changes {
		change(&cfg, &deps)
	}
	s.Deps = deps
	s.App, err = app.New(cfg, deps)
	require.NoError(t, err)
	s.StopStatements = Work(t, db, statements.Comparisons())
	done := make(chan error, 1)
	go func() { done <- s.Listen(listener) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = s.Shutdown(ctx) // after the deadline, it cuts connections that the browser keeps open
		require.NoError(t, <-done)
	})
	return s
}

// Later moves the site's clock forward.
func (s *Site) Later(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forward += d
}

// Hire creates a member of staff who can sign in.
func (s *Site) Hire(username string, role models.Role) models.Staff {
	s.T.Helper()
	made, err := s.Store.CreateStaff(s.T.Context(), models.System, models.Staff{
		Username: username, Name: strings.ToUpper(username[:1]) + username[1:], Role: role, PasswordHash: PasswordHash(),
		Profile: models.DefaultProfile,
	})
	require.NoError(s.T, err)
	return made
}

// Browser is one person's browser, with cookies and an address.
type Browser struct {
	T      testing.TB
	Site   *Site
	Client *http.Client
	from   string // sent as X-Forwarded-For: this machine is a trusted proxy of the site
}

func (s *Site) Browser(from string) *Browser {
	jar, err := cookiejar.New(nil)
	require.NoError(s.T, err)
	return &Browser{T: s.T, Site: s, from: from, Client: &http.Client{
		Jar:           jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// SignedIn returns a browser in which a newly created member of staff with this role is signed in.
func (s *Site) SignedIn(username string, role models.Role) *Browser {
	s.T.Helper()
	s.Hire(username, role)
	b := s.Browser("198.51.100.1")
	page := b.SignIn(username, Password)
	require.Equal(s.T, http.StatusSeeOther, page.Status, page.Body)
	return b
}

// Answer is a page as the browser receives it.
type Answer struct {
	*goquery.Document
	Status   int
	Location string
	Header   http.Header
	Body     string
}

// Send sends a request. If a form is answered with a redirect to a page that asks to confirm or correct a draft, Send follows
// the redirect, as a browser does.
func (b *Browser) Send(request *http.Request) *Answer {
	b.T.Helper()
	a := b.SendOnce(request)
	for request.Method == http.MethodPost && a.Status == http.StatusSeeOther && strings.Contains(a.Location, "?draft=") &&
		!strings.HasPrefix(a.Location, "/signin") {
		a = b.Get(a.Location)
	}
	return a
}

// SendOnce sends a request without following redirects.
func (b *Browser) SendOnce(request *http.Request) *Answer {
	b.T.Helper()
	if b.from != "" {
		request.Header.Set("X-Forwarded-For", b.from)
	}
	response, err := b.Client.Do(request)
	// The site refuses a body beyond the limit before all of it has arrived. That may reset the connection while the client
	// still writes, or before it has read the answer. The client then sends the request again.
	for (errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)) && request.ContentLength > web.AnybodysBody {
		request.Body, err = request.GetBody()
		require.NoError(b.T, err)
		response, err = b.Client.Do(request)
	}
	require.NoError(b.T, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(b.T, err)
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(string(body)))
	require.NoError(b.T, err)
	onOneLine(doc.Nodes[0])
	return &Answer{doc, response.StatusCode, response.Header.Get("Location"), response.Header, string(body)}
}

// onOneLine replaces the line breaks in a page's text with spaces, as a browser does.
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

func (b *Browser) Request(method, path string, form url.Values) *http.Request {
	b.T.Helper()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	request, err := http.NewRequestWithContext(b.T.Context(), method, b.Site.Base.String()+path, body)
	require.NoError(b.T, err)
	if form != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("Origin", b.Site.Base.String())
		request.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	return request
}

func (b *Browser) Get(path string) *Answer {
	b.T.Helper()
	return b.Send(b.Request(http.MethodGet, path, nil))
}

// Post sends a form with the token from the page at from.
func (b *Browser) Post(from, path string, form url.Values) *Answer {
	b.T.Helper()
	if form == nil {
		form = url.Values{}
	}
	if !form.Has("csrf") {
		page := b.Get(from)
		form.Set("csrf", page.Find("input[name=csrf]").First().AttrOr("value", ""))
		request := path[:strings.LastIndexByte(path, '/')]
		decision := page.Find("form[action='" + request + "/approval'] [name=seen]")
		if seen, found := decision.Attr("value"); found && !form.Has("seen") {
			form.Set("seen", seen)
		}
	}
	return b.Send(b.Request(http.MethodPost, path, form))
}

func (b *Browser) Token(from string) string {
	b.T.Helper()
	return b.Get(from).Find("input[name=csrf]").First().AttrOr("value", "")
}

func (b *Browser) SignIn(username, password string) *Answer {
	b.T.Helper()
	return b.Post("/signin", "/signin", url.Values{"username": {username}, "password": {password}})
}

// TotpCode returns the code of a secret at the site's current time.
func (s *Site) TotpCode(secret string) string {
	s.T.Helper()
	code, err := totp.GenerateCode(secret, s.Now())
	require.NoError(s.T, err)
	return code
}

// EachSite runs a test with a site on SQLite and, with PITBOSS_PROVE, also on MariaDB. The databases differ only in the store,
// whose own tests run on both.
func EachSite(t *testing.T, fn func(t *testing.T, s *Site), changes ...func(*app.Config, *app.Deps)) {
	t.Helper()
	for _, engine := range storetest.Engines {
		if engine == storetest.SQLite || storetest.Scaled(0, 1) == 1 {
			t.Run(engine, func(t *testing.T) { fn(t, NewSite(t, storetest.URL(t, engine), changes...)) })
		}
	}
}

// SqliteSite returns a site on SQLite, for tests that do not depend on the database.
func SqliteSite(t testing.TB, changes ...func(*app.Config, *app.Deps)) *Site {
	return NewSite(t, storetest.URL(t, storetest.SQLite), changes...)
}

// NameOf returns a route's name for a subtest.
func NameOf(r web.Route) string {
	return fmt.Sprintf("%s %s", r.Method, strings.ReplaceAll(r.Path, "/", "|"))
}
