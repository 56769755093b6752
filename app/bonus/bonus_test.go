package bonus_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"pitboss/app/bonus"
	"pitboss/app/platform"
	"pitboss/callbacks/simulator"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

func TestMain(m *testing.M) {
	if os.Getenv(granterVariable) != "" {
		runGranter()
		return
	}
	storetest.Main(m)
}

var (
	ines  = models.Actor{Name: "ines"}
	olaf  = models.Actor{Name: "olaf"}
	begin = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
)

const (
	agent  = "agent-1"
	token  = "token-of-the-tests"
	secret = "secret-of-the-tests"
)

// clock is a clock that tests set.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) forward(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func newPlatform(url string) (*platform.Client, error) {
	return platform.New(platform.Config{
		URL: url, AgentID: agent, APIToken: token, SecretKey: secret, Timeout: 10 * time.Second, Backoff: time.Millisecond,
		BreakerDelay: time.Millisecond,
	})
}

// casino is a store with players and games, and a service over it.
type casino struct {
	*bonus.Service
	clock *clock
	store *store.Store
	url   string // of the database
	games []models.GameID

	platform string // its address
}

func open(t *testing.T, database, platformURL string) *casino {
	t.Helper()
	c := &casino{clock: &clock{at: begin}, url: database, platform: platformURL}
	c.store = storetest.Open(t, store.Config{URL: database, Now: c.clock.Now})
	p, err := newPlatform(platformURL)
	require.NoError(t, err)
	c.Service = bonus.New(bonus.Config{Store: c.store, Platform: p, Now: c.clock.Now})
	for _, user := range []models.UserID{"anna", "bert"} {
		c.player(t, user)
	}
	return c
}

func (c *casino) player(t *testing.T, user models.UserID) models.Player {
	t.Helper()
	p, err := c.store.CreatePlayer(t.Context(), ines, models.NewPlayer{UserID: user, Currency: "EUR", Balance: 10000})
	require.NoError(t, err)
	return p
}

func (c *casino) offer(t *testing.T, ids ...models.GameID) {
	t.Helper()
	var offered []models.OfferedGame
	for _, id := range ids {
		offered = append(offered, models.OfferedGame{GameID: id, Name: "Game " + string(id)})
	}
	_, err := c.store.SyncGames(t.Context(), ines, models.GameSync{}, offered)
	require.NoError(t, err)
	c.games = ids
}

// againstSimulator opens a casino against a simulated platform. after is called when a call's work is done, before
// its answer is complete.
func againstSimulator(t *testing.T, database string,
	after ...func(sim *simulator.Simulator, path string)) (*casino, *simulator.Simulator) {
	t.Helper()
	sim, err := simulator.New(simulator.Config{AgentID: agent, APIToken: token, SecretKey: secret,
		CallbackURL: "http://127.0.0.1:1", Games: 10})
	require.NoError(t, err)
	handler := sim.Handler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(w, r)
		for _, fn := range after {
			fn(sim, r.URL.Path)
		}
	}))
	t.Cleanup(server.Close)
	c := open(t, database, server.URL)
	var ids []models.GameID
	for _, g := range sim.Games() {
		ids = append(ids, models.GameID(g.GameID))
	}
	c.offer(t, ids...)
	return c, sim
}

func (c *casino) request(user models.UserID, spins int64) models.GrantRequest {
	return models.GrantRequest{UserID: user, GameID: c.games[0], Spins: spins, Role: models.Bonus, Reason: "welcome"}
}

func (c *casino) grant(t *testing.T, r models.GrantRequest) models.Grant {
	t.Helper()
	g, err := c.Grant(t.Context(), ines, r)
	require.NoError(t, err)
	return g
}

// audited lists the actions on an object in order.
func (c *casino) audited(t *testing.T, object string, id int64) (actions []string) {
	t.Helper()
	engine, dsn, _ := strings.Cut(c.url, "://")
	db, err := sql.Open(engine, dsn)
	require.NoError(t, err)
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), "SELECT action FROM audit_events WHERE object = ? AND object_id = ? ORDER BY id",
		object, fmt.Sprint(id))
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var action string
		require.NoError(t, rows.Scan(&action))
		actions = append(actions, action)
	}
	require.NoError(t, rows.Err())
	return actions
}

