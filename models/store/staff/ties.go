package staff

import (
	"fmt"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// tie records that an actor did something to somebody's account, which may then have to be confirmed. Acts of the system create
// no tie. An actor at the command line could be anybody, and is recorded as models.SomebodyAtTheCommandLine.
func (s *Store) tie(tx *gorm.DB, by models.Actor, on int64, act models.TieAct) error {
	if by.Channel == models.ChannelSystem {
		return nil
	}
	row := models.Tie{StaffID: on, ByID: models.SomebodyAtTheCommandLine, Act: act, At: s.db.Now()}
	if by.Channel == models.ChannelBrowser {
		var ids []int64
		if err := tx.Raw("SELECT id FROM staff WHERE username = ?", by.Name).Scan(&ids).Error; err != nil {
			return fmt.Errorf("read staff: %w", err)
		}
		if len(ids) == 1 {
			row.ByID = ids[0]
		}
	}
	if row.ByID == on {
		return nil
	}
	if err := tx.Create(&row).Error; err != nil {
		return fmt.Errorf("write tie: %w", err)
	}
	if !act.Confirmable() {
		return nil
	}
	unconfirmed := row.ID
	if by.Channel != models.ChannelBrowser {
		unconfirmed = 0
	}
	if err := tx.Exec("UPDATE staff SET unconfirmed_tie = ? WHERE id = ?", unconfirmed, on).Error; err != nil {
		return fmt.Errorf("write staff: %w", err)
	}
	return nil
}

// renewTie starts the period of the tie to the maker of somebody's latest link again when the link is used: a link may be valid
// for as long as the period, and its maker might be the one who uses it.
func (s *Store) renewTie(tx *gorm.DB, staffID int64) error {
	q := tx.Select("staff_id, by_id, act").Where("staff_id = ? AND act = ?", staffID, models.TieReset).Order("id DESC")
	row, found, err := db.One[models.Tie](q, "read tie")
	if err != nil || !found {
		return err
	}
	row.At = s.db.Now()
	if err := tx.Create(&row).Error; err != nil {
		return fmt.Errorf("write tie: %w", err)
	}
	return nil
}

// ProvenTies does what ReadTies does, for a decision. It first compares every account with the audit log, because a deleted tie
// leaves no row to check. It returns a models.TamperedError if an account does not match.
func (s *Store) ProvenTies(tx *gorm.DB) (models.Ties, error) {
	var ids []int64
	if err := tx.Raw("SELECT id FROM staff").Scan(&ids).Error; err != nil {
		return nil, fmt.Errorf("read staff: %w", err)
	}
	if _, err := db.LoadMany[models.Staff](s.db, tx, ids); err != nil {
		return nil, err
	}
	return s.ReadTies(tx)
}

// ReadTies returns the ties between members of staff because of which one may not approve the other's requests.
func (s *Store) ReadTies(tx *gorm.DB) (models.Ties, error) {
	const period = models.TieDays * 24 * time.Hour
	ties, err := readTies(tx, "t.at_us > ?", db.Micros(s.db.Now().Add(-period)))
	if err != nil {
		return nil, err
	}
	for i := range ties {
		ties[i].Until = ties[i].At.Add(period)
	}
	return ties, nil
}

// readTie returns the tie with this number, whether it still counts or not, or false if there is none.
func (s *Store) readTie(tx *gorm.DB, id int64) (models.Tie, bool, error) {
	ties, err := readTies(tx, "t.id = ?", id)
	if err != nil || len(ties) == 0 {
		return models.Tie{}, false, err
	}
	return ties[0], true, nil
}

func readTies(tx *gorm.DB, condition string, value int64) (ties models.Ties, err error) {
	err = tx.Raw(`SELECT t.*, COALESCE(a.name, 'somebody') AS staff, COALESCE(b.name, 'somebody') AS by_name FROM staff_ties t
		LEFT JOIN staff a ON a.id = t.staff_id LEFT JOIN staff b ON b.id = t.by_id WHERE `+condition+` ORDER BY t.at_us DESC,
		t.id DESC`, value).Scan(&ties).Error
	if err != nil {
		return nil, fmt.Errorf("read ties: %w", err)
	}
	return ties, nil
}
