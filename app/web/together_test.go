package web

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

func TestTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		second := make(chan struct{})
		require.NoError(t, Together(
			func() error { <-second; return nil },
			func() error { close(second); return nil },
		), "the first waits for what the second does")

		lost := errors.New("lost connection")
		require.ErrorIs(t, Together(func() error { return nil }, func() error { return lost }), lost)

		err := Together(func() error { var rows []int; _ = rows[3]; return nil })
		require.ErrorContains(t, err, "index out of range [3]")
		require.ErrorContains(t, err, "together_test.go", "the stack says where")
	})
}
