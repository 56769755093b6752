package pages

import (
	"context"
	"time"

	"pitboss/models"
)

// Today is the casino's day up to now, and the day before up to the same time of day. The latter was 23 or 25 hours ago if
// clocks changed in between.
type Today struct {
	Began, Until   time.Time // midnight, and now
	BeganY, UntilY time.Time // the same times yesterday; UntilY is a whole minute
}

// NewToday returns today in zone, and the part of yesterday to compare with it.
func NewToday(now time.Time, zone *time.Location) Today {
	local := now.In(zone)
	at := func(back, hour, minute int) time.Time {
		return time.Date(local.Year(), local.Month(), local.Day()-back, hour, minute, 0, 0, zone)
	}
	return Today{Began: at(0, 0, 0), Until: local, BeganY: at(1, 0, 0), UntilY: at(1, local.Hour(), local.Minute())}
}

// Back returns how long ago UntilY was, in whole minutes.
func (d Today) Back() time.Duration { return d.Until.Truncate(time.Minute).Sub(d.UntilY) }

// Words returns a sentence about which times are compared.
func (d Today) Words() string {
	return d.Until.Format("Monday, 2 Jan until 15:04") + ", compared with " + d.UntilY.Format("Monday until 15:04") + ". Days are the casino’s, in " + d.Until.Location().String() + "."
}

// CasinoZone returns the time zone of the casino's days.
func (s *Site) CasinoZone(ctx context.Context) (*time.Location, error) {
	name, err := s.Store.ReportZone(ctx)
	if err != nil {
		return nil, err
	}
	return time.LoadLocation(name)
}

// CasinoToday returns the casino's current day, and the time zone of its days.
func (s *Site) CasinoToday(ctx context.Context) (today models.Day, zone *time.Location, err error) {
	if zone, err = s.CasinoZone(ctx); err == nil {
		today, err = s.Store.ReportToday(ctx)
	}
	return today, zone, err
}
