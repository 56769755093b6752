package main

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/callbacks/simulator"
	"pitboss/models"
	"pitboss/models/store/storetest"
)

// simulatedAPI serves the platform's API, and calls after when a call has been answered.
func simulatedAPI(t *testing.T, after func(path string)) (*simulator.Simulator, string) {
	t.Helper()
	sim, err := simulator.New(simulator.Config{AgentID: testAgent, APIToken: testToken, SecretKey: testSecret,
		CallbackURL: "http://127.0.0.1:9", Games: 60})
	require.NoError(t, err)
	handler := sim.Handler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(w, r)
		after(r.URL.Path)
	}))
	t.Cleanup(server.Close)
	return sim, "PITBOSS_PLATFORM_URL=" + server.URL
}

// commander runs command lines and requires that they succeed (well) or fail (badly).
type commander struct {
	t       *testing.T
	environ []string
}

func (c commander) well(args ...string) (out string) {
	c.t.Helper()
	status, out, errs := command(c.t, c.environ, args...)
	require.Zero(c.t, status, errs)
	require.NotContains(c.t, out+errs, testToken)
	return strings.TrimSuffix(out, "\n")
}

func (c commander) badly(args ...string) (errs string) {
	c.t.Helper()
	status, out, errs := command(c.t, c.environ, args...)
	require.Equal(c.t, 1, status)
	require.Empty(c.t, out)
	require.NotContains(c.t, errs, testToken)
	return errs
}

// hire makes a member of staff as an operator would.
func (c commander) hire(username, role string) {
	c.t.Helper()
	status, _, errs := command(c.t, append(c.environ, "PITBOSS_PUBLIC_URL=https://backoffice.example"), "staff", "create",
		"--username", username, "--role", role)
	require.Zero(c.t, status, errs)
}

// disable disables an account.
func (c commander) disable(url, username string) {
	c.t.Helper()
	ledger := open(c.t, url)
	staff, found, err := ledger.StaffNamed(c.t.Context(), username)
	require.NoError(c.t, err)
	require.True(c.t, found)
	require.NoError(c.t, ledger.SetStaffDisabled(c.t.Context(), models.System, staff.ID, true, "on leave"))
}

// granters returns the names under which spins were granted.
func granters(t *testing.T, url string) (names []string) {
	t.Helper()
	rows, err := openDirectly(t, url).QueryContext(t.Context(), "SELECT DISTINCT actor FROM grant_budgets ORDER BY actor")
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var name string
		require.NoError(t, rows.Scan(&name))
		names = append(names, name)
	}
	return names
}

// openDirectly opens the program's database on another connection.
func openDirectly(t *testing.T, url string) *sql.DB {
	t.Helper()
	driver, dsn, _ := strings.Cut(url, "://")
	db, err := sql.Open(driver, dsn)
	require.NoError(t, err)
	t.Cleanup(func() { db.Close() })
	return db
}

