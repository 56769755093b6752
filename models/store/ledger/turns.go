package ledger

import (
	"context"
	"slices"
	"sync"
)

// turns shares a number of connections between operations that wait for wallets which others have locked, in the order of
// arrival. One wallet has at most turnsOfWallet of them at a time: more could not be used, because the wallet's operations wait
// for each other, but one connection may hang.
type turns struct {
	mu      sync.Mutex
	free    int
	taken   map[int64]int // by wallet
	waiting []*turn
}

const turnsOfWallet = 2

// turn is a place in the queue. given is closed when it is its turn.
type turn struct {
	wallet int64
	given  chan struct{}
}

func newTurns(n int) *turns { return &turns{free: n, taken: map[int64]int{}} }

// take waits for a turn until ctx ends. After nil, the caller must refund it.
func (t *turns) take(ctx context.Context, wallet int64) error {
	mine := &turn{wallet, make(chan struct{})}
	t.mu.Lock()
	t.waiting = append(t.waiting, mine)
	t.next()
	t.mu.Unlock()
	select {
	case <-mine.given:
		return nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := slices.Index(t.waiting, mine); i >= 0 {
		t.waiting = slices.Delete(t.waiting, i, i+1)
	} else { // it was given meanwhile
		t.back(wallet)
	}
	return ctx.Err()
}

// give gives a turn back.
func (t *turns) give(wallet int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.back(wallet)
}

func (t *turns) back(wallet int64) {
	t.free++
	if t.taken[wallet]--; t.taken[wallet] == 0 {
		delete(t.taken, wallet)
	}
	t.next()
}

// next gives free turns to the first who wait and whose wallets may have another.
func (t *turns) next() {
	t.waiting = slices.DeleteFunc(t.waiting, func(w *turn) bool {
		if t.free == 0 || t.taken[w.wallet] == turnsOfWallet {
			return false
		}
		t.free--
		t.taken[w.wallet]++
		close(w.given)
		return true
	})
}
