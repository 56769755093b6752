package wire

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func format(t *testing.T, text string) (f Format) {
	require.NoError(t, f.UnmarshalText([]byte(text)), text)
	return f
}

func TestFormats(t *testing.T) {
	for text, c := range map[string]struct{ good, bad []string }{
		"":                 {good: []string{"a", strings.Repeat("x", 255)}},
		"4":                {[]string{"abcd", "éé"}, []string{"abc", "abcde"}},
		"2-3":              {[]string{"ab", "abc"}, []string{"a", "abcd"}},
		"^[0-9a-f]{4}$":    {[]string{"00af"}, []string{"00aF", "00af\n", "00afa", "x00af"}},
		"^(bet|win)-\\d+$": {[]string{"bet-1", "win-77"}, []string{"bet-", "bet-1x", "xwin-1"}},
	} {
		f := format(t, text)
		require.Equal(t, text, f.String())
		for _, id := range c.good {
			require.True(t, f.Match(id), "%q %q", text, id)
		}
		for _, id := range c.bad {
			require.False(t, f.Match(id), "%q %q", text, id)
		}
	}
	for _, text := range []string{"0", "-", "5-4", "1-256", "abc", "[a-z]+", "^abc", "^abc\\$", "^[a$", "^a|b$", "1-2-3",
		" 4"} {
		var f Format
		require.Error(t, f.UnmarshalText([]byte(text)), text)
	}
}

func TestReadingsThatFormatsLeave(t *testing.T) {
	none := Formats{}
	require.Equal(t, 6*3, none.Readings("anna1", "12.30", "abcd", "efg")) // of anna, anna1 and anna11
	fixed := Formats{UserID: format(t, "5"), TransactionID: format(t, "4"), RoundID: format(t, "3")}
	require.Equal(t, 1, fixed.Readings("anna1", "12.30", "abcd", "efg"))
	require.Equal(t, 0, fixed.Readings("anna", "2.30", "abcd", "efgh"))
}
