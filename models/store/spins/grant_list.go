package spins

import (
	"context"

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
	return db.One[models.Grant](q)
}

// Grant returns the grant with this internal ID, or false if there is none.
func (s *Store) Grant(ctx context.Context, id int64) (models.Grant, bool, error) {
	return oneGrant(SelectGrants(s.db.Read.WithContext(ctx)).Where("t.id = ?", id))
}

// Grants returns a page of the grants that f selects, newest first.
func (s *Store) Grants(ctx context.Context, f models.GrantFilter) (models.Page[models.Grant], error) {
	var paths []db.Path // each state has its own part of the index
	passing := true     // few grants are in such a state
	for _, state := range f.States {
		paths = append(paths, db.Path{Index: "grants_state", Where: "t.state = ?", Args: []any{state}})
		passing = passing && state != models.GrantCompleted && state != models.GrantExpired
	}
	inState := func(set bool) db.Filter {
		return db.Along(set && len(f.States) > 0, paths, "t.state IN ?", db.Ints(f.States))
	}
	const usedUp = "(t.used >= t.spins OR t.ours >= t.spins AND (t.used = ? OR t.apart < ?))" // Grant.UsedSpins
	list := db.List{Table: "grants t", Index: "grants_at", At: "t.at_us", ID: "t.id", Span: f.Span, Filters: []db.Filter{
		db.If(f.PlayerID != 0, "grants_player", "t.player_id = ?", f.PlayerID),
		db.If(f.Disagreeing, "grants_apart", "t.apart >= ?", models.ApartForLong),
		db.If(f.Unresolved, "grants_state", "t.state = ? AND t.resolution = ?", models.GrantUnknown, models.Unresolved),
		inState(passing),
		db.If(f.CampaignID != 0, "grants_list_campaign", "t.campaign_id = ?", f.CampaignID),
		db.If(f.Actor != "", "grants_list_actor", "t.actor = ?", f.Actor),
		db.If(f.GameID != 0, "grants_game", "t.game_id = ?", f.GameID),
		inState(!passing),
		db.If(f.UsedUp, "", "(t.state <> ? OR "+usedUp+")", models.GrantActive, models.NoCount, models.ApartForLong),
		db.If(f.SpinsLeft && !f.UsedUp, "", "(t.state <> ? OR NOT "+usedUp+")", models.GrantActive, models.NoCount, models.ApartForLong),
		db.If(f.Unused, "", "t.used <= 0 AND t.ours = 0"),
		db.If(f.Played, "", "(t.used > 0 OR t.ours > 0)"),
		db.If(f.SpinsFrom != 0, "", "t.spins >= ?", f.SpinsFrom),
		db.If(f.SpinsTo != 0, "", "t.spins <= ?", f.SpinsTo),
		db.If(f.Won, "", s.hasWon(), spinWinsArgs(gorm.Expr("(t.id)"))...),
		db.If(f.NotWon, "", "NOT "+s.hasWon(), spinWinsArgs(gorm.Expr("(t.id)"))...),
		db.If(f.Currency != "", "", "(SELECT currency FROM wallets WHERE player_id = t.player_id) = ?", string(f.Currency)),
	}}
	return db.FindPage[models.Grant](s.db, SelectGrants(s.db.Read.WithContext(ctx)), list)
}

// CountUnresolvedGrants counts the grants of unknown outcome that a person has to resolve.
func (s *Store) CountUnresolvedGrants(ctx context.Context) (n int64, err error) {
	err = s.db.Read.WithContext(ctx).Model(&models.Grant{}).
		Where("state = ? AND resolution = ?", models.GrantUnknown, models.Unresolved).Count(&n).Error
	return n, err
}
