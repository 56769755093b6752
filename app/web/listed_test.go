package web

import (
	"context"
	"net/url"
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
