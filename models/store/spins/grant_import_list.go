package spins

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// GrantImport returns an import with its counts, or false if there is none.
func (s *Store) GrantImport(ctx context.Context, id int64) (models.GrantImport, bool, error) {
	return db.First(s.grantImports(ctx, s.db.Write.WithContext(ctx).Where("id = ?", id)))
}

// GrantImportOf returns the newest import of a file with this digest, or false if there is none.
func (s *Store) GrantImportOf(ctx context.Context, digest string) (models.GrantImport, bool, error) {
	q := s.db.Read.WithContext(ctx).Where("digest = ? AND state <> ?", digest, uint8(models.JobDeclined))
	return db.First(s.grantImports(ctx, q.Order("at_us DESC, id DESC").Limit(1)))
}

// GrantImports returns a page of the imports that f selects, newest first.
func (s *Store) GrantImports(ctx context.Context, f models.ImportFilter) (models.Page[models.GrantImport], error) {
	order := db.Order{Table: "grant_imports", At: "at_us", ID: "id", Index: "grant_imports_at"}
	list, err := s.grantImports(ctx, s.db.List(s.db.Read.WithContext(ctx), order, f.Span,
		db.If(f.State != 0, "grant_imports_state", "state = ?", f.State)))
	return db.PageOf(list, f.Span), err
}

func (s *Store) grantImports(ctx context.Context, q *gorm.DB) ([]models.GrantImport, error) {
	var list []models.GrantImport
	if err := q.Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read imports: %w", err)
	}
	at := map[int64]*models.GrantImport{}
	ids := make([]int64, len(list))
	for i := range list {
		ids[i], at[list[i].ID] = list[i].ID, &list[i]
	}
	if len(ids) == 0 {
		return list, nil
	}
	var counts []struct {
		ImportID int64
		State    models.GrantState
		Refused  bool
		N, Spins int64
	}
	err := s.db.Write.WithContext(ctx).
		Raw(`SELECT l.import_id, COALESCE(t.state, 0) AS state, l.refused_at_us > 0 AS refused, COUNT(*) AS n,
			SUM(l.spins) AS spins
		FROM grant_import_rows l LEFT JOIN grants t ON t.id = l.grant_id AND l.grant_id > 0 WHERE l.import_id IN ? GROUP BY 1,
		2, 3`, ids).Scan(&counts).Error
	if err != nil {
		return nil, fmt.Errorf("count lines: %w", err)
	}
	for _, c := range counts {
		imp := at[c.ImportID]
		count := &imp.ToGo
		switch state := c.State; {
		case c.Refused || state == models.GrantRefused:
			count = &imp.Refused
		case state.Granted():
			count = &imp.Granted
		case state == models.GrantUnknown:
			count = &imp.Unknown
		}
		count.Lines += c.N
		count.Spins += c.Spins
	}
	return list, nil
}

// ImportLines returns a page of the lines that f selects, in their order.
func (s *Store) ImportLines(ctx context.Context,
	f models.ImportLineFilter) (page models.Page[models.ImportLine], err error) {
	q := s.db.Write.WithContext(ctx).Table("grant_import_rows l").Joins("JOIN players p ON p.id = l.player_id").
		Joins("JOIN games g ON g.id = l.game_id").
		Joins("LEFT JOIN grants t ON t.id = l.grant_id AND l.grant_id > 0").
		Select("l.*, p.user_id, g.game_id AS platform_game_id, COALESCE(t.state, 0) AS state, t.free_spin_id, "+
			"COALESCE(t.message, '') AS outcome, COALESCE(t.at_us, 0) AS at_us").
		Where("l.import_id = ?", f.ImportID).Limit(f.Limit + 1)
	if f.Last {
		toGo, err := s.firstToGo(ctx, f.ImportID)
		if err != nil {
			return page, err
		}
		q = q.Where("l.line < ?", toGo).Order("l.line DESC")
	} else {
		q = q.Where("l.line > ?", f.Page.ID).Order("l.line")
	}
	switch {
	case f.ToGo:
		q = q.Where("l.refused_at_us = 0 AND (l.grant_id = 0 OR t.state = ?)", models.GrantRequested)
	case f.State == models.GrantActive:
		q = q.Where("t.state IN ?", []int{int(models.GrantActive), int(models.GrantCompleted), int(models.GrantExpired)})
	case f.State == models.GrantRefused:
		q = q.Where("(l.refused_at_us > 0 OR t.state = ?)", models.GrantRefused)
	case f.State != 0:
		q = q.Where("t.state = ?", f.State)
	}
	var rows []struct {
		Row            UploadedLine `gorm:"embedded"`
		UserID         models.UserID
		PlatformGameID models.GameID
		State          models.GrantState
		FreeSpinID     models.FreeSpinID
		Outcome        string
		At             time.Time `gorm:"column:at_us;serializer:micros"`
	}
	if err := q.Scan(&rows).Error; err != nil {
		return page, fmt.Errorf("list lines: %w", err)
	}
	list := make([]models.ImportLine, len(rows))
	for i, r := range rows {
		list[i] = models.ImportLine{
			GrantLine: models.GrantLine{Line: r.Row.Line, UserID: r.UserID, GameID: r.PlatformGameID, Spins: r.Row.Spins},
			PlayerID:  r.Row.PlayerID, GameNumber: r.Row.GameID, GrantID: r.Row.GrantID, State: r.State,
			FreeSpinID: r.FreeSpinID, Message: r.Outcome, At: r.At,
		}
		if !r.Row.RefusedAt.IsZero() {
			list[i].State, list[i].Message, list[i].At = models.GrantRefused, r.Row.Message, r.Row.RefusedAt
		}
	}
	return db.PageOf(list, f.Span), nil
}
