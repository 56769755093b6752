package proof

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Erasing a player leaves texts alone that only contain the letters of the ID.
func TestNamesAPlayer(t *testing.T) {
	for user, texts := range map[string][]string{
		"anna":  {"anna", `{"user_id":"anna"}`, `[{"reason":"Goodwill for anna."}]`, "Wrote to anna, twice", "(anna)"},
		"e":     {"e", `{"user_id":"e","spins":1}`},
		"1":     {"1", `{"user_id":"1"}`},
		"10042": {"Player 10042 called"},
	} {
		for _, text := range texts {
			require.True(t, names(text, user), "%s names %s", text, user)
		}
	}
	for user, texts := range map[string][]string{
		"anna":  {"annalena", "joanna", "anna-2", `{"user_id":"annalena"}`, ""},
		"e":     {"the rest", `{"role":"finance"}`, "player e called"},
		"1":     {"1 spin", `{"spins":1,"at":"2026-11-21"}`, "Ticket 1"},
		":":     {"Reason: none", `{"a":"b"}`},
		"10042": {"100421"},
	} {
		for _, text := range texts {
			require.False(t, names(text, user), "%s names %s", text, user)
		}
	}
}
