package sheet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"pitboss/models"
)

// Days, and times of day, as files write them. Hours and days need no leading zero, and Go reads fractions of a second after
// any.
var (
	dayLayouts = map[models.TimeShape][]string{
		models.TimesISO:      {"2006-1-2", "2006/1/2"},
		models.TimesDayFirst: {"2.1.2006", "2/1/2006", "2-1-2006"},
		models.TimesMonth:    {"1/2/2006"},
	}
	clockLayouts = []string{"15:04:05", "15:04", "", "3:04:05 PM", "3:04 PM", "15:04:05Z07:00", "15:04:05Z0700", "15:04:05 Z07:00"}
)

// timeReader reads the times of a column. It tries first what fitted the last one.
type timeReader struct {
	shape models.TimeShape
	zone  *time.Location
	last  string
}

// parse parses a time. A time in the hour that comes twice in autumn, or that clocks skipped in spring, is one of the two that
// it can be: the difference only matters at the edges of the period.
func (t *timeReader) parse(cell Cell) (time.Time, error) {
	text := cell.Text
	if cell.Kind == Date && t.shape != models.TimesISO {
		return (&timeReader{shape: models.TimesISO, zone: t.zone}).parse(cell)
	}
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
	plain := strings.Replace(strings.ToUpper(strings.Join(strings.Fields(text), " ")), "T", " ", 1)
	if at, err := t.by(t.last, plain); t.last != "" && err == nil {
		return at, nil
	}
	for _, day := range dayLayouts[t.shape] {
		for _, clock := range clockLayouts {
			layout := strings.TrimSpace(day + " " + clock)
			if at, err := t.by(layout, plain); err == nil {
				t.last = layout
				return at, nil
			}
		}
	}
	return time.Time{}, unreadable
}

func (t *timeReader) by(layout, text string) (time.Time, error) {
	at, err := time.ParseInLocation(layout, text, t.zone)
	if err == nil && (at.Year() < 1970 || at.Year() >= 10000) {
		err = strconv.ErrRange
	}
	return at.UTC().Truncate(time.Microsecond), err
}

// timeShape returns the shape of the times of a column, or "" if several fit: 11/12/2026 can be two days, but 25/12/2026
// cannot.
func timeShape(times []Cell) models.TimeShape {
	left, seen := slices.Clone(models.TimeShapes), false
	for _, cell := range times {
		if cell.Kind == Date { // it fits all
			continue
		}
		fit := slices.DeleteFunc(slices.Clone(left), func(shape models.TimeShape) bool {
			_, err := (&timeReader{shape: shape, zone: time.UTC}).parse(cell)
			return err != nil
		})
		if len(fit) > 0 {
			left, seen = fit, true
		}
	}
	switch {
	case !seen:
		return models.TimesISO
	case len(left) == 1:
		return left[0]
	}
	return ""
}
