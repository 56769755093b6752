package spins

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/staff"
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

// DecideCampaign decides a campaign. Once approved, it runs in its maker's name. Its lines skip only the limits; all other
// checks apply. It returns models.ErrCampaignUnknown, ErrMakerChanged or the errors of staff.Decided.
func (s *Store) DecideCampaign(ctx context.Context, by models.Signer, d models.Decision) (c models.Campaign, err error) {
	err = s.db.Change(ctx, func(tx *gorm.DB) error {
		if c, err = staff.Decided[models.Campaign](s.staff, tx, by, d, models.ErrCampaignUnknown); err != nil {
			return err
		}
		if d.Do == models.ApprovalApproved {
			maker, found, err := db.Load[models.Staff](s.db, tx, c.Maker.StaffID)
			if err != nil {
				return err
			}
			if !found || maker.Disabled || maker.Role != c.Maker.Role {
				return models.ErrMakerChanged
			}
		}
		return s.writeDecided(tx, by.Actor, &c)
	})
	return c, err
}

// ExpireCampaigns ends the requests that nobody has decided in time, and returns their numbers. If one fails, it ends the
// others.
func (s *Store) ExpireCampaigns(ctx context.Context) ([]int64, error) {
	return s.endCampaigns(ctx, s.db.Now().UnixMicro(),
		func(c *models.Campaign) error { return c.Expire(c.Rule(), s.db.Now()) })
}

// VoidCampaigns refuses all waiting campaigns, and returns their numbers. After a restore, nobody knows which of them were
// approved and granted after the backup. If one fails, it refuses the others.
func (s *Store) VoidCampaigns(ctx context.Context) ([]int64, error) {
	const note = "The database was restored from a backup. Check whether the platform has granted it already, then " +
		"request it again"
	return s.endCampaigns(ctx, models.Permanent.UnixMicro(),
		func(c *models.Campaign) error { return c.Void(note, s.db.Now()) })
}

// endCampaigns ends the waiting campaigns that expire until a time, in microseconds.
func (s *Store) endCampaigns(ctx context.Context, until int64, end func(*models.Campaign) error) (ended []int64, err error) {
	waiting, err := db.All[int64](s.db.Write.WithContext(ctx), "SELECT id FROM campaigns WHERE state = ? AND expires_at_us <= ? ORDER BY id",
		uint8(models.ApprovalWaiting), until)
	for _, id := range waiting {
		failed := s.db.Change(ctx, func(tx *gorm.DB) error {
			c, err := db.Locked[models.Campaign](s.db, tx, id, models.ErrCampaignUnknown)
			if err != nil {
				return err
			}
			if err := end(&c); err != nil {
				return err
			}
			return s.writeDecided(tx, models.System, &c)
		})
		switch {
		case failed == nil:
			ended = append(ended, id)
		case !errors.As(failed, new(models.ApprovalError)):
			err = errors.Join(err, fmt.Errorf("end campaign %d: %w", id, failed))
		}
	}
	return ended, err
}

// writeDecided writes a campaign that has just been decided or ended: it runs if it was approved.
func (s *Store) writeDecided(tx *gorm.DB, by models.Actor, c *models.Campaign) error {
	c.State = models.JobRunning
	if c.Approval.State != models.ApprovalApproved {
		c.State, c.FinishedAt = models.JobDeclined, s.db.Now()
	}
	state := c.Approval.State.String()
	return db.Save(s.db, tx, c, models.AuditEvent{Actor: by, Action: "campaign " + state, Before: models.ApprovalWaiting.String(),
		After:  db.JsonText(map[string]any{"state": state, "maker": c.Maker.Username, "spins": c.Spins}),
		Reason: c.DecisionText,
	})
}