func TestCommandsOverThePlatform(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		sim, address := simulatedAPI(t, func(string) {})
		c := commander{t, environment(url, address)}
		c.well("migrate", "up")
		c.well("player", "create", "--user-id", "anna", "--currency", "EUR")
		c.well("player", "create", "--user-id", "tess", "--currency", "EUR", "--test")
		for username, role := range map[string]string{"ada": "admin", "ines": "bonus", "sofia": "support", "fred": "finance"} {
			c.hire(username, role)
		}
		game := sim.Games()[0].GameID

		launch := func(user string, more ...string) []string {
			return append([]string{"session", "launch", "--user-id", user, "--game-id", game, "--language", "en"}, more...)
		}
		require.Contains(t, c.badly(launch("tess")...), "synchronize the list")
		require.Equal(t, "60", c.well("games", "sync"))
		require.Len(t, strings.Split(c.well("games", "list"), "\n"), 60)
		list := c.well("games", "list", "--search", game)
		require.True(t, strings.HasPrefix(list, game+"\t"), list)
		require.NoError(t, sim.RemoveGame(sim.Games()[59].GameID))
		require.Equal(t, "59", c.well("games", "sync"))
		require.Contains(t, c.well("games", "list", "--state", "gone"), "\tgone")
		require.NoError(t, sim.SetMoods("gameList=status(500)"))
		require.Contains(t, c.badly("games", "sync"), "/gameList: HTTP status 500")
		require.Len(t, strings.Split(c.well("games", "list"), "\n"), 59)

		require.Regexp(t, `^http://127\.0\.0\.1:\d+/play/[0-9a-f]+$`, c.well(launch("tess")...), "the address and nothing else")
		require.Contains(t, c.badly(launch("anna")...), "a reason is needed")
		require.Contains(t, c.well(launch("anna", "--reason", "the game shows her an error")...), "/play/")
		require.Contains(t, c.badly(launch("nobody")...), "no player")
		c.well("player", "block", "--user-id", "tess")
		require.Contains(t, c.badly(launch("tess")...), "blocked")
		require.NoError(t, sim.SetMoods("userAuth=refused(2 not today)"))
		require.Contains(t, c.badly(launch("anna", "--reason", "again")...), "result 2, not today")

		grant := func(more ...string) []string {
			return append([]string{"freespin", "grant", "--user-id", "anna", "--game-id", game, "--spins", "20", "--as",
				"ada"}, more...)
		}
		// Nobody can grant beyond the limits of the named person's role.
		require.Contains(t, c.badly("freespin", "grant", "--user-id", "anna", "--game-id", game, "--spins", "20"),
			"--as is missing")
		require.Contains(t, c.badly(grant("--as", "nobody")...), "--as nobody: there is no such member of staff")
		require.Contains(t, c.badly(grant("--as", "sofia")...), "spins in one grant, 10 allowed, 20 requested")
		require.Contains(t, c.badly(grant("--as", "fred")...), "0 allowed")
		require.Contains(t, c.badly(grant("--as", "ines", "--spins", "51")...), "spins in one grant, 50 allowed, 51 requested")
		c.disable(url, "sofia")
		require.Contains(t, c.badly(grant("--as", "sofia", "--spins", "5")...), "this account is disabled")
		require.Zero(t, sim.Calls()["assignFreeSpin"])
		id := c.well(grant("--as", "Ines")...)
		require.Equal(t, sim.Grants()[0].FreeSpinID, id)
		status := c.well("freespin", "status", "--free-spin-id", id)
		require.Regexp(t, `status +active\nused +0\nremaining +20\n`, status)
		require.Contains(t, c.badly("freespin", "status", "--free-spin-id", "nothing"), "result 8")
		require.NoError(t, sim.SetMoods("assignFreeSpin=refused(2 no such game):1"))
		require.Contains(t, c.badly(grant()...), "nothing was granted")
		require.NoError(t, sim.SetMoods("assignFreeSpin=dropped-after:1"))
		require.Contains(t, c.badly(grant()...), "Do not grant again")
		require.Contains(t, c.badly(grant()...), "--again")
		require.NotEmpty(t, c.well(grant("--again")...))
		require.Contains(t, c.badly(grant("--spins", "201", "--again")...), "spins in one grant, 200 allowed")
		require.Len(t, sim.Grants(), 3)
		require.Equal(t, []string{"ada", "ines", "role admin", "role bonus"}, granters(t, url),
			"budgets of people, whose names are as the accounts have them, and of roles")
	})
}

func TestConfigurationOfThePlatform(t *testing.T) {
	status, _, errs := command(t,
		[]string{"PITBOSS_PLATFORM_URL=ftp://somebody:hunter2@there", "PITBOSS_DATABASE_URL=sqlite://x"}, "games", "sync")
	require.Equal(t, 1, status)
	for _, name := range []string{"PITBOSS_PLATFORM_URL", "PITBOSS_API_TOKEN", "PITBOSS_AGENT_ID", "PITBOSS_SECRET_KEY"} {
		require.Contains(t, errs, name)
	}
	require.NotContains(t, errs, "hunter2")
}

