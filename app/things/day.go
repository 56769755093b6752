package things

import (
	"time"
)

// Day is a reader's day until now, and the day before until the same time by the clock, which is 23 or 25 hours ago where the
// clocks were changed between.
type Day struct {
	Began, Until   time.Time // midnight, and now
	BeganY, UntilY time.Time // the same of yesterday; its minutes are whole ones
}

// NewDay returns the day in zone that now is in, and the part of the day before that compares with it.
func NewDay(now time.Time, zone *time.Location) Day {
	local := now.In(zone)
	at := func(back, hour, minute int) time.Time {
		return time.Date(local.Year(), local.Month(), local.Day()-back, hour, minute, 0, 0, zone)
	}
	return Day{Began: at(0, 0, 0), Until: local, BeganY: at(1, 0, 0), UntilY: at(1, local.Hour(), local.Minute())}
}

// Back is how long ago yesterday's time of day was.
func (d Day) Back() time.Duration { return d.Until.Truncate(time.Minute).Sub(d.UntilY) }

// Words says which times are compared.
func (d Day) Words() string {
	return d.Until.Format("Monday, 2 Jan until 15:04") + ", compared with " + d.UntilY.Format("Monday until 15:04") + "."
}
