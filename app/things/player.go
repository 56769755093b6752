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
func (s *Site) CurrencyFilter(ctx context.Context, page *web.Page) (models.Currency, error) {
	currencies, err := s.store.WalletCurrencies(ctx)
	if err != nil {
		return "", err
	}
	words := []string{"", "All"}
	for _, one := range currencies {
		words = append(words, string(one), string(one))
	}
	return models.Currency(page.Choice("currency", "Currency", words)), nil
}

// PlayerFilter returns the player whom the filter names, and records that the reader viewed their data. If nobody has this user
// ID, a message replaces the list.
func (s *Site) PlayerFilter(c *fiber.Ctx, page *web.Page) (p models.Player, err error) {
	user := page.PickFilter("player", "Player")
	if user == "" {
		return p, nil
	}
	p, found, err := s.store.Player(c.UserContext(), models.UserID(user))
	if err != nil {
		return p, err
	}
	if found {
		return p, s.Viewed(c, "player", p.ID)
	}
	page.Unknown(&views.Empty{
		Title: "There is no such player",
		Text:  "No player has the ID “" + user + "”. Player IDs are case-sensitive, and accents count.",
		Links: []views.Link{{Word: "Search players", Href: "/players?q=" + web.EscapeQuery(user), Main: true}},
	})
	return p, nil
}

// GameFilter returns the game that the filter names. If there is no such game, a message replaces the list.
func (s *Site) GameFilter(c *fiber.Ctx, page *web.Page) (g models.Game, err error) {
	id := page.PickFilter("game", "Game ID")
	if id == "" {
		return g, nil
	}
	g, found, err := s.store.Game(c.UserContext(), models.GameID(id))
	if err == nil && !found {
		page.Unknown(&views.Empty{
			Title: "There is no such game", Text: "No game has the ID “" + id + "”. IDs are case-sensitive.",
			Links: []views.Link{{Word: "Clear filters", Href: page.Path, Main: true}},
		})
	}
	return g, err
}
