package reports

import (
	"cmp"
	"context"
	"net/netip"
	"slices"

	"github.com/shopspring/decimal"

	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
)

// ranking describes a ranking: its figures in words, its columns, and how to make its rows.
type ranking struct {
	by, of  string // its chart's columns: names and figures
	note    string
	columns []column
	row     func(p *reportPage, r models.Ranked) []cell
}

// Columns that several rankings share.
var (
	rankDay    = column{Column: export.Column{Name: "Day", Kind: export.Day}}
	rollbacked = []column{text("Currency"), number("Rollbacks"), number("Bets and spins"), percent("Share")}
)

var rankings = map[models.Ranking]ranking{
	models.RankWins: {"Player", "Largest win", "The largest win of each player on each day, in each currency: of bets, free spins and instant games, " +
		"whose bet and win are one transaction. A win that was rolled back later is still here.",
		[]column{rankDay, text("Player"), text("Currency"), money("Largest win")},
		func(p *reportPage, r models.Ranked) []cell {
			win := cell{Value: r.Amount}
			if r.Transaction != 0 {
				win.Href = pages.TransactionPath(r.Transaction)
			}
			return []cell{{Value: string(r.Day)}, playerCell(r), {Value: string(r.Currency)}, win}
		}},
	models.RankReturns: {"Game", "RTP", "RTP is payout as a percentage of turnover, of sessions that staff or API clients opened, up to the " +
		"newest 1,000: callbacks name no game. The true return lies between the two 95% figures with a probability of 95%. " +
		"They are RTP ± 1.96 standard errors, calculated from how much the sessions differ: the root of n ÷ (n − 1) × the " +
		"sum of (payout − RTP × turnover)² over the n sessions, divided by the turnover. Fewer than 30 sessions give no " +
		"interval. Of 20 games without a fault, about one is outside. The platform’s list of games has no theoretical " +
		"return: enter it under Theoretical returns, from the maker’s documents.",
		[]column{text("Game"), text("Currency"), number("Sessions"), money("Turnover"), percent("RTP"),
			percent("95% from"), percent("95% to"), percent("Theoretical"), text("Result")}, returnRow},
	models.RankRollbacks: {"Player", "Rollbacks", "Transactions that were rolled back, among the player’s bets and free spins of these days. A bet " +
		"and its win can both be rolled back, so the share can exceed 100%.",
		append([]column{text("Player")}, rollbacked...),
		func(p *reportPage, r models.Ranked) []cell {
			behind := p.behind("/transactions", p.of.From, p.of.To, "state=by-rollback&"+pages.PlayerOf(r.PlayerID))
			return []cell{playerCell(r), {Value: string(r.Currency)}, {r.N, behind}, {Value: r.Among}, {Value: share(r)}}
		}},
	models.RankGameRollbacks: {"Game", "Rollbacks", "Transactions that were rolled back in sessions that staff or API clients opened, up to the " +
		"newest 1,000: callbacks name no game.",
		append([]column{text("Game")}, rollbacked...),
		func(p *reportPage, r models.Ranked) []cell {
			return []cell{gameCell(r), {Value: string(r.Currency)}, {r.N, p.sessionsOf(r.Game)}, {Value: r.Among},
				{Value: share(r)}}
		}},
	models.RankSignatures: {"IP address", "Refused callbacks", "Callbacks refused because their signature is wrong, or was used before, by day and IP address. " +
		"Of one day, up to 200,000 are counted.",
		[]column{rankDay, text("IP address"), number("Refused callbacks")},
		func(p *reportPage, r models.Ranked) []cell {
			address := "unknown"
			if a, known := netip.AddrFromSlice(r.Address); known {
				address = a.Unmap().String()
			}
			return []cell{{Value: string(r.Day)}, {Value: address},
				{r.N, p.behind("/callbacks", r.Day, r.Day, "result=3&address="+web.EscapeQuery(address))}}
		}},
	models.RankGrants: {"Player", "Spins", "Free spins that were granted or may have been, by who granted them and to whom. Refused grants are " +
		"not counted. Up to the newest 200,000 grants are counted.",
		[]column{text("Granted by"), text("Player"), number("Spins"), number("Grants")},
		func(p *reportPage, r models.Ranked) []cell {
			behind := p.behind("/free-spins", p.of.From, p.of.To,
				"staff="+web.EscapeQuery(r.Actor)+"&"+pages.PlayerOf(r.PlayerID))
			return []cell{{Value: r.Actor}, playerCell(r), {r.N, behind}, {Value: r.Among}}
		}},
	models.RankCorrections: {"Requested by", "Amounts", "Approved corrections, by who requested and who approved them, on the days of their approval. " +
		"Amounts are added up without their signs.",
		[]column{text("Requested by"), text("Approved by"), text("Currency"), number("Corrections"), money("Amounts")},
		func(p *reportPage, r models.Ranked) []cell {
			query := "state=approved&maker=" + web.EscapeQuery(r.Actor)
			if r.Second != "" {
				query += "&checker=" + web.EscapeQuery(r.Second)
			}
			return []cell{{Value: r.Actor}, {Value: cmp.Or(r.Second, "nobody: within a limit")}, {Value: string(r.Currency)},
				{r.N, p.behind("/corrections", p.of.From, p.of.To, query)}, {Value: r.Amount}}
		}},
}

