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
	fmt.Fprintf(w, "\n%s, %d players, medians of %d interleaved rounds of %s each.\n", c.engine, c.players, c.rounds, c.duration)
	fmt.Fprintf(w, "Old: %s. New: %s. Each field: old → new (new/old ± noise).\n\n",
		c.against, strings.Join(slices.Concat([]string{c.build}, c.env), " "))
	c.printRates(w)
	if c.fill > 0 {
		fmt.Fprintf(w, "\nBytes on disk per bet, over %d bets: %s\n", c.fill,
			compare([]float64{c.storage[0].perBet()}, []float64{c.storage[1].perBet()}, 0))
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
	fmt.Fprintln(w, strings.Repeat("|---", len(header))+"|")
	for _, cell := range c.cells {
		for _, q := range quantities {
			fields := []string{cell.name + ": " + q.name}
			for _, cell.connections = range c.connections {
				pair := c.readings[cell]
				fields = append(fields, q.compare(pair[0], pair[1]))
			}
			row(w, fields...)
		}
	}
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

// compare returns a field of the table.
func compare(old, new []float64, digits int) string {
	ratios := make([]float64, len(old))
	for i := range old {
		ratios[i] = new[i] / old[i]
	}
	text := fmt.Sprintf("%.*f → %.*f (%.2f", digits, median(old), digits, median(new), median(ratios))
	if n := len(ratios); n > 1 {
		slices.Sort(ratios)
		text += fmt.Sprintf(" ± %.2f", (ratios[n-1-n/4]-ratios[n/4])/2)
	}
	return text + ")"
}

// row writes one row of a table.
func row(w io.Writer, fields ...string) { fmt.Fprintf(w, "| %s |\n", strings.Join(fields, " | ")) }
