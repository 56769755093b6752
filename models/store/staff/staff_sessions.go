package staff

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// CreateStaffSession adds a session and deletes expired ones. of is the account when its owner was authenticated. It returns
// models.ErrSessionEnded if the account has been reset, disabled or given another role since, or a models.TamperedError.
func (s *Store) CreateStaffSession(ctx context.Context, session models.StaffSession, of models.Staff) error {
	now := s.db.Now()
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		account, err := db.Locked[models.Staff](s.db, tx, session.StaffID, models.ErrSessionEnded)
		if err != nil {
			return err
		}
		if !account.SignsInAs(of) {
			return models.ErrSessionEnded
		}
		if s.db.Galera() {
			// The lock is on this node only. A reset on another node writes the account's row. Writing it here too makes the
			// two conflict.
			if err := tx.Model(&models.Staff{}).Where("id = ?", session.StaffID).Update("signed_in_at_us", db.Micros(now)).
				Error; err != nil {
				return err
			}
		}
		if err := tx.Where("expires_at_us < ?", db.Micros(now)).Delete(&models.StaffSession{}).Error; err != nil {
			return err
		}
		row := session
		row.ID, row.SeenAt = 0, now
		return tx.Create(&row).Error
	})
}

// StaffSession returns the session with this hash and its owner, or false if there is none. The caller decides whether it may
// still be used. It returns a models.TamperedError if the account differs from the audit log.
func (s *Store) StaffSession(ctx context.Context, hash string) (models.StaffSession, models.Staff, bool, error) {
	row, found, err := db.First(db.All[models.StaffSession](s.db.Read.WithContext(ctx),
		"SELECT * FROM staff_sessions WHERE id_hash = ?", hash))
	if err != nil || !found {
		return models.StaffSession{}, models.Staff{}, false, err
	}
	owner, found, err := s.Staff(ctx, row.StaffID)
	if err != nil || !found {
		return models.StaffSession{}, models.Staff{}, false, err
	}
	return row, owner, true, nil
}

// SaveStaffSession replaces the data and MAC of a session. It reports false if there is no such session, so that a session
// revoked in the meantime stays revoked.
func (s *Store) SaveStaffSession(ctx context.Context, hash, data, mac string) (bool, error) {
	done := s.db.Write.WithContext(ctx).Model(&models.StaffSession{}).Where("id_hash = ?", hash).
		Updates(map[string]any{"data": data, "mac": mac})
	if done.Error != nil {
		return false, done.Error
	}
	return done.RowsAffected == 1, nil
}

// SeeStaffSession stores when the session's owner made their last request.
func (s *Store) SeeStaffSession(ctx context.Context, hash string, at time.Time) error {
	return s.db.Write.WithContext(ctx).Model(&models.StaffSession{}).Where("id_hash = ?", hash).Update("seen_at_us",
		db.Micros(at)).Error
}

// BeginForm records a form, identified by a hash, as the last one that a session has sent, and returns true. If it already is
// the last one, BeginForm returns false and the address that its answer led to, empty until there is an answer.
func (s *Store) BeginForm(ctx context.Context, session, form string) (first bool, ledTo string, err error) {
	err = s.db.Change(ctx, func(tx *gorm.DB) error {
		done := tx.Model(&models.StaffSession{}).Where("id_hash = ? AND form <> ?", session, form).
			Updates(map[string]any{"form": form, "form_led_to": ""})
		if first = done.RowsAffected == 1; first || done.Error != nil {
			return done.Error
		}
		led, err := db.Find[string](tx.Model(&models.StaffSession{}).Where("id_hash = ?", session).Select("form_led_to"))
		if first = len(led) == 0; !first { // without a row, the session has just ended
			ledTo = led[0]
		}
		return err
	})
	return first, ledTo, err
}

// EndForm stores the address that the answer to a session's last form led to. Without an address, the form may be sent again.
func (s *Store) EndForm(ctx context.Context, session, form, ledTo string) error {
	values := map[string]any{"form_led_to": ledTo}
	if ledTo == "" {
		values["form"] = ""
	}
	return s.db.Write.WithContext(ctx).Model(&models.StaffSession{}).Where("id_hash = ? AND form = ?", session, form).
		Updates(values).Error
}

