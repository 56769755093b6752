package staff

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// CreateStaff adds a staff member and returns the row with its number, or models.ErrStaffExists. Without a password hash, the
// account waits for its owner to set a password through a one-time link. Without a profile, it gets models.DefaultProfile.
func (s *Store) CreateStaff(ctx context.Context, actor models.Actor, staff models.Staff) (models.Staff, error) {
	return s.createStaff(ctx, actor, staff, false)
}

// CreateFirstStaff adds the first administrator of an installation, with a password. It returns models.ErrStaffExists if there
// is an account already.
func (s *Store) CreateFirstStaff(ctx context.Context, actor models.Actor, staff models.Staff) (models.Staff, error) {
	return s.createStaff(ctx, actor, staff, true)
}

func (s *Store) createStaff(ctx context.Context, actor models.Actor, staff models.Staff, first bool) (models.Staff, error) {
	now := s.db.Now()
	if staff.Profile == (models.Profile{}) {
		staff.Profile = models.DefaultProfile
	}
	var row models.Staff
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		row = models.Staff{
			Username: staff.Username, Name: staff.Name, Role: staff.Role, Email: staff.Email, PasswordHash: staff.PasswordHash,
			MustChangePassword: staff.MustChangePassword, Profile: staff.Profile, CreatedAt: now,
			Identity: staff.Identity,
		}
		if row.PasswordHash != "" {
			row.PasswordSetAt = now
		}
		if first {
			var n int64
			if err := s.db.Locking(tx).Model(&models.Staff{}).Count(&n).Error; err != nil {
				return err
			}
			if n > 0 {
				return models.ErrStaffExists
			}
		}
		if err := s.give(tx, actor, &row, models.StaffCreated); err != nil {
			return err
		}
		return db.Create(s.db, tx, &row, models.AuditEvent{Actor: actor, Action: "staff created",
			After: db.JsonText(map[string]string{
				"username": row.Username, "name": row.Name, "role": string(row.Role), "email": row.Email, "identity": string(row.Identity),
			}),
		})
	})
	if db.IsDuplicate(err) {
		err = models.ErrStaffExists
	}
	return row, err
}

// Staff returns the staff member with this number, or false if there is none.
func (s *Store) Staff(ctx context.Context, id int64) (models.Staff, bool, error) {
	return db.Load[models.Staff](s.db, s.db.Read.WithContext(ctx), id)
}

// StaffUsernames returns the usernames of the staff members with these numbers, for display only: they are not compared with
// the audit log, so they must not let anybody in (see Staff).
func (s *Store) StaffUsernames(ctx context.Context, ids []int64) (map[int64]string, error) {
	return db.ByNumber[string](s.db.Read.WithContext(ctx).Table("staff").Select("id, username AS value"), ids)
}

// StaffNamed returns the staff member with this username, or false if there is none.
func (s *Store) StaffNamed(ctx context.Context, username string) (models.Staff, bool, error) {
	named := s.db.Read.WithContext(ctx).Model(&models.Staff{}).Select("id").Where("username = ?", db.Ascii(username))
	id, found, err := db.One[int64](named)
	if err != nil || !found {
		return models.Staff{}, false, err
	}
	staff, found, err := s.Staff(ctx, id)
	return staff, found && staff.Username == username, err
}

// ListStaff returns a page of the staff members that f selects, by username.
func (s *Store) ListStaff(ctx context.Context, f models.StaffFilter) (page models.Page[models.Staff], err error) {
	read := s.db.Read.WithContext(ctx)
	part := "%" + db.LikeLiteral.Replace(f.Text) + "%"
	list := db.List{Table: "staff", At: "username", Up: true, ByName: true, Span: f.Span, Filters: []db.Filter{
		db.If(f.Text != "", "", "(username LIKE ? ESCAPE '!' OR name LIKE ? ESCAPE '!')", db.Ascii(part), part),
		db.If(f.Role != "", "", "role = ?", db.Ascii(string(f.Role))),
		db.If(f.State != "", "", "disabled = ?", f.State == "disabled"),
	}}
	if page, err = db.FindPage[models.Staff](s.db, read, list); err != nil {
		return page, err
	}
	ids := make([]int64, len(page.Rows))
	for i, r := range page.Rows {
		ids[i] = r.ID
	}
	passkeys, err := db.Find[models.Passkey](read.Where("staff_id IN ?", ids))
	if err != nil {
		return page, err
	}
	for _, p := range passkeys {
		kept := &page.Rows[slices.Index(ids, p.StaffID)].Kept
		kept.Passkeys = append(kept.Passkeys, p)
	}
	return page, nil
}

