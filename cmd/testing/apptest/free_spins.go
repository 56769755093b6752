package apptest

import (
	"net/url"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

func GrantForm(user string, g models.Game, spins string) url.Values {
	return url.Values{"player": {user}, "game": {string(g.GameID)}, "spins": {spins}, "name": {"Goodwill"}}
}

// RunCampaigns sends the grants of all running campaigns.
func (s *Site) RunCampaigns() {
	s.T.Helper()
	due, err := s.Store.CampaignsDue(s.T.Context())
	require.NoError(s.T, err)
	for _, id := range due {
		_, err := s.Bonus.Run(s.T.Context(), id, nil)
		require.NoError(s.T, err)
	}
}

func (s *Site) GrantsOf(p models.Player) []models.Grant {
	s.T.Helper()
	list, err := s.Store.Grants(s.T.Context(), models.GrantFilter{PlayerID: p.ID, Span: models.Span{Limit: 100}})
	require.NoError(s.T, err)
	return list.Rows
}
