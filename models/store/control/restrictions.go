package control

import (
	"cmp"
	"context"
	"errors"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/staff"
)

// Restrictions of players, and freezes.
//
// The wallet has the latest ends of its player's restrictions. Callbacks read them under the wallet's lock, so a restriction is
// in effect for every callback that is decided after its commit. Every attempt of the ledger looks for a freeze of the house,
// which is written while no attempt is running.

// restrictionsLock names the lease that changes of restrictions lock, so that only one is written at a time.
const restrictionsLock = "restrictions"

// Restrict sets a restriction in the signer's name, and returns it with its number. It returns the errors of
// models.Restriction.Check, an ApprovalError, models.ErrPlayerUnknown, ErrRestrictionStands if it freezes what is frozen, or
// ErrRestrictedMany.
func (s *Store) Restrict(ctx context.Context, by models.Signer, r models.Restriction) (models.Restriction, error) {
	return s.restrict(ctx, by, r, func(tx *gorm.DB) error {
		return cmp.Or(r.Rule().MayRequest(by), s.staff.CheckSigner(tx, by))
	})
}

// RestrictAs is Restrict in the name of an API client with the scope for players.
func (s *Store) RestrictAs(ctx context.Context, by models.Actor, r models.Restriction) (models.Restriction, error) {
	return s.restrict(ctx, models.Signer{Actor: by}, r, func(*gorm.DB) error { return nil })
}

func (s *Store) restrict(ctx context.Context, by models.Signer, r models.Restriction,
	allowed func(*gorm.DB) error) (models.Restriction, error) {
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		r.ID, r.At, r.Setter = 0, s.db.Now(), by.Signature()
		if err := r.Check(r.At); err != nil {
			return err
		}
		if err := s.lockRestricted(tx, r); err != nil {
			return err
		}
		if err := allowed(tx); err != nil {
			return err
		}
		if r.Subject == models.OfPlayer {
			set, err := db.All[int64](tx,
				"SELECT COUNT(*) FROM restrictions WHERE at_us > ? AND subject = ? AND setter_id = ? AND setter = ?",
				db.Micros(r.At.Add(-time.Hour)), models.OfPlayer, r.Setter.StaffID, r.Setter.Username)
			if err != nil {
				return err
			}
			if set[0] >= models.MaxRestrictedAnHour {
				return models.ErrRestrictedMany
			}
		} else {
			frozen, err := db.All[int64](tx,
				"SELECT id FROM restrictions WHERE subject = ? AND state <> ? AND about = ? AND until_us > ?",
				r.Subject, models.ApprovalApproved, r.About, db.Micros(r.At))
			if err != nil {
				return err
			}
			if len(frozen) > 0 {
				return models.ErrRestrictionStands
			}
		}
		if err := tx.Omit(db.JoinedNames...).Create(&r).Error; err != nil {
			return err
		}
		s.db.Begins(tx, "restriction", db.Numbered(r.ID))
		return s.tookEffect(tx, by.Actor, r, "restriction set", r.Reason)
	})
	return r, err
}

// lockRestricted takes the locks that a change of a restriction needs.
func (s *Store) lockRestricted(tx *gorm.DB, r models.Restriction) error {
	if err := s.db.LockLease(tx, restrictionsLock); err != nil {
		return err
	}
	if r.Subject == models.OfPlayer {
		if err := s.spins.LockWallet(tx, r.PlayerID); err != nil {
			return err
		}
		p, found, err := db.Load[models.Player](s.db, tx, r.PlayerID)
		if err != nil || !found {
			return errors.Join(err, models.ErrPlayerUnknown)
		}
		if r.ID == 0 && r.Kind == models.AccountClosed && p.Wallet.Funds() != 0 {
			return models.ErrCloseNotEmpty
		}
	}
	return nil
}

// tookEffect records that a restriction was set or ended, and puts it into effect.
func (s *Store) tookEffect(tx *gorm.DB, by models.Actor, r models.Restriction, action, reason string) error {
	about := map[string]any{"subject": r.Subject.String(), "about": r.About, "player": r.PlayerID, "kind": r.Kind.String(),
		"scope": r.Scope.String(), "until": restrictedUntil(r.Until)}
	event := models.AuditEvent{Actor: by, Action: action, Object: "restriction", ObjectID: db.Numbered(r.ID), Reason: reason,
		After: db.JsonText(about)}
	if r.Subject != models.OfPlayer {
		if err := s.db.Record(tx, event); err != nil {
			return err
		}
		return s.ledger.AwaitAttempts(tx)
	}
	before, after, err := s.restrictWallet(tx, r)
	if err != nil {
		return err
	}
	return s.db.Record(tx, event, models.AuditEvent{Actor: by, Action: "player " + action, Object: "player",
		ObjectID: db.Numbered(r.PlayerID), Reason: reason, Before: db.JsonText(before), After: db.JsonText(after)})
}

