package models_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pitboss/models"
)

func TestReadPlayers(t *testing.T) {
	anna := models.NewPlayer{UserID: "anna", Currency: "EUR", Balance: 10000}
	bert := models.NewPlayer{UserID: "bert", Currency: "USD", Balance: 0}
	for name, row := range map[string]struct {
		file    string
		players []models.NewPlayer
		lines   []int
	}{
		"plain": {"user_id,currency,balance\nanna,EUR,100.00\nbert,USD,0.00\n",
			[]models.NewPlayer{anna, bert}, []int{2, 3}},
		"no line end at the end": {"user_id,currency,balance\nanna,EUR,100.00", []models.NewPlayer{anna}, []int{2}},
		"lines end with CRLF": {"user_id,currency,balance\r\nanna,EUR,100.00\r\nbert,USD,0.00\r\n",
			[]models.NewPlayer{anna, bert}, []int{2, 3}},
		"a byte order mark": {"\ufeffuser_id,currency,balance\nanna,EUR,100.00\n", []models.NewPlayer{anna},
			[]int{2}},
		"a byte order mark and quotes": {"\ufeff\"user_id\",\"currency\",\"balance\"\n\"anna\",\"EUR\",\"100.00\"\n",
			[]models.NewPlayer{anna}, []int{2}},
		"another order, further columns": {"name,balance,user_id,currency\nAnna A.,100.00,anna,EUR\n",
			[]models.NewPlayer{anna}, []int{2}},
		"empty lines": {"user_id,currency,balance\n\nanna,EUR,100.00\n\n\nbert,USD,0.00\n",
			[]models.NewPlayer{anna, bert}, []int{3, 6}},
		"no player": {"user_id,currency,balance\n", nil, nil},
		"quotes around a comma, a quote and a line end": {
			"user_id,currency,balance\n\"a,\"\"b\"\"\nc\",EUR,100.00\nbert,USD,0.00\n",
			[]models.NewPlayer{{UserID: "a,\"b\"\nc", Currency: "EUR", Balance: 10000}, bert}, []int{2, 4},
		},
		"names that differ in bytes only": {
			"user_id,currency,balance\nanna,EUR,100.00\nAnna,EUR,100.00\nanna ,EUR,100.00\n",
			[]models.NewPlayer{anna, {UserID: "Anna", Currency: "EUR", Balance: 10000},
				{UserID: "anna ", Currency: "EUR", Balance: 10000}}, []int{2, 3, 4},
		},
	} {
		t.Run(name, func(t *testing.T) {
			file, bad, err := models.ReadPlayers(strings.NewReader(row.file))
			require.NoError(t, err)
			require.Empty(t, bad)
			require.Equal(t, models.PlayerFile{Players: row.players, Lines: row.lines}, file)
		})
	}
}

func TestReadPlayersNamesBadLines(t *testing.T) {
	for name, row := range map[string]struct {
		rows string // after a header that is line 1
		want []string
	}{
		"no user":           {",EUR,1.00\n", []string{`line 2: user_id "": an ID is`}},
		"a user with NUL":   {"a\x00b,EUR,1.00\n", []string{`line 2: user_id "a\x00b": an ID is`}},
		"a user in Latin-1": {"Ren\xe9,EUR,1.00\n", []string{`line 2: user_id "Ren\xe9": an ID is`}},
		"a user too long": {strings.Repeat("x", 256) + ",EUR,1.00\n",
			[]string{`line 2: user_id "` + strings.Repeat("x", 60) + `": an ID is`}},
		"a lower-case currency": {"anna,eur,1.00\n", []string{`line 2: a currency is`}},
		"a balance with comma": {"anna,EUR,\"1,00\"\n",
			[]string{`line 2: balance "1,00": an amount is digits`}},
		"a negative balance": {"anna,EUR,-1.00\n",
			[]string{`line 2: balance "-1.00": an amount is digits`}},
		"a space before": {"anna,EUR, 1.00\n",
			[]string{`line 2: balance " 1.00": an amount is digits`}},
		"a balance too large": {"anna,EUR,92233720368547758.08\n",
			[]string{`line 2: balance "92233720368547758.08": an amount is at most`}},
		"too few fields":  {"anna,EUR\n", []string{`line 2: it has 2 fields, but the header has 3`}},
		"too many fields": {"anna,EUR,1.00,\n", []string{`line 2: it has 4 fields, but the header has 3`}},
		"a user twice": {"anna,EUR,1.00\nbert,EUR,1.00\nanna,USD,2.00\n",
			[]string{`line 4: user_id "anna" is already in line 2`}},
		"a quote within": {"an\"na,EUR,1.00\nbert,EUR,1.00\n",
			[]string{`line 2: not CSV from here on`}},
		"a quote that never ends": {"anna,EUR,1.00\n\"bert,EUR,1.00\ncarl,EUR,1.00\n",
			[]string{`line 3: not CSV from here on`}},
		"text after a quote": {"\"anna\"x,EUR,1.00\n", []string{`line 2: not CSV from here on`}},
		"each bad line": {"anna,EUR,1\nbert,EUR,1.00\n,EUR,1.00\ncarl,E,1.00\nbert,EUR,1.00\n",
			[]string{"line 2: ", "line 4: ", "line 5: ", "line 6: "}},
		"bad lines before a part that is not CSV": {"anna,EUR,1\nan\"na,EUR,1.00\n", []string{"line 2: ", "line 3: not CSV"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, bad, err := models.ReadPlayers(strings.NewReader("user_id,currency,balance\n" + row.rows))
			require.NoError(t, err)
			require.Len(t, bad, len(row.want), "%v", bad)
			for i, want := range row.want {
				require.ErrorContains(t, bad[i], want)
				require.Error(t, errors.Unwrap(bad[i]))
			}
		})
	}
}

