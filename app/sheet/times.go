package sheet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"pitboss/models"
)

// Days, and times of day, as files write them. Hours and days need no leading zero, and Go reads fractions of a second after any.
var (
	dayLayouts = map[models.TimeShape][]string{
		models.TimesISO:      {"2006-1-2", "2006/1/2", "2006.1.2"},
		models.TimesDayFirst: {"2.1.2006", "2/1/2006", "2-1-2006"},
		models.TimesMonth:    {"1/2/2006", "1-2-2006"},
	}
	clockLayouts = []string{"15:04:05", "15:04", "", "3:04:05 PM", "3:04 PM", "15:04:05Z07:00", "15:04:05Z0700", "15:04:05 Z07:00",
		"15:04:05 MST", "15:04Z07:00"}
)

// timeReader reads the times of a column. It tries first what fitted the last one.
type timeReader struct {
	shape models.TimeShape
	zone  *time.Location
	last  string
}

// parse parses a time. A time in the hour that comes twice in autumn is taken as the first of the two. The difference only matters
// at the edges of the period.
func (t *timeReader) parse(text string) (time.Time, error) {
	unreadable := fmt.Errorf("%.40q is not a time such as %s", text, t.shape.Word())
	if t.shape == models.TimesUnix || t.shape == models.TimesUnixMilli {
		n, err := strconv.ParseInt(text, 10, 64)
		switch {
		// from 2000 on, so that no number can be both
		case err == nil && t.shape == models.TimesUnix && n > 946_684_800 && n < 1<<36:
			return time.Unix(n, 0).UTC(), nil
		case err == nil && t.shape == models.TimesUnixMilli && n > 946_684_800_000 && n < 1<<46:
			return time.UnixMilli(n).UTC(), nil
		}
		return time.Time{}, unreadable
	}
	plain := strings.NewReplacer("A.M.", "AM", "P.M.", "PM").Replace(strings.ToUpper(strings.Join(strings.Fields(text), " ")))
	if day, clock, parted := strings.Cut(plain, "T"); parted && len(clock) > 0 && clock[0] >= '0' && clock[0] <= '9' {
		plain = day + " " + clock
	}
	if n := len(plain) - 2; n > 0 && plain[n-1] != ' ' && (plain[n:] == "AM" || plain[n:] == "PM") {
		plain = plain[:n] + " " + plain[n:]
	}
	if at, err := t.by(t.last, plain); t.last != "" && err == nil {
		return at, nil
	}
	for _, day := range dayLayouts[t.shape] {
		for _, clock := range clockLayouts {
			layout := strings.TrimSpace(day + " " + clock)
			at, err := t.by(layout, plain)
			if err == nil {
				t.last = layout
				return at, nil
			}
			if _, skipped := err.(skippedError); skipped {
				return at, err
			}
		}
	}
	return time.Time{}, unreadable
}

// skippedError is a time that no clock in the zone has shown. It belongs to another zone, and only the file's owner knows which.
type skippedError struct{ error }

func (t *timeReader) by(layout, text string) (time.Time, error) {
	at, err := time.ParseInLocation(layout, text, t.zone)
	if err == nil && (at.Year() < 1970 || at.Year() >= 10000 || madeUp(at, t.zone)) {
		err = strconv.ErrRange
	}
	if err != nil {
		return time.Time{}, err
	}
	// the text has neither an offset nor a zone's abbreviation
	if t.zone != time.UTC && !strings.Contains(layout, "Z07") && !strings.Contains(layout, "MST") {
		wall, _ := time.Parse(layout, text)
		if !sameClock(at, wall) {
			return time.Time{}, skippedError{fmt.Errorf("%.40q is a time that clocks in %s skipped", text, t.zone)}
		}
		for _, back := range []time.Duration{time.Hour, 30 * time.Minute} {
			if earlier := at.Add(-back); sameClock(earlier, wall) {
				at = earlier
			}
		}
	}
	return at.UTC().Truncate(time.Microsecond), nil
}

func sameClock(a, b time.Time) bool { return a.Hour() == b.Hour() && a.Minute() == b.Minute() }

// madeUp reports whether a time has a zone abbreviation that the chosen zone does not know: Go takes any such abbreviation for
// UTC.
func madeUp(at time.Time, zone *time.Location) bool {
	name, offset := at.Zone()
	return at.Location() != zone && at.Location() != time.UTC && offset == 0 && name != "" && name != "GMT"
}

// shapeFinder infers how a column writes times from all of them: 11/12/2026 can be two days, but 25/12/2026 cannot.
type shapeFinder struct {
	left []models.TimeShape // the shapes that fit all times so far
	seen bool
}

func (s *shapeFinder) see(text string) {
	if !s.seen {
		s.left = slices.Clone(models.TimeShapes)
	}
	fit := slices.DeleteFunc(slices.Clone(s.left), func(shape models.TimeShape) bool {
		_, err := (&timeReader{shape: shape, zone: time.UTC}).parse(text)
		return err != nil
	})
	if len(fit) > 0 {
		s.left, s.seen = fit, true
	}
}

func (s *shapeFinder) decided() bool { return s.seen && len(s.left) == 1 }

// shape returns the shape, or "" if several fit.
func (s *shapeFinder) shape() models.TimeShape {
	switch {
	case !s.seen:
		return models.TimesISO
	case len(s.left) == 1:
		return s.left[0]
	}
	return ""
}
