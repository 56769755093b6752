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
	fmt.Fprintln(w)
	c.printStorage(w)
	if c.readPages {
		fmt.Fprintln(w)
		c.printPages(w)
	}
	for _, r := range c.remarks {
		fmt.Fprintf(w, "\n%s\n", r)
	}
	fmt.Fprintln(w)
}

// quantity is one property of a reading.
type quantity struct {
	name   string
	get    func(reading) float64
	digits int
}

// milliseconds returns d in milliseconds.
func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// cpu returns the part of d that one callback took, in microseconds.
func (r reading) cpu(d time.Duration) float64 {
	return float64(d) / float64(time.Microsecond) / float64(max(r.Requests, 1))
}

var (
	perSecond   = quantity{"callbacks per second", func(r reading) float64 { return r.rate() }, 0}
	p50         = quantity{"p50, ms", func(r reading) float64 { return milliseconds(r.P50) }, 2}
	p99         = quantity{"p99, ms", func(r reading) float64 { return milliseconds(r.P99) }, 2}
	serverCPU   = quantity{"CPU of pitboss per bet, µs", func(r reading) float64 { return r.cpu(r.server) }, 1}
	databaseCPU = quantity{"CPU of mariadbd per bet, µs", func(r reading) float64 { return r.cpu(r.database) }, 1}
)

func (c *comparison) printRates(w io.Writer) {
	header := []string{"connections"}
	for _, n := range c.connections {
		header = append(header, strconv.Itoa(n))
	}
	row(w, header...)
	rule(w, len(header))
	for _, cell := range c.cells {
		quantities := []quantity{perSecond, p50, p99}
		if cell.workload == bets {
			quantities = append(quantities, serverCPU, databaseCPU)
		}
		for _, q := range quantities {
			fields := []string{cell.String() + ": " + q.name}
			for _, cell.connections = range c.connections {
				pair := c.readings[cell]
				fields = append(fields, q.compare(pair[0], pair[1]))
			}
			measured(w, fields...)
		}
	}
}

func (c *comparison) printStorage(w io.Writer) {
	row(w, "", "old → new (new/old)")
	rule(w, 2)
	single := func(name string, digits int, get func(i int) float64) {
		measured(w, name, compare([]float64{get(0)}, []float64{get(1)}, digits))
	}
	const megabyte = 1 << 20
	single("peak memory of pitboss, MB", 0, func(i int) float64 { return float64(c.peak[i]) / megabyte })
	if c.fill == 0 {
		return
	}
	single(fmt.Sprintf("bytes on disk per bet, over %s bets", grouped(float64(c.fill), 0)), 0,
		func(i int) float64 { return c.storage[i].perBet() })
	for _, q := range []quantity{perSecond, serverCPU, databaseCPU} {
		measured(w, fmt.Sprintf("during these bets, %d connections: %s", fillConnections, q.name),
			q.compare(c.storage[0].slices, c.storage[1].slices))
	}
}

// compare compares two builds' readings, which were taken in pairs.
func (q quantity) compare(old, new []reading) string {
	values := func(list []reading) (values []float64) {
		for _, r := range list {
			values = append(values, q.get(r))
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

// measured writes one row unless all fields after its name are empty.
func measured(w io.Writer, fields ...string) {
	if strings.Join(fields[1:], "") != "" {
		row(w, fields...)
	}
}

// rule writes the line below a table's header.
func rule(w io.Writer, columns int) { fmt.Fprintln(w, strings.Repeat("|---", columns)+"|") }
