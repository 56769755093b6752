package reports

import (
	"cmp"
	"context"
	"fmt"

	"pitboss/app/export"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// wrong returns why a report cannot be exported, or nil if it can.
func (p *reportPage) wrong() *views.Empty {
	switch {
	case p.Many > 0:
		return cmp.Or(p.Wrong, &views.Empty{Text: fmt.Sprintf("A report has at most %d days.", p.Many)})
	case p.Reversed:
		return cmp.Or(p.Wrong, &views.Empty{Text: "The first day is after the last."})
	}
	return p.Wrong
}

// reportColumns returns the columns of an exported report: those in by, such as the day or the player, and then the figures.
func reportColumns(by ...export.Column) []export.Column {
	return append(by, []export.Column{
		{Name: "Currency"}, {Name: "Bets", Kind: export.Number}, {Name: "Turnover", Kind: export.Money},
		{Name: "Payout", Kind: export.Money}, {Name: "GGR", Kind: export.Money}, {Name: "RTP", Kind: export.Percent},
		{Name: "Free spins used", Kind: export.Number}, {Name: "Free-spin stakes", Kind: export.Money},
		{Name: "Free-spin wins", Kind: export.Money}, {Name: "Rolled back, lines", Kind: export.Number},
		{Name: "Refunded bets", Kind: export.Money}, {Name: "Reversed wins", Kind: export.Money},
		{Name: "Corrections, credits", Kind: export.Money}, {Name: "Corrections, debits", Kind: export.Money},
		{Name: "Opening balances", Kind: export.Money}, {Name: "Cash deposits", Kind: export.Money},
		{Name: "Cash-outs requested", Kind: export.Money}, {Name: "Cash-outs returned", Kind: export.Money},
		{Name: "Cash-outs paid", Kind: export.Money}, {Name: "Moved", Kind: export.Money},
	}...)
}

func reportRow(f models.DayFigures, currency models.Currency, by ...any) export.Row {
	return append(by, string(currency), f.Bets, f.Turnover(), f.Payout(), f.GGR(), rtpText(f.MoneySums), f.Spins, f.SpinStakes,
		f.SpinPayout(), f.Reversals, f.StakesReversed, f.WinsReversed.Add(f.SpinWinsReversed),
		f.Credits, f.Debits, f.Openings, f.Deposits, f.Requested, f.Returned, f.Paid, f.Moved)
}

// rtpText returns the RTP in percent, or "" without turnover.
func rtpText(s models.MoneySums) string {
	if rtp, known := s.RTP(); known {
		return rtp.StringFixed(2)
	}
	return ""
}

func addReport(total *export.Sums, f models.DayFigures, currency models.Currency) {
	total.Add(currency, sumTurnover, f.Turnover())
	total.Add(currency, sumPayout, f.Payout())
	total.Add(currency, sumGGR, f.GGR())
	total.Add(currency, sumSpins, f.SpinPayout())
	total.Add(currency, sumMoved, f.Moved)
}

// addControl adds the control totals to the end of an exported report: the sums of all days, and the balances of wallets.
func (a *Area) addControl(ctx context.Context, total *export.Sums) error {
	control, err := a.Store.Control(ctx)
	for _, c := range control {
		total.Add(c.Currency, sumCounted, c.Counted)
		total.Add(c.Currency, sumHeld, c.Balances)
	}
	return err
}

// ExportDays reads the report by day for a file; see web.Exportable.
func (a *Area) ExportDays(ctx context.Context, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &reportPage{Page: p}
	err := a.readReport(ctx, page)
	total := export.NewSums(sumTurnover, sumPayout, sumGGR, sumSpins, sumMoved, sumCounted, sumHeld)
	return export.List{
		About: page.about(),
		Columns: append(append(reportColumns(export.Column{Name: "Day", Kind: export.Day}),
			export.Column{Name: "Owed at its beginning", Kind: export.Money},
			export.Column{Name: "Owed at its end", Kind: export.Money}, export.Column{Name: "State"},
			export.Column{Name: "Zone of the days"}), page.baseColumns()...),
		Sums: total.List,
		Read: func(ctx context.Context, next func(export.Page) error) error {
			list, err := a.Store.DayReports(ctx, page.of)
			if err != nil {
				return err
			}
			rows := make([]export.Row, len(list))
			for i, r := range list {
				addReport(total, r.DayFigures, r.Currency)
				rows[i] = append(append(reportRow(r.DayFigures, r.Currency, string(r.Day)), r.Opening, r.Closing(),
					r.State.String(), page.Zone), page.baseCells(r)...)
			}
			if err := a.addControl(ctx, total); err != nil {
				return err
			}
			return next(export.Page{Rows: rows})
		},
	}, page.Chips, page.wrong(), err
}

// ExportPlayerDays reads the report by player for a file; see web.Exportable.
func (a *Area) ExportPlayerDays(ctx context.Context, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &reportPage{Page: p}
	err := a.readReport(ctx, page)
	total := export.NewSums(sumTurnover, sumPayout, sumGGR, sumSpins, sumMoved, sumCounted, sumHeld)
	return export.List{
		About: page.about(),
		Columns: append(reportColumns(export.Column{Name: "Player"}, export.Column{Name: "Test player", Kind: export.Flag}),
			export.Column{Name: "First day", Kind: export.Day}, export.Column{Name: "Last day", Kind: export.Day}, export.Column{Name: "Zone of the days"}),
		Sums: total.List,
		Read: func(ctx context.Context, next func(export.Page) error) error {
			f := page.of
			f.Limit = playersAtOnce
			for {
				list, err := a.Store.PlayersReport(ctx, f)
				if err != nil {
					return err
				}
				rows := make([]export.Row, len(list.Rows))
				for i, r := range list.Rows {
					addReport(total, r.DayFigures, r.Currency)
					rows[i] = append(reportRow(r.DayFigures, r.Currency, string(r.UserID), r.Test), string(f.From),
						string(f.To), page.Zone)
				}
				if !list.More {
					if err := a.addControl(ctx, total); err != nil {
						return err
					}
				}
				if err := next(export.Page{Rows: rows}); err != nil || !list.More {
					return err
				}
				last := list.Rows[len(list.Rows)-1]
				f.After = models.PlayerPlace{Turnover: last.Turnover(), PlayerID: last.PlayerID}
			}
		},
	}, page.Chips, page.wrong(), err
}

// ExportGamesReport reads the report by game for a file; see web.Exportable.
func (a *Area) ExportGamesReport(ctx context.Context, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &reportPage{Page: p}
	err := a.readReport(ctx, page)
	total := export.NewSums(sumTurnover, sumPayout, sumGGR, sumSpins, sumAllGames)
	about := append(page.about(), export.Remark{Name: "Inferred", Text: gamesInferred})
	return export.List{
		About: about,
		Columns: []export.Column{
			{Name: "Game"}, {Name: "Game ID"}, {Name: "Provider"}, {Name: "Known by"}, {Name: "Currency"},
			{Name: "Sessions", Kind: export.Number}, {Name: "Bets", Kind: export.Number},
			{Name: "Turnover", Kind: export.Money}, {Name: "Payout", Kind: export.Money}, {Name: "GGR", Kind: export.Money},
			{Name: "RTP", Kind: export.Percent},
			{Name: "Free spins used", Kind: export.Number}, {Name: "Free-spin stakes", Kind: export.Money},
			{Name: "Free-spin wins", Kind: export.Money}, {Name: "Other sessions left out", Kind: export.Flag},
		},
		Sums: total.List,
		Read: func(ctx context.Context, next func(export.Page) error) error {
			list, more, err := a.Store.GamesReport(ctx, page.of, page.of.From.Begin(page.zoned), page.of.To.End(page.zoned))
			if err != nil {
				return err
			}
			rows := make([]export.Row, len(list))
			for i, g := range list {
				total.Add(g.Currency, sumTurnover, g.Turnover())
				total.Add(g.Currency, sumPayout, g.Payout())
				total.Add(g.Currency, sumGGR, g.GGR())
				total.Add(g.Currency, sumSpins, g.SpinPayout())
				rows[i] = export.Row{
					g.Name, string(g.Offered), g.Provider, "Inferred", string(g.Currency), g.Sessions, g.Bets,
					g.Turnover(), g.Payout(), g.GGR(), rtpText(g.MoneySums), g.Spins, g.SpinStakes, g.SpinPayout(), more,
				}
			}
			days, err := a.Store.DayReports(ctx, page.of)
			if err != nil {
				return err
			}
			for _, day := range days {
				total.Add(day.Currency, sumAllGames, day.Turnover())
			}
			return next(export.Page{Rows: rows})
		},
	}, page.Chips, page.wrong(), err
}

// ExportLiability reads the liability for a file; see web.Exportable.
func (a *Area) ExportLiability(ctx context.Context, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &liabilityPage{reportPage: &reportPage{Page: p}}
	if err := a.readReport(ctx, page.reportPage); err != nil {
		return export.List{}, nil, nil, err
	}
	at := page.instant()
	total := export.NewSums(sumCounted, sumHeld)
	return export.List{
		Sums:  total.List,
		About: append(page.about(), export.Remark{Name: "At", Text: cmp.Or(page.Asked, "the moment of writing")}),
		Columns: []export.Column{
			{Name: "What"}, {Name: "Player"}, {Name: "Currency"}, {Name: "Amount", Kind: export.Money},
			{Name: "How many", Kind: export.Number}, {Name: "Among"},
		},
		Read: func(ctx context.Context, next func(export.Page) error) error {
			owed, err := a.owed(ctx, page, at)
			if err != nil {
				return err
			}
			var rows []export.Row
			for _, l := range owed {
				wallets := any(l.Wallets)
				if !at.IsZero() {
					wallets = nil // how many there were is not known
				}
				rows = append(rows, export.Row{"Liability to players", "", string(l.Currency), l.Sum, wallets, "all wallets"},
					export.Row{"Held by cash-outs", "", string(l.Currency), l.Held, nil, "all wallets"})
				if !at.IsZero() {
					continue
				}
				rows = append(rows,
					export.Row{"Wallets below zero, together", "", string(l.Currency), l.Negative, l.Owing, "all wallets"})
			}
			if at.IsZero() {
				list, err := a.Store.NegativeBalances(ctx, page.of.Test, web.ExportPage)
				if err != nil {
					return err
				}
				for _, p := range list {
					if page.of.Currency == "" || page.of.Currency == p.Wallet.Currency {
						rows = append(rows, export.Row{"Wallet below zero", string(p.UserID), string(p.Wallet.Currency),
							p.Wallet.Balance, int64(1), "the lowest " + web.Grouped(web.ExportPage)})
					}
				}
			}
			stakes, err := a.stakesAt(ctx, page, at)
			if err != nil {
				return err
			}
			for _, st := range stakes {
				rows = append(rows, export.Row{"Stakes in play", "", string(st.Currency), st.Sum, st.Rounds, "all rounds"})
			}
			if at.IsZero() {
				interrupted, more, err := a.interrupted(ctx, page.of)
				if err != nil {
					return err
				}
				among := map[bool]string{false: "all rounds", true: "the newest " + web.Grouped(interruptedAtOnce)}[more]
				for _, st := range interrupted {
					rows = append(rows, export.Row{"Stakes in interrupted rounds", "", string(st.Currency), st.Sum, st.Rounds,
						among})
				}
			}
			if err := a.addControl(ctx, total); err != nil {
				return err
			}
			return next(export.Page{Rows: rows})
		},
	}, page.Chips, page.wrong(), nil
}
