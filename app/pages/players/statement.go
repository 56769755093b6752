package players

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// A statement tells a player what happened to their money in a period: the opening balance, every line of the ledger, oldest
// first, the sums, and the closing balance. The lines follow from each other, so they always lead from the one balance to the other.

// statementLines limits how many lines the page shows. A file has all of them.
const statementLines = 500

type statementPage struct {
	aboutPlayer
	web.Listed
	models.PlayerStatement
	Rows []ledgerRow
	Sums []statementSum
	More bool // there are more lines than Rows

	Papers []paperLinks
}

type statementSum struct {
	What   string
	Amount models.Amount
}

// statement reads the period in the address, which is this month if the address has none, and what happened in it. Its days are those of
// the player's time zone if that is known.
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

// eachLine calls line with the lines of a statement that moved money, oldest first, until it returns false or an error.
func (a *Area) eachLine(ctx context.Context, p models.Player, st models.PlayerStatement, line func(models.Entry) (bool, error)) error {
	for at := st.Opening.Seq; at < st.Closing.Seq; {
		found, err := a.Store.Entries(ctx, p.ID,
			models.Span{Page: models.Cursor{ID: at, Newer: true}, Limit: int(min(web.ExportPage, st.Closing.Seq-at))})
		if err != nil || len(found.Rows) == 0 {
			return err
		}
		for i := len(found.Rows) - 1; i >= 0; i-- {
			if found.Rows[i].Amount == 0 && found.Rows[i].Held == 0 {
				continue
			}
			if more, err := line(found.Rows[i]); err != nil || !more {
				return err
			}
		}
		at = found.Rows[0].Seq
	}
	return nil
}

// sumsOf returns the sums of a statement, in the order of the kinds of lines.
func sumsOf(st models.PlayerStatement) (list []statementSum) {
	for _, kind := range models.EntryKinds {
		if amount := st.Sums[kind]; amount != 0 {
			list = append(list, statementSum{pages.EntryWord(kind), amount})
		}
	}
	return list
}

func (a *Area) PlayerStatement(c *fiber.Ctx, p models.Player) error {
	about, err := a.about(c, p)
	if err != nil {
		return err
	}
	page := &statementPage{aboutPlayer: about}
	if page.PlayerStatement, err = a.statement(c.UserContext(), &page.Page, &page.Listed, p); err != nil {
		return err
	}
	page.Sums = sumsOf(page.PlayerStatement)
	err = a.eachLine(c.UserContext(), p, page.PlayerStatement, func(e models.Entry) (bool, error) {
		if page.More = len(page.Rows) == statementLines; page.More {
			return false, nil
		}
		page.Rows = append(page.Rows, ledgerRow{e, pages.EntryWord(e.Kind)})
		return true, nil
	})
	if err != nil {
		return err
	}
	page.Exportable = page.Instead == nil && a.MayExport(&page.Page, page.Path)
	page.Papers = papers(&page.Page, p)
	return a.Render(c, "players/statement", page)
}

// ExportStatement reads a player's statement for a file. It is recorded as a view of the player.
func (a *Area) ExportStatement(ctx context.Context, page web.Page) (list export.List, chips []views.Chip, instead *views.Empty, err error) {
	var l web.Listed
	number, _ := web.Matched(web.StatementList, page.Path)
	p, err := a.PlayerNumbered(ctx, number)
	if err == nil {
		err = a.ViewedOn(ctx, &page, "player", p.ID, p.ID)
	}
	if err != nil {
		return list, nil, nil, err
	}
	st, err := a.statement(ctx, &page, &l, p)
	return export.List{
		Columns: []export.Column{
			{Name: "Time", Kind: export.Time}, {Name: "What"}, {Name: "Transaction ID"}, {Name: "Round ID"},
			{Name: "Amount", Kind: export.Money}, {Name: "Balance", Kind: export.Money}, {Name: "Held by cash-outs", Kind: export.Money},
			{Name: "Sum", Kind: export.Money}, {Name: "Currency"},
		},
		Read: func(ctx context.Context, write func([]export.Row) error) error {
			currency := string(p.Wallet.Currency)
			point := func(what string, at models.LedgerPoint) export.Row {
				return export.Row{time.Time{}, what, "", "", nil, at.Balance, at.Held, nil, currency}
			}
			held, rows := st.Opening.Held, []export.Row{point("Opening balance", st.Opening)}
			err := a.eachLine(ctx, p, st, func(e models.Entry) (bool, error) {
				held += e.Held
				rows = append(rows, export.Row{e.At, pages.EntryWord(e.Kind), string(e.TransactionID), string(e.RoundID), e.Amount,
					e.After, held, nil, currency})
				if len(rows) < web.ExportPage {
					return true, nil
				}
				err := write(rows)
				rows = nil
				return true, err
			})
			if err != nil {
				return err
			}
			for _, sum := range sumsOf(st) {
				rows = append(rows, export.Row{time.Time{}, "Sum: " + sum.What, "", "", nil, nil, nil, sum.Amount, currency})
			}
			return write(append(rows, point("Closing balance", st.Closing)))
		},
	}, append([]views.Chip{{Label: "Player", Value: string(p.UserID)}}, page.Chips...), l.Instead, err
}
