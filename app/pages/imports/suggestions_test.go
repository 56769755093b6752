package imports

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

func TestClosestNames(t *testing.T) {
	for name, row := range map[string]struct {
		a, b string
		want int
	}{
		"the same": {"anna", "anna", 0}, "a swap": {"bertodl", "bertold", 1}, "one missing": {"kemal", "kemmal", 1},
		"none": {"", "ab", 2}, "too far": {"abcdef", "uvwxyz", 3},
	} {
		require.Equal(t, row.want, changes([]rune(row.a), []rune(row.b), 2), name)
	}
	games := []models.Game{
		{OfferedGame: models.OfferedGame{GameID: "20017", Name: "Ancient Bells"}},
		{OfferedGame: models.OfferedGame{GameID: "20018", Name: "Ancient Wells"}},
		{OfferedGame: models.OfferedGame{GameID: "30000", Name: "Other"}},
	}
	require.Equal(t, "20017", suggestGames(games, "ancient bels")[0].Value)
	require.Equal(t, "20018", suggestGames(games, "20 018")[0].Value)
	require.Empty(t, suggestGames(games, "nothing like it"))
}
