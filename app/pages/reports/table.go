package reports

import (
	"context"
	"slices"
	"strings"

	"pitboss/app/export"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// table is a table on a report's page. The main one is also the report's file.
type table struct {
	Title, End, Note string
	Columns          []column
	Rows             [][]cell
}

// column is a column of a table.
type column struct {
	export.Column
	Filed bool // the column is only in the file
	Paged bool // the column is only on the page
	Lead  bool // the figure that a narrow page emphasizes
}

// Number reports whether the column is right-aligned.
func (c column) Number() bool {
	return slices.Contains([]export.Kind{export.Number, export.Money, export.Percent}, c.Kind)
}

func text(name string) column { return column{Column: export.Column{Name: name}} }
func number(name string) column {
	return column{Column: export.Column{Name: name, Kind: export.Number}}
}
func money(name string) column { return column{Column: export.Column{Name: name, Kind: export.Money}} }
func percent(name string) column {
	return column{Column: export.Column{Name: name, Kind: export.Percent}}
}

// cell is a value in a table and the address that it links to. The value has the type of its column or is a views.Badge.
type cell struct {
	Value any
	Href  string
}

// partial is a sum that leaves out amounts without a rate.
type partial models.Amount

// Partial reports whether the cell has a partial sum.
func (c cell) Partial() bool {
	_, is := c.Value.(partial)
	return is
}

// cells returns cells without links.
func cells(values ...any) []cell {
	row := make([]cell, len(values))
	for i, v := range values {
		row[i] = cell{Value: v}
	}
	return row
}

// Badge returns the cell's badge, or nil if it has none.
func (c cell) Badge() *views.Badge {
	if badge, is := c.Value.(views.Badge); is {
		return &badge
	}
	return nil
}

// Word returns the cell's value as a page shows it in this column.
func (c cell) Word(of column) string {
	switch v := c.Value.(type) {
	case models.Amount:
		return v.Grouped()
	case partial:
		return models.Amount(v).Grouped()
	case int64:
		return web.Grouped(v)
	case bool:
		return map[bool]string{true: "yes", false: "no"}[v]
	case string:
		switch day, err := models.ParseDay(v); {
		case of.Kind == export.Day && err == nil:
			return day.Format("Mon, 2 Jan 2006")
		case of.Kind == export.Percent && v != "":
			return strings.Replace(v, "-", "−", 1) + "%"
		case of.Kind == export.Money:
			return strings.Replace(v, "-", "−", 1)
		}
		return v
	}
	return "–"
}

// Shown returns the columns on the page, by their index.
func (t table) Shown() map[int]column {
	shown := map[int]column{}
	for i, c := range t.Columns {
		if !c.Filed {
			shown[i] = c
		}
	}
	return shown
}

// exported returns the rows as they are in a file.
func (t table) exported(rows [][]cell) (list []export.Row) {
	for _, row := range rows {
		var values export.Row
		for i, c := range row {
			switch v := c.Value.(type) {
			case views.Badge:
				c.Value = v.Word
			case partial:
				c.Value = models.Amount(v)
			}
			if !t.Columns[i].Paged {
				values = append(values, c.Value)
			}
		}
		list = append(list, values)
	}
	return list
}

// figure is a figure of play as a column of reports. It is only in the file unless it is in onPages. behind filters the list
// whose sum it is; it is empty if there is no such list.
type figure struct {
	column
	of     func(f *models.DayFigures) any
	behind string
}

var figures = []figure{
	{text("Currency"), nil, ""},
	{number("Bets"), func(f *models.DayFigures) any { return f.Bets }, ""},
	{money("Turnover"), func(f *models.DayFigures) any { return f.Turnover() }, "state=booked&with=money&bet-from=0.01"},
	{money("Payout"), func(f *models.DayFigures) any { return f.Payout() }, "state=booked&with=money&win-from=0.01"},
	{money("GGR"), func(f *models.DayFigures) any { return f.GGR() }, "state=booked&with=money"},
	{percent("RTP"), func(f *models.DayFigures) any { return rtp(f.MoneySums) }, ""},
	{number("Free spins used"), func(f *models.DayFigures) any { return f.Spins }, "state=booked&with=free-spins"},
	{money("Free-spin stakes"), func(f *models.DayFigures) any { return f.SpinStakes }, "state=booked&with=free-spins"},
	{money("Free-spin wins"), func(f *models.DayFigures) any { return f.SpinPayout() }, "state=booked&with=free-spin-wins&win-from=0.01"},
	{number("Rollbacks"), func(f *models.DayFigures) any { return f.Reversals }, "state=by-rollback"},
	{money("Refunded bets"), func(f *models.DayFigures) any { return f.StakesReversed }, "state=by-rollback&with=money&bet-from=0.01"},
	{money("Reversed wins"), func(f *models.DayFigures) any { return f.WinsReversed.Add(f.SpinWinsReversed) },
		"state=by-rollback&win-from=0.01"},
	{money("Corrections"), func(f *models.DayFigures) any { return f.Corrected() }, "kind=adjustment"},
	{money("Corrections, credits"), func(f *models.DayFigures) any { return f.Credits }, ""},
	{money("Corrections, debits"), func(f *models.DayFigures) any { return f.Debits }, ""},
	{money("Opening balances"), func(f *models.DayFigures) any { return f.Openings }, "kind=opening"},
	{money("Cash deposits"), func(f *models.DayFigures) any { return f.Deposits }, "kind=cash-deposit"},
	{money("Cash-outs requested"), func(f *models.DayFigures) any { return f.Requested }, "kind=cash-out"},
	{money("Cash-outs returned"), func(f *models.DayFigures) any { return f.Returned }, "kind=cash-out-returned"},
	{money("Cash-outs paid"), func(f *models.DayFigures) any { return f.Paid }, "kind=cash-out-paid"},
	{money("Balance change"), func(f *models.DayFigures) any { return f.Moved }, "state=booked"},
}

// behind returns the address of the list whose sum a figure is, given the address of all its transactions, or "" if there is
// none.
func behind(transactions, word string, value any) string {
	i := slices.IndexFunc(figures, func(f figure) bool { return f.Name == strings.TrimLeft(word, "+−= ") })
	if transactions == "" || i < 0 || figures[i].behind == "" || value == models.Amount(0) || value == int64(0) {
		return ""
	}
	return transactions + "&sums=all&" + figures[i].behind
}

// onPages names the figures that pages have too.
var onPages = []string{"Currency", "Turnover", "Payout", "GGR", "RTP", "Free-spin wins", "Rollbacks", "Corrections"}

// played has the figures that are known for games.
var played = figures[:9]

// figureColumns returns the columns of figures between those before and after. also names further figures for the page.
func figureColumns(of []figure, before, after []column, also ...string) []column {
	for _, f := range of {
		f.Filed = !slices.Contains(onPages, f.Name) && !slices.Contains(also, f.Name)
		f.Lead = f.Name == "GGR"
		before = append(before, f.column)
	}
	return append(before, after...)
}

// figureCells returns the cells of figures between those before and after. transactions is the address of the transactions that
// they add up.
func figureCells(of []figure, before []cell, f models.DayFigures, currency models.Currency, transactions string, after ...cell) []cell {
	before = append(before, cell{Value: string(currency)})
	for _, one := range of[1:] {
		value := one.of(&f)
		before = append(before, cell{value, behind(transactions, one.Name, value)})
	}
	return append(before, after...)
}

// rtp returns the RTP in percent, or "" if there was no turnover.
func rtp(s models.MoneySums) string {
	if rtp, known := s.RTP(); known {
		return rtp.StringFixed(2)
	}
	return ""
}

// accountLine is a line in a statement of account, with its label and its figure.
type accountLine struct {
	word string
	of   func(g *models.DayGroup) any
}

// account has the lines of a statement of account: what was owed to players, what changed that, and what is owed afterwards.
var account = []accountLine{
	{"Opening liability", func(g *models.DayGroup) any { return g.Opening }},
	{"+ Opening balances", func(g *models.DayGroup) any { return g.Openings }},
	{"− Turnover", func(g *models.DayGroup) any { return g.Turnover() }},
	{"+ Payout", func(g *models.DayGroup) any { return g.Payout() }},
	{"+ Free-spin wins", func(g *models.DayGroup) any { return g.SpinPayout() }},
	{"+ Corrections", func(g *models.DayGroup) any { return g.Corrected() }},
	{"+ Cash deposits", func(g *models.DayGroup) any { return g.Deposits }},
	{"− Cash-outs paid", func(g *models.DayGroup) any { return g.Paid }},
	{"= Closing liability", func(g *models.DayGroup) any {
		owed := g.Opening.Add(g.Funds())
		if g.Explained() != g.Moved {
			return differs(owed.Grouped() + ", but the figures differ")
		}
		return owed
	}},
	{"Held by cash-outs at the end", func(g *models.DayGroup) any { return g.HeldNow }},
	{"Cash-outs requested", func(g *models.DayGroup) any { return g.Requested }},
	{"Cash-outs returned", func(g *models.DayGroup) any { return g.Returned }},
	{"Balance change", func(g *models.DayGroup) any { return g.Moved }},
	{"GGR", func(g *models.DayGroup) any { return g.GGR() }},
	{"RTP in percent", func(g *models.DayGroup) any { return web.OrDash(rtp(g.MoneySums)) }},
	{"Free-spin stakes", func(g *models.DayGroup) any { return g.SpinStakes }},
	{"Rollbacks", func(g *models.DayGroup) any { return g.Reversals }},
	{"Refunded bets", func(g *models.DayGroup) any { return g.StakesReversed }},
	{"Reversed wins", func(g *models.DayGroup) any { return g.WinsReversed.Add(g.SpinWinsReversed) }},
}

// atDayEnd has further lines for the account of one day.
var atDayEnd = []accountLine{
	{"Stakes in play at the end", func(g *models.DayGroup) any { return g.InPlay }},
	{"Rounds in play at the end", func(g *models.DayGroup) any { return g.RoundsInPlay }},
}

// newAccount returns a statement of account with a column for each group. link returns the address of a group's transactions.
func newAccount(title string, lines []accountLine, groups []models.DayGroup, link func(g models.DayGroup) string) table {
	t := table{Title: title, Columns: []column{text("Figure")}}
	for _, g := range groups {
		name := string(g.Currency)
		if g.Test {
			name += ", test players"
		}
		t.Columns = append(t.Columns, money(name))
	}
	for _, line := range lines {
		row := cells(line.word)
		for i := range groups {
			value := line.of(&groups[i])
			row = append(row, cell{value, behind(link(groups[i]), line.word, value)})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func differs(word string) views.Badge { return views.Badge{Kind: "risk", Shape: "warning", Word: word} }

// addControl adds a table that compares the sums of all days with the present balances of wallets.
func (a *Area) addControl(ctx context.Context, page *reportPage) error {
	t, _, err := a.control(ctx)
	page.Tables = append(page.Tables, t)
	return err
}

// control compares the sums of all days with the present balances of wallets, and reports whether they match.
func (a *Area) control(ctx context.Context) (table, bool, error) {
	t := table{Title: "Control total", End: "now, and of all days",
		Columns: []column{text("Currency"), money("All days"), money("Balances and held"), text("Result")},
		Note: "The balances are those of the wallets, without what is not counted yet. If they differ from all days together, an entry is " +
			"missing from a day, or a balance was changed in the database: verify the whole ledger. Test players are included."}
	list, err := a.Store.Control(ctx)
	agrees := true
	for _, c := range list {
		result := views.Quiet("Matches")
		if !c.Agrees() {
			result, agrees = differs("Differs"), false
		}
		t.Rows = append(t.Rows, cells(string(c.Currency), c.Counted, c.Balances, result))
	}
	return t, agrees, err
}
