package api_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// goWords are in messages that name our types or show Go's formats.
var goWords = []string{"json:", "Go ", "2006", "struct", "int64", "strconv", "time.", "body.body"}

// TestAttackAmbiguousRequests sends requests that could mean two things, or nothing: they are refused, and name what is wrong.
func TestAttackAmbiguousRequests(t *testing.T) {
	s := listen(t, apptest.NewSite(t, storetest.URL(t, storetest.SQLite)))
	token := s.client(models.APITerms{Name: "website", Cash: "EUR 100.00"})
	s.NewPlayer("anna", false)
	deposit := `{"player":"anna","amount":"1.00","currency":"EUR"}`
	for name, sent := range map[string]struct {
		path, body string
		status     int
		says       string
	}{
		"a name twice":           {"/v1/deposits", strings.Replace(deposit, `{`, `{"amount":"99.00",`, 1), 400, "a name occurs twice"},
		"a name twice, escaped":  {"/v1/deposits", strings.Replace(deposit, `{`, `{"\u0061mount":"99.00",`, 1), 400, "a name occurs twice"},
		"a name twice, deeper":   {"/v1/players/anna/limits", `{"limits":[{"kind":"loss","kind":"stake","period":"day","amount":null}],"reason":"x"}`, 400, "a name occurs twice"},
		"a lone surrogate":       {"/v1/players", `{"id":"a\ud800b","currency":"EUR"}`, 400, "not valid JSON from byte"},
		"two values":             {"/v1/deposits", deposit + deposit, 400, "has more after"},
		"too large for its type": {"/v1/free-spins", `{"player":"anna","game":"g","spins":1e3,"reason":"x"}`, 422, "spins has a value of the wrong type"},
		"a NUL in a game's ID":   {"/v1/free-spins", `{"player":"anna","game":"\u0000","spins":1,"reason":"x"}`, 422, "without NUL"},
		"no time in a body":      {"/v1/players/anna/restrictions", `{"kind":"cool-off","scope":"play","until":"2099-99-99T00:00:00Z","reason":"x"}`, 422, "body.until"},
		"an empty filter":        {"/v1/transactions?player=", "", 422, "query.player"},
		"an empty ID":            {"/v1/transactions?id=&player=anna", "", 422, "query.id"},
		"an empty time":          {"/v1/transactions?since=", "", 422, "query.since"},
		"an empty place":         {"/v1/events?after=", "", 422, "query.after"},
		"an empty provider":      {"/v1/games?provider", "", 422, "query.provider"},
		"an empty required one":  {"/v1/rounds/r?player=", "", 422, "query.player"},
		"a filter twice":         {"/v1/transactions?player=anna&player=bert", "", 422, "query.player"},
		"an unknown parameter":   {"/v1/transactions?players=anna", "", 422, "query.players"},
		"no time":                {"/v1/transactions?since=yesterday", "", 422, "2026-11-21T18:30:00Z"},
		"no number":              {"/v1/transactions?limit=many", "", 422, "query.limit"},
		"no percent-encoding":    {"/v1/transactions?player=%zz", "", 422, "percent-encoded"},
	} {
		key := ""
		if sent.body != "" {
			key = "k"
		}
		refused := s.send(t, token, sent.path, key, sent.body)
		require.Equal(t, []any{sent.status, "invalid"}, []any{refused.status, refused.kind()}, "%s: %s", name, refused.text)
		require.Contains(t, refused.text, sent.says, name)
		for _, word := range goWords {
			require.NotContains(t, refused.text, word, name)
		}
	}
	require.Equal(t, models.Amount(10000), storetest.Balance(t, s.Store, "anna"))

	// Each field of each call, with a value of each other kind.
	for path, body := range s.calls(t) {
		for i := range strings.Count(body, ":") {
			parts := strings.SplitAfter(body, ":")
			rest := strings.TrimLeft(parts[i+1], `"[{`)
			end := strings.IndexAny(rest, `",]}`)
			for _, value := range []string{`1e99`, `-1.5`, `9223372036854775808`, `true`, `null`, `{}`, `[[]]`, `"\u0000"`, `"9999-99-99T00:00:00Z"`} {
				wrong := strings.Join(parts[:i+1], "") + value + strings.TrimLeft(rest[end:], `"]}`) + strings.Join(parts[i+2:], "")
				refused := s.send(t, token, path, "k", strings.TrimSuffix(wrong, "}")+"}")
				require.Less(t, refused.status, 500, "%s %s: %s", path, wrong, refused.text)
				for _, word := range goWords {
					require.NotContains(t, refused.text, word, "%s %s", path, wrong)
				}
			}
		}
	}
}

