package platform

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/callbacks/wire"
	"pitboss/models"
)

// A proposal refuses no player and no transaction so far. While only test players have played, nothing is proposed.
func TestProposedFormatsRefuseNoRealPlay(t *testing.T) {
	proposed := func(seen models.SeenIDs) (list []string) {
		for _, f := range ReportFormats(wire.Formats{}, seen).Formats {
			list = append(list, f.Proposed)
		}
		return list
	}
	seen := models.SeenIDs{Users: models.Lengths{Min: 4, Max: 12}, Transactions: models.Lengths{Min: 24, Max: 24}}
	require.Equal(t, []string{"", "", ""}, proposed(seen))
	seen.Latest = []models.SeenTransaction{{Kind: models.Bet, UserID: "anna", TransactionID: "t", RoundID: "round-1", Bet: 5}}
	require.Equal(t, []string{"24", "7", "4-12"}, proposed(seen))
}
