package players

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/atonce"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
)

// LoadPlayer reads the player whose number is in the address, and records that the reader viewed their data.
func (a *Area) LoadPlayer(c *fiber.Ctx) (models.Player, error) {
	p, err := a.PlayerNumbered(c.UserContext(), c.Params("id"))
	if err == nil {
		err = a.Viewed(c, "player", p.ID, p.ID)
	}
	return p, err
}

// aboutPlayer is what all pages about a player share.
type aboutPlayer struct {
	web.Page
	pages.PlayerHead
}

// about returns what a page about a player shares with the others.
func (a *Area) about(c *fiber.Ctx, p models.Player) (page aboutPlayer, err error) {
	page = aboutPlayer{Page: a.Page(c, ""), PlayerHead: pages.PlayerHead{Player: p}}
	return page, a.ReadHead(c.UserContext(), &page.Page, &page.PlayerHead)
}

type playerPage struct {
	aboutPlayer
	Limits   []limitRow             // empty if the reader may not view them
	Rows     []pages.TransactionRow // the newest transactions, with refused bets among them
	Rounds   []pages.RoundRow
	Sessions []pages.GameSessionRow
	Cases    pages.ThingCases
	Answers  pages.AnswerLanguage
	Month    models.DayFigures // play in the last recentDays
}

// recentDays is how many days, including today, the player's page adds up.
const recentDays = 30

func newGameSessionRows(list []models.GameSession) []pages.GameSessionRow {
	rows := make([]pages.GameSessionRow, len(list))
	for i, s := range list {
		rows[i] = pages.NewGameSessionRow(s)
	}
	return rows
}

func (a *Area) Detail(c *fiber.Ctx, p models.Player) error {
	ctx := c.UserContext()
	about, err := a.about(c, p)
	if err != nil {
		return err
	}
	page := &playerPage{aboutPlayer: about}
	page.Answers = pages.NewAnswerLanguage(&page.Page, p)
	if page.Can(web.ReadRestrictions) {
		page.Limits = limitRows(&page.Page, p)
	}
	err = atonce.Read(
		func() error { return a.readLatest(ctx, page) },
		func() error { return a.readPlay(ctx, page) },
		func() error { return a.readMonth(ctx, page) },
		func() (err error) {
			page.Cases, err = a.CasesOf(ctx, &page.Page, models.CaseFilter{PlayerID: p.ID}, pages.PlayerOf(p.ID))
			return err
		})
	if err != nil {
		return err
	}
	return a.Render(c, "players/player", page)
}

// readLatest reads the player's newest transactions, with refused bets among them.
func (a *Area) readLatest(ctx context.Context, page *playerPage) error {
	found, err := a.Store.Transactions(ctx, models.TransactionFilter{PlayerID: page.Player.ID,
		Span: models.Span{Limit: recentTransactions}})
	if err != nil {
		return err
	}
	page.Rows, err = a.LatestRefused(ctx, &page.Page, page.Player, pages.TransactionRows(&page.Page, found.Rows), recentTransactions)
	return err
}

// readPlay reads the player's newest rounds and game sessions.
func (a *Area) readPlay(ctx context.Context, page *playerPage) error {
	rounds, err := a.Store.Rounds(ctx, models.RoundFilter{PlayerID: page.Player.ID, Span: models.Span{Limit: recentRounds}})
	if err != nil {
		return err
	}
	page.Rounds = pages.RoundRows(&page.Page, rounds.Rows)
	sessions, err := a.Store.GameSessions(ctx,
		models.GameSessionFilter{PlayerID: page.Player.ID, Span: models.Span{Limit: recentSessions}})
	page.Sessions = newGameSessionRows(sessions.Rows)
	return err
}

// readMonth adds up what the player played in the casino's last recentDays.
func (a *Area) readMonth(ctx context.Context, page *playerPage) error {
	today, err := a.Store.ReportToday(ctx)
	if err != nil {
		return err
	}
	days, err := a.Store.DayReports(ctx, models.ReportFilter{PlayerID: page.Player.ID, From: today.Add(1 - recentDays), To: today})
	for _, d := range days {
		page.Month.Add(d.DayFigures)
	}
	return err
}
