package players

import (
	"context"
	"encoding/hex"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// seqPlace reads from the address the line of a ledger after which a page continues. It returns 0 for the newest lines.
func seqPlace(p *web.Page) (int64, error) {
	text := p.Params.Get("after")
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		return 0, web.BadAddress("It names a line of a ledger that does not exist.")
	}
	return n, nil
}

// seqPaging returns the links to a ledger's next page and back to its newest line.
func seqPaging(p *web.Page, at, last int64, shown int, full bool) views.Paging {
	paging := views.Paging{Count: shown, NewerWord: "Newest"}
	if at != 0 {
		paging.Newer = p.Path
	}
	if full && last > 1 {
		paging.Older = p.With("after", strconv.FormatInt(last, 10))
	}
	return paging
}

type ledgerRow struct {
	models.Entry
	What string
}

type ledgerPage struct {
	aboutPlayer
	Archived int64 // how many lines at the ledger's beginning were purged
	Rows     []ledgerRow
	Paging   views.Paging
}

func (a *Area) PlayerLedger(c *fiber.Ctx, p models.Player) error {
	page := &ledgerPage{aboutPlayer: a.about(c, p)}
	at, err := seqPlace(&page.Page)
	if err != nil {
		return err
	}
	entries, err := a.Store.Entries(c.UserContext(), p.ID, at, playerRows)
	if err != nil {
		return err
	}
	for _, e := range entries {
		page.Rows = append(page.Rows, ledgerRow{e, things.EntryWord(e.Kind)})
	}
	if n := len(entries); n > 0 {
		page.Paging = seqPaging(&page.Page, at, entries[n-1].Seq, n, n == playerRows)
	}
	switch n := len(entries); {
	case n == 0 && at == 0:
		page.Archived = p.Wallet.Seq
	case n > 0 && n < playerRows:
		page.Archived = entries[n-1].Seq - 1
	}
	page.Exportable = a.MayExport(&page.Page, page.Path)
	return a.Render(c, "players/ledger", page)
}

// ExportLedger reads a player's money ledger for a file, newest line first and without purged lines. It is recorded as a view
// of the player.
func (a *Area) ExportLedger(c *fiber.Ctx, page web.Page) (export.List, []views.Chip, *views.Empty, error) {
	number, _ := web.Matched(web.LedgerList, page.Path)
	p, err := a.playerNumbered(c, number)
	if err != nil {
		return export.List{}, nil, nil, err
	}
	const sum = "Sum of these lines"
	total := export.NewSums(sum)
	return export.List{
		Columns: []export.Column{
			{Name: "Line", Kind: export.Number}, {Name: "Time", Kind: export.Time}, {Name: "What"}, {Name: "Transaction ID"},
			{Name: "Round ID"}, {Name: "Amount", Kind: export.Money},
			{Name: "Balance before", Kind: export.Money}, {Name: "Balance after", Kind: export.Money}, {Name: "Currency"},
			{Name: "Hash"},
		},
		Sums: total.List,
		Read: func(ctx context.Context, next func(export.Page) error) error {
			newest, before := int64(0), int64(0)
			for {
				entries, err := a.Store.Entries(ctx, p.ID, before, web.ExportPage)
				if err != nil {
					return err
				}
				part := export.Page{Rows: make([]export.Row, len(entries))}
				for i, e := range entries {
					total.AddAmount(p.Wallet.Currency, sum, e.Amount)
					part.Rows[i] = export.Row{
						e.Seq, e.At, things.EntryWord(e.Kind), string(e.TransactionID), string(e.RoundID), e.Amount, e.Before,
						e.After, string(p.Wallet.Currency), hex.EncodeToString(e.Hash[:]),
					}
				}
				if n := len(entries); n > 0 {
					newest, before = max(newest, entries[0].Seq), entries[n-1].Seq
					part.Reached, part.Permille = entries[n-1].At, int(1000*(newest-before)/newest)
				}
				if err := next(part); err != nil || len(entries) < web.ExportPage {
					return err
				}
			}
		},
	}, []views.Chip{{Label: "Player", Value: string(p.UserID)}}, nil, nil // the page has this in its title
}
