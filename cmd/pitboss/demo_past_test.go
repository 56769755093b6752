package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/callbacks/simulator"
	"pitboss/cmd/pitboss/config"
	"pitboss/cmd/pitboss/demo"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// smallPast is a demo's past that takes seconds.
var smallPast = demo.Size{Crowd: 12, Rounds: 46}

// playedPast plays the demo's past into a database and returns the settings of a server on it and of its platform.
func playedPast(t *testing.T, url string, size demo.Size) (config.Server, simulator.Config) {
	t.Helper()
	dir := t.TempDir()
	settings, err := config.Load[config.Server](environment(url, "PITBOSS_CHECKPOINT_DIR="+filepath.Join(dir, "checkpoints")))
	require.NoError(t, err)
	platform := simulator.Config{AgentID: testAgent, APIToken: testToken, SecretKey: testSecret, Games: 60,
		Books: filepath.Join(dir, platformBooks)}
	require.NoError(t, demo.Play(t.Context(), pastOf(settings, platform, size, slog.New(slog.DiscardHandler))))
	return settings, platform
}

// TestDemoPast plays the demo's past: the ledger verifies, there is work of each kind, and the platform's statement continues
// after a restart.
func TestDemoPast(t *testing.T) {
	alongside(t)
	url := storetest.URL(t, storetest.SQLite)
	began := models.DayOf(time.Now(), time.UTC)
	settings, platform := playedPast(t, url, smallPast)
	s, err := store.Open(t.Context(), settings.Database.Store(slog.New(slog.DiscardHandler), time.Second))
	require.NoError(t, err)
	defer s.Close()
	v, err := s.Verify(t.Context(), nil)
	require.NoError(t, err)
	require.Zero(t, v.Faults())
	require.True(t, v.Keyed)

	open, err := s.CaseBacklogs(t.Context())
	require.NoError(t, err)
	var rules []models.CaseRule
	for _, b := range open {
		rules = append(rules, b.Rule)
		if b.Rule == models.CaseUnexplainedSpin {
			require.EqualValues(t, 1, b.N, "usual play of granted spins opens no case")
		}
	}
	// Of the others, one needs a ledger that was tampered with, one a balance near the largest, and one is off by default.
	require.ElementsMatch(t, []models.CaseRule{
		models.CaseUnknownRollback, models.CaseNegativeBalance, models.CaseOtherContents, models.CaseWinWithoutBet,
		models.CaseUnexplainedSpin, models.CaseSpinsApart,
		models.CaseUnknownGrant, models.CaseStatement, models.CaseSignReused,
		models.CaseInterruptedRound, models.CaseComplaint,
	}, rules)
	closed, err := s.Cases(t.Context(), models.CaseFilter{State: models.CaseExplained, Span: models.Span{Limit: 100}})
	require.NoError(t, err)
	require.NotEmpty(t, closed.Rows)
	require.Greater(t, time.Since(closed.Rows[len(closed.Rows)-1].At), 14*24*time.Hour)
	for _, role := range models.DaySigners {
		days, err := s.UnsignedDays(t.Context(), role, 100)
		require.NoError(t, err)
		days = slices.DeleteFunc(days, func(day models.Day) bool { return day >= began }) // midnight has passed since
		require.Len(t, days, demo.UnsignedDays)
	}
	corrections, err := s.Corrections(t.Context(), models.CorrectionFilter{State: models.ApprovalWaiting,
		Span: models.Span{Limit: 10}})
	require.NoError(t, err)
	require.Len(t, corrections.Rows, 2)
	waiting, err := s.WaitingRequests(t.Context(), "campaign")
	require.NoError(t, err)
	require.Len(t, waiting, 1)

	callbacks, err := s.Callbacks(t.Context(), models.CallbackFilter{Span: models.Span{Limit: 5000}})
	require.NoError(t, err)
	require.Greater(t, len(callbacks.Rows), 1000)
	for _, c := range callbacks.Rows {
		require.False(t, c.At.Before(c.Request.Received), "callback %s was decided before it was received", c.Cursor())
	}

	// A restart: the platform's statement of yesterday differs from the ledger where it did before, by one stranded bet.
	platform.CallbackURL = "http://127.0.0.1:1"
	sim, err := simulator.New(platform)
	require.NoError(t, err)
	defer sim.Close()
	until := models.DayOf(time.Now().Add(-demo.Pause), time.UTC).Begin(time.UTC)
	var file bytes.Buffer
	require.NoError(t, sim.WriteStatement(&file, until.AddDate(0, 0, -1), until))
	require.Greater(t, bytes.Count(file.Bytes(), []byte("\n")), 40)
	digest := sha256.Sum256(file.Bytes())
	compared, err := s.Statements(t.Context(), models.StatementFilter{Span: models.Span{Limit: 100}})
	require.NoError(t, err)
	at := slices.IndexFunc(compared.Rows, func(st models.Statement) bool { return st.Digest == hex.EncodeToString(digest[:]) })
	require.GreaterOrEqual(t, at, 0, "the statement is the one that finance compared before the restart")
	require.Equal(t, models.JobFinished, compared.Rows[at].Run.State)
	require.EqualValues(t, 1, compared.Rows[at].Run.Differences)
}
