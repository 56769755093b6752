package staff

import (
	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// EndAccess ends all sessions and voids all one-time links.
func (s *Store) EndAccess(tx *gorm.DB, by models.Actor) error {
	if err := tx.Exec("DELETE FROM staff_sessions").Error; err != nil {
		return err
	}
	linked, err := db.All[int64](tx, "SELECT staff_id FROM staff_links ORDER BY staff_id")
	if err != nil {
		return err
	}
	for _, id := range linked {
		if _, err := db.Locked[models.Staff](s.db, tx, id, models.ErrStaffUnknown); err != nil {
			return err
		}
		if err := dropLink(tx, id); err != nil {
			return err
		}
		if err := s.db.Record(tx, models.AuditEvent{
			Actor: by, Action: "staff password link voided", Object: "staff", ObjectID: db.Numbered(id),
			Reason: "A backup of the database was restored",
		}); err != nil {
			return err
		}
	}
	return nil
}
