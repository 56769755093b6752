package apptest

import (
	"fmt"

	"pitboss/models"
)

// SheetOfPlayers makes players u0, u1 and so on, and a file that grants each spins on g.
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
