package lobby_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/app/api"
	"pitboss/cmd/pitboss/lobby"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

func TestMain(m *testing.M) { apptest.Main(m) }

// visitor is a browser in a site's lobby.
type visitor struct {
	*testing.T
	site    *apptest.Site
	lobby   string
	http    http.Client
	client  models.APIClient
	losing  atomic.Value // the HTTP method for which the API's answers are lost
	refused string       // what the last page said was wrong
	header  http.Header
}

// RoundTrip calls the API, and may lose its answer after it has done the work.
func (v *visitor) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(r)
	if err == nil && r.Method == v.losing.Load() {
		response.Body.Close()
		return nil, errors.New("the answer was lost")
	}
	return response, err
}

func visit(t *testing.T, dbURL string) *visitor {
	site := apptest.NewSite(t, dbURL)
	site.SyncedGame()
	server := api.New(api.Config{Store: site.Store, Launcher: site.Launcher, Bonus: site.Bonus})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() { done <- server.Listen(ln) }()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	v := &visitor{T: t, site: site, http: http.Client{Jar: jar}}
	var token string
	v.client, token = storetest.APIClient(t, site.Store, models.APITerms{Name: "lobby", Test: true, Cash: "EUR 100.00"})
	casino := httptest.NewServer(lobby.New(lobby.Config{API: lobby.API{URL: "http://" + ln.Addr().String(), Token: token, HTTP: &http.Client{Transport: v}},
		Platform: "http://games.example", Currency: "EUR", Players: []string{"tess"}, Log: slog.New(slog.DiscardHandler)}))
	v.lobby = casino.URL
	t.Cleanup(func() {
		casino.Close()
		require.NoError(t, server.Shutdown(context.Background()))
		require.NoError(t, <-done)
	})
	return v
}

// get and post return the page after following redirects, and remember what it says is wrong.
func (v *visitor) get(path string) (int, *goquery.Document) {
	return v.read(v.http.Get(v.lobby + path))
}

func (v *visitor) post(path string, fields ...string) (int, *goquery.Document) {
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Add(fields[i], fields[i+1])
	}
	return v.read(v.http.PostForm(v.lobby+path, form))
}

func (v *visitor) read(response *http.Response, err error) (int, *goquery.Document) {
	v.Helper()
	require.NoError(v, err)
	defer response.Body.Close()
	page, err := goquery.NewDocumentFromReader(response.Body)
	require.NoError(v, err)
	require.Zero(v, page.Find("script, style, [style]").Length())
	v.refused, v.header = page.Find(".wrong").Text(), response.Header
	return response.StatusCode, page
}

