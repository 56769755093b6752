package spins

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A page that does not count all calls says so.
func TestCallsThatAreNotCounted(t *testing.T) {
	counted := platformCalls(make([]platformCall, callsKept))
	require.Equal(t, callsKept, counted.Answered)
	require.False(t, counted.More)
	counted = platformCalls(make([]platformCall, callsKept+1))
	require.Equal(t, callsKept, counted.Answered)
	require.True(t, counted.More)
}
