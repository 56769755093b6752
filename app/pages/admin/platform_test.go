package admin

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestInUnits(t *testing.T) {
	for d, want := range map[time.Duration]string{time.Hour: "1 h", 90 * time.Minute: "90 min",
		2500 * time.Millisecond: "2.5 s", 0: "0 s"} {
		require.Equal(t, want, inUnits(d))
	}
}
