package gamesession_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/gamesession"
	"pitboss/app/platform"
	"pitboss/callbacks/simulator"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

func TestMain(m *testing.M) { storetest.Main(m) }

var tester = models.Actor{Name: "tester", Address: "203.0.113.7"}

func service(t *testing.T, url, platformURL string, sendCurrency bool) (*gamesession.Service, *store.Store) {
	t.Helper()
	s := storetest.Open(t, store.Config{URL: url})
	for _, p := range []models.NewPlayer{
		{UserID: "tess", Currency: "TRY", Balance: 100, Test: true}, {UserID: "anna", Currency: "EUR"},
		{UserID: "bert", Currency: "EUR", Test: true},
	} {
		_, err := s.CreatePlayer(t.Context(), tester, p)
		require.NoError(t, err)
	}
	storetest.Restrict(t, s, "bert")
	tess, _, err := s.Player(t.Context(), "tess")
	require.NoError(t, err)
	_, err = s.Restrict(t.Context(), storetest.SignerNamed(t, s, "stan", models.Support), models.Restriction{
		Subject: models.OfPlayer, PlayerID: tess.ID, Kind: models.Abuse, Scope: models.FromBonuses, Until: models.Permanent,
		Reason: "she may play"})
	require.NoError(t, err)
	for _, offered := range [][]models.OfferedGame{
		{{GameID: "20001", Name: "One"}, {GameID: "frozen", Name: "Frozen"}, {GameID: "gone", Name: "Gone"}},
		{{GameID: "20001", Name: "One"}, {GameID: "frozen", Name: "Frozen"}},
	} {
		_, err := s.SyncGames(t.Context(), tester, models.GameSync{}, offered)
		require.NoError(t, err)
	}
	c, err := platform.New(platform.Config{
		URL: platformURL, AgentID: "agent-1", APIToken: "token-of-the-tests", SecretKey: "secret-of-the-tests",
		Backoff: time.Millisecond, SendCurrency: sendCurrency,
	})
	require.NoError(t, err)
	return gamesession.New(gamesession.Config{Store: s, Platform: c}), s
}

func TestLaunch(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		sim, err := simulator.New(simulator.Config{
			AgentID: "agent-1", APIToken: "token-of-the-tests", SecretKey: "secret-of-the-tests",
			CallbackURL: "http://127.0.0.1:1", Games: 5,
		})
		require.NoError(t, err)
		server := httptest.NewServer(sim.Handler())
		t.Cleanup(server.Close)
		launcher, s := service(t, url, server.URL, false)

		address, session, err := launcher.Launch(t.Context(), tester,
			gamesession.Request{UserID: "tess", GameID: "20001", Language: "tr"})
		require.NoError(t, err)
		opened, err := http.Get(address)
		require.NoError(t, err)
		page, _ := io.ReadAll(opened.Body)
		opened.Body.Close()
		require.Equal(t, http.StatusOK, opened.StatusCode)
		require.True(t, bytes.Contains(page, []byte("tess")))

		kept, found, err := s.GameSession(t.Context(), session.ID)
		require.NoError(t, err)
		require.True(t, found)
		require.Equal(t, models.GameSessionOpened, kept.State)
		require.Equal(t, server.URL+"/***", kept.GameURL)
		require.Equal(t, []any{"tester", models.UserID("tess"), models.GameID("20001"), "One", "tr", models.Currency("")},
			[]any{kept.Actor, kept.UserID, kept.Game.GameID, kept.Game.Name, kept.Language, kept.Currency})
		require.Positive(t, kept.Latency)

		require.NoError(t, sim.SetMood("userAuth=refused(2 not today)"))
		_, session, err = launcher.Launch(t.Context(), tester,
			gamesession.Request{UserID: "anna", GameID: "20001", Language: "en", AnyOne: true,
				Reason: " an error in the game "})
		var refused *platform.Error
		require.ErrorAs(t, err, &refused)
		kept, _, err = s.GameSession(t.Context(), session.ID)
		require.NoError(t, err)
		require.Equal(t, models.GameSessionFailed, kept.State)
		require.Contains(t, kept.Failure, "result 2, not today")
		require.Contains(t, kept.AnswerRaw, "not today")
		require.Equal(t, "an error in the game", kept.Reason)
		require.Empty(t, kept.GameURL)

		list, err := s.GameSessions(t.Context(), models.GameSessionFilter{Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		require.True(t, list.More)
		require.Equal(t, kept, list.Rows[0])
		older, err := s.GameSessions(t.Context(),
			models.GameSessionFilter{Span: models.Span{Limit: 1, Page: models.Cursor{At: kept.At, ID: kept.ID}}})
		require.NoError(t, err)
		require.False(t, older.More)
		require.EqualValues(t, "tess", older.Rows[0].UserID)
		newer, err := s.GameSessions(t.Context(),
			models.GameSessionFilter{Span: models.Span{Limit: 1,
				Page: models.Cursor{At: older.Rows[0].At, ID: older.Rows[0].ID, Newer: true}}})
		require.NoError(t, err)
		require.Equal(t, list.Rows, newer.Rows)
		list, err = s.GameSessions(t.Context(),
			models.GameSessionFilter{Span: models.Span{Limit: 10}, State: models.GameSessionOpened, PlayerID: older.Rows[0].PlayerID,
				GameID: older.Rows[0].Game.ID, Actor: "tester"})
		require.NoError(t, err)
		require.Equal(t, older.Rows, list.Rows)
	})
}

