package apptest

import (
	"strings"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/models"
)

// SetClock moves the site's clock to a time.
func (s *Site) SetClock(t time.Time) {
	s.T.Helper()
	s.Later(t.Sub(s.Now()))
}

// NewPlayerIn creates a player with a wallet in this currency.
func (s *Site) NewPlayerIn(user models.UserID, currency models.Currency, test bool) models.Player {
	s.T.Helper()
	p, err := s.Store.CreatePlayer(s.T.Context(), models.Actor{Name: "tester"},
		models.NewPlayer{UserID: user, Currency: currency, Balance: 1_000_000_000, Test: test})
	require.NoError(s.T, err)
	return p
}

// Answered adds to the counts of callbacks, as an instance would.
func (s *Site) Answered(at time.Time, counts map[models.CallbackAnswer]uint64) {
	s.T.Helper()
	require.NoError(s.T, s.Store.AddCallbacks(s.T.Context(), at, models.CallbackCounts{Answers: counts}))
}

// UnknownGrant creates a grant of unknown outcome.
func (s *Site) UnknownGrant(user models.UserID, spins int64) {
	s.T.Helper()
	ctx := s.T.Context()
	_, err := s.Store.SyncGames(ctx, models.Actor{Name: "tester"},
		models.GameSync{At: s.Now(), Latency: 90 * time.Millisecond},
		[]models.OfferedGame{{GameID: "g1", Name: "Book of Embers"}})
	require.NoError(s.T, err)
	g, err := s.Store.RequestGrant(ctx, models.Actor{Name: "bruno"},
		models.GrantRequest{UserID: user, GameID: "g1", Spins: spins, Reason: "goodwill", Role: models.Bonus})
	require.NoError(s.T, err)
	_, err = s.Store.SendGrant(ctx, g.ID)
	require.NoError(s.T, err)
	_, err = s.Store.AnswerGrant(ctx, models.Actor{Name: "bruno"}, g.ID,
		models.GrantOutcome{State: models.GrantUnknown, Result: models.NoResult, Message: "no answer within 5.0 s"})
	require.NoError(s.T, err)
}

// TextOf returns the text of all matching elements, separated by spaces.
func TextOf(a *Answer, selector string) string {
	var words []string
	var read func(*goquery.Selection)
	read = func(s *goquery.Selection) {
		s.Contents().Each(func(_ int, node *goquery.Selection) {
			if goquery.NodeName(node) == "#text" {
				words = append(words, strings.Fields(node.Text())...)
				return
			}
			read(node)
		})
	}
	read(a.Find(selector))
	return strings.Join(words, " ")
}