// SetStaffRole gives a staff member another role and ends all their sessions. Nobody changes their own role: whoever can give
// others the right to move money cannot take it. It returns models.ErrOwnRole, ErrRoleFromProvider, ErrLastAdmin,
// ErrSoleAdmin or ErrStaffUnknown.
func (s *Store) SetStaffRole(ctx context.Context, actor models.Actor, id int64, role models.Role) error {
	return s.changeStaff(ctx, id, func(tx *gorm.DB, row *models.Staff) (*staffEvent, error) {
		if row.Role == role {
			return nil, nil
		}
		if row.Username == actor.Name {
			return nil, models.ErrOwnRole
		}
		if row.Identity != "" {
			return nil, models.ErrRoleFromProvider
		}
		if err := s.keepAThird(tx, actor, row); err != nil {
			return nil, err
		}
		before := row.Role
		row.Role = role
		if before == models.Administrator && !row.Disabled {
			if err := keepAnAdmin(tx, s.db.Dialect); err != nil {
				return nil, err
			}
		}
		return &staffEvent{by: actor, action: "staff role changed", before: string(before), after: string(row.Role),
			gives: models.StaffRole, ends: true}, nil
	})
}

// ConfirmStaff confirms changes to an account, and returns the changes that another administrator still has to confirm. seen is
// the Digest of the changes on the person's page. It returns models.ErrStaffMoved, ErrStaffUnknown or an ApprovalError.
func (s *Store) ConfirmStaff(ctx context.Context, by models.Signer, id int64, seen string) (left models.Unconfirmed, err error) {
	err = s.changeStaff(ctx, id, func(tx *gorm.DB, row *models.Staff) (*staffEvent, error) {
		if err := s.CheckSigner(tx, by); err != nil {
			return nil, err
		}
		if row.Unconfirmed.Digest() != seen {
			return nil, models.ErrStaffMoved
		}
		if err := row.MayConfirm(by); err != nil {
			return nil, err
		}
		left = row.Unconfirmed.Besides(by.StaffID)
		var confirmed []string
		for _, g := range row.Unconfirmed {
			if g.ByID != by.StaffID {
				confirmed = append(confirmed, g.String())
			}
		}
		row.Unconfirmed = left
		return &staffEvent{by: by.Actor, action: "staff confirmed", reason: strings.Join(confirmed, "; ") + "."}, nil
	})
	return left, err
}

// EnableStaff enables an account again. It returns models.ErrStaffUnknown.
func (s *Store) EnableStaff(ctx context.Context, actor models.Actor, id int64) error {
	return s.changeStaff(ctx, id, func(_ *gorm.DB, row *models.Staff) (*staffEvent, error) {
		if !row.Disabled {
			return nil, nil
		}
		row.Disabled, row.EnabledAt = false, s.db.Now()
		return &staffEvent{by: actor, action: "staff enabled", gives: models.StaffEnabled}, nil
	})
}

// DisableStaff disables an account, ends its sessions, and unassigns its open cases. It returns models.ErrLastAdmin,
// ErrSoleAdmin or ErrStaffUnknown.
func (s *Store) DisableStaff(ctx context.Context, actor models.Actor, id int64, reason string) error {
	return s.changeStaff(ctx, id, func(tx *gorm.DB, row *models.Staff) (*staffEvent, error) {
		if row.Disabled {
			return nil, nil
		}
		if row.Role == models.Administrator {
			if err := keepAnAdmin(tx, s.db.Dialect); err != nil {
				return nil, err
			}
			if err := s.keepAThird(tx, actor, row); err != nil {
				return nil, err
			}
		}
		return s.disable(tx, actor, row, reason)
	})
}