func TestOutcomes(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		for mood, want := range map[string]struct {
			state   models.GrantState
			result  int
			message string
			there   int // grants on the platform
			action  string
		}{
			"normal":             {models.GrantActive, 0, "", 1, "grant confirmed"},
			"refused(2 no game)": {models.GrantRefused, 2, "refused with result 2, no game", 0, "grant refused"},
			"status(500)":        {models.GrantUnknown, -1, "HTTP status 500", 0, "grant of unknown outcome"},
			"truncated": {models.GrantUnknown, -1, "answer could not be read. The spins may or may not", 1,
				"grant of unknown outcome"},
			"not-json": {models.GrantUnknown, -1, "answer could not be read. The spins may or may not", 0,
				"grant of unknown outcome"},
			"dropped-before": {models.GrantUnknown, -1, "The connection dropped before", 0, "grant of unknown outcome"},
			"dropped-after":  {models.GrantUnknown, -1, "The connection dropped before", 1, "grant of unknown outcome"},
		} {
			t.Run(mood, func(t *testing.T) {
				c, sim := againstSimulator(t, fresh(t, url))
				require.NoError(t, sim.SetMood("assignFreeSpin="+mood))
				g := c.grant(t, c.request("anna", 20))
				require.Equal(t, want.state, g.State)
				require.Equal(t, want.result, g.Result)
				require.Contains(t, g.Message, want.message)
				require.Len(t, sim.Grants(), want.there)
				require.Equal(t, 1, sim.Calls()["assignFreeSpin"])
				require.Equal(t, []string{"grant requested", want.action}, c.audited(t, "grant", g.ID))
				require.Equal(t, begin, g.SentAt)
				if want.state == models.GrantActive {
					require.EqualValues(t, sim.Grants()[0].FreeSpinID, g.FreeSpinID)
					require.Equal(t, begin.Add(time.Minute), g.NextPollAt)
				}
				taken, err := c.store.GrantTaken(t.Context(), g.PlayerID, "ines")
				require.NoError(t, err)
				if want.state == models.GrantRefused {
					require.Zero(t, taken, "it no longer counts toward the limits")
				} else {
					require.Equal(t, models.GrantTaken{PlayerGrants: 1, PlayerSpins: 20, StaffGrants: 1, StaffSpins: 20,
						HouseSpins: 20, HouseSpinsInCurrency: 20}, taken)
				}
			})
		}
	})
}

// fresh is an empty database on the engine of url.
func fresh(t *testing.T, url string) string {
	t.Helper()
	if strings.HasPrefix(url, "sqlite:") {
		return storetest.URL(t, storetest.SQLite)
	}
	return storetest.URL(t, storetest.MariaDB)
}

func TestAGrantWhoseAnswerIsLost(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		c, sim := againstSimulator(t, url)
		require.NoError(t, sim.SetMood("assignFreeSpin=dropped-after:1"))
		lost := c.grant(t, c.request("anna", 20))
		require.True(t, lost.Unresolved())
		require.Len(t, sim.Grants(), 1)

		// Nothing sends it again automatically.
		c.clock.forward(time.Hour)
		require.NoError(t, c.Poll(t.Context()))
		require.NoError(t, c.Recover(t.Context()))
		require.Equal(t, 1, sim.Calls()["assignFreeSpin"])
		waiting, err := c.store.Grants(t.Context(), models.GrantFilter{Unresolved: true, Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		require.Len(t, waiting.Rows, 1)
		n, err := c.store.CountUnresolvedGrants(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 1, n)

		var pending models.PendingGrantError
		_, err = c.Grant(t.Context(), olaf, c.request("anna", 5))
		require.ErrorAs(t, err, &pending)
		require.Equal(t, lost.ID, pending.ID)
		other := c.request("anna", 5)
		other.GameID = c.games[1]
		require.Equal(t, models.GrantActive, c.grant(t, other).State, "another game is another matter")
		require.Equal(t, models.GrantActive, c.grant(t, c.request("bert", 5)).State, "so is another player")
		knowingly := c.request("anna", 5)
		knowingly.Again = true
		require.Equal(t, models.GrantActive, c.grant(t, knowingly).State)
	})
}

