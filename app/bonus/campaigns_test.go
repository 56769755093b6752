package bonus_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/bonus"
	files "pitboss/app/sheet"
	"pitboss/callbacks/simulator"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// granterVariable makes this test binary run one campaign and nothing else, so that a test can kill it: DATABASE PLATFORM ID.
const granterVariable = "PITBOSS_TEST_GRANTER"

func runGranter() {
	args := strings.Fields(os.Getenv(granterVariable))
	id, err := strconv.ParseInt(args[2], 10, 64)
	var s *store.Store
	if err == nil {
		s, err = store.Open(context.Background(), store.Config{URL: args[0], LockWait: 10 * time.Second})
	}
	if err == nil {
		p, platformErr := newPlatform(args[1])
		if err = platformErr; err == nil {
			_, err = bonus.New(bonus.Config{Store: s, Platform: p}).Run(context.Background(), id, nil)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// crowd makes players who may be granted spins, and a file with a line for each.
func (c *casino) crowd(t *testing.T, n int) string {
	t.Helper()
	var players models.PlayerFile
	file := "user_id,game_id,spins\n"
	for i := range n {
		user := fmt.Sprintf("p%04d", i)
		players.Players = append(players.Players, models.NewPlayer{UserID: models.UserID(user), Currency: "EUR"})
		players.Lines = append(players.Lines, i+2)
		file += fmt.Sprintf("%s,%s,5\n", user, c.games[i%2])
	}
	bad, err := c.store.ImportPlayers(t.Context(), ines, players, nil)
	require.NoError(t, err)
	require.Empty(t, bad)
	return file
}

func (c *casino) create(t *testing.T, file string) models.Campaign {
	t.Helper()
	campaign, bad, err := c.Create(t.Context(), ines,
		bonus.Upload{CampaignTerms: models.CampaignTerms{Name: "loyalty"}, FileName: "loyalty.csv", Lines: sheet(t, file), Role: models.Bonus})
	require.NoError(t, err)
	require.Empty(t, bad)
	return campaign
}

// account checks that every line has an outcome, that no line was granted twice, and that the platform has the grants that we
// recorded.
func (c *casino) account(t *testing.T, sim *simulator.Simulator, campaign models.Campaign, lines int) {
	t.Helper()
	require.Equal(t, models.JobFinished, campaign.State)
	require.Zero(t, campaign.ToGo.Lines)
	require.EqualValues(t, lines, campaign.Granted.Lines+campaign.Refused.Lines+campaign.Unknown.Lines)
	require.EqualValues(t, campaign.Spins, campaign.Granted.Spins+campaign.Refused.Spins+campaign.Unknown.Spins)
	there := map[string]simulator.Grant{}
	for _, g := range sim.Grants() {
		_, twice := there[g.UserID]
		require.False(t, twice, "%s was granted twice", g.UserID)
		there[g.UserID] = g
	}
	require.LessOrEqual(t, sim.Calls()["assignFreeSpin"], lines)
	rows, err := c.store.CampaignLines(t.Context(), models.CampaignLineFilter{CampaignID: campaign.ID, Span: models.Span{Limit: lines + 1}})
	require.NoError(t, err)
	require.False(t, rows.More)
	require.Len(t, rows.Rows, lines)
	for _, row := range rows.Rows {
		g, granted := there[string(row.UserID)]
		switch row.State {
		case models.GrantActive:
			require.True(t, granted)
			require.EqualValues(t, g.FreeSpinID, row.FreeSpinID)
			require.EqualValues(t, g.Total, row.Spins)
		case models.GrantRefused:
			require.False(t, granted, "line %d: %s", row.Line, row.Message)
		case models.GrantUnknown: // a person has to find out whether the grant is there
		default:
			t.Fatalf("line %d has no outcome: %s", row.Line, row.State)
		}
	}
}

func TestLinesStoppedInTheMiddle(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		c, sim := againstSimulator(t, url)
		campaign := c.create(t, c.crowd(t, 200))
		require.EqualValues(t, []int64{200, 1000, 200}, []int64{campaign.Lines, campaign.Spins, campaign.ToGo.Lines})
		require.Zero(t, sim.Calls()["assignFreeSpin"])

		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		half, err := c.Run(ctx, campaign.ID, func(p models.Campaign) {
			if calls++; calls == 60 {
				require.EqualValues(t, []int64{60, 140}, []int64{p.Granted.Lines, p.ToGo.Lines})
				cancel()
			}
		})
		require.ErrorIs(t, err, context.Canceled)
		require.EqualValues(t, []int64{60, 140, 0}, []int64{half.Granted.Lines, half.ToGo.Lines, half.Unknown.Lines},
			"nothing is left in flight")

		require.NoError(t, sim.SetMood("assignFreeSpin=dropped-after:1"))
		lost := 0
		done, err := c.Run(t.Context(), campaign.ID, func(models.Campaign) {
			switch lost++; lost {
			case 20:
				require.NoError(t, sim.SetMood("assignFreeSpin=refused(1 busy):3"))
			case 40:
				require.NoError(t, sim.SetMood("assignFreeSpin=status(502):2"))
			}
		})
		require.NoError(t, err)
		c.account(t, sim, done, 200)
		require.EqualValues(t, []int64{194, 3, 3}, []int64{done.Granted.Lines, done.Refused.Lines, done.Unknown.Lines})
		require.Len(t, sim.Grants(), 195)
		require.Equal(t, []string{"campaign created", "campaign finished"}, c.audited(t, "campaign", campaign.ID))

		again, err := c.Run(t.Context(), campaign.ID, nil)
		require.NoError(t, err)
		require.Equal(t, done, again, "nothing is left to do")
	})
}

func TestLinesKilledInTheMiddle(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		lines := storetest.Scaled(200, 20_000)
		// The platform delays the answer to a grant until the process that asked for it is dead.
		var asked atomic.Int64
		reached, dead := make(chan struct{}), make(chan struct{})
		c, sim := againstSimulator(t, url, func(_ *simulator.Simulator, path string) {
			if path == "/assignFreeSpin" && asked.Add(1) == int64(lines)*3/10 {
				close(reached)
				<-dead
			}
		})
		limits := models.DefaultGrantRules.Limits
		limits.StaffGrantsPerDay, limits.StaffSpinsPerDay, limits.HouseSpinsPerDay = int64(lines), 5*int64(lines), 5*int64(lines)
		storetest.Change(t, c.store, models.ChangeGrantLimits, models.GrantRules{Limits: limits})
		campaign := c.create(t, c.crowd(t, lines))

		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), fmt.Sprintf("%s=%s %s %d", granterVariable, url, c.platform, campaign.ID))
		child.Stderr = os.Stderr
		require.NoError(t, child.Start())
		ended := make(chan error, 1)
		go func() { ended <- child.Wait() }()
		select {
		case <-reached:
		case err := <-ended:
			t.Fatalf("the process ended before it was killed: %v", err)
		}
		require.NoError(t, child.Process.Kill())
		<-ended
		close(dead)

		done, err := c.Run(t.Context(), campaign.ID, nil)
		require.NoError(t, err)
		c.account(t, sim, done, lines)
		require.EqualValues(t, []int64{int64(lines) - 1, 0, 1}, []int64{done.Granted.Lines, done.Refused.Lines, done.Unknown.Lines})
		require.Len(t, sim.Grants(), lines)
	})
}

