package views

import (
	"strconv"
	"time"
)

// Moment is a time in the reader's zone.
type Moment struct {
	local time.Time
	now   time.Time
}

// NewMoment returns the time at, to be shown in a zone to a reader whose time is now.
func NewMoment(at, now time.Time, zone *time.Location) Moment {
	return Moment{local: at.In(zone), now: now.In(zone)}
}

// IsZero reports whether the time was never set.
func (m Moment) IsZero() bool { return m.local.IsZero() }

// Machine returns the time for programs: RFC 3339 in UTC, with microseconds.
func (m Moment) Machine() string { return m.local.UTC().Format("2006-01-02T15:04:05.000000Z") }

// Proof is the layout of a time with microseconds, in UTC.
const Proof = "2 Jan 2006, 15:04:05.000000"

// Hover returns Exact with " UTC" after it.
func (m Moment) Hover() string { return m.Exact() + " UTC" }

// Exact returns the time in UTC with microseconds.
func (m Moment) Exact() string { return m.local.UTC().Format(Proof) }

// Zone returns the offset of the reader's zone from UTC at this time: "UTC", "UTC+1".
func (m Moment) Zone() string {
	_, seconds := m.local.Zone()
	if seconds == 0 {
		return "UTC"
	}
	return UTCOffset(seconds)
}

// UTCOffset formats a zone's offset from UTC, such as UTC+2.
func UTCOffset(seconds int) string {
	sign := "+"
	if seconds < 0 {
		sign, seconds = "−", -seconds
	}
	s := "UTC" + sign + strconv.Itoa(seconds/3600)
	if minutes := seconds / 60 % 60; minutes != 0 {
		s += ":" + strconv.Itoa(minutes)
	}
	return s
}

// Day returns the date, or nothing if it is today. It has the year only if it is another year.
func (m Moment) Day() string {
	switch {
	case m.local.Format(time.DateOnly) == m.now.Format(time.DateOnly):
		return ""
	case m.local.Year() == m.now.Year():
		return m.local.Format("2 Jan")
	}
	return m.local.Format("2 Jan 2006")
}

// DayWord returns the words of a divider between days in a timeline or a table: Today, Yesterday, or the date.
func (m Moment) DayWord() string {
	switch day := m.local.Format(time.DateOnly); {
	case day == m.now.Format(time.DateOnly):
		return today
	case day == m.now.AddDate(0, 0, -1).Format(time.DateOnly):
		return "Yesterday"
	case m.local.Year() == m.now.Year():
		return m.local.Format("Monday, 2 Jan")
	}
	return m.local.Format("Monday, 2 Jan 2006")
}

// today is the one day that needs no divider if it comes first.
const today = "Today"

// Clock returns the time of day to the second.
func (m Moment) Clock() string { return m.local.Format("15:04:05") }

// Millis returns the milliseconds to append to Clock, with their decimal point.
func (m Moment) Millis() string { return m.local.Format(".000") }

// Brief returns a time for a sentence: the time of day to the minute, after the date unless it is today.
func (m Moment) Brief() string {
	if day := m.Day(); day != "" {
		return day + ", " + m.local.Format("15:04")
	}
	return m.local.Format("15:04")
}

// Full returns a time for paper: the whole date, and the time of day to the second.
func (m Moment) Full() string { return m.local.Format("2 Jan 2006, 15:04:05") }

// ISODate returns the date as a form has it.
func (m Moment) ISODate() string { return m.local.Format(time.DateOnly) }

// Date returns the whole date.
func (m Moment) Date() string { return m.local.Format("2 Jan 2006") }
