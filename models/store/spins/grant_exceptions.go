package spins

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Requesting.

// RequestGrantException requests a grant beyond the limits. Nothing is granted before a second person approves it. It returns
// the errors of RequestGrant, except LimitError, and an ApprovalError, models.ErrExceptionNeedless or an ExceptionWaitsError.
func (s *Store) RequestGrantException(ctx context.Context, by models.Signer,
	r models.GrantRequest) (models.GrantException, error) {
	var id int64
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		if err := s.checkExceptionMaker(tx, by); err != nil {
			return err
		}
		r.Role = by.Role
		player, game, err := s.grantable(tx, r, 0)
		if err != nil {
			return err
		}
		waiting, err := numbers(tx,
			"SELECT id FROM grant_exceptions WHERE player_id = ? AND state = ? AND game_id = ? AND spins = ? ORDER BY id "+
				"LIMIT 1",
			player.ID, uint8(models.ApprovalWaiting), game.ID, r.Spins)
		if err != nil {
			return err
		}
		if len(waiting) > 0 {
			return models.ExceptionWaitsError{ID: waiting[0]}
		}
		row := models.Grant{Actor: by.Name, Role: by.Role, PlayerID: player.ID, Currency: player.Wallet.Currency, Spins: r.Spins}
		var over models.LimitErrors
		if err := s.reserve(tx, row); err == nil {
			return models.ErrExceptionNeedless
		} else if !errors.As(err, &over) {
			return err
		}
		asked := models.GrantException{Reason: r.Reason, Limit: over.Error(), PlayerID: player.ID, Game: game.Ref(),
			Spins: r.Spins, Again: r.Again}
		id, err = s.writeException(tx, by, asked, map[string]any{"player": player.ID, "user_id": r.UserID, "game_id": r.GameID})
		return err
	})
	if err != nil {
		return models.GrantException{}, fmt.Errorf("request an exception: %w", err)
	}
	return s.mustException(ctx, id)
}

// RequestCampaignException requests a campaign beyond the limits, and stores it with its lines until a second person approves it.
// If some lines cannot be granted for other reasons, it returns them and stores nothing. Its errors are
// an ApprovalError, models.ErrExceptionNeedless or an GrantedBeforeError.
func (s *Store) RequestCampaignException(ctx context.Context, by models.Signer, campaign models.Campaign,
	lines []models.GrantLine) (e models.GrantException, bad []models.LineError, err error) {
	var id int64
	err = s.db.Change(ctx, func(tx *gorm.DB) error {
		if err := s.checkExceptionMaker(tx, by); err != nil {
			return err
		}
		campaign.Role, campaign.State = by.Role, models.JobHeld
		rows, over, err := s.checkGrantLines(tx, by.Actor, campaign.Role, lineRules{again: campaign.Again}, lines)
		if err != nil {
			return err
		}
		exceeded := exceededBy(over)
		if len(exceeded) == 0 {
			return models.ErrExceptionNeedless
		}
		var spins int64
		for _, l := range lines {
			spins += l.Spins
		}
		for _, r := range rows {
			if !r.RefusedAt.IsZero() {
				spins -= r.Spins
			}
		}
		id, err = s.writeException(tx, by,
			models.GrantException{Reason: campaign.Name, Limit: exceeded.Error(), Spins: spins, Again: campaign.Again},
			map[string]any{"lines": len(lines), "file": campaign.FileName})
		if err != nil {
			return err
		}
		campaign.Exception = id
		campaignID, wrong, err := s.createCampaign(tx, by.Actor, campaign, lines)
		if bad = wrong; err != nil {
			return err
		}
		if len(bad) > 0 {
			return errLinesWrong
		}
		if err := tx.Exec("UPDATE grant_exceptions SET campaign_id = ? WHERE id = ?", campaignID, id).Error; err != nil {
			return fmt.Errorf("write exception: %w", err)
		}
		return nil
	})
	if errors.Is(err, errLinesWrong) {
		return e, bad, nil
	}
	if err != nil {
		return e, nil, fmt.Errorf("request an exception: %w", err)
	}
	e, err = s.mustException(ctx, id)
	return e, nil, err
}

