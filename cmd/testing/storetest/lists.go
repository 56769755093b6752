package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

// Pages reads a whole list page by page, and requires the same rows on the way back.
func Pages[T any](t testing.TB, limit int, place func(T) models.Cursor, read func(models.Cursor) models.Page[T]) (all []T) {
	t.Helper()
	var at models.Cursor
	var firsts []T
	for {
		page := read(at)
		require.LessOrEqual(t, len(page.Rows), limit)
		require.Zero(t, page.Stopped)
		if len(page.Rows) > 0 {
			firsts = append(firsts, page.Rows[0])
		}
		all = append(all, page.Rows...)
		if !page.More {
			break
		}
		require.Len(t, page.Rows, limit)
		at = place(page.Rows[limit-1])
	}
	for i := len(firsts) - 1; i > 0; i-- {
		at := place(firsts[i])
		at.Newer = true
		page := read(at)
		require.Len(t, page.Rows, limit)
		require.Equal(t, firsts[i-1], page.Rows[0])
		require.Equal(t, i > 1, page.More)
	}
	return all
}