func TestWhoMayNotPlayWhat(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		var calls atomic.Int64
		server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls.Add(1) }))
		t.Cleanup(server.Close)
		launcher, s := service(t, url, server.URL, false)
		freeze, err := s.Restrict(t.Context(), storetest.SignerNamed(t, s, "stan", models.Support), models.Restriction{
			Subject: models.OfGame, About: "frozen", Kind: models.OtherRestriction, Scope: models.FromPlay, Until: models.Permanent,
			Reason: "it pays too much"})
		require.NoError(t, err)
		for name, row := range map[string]struct {
			request gamesession.Request
			want    error
		}{
			"unknown player":    {gamesession.Request{UserID: "Tess", GameID: "20001", Language: "en"}, models.ErrPlayerUnknown},
			"restricted player": {gamesession.Request{UserID: "bert", GameID: "20001", Language: "en"}, models.ErrPlayerRestricted},
			"frozen game":       {gamesession.Request{UserID: "tess", GameID: "frozen", Language: "en"}, models.FrozenError{Restriction: freeze}},
			"no test player": {gamesession.Request{UserID: "anna", GameID: "20001", Language: "en", Reason: "why not"},
				models.ErrNotTestPlayer},
			"without reason": {gamesession.Request{UserID: "anna", GameID: "20001", Language: "en", AnyOne: true,
				Reason: " "}, models.ErrReasonMissing},
			"unknown game":     {gamesession.Request{UserID: "tess", GameID: "20002", Language: "en"}, models.ErrGameUnknown},
			"game is gone":     {gamesession.Request{UserID: "tess", GameID: "gone", Language: "en"}, models.ErrGameGone},
			"unknown language": {gamesession.Request{UserID: "tess", GameID: "20001", Language: "EN"}, nil},
			"no language":      {gamesession.Request{UserID: "tess", GameID: "20001"}, nil},
		} {
			_, _, err := launcher.Launch(t.Context(), tester, row.request)
			require.Error(t, err, name)
			if row.want != nil {
				require.ErrorIs(t, err, row.want, name)
			}
		}
		require.Zero(t, calls.Load())
		list, err := s.GameSessions(t.Context(), models.GameSessionFilter{Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		require.Empty(t, list.Rows)
	})
}

func TestTheCurrencyIsTheWallets(t *testing.T) {
	var body []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ = io.ReadAll(r.Body)
		io.WriteString(w, `{"result":0,"gameURL":"https://play.example/go?token=open-sesame"}`)
	}))
	t.Cleanup(server.Close)
	launcher, s := service(t, storetest.URL(t, storetest.SQLite), server.URL, true)
	address, session, err := launcher.Launch(t.Context(), tester,
		gamesession.Request{UserID: "tess", GameID: "20001", Language: "en"})
	require.NoError(t, err)
	require.Equal(t, "https://play.example/go?token=open-sesame", address)
	require.Contains(t, string(body), `"currency":"TRY"`)
	kept, _, err := s.GameSession(t.Context(), session.ID)
	require.NoError(t, err)
	require.EqualValues(t, "TRY", kept.Currency)
	require.Equal(t, "https://play.example/***", kept.GameURL)
}