// HEAD answers like GET, without a body; the name of the scheme is not case-sensitive; and the description is made once, and
// kept by whoever has it.
func TestRequestsOfHTTP(t *testing.T) {
	s := listen(t, apptest.NewSite(t, storetest.URL(t, storetest.SQLite)))
	token := s.client(models.APITerms{Name: "website"})
	s.NewPlayer("anna", false)
	ask := func(method, path string, headers ...string) *http.Response {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, s.url+path, nil)
		require.NoError(t, err)
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		answer, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		return answer
	}
	for _, path := range []string{"/v1/players/anna", "/v1/players/nobody", "/v1/transactions", "/v1/events", "/v1/openapi.json"} {
		get, head := ask("GET", path, "Authorization", "Bearer "+token), ask("HEAD", path, "Authorization", "Bearer "+token)
		require.Equal(t, []any{get.StatusCode, get.Header.Get("Content-Type"), get.ContentLength},
			[]any{head.StatusCode, head.Header.Get("Content-Type"), head.ContentLength}, path)
	}
	require.Equal(t, 401, ask("HEAD", "/v1/players/anna").StatusCode)
	require.Equal(t, 405, ask("DELETE", "/v1/players/anna").StatusCode)
	for _, scheme := range []string{"bearer ", "BEARER ", "Bearer  "} {
		require.Equal(t, 200, ask("GET", "/v1/players/anna", "Authorization", scheme+token).StatusCode, scheme)
	}

	described := ask("GET", "/v1/openapi.json")
	tag := described.Header.Get("ETag")
	require.NotEmpty(t, tag)
	require.Equal(t, "no-cache", described.Header.Get("Cache-Control"))
	require.Equal(t, 304, ask("GET", "/v1/openapi.json", "If-None-Match", tag).StatusCode)
	require.Equal(t, 304, ask("GET", "/v1/openapi.json", "If-None-Match", `"other", `+tag).StatusCode)
	require.Equal(t, 200, ask("GET", "/v1/openapi.json", "If-None-Match", `"other"`).StatusCode)
	first, err := s.server.Description()
	require.NoError(t, err)
	second, err := s.server.Description()
	require.NoError(t, err)
	require.Same(t, &first[0], &second[0])
}

// TestAttackPlacesOfLists sends the places of lists to other lists, and to other clients.
func TestAttackPlacesOfLists(t *testing.T) {
	each(t, func(t *testing.T, s *listening) {
		s.SyncedGame()
		token, other := s.client(models.APITerms{Name: "website"}), s.client(models.APITerms{Name: "other"})
		tests := s.client(models.APITerms{Name: "tests", Test: true})
		s.NewPlayer("anna", false)
		s.NewPlayer("testa", true)
		s.Book(storetest.Bet("testa", "t1", 100), storetest.Bet("anna", "a1", 100), storetest.Bet("testa", "t2", 100), storetest.Bet("anna", "a2", 100))
		next := func(token, path string) string {
			t.Helper()
			a := s.send(t, token, path, "", "")
			require.NotEmpty(t, a.is["next"], a.text)
			return fmt.Sprint(a.is["next"])
		}
		lists := map[string]string{}
		for _, list := range []string{"/v1/transactions?limit=1", "/v1/transactions?player=anna&limit=1", "/v1/transactions?player=testa&limit=1",
			"/v1/transactions?since=2020-01-01T00:00:00Z&limit=1", "/v1/games?limit=1", "/v1/events?limit=1"} {
			if strings.Contains(list, "events") {
				_, err := s.Store.FollowDays(t.Context())
				require.NoError(t, err)
			}
			lists[list] = next(token, list)
		}
		for list := range lists {
			for from, place := range lists {
				a := s.send(t, token, strings.Replace(list, "limit=1", "limit=2&after="+place, 1), "", "")
				want := 422
				if list == from {
					want = 200
				}
				require.Equal(t, want, a.status, "%s of %s: %s", list, from, a.text)
			}
			require.Equal(t, 422, s.send(t, token, list+"&after=1", "", "").status)
			if !strings.Contains(list, "events") {
				require.Equal(t, 422, s.send(t, other, list+"&after="+lists[list], "", "").status, list)
			}
		}

		// A client for tests does not see from the places how much others play.
		const mine = "/v1/transactions?player=testa&limit=1"
		place := next(tests, mine)
		rest := s.send(t, tests, mine+"&after="+place, "", "")
		require.Equal(t, "t1", rest.is["data"].([]any)[0].(map[string]any)["id"])
		require.NotContains(t, rest.text, `"number"`)
		text, err := base64.RawURLEncoding.DecodeString(place)
		require.NoError(t, err)
		require.False(t, bytes.HasPrefix(text, []byte{0}) && bytes.Contains(text, []byte{0, 0, 0}), "it shows neither time nor number")
		s.Book(storetest.Bet("anna", "a3", 100))
		require.Equal(t, place, next(tests, mine), "others' play does not change it")
	})
}

