package models

import (
	"errors"
	"sort"
	"time"
)

// Day is a day in the operator's time zone, as 2006-01-02, so that days are ordered like strings.
type Day string

// ErrDay means that a text is not a day.
var ErrDay = errors.New("enter a day such as 2026-11-20")

// ParseDay parses a day between the years 2000 and 2199, or returns ErrDay.
func ParseDay(text string) (Day, error) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil || t.Year() < 2000 || t.Year() > 2199 {
		return "", ErrDay
	}
	return Day(text), nil
}

// DayOf returns the day of t in a zone.
func DayOf(t time.Time, zone *time.Location) Day { return Day(t.In(zone).Format(time.DateOnly)) }

// Add returns the day that many days later.
func (d Day) Add(days int) Day {
	t := d.civil()
	return Day(t.AddDate(0, 0, days).Format(time.DateOnly))
}

// Month returns the first day of the day's month.
func (d Day) Month() Day { return d[:len("2006-01")] + "-01" }

// Week returns the Monday of the day's week.
func (d Day) Week() Day { return d.Add(-(int(d.civil().Weekday()) + 6) % 7) }

// Unit is what a period has a number of. The period before it has as many.
type Unit uint8

// The units of periods.
const (
	Days   Unit = 0
	Weeks  Unit = 1 // from Monday, or the same days of the weeks before
	Months Unit = 2
)

// Before returns the period before the one from d to last: as many days, weeks, or months and days of one. A period of whole
// months has the unit Months, whatever unit says.
func (d Day) Before(last Day, unit Unit) (first, end Day) {
	days := ReportFilter{From: d, To: last}.Days()
	whole := d == d.Month() && last.Add(1) == last.Add(1).Month()
	switch {
	case unit == Months || whole:
		from, to := d.civil(), last.civil()
		months := 12*(to.Year()-from.Year()) + int(to.Month()-from.Month()) + 1
		month := Day(last.Month().civil().AddDate(0, -months, 0).Format(time.DateOnly))
		end = month.Add(31).Month().Add(-1)
		if !whole {
			end = min(end, month.Add(to.Day()-1))
		}
		return Day(d.civil().AddDate(0, -months, 0).Format(time.DateOnly)), end
	case unit == Weeks:
		days = (days + 6) / 7 * 7
	}
	return d.Add(-days), last.Add(-days)
}

// civil returns midnight UTC of the day, for arithmetic with dates.
func (d Day) civil() time.Time {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		panic("models: " + string(d) + " is not a day")
	}
	return t
}

// Format formats the day like time.Time.Format.
func (d Day) Format(layout string) string { return d.civil().Format(layout) }

// Begin returns the first instant of the day in a zone, which is the end of the day before: midnight, or if the clocks skip
// midnight, the first instant after it. A day on which clocks change usually has 23 or 25 hours.
func (d Day) Begin(zone *time.Location) time.Time {
	// Zones are at most 14 hours ahead of UTC and 12 behind, and their changes fall on whole seconds.
	earliest := d.civil().Add(-15 * time.Hour)
	seconds := sort.Search(30*3600, func(n int) bool { return DayOf(earliest.Add(time.Duration(n)*time.Second), zone) >= d })
	return earliest.Add(time.Duration(seconds) * time.Second)
}

// End returns the first instant after the day.
func (d Day) End(zone *time.Location) time.Time { return d.Add(1).Begin(zone) }

// Clock returns the first and the last instant of the day at which clocks in a zone show the time of day of `of`. The two
// differ if clocks are put back on that day and show the time twice. exists is false if clocks are put forward and skip it.
func (d Day) Clock(of time.Time, zone *time.Location) (first, last time.Time, exists bool) {
	hour, minute, second := of.Clock()
	shown := d.civil().Add(time.Duration(hour*3600+minute*60+second) * time.Second)
	for _, at := range []time.Time{d.Begin(zone), d.End(zone)} {
		_, offset := at.In(zone).Zone()
		t := shown.Add(-time.Duration(offset) * time.Second).In(zone)
		if t.Format(time.DateTime) != shown.Format(time.DateTime) {
			continue
		}
		if !exists {
			first, exists = t, true
		}
		last = t
	}
	return first, last, exists
}
