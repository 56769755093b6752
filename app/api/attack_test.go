package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// A client can do what its terms say, from where they say, with its current secret, and nothing else.
func TestAttackAPIClients(t *testing.T) {
	each(t, func(t *testing.T, s *listening) {
		g := s.SyncedGame()
		s.NewPlayer("anna", false)
		s.NewPlayer("testa", true)
		ada, adam := storetest.Administrators(t, s.Store)
		client, token := storetest.APIClient(t, s.Store, models.APITerms{Name: "website"})
		require.Equal(t, 200, s.send(t, token, "/v1/players/anna", "", "").status)

		// Tokens that are almost right.
		_, other := storetest.APIClient(t, s.Store, models.APITerms{Name: "other"})
		id, secret, _ := models.ParseAPIToken(token)
		for _, bad := range []string{token[1:], token + "a", strings.ToUpper(token), strings.Replace(other, "pb_2_", "pb_1_", 1),
			fmt.Sprintf("pb_0%d_%s", id, secret), fmt.Sprintf("pb_%d_%s", 99, secret), secret, "pb_1_' OR '1'='1"} {
			refused := s.send(t, bad, "/v1/players/anna", "", "")
			require.Equal(t, []any{"unauthorized", "Bearer"}, []any{refused.kind(), refused.header.Get("WWW-Authenticate")}, bad)
		}
		require.Equal(t, "unauthorized", s.send(t, "", "/v1/players/anna", "", "", "Authorization", "Basic "+token).kind())

		// Another secret, with an overlap, and without.
		newer := storetest.APISecret(t, s.Store, client.ID, 1)
		require.Equal(t, 200, s.send(t, token, "/v1/players/anna", "", "").status)
		require.Equal(t, 200, s.send(t, newer, "/v1/players/anna", "", "").status)
		s.Later(61 * time.Minute)
		require.Equal(t, 401, s.send(t, token, "/v1/players/anna", "", "").status)
		newest := storetest.APISecret(t, s.Store, client.ID, 0)
		require.Equal(t, 401, s.send(t, newer, "/v1/players/anna", "", "").status)

		// Nobody calls with the half that one administrator has seen, whatever they put in the other's place.
		begin, asked, err := s.Store.RequestAPISecret(t.Context(), ada, client.ID, 0, "mine")
		require.NoError(t, err)
		half, _ := models.NewHalfSecret()
		for range 2 { // before and after a second administrator has approved it
			for _, forged := range []string{begin, begin + half, begin + begin[len(begin)-22:]} {
				require.Equal(t, "unauthorized", s.send(t, forged, "/v1/players/anna", "", "").kind())
			}
			err = storetest.Approve(t.Context(), s.Store, "change", ada, asked.ID)
			require.Error(t, err)
			storetest.Half(t.Context(), s.Store, adam, asked.ID) // the second time it has been approved
		}
		require.Equal(t, 401, s.send(t, newest, "/v1/players/anna", "", "").status)
		newest = storetest.APISecret(t, s.Store, client.ID, 0)

		// Networks, also behind a proxy.
		terms := client.APITerms
		terms.Networks = "192.0.2.0/24"
		r, err := s.Store.RequestChange(t.Context(), ada, models.ChangeAPIClient, models.APITermsRequest{ID: client.ID, APITerms: terms}, "x")
		require.NoError(t, err)
		require.Equal(t, 200, s.send(t, newest, "/v1/players/anna", "", "").status, "not approved yet")
		err = storetest.Approve(t.Context(), s.Store, "change", adam, r.ID)
		require.NoError(t, err)
		require.Equal(t, "network", s.send(t, newest, "/v1/players/anna", "", "").kind())
		require.Equal(t, "network", s.send(t, newest, "/v1/players/anna", "", "", "X-Forwarded-For", "192.0.2.9, 198.51.100.1").kind())
		require.Equal(t, 200, s.send(t, newest, "/v1/players/anna", "", "", "X-Forwarded-For", "198.51.100.1, 192.0.2.9").status)

		// To a client for tests, other players do not exist.
		tests := s.client(models.APITerms{Name: "tests", Test: true})
		require.Equal(t, 200, s.send(t, tests, "/v1/players/testa", "", "").status)
		spins := `{"player":"anna","game":"` + string(g.GameID) + `","spins":5,"reason":"x"}`
		for path, body := range map[string]string{"/v1/players/anna": "", "/v1/transactions?player=anna": "", "/v1/rounds/r?player=anna": "",
			"/v1/players/anna/restrictions": `{"kind":"abuse","scope":"play","reason":"x"}`, "/v1/players/anna/closure": `{"reason":"x"}`,
			"/v1/launches": `{"player":"anna","game":"` + string(g.GameID) + `","language":"en"}`, "/v1/free-spins": spins,
			"/v1/deposits": `{"player":"anna","amount":"1.00","currency":"EUR"}`, "/v1/cashouts": `{"player":"anna","amount":"1.00","currency":"EUR"}`} {
			key := ""
			if body != "" {
				key = path
			}
			require.Equal(t, "player-unknown", s.send(t, tests, path, key, body).kind(), path)
		}
		full := s.client(models.APITerms{Name: "full"})
		granted := s.send(t, full, "/v1/free-spins", "g", spins)
		require.Equal(t, 201, granted.status, granted.text)
		require.Equal(t, 404, s.send(t, tests, fmt.Sprint("/v1/free-spins/", granted.is["id"]), "", "").status)
		require.Equal(t, "test-only", s.send(t, tests, "/v1/players", "p", `{"id":"new","currency":"EUR"}`).kind())
		require.Equal(t, 201, s.send(t, tests, "/v1/players", "p", `{"id":"new","currency":"EUR","test":true}`).status)
		for _, path := range []string{"/v1/events", "/v1/transactions"} {
			require.Equal(t, "test-only", s.send(t, tests, path, "", "").kind(), path)
		}

		// Another client's keys are its own.
		require.Equal(t, "player-exists", s.send(t, full, "/v1/players", "p", `{"id":"new","currency":"EUR","test":true}`).kind())

		// Revoked, at once.
		require.NoError(t, s.Store.RevokeAPIClient(t.Context(), ada, client.ID, "it leaked"))
		require.Equal(t, 401, s.send(t, newest, "/v1/players/anna", "", "", "X-Forwarded-For", "192.0.2.9").status)
	})
}

