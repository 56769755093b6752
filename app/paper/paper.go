// Package paper makes a player's statement as a PDF. The page for printing shows the same Statement.
package paper

import (
	"io"
	"strconv"
	"strings"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
)

// Statement has the texts of a statement, in the player's language.
type Statement struct {
	Language string // the language's code
	Operator string
	About    []string // the operator's address and support, one line each
	Title    string
	Facts    []Fact // the player and the period
	Sums     []Fact // from the opening balance to the closing one
	Columns  []string
	Lines    [][]string
	Note     string // shown if there are no lines
	Page     string // the page number, with {n} and {all} for the numbers
}

// Fact is a label with its text.
type Fact struct {
	Word, Text string
	Main       bool
}

// The page is A4. Sizes are in millimeters.
const (
	margin     = 18.0
	width      = 210 - 2*margin
	lineHeight = 5.5
	allPages   = "{all}"
)

// columnWidths has the widths of the columns. The last two columns are numbers.
var columnWidths = []float64{36, 48, 40, 25, 25}

// PDF writes the statement as a PDF.
func (s Statement) PDF(to io.Writer) error { return s.write(to, true) }

func (s Statement) write(to io.Writer, compressed bool) error {
	p := fpdf.New("P", "mm", "A4", "")
	p.SetCompression(compressed)
	p.AddUTF8FontFromBytes("go", "", goregular.TTF)
	p.AddUTF8FontFromBytes("go", "B", gobold.TTF)
	p.SetMargins(margin, margin, margin)
	p.SetAutoPageBreak(true, margin+lineHeight)
	p.SetTitle(s.Title, true)
	p.SetLang(s.Language)
	p.AliasNbPages(allPages)
	inLines := false
	p.SetHeaderFunc(func() {
		if inLines {
			s.row(p, s.Columns, "B")
		}
	})
	p.SetFooterFunc(func() {
		p.SetY(-margin)
		p.SetFont("go", "", 8)
		p.CellFormat(width, lineHeight, strings.ReplaceAll(s.Page, "{n}", strconv.Itoa(p.PageNo())), "", 0, "R", false, 0, "")
	})
	p.AddPage()
	p.SetFont("go", "B", 14)
	p.MultiCell(width, 7, printable(s.Operator), "", "L", false)
	p.SetFont("go", "", 9)
	for _, line := range s.About {
		p.MultiCell(width, lineHeight, printable(line), "", "L", false)
	}
	p.Ln(6)
	p.SetFont("go", "B", 16)
	p.MultiCell(width, 9, printable(s.Title), "", "L", false)
	for _, facts := range [][]Fact{s.Facts, s.Sums} {
		p.Ln(3)
		for _, f := range facts {
			style := ""
			if f.Main {
				style = "B"
			}
			p.SetFont("go", style, 10)
			p.CellFormat(60, 6, printable(f.Word), "", 0, "L", false, 0, "")
			p.MultiCell(width-60, 6, printable(f.Text), "", "L", false)
		}
	}
	p.Ln(5)
	if s.Note != "" {
		p.SetFont("go", "", 10)
		p.MultiCell(width, 6, printable(s.Note), "", "L", false)
		return p.Output(to)
	}
	s.row(p, s.Columns, "B")
	inLines = true
	for _, line := range s.Lines {
		s.row(p, line, "")
	}
	inLines = false
	return p.Output(to)
}

// row prints a row of the table. A text that is too long loses its middle.
func (s Statement) row(p *fpdf.Fpdf, cells []string, style string) {
	p.SetFont("go", style, 8.5)
	for i, text := range cells {
		align := "L"
		if i > 2 {
			align = "R"
		}
		r := []rune(printable(text))
		for shown := r; ; {
			if text = string(shown); p.GetStringWidth(text) <= columnWidths[i]-2 || len(r) < 4 {
				break
			}
			r = append(r[:len(r)/2], r[len(r)/2+1:]...)
			shown = append(append(append([]rune{}, r[:len(r)/2]...), '…'), r[len(r)/2:]...)
		}
		p.CellFormat(columnWidths[i], lineHeight, text, "B", 0, align, false, 0, "")
	}
	p.Ln(lineHeight)
}

var regular = func() *sfnt.Font {
	font, err := sfnt.Parse(goregular.TTF)
	if err != nil {
		panic(err) // the font is part of the program
	}
	return font
}()

// printable replaces the characters that the font cannot print. The font covers Latin, Greek and Cyrillic.
func printable(text string) string {
	var buffer sfnt.Buffer
	return strings.Map(func(r rune) rune {
		if glyph, err := regular.GlyphIndex(&buffer, r); err != nil || glyph == 0 {
			return '?'
		}
		return r
	}, text)
}
