package models

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadGrantSheet(t *testing.T) {
	want := []GrantRow{{Line: 2, Player: "anna", Game: "g1", Spins: "20"}, {Line: 4, Player: "bert", Game: "g,2", Spins: "5"}}
	for name, text := range map[string]string{
		"commas":         "user_id,game_id,spins\nanna,g1,20\n\nbert,\"g,2\",5\n",
		"semicolons":     "user_id;game_id;spins\r\nanna;g1;20\r\n;;\r\nbert;g,2;5",
		"tabs":           "Player\tGame\tFree spins\nanna\tg1\t20\n \t \t \nbert\tg,2\t5\n",
		"other order":    "\ufeffspins,game_id,note,user-id\n20, g1 ,hello, anna\n\n5,\"g,2\",,bert\n",
		"old Mac":        "player;game;spins\ranna;g1;20\r\rbert;g,2;5\r",
		"line numbers":   "line,player,game,spins,error\n4,bert,\"g,2\",5,no\n2,anna,g1,20,no\n",
		"our own guards": "player;game;spins\nanna;g1;20\n\nbert;'g,2;5",
	} {
		rows, err := ReadGrantSheet([]byte(text))
		require.NoError(t, err, name)
		rows = slices.DeleteFunc(rows, func(r GrantRow) bool { return r.Player == "" })
		if name == "our own guards" {
			require.Equal(t, "'g,2", rows[1].Game, "only what a spreadsheet would calculate is guarded")
			continue
		}
		require.Equal(t, want, rows, name)
	}

	rows, err := ReadGrantSheet([]byte("anna,g1,20\n'=1+1,g1,5\n\"bert \",g1,x\ncarl,g1\ndora,g1,5,9\n"))
	require.NoError(t, err)
	require.Equal(t, GrantRow{Line: 1, Player: "anna", Game: "g1", Spins: "20"}, rows[0], "no header is needed")
	require.Equal(t, "=1+1", rows[1].Player)
	require.Equal(t, "bert ", rows[2].Player, "quoted spaces are kept")
	var said []string
	for _, r := range rows {
		_, wrong := r.Grant()
		for _, w := range wrong {
			said = append(said, strconv.Itoa(r.Line)+" "+w.Field+" "+w.Text)
		}
	}
	require.Equal(t, []string{
		"3 spins “x” is not a number of spins. Enter a whole number, such as 20.", "4 spins The number of spins is missing.",
		"5  This line has 4 columns; 3 are expected. Correct a cell, or remove the line.",
	}, said)

	rows, err = ReadGrantSheet([]byte("line,player,game,spins\n7,anna,g,1\n7,bert,g,1\n"))
	require.NoError(t, err)
	require.Equal(t, []int{7, 8}, []int{rows[0].Line, rows[1].Line}, "no line number occurs twice")

	for text, words := range map[string]string{
		"": "no lines", "user_id,game_id,spins\n": "no lines", "user_id,spins\nanna,5\n": "none for game",
		"user_id,game_id,spins,spins\n": "two columns for spins",
		"anna\n":                        "1 column", "anna,g,5,6\n": "4 columns", "\xff\xfea\x00": "UTF-8",
		"anna,g\x00,5":                           "UTF-8",
		strings.Repeat("anna,g,5\n", mostRows+1): "split it",
	} {
		_, err := ReadGrantSheet([]byte(text))
		require.ErrorContains(t, err, words, "%.40q", text)
	}
}

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
		require.Equal(t, want, wrong[0].Text)
	}
}

// FuzzReadGrantSheet reads whatever a person may paste. Every row gets a line number of its own.
func FuzzReadGrantSheet(f *testing.F) {
	f.Add("player;game;spins\nanna;g;5\n")
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := ReadGrantSheet([]byte(text))
		if err != nil {
			return
		}
		last := 0
		for _, r := range rows {
			require.Greater(t, r.Line, last)
			last = r.Line
		}
	})
}
