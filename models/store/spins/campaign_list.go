package spins

import (
	"context"
	"strings"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Campaign returns a campaign with its counts, or false if there is none.
func (s *Store) Campaign(ctx context.Context, id int64) (models.Campaign, bool, error) {
	return db.First(s.campaigns(ctx, s.db.Write.WithContext(ctx).Where("id = ?", id)))
}

// CampaignOf returns the newest campaign of lines with this digest in the last 30 days, or false if there is none.
func (s *Store) CampaignOf(ctx context.Context, digest string) (models.Campaign, bool, error) {
	return db.First(s.campaigns(ctx, s.granting(s.db.Read.WithContext(ctx), digest)))
}

// granting selects the newest campaign of lines with this digest.
func (s *Store) granting(tx *gorm.DB, digest string) *gorm.DB {
	return tx.Where("digest = ? AND job_state <> ? AND at_us >= ?", digest, uint8(models.JobDeclined),
		db.Micros(s.db.Now().Add(-models.RepeatsWithin))).Order("at_us DESC, id DESC").Limit(1)
}

// Campaigns returns a page of the campaigns that f selects, newest first.
func (s *Store) Campaigns(ctx context.Context, f models.CampaignFilter) (models.Page[models.Campaign], error) {
	l := db.List{Table: "campaigns", Index: "campaigns_at", At: "at_us", ID: "id", Span: f.Span,
		Filters: []db.Filter{db.If(f.State != 0, "campaigns_job_state", "job_state = ?", f.State)}}
	list, err := s.campaigns(ctx, s.db.List(s.db.Read.WithContext(ctx), &l))
	return db.PageOf(list, l), err
}

func (s *Store) campaigns(ctx context.Context, q *gorm.DB) ([]models.Campaign, error) {
	list, err := db.Find[models.Campaign](q)
	if err != nil {
		return nil, err
	}
	at := map[int64]*models.Campaign{}
	ids := make([]int64, len(list))
	for i := range list {
		ids[i], at[list[i].ID] = list[i].ID, &list[i]
	}
	if len(ids) == 0 {
		return list, nil
	}
	var counts []struct {
		CampaignID int64
		State      models.GrantState
		Refused    bool
		N, Spins   int64
	}
	err = s.db.Write.WithContext(ctx).
		Raw(`SELECT l.campaign_id, COALESCE(t.state, 0) AS state, l.refused_at_us > 0 AS refused, COUNT(*) AS n,
			SUM(l.spins) AS spins
		FROM campaign_lines l LEFT JOIN grants t ON t.id = l.grant_id AND l.grant_id > 0 WHERE l.campaign_id IN ? GROUP BY 1,
		2, 3`, ids).Scan(&counts).Error
	if err != nil {
		return nil, err
	}
	for _, c := range counts {
		campaign := at[c.CampaignID]
		count := &campaign.ToGo
		switch state := c.State; {
		case c.Refused || state == models.GrantRefused:
			count = &campaign.Refused
		case state.Granted():
			count = &campaign.Granted
		case state == models.GrantUnknown:
			count = &campaign.Unknown
		}
		count.Lines += c.N
		count.Spins += c.Spins
	}
	return list, nil
}

// CampaignLines returns a page of the lines that f selects, in their order.
func (s *Store) CampaignLines(ctx context.Context,
	f models.CampaignLineFilter) (page models.Page[models.CampaignLine], err error) {
	where, states := "", []models.GrantState{f.State}
	switch {
	case f.ToGo:
		where, states = "l.refused_at_us = 0 AND (l.grant_id = 0 OR GRANT)", []models.GrantState{models.GrantRequested}
	case f.State == models.GrantActive:
		where, states = "GRANT", []models.GrantState{models.GrantActive, models.GrantCompleted, models.GrantExpired}
	case f.State == models.GrantRefused:
		where = "(l.refused_at_us > 0 OR GRANT)"
	case f.State != 0:
		where = "GRANT"
	}
	where = strings.ReplaceAll(where, "GRANT", "EXISTS (SELECT 1 FROM grants g WHERE g.id = l.grant_id AND g.state IN ?)")
	l := db.List{Table: "campaign_lines l", ID: "l.line", Up: true, Span: f.Span, Filters: []db.Filter{
		db.If(true, "", "l.campaign_id = ?", f.CampaignID), db.If(where != "", "", where, db.Ints(states))}}
	q := s.db.List(s.db.Write.WithContext(ctx), &l).Joins("JOIN players p ON p.id = l.player_id").
		Joins("JOIN games g ON g.id = l.game_id").
		Joins("LEFT JOIN grants t ON t.id = l.grant_id AND l.grant_id > 0").
		Select("l.*, p.user_id, g.game_id AS platform_game_id, g.name AS game_name, COALESCE(t.state, 0) AS state, t.free_spin_id, " +
			"COALESCE(t.message, '') AS outcome, COALESCE(t.at_us, 0) AS at_us")
	var rows []struct {
		Row            UploadedLine `gorm:"embedded"`
		UserID         models.UserID
		PlatformGameID models.GameID
		GameName       string
		State          models.GrantState
		FreeSpinID     models.FreeSpinID
		Outcome        string
		At             time.Time `gorm:"column:at_us;serializer:micros"`
	}
	if err := q.Scan(&rows).Error; err != nil {
		return page, err
	}
	list := make([]models.CampaignLine, len(rows))
	for i, r := range rows {
		list[i] = models.CampaignLine{
			GrantLine: models.GrantLine{Line: r.Row.Line, UserID: r.UserID, GameID: r.PlatformGameID, Spins: r.Row.Spins},
			PlayerID:  r.Row.PlayerID, GameNumber: r.Row.GameID, GameName: r.GameName, GrantID: r.Row.GrantID, State: r.State,
			FreeSpinID: r.FreeSpinID, Message: r.Outcome, At: r.At,
		}
		if !r.Row.RefusedAt.IsZero() {
			list[i].State, list[i].Message, list[i].At = models.GrantRefused, r.Row.Message, r.Row.RefusedAt
		}
	}
	return db.PageOf(list, l), nil
}
