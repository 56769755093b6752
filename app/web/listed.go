package web

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"pitboss/models"
	"pitboss/views"
)

// Listed is the part that all pages of lists share. They embed it.
type Listed struct {
	Dates   Dates
	Paging  views.Paging
	Instead *views.Empty // the message of a page without rows: a filter is wrong, or the search stopped early
	Order   string       // newest first, or one of the orders below
	By      string       // how the list is ordered, in words, if not by time
	Table   views.Table
	page    *Page // of a list that has other orders
}

// ByTime is the order of a column of times, by which a list is ordered: newest first, or oldest first.
const ByTime = "time"

// ListRows is how many rows a page of a list shows.
const ListRows = 50

// The orders of lists beside newest first. By amount, a list is read whole, so only a list of up to mostAdded rows has this
// order.
const (
	Oldest  = "oldest"
	Largest = "amount"
)

// LargestWords offers the order by amount in Period.
var LargestWords = []string{Largest, "Largest amount first"}

// Period reads the filter by days and times and the order of the list. orders has further orders beside the two by time, each
// with its words.
func (l *Listed) Period(p *Page, orders ...string) models.Span {
	l.page, l.Dates = p, p.DatesFilter()
	before := p.more
	p.more = true
	l.Order = p.Choice("order", "Order", append([]string{"", "Newest first", Oldest, "Oldest first"}, orders...))
	p.more = before
	return models.Span{Since: l.Dates.Since, Until: l.Dates.Until}
}

// Head returns the head of a column. order is how the list can be ordered by it; empty if it cannot.
func (l *Listed) Head(word, order string) views.Head {
	h := views.Head{Word: word}
	if l.page == nil || order == "" {
		return h
	}
	h.Sorted = "none"
	to := order
	switch {
	case order == ByTime && l.Order == Oldest:
		h.Sorted, to = "ascending", ""
	case order == ByTime && l.Order == "":
		h.Sorted, to = "descending", Oldest
	case order == ByTime:
		to = ""
	case order == l.Order:
		h.Sorted, to = "descending", ""
	}
	h.Href = l.page.With("order", to)
	return h
}

// OrderWords returns the order of the list in words.
func (l *Listed) OrderWords() string {
	switch {
	case l.By != "":
		return l.By
	case l.Order == Oldest:
		return "oldest first"
	case l.Order == Largest:
		return "by currency, the largest amount first"
	}
	return "newest first"
}

// ReadPage reads the page of a list that the address names, and the links to the pages around it. If Instead already has a
// message, it reads nothing.
func ReadPage[T any](ctx context.Context, p *Page, l *Listed, list models.Listing[T]) (found models.Page[T], err error) {
	if l.Instead != nil {
		return found, nil
	}
	at, err := p.Place()
	if err != nil {
		return found, err
	}
	// With the oldest first, rows after a place in the list are newer.
	span, oldest := list.Span, l.Order == Oldest
	span.Page = at
	span.Page.Newer, span.Limit = at.Newer != oldest, cmp.Or(span.Limit, ListRows)
	if found, err = list.Read(ctx, span); err != nil {
		return found, err
	}
	if oldest {
		slices.Reverse(found.Rows)
	}
	var first, last models.Cursor
	n := len(found.Rows)
	if n > 0 {
		first, last = list.Place(found.Rows[0]), list.Place(found.Rows[n-1])
	}
	l.Paging = p.around(at, first, last, found.More)
	l.Paging.Count = n
	if !found.Stopped.IsZero() {
		p.lookFurther(l, at, first, found.Stopped)
	}
	if oldest {
		l.Paging.NewerWord, l.Paging.OlderWord = cmp.Or(l.Paging.NewerWord, "Older"), cmp.Or(l.Paging.OlderWord, "Newer")
	} else if l.By != "" {
		l.Paging.NewerWord, l.Paging.OlderWord = "Previous", "Next"
	}
	return found, nil
}

// Amounts are the amounts of a list's rows.
type Amounts[T any] struct {
	Of   func(T) (size models.Amount, c models.Currency) // by which the list is ordered
	Sums []Sum[T]
}

// Sum is an amount that is added up under a list. Of returns 0 for a row that does not count.
type Sum[T any] struct {
	Word string
	Of   func(T) models.Amount
}

// mostAdded is the most rows that a list adds up, or orders by amount. Reading so many takes up to 200 ms.
const mostAdded = 5_000

