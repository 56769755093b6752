package spins

import (
	"context"
	"fmt"
	"time"

	"pitboss/models"
	"pitboss/models/store/db"
)

// callsKept is how many of the newest calls of a kind are counted.
const callsKept = 1000

// platformCall is one call, from rows of different tables. The domain only has the totals.
type platformCall struct {
	At      time.Time     `gorm:"column:at_us;serializer:micros"`
	Latency time.Duration `gorm:"column:latency_us;serializer:micros"`
	Failure string
}

func platformCalls(rows []platformCall) (c models.PlatformCalls) {
	c.More = len(rows) > callsKept
	var latencies []time.Duration
	for i, r := range rows[:min(len(rows), callsKept)] {
		if i == 0 {
			c.LastAt, c.LastFailure = r.At, r.Failure
		}
		if r.Failure != "" {
			c.Failed++
			continue
		}
		c.Answered++
		if r.Latency > 0 {
			latencies = append(latencies, r.Latency)
		}
	}
	c.P95 = models.Percentile95(latencies)
	return c
}

// PlatformCalls returns how calls to the platform have gone since a time, according to syncs, game sessions and grants.
func (s *Store) PlatformCalls(ctx context.Context, since time.Time) (log models.PlatformCallLog, err error) {
	read, from := s.db.Read.WithContext(ctx), db.Micros(since)
	for _, call := range []struct {
		into  *models.PlatformCalls
		query string
		args  []any
	}{
		{&log.GameList, "SELECT at_us, latency_us, error AS failure FROM game_syncs WHERE at_us >= ? " +
			"ORDER BY at_us DESC, id DESC LIMIT ?", []any{from, callsKept + 1}},
		// A failed game session with a stored answer was refused, so the platform did answer.
		{&log.UserAuth, "SELECT at_us, latency_us, CASE WHEN state = ? " +
			"AND answer_raw = '' THEN failure ELSE '' END AS failure FROM game_sessions WHERE at_us >= ? AND state <> ? " +
			"ORDER BY at_us DESC, id DESC LIMIT ?",
			[]any{models.GameSessionFailed, from, models.GameSessionRequested, callsKept + 1}},
		{&log.AssignFreeSpin, `SELECT at_us, latency_us, CASE WHEN result = ? AND state IN (?,
			?) THEN message ELSE '' END AS failure FROM grants
			WHERE at_us >= ? AND sent_at_us > 0 AND answered_at_us > 0 ORDER BY at_us DESC, id DESC LIMIT ?`,
			[]any{models.NoResult, models.GrantUnknown, models.GrantRefused, from, callsKept + 1}},
		{&log.FreeSpinStatus, "SELECT at_us, 0 AS latency_us, '' AS failure FROM (SELECT id, at_us FROM grant_observations " +
			"ORDER BY id DESC LIMIT ?) o WHERE at_us >= ? ORDER BY id DESC", []any{callsKept + 1, from}},
	} {
		var rows []platformCall
		if err := read.Raw(call.query, call.args...).Scan(&rows).Error; err != nil {
			return log, fmt.Errorf("read calls to the platform: %w", err)
		}
		*call.into = platformCalls(rows)
	}
	if err := read.Raw("SELECT COUNT(*) FROM grants WHERE next_poll_at_us > 0 AND poll_error <> ''").Scan(&log.Unasked).
		Error; err != nil {
		return log, fmt.Errorf("count grants whose last poll failed: %w", err)
	}
	return log, nil
}
