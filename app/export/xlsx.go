package export

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"pitboss/models"
)

// The limits of sheets and cells, and the largest whole number that a spreadsheet stores exactly: it calculates in floating
// point with 15 digits. Larger numbers are written as text.
const (
	sheetRows  = excelize.TotalRows
	sheetBytes = 2 << 30 // of texts; some spreadsheets cannot open sheets larger than 4 GB
	cellUnits  = excelize.TotalCellChars
	exactAbove = 999_999_999_999_999
)

const aboutSheet = "About"

// xlsxWriter writes a workbook: the rows, in as many sheets as necessary, and at the end a sheet about the file. Rows are collected in
// temporary files to limit memory, and packed into the workbook at the end.
type xlsxWriter struct {
	to      io.Writer
	book    *excelize.File
	sheet   *excelize.StreamWriter
	head    Head
	columns []Column
	sheets  int
	at      int // the last row written on the sheet
	most    int // how many rows fit on a sheet
	texts   int // bytes of texts on the sheet
	cells   []any

	bold, money, number, moment, day, percent, total int // styles
}

func newXLSX(to io.Writer, head Head, columns []Column) (w *xlsxWriter, err error) {
	w = &xlsxWriter{to: to, head: head, columns: columns, most: sheetRows,
		book: excelize.NewFile()}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.close())
		}
	}()
	for style, of := range map[*int]*excelize.Style{
		&w.bold:    {Font: &excelize.Font{Bold: true}},
		&w.money:   {CustomNumFmt: new("#,##0.00")},
		&w.number:  {CustomNumFmt: new("0")},
		&w.moment:  {CustomNumFmt: new("yyyy-mm-dd hh:mm:ss.000")},
		&w.day:     {CustomNumFmt: new("yyyy-mm-dd")},
		&w.percent: {CustomNumFmt: new("0.00%")},
		&w.total:   {Font: &excelize.Font{Bold: true}, CustomNumFmt: new("#,##0.00")},
	} {
		if *style, err = w.book.NewStyle(of); err != nil {
			return nil, err
		}
	}
	return w, w.nextSheet()
}

// nextSheet begins a sheet with its header.
func (w *xlsxWriter) nextSheet() error {
	if err := w.endSheet(); err != nil {
		return err
	}
	w.sheets++
	name := "Rows"
	if w.sheets > 1 {
		name += " " + strconv.Itoa(w.sheets)
	}
	var err error
	if w.sheets == 1 {
		err = w.book.SetSheetName("Sheet1", name)
	} else {
		_, err = w.book.NewSheet(name)
	}
	if err != nil {
		return err
	}
	if w.sheet, err = w.book.NewStreamWriter(name); err != nil {
		return err
	}
	names := headers(w.columns, w.head.Zone)
	for i, c := range w.widths() {
		if err := w.sheet.SetColWidth(i+1, i+1, c); err != nil {
			return err
		}
	}
	if err := w.sheet.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err !=
		nil {
		return err
	}
	cells := make([]any, len(names))
	for i, n := range names {
		cells[i] = excelize.Cell{StyleID: w.bold, Value: n}
	}
	w.at, w.texts = 1, 0
	return w.sheet.SetRow("A1", cells)
}

// endSheet ends the sheet, if there is one, with a filter on its table.
func (w *xlsxWriter) endSheet() error {
	if w.sheet == nil {
		return nil
	}
	if w.at > 1 {
		last, err := excelize.CoordinatesToCellName(len(headers(w.columns, w.head.Zone)), w.at)
		if err != nil {
			return err
		}
		if err := w.sheet.AddTable(&excelize.Table{Range: "A1:" + last, StyleName: "TableStyleLight1"}); err != nil {
			return err
		}
	}
	return w.sheet.Flush()
}

func (w *xlsxWriter) widths() (widths []float64) {
	for _, c := range w.columns {
		switch c.Kind {
		case Time:
			if !isUTC(w.head.Zone) {
				widths = append(widths, 28)
			}
			widths = append(widths, 28)
		case Text:
			widths = append(widths, 24)
		default:
			widths = append(widths, 14)
		}
	}
	return widths
}

func (w *xlsxWriter) row(r Row) error {
	if w.at == w.most-mostTotals || w.texts > sheetBytes {
		if err := w.nextSheet(); err != nil {
			return err
		}
	}
	w.cells = w.cells[:0]
	for i, c := range w.columns {
		switch v := r[i].(type) {
		case string:
			w.cells = append(w.cells, w.text(c.Kind, v))
		case int64:
			if v > exactAbove || v < -exactAbove {
				w.cells = append(w.cells, strconv.FormatInt(v, 10))
				continue
			}
			w.cells = append(w.cells, excelize.Cell{StyleID: w.number, Value: v})
		case models.Amount:
			w.cells = append(w.cells, w.amount(v, w.money))
		case bool:
			w.cells = append(w.cells, yes(v))
		case nil:
			w.cells = append(w.cells, nil)
		case time.Time:
			w.cells = append(w.cells, w.times(v)...)
		default:
			return fmt.Errorf("export: column %s cannot hold a %T", c.Name, v)
		}
	}
	w.at++
	return w.sheet.SetRow("A"+strconv.Itoa(w.at), w.cells)
}

// text returns a text, or the day or percentage that it is.
func (w *xlsxWriter) text(kind Kind, text string) any {
	if day, err := time.Parse(time.DateOnly, text); kind == Day && err == nil {
		return excelize.Cell{StyleID: w.day, Value: wallClock(day)}
	}
	if percent, err := strconv.ParseFloat(text, 64); kind == Percent && err == nil {
		return excelize.Cell{StyleID: w.percent, Value: percent / 100}
	}
	text = fitting(Cell(text))
	w.texts += len(text)
	return text
}

