package sheet

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"pitboss/models"
)

// Files and typed lines with figures from outside, which reports use: exchange rates, and the theoretical returns of games.

var rateColumns = []column{
	{"day", []string{"day", "date"}},
	{"currency", []string{"currency", "currencycode", "ccy", "curr"}},
	{"rate", []string{"rate", "exchangerate", "price"}},
}

var returnColumns = []column{
	{"game_id", []string{"gameid", "game", "id"}},
	{"rtp", []string{"rtp", "return", "theoreticalreturn", "theoreticalrtp"}},
}

// ReadRates reads lines with a header and columns for the day, the currency and the rate. Days may be written as in statements.
// bad has every line that cannot be used.
func ReadRates(ctx context.Context, from io.ReadSeeker) (list []models.Rate, bad []models.LineError, err error) {
	type dated struct {
		models.Rate
		day  Cell
		line int
	}
	var lines []dated
	var days []Cell
	bad, err = readFigures(ctx, from, rateColumns, func(line int, cell func(string) Cell) error {
		currency, err := models.ParseCurrency(strings.ToUpper(cell("currency").Text))
		if err != nil {
			return err
		}
		rate, err := models.ParseRate(cell("rate").Text)
		if err != nil {
			return err
		}
		days = append(days, cell("day"))
		lines = append(lines, dated{models.Rate{Currency: currency, Rate: rate}, cell("day"), line})
		return nil
	})
	if err != nil {
		return nil, bad, err
	}
	shape := timeShape(days)
	if shape == "" { // 11/12/2026 can be two days
		return nil, bad, fmt.Errorf("day %.40q can be two days: write it like 2026-12-11", days[0].Text)
	}
	reader := timeReader{shape: shape, zone: time.UTC}
	for _, l := range lines {
		at, err := reader.parse(l.day)
		if err == nil {
			l.Day, err = models.ParseDay(string(models.DayOf(at, time.UTC)))
		}
		if err != nil {
			bad = append(bad, models.LineError{Line: l.line, Err: fmt.Errorf("day “%.40s” is not a day such as %s", l.day.Text, shape.Word())})
			continue
		}
		list = append(list, l.Rate)
	}
	slices.SortStableFunc(bad, func(a, b models.LineError) int { return cmp.Compare(a.Line, b.Line) })
	return list, bad, nil
}

// ReadGameReturns reads lines with a header and columns for the platform's game ID and the percentage that the game returns.
func ReadGameReturns(ctx context.Context, from io.ReadSeeker) (returns models.GameReturns, bad []models.LineError, err error) {
	returns = models.GameReturns{}
	bad, err = readFigures(ctx, from, returnColumns, func(_ int, cell func(string) Cell) error {
		text, err := cell("game_id").ID()
		if err == nil {
			err = models.CheckID(text)
		}
		id := models.GameID(text)
		if err != nil {
			return fmt.Errorf("game_id %.60q: %w", id, err)
		}
		if _, twice := returns[id]; twice {
			return fmt.Errorf("game_id %q is already in an earlier line", id)
		}
		text = strings.Replace(strings.TrimSuffix(cell("rtp").Text, "%"), ",", ".", 1)
		percent, err := decimal.NewFromString(text)
		if err != nil || len(text) > 20 || strings.Trim(text, "0123456789.") != "" { // 1e-9999 is as long as a page
			return fmt.Errorf("“%.40s” is not a percentage, such as 96.50", cell("rtp").Text)
		}
		returns[id] = percent
		return models.CheckGameReturn(percent)
	})
	return returns, bad, err
}

// readFigures calls line for each line, with its number and a function that returns the cell of a column.
func readFigures(ctx context.Context, from io.ReadSeeker, columns []column, line func(line int, cell func(string) Cell) error) (bad []models.LineError, err error) {
	free, err := alone(from)
	if err != nil {
		return nil, err
	}
	defer free()
	f, err := Open(ctx, from, known(columns))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, c := range columns {
		names = append(names, c.field)
	}
	at, err := f.place(columns)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if len(f.Header) == 0 || at[name] < 0 {
			return nil, fmt.Errorf("the first line has to name the columns %s", strings.Join(names, ", "))
		}
	}
	refuse := func(wrong models.LineError) error {
		if bad = append(bad, wrong); len(bad) > maxBadLines {
			return errBadLines
		}
		return nil
	}
	err = f.each(func(row Row) error {
		err := line(row.Line, func(name string) Cell { return row.Cells[at[name]] })
		if err != nil {
			return refuse(models.LineError{Line: row.Line, Err: err})
		}
		return nil
	}, refuse)
	return bad, err
}
