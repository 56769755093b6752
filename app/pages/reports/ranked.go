package reports

import (
	"cmp"
	"context"
	"net/netip"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/shopspring/decimal"

	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// rankedPath is the address of the rankings.
const rankedPath = "/reports/ranked"

type rankedPage struct {
	*reportPage
	Ranking models.Ranking
	Columns []rankColumn
	Rows    [][]rankCell
	Rule    string // the address of the page of a threshold; empty if the ranking opens no cases
	Returns models.GameReturns
	opens   func(path string) bool // whether the reader may open a page
}

// rankColumn is a column of a ranking, on its page and in its file.
type rankColumn struct {
	export.Column
	of   func(p *rankedPage, r models.Ranked) any
	href func(p *rankedPage, r models.Ranked) string // of the list with what is behind the row; nil for none
}

// Numeric reports whether the column is aligned at the right.
func (c rankColumn) Numeric() bool { return c.Kind != export.Text && c.Kind != export.Day }

type rankCell struct {
	views.Link
	Column rankColumn
}

// col returns a column, and the list that its cells lead to, or nil.
func col(name string, kind export.Kind, href func(*rankedPage, models.Ranked) string, of func(models.Ranked) any) rankColumn {
	return rankColumn{export.Column{Name: name, Kind: kind}, func(_ *rankedPage, r models.Ranked) any { return of(r) }, href}
}

// The columns that several rankings have.
var (
	rankDay      = col("Day", export.Day, nil, func(r models.Ranked) any { return string(r.Day) })
	rankPlayer   = col("Player", export.Text, playerOf, func(r models.Ranked) any { return string(r.UserID) })
	rankCurrency = col("Currency", export.Text, nil, func(r models.Ranked) any { return string(r.Currency) })
	rankGame     = rankColumn{export.Column{Name: "Game"}, func(_ *rankedPage, r models.Ranked) any {
		return cmp.Or(r.Game.Name, string(r.Game.Offered))
	}, func(_ *rankedPage, r models.Ranked) string { return web.PathOf("/games", r.Game.GameID) }}
)

func playerOf(_ *rankedPage, r models.Ranked) string { return pages.PlayerPath(r.PlayerID) }

// counted returns a column with the number that a ranking compares, which leads to a list.
func counted(name string, href func(*rankedPage, models.Ranked) string) rankColumn {
	return rankColumn{export.Column{Name: name, Kind: export.Number}, func(_ *rankedPage, r models.Ranked) any { return r.N }, href}
}

func among(name string) rankColumn {
	return rankColumn{export.Column{Name: name, Kind: export.Number}, func(_ *rankedPage, r models.Ranked) any { return r.Among }, nil}
}

// share is the number among how many, in percent.
var share = rankColumn{export.Column{Name: "Share", Kind: export.Percent}, func(_ *rankedPage, r models.Ranked) any {
	if r.Among == 0 {
		return ""
	}
	return decimal.NewFromInt(100*r.N).DivRound(decimal.NewFromInt(r.Among), 2).StringFixed(2)
}, nil}

// rankColumns are the columns of each ranking, in the order in which rankings are offered.
var rankColumns = map[models.Ranking][]rankColumn{
	models.RankWins: {rankDay, rankPlayer, rankCurrency,
		{export.Column{Name: "Largest win", Kind: export.Money}, func(_ *rankedPage, r models.Ranked) any { return r.Amount },
			func(_ *rankedPage, r models.Ranked) string {
				if r.Transaction == 0 {
					return ""
				}
				return pages.TransactionPath(r.Transaction)
			}}},
	models.RankReturns: {rankGame, rankCurrency,
		col("Sessions", export.Number, sessionsBehind, func(r models.Ranked) any { return r.Game.Sessions }),
		col("Turnover", export.Money, nil, func(r models.Ranked) any { return r.Game.Turnover() }),
		col("RTP", export.Percent, nil, func(r models.Ranked) any { return rtpText(r.Game.MoneySums) }),
		col("95% from", export.Percent, nil, func(r models.Ranked) any { return interval(r, true) }),
		col("95% to", export.Percent, nil, func(r models.Ranked) any { return interval(r, false) }),
		{export.Column{Name: "Theoretical", Kind: export.Percent}, func(p *rankedPage, r models.Ranked) any {
			if should, known := p.Returns[r.Game.Offered]; known {
				return should.StringFixed(2)
			}
			return ""
		}, nil},
		{export.Column{Name: "Result"}, func(p *rankedPage, r models.Ranked) any {
			should, known := p.Returns[r.Game.Offered]
			_, _, enough := r.Game.ReturnInterval()
			switch outside := r.Game.Outside(should); {
			case !known:
				return "theoretical return not entered"
			case !enough:
				return "too few sessions"
			case outside.IsZero():
				return "as expected"
			case outside.IsPositive():
				return outside.StringFixed(2) + " points too high"
			default:
				return outside.Neg().StringFixed(2) + " points too low"
			}
		}, nil}},
	models.RankRollbacks: {rankPlayer, rankCurrency, counted("Rollbacks", func(p *rankedPage, r models.Ranked) string {
		return p.behind("/transactions", "", "state=by-rollback&"+pages.PlayerOf(r.PlayerID))
	}), among("Bets and spins"), share},
	models.RankGameRollbacks: {rankGame, rankCurrency, counted("Rollbacks", sessionsBehind), among("Bets and spins"), share},
	models.RankSignatures: {rankDay, col("IP address", export.Text, nil, func(r models.Ranked) any { return address(r) }),
		counted("Refused callbacks", func(p *rankedPage, r models.Ranked) string {
			return p.behind("/callbacks", r.Day, "result=3&address="+web.EscapeQuery(address(r)))
		})},
	models.RankGrants: {
		col("Granted by", export.Text, nil, func(r models.Ranked) any { return r.Actor }), rankPlayer,
		counted("Spins", func(p *rankedPage, r models.Ranked) string {
			return p.behind("/free-spins", "", "staff="+web.EscapeQuery(r.Actor)+"&"+pages.PlayerOf(r.PlayerID))
		}), among("Grants")},
	models.RankCorrections: {
		col("Requested by", export.Text, nil, func(r models.Ranked) any { return r.Actor }),
		col("Approved by", export.Text, nil, func(r models.Ranked) any { return cmp.Or(r.Second, "nobody: within a limit") }),
		rankCurrency, counted("Corrections", func(p *rankedPage, r models.Ranked) string {
			query := "state=approved&maker=" + web.EscapeQuery(r.Actor)
			if r.Second != "" {
				query += "&checker=" + web.EscapeQuery(r.Second)
			}
			return p.behind("/corrections/all", "", query)
		}),
		col("Amounts", export.Money, nil, func(r models.Ranked) any { return r.Amount })},
}

func address(r models.Ranked) string {
	a, known := netip.AddrFromSlice(r.Address)
	if !known {
		return "unknown"
	}
	return a.Unmap().String()
}

func interval(r models.Ranked, lower bool) string {
	low, high, known := r.Game.ReturnInterval()
	switch {
	case !known:
		return ""
	case lower:
		return low.StringFixed(2)
	}
	return high.StringFixed(2)
}

func sessionsBehind(p *rankedPage, r models.Ranked) string {
	if !p.opens("/sessions") {
		return ""
	}
	return (&gamesReportPage{reportPage: p.reportPage}).sessionsOf(r.Game)
}

// behind returns the address of a list with what is behind a row, on one day or on all days of the page, or "" if the reader may not
// open it.
func (p *rankedPage) behind(path string, day models.Day, query string) string {
	if !p.opens(path) {
		return ""
	}
	first, last := cmp.Or(day, p.of.From), cmp.Or(day, p.of.To)
	at := func(t time.Time) string { return web.EscapeQuery(t.UTC().Format(time.RFC3339)) }
	return path + "?" + query + "&since=" + at(first.Begin(p.zoned)) + "&until=" + at(last.End(p.zoned))
}

// Ranked shows a ranking.
func (a *Area) Ranked(c *fiber.Ctx) error {
	page := &rankedPage{reportPage: &reportPage{Page: a.Page(c, "")}, opens: func(path string) bool { return a.Opens(c, path) }}
	if err := a.readRanked(c.UserContext(), page); err != nil || page.Broken() {
		return cmp.Or(err, a.Render(c, "reports/ranked", page))
	}
	rows, err := a.ranked(c.UserContext(), page)
	if err != nil {
		return err
	}
	for _, r := range rows {
		page.Rows = append(page.Rows, page.cells(r))
	}
	return a.Render(c, "reports/ranked", page)
}

// readRanked reads the ranking and its filters from the address.
func (a *Area) readRanked(ctx context.Context, page *rankedPage) (err error) {
	var options []web.Option[models.Ranking]
	for _, r := range models.Rankings {
		option := web.Offer(string(r), r.String(), r)
		if r == models.RankWins {
			option.Value = "" // the first choice is what the page shows without a filter
		}
		options = append(options, option)
	}
	page.Ranking = cmp.Or(web.Choose(&page.Page, "of", "Ranking", options), models.RankWins)
	page.Columns = rankColumns[page.Ranking]
	if page.Ranking.OpensCases() {
		page.Rule = thresholdPath + "?of=" + string(page.Ranking)
	}
	if err := a.readReport(ctx, page.reportPage); err != nil {
		return err
	}
	page.Returns, err = a.Store.GameReturns(ctx)
	return err
}

func (a *Area) ranked(ctx context.Context, page *rankedPage) ([]models.Ranked, error) {
	rows, err := a.Store.Ranked(ctx, page.Ranking, page.of)
	if page.Ranking == models.RankReturns {
		slices.SortStableFunc(rows, func(x, y models.Ranked) int { // the games that miss their return by most come first
			return page.missed(y).Cmp(page.missed(x))
		})
	}
	return rows, err
}

// missed returns by how many points a game misses its return, either way.
func (p *rankedPage) missed(r models.Ranked) decimal.Decimal {
	should, known := p.Returns[r.Game.Offered]
	if !known {
		return decimal.Zero
	}
	return r.Game.Outside(should).Abs()
}

// cells returns a row as the page shows it.
func (p *rankedPage) cells(r models.Ranked) (cells []rankCell) {
	for _, column := range p.Columns {
		cell := rankCell{Column: column}
		switch v := column.of(p, r).(type) {
		case models.Amount:
			cell.Word = v.Grouped()
		case int64:
			cell.Word = web.Grouped(v)
		case string:
			if cell.Word = web.OrDash(v); column.Kind == export.Percent && v != "" {
				cell.Word += "%"
			}
		}
		if column.href != nil {
			cell.Href = column.href(p, r)
		}
		cells = append(cells, cell)
	}
	return cells
}

// ExportRanked reads a ranking for a file; see web.Exportable.
func (a *Area) ExportRanked(ctx context.Context, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &rankedPage{reportPage: &reportPage{Page: p}}
	err := a.readRanked(ctx, page)
	list := export.List{About: append(page.about(), export.Remark{Name: "Ranking", Text: page.Ranking.String()}),
		Columns: []export.Column{{Name: "Place", Kind: export.Number}},
		Read: func(ctx context.Context, next func(export.Page) error) error {
			ranked, err := a.ranked(ctx, page)
			if err != nil {
				return err
			}
			var rows []export.Row
			for i, r := range ranked {
				row := export.Row{int64(i + 1)}
				for _, column := range page.Columns {
					row = append(row, column.of(page, r))
				}
				rows = append(rows, row)
			}
			return next(export.Page{Rows: rows})
		}}
	for _, column := range page.Columns {
		list.Columns = append(list.Columns, column.Column)
	}
	return list, page.Chips, page.wrong(), err
}
