package sheet_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/sheet"
)

// The bad lines of a file keep its columns and its separator, whatever is wrong with them.
func TestBadLines(t *testing.T) {
	for _, c := range []struct {
		name, file string
		about      sheet.Subject
		wrong      map[int]string
		want       []string
	}{
		{"as they are", "report of May\n\nuser|currency|note\na|EUR|x\nb |EU|\nc|USD|y\n", sheet.OfPlayers, map[int]string{5: "W"},
			[]string{"user/currency/note/What is wrong", "b /EU//W"}},
		{"no header", "anna,20017,20\nnobody,20017,5\n", sheet.OfGrants, map[int]string{2: "W"},
			[]string{"player/game/spins/What is wrong", "nobody/20017/5/W"}},
		{"too many cells", "user_id;currency\na;EUR\nb;EUR;1;2\n", sheet.OfPlayers, map[int]string{3: "W"},
			[]string{"user_id/currency/What is wrong", "b/EUR;1;2/W"}},
		{"a quote too many, and no UTF-8", "user_id;currency\n\"b;EUR\nc\xff;EUR\n", sheet.OfPlayers, map[int]string{2: "W", 3: "V"},
			[]string{"user_id/currency/What is wrong", "\"b/EUR/W", "c\ufffd/EUR/V"}},
		{"a file of bad lines", "user_id;currency;What is wrong\na;EUR;old\n", sheet.OfPlayers, map[int]string{2: "new"},
			[]string{"user_id/currency/What is wrong", "a/EUR/new"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			table, err := sheet.BadLines(t.Context(), strings.NewReader(c.file), c.about, c.wrong)
			require.NoError(t, err)
			var rows []string
			for _, row := range table.Rows {
				rows = append(rows, strings.Join(row, "/"))
			}
			require.Equal(t, c.want, rows)
		})
	}
}