// exceededBy returns the limits that lines exceed, each as its first line exceeds it.
func exceededBy(lines []models.LineError) (over models.LimitErrors) {
	for _, l := range lines {
		var limits models.LimitErrors
		errors.As(l.Err, &limits)
		for _, limit := range limits {
			if !slices.ContainsFunc(over, func(o models.LimitError) bool { return o.Limit == limit.Limit }) {
				over = append(over, limit)
			}
		}
	}
	return over
}

// errLinesWrong rolls back a request with wrong lines.
var errLinesWrong = errors.New("some lines cannot be granted")

func (s *Store) checkExceptionMaker(tx *gorm.DB, by models.Signer) error {
	if err := models.ExceptionRule.MayRequest(by); err != nil {
		return err
	}
	return s.staff.CheckSigner(tx, by)
}

func (s *Store) writeException(tx *gorm.DB, by models.Signer, e models.GrantException, about map[string]any) (int64, error) {
	now := s.db.Now()
	e.At, e.ExpiresAt, e.State = now, now.Add(models.ExceptionLasts), models.ApprovalWaiting
	e.Maker = by.Signature()
	if err := tx.Omit(db.JoinedNames...).Create(&e).Error; err != nil {
		return 0, fmt.Errorf("write exception: %w", err)
	}
	s.db.Begins(tx, "grant exception", db.Numbered(e.ID))
	about["spins"], about["exceeds"], about["again"] = e.Spins, e.Limit, e.Again
	return e.ID, s.db.Record(tx, models.AuditEvent{
		Actor: by.Actor, Action: "grant exception requested", Object: "grant exception", ObjectID: db.Numbered(e.ID),
		After: db.JsonText(about), Reason: e.Reason,
	})
}

// Deciding.

// ApproveGrantException records a second person's approval and, in the same transaction, requests the grant exactly as
// requested and in its maker's name, or lets the campaign run. grantID is the grant to send, or 0 for a campaign. Only the limits
// are excepted; everything else is checked as for any grant. It returns models.ErrExceptionUnknown, ErrMakerChanged,
// an ApprovalError, and the errors of RequestGrant.
func (s *Store) ApproveGrantException(ctx context.Context, by models.Signer, id int64) (grantID int64, err error) {
	asked, err := s.mustException(ctx, id)
	if err != nil {
		return 0, err
	}
	err = s.decideException(ctx, asked, "grant exception approved", &by,
		func(tx *gorm.DB, e *models.GrantException) error {
			ties, err := s.staff.ProvenTies(tx)
			if err != nil {
				return err
			}
			if err := e.Approve(e.Rule(), by, ties, s.db.Now()); err != nil {
				return err
			}
			maker, found, err := db.Load[models.Staff](s.db, tx, e.Maker.StaffID)
			if err != nil {
				return err
			}
			if !found || maker.Disabled || maker.Role != e.Maker.Role {
				return models.ErrMakerChanged
			}
			if e.CampaignID != 0 {
				return s.releaseCampaign(tx, by.Actor, e.CampaignID, models.JobRunning)
			}
			grantID, err = s.requestGrant(tx, by.Actor, models.GrantRequest{
				UserID: asked.UserID, GameID: asked.Game.GameID, Spins: e.Spins, Reason: e.Reason, Role: e.Maker.Role,
				Again: e.Again,
			}, grantOrigin{row: db.CoveredRow{Object: "grant exception", ID: db.Numbered(id)}, playerID: e.PlayerID,
				gameID: e.Game.ID, exception: id, maker: e.Maker.Username})
			e.GrantID = grantID
			return err
		})
	if err != nil {
		return 0, fmt.Errorf("approve exception %d: %w", id, err)
	}
	return grantID, nil
}

// RefuseGrantException refuses an exception and records why. It returns models.ErrExceptionUnknown or an
// ApprovalError.
func (s *Store) RefuseGrantException(ctx context.Context, by models.Signer, id int64, note string) error {
	return s.endException(ctx, id, "grant exception refused", &by,
		func(e *models.GrantException) error { return e.Refuse(e.Rule(), by, note, s.db.Now()) })
}

// WithdrawGrantException withdraws an exception that by has requested. It returns models.ErrExceptionUnknown or an
// ApprovalError.
func (s *Store) WithdrawGrantException(ctx context.Context, by models.Signer, id int64) error {
	return s.endException(ctx, id, "grant exception withdrawn", &by,
		func(e *models.GrantException) error { return e.Withdraw(by, "", s.db.Now()) })
}

