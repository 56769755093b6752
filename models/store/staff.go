package store

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"pitboss/models"
)

type staffRow struct {
	ID                 int64
	Username           string
	Name               string
	Role               string
	PasswordHash       string
	MustChangePassword bool
	TotpSecret         string
	TotpStep           int64
	Disabled           bool
	Zone               string
	Theme              string
	Density            string
	CreatedAtUs        int64
	PasswordSetAtUs    int64
	SignedInAtUs       int64
}

// TableName names the table.
func (staffRow) TableName() string { return "staff" }

func (r staffRow) staff() models.Staff {
	return models.Staff{
		ID: r.ID, Username: r.Username, Name: r.Name, Role: models.Role(r.Role), PasswordHash: r.PasswordHash,
		MustChangePassword: r.MustChangePassword, TOTPSecret: r.TotpSecret, TOTPStep: r.TotpStep, Disabled: r.Disabled,
		Profile:   models.Profile{Zone: r.Zone, Theme: r.Theme, Density: r.Density},
		CreatedAt: fromMicros(r.CreatedAtUs), PasswordSetAt: fromMicros(r.PasswordSetAtUs), SignedInAt: fromMicros(r.SignedInAtUs),
	}
}

// likeLiteral makes a text stand for itself in LIKE ... ESCAPE '!'.
var likeLiteral = strings.NewReplacer("!", "!!", "%", "!%", "_", "!_")

type recoveryCodeRow struct {
	ID       int64
	StaffID  int64
	CodeHash string
}

// TableName names the table.
func (recoveryCodeRow) TableName() string { return "staff_recovery_codes" }

// CreateStaff adds a member of staff, whose password was set by somebody else and has to be changed at the first sign-in unless
// staff.MustChangePassword is false. Without a profile it has models.DefaultProfile. It returns the row with its number, or
// models.ErrStaffExists.
func (s *Store) CreateStaff(ctx context.Context, actor models.Actor, staff models.Staff) (models.Staff, error) {
	now := micros(s.now())
	if staff.Profile == (models.Profile{}) {
		staff.Profile = models.DefaultProfile
	}
	var row staffRow
	err := s.change(ctx, func(tx *gorm.DB) error {
		row = staffRow{
			Username: staff.Username, Name: staff.Name, Role: string(staff.Role), PasswordHash: staff.PasswordHash,
			MustChangePassword: staff.MustChangePassword, Zone: staff.Profile.Zone, Theme: staff.Profile.Theme, Density: staff.Profile.Density,
			CreatedAtUs: now, PasswordSetAtUs: now,
		}
		if err := tx.Create(&row).Error; isDuplicate(err) {
			return models.ErrStaffExists
		} else if err != nil {
			return fmt.Errorf("write staff: %w", err)
		}
		s.begins(tx, "staff", numbered(row.ID))
		return s.recordStaff(tx, actor, row.ID, "staff created", "", jsonText(map[string]string{"username": row.Username, "name": row.Name, "role": row.Role}), "")
	})
	return row.staff(), err
}

func (s *Store) recordStaff(tx *gorm.DB, actor models.Actor, id int64, action, before, after, reason string) error {
	return s.record(tx, models.AuditEvent{Actor: actor, Action: action, Object: "staff", ObjectID: numbered(id), Before: before, After: after, Reason: reason})
}

// Staff returns the member of staff with this number, and false where there is none.
func (s *Store) Staff(ctx context.Context, id int64) (models.Staff, bool, error) {
	return s.oneStaff(s.read.WithContext(ctx).Where("id = ?", id))
}

// StaffNamed returns the member of staff with this username, and false where there is none.
func (s *Store) StaffNamed(ctx context.Context, username string) (models.Staff, bool, error) {
	return s.oneStaff(s.read.WithContext(ctx).Where("username = ?", ascii(username)))
}

func (s *Store) oneStaff(query *gorm.DB) (models.Staff, bool, error) {
	var row staffRow
	err := query.Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return models.Staff{}, false, nil
	}
	if err != nil {
		return models.Staff{}, false, fmt.Errorf("read staff: %w", err)
	}
	return row.staff(), true, nil
}

// ListStaff returns the members of staff that f selects, by username, and whether more follow.
func (s *Store) ListStaff(ctx context.Context, f models.StaffFilter) ([]models.Staff, bool, error) {
	query := s.read.WithContext(ctx).Order("username").Limit(f.Limit+1).Where("username > ?", ascii(f.After))
	if f.Text != "" {
		part := "%" + likeLiteral.Replace(f.Text) + "%"
		query = query.Where("(username LIKE ? ESCAPE '!' OR name LIKE ? ESCAPE '!')", ascii(part), part)
	}
	if f.Role != "" {
		query = query.Where("role = ?", ascii(string(f.Role)))
	}
	if f.State != "" {
		query = query.Where("disabled = ?", f.State == "disabled")
	}
	var rows []staffRow
	if err := query.Find(&rows).Error; err != nil {
		return nil, false, fmt.Errorf("list staff: %w", err)
	}
	more := len(rows) > f.Limit
	rows = rows[:min(len(rows), f.Limit)]
	list := make([]models.Staff, len(rows))
	for i, r := range rows {
		list[i] = r.staff()
	}
	return list, more, nil
}