// TestAttackKindsOfRestrictions restricts a player because of money laundering. Only a client with the scope for it is told
// why, and only in the feed; its webhook is tested in app/notices.
func TestAttackKindsOfRestrictions(t *testing.T) {
	each(t, func(t *testing.T, s *listening) {
		game := s.SyncedGame()
		scopes := []models.APIScope{models.ScopePlayers, models.ScopeDeposits, models.ScopeCashouts, models.ScopeLaunches,
			models.ScopeGrants, models.ScopeRead}
		plain := s.client(models.APITerms{Name: "plain", Cash: "EUR 100.00", Scopes: scopes})
		knows := s.client(models.APITerms{Name: "knows", Cash: "EUR 100.00", Scopes: append(scopes, models.ScopeKinds)})
		s.NewPlayer("anna", false)
		s.Book(storetest.Bet("anna", "b1", 100))
		carla := storetest.SignerNamed(t, s.Store, "carla-c", models.Compliance)
		anna, _, err := s.Store.Player(t.Context(), "anna")
		require.NoError(t, err)
		made, err := s.Store.RestrictAs(t.Context(), carla.Actor, models.Restriction{Subject: models.OfPlayer, PlayerID: anna.ID,
			Kind: models.MoneyLaundering, Scope: models.FromPlay, Until: models.Permanent, Reason: "SUSPICION smurfing"})
		require.NoError(t, err)
		storetest.EndRestriction(t, s.Store, made.ID)
		_, err = s.Store.RestrictAs(t.Context(), carla.Actor, models.Restriction{Subject: models.OfPlayer, PlayerID: anna.ID,
			Kind: models.MoneyLaundering, Scope: models.FromPlay, Until: models.Permanent, Reason: "SUSPICION smurfing"})
		require.NoError(t, err)
		_, err = s.Store.FollowDays(t.Context())
		require.NoError(t, err)
		read := s.send(t, plain, "/v1/players/anna", "", "")
		require.Equal(t, []any{"restricted", false}, []any{read.is["state"], read.is["may_play"]})

		calls := s.calls(t)
		calls["/v1/launches"] = strings.Replace(calls["/v1/launches"], `"g"`, `"`+string(game.GameID)+`"`, 1)
		calls["/v1/free-spins"] = strings.Replace(calls["/v1/free-spins"], `"g"`, `"`+string(game.GameID)+`"`, 1)
		calls["/v1/restrictions"] = `{"players":["anna"],"kind":"cool-off","scope":"play","reason":"x"}`
		for path, body := range calls {
			key := ""
			if body != "" {
				key = "of" + strings.ReplaceAll(path, "/", "-")
			}
			for _, token := range []string{plain, knows} {
				a := s.send(t, token, path, key, body)
				for _, word := range []string{"SUSPICION", "smurfing"} {
					require.NotContains(t, a.text, word, path)
				}
				told := token == knows && path == "/v1/events"
				for _, word := range []string{"launder", "cash_outs_from"} {
					require.Equal(t, told, strings.Contains(a.text, word), "%s: %s", path, a.text)
				}
				if path == "/v1/events" {
					require.Contains(t, a.text, "restriction set")
				}
			}
		}
	})
}