// disable disables an account whose row is locked.
func (s *Store) disable(tx *gorm.DB, by models.Actor, row *models.Staff, reason string) (*staffEvent, error) {
	if err := s.unassign(tx, by, row); err != nil {
		return nil, err
	}
	row.Disabled = true
	return &staffEvent{by: by, action: "staff disabled", reason: reason, ends: true}, nil
}

// DisableUnused disables an account that nobody has used for as long as the rules allow, unless it is the last administrator's,
// and reports whether it did. Its open cases have no owner then. If somebody signs in at this moment, the account stays
// enabled.
func (s *Store) DisableUnused(ctx context.Context, id int64) (done bool, err error) {
	err = s.changeStaff(ctx, id, func(tx *gorm.DB, row *models.Staff) (*staffEvent, error) {
		done = false
		rules, err := s.db.ReadSignInRules(tx)
		if err != nil {
			return nil, err
		}
		if row.Disabled || !row.Unused(rules, s.db.Now()) {
			return nil, nil
		}
		if row.Role == models.Administrator {
			if err := keepAnAdmin(tx, s.db.Dialect); errors.Is(err, models.ErrLastAdmin) {
				return nil, nil
			} else if err != nil {
				return nil, err
			}
		}
		done = true
		return s.disable(tx, models.System, row, fmt.Sprintf("No sign-in for %d days.", rules.UnusedDays))
	})
	return done, err
}

// DisableAllUnused disables every account that nobody has used for as long as the rules allow, least recently used first, and
// returns how many.
func (s *Store) DisableAllUnused(ctx context.Context) (n int, err error) {
	rules, err := s.SignInRules(ctx)
	if err != nil || rules.UnusedDays == 0 {
		return 0, err
	}
	var rows []models.Staff
	old := db.Micros(s.db.Now().AddDate(0, 0, -rules.UnusedDays))
	if err := s.db.Read.WithContext(ctx).Where("disabled = ? AND signed_in_at_us < ?", false, old).Order("signed_in_at_us, id").
		Find(&rows).Error; err != nil {
		return 0, err
	}
	for _, r := range rows {
		if r.Unused(rules, s.db.Now()) {
			done, err := s.DisableUnused(ctx, r.ID)
			if err != nil {
				return n, err
			}
			if done {
				n++
			}
		}
	}
	return n, nil
}

// SetStaffEmail changes the address to which links are sent. It returns models.ErrSameEmail or ErrStaffUnknown.
func (s *Store) SetStaffEmail(ctx context.Context, actor models.Actor, id int64, email string) error {
	return s.changeStaff(ctx, id, func(tx *gorm.DB, row *models.Staff) (*staffEvent, error) {
		if row.Email == email {
			return nil, models.ErrSameEmail
		}
		before := row.Email
		row.Email = email
		if err := dropLink(tx, id); err != nil {
			return nil, err
		}
		return &staffEvent{by: actor, action: "staff e-mail address changed", before: before, after: email}, nil
	})
}

// SetStaffPassword stores the hash of a new password that its owner has chosen, and ends the owner's sessions except the one
// with the hash keep. It returns models.ErrSessionEnded or ErrStaffUnknown.
func (s *Store) SetStaffPassword(ctx context.Context, actor models.Actor, id int64, hash, keep string) error {
	return s.changeStaff(ctx, id, func(tx *gorm.DB, row *models.Staff) (*staffEvent, error) {
		if err := s.newPassword(tx, row, hash); err != nil {
			return nil, err
		}
		if err := dropLink(tx, id); err != nil {
			return nil, err
		}
		return &staffEvent{by: actor, action: "staff password changed", ends: true, keep: keep}, nil
	})
}

