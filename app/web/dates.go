package web

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"pitboss/models"
	"pitboss/views"
)

// Dates is the filter of a list by days: a choice that moves with the calendar, such as Yesterday, or a first and a last day.
// Lists of what happened also have the time at which the first day begins and the last one ends.
type Dates struct {
	First, Last  models.Day // empty for no bound
	Since, Until time.Time  // start of First and end of Last, narrowed by times in the address; zero for no bound
	Words        string     // the choice, or the days
	Span         string     // the days
	Unit         models.Unit
	Quick        []views.Tab
	From, To     views.Field
	FromTime     views.Field   // the time of the first day, in lists that have times
	ToTime       views.Field   // the time of the last day
	About        views.Field   // a time that the list is about
	Kept         []views.Field // hidden fields of the form
}

// quickDates are the choices that move with the calendar, the days that each selects, and the unit of the period before them.
var quickDates = []struct {
	value, word string
	unit        models.Unit
	days        func(today models.Day) (first, last models.Day)
}{
	{"today", "Today", models.Days, func(today models.Day) (first, last models.Day) { return today, today }},
	{Yesterday, "Yesterday", models.Days, func(today models.Day) (first, last models.Day) { return today.Add(-1), today.Add(-1) }},
	{"last-7-days", "Last 7 days", models.Days, func(today models.Day) (first, last models.Day) { return today.Add(-6), today }},
	{Last30Days, "Last 30 days", models.Days, func(today models.Day) (first, last models.Day) { return today.Add(-29), today }},
	{"this-week", "This week", models.Weeks, func(today models.Day) (first, last models.Day) { return today.Week(), today }},
	{"last-week", "Last week", models.Weeks, func(today models.Day) (first, last models.Day) {
		last = today.Week().Add(-1)
		return last.Week(), last
	}},
	{ThisMonth, "This month", models.Months, func(today models.Day) (first, last models.Day) { return today.Month(), today }},
	{"last-month", "Last month", models.Months, func(today models.Day) (first, last models.Day) {
		last = today.Month().Add(-1)
		return last.Month(), last
	}},
}

// DaysName is the parameter for a choice that moves with the calendar. The others are some of its values.
const (
	DaysName   = "days"
	Yesterday  = "yesterday"
	Last30Days = "last-30-days"
	ThisMonth  = "this-month"
)

var errClock = errors.New("enter a time such as 14:05")

// LastHour is a choice like ThisMonth, in lists with times.
const LastHour = "last-hour"

// DatesFilter reads the filter by days and times of day in the reader's zone, and the times since and until, which links from
// other pages set. A time without a day is one of the other day, or of today. Days may have their times: "2026-11-20 14:00".
func (p *Page) DatesFilter() (d Dates) {
	has := func(name string) bool { return strings.TrimSpace(p.Params.Get(name)) != "" }
	for _, name := range []string{"from", "to"} {
		text := strings.TrimSpace(p.Params.Get(name))
		if day, of, timed := strings.Cut(strings.Replace(text, "T", " ", 1), " "); timed {
			if _, err := models.ParseDay(day); err == nil {
				p.Params.Set(name, day)
				p.Params.Set(name+"-time", of)
			}
		}
	}
	timed, from, to := has("from-time") || has("to-time") || has("about"), has("from"), has("to")
	switch days := p.Params.Get(DaysName); {
	case from && !to && (has("to-time") || has("about")):
		p.Params.Set("to", p.Params.Get("from"))
	case to && !from && (has("from-time") || has("about")):
		p.Params.Set("from", p.Params.Get("to"))
	case timed && !from && !to && (days == "" || days == LastHour):
		p.Params.Set(DaysName, quickDates[0].value)
	}
	d = p.daysFilter(models.DayOf(p.Now, p.Zone), p.Zone, LastHour, "Last hour")
	p.timesOfDay(&d)
	hour := views.Tab{Word: "Last hour", Href: p.OnDays(url.Values{DaysName: {LastHour}}),
		Current: p.Params.Get(DaysName) == LastHour}
	if hour.Current {
		d.Since, d.Words = p.Now.Add(-time.Hour), hour.Word
		d.Span = "the hour before " + p.Now.In(p.Zone).Format("2 Jan 2006, "+clock)
		d.Kept = append(d.Kept, views.Field{Name: DaysName, Value: LastHour})
		p.Chips = append(p.Chips, views.Chip{Label: "Days", Value: d.Words, Without: p.OnDays(nil)})
	}
	d.Quick = append([]views.Tab{hour}, d.Quick...)
	since, until := p.TimeFilter("since", "Since"), p.TimeFilter("until", "Until")
	if since.After(d.Since) {
		d.Since = since
	}
	d.Until = models.Earliest(d.Until, until)
	field := func(name string) views.Field {
		return views.Field{ID: "f-" + name, Name: name, Type: "time", Value: strings.TrimSpace(p.Params.Get(name))}
	}
	d.FromTime, d.ToTime, d.About = field("from-time"), field("to-time"), field("about")
	for _, name := range []string{"since", "until"} {
		if text := strings.TrimSpace(p.Params.Get(name)); text != "" {
			d.Kept = append(d.Kept, views.Field{Name: name, Value: text})
		}
	}
	return d
}

