package main

import (
	"database/sql"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pressly/goose/v3/lock"
	"github.com/stretchr/testify/require"

	"pitboss/cmd/pitboss/config"
	"pitboss/cmd/testing/storetest"
)

// With a checkpoint that one command wrote, another command shows what was cut off afterwards.
func TestCheckpointCommands(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		environ := environment(url)
		status, _, _ := command(t, environ, "migrate", "up")
		require.Zero(t, status)
		status, _, errs := command(t, environ, "player", "create", "--user-id", "anna", "--currency", "EUR", "--balance",
			"5.00")
		require.Zero(t, status, errs)
		status, _, errs = command(t, environ, "checkpoint", "write")
		require.Equal(t, 1, status)
		require.Contains(t, errs, "PITBOSS_CHECKPOINT_DIR")

		dir := t.TempDir()
		status, out, errs := command(t, environ, "checkpoint", "write", "--dir", dir, "--as", "ann")
		require.Zero(t, status, errs)
		require.Contains(t, out, "checkpoint 1 of ")
		require.Contains(t, out, "1 wallets, 1 entries")
		list, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, list, 1)
		file := filepath.Join(dir, list[0].Name())

		status, out, errs = command(t, environ, "verify", "--checkpoint", file)
		require.Zero(t, status, errs)
		require.Contains(t, out, "compared with checkpoint 1 of ")
		require.Contains(t, out, "no faults found")
		status, _, errs = command(t, environ, "verify", "--checkpoint", filepath.Join(dir, "none"))
		require.Equal(t, 2, status, errs)
		broken := filepath.Join(t.TempDir(), "broken")
		require.NoError(t, os.WriteFile(broken, []byte("x"), 0o600))
		status, _, errs = command(t, environ, "verify", "--checkpoint", broken)
		require.Equal(t, 1, status)
		require.Contains(t, errs, "not a complete checkpoint")

		// Every trace of anna is deleted.
		storetest.DropTriggers(t, url)
		for _, statement := range []string{
			"DELETE FROM wallets", "DELETE FROM postings", "DELETE FROM players", "DELETE FROM checkpoints",
			"DELETE FROM verifications",
			"DELETE FROM audit_events",
			"UPDATE audit_head SET seq = 0, hash = x'" + strings.Repeat("00", 32) + "'",
		} {
			tamper(t, url, statement)
		}
		status, out, _ = command(t, environ, "verify")
		require.Zero(t, status, out)
		require.Contains(t, out, "not compared with a checkpoint")
		status, out, _ = command(t, environ, "verify", "--checkpoint", file)
		require.Equal(t, 1, status)
		require.Contains(t, out, "the wallet's row is gone; at the checkpoint it ended at entry 1")
		require.Contains(t, out, "the checkpoints have faults:\n  the database does not know checkpoint 1 of ")
		require.Contains(t, out,
			"wallets with faults: 1; faults in the audit log: 1, in rows that it covers: 0, in figures: 0, in the "+
				"checkpoints: 1")
	})
}

// The audit log is verified too, and its events are named.
func TestVerifyNamesEvents(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		environ := environment(url)
		status, _, _ := command(t, environ, "migrate", "up")
		require.Zero(t, status)
		for _, user := range []string{"anna", "bert"} {
			status, _, errs := command(t, environ, "player", "create", "--user-id", user, "--currency", "EUR", "--as", "ann")
			require.Zero(t, status, errs)
		}
		storetest.DropTriggers(t, url)
		tamper(t, url, "UPDATE audit_events SET after_text = '{}' WHERE id = 2")
		status, out, _ := command(t, environ, "verify")
		require.Equal(t, 1, status)
		require.Contains(t, out,
			"the audit log has faults:\n  event 2 (player created, by ann): its text after is not the original")
		require.Contains(t, out,
			"wallets with faults: 0; faults in the audit log: 1, in rows that it covers: 0, in figures: 0, in the "+
				"checkpoints: 0")
	})
}

// /readyz reports what is wrong with the triggers, but the instance stays ready.
func TestReadyReportsTriggers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		ready := func(server *Server) map[string]string {
			r, err := http.Get(server.AdminURL() + "/readyz")
			require.NoError(t, err)
			defer r.Body.Close()
			require.Equal(t, http.StatusOK, r.StatusCode)
			checks := map[string]string{}
			require.NoError(t, json.NewDecoder(r.Body).Decode(&checks))
			return checks
		}
		require.Equal(t, "refuse changes of the ledger and the audit log", ready(boot(t, environment(url)))["triggers"])

		server := boot(t, environment(url))
		storetest.DropTriggers(t, url)
		for _, words := range []string{"UPDATE of postings", "DELETE of audit_events", "PITBOSS_MIGRATE_DATABASE_URL", "1419"} {
			require.Contains(t, ready(server)["triggers"], words)
		}
	})
}

// pitboss migrate up does not wait for an erasure that has removed triggers, and does not call such a schema up to date.
func TestMigrateUpDuringAnErasure(t *testing.T) {
	url := storetest.URL(t, storetest.MariaDB)
	storetest.DropTriggers(t, url)
	db, err := sql.Open("mysql", strings.TrimPrefix(url, "mysql://"))
	require.NoError(t, err)
	defer db.Close()
	hold := "REPLACE INTO migration_lock (lock_id, locked, locked_by, lease_expires_at) VALUES (?, ?, 'erasure', now(6) + INTERVAL 1 HOUR)"
	_, err = db.Exec(hold, lock.DefaultLockID, true)
	require.NoError(t, err)
	status, _, errs := command(t, environment(url), "migrate", "up")
	require.Equal(t, 1, status)
	require.Contains(t, errs, "0 migrations applied, but nothing stops UPDATE of postings")
	require.Contains(t, errs, "a player is being erased, which creates the triggers that protect the ledger again when it is done")
	_, err = db.Exec(hold, lock.DefaultLockID, false)
	require.NoError(t, err)
	status, out, errs := command(t, environment(url), "migrate", "up")
	require.Zero(t, status, errs)
	require.Contains(t, out, "0 migrations applied, the schema is up to date")
}

func TestEvidenceSettings(t *testing.T) {
	for _, wrong := range []string{"PITBOSS_CHECKPOINT_EVERY=30s", "PITBOSS_CHECKPOINT_EVERY=-1h",
		"PITBOSS_MIGRATE_DATABASE_URL=mysql://root:hunter2@there"} {
		name, _, _ := strings.Cut(wrong, "=")
		_, err := config.Load[config.Server](environment("sqlite://x", wrong))
		require.ErrorContains(t, err, name)
		require.NotContains(t, err.Error(), "hunter2")
	}
	for _, right := range []string{"PITBOSS_CHECKPOINT_EVERY=0", "PITBOSS_CHECKPOINT_EVERY=1m"} {
		_, err := config.Load[config.Server](environment("sqlite://x", right))
		require.NoError(t, err, right)
	}
}
