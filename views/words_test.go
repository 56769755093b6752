package views

import (
	"strconv"
	"testing"
	"time"

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

func TestInUnits(t *testing.T) {
	for d, want := range map[time.Duration]string{time.Hour: "1 h", 90 * time.Minute: "90 min",
		2500 * time.Millisecond: "2.5 s", 0: "0 s"} {
		require.Equal(t, want, InUnits(d))
	}
}
