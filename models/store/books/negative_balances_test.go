package books_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// Balances below zero are listed by currency: amounts of different currencies are not compared.
func TestNegativeBalances(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		for user, of := range map[models.UserID]struct {
			currency models.Currency
			below    int64
		}{"anna": {"EUR", 100}, "emil": {"EUR", 300}, "tina": {"TRY", 5_000}, "tom": {"TRY", 50}} {
			p, err := s.CreatePlayer(t.Context(), storetest.Tester, models.NewPlayer{UserID: user, Currency: of.currency})
			require.NoError(t, err)
			x.Exec(t, "UPDATE wallets SET balance_minor = ? WHERE player_id = ?", -of.below, p.ID)
		}
		list, err := s.NegativeBalances(t.Context(), models.WithoutTest, 3)
		require.NoError(t, err)
		var users []models.UserID
		for _, p := range list {
			users = append(users, p.UserID)
		}
		require.Equal(t, []models.UserID{"emil", "anna", "tina"}, users)
	})
}
