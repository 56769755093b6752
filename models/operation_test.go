package models_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

func TestCheckID(t *testing.T) {
	for _, good := range []string{
		"a", " ", "a ", "A", "\u00e9", "e\u0301", "\U0001f3b0", "\n", `"`, "'; DROP TABLE wallets; --", "\ufeff", "\ufffd",
		strings.Repeat("a", 255), strings.Repeat("\u00e9", 127) + "a",
	} {
		require.NoError(t, models.CheckID(good), "%.60q", good)
	}
	for name, bad := range map[string]string{
		"nothing":                     "",
		"256 bytes":                   strings.Repeat("a", 256),
		"128 characters of 256 bytes": strings.Repeat("\u00e9", 128),
		"NUL":                         "\x00",
		"NUL at the end":              "a\x00",
		"a byte that is not UTF-8":    "a\xff",
		"half a character":            "a\xc3",
		"an overlong form":            "\xc0\xaf",
		"half a surrogate pair":       "\xed\xa0\x80",
		"beyond the last code point":  "\xf4\x90\x80\x80",
	} {
		require.Equal(t, models.ErrID, models.CheckID(bad), name)
	}
}

func TestWordsForKinds(t *testing.T) {
	words := map[string]bool{}
	for k := models.Bet; k <= models.CashBounced; k++ {
		words[k.String()] = true
	}
	require.Len(t, words, 11, "each kind has its own words")
	require.NotContains(t, words, "unknown")
	require.Equal(t, "unknown", models.OperationKind(0).String())

	lines := map[string]bool{}
	for _, k := range models.EntryKinds {
		lines[k.String()] = true
	}
	require.Len(t, lines, 14)
	require.NotContains(t, lines, "unknown")
	require.Equal(t, "unknown", models.EntryKind(0).String())

	reasons := map[string]bool{}
	for d := models.None; d <= models.ClientLimit; d++ {
		reasons[d.String()] = true
	}
	require.Len(t, reasons, 15)
	require.NotContains(t, reasons, "unknown")
	require.Equal(t, "unknown", (models.ClientLimit + 1).String())

	require.Equal(t, "processed", models.Processed.String())
	require.Equal(t, "rolled back", models.Reversed.String())
	require.Equal(t, "paid out", models.PaidOut.String())
}