func restrictedUntil(t time.Time) string {
	if t.Equal(models.Permanent) {
		return "permanent"
	}
	return t.UTC().Format(time.RFC3339)
}

// restrictWallet writes the latest ends of a player's restrictions to the wallet; changed is as given. It returns the values
// for the audit event.
func (s *Store) restrictWallet(tx *gorm.DB, changed models.Restriction) (before, after map[string]any, err error) {
	ids, err := db.All[int64](tx, "SELECT id FROM restrictions WHERE player_id = ? AND id <> ?", changed.PlayerID, changed.ID)
	if err != nil {
		return nil, nil, err
	}
	list, err := db.LoadMany[models.Restriction](s.db, tx, ids)
	if err != nil {
		return nil, nil, err
	}
	var to models.Wallet
	later := func(end *time.Time, until time.Time) {
		if until.After(*end) {
			*end = until
		}
	}
	for _, r := range append(list, changed) {
		if !r.Active(s.db.Now()) {
			continue
		}
		switch r.Scope {
		case models.FromPlay:
			later(&to.PlayFrom, r.Until)
		case models.FromBonuses:
			later(&to.BonusesFrom, r.Until)
		case models.FromDeposits:
			later(&to.DepositsFrom, r.Until)
		}
		if r.StopsCashOuts() {
			later(&to.CashOutsFrom, r.Until)
		}
	}
	p, _, err := db.Load[models.Player](s.db, tx, changed.PlayerID)
	if err != nil {
		return nil, nil, err
	}
	said := func(w models.Wallet) map[string]any {
		text := map[string]any{}
		for name, from := range map[string]time.Time{"play_from": w.PlayFrom, "bonuses_from": w.BonusesFrom,
			"deposits_from": w.DepositsFrom, "cash_outs_from": w.CashOutsFrom} {
			text[name] = ""
			if from.After(s.db.Now()) {
				text[name] = restrictedUntil(from)
			}
		}
		return text
	}
	before, after = said(p.Wallet), said(to)
	for key, value := range before {
		if after[key] == value { // it did not change
			delete(before, key)
			delete(after, key)
		}
	}
	return before, after, tx.Exec("UPDATE wallets SET play_from_us = ?, bonuses_from_us = ?, deposits_from_us = ?, "+
		"cash_outs_from_us = ? WHERE player_id = ?", db.Micros(to.PlayFrom), db.Micros(to.BonusesFrom),
		db.Micros(to.DepositsFrom), db.Micros(to.CashOutsFrom), changed.PlayerID).Error
}

// RequestEnd requests that a restriction ends early. It returns models.ErrRestrictionUnknown, ErrDecisionText, an
// ApprovalError, or an error of models.Restriction.MayEnd.
func (s *Store) RequestEnd(ctx context.Context, by models.Signer, id int64, reason string) error {
	return s.changeEnd(ctx, by, id, func(tx *gorm.DB) (models.Restriction, error) {
		r, err := db.Locked[models.Restriction](s.db, tx, id, models.ErrRestrictionUnknown)
		if err = cmp.Or(err, s.staff.CheckSigner(tx, by)); err == nil {
			err = r.MayEnd(by, s.db.Now())
		}
		if err == nil && models.CheckDecisionText(reason) != nil {
			err = models.ErrDecisionText
		}
		r.EndReason, r.Approval = reason, models.Approval{Maker: by.Signature(), State: models.ApprovalWaiting}
		return r, err
	})
}

// decideEnd decides a request to end a restriction early. It returns models.ErrRestrictionUnknown, an error of
// models.Restriction.EndsEarly or the errors of staff.Decided.
func (s *Store) decideEnd(ctx context.Context, by models.Signer, d models.Decision) (r models.Restriction, err error) {
	err = s.changeEnd(ctx, by, d.ID, func(tx *gorm.DB) (models.Restriction, error) {
		r, err = staff.Decided[models.Restriction](s.staff, tx, by, d, models.ErrRestrictionUnknown)
		return r, err
	})
	return r, err
}

