package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"pitboss/app/api"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// listening is a site with the API listener.
type listening struct {
	*apptest.Site
	server        *api.Server
	url, database string

	mu   sync.Mutex
	sent int
	was  map[models.UserID]models.Amount // balances before faults
	seen map[string]bool                 // method, path and status of all answers
}

func listen(t *testing.T, site *apptest.Site) *listening {
	t.Helper()
	return listenOver(t, site, site.Store)
}

func listenOver(t *testing.T, site *apptest.Site, db *store.Store) *listening {
	t.Helper()
	server := api.New(api.Config{Store: db, Launcher: site.Launcher, Bonus: site.Bonus,
		Proxies: site.TrustedProxies})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() { done <- server.Listen(ln) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = server.Shutdown(ctx)
		require.NoError(t, <-done)
	})
	return &listening{Site: site, server: server, url: "http://" + ln.Addr().String(), seen: map[string]bool{}}
}

func each(t *testing.T, fn func(t *testing.T, s *listening)) {
	storetest.Each(t, func(t *testing.T, url string) {
		s := listen(t, apptest.NewSite(t, url))
		s.database = url
		fn(t, s)
	})
}

// answer is an answer of the API.
type answer struct {
	status int
	header http.Header
	text   string
	is     map[string]any
}

// kind returns the type of a problem.
func (a answer) kind() string { return strings.TrimPrefix(fmt.Sprint(a.is["type"]), "urn:pitboss:") }

var numbers = regexp.MustCompile(`/v1/(players|rounds|free-spins|deposits|cashouts)/[^/?]+`)

