package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/callbacks/simulator"
	"pitboss/cmd/pitboss/demo"
	"pitboss/cmd/testing/storetest"
	"pitboss/migrations"
	"pitboss/models"
)

// The upgrade rule: a release runs at the same time as the one before it, on the schema that the new one has migrated. No
// earlier release has to be built for this test, so it needs no history and no network: the program here is the older one, and
// the newer one is the same program with more migrations, which add to every table what the rule allows.
// TestUpgradeFromReleases applies the real ones.

// testMigrations names a folder whose migrations a program of the tests applies too, as the next release would.
const testMigrations = "MIGRATIONS_OF_THE_TESTS"

const nextVersion = "99.0.0"

// becomeNext makes this program the next release.
func becomeNext(dir string) {
	all := fstest.MapFS{}
	for _, from := range []fs.FS{migrations.FS, os.DirFS(dir)} {
		if err := fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := fs.ReadFile(from, name)
			all[name] = &fstest.MapFile{Data: text}
			return err
		}); err != nil {
			panic(err)
		}
	}
	migrations.FS, version = all, nextVersion
}

// nextRelease returns the environment of the next release with these migrations.
func nextRelease(t *testing.T, environ []string, url string, texts ...string) []string {
	t.Helper()
	dir := t.TempDir()
	folder, _, _ := strings.Cut(url, "://")
	require.NoError(t, os.Mkdir(filepath.Join(dir, folder), 0o700))
	for i, text := range texts {
		name := filepath.Join(dir, folder, fmt.Sprintf("%05d_next.sql", 90001+i))
		require.NoError(t, os.WriteFile(name, []byte("-- Of the next release.\n-- +goose Up\n"+text+";\n"), 0o600))
	}
	return append(environ[:len(environ):len(environ)], testMigrations+"="+dir)
}

// additions returns migrations that add a table, and two columns and an index to each table. On SQLite they are one migration,
// which is one transaction: two hundred of them, one after the other, could keep another instance from writing for seconds,
// because SQLite gives the lock to whoever happens to ask first.
func additions(t *testing.T, url string) (texts []string) {
	t.Helper()
	driver, dsn, _ := strings.Cut(url, "://")
	db, err := sql.Open(driver, dsn)
	require.NoError(t, err)
	defer db.Close()
	query, bytes := "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()", "VARBINARY(20)"
	if driver == "sqlite" {
		query, bytes = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'", "TEXT"
	}
	rows, err := db.QueryContext(t.Context(), query)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var table string
		require.NoError(t, rows.Scan(&table))
		if table == "goose_db_version" {
			continue
		}
		texts = append(texts, "ALTER TABLE "+table+" ADD COLUMN next_number BIGINT NOT NULL DEFAULT 7",
			"ALTER TABLE "+table+" ADD COLUMN next_text "+bytes, "CREATE INDEX next_"+table+" ON "+table+" (next_number)")
	}
	require.NoError(t, rows.Err())
	require.Greater(t, len(texts), 60)
	texts = append(texts, "CREATE TABLE next_release (id INTEGER NOT NULL PRIMARY KEY)", "INSERT INTO next_release VALUES (1)")
	if driver == "sqlite" { // its strict tables do not know BIGINT
		return []string{strings.ReplaceAll(strings.Join(texts, ";\n"), "BIGINT", "INTEGER")}
	}
	return texts
}

// pair is two instances. The platform sends each of them the callbacks of half the players.
type pair struct {
	instances [2]*process
	addresses [2]string // of the instances' callbacks, which restarts keep
	half      map[string]int
	failed    atomic.Int64 // callbacks of the first half without a definite answer
}

// RoundTrip sends a callback to the instance of its player.
func (p *pair) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	var of struct{ UserID string }
	if err := json.Unmarshal(body, &of); err != nil {
		return nil, err
	}
	r = r.Clone(r.Context())
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.URL.Host = p.addresses[p.half[of.UserID]]
	answer, err := http.DefaultTransport.RoundTrip(r)
	if p.half[of.UserID] == 0 && !errors.Is(err, context.Canceled) && (err != nil || answer.StatusCode != http.StatusOK) {
		p.failed.Add(1)
	}
	return answer, err
}

