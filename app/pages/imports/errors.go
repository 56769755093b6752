package imports

import (
	"errors"
	"fmt"

	"pitboss/app/web"
	"pitboss/models"
)

// lineWrong says in words what stands against granting a line, and at which cell.
func lineWrong(err error) models.RowError {
	var limit models.LimitError
	var pending models.PendingGrantError
	switch {
	case errors.Is(err, models.ErrPlayerUnknown):
		return models.RowError{Field: "player", Text: "No player has this ID."}
	case errors.Is(err, models.ErrPlayerBlocked):
		return models.RowError{Field: "player", Text: "This player is blocked."}
	case errors.Is(err, models.ErrGameUnknown):
		return models.RowError{Field: "game", Text: "No game has this ID."}
	case errors.Is(err, models.ErrGameGone):
		return models.RowError{Field: "game", Text: "The platform no longer offers this game."}
	case errors.As(err, &pending):
		return models.RowError{Field: "game",
			Text: fmt.Sprintf("The outcome of grant %d, of this game to this player, is not known.", pending.ID)}
	case errors.As(err, &limit) && limit.Limit == models.LimitSpinsPerGrant:
		return models.RowError{Field: "spins",
			Text: fmt.Sprintf("Your limit is %s in one grant.", web.Several(limit.Allowed, "spin", "spins"))}
	case errors.As(err, &limit):
		return models.RowError{Field: "spins",
			Text: fmt.Sprintf("Over the limit on %s: %s allowed, %s used already.", limit.Limit, limit.Words(limit.Allowed),
				limit.Words(limit.Taken))}
	}
	return models.RowError{Text: web.Sentence(err.Error())}
}
