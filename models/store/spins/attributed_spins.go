package spins

import (
	"context"
	"fmt"

	"pitboss/models"
	"pitboss/models/store/players"
)

const selectAttributedSpins = "SELECT " + spinColumns + `, a.grant_id, a.rule FROM spin_entries e
	LEFT JOIN spin_attributions a ON a.player_id = e.player_id AND a.seq = e.seq`

// PlayerSpins returns up to limit lines of a player's free-spin ledger with the grants that they are attributed to, newest
// first, beginning before the line numbered before, or with the newest if before is 0. A line that has not been attributed yet
// has no grant.
func (s *Store) PlayerSpins(ctx context.Context, playerID, before int64, limit int) ([]models.AttributedSpin, error) {
	condition, args := " WHERE e.player_id = ?", []any{playerID}
	if before != 0 {
		condition, args = condition+" AND e.seq < ?", append(args, before)
	}
	return s.attributedSpins(ctx, condition+" ORDER BY e.seq DESC LIMIT ?", append(args, limit)...)
}

// TransactionSpins returns a transaction's lines in the free-spin ledger, including those of its rollback, in order.
func (s *Store) TransactionSpins(ctx context.Context, t models.Transaction) ([]models.AttributedSpin, error) {
	return s.attributedSpins(ctx, " WHERE e.at_us IN ? AND e.player_id = ? AND e.transaction_id = ? ORDER BY e.seq",
		players.TimesOf(t), t.PlayerID, t.TransactionID)
}

func (s *Store) attributedSpins(ctx context.Context, condition string, args ...any) ([]models.AttributedSpin, error) {
	var list []models.AttributedSpin
	if err := s.db.Read.WithContext(ctx).Raw(selectAttributedSpins+condition, args...).Scan(&list).Error; err != nil {
		return nil, fmt.Errorf("list free spins: %w", err)
	}
	return list, nil
}
