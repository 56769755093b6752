package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/app/gamesession"
	"pitboss/callbacks/simulator"
	"pitboss/callbacks/wire"
	"pitboss/cmd/pitboss/config"
	"pitboss/cmd/pitboss/demo"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// overheard collects the output of several writers, and the signs of requests.
type overheard struct {
	mu    sync.Mutex
	text  bytes.Buffer
	signs map[string][]string // with the forms in which a text may show each
}

func (o *overheard) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

// note keeps the sign of a request and leaves its body as it was.
func (o *overheard) note(r *http.Request) {
	if r.Body == nil {
		return
	}
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	var request struct{ Sign string }
	if json.Unmarshal(body, &request) == nil && len(request.Sign) == 64 {
		o.add(request.Sign)
	}
}

func (o *overheard) add(sign string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.signs[sign] != nil {
		return
	}
	for _, form := range forms(sign) {
		o.signs[sign] = append(o.signs[sign], form)
		if escaped := url.QueryEscape(form); escaped != form {
			o.signs[sign] = append(o.signs[sign], escaped)
		}
	}
}

// leaks returns the signs that text shows in one form or another.
func (o *overheard) leaks(text string) (found []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, shown := range o.signs {
		for _, form := range shown {
			if strings.Contains(text, form) {
				found = append(found, form)
			}
		}
	}
	return found
}

// desk is a member of staff who reads pages without scripts.
type desk struct {
	*testing.T
	client *http.Client
	base   string
}

func sitDown(t *testing.T, base, username string) *desk {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	d := &desk{t, &http.Client{Jar: jar}, base}
	page := d.page("/signin")
	_, shown := d.send("/signin",
		url.Values{"csrf": {page.Find("input[name=csrf]").AttrOr("value", "")}, "username": {username},
			"password": {demo.Password}})
	require.Contains(t, shown, `href="/account"`, "%s is signed in", username)
	return d
}

