package web

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"pitboss/app/typed"
	"pitboss/models"
	"pitboss/views"
)

// Filters of lists. Each is a field of the form above a list, a parameter of the address and, when set, a chip. An invalid
// filter is never ignored: the page collects the errors, and Unread shows them instead of the list. Such a list cannot be
// exported.

// MoreFilters puts the filters that are read after it under Add filter.
func (p *Page) MoreFilters() { p.more = true }

// offer adds a filter to the form above the list.
func (p *Page) offer(f views.Filter) {
	f.ID, f.Value, f.More = "f-"+f.Name, strings.TrimSpace(p.Params.Get(f.Name)), p.more
	p.Filters = append(p.Filters, f)
}

// offerText adds a filter with a field for text, and returns the text in the address.
func (p *Page) offerText(f views.Field) string {
	p.offer(views.Filter{Field: f})
	return p.Filter(f.Name, f.Label, nil)
}

// TextFilter returns the text in the address.
func (p *Page) TextFilter(name, label string) string {
	return p.offerText(views.Field{Name: name, Label: label})
}

// SearchFilter is TextFilter for a part of a text, such as the beginning of a name.
func (p *Page) SearchFilter(name, label string) string {
	return p.offerText(views.Field{Name: name, Label: label, Type: "search"})
}

// Knows adds names of parameters that the list's address may have and that are not filters.
func (p *Page) Knows(names ...string) { p.others = append(p.others, names...) }

// Refuse adds an error about the filters, unless it is nil.
func (p *Page) Refuse(wrong error) {
	if wrong != nil {
		p.wrong = append(p.wrong, Sentence(wrong.Error()))
	}
}

// refuseValue adds the error that the value of a filter cannot be read, and why.
func (p *Page) refuseValue(name, what, value string, why error) {
	p.Refuse(fmt.Errorf("the address has %s=%s, but “%s” is not %s: %w", name, value, value, what, why))
}

// maxNamed limits how many values of a filter a message names.
const maxNamed = 12

// Option is a value that a filter can have in the address, its words, and what it selects.
type Option[T any] struct {
	Value, Word string
	Selects     T
}

// Offer returns an option.
func Offer[T any](value, word string, selects T) Option[T] { return Option[T]{value, word, selects} }

// OptionsOf returns an option for everything and, under its own name, one for each of the values.
func OptionsOf[T fmt.Stringer](everything string, values []T) []Option[T] {
	options := []Option[T]{{Word: everything}}
	for _, v := range values {
		options = append(options, Offer(strings.ToLower(strings.ReplaceAll(v.String(), " ", "-")), FirstUpper(v.String()), v))
	}
	return options
}

// Choose returns the selection of a filter's chosen option. An empty value means no filter. A value other than the options is
// refused, and selects nothing.
func Choose[T any](p *Page, name, label string, options []Option[T]) (selects T) {
	value := p.Filter(name, label, func(value string) string {
		for _, o := range options {
			if o.Value == value {
				return o.Word
			}
		}
		return value
	})
	known := value == ""
	var choices []views.Choice
	var can []string
	for _, o := range options {
		choices = append(choices, views.Choice{Value: o.Value, Word: o.Word, Chosen: o.Value == value})
		switch {
		case o.Value == value:
			selects, known = o.Selects, true
		case o.Value == "":
		case strings.EqualFold(strings.ReplaceAll(o.Value, "-", " "), o.Word):
			can = append(can, o.Value)
		default:
			can = append(can, o.Value+" ("+o.Word+")")
		}
	}
	p.offer(views.Filter{Field: views.Field{Name: name, Label: label}, Choices: choices})
	if known {
		return selects
	}
	allowed := "nothing yet, because there is nothing to choose from"
	if len(can) > maxNamed {
		allowed = fmt.Sprintf("one of the %d in its list", len(can))
	} else if len(can) > 0 {
		allowed = views.EitherOf(can)
	}
	p.Refuse(fmt.Errorf("the address has %s=%s, but the filter %s has no value “%s”. It can be %s", name, value, label, value,
		allowed))
	return selects
}

// Choice is Choose for options that select their values. pairs has each value and its words.
func (p *Page) Choice(name, label string, pairs []string) string {
	var options []Option[string]
	for i := 0; i+1 < len(pairs); i += 2 {
		options = append(options, Option[string]{pairs[i], pairs[i+1], pairs[i]})
	}
	return Choose(p, name, label, options)
}

