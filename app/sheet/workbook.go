package sheet

import (
	"archive/zip"
	"io"
	"path"
	"regexp"
	"strings"
	"sync"

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
	errWorkbookLarge = Unreadable("this workbook is too large: save it as CSV, and choose that file")
)

// workbooks lets one workbook be read at a time, because reading one takes seconds of a processor and many times its size in memory.
var workbooks sync.Mutex

// workbook has the rows of the first sheet of a workbook that have cells.
type workbook struct{ rows []line }

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
	if _, err := from.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	workbooks.Lock()
	defer workbooks.Unlock() // also if the library panics on a hostile workbook
	book, err := excelize.OpenReader(from, excelize.Options{UnzipSizeLimit: maxUnzipped, UnzipXMLSizeLimit: inMemory})
	if err != nil {
		return nil, errWorkbook
	}
	defer book.Close()
	sheets := book.GetSheetList()
	if len(sheets) == 0 || plainNumbers(book) != nil {
		return nil, errWorkbook
	}
	rows, err := book.Rows(sheets[0])
	if err != nil {
		return nil, errWorkbook
	}
	defer rows.Close()
	w := &workbook{}
	for number := 1; rows.Next(); number++ {
		cells, err := rows.Columns()
		if err != nil {
			return nil, errWorkbook
		}
		if len(cells) > maxColumns {
			return nil, errWorkbookLarge // a row takes as much memory as its last column is far
		}
		if len(cells) > 0 {
			w.rows = append(w.rows, workbookLine(number, cells))
		}
	}
	if rows.Error() != nil {
		return nil, errWorkbook
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
func plainNumbers(book *excelize.File) error {
	if book.Styles == nil || book.Styles.CellXfs == nil { // a small program may write none
		return nil
	}
	style, err := book.NewStyle(&excelize.Style{CustomNumFmt: new("yyyy-mm-dd hh:mm:ss.000")})
	if err != nil {
		return err
	}
	styles := book.Styles
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
	if len(w.rows) == 0 {
		return l, io.EOF
	}
	l, w.rows = w.rows[0], w.rows[1:]
	return l, nil
}

func workbookLine(number int, cells []string) line {
	length := 0
	for i, cell := range cells {
		if length += len(cell); length > maxLine {
			return line{number: number, err: errLineLong}
		}
		cells[i] = models.UnguardCell(strings.TrimSpace(strings.Map(onOneLine, cell)))
	}
	return line{number: number, cells: cells}
}

func onOneLine(r rune) rune {
	if r == '\n' || r == '\r' || r == '\t' {
		return ' '
	}
	return r
}