// ReadAmounts is ReadPage for a list with amounts. If the list is filtered, it adds up the rows: at once if they fit on the
// page; over several pages, which takes longer, only if the reader asks.
func ReadAmounts[T any](ctx context.Context, p *Page, l *Listed, list models.Listing[T], of Amounts[T]) (found models.Page[T],
	err error) {
	if l.Order != Largest {
		found, err = ReadPage(ctx, p, l, list)
		if err != nil || l.Instead != nil || len(p.Chips) == 0 || len(of.Sums) == 0 || len(found.Rows) == 0 {
			return found, err
		}
		if l.Paging.Newer == "" && l.Paging.Older == "" {
			l.Paging.Sums = of.added(found.Rows)
			return found, nil
		}
		if p.Params.Get("sums") == "" {
			shown := maps.Clone(p.Params)
			shown.Set("sums", "all")
			l.Paging.AddUp = WithQuery(p.Path, shown.Encode())
			return found, nil
		}
	}
	if l.Instead != nil {
		return found, nil
	}
	if l.Order == Largest {
		all, err := of.ordered(ctx, p, l, list)
		if err == nil && l.Instead == nil {
			found, err = of.largest(p, l, all, cmp.Or(list.Limit, ListRows))
			l.Paging.Sums = of.added(all)
		}
		return found, err
	}
	all, complete, err := gather(ctx, list)
	if l.Paging.Sums = of.added(all); !complete {
		l.Paging.Unsummed = mostAdded
	}
	return found, err
}

// ordered returns the rows of a list by currency, the largest of each first. If there are too many, Instead says so.
func (of Amounts[T]) ordered(ctx context.Context, p *Page, l *Listed, list models.Listing[T]) ([]T, error) {
	all, complete, err := gather(ctx, list)
	if err == nil && !complete {
		l.Instead = &views.Empty{Title: "Too many rows to order by amount",
			Text: "Up to " + Grouped(mostAdded) + " rows can be ordered by amount. Choose fewer days, or filter by amount, player " +
				"or kind.",
			Links: []views.Link{{Word: "Newest first", Href: p.With("order", ""), Main: true}}}
	}
	slices.SortStableFunc(all, func(a, b T) int {
		left, in := of.Of(a)
		right, other := of.Of(b)
		return cmp.Or(cmp.Compare(in, other), cmp.Compare(right, left))
	})
	return all, err
}

// gather reads a whole list, or returns false if it has more than mostAdded rows or its rows are too rare to find all of them.
func gather[T any](ctx context.Context, list models.Listing[T]) (rows []T, complete bool, err error) {
	for page, err := range list.Pages(ctx, ExportPage) {
		rows = append(rows, page.Rows...)
		if err != nil || len(rows) > mostAdded || !page.Stopped.IsZero() {
			return nil, false, err
		}
	}
	return rows, true, nil
}

// largest returns a page of all rows. Its place is how many rows are before it.
func (of Amounts[T]) largest(p *Page, l *Listed, all []T, limit int) (found models.Page[T], err error) {
	at, err := p.PlaceIn(PlaceNames[0])
	if err != nil {
		return found, err
	}
	from := int(min(at.ID, int64(len(all))))
	to := min(from+limit, len(all))
	l.Paging = views.Paging{Count: to - from, NewerWord: "Larger", OlderWord: "Smaller"}
	switch {
	case from > limit:
		l.Paging.Newer = p.With(PlaceNames[0], models.Cursor{ID: int64(from - limit)}.String())
	case from > 0:
		l.Paging.Newer = p.With(PlaceNames[0], "")
	}
	if to < len(all) {
		l.Paging.Older = p.With(PlaceNames[0], models.Cursor{ID: int64(to)}.String())
	}
	found.Rows = all[from:to]
	return found, nil
}

// added returns the sums of rows, by currency.
func (of Amounts[T]) added(rows []T) (sums []views.Sum) {
	for _, sum := range of.Sums {
		added := map[models.Currency]models.Amount{}
		for _, row := range rows {
			_, c := of.Of(row)
			added[c] = added[c].Add(sum.Of(row))
		}
		for _, c := range slices.Sorted(maps.Keys(added)) {
			if added[c] != 0 {
				sums = append(sums, views.Sum{Word: sum.Word, Amount: added[c].Grouped() + " " + string(c)})
			}
		}
	}
	return sums
}

// around returns the links to the newer and the older page. at is where this page begins, first and last are its first and last
// row, and more says whether further rows follow in the direction of reading.
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

// lookFurther lets the reader continue a search that stopped early, and shows how far it has come.
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
	paging.Note = ", looked back to " + place
	if stopped.Newer {
		paging.Note = ", looked up to " + place
	}
	if at.Newer {
		paging.Newer, paging.NewerWord = p.With("before", stopped.String()), further
	} else {
		paging.Older, paging.OlderWord = p.With("after", stopped.String()), further
	}
	to := cmp.Or(paging.Older, paging.Newer)
	if word := "Search older rows"; (to == paging.Older) == (l.Order != Oldest) {
		l.Instead.Links = []views.Link{{Word: word, Href: to, Main: true}}
	} else {
		l.Instead.Links = []views.Link{{Word: "Search newer rows", Href: to, Main: true}}
	}
}