// EndStaffSession ends the session with this hash, if there is one.
func (s *Store) EndStaffSession(ctx context.Context, hash string) error {
	return s.db.Write.WithContext(ctx).Where("id_hash = ?", hash).Delete(&models.StaffSession{}).Error
}

// EndAlteredSession ends a session whose row does not match its MAC, and records that: somebody has changed the row in the
// database.
func (s *Store) EndAlteredSession(ctx context.Context, row models.StaffSession) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		if err := tx.Where("id_hash = ?", row.Hash).Delete(&models.StaffSession{}).Error; err != nil {
			return err
		}
		return s.db.Record(tx, models.AuditEvent{
			Actor: models.System, Action: "staff session refused", Object: "staff", ObjectID: db.Numbered(row.StaffID),
			Reason: "Its row was changed in the database, or is from before an update.",
		})
	})
}

// StaffSessions lists the sessions of a member of staff, or of everybody if staffID is 0, most recently used first. It leaves
// out those that the sign-in rules have ended, whose rows stay until somebody signs in or opens the browser again.
func (s *Store) StaffSessions(ctx context.Context, staffID int64) ([]models.StaffSession, error) {
	rules, err := s.SignInRules(ctx)
	if err != nil {
		return nil, err
	}
	now := s.db.Now()
	return db.All[models.StaffSession](s.db.Read.WithContext(ctx), `SELECT s.*, t.username, t.name, t.role
		FROM staff_sessions s JOIN staff t ON t.id = s.staff_id
		WHERE (? = 0 OR s.staff_id = ?) AND s.expires_at_us >= ? AND s.seen_at_us >= ? AND s.created_at_us >= ? AND t.disabled = 0
		ORDER BY s.seen_at_us DESC, s.id DESC`, staffID, staffID, db.Micros(now),
		db.Micros(now.Add(-time.Duration(rules.IdleMinutes)*time.Minute)),
		db.Micros(now.Add(-time.Duration(rules.SessionHours)*time.Hour)))
}

// RevokeStaffSessions ends all of somebody's sessions except the one with the hash keep.
func (s *Store) RevokeStaffSessions(ctx context.Context, actor models.Actor, staffID int64, keep string) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		if err := endSessions(tx, staffID, keep); err != nil {
			return err
		}
		return s.db.Record(tx, models.AuditEvent{
			Actor: actor, Action: "staff sessions revoked", Object: "staff", ObjectID: db.Numbered(staffID),
		})
	})
}

// needSession returns models.ErrSessionEnded unless somebody has a session with this hash. Changes that owners make to their
// own accounts need it: a reset of the account ends the session, and a request that was already running must not undo the
// reset.
func (s *Store) needSession(tx *gorm.DB, staffID int64, hash string) error {
	ids, err := db.Find[int64](s.db.Locking(tx).Model(&models.StaffSession{}).Where("staff_id = ? AND id_hash = ?", staffID,
		hash).Select("id"))
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		return models.ErrSessionEnded
	}
	return nil
}

func endSessions(tx *gorm.DB, staffID int64, keep string) error {
	return tx.Where("staff_id = ? AND id_hash <> ?", staffID, keep).Delete(&models.StaffSession{}).Error
}

// NoteSignIn records a sign-in under an action, and remembers the browser and the address. It returns a models.TamperedError if
// the account differs from the audit log.
func (s *Store) NoteSignIn(ctx context.Context, actor models.Actor, action string, staffID int64, device string) error {
	now := db.Micros(s.db.Now())
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		if err := tx.Model(&models.Staff{}).Where("id = ?", staffID).Update("signed_in_at_us", now).Error; err != nil {
			return err
		}
		if _, _, err := db.Load[models.Staff](s.db, tx, staffID); err != nil {
			return err
		}
		if err := s.rememberDevice(tx, staffID, device, actor.Address); err != nil {
			return err
		}
		return s.db.Record(tx, models.AuditEvent{
			Actor: actor, Action: action, Object: "staff", ObjectID: db.Numbered(staffID),
		})
	})
}

