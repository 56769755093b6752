package models

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A verdict without a row would be answered with 1 and shown as "unknown".
func TestEveryDeclineHasAVerdict(t *testing.T) {
	for d := None; d <= ClientLimit; d++ {
		require.NotEqual(t, "unknown", d.String(), "decline %d", d)
	}
	require.Equal(t, "unknown", (ClientLimit + 1).String())
	require.Equal(t, 1, VerdictOf(ClientLimit+1, false).Result(false))
}