// Hostile input gets a clear answer and changes nothing.
func TestAttackAPIInput(t *testing.T) {
	each(t, func(t *testing.T, s *listening) {
		token := s.client(models.APITerms{Name: "website"})
		for body, status := range map[string]int{
			`{"id":"a\u0000b","currency":"EUR"}`: 422, `{"id":"` + strings.Repeat("a", 256) + `","currency":"EUR"}`: 422,
			`{"id":"a","currency":"eur"}`: 422, `{"id":"a","currency":"EUR","balance":"100.00"}`: 422, `{"ID":"a","currency":"EUR"}`: 422,
			`{"id":"a"}`: 422, `[]`: 422, `{"id":"a","currency":"EUR"`: 400, "{\"id\":\"a\xff\",\"currency\":\"EUR\"}": 400, `null`: 422,
			`{"id":{"$ne":1},"currency":"EUR"}`: 422,
			strings.Repeat("[", 50_000):         400,
		} {
			refused := s.send(t, token, "/v1/players", "k", body)
			require.Equal(t, status, refused.status, "%.60s: %s", body, refused.text)
		}
		require.Equal(t, 422, s.send(t, token, "/v1/players", strings.Repeat("k", 65), `{"id":"a","currency":"EUR"}`).status)
		require.Equal(t, 422, s.send(t, token, "/v1/players", "k\xc3\xa4", `{"id":"a","currency":"EUR"}`).status)
		require.Equal(t, 415, s.send(t, token, "/v1/players", "k", `{"id":"a","currency":"EUR"}`, "Content-Encoding", "gzip").status)
		require.Equal(t, "no-such-call", s.send(t, token, "/v1/staff", "", "").kind())
		require.Equal(t, "no-such-call", s.send(t, token, "/v1/players/anna/../../openapi.yaml", "", "").kind())
		response, err := http.Post(s.url+"/v1/players", "application/json", strings.NewReader(strings.Repeat(" ", 1<<20)))
		if err == nil { // it may be cut off while it sends
			require.Equal(t, http.StatusRequestEntityTooLarge, response.StatusCode)
			require.NoError(t, response.Body.Close())
		}
		_, found, err := s.Store.Player(t.Context(), "a")
		require.NoError(t, err)
		require.False(t, found)
		require.Equal(t, 201, s.send(t, token, "/v1/players", "k", `{"id":"a","currency":"EUR"}`).status, "no key is used up")
	})
}