// SetStaffRole gives another role and ends every session of the old one. Whoever gives out the right to move money does not take it for
// themselves. It returns models.ErrOwnRole, ErrLastAdmin or ErrStaffUnknown.
func (s *Store) SetStaffRole(ctx context.Context, actor models.Actor, id int64, role models.Role) error {
	return s.changeStaff(ctx, id, func(tx *gorm.DB, row *staffRow) error {
		if row.Role == string(role) {
			return nil
		}
		if row.Username == actor.Name {
			return models.ErrOwnRole
		}
		before := row.Role
		row.Role = string(role)
		if before == string(models.Administrator) && !row.Disabled {
			if err := keepAnAdmin(tx, s.dialect); err != nil {
				return err
			}
		}
		if err := endSessions(tx, id, ""); err != nil {
			return err
		}
		return s.recordStaff(tx, actor, id, "staff role changed", before, row.Role, "")
	})
}

// SetStaffDisabled keeps somebody out, and ends their sessions, or lets them in again. It returns models.ErrLastAdmin or
// ErrStaffUnknown.
func (s *Store) SetStaffDisabled(ctx context.Context, actor models.Actor, id int64, disabled bool, reason string) error {
	return s.changeStaff(ctx, id, func(tx *gorm.DB, row *staffRow) error {
		if row.Disabled == disabled {
			return nil
		}
		row.Disabled = disabled
		action := "staff enabled"
		if disabled {
			action = "staff disabled"
			if row.Role == string(models.Administrator) {
				if err := keepAnAdmin(tx, s.dialect); err != nil {
					return err
				}
			}
			if err := endSessions(tx, id, ""); err != nil {
				return err
			}
		}
		return s.recordStaff(tx, actor, id, action, "", "", reason)
	})
}

// SetStaffPassword keeps the hash of a new password and ends every session but the one whose hash is given; mustChange asks for
// another at the next sign-in. It returns models.ErrStaffUnknown.
func (s *Store) SetStaffPassword(ctx context.Context, actor models.Actor, id int64, hash string, mustChange bool, keep string) error {
	return s.changeStaff(ctx, id, func(tx *gorm.DB, row *staffRow) error {
		row.PasswordHash, row.MustChangePassword, row.PasswordSetAtUs = hash, mustChange, micros(s.now())
		if err := endSessions(tx, id, keep); err != nil {
			return err
		}
		action := "staff password changed"
		if mustChange {
			action = "staff password reset"
		}
		return s.recordStaff(tx, actor, id, action, "", "", "")
	})
}

// SetStaffTOTP sets up a second factor, its secret sealed, whose code for step was just given, with the hashes of its recovery codes,
// and ends every session but the one whose hash is given. It returns models.ErrStaffUnknown.
func (s *Store) SetStaffTOTP(ctx context.Context, actor models.Actor, id int64, sealed string, step int64, codes []string, keep string) error {
	return s.changeStaff(ctx, id, func(tx *gorm.DB, row *staffRow) error {
		row.TotpSecret, row.TotpStep = sealed, step
		if err := replaceRecoveryCodes(tx, id, codes); err != nil {
			return err
		}
		if err := endSessions(tx, id, keep); err != nil {
			return err
		}
		return s.recordStaff(tx, actor, id, "staff second factor set up", "", "", "")
	})
}

// SealStaffTOTP puts the sealed form of a secret in the place of the secret in the clear, and reports false where that does not stand
// there any more.
func (s *Store) SealStaffTOTP(ctx context.Context, actor models.Actor, id int64, secret, sealed string) (done bool, err error) {
	err = s.change(ctx, func(tx *gorm.DB) error {
		if _, err := s.lockStaff(tx, id); err != nil {
			return err
		}
		update := tx.Model(&staffRow{}).Where("id = ? AND totp_secret = ?", id, secret).Update("totp_secret", sealed)
		if update.Error != nil {
			return fmt.Errorf("seal second factor: %w", update.Error)
		}
		if done = update.RowsAffected == 1; !done {
			return nil
		}
		return s.recordStaff(tx, actor, id, "staff second factor encrypted", "", "", "")
	})
	return done, err
}

// ClearStaffTOTP takes the second factor and its recovery codes away and ends every session but the one whose hash is given. It
// returns models.ErrStaffUnknown.
func (s *Store) ClearStaffTOTP(ctx context.Context, actor models.Actor, id int64, keep string) error {
	return s.changeStaff(ctx, id, func(tx *gorm.DB, row *staffRow) error {
		row.TotpSecret, row.TotpStep = "", 0
		if err := replaceRecoveryCodes(tx, id, nil); err != nil {
			return err
		}
		if err := endSessions(tx, id, keep); err != nil {
			return err
		}
		return s.recordStaff(tx, actor, id, "staff second factor removed", "", "", "")
	})
}

