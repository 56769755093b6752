package spins

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// RequestGrant records that free spins are to be granted and reserves its part of the limits, in one transaction under the
// player's lock, so that two requests cannot exceed a limit together. Nothing is sent yet: see SendGrant.
//
// It returns models.ErrPlayerUnknown, ErrPlayerRestricted, ErrGameUnknown, ErrGameGone, a FrozenError, a LimitError or a
// PendingGrantError. If the grant is to belong to a campaign, it may return models.ErrCampaignUnknown,
// ErrCampaignHeld, ErrCampaignEarly, ErrCampaignOver or a BudgetError.
func (s *Store) RequestGrant(ctx context.Context, by models.Actor, r models.GrantRequest) (models.Grant, error) {
	var id int64
	err := s.db.Change(ctx, func(tx *gorm.DB) (err error) {
		id, err = s.requestGrant(tx, by, r, grantOrigin{})
		return err
	})
	if err != nil {
		return models.Grant{}, err
	}
	return s.mustGrant(ctx, id)
}

// grantOrigin says where a grant comes from, other than a person's form.
type grantOrigin struct {
	row          db.CoveredRow // the row that asks for the grant, compared with the audit log
	playerID     int64         // by that row
	gameID       int64
	campaignLine int
	excepted     bool // limits do not apply, because a second person approved the campaign
}

func (s *Store) requestGrant(tx *gorm.DB, by models.Actor, r models.GrantRequest, from grantOrigin) (int64, error) {
	player, game, err := s.grantable(tx, r)
	if err != nil {
		return 0, err
	}
	// The request names the player and the game as a page or a run read them, without a lock.
	if from.row.Object != "" && (player.ID != from.playerID || game.ID != from.gameID) {
		return 0, models.TamperedError{Object: from.row.Object, ObjectID: from.row.ID}
	}
	row := models.Grant{
		At: s.db.Now(), Actor: by.Name, Role: r.Role, PlayerID: player.ID, Currency: player.Wallet.Currency,
		Game: game.Ref(), Spins: r.Spins, Reason: r.Reason, Again: r.Again,
		CampaignID: r.CampaignID, CampaignLine: from.campaignLine, State: models.GrantRequested,
		Result: models.NoResult, Used: models.NoCount, Remaining: models.NoCount,
	}
	if err := s.reserve(tx, row, from.excepted); err != nil {
		return 0, err
	}
	if row.CampaignID != 0 {
		if err := s.affords(tx, row.CampaignID, row.Currency, row.Spins); err != nil {
			return 0, err
		}
	}
	err = db.Create(s.db, tx, &row, models.AuditEvent{Actor: by, Action: "grant requested",
		After: db.JsonText(map[string]any{
			"player": player.ID, "user_id": r.UserID, "game_id": r.GameID, "spins": r.Spins, "again": r.Again,
			"campaign": r.CampaignID, "line": from.campaignLine,
		}),
		Reason: r.Reason,
	})
	return row.ID, err
}

// grantable locks the player and returns the player and game of a request, or why it cannot be granted, apart from limits.
func (s *Store) grantable(tx *gorm.DB, r models.GrantRequest) (player models.Player, game models.Game, err error) {
	if err := r.Check(); err != nil {
		return player, game, err
	}
	if player, err = s.lockPlayer(tx, r.UserID); err != nil {
		return player, game, err
	}
	if !player.Wallet.MayGetBonuses(s.db.Now()) {
		return player, game, models.ErrPlayerRestricted
	}
	game, found, err := oneGame(tx.Where("game_id = ?", string(r.GameID)))
	switch {
	case err != nil:
		return player, game, err
	case !found:
		return player, game, models.ErrGameUnknown
	case game.Gone():
		return player, game, models.ErrGameGone
	}
	if err := s.proveGame(tx, game); err != nil {
		return player, game, err
	}
	if err := s.frozen(tx, game); err != nil {
		return player, game, err
	}
	if !r.Again {
		pending, err := db.All[int64](tx,
			"SELECT id FROM grants WHERE player_id = ? AND game_id = ? AND (state IN (?, ?) OR state = ? "+
				"AND resolution = ?) ORDER BY id LIMIT 1",
			player.ID, game.ID, models.GrantRequested, models.GrantSent, models.GrantUnknown, models.Unresolved)
		if err != nil {
			return player, game, err
		}
		if len(pending) > 0 {
			return player, game, models.PendingGrantError{ID: pending[0]}
		}
	}
	return player, game, nil
}

