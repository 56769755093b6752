package main

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/callbacks/simulator"
	"pitboss/cmd/testing/storetest"
)

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

func TestGamesCommands(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		sim, err := simulator.New(simulator.Config{AgentID: testAgent, APIToken: testToken, SecretKey: testSecret,
			CallbackURL: "http://127.0.0.1:9", Games: 60})
		require.NoError(t, err)
		platform := httptest.NewServer(sim.Handler())
		defer platform.Close()
		c := commander{t, environment(url, "PITBOSS_PLATFORM_URL="+platform.URL)}
		c.well("migrate", "up")
		game := sim.Games()[0].GameID

		require.Equal(t, "60", c.well("games", "sync"))
		require.Len(t, strings.Split(c.well("games", "list"), "\n"), 60)
		list := c.well("games", "list", "--search", game)
		require.True(t, strings.HasPrefix(list, game+"\t"), list)
		require.NoError(t, sim.RemoveGame(sim.Games()[59].GameID))
		require.Equal(t, "59", c.well("games", "sync"))
		require.Contains(t, c.well("games", "list", "--state", "gone"), "\tgone")
		require.NoError(t, sim.SetMood("gameList=status(500)"))
		require.Contains(t, c.badly("games", "sync"), "/gameList: HTTP status 500")
		require.Len(t, strings.Split(c.well("games", "list"), "\n"), 59)
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
