package apptest

import (
	"github.com/stretchr/testify/require"

	"pitboss/models"
)

const RefusedID = "ada7af3390b14c0d8f2e6b51a32c"

// PlayerWithRefusedBet gives anna some transactions and a bet that was refused at a balance of 575.00.
func (s *Site) PlayerWithRefusedBet() models.Callback {
	s.T.Helper()
	s.PlayerWithBalance("anna", 57500)
	s.Callback(Bet("anna", "b-1", "round-1", 500), 0)
	s.Callback(Win("anna", "w-1", "round-1", 500), 0)
	_, err := s.Store.SyncGames(s.T.Context(), models.System, models.GameSync{At: s.Now()},
		[]models.OfferedGame{{GameID: "vs20bells", Name: "Ancient Bells"}})
	require.NoError(s.T, err)
	poor := s.Callback(Bet("anna", RefusedID, "round-2", 100000), 6)
	s.Callback(Bet("anna", RefusedID, "round-2", 100000), 6)
	s.Callback(Bet("anna", "b-3", "round-3", 7500), 0)
	return poor
}