func TestPauseResumeStop(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		c, sim := againstSimulator(t, url)
		campaign := c.create(t, c.crowd(t, 60))
		paused, err := c.Run(t.Context(), campaign.ID, func(p models.Campaign) {
			if p.Granted.Lines == 5 {
				require.NoError(t, c.store.SetCampaignState(context.Background(), olaf, campaign.ID, models.JobPaused, "lunch"))
			}
		})
		require.NoError(t, err)
		require.Equal(t, models.JobPaused, paused.State)
		require.EqualValues(t, 5, paused.Granted.Lines, "no line follows the current one")
		paused, err = c.Run(t.Context(), campaign.ID, nil)
		require.NoError(t, err)
		require.EqualValues(t, 5, paused.Granted.Lines)

		require.NoError(t, c.store.SetCampaignState(t.Context(), olaf, campaign.ID, models.JobRunning, ""))
		stopped, err := c.Run(t.Context(), campaign.ID, func(p models.Campaign) {
			if p.Granted.Lines == 25 {
				require.NoError(t, c.store.SetCampaignState(context.Background(), olaf, campaign.ID, models.JobStopped, "wrong file"))
			}
		})
		require.NoError(t, err)
		require.Equal(t, models.JobStopped, stopped.State)
		require.EqualValues(t, []int64{25, 35}, []int64{stopped.Granted.Lines, stopped.ToGo.Lines})
		require.Len(t, sim.Grants(), 25)
		require.ErrorIs(t, c.store.SetCampaignState(t.Context(), olaf, campaign.ID, models.JobRunning, ""), models.ErrCampaignEnded)
		require.ErrorIs(t, c.store.SetCampaignState(t.Context(), olaf, 999, models.JobRunning, ""), models.ErrCampaignUnknown)
	})
}

