package views

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A chart is drawn here, as SVG of 600 by 100 units that the page stretches; its labels are HTML beside it, so that they stay
// legible at any width. Colours come from the stylesheet by the classes of its shapes. What a chart shows also stands in a
// table or a sentence near it.

const (
	chartWidth  = 600.0
	chartHeight = 100.0
)

// Chart is a drawing with its labels.
type Chart struct {
	Label  string   // what it shows, in words
	Size   string   // "", "mid" or "low"
	Y      []string // labels from top to bottom, at the lines
	X      []string // labels from left to right; none where another chart below has them
	Lines  []string // paths across, at the labels of Y
	Shapes []Shape  // in the order in which they are painted
}

// As is the chart with what it shows, which a page's template has, before what Label says of its values.
func (c Chart) As(what string) Chart {
	c.Label = what + c.Label
	return c
}

// Shape is a path and its class: "ar" an area, "ln" a line, "yd" a dashed line, or the class of bars.
type Shape struct{ Class, Path string }

// Gap stands in a series where there is no value.
var Gap = math.NaN()

// Scale is the upward axis of a chart: from 0 to Top in Steps steps.
type Scale struct {
	Top   float64
	Steps int
}

// NewScale makes the smallest scale of so many steps that holds all values. A step is 1, 2 or 5 times a power of ten, and at
// least least.
func NewScale(steps int, least float64, series ...[]float64) Scale {
	highest := 0.0
	for _, values := range series {
		for _, v := range values {
			if v > highest { // which a gap never is
				highest = v
			}
		}
	}
	step := least
	for step*float64(steps) < highest {
		// 1, 2, 5, 10: a step's first digit tells by how much the next one is larger.
		if first := step / math.Pow(10, math.Floor(math.Log10(step)+1e-9)); first > 1.5 && first < 2.5 {
			step *= 2.5
		} else {
			step *= 2
		}
	}
	return Scale{Top: step * float64(steps), Steps: steps}
}

// Labels are the values at the lines, from top to bottom; the top one carries the unit.
func (s Scale) Labels(unit string) []string {
	labels := make([]string, s.Steps+1)
	for i := range labels {
		labels[i] = Figure(s.Top * float64(s.Steps-i) / float64(s.Steps))
	}
	labels[0] += unit
	return labels
}

// Figure writes a number for people, thousands apart, with the decimals that it has, two at most.
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

// NewChart begins a chart over a scale.
func NewChart(label, size, unit string, s Scale) Chart {
	c := Chart{Label: label, Size: size, Y: s.Labels(unit)}
	for i := range s.Steps + 1 {
		c.Lines = append(c.Lines, "M0 "+units(chartHeight*float64(i)/float64(s.Steps))+"H600")
	}
	return c
}

// Line draws a series as a line that spans the whole width, interrupted where there is no value.
func (c *Chart) Line(class string, s Scale, values []float64) {
	var b strings.Builder
	for _, run := range runs(values) {
		writeRun(&b, s, values, run)
		if run.from == run.to { // a value by itself is a dot
			b.WriteString("h0.1")
		}
	}
	c.shape(class, b.String())
}

// Area fills what lies under a series.
func (c *Chart) Area(class string, s Scale, values []float64) {
	var b strings.Builder
	for _, run := range runs(values) {
		writeRun(&b, s, values, run)
		b.WriteString("V100H" + units(x(run.from, len(values))) + "z")
	}
	c.shape(class, b.String())
}

// Bars draws a series as bars upon the bars of the series below it, which may be nil.
func (c *Chart) Bars(class string, s Scale, values, below []float64) {
	var b strings.Builder
	pitch := chartWidth / float64(len(values))
	for i, v := range values {
		if v <= 0 || math.IsNaN(v) {
			continue
		}
		foot := 0.0
		if below != nil {
			foot = below[i]
		}
		b.WriteString("M" + units(float64(i)*pitch) + " " + units(s.y(foot+v)) + "h" + units(pitch*0.72) + "V" +
			units(s.y(foot)) + "h-" + units(pitch*0.72) + "z")
	}
	c.shape(class, b.String())
}

func (c *Chart) shape(class, path string) {
	if path != "" {
		c.Shapes = append(c.Shapes, Shape{class, path})
	}
}

// span is a run of values without a gap, both ends included.
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

func writeRun(b *strings.Builder, s Scale, values []float64, run span) {
	for i := run.from; i <= run.to; i++ {
		letter := "L"
		if i == run.from {
			letter = "M"
		}
		b.WriteString(letter + units(x(i, len(values))) + " " + units(s.y(values[i])))
	}
}

func x(i, n int) float64 {
	if n < 2 {
		return 0
	}
	return chartWidth * float64(i) / float64(n-1)
}

func units(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }

// Highest is the highest value of a series, and false where it has none.
func Highest(values []float64) (float64, bool) {
	known := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	if len(known) == 0 {
		return 0, false
	}
	return slices.Max(known), true
}

// Todo is a number of things that wait for a person. The template of the overview has their words.
type Todo struct {
	Of     string // what they are, such as "cases"
	N      int64
	More   bool // there are more than N
	Href   string
	Risk   bool
	Name   string        // of a rule, a person or what was done
	By     string        // who did it
	Others bool          // there are others than Name
	At     string        // when the oldest came, or they were found
	Day    string        // of the oldest, or of the first deadline
	Late   time.Duration // how long the oldest has waited, or is overdue
	Spins  int64
}
