package staff

import (
	"context"
	"fmt"
	"strconv"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

type savedViewRow struct {
	ID          int64
	StaffID     int64
	Page        string
	Name        string
	Query       string
	Shared      bool
	CreatedAtUs int64
}

// TableName names the table.
func (savedViewRow) TableName() string { return "saved_views" }

// SaveView keeps a list's filters under a name. A shared view is recorded in the audit log, since others will use it.
func (s *Store) SaveView(ctx context.Context, actor models.Actor, v models.SavedView) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		row := savedViewRow{StaffID: v.StaffID, Page: v.Page, Name: v.Name, Query: v.Query, Shared: v.Shared, CreatedAtUs: db.Micros(s.db.Now())}
		if err := tx.Create(&row).Error; err != nil {
			return fmt.Errorf("write view: %w", err)
		}
		if !v.Shared {
			return nil
		}
		return s.db.Record(tx, models.AuditEvent{
			Actor: actor, Action: "view shared", Object: "view", ObjectID: strconv.FormatInt(row.ID, 10), After: db.JsonText(map[string]string{"page": v.Page, "name": v.Name, "query": v.Query}),
		})
	})
}

// Views lists the views of a page that this member of staff may use: their own and the shared ones, by name.
func (s *Store) Views(ctx context.Context, page string, staffID int64) ([]models.SavedView, error) {
	var rows []struct {
		ID, StaffID, CreatedAtUs int64
		Page, Name, Query, Owner string
		Shared                   bool
	}
	err := s.db.Read.WithContext(ctx).Raw(`SELECT v.id, v.staff_id, v.created_at_us, v.page, v.name, v.query, v.shared, s.username AS owner FROM saved_views v JOIN staff s ON s.id = v.staff_id
		WHERE v.page = ? AND (v.staff_id = ? OR v.shared = 1) ORDER BY v.name, v.id LIMIT 100`, page, staffID).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("list views: %w", err)
	}
	views := make([]models.SavedView, len(rows))
	for i, r := range rows {
		views[i] = models.SavedView{
			ID: r.ID, StaffID: r.StaffID, Owner: r.Owner, Page: r.Page, Name: r.Name, Query: r.Query, Shared: r.Shared, CreatedAt: db.FromMicros(r.CreatedAtUs),
		}
	}
	return views, nil
}

// DeleteView deletes one of somebody's own views, and reports whether it was there.
func (s *Store) DeleteView(ctx context.Context, staffID, id int64) (bool, error) {
	done := s.db.Write.WithContext(ctx).Where("id = ? AND staff_id = ?", id, staffID).Delete(&savedViewRow{})
	if done.Error != nil {
		return false, fmt.Errorf("delete view: %w", done.Error)
	}
	return done.RowsAffected == 1, nil
}
