package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

// TestAttackMoneyByNewPlayers tries to create money by creating players: possible while the books are being opened, refused
// once a day has been signed. Test players can always have an opening balance.
func TestAttackMoneyByNewPlayers(t *testing.T) {
	onEngines(t, func(t *testing.T, x *site) {
		ctx := t.Context()
		clock := &hands{}
		clock.set(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
		x.cfg.Now = clock.now
		s := x.open(t)
		create(t, s, "anna", 10_000)
		importPlayers(t, s, "p", 3)
		clock.set(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
		_, err := s.FollowDays(ctx)
		require.NoError(t, err)
		create(t, s, "bert", 10_000)
		signDay(t, s, "2026-11-20", models.Finance, "fred")

		before := x.digest(t)
		_, err = s.CreatePlayer(ctx, tester, models.NewPlayer{UserID: "mallory", Currency: "EUR", Balance: 1})
		require.ErrorIs(t, err, models.ErrBooksOpened)
		_, err = s.CreatePlayer(ctx, tester, models.NewPlayer{UserID: "anna", Currency: "EUR", Balance: 1})
		require.ErrorIs(t, err, models.ErrPlayerExists)
		bad, err := s.ImportPlayers(ctx, tester, playerFile(t, "q", 3), nil)
		require.NoError(t, err)
		require.Len(t, bad, 2)
		require.ErrorIs(t, bad[0], models.ErrBooksOpened)
		require.ErrorContains(t, bad[0], `line 3: "q1", balance 0.01: a day has been signed`)
		require.Equal(t, before, x.digest(t), "nothing was created")

		create(t, s, "mallory", 0)
		importPlayers(t, s, "q", 1)
		p, err := s.CreatePlayer(ctx, tester, models.NewPlayer{UserID: "tess", Currency: "EUR", Balance: 10_000, Test: true})
		require.NoError(t, err)
		require.EqualValues(t, 10_000, p.Wallet.Balance)
		requireWhole(t, s)
	})
}
