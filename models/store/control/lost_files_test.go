package control_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
)

// What is left of an upload that was cut off is deleted after a day.
func TestLostFiles(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		now := time.Now()
		x.Config.Now = func() time.Time { return now }
		s := x.Open(t)
		lost := s.NewFile(t.Context())
		_, err := lost.Write(make([]byte, 1<<20))
		require.NoError(t, err)
		chunks := func() int64 { return x.Number(t, "SELECT COUNT(*) FROM file_chunks") }
		require.NoError(t, s.DeleteLostFiles(t.Context()))
		require.Positive(t, chunks(), "it may still be written")
		now = now.Add(25 * time.Hour)
		require.NoError(t, s.DeleteLostFiles(t.Context()))
		require.Zero(t, chunks())
	})
}