// SetStaffTOTP sets up a second factor: its sealed secret, the step whose code was just given, and the hashes of its recovery
// codes. It ends the owner's sessions except the one with the hash keep. It returns models.ErrSessionEnded or ErrStaffUnknown.
func (s *Store) SetStaffTOTP(ctx context.Context, actor models.Actor, id int64, factor models.SecondFactor, keep string) error {
	return s.changeStaff(ctx, id, func(tx *gorm.DB, row *models.Staff) (*staffEvent, error) {
		row.TOTPSecret, row.TOTPStep = factor.Sealed, factor.Step
		if err := replaceRecoveryCodes(tx, id, factor.Codes); err != nil {
			return nil, err
		}
		return &staffEvent{by: actor, action: "staff second factor set up", ends: true, keep: keep}, nil
	})
}

// ClearStaffTOTP removes the owner's authenticator app, and the recovery codes if no passkey is left, and ends their sessions
// except the one with the hash keep. It returns models.ErrSessionEnded or ErrStaffUnknown.
func (s *Store) ClearStaffTOTP(ctx context.Context, actor models.Actor, id int64, keep string) error {
	return s.clearTOTP(ctx, id, staffEvent{by: actor, action: "staff second factor removed", ends: true, keep: keep})
}

// ResetStaffTOTP removes a colleague's authenticator app, passkeys and recovery codes, and ends their sessions. reason says
// why, and how the colleague was recognized. It returns models.ErrOwnReset, ErrSoleAdmin or ErrStaffUnknown.
func (s *Store) ResetStaffTOTP(ctx context.Context, actor models.Actor, id int64, reason string) error {
	return s.clearTOTP(ctx, id, staffEvent{by: actor, action: "staff second factor reset", reason: reason, gives: models.StaffFactor, ends: true})
}

func (s *Store) clearTOTP(ctx context.Context, id int64, event staffEvent) error {
	return s.changeStaff(ctx, id, func(tx *gorm.DB, row *models.Staff) (*staffEvent, error) {
		if event.gives != "" && row.Username == event.by.Name {
			return nil, models.ErrOwnReset
		}
		if err := s.keepAThird(tx, event.by, row); err != nil {
			return nil, err
		}
		row.TOTPSecret, row.TOTPStep = "", 0
		if event.gives == "" && len(row.Kept.Passkeys) > 0 {
			return &event, nil
		}
		if err := tx.Where("staff_id = ?", id).Delete(&models.Passkey{}).Error; err != nil {
			return nil, err
		}
		return &event, replaceRecoveryCodes(tx, id, nil)
	})
}

func replaceRecoveryCodes(tx *gorm.DB, id int64, codes []string) error {
	if err := tx.Where("staff_id = ?", id).Delete(&models.RecoveryCode{}).Error; err != nil {
		return err
	}
	for _, code := range codes {
		if err := tx.Create(&models.RecoveryCode{StaffID: id, CodeHash: code}).Error; err != nil {
			return err
		}
	}
	return nil
}

// RecoveryCodesLeft counts the unused recovery codes.
func (s *Store) RecoveryCodesLeft(ctx context.Context, id int64) (int64, error) {
	var n int64
	err := s.db.Read.WithContext(ctx).Model(&models.RecoveryCode{}).Where("staff_id = ?", id).Count(&n).Error
	return n, err
}

// UseRecoveryCode uses up the recovery code with this hash, and reports whether there was one.
func (s *Store) UseRecoveryCode(ctx context.Context, actor models.Actor, id int64, code string) (used bool, err error) {
	err = s.db.Change(ctx, func(tx *gorm.DB) error {
		if _, err := db.Locked[models.Staff](s.db, tx, id, models.ErrStaffUnknown); err != nil {
			return err
		}
		done := tx.Where("staff_id = ? AND code_hash = ?", id, code).Delete(&models.RecoveryCode{})
		if used = done.Error == nil && done.RowsAffected == 1; !used {
			return done.Error
		}
		return s.db.Record(tx, models.AuditEvent{
			Actor: actor, Action: "staff recovery code used", Object: "staff", ObjectID: db.Numbered(id),
		})
	})
	return used, err
}

