package players

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// A statement tells a player what happened to their money in a period: the opening balance, every ledger line from the oldest
// on, the sums, and the closing balance. Each line follows from the one before it, so the lines always lead from the opening
// balance to the closing balance.

// statementLines is how many lines a page has.
const statementLines = 500

type statementPage struct {
	pages.PlayerList
	models.PlayerStatement
	Sums   []statementSum
	Papers []paperLinks
}

type statementSum struct {
	What   string
	Amount models.Amount
}

// statementLine is a ledger line or, in a file, a balance or a sum.
type statementLine struct {
	entry
	what          string
	balance, held *models.Amount // after this line
	sum           *models.Amount
}

// PlayerStatement shows a statement.
func (a *Area) PlayerStatement(c *fiber.Ctx) error {
	return a.Statement().Serve(a.Site.Site, c, "players/statement")
}

// Statement is the list of lines in a statement.
func (a *Area) Statement() web.List[statementPage, statementLine] {
	return web.List[statementPage, statementLine]{
		Path: web.StatementList, Title: "Statement for a player", Needs: web.ReadPlayers, Select: a.selectedStatement, Ends: statementEnds,
		Implied: func(p *statementPage) []views.Chip { return playerChip(p.Player) },
		Load: func(ctx context.Context, p *statementPage, _ []statementLine) error {
			p.Sums, p.Papers = sumsOf(p.PlayerStatement), papers(&p.Page, p.Player)
			return a.ReadHead(ctx, &p.Page, &p.PlayerHead)
		},
		Columns: []web.Column[statementPage, statementLine]{
			{Head: "Time", Kind: export.Time, Class: "c-time", Value: func(l statementLine) any { return l.At },
				Cell: func(p *statementPage, l statementLine) views.Cell { return views.Cell{Text: p.Time(l.At).Full()} }},
			{Head: "What", Class: "c-what", Value: func(l statementLine) any { return l.what }},
			{Head: "Transaction", Name: "Transaction ID", Class: "pb-nowrap", Value: func(l statementLine) any { return string(l.TransactionID) },
				Cell: func(_ *statementPage, l statementLine) views.Cell { return soughtCell(l.TransactionID) }},
			{Name: "Round ID", Value: func(l statementLine) any { return string(l.RoundID) }},
			{Head: "Amount", Kind: export.Money, Class: "c-lead", Value: func(l statementLine) any {
				if l.Seq == 0 {
					return nil
				}
				return l.Amount
			}, Cell: func(p *statementPage, l statementLine) views.Cell {
				return views.Cell{Money: new(p.Signed(l.Amount, l.Currency))}
			}},
			{Head: "Balance after", Name: "Balance", Kind: export.Money, Class: "pb-2nd",
				Value: func(l statementLine) any { return export.AmountOrNone(l.balance) }},
			{Name: "Held by cash-outs", Kind: export.Money, Value: func(l statementLine) any { return export.AmountOrNone(l.held) }},
			{Name: "Sum", Kind: export.Money, Value: func(l statementLine) any { return export.AmountOrNone(l.sum) }},
			{Name: "Currency", Value: func(l statementLine) any { return string(l.Currency) }},
		},
	}
}

// selectedStatement reads the player and the period from the address, and what happened in that period.
func (a *Area) selectedStatement(ctx context.Context, page *statementPage) (list models.Listing[statementLine], err error) {
	if err := a.ofPlayer(ctx, &page.Page, &page.PlayerHead); err != nil {
		return list, err
	}
	page.By = "oldest first"
	page.PlayerStatement, err = a.statement(ctx, &page.Page, &page.Listed, page.Player)
	return a.lines(page.Player, page.PlayerStatement), err
}

// statementEnds returns the rows in a file that are not ledger lines: the opening balance before them; the sums and the closing
// balance after them.
func statementEnds(page *statementPage) (first, last []statementLine) {
	end := entry{Currency: page.Player.Wallet.Currency}
	point := func(what string, at models.LedgerPoint) statementLine {
		return statementLine{entry: end, what: what, balance: &at.Balance, held: &at.Held}
	}
	for _, sum := range sumsOf(page.PlayerStatement) {
		last = append(last, statementLine{entry: end, what: "Sum: " + sum.What, sum: &sum.Amount})
	}
	return []statementLine{point("Opening balance", page.Opening)}, append(last, point("Closing balance", page.Closing))
}

// statement reads what happened in the period in the address, or this month if the address has none. Its days are in the
// player's time zone if that is known.
func (a *Area) statement(ctx context.Context, page *web.Page, l *web.Listed, p models.Player) (st models.PlayerStatement, err error) {
	if name, _ := p.TimeZone(page.Now); name != "" {
		if zone, err := time.LoadLocation(name); err == nil {
			page.Zone = zone
		}
	}
	if page.Query == "" {
		page.Params.Set(web.DaysName, web.ThisMonth)
	}
	l.Dates = page.DatesFilter()
	if l.Instead = page.Unread(); l.Instead != nil {
		return st, nil
	}
	until := l.Dates.Until
	if until.IsZero() {
		until = page.Now
	}
	return a.Store.PlayerStatement(ctx, p, l.Dates.Since, until)
}

// lines lists a statement's lines that moved money, oldest first. The amount held after each line is only known if the lines
// are read in order.
func (a *Area) lines(p models.Player, st models.PlayerStatement) models.Listing[statementLine] {
	held := st.Opening.Held
	read := func(ctx context.Context, span models.Span) (page models.Page[statementLine], err error) {
		at, back := cmp.Or(span.Page.ID, st.Opening.Seq), span.Page.Newer
		for !page.More {
			left := st.Closing.Seq - at
			if back {
				left = at - 1 - st.Opening.Seq
			}
			if left <= 0 {
				break
			}
			found, err := a.Store.Entries(ctx, p.ID,
				models.Span{Page: models.Cursor{ID: at, Newer: !back}, Limit: int(min(int64(span.Limit), left))})
			if err != nil || len(found.Rows) == 0 {
				return page, err
			}
			if !back {
				slices.Reverse(found.Rows)
			}
			for _, e := range found.Rows {
				if at = e.Seq; e.Amount == 0 && e.Held == 0 {
					continue
				}
				if page.More = len(page.Rows) == span.Limit; page.More {
					break
				}
				held += e.Held
				e.Currency = p.Wallet.Currency
				page.Rows = append(page.Rows, statementLine{entry: e, what: pages.EntryWord(e.Kind), balance: &e.After, held: new(held)})
			}
		}
		if back {
			slices.Reverse(page.Rows)
		}
		return page, nil
	}
	return models.Listing[statementLine]{Span: models.Span{Limit: statementLines}, Read: read,
		Place: func(l statementLine) models.Cursor { return models.Cursor{ID: l.Seq} }}
}

// sumsOf returns the sums of a statement in the order of the kinds of ledger lines.
func sumsOf(st models.PlayerStatement) (list []statementSum) {
	for _, kind := range models.EntryKinds {
		if amount := st.Sums[kind]; amount != 0 {
			list = append(list, statementSum{pages.EntryWord(kind), amount})
		}
	}
	return list
}