// becomes restarts an instance as another release.
func (p *pair) becomes(t *testing.T, i int, environ []string) {
	t.Helper()
	require.NoError(t, p.instances[i].Process.Signal(syscall.SIGTERM))
	require.NoError(t, p.instances[i].Wait())
	p.instances[i].environ = environ
	p.instances[i].launch(t)
}

// A release and the next one run at the same time: the older one answers every callback while the newer one migrates and
// after it, its pages and commands work, and it can be started again.
func TestUpgradeRule(t *testing.T) {
	alongside(t)
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		require.NoError(t, demo.CreateStaff(t.Context(), s))
		users := players(t, s, 8)
		p := &pair{half: map[string]int{}}
		var older, newer [2][]string
		next := additions(t, url)
		for i := range p.instances {
			older[i] = environment(url, ports(t)...)
			newer[i] = nextRelease(t, older[i], url, next...)
			p.instances[i] = start(t, older[i])
			p.addresses[i] = p.instances[i].value("PITBOSS_CALLBACK_ADDR")
		}
		for i, user := range users {
			p.half[user] = i % 2
		}
		platform, err := simulator.New(simulator.Config{AgentID: testAgent, APIToken: testToken, SecretKey: testSecret,
			CallbackURL: p.instances[0].callbackURL(), Client: &http.Client{Transport: p}})
		require.NoError(t, err)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var report simulator.Report
		var failed error
		var playing sync.WaitGroup
		var answered atomic.Int64
		playing.Go(func() {
			report, failed = platform.Play(ctx, simulator.PlayOptions{Players: users, Workers: 4, Seed: rand.Uint64(),
				RetryFor: 2 * time.Minute, Drain: time.Minute, OnEvent: func(simulator.Event) { answered.Add(1) }})
		})
		plays := func() {
			until := answered.Load() + 150
			require.Eventually(t, func() bool { return answered.Load() >= until }, time.Minute, 5*time.Millisecond)
		}
		looks := func(i int) {
			v := newVisitor(t, "http://"+p.instances[i].value("PITBOSS_ADMIN_ADDR"), "ada", http.DefaultTransport)
			for _, path := range pages {
				status, page := v.ask(t.Context(), http.MethodGet, path, nil)
				require.Equal(t, http.StatusOK, status, "%s: %s", path, page)
			}
		}
		plays()
		p.becomes(t, 1, newer[1])
		require.Zero(t, p.failed.Load(), "callbacks that the older release left without an answer while the newer one migrated")
		plays()
		looks(0)
		looks(1)
		c := commander{t, append(older[0], "PITBOSS_CHECKPOINT_DIR="+t.TempDir())} // the older release's commands
		c.well("checkpoint", "write")
		c.well("figures", "rebuild")
		require.Contains(t, c.well("verify"), "no faults found")
		plays()
		require.Zero(t, p.failed.Load(), "callbacks that the older release left without an answer")
		driver, dsn, _ := strings.Cut(url, "://")
		db, err := sql.Open(driver, dsn)
		require.NoError(t, err)
		defer db.Close()
		require.NoError(t, db.QueryRowContext(t.Context(), "SELECT id FROM next_release").Scan(new(int)))
		events, _ := told(t, s)
		require.True(t, slices.ContainsFunc(events, func(e models.AuditEvent) bool {
			return strings.Contains(e.After, nextVersion) && !strings.Contains(e.Before, nextVersion)
		}), "the upgrade is recorded")

		p.becomes(t, 0, older[0]) // the older release starts on the newer one's schema
		plays()
		looks(0)
		p.becomes(t, 0, newer[0])
		plays()
		p.becomes(t, 1, older[1]) // the newer one is taken back
		plays()
		looks(1)
		stop()
		playing.Wait()
		require.NoError(t, failed)
		require.NoError(t, report.Err())
		_, found := reconciled(t, url, platform)
		require.Empty(t, found)
		requireWhole(t, s)
	})
}
