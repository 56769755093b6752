package players

import (
	"context"
	"fmt"
	"math"
	"slices"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
)

// Entries returns up to limit lines of a player's money ledger, newest first, starting just before the line with the number
// before, or with the newest line if before is 0. It reads about as many rows as it returns, however long the ledger is.
func (s *Store) Entries(ctx context.Context, player, before int64, limit int) ([]models.Entry, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	var q db.Statement
	// A bet with a win has two lines, and a page may begin or end between them.
	q.Begin(ledger.SelectPostings + " WHERE player_id = ").Number(player).Text(" AND free_spin = 0 AND seq <= ").
		Number(min(before, math.MaxInt64-1)).
		Text(" ORDER BY seq DESC LIMIT ").Number(int64(limit) + 1)
	postings, err := s.ledger.ReadPostings(ctx, &q)
	if err != nil {
		return nil, fmt.Errorf("read entries: %w", err)
	}
	entries := make([]models.Entry, 0, limit+2)
	for i := range postings {
		lines := postings[i].Entries("")
		for _, e := range slices.Backward(lines) {
			if e.Seq < before && len(entries) < limit {
				entries = append(entries, e)
			}
		}
	}
	return entries, nil
}