func playerCell(r models.Ranked) cell { return cell{string(r.UserID), pages.PlayerPath(r.PlayerID)} }

func gameCell(r models.Ranked) cell {
	return cell{cmp.Or(r.Game.Name, string(r.Game.Offered)), web.PathOf("/games", r.Game.GameID)}
}

// share returns the number as a percentage of its total.
func share(r models.Ranked) string {
	if r.Among == 0 {
		return ""
	}
	return decimal.NewFromInt(100*r.N).DivRound(decimal.NewFromInt(r.Among), 2).StringFixed(2)
}

// returnRow compares a game's return with its theoretical return.
func returnRow(p *reportPage, r models.Ranked) []cell {
	from, to, theoretical := "", "", ""
	low, high, enough := r.Game.ReturnInterval()
	if enough {
		from, to = low.StringFixed(2), high.StringFixed(2)
	}
	should, known := p.Returns[r.Game.Offered]
	if known {
		theoretical = should.StringFixed(2)
	}
	result := "as expected"
	switch outside := r.Game.Outside(should); {
	case !known:
		result = "theoretical return not entered"
	case !enough:
		result = "too few sessions"
	case outside.IsPositive():
		result = outside.StringFixed(2) + " points too high"
	case outside.IsNegative():
		result = outside.Neg().StringFixed(2) + " points too low"
	}
	return append([]cell{gameCell(r), {Value: string(r.Currency)}, {r.Game.Sessions, p.sessionsOf(r.Game)}},
		cells(r.Game.Turnover(), rtp(r.Game.MoneySums), from, to, theoretical, result)...)
}

// behind returns the address of the list behind a row, or "" if the reader may not open it.
func (p *reportPage) behind(path string, first, last models.Day, query string) string {
	if !p.opens(path) {
		return ""
	}
	return path + "?" + query + "&" + p.between(first, last)
}

// readRanking reads the ranking from the address.
func (a *Area) readRanking(ctx context.Context, p *reportPage) (err error) {
	var options []web.Option[models.Ranking]
	for _, r := range models.Rankings {
		option := web.Offer(string(r), r.Title(), r)
		if r == models.RankWins {
			option.Value = "" // without a filter, the page shows the first choice
		}
		options = append(options, option)
	}
	p.Ranking = cmp.Or(web.Choose(&p.Page, "of", "Ranking", options), models.RankWins)
	p.Formulas = nil
	p.Returns, err = a.Store.GameReturns(ctx)
	return err
}

func drawRanking(_ context.Context, p *reportPage) error {
	p.drawRows(rankings[p.Ranking].by, rankings[p.Ranking].of)
	return nil
}

func rankColumns(p *reportPage) []column { return rankings[p.Ranking].columns }

func (a *Area) rankRows(ctx context.Context, p *reportPage, next func([][]cell) error) error {
	list, err := a.Store.Ranked(ctx, p.Ranking, p.of)
	if err != nil {
		return err
	}
	if p.Ranking == models.RankReturns { // the games whose return is furthest from the theoretical one come first
		missed := func(r models.Ranked) decimal.Decimal {
			should, known := p.Returns[r.Game.Offered]
			if !known {
				return decimal.Zero
			}
			return r.Game.Outside(should).Abs()
		}
		slices.SortStableFunc(list, func(x, y models.Ranked) int { return missed(y).Cmp(missed(x)) })
	}
	rows := make([][]cell, len(list))
	for i, r := range list {
		rows[i] = rankings[p.Ranking].row(p, r)
	}
	return next(rows)
}
