package catalogue_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/catalogue"
	"pitboss/app/platform"
	"pitboss/callbacks/simulator"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

func TestMain(m *testing.M) { storetest.Main(m) }

var tester = models.Actor{Name: "tester"}

func client(t testing.TB, url string) *platform.Client {
	t.Helper()
	c, err := platform.New(platform.Config{URL: url, AgentID: "agent-1", APIToken: "token-of-the-tests",
		SecretKey: "secret-of-the-tests", Backoff: time.Millisecond, Attempts: 1, MaxAnswer: 32 << 20})
	require.NoError(t, err)
	return c
}

func simulated(t testing.TB, games int) (*simulator.Simulator, string) {
	t.Helper()
	sim, err := simulator.New(simulator.Config{AgentID: "agent-1", APIToken: "token-of-the-tests",
		SecretKey: "secret-of-the-tests", CallbackURL: "http://127.0.0.1:1", Games: games})
	require.NoError(t, err)
	server := httptest.NewServer(sim.Handler())
	t.Cleanup(server.Close)
	return sim, server.URL
}

func service(s *store.Store, p *platform.Client, now func() time.Time) *catalogue.Service {
	return catalogue.New(catalogue.Config{Store: s, Platform: p, Now: now})
}

func names(games []models.Game) (list []string) {
	for _, g := range games {
		list = append(list, g.Name)
	}
	return list
}

func TestThousandsOfGames(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		s := storetest.Open(t, store.Config{URL: url})
		sim, base := simulated(t, 3_000)
		games := service(s, client(t, base), nil)

		first, err := games.Sync(t.Context(), tester)
		require.NoError(t, err)
		require.Equal(t, []int{3_000, 3_000, 0, 0, 0, 0},
			[]int{first.Offered, first.Added, first.Changed, first.Renamed, first.Gone, first.Returned})

		vanished, renamed := sim.Games()[1_111], sim.Games()[2_700]
		require.NoError(t, sim.RemoveGame(vanished.GameID))
		require.NoError(t, sim.RenameGame(renamed.GameID, "The Zebra's ÉTUDE"))
		second, err := games.Sync(t.Context(), tester)
		require.NoError(t, err)
		require.Equal(t, []int{2_999, 0, 1, 1, 1, 0},
			[]int{second.Offered, second.Added, second.Changed, second.Renamed, second.Gone, second.Returned})

		gone, found, err := s.Game(t.Context(), models.GameID(vanished.GameID))
		require.NoError(t, err)
		require.True(t, found, "it is kept")
		require.True(t, gone.Gone())
		require.Equal(t, vanished.GameName, gone.Name)
		require.True(t, gone.SeenAt.Before(gone.GoneAt))

		got, err := s.Games(t.Context(), models.GameFilter{Text: "étude ZEBRA", Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		require.False(t, got.More)
		require.Len(t, got.Rows, 1)
		require.Equal(t, "The Zebra's ÉTUDE", got.Rows[0].Name)
		require.Equal(t, renamed.GameName, got.Rows[0].FormerName)
		require.EqualValues(t, renamed.GameID, got.Rows[0].GameID)

		require.NoError(t, sim.RestoreGame(vanished.GameID))
		third, err := games.Sync(t.Context(), tester)
		require.NoError(t, err)
		require.Equal(t, []int{3_000, 0, 0, 0, 0, 1},
			[]int{third.Offered, third.Added, third.Changed, third.Renamed, third.Gone, third.Returned})
		back, _, err := s.Game(t.Context(), models.GameID(vanished.GameID))
		require.NoError(t, err)
		require.False(t, back.Gone())
		require.Equal(t, gone.ID, back.ID)

		last, _, err := s.LastGameSync(t.Context(), true)
		require.NoError(t, err)
		require.Equal(t, third.ID, last.ID)
		require.Equal(t, "tester", last.Actor)
	})
}

