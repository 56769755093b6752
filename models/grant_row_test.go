package models

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRowsInPlainWords(t *testing.T) {
	for want, row := range map[string]GrantRow{
		"The player ID is missing.": {Game: "g", Spins: "1"},
		"The game ID is missing.":   {Player: "anna", Spins: "1"},
		"The player ID is too long: at most 255 bytes.": {Player: strings.Repeat("x", 256), Game: "g",
			Spins: "1"},
		"The number of spins is missing.":                                   {Player: "anna", Game: "g", Spins: " "},
		"Enter a number from 1 to 1000000.":                                 {Player: "anna", Game: "g", Spins: "0"},
		"“1,5” is not a number of spins. Enter a whole number, such as 20.": {Player: "anna", Game: "g", Spins: "1,5"},
	} {
		_, wrong := row.Grant()
		require.Len(t, wrong, 1, want)
		require.Equal(t, want, wrong[0])
	}
}
