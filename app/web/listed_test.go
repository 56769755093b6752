package web

import (
	"context"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/views"
)

// TestReadPage reads pages of a list of days in November. The rows around the chosen days are those of the 4th and the 7th.
func TestReadPage(t *testing.T) {
	on := func(day int) time.Time { return time.Date(2026, 11, day, 12, 0, 0, 0, time.UTC) }
	place := func(day int) models.Cursor { return models.Cursor{At: on(day), ID: int64(day)} }
	after := func(day int) string { return "/x?after=" + place(day).String() }
	before := func(day int) string { return "/x?before=" + place(day).String() }
	stopped, stoppedNewer := place(3), place(20)
	stoppedNewer.Newer = true
	const nothing, further = "Nothing found so far", "Look further"
	for name, row := range map[string]struct {
		address string
		wrong   *views.Empty
		found   models.Page[int]

		reads  int
		paging views.Paging
		says   string // the title of Instead
		links  []string
	}{
		"rows, and more": {found: models.Page[int]{Rows: []int{9, 8}, More: true}, reads: 1,
			paging: views.Paging{Count: 2, Older: after(8)}},
		"rows after others": {address: after(10), found: models.Page[int]{Rows: []int{9, 8}}, reads: 1,
			paging: views.Paging{Count: 2, Newer: before(9)}},
		"the search stopped after a row": {found: models.Page[int]{Rows: []int{9}, Stopped: stopped}, reads: 1,
			paging: views.Paging{Count: 1, Note: ", looked back to 3 Nov 12:00:00", Older: after(3), OlderWord: further},
			says:   nothing, links: []string{"Search older rows " + after(3)}}, // which a page with a row does not say
		"the search stopped before any row": {address: after(10), found: models.Page[int]{Stopped: stopped}, reads: 1,
			paging: views.Paging{Note: ", looked back to 3 Nov 12:00:00", Newer: before(3), Older: after(3),
				OlderWord: further},
			says: nothing, links: []string{"Search older rows " + after(3)}},
		"the search for newer rows stopped": {address: before(10), found: models.Page[int]{Stopped: stoppedNewer}, reads: 1,
			paging: views.Paging{Note: ", looked up to 20 Nov 12:00:00", Newer: before(20), NewerWord: further},
			says:   nothing, links: []string{"Search newer rows " + before(20)}},
		"no rows":        {reads: 1},
		"a wrong filter": {wrong: &views.Empty{Title: "Invalid filter"}, says: "Invalid filter"},
	} {
		t.Run(name, func(t *testing.T) {
			address, err := url.Parse(row.address)
			require.NoError(t, err)
			page := &Page{Path: "/x", Params: address.Query(), Zone: time.UTC, Now: on(25)}
			listed, reads := &Listed{Instead: row.wrong}, 0
			found, err := ReadPage(t.Context(), page, listed, models.Listing[int]{
				Span: models.Span{Limit: 50},
				Read: func(_ context.Context, s models.Span) (models.Page[int], error) {
					reads++
					require.Equal(t, 50, s.Limit)
					return row.found, nil
				},
				Place: place,
			})
			require.NoError(t, err)
			require.Equal(t, row.reads, reads)
			require.Equal(t, row.found, found)
			require.Equal(t, row.paging, listed.Paging)
			says, offered := "", []views.Link(nil)
			if listed.Instead != nil {
				says, offered = listed.Instead.Title, listed.Instead.Links
			}
			require.Equal(t, row.says, says)
			var links []string
			for _, link := range offered {
				links = append(links, link.Word+" "+link.Href)
			}
			require.Equal(t, row.links, links)
		})
	}
}

