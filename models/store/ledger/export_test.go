package ledger

import (
	"context"

	"pitboss/models"
)

// For tests and benchmarks.
const (
	WritableFor  = writableFor
	WriteTimeout = writeTimeout
)

// Bet returns a bet of the player with this number.
type Bet struct {
	Player    int64
	Operation models.Operation
}

// AttemptBets settles bets in one transaction, as a committer does.
func (s *Store) AttemptBets(ctx context.Context, bets []Bet) error {
	members := make([]*Member, len(bets))
	for i, b := range bets {
		members[i] = &Member{Op: b.Operation, PlayerID: b.Player}
	}
	return s.attempt(ctx, members)
}