// clock is how a time of day is written, in a field and in the address.
const clock = "15:04"

// around is how far from a time a list reaches that is about that time.
const around = 10 * time.Minute

// timesOfDay reads the times of day at which the first day begins and the last one ends, and the time that the list is about.
func (p *Page) timesOfDay(d *Dates) {
	start, _ := p.clockFilter("from-time", "From", d.First, "")
	_, end := p.clockFilter("to-time", "To", d.Last, "")
	first, last := p.clockFilter("about", "About", d.First, fmt.Sprintf(" ± %d minutes", int(around.Minutes())))
	from, to, about := p.Params.Get("from-time"), p.Params.Get("to-time"), p.Params.Get("about")
	switch {
	case !start.IsZero() && !end.IsZero() && !start.Before(end):
		p.Refuse(fmt.Errorf("the address has from-time=%s and to-time=%s, but the first time is after the last", from, to))
	case !first.IsZero() && (from != "" || to != ""):
		p.Refuse(fmt.Errorf("the address has about=%s and another time. Leave one of them out", about))
	case !first.IsZero() && d.First != d.Last:
		p.Refuse(fmt.Errorf("the address has about=%s, but several days, each with such a time. Choose one day", about))
	}
	switch {
	case !first.IsZero(): // around midnight, it reaches into another day
		d.Since, d.Until = first.Add(-around), last.Add(around)
		d.Span += ", about " + about
	case !start.IsZero() && !end.IsZero():
		d.Span += ", " + from + " to " + to
	case !start.IsZero():
		d.Span += ", from " + from
	case !end.IsZero():
		d.Span += ", up to " + to
	}
	if start.After(d.Since) {
		d.Since = start
	}
	d.Until = models.Earliest(d.Until, end)
}

// clockFilter returns the first instant of a time of day on a day in the reader's zone, and the first instant after it: a
// minute later, or a second if the time has seconds. If clocks are put back, so that the time occurs twice, it returns the
// beginning of the first and the end of the second. It returns zero times if the filter is not set, and refuses a time that
// clocks skip. more follows the time in words.
func (p *Page) clockFilter(name, label string, day models.Day, more string) (start, end time.Time) {
	p.Filter(name, label, func(text string) string {
		lasts := time.Minute
		of, err := time.Parse(clock, text)
		if err != nil {
			lasts = time.Second
			of, err = time.Parse(time.TimeOnly, text)
		}
		switch {
		case day == "": // a day that cannot be read is named already
			return text
		case err != nil:
			p.refuseValue(name, "a time of day", text, errClock)
			return text
		}
		first, last, exists := day.Clock(of, p.Zone)
		if !exists {
			p.Refuse(fmt.Errorf("the address has %s=%s, but on %s clocks in %s skip %[2]s, because they are put forward. "+
				"Write a time before or after it", name, text, day.Format("2 Jan 2006"), p.Zone))
			return text
		}
		start, end = first, last.Add(lasts)
		return text + more
	})
	return start, end
}

// DaysFilter reads the filter by days in a zone.
func (p *Page) DaysFilter(today models.Day, zone *time.Location) (d Dates) {
	return p.daysFilter(today, zone)
}