// send sends a request. A key makes it a POST.
func (s *listening) send(t testing.TB, token, path, key, body string, headers ...string) answer {
	t.Helper()
	method := http.MethodGet
	if key != "" || body != "" {
		method = http.MethodPost
	}
	request, err := http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(body))
	require.NoError(t, err)
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	if method == http.MethodPost {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	a := answer{status: response.StatusCode, header: response.Header, text: string(text)}
	require.NoError(t, json.Unmarshal(text, &a.is), a.text)
	if a.status >= 400 {
		require.Equal(t, "application/problem+json", response.Header.Get("Content-Type"))
		require.EqualValues(t, a.status, a.is["status"])
		require.True(t, strings.HasPrefix(fmt.Sprint(a.is["type"]), "urn:pitboss:"), a.text)
		require.NotEmpty(t, a.is["detail"])
		_, secret, _ := models.ParseAPIToken(token)
		require.True(t, secret == "" || !bytes.Contains(text, []byte(secret)))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	route := strings.TrimSuffix(numbers.ReplaceAllString(strings.Split(path, "?")[0], "/v1/$1/{id}"), "/")
	s.sent++
	s.seen[method+" "+route+" "+strconv.Itoa(a.status)] = true
	return a
}

func (s *listening) client(terms models.APITerms) string {
	s.T.Helper()
	_, token := storetest.APIClient(s.T, s.Store, terms)
	return token
}

// TestCalls makes each call with each of its outcomes, and compares them with the description: each call and each status in the
// description is answered here, and nothing that is not in it.
func TestCalls(t *testing.T) {
	each(t, func(t *testing.T, s *listening) {
		g := s.SyncedGame()
		token := s.client(models.APITerms{Name: "website", Cash: "EUR 100.00, SEK 5.00"})
		game := string(g.GameID)

		// Players.
		made := s.send(t, token, "/v1/players", "p1", `{"id":"ann a/1","currency":"EUR"}`)
		require.Equal(t, 201, made.status, made.text)
		require.Equal(t, "ann a/1", made.is["id"])
		again := s.send(t, token, "/v1/players", "p1", `{ "currency":"EUR", "id":"ann a/1" }`)
		require.Equal(t, made.text, again.text, "the same contents in another order")
		require.Equal(t, "key-reused", s.send(t, token, "/v1/players", "p1", `{"id":"bert","currency":"EUR"}`).kind())
		require.Equal(t, "player-exists", s.send(t, token, "/v1/players", "p2", `{"id":"ann a/1","currency":"EUR"}`).kind())
		require.Equal(t, 201, s.send(t, token, "/v1/players", "p3", `{"id":"anna","currency":"EUR"}`).status)
		read := s.send(t, token, "/v1/players/ann%20a%2F1", "", "")
		require.Equal(t, 200, read.status, read.text)
		require.Equal(t, []any{"0.00", "active", true, nil}, []any{read.is["balance"], read.is["state"], read.is["may_play"], read.is["restricted_until"]})
		require.Equal(t, "player-unknown", s.send(t, token, "/v1/players/Anna", "", "").kind())

		zoned := s.send(t, token, "/v1/players", "p4", `{"id":"zoe","currency":"EUR","time_zone":"Asia/Tokyo"}`)
		require.Equal(t, []any{201, "Asia/Tokyo"}, []any{zoned.status, zoned.is["time_zone"]}, zoned.text)
		require.Equal(t, 422, s.send(t, token, "/v1/players", "p5", `{"id":"yves","currency":"EUR","time_zone":"Mars/Base"}`).status)
		require.Equal(t, 201, s.send(t, token, "/v1/players/zoe/limits", "p6",
			`{"limits":[{"kind":"loss","period":"day","amount":"1.00"}],"reason":"asked"}`).status)
		require.Equal(t, "Asia/Tokyo", s.send(t, token, "/v1/players/zoe", "", "").is["limits_time_zone"])

		// Launches.
		launch := `{"player":"anna","game":"` + game + `","language":"en"}`
		opened := s.send(t, token, "/v1/launches", "l1", launch)
		require.Equal(t, 201, opened.status, opened.text)
		require.True(t, strings.HasPrefix(fmt.Sprint(opened.is["game_url"]), "http"), opened.text)
		session, _, err := s.Store.GameSession(t.Context(), int64(opened.is["id"].(float64)))
		require.NoError(t, err)
		require.Equal(t, []any{models.UserID("anna"), g.GameID, "api:website", models.GameSessionOpened},
			[]any{session.UserID, session.Game.GameID, session.Actor, session.State})
		require.Equal(t, "launch-repeated", s.send(t, token, "/v1/launches", "l1", launch).kind())
		require.Equal(t, "game-unknown", s.send(t, token, "/v1/launches", "l2", strings.Replace(launch, game, "none", 1)).kind())
		require.NoError(t, s.Sim.SetMood("userAuth=refused(2 no such game):1"))
		require.Equal(t, "launch-failed", s.send(t, token, "/v1/launches", "l3", launch).kind())
		require.Equal(t, "launch-failed", s.send(t, token, "/v1/launches", "l3", launch).kind())

		games := s.send(t, token, "/v1/games?limit=7", "", "")
		count := 0
		for {
			count += len(games.is["data"].([]any))
			if games.is["next"] == "" {
				break
			}
			games = s.send(t, token, "/v1/games?limit=7&after="+fmt.Sprint(games.is["next"]), "", "")
		}
		require.Equal(t, len(s.Sim.Games()), count)
		require.Equal(t, 422, s.send(t, token, "/v1/games?after=x", "", "").status)

		// Free spins.
		spins := `{"player":"anna","game":"` + game + `","spins":5,"reason":"welcome"}`
		granted := s.send(t, token, "/v1/free-spins", "f1", spins)
		require.Equal(t, 201, granted.status, granted.text)
		require.Equal(t, "active", granted.is["state"])
		require.Equal(t, granted.is["id"], s.send(t, token, "/v1/free-spins", "f1", spins).is["id"])
		require.Equal(t, granted.text, s.send(t, token, fmt.Sprint("/v1/free-spins/", granted.is["id"]), "", "").text)
		require.Equal(t, 404, s.send(t, token, "/v1/free-spins/999", "", "").status)
		require.Equal(t, 404, s.send(t, token, "/v1/free-spins", "f2", strings.Replace(spins, "anna", "nobody", 1)).status)
		require.Equal(t, "limit", s.send(t, token, "/v1/free-spins", "f3", strings.Replace(spins, "5", "900000", 1)).kind())
		require.NoError(t, s.Sim.SetMood("assignFreeSpin=status(500):1"))
		unknown := s.send(t, token, "/v1/free-spins", "f4", spins)
		require.Equal(t, []any{201, "unknown"}, []any{unknown.status, unknown.is["state"]}, unknown.text)
		require.Equal(t, unknown.text, s.send(t, token, "/v1/free-spins", "f4", spins).text, "it is not granted again")
		require.Equal(t, "grant-pending", s.send(t, token, "/v1/free-spins", "f5", spins).kind())

		// The ledger.
		s.Book(apptest.Bet("anna", "t1", "r/1", 0), apptest.Win("anna", "t2", "r/1", 250))
		list := s.send(t, token, "/v1/transactions?player=anna&limit=2", "", "")
		require.Equal(t, 200, list.status, list.text)
		first := list.is["data"].([]any)[0].(map[string]any)
		require.Equal(t, []any{"t2", "win", "2.50", "2.50", nil}, []any{first["id"], first["kind"], first["win"], first["balance"], first["rolled_back_at"]})
		next := s.send(t, token, "/v1/transactions?player=anna&limit=2&after="+fmt.Sprint(list.is["next"]), "", "")
		require.Equal(t, []any{1, ""}, []any{len(next.is["data"].([]any)), next.is["next"]})
		opening := next.is["data"].([]any)[0].(map[string]any)
		require.Equal(t, []any{"opening balance", "0.00", nil, nil}, []any{opening["kind"], opening["amount"], opening["bet"], opening["win"]})
		require.Equal(t, 404, s.send(t, token, "/v1/transactions?player=nobody", "", "").status)
		require.Equal(t, 422, s.send(t, token, "/v1/transactions?limit=1000", "", "").status)
		found := s.send(t, token, "/v1/rounds/r%2F1?player=anna", "", "")
		require.Equal(t, []any{200, "win paid", "2.50"}, []any{found.status, found.is["state"], found.is["won"]}, found.text)
		require.Equal(t, 404, s.send(t, token, "/v1/rounds/r2?player=anna", "", "").status)
		require.Equal(t, 422, s.send(t, token, "/v1/rounds/r2", "", "").status)

		s.cash(t, token)

		s.limits(t, token)

		// Restrictions.
		until := s.Now().Add(time.Hour).UTC().Format(time.RFC3339)
		cool := `{"kind":"cool-off","scope":"play","until":"` + until + `","reason":"asked us to"}`
		s.Book(storetest.FreeSpin("anna", "spin", 10))
		set := s.send(t, token, "/v1/players/anna/restrictions", "r1", cool)
		require.Equal(t, []any{201, "cool-off", until}, []any{set.status, set.is["kind"], set.is["until"]}, set.text)
		require.Equal(t, set.text, s.send(t, token, "/v1/players/anna/restrictions", "r1", cool).text)
		require.Equal(t, "key-reused", s.send(t, token, "/v1/players/ann%20a%2F1/restrictions", "r1", cool).kind(), "of another player")
		require.Equal(t, 404, s.send(t, token, "/v1/players/nobody/restrictions", "r2", cool).status)
		require.Equal(t, 422, s.send(t, token, "/v1/players/anna/restrictions", "r3", strings.Replace(cool, until, "2020-01-01T00:00:00Z", 1)).status)
		read = s.send(t, token, "/v1/players/anna", "", "")
		require.Equal(t, []any{"restricted", false}, []any{read.is["state"], read.is["may_play"]})
		require.Equal(t, "player-restricted", s.send(t, token, "/v1/launches", "l4", launch).kind())
		require.Equal(t, "player-restricted", s.send(t, token, "/v1/free-spins", "f6", spins).kind())
		require.Equal(t, "player-restricted",
			s.send(t, token, "/v1/deposits", "d9", `{"player":"anna","amount":"1.00","currency":"EUR"}`).kind())
		listed := `{"players":["anna"],"kind":"abuse","scope":"bonuses","reason":"x"}`
		require.Equal(t, 201, s.send(t, token, "/v1/restrictions", "r9", listed).status)
		require.Equal(t, 409, s.send(t, token, "/v1/restrictions", "r9", strings.Replace(listed, "abuse", "other", 1)).status)
		require.Equal(t, 404, s.send(t, token, "/v1/restrictions", "r10", strings.Replace(listed, "anna", "nobody", 1)).status)
		require.Equal(t, "player-not-empty", s.send(t, token, "/v1/players/anna/closure", "c1", `{"reason":"left"}`).kind())
		require.Equal(t, 404, s.send(t, token, "/v1/players/nobody/closure", "c2", `{"reason":"left"}`).status)
		closed := s.send(t, token, "/v1/players/ann%20a%2F1/closure", "c3", `{"reason":"left"}`)
		require.Equal(t, []any{201, nil}, []any{closed.status, closed.is["until"]}, closed.text)
		require.Equal(t, "closed", s.send(t, token, "/v1/players/ann%20a%2F1", "", "").is["state"])

		s.events(t, token)
		require.Equal(t, 422, s.send(t, token, "/v1/events?after=-1", "", "").status)

		s.refusals(t, token)
		s.describes(t, token)
		s.counts(t, token)
	})
}

// events reads all events: audit log and ledger, in one order.
func (s *listening) events(t *testing.T, token string) {
	_, err := s.Store.FollowDays(t.Context())
	require.NoError(t, err)
	whole := s.send(t, token, "/v1/events?after=0", "", "")
	require.Equal(t, 200, whole.status, whole.text)
	list, did := whole.is["data"].([]any), map[string]any{}
	for _, e := range list {
		e := e.(map[string]any)
		did[fmt.Sprint(e["action"], " ", e["object"])] = e
		require.NotEmpty(t, e["player"], e)
	}
	for _, happened := range []string{"player created player", "restriction set restriction", "grant confirmed grant",
		"game session opened game session", "cash-out approved cash-out", "bet transaction", "free spin transaction",
		"opening balance adjustment", "cash deposit cash", "cash-out requested cash", "cash-out paid cash",
		"cash-out returned cash", "cash-out bounced cash"} {
		require.Contains(t, did, happened)
	}
	paid := did["cash deposit cash"].(map[string]any)
	require.Equal(t, []any{"API client", "lara"}, []any{paid["by"], paid["player"]})
	require.Equal(t, map[string]any{"currency": "EUR", "amount": "9.00", "balance": "9.00", "held": "0.00"}, paid["after"])
	newReader(t, s, token).conform(whole)
	for i, e := range list { // each event's ID is the place after which to go on
		rest := s.send(t, token, "/v1/events?after="+fmt.Sprint(e.(map[string]any)["id"]), "", "")
		require.Equal(t, list[i+1:], rest.is["data"], rest.text)
		require.Equal(t, []any{whole.is["next"], true}, []any{rest.is["next"], rest.is["end"]})
	}
	require.Equal(t, "events-lost", s.send(t, token, "/v1/events?after=1-1-0000000000000001", "", "").kind())
	for _, bad := range []string{"7", "1-", "1-0", "-1", "01-1", "9-9-9", "x"} {
		require.Equal(t, 422, s.send(t, token, "/v1/events?after="+bad, "", "").status, bad)
	}
}

// largeCashOuts requests cash-outs that wait for approval above 1.00.
func (s *listening) largeCashOuts(t *testing.T) {
	token := s.client(models.APITerms{Name: "large-cashier", Cash: "EUR 100.00", ApproveAbove: "EUR 1.00"})
	fred, fay := storetest.SignerNamed(t, s.Store, "fred", models.Finance), storetest.SignerNamed(t, s.Store, "fay", models.Finance)
	request := func(key, amount, state string) (answer, int64) {
		t.Helper()
		body := `{"player":"lara","amount":"` + amount + `","currency":"EUR"}`
		a := s.send(t, token, "/v1/cashouts", key, body)
		require.Equal(t, []any{201, state}, []any{a.status, a.is["state"]}, a.text)
		require.Equal(t, a.text, s.send(t, token, "/v1/cashouts", key, body).text)
		list, err := s.Store.CashReviews(t.Context(), models.CashReviewFilter{Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		number := int64(0)
		if len(list.Rows) > 0 {
			number = list.Rows[0].ID
		}
		return a, number
	}
	reads := func(key, state string, reason any) {
		t.Helper()
		a := s.send(t, token, "/v1/cashouts/"+key, "", "")
		require.Equal(t, []any{state, reason}, []any{a.is["state"], a.is["reason"]}, a.text)
	}
	require.Equal(t, 201, s.send(t, token, "/v1/players", "lara", `{"id":"lara","currency":"EUR"}`).status)
	require.Equal(t, 201, s.send(t, token, "/v1/deposits", "lara-in", `{"player":"lara","amount":"9.00","currency":"EUR"}`).status)
	request("small", "1.00", "requested")
	request("split", "0.01", "waiting")
	require.Equal(t, 201, s.send(t, token, "/v1/cashouts/split/cancel", "c", "{}").status)
	require.Equal(t, 201, s.send(t, token, "/v1/cashouts/small/cancel", "c", "{}").status)

	waiting, one := request("one", "2.00", "waiting")
	require.Equal(t, "2.00", waiting.is["held"], "it is held at once")
	refused := s.send(t, token, "/v1/cashouts/one/commit", "c1", "{}")
	require.Equal(t, []any{409, "cash-out-waiting"}, []any{refused.status, refused.kind()})
	reads("one", "waiting", nil)
	require.NoError(t, storetest.Approve(t.Context(), s.Store, "cash-out", fred, one))
	reads("one", "approved", nil)
	require.Equal(t, waiting.text, s.send(t, token, "/v1/cashouts", "one", `{"player":"lara","amount":"2.00","currency":"EUR"}`).text)
	require.Equal(t, "paid", s.send(t, token, "/v1/cashouts/one/commit", "c1", "{}").is["state"])
	reads("one", "paid", nil)

	_, two := request("two", "2.01", "waiting")
	require.NoError(t, storetest.Refuse(t.Context(), s.Store, "cash-out", fay, two, "The account is not the player's."))
	reads("two", "returned", "The account is not the player's.")
	require.Equal(t, "cash-out-ended", s.send(t, token, "/v1/cashouts/two/commit", "c2", "{}").kind())

	request("three", "3.00", "waiting")
	require.Equal(t, "returned", s.send(t, token, "/v1/cashouts/three/cancel", "c3", "{}").is["state"])
	reads("three", "returned", nil)
}

// cash pays in and out for anna, who has 2.50.
func (s *listening) cash(t *testing.T, token string) {
	twenty := `{"player":"anna","amount":"20.00","currency":"EUR"}`
	paidIn := s.send(t, token, "/v1/deposits", "d1", twenty)
	require.Equal(t, []any{201, "d1", "deposited", "22.50", "0.00"},
		[]any{paidIn.status, paidIn.is["id"], paidIn.is["state"], paidIn.is["balance"], paidIn.is["held"]}, paidIn.text)
	require.Equal(t, paidIn.text, s.send(t, token, "/v1/deposits", "d1", twenty).text)
	require.Equal(t, paidIn.text, s.send(t, token, "/v1/deposits/d1", "", "").text)
	require.Equal(t, "key-reused", s.send(t, token, "/v1/deposits", "d1", strings.Replace(twenty, "20", "21", 1)).kind())
	require.Equal(t, "key-reused", s.send(t, token, "/v1/cashouts", "d1", twenty).kind())
	for old, wrong := range map[string][2]string{"anna": {"Anna", "player-unknown"}, "EUR": {"SEK", "cash-limit"},
		"20.00": {"100.01", "cash-limit"}} {
		for _, path := range []string{"/v1/deposits", "/v1/cashouts"} {
			require.Equal(t, wrong[1], s.send(t, token, path, "x", strings.Replace(twenty, old, wrong[0], 1)).kind(), path)
		}
	}
	for _, amount := range []string{"0.00", "-1.00", "1", "1.5", "1e3", "1,00", "00.10", "9999999999999.00"} {
		require.Equal(t, 422, s.send(t, token, "/v1/deposits", "x", strings.Replace(twenty, "20.00", amount, 1)).status, amount)
	}
	require.Equal(t, "currency",
		s.send(t, token, "/v1/deposits", "x", `{"player":"anna","amount":"5.00","currency":"SEK"}`).kind())

	// A repeat gets the first answer, also when the client's terms have become narrower since.
	ada, adam := storetest.Administrators(t, s.Store)
	clients, err := s.Store.APIClients(t.Context(), models.APIClientFilter{Span: models.Span{Limit: 1}})
	require.NoError(t, err)
	terms := func(cash string, test bool) {
		narrower := models.APITermsRequest{ID: clients.Rows[0].ID, APITerms: clients.Rows[0].APITerms}
		narrower.Cash, narrower.Test = cash, test
		r, err := s.Store.RequestChange(t.Context(), ada, models.ChangeAPIClient, narrower, "less")
		require.NoError(t, err)
		err = storetest.Approve(t.Context(), s.Store, "change", adam, r.ID)
		require.NoError(t, err)
	}
	terms("EUR 1.00", true)
	require.Equal(t, paidIn.text, s.send(t, token, "/v1/deposits", "d1", twenty).text)
	require.Equal(t, "player-unknown", s.send(t, token, "/v1/deposits", "d2", twenty).kind())
	terms("EUR 1.00", false)
	require.Equal(t, "cash-limit", s.send(t, token, "/v1/deposits", "d2", twenty).kind())
	terms("EUR 100.00, SEK 5.00", false)

	for _, key := range []string{"o1", "o2"} {
		held := s.send(t, token, "/v1/cashouts", key, strings.Replace(twenty, "20", "10", 1))
		require.Equal(t, []any{201, "requested"}, []any{held.status, held.is["state"]}, held.text)
	}
	require.Equal(t, "insufficient-funds", s.send(t, token, "/v1/cashouts", "o3", twenty).kind())
	player := s.send(t, token, "/v1/players/anna", "", "")
	require.Equal(t, []any{"2.50", "20.00"}, []any{player.is["balance"], player.is["held"]})
	for _, end := range [][5]string{{"o1", "commit", "cancel", "paid", "2.50"}, {"o2", "cancel", "commit", "returned", "12.50"}} {
		path := "/v1/cashouts/" + end[0]
		ended := s.send(t, token, path+"/"+end[1], "e", "{}")
		require.Equal(t, []any{201, end[3], end[4]}, []any{ended.status, ended.is["state"], ended.is["balance"]}, ended.text)
		require.Equal(t, ended.text, s.send(t, token, path+"/"+end[1], "e2", "{}").text)
		require.Equal(t, ended.text, s.send(t, token, path, "", "").text)
		require.Equal(t, "cash-out-ended", s.send(t, token, path+"/"+end[2], "e3", "{}").kind())
	}
	require.Equal(t, "cash-out-not-paid", s.send(t, token, "/v1/cashouts/o2/return", "e", "{}").kind())
	bounced := s.send(t, token, "/v1/cashouts/o1/return", "e", "{}")
	require.Equal(t, []any{201, "bounced", "22.50"}, []any{bounced.status, bounced.is["state"], bounced.is["balance"]}, bounced.text)
	require.Equal(t, bounced.text, s.send(t, token, "/v1/cashouts/o1/return", "e2", "{}").text)
	require.Equal(t, bounced.text, s.send(t, token, "/v1/cashouts/o1", "", "").text)
	require.Equal(t, "paid", s.send(t, token, "/v1/cashouts/o1/commit", "e", "{}").is["state"], "the first answer, for ever")
	for key, want := range map[string]string{"o1": "paid_at", "o2": "rolled_back_at"} {
		list := s.send(t, token, "/v1/transactions?player=anna&id="+key+"@"+strconv.FormatInt(clients.Rows[0].ID, 10), "", "")
		told := list.is["data"].([]any)[0].(map[string]any)
		for _, field := range []string{"paid_at", "rolled_back_at"} {
			require.Equal(t, field == want, told[field] != nil, list.text)
		}
	}
	other := s.client(models.APITerms{Name: "other-cashier", Cash: "EUR 1.00"})
	for _, path := range []string{"/v1/cashouts/o1/commit", "/v1/cashouts/none/cancel", "/v1/cashouts/o1/return", "/v1/cashouts/o1", "/v1/deposits/d1"} {
		body := ""
		if strings.Count(path, "/") > 3 {
			body = "{}"
		}
		require.Equal(t, 404, s.send(t, other, path, strings.Repeat("k", len(body)), body).status, path)
	}
	require.Equal(t, 404, s.send(t, token, "/v1/deposits/o1", "", "").status, "it is a cash-out")
	daily := s.client(models.APITerms{Name: "daily-cashier", Cash: "EUR 50.00", CashPerDay: "EUR 30.00", CashPerPlayer: "EUR 20.00"})
	require.Equal(t, 201, s.send(t, daily, "/v1/deposits", "y1", twenty).status)
	over := s.send(t, daily, "/v1/deposits", "y2", strings.Replace(twenty, "20.00", "0.01", 1))
	require.Equal(t, []any{403, "cash-limit"}, []any{over.status, over.kind()}, over.text)
	require.Contains(t, over.text, "20.00 in a day with one player")
	require.Equal(t, 201, s.send(t, daily, "/v1/deposits", "y1", twenty).status, "a repeat")
	require.Equal(t, 201, s.send(t, daily, "/v1/cashouts", "y3", twenty).status)
	require.Equal(t, 201, s.send(t, daily, "/v1/cashouts/y3/commit", "e", "{}").status)
	require.Equal(t, "cash-limit", s.send(t, other, "/v1/cashouts", "o", twenty).kind())
	s.largeCashOuts(t)
	v, err := s.Store.Verify(t.Context(), nil)
	require.NoError(t, err)
	require.True(t, v.OK(), v)
}

// limits sets, raises and reads limits of ann, who deposits against them.
func (s *listening) limits(t *testing.T, token string) {
	const path = "/v1/players/ann%20a%2F1/limits"
	body := `{"limits":[{"kind":"deposit","period":"week","amount":"10.00"},{"kind":"stake","period":"day","amount":"1.00"}],` +
		`"time_zone":"Europe/Vienna","reason":"asked in the app"}`
	set := s.send(t, token, path, "m1", body)
	require.Equal(t, []any{201, "ann a/1"}, []any{set.status, set.is["player"]}, set.text)
	require.Equal(t, 422, s.send(t, token, path, "m0", strings.Replace(body, `"1.00"`, `"0.00"`, 1)).status, "above zero")
	for _, until := range []string{"9999-12-31T23:59:59-14:00", "2199-01-01T00:00:00Z", "2001-01-01T00:00:00Z"} {
		far := s.send(t, token, "/v1/players/ann%20a%2F1/restrictions", "m0",
			`{"kind":"abuse","scope":"bonuses","until":"`+until+`","reason":"typed wrongly"}`)
		require.Equal(t, 422, far.status, far.text)
	}
	deposit := func(key, amount string) answer {
		return s.send(t, token, "/v1/deposits", key, `{"player":"ann a/1","amount":"`+amount+`","currency":"EUR"}`)
	}
	require.Equal(t, 201, deposit("m-d1", "7.50").status)
	refused := deposit("m-d2", "2.51")
	limit, _ := refused.is["limit"].(map[string]any)
	require.Equal(t, []any{"player-limit", "deposit", "week", "2.50"}, []any{refused.kind(), limit["kind"], limit["period"], limit["left"]},
		refused.text)
	require.Equal(t, 201, deposit("m-d2", "2.50").status)
	require.Equal(t, set.text, s.send(t, token, path, "m1", body).text, "the same answer, for ever")
	raise := `{"limits":[{"kind":"deposit","period":"week","amount":null}],"reason":"asked in the app"}`
	require.Equal(t, 201, s.send(t, token, path, "m2", raise).status)
	require.Equal(t, "key-reused", s.send(t, token, path, "m2", body).kind())
	require.Equal(t, "player-limit", deposit("m-d3", "0.01").kind(), "it is removed a day later")
	read := s.send(t, token, "/v1/players/ann%20a%2F1", "", "")
	require.Equal(t, "Europe/Vienna", read.is["limits_time_zone"])
	limits := read.is["limits"].([]any)
	require.Len(t, limits, 2)
	limit = limits[1].(map[string]any)
	require.Equal(t, []any{"10.00", "10.00", "0.00", nil}, []any{limit["amount"], limit["used"], limit["left"], limit["next"]}, read.text)
	require.NotNil(t, limit["next_from"])
	require.Equal(t, 404, s.send(t, token, "/v1/players/nobody/limits", "m3", body).status)
	require.Equal(t, "limit-zone", s.send(t, token, path, "m3", strings.Replace(body, "Vienna", "Paris", 1)).kind())
	require.Equal(t, 422, s.send(t, token, path, "m3", strings.Replace(body, "week", "year", 1)).status)
	require.Equal(t, 422, s.send(t, token, path, "m3", strings.Replace(body, `"10.00"`, `"1"`, 1)).status)
	require.Equal(t, 201, s.send(t, token, "/v1/cashouts", "m-o", `{"player":"ann a/1","amount":"10.00","currency":"EUR"}`).status)
	require.Equal(t, 201, s.send(t, token, "/v1/cashouts/m-o/commit", "m-c", "{}").status)
}

// calls are all calls, with a body that would be accepted but for what a test changes.
func (s *listening) calls(t *testing.T) map[string]string {
	t.Helper()
	return map[string]string{
		"/v1/players":                   `{"id":"new","currency":"EUR"}`,
		"/v1/players/anna":              "",
		"/v1/players/anna/restrictions": `{"kind":"abuse","scope":"bonuses","reason":"x"}`,
		"/v1/players/anna/limits":       `{"limits":[{"kind":"loss","period":"day","amount":"1.00"}],"reason":"x"}`,
		"/v1/players/anna/closure":      `{"reason":"x"}`,
		"/v1/restrictions":              `{"players":["anna"],"kind":"abuse","scope":"bonuses","reason":"x"}`,
		"/v1/launches":                  `{"player":"anna","game":"g","language":"en"}`,
		"/v1/games":                     "",
		"/v1/free-spins":                `{"player":"anna","game":"g","spins":1,"reason":"x"}`,
		"/v1/free-spins/1":              "",
		"/v1/deposits":                  `{"player":"anna","amount":"1.00","currency":"EUR"}`,
		"/v1/deposits/d1":               "",
		"/v1/cashouts":                  `{"player":"anna","amount":"1.00","currency":"EUR"}`,
		"/v1/cashouts/o1":               "",
		"/v1/cashouts/o1/commit":        `{}`,
		"/v1/cashouts/o1/cancel":        `{}`,
		"/v1/cashouts/o1/return":        `{}`,
		"/v1/transactions":              "",
		"/v1/rounds/r?player=anna":      "",
		"/v1/events":                    "",
	}
}

// counts compares the metrics with the calls that were made.
func (s *listening) counts(t *testing.T, token string) {
	require.Equal(t, "no-such-call", s.send(t, token, "/v1/staff", "", "").kind())
	registry := prometheus.NewRegistry()
	require.NoError(t, registry.Register(s.server.Metrics()))
	families, err := registry.Gather()
	require.NoError(t, err)
	sum, labels := 0.0, map[string]bool{}
	for _, m := range families[0].Metric {
		sum += m.Counter.GetValue()
		labels[m.Label[0].GetValue()+" "+m.Label[2].GetValue()+" "+m.Label[1].GetValue()] = true
	}
	require.EqualValues(t, s.sent, sum)
	for _, has := range []string{"website 201 ", "website 409 insufficient-funds", " 401 unauthorized", "website 422 invalid",
		" 404 no-such-call"} {
		require.True(t, labels[has], "%q of %v", has, labels)
	}
}

// refusals gets the answers that every call has.
func (s *listening) refusals(t *testing.T, token string) {
	for path, body := range s.calls(t) {
		key := ""
		if body != "" {
			key = "of " + path
			key = strings.ReplaceAll(key, " ", "-")
			require.Equal(t, "idempotency-key", s.send(t, token, path, "", body).kind(), path)
			require.Equal(t, 422, s.send(t, token, path, key, `{"reason":7}`).status, path)
			for _, dropped := range []string{".", ".."} { // by clients that put the key into a URL
				refused := s.send(t, token, path, dropped, body)
				require.Equal(t, "invalid", refused.kind(), path)
				require.Contains(t, refused.text, "not . or ..", path)
			}
		}
		require.Equal(t, "unauthorized", s.send(t, "", path, key, body).kind(), path)
		odd := path + "?odd=1"
		if strings.Contains(path, "?") {
			odd = path + "&odd=1"
		}
		require.Equal(t, 422, s.send(t, token, odd, key, body).status, "a parameter that no call has")
	}
	few := s.client(models.APITerms{Name: "few", Scopes: []models.APIScope{models.ScopeGrants}})
	fewer := s.client(models.APITerms{Name: "fewer", Scopes: []models.APIScope{models.ScopeRead}})
	for path, body := range s.calls(t) {
		key := ""
		if body != "" {
			key = "k"
		}
		of := few
		if path == "/v1/free-spins" {
			of = fewer
		}
		refused := s.send(t, of, path, key, body)
		require.Equal(t, "scope", refused.kind(), path)
	}
	slow := s.client(models.APITerms{Name: "slow", PerMinute: 1})
	for path, body := range s.calls(t) {
		key := ""
		if body != "" {
			key = "k"
		}
		var refused answer
		for refused.status != 429 { // the minute may change in between
			refused = s.send(t, slow, path, key, `{}`[:min(2, 2*len(body))])
		}
		wait, err := strconv.Atoi(refused.header.Get("Retry-After"))
		require.NoError(t, err)
		require.True(t, wait > 0 && wait <= 60)
	}
}

// describes takes the clients away, after which every call says 503, and compares all answers with the description.
func (s *listening) describes(t *testing.T, token string) {
	description := s.send(t, "", "/v1/openapi.json", "", "")
	require.Equal(t, 200, description.status)
	require.Equal(t, "3.1.0", description.is["openapi"])
	delete(s.seen, "GET /v1/openapi.json 200")
	_, err := storetest.OpenURL(t, s.database).ExecContext(t.Context(), "ALTER TABLE api_clients RENAME TO gone")
	require.NoError(t, err)
	for path, body := range s.calls(t) {
		key := ""
		if body != "" {
			key = "broken"
		}
		broken := s.send(t, token, path, key, body)
		require.Equal(t, []any{"unavailable", "1"}, []any{broken.kind(), broken.header.Get("Retry-After")}, path)
	}
	said := map[string]bool{}
	for path, methods := range description.is["paths"].(map[string]any) {
		for method, op := range methods.(map[string]any) {
			for status := range op.(map[string]any)["responses"].(map[string]any) {
				if status != "500" { // huma describes it; only a panic is answered so
					said[strings.ToUpper(method)+" "+path+" "+status] = true
				}
			}
		}
	}
	require.Equal(t, said, s.seen)
}

// A register restricts many players in one call, each once, whatever happens to the request on its way.
func TestRegisterOfExclusions(t *testing.T) {
	each(t, func(t *testing.T, s *listening) {
		token := s.client(models.APITerms{Name: "website"})
		players := []string{"anna", "bert", "carl", "dora"}
		for _, user := range players {
			s.NewPlayer(models.UserID(user), false)
		}
		register := func(list ...string) string {
			text, err := json.Marshal(map[string]any{"players": list, "kind": "cool-off", "scope": "play", "reason": "register"})
			require.NoError(t, err)
			return string(text)
		}
		unknown := s.send(t, token, "/v1/restrictions", "r1", register("anna", "nobody", "bert", "Carl"))
		require.Equal(t, "player-unknown", unknown.kind())
		require.Equal(t, []any{"body.players[1]", "body.players[3]"}, []any{unknown.is["errors"].([]any)[0].(map[string]any)["location"],
			unknown.is["errors"].([]any)[1].(map[string]any)["location"]})
		require.Equal(t, "active", s.send(t, token, "/v1/players/anna", "", "").is["state"], "nobody was restricted")
		require.Equal(t, 422, s.send(t, token, "/v1/restrictions", "r1", register(make([]string, 1001)...)).status)
		require.Equal(t, 422, s.send(t, token, "/v1/restrictions", "r1", register()).status)
		require.Equal(t, 422, s.send(t, token, "/v1/restrictions", "r1", strings.Replace(register("x"), `"x"`, "", 1)).status)
		require.Equal(t, 422, s.send(t, token, "/v1/restrictions", "r1",
			`{"players":["anna"],"kind":"self-exclusion","scope":"bonuses","reason":"x"}`).status)

		require.Equal(t, 201, s.send(t, token, "/v1/players/bert/restrictions", "b", `{"kind":"cool-off","scope":"play","reason":"asked"}`).status)
		done := s.send(t, token, "/v1/restrictions", "r1", register("anna", "bert", "anna"))
		require.Equal(t, 201, done.status, done.text)
		did := func(a answer) (list []any) {
			for _, p := range a.is["data"].([]any) {
				list = append(list, p.(map[string]any)["player"], p.(map[string]any)["done"])
			}
			return list
		}
		require.Equal(t, []any{"anna", "restricted", "bert", "restricted already", "anna", "restricted already"}, did(done))
		require.Equal(t, "restricted", s.send(t, token, "/v1/players/anna", "", "").is["state"])
		require.Equal(t, "key-reused", s.send(t, token, "/v1/restrictions", "r1", register("anna", "bert")).kind())

		// The first request ended after its second player. Two people have ended a restriction since, and a repeat sets it no more.
		whole := register(players...)
		first := s.send(t, token, "/v1/restrictions", "r2", whole)
		require.Equal(t, []any{"anna", "restricted already", "bert", "restricted already", "carl", "restricted", "dora", "restricted"}, did(first))
		db := storetest.OpenURL(t, s.database)
		_, err := db.Exec("DELETE FROM api_requests WHERE idem_key = 'r2 3'")
		require.NoError(t, err)
		storetest.EndRestriction(t, s.Store, int64(first.is["data"].([]any)[2].(map[string]any)["restriction"].(float64)))
		again := s.send(t, token, "/v1/restrictions", "r2", whole)
		require.Equal(t, []any{"anna", "restricted already", "bert", "restricted already", "carl", "restricted", "dora", "restricted already"}, did(again))
		require.Equal(t, "active", s.send(t, token, "/v1/players/carl", "", "").is["state"])
		require.Equal(t, again.text, s.send(t, token, "/v1/restrictions", "r2", whole).text)

		// At the same time.
		answers := make([]answer, 8)
		storetest.Together(len(answers), func(i int) { answers[i] = s.send(t, token, "/v1/restrictions", "r3", register("carl", "anna")) })
		for _, a := range answers {
			require.Equal(t, answers[0].text, a.text)
		}
		carl, _, err := s.Store.Player(t.Context(), "carl")
		require.NoError(t, err)
		list, err := s.Store.Restrictions(t.Context(), models.RestrictionFilter{PlayerID: carl.ID, Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		require.Len(t, list.Rows, 2)
	})
}
