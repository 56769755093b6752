package pack

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
)

// The PDF is for people: a cover and the timeline by day. Its font, Go, is part of the program and has Latin, Greek and
// Cyrillic letters. A character that the font does not have is written as its number, such as \u{65E5}, and so is a backslash,
// so that no two IDs look alike. CSV and JSON have the characters themselves.

// mostMoments limits the lines of the timeline in the PDF. Nobody reads more, and the CSV has all of them.
const mostMoments = 2000

type document struct {
	*fpdf.Fpdf
	font *sfnt.Font
	buf  sfnt.Buffer
}

const (
	pageMargin = 18.0
	lineHeight = 5.0
	labelWidth = 44.0
)

func newDocument(made time.Time) (*document, error) {
	font, err := sfnt.Parse(goregular.TTF)
	if err != nil {
		return nil, err
	}
	d := &document{Fpdf: fpdf.New("P", "mm", "A4", ""), font: font}
	d.SetCatalogSort(true) // the same pack gives the same bytes
	d.SetCreationDate(made.UTC())
	d.SetModificationDate(made.UTC())
	d.SetProducer("Pitboss", true)
	d.AddUTF8FontFromBytes("go", "", goregular.TTF)
	d.AddUTF8FontFromBytes("go", "B", gobold.TTF)
	d.SetMargins(pageMargin, pageMargin, pageMargin)
	d.SetAutoPageBreak(true, pageMargin)
	d.SetFooterFunc(func() {
		d.SetY(-12)
		d.SetFont("go", "", 8)
		d.SetTextColor(90, 90, 90)
		d.CellFormat(0, 5, fmt.Sprint("Page ", d.PageNo()), "", 0, "R", false, 0, "")
		d.SetTextColor(0, 0, 0)
	})
	return d, nil
}

