package staff

import (
	"context"
	"errors"
	"strconv"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// SaveView stores a list's filters under a name. It returns models.ErrManyViews if their owner has too many. A shared view is
// recorded in the audit log, since others will use it.
func (s *Store) SaveView(ctx context.Context, actor models.Actor, v models.SavedView) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		_, err := db.Find[int64](s.db.Locking(tx).Model(&models.Staff{}).Where("id = ?", v.StaffID).Select("id"))
		if err != nil {
			return err
		}
		var views int64
		if err := tx.Model(&models.SavedView{}).Where("page = ? AND staff_id = ?", v.Page, v.StaffID).Count(&views).
			Error; err != nil {
			return err
		}
		if views >= models.MaxViews {
			return models.ErrManyViews
		}
		v.ID, v.CreatedAt = 0, s.db.Now()
		if err := tx.Create(&v).Error; err != nil {
			return err
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

// Views lists the views of a page that a staff member may use: their own, then those that colleagues share, each by name.
func (s *Store) Views(ctx context.Context, page string, staffID int64) ([]models.SavedView, error) {
	return db.All[models.SavedView](s.db.Read.WithContext(ctx),
		`SELECT v.id, v.staff_id, v.created_at_us, v.page, v.name, v.query, v.shared, s.username AS owner
			FROM saved_views v JOIN staff s ON s.id = v.staff_id
		WHERE v.page = ? AND (v.staff_id = ? OR v.shared = 1) ORDER BY v.staff_id = ? DESC, v.name, v.id LIMIT 100`,
		page, staffID, staffID)
}

// DeleteView deletes a view and reports whether there was one: one of the owner's, or anybody's if owner is 0. The end of a
// shared view is recorded in the audit log.
func (s *Store) DeleteView(ctx context.Context, actor models.Actor, owner, id int64) (there bool, err error) {
	err = s.db.Change(ctx, func(tx *gorm.DB) error {
		var v models.SavedView
		err := s.db.Locking(tx).Where("id = ? AND (staff_id = ? OR ? = 0 AND shared = 1)", id, owner, owner).Take(&v).Error
		if there = err == nil; errors.Is(err, gorm.ErrRecordNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := tx.Delete(&v).Error; err != nil {
			return err
		}
		if !v.Shared {
			return nil
		}
		return s.db.Record(tx, models.AuditEvent{
			Actor: actor, Action: "shared view deleted", Object: "view", ObjectID: strconv.FormatInt(v.ID, 10),
			Before: db.JsonText(map[string]string{"page": v.Page, "name": v.Name, "query": v.Query}),
		})
	})
	return there, err
}