// rememberDevice stores a browser and an address as somebody's own, so that strangers' failures do not lock them out.
func (s *Store) rememberDevice(tx *gorm.DB, staffID int64, device, address string) error {
	now := db.Micros(s.db.Now())
	long := now - models.KnownFor.Microseconds()
	if err := tx.Exec("DELETE FROM staff_devices WHERE staff_id = ? AND seen_at_us < ?", staffID, long).Error; err != nil {
		return err
	}
	upsert := "INSERT INTO staff_devices (staff_id, device_hash, address, seen_at_us) VALUES (?, ?, ?, ?)" +
		s.db.Dialect.OnConflict("staff_id, device_hash") + s.db.Dialect.Incoming("address") + ", " +
		s.db.Dialect.Incoming("seen_at_us")
	return tx.Exec(upsert, staffID, device, models.SignInOrigin(address), now).Error
}

// errWaiting rolls back the counting of a try that has to wait.
var errWaiting = errors.New("the sign-in has to wait")

// BeginSignIn counts a try to sign in, before it is made, and returns how long it has to wait. A try that has to wait is not
// counted. See models.SignInTry for the rules. counted is t with Known filled in.
//
// A try that has to wait is refused by reads alone, so that a flood of tries does not take the locks that callbacks need.
func (s *Store) BeginSignIn(ctx context.Context, t models.SignInTry) (wait time.Duration, counted models.SignInTry, err error) {
	now, read := s.db.Now(), s.db.Read.WithContext(ctx)
	if err := s.acquaint(read, &t, now); err != nil {
		return 0, t, err
	}
	for _, c := range t.Counters() {
		left, _, err := s.counted(read, c, now)
		if err != nil {
			return 0, t, err
		}
		wait = max(wait, left)
	}
	if wait > 0 {
		return wait, t, nil
	}
	err = s.db.Change(ctx, func(tx *gorm.DB) error {
		old := db.Micros(now.Add(-24 * models.SignInForgotten))
		if err := tx.Exec("DELETE FROM sign_in_counters WHERE last_at_us < ?", old).Error; err != nil {
			return err
		}
		wait = 0
		for _, c := range t.Counters() {
			left, err := s.count(tx, c, now)
			if err != nil {
				return err
			}
			wait = max(wait, left)
		}
		if wait > 0 {
			return errWaiting
		}
		return nil
	})
	if errors.Is(err, errWaiting) {
		err = nil
	}
	return wait, t, err
}

// acquaint sets t.Known: whether the account was used from this device or address before.
func (s *Store) acquaint(tx *gorm.DB, t *models.SignInTry, now time.Time) error {
	t.Known = models.Stranger
	var rows []struct{ DeviceHash, Address string }
	err := tx.Raw(`SELECT d.device_hash, d.address FROM staff_devices d JOIN staff s ON s.id = d.staff_id
		WHERE s.username = ? AND d.seen_at_us >= ? AND (d.device_hash = ? OR d.address = ?)`,
		t.Username, db.Micros(now.Add(-models.KnownFor)), t.Device, t.Address).Scan(&rows).Error
	if err != nil {
		return err
	}
	for _, r := range rows {
		if t.Device != "" && r.DeviceHash == t.Device {
			t.Known = models.KnownDevice
			return nil
		}
		t.Known = models.KnownAddress
	}
	return nil
}

// count adds a failure to a counter, or returns how long the try has to wait.
func (s *Store) count(tx *gorm.DB, c models.SignInCounter, now time.Time) (time.Duration, error) {
	lock := "INSERT INTO sign_in_counters (scope, username, origin, failures, last_at_us, until_us) VALUES (?, ?, ?, 0, ?, 0)" +
		s.db.Dialect.OnConflict("scope, username, origin") + "failures = failures + 0"
	if s.db.Dialect == db.SQLite {
		lock = "INSERT OR IGNORE INTO sign_in_counters (scope, username, origin, failures, last_at_us, until_us) " +
			"VALUES (?, ?, ?, 0, ?, 0)"
	}
	if err := tx.Exec(lock, c.Scope, c.Username, c.Origin, db.Micros(now)).Error; err != nil {
		return 0, err
	}
	left, failures, err := s.counted(tx, c, now)
	if err != nil || left > 0 {
		return left, err
	}
	failures++
	until := int64(0)
	if w := c.Wait(failures); w > 0 {
		until = db.Micros(now.Add(w))
	}
	err = tx.Exec("UPDATE sign_in_counters SET failures = ?, last_at_us = ?, until_us = ? WHERE scope = ? AND username = ? "+
		"AND origin = ?",
		failures, db.Micros(now), until, c.Scope, c.Username, c.Origin).Error
	return 0, err
}

