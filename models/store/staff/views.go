package staff

import (
	"context"
	"fmt"
	"strconv"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// SaveView stores a list's filters under a name. A shared view is recorded in the audit log, since others will use it.
func (s *Store) SaveView(ctx context.Context, actor models.Actor, v models.SavedView) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		v.ID, v.CreatedAt = 0, s.db.Now()
		if err := tx.Create(&v).Error; err != nil {
			return fmt.Errorf("write view: %w", err)
		}
		if !v.Shared {
			return nil
		}
		return s.db.Record(tx, models.AuditEvent{
			Actor: actor, Action: "view shared", Object: "view", ObjectID: strconv.FormatInt(v.ID, 10),
			After: db.JsonText(map[string]string{"page": v.Page, "name": v.Name, "query": v.Query}),
		})
	})
}

// Views lists the views of a page that a staff member may use, by name: their own and the shared ones.
func (s *Store) Views(ctx context.Context, page string, staffID int64) ([]models.SavedView, error) {
	var views []models.SavedView
	err := s.db.Read.WithContext(ctx).
		Raw(`SELECT v.id, v.staff_id, v.created_at_us, v.page, v.name, v.query, v.shared, s.username AS owner
			FROM saved_views v JOIN staff s ON s.id = v.staff_id
		WHERE v.page = ? AND (v.staff_id = ? OR v.shared = 1) ORDER BY v.name, v.id LIMIT 100`, page, staffID).Scan(&views).
		Error
	if err != nil {
		return nil, fmt.Errorf("list views: %w", err)
	}
	return views, nil
}

// DeleteView deletes one of somebody's own views, and reports whether there was one.
func (s *Store) DeleteView(ctx context.Context, staffID, id int64) (bool, error) {
	done := s.db.Write.WithContext(ctx).Where("id = ? AND staff_id = ?", id, staffID).Delete(&models.SavedView{})
	if done.Error != nil {
		return false, fmt.Errorf("delete view: %w", done.Error)
	}
	return done.RowsAffected == 1, nil
}