// TestOrders follows the links through a list of 7 rows in each order, back and forth, and adds it up.
func TestOrders(t *testing.T) {
	size := map[int]models.Amount{1: 30, 2: 10, 3: 70, 4: 20, 5: 60, 6: 40, 7: 50}
	place := func(row int) models.Cursor { return models.Cursor{At: time.Unix(int64(row), 0).UTC(), ID: int64(row)} }
	read := func(_ context.Context, s models.Span) (found models.Page[int], err error) {
		for row := range 8 {
			if row = 7 - row; s.Page.Newer {
				row = 7 - row
			}
			if row < 1 || !s.Page.IsZero() && (int64(row) > s.Page.ID) != s.Page.Newer || int64(row) == s.Page.ID {
				continue
			}
			if len(found.Rows) == s.Limit {
				found.More = true
				break
			}
			found.Rows = append(found.Rows, row)
		}
		if s.Page.Newer {
			slices.Reverse(found.Rows)
		}
		return found, nil
	}
	amounts := Amounts[int]{Of: func(row int) (models.Amount, models.Currency) { return size[row], "EUR" },
		Sums: []Sum[int]{{"all", func(row int) models.Amount { return size[row] }}, {"none", func(int) models.Amount { return 0 }}}}
	show := func(address string) ([]int, *Listed) {
		at, err := url.Parse(address)
		require.NoError(t, err)
		page, listed := &Page{Path: "/x", Params: at.Query(), Query: Without(at.Query(), PlaceNames...), Zone: time.UTC,
			Now: time.Unix(100, 0)}, &Listed{}
		span := listed.Period(page, LargestWords...)
		span.Limit = 3
		require.Nil(t, page.Unread())
		found, err := ReadAmounts(t.Context(), page, listed, models.Listing[int]{Span: span, Read: read, Place: place}, amounts)
		require.NoError(t, err)
		return found.Rows, listed
	}
	for order, want := range map[string][][]int{"": {{7, 6, 5}, {4, 3, 2}, {1}}, Oldest: {{1, 2, 3}, {4, 5, 6}, {7}},
		Largest: {{3, 5, 7}, {6, 1, 4}, {2}}} {
		next := "/x?days=today&order=" + order
		var back string
		for _, rows := range want {
			got, listed := show(next)
			require.Equal(t, rows, got, next)
			next, back = listed.Paging.Older, listed.Paging.Newer
			if listed.Paging.AddUp != "" {
				require.Empty(t, listed.Paging.Sums, "not before somebody asks for them")
				got, listed = show(listed.Paging.AddUp)
				require.Equal(t, rows, got, "the same page with its sums")
			}
			require.Equal(t, []views.Sum{{Word: "all", Amount: "2.80 EUR"}}, listed.Paging.Sums, "of all pages: %s", order)
		}
		require.Empty(t, next)
		got, listed := show(back)
		require.Equal(t, want[1], got, back)
		got, listed = show(listed.Paging.Newer)
		require.Equal(t, want[0], got)
		require.Empty(t, listed.Paging.Newer, order)
	}
	_, listed := show("/x?order=amount")
	require.Equal(t, views.Head{Word: "Time", Href: "/x", Sorted: "none"}, listed.Head("Time", ByTime))
	require.Equal(t, views.Head{Word: "Amount", Href: "/x", Sorted: "descending"}, listed.Head("Amount", Largest))
	_, listed = show("/x")
	require.Equal(t, "/x?order=oldest", listed.Head("Time", ByTime).Href)
	require.Empty(t, listed.Paging.Sums, "a whole list is not read for its sums")
	_, listed = show("/x?order=oldest")
	require.Equal(t, []string{"/x", "ascending", "Older", "Newer"}, []string{listed.Head("Time", ByTime).Href,
		listed.Head("Time", ByTime).Sorted, listed.Paging.NewerWord, listed.Paging.OlderWord})
	// A list of which many rows would have to be read is neither added up nor ordered by amount.
	rare := func(_ context.Context, s models.Span) (models.Page[int], error) {
		return models.Page[int]{Rows: []int{7}, Stopped: place(6)}, nil
	}
	page, listed := &Page{Path: "/x", Params: url.Values{"order": {Largest}}, Zone: time.UTC}, &Listed{}
	found, err := ReadAmounts(t.Context(), page, listed, models.Listing[int]{Span: listed.Period(page, LargestWords...), Read: rare,
		Place: place}, amounts)
	require.NoError(t, err)
	require.Empty(t, found.Rows)
	require.Equal(t, "Too many rows to order by amount", listed.Instead.Title)
}
