package web

import (
	"context"
	"strings"

	"pitboss/models"
	"pitboss/views"
)

// Listed is what the pages of lists have in common. They embed it.
type Listed struct {
	Dates   Dates
	Paging  views.Paging
	Instead *views.Empty // what a page without rows says: a filter is wrong, or the search stopped early
}

// ReadPage reads the page of a list that the address names, and the links to the pages around it. If Instead already says what
// is wrong, it reads nothing.
func ReadPage[T any](ctx context.Context, p *Page, l *Listed, list models.Listing[T]) (found models.Page[T], err error) {
	if l.Instead != nil {
		return found, nil
	}
	span := list.Span
	if span.Page, err = p.Place(); err != nil {
		return found, err
	}
	if found, err = list.Read(ctx, span); err != nil {
		return found, err
	}
	var first, last models.Cursor
	n := len(found.Rows)
	if n > 0 {
		first, last = list.Place(found.Rows[0]), list.Place(found.Rows[n-1])
	}
	l.Paging = p.around(span.Page, first, last, found.More)
	l.Paging.Count = n
	if !found.Stopped.IsZero() {
		p.lookFurther(l, span.Page, first, found.Stopped)
	}
	return found, nil
}

// around returns the links to the newer and the older page. at is where this page begins, first and last are its first and last
// row, and more says whether further rows follow in the direction in which it was read.
func (p *Page) around(at, first, last models.Cursor, more bool) (paging views.Paging) {
	if first.IsZero() {
		return paging
	}
	if newer := at.Newer && more || !at.Newer && !at.IsZero(); newer {
		paging.Newer = p.With("before", first.String())
	}
	if older := at.Newer || more; older {
		paging.Older = p.With("after", last.String())
	}
	return paging
}

// lookFurther lets the reader continue a search that stopped early, and says how far it has come.
func (p *Page) lookFurther(l *Listed, at, first, stopped models.Cursor) {
	const further = "Look further"
	paging := &l.Paging
	if first.IsZero() && !at.IsZero() && !at.Newer {
		paging.Newer = p.With("before", stopped.String())
	}
	moment := p.Time(stopped.At)
	place := strings.TrimSpace(moment.Day() + " " + moment.Clock())
	l.Instead = &views.Empty{Title: "Nothing found so far",
		Text: "Few rows match these filters, so only a part of the list has been searched."}
	if stopped.Newer {
		paging.Note, paging.Newer, paging.NewerWord = ", looked up to "+place, p.With("before", stopped.String()), further
	} else {
		paging.Note, paging.Older, paging.OlderWord = ", looked back to "+place, p.With("after", stopped.String()), further
	}
	if paging.Older != "" {
		l.Instead.Links = []views.Link{{Word: "Search older rows", Href: paging.Older, Main: true}}
	} else {
		l.Instead.Links = []views.Link{{Word: "Search newer rows", Href: paging.Newer, Main: true}}
	}
}
