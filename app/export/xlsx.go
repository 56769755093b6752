package export

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"

	"pitboss/models"
)

// The largest whole number that a spreadsheet stores exactly: it calculates in floating point with 15 digits. Larger numbers
// are written as text.
const exactAbove = 999_999_999_999_999

const (
	rowsSheet  = "Rows"
	aboutSheet = "About"
)

// xlsxWriter writes a workbook: a sheet with the rows, and one about the file. Rows are collected in a temporary file to limit
// memory, and packed into the workbook at the end.
type xlsxWriter struct {
	to      io.Writer
	book    *excelize.File
	sheet   *excelize.StreamWriter
	head    Head
	columns []Column
	at      int // the last row written on the sheet
	rows    int // of the finished sheet of rows, with its header
	cells   []any

	bold, money, number, moment, day, percent int // styles
}

func newXLSX(to io.Writer, head Head, columns []Column) (*xlsxWriter, error) {
	w := &xlsxWriter{to: to, head: head, columns: columns, book: excelize.NewFile()}
	if err := w.begin(); err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

// begin begins the sheet of rows with its header.
func (w *xlsxWriter) begin() (err error) {
	for style, of := range map[*int]*excelize.Style{
		&w.bold:    {Font: &excelize.Font{Bold: true}},
		&w.money:   {CustomNumFmt: new("#,##0.00")},
		&w.number:  {CustomNumFmt: new("0")},
		&w.moment:  {CustomNumFmt: new("yyyy-mm-dd hh:mm:ss.000")},
		&w.day:     {CustomNumFmt: new("yyyy-mm-dd")},
		&w.percent: {CustomNumFmt: new("0.00%")},
	} {
		if *style, err = w.book.NewStyle(of); err != nil {
			return err
		}
	}
	if err := w.book.SetSheetName("Sheet1", rowsSheet); err != nil {
		return err
	}
	if err := w.book.SetSheetDimension(rowsSheet, w.area(excelize.TotalRows)); err != nil {
		return err
	}
	if w.sheet, err = w.book.NewStreamWriter(rowsSheet); err != nil {
		return err
	}
	if err := w.sheet.SetColWidth(1, len(w.columns), 24); err != nil {
		return err
	}
	top := &excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}
	if err := w.sheet.SetPanes(top); err != nil {
		return err
	}
	for _, n := range headers(w.columns, w.head.Zone) {
		w.cells = append(w.cells, excelize.Cell{StyleID: w.bold, Value: n})
	}
	return w.write()
}

// write writes the cells as the next row of the sheet.
func (w *xlsxWriter) write() error {
	if w.at++; w.at > excelize.TotalRows {
		return errXLSXFull
	}
	err := w.sheet.SetRow("A"+strconv.Itoa(w.at), w.cells)
	w.cells = w.cells[:0]
	return err
}

func (w *xlsxWriter) row(r Row) error {
	for i, c := range w.columns {
		cell, err := w.cell(c.Kind, r[i])
		if err != nil {
			return fmt.Errorf("export: column %s: %w", c.Name, err)
		}
		w.cells = append(w.cells, cell)
	}
	return w.write()
}

// cell returns a value as the library takes it.
func (w *xlsxWriter) cell(kind Kind, value any) (any, error) {
	switch v := value.(type) {
	case string:
		if day, err := time.Parse(time.DateOnly, v); kind == Day && err == nil {
			return excelize.Cell{StyleID: w.day, Value: wallClock(day)}, nil
		}
		if percent, err := strconv.ParseFloat(v, 64); kind == Percent && err == nil {
			return excelize.Cell{StyleID: w.percent, Value: percent / 100}, nil
		}
		return Cell(v), nil
	case int64:
		if v > exactAbove || v < -exactAbove {
			return strconv.FormatInt(v, 10), nil
		}
		return excelize.Cell{StyleID: w.number, Value: v}, nil
	case models.Amount:
		if v > exactAbove || v < -exactAbove {
			return v.String(), nil
		}
		// A spreadsheet shows the nearest floating-point number to so few digits as exactly these digits.
		return excelize.Cell{StyleID: w.money, Value: float64(v) / 100}, nil
	case bool:
		return yes(v), nil
	case time.Time:
		if !v.IsZero() {
			return excelize.Cell{StyleID: w.moment, Value: wallClock(v.In(w.head.Zone))}, nil
		}
		return nil, nil
	case nil:
		return nil, nil
	}
	return nil, fmt.Errorf("it cannot hold a %T", value)
}

// wallClock returns a time as a spreadsheet stores it: days since the end of 1899 in local time, to the millisecond. A
// spreadsheet has no time zones; a CSV has the offset.
func wallClock(t time.Time) float64 {
	_, offset := t.Zone()
	const day, from1899 = 24 * 60 * 60 * 1000, 25569
	return float64(t.UnixMilli()+int64(offset)*1000)/day + from1899
}

// area returns the cells of so many rows.
func (w *xlsxWriter) area(rows int) string {
	last, err := excelize.CoordinatesToCellName(len(w.columns), rows)
	if err != nil {
		return "A1"
	}
	return "A1:" + last
}

// straightZip writes the ZIP directly to the file. By default, excelize builds the whole workbook in memory.
func (w *xlsxWriter) straightZip(io.Writer) excelize.ZipWriter {
	return &sheetZip{zip.NewWriter(w.to), strings.NewReplacer(w.area(excelize.TotalRows), w.area(w.rows))}
}

// sheetZip corrects the dimension of the sheet of rows, which readers need first but is known last.
type sheetZip struct {
	*zip.Writer
	dimension *strings.Replacer
}

func (z *sheetZip) Create(name string) (io.Writer, error) {
	to, err := z.Writer.Create(name)
	if name != "xl/worksheets/sheet1.xml" || err != nil {
		return to, err
	}
	return &sheetBegin{to, z.dimension}, nil
}

// sheetBegin is the sheet's file, whose first piece has the dimension.
type sheetBegin struct {
	io.Writer
	dimension *strings.Replacer
}

func (s *sheetBegin) Write(p []byte) (int, error) {
	if s.dimension == nil {
		return s.Writer.Write(p)
	}
	_, err := s.dimension.WriteString(s.Writer, string(p))
	s.dimension = nil
	return len(p), err
}

// finish ends the table, so that it can be filtered, and writes the sheet about the file.
func (w *xlsxWriter) finish(rows int64) error {
	if w.at > 1 {
		if err := w.sheet.AddTable(&excelize.Table{Range: w.area(w.at), StyleName: "TableStyleLight1"}); err != nil {
			return err
		}
	}
	if err := w.sheet.Flush(); err != nil {
		return err
	}
	remarks := w.head.remarks(rows)
	_, err := w.book.NewSheet(aboutSheet)
	if err == nil {
		err = w.book.SetSheetDimension(aboutSheet, "A1:B"+strconv.Itoa(len(remarks)))
	}
	if err != nil {
		return err
	}
	if w.sheet, err = w.book.NewStreamWriter(aboutSheet); err != nil {
		return err
	}
	if err := w.sheet.SetColWidth(1, 2, 40); err != nil {
		return err
	}
	w.rows, w.at = w.at, 0
	for _, l := range remarks {
		w.cells = append(w.cells, Cell(l.Name), Cell(l.Text))
		if err := w.write(); err != nil {
			return err
		}
	}
	if err := w.sheet.Flush(); err != nil {
		return err
	}
	w.book.SetZipWriter(w.straightZip)
	_, err = w.book.WriteToBuffer()
	return err
}

func (w *xlsxWriter) close() error { return w.book.Close() }
