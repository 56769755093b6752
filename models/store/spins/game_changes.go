package spins

import (
	"context"
	"slices"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/players"
)

// logGameChanges logs which games a synchronization has added, changed or removed. It reads the added games back, because the
// database numbers them.
func (s *Store) logGameChanges(tx *gorm.DB, sync int64, now time.Time, changes []models.GameChange) error {
	if err := tx.Exec("INSERT INTO game_changes (at_us, sync_id, game, kind, name, former_name) SELECT ?, ?, id, ?, name, "+
		"'' FROM games WHERE added_sync = ? ORDER BY id",
		db.Micros(now), sync, models.GameAppeared, sync).Error; err != nil {
		return err
	}
	for chunk := range slices.Chunk(changes, players.ImportChunk) {
		if err := tx.Create(&chunk).Error; err != nil {
			return err
		}
	}
	return nil
}

// GameChanges returns a page of when games were added or removed, newest first.
func (s *Store) GameChanges(ctx context.Context, f models.GameChangeFilter) (models.Page[models.GameChange], error) {
	list := db.List{Table: "game_changes", Index: "game_changes_at", At: "at_us", ID: "id", Span: f.Span, Filters: []db.Filter{
		db.If(f.Game != 0, "game_changes_game", "game = ?", f.Game), db.If(f.Kind != 0, "game_changes_kind", "kind = ?", f.Kind)}}
	page, err := db.FindPage[models.GameChange](s.db, s.db.Read.WithContext(ctx), list)
	if err != nil {
		return page, err
	}
	numbers := make([]int64, len(page.Rows))
	for i, r := range page.Rows {
		numbers[i] = r.GameNumber
	}
	games := map[int64]models.Game{}
	for chunk := range slices.Chunk(numbers, players.ImportChunk) {
		found, err := db.Find[models.Game](s.db.Read.WithContext(ctx).Select("id", "game_id", "provider").Where("id IN ?", chunk))
		if err != nil {
			return page, err
		}
		for _, g := range found {
			games[g.ID] = g
		}
	}
	for i := range page.Rows {
		g := games[page.Rows[i].GameNumber]
		page.Rows[i].GameID, page.Rows[i].Provider = g.GameID, g.Provider
	}
	return page, nil
}
