package spins

import (
	"context"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/players"
)

// PlayerSpins returns a page of a player's free-spin ledger, newest line first, with the grants that the lines are attributed
// to. A line that has not been attributed yet has no grant.
func (s *Store) PlayerSpins(ctx context.Context, playerID int64, span models.Span) (page models.Page[models.AttributedSpin], err error) {
	l := db.List{Table: "spin_entries e", ID: "e.seq", Span: span, Filters: []db.Filter{db.If(true, "", "e.player_id = ?", playerID)}}
	from, args, err := s.db.From(ctx, &l)
	if err != nil {
		return page, err
	}
	list, err := s.attributedSpins(ctx, from, " ORDER BY "+l.Order(), args...)
	return db.PageOf(list, l), err
}

// TransactionSpins returns a transaction's lines in the free-spin ledger, including those of its rollback, in order.
func (s *Store) TransactionSpins(ctx context.Context, t models.Transaction) ([]models.AttributedSpin, error) {
	return s.attributedSpins(ctx, "spin_entries e", " WHERE e.at_us IN ? AND e.player_id = ? AND e.transaction_id = ? ORDER BY e.seq",
		players.TimesOf(t), t.PlayerID, t.TransactionID)
}

func (s *Store) attributedSpins(ctx context.Context, from, rest string, args ...any) ([]models.AttributedSpin, error) {
	return db.All[models.AttributedSpin](s.db.Read.WithContext(ctx), "SELECT "+spinColumns+", a.grant_id, a.rule FROM "+
		from+" LEFT JOIN spin_attributions a ON a.player_id = e.player_id AND a.seq = e.seq"+rest, args...)
}
