package reports

import (
	"slices"
	"strconv"
	"strings"

	"pitboss/models"
	"pitboss/views"
)

// The charts of reports show figures from the report's table.

// chart is a chart with its heading.
type chart struct {
	views.Chart
	Title, End string
	Legend     []legend
}

// legend explains the shapes of one class in a chart.
type legend struct{ Class, Word string }

// mostBars is how many rows a chart of rows has at most.
const mostBars = 8

// drawRows adds a chart of the first rows in the currency of the first one: one column of figures, or two of which the second
// is of an earlier period, by a column of names.
func (p *reportPage) drawRows(by string, of ...string) {
	place := func(name string) int {
		return slices.IndexFunc(p.Main.Columns, func(c column) bool { return c.Name == name })
	}
	name, currency, first := place(by), place("Currency"), place(of[0])
	in := ""
	var labels, said []string
	series := make([][]float64, len(of))
	for _, row := range p.Main.Rows {
		v, drawn := figureOf(row[first])
		if currency >= 0 {
			in = p.Main.Rows[0][currency].Value.(string)
			drawn = drawn && row[currency].Value == in
		}
		if !drawn || len(labels) == mostBars {
			continue
		}
		word := row[name].Word(p.Main.Columns[name])
		labels = append(labels, word)
		said = append(said, word+" "+row[first].Word(p.Main.Columns[first]))
		series[0] = append(series[0], v)
		for i := range of[1:] {
			was := row[place(of[i+1])]
			v, _ := figureOf(was)
			series[i+1] = append(series[i+1], v)
			said[len(said)-1] += ", before " + was.Word(p.Main.Columns[first])
		}
	}
	if len(labels) == 0 {
		return
	}
	// If there are several series, a row's bars are next to each other, and a gap follows.
	apart := 1
	if len(of) > 1 {
		apart = len(of) + 1
	}
	title := of[0]
	if len(of) > 1 {
		title = "This period and the one before"
	}
	scale := views.NewScale(4, 1, series...)
	c := views.NewChart(strings.TrimSuffix(title+", in "+in, ", in ")+": "+strings.Join(said, "; "), "mid", "", scale)
	for i, class := range []string{"b0", "b11"}[:len(of)] {
		bars := make([]float64, apart*len(labels))
		for j, v := range series[i] {
			bars[apart*j+i] = v
		}
		c.Bars(class, scale, bars, nil)
	}
	c.X, c.Each = labels, true
	one := chart{Chart: c, Title: title, End: in}
	if len(of) > 1 {
		one.Legend = []legend{{"s0", of[0]}, {"s11", of[1]}}
	}
	p.Charts = append(p.Charts, one)
}

// drawMonths adds a chart of figures by month. The first row is the newest month.
func (p *reportPage) drawMonths(of string, in models.Currency, rows func(row []cell) bool) {
	at := slices.IndexFunc(p.Main.Columns, func(c column) bool { return c.Name == of })
	var values []float64
	var labels []string
	for _, row := range slices.Backward(p.Main.Rows) {
		if v, known := figureOf(row[at]); rows(row) {
			if !known {
				v = views.Gap
			}
			values = append(values, v)
			labels = append(labels, row[0].Value.(string))
		}
	}
	if len(values) < 2 {
		return
	}
	scale := views.NewScale(4, 1, values)
	c := views.NewChart(of+", in "+string(in)+", from "+labels[0]+" to "+labels[len(labels)-1], "mid", "", scale)
	c.Area("ar", scale, values)
	c.Line("ln", scale, values)
	c.X = []string{labels[0], labels[len(labels)-1]}
	p.Charts = append(p.Charts, chart{Chart: c, Title: of, End: string(in) + ", at the end of each month"})
}

// figureOf returns a cell's value for a chart, 0 if it is negative, or false if it has none.
func figureOf(c cell) (v float64, known bool) {
	known = true
	switch value := c.Value.(type) {
	case models.Amount:
		v = whole(value)
	case partial:
		v = whole(models.Amount(value))
	case int64:
		v = float64(value)
	case string:
		f, err := strconv.ParseFloat(value, 64)
		v, known = f, err == nil
	default:
		known = false
	}
	return max(v, 0), known
}
