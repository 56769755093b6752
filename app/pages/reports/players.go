package reports

import (
	"context"
	"strconv"

	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
)

// The reports by player, by game, and of what players are owed now.

func playerColumns(p *reportPage) []column {
	test := column{Column: export.Column{Name: "Test player", Kind: export.Flag}, Filed: p.of.Test == models.WithoutTest}
	days := text("Days")
	days.Paged = true
	return figureColumns(figures, []column{text("Player"), test}, []column{days}, "Balance change")
}

func (a *Area) playerRows(ctx context.Context, p *reportPage, next func([][]cell) error) error {
	currencies := []models.Currency{p.of.Currency}
	if p.of.Currency == "" {
		var err error
		if currencies, err = a.Store.WalletCurrencies(ctx); err != nil {
			return err
		}
	}
	for _, c := range currencies { // amounts in different currencies cannot be compared
		if err := a.playersIn(ctx, p, c, next); err != nil {
			return err
		}
	}
	return nil
}

func (a *Area) playersIn(ctx context.Context, p *reportPage, c models.Currency, next func([][]cell) error) error {
	f := p.of
	f.Currency = c
	for {
		list, err := a.Store.PlayersReport(ctx, f)
		if err != nil {
			return err
		}
		rows := make([][]cell, len(list.Rows))
		for i, r := range list.Rows {
			days := "/reports?" + pages.PlayerOf(r.PlayerID) + "&from=" + string(f.From) + "&to=" + string(f.To)
			rows[i] = figureCells(figures, []cell{{string(r.UserID), pages.PlayerPath(r.PlayerID)}, {Value: r.Test}}, r.DayFigures,
				r.Currency, p.transactions(f.From, f.To, r.Currency, r.PlayerID), cell{"By day", days})
		}
		p.More = p.More || list.More
		if err := next(rows); err != nil || !list.More || f.Limit == reportRows {
			return err
		}
		last := list.Rows[len(list.Rows)-1]
		f.After = models.PlayerPlace{Turnover: last.Turnover(), PlayerID: last.PlayerID}
	}
}

func (a *Area) playersTogether(ctx context.Context, p *reportPage) error {
	p.drawRows("Player", "Turnover")
	days, err := a.Store.DayReports(ctx, p.of)
	p.Tables = append(p.Tables, p.account("All players together", together(days)))
	return err
}

func gameColumns(*reportPage) []column {
	id := text("Game ID")
	id.Filed = true
	return figureColumns(played, []column{text("Game"), id, text("Provider")}, []column{number("Sessions")}, "Free-spin stakes")
}

// gameRows reads play by game, and everything else, so that the rows add up to the report by day.
func (a *Area) gameRows(ctx context.Context, p *reportPage, next func([][]cell) error) error {
	games, more, err := a.Store.GamesReport(ctx, p.of, p.of.From.Begin(p.zoned), models.Earliest(p.of.To.End(p.zoned), p.upTo))
	if err != nil {
		return err
	}
	days, err := a.Store.DayReports(ctx, p.of)
	if err != nil {
		return err
	}
	var rows [][]cell
	rest := together(days)
	for _, g := range games {
		for i := range rest {
			if rest[i].Currency == g.Currency {
				rest[i].Sub(models.DayFigures{MoneySums: g.MoneySums})
			}
		}
		rows = append(rows, figureCells(played, []cell{{Value: g.Name, Href: web.PathOf("/games", g.GameID)}, {Value: string(g.Offered)},
			{Value: g.Provider}}, models.DayFigures{MoneySums: g.MoneySums}, g.Currency, "", cell{Value: g.Sessions, Href: p.sessionsOf(g)}))
	}
	word := "Without a session"
	if p.More = more; more {
		word += ", or in older ones"
	}
	for _, r := range rest {
		rows = append(rows, figureCells(played, cells(word, "", ""), r.DayFigures, r.Currency, "", cell{}))
	}
	return next(rows)
}

// sessionsOf returns the address of the sessions behind a game's figures, including those that may have started the evening
// before. It returns "" if the reader may not open the list. Each session's page shows what was played in it.
func (p *reportPage) sessionsOf(g models.GameReport) string {
	if !p.opens("/sessions") {
		return ""
	}
	path := "/sessions?game-number=" + strconv.FormatInt(g.GameID, 10) + "&state=opened&" +
		since(p.of.From.Begin(p.zoned).Add(-models.GameSessionLasts), p.of.To.End(p.zoned))
	if p.of.PlayerID != 0 {
		path += "&" + pages.PlayerOf(p.of.PlayerID)
	}
	return path
}

func liabilityColumns(*reportPage) []column {
	amount := money("Amount")
	amount.Lead = true
	return []column{text("What"), text("Player"), text("Currency"), amount, number("How many")}
}

// interruptedAtOnce is how many interrupted rounds are added up at most. If there are more, something is very wrong.
const interruptedAtOnce = 200

func (a *Area) liabilityRows(ctx context.Context, p *reportPage, next func([][]cell) error) error {
	owed, err := a.Store.LiabilityNow(ctx, p.of.Test)
	if err != nil {
		return err
	}
	var rows [][]cell
	add := func(what, player cell, c models.Currency, amount models.Amount, many any) {
		if p.of.Currency == "" || p.of.Currency == c {
			rows = append(rows, append([]cell{what, player}, cells(string(c), amount, many)...))
		}
	}
	for _, l := range owed {
		add(cell{Value: "Liability to players"}, cell{Value: ""}, l.Currency, l.Sum, l.Wallets)
		add(cell{Value: "Held by cash-outs"}, cell{Value: ""}, l.Currency, l.Held, nil)
		add(cell{Value: "Balances below zero, together"}, cell{Value: ""}, l.Currency, l.Negative, l.Owing)
	}
	staked, err := a.Store.StakesInPlay(ctx, p.Now) // read anew, because the overview's may be seconds old
	if err != nil {
		return err
	}
	for _, s := range StakesOf(staked, p.of) {
		add(cell{"Stakes in play", "/rounds?state=pending"}, cell{Value: ""}, s.Currency, s.Sum, s.Rounds)
	}
	rounds, err := a.Store.Rounds(ctx, models.RoundFilter{State: models.RoundInterrupted,
		Span: models.Span{Limit: interruptedAtOnce}})
	if err != nil {
		return err
	}
	var interrupted []models.Stakes
	for _, r := range rounds.Rows {
		interrupted = append(interrupted, models.Stakes{Currency: r.Currency, Test: r.Test, Rounds: 1, Sum: r.Funds()})
	}
	what := cell{"Stakes in interrupted rounds", "/rounds?state=interrupted"}
	if rounds.More || !rounds.Stopped.IsZero() {
		what.Value = "Stakes in the newest interrupted rounds"
	}
	for _, s := range StakesOf(interrupted, p.of) {
		add(what, cell{Value: ""}, s.Currency, s.Sum, s.Rounds)
	}
	below, err := a.Store.NegativeBalances(ctx, p.of.Test, p.of.Limit)
	if err != nil {
		return err
	}
	for _, b := range below {
		add(cell{"Balance below zero", "/cases?state=all&" + pages.PlayerOf(b.ID)}, cell{string(b.UserID), pages.PlayerPath(b.ID)},
			b.Wallet.Currency, b.Wallet.Balance, nil)
	}
	return next(rows)
}