func TestResolutions(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		c, sim := againstSimulator(t, url)
		lose := func(user models.UserID, game int) models.Grant {
			t.Helper()
			require.NoError(t, sim.SetMood("assignFreeSpin=dropped-after:1"))
			r := c.request(user, 20)
			r.GameID = c.games[game]
			g := c.grant(t, r)
			require.True(t, g.Unresolved())
			return g
		}
		found := models.GrantResolution{Kind: models.ResolvedFound, Note: "asked the platform's support"}

		g := lose("anna", 0)
		there := models.FreeSpinID(sim.Grants()[0].FreeSpinID)
		_, err := c.Resolve(t.Context(), olaf, g.ID, models.GrantResolution{Kind: models.ResolvedNotGranted})
		require.ErrorIs(t, err, models.ErrReasonMissing)
		found.FreeSpinID = "no-such"
		var refused *platform.Error
		_, err = c.Resolve(t.Context(), olaf, g.ID, found)
		require.ErrorAs(t, err, &refused)
		require.Equal(t, 8, refused.Result)
		other := c.grant(t, c.request("bert", 7))
		found.FreeSpinID = other.FreeSpinID
		_, err = c.Resolve(t.Context(), olaf, g.ID, found)
		require.ErrorIs(t, err, models.ErrFreeSpinIDMismatch)
		bertTwice := c.grant(t, c.request("bert", 20))
		found.FreeSpinID = bertTwice.FreeSpinID
		_, err = c.Resolve(t.Context(), olaf, g.ID, found)
		require.ErrorIs(t, err, models.ErrFreeSpinIDTaken)
		found.FreeSpinID = there
		resolved, err := c.Resolve(t.Context(), olaf, g.ID, found)
		require.NoError(t, err)
		require.Equal(t, models.GrantActive, resolved.State)
		require.Equal(t, there, resolved.FreeSpinID)
		require.Equal(t, []any{"olaf", models.ResolvedFound}, []any{resolved.ResolvedBy, resolved.Resolution})
		_, err = c.Resolve(t.Context(), olaf, g.ID, found)
		require.ErrorIs(t, err, models.ErrGrantResolved)
		require.Equal(t, []string{"grant requested", "grant of unknown outcome", "grant resolved"}, c.audited(t, "grant", g.ID))

		g = lose("anna", 1)
		resolved, err = c.Resolve(t.Context(), olaf, g.ID,
			models.GrantResolution{Kind: models.ResolvedNotGranted, Note: "it is not there"})
		require.NoError(t, err)
		require.Equal(t, models.GrantRefused, resolved.State)
		taken, err := c.store.GrantTaken(t.Context(), g.PlayerID, "ines")
		require.NoError(t, err)
		require.EqualValues(t, 1, taken.PlayerGrants)

		g = lose("anna", 2)
		resolved, err = c.Resolve(t.Context(), olaf, g.ID,
			models.GrantResolution{Kind: models.ResolvedUnclear, Note: "nobody can tell"})
		require.NoError(t, err)
		require.Equal(t, models.GrantUnknown, resolved.State)
		require.False(t, resolved.Unresolved())
		require.Equal(t, models.GrantActive, c.grant(t, c.request("anna", 20)).State, "another grant need not wait")

		_, err = c.Resolve(t.Context(), olaf, 999, found)
		require.ErrorIs(t, err, models.ErrGrantUnknown)
	})
}

func TestRefusedBeforeAnythingIsSent(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		c, sim := againstSimulator(t, url)
		c.offer(t, c.games[0])
		gone, err := sim.Games()[1], error(nil)
		storetest.Restrict(t, c.store, "bert")
		for name, row := range map[string]struct {
			request models.GrantRequest
			want    error
		}{
			"unknown player":    {c.request("Anna", 5), models.ErrPlayerUnknown},
			"restricted player": {c.request("bert", 5), models.ErrPlayerRestricted},
			"unknown game": {models.GrantRequest{UserID: "anna", GameID: "nothing", Spins: 5, Role: models.Bonus},
				models.ErrGameUnknown},
			"gone game": {models.GrantRequest{UserID: "anna", GameID: models.GameID(gone.GameID), Spins: 5,
				Role: models.Bonus}, models.ErrGameGone},
			"no spins": {c.request("anna", 0), models.ErrSpins},
			"a reason without end": {models.GrantRequest{
				UserID: "anna", GameID: c.games[0], Spins: 5, Role: models.Bonus, Reason: strings.Repeat("x", 501),
			}, bonus.ErrReasonLong},
		} {
			_, err = c.Grant(t.Context(), ines, row.request)
			require.ErrorIs(t, err, row.want, name)
		}
		for role, limit := range map[models.Role]string{models.Bonus: "spins in one grant, 50 allowed, 51 requested",
			models.Compliance: "0 allowed", "": "0 allowed"} {
			r := c.request("anna", 51)
			r.Role = role
			var over models.LimitError
			_, err = c.Grant(t.Context(), ines, r)
			require.ErrorAs(t, err, &over)
			require.ErrorContains(t, err, limit)
		}
		require.Zero(t, sim.Calls()["assignFreeSpin"])
		taken, err := c.store.GrantTaken(t.Context(), 1, "ines")
		require.NoError(t, err)
		require.Zero(t, taken)
	})
}

