package ledger

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A wallet that many wait for leaves turns to others, and nobody who gives up keeps one.
func TestQueueTurns(t *testing.T) {
	turns := newTurns(3)
	over, end := context.WithCancel(t.Context())
	end()
	take := func(wallet int64) error { return turns.take(over, wallet) }
	// With a free turn, both ways out of the wait are open: whoever has ended does not keep what it was given.
	for range 100 {
		if take(1) == nil {
			turns.give(1)
		}
	}
	require.NoError(t, turns.take(t.Context(), 1))
	require.NoError(t, turns.take(t.Context(), 1))
	require.ErrorIs(t, take(1), context.Canceled, "a wallet has two turns at most")
	third := make(chan error)
	go func() { third <- turns.take(t.Context(), 1) }()
	require.Eventually(t, func() bool {
		turns.mu.Lock()
		defer turns.mu.Unlock()
		return len(turns.waiting) == 1
	}, 10*time.Second, time.Millisecond)
	require.NoError(t, turns.take(t.Context(), 2), "the wallet that many wait for does not keep others waiting")
	require.ErrorIs(t, take(3), context.Canceled, "all are taken")
	turns.give(1)
	require.NoError(t, <-third)
	turns.give(2)
	require.NoError(t, turns.take(t.Context(), 3))
	turns.give(1)
	turns.give(1)
	turns.give(3)
	require.Equal(t, 3, turns.free)
	require.Empty(t, turns.taken)
	require.Empty(t, turns.waiting)
}
