package web

import (
	"errors"
	"strings"
	"time"

	"pitboss/models"
	"pitboss/views"
)

// Filters that are more than a text. Each is a field of the form above a list, a parameter of the address and, while it is in
// force, a chip. One that cannot be read is no filter that is left out: the list stays empty and says so.

// FilterField is the form's field of a filter, with what stands in the address.
func (p *Page) FilterField(name, label string) views.Field {
	return views.Field{ID: "f-" + name, Label: label, Name: name, Value: strings.TrimSpace(p.Params.Get(name))}
}

// AmountFilter reads an amount from the address; nil means that it is not asked for.
func (p *Page) AmountFilter(name, label string) (*models.Amount, error) {
	text := p.Filter(name, label, nil)
	if text == "" {
		return nil, nil
	}
	a, err := TypedAmount(text, p.comma)
	if err != nil {
		return nil, err
	}
	return &a, nil
}

var errFilterTime = errors.New("a time is written like 2026-03-14 or 2026-03-14 15:09, in your zone")

// TimeFilter reads a time in the reader's zone from the address, or one that names its own as links from reports do; a day
// alone is its beginning. Zero means that it is not asked for.
func (p *Page) TimeFilter(name, label string) (at time.Time, err error) {
	p.Filter(name, label, func(text string) string {
		for _, layout := range []string{"2006-01-02 15:04", time.DateTime, time.DateOnly, "2 Jan 2006", "2 Jan 2006 15:04",
			time.RFC3339} {
			if at, err = time.ParseInLocation(layout, text, p.Zone); err == nil {
				return at.In(p.Zone).Format("2 Jan 2006 15:04")
			}
		}
		err = errFilterTime
		return text
	})
	return at, err
}

// ErrFilterAddress says how an address is written.
var ErrFilterAddress = errors.New("an address is written like 203.0.113.7 or 2001:db8::7")

// FlagFilter reads one of two words from the address, and nil for neither.
func (p *Page) FlagFilter(name, label string, words []string, yes, no string) *bool {
	value := map[string]bool{yes: true, no: false}
	flag, known := value[p.Params.Get(name)]
	if !known {
		return nil
	}
	p.Filter(name, label, WordOf(words))
	return &flag
}

// Unread is what stands in place of a list whose filters cannot be read.
func Unread(err error, p *Page) views.Empty {
	return views.Empty{Title: "A filter cannot be read", Text: Sentence(err.Error()),
		Links: []views.Link{{Word: "Clear the filters", Href: p.Path, Main: true}}}
}

// LookedAround is around for a list that may have given up: then the way on begins where it stopped, and says so.
func (p *Page) LookedAround(at, first, last models.Cursor, more bool, stopped models.Cursor, note string) views.Paging {
	paging := p.Around(at, first, last, more, note)
	if stopped.IsZero() {
		return paging
	}
	if first.IsZero() && !at.IsZero() && !at.Newer {
		paging.Newer = p.With("before", stopped.String())
	}
	moment := p.Time(stopped.At)
	place := strings.TrimSpace(moment.Day() + " " + moment.Clock())
	if stopped.Newer {
		paging.Note, paging.Newer, paging.NewerWord = note+", looked up to "+place, p.With("before", stopped.String()),
			"Look further"
	} else {
		paging.Note, paging.Older, paging.OlderWord = note+", looked back to "+place, p.With("after", stopped.String()),
			"Look further"
	}
	return paging
}

// SoFar is what stands where a list gave up with nothing found.
func SoFar(paging views.Paging) views.Empty {
	e := views.Empty{Title: "Nothing found so far",
		Text: "Few rows pass these filters. This part of the list was searched; the rest has not been."}
	if paging.Older != "" {
		e.Links = append(e.Links, views.Link{Word: "Look further back", Href: paging.Older, Main: true})
	} else if paging.Newer != "" {
		e.Links = append(e.Links, views.Link{Word: "Look further on", Href: paging.Newer, Main: true})
	}
	return e
}
