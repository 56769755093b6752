package imports

import (
	"context"
	"slices"
	"strings"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
)

// "Did you mean": the players whose IDs are closest to one that does not exist.

const (
	maxCandidates = 200
	shortestStem  = 2
)

// suggestPlayers returns the players whose IDs are closest to id. Candidates start like id, in upper or lower case.
func (a *Area) suggestPlayers(ctx context.Context, id string) ([]pages.Suggestion, error) {
	trimmed := strings.TrimSpace(id)
	if trimmed == "" {
		return nil, nil
	}
	near := pages.NewNearest(trimmed)
	stem := []rune(trimmed)
	for length := len(stem); length >= min(shortestStem, len(stem)); length = min(length-1, length/2+1) {
		begin := string(stem[:length])
		cases := []string{begin, strings.ToLower(begin), strings.ToUpper(begin), web.FirstUpper(strings.ToLower(begin))}
		slices.Sort(cases)
		for _, beginning := range slices.Compact(cases) {
			list, err := a.Store.Players(ctx, models.PlayerFilter{Beginning: beginning, Span: models.Span{Limit: maxCandidates}})
			if err != nil {
				return nil, err
			}
			for _, p := range list.Rows {
				near.Offer(pages.Suggestion{Value: string(p.UserID), Word: string(p.UserID)}, string(p.UserID))
			}
		}
		if near.Found() || length <= shortestStem {
			break
		}
	}
	return near.Best(), nil
}
