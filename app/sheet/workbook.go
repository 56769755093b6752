package sheet

import (
	"archive/zip"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"pitboss/app/archive"
)

// A workbook is a ZIP of XML, so a few kilobytes can expand to gigabytes. The library that writes our workbooks cannot read
// other people's safely: it returns cells without their types, takes a truncated sheet for a short one, and copies a shared
// text for each cell. Here each byte is read once, rows are passed on at once, and only shared texts stay in memory.
const (
	maxWorkbook = 32 << 20  // bytes of the file, and of a sheet in it
	maxTexts    = 8 << 20   // bytes of the texts that cells share
	maxPart     = 2 << 20   // bytes of any other part
	maxCell     = 32_767    // characters, as in Excel
	maxTokens   = 8_000_000 // tags and texts in a part: a million cells
)

const (
	errWorkbook      = Unreadable("this workbook cannot be read: open it in the spreadsheet, and save it as .xlsx or as CSV again")
	errWorkbookLarge = Unreadable("this workbook is too large: save it as CSV, and choose that file")
	errWorkbookCell  = Unreadable("a cell of this workbook has more than 32,767 characters: shorten it, and save the workbook again")
	errWorkbookBusy  = Unreadable("another workbook is being read: wait a few seconds, then choose the file again")
	errNoSheet       = Unreadable("this workbook has no visible sheet")
)

// workbooks lets one form at a time read a workbook, because that can take seconds of a processor.
var workbooks sync.Mutex

const zipBegins = "PK\x03\x04"

// alone takes the turn of a file that may be a workbook, or returns errWorkbookBusy. free gives the turn back.
func alone(from io.ReadSeeker) (free func(), err error) {
	if _, err := from.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	begin := make([]byte, len(zipBegins))
	if _, err := io.ReadFull(from, begin); err != nil || string(begin) != zipBegins {
		return func() {}, nil
	}
	if !workbooks.TryLock() {
		return nil, errWorkbookBusy
	}
	return workbooks.Unlock, nil
}

// workbook is the first visible sheet of a workbook.
type workbook struct {
	parts map[string]*zip.File // by name, in lower case
	texts []Cell               // that cells share
	kinds []Kind               // of numbers, by the style of their cell
	zero  time.Time            // the day that a workbook writes as 0
	sheet *tokens
	size  int64 // bytes of the file
	unzip int64 // bytes of the sheet
	row   int   // the number of the last row that was read
	ended bool
}

// tokens are those of a part, up to maxTokens.
type tokens struct {
	*xml.Decoder
	ctx context.Context
	n   int
}

func (t *tokens) next() (xml.Token, error) {
	if t.n++; t.n > maxTokens {
		return nil, errWorkbookLarge
	}
	if t.n%4096 == 0 && t.ctx.Err() != nil {
		return nil, stopped(t.ctx)
	}
	return t.RawToken()
}

// part opens a part of at most this many bytes, which the ZIP reader enforces. A missing part is empty.
func (w *workbook) part(name string, most uint64) (io.Reader, error) {
	part := w.parts[strings.ToLower(name)]
	if part == nil {
		return strings.NewReader(""), nil
	}
	if part.UncompressedSize64 > most {
		return nil, errWorkbookLarge
	}
	return part.Open()
}

// decode decodes a small part into a struct.
func (w *workbook) decode(name string, to any) error {
	in, err := w.part(name, maxPart)
	if err != nil {
		return err
	}
	if err := xml.NewDecoder(in).Decode(to); err != nil && err != io.EOF {
		return err
	}
	return nil
}

// related returns the parts to which a part refers, by their kinds, such as "styles", and by the IDs of the references.
func (w *workbook) related(name string) (kinds, ids map[string]string, err error) {
	var relations struct {
		List []struct {
			ID     string `xml:"Id,attr"`
			Type   string `xml:"Type,attr"`
			Target string `xml:"Target,attr"`
		} `xml:"Relationship"`
	}
	folder, file := path.Split(name)
	err = w.decode(path.Join(folder, "_rels", file+".rels"), &relations)
	kinds, ids = map[string]string{}, map[string]string{}
	for _, r := range relations.List {
		target := path.Join(folder, r.Target)
		if strings.HasPrefix(r.Target, "/") {
			target = strings.TrimPrefix(path.Clean(r.Target), "/")
		}
		kinds[path.Base(r.Type)] = target
		if path.Base(r.Type) == "worksheet" {
			ids[r.ID] = target
		}
	}
	return kinds, ids, err
}

