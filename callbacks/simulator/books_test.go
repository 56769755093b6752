package simulator

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestBooksAreKept stops a platform and starts another with the same books. Statement and grants must be the same, even if a
// crash cut the last line short.
func TestBooksAreKept(t *testing.T) {
	books := filepath.Join(t.TempDir(), "platform.jsonl")
	simulator := testSimulator(t, newFakeWallet(testBalances), func(c *Config) { c.Books = books })
	simulator.books.addGrant(Grant{FreeSpinID: "fs-1", UserID: testPlayers[0], GameID: "g-1", Total: 3})
	require.NotEmpty(t, simulator.books.takeSpin(testPlayers[0]))
	_, err := simulator.Play(t.Context(), PlayOptions{Players: testPlayers, Seed: 3, Rounds: 200})
	require.NoError(t, err)
	written := func(s *Simulator) string {
		var file bytes.Buffer
		require.NoError(t, s.WriteStatement(&file, time.Time{}, time.Now().Add(time.Hour)))
		return file.String()
	}
	before, grants := written(simulator), simulator.Grants()
	require.Contains(t, before, "rolled back")
	require.NoError(t, simulator.Close())
	file, err := os.OpenFile(books, os.O_APPEND|os.O_WRONLY, 0o600)
	require.NoError(t, err)
	_, err = file.WriteString(`{"Line":{"At":"2026-11-`)
	require.NoError(t, err)
	require.NoError(t, file.Close())

	for range 2 { // the second time, from the file that the first has repaired
		again := testSimulator(t, newFakeWallet(testBalances), func(c *Config) { c.Books = books })
		require.Equal(t, before, written(again))
		require.Equal(t, grants, again.Grants())
		require.NoError(t, again.Close())
	}
}
