package db

import (
	"context"
	"fmt"
	"time"
)

// How many packets an attempt sends, one after the other. On a single server there are two: one locks and looks up, the other
// writes and commits. On Galera there are nine: lock the wallets, read the ledger's row, insert into text_turns, delete from it,
// look up the postings, look up declined texts, insert postings, write the wallets, commit. Further packets are
// rare: an attempt is repeated for IDs of a length that is new to the ledger, and there is one more for texts that could name
// another player and, on Galera, one each for rollbacks, free spins and declined texts.
const (
	attemptTrips       = 2
	attemptTripsGalera = 9
)

// LongestRoundTrip returns the longest round trip to the database with which callbacks can be answered within a deadline: each
// callback looks up its player, waits for the current attempt, and is settled by the next one.
func (s *DB) LongestRoundTrip(deadline time.Duration) time.Duration {
	if s.SendsTogether() {
		return deadline / (1 + 2*attemptTrips)
	}
	return deadline / (1 + 2*attemptTripsGalera)
}

// RoundTrip measures the round trip to the database: the shortest of five pings. It is 0 on SQLite, which runs in this process.
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
