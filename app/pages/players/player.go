package players

import (
	"context"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/atonce"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// LoadPlayer reads the player that the address names, and records the view of their data.
func (a *Area) LoadPlayer(c *fiber.Ctx) (models.Player, error) {
	p, err := a.playerNumbered(c.UserContext(), c.Params("id"))
	if err == nil {
		err = a.Viewed(c, "player", p.ID)
	}
	return p, err
}

func (a *Area) playerNumbered(ctx context.Context, text string) (models.Player, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 1 {
		return models.Player{}, web.NotFound("player")
	}
	p, found, err := a.Store.PlayerByID(ctx, id)
	if err == nil && !found {
		err = web.NotFound("player")
	}
	return p, err
}

// aboutPlayer is what the pages about a player have in common.
type aboutPlayer struct {
	web.Page
	Player   models.Player
	Packs    bool // the reader may make a dispute pack
	Launches bool // the reader may launch a game for this player
}

// about returns the common part of a page about a player.
func (a *Area) about(c *fiber.Ctx, p models.Player) aboutPlayer {
	page := aboutPlayer{Page: a.Page(c, ""), Player: p}
	page.Badges = playerBadges(p, page.Now)
	page.Packs = a.MayPack(&page.Page)
	page.Launches = p.Test && page.Can(web.LaunchTest) || !p.Test && page.Can(web.LaunchReal)
	return page
}

type playerPage struct {
	aboutPlayer
	Last       *pages.TransactionRow // the newest transaction
	NetPlay    models.Amount         // today's bets, wins and rollbacks, net
	Other      otherMoney
	Refused    pages.RefusedToday
	Restricted []models.Restriction // in effect, if the reader may view them
	Rows       []pages.TransactionRow
	Rounds     []pages.RoundRow
	Sessions   []pages.GameSessionRow
	Grants     []heldGrant // the newest grants that are open or of unknown outcome
	Open       int         // how many grants are open or of unknown outcome
	Unknown    int         // how many of them are of unknown outcome
	AllLeft    int64       // spins left in the open grants
	Cases      pages.ThingCases

	BelowZero    bool
	NotEligible  bool // for bonuses; the reader may not know why
	ShowsRefused bool // refused bets are listed between the transactions
}

// heldGrant is a grant that is open, or of unknown outcome.
type heldGrant struct {
	models.Grant
	Used, Left int64
	Meter      views.Meter
}

const (
	// openGrants is the most open grants of a player that are added up. The limits do not allow a player that many.
	openGrants = 100
	// shownGrants is how many of them the player's page shows.
	shownGrants = 3
)

func newGameSessionRows(list []models.GameSession) []pages.GameSessionRow {
	rows := make([]pages.GameSessionRow, len(list))
	for i, s := range list {
		rows[i] = pages.NewGameSessionRow(s)
	}
	return rows
}

func (a *Area) Detail(c *fiber.Ctx, p models.Player) (err error) {
	ctx := c.UserContext()
	page := &playerPage{aboutPlayer: a.about(c, p), BelowZero: p.Wallet.Balance < 0}
	page.NotEligible = !p.Wallet.MayGetBonuses(page.Now) && !page.Can(web.ReadRestrictions)
	now := page.Now.In(page.Zone)
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, page.Zone)
	var before models.Amount
	err = atonce.Read(
		func() error { return a.readLatest(ctx, page) },
		func() error { return a.readPlay(ctx, page) },
		func() error { return a.readGrants(ctx, page) },
		func() (err error) {
			if before, err = a.Store.BalanceAt(ctx, p, midnight); err == nil {
				page.Other, err = a.otherMoney(ctx, p, midnight)
			}
			return err
		},
		func() (err error) {
			page.Refused, err = a.RefusedToday(ctx, &page.Page, p, midnight)
			return err
		},
		func() (err error) {
			page.Cases, err = a.CasesOf(ctx, &page.Page, models.CaseFilter{PlayerID: p.ID},
				pages.PlayerOf(p.ID))
			return err
		})
	if err != nil {
		return err
	}
	page.NetPlay = p.Wallet.Balance - before - page.Other.Sum()
	return a.Render(c, "players/player", page)
}

// readLatest reads the player's newest transactions and, unless the reader hides them, the refused bets between them.
func (a *Area) readLatest(ctx context.Context, page *playerPage) error {
	found, err := a.Store.Transactions(ctx, models.TransactionFilter{PlayerID: page.Player.ID,
		Span: models.Span{Limit: recentTransactions}})
	if err != nil {
		return err
	}
	page.Rows = pages.TransactionRows(&page.Page, found.Rows)
	if len(page.Rows) > 0 {
		last := page.Rows[0]
		page.Last = &last
	}
	if page.ShowsRefused = page.Params.Get("refused") != "hide"; page.ShowsRefused {
		page.Rows, err = a.LatestRefused(ctx, &page.Page, page.Player, page.Rows, recentTransactions)
	}
	return err
}

// readPlay reads the player's newest rounds and game sessions, and the restrictions in effect.
func (a *Area) readPlay(ctx context.Context, page *playerPage) error {
	rounds, err := a.Store.Rounds(ctx, models.RoundFilter{PlayerID: page.Player.ID, Span: models.Span{Limit: recentRounds}})
	if err != nil {
		return err
	}
	page.Rounds = pages.RoundRows(&page.Page, rounds.Rows)
	sessions, err := a.Store.GameSessions(ctx,
		models.GameSessionFilter{PlayerID: page.Player.ID, Span: models.Span{Limit: recentSessions}})
	if err != nil {
		return err
	}
	page.Sessions = newGameSessionRows(sessions.Rows)
	if w := page.Player.Wallet; page.Can(web.ReadRestrictions) && (!w.MayGetBonuses(page.Now) || !w.MayDeposit(page.Now)) {
		restricted, err := a.Store.Restrictions(ctx,
			models.RestrictionFilter{PlayerID: page.Player.ID, Active: new(true), Span: models.Span{Limit: recentSessions}})
		page.Restricted = restricted.Rows
		return err
	}
	return err
}

// readGrants reads the player's grants that are open or of unknown outcome, and adds up the spins that are left.
func (a *Area) readGrants(ctx context.Context, page *playerPage) error {
	grants, err := a.Store.Grants(ctx, models.GrantFilter{PlayerID: page.Player.ID,
		States: []models.GrantState{models.GrantActive, models.GrantUnknown}, SpinsLeft: true, Span: models.Span{Limit: openGrants}})
	page.Open = len(grants.Rows)
	for i, g := range grants.Rows {
		used := min(g.UsedSpins(), g.Spins)
		if i < shownGrants {
			page.Grants = append(page.Grants, heldGrant{g, used, g.Spins - used, views.Share(used, g.Spins)})
		}
		if g.State == models.GrantUnknown {
			page.Unknown++
			continue
		}
		page.AllLeft += g.Spins - used
	}
	return err
}
