package campaigns

import (
	"errors"
	"fmt"
	"strings"

	"pitboss/app/web"
	"pitboss/models"
)

// lineError is why a line cannot be granted.
type lineError struct {
	models.RowError
	Over  models.LimitErrors // the limits that it exceeds, if nothing else is wrong
	Again bool               // it can be granted by a person who confirms that it is granted again
}

// lineWrong returns why a line cannot be granted, and which of its cells is wrong.
func lineWrong(err error) lineError {
	wrong := func(field, text string) models.RowError { return models.RowError{Field: field, Text: text} }
	var over models.LimitErrors
	var pending models.PendingGrantError
	var repeated models.RepeatedGrantError
	switch {
	case errors.Is(err, models.ErrPlayerUnknown):
		return lineError{RowError: wrong("player", "No player has this ID.")}
	case errors.Is(err, models.ErrPlayerRestricted):
		return lineError{RowError: wrong("player", "This player may not get bonuses now.")}
	case errors.Is(err, models.ErrGameUnknown):
		return lineError{RowError: wrong("game", "No game has this ID or name.")}
	case errors.Is(err, models.ErrGameGone):
		return lineError{RowError: wrong("game", "The platform no longer offers this game.")}
	case errors.As(err, &pending):
		return lineError{Again: true, RowError: wrong("game",
			fmt.Sprintf("The outcome of grant %d for this player and game is unknown.", pending.ID))}
	case errors.As(err, &repeated):
		return lineError{Again: true, RowError: wrong("spins", web.Sentence(repeated.Error()))}
	case errors.As(err, &over):
		words := make([]string, len(over))
		for i, limit := range over {
			words[i] = limitWords(limit)
		}
		return lineError{Over: over, RowError: wrong("spins", strings.Join(words, " "))}
	}
	return lineError{RowError: wrong("", web.Sentence(err.Error()))}
}

// limitWords says which limit a line exceeds.
func limitWords(limit models.LimitError) string {
	if limit.Limit == models.LimitSpinsPerGrant {
		return fmt.Sprintf("Your limit is %s in one grant.", web.Several(limit.Allowed, "spin", "spins"))
	}
	return fmt.Sprintf("Over the limit on %s: %s allowed, %s used by earlier grants and the lines above.",
		limit.Limit, limit.Words(limit.Allowed), limit.Words(limit.Taken))
}
