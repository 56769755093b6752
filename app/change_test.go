package app

import (
	"math"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"pitboss/app/web"
)

func TestChange(t *testing.T) {
	for _, row := range []struct {
		now, before int64
		want        string
	}{
		{110, 100, "+10.0%"}, {100, 100, "±0.0%"}, {0, 100, "−100.0%"}, {50, 0, ""}, {0, 0, ""}, {-50, -100, "+50.0%"},
		{-200, -100, "−100.0%"},
		{50, -100, ""}, {-50, 100, ""}, {1, 3, "−66.7%"}, {10999, 1000, "+999.9%"}, {11000, 1000, "was almost 0"}, {-2100, -100, "was almost 0"}, {100001, 100000, "±0.0%"},
		{math.MaxInt64, 1, "was almost 0"},
	} {
		require.Equal(t, row.want, change(decimal.NewFromInt(row.now), decimal.NewFromInt(row.before)), row)
	}
	require.Equal(t, "a", web.InWords([]string{"a"}))
	require.Equal(t, "a, b and c", web.InWords([]string{"a", "b", "c"}))
	require.Empty(t, web.InWords(nil))
}
