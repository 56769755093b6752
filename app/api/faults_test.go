package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// changing are calls that change something, with one body each. They are repeated after faults.
func changing(game models.GameID) map[string]string {
	return map[string]string{
		"/v1/players":                   `{"id":"new","currency":"EUR"}`,
		"/v1/players/anna/restrictions": `{"kind":"abuse","scope":"bonuses","reason":"x"}`,
		"/v1/restrictions":              `{"players":["anna","bert"],"kind":"cool-off","scope":"deposits","reason":"x"}`,
		"/v1/players/emil/closure":      `{"reason":"x"}`,
		"/v1/launches":                  `{"player":"carl","game":"` + string(game) + `","language":"en"}`,
		"/v1/deposits":                  `{"player":"carl","amount":"1.00","currency":"EUR"}`,
		"/v1/cashouts":                  `{"player":"dora","amount":"0.50","currency":"EUR"}`,
		"/v1/cashouts/held/commit":      `{}`,
		"/v1/cashouts/kept/cancel":      `{}`,
		"/v1/cashouts/sent/return":      `{}`,
		"/v1/free-spins":                `{"player":"carl","game":"` + string(game) + `","spins":5,"reason":"x"}`,
	}
}

// faulty prepares the players and cash-outs of the calls of changing.
func (s *listening) faulty(t *testing.T) (token string, game models.GameID) {
	game = s.SyncedGame().GameID
	token = s.client(models.APITerms{Name: "website", Cash: "EUR 5.00"})
	for _, user := range []models.UserID{"anna", "bert", "carl", "dora"} {
		s.NewPlayer(user, false)
	}
	require.Equal(t, 201, s.send(t, token, "/v1/players", "emil", `{"id":"emil","currency":"EUR"}`).status)
	s.was = map[models.UserID]models.Amount{"carl": storetest.Balance(t, s.Store, "carl"), "dora": storetest.Balance(t, s.Store, "dora")}
	require.Equal(t, 201, s.send(t, token, "/v1/deposits", "first", `{"player":"dora","amount":"5.00","currency":"EUR"}`).status)
	for _, id := range []string{"held", "kept", "sent"} {
		require.Equal(t, 201, s.send(t, token, "/v1/cashouts", id, `{"player":"dora","amount":"1.00","currency":"EUR"}`).status)
	}
	require.Equal(t, 201, s.send(t, token, "/v1/cashouts/sent/commit", "sent", "{}").status)
	return token, game
}

// happenedOnce sends each call until it has an answer, and requires one result of each.
func (s *listening) happenedOnce(t *testing.T, token string, calls map[string]string) {
	for path, body := range calls {
		key := "key-of-" + path
		a := s.send(t, token, path, key, body)
		for tries := 0; a.status == 503 && tries < 20; tries++ {
			a = s.send(t, token, path, key, body)
		}
		if a.kind() != "launch-repeated" {
			require.Equal(t, 201, a.status, "%s: %s", path, a.text)
			if path != "/v1/launches" && !strings.Contains(path, "cashouts") { // launches give the address once; balances move on
				require.Equal(t, a.text, s.send(t, token, path, key, body).text)
			}
		}
	}
}

// The connection to the database breaks at each commit of each call, in each way: the same request with the same key then has
// one result.
func TestFaultsAtEachCommit(t *testing.T) {
	for name, fault := range storetest.CommitFaults {
		t.Run(name, func(t *testing.T) {
			p := storetest.NewFaultProxy(t, strings.TrimPrefix(storetest.URL(t, storetest.MariaDB), "mysql://"))
			s := listen(t, apptest.NewSite(t, "mysql://"+p.DSN()))
			token, game := s.faulty(t)
			struck := storetest.Releaser(t, p)
			calls := changing(game)
			for path, body := range calls {
				for times := 1; times <= 3; times++ { // also when it is repeated within the call, and at its later commits
					p.AtCommit(fault, times)
					s.send(t, token, path, "key-of-"+path, body)
				}
			}
			p.AtCommit(fault, 0)
			s.happenedOnce(t, token, calls)
			require.NotZero(t, struck.Load())
			s.resulted(t)
		})
	}
}

// The database refuses each table that a call writes, at the first row and at a later one, as if it were killed there. Nothing
// of the call is left, and the same request with the same key has one result.
func TestFaultsAtEachStep(t *testing.T) {
	storetest.EachEngine(t, func(t *testing.T, engine string) {
		url := storetest.URL(t, engine)
		s := listen(t, apptest.NewSite(t, url))
		token, game := s.faulty(t)
		db := storetest.OpenURL(t, url)
		calls := changing(game)
		for _, table := range []string{"players", "wallets", "postings", "restrictions", "game_sessions", "grants", "api_requests",
			"audit_events"} {
			body := "BEGIN SELECT RAISE(ABORT, 'killed'); END"
			if engine == storetest.MariaDB {
				body = "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'killed'"
			}
			event := "INSERT"
			if table == "wallets" {
				event = "UPDATE"
			}
			_, err := db.ExecContext(t.Context(), fmt.Sprintf("CREATE TRIGGER kills BEFORE %s ON %s FOR EACH ROW %s", event, table, body))
			require.NoError(t, err)
			refused := 0
			for path, body := range calls {
				if s.send(t, token, path, "key-of-"+path, body).status == 503 {
					refused++
				}
			}
			_, err = db.ExecContext(t.Context(), "DROP TRIGGER kills")
			require.NoError(t, err)
			if table == "api_requests" || table == "audit_events" {
				require.Positive(t, refused, table)
			}
		}
		s.happenedOnce(t, token, calls)
		s.resulted(t)
	})
}

// resulted requires what the calls of changing do when each is done once.
func (s *listening) resulted(t *testing.T) {
	for user, moved := range map[models.UserID]models.Amount{"carl": 100, "dora": 500 - 100 - 50} { // one is paid, one comes back, and so does one from the bank
		require.Equal(t, s.was[user].Add(moved), storetest.Balance(t, s.Store, user), user)
	}
	for user, restricted := range map[models.UserID]int{"anna": 2, "bert": 1, "carl": 0, "emil": 1} {
		p, _, err := s.Store.Player(t.Context(), user)
		require.NoError(t, err)
		list, err := s.Store.Restrictions(t.Context(), models.RestrictionFilter{PlayerID: p.ID, Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		require.Len(t, list.Rows, restricted, user)
	}
	grants, err := s.Store.Grants(t.Context(), models.GrantFilter{Span: models.Span{Limit: 10}})
	require.NoError(t, err)
	require.Len(t, grants.Rows, 1)
	sessions, err := s.Store.GameSessions(t.Context(), models.GameSessionFilter{Span: models.Span{Limit: 10}})
	require.NoError(t, err)
	require.Len(t, sessions.Rows, 1)
	v, err := s.Store.Verify(t.Context(), nil)
	require.NoError(t, err)
	require.True(t, v.OK(), v)
}