// visible replaces characters that are invisible, or that the font does not have, with their numbers.
func (d *document) visible(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r == '\u00a0' {
			r = ' '
		}
		glyph, err := d.font.GlyphIndex(&d.buf, r)
		if err != nil || glyph == 0 || r > 0xFFFF || r == '\\' || !unicode.IsPrint(r) && r != '\n' {
			fmt.Fprintf(&b, "\\u{%X}", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func (d *document) heading(text string, size float64) {
	d.SetFont("go", "B", size)
	d.MultiCell(0, size*0.5, d.visible(text), "", "L", false)
	d.Ln(2)
}

func (d *document) paragraph(text string) {
	d.SetFont("go", "", 9.5)
	d.MultiCell(0, lineHeight, d.visible(text), "", "L", false)
	d.Ln(1.5)
}

// row writes a label with a text to its right, on one page unless the text is very long.
func (d *document) row(label, text string, width float64) {
	text = d.visible(text)
	_, height := d.GetPageSize()
	lines := len(d.SplitText(text, 210-2*pageMargin-width))
	if d.GetY()+float64(min(lines, 40))*lineHeight > height-pageMargin {
		d.AddPage()
	}
	d.SetTextColor(90, 90, 90)
	d.CellFormat(width, lineHeight, d.visible(label), "", 0, "L", false, 0, "")
	d.SetTextColor(0, 0, 0)
	d.MultiCell(0, lineHeight, text, "", "L", false)
}

func (w *making) pdf(z *archive) error {
	d, err := newDocument(w.At)
	if err != nil {
		return err
	}
	d.SetTitle(w.Purpose.Title(), true)
	d.AddPage()
	w.cover(d)
	if err := w.timelinePages(d); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := d.Output(&b); err != nil {
		return fmt.Errorf("write the PDF: %w", err)
	}
	return z.add(pdfFile, 0, &b)
}

func readable(at stamp) string { return time.Time(at).UTC().Format("2 Jan 2006 15:04:05 UTC") }

func (w *making) cover(d *document) {
	m := &w.manifest
	d.heading(w.Purpose.Title(), 20)
	d.SetFont("go", "", 9.5)
	row := func(label, text string) {
		if text != "" {
			d.row(label, text, labelWidth)
		}
	}
	player := m.Player.UserID
	if m.Player.Test {
		player += " (test player)"
	}
	row("Player", player)
	row("Internal ID", number(m.Player.Number))
	row("Player since", readable(m.Player.Created))
	row("Period", "from "+readable(m.Since)+" up to, not including, "+readable(m.Until))
	row("Made", readable(m.Made))
	row("Requested by", strings.TrimPrefix(m.By+", "+m.Role, ", "))
	row("Reference", m.Reference)
	row("Why", m.Why)
	d.Ln(4)
	d.heading("Balance", 13)
	d.SetFont("go", "", 9.5)
	row("Before the period", m.money(m.Ledger.Opening)+", after ledger line "+number(m.Ledger.OpeningSeq))
	row("At its end", m.money(m.Ledger.Closing)+", after ledger line "+number(m.Ledger.ClosingSeq))
	row("Line numbers", "a bet with a win has two numbers and one row, which has the second")
	d.Ln(4)
	d.heading("What is in this pack", 13)
	d.SetFont("go", "", 9.5)
	for _, t := range w.tables {
		rows := number(t.rows) + " rows"
		if t.rows == 1 {
			rows = "1 row"
		}
		row(t.name, rows+", as CSV and JSON")
	}
	if c := m.Checkpoint; c != nil {
		row("Checkpoint", fmt.Sprintf("number %d of %s, digest %s", c.Number, readable(c.At), hexOf(c.Digest[:])))
	} else {
		row("Checkpoint", "none: this server has nowhere to write checkpoints, or has not written one yet")
	}
	if m.Archived != nil {
		row("Archived", "A purge archived the ledger up to "+readable(m.Archived.At)+" (line "+number(m.Archived.Seq)+
			"). This pack has no ledger lines from before then; its opening balance is the one that the archived lines left.")
	}
	row("Callbacks", "The callback log is kept for a limited time. Older requests are not in this pack; what they did to the "+
		"balance is in the ledger.")
	d.Ln(4)
	d.heading("What was left out", 13)
	for _, left := range m.LeftOut {
		d.paragraph(left)
	}
	d.Ln(2)
	d.heading("How to check this pack", 13)
	d.paragraph("Run pitboss pack check FILE on any computer. The command needs no database and no network. It checks the " +
		"digest of every file, that CSV and JSON agree, that the balance follows from line to line, and that each line of " +
		"the ledger leads to the next. With the ledger's key (PITBOSS_LEDGER_KEY) it also recalculates every hash, the seal " +
		"of this pack and the signature of the checkpoint. It names what was changed.")
	d.paragraph("All times are UTC. A character that this document's font does not have is written as its Unicode number, " +
		"between braces; the CSV and JSON files have the character itself.")
}

func (m *Manifest) money(a money) string {
	text, _ := a.MarshalText()
	return string(text) + " " + m.Player.Currency
}

// timelinePages writes the timeline, a table for each day.
func (w *making) timelinePages(d *document) error {
	t := w.tables[0]
	if err := t.lines.Flush(); err != nil {
		return err
	}
	if _, err := t.json.Seek(0, io.SeekStart); err != nil {
		return err
	}
	defer t.json.Seek(0, io.SeekEnd)
	d.AddPage()
	d.heading("Timeline", 16)
	if t.rows == 0 {
		d.paragraph("Nothing happened in this period.")
		return nil
	}
	if t.rows > mostMoments {
		d.paragraph(fmt.Sprintf("The first %d of %d lines. All of them are in timeline.csv.", mostMoments, t.rows))
	}
	lines := bufio.NewScanner(t.json)
	lines.Buffer(nil, longestLine)
	day := ""
	for n := 0; lines.Scan() && n < mostMoments; {
		line := bytes.TrimSuffix(lines.Bytes(), []byte(","))
		if len(line) < 2 {
			continue // the bracket that begins or ends the list
		}
		var row momentRow
		if err := json.Unmarshal(line, &row); err != nil {
			return err
		}
		n++
		at := time.Time(row.At).UTC()
		if this := at.Format("Monday, 2 January 2006"); this != day {
			day = this
			d.Ln(2)
			if _, height := d.GetPageSize(); d.GetY() > height-pageMargin-20 {
				d.AddPage()
			}
			d.heading(day, 11)
			d.SetFont("go", "", 9)
		}
		d.row(at.Format("15:04:05.000"), row.What, 26)
	}
	return lines.Err()
}
