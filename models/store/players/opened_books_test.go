package players_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// TestAttackMoneyByNewPlayers tries to create money by creating players: possible while the books are being opened, refused
// once a day has been signed. Test players can always have an opening balance.
func TestAttackMoneyByNewPlayers(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		ctx := t.Context()
		clock := &storetest.Clock{}
		clock.Set(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
		x.Config.Now = clock.Now
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 10_000)
		storetest.ImportPlayers(t, s, "p", 3)
		clock.Set(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
		_, err := s.FollowDays(ctx)
		require.NoError(t, err)
		storetest.CreatePlayer(t, s, "bert", 10_000)
		storetest.SignDay(t, s, "2026-11-20", models.Finance, "fred")

		before := x.Digest(t)
		_, err = s.CreatePlayer(ctx, storetest.Tester, models.NewPlayer{UserID: "mallory", Currency: "EUR", Balance: 1})
		require.ErrorIs(t, err, models.ErrBooksOpened)
		_, err = s.CreatePlayer(ctx, storetest.Tester, models.NewPlayer{UserID: "anna", Currency: "EUR", Balance: 1})
		require.ErrorIs(t, err, models.ErrPlayerExists)
		bad, err := s.ImportPlayers(ctx, storetest.Tester, storetest.PlayerFile(t, "q", 3), nil)
		require.NoError(t, err)
		require.Len(t, bad, 2)
		require.ErrorIs(t, bad[0], models.ErrBooksOpened)
		require.ErrorContains(t, bad[0], `line 3: "q1", balance 0.01: a day has been signed`)
		require.Equal(t, before, x.Digest(t), "nothing was created")

		storetest.CreatePlayer(t, s, "mallory", 0)
		storetest.ImportPlayers(t, s, "q", 1)
		p, err := s.CreatePlayer(ctx, storetest.Tester,
			models.NewPlayer{UserID: "tess", Currency: "EUR", Balance: 10_000, Test: true})
		require.NoError(t, err)
		require.EqualValues(t, 10_000, p.Wallet.Balance)
		storetest.RequireWhole(t, s)
	})
}
