package models

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestActionWords requires a distinct word for every action that the store writes into the audit log.
func TestActionWords(t *testing.T) {
	taken := map[string]string{}
	for _, one := range actionWords {
		require.Empty(t, taken[one.word], "%q and %q are both called %q", one.value, taken[one.word], one.word)
		taken[one.word] = one.value
	}
	action := regexp.MustCompile(`Action: *"([a-z][a-z -]+[a-z])"|action(?:, after)? :?= "([a-z][a-z -]+[a-z])"|action: "([a-z -]+)"`)
	found := 0
	files, err := filepath.Glob("store/*/*.go")
	require.NoError(t, err)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, m := range action.FindAllStringSubmatch(string(text), -1) {
			found++
			assert.NotEmpty(t, actionWords.of(m[1]+m[2]+m[3], ""), "%s: %q has no word", name, m[1]+m[2]+m[3])
		}
	}
	require.Greater(t, found, 40)
	require.Equal(t, "Round viewed", ActionWord("round viewed"))
	require.Equal(t, "time zone of reports", SettingWord("zone of days"))
}