// A line that somebody has connected to another grant in the database pauses its campaign and opens one case, however often the
// campaign is started again.
func TestAttackLineOpensACase(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		c, sim := againstSimulator(t, url)
		c.crowd(t, 2)
		first := c.create(t, fmt.Sprintf("user_id,game_id,spins\np0000,%s,5\n", c.games[0]))
		_, err := c.Run(t.Context(), first.ID, nil)
		require.NoError(t, err)
		second := c.create(t, fmt.Sprintf("user_id,game_id,spins\np0001,%s,5\n", c.games[0]))
		_, err = storetest.OpenURL(t, url).ExecContext(t.Context(), "UPDATE campaign_lines SET grant_id = (SELECT MAX(id) FROM grants) "+
			"WHERE campaign_id = ?", second.ID)
		require.NoError(t, err)
		_, err = storetest.OpenURL(t, url).ExecContext(t.Context(), "UPDATE grants SET state = ?", models.GrantRequested)
		require.NoError(t, err)
		for range 2 {
			_, err = c.Run(t.Context(), second.ID, nil)
			require.NoError(t, err)
			paused, _, err := c.store.Campaign(t.Context(), second.ID)
			require.NoError(t, err)
			require.Equal(t, models.JobPaused, paused.State)
			cases, err := c.store.Cases(t.Context(), models.CaseFilter{Rule: models.CaseLedgerFault, Span: models.Span{Limit: 9}})
			require.NoError(t, err)
			require.Len(t, cases.Rows, 1)
			require.NoError(t, c.store.SetCampaignState(t.Context(), olaf, second.ID, models.JobRunning, ""))
		}
		require.Len(t, sim.Grants(), 1)
	})
}

// A line is granted only to the player and for the game whose numbers its code proves, whatever names it was read with.
// Otherwise its campaign pauses.
func TestALineIsGrantedAsItWasProved(t *testing.T) {
	c, sim := againstSimulator(t, storetest.URL(t, storetest.SQLite))
	c.crowd(t, 2)
	campaign := c.create(t, fmt.Sprintf("user_id,game_id,spins\np0000,%s,5\n", c.games[0]))
	lines, err := c.store.CampaignLines(t.Context(), models.CampaignLineFilter{CampaignID: campaign.ID, ToGo: true,
		Span: models.Span{Limit: 1}})
	require.NoError(t, err)
	player, game := lines.Rows[0], lines.Rows[0]
	player.UserID, game.GameID = "p0001", c.games[1]
	for _, line := range []models.CampaignLine{player, game} {
		_, err = c.store.RequestCampaignLine(t.Context(), ines, campaign, line)
		require.ErrorIs(t, err, models.ErrCampaignHeld)
		paused, _, err := c.store.Campaign(t.Context(), campaign.ID)
		require.NoError(t, err)
		require.Equal(t, models.JobPaused, paused.State)
		require.Contains(t, paused.StoppedFor, "line 2 cannot be granted: ")
		require.NoError(t, c.store.SetCampaignState(t.Context(), ines, campaign.ID, models.JobRunning, ""))
	}
	pending, err := c.store.RequestGrant(t.Context(), ines, models.GrantRequest{UserID: "p0000", GameID: c.games[0], Spins: 5,
		Role: models.Bonus, Reason: "welcome"})
	require.NoError(t, err)
	again := campaign
	again.Again = true // what the uploader has not confirmed
	g, err := c.store.RequestCampaignLine(t.Context(), ines, again, lines.Rows[0])
	require.NoError(t, err)
	require.Zero(t, g.ID, "it is refused, because of grant %d", pending.ID)
	require.Empty(t, sim.Grants())
}

func TestAnOutageUsesNoLinesUp(t *testing.T) {
	var asked atomic.Int64
	c, sim := againstSimulator(t, storetest.URL(t, storetest.SQLite), func(sim *simulator.Simulator, path string) {
		// The harmless call is only sent once the circuit is open.
		if path == "/gameList" && asked.Add(1) == 2 {
			sim.SetMood("*=normal")
		}
	})
	campaign := c.create(t, c.crowd(t, 20))
	require.NoError(t, sim.SetMood("*=status(503)"))
	done, err := c.Run(t.Context(), campaign.ID, nil)
	require.NoError(t, err)
	c.account(t, sim, done, 20)
	require.EqualValues(t, []int64{15, 0, 5}, []int64{done.Granted.Lines, done.Refused.Lines, done.Unknown.Lines})
}

