package atonce

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

func TestRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		second := make(chan struct{})
		require.NoError(t, Read(
			func() error { <-second; return nil },
			func() error { close(second); return nil },
		), "the first waits for what the second does")

		lost := errors.New("lost connection")
		require.ErrorIs(t, Read(func() error { return nil }, func() error { return lost }), lost)

		err := Read(func() error { var rows []int; _ = rows[3]; return nil })
		require.ErrorContains(t, err, "index out of range [3]")
		require.ErrorContains(t, err, "atonce_test.go", "the stack says where")
	})
}