func TestReadPlayersRefusesFiles(t *testing.T) {
	for name, row := range map[string]struct {
		file, want string
	}{
		"empty":                    {"", "needs a header line: user_id,currency,balance"},
		"a byte order mark alone":  {"\ufeff", "needs a header line"},
		"a column is missing":      {"user_id,currency\nanna,EUR\n", "has no column balance"},
		"a column in capitals":     {"User_ID,currency,balance\nanna,EUR,1.00\n", "has no column user_id"},
		"a column with a space":    {"user_id, currency,balance\nanna,EUR,1.00\n", "has no column currency"},
		"semicolons":               {"user_id;currency;balance\nanna;EUR;1.00\n", "has no column user_id"},
		"no header":                {"anna,EUR,1.00\n", "has no column user_id"},
		"UTF-16":                   {"\xff\xfeu\x00s\x00e\x00r\x00", "has no column user_id"},
		"a header that is not CSV": {"user\"_id,currency,balance\n", "needs a header line"},
		"a column twice":           {"user_id,currency,balance,balance\nanna,EUR,1.00,2.00\n", "has the column balance twice"},
		"another column twice":     {"user_id,user_id,currency,balance\nanna,bert,EUR,1.00\n", "has the column user_id twice"},
	} {
		t.Run(name, func(t *testing.T) {
			file, bad, err := models.ReadPlayers(strings.NewReader(row.file))
			require.ErrorContains(t, err, row.want)
			require.Empty(t, bad)
			require.Empty(t, file)
		})
	}
	t.Run("an error while reading", func(t *testing.T) {
		broken := errors.New("the disk is gone")
		_, _, err := models.ReadPlayers(io.MultiReader(strings.NewReader("user_id,currency,balance\nanna,EUR,1.00\n"),
			iotest.ErrReader(broken)))
		require.ErrorIs(t, err, broken)
	})
}

// Whatever the bytes are, reading returns only players that can be created, each once.
func TestReadPlayersOfAnything(t *testing.T) {
	piece := rapid.SampledFrom([]string{"anna", "bert", "EUR", "1.00", ",", ",", "\n", "\r\n", `"`, `""`, "\x00", "\xff", " ",
		"\ufeff"})
	rapid.Check(t, func(t *rapid.T) {
		rows := strings.Join(rapid.SliceOfN(piece, 0, 60).Draw(t, "rows"), "")
		file, bad, err := models.ReadPlayers(strings.NewReader("user_id,currency,balance\n" + rows))
		require.NoError(t, err)
		require.Len(t, file.Lines, len(file.Players))
		seen := map[models.UserID]bool{}
		for _, p := range file.Players {
			require.NoError(t, models.CheckID(string(p.UserID)))
			require.False(t, seen[p.UserID], "%q twice", p.UserID)
			seen[p.UserID] = true
		}
		for _, b := range bad {
			require.Greater(t, b.Line, 1)
		}
	})
}

func TestReadPlayersOfManyLines(t *testing.T) {
	var b strings.Builder
	b.WriteString("user_id,currency,balance\n")
	const many = 20000
	for i := range many {
		fmt.Fprintf(&b, "player-%d,EUR,%d.00\n", i, i)
	}
	file, bad, err := models.ReadPlayers(strings.NewReader(b.String()))
	require.NoError(t, err)
	require.Empty(t, bad)
	require.Len(t, file.Players, many)
	require.Equal(t, models.NewPlayer{UserID: "player-19999", Currency: "EUR", Balance: 1999900}, file.Players[many-1])
	require.Equal(t, many+1, file.Lines[many-1])
}