// A player is told what is wrong with a form, and the form changes nothing.
func TestBadInput(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		v := visit(t, url)
		for _, form := range []string{"/signup", "/login"} {
			for _, name := range []string{"", "a", "Åsa", "a b", strings.Repeat("a", 31), "<b>", "-a", "../x"} {
				status, page := v.post(form, "name", name, "key", "k-"+form[1:])
				require.Equal(t, 422, status)
				require.Contains(t, v.refused, "A name has 2 to 30 letters", name)
				require.Equal(t, strings.ToLower(name), page.Find("[aria-invalid]").AttrOr("value", ""))
			}
		}
		_, err := v.site.Store.CreatePlayer(t.Context(), models.System, models.NewPlayer{UserID: "real", Currency: "EUR", Balance: 100})
		require.NoError(t, err)
		v.post("/login", "name", "real")
		require.Contains(t, v.refused, "There is no test player with this name.", "it does not reach real players")
		v.post("/signup", "name", "real", "key", "k1")
		require.Contains(t, v.refused, "This name is taken.")
		status, page := v.post("/signup", "name", "Lena ", "key", "k2")
		require.Equal(t, 200, status)
		require.Equal(t, "lena", page.Find(".wallet bdi").Text())
		v.post("/signup", "name", "lena", "key", "k3")
		require.Contains(t, v.refused, "This name is taken.")

		for amount, why := range map[string]string{"": "Enter an amount", "0": "Enter an amount", "0,00": "Enter an amount",
			"-5": "Enter an amount", "1e3": "Enter an amount", "1.005": "Enter an amount", "1.000,00": "Enter an amount",
			"100.01": "This is more than the cashier moves at once."} {
			for _, form := range []string{"/deposits", "/cashouts"} {
				status, page = v.post(form, "amount", amount, "key", "k4")
				require.Equal(t, 422, status, amount)
				require.Contains(t, v.refused, why, amount)
				require.Equal(t, amount, page.Find("[aria-invalid]").AttrOr("value", ""))
			}
		}
		v.post("/cashouts", "amount", "5", "key", "k5")
		require.Contains(t, v.refused, "This is more than your balance.")
		for _, id := range []string{"", "none", strings.Repeat("x", 500), "a/b"} {
			status, _ = v.post("/cashier", "id", id, "end", "commit")
			require.Equal(t, 422, status)
			require.NotEmpty(t, v.refused)
		}
		v.post("/play", "game", "none")
		require.Contains(t, v.refused, "The casino does not have this game any more.")
		status, page = v.post("/deposits", "amount", "0007,5", "key", "k6")
		require.Equal(t, 200, status)
		require.Equal(t, "7.50 EUR", page.Find("#balance").Text())
		v.post("/deposits", "amount", "8", "key", "k6")
		require.Contains(t, v.refused, "This form was sent before, with other values.")
		for _, path := range []string{"/?from=-9", "/?from=999999999999999999999", "/?from=60", "/?q=%ff%00", "/money?done=x"} {
			status, _ = v.get(path)
			require.Equal(t, 200, status, path)
		}
		require.Contains(t, v.header.Get("Content-Security-Policy"), "default-src 'none'")
		require.Equal(t, "no-store", v.header.Get("Cache-Control"))

		// Other sites cannot post, and only a player who is logged in can play.
		request, err := http.NewRequest(http.MethodPost, v.lobby+"/deposits", strings.NewReader("amount=5&key=k7"))
		require.NoError(t, err)
		request.Header.Set("Sec-Fetch-Site", "cross-site")
		status, _ = v.read(v.http.Do(request))
		require.Equal(t, http.StatusForbidden, status)
		_, page = v.post("/logout")
		require.Equal(t, "Welcome", page.Find("h1").Text())
		for _, path := range []string{"/deposits", "/cashouts", "/cashier", "/play"} {
			_, page = v.post(path, "amount", "5", "key", "k8")
			require.Equal(t, "Welcome", page.Find("h1").Text(), path)
		}
		p, _, err := v.site.Store.Player(t.Context(), "lena")
		require.NoError(t, err)
		require.Equal(t, "7.50", p.Wallet.Balance.String())
	})
}

// A form whose answer was lost is sent again with the same key, and takes effect once.
func TestLostAnswer(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		v := visit(t, url)
		v.post("/signup", "name", "lena", "key", "s1")
		balance := func() string {
			p, _, err := v.site.Store.Player(t.Context(), "lena")
			require.NoError(t, err)
			return p.Wallet.Balance.String()
		}
		_, page := v.get("/money")
		fields := []string{"amount", "20", "key", page.Find("[action='/deposits'] [name=key]").AttrOr("value", "")}
		v.losing.Store(http.MethodPost)
		status, page := v.post("/deposits", fields...)
		require.Equal(t, 503, status)
		require.Contains(t, page.Find("main").Text(), "nobody knows yet whether this was done")
		require.Equal(t, "20.00", balance())
		for _, next := range []string{http.MethodGet, "none", "none"} {
			form := page.Find("main form")
			var again []string
			form.Find("input").Each(func(_ int, input *goquery.Selection) {
				again = append(again, input.AttrOr("name", ""), input.AttrOr("value", ""))
			})
			require.ElementsMatch(t, fields, again)
			require.Equal(t, "/deposits", form.AttrOr("action", ""))
			_, page = v.post("/deposits", again...)
			v.losing.Store(next)
		}
		_, page = v.get("/money")
		require.Equal(t, "20.00 EUR", page.Find("#balance").Text())
		require.Equal(t, "20.00", balance())

		// When the client is revoked, the lobby closes and says why.
		ada, _ := storetest.Administrators(t, v.site.Store)
		require.NoError(t, v.site.Store.RevokeAPIClient(t.Context(), ada, v.client.ID, "tried enough"))
		status, page = v.get("/money")
		require.Equal(t, 503, status)
		require.Equal(t, "The lobby is closed", page.Find("h1").Text())
		require.Contains(t, v.refused, "no valid token of an API client")
	})
}