// AmountFilter returns the amount in the address, or nil if the filter is not set.
func (p *Page) AmountFilter(name, label string) *models.Amount {
	text := p.offerText(views.Field{Name: name, Label: label, InputMode: "decimal"})
	if text == "" {
		return nil
	}
	a, err := typed.Amount(text, p.comma)
	if err != nil {
		p.refuseValue(name, "an amount", text, err)
		return nil
	}
	p.amounts = append(p.amounts, name+"="+text)
	return &a
}

var errFilterTime = errors.New("enter a time such as 2026-03-14 or 2026-03-14 15:09, in your time zone")

var errFilterDay = errors.New("enter a day such as 2026-03-14, or a number of days ago, such as 30")

// DayFilter returns the day in the address, or an empty one if the filter is not set. A number is so many days before today, so
// that a saved view moves with the calendar.
func (p *Page) DayFilter(name, label string, today models.Day) (day models.Day) {
	p.offer(views.Filter{Field: views.Field{Name: name, Label: label, Placeholder: "2026-03-14, or days ago"}})
	p.Filter(name, label, func(text string) string {
		var err error
		if ago, number := strconv.Atoi(text); number == nil && ago >= 0 && ago < 10_000 {
			day = today.Add(-ago)
		} else if day, err = models.ParseDay(text); err != nil {
			p.refuseValue(name, "a day", text, errFilterDay)
			return text
		}
		return day.Format("2 Jan 2006")
	})
	return day
}

// TimeFilter returns the time in the address, or zero if the filter is not set. It has no field: only links set it. The time is
// in the reader's zone unless it names its own, as in links from reports. A day alone means its start.
func (p *Page) TimeFilter(name, label string) (at time.Time) {
	p.Filter(name, label, func(text string) string {
		for _, layout := range []string{"2006-01-02 15:04", time.DateTime, time.DateOnly, "2 Jan 2006", "2 Jan 2006 15:04",
			"2 Jan 2006, 15:04", time.RFC3339} {
			var err error
			if at, err = time.ParseInLocation(layout, text, p.Zone); err == nil {
				return at.In(p.Zone).Format("2 Jan 2006, 15:04")
			}
		}
		p.refuseValue(name, "a time", text, errFilterTime)
		return text
	})
	return at
}

// Unknown records that a filter names a person or object that does not exist. Unread returns the first such message if all
// filters are valid.
func (p *Page) Unknown(message *views.Empty) { p.unknown = cmp.Or(p.unknown, message) }

// Unread returns a message about filters that are invalid or name something unknown, or nil. A list calls it after it has read
// all of its filters. With a message, the list has no rows; with an invalid filter, it cannot be exported or saved as a view.
func (p *Page) Unread() *views.Empty {
	known := append(slices.Clone(p.filters), p.others...)
	known = append(known, PlaceNames...)
	for _, name := range slices.Sorted(maps.Keys(p.Params)) {
		given := slices.DeleteFunc(slices.Clone(p.Params[name]), func(s string) bool { return strings.TrimSpace(s) == "" })
		switch {
		case len(given) == 0:
		case name != draftName && !slices.Contains(known, name):
			filters := "It has no filters"
			if len(p.filters) > 0 {
				filters = "Its filters are " + InWords(slices.Compact(slices.Sorted(slices.Values(p.filters))))
			}
			p.Refuse(fmt.Errorf("the address has %s=%s, but this list has no filter “%s”. %s", name, given[0], name, filters))
		case len(given) > 1:
			p.Refuse(fmt.Errorf("the address has %s=%s and another value of %s. A filter has one value", name, given[0], name))
		}
	}
	if len(p.amounts) > 0 && !p.One {
		p.Refuse(fmt.Errorf("the address has %s, but players have several currencies, and their amounts are not compared. Choose a "+
			"currency or a player too", InWords(p.amounts)))
	}
	if len(p.wrong) == 0 {
		return p.unknown
	}
	p.Saveable, p.Exportable = false, false
	return &views.Empty{Title: "Invalid filter", Text: strings.Join(p.wrong, " "),
		Links: []views.Link{{Word: "Clear filters", Href: p.Path, Main: true}}}
}
