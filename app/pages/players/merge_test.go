package players

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

// TestMergeTimeline pages in both directions through sources with simultaneous events, one of which stops early.
func TestMergeTimeline(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	begun := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	newestFirst := func(a, b timelineRow) int {
		if order := b.at.Compare(a.at); order != 0 {
			return order
		}
		return int(b.rank>>40) - int(a.rank>>40) + int(b.rank&0xffff) - int(a.rank&0xffff)
	}
	var all []timelineRow
	var sources []timelineSource
	for number := range int64(3) {
		var rows []timelineRow
		for id := range int64(60) {
			at := begun.Add(time.Duration(random.IntN(90)) * time.Second)
			rows = append(rows, timelineRow{at: at, rank: rankOf(number+1, id)})
		}
		all = append(all, rows...)
		looks := 1000
		if number == 2 {
			looks = 9 // rows that this source reads before it stops
		}
		sources = append(sources, func(_ context.Context, span models.Span) (page models.Page[timelineRow], err error) {
			var list []timelineRow
			for _, r := range rows {
				if (span.Since.IsZero() || !r.at.Before(span.Since)) && (span.Until.IsZero() || r.at.Before(span.Until)) {
					list = append(list, r)
				}
			}
			slices.SortFunc(list, newestFirst)
			if span.Page.Newer {
				slices.Reverse(list)
			}
			if len(list) > looks {
				page.Stopped = models.Cursor{At: list[looks].at, ID: 1, Newer: span.Page.Newer}
				list = list[:looks]
			}
			page.More = len(list) > span.Limit
			page.Rows = list[:min(len(list), span.Limit)]
			if page.More {
				page.Stopped = models.Cursor{}
			}
			if span.Page.Newer {
				slices.Reverse(page.Rows)
			}
			return page, nil
		})
	}
	slices.SortFunc(all, newestFirst)
	read := func(limit int, newer bool) (got []timelineRow) {
		for at := (models.Cursor{Newer: newer}); ; {
			page, err := mergeTimeline(t.Context(), sources, models.Span{Limit: limit, Page: at})
			require.NoError(t, err)
			require.LessOrEqual(t, len(page.Rows), limit)
			if newer {
				slices.Reverse(page.Rows)
			}
			got = append(got, page.Rows...)
			if at = page.Next(timelineRow.place); at.IsZero() {
				return got
			}
			at.Newer = newer
		}
	}
	for _, limit := range []int{1, 7, 50, 200} {
		require.Equal(t, all, read(limit, false), limit)
		backwards := read(limit, true)
		slices.Reverse(backwards)
		require.Equal(t, all, backwards, limit)
	}
}
