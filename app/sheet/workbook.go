package sheet

import (
	"archive/zip"
	"errors"
	"io"
	"path"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/xuri/excelize/v2"

	"pitboss/models"
)

// Limits on a workbook, which is a ZIP of XML: a few kilobytes can become gigabytes.
const (
	maxWorkbook = 32 << 20 // bytes of the file
	maxUnzipped = 32 << 20 // bytes of everything in it
	maxTexts    = 8 << 20  // bytes of the texts that cells share
	maxPart     = 2 << 20  // bytes of any other part besides sheets
	inMemory    = 1 << 20  // bytes of a part above which it is unzipped to disk
)

const (
	errWorkbook      = Unreadable("this workbook cannot be read: open it in the spreadsheet, and save it as .xlsx or as CSV again")
	errWorkbookBusy  = Unreadable("other workbooks are being read: try again in a minute, or save this one as CSV")
	errWorkbookLarge = Unreadable("this workbook is too large: save it as CSV, and choose that file")
)

// places limits how many workbooks are read at once, because reading one takes seconds of a processor and many times its size in
// memory. Comparisons of statements use two of them at most (reconcile), so one is always for files that somebody waits for.
var places = make(chan struct{}, 3)

const placePatience = 15 * time.Second

// workbook reads the first sheet of a workbook.
type workbook struct {
	book *excelize.File
	rows *excelize.Rows
	at   int
	free sync.Once // of its place
}

func (f *File) openWorkbook(from io.ReadSeeker) (source, error) {
	size, err := from.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	if size > maxWorkbook {
		return nil, errWorkbookLarge
	}
	if err := checkParts(from, size); err != nil {
		return nil, err
	}
	select {
	case places <- struct{}{}:
	case <-time.After(placePatience):
		return nil, errWorkbookBusy
	}
	opened := false
	defer func() {
		if !opened { // also if the library panics on a hostile workbook, or three of them would take all places for good
			<-places
		}
	}()
	w, err := f.readWorkbook(from)
	opened = err == nil
	if err != nil {
		return nil, err
	}
	return w, nil
}

// readWorkbook opens a workbook for which there is a place.
func (f *File) readWorkbook(from io.ReadSeeker) (*workbook, error) {
	if _, err := from.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	book, err := excelize.OpenReader(from, excelize.Options{UnzipSizeLimit: maxUnzipped, UnzipXMLSizeLimit: inMemory})
	if err != nil {
		return nil, errWorkbook
	}
	w := &workbook{book: book}
	sheets := book.GetSheetList()
	if len(sheets) == 0 {
		return nil, errors.Join(errWorkbook, w.end())
	}
	if err := w.plainNumbers(); err != nil {
		return nil, errors.Join(errWorkbook, w.end())
	}
	if w.rows, err = book.Rows(sheets[0]); err != nil {
		return nil, errors.Join(errWorkbook, w.end())
	}
	f.note("Read from the sheet “%s” of the workbook.", sheets[0])
	if others := sheets[1:]; len(others) > 0 {
		f.note("Not read: the other sheets, %s.", strings.Join(others, ", "))
	}
	return w, nil
}

// checkParts returns an error if the parts of a workbook say that they are larger than allowed. The ZIP reader refuses a part that
// is larger than it says.
func checkParts(from io.ReadSeeker, size int64) error {
	at, can := from.(io.ReaderAt)
	if !can {
		return errWorkbook
	}
	z, err := zip.NewReader(at, size)
	if err != nil {
		return errWorkbook
	}
	total := uint64(0)
	for _, part := range z.File {
		most := uint64(maxPart)
		switch name := strings.ToLower(strings.ReplaceAll(part.Name, "\\", "/")); {
		case path.Dir(name) == "xl/worksheets", strings.HasPrefix(name, "xl/media/"):
			most = maxUnzipped
		case name == "xl/sharedstrings.xml":
			most = maxTexts
		}
		if total += part.UncompressedSize64; part.UncompressedSize64 > most || total > maxUnzipped {
			return errWorkbookLarge
		}
	}
	return nil
}

// dateFormat matches the formats of numbers that are days or times; what is in quotes or brackets does not count.
var (
	literals   = regexp.MustCompile(`"[^"]*"|\\.|\[[^\]]*\]`)
	dateFormat = regexp.MustCompile(`(?i)[ymdhs]`)
)

// plainNumbers makes cells say what they contain and not how it is shown: numbers in full, and days and times in the order of year,
// month and day.
func (w *workbook) plainNumbers() error {
	if w.book.Styles == nil || w.book.Styles.CellXfs == nil { // a small program may write none
		return nil
	}
	style, err := w.book.NewStyle(&excelize.Style{CustomNumFmt: new("yyyy-mm-dd hh:mm:ss.000")})
	if err != nil {
		return err
	}
	styles := w.book.Styles
	moment, dates := *styles.CellXfs.Xf[style].NumFmtID, map[int]bool{}
	for id := range 82 { // the formats that need no code: days, and times that Excel counts from midnight
		dates[id] = id >= 14 && id <= 22 || id >= 27 && id <= 36 || id >= 45 && id <= 47 || id >= 50 && id <= 58
	}
	if styles.NumFmts != nil {
		for _, format := range styles.NumFmts.NumFmt {
			dates[format.NumFmtID] = dateFormat.MatchString(literals.ReplaceAllString(format.FormatCode, ""))
		}
	}
	for i := range styles.CellXfs.Xf {
		if id := styles.CellXfs.Xf[i].NumFmtID; id != nil && dates[*id] {
			styles.CellXfs.Xf[i].NumFmtID = &moment
		} else {
			styles.CellXfs.Xf[i].NumFmtID = nil
		}
	}
	return nil
}

func (w *workbook) next() (l line, err error) {
	if w.at++; !w.rows.Next() {
		if err := w.rows.Error(); err != nil {
			return l, errWorkbook
		}
		return l, io.EOF
	}
	l.number = w.at
	if l.cells, err = w.rows.Columns(); err != nil {
		return l, errWorkbook
	}
	if l.cells == nil {
		l.cells = []string{}
	}
	length := 0
	for i, cell := range l.cells {
		if length += len(cell); length > maxLine {
			return line{number: w.at, err: errLineLong}, nil
		}
		l.cells[i] = models.UnguardCell(strings.TrimSpace(strings.Map(onOneLine, cell)))
	}
	return l, nil
}

func onOneLine(r rune) rune {
	if r == '\n' || r == '\r' || r == '\t' {
		return ' '
	}
	return r
}

func (w *workbook) close() error {
	w.free.Do(func() { <-places })
	return w.end()
}

func (w *workbook) end() error {
	var err error
	if w.rows != nil {
		err = w.rows.Close()
	}
	return errors.Join(err, w.book.Close())
}