// UseTOTPStep notes that the code of this 30-second step was used. It reports false if this code or a later one was used
// before, so that a code seen over a shoulder is worthless.
func (s *Store) UseTOTPStep(ctx context.Context, id, step int64) (bool, error) {
	done := s.db.Write.WithContext(ctx).Model(&models.Staff{}).Where("id = ? AND totp_step < ?", id, step).Update("totp_step",
		step)
	if done.Error != nil {
		return false, done.Error
	}
	return done.RowsAffected == 1, nil
}

// SetStaffProfile stores a person's settings of pages. It is not audited, because it concerns nobody else.
func (s *Store) SetStaffProfile(ctx context.Context, id int64, p models.Profile) error {
	return s.db.Write.WithContext(ctx).Model(&models.Staff{}).Where("id = ?", id).
		Updates(map[string]any{"zone": p.Zone, "theme": p.Theme, "density": p.Density, "quiet": p.Quiet}).Error
}

// staffEvent records a change of an account: its audit event, what it gives the account, and, if ends is set, the end of the
// owner's sessions except keep. If keep is set, the change fails if that session has ended.
type staffEvent struct {
	by                            models.Actor
	action, before, after, reason string
	gives                         models.StaffAct
	ends                          bool
	keep                          string
}

// changeStaff locks a row, lets fn change it, writes it back and records the event. All changes to what staff may do and how
// they sign in go through it. If fn returns no event, nothing is written.
func (s *Store) changeStaff(ctx context.Context, id int64, fn func(tx *gorm.DB, row *models.Staff) (*staffEvent, error)) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		row, err := db.Locked[models.Staff](s.db, tx, id, models.ErrStaffUnknown)
		if err != nil {
			return err
		}
		event, err := fn(tx, &row)
		if err != nil || event == nil {
			return err
		}
		if event.keep != "" {
			if err := s.needSession(tx, id, event.keep); err != nil {
				return err
			}
		}
		if event.gives != "" {
			if err := s.give(tx, event.by, &row, event.gives); err != nil {
				return err
			}
		}
		if event.ends {
			if err := endSessions(tx, id, event.keep); err != nil {
				return err
			}
		}
		return db.Save(s.db, tx, &row, models.AuditEvent{Actor: event.by, Action: event.action, Before: event.before,
			After: event.after, Reason: event.reason})
	})
}

// keepAThird returns models.ErrSoleAdmin if somebody in a browser would stop a confirmed administrator from acting, by a new
// role, a link or a reset, and no third administrator can act. So one administrator cannot remove all others. The rule does not
// bind the command line, which can create a third one.
func (s *Store) keepAThird(tx *gorm.DB, by models.Actor, row *models.Staff) error {
	if by.Channel != models.ChannelBrowser || by.Name == row.Username || row.Role != models.Administrator || !row.CanSign() {
		return nil
	}
	admins, err := db.All[models.Staff](tx,
		"SELECT * FROM staff WHERE role = ? AND disabled = 0 ORDER BY id"+s.db.Dialect.ForUpdate(), models.Administrator)
	if err != nil {
		return err
	}
	third := func(a models.Staff) bool { return a.ID != row.ID && a.Username != by.Name && a.CanSign() }
	if !slices.ContainsFunc(admins, third) {
		return models.ErrSoleAdmin
	}
	return nil
}

// keepAnAdmin returns models.ErrLastAdmin unless there is an enabled administrator besides the one who is about to lose access.
func keepAnAdmin(tx *gorm.DB, d db.Dialect) error {
	var ids []int64
	query := "SELECT id FROM staff WHERE role = ? AND disabled = 0 ORDER BY id" + d.ForUpdate()
	if err := tx.Raw(query, models.Administrator).Scan(&ids).Error; err != nil {
		return err
	}
	if len(ids) < 2 {
		return models.ErrLastAdmin
	}
	return nil
}