// Requests with one key at the same time have one effect, and all get the same answer, or are told to ask again.
func TestOneKeyAtOnce(t *testing.T) {
	each(t, func(t *testing.T, s *listening) {
		g := s.SyncedGame()
		token := s.client(models.APITerms{Name: "website", Cash: "EUR 1.00"})
		anna := s.NewPlayer("anna", false)
		for path, body := range map[string]string{"/v1/players": `{"id":"new","currency":"EUR"}`,
			"/v1/players/anna/restrictions": `{"kind":"abuse","scope":"bonuses","reason":"x","until":"` +
				s.Now().Add(24*time.Hour).UTC().Format(time.RFC3339) + `"}`,
			"/v1/players/anna/limits": `{"limits":[{"kind":"loss","period":"day","amount":"1.00"}],"reason":"x"}`,
			"/v1/launches":            `{"player":"anna","game":"` + string(g.GameID) + `","language":"en"}`,
			"/v1/deposits":            `{"player":"anna","amount":"1.00","currency":"EUR"}`,
			"/v1/free-spins":          `{"player":"new2","game":"` + string(g.GameID) + `","spins":5,"reason":"x"}`} {
			if path == "/v1/free-spins" {
				s.NewPlayer("new2", false)
			}
			answers := make([]answer, 16)
			var all sync.WaitGroup
			for i := range answers {
				all.Go(func() { answers[i] = s.send(t, token, path, "one", body) })
			}
			all.Wait()
			created := map[any]bool{}
			for _, a := range answers {
				switch {
				case a.status == 201:
					created[a.is["id"]] = true
				default:
					require.Equal(t, "launch-repeated", a.kind(), a.text)
				}
			}
			require.Len(t, created, 1, path)
			token = s.client(models.APITerms{Name: strings.NewReplacer("/", "-").Replace(path[1:]), Cash: "EUR 1.00"}) // with keys of its own
		}
		restrictions, err := s.Store.Restrictions(t.Context(), models.RestrictionFilter{PlayerID: anna.ID, Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		require.Len(t, restrictions.Rows, 1)
		sessions, err := s.Store.GameSessions(t.Context(), models.GameSessionFilter{Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		require.Len(t, sessions.Rows, 1)
		grants, err := s.Store.Grants(t.Context(), models.GrantFilter{Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		require.Len(t, grants.Rows, 1)
		var limits int
		require.NoError(t, storetest.OpenURL(t, s.database).QueryRowContext(t.Context(),
			"SELECT COUNT(*) FROM audit_events WHERE action = 'player limits set'").Scan(&limits))
		require.Equal(t, 1, limits)
		v, err := s.Store.Verify(t.Context(), nil)
		require.NoError(t, err)
		require.True(t, v.OK(), v)
	})
}

// TestAttackedClientAtOnce: clients are read together, but a row that was changed in the database stops only its own client.
func TestAttackedClientAtOnce(t *testing.T) {
	each(t, func(t *testing.T, s *listening) {
		s.NewPlayer("anna", false)
		_, token := storetest.APIClient(t, s.Store, models.APITerms{Name: "website"})
		changed, bad := storetest.APIClient(t, s.Store, models.APITerms{Name: "cashier"})
		apptest.AlterDatabase(t, s.database, fmt.Sprintf("UPDATE api_clients SET per_minute = 5 WHERE id = %d", changed.ID))
		var all sync.WaitGroup
		for range 20 {
			for used, want := range map[string]int{token: 200, bad: 503, "pb_99_" + bad[5:]: 401} {
				all.Go(func() { assert.Equal(t, want, s.send(t, used, "/v1/players/anna", "", "").status, used) })
			}
		}
		all.Wait()
	})
}