// times returns the cells of a time.
func (w *xlsxWriter) times(at time.Time) []any {
	var local, utc any
	if !at.IsZero() {
		local, utc = excelize.Cell{StyleID: w.moment, Value: wallClock(at.In(w.head.Zone))}, at.UTC().Format(utcLayout)
	}
	if isUTC(w.head.Zone) {
		return []any{local}
	}
	return []any{local, utc}
}

// mostTotals is how many rows of a sheet are left for totals.
const mostTotals = 200

// totals writes the sums below the table, with an empty row between, so that no filter or sum takes them for rows. A sum is below
// the column of its name, in the row of its currency; one that has no such column has a row to itself.
func (w *xlsxWriter) totals(sums []Sum) error {
	row, rowOf := w.at+1, map[models.Currency][]any{}
	var order []models.Currency
	var rows [][]any
	for _, s := range sums {
		at := 0
		for _, c := range w.columns {
			if c.Name == s.Label && c.Kind == Money {
				break
			}
			at += len(headers([]Column{c}, w.head.Zone))
		}
		cells := rowOf[s.Currency]
		switch {
		case at == 0 || at == len(headers(w.columns, w.head.Zone)):
			name := excelize.Cell{StyleID: w.bold, Value: fitting(Cell(s.Label + " " + string(s.Currency)))}
			rows = append(rows, []any{name, w.amount(s.Amount, w.total)})
			continue
		case cells == nil:
			cells = make([]any, len(headers(w.columns, w.head.Zone)))
			cells[0] = excelize.Cell{StyleID: w.bold, Value: "Total " + string(s.Currency)}
			rowOf[s.Currency], order = cells, append(order, s.Currency)
		}
		cells[at] = w.amount(s.Amount, w.total)
	}
	for _, currency := range order {
		rows = append(rows, rowOf[currency])
	}
	for _, cells := range rows[:min(len(rows), mostTotals-1)] {
		row++
		if err := w.sheet.SetRow("A"+strconv.Itoa(row), cells); err != nil {
			return err
		}
	}
	return nil
}

// wallClock returns a time as a spreadsheet stores it: days since the end of 1899 in local time, to the millisecond. A
// spreadsheet has no time zones; the text in the next column is unambiguous.
func wallClock(t time.Time) float64 {
	_, offset := t.Zone()
	const day, from1899 = 24 * 60 * 60 * 1000, 25569
	return float64(t.UnixMilli()+int64(offset)*1000)/day + from1899
}

// amount returns a number, or a text if it has more digits than a spreadsheet's number.
func (w *xlsxWriter) amount(a models.Amount, style int) any {
	if a > exactAbove || a < -exactAbove {
		return a.String()
	}
	// A spreadsheet shows the nearest floating-point number to so few digits as exactly these digits.
	return excelize.Cell{StyleID: style, Value: float64(a) / 100}
}

// fitting shortens a text that is too long for a cell, and says so in the cell.
func fitting(s string) string {
	if len(s) <= cellUnits || utf16Length(s) <= cellUnits {
		return s
	}
	const room = 100
	units := 0
	for i, r := range s {
		if units += utf16Units(r); units > cellUnits-room {
			return s[:i] + fmt.Sprintf("… (cut here: %d characters in all, the CSV has them)", utf8.RuneCountInString(s))
		}
	}
	return s
}

func utf16Length(s string) (n int) {
	for _, r := range s {
		n += utf16Units(r)
	}
	return n
}

func utf16Units(r rune) int {
	if r > 0xffff {
		return 2
	}
	return 1
}

// straightZip writes the ZIP directly to the file. By default, excelize builds the whole workbook in memory.
func (w *xlsxWriter) straightZip(io.Writer) excelize.ZipWriter { return zip.NewWriter(w.to) }

func (w *xlsxWriter) finish(rows int64, sums []Sum) error {
	if err := w.totals(sums); err != nil {
		return err
	}
	if err := w.endSheet(); err != nil {
		return err
	}
	if _, err := w.book.NewSheet(aboutSheet); err != nil {
		return err
	}
	for i, l := range append(w.head.remarks(), tail(rows, sums)...) {
		at := strconv.Itoa(i + 1)
		if err := w.book.SetCellStr(aboutSheet, "A"+at, Cell(l.name)); err != nil {
			return err
		}
		if err := w.remark("B"+at, l.value); err != nil {
			return err
		}
	}
	if err := w.book.SetColWidth(aboutSheet, "A", "B", 40); err != nil {
		return err
	}
	w.book.SetZipWriter(w.straightZip)
	_, err := w.book.WriteToBuffer()
	return err
}

// remark writes a value on the sheet about the file.
func (w *xlsxWriter) remark(cell string, value any) error {
	switch v := value.(type) {
	case int64:
		return w.book.SetCellInt(aboutSheet, cell, v)
	case models.Amount:
		c, numeric := w.amount(v, w.money).(excelize.Cell)
		if !numeric {
			return w.book.SetCellStr(aboutSheet, cell, v.String())
		}
		return errors.Join(w.book.SetCellValue(aboutSheet, cell, c.Value),
			w.book.SetCellStyle(aboutSheet, cell, cell, c.StyleID))
	}
	return w.book.SetCellStr(aboutSheet, cell, fitting(Cell(fmt.Sprint(value))))
}

func (w *xlsxWriter) close() error { return w.book.Close() }
