package apptest

import (
	"fmt"

	"pitboss/models"
)

// SheetOfPlayers creates the players u0, u1 and so on, and returns a file that grants each of them spins on g.
func (s *Site) SheetOfPlayers(g models.Game, n, spins int) string {
	s.T.Helper()
	file := "user_id,game_id,spins\n"
	for i := range n {
		user := fmt.Sprintf("u%d", i)
		s.NewPlayer(models.UserID(user), false)
		file += fmt.Sprintf("%s,%s,%d\n", user, g.GameID, spins)
	}
	return file
}
