package models

import (
	"fmt"
	"strconv"
	"strings"
)

// GrantRow is a line of a file of grants as a person wrote it, with or without errors.
type GrantRow struct {
	Line   int // in the file, counted from 1
	Player string
	Game   string
	Spins  string
	Wrong  string `json:",omitempty"` // what is wrong with the whole line
}

// Grant returns the grant of the row, or what is wrong with its cells.
func (r GrantRow) Grant() (line GrantLine, wrong []string) {
	if r.Wrong != "" {
		return line, []string{r.Wrong}
	}
	for _, id := range []struct{ word, text string }{{"The player ID", r.Player}, {"The game ID", r.Game}} {
		switch {
		case id.text == "":
			wrong = append(wrong, id.word+" is missing.")
		case len(id.text) > 255:
			wrong = append(wrong, id.word+" is too long: at most 255 bytes.")
		case CheckID(id.text) != nil:
			wrong = append(wrong, id.word+" has characters that an ID cannot have.")
		}
	}
	spins, err := strconv.ParseInt(strings.TrimSpace(r.Spins), 10, 64)
	switch {
	case strings.TrimSpace(r.Spins) == "":
		wrong = append(wrong, "The number of spins is missing.")
	case err != nil:
		wrong = append(wrong, fmt.Sprintf("“%.40s” is not a number of spins. Enter a whole number, such as 20.", r.Spins))
	case spins < 1 || spins > MaxSpins:
		wrong = append(wrong, fmt.Sprintf("Enter a number from 1 to %d.", MaxSpins))
	}
	return GrantLine{Line: r.Line, UserID: UserID(r.Player), GameID: GameID(r.Game), Spins: spins}, wrong
}