// SetRecoveryCodes replaces the recovery codes, given as hashes.
func (s *Store) SetRecoveryCodes(ctx context.Context, actor models.Actor, id int64, codes []string) error {
	return s.change(ctx, func(tx *gorm.DB) error {
		if _, err := s.lockStaff(tx, id); err != nil {
			return err
		}
		if err := replaceRecoveryCodes(tx, id, codes); err != nil {
			return err
		}
		return s.recordStaff(tx, actor, id, "staff recovery codes replaced", "", "", "")
	})
}

func replaceRecoveryCodes(tx *gorm.DB, id int64, codes []string) error {
	if err := tx.Where("staff_id = ?", id).Delete(&recoveryCodeRow{}).Error; err != nil {
		return fmt.Errorf("delete recovery codes: %w", err)
	}
	for _, code := range codes {
		if err := tx.Create(&recoveryCodeRow{StaffID: id, CodeHash: code}).Error; err != nil {
			return fmt.Errorf("write recovery code: %w", err)
		}
	}
	return nil
}

// RecoveryCodesLeft counts the recovery codes that were not used yet.
func (s *Store) RecoveryCodesLeft(ctx context.Context, id int64) (int64, error) {
	var n int64
	if err := s.read.WithContext(ctx).Model(&recoveryCodeRow{}).Where("staff_id = ?", id).Count(&n).Error; err != nil {
		return 0, fmt.Errorf("count recovery codes: %w", err)
	}
	return n, nil
}

// UseRecoveryCode uses up the recovery code with this hash, and reports whether there was one.
func (s *Store) UseRecoveryCode(ctx context.Context, actor models.Actor, id int64, code string) (used bool, err error) {
	err = s.change(ctx, func(tx *gorm.DB) error {
		if _, err := s.lockStaff(tx, id); err != nil {
			return err
		}
		done := tx.Where("staff_id = ? AND code_hash = ?", id, code).Delete(&recoveryCodeRow{})
		if used = done.Error == nil && done.RowsAffected == 1; !used {
			return done.Error
		}
		return s.recordStaff(tx, actor, id, "staff recovery code used", "", "", "")
	})
	return used, err
}

// UseTOTPStep notes that the code of this 30-second step was used, and reports false when this or a later one had been: a code
// that was seen over a shoulder is worth nothing.
func (s *Store) UseTOTPStep(ctx context.Context, id, step int64) (bool, error) {
	done := s.db.WithContext(ctx).Model(&staffRow{}).Where("id = ? AND totp_step < ?", id, step).Update("totp_step", step)
	if done.Error != nil {
		return false, fmt.Errorf("use TOTP step: %w", done.Error)
	}
	return done.RowsAffected == 1, nil
}

// SetStaffProfile keeps how somebody likes pages to be. It is nobody else's business, and not audited.
func (s *Store) SetStaffProfile(ctx context.Context, id int64, p models.Profile) error {
	err := s.db.WithContext(ctx).Model(&staffRow{}).Where("id = ?", id).
		Updates(map[string]any{"zone": p.Zone, "theme": p.Theme, "density": p.Density}).Error
	if err != nil {
		return fmt.Errorf("write profile: %w", err)
	}
	return nil
}

// changeStaff locks a row, lets fn change it, and writes it back.
func (s *Store) changeStaff(ctx context.Context, id int64, fn func(tx *gorm.DB, row *staffRow) error) error {
	return s.change(ctx, func(tx *gorm.DB) error {
		row, err := s.lockStaff(tx, id)
		if err != nil {
			return err
		}
		if err := fn(tx, &row); err != nil {
			return err
		}
		if err := tx.Save(&row).Error; err != nil {
			return fmt.Errorf("write staff: %w", err)
		}
		return nil
	})
}

// lockStaff locks a row that is what the audit log says. It returns models.ErrStaffUnknown or a models.TamperedError.
func (s *Store) lockStaff(tx *gorm.DB, id int64) (staffRow, error) {
	var row staffRow
	err := s.locking(tx).Where("id = ?", id).Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return row, models.ErrStaffUnknown
	}
	if err != nil {
		return row, fmt.Errorf("lock staff: %w", err)
	}
	return row, s.check(tx, "staff", numbered(id))
}

// locking keeps the rows of the next SELECT locked until the transaction ends.
func (s *Store) locking(tx *gorm.DB) *gorm.DB {
	if s.dialect == mysqlDialect {
		return tx.Clauses(clause.Locking{Strength: "UPDATE"})
	}
	return tx
}

// keepAnAdmin returns models.ErrLastAdmin unless, besides one who is about to go, an administrator is left who can sign in.
func keepAnAdmin(tx *gorm.DB, d dialect) error {
	var ids []int64
	query := "SELECT id FROM staff WHERE role = ? AND disabled = 0 ORDER BY id" + d.forUpdate()
	if err := tx.Raw(query, string(models.Administrator)).Scan(&ids).Error; err != nil {
		return fmt.Errorf("lock administrators: %w", err)
	}
	if len(ids) < 2 {
		return models.ErrLastAdmin
	}
	return nil
}