func TestPagesOfGames(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		s := storetest.Open(t, store.Config{URL: url})
		var offered []models.OfferedGame
		for i := range 25 { // two share each name, so that some pages end between the two
			offered = append(offered, models.OfferedGame{
				GameID: models.GameID(fmt.Sprintf("g%02d", i)), Name: fmt.Sprintf("Name %c", 'A'+i/2),
				Type: []string{"slots", "table"}[i%2], Provider: fmt.Sprintf("P%d", i%3),
			})
		}
		offered = append(offered, models.OfferedGame{GameID: "100%_x", Name: "Name AA", Type: "slots", Provider: "P0"})
		_, err := s.SyncGames(t.Context(), tester, models.GameSync{}, offered)
		require.NoError(t, err)

		all, err := s.Games(t.Context(), models.GameFilter{Span: models.Span{Limit: 100}})
		require.NoError(t, err)
		require.False(t, all.More)
		require.Len(t, all.Rows, 26)
		var forward []models.Game
		for next := int64(0); ; {
			page, err := s.Games(t.Context(), models.GameFilter{Span: models.Span{Page: models.Cursor{ID: next}, Limit: 7}})
			require.NoError(t, err)
			forward = append(forward, page.Rows...)
			if !page.More {
				break
			}
			next = page.Rows[len(page.Rows)-1].ID
		}
		require.Equal(t, names(all.Rows), names(forward))
		back, err := s.Games(t.Context(),
			models.GameFilter{Span: models.Span{Page: models.Cursor{ID: all.Rows[10].ID, Newer: true}, Limit: 7}})
		require.NoError(t, err)
		require.True(t, back.More)
		require.Equal(t, names(all.Rows[3:10]), names(back.Rows))

		for _, row := range []struct {
			filter models.GameFilter
			want   int
		}{
			{models.GameFilter{Text: "name"}, 26}, {models.GameFilter{Text: "100%_"}, 1}, {models.GameFilter{Text: "%"}, 1},
			{models.GameFilter{Text: "name g00"}, 1},
			{models.GameFilter{Provider: "P0"}, 10}, {models.GameFilter{Provider: "p0"}, 0},
			{models.GameFilter{Type: "table"}, 12},
			{models.GameFilter{State: models.GamesOffered}, 26}, {models.GameFilter{State: models.GamesGone}, 0},
		} {
			row.filter.Limit = 100
			got, err := s.Games(t.Context(), row.filter)
			require.NoError(t, err)
			require.Len(t, got.Rows, row.want, "%+v", row.filter)
		}
		providers, types, err := s.GameKinds(t.Context())
		require.NoError(t, err)
		require.Equal(t, []string{"P0", "P1", "P2"}, providers)
		require.Equal(t, []string{"slots", "table"}, types)
	})
}

func TestAFailureEmptiesNothing(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		s := storetest.Open(t, store.Config{URL: url})
		var answer atomic.Value
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w,
				answer.Load().(string))
		}))
		t.Cleanup(server.Close)
		games := service(s, client(t, server.URL), nil)
		answer.Store(`{"result":0,"games":[{"gameID":"g1","gameName":"One"}]}`)
		_, err := games.Sync(t.Context(), tester)
		require.NoError(t, err)

		for body, want := range map[string]string{
			`{"result":0,"games":[]}`:                "no usable game",
			`{"result":0,"games":[{},{}]}`:           "no usable game",
			`{"result":7,"message":"no such token"}`: "result 7, no such token",
			`{"result":0}`:                           "lacks games",
			`<html>`:                                 "JSON",
			`{"result":0,"games":[{"gameID":"`:       "JSON",
		} {
			answer.Store(body)
			_, err := games.Sync(t.Context(), tester)
			require.ErrorContains(t, err, want)
			last, _, err := s.LastGameSync(t.Context(), false)
			require.NoError(t, err)
			require.Contains(t, last.Error, want)
			g, found, err := s.Game(t.Context(), "g1")
			require.NoError(t, err)
			require.True(t, found && !g.Gone(), body)
		}
		last, found, err := s.LastGameSync(t.Context(), true)
		require.NoError(t, err)
		require.True(t, found)
		require.Equal(t, 1, last.Added)
	})
}

