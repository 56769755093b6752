package golive

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/term"
)

// The width of a table in a terminal is between these. Elsewhere it is the usual one.
const (
	minWidth   = 80
	usualWidth = 100
	maxWidth   = 120
)

// Terminal colors.
const (
	plain  = ""
	green  = "\x1b[32m"
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	bold   = "\x1b[1m"
	reset  = "\x1b[0m"
)

// WriteTable writes the report as a table of check, expected and got, 80 to 120 columns wide, in color if w is a terminal. For
// failed checks it names the section of the specification. It returns w's error.
func (r *Report) WriteTable(w io.Writer) error {
	width, colour := usualWidth, false
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		colour = true
		if columns, _, err := term.GetSize(int(file.Fd())); err == nil {
			width = min(max(columns, minWidth), maxWidth)
		}
	}
	t := &table{colour: colour}
	t.layOut(width)
	r.write(t)
	_, err := io.WriteString(w, t.text.String())
	return err
}

func (r *Report) write(t *table) {
	t.paragraph(plain, fmt.Sprintf("Go-live checks of %s as agent %s, with player %s.",
		printable(r.CallbackURL), printable(r.AgentID), printable(r.UserID)))
	t.paragraph(plain, "Use a test player that is not used for anything else: the checks place bets and wins, and roll them "+
		"back.")
	if r.Currency != "" {
		t.paragraph(plain, "Balance at the beginning: "+r.Opening.StringFixed(2)+" "+r.Currency+".")
	}
	t.text.WriteByte('\n')
	t.row(bold, "", "CHECK", "EXPECTED", "GOT")
	topic := ""
	for i := range r.Checks {
		c := &r.Checks[i]
		if c.Topic != topic {
			topic = c.Topic
			t.paragraph(bold, topic)
		}
		colour, word := c.verdict()
		expected := c.Expected
		if !c.OK && !c.NotRun {
			expected += " (" + c.Section + ")"
		}
		t.row(colour, word, c.Name, expected, c.Got)
	}
	t.text.WriteByte('\n')
	r.writeSummary(t)
}

// verdict returns the word for a check's outcome, and its color.
func (c *Check) verdict() (colour, word string) {
	switch {
	case c.OK:
		return green, "ok"
	case c.NotRun:
		return yellow, "-"
	case c.Advisory:
		return yellow, "advice"
	}
	return red, "FAIL"
}

func (r *Report) writeSummary(t *table) {
	var held, failed, advice, notRun int
	var slowest Check
	for _, c := range r.Checks {
		switch {
		case c.OK:
			held++
		case c.NotRun:
			notRun++
		case c.Advisory:
			advice++
		default:
			failed++
		}
		if c.Latency > slowest.Latency {
			slowest = c
		}
	}
	t.paragraph(plain, fmt.Sprintf("%d checks: %d ok, %d failed, %d advice only, %d not run. Slowest answer: %s (%s).",
		len(r.Checks), held, failed, advice, notRun, slowest.Latency.Round(time.Millisecond/10), slowest.Name))
	if r.Unsettled != "" {
		t.paragraph(red, r.Unsettled)
	}
	if r.Passed() {
		t.paragraph(green, "Passed.")
	} else {
		t.paragraph(red, "Not passed: every check must be ok, except where it says advice.")
	}
}

// table collects lines of four columns: verdict, check, expected, got.
type table struct {
	text    strings.Builder
	colour  bool
	width   int
	columns [4]int
}

const (
	verdictWidth = len("advice")
	gap          = 2
)

// layOut divides the width among the columns.
func (t *table) layOut(width int) {
	rest := width - verdictWidth - 3*gap
	name, expected := rest*38/100, rest*29/100
	t.width, t.columns = width, [4]int{verdictWidth, name, expected, rest - name - expected}
}

// row writes a row; cells that are too long continue on the next line.
func (t *table) row(colour string, cells ...string) {
	lines := make([][]string, len(cells))
	height := 1
	for i, cell := range cells {
		lines[i] = wrap(cell, t.columns[i])
		height = max(height, len(lines[i]))
	}
	for y := range height {
		var line strings.Builder
		for i := range cells {
			text := ""
			if y < len(lines[i]) {
				text = lines[i][y]
			}
			line.WriteString(text)
			if i < len(cells)-1 {
				line.WriteString(strings.Repeat(" ", t.columns[i]-utf8.RuneCountInString(text)+gap))
			}
		}
		t.line(colour, strings.TrimRight(line.String(), " "))
	}
}

func (t *table) paragraph(colour, text string) {
	for _, line := range wrap(text, t.width) {
		t.line(colour, line)
	}
}

func (t *table) line(colour, text string) {
	if t.colour && colour != plain {
		text = colour + text + reset
	}
	t.text.WriteString(text + "\n")
}

// wrap breaks text at spaces into lines of at most width characters, and breaks longer words anywhere.
func wrap(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width {
			line += " " + word
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for runes := []rune(word); ; runes = runes[width:] {
			if len(runes) <= width {
				line = string(runes)
				break
			}
			lines = append(lines, string(runes[:width]))
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
