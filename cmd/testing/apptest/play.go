package apptest

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	files "pitboss/app/sheet"
	"pitboss/models"
)

// What the tests of games, sessions and free spins share: the site with a simulated platform.

var Tester = models.Actor{Name: "tester"}

// SyncedGame synchronizes the platform's games and returns one with an ordinary name.
func (s *Site) SyncedGame() models.Game {
	s.T.Helper()
	_, err := s.Catalogue.Sync(s.T.Context(), Tester)
	require.NoError(s.T, err)
	g, found, err := s.Store.Game(s.T.Context(), models.GameID(s.Sim.Games()[0].GameID))
	require.NoError(s.T, err)
	require.True(s.T, found)
	return g
}

// NewPlayer creates a player with 100.00 EUR.
func (s *Site) NewPlayer(user models.UserID, test bool) models.Player {
	s.T.Helper()
	p, err := s.Store.CreatePlayer(s.T.Context(), Tester,
		models.NewPlayer{UserID: user, Currency: "EUR", Balance: 10000, Test: test})
	require.NoError(s.T, err)
	return p
}

// Grant grants spins in bruno's name.
func (s *Site) Grant(user models.UserID, g models.Game, spins int64) models.Grant {
	s.T.Helper()
	made, err := s.Bonus.Grant(s.T.Context(), models.Actor{Name: "bruno"},
		models.GrantRequest{UserID: user, GameID: g.GameID, Spins: spins, Reason: "Goodwill", Role: models.Bonus})
	require.NoError(s.T, err)
	return made
}

// GrantWithUnknownOutcome grants spins on a platform that does the work but never answers.
func (s *Site) GrantWithUnknownOutcome(user models.UserID, g models.Game, spins int64) models.Grant {
	s.T.Helper()
	require.NoError(s.T, s.Sim.SetMood("assignFreeSpin=dropped-after:1"))
	made := s.Grant(user, g, spins)
	require.Equal(s.T, models.GrantUnknown, made.State)
	return made
}

// PlayFreeSpin plays one free spin that wins this amount.
func (s *Site) PlayFreeSpin(user models.UserID, round string, win models.Amount) {
	s.T.Helper()
	for _, op := range []models.Operation{
		{Kind: models.Bet, Bet: 50, FreeSpin: true, TransactionID: models.TransactionID("bet-" + round)},
		{Kind: models.Win, Win: win, TransactionID: models.TransactionID("win-" + round)},
	} {
		op.Source, op.UserID, op.RoundID = models.SourcePlatform, user, models.RoundID(round)
		result, err := s.Store.Apply(s.T.Context(), op)
		require.NoError(s.T, err)
		require.Equal(s.T, models.None, result.Decline)
	}
	_, err := s.Store.FollowSpins(s.T.Context())
	require.NoError(s.T, err)
}

// ObserveGrant records what the platform answered about a grant.
func (s *Site) ObserveGrant(g models.Grant, status string, used int64) {
	s.T.Helper()
	require.NoError(s.T, s.Store.ObserveGrants(s.T.Context(), g.PlayerID, []models.Observation{
		{GrantID: g.ID, Status: status, Total: g.Spins, Used: used, Remaining: g.Spins - used},
	}, true))
}

// SendAgain sends a form of a page with its hidden fields and the values in typed.
func (b *Browser) SendAgain(page *Answer, selector string, typed url.Values) *Answer {
	b.T.Helper()
	form := page.Find(selector)
	require.Equal(b.T, 1, form.Length(), page.Body)
	values := url.Values{}
	for _, field := range form.Find("input[type=hidden]").EachIter() {
		values.Add(field.AttrOr("name", ""), field.AttrOr("value", ""))
	}
	for name, v := range typed {
		values[name] = v
	}
	return b.Send(b.Request(http.MethodPost, form.AttrOr("action", ""), values))
}

// GrantLines reads the lines of a sheet, which must have no errors.
func GrantLines(t testing.TB, text string) []models.GrantLine {
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