func TestLimitsHoldAgainstMany(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		c, sim := againstSimulator(t, url)
		allow := func(l models.GrantLimits) {
			l.SpinsPerGrant, l.PlayerGrantsPerDay, l.StaffGrantsPerDay = 50, 100, 100
			storetest.Change(t, c.store, models.ChangeGrantLimits,
				models.GrantRules{Limits: l})
		}
		for i := range 8 {
			c.player(t, models.UserID(fmt.Sprintf("p%d", i)))
		}
		race := func(ask func(i int) (models.Actor, models.GrantRequest)) (granted int, over []models.LimitError) {
			var mu sync.Mutex
			var wait sync.WaitGroup
			for i := range 8 {
				wait.Go(func() {
					by, r := ask(i)
					g, err := c.Grant(context.Background(), by, r)
					mu.Lock()
					defer mu.Unlock()
					var limit models.LimitError
					var pending models.PendingGrantError
					switch {
					case err == nil && g.State == models.GrantActive:
						granted++
					case errors.As(err, &limit):
						over = append(over, limit)
					case errors.As(err, &pending):
						t.Error("every grant has a game of its own")
					default:
						t.Errorf("grant %v: %v", g.State, err)
					}
				})
			}
			wait.Wait()
			return granted, over
		}

		// Eight staff members, one player: 45 spins each, of 100.
		allow(models.GrantLimits{PlayerSpinsPerDay: 100, StaffSpinsPerDay: 5000, HouseSpinsPerDay: 5000})
		granted, over := race(func(i int) (models.Actor, models.GrantRequest) {
			r := c.request("anna", 45)
			r.GameID = c.games[i]
			return models.Actor{Name: fmt.Sprintf("staff-%d", i)}, r
		})
		require.Equal(t, 2, granted)
		require.Len(t, over, 6)
		require.Equal(t, models.LimitError{Limit: "spins to one player a day", Allowed: 100, Taken: 90, Asked: 45}, over[0])

		// One staff member, eight players.
		allow(models.GrantLimits{PlayerSpinsPerDay: 5000, StaffSpinsPerDay: 100, HouseSpinsPerDay: 5000})
		granted, over = race(func(i int) (models.Actor, models.GrantRequest) {
			r := c.request(models.UserID(fmt.Sprintf("p%d", i)), 30)
			return olaf, r
		})
		require.Equal(t, 3, granted)
		require.Len(t, over, 5)
		require.Equal(t, "spins by one member of staff a day", over[0].Limit)
		require.Len(t, sim.Grants(), 5)

		// Eight staff members of one role, eight players: 180 of the role's spins are used.
		allow(models.GrantLimits{PlayerSpinsPerDay: 280, StaffSpinsPerDay: 280, HouseSpinsPerDay: 280})
		granted, over = race(func(i int) (models.Actor, models.GrantRequest) {
			r := c.request(models.UserID(fmt.Sprintf("p%d", i)), 30)
			r.GameID = c.games[8]
			return models.Actor{Name: fmt.Sprintf("staff-%d", i)}, r
		})
		require.Equal(t, 3, granted)
		require.Len(t, over, 5)
		require.Equal(t, models.LimitError{Limit: "spins by all staff a day", Allowed: 280, Taken: 270, Asked: 30}, over[0])

		// The limits reset tomorrow, in UTC.
		c.clock.forward(12*time.Hour - time.Second)
		_, err := c.Grant(t.Context(), olaf, c.request("anna", 45))
		require.ErrorContains(t, err, "over the limit")
		c.clock.forward(time.Second)
		require.Equal(t, models.GrantActive, c.grant(t, c.request("anna", 45)).State)
	})
}

func TestWhatACrashLeavesBehind(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		c, sim := againstSimulator(t, url)
		requested, err := c.store.RequestGrant(t.Context(), ines, c.request("anna", 20))
		require.NoError(t, err)
		sent, err := c.store.RequestGrant(t.Context(), ines, c.request("bert", 20))
		require.NoError(t, err)
		send, err := c.store.SendGrant(t.Context(), sent.ID)
		require.NoError(t, err)
		require.Equal(t, []any{sent.UserID, sent.Game, sent.Spins}, []any{send.UserID, send.Game, send.Spins})
		_, err = c.store.SendGrant(t.Context(), sent.ID)
		require.ErrorIs(t, err, models.ErrGrantState, "it is sent once, ever")

		c.clock.forward(time.Minute)
		require.NoError(t, c.Recover(t.Context()))
		state := func(id int64) models.GrantState {
			g, _, err := c.store.Grant(t.Context(), id)
			require.NoError(t, err)
			return g.State
		}
		require.Equal(t, []models.GrantState{models.GrantRequested, models.GrantSent},
			[]models.GrantState{state(requested.ID), state(sent.ID)}, "they may be under way")
		c.clock.forward(2 * time.Minute)
		require.NoError(t, c.Recover(t.Context()))
		require.Equal(t, []models.GrantState{models.GrantUnknown, models.GrantUnknown},
			[]models.GrantState{state(requested.ID), state(sent.ID)}, "the database does not prove which of the two was sent")
		require.Zero(t, sim.Calls()["assignFreeSpin"])

		// The answer arrives after all, from a program that was slow and not dead.
		late, err := c.store.AnswerGrant(t.Context(), ines, sent.ID,
			models.GrantOutcome{State: models.GrantActive, FreeSpinID: "late"})
		require.NoError(t, err)
		require.Equal(t, models.GrantActive, late.State)
		_, err = c.store.AnswerGrant(t.Context(), ines, sent.ID, models.GrantOutcome{State: models.GrantRefused})
		require.ErrorIs(t, err, models.ErrGrantState)

		// The platform gives the same ID twice.
		once := c.request("anna", 20)
		once.Again = true // one of the grants above is of unknown outcome
		twice, err := c.store.RequestGrant(t.Context(), ines, once)
		require.NoError(t, err)
		_, err = c.store.SendGrant(t.Context(), twice.ID)
		require.NoError(t, err)
		twice, err = c.store.AnswerGrant(t.Context(), ines, twice.ID,
			models.GrantOutcome{State: models.GrantActive, FreeSpinID: "late"})
		require.NoError(t, err)
		require.Equal(t, models.GrantUnknown, twice.State)
		require.Contains(t, twice.Message, "another grant has")
	})
}

