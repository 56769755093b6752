package books

import (
	"context"
	"errors"
	"slices"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Closed days and their signatures. The first signature of a day closes it and every day before it: their sums are final, and
// only the sums of later days can be recalculated.

func (s *Store) closedDay(tx *gorm.DB, day models.Day) (c models.ClosedDay, found bool, err error) {
	err = tx.Where("day = ?", day).Take(&c).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return c, false, nil
	}
	if err == nil {
		c.Signed, err = signaturesOf(tx, day)
	}
	if err != nil {
		return c, false, err
	}
	return c, true, nil
}

func signaturesOf(tx *gorm.DB, day models.Day) (list []models.DaySignature, err error) {
	return db.All[models.DaySignature](tx, `SELECT g.*, COALESCE(a.id, 0) AS staff_id FROM day_signatures g
		LEFT JOIN staff a ON a.username = g.signed_by WHERE g.day = ? ORDER BY g.at_us`, day)
}

// DayInterval returns a day with its interval or, if it is not closed yet, the interval that it would have if it were closed
// now. Only a closed day has a Digest.
func (s *Store) DayInterval(ctx context.Context, day models.Day) (models.ClosedDay, error) {
	return s.dayInterval(s.db.Read.WithContext(ctx), day)
}

func (s *Store) dayInterval(tx *gorm.DB, day models.Day) (models.ClosedDay, error) {
	c, found, err := s.closedDay(tx, day)
	if err != nil || found {
		return c, err
	}
	rules, err := s.dayRules(tx)
	if err != nil {
		return c, err
	}
	c = models.ClosedDay{Day: day, Zone: rules.zoneName, From: day.Begin(rules.zone), Until: day.End(rules.zone)}
	// If the zone was changed since the last day was closed, that day may have ended after this one begins in the new zone.
	// Every instant must belong to exactly one day.
	if day == rules.firstOpen || day > rules.firstOpen && c.From.Before(rules.openSince) {
		c.From = rules.openSince
	}
	if c.Until.Before(c.From) {
		c.Until = c.From
	}
	return c, nil
}

// dayStates returns a function that returns the state of each day between from and to, inclusive.
func (s *Store) dayStates(ctx context.Context, from, to models.Day) (func(models.Day) models.DayState, error) {
	read := s.db.Read.WithContext(ctx)
	rules, err := s.dayRules(read)
	if err != nil {
		return nil, err
	}
	signed, err := db.All[models.Day](read,
		"SELECT day FROM day_signatures WHERE day >= ? AND day <= ? GROUP BY day HAVING COUNT(*) >= ?", from, to, len(models.DaySigners))
	if err != nil {
		return nil, err
	}
	today := models.DayOf(s.db.Now(), rules.zone)
	return func(day models.Day) models.DayState {
		switch {
		case slices.Contains(signed, day):
			return models.DaySigned
		case day < rules.firstOpen:
			return models.DayClosed
		case day < today:
			return models.DayEnded
		}
		return models.DayRunning
	}, nil
}

// DayState returns the state of one day.
func (s *Store) DayState(ctx context.Context, day models.Day) (models.DayState, error) {
	state, err := s.dayStates(ctx, day, day)
	if err != nil {
		return 0, err
	}
	return state(day), nil
}

// ReportToday returns the current day in the zone of reports.
func (s *Store) ReportToday(ctx context.Context) (models.Day, error) {
	rules, err := s.dayRules(s.db.Read.WithContext(ctx))
	if err != nil {
		return "", err
	}
	return models.DayOf(s.db.Now(), rules.zone), nil
}

// UnsignedDays returns up to limit days that have ended, have postings, and have not been signed by a role, newest first. It
// looks back to the first day that was ever signed, or only to yesterday if none was.
func (s *Store) UnsignedDays(ctx context.Context, role models.Role, limit int) ([]models.Day, error) {
	today, err := s.ReportToday(ctx)
	if err != nil {
		return nil, err
	}
	return db.All[models.Day](s.db.Read.WithContext(ctx),
		`SELECT DISTINCT t.day FROM daily_totals t WHERE t.day < ? AND t.day >= COALESCE((SELECT MIN(day) FROM day_signatures), ?)
			AND NOT EXISTS (SELECT 1 FROM day_signatures g WHERE g.day = t.day AND g.role = ?) ORDER BY t.day DESC LIMIT ?`,
		today, today.Add(-1), role, limit)
}