// lockPlayer locks a player's wallet; all changes for a player wait for that lock. It returns models.ErrPlayerUnknown or a
// models.TamperedError.
func (s *Store) lockPlayer(tx *gorm.DB, user models.UserID) (models.Player, error) {
	q := "SELECT w.player_id FROM wallets w JOIN players p ON p.id = w.player_id WHERE p.user_id = ?" + s.db.Dialect.ForUpdate()
	id, err := db.Need[int64](tx.Raw(q, string(user)), models.ErrPlayerUnknown)
	if err != nil {
		return models.Player{}, err
	}
	row, _, err := db.Load[models.Player](s.db, tx, id)
	return row, err
}

// LockWallet locks a player's wallet until the transaction ends.
func (s *Store) LockWallet(tx *gorm.DB, playerID int64) error {
	var id int64
	return tx.Raw("SELECT player_id FROM wallets WHERE player_id = ?"+s.db.Dialect.ForUpdate(), playerID).Scan(&id).Error
}

// LockPlayer locks a player's wallet until the transaction ends, and returns the player. It returns models.ErrPlayerUnknown, also
// if the player was erased, or a models.TamperedError.
func (s *Store) LockPlayer(tx *gorm.DB, id int64) (models.Player, error) {
	if err := s.LockWallet(tx, id); err != nil {
		return models.Player{}, err
	}
	p, found, err := db.Load[models.Player](s.db, tx, id)
	if err != nil || !found || p.Erased {
		err = errors.Join(err, models.ErrPlayerUnknown)
	}
	return p, err
}

// SendGrant changes a requested grant to sent and returns what to send to the platform: the grant, the player and the game as
// they were when they were compared with the audit log. Only the caller that made this change may send it; the others get
// models.ErrGrantState.
func (s *Store) SendGrant(ctx context.Context, id int64) (g models.Grant, err error) {
	err = s.db.Change(ctx, func(tx *gorm.DB) error {
		row, err := db.Locked[models.Grant](s.db, tx, id, models.ErrGrantUnknown)
		if err != nil {
			return err
		}
		player, _, err := db.Load[models.Player](s.db, tx, row.PlayerID)
		if err != nil {
			return err
		}
		game, found, err := oneGame(tx.Where("id = ?", row.Game.ID))
		switch {
		case err != nil:
			return err
		case !found:
			return models.ErrGameUnknown
		case player.Erased:
			return models.ErrPlayerUnknown
		}
		if err := s.proveGame(tx, game); err != nil {
			return err
		}
		done := tx.Exec("UPDATE grants SET state = ?, sent_at_us = ? WHERE id = ? AND state = ?",
			models.GrantSent, db.Micros(s.db.Now()), id, models.GrantRequested)
		if done.Error == nil && done.RowsAffected == 0 {
			return models.ErrGrantState
		}
		g, g.UserID, g.Game, g.State = row, player.UserID, game.Ref(), models.GrantSent
		return done.Error
	})
	return g, err
}

// AnswerGrant records the outcome of sending a grant, and releases its part of the limits if it was refused. An answer that
// arrives after the grant was marked as of unknown outcome is still recorded, unless a person has resolved the grant: then the
// error is models.ErrGrantState. If the platform answers with a free-spin ID that another grant has, the outcome is unknown.
func (s *Store) AnswerGrant(ctx context.Context, by models.Actor, id int64, o models.GrantOutcome) (models.Grant, error) {
	answer := func(tx *gorm.DB) error {
		row, err := db.Locked[models.Grant](s.db, tx, id, models.ErrGrantUnknown)
		if err != nil {
			return err
		}
		// An answer proves that the grant was sent, whatever the row's state.
		if row.State != models.GrantSent && row.State != models.GrantRequested && !row.Unresolved() {
			return models.ErrGrantState
		}
		return s.answerGrant(tx, by, row, o)
	}
	err := s.db.Change(ctx, answer)
	if db.IsDuplicate(err) {
		o = models.GrantOutcome{
			State: models.GrantUnknown, Result: o.Result, Latency: o.Latency, Raw: o.Raw,
			Message: "The platform answered with a free-spin ID that another grant has. The spins may or may not have been " +
				"granted.",
		}
		err = s.db.Change(ctx, answer)
	}
	if err != nil {
		return models.Grant{}, fmt.Errorf("answer grant %d: %w", id, err)
	}
	g, err := s.mustGrant(ctx, id)
	if err == nil && g.State == models.GrantRefused && g.Ours != 0 {
		err = s.AttributeSpins(ctx, g.PlayerID, true)
	}
	return g, err
}

func (s *Store) answerGrant(tx *gorm.DB, by models.Actor, row models.Grant, o models.GrantOutcome) error {
	now := s.db.Now()
	before := row.State.String()
	row.State, row.Result, row.Message, row.Latency, row.Raw = o.State, o.Result, o.Message, o.Latency, o.Raw
	row.AnsweredAt = now
	switch o.State {
	case models.GrantActive:
		row.FreeSpinID, row.NextPollAt = o.FreeSpinID, now.Add(models.PollAfter(0))
	case models.GrantRefused:
		row.FinishedAt = now
	}
	action := map[models.GrantState]string{
		models.GrantActive: "grant confirmed", models.GrantRefused: "grant refused",
		models.GrantUnknown: "grant of unknown outcome",
	}[o.State]
	return db.Save(s.db, tx, &row, models.AuditEvent{Actor: by, Action: action, Before: before,
		After: db.JsonText(map[string]any{
			"state": o.State.String(), "free_spin_id": o.FreeSpinID, "result": o.Result, "message": o.Message,
		}),
	})
}