func TestTheDatabaseBreaksWhileTheAnswerComes(t *testing.T) {
	for name, fault := range map[string]storetest.CommitFault{"the commit is lost": storetest.LoseCommit,
		"its answer is lost": storetest.LoseAnswer} {
		t.Run(name, func(t *testing.T) {
			var proxy *storetest.FaultProxy
			c, sim := againstSimulator(t, storetest.URL(t, storetest.MariaDB), func(_ *simulator.Simulator, path string) {
				if path == "/assignFreeSpin" {
					proxy.AtCommit(fault, 1)
				}
			})
			proxy = storetest.NewFaultProxy(t, strings.TrimPrefix(c.url, "mysql://"))
			p, err := newPlatform(c.platform)
			require.NoError(t, err)
			through := storetest.Open(t, store.Config{URL: "mysql://" + proxy.DSN(), Now: c.clock.Now})
			g, err := bonus.New(bonus.Config{Store: through, Platform: p, Now: c.clock.Now}).Grant(t.Context(), ines,
				c.request("anna", 20))
			require.NoError(t, err)
			require.Equal(t, fault, <-proxy.Struck())
			require.Equal(t, models.GrantActive, g.State)
			require.EqualValues(t, sim.Grants()[0].FreeSpinID, g.FreeSpinID)
			require.Len(t, sim.Grants(), 1)
			require.Equal(t, []string{"grant requested", "grant confirmed"}, c.audited(t, "grant", g.ID))
		})
	}
}

// statuses is a platform that grants everything, and answers about each grant as a test tells it to.
type statuses struct {
	mu      sync.Mutex
	granted int
	answers map[string]string // by freeSpinID
	asked   []string
}

func (p *statuses) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var body struct{ FreeSpinID string }
	json.NewDecoder(r.Body).Decode(&body)
	switch r.URL.Path {
	case "/assignFreeSpin":
		p.granted++
		fmt.Fprintf(w, `{"result":0,"freeSpinID":"f%d"}`, p.granted)
	case "/freeSpinStatus":
		p.asked = append(p.asked, body.FreeSpinID)
		answer := p.answers[body.FreeSpinID]
		if answer == "" {
			w.WriteHeader(503)
		}
		fmt.Fprint(w, answer)
	}
}

func (p *statuses) say(id, answer string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answers[id] = answer
}

// questions returns the IDs that were asked about since the last call.
func (p *statuses) questions() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	asked := p.asked
	p.asked = nil
	return asked
}

func againstStatuses(t *testing.T, database string) (*casino, *statuses) {
	t.Helper()
	p := &statuses{answers: map[string]string{}}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	c := open(t, database, server.URL)
	c.offer(t, "g1", "g2")
	return c, p
}

func (c *casino) poll(t *testing.T, after time.Duration) {
	t.Helper()
	c.clock.forward(after)
	require.NoError(t, c.Poll(t.Context()))
}

func (c *casino) read(t *testing.T, id int64) models.Grant {
	t.Helper()
	g, found, err := c.store.Grant(t.Context(), id)
	require.NoError(t, err)
	require.True(t, found)
	return g
}

// play books a free-spin bet and reports whether a grant was known.
func (c *casino) play(t *testing.T, user models.UserID, id models.TransactionID) (known bool) {
	t.Helper()
	r, err := c.store.Apply(t.Context(), models.Operation{
		Source: models.SourcePlatform, Kind: models.Bet, UserID: user, TransactionID: id, RoundID: models.RoundID("r" + id),
		Bet: 50, FreeSpin: true,
	})
	require.NoError(t, err)
	require.Equal(t, models.None, r.Decline)
	return !r.Unexplained
}

func (c *casino) apply(t *testing.T, op models.Operation) {
	t.Helper()
	op.Source = models.SourcePlatform
	r, err := c.store.Apply(t.Context(), op)
	require.NoError(t, err)
	require.Equal(t, models.None, r.Decline)
}

