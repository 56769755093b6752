package spins

import (
	"context"
	"fmt"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/players"
)

const selectAttributedSpins = "SELECT " + spinColumns + `, a.grant_id, a.rule FROM spin_entries e
	LEFT JOIN spin_attributions a ON a.player_id = e.player_id AND a.seq = e.seq`

// PlayerSpins returns a page of a player's free-spin ledger, newest line first, with the grants that the lines are attributed
// to. A line that has not been attributed yet has no grant.
func (s *Store) PlayerSpins(ctx context.Context, playerID int64, span models.Span) (models.Page[models.AttributedSpin], error) {
	at := span.Page
	condition, args := " WHERE e.player_id = ?", []any{playerID}
	order := " ORDER BY e.seq DESC LIMIT ?"
	switch {
	case at.Newer:
		condition, args, order = condition+" AND e.seq > ?", append(args, at.ID), " ORDER BY e.seq LIMIT ?"
	case !at.IsZero():
		condition, args = condition+" AND e.seq < ?", append(args, at.ID)
	}
	list, err := s.attributedSpins(ctx, condition+order, append(args, span.Limit+1)...)
	return db.PageOf(list, span), err
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
