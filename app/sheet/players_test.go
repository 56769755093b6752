package sheet

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pitboss/models"
)

func TestReadPlayers(t *testing.T) {
	anna := models.NewPlayer{UserID: "anna", Currency: "EUR", Balance: 10000}
	bert := models.NewPlayer{UserID: "bert", Currency: "USD"}
	for name, row := range map[string]struct {
		file    string
		players []models.NewPlayer
		lines   []int
	}{
		"plain":       {"user_id,currency,balance\nanna,EUR,100.00\nbert,USD,0\n", []models.NewPlayer{anna, bert}, []int{2, 3}},
		"no balances": {"user_id,currency\nbert,usd\n", []models.NewPlayer{bert}, []int{2}},
		"a decimal comma": {"Player;Currency;Balance\nanna;EUR;100,00\nbert;USD;0,00\n", []models.NewPlayer{anna, bert},
			[]int{2, 3}},
		"further columns": {"name,balance,user_id,currency\nAnna A.,100.00,anna,EUR\n", []models.NewPlayer{anna}, []int{2}},
		"empty lines": {"user_id,currency,balance\n\nanna,EUR,100.00\n\n,,\nbert,USD,0.00\n",
			[]models.NewPlayer{anna, bert}, []int{3, 6}},
		"time zones": {"user_id,currency,time_zone\nzoe,EUR,Asia/Tokyo\nbert,USD,\n",
			[]models.NewPlayer{{UserID: "zoe", Currency: "EUR", Zone: "Asia/Tokyo"}, bert}, []int{2, 3}},
		"no player": {"user_id,currency,balance\n", nil, nil},
		"names that differ in bytes only": {"user_id,currency,balance\nanna,EUR,100.00\nAnna,EUR,100.00\n\"an na\",EUR,100.00\n",
			[]models.NewPlayer{anna, {UserID: "Anna", Currency: "EUR", Balance: 10000},
				{UserID: "an na", Currency: "EUR", Balance: 10000}}, []int{2, 3, 4}},
	} {
		p, err := ReadPlayers(t.Context(), strings.NewReader(row.file))
		require.NoError(t, err, name)
		require.Empty(t, p.Bad, name)
		require.Equal(t, models.PlayerFile{Players: row.players, Lines: row.lines}, p.PlayerFile, name)
	}
}

func TestReadPlayersNamesBadLines(t *testing.T) {
	for name, row := range map[string]struct {
		rows string // after a header that is line 1
		want []string
	}{
		"no user":                {",EUR,1.00\n", []string{`line 2: user_id "": an ID is`}},
		"a user with NUL":        {"a\x00b,EUR,1.00\n", []string{"line 2: it is not UTF-8"}},
		"a user in Windows-1252": {"Zo\xeb,EUR,1.00\n", []string{"line 2: it is not UTF-8 text; save the file as CSV UTF-8"}},
		"a user too long":        {strings.Repeat("x", 256) + ",EUR,1.00\n", []string{"line 2: user_id"}},
		"no currency":            {"anna,EU R,1.00\n", []string{"line 2: a currency is"}},
		"a negative balance":     {"anna,EUR,-1.00\n", []string{`line 2: balance "-1.00": a wallet cannot open below zero`}},
		"no balance":             {"anna,EUR\n", []string{`line 2: balance "": it is not`}},
		"too large":              {"anna,EUR,1000000000000.00\n", []string{"line 2: balance"}},
		"too many cells":         {"anna,EUR,1.00,x\n", []string{"line 2: it has 4 cells, but the header has 3"}},
		"a user twice":           {"anna,EUR,1.00\nanna,USD,2.00\n", []string{`line 3: user_id "anna" is already in line 2`}},
		"an open quote":          {"anna,EUR,1.00\n\"bert,EUR,1.00\ncarl,EUR,1.00\n", []string{"line 3: a quotation mark"}},
		"text after a quote":     {"\"anna\"x,EUR,1.00\n", []string{"line 2: a quotation mark"}},
		"two decimal marks":      {"anna,EUR,1.00\nbert,EUR,\"1,00\"\n", []string{"line 3: balance"}},
		"each, in their order":   {",EUR,1.00\nbert,EUR,1.00\n\"x,EUR,1\ncarl,E,1.00\n", []string{"line 2: ", "line 4: ", "line 5: "}},
	} {
		p, err := ReadPlayers(t.Context(), strings.NewReader("user_id,currency,balance\n"+row.rows))
		require.NoError(t, err, name)
		require.Len(t, p.Bad, len(row.want), "%s: %v", name, p.Bad)
		for i, want := range row.want {
			require.ErrorContains(t, p.Bad[i], want, name)
		}
	}
	for text, words := range map[string]string{
		"": "needs a header", "anna,EUR,1.00\n": "needs a header", "user_id,balance\nanna,1\n": "none for currency",
		"user_id,User ID,currency\n": "two columns for user_id", "user_id;currency;balance\nanna;EUR;1.000\n": "can mean two",
		"user_id,currency\n" + strings.Repeat(",\",\n", maxBadLines+1): "more than 10000 lines",
	} {
		_, err := ReadPlayers(t.Context(), strings.NewReader(text))
		require.ErrorContains(t, err, words, "%.40q", text)
	}
}

// Whatever the bytes are, reading returns only players that can be created, each once.
func TestReadPlayersOfAnything(t *testing.T) {
	piece := rapid.SampledFrom([]string{"anna", "bert", "EUR", "1.00", ",", ",", "\n", "\r\n", `"`, `""`, "\x00", "\xff", " ",
		"\ufeff"})
	rapid.Check(t, func(t *rapid.T) {
		rows := strings.Join(rapid.SliceOfN(piece, 0, 60).Draw(t, "rows"), "")
		p, err := ReadPlayers(t.Context(), strings.NewReader("user_id,currency,balance\n"+rows))
		require.NoError(t, err)
		seen := map[models.UserID]bool{}
		for _, player := range p.Players {
			require.NoError(t, models.CheckID(string(player.UserID)))
			require.False(t, seen[player.UserID], fmt.Sprint(player.UserID, " twice"))
			seen[player.UserID] = true
		}
	})
}