func (f *File) openWorkbook(from io.ReadSeeker) (source, error) {
	size, err := from.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	if size > maxWorkbook {
		return nil, errWorkbookLarge
	}
	at, can := from.(io.ReaderAt)
	if !can {
		return nil, errWorkbook
	}
	z, err := archive.Open(at, size)
	if errors.Is(err, archive.ErrManyFiles) {
		return nil, errWorkbookLarge
	}
	if err != nil {
		return nil, errWorkbook
	}
	w := &workbook{parts: map[string]*zip.File{}, size: size}
	for _, part := range z.File {
		w.parts[strings.ToLower(strings.ReplaceAll(part.Name, `\`, "/"))] = part
	}
	return w, w.known(w.open(f))
}

// known replaces the errors of broken parts.
func (w *workbook) known(err error) error {
	var known Unreadable
	if err == nil || err == io.EOF || errors.As(err, &known) || errors.Is(err, context.Canceled) {
		return err
	}
	return errWorkbook
}

// open reads everything in a workbook except the rows.
func (w *workbook) open(f *File) error {
	root, _, err := w.related("")
	if err != nil {
		return err
	}
	main := root["officeDocument"]
	kinds, sheets, err := w.related(main)
	if err != nil {
		return err
	}
	var book struct {
		Properties struct {
			From1904 string `xml:"date1904,attr"`
		} `xml:"workbookPr"`
		Sheets []struct {
			Name  string `xml:"name,attr"`
			State string `xml:"state,attr"`
			ID    string `xml:"id,attr"`
		} `xml:"sheets>sheet"`
	}
	if err := w.decode(main, &book); err != nil {
		return err
	}
	if len(book.Sheets) == 0 {
		return errWorkbook
	}
	w.zero = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	if from1904, _ := strconv.ParseBool(book.Properties.From1904); from1904 {
		w.zero = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	if err := w.readStyles(kinds["styles"]); err != nil {
		return err
	}
	if err := w.readTexts(f.ctx, kinds["sharedStrings"]); err != nil {
		return err
	}
	var target string
	var others, hidden []string
	for _, s := range book.Sheets {
		switch {
		case sheets[s.ID] == "": // a chart
		case s.State == "hidden" || s.State == "veryHidden":
			hidden = append(hidden, s.Name)
		case target == "":
			target = sheets[s.ID]
			f.note("Read from the sheet “%s” of the workbook.", s.Name)
		default:
			others = append(others, s.Name)
		}
	}
	if len(others) > 0 {
		f.note("Not read: the other sheets, %s.", strings.Join(others, ", "))
	}
	if len(hidden) > 0 {
		f.note("Not read: the hidden sheets, %s.", strings.Join(hidden, ", "))
	}
	if target == "" {
		return errNoSheet
	}
	in, err := w.part(target, maxWorkbook)
	if err != nil {
		return err
	}
	w.sheet = &tokens{Decoder: xml.NewDecoder(in), ctx: f.ctx}
	if part := w.parts[strings.ToLower(target)]; part != nil {
		w.unzip = int64(part.UncompressedSize64)
	}
	return nil
}

// Formats of numbers as dates or percentages, without the parts in quotes or brackets.
var (
	literals   = regexp.MustCompile(`"[^"]*"|\\.|\[[^\]]*\]`)
	dateFormat = regexp.MustCompile(`(?i)[ymdhs]`)
)

// readStyles reads which styles show numbers as dates or percentages.
func (w *workbook) readStyles(name string) error {
	var styles struct {
		Formats []struct {
			ID   int    `xml:"numFmtId,attr"`
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmts>numFmt"`
		Styles []struct {
			Format int `xml:"numFmtId,attr"`
		} `xml:"cellXfs>xf"`
	}
	if err := w.decode(name, &styles); err != nil {
		return err
	}
	formats := map[int]Kind{9: Percent, 10: Percent}
	for id := range 59 { // the formats that need no code: days, and times that Excel counts from midnight
		if id >= 14 && id <= 22 || id >= 27 && id <= 36 || id >= 45 && id <= 47 || id >= 50 {
			formats[id] = Date
		}
	}
	for _, format := range styles.Formats {
		switch code := literals.ReplaceAllString(format.Code, ""); {
		case strings.Contains(code, "%"):
			formats[format.ID] = Percent
		case dateFormat.MatchString(code):
			formats[format.ID] = Date
		default:
			formats[format.ID] = Number
		}
	}
	for _, style := range styles.Styles {
		w.kinds = append(w.kinds, cmp.Or(formats[style.Format], Number))
	}
	return nil
}

// readTexts reads the texts that cells share.
func (w *workbook) readTexts(ctx context.Context, name string) error {
	in, err := w.part(name, maxTexts)
	if err != nil {
		return err
	}
	from := &tokens{Decoder: xml.NewDecoder(in), ctx: ctx}
	for {
		token, err := from.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if is, start := token.(xml.StartElement); start && is.Name.Local == "si" {
			text, err := from.textOf("si")
			if err != nil {
				return err
			}
			cell, err := textCell(text)
			if err != nil {
				return err
			}
			w.texts = append(w.texts, cell)
		}
	}
}

// textOf returns the text in an element that has just begun: values, and texts that are not phonetic.
func (t *tokens) textOf(element string) (string, error) {
	var text strings.Builder
	in, phonetic := false, false
	for {
		token, err := t.next()
		if err != nil {
			return "", cmp.Or(err, io.ErrUnexpectedEOF)
		}
		switch token := token.(type) {
		case xml.StartElement:
			phonetic = phonetic || token.Name.Local == "rPh"
			in = !phonetic && (token.Name.Local == "t" || token.Name.Local == "v")
		case xml.CharData:
			if in {
				text.Write(token)
			}
			if text.Len() > maxCell*utf8.UTFMax {
				return "", errWorkbookCell
			}
		case xml.EndElement:
			in, phonetic = false, phonetic && token.Name.Local != "rPh"
			if token.Name.Local == element {
				return text.String(), nil
			}
		}
	}
}

// next returns the next row that has cells. A sheet that ends within its rows is an error.
func (w *workbook) next() (line, error) {
	if w.ended {
		return line{}, io.EOF
	}
	l, err := w.nextRow()
	if err == io.EOF && !w.ended {
		err = errWorkbook
	}
	return l, w.known(err)
}

func (w *workbook) nextRow() (l line, err error) {
	length, column := 0, 0
	for {
		token, err := w.sheet.next()
		if err != nil {
			return l, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			switch token.Name.Local {
			case "row":
				l, length, column = line{number: w.row + 1}, 0, 0
				if number, err := strconv.Atoi(attribute(token, "r")); err == nil {
					l.number = number
				}
				if l.number <= w.row {
					return l, errWorkbook
				}
				w.row = l.number
			case "c":
				if at := columnOf(attribute(token, "r")); at > 0 {
					column = at - 1
				}
				cell, err := w.cell(token)
				if err != nil {
					return l, err
				}
				if length += len(cell.Text); length > maxLine {
					l.err = errLineLong
				}
				if cell.Text != "" && l.err == nil {
					if column >= maxColumns {
						return l, errWorkbookLarge
					}
					for len(l.cells) <= column {
						l.cells = append(l.cells, Cell{})
					}
					l.cells[column] = cell
				}
				column++
			}
		case xml.EndElement:
			switch token.Name.Local {
			case "row":
				if len(l.cells) > 0 || l.err != nil {
					return l, nil
				}
			case "sheetData":
				w.ended = true
				return l, io.EOF
			}
		}
	}
}

func attribute(of xml.StartElement, name string) string {
	for _, a := range of.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// columnOf returns the number of the column of a cell such as AB12, counted from 1, or 0.
func columnOf(reference string) (n int) {
	for _, r := range reference {
		if r < 'A' || r > 'Z' || n > maxColumns {
			break
		}
		n = n*26 + int(r-'A') + 1
	}
	return n
}

// cell reads a cell that has just begun.
func (w *workbook) cell(begin xml.StartElement) (Cell, error) {
	text, err := w.sheet.textOf("c")
	if err != nil || text == "" {
		return Cell{}, err
	}
	switch attribute(begin, "t") {
	case "s":
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 0 || n >= len(w.texts) {
			return Cell{}, errWorkbook
		}
		return w.texts[n], nil
	case "b":
		return Cell{Text: map[bool]string{true: "TRUE", false: "FALSE"}[strings.TrimSpace(text) == "1"], Kind: Boolean}, nil
	case "d":
		return Cell{Text: strings.TrimSpace(strings.Replace(text, "T", " ", 1)), Kind: Date}, nil
	case "str", "inlineStr", "e":
		return textCell(text)
	}
	kind := Number
	if style, err := strconv.Atoi(attribute(begin, "s")); err == nil && style >= 0 && style < len(w.kinds) {
		kind = w.kinds[style]
	}
	return w.number(strings.TrimSpace(text), kind), nil
}

// escaped matches an escaped character in the texts of workbooks.
var escaped = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

// textCell returns a cell with text, on one line and without the apostrophe that our exports put in front.
func textCell(text string) (Cell, error) {
	if utf8.RuneCountInString(text) > maxCell {
		return Cell{}, errWorkbookCell
	}
	text = escaped.ReplaceAllStringFunc(text, func(code string) string {
		n, _ := strconv.ParseUint(code[2:6], 16, 16)
		return string(rune(n))
	})
	return Cell{Text: unguard(strings.TrimSpace(strings.Map(onOneLine, text)))}, nil
}

func onOneLine(r rune) rune {
	if r == '\n' || r == '\r' || r == '\t' {
		return ' '
	}
	return r
}

// number returns a cell with a number that is shown as kind. Spreadsheets write the errors of binary fractions behind
// maxDigits.
func (w *workbook) number(text string, kind Kind) Cell {
	value, err := strconv.ParseFloat(text, 64)
	d, wrong := decimal.NewFromString(strconv.FormatFloat(value, 'e', maxDigits-1, 64))
	switch {
	case err != nil || wrong != nil:
		return Cell{Text: text}
	case kind == Date && value >= 0 && value < 2_958_466: // the year 10000
		at := w.zero.Add(time.Duration(d.Shift(3).Mul(decimal.NewFromInt(86_400)).Round(0).IntPart()) * time.Millisecond)
		return Cell{Text: strings.TrimSuffix(at.Format("2006-01-02 15:04:05.999"), " 00:00:00"), Kind: Date}
	case kind == Percent:
		return Cell{Text: d.Shift(2).String() + "%", Kind: Percent}
	case digits(text):
		return Cell{Text: text, Kind: Number}
	}
	return Cell{Text: d.String(), Kind: Number}
}
