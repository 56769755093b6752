package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/storetest"
)

// Commands plan a purge, archive and delete what is too old and write a checkpoint, and the ledger verifies; a command erases a
// player.
func TestPurgeCommands(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		long := storetest.Open(t,
			store.Config{URL: url, LedgerKey: []byte(testLedger),
				Now: func() time.Time { return time.Now().AddDate(-3, 0, 0) }})
		_, err := long.CreatePlayer(t.Context(), models.System,
			models.NewPlayer{UserID: "anna", Currency: "EUR", Balance: 1000})
		require.NoError(t, err)
		recent := open(t, url)
		_, err = recent.Apply(t.Context(),
			models.Operation{Source: models.SourcePlatform, Kind: models.Bet, Bet: 1000, UserID: "anna", TransactionID: "b1",
				RoundID: "r1"})
		require.NoError(t, err)

		dir := filepath.Join(t.TempDir(), "archive")
		c := commander{t, environment(url, "PITBOSS_KEEP_LEDGER_YEARS=2", "PITBOSS_KEEP_AUDIT_YEARS=2")}
		require.Contains(t, c.well("purge", "plan"), "would be removed: 1 entries of 1 wallets (1 of money, 0 of free spins)")
		require.Contains(t, commander{t, environment(url)}.well("purge", "run", "--archive", dir), "nothing is old enough")
		require.Contains(t, commander{t, environment(url, "PITBOSS_KEEP_LEDGER_YEARS=0")}.badly("purge", "plan"),
			"PITBOSS_KEEP_LEDGER_YEARS must be 1 or more")
		out := c.well("purge", "run", "--archive", dir)
		require.Contains(t, out, "checkpoint 1 of the remaining ledger")
		files, err := os.ReadDir(dir)
		require.NoError(t, err)
		var archive, checkpoint string
		for _, f := range files {
			if strings.HasPrefix(f.Name(), "pitboss-archive-") {
				archive = filepath.Join(dir, f.Name())
			} else {
				checkpoint = filepath.Join(dir, f.Name())
			}
		}
		require.Contains(t, c.well("purge", "check", archive), "complete and signed: 1 entries of 1 wallets")
		require.Contains(t, c.badly("purge", "check", checkpoint), "is not a complete archive")
		require.Contains(t, c.well("verify", "--checkpoint", checkpoint), "no faults found")
		require.Contains(t, c.well("purge", "run", "--archive", dir), "nothing is old enough")

		require.Contains(t, c.badly("player", "erase", "--user-id", "anna", "--reason", "anna asked to"),
			"leave the player's name out")
		require.Contains(t, c.badly("player", "erase", "--user-id", "anna", "--reason", "asked to"), "only a player who is restricted")
		storetest.Restrict(t, recent, "anna")
		require.Contains(t, c.well("player", "erase", "--user-id", "anna", "--reason", "asked to"),
			"is now called erased-1")
		require.Contains(t, c.badly("player", "erase", "--user-id", "anna", "--reason", "again"), "no player with this ID")
		require.Contains(t, c.well("verify"), "no faults found")
	})
}