// daysFilter is DaysFilter with more choices, which it accepts without days of their own. pairs has each and its words.
func (p *Page) daysFilter(today models.Day, zone *time.Location, pairs ...string) (d Dates) {
	p.filters = append(p.filters, "from", "to")
	p.offer(views.Filter{Days: true})
	day := func(name string) models.Day {
		text := strings.TrimSpace(p.Params.Get(name))
		if text == "" {
			return ""
		}
		day, err := models.ParseDay(text)
		if err != nil {
			p.refuseValue(name, "a day", text, err)
		}
		return day
	}
	d.First, d.Last = day("from"), day("to")
	pairs = append([]string{"", "Any day"}, pairs...)
	for _, q := range quickDates {
		pairs = append(pairs, q.value, q.word)
	}
	chips, fields := len(p.Chips), len(p.Filters)
	quick := p.Choice(DaysName, "Days", pairs)
	p.Chips, p.Filters = p.Chips[:chips], p.Filters[:fields]
	for _, q := range quickDates {
		first, last := q.days(today)
		// The form sends a choice together with its dates. The choice applies unless the dates were changed.
		if q.value == quick && (d.First == "" && d.Last == "" || d.First == first && d.Last == last) {
			d.First, d.Last, d.Words, d.Unit = first, last, q.word, q.unit
			p.Params.Del("from")
			p.Params.Del("to")
			d.Kept = append(d.Kept, views.Field{Name: DaysName, Value: quick})
		}
	}
	if d.Words == "" && (d.First != "" || d.Last != "") {
		p.Params.Del(DaysName)
	}
	p.Query = Without(p.Params, PlaceNames...)
	span := DaysWords(d.First, d.Last)
	d.Span = cmp.Or(span, "any day")
	chip := span
	if d.Words != "" {
		chip = d.Words + ", " + span
	} else {
		d.Words = cmp.Or(span, "Any day")
	}
	if d.First != "" && d.Last != "" && d.Last < d.First {
		p.Refuse(fmt.Errorf("the address has from=%s and to=%s, but the first day is after the last", d.First, d.Last))
	}
	if span != "" {
		p.Chips = append(p.Chips, views.Chip{Label: "Days", Value: chip,
			Without: WithQuery(p.Path, Without(p.Params, append(PlaceNames, DaysName, "from", "to")...))})
	}
	if d.First != "" {
		d.Since = d.First.Begin(zone)
	}
	if d.Last != "" {
		d.Until = d.Last.End(zone)
	}
	for _, q := range quickDates {
		d.Quick = append(d.Quick, views.Tab{Word: q.word, Current: q.value == quick && p.Params.Get(DaysName) == quick,
			Href: p.OnDays(url.Values{DaysName: {q.value}})})
	}
	d.From = views.Field{ID: "f-from", Label: "First day", Name: "from", Type: "date", Value: string(d.First)}
	d.To = views.Field{ID: "f-to", Label: "Last day", Name: "to", Type: "date", Value: string(d.Last)}
	return d
}

// OnDays returns the address of this list on other days, without some filters.
func (p *Page) OnDays(days url.Values, without ...string) string {
	without = append(append(without, PlaceNames...), DaysName, "from", "to", "from-time", "to-time", "about", "since", "until")
	query, err := url.ParseQuery(Without(p.Params, without...))
	if err != nil {
		query = url.Values{}
	}
	for name, values := range days {
		query[name] = values
	}
	return WithQuery(p.Path, query.Encode())
}

// DaysWords returns days as people write them: "12–15 Nov 2026".
func DaysWords(first, last models.Day) string {
	const whole = "2 Jan 2006"
	switch {
	case first == "" && last == "":
		return ""
	case first == "":
		return "up to " + last.Format(whole)
	case last == "":
		return "from " + first.Format(whole)
	case first == last:
		return first.Format(whole)
	case first.Format("2006-01") == last.Format("2006-01"):
		return first.Format("2") + "–" + last.Format(whole)
	case first.Format("2006") == last.Format("2006"):
		return first.Format("2 Jan") + " – " + last.Format(whole)
	}
	return first.Format(whole) + " – " + last.Format(whole)
}
