package spins

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Campaigns beyond the limits, which wait for a second person.

// RequestCampaign stores a campaign beyond the limits until a second person approves it, or returns the lines that cannot be
// granted for other reasons and stores nothing. Besides the errors of CreateCampaign, it returns an ApprovalError, or
// models.ErrExceptionNeedless if the campaign is within the limits.
func (s *Store) RequestCampaign(ctx context.Context, by models.Signer, campaign models.Campaign,
	lines []models.GrantLine) (models.Campaign, []models.LineError, error) {
	campaign.Role, campaign.State = by.Role, models.JobHeld
	campaign.Approval = models.Approval{Maker: by.Signature(), State: models.ApprovalWaiting}
	return s.newCampaign(ctx, by.Actor, campaign, lines, func(tx *gorm.DB) error {
		if err := models.ExceptionRule.MayRequest(by); err != nil {
			return err
		}
		return s.staff.CheckSigner(tx, by)
	})
}

// ApproveCampaign records a second person's approval, and lets the campaign run in its maker's name. Only the limits are excepted;
// everything else is checked for each line as in any campaign. It returns models.ErrCampaignUnknown, ErrMakerChanged or an
// ApprovalError.
func (s *Store) ApproveCampaign(ctx context.Context, by models.Signer, id int64) error {
	return s.decideCampaign(ctx, id, "campaign approved", &by, func(tx *gorm.DB, c *models.Campaign) error {
		if err := c.Approve(c.Rule(), by, s.db.Now()); err != nil {
			return err
		}
		maker, found, err := db.Load[models.Staff](s.db, tx, c.Maker.StaffID)
		if err != nil {
			return err
		}
		if !found || maker.Disabled || maker.Role != c.Maker.Role {
			return models.ErrMakerChanged
		}
		return nil
	})
}

// RefuseCampaign refuses a campaign and records why. It returns models.ErrCampaignUnknown or an ApprovalError.
func (s *Store) RefuseCampaign(ctx context.Context, by models.Signer, id int64, note string) error {
	return s.decideCampaign(ctx, id, "campaign refused", &by,
		func(_ *gorm.DB, c *models.Campaign) error { return c.Refuse(c.Rule(), by, note, s.db.Now()) })
}

// WithdrawCampaign withdraws a campaign that by has requested. It returns the errors of RefuseCampaign.
func (s *Store) WithdrawCampaign(ctx context.Context, by models.Signer, id int64) error {
	return s.decideCampaign(ctx, id, "campaign withdrawn", &by,
		func(_ *gorm.DB, c *models.Campaign) error { return c.Withdraw(by, "", s.db.Now()) })
}

// ExpireCampaigns ends the requests that nobody has decided in time, and returns their numbers. If one cannot be ended, it ends the
// others.
func (s *Store) ExpireCampaigns(ctx context.Context) ([]int64, error) {
	return s.endCampaigns(ctx, "campaign expired", s.db.Now().UnixMicro(),
		func(c *models.Campaign) error { return c.Expire(c.Rule(), s.db.Now()) })
}

// VoidCampaigns refuses all waiting campaigns, and returns their numbers. After a restore it is unknown which of them were approved
// since the backup and granted by the platform. If one cannot be refused, it refuses the others.
func (s *Store) VoidCampaigns(ctx context.Context) ([]int64, error) {
	const note = "The database was restored from a backup. Check whether the platform has granted it already, then " +
		"request it again"
	return s.endCampaigns(ctx, "campaign refused", models.Permanent.UnixMicro(),
		func(c *models.Campaign) error { return c.Void(note, s.db.Now()) })
}

// endCampaigns ends the waiting campaigns that expire until a time, in microseconds.
func (s *Store) endCampaigns(ctx context.Context, action string, until int64,
	end func(*models.Campaign) error) (ended []int64, err error) {
	waiting, err := numbers(s.db.Write.WithContext(ctx), "SELECT id FROM campaigns WHERE state = ? AND expires_at_us <= ? ORDER BY id",
		uint8(models.ApprovalWaiting), until)
	for _, id := range waiting {
		failed := s.decideCampaign(ctx, id, action, nil, func(_ *gorm.DB, c *models.Campaign) error { return end(c) })
		switch {
		case failed == nil:
			ended = append(ended, id)
		case !errors.As(failed, new(models.ApprovalError)):
			err = errors.Join(err, failed)
		}
	}
	return ended, err
}

// decideCampaign decides a waiting campaign: it runs once it is approved. by is nil for the system.
func (s *Store) decideCampaign(ctx context.Context, id int64, action string, by *models.Signer,
	decide func(*gorm.DB, *models.Campaign) error) error {
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		c, err := db.Locked[models.Campaign](s.db, tx, id, models.ErrCampaignUnknown)
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
		if err := decide(tx, &c); err != nil {
			return err
		}
		c.State = models.JobRunning
		if c.Approval.State != models.ApprovalApproved {
			c.State, c.FinishedAt = models.JobDeclined, s.db.Now()
		}
		if err := tx.Omit(db.JoinedNames...).Save(&c).Error; err != nil {
			return fmt.Errorf("write campaign: %w", err)
		}
		return s.db.Record(tx, models.AuditEvent{
			Actor: actor, Action: action, Object: "campaign", ObjectID: db.Numbered(id), Before: models.ApprovalWaiting.String(),
			After: db.JsonText(map[string]any{
				"state": c.Approval.State.String(), "maker": c.Maker.Username, "spins": c.Spins,
			}),
			Reason: c.DecisionText,
		})
	})
	if err != nil {
		return fmt.Errorf("decide campaign %d: %w", id, err)
	}
	return nil
}