// ExpireGrantExceptions ends the exceptions that nobody has decided in time, and returns how many. If one cannot be ended, it
// ends the others.
func (s *Store) ExpireGrantExceptions(ctx context.Context) (n int, err error) {
	late, err := numbers(s.db.Write.WithContext(ctx),
		"SELECT id FROM grant_exceptions WHERE state = ? AND expires_at_us <= ? ORDER BY id",
		uint8(models.ApprovalWaiting), db.Micros(s.db.Now()))
	for _, id := range late {
		failed := s.endException(ctx, id, "grant exception expired", nil,
			func(e *models.GrantException) error { return e.Expire(e.Rule(), s.db.Now()) })
		switch {
		case failed == nil:
			n++
		case !errors.As(failed, new(models.ApprovalError)):
			err = errors.Join(err, failed)
		}
	}
	return n, err
}

// VoidGrantExceptions refuses all waiting exceptions and their campaigns, and returns their numbers. After a restore it is
// unknown which of them were approved since the backup and granted by the platform. If one cannot be refused, it refuses the
// others.
func (s *Store) VoidGrantExceptions(ctx context.Context) (ids []int64, err error) {
	const note = "The database was restored from a backup. Check whether the platform has granted it already, then " +
		"request it again"
	waiting, err := numbers(s.db.Write.WithContext(ctx), "SELECT id FROM grant_exceptions WHERE state = ? ORDER BY id",
		models.ApprovalWaiting)
	for _, id := range waiting {
		failed := s.endException(ctx, id, "grant exception refused", nil,
			func(e *models.GrantException) error { return e.Void(note, s.db.Now()) })
		switch {
		case failed == nil:
			ids = append(ids, id)
		case !errors.As(failed, new(models.ApprovalError)):
			err = errors.Join(err, failed)
		}
	}
	return ids, err
}

// endException ends an exception without effect, and the campaign that waits for it. by is nil for the system.
func (s *Store) endException(ctx context.Context, id int64, action string, by *models.Signer,
	end func(*models.GrantException) error) error {
	asked, err := s.mustException(ctx, id)
	if err != nil {
		return err
	}
	err = s.decideException(ctx, asked, action, by, func(tx *gorm.DB, e *models.GrantException) error {
		if err := end(e); err != nil || e.CampaignID == 0 {
			return err
		}
		actor := models.System
		if by != nil {
			actor = by.Actor
		}
		return s.releaseCampaign(tx, actor, e.CampaignID, models.JobDeclined)
	})
	if err != nil {
		return fmt.Errorf("end exception %d: %w", id, err)
	}
	return nil
}

// decideException changes an exception under its lock, which is taken after that of its player. by is nil for the system.
func (s *Store) decideException(ctx context.Context, asked models.GrantException, action string, by *models.Signer,
	decide func(*gorm.DB, *models.GrantException) error) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		if asked.PlayerID != 0 {
			if err := s.LockWallet(tx, asked.PlayerID); err != nil {
				return err
			}
		}
		e, err := db.Locked[models.GrantException](s.db, tx, asked.ID, models.ErrExceptionUnknown)
		if err != nil {
			return err
		}
		actor := models.System
		if by != nil {
			if err := s.staff.CheckSigner(tx, *by); err != nil {
				return err
			}
			actor = by.Actor
		}
		before := e.State.String()
		if err := decide(tx, &e); err != nil {
			return err
		}
		if err := tx.Omit(db.JoinedNames...).Save(&e).Error; err != nil {
			return fmt.Errorf("write exception: %w", err)
		}
		return s.db.Record(tx, models.AuditEvent{
			Actor: actor, Action: action, Object: "grant exception", ObjectID: db.Numbered(e.ID), Before: before,
			After: db.JsonText(map[string]any{
				"state": e.State.String(), "requested_by": e.Maker.Username, "spins": e.Spins, "grant": e.GrantID,
				"campaign": e.CampaignID,
			}),
			Reason: e.DecisionText,
		})
	})
}

