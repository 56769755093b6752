package spins

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// SelectGrants selects grants t with their players and games.
func SelectGrants(db *gorm.DB) *gorm.DB {
	return db.Table("grants t").Joins("JOIN players p ON p.id = t.player_id").
		Joins("JOIN wallets w ON w.player_id = t.player_id").
		Joins("JOIN games g ON g.id = t.game_id").
		Select("t.*, p.user_id, w.currency, g.game_id AS game_platform_id, g.name AS game_name")
}

// mustGrant reads a grant that was just written, from the connections that wrote it.
func (s *Store) mustGrant(ctx context.Context, id int64) (models.Grant, error) {
	g, found, err := oneGrant(SelectGrants(s.db.Write.WithContext(ctx)).Where("t.id = ?", id))
	if err == nil && !found {
		err = models.ErrGrantUnknown
	}
	return g, err
}

func oneGrant(q *gorm.DB) (models.Grant, bool, error) {
	return db.One[models.Grant](q, "read grant")
}

// Grant returns the grant with this internal ID, or false if there is none.
func (s *Store) Grant(ctx context.Context, id int64) (models.Grant, bool, error) {
	return oneGrant(SelectGrants(s.db.Read.WithContext(ctx)).Where("t.id = ?", id))
}

// Grants returns a page of the grants that f selects, newest first.
func (s *Store) Grants(ctx context.Context, f models.GrantFilter) (page models.Page[models.Grant], err error) {
	states := f.States
	if len(states) == 0 {
		states = []models.GrantState{0}
	}
	var rows []models.Grant
	for _, state := range states { // each has its own part of the index
		some, err := s.grantsIn(ctx, f, state)
		if err != nil {
			return page, fmt.Errorf("list grants: %w", err)
		}
		rows = append(rows, some...)
	}
	slices.SortFunc(rows, func(a, b models.Grant) int {
		order := cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID))
		if f.Page.Newer {
			return order
		}
		return -order
	})
	return db.PageOf(rows, f.Span), nil
}

// grantsIn returns a page's grants in a state, or in any state for 0.
func (s *Store) grantsIn(ctx context.Context, f models.GrantFilter, state models.GrantState) (rows []models.Grant, err error) {
	passing := state != 0 && state != models.GrantCompleted && state != models.GrantExpired   // few grants are in such a state
	const usedUp = "(t.used >= t.spins OR t.ours >= t.spins AND (t.used = ? OR t.apart < ?))" // Grant.UsedSpins
	active := state == models.GrantActive
	order := db.Order{Table: "grants t", At: "t.at_us", ID: "t.id", Index: "grants_at"}
	err = s.db.List(SelectGrants(s.db.Read.WithContext(ctx)), order, f.Span,
		db.If(f.PlayerID != 0, "grants_player", "t.player_id = ?", f.PlayerID),
		db.If(f.Disagreeing, "grants_apart", "t.apart >= ?", models.ApartForLong),
		db.If(f.Unresolved, "grants_state", "t.state = ? AND t.resolution = ?", models.GrantUnknown, models.Unresolved),
		db.If(passing, "grants_state", ""),
		db.If(f.CampaignID != 0, "grants_list_campaign", "t.campaign_id = ?", f.CampaignID),
		db.If(f.Actor != "", "grants_list_actor", "t.actor = ?", f.Actor),
		db.If(f.GameID != 0, "grants_game", "t.game_id = ?", f.GameID),
		db.If(state != 0, "grants_state", "t.state = ?", state),
		db.If(active && f.UsedUp, "", usedUp, models.NoCount, models.ApartForLong),
		db.If(active && f.SpinsLeft && !f.UsedUp, "", "NOT "+usedUp, models.NoCount, models.ApartForLong),
		db.If(f.Unused, "", "t.used <= 0 AND t.ours = 0"),
		db.If(f.Played, "", "(t.used > 0 OR t.ours > 0)"),
		db.If(f.SpinsFrom != 0, "", "t.spins >= ?", f.SpinsFrom),
		db.If(f.SpinsTo != 0, "", "t.spins <= ?", f.SpinsTo),
		db.If(f.Won, "", s.hasWon(), spinWinsArgs(gorm.Expr("(t.id)"))...),
		db.If(f.NotWon, "", "NOT "+s.hasWon(), spinWinsArgs(gorm.Expr("(t.id)"))...),
		db.If(f.Currency != "", "", "w.currency = ?", string(f.Currency))).Scan(&rows).Error
	return rows, err
}

// CountUnresolvedGrants counts the grants of unknown outcome that a person has to resolve.
func (s *Store) CountUnresolvedGrants(ctx context.Context) (n int64, err error) {
	err = s.db.Read.WithContext(ctx).Model(&models.Grant{}).
		Where("state = ? AND resolution = ?", models.GrantUnknown, models.Unresolved).Count(&n).Error
	if err != nil {
		return 0, fmt.Errorf("count grants of unknown outcome: %w", err)
	}
	return n, nil
}