func TestFilesAreCheckedWhole(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		c, sim := againstSimulator(t, url)
		storetest.Restrict(t, c.store, "bert")
		c.player(t, "carl")
		c.offer(t, c.games[:9]...)
		gone := sim.Games()[9].GameID
		require.NoError(t, sim.SetMood("assignFreeSpin=dropped-after:1"))
		c.grant(t, models.GrantRequest{UserID: "carl", GameID: c.games[0], Spins: 5, Role: models.Bonus})
		g := string(c.games[0])
		file := "user_id,game_id,spins\n" +
			"anna," + g + ",50\n" +
			"nobody," + g + ",5\n" +
			"bert," + g + ",5\n" +
			"anna,nothing,5\n" +
			"anna," + gone + ",5\n" +
			"anna," + g + ",51\n" +
			"anna," + string(c.games[1]) + ",50\n" +
			"anna," + g + ",1\n" +
			"carl," + g + ",5\n" +
			"carl," + string(c.games[1]) + ",5\n"
		upload := bonus.Upload{CampaignTerms: models.CampaignTerms{Name: "x"}, FileName: "x.csv", Lines: sheet(t, file), Role: models.Bonus}
		campaign, bad, err := c.Create(t.Context(), ines, upload)
		require.NoError(t, err)
		require.Zero(t, campaign.ID)
		var told []string
		for _, b := range bad {
			told = append(told, b.Error())
		}
		require.Len(t, told, 6)
		for i, want := range []string{
			"line 3: user_id \"nobody\": there is no player",
			"line 5: game_id \"nothing\": there is no game",
			"line 6: game_id \"" + gone + "\": the platform no longer offers", "line 7: over the limit: spins in one grant",
			"line 9: over the limit: spins to one player a day, 100 allowed, 100 used",
			"line 10: the outcome of grant 1",
		} {
			require.Contains(t, told[i], want)
		}
		_, _, err = c.Create(t.Context(), ines, bonus.Upload{Role: models.Bonus})
		require.ErrorContains(t, err, "no lines")
		require.Len(t, sim.Grants(), 1, "nothing was sent")

		// Uploading the same file twice is a mistake unless somebody says otherwise.
		good := "user_id,game_id,spins\nanna," + g + ",5\n"
		first := c.create(t, good)
		var before models.GrantedBeforeError
		_, _, err = c.Create(t.Context(), olaf, bonus.Upload{CampaignTerms: upload.CampaignTerms, Lines: sheet(t, good), Role: models.Bonus})
		require.ErrorAs(t, err, &before)
		require.Equal(t, first.ID, before.ID)
		second, _, err := c.Create(t.Context(), olaf, bonus.Upload{CampaignTerms: models.CampaignTerms{Name: "x"}, Lines: sheet(t, good),
			Role: models.Bonus, Again: true, Repeats: first.ID})
		require.NoError(t, err)
		list, err := c.store.Campaigns(t.Context(), models.CampaignFilter{Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		require.True(t, list.More)
		require.Equal(t, second.ID, list.Rows[0].ID)
	})
}

// The same lines in another order are the same campaign: they must not be granted a second time by mistake.
func TestLinesInAnotherOrder(t *testing.T) {
	lines := []models.GrantLine{{UserID: "anna", GameID: "abc", Spins: 5}, {UserID: "bert", GameID: "abc", Spins: 5}}
	turned := []models.GrantLine{lines[1], lines[0]}
	require.Equal(t, bonus.Digest(lines), bonus.Digest(turned))
	turned[0].Spins = 6
	require.NotEqual(t, bonus.Digest(lines), bonus.Digest(turned))
}

func TestALineThatIsNoLongerGood(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		c, sim := againstSimulator(t, url)
		campaign := c.create(t, c.crowd(t, 3))
		storetest.Restrict(t, c.store, "p0001")
		done, err := c.Run(t.Context(), campaign.ID, nil)
		require.NoError(t, err)
		c.account(t, sim, done, 3)
		refused, err := c.store.CampaignLines(t.Context(),
			models.CampaignLineFilter{CampaignID: campaign.ID, State: models.GrantRefused, Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		require.Len(t, refused.Rows, 1)
		require.Contains(t, refused.Rows[0].Message, models.NotEligible)
		require.Equal(t, 2, sim.Calls()["assignFreeSpin"])
	})
}