func TestCellsAreSafeToPrint(t *testing.T) {
	require.Equal(t, "Étoile ab", cell("Étoile ab"))
	require.Equal(t, `"a\tb\x1b[2J"`, cell("a\tb\x1b[2J"))
	require.Equal(t, `"\u202eotcele"`, cell("\u202eotcele"))
}

func TestImportKilledAtTheCommandLine(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		var granted atomic.Int64
		var stopAt atomic.Int64
		var reached chan struct{}
		var once *sync.Once
		arm := func(at int64) {
			reached, once = make(chan struct{}), new(sync.Once)
			stopAt.Store(at)
		}
		arm(10)
		sim, address := simulatedAPI(t, func(path string) {
			if path == "/assignFreeSpin" && granted.Add(1) == stopAt.Load() {
				once.Do(func() { close(reached) })
			}
		})
		c := commander{t, environment(url, address)}
		c.well("migrate", "up")
		c.hire("ada", "admin")
		c.well("games", "sync")
		game := sim.Games()[0].GameID
		players, grants := "user_id,currency,balance\n", "user_id,game_id,spins\n"
		for i := range 60 {
			players += fmt.Sprintf("p%d,EUR,0.00\n", i)
			grants += fmt.Sprintf("p%d,%s,5\n", i, game)
		}
		dir := t.TempDir()
		write := func(name, content string) string {
			path := filepath.Join(dir, name)
			require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
			return path
		}
		c.well("player", "import", write("players.csv", players))
		file := write("grants.csv", grants)
		require.Contains(t, c.badly("freespin", "import", "--as", "ada", write("bad.csv", grants+"p0,nothing,5\n")), "line 62")
		require.Zero(t, sim.Calls()["assignFreeSpin"])

		self, err := os.Executable()
		require.NoError(t, err)
		child := exec.Command(self, "freespin", "import", "--as", "ada", file)
		child.Env = programEnvironment(c.environ)
		var told strings.Builder
		child.Stdout, child.Stderr = &told, &told
		require.NoError(t, child.Start())
		<-reached
		require.NoError(t, child.Process.Kill())
		child.Wait()
		require.Less(t, len(sim.Grants()), 60, told.String())
		free(t, url)

		// The same command continues; an interrupt pauses it, and running it again with --resume continues it.
		arm(40)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-reached
			cancel()
		}()
		var errs strings.Builder
		require.Equal(t, 1, run(ctx, []string{"freespin", "import", "--as", "ada", file},
			&console{environ: c.environ, out: &errs, err: &errs}))
		require.Contains(t, errs.String(), "resuming import 1")
		require.Contains(t, errs.String(), "the same command continues with --resume")
		require.Contains(t, c.badly("freespin", "import", "--as", "ada", file), "import 1 of this file is paused")
		status, out, told2 := command(t, c.environ, "freespin", "import", "--as", "ada", "--resume", file)
		times := map[string]int{}
		for _, g := range sim.Grants() {
			times[g.UserID]++
			require.Equal(t, 1, times[g.UserID], "granted twice")
		}
		require.GreaterOrEqual(t, len(times), 59)
		require.LessOrEqual(t, sim.Calls()["assignFreeSpin"], 60)
		if status == 0 {
			require.Contains(t, out, "60 granted, 0 refused, 0 of unknown outcome, 0 not sent")
		} else {
			require.Contains(t, out, "59 granted, 0 refused, 1 of unknown outcome, 0 not sent", "the line that was in flight")
			require.Contains(t, told2, "outcome unknown")
		}
		require.Contains(t, c.badly("freespin", "import", "--as", "ada", file), "imported before")
	})
}

// free makes the leases of a killed process expire at once.
func free(t *testing.T, url string) {
	t.Helper()
	_, err := openDirectly(t, url).ExecContext(t.Context(), "UPDATE leases SET until_us = 0")
	require.NoError(t, err)
}
