package views

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Charts are SVG drawings of 600 by 100 units that the page stretches. Their labels are HTML beside the drawing, so that they
// stay legible at any width. The classes of shapes give them their colors, from the stylesheet. The same figures are always in
// a table or a sentence near the chart.

const (
	chartWidth  = 600.0
	chartHeight = 100.0
)

// Chart is a drawing with its labels.
type Chart struct {
	Label  string   // what it shows, in words
	Size   string   // "", "mid" or "low"
	Y      []string // labels from top to bottom, at the lines
	X      []string // labels from left to right; none if another chart below has them
	Each   bool     // each bar, or group of bars, has a label
	Lines  []string // paths across, at the labels of Y
	Shapes []Shape  // in painting order

	bars bool // it has bars: lines go through their middles
}

// As returns the chart with what, the page's words for what it shows, in front of its Label.
func (c Chart) As(what string) Chart {
	c.Label = what + c.Label
	return c
}

// Shape is a path and its class: "ar" an area, "ln" a line, "yd" a dashed line, or the class of bars.
type Shape struct{ Class, Path string }

// Gap marks a missing value in a series.
var Gap = math.NaN()

// Scale is the upward axis of a chart: from 0 to Top in Steps steps.
type Scale struct {
	Top   float64
	Steps int
}

// NewScale returns the smallest scale with the given number of steps that fits all values. A step is 1, 2 or 5 times a power of
// ten, and not smaller than least.
func NewScale(steps int, least float64, series ...[]float64) Scale {
	highest := 0.0
	for _, values := range series {
		for _, v := range values {
			if v > highest { // false for a gap
				highest = v
			}
		}
	}
	step := least
	for step*float64(steps) < highest {
		// 1, 2, 5, 10: the first digit of a step determines the factor to the next one.
		if first := step / math.Pow(10, math.Floor(math.Log10(step)+1e-9)); first > 1.5 && first < 2.5 {
			step *= 2.5
		} else {
			step *= 2
		}
	}
	return Scale{Top: step * float64(steps), Steps: steps}
}

// Labels returns the values at the lines, from top to bottom. The top one includes the unit.
func (s Scale) Labels(unit string) []string {
	labels := make([]string, s.Steps+1)
	for i := range labels {
		labels[i] = Figure(s.Top * float64(s.Steps-i) / float64(s.Steps))
	}
	labels[0] += unit
	return labels
}

// Figure formats a number with thousands separators and up to two decimals, without trailing zeros.
func Figure(v float64) string {
	text := strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
	whole, decimals, _ := strings.Cut(text, ".")
	sign := ""
	if digits, negative := strings.CutPrefix(whole, "-"); negative {
		whole, sign = digits, "−"
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if decimals != "" {
		decimals = "." + decimals
	}
	return sign + whole + decimals
}

func (s Scale) y(v float64) float64 { return chartHeight - v/s.Top*chartHeight }

// NewChart returns a chart with the lines and labels of a scale, and no shapes yet.
func NewChart(label, size, unit string, s Scale) Chart {
	c := Chart{Label: label, Size: size, Y: s.Labels(unit)}
	for i := range s.Steps + 1 {
		c.Lines = append(c.Lines, "M0 "+units(chartHeight*float64(i)/float64(s.Steps))+"H600")
	}
	return c
}

// Line draws a series as a line, interrupted at gaps: across the whole width, or from the middle of the first bar to the middle
// of the last.
func (c *Chart) Line(class string, s Scale, values []float64) {
	var b strings.Builder
	for _, run := range runs(values) {
		c.writeRun(&b, s, values, run)
		if run.from == run.to { // a single value becomes a dot
			b.WriteString("h0.1")
		}
	}
	c.shape(class, b.String())
}

// Area fills the area under a series.
func (c *Chart) Area(class string, s Scale, values []float64) {
	var b strings.Builder
	for _, run := range runs(values) {
		c.writeRun(&b, s, values, run)
		b.WriteString("V100H" + units(c.x(run.from, len(values))) + "z")
	}
	c.shape(class, b.String())
}

// Bars draws a series as bars, stacked on the bars of the series below it, which may be nil.
func (c *Chart) Bars(class string, s Scale, values, below []float64) {
	var b strings.Builder
	c.bars = true
	pitch := chartWidth / float64(len(values))
	for i, v := range values {
		if v <= 0 || math.IsNaN(v) {
			continue
		}
		foot := 0.0
		if below != nil {
			foot = below[i]
		}
		b.WriteString("M" + units((float64(i)+0.14)*pitch) + " " + units(s.y(foot+v)) + "h" + units(pitch*0.72) + "V" +
			units(s.y(foot)) + "h-" + units(pitch*0.72) + "z")
	}
	c.shape(class, b.String())
}

func (c *Chart) shape(class, path string) {
	if path != "" {
		c.Shapes = append(c.Shapes, Shape{class, path})
	}
}

// span is a run of values without a gap, by the indexes of its first and last value.
type span struct{ from, to int }

func runs(values []float64) (list []span) {
	for i, v := range values {
		switch {
		case math.IsNaN(v):
		case i > 0 && !math.IsNaN(values[i-1]):
			list[len(list)-1].to = i
		default:
			list = append(list, span{i, i})
		}
	}
	return list
}

func (c *Chart) writeRun(b *strings.Builder, s Scale, values []float64, run span) {
	for i := run.from; i <= run.to; i++ {
		letter := "L"
		if i == run.from {
			letter = "M"
		}
		b.WriteString(letter + units(c.x(i, len(values))) + " " + units(s.y(values[i])))
	}
}

// x returns where value i of n is.
func (c *Chart) x(i, n int) float64 {
	switch {
	case c.bars:
		return chartWidth * (float64(i) + 0.5) / float64(n)
	case n < 2:
		return 0
	}
	return chartWidth * float64(i) / float64(n-1)
}

func units(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }

// Highest returns the highest value of a series, or false if it has no values.
func Highest(values []float64) (float64, bool) {
	known := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	if len(known) == 0 {
		return 0, false
	}
	return slices.Max(known), true
}

// Todo is a count of things that wait for a person, in words.
type Todo struct {
	N         int64
	One, Many string // what it counts
	Note      string
	Href      string
	Risk      bool
}
