package main

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/export"
	"pitboss/models"
	"pitboss/models/store/storetest"
	"pitboss/models/store/storetest/mariadb"
)

var (
	replicaWords = regexp.MustCompile(`Read from a replica, as of`)
	behindWords  = regexp.MustCompile(`Read from a replica, as of <time[^>]*>[^<]*</time>, \d+ s behind\.`)
)

// TestReplicaPages reads pages of a server with a replica: people see their own changes at once, others see how old a page is,
// and nobody notices when a replica dies.
func TestReplicaPages(t *testing.T) {
	alongside(t)
	dir, err := mariadb.TempDir("pitboss-test-replica-")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	primary, replica, err := mariadb.StartReplicated(dir)
	require.NoError(t, err)
	t.Cleanup(func() { replica.Kill(); primary.Kill() })
	require.NoError(t, primary.Run("CREATE DATABASE pitboss"))
	environ := environment("mysql://"+primary.DSN("pitboss"), "PITBOSS_REPLICA_URL=mysql://"+replica.DSN("pitboss"),
		"PITBOSS_METRICS_ADDR=127.0.0.1:0", "PITBOSS_EXPORT_DIR="+filepath.Join(dir, "exports"))
	server := boot(t, environ)
	require.NoError(t, createDemoStaff(t.Context(), server.store))
	author, other := sitDown(t, server.AdminURL(), "sofia"), sitDown(t, server.AdminURL(), "farid")
	shows := func(d *desk, words *regexp.Regexp) (text string) {
		require.Eventually(t, func() bool {
			response, page := d.get("/players")
			text = page
			return response.StatusCode == http.StatusOK && words.MatchString(text)
		}, time.Minute, 20*time.Millisecond, "%s", words)
		return text
	}
	createPlayer := func(user string) {
		token := author.page("/players/new").Find("input[name=csrf]").AttrOr("value", "")
		_, text := author.send("/players", url.Values{"csrf": {token}, "user": {user}, "currency": {"EUR"}, "test": {"yes"}})
		require.Contains(t, text, user+" now has a wallet")
	}
	shows(author, replicaWords)
	shows(other, replicaWords)

	require.NoError(t, replica.Run("STOP SLAVE SQL_THREAD"))
	createPlayer("anna")
	_, text := author.get("/players")
	require.Contains(t, text, "anna", "whoever made a change sees it")
	require.NotRegexp(t, replicaWords, text)
	require.NotContains(t, shows(other, behindWords), "anna", "the others see an older state, and how old it is")
	response, text := other.get("/corrections")
	require.Equal(t, http.StatusOK, response.StatusCode)
	require.NotRegexp(t, replicaWords, text, "what waits for people is read from the primary")
	require.NoError(t, replica.Run("START SLAVE SQL_THREAD"))
	require.Contains(t, shows(author, replicaWords), "anna")

	// An export says what it was read from.
	farid, _, err := server.store.StaffNamed(t.Context(), "farid")
	require.NoError(t, err)
	exported := func(read func(ctx context.Context) error) models.Export {
		made, err := server.exports.Ask(t.Context(), models.System,
			models.Export{StaffID: farid.ID, List: "/players", Title: "Players", Zone: "UTC", Format: models.CSV},
			export.List{Columns: []export.Column{{Name: "Nothing"}},
				Read: func(ctx context.Context, _ func(export.Page) error) error { return read(ctx) }})
		require.NoError(t, err)
		require.Eventually(t, func() bool {
			made, _, err = server.store.Export(t.Context(), made.ID)
			return err == nil && !made.State.Under()
		}, time.Minute, 10*time.Millisecond)
		return made
	}
	reading := func(ctx context.Context) error {
		_, _, err := server.store.Players(ctx, models.PlayerFilter{Limit: 1})
		return err
	}
	made := exported(reading)
	require.Empty(t, made.Failure)
	file, err := server.exports.Open(made)
	require.NoError(t, err)
	defer file.Close()
	head := make([]byte, 2000)
	n, _ := file.Read(head)
	require.Contains(t, string(head[:n]), "# Read from: a replica that had everything up to ")

	// If the replica is lost in the middle of an export, the export fails, because it would mix two databases.
	reads := 0
	made = exported(func(ctx context.Context) error {
		reads++
		require.NoError(t, replica.Kill())
		return reading(ctx)
	})
	require.Equal(t, 1, reads)
	require.Contains(t, made.Failure, "The read replica failed")
	createPlayer("bert")
	for _, d := range []*desk{author, other} {
		response, text := d.get("/players")
		require.Equal(t, http.StatusOK, response.StatusCode)
		require.Contains(t, text, "bert")
		require.NotRegexp(t, replicaWords, text)
	}
	require.Empty(t, exported(reading).Failure)
	values := scrapeUntil(t, server, func(v map[string]float64) bool { return v[`pitboss_replicas{state="unused"}`] == 1 })
	require.Zero(t, values[`pitboss_replicas{state="used"}`])
	require.Positive(t, values[`pitboss_replica_reads_total{source="replica"}`])
	require.Positive(t, values[`pitboss_replica_reads_total{source="primary"}`])
	require.Positive(t, values["pitboss_replica_failures_total"])
	boss := sitDown(t, server.AdminURL(), "ada")
	_, text = boss.get("/platform")
	require.Contains(t, text, "not read: it does not answer")
	ready, err := http.Get(server.AdminURL() + "/readyz")
	require.NoError(t, err)
	ready.Body.Close()
	require.Equal(t, http.StatusOK, ready.StatusCode)

	status, out, errs := command(t, environ, "serve", "--check")
	require.Zero(t, status, errs)
	require.Contains(t, out, "PITBOSS_REPLICA_URL: "+replica.Addr()+": it cannot be read")
	status, _, errs = command(t, environment("mysql://"+primary.DSN("pitboss"),
		"PITBOSS_REPLICA_URL="+storetest.URL(t, storetest.MariaDB)), "serve", "--check")
	require.Equal(t, 1, status)
	require.Contains(t, errs, "it is not a replica of this database")
	for _, wrong := range [][2]string{{"PITBOSS_REPLICA_URL=sqlite:///tmp/x", "replicas are MariaDB's or MySQL's"},
		{"PITBOSS_REPLICA_LAG=1s", "PITBOSS_REPLICA_LAG must be from 5s to 30m"}} {
		status, _, errs = command(t, environment("mysql://"+primary.DSN("pitboss"), wrong[0]), "serve", "--check")
		require.Equal(t, 1, status)
		require.Contains(t, errs, wrong[1])
	}
	status, _, errs = command(t, environment("sqlite://"+filepath.Join(dir, "x.db"), "PITBOSS_REPLICA_URL=mysql://a@tcp(b)/c"),
		"serve", "--check")
	require.Equal(t, 1, status)
	require.Contains(t, strings.ToLower(errs), "no replicas")
}
