package db

import (
	"context"
	"fmt"
	"time"
)

// attemptTrips is how many statements an attempt sends one after the other on MySQL: lock the wallets, look the postings up,
// insert postings and receipts, write the wallets, commit. IDs whose length varies cost up to three more, free spins and
// tombstones one each. On Galera text_turns takes two more (galera.go).
const attemptTrips = 6

// LongestRoundTrip returns the longest round trip to the database with which callbacks can be answered within a deadline: each
// finds its player, waits for the attempt that is under way, and is settled by the next.
func LongestRoundTrip(deadline time.Duration) time.Duration { return deadline / (1 + 2*attemptTrips) }

// RoundTrip measures how long a message to the database and its answer take: the shortest of a few. It is 0 on SQLite, which is
// in this process.
func (s *DB) RoundTrip(ctx context.Context) (shortest time.Duration, err error) {
	if s.Dialect == SQLite {
		return 0, nil
	}
	conn, err := s.Pools.Money.Conn(ctx)
	if err != nil {
		return 0, fmt.Errorf("measure the round trip: %w", err)
	}
	defer conn.Close()
	for i := range 5 {
		began := time.Now()
		if err := conn.PingContext(ctx); err != nil {
			return 0, fmt.Errorf("measure the round trip: %w", err)
		}
		if took := time.Since(began); i == 0 || took < shortest {
			shortest = took
		}
	}
	return shortest, nil
}