// releaseCampaign lets a campaign run that waits for its exception, or declines it.
func (s *Store) releaseCampaign(tx *gorm.DB, by models.Actor, id int64, state models.JobState) error {
	row, err := db.Locked[models.Campaign](s.db, tx, id, models.ErrCampaignUnknown)
	if err != nil {
		return err
	}
	if row.State != models.JobHeld {
		return models.ErrCampaignEnded
	}
	row.State = state
	if state == models.JobDeclined {
		row.FinishedAt = s.db.Now()
	}
	if err := tx.Save(&row).Error; err != nil {
		return fmt.Errorf("write campaign: %w", err)
	}
	return s.db.Record(tx, models.AuditEvent{
		Actor: by, Action: "campaign " + state.String(), Object: "campaign", ObjectID: db.Numbered(id),
		Before: models.JobHeld.String(), After: db.JsonText(state.String()),
	})
}

// approvedFor returns the exception under which a campaign runs, or 0. If the exception was not approved for exactly this
// campaign, the error is a models.TamperedError.
func (s *Store) approvedFor(tx *gorm.DB, campaign models.Campaign) (int64, error) {
	if campaign.Exception == 0 {
		return 0, nil
	}
	e, _, err := db.Load[models.GrantException](s.db, tx, campaign.Exception)
	if err != nil {
		return 0, err
	}
	if e.State != models.ApprovalApproved || e.CampaignID != campaign.ID {
		return 0, models.TamperedError{Object: "grant exception", ObjectID: db.Numbered(campaign.Exception)}
	}
	return campaign.Exception, nil
}

// Reading.

func selectExceptions(db *gorm.DB) *gorm.DB {
	return db.Table("grant_exceptions t").Joins("LEFT JOIN players p ON p.id = t.player_id").
		Joins("LEFT JOIN wallets w ON w.player_id = t.player_id").
		Joins("LEFT JOIN games g ON g.id = t.game_id").Joins("LEFT JOIN campaigns i ON i.id = t.campaign_id").
		Joins("LEFT JOIN staff m ON m.id = t.maker_id").Joins("LEFT JOIN staff k ON k.id = t.checker_id").
		Select("t.*, p.user_id, w.currency, g.game_id AS game_platform_id, g.name AS game_name, i.row_count, m.name AS " +
			"maker_name, k.name AS checker_name")
}

func exceptionsIn(q *gorm.DB) ([]models.GrantException, error) {
	var list []models.GrantException
	if err := q.Scan(&list).Error; err != nil {
		return nil, fmt.Errorf("read exceptions: %w", err)
	}
	return list, nil
}

// mustException reads an exception from the connections that wrote it, or returns models.ErrExceptionUnknown.
func (s *Store) mustException(ctx context.Context, id int64) (models.GrantException, error) {
	return db.Need[models.GrantException](selectExceptions(s.db.Write.WithContext(ctx)).Where("t.id = ?", id),
		models.ErrExceptionUnknown, "read exception")
}

// GrantException returns the exception with this number, or false if there is none.
func (s *Store) GrantException(ctx context.Context, id int64) (models.GrantException, bool, error) {
	return db.First(exceptionsIn(selectExceptions(s.db.Read.WithContext(ctx)).Where("t.id = ?", id)))
}

// GrantExceptions returns a page of the exceptions that f selects, newest first.
func (s *Store) GrantExceptions(ctx context.Context, f models.ExceptionFilter) (models.Page[models.GrantException], error) {
	order := db.Order{Table: "grant_exceptions t", At: "t.at_us", ID: "t.id", Index: "grant_exceptions_at"}
	q := s.db.List(selectExceptions(s.db.Read.WithContext(ctx)), order, f.Span,
		db.If(f.State != 0, "grant_exceptions_state", "t.state = ?", uint8(f.State)))
	return db.FindPage[models.GrantException](q, f.Span, "list exceptions")
}

// WaitingExceptions counts the exceptions that can still be decided, by the account that requested them.
func (s *Store) WaitingExceptions(ctx context.Context) (map[int64]int64, error) {
	var rows []struct{ MakerID, N int64 }
	err := s.db.Read.WithContext(ctx).
		Raw("SELECT maker_id, COUNT(*) AS n FROM grant_exceptions WHERE state = ? AND expires_at_us > ? GROUP BY maker_id",
			uint8(models.ApprovalWaiting), db.Micros(s.db.Now())).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("count exceptions: %w", err)
	}
	byMaker := map[int64]int64{}
	for _, r := range rows {
		byMaker[r.MakerID] = r.N
	}
	return byMaker, nil
}
