package views

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGrouping(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 15000: "15,000", 1234567: "1,234,567",
		-1000: "−1,000"} {
		require.Equal(t, want, Grouped(n), strconv.FormatInt(n, 10))
	}
	require.Equal(t, "1 spin", Several(1, "spin", "spins"))
	require.Equal(t, "2,000 spins", Several(2000, "spin", "spins"))
}
