package pages

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
	games := Games{
		{OfferedGame: models.OfferedGame{GameID: "20017", Name: "Ancient Bells"}},
		{OfferedGame: models.OfferedGame{GameID: "20018", Name: "Ancient Wells"}},
		{OfferedGame: models.OfferedGame{GameID: "30000", Name: "Other"}},
	}
	require.Equal(t, "20017", games.Like("ancient bels")[0].Value)
	require.Equal(t, "20018", games.Like("20 018")[0].Value)
	require.Empty(t, games.Like("nothing like it"))
}

// For a name that no game has, games with similar names are suggested.
func TestNoGame(t *testing.T) {
	game := func(id models.GameID, name string) models.Game {
		return models.Game{OfferedGame: models.OfferedGame{GameID: id, Name: name}}
	}
	games := Games{game("1", "Ancient Bells"), game("2", "Twins"), game("3", "Twins"), game("4", "1"), game("Twins", "Other")}
	require.Equal(t, "No single game has this ID or name. Did you mean Twins (2), or Twins (3)"+
		", or Other (Twins)?", games.NoGame("twins"))
}