// CloseStaleGrants gives an outcome to grants whose program ended before the answer: those sent before the given time become
// unknown, and those requested but not sent are refused. It returns how many.
func (s *Store) CloseStaleGrants(ctx context.Context, before time.Time) (n int, err error) {
	ids, err := db.All[int64](s.db.Write.WithContext(ctx), "SELECT id FROM grants WHERE state = ? AND sent_at_us < ? "+
		"UNION ALL SELECT id FROM grants WHERE state = ? AND at_us < ?", models.GrantSent, db.Micros(before), models.GrantRequested, db.Micros(before))
	if err == nil {
		n, err = s.closeGrants(ctx, ids)
	}
	return n, err
}

// closeGrants gives an outcome to the grants without one. One that fails, such as a tampered one, does not keep the others
// open.
func (s *Store) closeGrants(ctx context.Context, ids []int64) (n int, failed error) {
	for _, id := range ids {
		closed := false
		err := s.db.Change(ctx, func(tx *gorm.DB) error {
			row, err := db.Locked[models.Grant](s.db, tx, id, models.ErrGrantUnknown)
			if err != nil {
				return err
			}
			if closed = row.State == models.GrantRequested || row.State == models.GrantSent; !closed {
				return nil // answered in the meantime
			}
			// No digest covers these two states, so the grant may have been sent in either.
			return s.answerGrant(tx, models.System, row, models.GrantOutcome{State: models.GrantUnknown, Result: models.NoResult,
				Message: "Pitboss stopped, or lost its database, before the platform’s answer was recorded. The spins may or may " +
					"not have been granted."})
		})
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("grant %d: %w", id, err))
		} else if closed {
			n++
		}
	}
	return n, failed
}

// ResolveGrant records the outcome that a person found for a grant of unknown outcome. It returns models.ErrGrantUnknown,
// ErrGrantResolved, ErrFreeSpinIDMismatch or ErrFreeSpinIDTaken.
func (s *Store) ResolveGrant(ctx context.Context, by models.Actor, id int64, r models.GrantResolution) (models.Grant, error) {
	first, err := s.mustGrant(ctx, id)
	if err == nil {
		err = s.db.Change(ctx, func(tx *gorm.DB) error { return s.resolveGrant(tx, by, first, r) })
	}
	if err != nil {
		return models.Grant{}, fmt.Errorf("resolve grant %d: %w", id, err)
	}
	return s.mustGrant(ctx, id)
}

func (s *Store) resolveGrant(tx *gorm.DB, by models.Actor, first models.Grant, r models.GrantResolution) error {
	if err := s.LockWallet(tx, first.PlayerID); err != nil {
		return err
	}
	row, err := db.Locked[models.Grant](s.db, tx, first.ID, models.ErrGrantUnknown)
	if err != nil {
		return err
	}
	switch {
	case !row.Unresolved():
		return models.ErrGrantResolved
	case row.PlayerID != first.PlayerID: // the first reading was neither locked nor compared with the audit log
		return models.TamperedError{Object: "grant", ObjectID: db.Numbered(row.ID)}
	case r.Kind == models.ResolvedFound && r.Total > 0 && r.Total != row.Spins:
		return models.ErrFreeSpinIDMismatch
	}
	now := s.db.Now()
	row.Resolution, row.ResolvedBy, row.ResolvedAt, row.ResolutionNote = r.Kind, by.Name, now, r.Note
	switch r.Kind {
	case models.ResolvedFound:
		row.State, row.FreeSpinID, row.NextPollAt = models.GrantActive, r.FreeSpinID, now
	case models.ResolvedNotGranted:
		row.State, row.FinishedAt = models.GrantRefused, now
	case models.ResolvedUnclear:
		row.FinishedAt = now
	default:
		return errors.New("the resolution must be found, not granted or unclear")
	}
	err = db.Save(s.db, tx, &row, models.AuditEvent{Actor: by, Action: "grant resolved", Before: models.GrantUnknown.String(),
		After: db.JsonText(map[string]any{"resolution": r.Kind.String(), "free_spin_id": r.FreeSpinID}), Reason: r.Note})
	if db.IsDuplicate(err) {
		return models.ErrFreeSpinIDTaken
	} else if err != nil {
		return err
	}
	return s.attribute(tx, row.PlayerID, true)
}