// endActions are the actions of the audit events of a request to end a restriction, by its state.
var endActions = map[models.ApprovalState]string{models.ApprovalWaiting: "restriction end requested",
	models.ApprovalApproved: "restriction ended", models.ApprovalRefused: "restriction end refused",
	models.ApprovalWithdrawn: "restriction end withdrawn"}

// changeEnd writes a restriction in effect with the request to end it, as change returns it, and ends it if the request is
// approved.
func (s *Store) changeEnd(ctx context.Context, by models.Signer, id int64, change func(*gorm.DB) (models.Restriction, error)) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		seen, err := db.Need[models.Restriction](tx.Where("id = ?", id), models.ErrRestrictionUnknown)
		if err != nil {
			return err
		}
		if err := s.lockRestricted(tx, seen); err != nil {
			return err
		}
		if err := seen.EndsEarly(s.db.Now()); err != nil {
			return err
		}
		r, err := change(tx)
		if err != nil {
			return err
		}
		if r.PlayerID != seen.PlayerID {
			return models.TamperedError{Object: "restriction", ObjectID: db.Numbered(id)}
		}
		if err := tx.Omit(db.JoinedNames...).Save(&r).Error; err != nil {
			return err
		}
		reason := cmp.Or(r.DecisionText, r.EndReason)
		if r.State == models.ApprovalApproved {
			return s.tookEffect(tx, by.Actor, r, endActions[r.State], reason)
		}
		return s.db.Record(tx, models.AuditEvent{Actor: by.Actor, Action: endActions[r.State], Object: "restriction",
			ObjectID: db.Numbered(id), Reason: reason, After: db.JsonText(map[string]any{"player": r.PlayerID})})
	})
}

// StandingRestriction returns the number of a restriction in effect of the same player, kind and scope as r, until then or
// longer, or 0 if there is none. It returns a models.TamperedError if that one differs from the audit log.
func (s *Store) StandingRestriction(ctx context.Context, r models.Restriction) (int64, error) {
	read := s.db.Read.WithContext(ctx)
	found, err := db.All[int64](read,
		"SELECT id FROM restrictions WHERE player_id = ? AND subject = ? AND kind = ? AND scope = ? AND state <> ? "+
			"AND until_us > ? AND until_us >= ? ORDER BY id LIMIT 1", r.PlayerID, r.Subject, r.Kind, r.Scope,
		models.ApprovalApproved, db.Micros(s.db.Now()), db.Micros(r.Until))
	if err != nil || len(found) == 0 {
		return 0, err
	}
	_, _, err = db.Load[models.Restriction](s.db, read, found[0])
	return found[0], err
}

// Restriction returns the restriction with this number, or false if there is none. It returns a models.TamperedError if it
// differs from the audit log.
func (s *Store) Restriction(ctx context.Context, id int64) (models.Restriction, bool, error) {
	read := s.db.Read.WithContext(ctx)
	r, found, err := db.Load[models.Restriction](s.db, read, id)
	if err != nil || !found {
		return r, false, err
	}
	if r.PlayerID != 0 {
		p, _, err := s.players.PlayerByID(ctx, r.PlayerID)
		if err != nil {
			return r, false, err
		}
		r.UserID = p.UserID
	}
	return r, true, nil
}

// Restrictions returns a page of the restrictions that f selects, newest first.
func (s *Store) Restrictions(ctx context.Context, f models.RestrictionFilter) (models.Page[models.Restriction], error) {
	now, ended := db.Micros(s.db.Now()), f.Active != nil && !*f.Active
	list := db.List{Table: "restrictions t", Index: "restrictions_at", At: "t.at_us", ID: "t.id", Span: f.Span, Filters: []db.Filter{
		db.If(f.PlayerID != 0, "restrictions_player", "t.player_id = ?", f.PlayerID),
		db.If(f.Waiting, "restrictions_state", "t.state = ? AND t.until_us > ?", models.ApprovalWaiting, now),
		db.If(f.Subject != 0, "", "t.subject = ?", f.Subject), db.If(f.Kind != 0, "", "t.kind = ?", f.Kind),
		db.If(f.Active != nil && *f.Active, "", "t.state <> ? AND t.until_us > ?", models.ApprovalApproved, now),
		db.If(ended, "", "(t.state = ? OR t.until_us <= ?)", models.ApprovalApproved, now),
	}}
	q := s.db.Read.WithContext(ctx).Select("t.*, p.user_id").Joins("LEFT JOIN players p ON p.id = t.player_id")
	return db.FindPage[models.Restriction](s.db, q, list)
}
