package players

import (
	"context"
	"fmt"
	"slices"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
)

// Entries returns up to limit lines of a player's money ledger next to the line that at names by its number, newest first, and
// whether there are more. It reads about as many rows as it returns, however long the ledger is.
func (s *Store) Entries(ctx context.Context, player int64, at models.Cursor, limit int) ([]models.Entry, bool, error) {
	var q db.Statement
	q.Begin(ledger.SelectPostings + " WHERE player_id = ").Number(player).Text(" AND free_spin = 0")
	order := " ORDER BY seq DESC"
	switch {
	case at.Newer:
		q.Text(" AND seq > ").Number(at.ID)
		order = " ORDER BY seq"
	case !at.IsZero(): // a bet with a win has two lines, and a page may begin or end between them
		q.Text(" AND seq <= ").Number(at.ID)
	}
	postings, err := s.ledger.ReadPostings(ctx, q.Text(order+" LIMIT ").Number(int64(limit)+2))
	if err != nil {
		return nil, false, fmt.Errorf("read entries: %w", err)
	}
	entries := make([]models.Entry, 0, limit+4)
	for i := range postings {
		lines := postings[i].Entries("")
		if !at.Newer {
			slices.Reverse(lines)
		}
		for _, e := range lines {
			if at.IsZero() || at.Newer && e.Seq > at.ID || !at.Newer && e.Seq < at.ID {
				entries = append(entries, e)
			}
		}
	}
	entries, more := db.InOrder(entries, at, limit)
	return entries, more, nil
}
