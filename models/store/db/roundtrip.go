package db

import (
	"context"
	"fmt"
	"time"
)

// How many packets an attempt sends one after the other: one that locks and looks up and one that writes and commits or, on
// Galera, lock the wallets, write and delete text_turns, look the postings up, insert postings and receipts, write the wallets,
// commit. More are rare: IDs of a length that is new to the ledger take up to three (on Galera four), texts that could name
// another player up to three and, on Galera, free spins and declined texts one each.
const (
	attemptTrips       = 2
	attemptTripsGalera = 8
)

// LongestRoundTrip returns the longest round trip to the database with which callbacks can be answered within a deadline: each
// finds its player, waits for the attempt that is under way, and is settled by the next.
func (s *DB) LongestRoundTrip(deadline time.Duration) time.Duration {
	if s.SendsTogether() {
		return deadline / (1 + 2*attemptTrips)
	}
	return deadline / (1 + 2*attemptTripsGalera)
}

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
