package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCompareABuildWithItself(t *testing.T) {
	program := built(t)
	o, err := readOptions([]string{
		"-engine", "sqlite", "-against", program, "-build", program, "-env", "PITBOSS_OUTAGE_STATUS=200",
		"-rounds", "3", "-duration", "30ms", "-connections", "2", "-players", "20", "-fill", "70",
	})
	require.NoError(t, err)
	var report bytes.Buffer
	require.NoError(t, compareBuilds(t.Context(), o, t.TempDir(), &report),
		"both ledgers are verified and every answer was right")
	text := report.String()
	require.Contains(t, text, "| connections | 2 |\n|---|---|\n")
	require.Contains(t, text, "New: "+program+" PITBOSS_OUTAGE_STATUS=200")
	for _, name := range []string{
		"play: callbacks per second", "bets: p99, ms", "one-player: callbacks per second", "balance: p50, ms",
	} {
		require.Contains(t, text, "| "+name+" |")
	}
	require.Contains(t, text, "Bytes on disk per bet, over 70 bets: ")
	require.Equal(t, 4, strings.Count(text, "verified: read 20 wallets"), "each build, with its first servers and new ones: %s", text)
}

// built builds the measured program and returns its path.
func built(t *testing.T) string {
	program := filepath.Join(t.TempDir(), "pitboss")
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", program, "../pitboss")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as in make build, so that its build cache is used
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	return program
}

func TestFieldsOfTheTable(t *testing.T) {
	for _, c := range []struct {
		old, new []float64
		digits   int
		want     string
	}{
		{[]float64{1000, 3000, 2000}, []float64{1500, 3000, 2200}, 0, "2000 → 2200 (1.10 ± 0.25)"},
		{[]float64{10, 10, 10, 10, 10}, []float64{50, 12, 10, 11, 1}, 0, "10 → 11 (1.10 ± 0.10)"},
		{[]float64{1.25}, []float64{2.5}, 2, "1.25 → 2.50 (2.00)"},
		{[]float64{100, 200}, []float64{100, 100}, 1, "150.0 → 100.0 (0.75 ± 0.25)"},
	} {
		require.Equal(t, c.want, compare(c.old, c.new, c.digits))
	}
}
