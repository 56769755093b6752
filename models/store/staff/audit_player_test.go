package staff_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// Callbacks of one batch have the same time. A view of one of them is not a view of the other callbacks' players.
func TestViewedCallbackIsOfItsPlayer(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		now := time.Now().UTC().Truncate(time.Microsecond)
		x.Config.Now = func() time.Time { return now }
		s := x.Open(t)
		numbers := map[models.UserID]int64{}
		for _, user := range []models.UserID{"anna", "bert", "cleo"} {
			numbers[user] = storetest.CreatePlayer(t, s, user, 1000).ID
			stake := map[models.UserID]models.Amount{"anna": 100, "bert": 100, "cleo": 5000}[user] // cleo's is refused
			_, c := storetest.Called(t, s, storetest.Bet(user, models.TransactionID("bet-of-"+user), stake))
			require.NoError(t, s.NoteView(t.Context(), models.Actor{Name: "sofia", Session: string(user)}, "callback",
				c.Cursor().String(), numbers[user]))
		}
		for user, number := range numbers {
			found, err := s.AuditEvents(t.Context(), models.AuditFilter{PlayerID: number, Span: models.Span{Limit: 50}})
			require.NoError(t, err)
			var viewed []string
			for _, e := range found.Rows {
				if e.Object == "callback" {
					viewed = append(viewed, e.Actor.Session)
				}
			}
			require.Equal(t, []string{string(user)}, viewed)
		}
	})
}

// Who did what about a player: every kind of event names the player whom it concerns, or its campaign's lines do.
func TestEventsConcernPlayers(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		ctx, d := t.Context(), storetest.NewColleagues(t, s, 100_000)
		stan, cleo := storetest.SignerNamed(t, s, "stan", models.Support), storetest.SignerNamed(t, s, "cleo", models.Compliance)
		_, err := s.SyncGames(ctx, storetest.Tester, models.GameSync{At: time.Now().UTC()}, []models.OfferedGame{{GameID: "g1", Name: "Embers"}})
		require.NoError(t, err)
		players := []models.Player{d.Anna, storetest.CreatePlayer(t, s, "bert", 100_000)}
		for _, p := range players {
			d.Anna = p
			request := func() models.Correction { return d.Request(d.Mira, d.Adjust(models.CorrectCredit, 300, "goodwill")) }
			d.MustApprove(d.Jonas, request())
			err := storetest.Refuse(ctx, s, "correction", d.Jonas, request().ID, "no")
			require.NoError(t, err)

			for n, decide := range []func(int64) error{
				func(id int64) error { return storetest.Approve(ctx, s, "cash-out", d.Jonas, id) },
				func(id int64) error { return storetest.Refuse(ctx, s, "cash-out", d.Mira, id, "no") },
			} {
				storetest.ReviewedCash(t, s, storetest.Cash(p.UserID, fmt.Sprint(p.UserID, n), 100).CashOut())
				now, _, err := s.Cash(ctx, storetest.CashID(fmt.Sprint(p.UserID, n)))
				require.NoError(t, err)
				require.NoError(t, decide(now.Number))
			}

			r, err := s.Restrict(ctx, stan, models.Restriction{Subject: models.OfPlayer, PlayerID: p.ID, Kind: models.OtherRestriction,
				Scope: models.FromBonuses, Until: models.Permanent, Reason: "asked"})
			require.NoError(t, err)
			require.NoError(t, s.RequestEnd(ctx, stan, r.ID, "asked again"))
			require.NoError(t, storetest.Approve(ctx, s, "restriction", cleo, r.ID))
			require.NoError(t, s.SetLimits(ctx, stan, p.ID, models.LimitsRequest{Reason: "asked", Changes: []models.LimitChange{
				{Kind: models.LimitLoss, Period: models.LimitMonth, To: new(models.Amount(5000))}}}))

			campaign, bad, err := s.CreateCampaign(ctx, storetest.Tester, models.Campaign{Digest: string(p.UserID), Role: models.Bonus,
				CampaignTerms: models.CampaignTerms{Name: "bonus for " + string(p.UserID)}},
				[]models.GrantLine{{Line: 1, UserID: p.UserID, GameID: "g1", Spins: 5}, {Line: 2, UserID: p.UserID, GameID: "g1", Spins: 6}})
			require.NoError(t, err)
			require.Empty(t, bad)
			lines, err := s.CampaignLines(ctx, models.CampaignLineFilter{CampaignID: campaign.ID, Span: models.Span{Limit: 10}})
			require.NoError(t, err)
			g, err := s.RequestCampaignLine(ctx, models.System, campaign, lines.Rows[0])
			require.NoError(t, err)
			_, err = s.SendGrant(ctx, g.ID)
			require.NoError(t, err)
			_, err = s.AnswerGrant(ctx, models.System, g.ID, models.GrantOutcome{State: models.GrantActive, FreeSpinID: models.FreeSpinID(p.UserID)})
			require.NoError(t, err)
			require.NoError(t, s.SetCampaignState(ctx, storetest.Tester, campaign.ID, models.JobPaused, "wait"))
			require.NoError(t, s.SetCampaignState(ctx, storetest.Tester, campaign.ID, models.JobRunning, ""))
			storetest.Restrict(t, s, p.UserID)
			_, err = s.RequestCampaignLine(ctx, models.System, campaign, lines.Rows[1])
			require.NoError(t, err)

			cases, _, err := s.OpenCases(ctx, []models.Finding{{Rule: models.CaseNegativeBalance, Key: string(p.UserID), At: time.Now(), PlayerID: p.ID}})
			require.NoError(t, err)
			require.NoError(t, s.CommentCase(ctx, storetest.Tester, cases[0], "looked at"))
			require.NoError(t, s.DecideCase(ctx, storetest.Tester, cases[0], models.CaseExplained, "it was like that"))
			session := models.GameSession{PlayerID: p.ID, UserID: p.UserID, Reason: "asked", Currency: "EUR"}
			session.ID, err = s.BeginGameSession(ctx, storetest.Tester, session)
			require.NoError(t, err)
			session.State = models.GameSessionOpened
			require.NoError(t, s.EndGameSession(ctx, storetest.Tester, session))
			require.NoError(t, s.NoteView(ctx, storetest.Tester, "player", strconv.FormatInt(p.ID, 10), p.ID))
			require.NoError(t, s.Note(ctx, models.AuditEvent{Actor: storetest.Tester, Action: "dispute pack started", Object: "player",
				ObjectID: strconv.FormatInt(p.ID, 10), Reason: "they dispute a bet"}))
		}
		for _, p := range players {
			list, err := s.AuditEvents(ctx, models.AuditFilter{PlayerID: p.ID, Span: models.Span{Limit: 200}})
			require.NoError(t, err)
			seen := map[string]int{}
			for _, e := range list.Rows {
				seen[e.Action]++
				require.Contains(t, []int64{p.ID, 0}, e.PlayerID)
			}
			require.Equal(t, map[string]int{"player created": 1, "player viewed": 1, "player limits set": 1,
				"player restriction set": 2, "player restriction ended": 1, "dispute pack started": 1,
				"restriction set": 2, "restriction end requested": 1, "restriction ended": 1,
				"correction requested": 2, "correction approved": 1, "correction refused": 1,
				"cash-out waiting": 2, "cash-out approved": 1, "cash-out refused": 1,
				"campaign created": 1, "campaign line refused": 1, "campaign paused": 1, "campaign running": 1,
				"grant requested": 1, "grant confirmed": 1, "case opened": 1, "case commented": 1, "case closed": 1,
				"game session requested": 1, "game session opened": 1}, seen)
		}
	})
}