func TestTheSchedule(t *testing.T) {
	s := storetest.Open(t, store.Config{URL: storetest.URL(t, storetest.SQLite)})
	sim, base := simulated(t, 5)
	now := time.Now()
	clock := func() time.Time { return now }
	games := service(s, client(t, base), clock)
	synced := func() int { return sim.Calls()["gameList"] }

	require.NoError(t, games.Follow(t.Context()))
	require.Equal(t, 1, synced(), "at the start")
	require.NoError(t, service(s, client(t, base), clock).Follow(t.Context()))
	require.Equal(t, 1, synced(), "another instance that starts at the same time")
	now = now.Add(59 * time.Minute)
	require.NoError(t, games.Follow(t.Context()))
	require.Equal(t, 1, synced())
	now = now.Add(2 * time.Minute)
	require.NoError(t, sim.SetMood("gameList=status(500):1"))
	require.Error(t, games.Follow(t.Context()))
	require.Equal(t, 2, synced())
	now = now.Add(2 * time.Minute)
	require.NoError(t, games.Follow(t.Context()))
	require.Equal(t, 3, synced(), "a failure is retried sooner")
	require.NoError(t, service(s, client(t, base), func() time.Time { return now.Add(2 * time.Minute) }).
		Follow(t.Context()))
	require.Equal(t, 4, synced(), "at another start")

	// The clock was two hours ahead and has been corrected.
	now = now.Add(2 * time.Hour)
	require.NoError(t, games.Follow(t.Context()))
	require.Equal(t, 5, synced())
	now = now.Add(-2 * time.Hour)
	require.NoError(t, games.Follow(t.Context()))
	require.Equal(t, 6, synced(), "a sync in the future says nothing")
	now = now.Add(time.Minute)
	require.NoError(t, games.Follow(t.Context()))
	require.Equal(t, 6, synced(), "the schedule goes on")
}

// told returns the lines about a game in the log of changes, oldest first.
func told(t *testing.T, s *store.Store, game int64) (lines []string) {
	t.Helper()
	list, err := s.GameChanges(t.Context(), models.GameChangeFilter{Game: game, Span: models.Span{Limit: 100}})
	require.NoError(t, err)
	require.False(t, list.More)
	for _, c := range slices.Backward(list.Rows) {
		line := c.Kind.String() + " " + c.Name
		if c.FormerName != "" {
			line += ", was " + c.FormerName
		}
		lines = append(lines, line)
	}
	return lines
}

// Each synchronization logs what it changed.
func TestAvailabilityIsLogged(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		now := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
		s := storetest.Open(t, store.Config{URL: url, Now: func() time.Time { return now }})
		sync := func(failure string, offered ...string) {
			t.Helper()
			now = now.Add(time.Hour)
			var games []models.OfferedGame
			for _, o := range offered {
				id, name, _ := strings.Cut(o, ":")
				games = append(games, models.OfferedGame{GameID: models.GameID(id), Name: name, Provider: "P"})
			}
			_, err := s.SyncGames(t.Context(), tester, models.GameSync{At: now, Error: failure}, games)
			require.NoError(t, err)
		}
		sync("", "a:Alpha", "b:Beta")
		sync("", "a:Alpha", "b:Beta", "c:Gamma")
		sync("the platform's /gameList: HTTP status 502")
		sync("", "b:Beta Deluxe", "c:Gamma")
		sync("", "a:Alpha II", "b:Beta Deluxe", "c:Gamma")
		a, _, err := s.Game(t.Context(), "a")
		require.NoError(t, err)
		require.Equal(t, []string{"appeared Alpha", "disappeared Alpha", "returned Alpha II", "renamed Alpha II, was Alpha"},
			told(t, s, a.ID))
		b, _, err := s.Game(t.Context(), "b")
		require.NoError(t, err)
		require.Equal(t, []string{"appeared Beta", "renamed Beta Deluxe, was Beta"}, told(t, s, b.ID))

		gone, err := s.GameChanges(t.Context(),
			models.GameChangeFilter{Kind: models.GameDisappeared,
				Span: models.Span{Since: now.Add(-90 * time.Minute), Until: now, Limit: 10}})
		require.NoError(t, err)
		require.False(t, gone.More)
		require.Len(t, gone.Rows, 1)
		require.EqualValues(t, "a", gone.Rows[0].GameID)
		require.Equal(t, "P", gone.Rows[0].Provider)
		require.Equal(t, now.Add(-time.Hour), gone.Rows[0].At)
		require.NotZero(t, gone.Rows[0].SyncID)

		// All changes in pages of two, each once.
		seen := map[int64]bool{}
		changes := models.List(models.GameChangeFilter{}, s.GameChanges, models.GameChange.Place)
		for page, err := range changes.Pages(t.Context(), 2) {
			require.NoError(t, err)
			for _, c := range page.Rows {
				require.False(t, seen[c.ID])
				seen[c.ID] = true
			}
		}
		require.Len(t, seen, 7)
	})
}
