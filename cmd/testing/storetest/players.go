package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
)

func TimeOf(us int64) time.Time { return time.UnixMicro(us).UTC() }

// PlayerFile returns a file of n players: prefix0 with 0 cents, prefix1 with 1 cent and so on.
func PlayerFile(t testing.TB, prefix string, n int) models.PlayerFile {
	t.Helper()
	var file models.PlayerFile
	for i := range n {
		file.Players = append(file.Players, models.NewPlayer{UserID: models.UserID(fmt.Sprint(prefix, i)), Currency: "EUR",
			Balance: models.Amount(i)})
		file.Lines = append(file.Lines, i+2)
	}
	return file
}

func ImportPlayers(t testing.TB, s *store.Store, prefix string, n int) {
	t.Helper()
	bad, err := s.ImportPlayers(t.Context(), Tester, PlayerFile(t, prefix, n), nil)
	require.NoError(t, err)
	require.Empty(t, bad)
}