// SignDay signs the report of a day for the signer's role, if it is as the signer saw it. If the day is not closed yet, SignDay
// closes it and every day before it. It returns ErrSignerChanged, ErrDayBefore, ErrDayRuns, ErrDayMoved, ErrDayKnown,
// ErrDaySigned, ErrDaySigner, ErrDayNote, ErrDayNoteLong, ErrDayGap or ErrDayUnbalanced.
func (s *Store) SignDay(ctx context.Context, by models.Signer, day models.Day,
	seen models.DaySeen, note string) (models.DaySignature, error) {
	var signed models.DaySignature
	if !slices.Contains(models.DaySigners, by.Role) {
		return signed, models.ErrDaySigner
	}
	if len([]rune(note)) > models.MaxCaseText {
		return signed, models.ErrDayNoteLong
	}
	if _, err := s.FollowDays(ctx); err != nil {
		return signed, err
	}
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		if err := s.staff.CheckSigner(tx, by); err != nil {
			return err
		}
		place, err := dayFollower.Lock(s.db, tx)
		if err != nil {
			return err
		}
		if _, _, err := db.Load[models.ClosedDay](s.db, tx, day); err != nil {
			return err
		}
		c, err := s.dayInterval(tx, day)
		if err != nil {
			return err
		}
		now := s.db.Now()
		if place < db.Micros(c.Until.Add(models.DayRest)) {
			return models.ErrDayRuns
		}
		if err := c.CheckSigner(by); err != nil {
			return err
		}
		first, found, err := firstDay(tx)
		if err != nil {
			return err
		}
		if !found || day < first {
			return models.ErrDayBefore
		}
		if signed, _, err = s.dayStanding(tx, c); err != nil {
			return err
		}
		groups, err := s.dayGroups(tx, day)
		if err != nil {
			return err
		}
		if seen.Figures != models.ReportDigest(c, groups) {
			return models.ErrDayMoved
		}
		if seen.Standing != signed.Standing() {
			return models.ErrDayKnown
		}
		if signed.Reservations() && len([]rune(note)) < 10 {
			return models.ErrDayNote
		}
		if c.Digest == "" {
			totals, err := s.control(tx)
			if err != nil {
				return err
			}
			if slices.ContainsFunc(totals, func(t models.Control) bool { return !t.Agrees() }) {
				return models.ErrDayUnbalanced
			}
			if err := s.closeDays(tx, by.Actor, day, now); err != nil {
				return err
			}
		}
		signed.Day, signed.Role, signed.By, signed.At, signed.Note, signed.Digest = day, by.Role, by.Name, now, note, seen.Figures
		if err := tx.Create(&signed).Error; err != nil {
			return err
		}
		return s.db.Record(tx, models.AuditEvent{
			Actor: by.Actor, Action: "day signed", Object: "day", ObjectID: string(day), Reason: note,
			After: db.JsonText(map[string]any{
				"role": by.Role, "digest": seen.Figures, "checkpoint": signed.Checkpoint,
				"verification": signed.Verification, "statements": signed.Statements, "open_cases": signed.OpenCases,
				"unknown_grants": signed.UnknownGrants, "faults": signed.Faults,
			}),
		})
	})
	return signed, err
}

// firstDay returns the first day with postings, or false if there is none. Earlier days cannot be signed: after a mistyped
// year, the next signature would have to close every day since.
func firstDay(tx *gorm.DB) (models.Day, bool, error) {
	day, found, err := db.One[string](tx.Raw("SELECT day FROM daily_totals ORDER BY day LIMIT 1"))
	return models.Day(day), found, err
}

// firstToClose returns the first open day, or false if nothing was ever booked.
func (s *Store) firstToClose(tx *gorm.DB) (models.Day, bool, error) {
	rules, err := s.dayRules(tx)
	if err != nil || rules.firstOpen != "" {
		return rules.firstOpen, err == nil, err
	}
	return firstDay(tx)
}

// closeDays makes the figures of a day and of every day before it final.
func (s *Store) closeDays(tx *gorm.DB, by models.Actor, last models.Day, now time.Time) error {
	first, _, err := s.firstToClose(tx)
	if err != nil {
		return err
	}
	for day := first; day <= last; day = day.Add(1) {
		s.db.Begins(tx, "day", string(day))
		c, err := s.dayInterval(tx, day)
		if err != nil {
			return err
		}
		groups, err := s.dayGroups(tx, day)
		if err != nil {
			return err
		}
		c.ClosedAt, c.Digest, c.Stakes = now, models.ReportDigest(c, groups), stakesIn(groups)
		if err := tx.Create(&c).Error; err != nil {
			return err
		}
		err = s.db.Record(tx, models.AuditEvent{
			Actor: by, Action: "day closed", Object: "day", ObjectID: string(day),
			After: db.JsonText(map[string]any{"digest": c.Digest, "zone": c.Zone, "from": c.From, "until": c.Until,
				"signed": last}),
		})
		if err != nil {
			return err
		}
	}
	return nil
}
