package spins

import (
	"context"
	"fmt"
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
		return fmt.Errorf("log new games: %w", err)
	}
	for chunk := range slices.Chunk(changes, players.ImportChunk) {
		if err := tx.Create(&chunk).Error; err != nil {
			return fmt.Errorf("log changes of games: %w", err)
		}
	}
	return nil
}

// GameChanges lists when games were added or removed, newest first, and reports whether there are more.
func (s *Store) GameChanges(ctx context.Context, f models.GameChangeFilter) ([]models.GameChange, bool, error) {
	q := s.db.Along(db.Keyset(s.db.Read.WithContext(ctx), "at_us", "id", f.Page, f.Limit), "game_changes", "game_changes_at",
		db.By{Asked: f.Game != 0, Index: "game_changes_game"}, db.By{Asked: f.Kind != 0, Index: "game_changes_kind"})
	if f.Game != 0 {
		q = q.Where("game = ?", f.Game)
	}
	if f.Kind != 0 {
		q = q.Where("kind = ?", f.Kind)
	}
	if !f.Since.IsZero() {
		q = q.Where("at_us >= ?", db.Micros(f.Since))
	}
	if !f.Until.IsZero() {
		q = q.Where("at_us < ?", db.Micros(f.Until))
	}
	var rows []models.GameChange
	if err := q.Find(&rows).Error; err != nil {
		return nil, false, fmt.Errorf("list changes of games: %w", err)
	}
	rows, more := db.InOrder(rows, f.Page, f.Limit)
	numbers := make([]int64, len(rows))
	for i, r := range rows {
		numbers[i] = r.GameNumber
	}
	games := map[int64]models.Game{}
	for chunk := range slices.Chunk(numbers, players.ImportChunk) {
		var found []models.Game
		if err := s.db.Read.WithContext(ctx).Select("id", "game_id", "provider").Where("id IN ?", chunk).Find(&found).
			Error; err != nil {
			return nil, false, fmt.Errorf("read the games of changes: %w", err)
		}
		for _, g := range found {
			games[g.ID] = g
		}
	}
	for i := range rows {
		g := games[rows[i].GameNumber]
		rows[i].GameID, rows[i].Provider = g.GameID, g.Provider
	}
	return rows, more, nil
}
