package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// print writes the comparison as tables in Markdown. Each field has the medians of the old and the new build, then the median
// of the rounds' ratios ± half the distance between the quartiles of these ratios, which shows the noise.
func (c *comparison) print(w io.Writer) {
	fmt.Fprintf(w, "\n%s, %d players, IDs of %d to %d characters, medians of %d interleaved rounds of %s each.\n",
		c.engine, c.players, c.ids.Shortest, c.ids.Longest, c.rounds, c.duration)
	fmt.Fprintf(w, "Old: %s. New: %s. Each field: old → new (new/old ± noise).\n\n",
		c.against, strings.Join(slices.Concat([]string{c.build}, c.env), " "))
	c.printRates(w)
	if c.fill > 0 {
		fmt.Fprintln(w)
		c.printStorage(w)
	}
	if c.readPages {
		fmt.Fprintln(w)
		c.printPages(w)
	}
	fmt.Fprintln(w)
}

// quantity is one property of a sample.
type quantity struct {
	name   string
	get    func(sample) float64
	digits int
}

// milliseconds returns d in milliseconds.
func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

var quantities = []quantity{
	{"callbacks per second", sample.rate, 0},
	{"p50, ms", func(s sample) float64 { return milliseconds(s.P50) }, 2},
	{"p99, ms", func(s sample) float64 { return milliseconds(s.P99) }, 2},
}

func (c *comparison) printRates(w io.Writer) {
	header := []string{"connections"}
	for _, n := range c.connections {
		header = append(header, strconv.Itoa(n))
	}
	row(w, header...)
	rule(w, len(header))
	for _, cell := range c.cells {
		for _, q := range quantities {
			fields := []string{cell.String() + ": " + q.name}
			for _, cell.connections = range c.connections {
				pair := c.readings[cell]
				fields = append(fields, q.compare(pair[0], pair[1]))
			}
			row(w, fields...)
		}
	}
}

func (c *comparison) printStorage(w io.Writer) {
	row(w, "", "old → new (new/old)")
	rule(w, 2)
	row(w, fmt.Sprintf("bytes on disk per bet, over %s bets", grouped(float64(c.fill), 0)),
		compare([]float64{c.storage[0].perBet()}, []float64{c.storage[1].perBet()}, 0))
	rate := quantities[0]
	row(w, fmt.Sprintf("during these bets, %d connections: %s", fillConnections, rate.name),
		rate.compare(c.storage[0].slices, c.storage[1].slices))
}

// compare compares two builds' readings, which were taken in pairs.
func (q quantity) compare(old, new []sample) string {
	values := func(list []sample) (values []float64) {
		for _, s := range list {
			values = append(values, q.get(s))
		}
		return values
	}
	return compare(values(old), values(new), q.digits)
}

// compare returns a field, or nothing if neither build was measured. A value that was not measured is 0.
func compare(old, new []float64, digits int) string {
	if slices.Max(old) == 0 && slices.Max(new) == 0 {
		return ""
	}
	number := func(list []float64) string {
		if slices.Max(list) == 0 {
			return "–"
		}
		return grouped(median(list, func(v float64) float64 { return v }), digits)
	}
	text := number(old) + " → " + number(new)
	var ratios []float64
	for i := range min(len(old), len(new)) {
		if old[i] > 0 && new[i] > 0 {
			ratios = append(ratios, new[i]/old[i])
		}
	}
	if len(ratios) == 0 {
		return text
	}
	text += fmt.Sprintf(" (%.2f", median(ratios, func(v float64) float64 { return v }))
	if n := len(ratios); n > 1 {
		slices.Sort(ratios)
		text += fmt.Sprintf(" ± %.2f", (ratios[n-1-n/4]-ratios[n/4])/2)
	}
	return text + ")"
}

// grouped returns a number with a comma between thousands.
func grouped(v float64, digits int) string {
	text := strconv.FormatFloat(v, 'f', digits, 64)
	whole, fraction, _ := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if digits > 0 {
		return whole + "." + fraction
	}
	return whole
}

// row writes one row of a table.
func row(w io.Writer, fields ...string) { fmt.Fprintf(w, "| %s |\n", strings.Join(fields, " | ")) }

// rule writes the line below a table's header.
func rule(w io.Writer, columns int) { fmt.Fprintln(w, strings.Repeat("|---", columns)+"|") }