// A campaign grants nothing before its start, stops at its end, and stops before the grant that would exceed its budget. What
// the platform refuses is given back to the budget, and grants to single players count against it.
func TestACampaignKeepsItsTerms(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		c, sim := againstSimulator(t, url)
		lines := sheet(t, c.crowd(t, 10))
		storetest.Restrict(t, c.store, "p0000")
		start := func(terms models.CampaignTerms) models.Campaign {
			terms.Name = "terms"
			u := bonus.Upload{CampaignTerms: terms, Lines: lines, Role: models.Bonus, Again: true}
			if before, found, err := c.store.CampaignOf(t.Context(), bonus.Digest(lines)); found {
				require.NoError(t, err)
				u.Repeats = before.ID
			}
			campaign, bad, err := c.Create(t.Context(), ines, u)
			require.NoError(t, err)
			require.Empty(t, bad)
			return campaign
		}
		run := func(campaign models.Campaign) models.Campaign {
			done, err := c.Run(t.Context(), campaign.ID, nil)
			require.NoError(t, err)
			return done
		}
		limited := start(models.CampaignTerms{BudgetSpins: 22})
		require.EqualValues(t, 1, limited.Refused.Lines, "a restricted player is left out from the beginning")
		require.NoError(t, sim.SetMood("assignFreeSpin=refused(1 busy):1"))
		limited = run(limited)
		require.Equal(t, models.JobStopped, limited.State)
		require.Contains(t, limited.StoppedFor, "the budget of the campaign is 22, of which 20 is used; the next grant needs 5")
		require.EqualValues(t, []int64{4, 2, 4}, []int64{limited.Granted.Lines, limited.Refused.Lines, limited.ToGo.Lines})

		early := start(models.CampaignTerms{StartsAt: c.store.Now().Add(time.Hour), EndsAt: c.store.Now().Add(2 * time.Hour)})
		due, err := c.store.CampaignsDue(t.Context())
		require.NoError(t, err)
		require.NotContains(t, due, early.ID)
		require.EqualValues(t, 9, run(early).ToGo.Lines)
		_, err = c.store.RequestGrant(t.Context(), ines, models.GrantRequest{UserID: "p0001", GameID: c.games[2], Spins: 1,
			Role: models.Bonus, Reason: "x", CampaignID: early.ID})
		require.ErrorIs(t, err, models.ErrCampaignEarly)

		single := start(models.CampaignTerms{BudgetSpins: 46})
		require.Equal(t, models.JobFinished, run(single).State)
		request := models.GrantRequest{UserID: "p0001", GameID: c.games[2], Spins: 1, Role: models.Bonus, Reason: "x", CampaignID: single.ID}
		g, err := c.store.RequestGrant(t.Context(), ines, request)
		require.NoError(t, err)
		require.Equal(t, single.ID, g.CampaignID)
		request.Again = true
		_, err = c.store.RequestGrant(t.Context(), ines, request)
		require.ErrorAs(t, err, new(models.BudgetError))
		c.verified(t)
	})
}

// sheet reads the lines of a sheet without errors.
func sheet(t testing.TB, text string) []models.GrantLine {
	t.Helper()
	grants, err := files.ReadGrants(t.Context(), strings.NewReader(text), models.GrantRow{})
	require.NoError(t, err)
	var lines []models.GrantLine
	for _, row := range grants.Rows {
		line, wrong := row.Grant()
		require.Empty(t, wrong)
		lines = append(lines, line)
	}
	return lines
}

// TestCampaignBudgetRace requests grants of one campaign at once: together they never exceed its budget.
func TestCampaignBudgetRace(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		c, _ := againstSimulator(t, url)
		u := bonus.Upload{CampaignTerms: models.CampaignTerms{Name: "race", BudgetSpins: 60}, Lines: sheet(t, c.crowd(t, 10)), Role: models.Bonus}
		campaign, bad, err := c.Create(t.Context(), ines, u)
		require.NoError(t, err)
		require.Empty(t, bad)
		campaign, err = c.Run(t.Context(), campaign.ID, nil)
		require.NoError(t, err)
		require.EqualValues(t, 50, campaign.Granted.Spins)

		var granted, refused atomic.Int64
		var wait sync.WaitGroup
		for i := range 8 {
			wait.Go(func() {
				_, err := c.store.RequestGrant(context.Background(), ines, models.GrantRequest{UserID: models.UserID(fmt.Sprintf("p%04d", i)),
					GameID: c.games[2], Spins: 5, Role: models.Bonus, Reason: "one more", CampaignID: campaign.ID})
				switch {
				case err == nil:
					granted.Add(1)
				case errors.As(err, new(models.BudgetError)):
					refused.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		wait.Wait()
		require.EqualValues(t, []int64{2, 6}, []int64{granted.Load(), refused.Load()})
		c.verified(t)
	})
}