// counted returns how long a try has to wait for a counter, and how many failures have not been forgotten.
func (s *Store) counted(q *gorm.DB, c models.SignInCounter, now time.Time) (left time.Duration, failures int, err error) {
	var row struct {
		Failures          int
		LastAtUs, UntilUs int64
	}
	err = q.Raw("SELECT failures, last_at_us, until_us FROM sign_in_counters WHERE scope = ? AND username = ? AND origin = ?",
		c.Scope, c.Username, c.Origin).Scan(&row).Error
	if err != nil {
		return 0, 0, err
	}
	if now.Sub(db.FromMicros(row.LastAtUs)) > models.SignInForgotten {
		row.Failures = 0
	}
	return max(db.FromMicros(row.UntilUs).Sub(now), 0), row.Failures, nil
}

// NoteSignInFailure records a wrong password or code, at sign-in or on a confirmation page. staffID is the account, or 0 for a
// name that nobody has. Such a name is not stored, because it may be a password that was typed into the wrong field. Whoever
// has to wait is not recorded again, so a guesser cannot fill the audit log.
func (s *Store) NoteSignInFailure(ctx context.Context, by models.Actor, staffID int64, action string) error {
	event := models.AuditEvent{Actor: by, Action: action, Object: "staff"}
	if staffID != 0 {
		event.ObjectID = db.Numbered(staffID)
	}
	return s.db.Change(ctx, func(tx *gorm.DB) error { return s.db.Record(tx, event) })
}

// SucceedSignIn takes back the tries that BeginSignIn counted, one for the password and one for a code, and clears the failures
// of this account from this origin. Failures of strangers, and of this address at other accounts, stay: signing in to one's own
// account must not clear those.
func (s *Store) SucceedSignIn(ctx context.Context, t models.SignInTry, tries int) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		for _, c := range t.Counters() {
			query, args := "DELETE FROM sign_in_counters WHERE", []any{}
			if c.Scope == "strangers" || c.Scope == "address" {
				query = "UPDATE sign_in_counters SET failures = CASE WHEN failures > ? THEN failures - ? ELSE 0 END, " +
					"until_us = 0 WHERE"
				args = []any{tries, tries}
			}
			if err := tx.Exec(query+" scope = ? AND username = ? AND origin = ?",
				append(args, c.Scope, c.Username, c.Origin)...).Error; err != nil {
				return err
			}
		}
		return nil
	})
}

// SignInLock returns how many sign-ins to an account have failed, and until when tries have to wait.
func (s *Store) SignInLock(ctx context.Context, username string) (models.SignInLock, error) {
	var row struct{ Failures, UntilUs int64 }
	err := s.db.Read.WithContext(ctx).Raw(
		"SELECT COALESCE(SUM(CASE WHEN scope <> 'strangers' THEN failures ELSE 0 END), 0) AS failures, "+
			"COALESCE(MAX(until_us), 0) AS until_us FROM sign_in_counters WHERE username = ? AND last_at_us >= ?",
		username, db.Micros(s.db.Now().Add(-models.SignInForgotten))).Scan(&row).Error
	if err != nil {
		return models.SignInLock{}, err
	}
	return models.SignInLock{Failures: int(row.Failures), Until: db.FromMicros(row.UntilUs)}, nil
}

// UnlockSignIn clears all failed sign-ins to an account. It returns models.ErrStaffUnknown.
func (s *Store) UnlockSignIn(ctx context.Context, actor models.Actor, staffID int64) error {
	return s.changeStaff(ctx, staffID, func(tx *gorm.DB, row *models.Staff) (*staffEvent, error) {
		if err := tx.Exec("DELETE FROM sign_in_counters WHERE username = ?", row.Username).Error; err != nil {
			return nil, err
		}
		return &staffEvent{by: actor, action: "staff unlocked"}, nil
	})
}