func TestPolling(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		c, p := againstStatuses(t, url)
		g := c.grant(t, c.request("anna", 3))
		c.poll(t, 59*time.Second)
		require.Empty(t, p.questions())
		p.say("f1", `{"status":"active","usedSpins":0,"remainingSpins":3}`)
		for _, wait := range []time.Duration{time.Second, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute} {
			c.poll(t, wait-time.Second)
			require.Empty(t, p.questions(), "before %v", wait)
			c.poll(t, time.Second)
			require.Equal(t, []string{"f1"}, p.questions(), "after %v", wait)
		}
		require.Equal(t, 4, c.read(t, g.ID).Polls)

		// A missing answer is not an observation; the platform is asked again soon.
		p.say("f1", "")
		c.poll(t, 16*time.Minute)
		p.questions()
		g = c.read(t, g.ID)
		require.Contains(t, g.PollError, "HTTP status 503")
		require.Equal(t, c.clock.Now().Add(5*time.Minute), g.NextPollAt)
		p.say("f1", `{"result":8,"message":"no such grant"}`)
		c.poll(t, 5*time.Minute)
		require.Contains(t, c.read(t, g.ID).PollError, "result 8")

		c.play(t, "anna", "t1")
		p.say("f1", `{"status":"active","usedSpins":1}`)
		g, err := c.Status(t.Context(), g.ID)
		require.NoError(t, err)
		require.Equal(t, []int64{1, 2, 1}, []int64{g.Used, g.Remaining, g.Ours})
		require.Empty(t, g.PollError)
		require.False(t, g.Disagrees())

		p.say("f1", `{"status":"completed","usedSpins":3,"remainingSpins":0}`)
		c.play(t, "anna", "t2")
		c.play(t, "anna", "t3")
		c.poll(t, 24*time.Hour)
		g = c.read(t, g.ID)
		require.Equal(t, models.GrantCompleted, g.State)
		require.Zero(t, g.NextPollAt)
		require.Equal(t, c.clock.Now(), g.FinishedAt)
		p.questions()
		c.poll(t, 24*time.Hour)
		require.Empty(t, p.questions(), "it has ended")
		require.Equal(t, []string{"grant requested", "grant confirmed", "grant completed"}, c.audited(t, "grant", g.ID))

		seen, err := c.store.Observations(t.Context(), g.ID, models.Span{Limit: 3})
		require.NoError(t, err)
		require.True(t, seen.More)
		require.Equal(t, []models.Observation{
			{ID: seen.Rows[0].ID, GrantID: g.ID, At: g.FinishedAt, Status: "completed", Total: -1, Used: 3, Remaining: 0, Ours: 3,
				Raw: seen.Rows[0].Raw},
			{ID: seen.Rows[1].ID, GrantID: g.ID, At: seen.Rows[1].At, Status: "active", Total: -1, Used: 1, Remaining: 2, Ours: 1,
				Raw: `{"status":"active","usedSpins":1}`},
			{ID: seen.Rows[2].ID, GrantID: g.ID, At: seen.Rows[2].At, Result: 8, Total: -1, Used: -1, Remaining: -1,
				Raw: seen.Rows[2].Raw},
		}, seen.Rows)

		// A spin returned on the platform reopens a completed grant, but never an expired one.
		p.say("f1", `{"status":"active","usedSpins":2}`)
		g, err = c.Status(t.Context(), g.ID)
		require.NoError(t, err)
		require.Equal(t, models.GrantActive, g.State)
		p.say("f1", `{"status":"expired"}`)
		g, err = c.Status(t.Context(), g.ID)
		require.NoError(t, err)
		require.Equal(t, models.GrantExpired, g.State)
		p.say("f1", `{"status":"active","usedSpins":1}`)
		g, err = c.Status(t.Context(), g.ID)
		require.NoError(t, err)
		require.Equal(t, models.GrantExpired, g.State)

		_, err = c.Status(t.Context(), 999)
		require.ErrorIs(t, err, models.ErrGrantUnknown)
	})
}