func (d *desk) read(response *http.Response, err error) (*http.Response, string) {
	d.Helper()
	require.NoError(d, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(d, err)
	return response, string(text)
}

func (d *desk) get(path string) (*http.Response, string) {
	d.Helper()
	return d.read(d.client.Get(d.base + path))
}

func (d *desk) send(path string, form url.Values) (*http.Response, string) {
	d.Helper()
	request, err := http.NewRequestWithContext(d.Context(), http.MethodPost, d.base+path, strings.NewReader(form.Encode()))
	require.NoError(d, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Origin", d.base)
	return d.read(d.client.Do(request))
}

func (d *desk) page(path string) *goquery.Document {
	d.Helper()
	_, text := d.get(path)
	page, err := goquery.NewDocumentFromReader(strings.NewReader(text))
	require.NoError(d, err)
	return page
}

var anyNumber = regexp.MustCompile(`\d+`)

// walk follows links, downloads every export on the way, and passes each answer to look. It reads up to three pages of each
// kind.
func (d *desk) walk(look func(path, text string)) (pages int) {
	seen, kinds, asked := map[string]bool{}, map[string]int{}, map[string]bool{}
	queue := []string{"/"}
	for len(queue) > 0 && pages < long(120, 2000) {
		path := queue[0]
		queue = queue[1:]
		kind := anyNumber.ReplaceAllString(path, "N")
		if seen[path] || kinds[kind] == 3 || strings.HasPrefix(path, "/static") || strings.HasPrefix(path, "/signout") {
			continue
		}
		seen[path] = true
		kinds[kind]++
		pages++
		response, text := d.get(path)
		look(path, text)
		if !strings.HasPrefix(response.Header.Get("Content-Type"), "text/html") {
			continue
		}
		page, err := goquery.NewDocumentFromReader(strings.NewReader(text))
		require.NoError(d, err)
		page.Find("[href^='/']").Each(func(_ int, a *goquery.Selection) { queue = append(queue, a.AttrOr("href", "")) })
		page.Find("form[action='/exports']").Each(func(_ int, form *goquery.Selection) {
			fields := url.Values{}
			form.Find("input, select, button[name]").Each(func(_ int, f *goquery.Selection) {
				value := f.AttrOr("value", "")
				if goquery.NodeName(f) == "select" {
					value = f.Find("option").First().AttrOr("value", "")
				}
				fields.Set(f.AttrOr("name", ""), value)
			})
			if list := fields.Get("list"); !asked[list] {
				asked[list] = true
				_, text := d.send("/exports", fields)
				look("POST /exports", text)
			}
		})
	}
	return pages
}

// No page of any role, no export, no log line and no output of a command shows a sign that the platform or we have used, in any
// form.
func TestAttackSignatureShown(t *testing.T) {
	alongside(t)
	url := storetest.URL(t, storetest.MariaDB)
	heard := &overheard{signs: map[string][]string{}}
	var sim *simulator.Simulator
	platform := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		heard.note(r)
		sim.Handler().ServeHTTP(w, r)
	}))
	t.Cleanup(platform.Close)
	environ := environment(url, "PITBOSS_PLATFORM_URL="+platform.URL)
	settings, err := config.Load[config.Server](environ)
	require.NoError(t, err)
	server, err := NewServer(t.Context(), settings, newLog(&console{err: heard}, "text"))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-ended)
	})
	callbacks := callbacksThrough(t, server.CallbackURL(), heard)
	sim, err = simulator.New(simulator.Config{
		AgentID: testAgent, APIToken: testToken, SecretKey: testSecret, CallbackURL: callbacks, Games: 20,
	})
	require.NoError(t, err)
	require.NoError(t, demo.CreateStaff(t.Context(), server.store))
	s := open(t, url)
	for user, test := range map[models.UserID]bool{"tess": true, "anna": false} {
		_, err = s.CreatePlayer(t.Context(), models.System,
			models.NewPlayer{UserID: user, Currency: "EUR", Balance: 100000, Test: test})
		require.NoError(t, err)
	}

	for _, args := range [][]string{
		{"games", "sync"},
		{"golive", "--callback-url", callbacks, "--user-id", "tess"},
	} {
		_, out, errs := command(t, environ, args...)
		require.Empty(t, heard.leaks(out+errs), args)
	}
	game := models.GameID(sim.Games()[0].GameID)
	_, _, err = server.services.launcher.Launch(t.Context(), models.System,
		gamesession.Request{UserID: "tess", GameID: game, Language: "en"})
	require.NoError(t, err)
	_, err = server.services.bonus.Grant(t.Context(), models.Actor{Name: "bruno"},
		models.GrantRequest{UserID: "tess", GameID: game, Spins: 5, Reason: "goodwill", Role: models.Bonus})
	require.NoError(t, err)
	_, err = sim.Play(t.Context(),
		simulator.PlayOptions{Players: players(t, s, 3), Seed: 7, Rounds: 6, Gentle: true, First: oddRounds})
	require.NoError(t, err)
	resplit := genuine(wire.Deposit,
		wire.Request{UserID: "anna", Amount: "1.00", TransactionID: "shown-1", RoundID: "round-1"})
	heard.add(resplit.Sign)
	require.Contains(t, post(t, server, wire.Deposit, resplit), `"result":0`)
	resplit.TransactionID, resplit.RoundID = "shown-1r", "ound-1"
	require.Equal(t, signRefused, post(t, server, wire.Deposit, resplit))
	hidden := resplit // what does not verify is not shown either
	hidden.Sign = strings.ToLower(resplit.Sign)
	post(t, server, wire.Deposit, hidden)
	require.Eventually(t, func() bool {
		_, err := s.FindCases(t.Context(), models.CaseRulesConfig{})
		require.NoError(t, err)
		cases, err := s.Cases(t.Context(), models.CaseFilter{Rule: models.CaseSignReused, Span: models.Span{Limit: 50}})
		require.NoError(t, err)
		return len(cases.Rows) > 0
	}, time.Minute, 50*time.Millisecond)
	require.Greater(t, len(heard.signs), 50, "signs were heard")

	for _, member := range demo.Staff {
		d := sitDown(t, server.AdminURL(), member.Username)
		pages := d.walk(func(path, text string) { require.Empty(t, heard.leaks(text), "%s at %s", member.Username, path) })
		require.Greater(t, pages, 20, member.Username)
		_, text := d.get("/transactions?q=shown-1")
		require.Empty(t, heard.leaks(text))
	}
	for _, path := range []string{"/", "/simulator/statement.csv", "/simulator", "/metrics"} {
		for _, base := range []string{platform.URL, server.AdminURL()} {
			_, text := (&desk{t, http.DefaultClient, base}).get(path)
			require.Empty(t, heard.leaks(text), "%s%s", base, path)
		}
	}
	for _, args := range [][]string{
		{"verify"},
	} {
		_, out, errs := command(t, environ, args...)
		require.Empty(t, heard.leaks(out+errs), args)
	}
	log := heard.text.String()
	require.Contains(t, log, "Serving.", "the log has the rest")
	require.Empty(t, heard.leaks(log))
}

// callbacksThrough returns the address of a proxy that records each callback on its way to a server.
func callbacksThrough(t *testing.T, address string, heard *overheard) string {
	t.Helper()
	to, err := url.Parse(address)
	require.NoError(t, err)
	through := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		heard.note(r.Out)
		r.SetURL(to)
	}}
	proxy := httptest.NewServer(through)
	t.Cleanup(proxy.Close)
	return proxy.URL
}
