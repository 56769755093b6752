package things

import (
	"context"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Viewed records that the reader viewed a player's data. It records nothing if a page refreshes itself.
func (s *Site) Viewed(c *fiber.Ctx, object string, id int64) error {
	if web.IsPoll(c) {
		return nil
	}
	return s.store.NoteView(c.UserContext(), s.Actor(c), object, strconv.FormatInt(id, 10))
}

// CurrencyFilter reads the filter by currency. It offers the currencies of wallets.
func (s *Site) CurrencyFilter(ctx context.Context,
	page *web.Page) (currency models.Currency, options []views.Choice, err error) {
	currencies, err := s.store.WalletCurrencies(ctx)
	if err != nil {
		return "", nil, err
	}
	words := []string{"", "All"}
	for _, one := range currencies {
		words = append(words, string(one), string(one))
	}
	chosen, options := page.Choice("currency", "Currency", words)
	return models.Currency(chosen), options, nil
}

// PlayerFilter returns the player whom the filter names, and records that the reader viewed their data. If nobody has this user
// ID, it returns a message.
func (s *Site) PlayerFilter(c *fiber.Ctx, page *web.Page) (models.Player, *views.Empty, error) {
	user := page.Filter("player", "Player", nil)
	if user == "" {
		return models.Player{}, nil, nil
	}
	p, found, err := s.store.Player(c.UserContext(), models.UserID(user))
	if err != nil {
		return p, nil, err
	}
	if !found {
		return p, &views.Empty{
			Title: "There is no such player",
			Text:  "No player has the user ID “" + user + "”. User IDs are case-sensitive, and accents count.",
			Links: []views.Link{{Word: "Search players", Href: "/players?q=" + web.EscapeQuery(user), Main: true}},
		}, nil
	}
	return p, nil, s.Viewed(c, "player", p.ID)
}

// GameFilter reads the Game filter from the address. If there is no such game, it returns a message that replaces the list.
func (s *Site) GameFilter(c *fiber.Ctx, page *web.Page) (models.Game, *views.Empty, error) {
	id := page.Filter("game", "Game ID", nil)
	if id == "" {
		return models.Game{}, nil, nil
	}
	g, found, err := s.store.Game(c.UserContext(), models.GameID(id))
	if err != nil || found {
		return g, nil, err
	}
	return g, &views.Empty{
		Title: "There is no such game", Text: "No game has the ID “" + id + "”. IDs are case-sensitive.",
		Links: []views.Link{{Word: "Clear filters", Href: page.Path, Main: true}},
	}, nil
}