func TestCountsThatStayApart(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		c, p := againstStatuses(t, url)
		one := c.grant(t, c.request("anna", 5))
		c.clock.forward(time.Second)
		two := c.grant(t, models.GrantRequest{UserID: "anna", GameID: "g2", Spins: 5, Role: models.Bonus})
		say := func(used1, used2 int) {
			p.say("f1", fmt.Sprintf(`{"status":"active","usedSpins":%d}`, used1))
			p.say("f2", fmt.Sprintf(`{"status":"active","usedSpins":%d}`, used2))
		}
		apart := func() []bool { return []bool{c.read(t, one.ID).Disagrees(), c.read(t, two.ID).Disagrees()} }

		// Ours attributes both spins to the older grant; the platform took them from the younger. The sum is what counts.
		c.play(t, "anna", "t1")
		c.play(t, "anna", "t2")
		say(0, 2)
		c.poll(t, time.Minute)
		require.ElementsMatch(t, []string{"f1", "f2"}, p.questions(), "all of a player's grants are asked about together")
		c.poll(t, time.Hour)
		require.Equal(t, []int64{2, 0}, []int64{c.read(t, one.ID).Ours, c.read(t, two.ID).Ours})
		require.Equal(t, []bool{false, false}, apart())

		say(1, 2)
		c.poll(t, 6*time.Hour)
		require.Equal(t, []bool{false, false}, apart(), "a bet may still arrive")
		c.poll(t, 6*time.Hour)
		require.Equal(t, []bool{true, true}, apart())
		list, err := c.store.Grants(t.Context(), models.GrantFilter{Disagreeing: true, Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		require.Len(t, list.Rows, 2)
		c.play(t, "anna", "t3")
		c.poll(t, 12*time.Hour)
		require.Equal(t, []bool{false, false}, apart(), "it came late")

		// Grants that end with different counts are asked about once more, and only then disagree.
		p.say("f1", `{"status":"expired","usedSpins":4}`)
		p.say("f2", `{"status":"completed","usedSpins":5}`)
		p.questions()
		c.poll(t, 12*time.Hour)
		require.Equal(t, []bool{false, false}, apart())
		c.poll(t, time.Minute)
		require.Equal(t, []bool{true, true}, apart())
		p.questions()
		c.poll(t, 24*time.Hour)
		require.Empty(t, p.questions())
	})
}

func TestSpinsAndTheirGrants(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		c, p := againstStatuses(t, url)
		require.False(t, c.play(t, "anna", "before"), "no grant is known")
		c.clock.forward(time.Second)
		g := c.grant(t, c.request("anna", 2))
		c.clock.forward(time.Second)
		require.True(t, c.play(t, "anna", "t1"))
		require.False(t, c.play(t, "bert", "b1"), "another player's")
		players, err := c.store.FollowSpins(t.Context())
		require.NoError(t, err)
		require.Equal(t, 2, players)
		players, err = c.store.FollowSpins(t.Context())
		require.NoError(t, err)
		require.Zero(t, players)

		spins := func() (ids []models.TransactionID) {
			list, err := c.store.AttributedSpins(t.Context(), g.ID, 100)
			require.NoError(t, err)
			for _, s := range list {
				ids = append(ids, s.TransactionID)
			}
			return ids
		}
		require.Equal(t, []models.TransactionID{"t1"}, spins())

		// Wins in rounds of free spins count for the grant; those in a round with a stake of money do not.
		c.apply(t, models.Operation{Kind: models.Win, UserID: "anna", TransactionID: "w1", RoundID: "rt1", Win: 700})
		c.apply(t, models.Operation{Kind: models.Win, UserID: "bert", TransactionID: "w2", RoundID: "rt1", Win: 10000})
		c.clock.forward(time.Minute)
		require.True(t, c.play(t, "anna", "t2"))
		c.apply(t, models.Operation{Kind: models.Bet, UserID: "anna", TransactionID: "m2", RoundID: "rt2", Bet: 100})
		c.apply(t, models.Operation{Kind: models.Win, UserID: "anna", TransactionID: "w3", RoundID: "rt2", Win: 20000})
		c.clock.forward(time.Minute)
		c.play(t, "anna", "t0")
		c.apply(t, models.Operation{Kind: models.Win, UserID: "anna", TransactionID: "w0", RoundID: "rt0"}) // lost
		_, err = c.store.FollowSpins(t.Context())
		require.NoError(t, err)
		wins, err := c.store.SpinWins(t.Context(), g.ID)
		require.NoError(t, err)
		require.Equal(t, models.SpinWins{Rounds: 1, Won: models.Amount(700), Stake: models.Amount(100)}, wins)
		c.apply(t, models.Operation{Kind: models.Rollback, UserID: "anna", TransactionID: "m2"})
		wins, err = c.store.SpinWins(t.Context(), g.ID)
		require.NoError(t, err)
		require.Equal(t, models.SpinWins{Rounds: 2, Won: models.Amount(20700), Stake: models.Amount(100)}, wins,
			"the stake of money was rolled back")

		// A rollback gives spins back, also after the end, and reopens nothing.
		p.say("f1", `{"status":"expired","usedSpins":2}`)
		c.poll(t, time.Minute)
		require.Equal(t, models.GrantExpired, c.read(t, g.ID).State)
		c.apply(t, models.Operation{Kind: models.Rollback, UserID: "anna", TransactionID: "t2"})
		_, err = c.store.FollowSpins(t.Context())
		require.NoError(t, err)
		after := c.read(t, g.ID)
		require.EqualValues(t, 1, after.Ours)
		require.Equal(t, models.GrantExpired, after.State)
		require.Equal(t, []models.TransactionID{"t2", "t2", "t1"}, spins())

		// Attribution from scratch has the same result.
		require.NoError(t, c.store.AttributeSpins(t.Context(), g.PlayerID, true))
		require.Equal(t, []models.TransactionID{"t2", "t2", "t1"}, spins())
		require.Equal(t, after, c.read(t, g.ID))

		require.True(t, c.play(t, "anna", "t3"), "it has just ended")
		c.clock.forward(models.GrantLingers + time.Second)
		require.False(t, c.play(t, "anna", "t4"))
		_, err = c.store.FollowSpins(t.Context())
		require.NoError(t, err)
		require.Equal(t, []models.TransactionID{"t3", "t2", "t2", "t1"}, spins())
		_, err = c.store.FindCases(t.Context(), models.CaseRulesConfig{})
		require.NoError(t, err)
		v, err := c.store.Verify(t.Context(), nil)
		require.NoError(t, err)
		require.True(t, v.OK(), "attribution is not part of the ledger")
	})
}

