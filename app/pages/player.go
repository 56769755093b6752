package pages

import (
	"context"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Viewed records that the reader viewed an object of a player, unless a page is only refreshing itself.
func (s *Site) Viewed(c *fiber.Ctx, object string, id, player int64) error {
	if web.IsPoll(c) {
		return nil
	}
	return s.Store.NoteView(c.UserContext(), s.Actor(c), object, strconv.FormatInt(id, 10), player)
}

// ViewedOn records that a page's reader viewed an object of a player. A page that is made in the background has no reader.
func (s *Site) ViewedOn(ctx context.Context, page *web.Page, object string, id, player int64) error {
	if page.Viewer.Name == "" {
		return nil
	}
	return s.Store.NoteView(ctx, page.Viewer, object, strconv.FormatInt(id, 10), player)
}

// CurrencyFilter reads the filter by currency, which offers the currencies of wallets.
func (s *Site) CurrencyFilter(ctx context.Context, page *web.Page) (models.Currency, error) {
	currencies, err := s.Store.WalletCurrencies(ctx)
	if err != nil {
		return "", err
	}
	words := []string{"", "All"}
	for _, one := range currencies {
		words = append(words, string(one), string(one))
	}
	chosen := models.Currency(page.Choice("currency", "Currency", words))
	page.One = page.One || chosen != "" || len(currencies) <= 1
	return chosen, nil
}

// PlayerFinder finds players for forms and filters.
func (s *Site) PlayerFinder() web.Finder[models.Player] {
	return web.Finder[models.Player]{
		Picker: "player", ByNumber: s.Store.PlayerByID,
		ByID: func(ctx context.Context, id string) (models.Player, bool, error) {
			return s.Store.Player(ctx, models.UserID(id))
		},
		Like: s.Store.SearchPlayers,
		Of:   func(p models.Player) (int64, string) { return p.ID, string(p.UserID) },
	}
}

// PlayerCell returns a list's cell for a player.
func PlayerCell(id int64, user models.UserID) views.Cell {
	cell := views.Cell{Text: string(user)}
	if id != 0 {
		cell.Href = PlayerPath(id)
	}
	return cell
}

// PlayerOf returns the query that limits a list to a player, or fills the player into a form.
func PlayerOf(id int64) string { return "player-number=" + strconv.FormatInt(id, 10) }

// GameFinder finds games for forms and filters: by ID, or by name if only one game has that name.
func (s *Site) GameFinder() web.Finder[models.Game] {
	return web.Finder[models.Game]{
		Picker: "game", ByNumber: s.Store.GameByID,
		ByID: func(ctx context.Context, text string) (g models.Game, there bool, err error) {
			found, err := s.Store.GamesTyped(ctx, []string{text})
			if err != nil || found[text] == "" {
				return g, false, err
			}
			return s.Store.Game(ctx, found[text])
		},
		Of:   func(g models.Game) (int64, string) { return g.ID, string(g.GameID) },
		Name: func(g models.Game) string { return g.Ref().Title() },
	}
}

// NoSuchPlayer refuses a form's field whose player nobody knows.
const NoSuchPlayer = "There is no player with this ID. IDs are case-sensitive."

// PlayerFilter returns the player in the filter, and records that the reader viewed their data. If there is no such player, a
// message replaces the list.
func (s *Site) PlayerFilter(ctx context.Context, page *web.Page) (p models.Player, err error) {
	p, there, text, err := s.PlayerFinder().Filter(ctx, page, "player", "Player")
	switch {
	case err != nil || text == "":
		return p, err
	case there:
		page.One = true
		return p, s.ViewedOn(ctx, page, "player", p.ID, p.ID)
	}
	page.Unknown(&views.Empty{
		Title: "There is no such player",
		Text:  "No player has the ID “" + text + "”. Player IDs are case-sensitive, and accents count.",
		Links: []views.Link{{Word: "Search players", Href: "/players?q=" + web.EscapeQuery(text), Main: true}},
	})
	return p, nil
}

// GameFilter returns the game in the filter. If there is no such game, a message replaces the list.
func (s *Site) GameFilter(ctx context.Context, page *web.Page) (g models.Game, err error) {
	g, there, text, err := s.GameFinder().Filter(ctx, page, "game", "Game")
	if err == nil && !there && text != "" {
		page.Unknown(&views.Empty{
			Title: "There is no such game",
			Text:  "No game has the ID “" + text + "”, and no single one has it as its name. IDs are case-sensitive.",
			Links: []views.Link{{Word: "Clear filters", Href: page.Path, Main: true}},
		})
	}
	return g, err
}

// CampaignFilter returns the number of the campaign in the filter, or 0 if the filter is not set.
func (s *Site) CampaignFilter(ctx context.Context, p *web.Page) (int64, error) {
	text := p.TextFilter("campaign", "Campaign")
	if text == "" {
		return 0, nil
	}
	id, wrong := strconv.ParseInt(text, 10, 64)
	found := false
	var err error
	if wrong == nil {
		_, found, err = s.Store.Campaign(ctx, id)
	}
	if !found {
		p.Unknown(&views.Empty{Title: "No campaign has the number " + text, Text: "The list of campaigns shows their numbers.",
			Links: []views.Link{{Word: "Campaigns", Href: CampaignsPath, Main: true}}})
	}
	return id, err
}