// When our count reaches a grant's number, the grant is used up, and the platform is asked at once instead of hours later.
func TestGrantUsedUpByOurCount(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		c, p := againstStatuses(t, url)
		g := c.grant(t, c.request("anna", 2))
		p.say("f1", `{"status":"active","usedSpins":0}`)
		for range 10 {
			c.poll(t, 6*time.Hour)
		}
		p.questions()
		usedUp := func() (lists []int) {
			for _, f := range []models.GrantFilter{
				{States: []models.GrantState{models.GrantActive, models.GrantUnknown}, SpinsLeft: true, Span: models.Span{Limit: 10}},
				{States: []models.GrantState{models.GrantCompleted, models.GrantActive}, UsedUp: true, Span: models.Span{Limit: 10}},
			} {
				list, err := c.store.Grants(t.Context(), f)
				require.NoError(t, err)
				lists = append(lists, len(list.Rows))
			}
			return lists
		}
		played := func(id models.TransactionID) {
			c.clock.forward(time.Second)
			c.play(t, "anna", id)
			_, err := c.store.FollowSpins(t.Context())
			require.NoError(t, err)
			c.poll(t, time.Second)
		}
		played("t1")
		require.Empty(t, p.questions(), "a spin is left, so the schedule stays")
		require.Equal(t, []int{1, 0}, usedUp())

		p.say("f1", `{"status":"active","usedSpins":1}`) // the platform has not counted the last spin yet
		played("t2")
		require.Equal(t, []string{"f1"}, p.questions())
		require.Equal(t, models.GrantActive, c.read(t, g.ID).State)
		require.True(t, c.read(t, g.ID).UsedUp())
		require.Equal(t, []int{0, 1}, usedUp())

		p.say("f1", `{"status":"completed","usedSpins":2}`)
		c.poll(t, 2*time.Minute)
		require.Equal(t, []string{"f1"}, p.questions(), "it is soon asked again")
		require.Equal(t, models.GrantCompleted, c.read(t, g.ID).State)
		require.Equal(t, []int{0, 1}, usedUp())
	})
}

func TestASpinSpeaksForAGrantOfUnknownOutcome(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		c, sim := againstSimulator(t, url)
		require.NoError(t, sim.SetMood("assignFreeSpin=dropped-after"))
		lost := c.grant(t, c.request("anna", 5))
		c.clock.forward(time.Second)
		require.True(t, c.play(t, "anna", "t1"))
		_, err := c.store.FollowSpins(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 1, c.read(t, lost.ID).Ours)

		// The launch of a game decides between two grants. A person who knows better takes the spin away from the first.
		c.clock.forward(time.Second)
		session, err := c.store.BeginGameSession(t.Context(), ines,
			models.GameSession{PlayerID: lost.PlayerID, Game: models.GameRef{ID: 2}, Language: "en"})
		require.NoError(t, err)
		require.NoError(t, c.store.EndGameSession(t.Context(), ines,
			models.GameSession{ID: session, State: models.GameSessionOpened}))
		require.NoError(t, sim.SetMood("assignFreeSpin=normal"))
		r := c.request("anna", 5)
		r.GameID = c.games[1]
		other := c.grant(t, r)
		c.clock.forward(time.Second)
		require.True(t, c.play(t, "anna", "t2"))
		_, err = c.store.FollowSpins(t.Context())
		require.NoError(t, err)
		require.Equal(t, []int64{1, 1}, []int64{c.read(t, lost.ID).Ours, c.read(t, other.ID).Ours})
		_, err = c.Resolve(t.Context(), olaf, lost.ID,
			models.GrantResolution{Kind: models.ResolvedNotGranted, Note: "it is not there"})
		require.NoError(t, err)
		require.Equal(t, []int64{0, 1}, []int64{c.read(t, lost.ID).Ours, c.read(t, other.ID).Ours})
	})
}
