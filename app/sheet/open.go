package sheet

import (
	"bufio"
	"bytes"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// Unreadable says why a file cannot be read at all, and what to do.
type Unreadable string

// Error returns the reason.
func (u Unreadable) Error() string { return string(u) }

const (
	errOldExcel = Unreadable("this is a workbook of an old version of Excel (.xls): save it as .xlsx or as CSV, and choose that file")
	errNoText   = Unreadable("this file is neither text (CSV) nor a workbook (XLSX)")
)

// judged is how many bytes are read to find out how text is encoded.
const judged = 64 << 20

// open finds out what a file is, and makes the source of its lines.
func (f *File) open(from io.ReadSeeker) error {
	in := bufio.NewReader(from)
	begin, err := in.Peek(8)
	if err != nil && err != io.EOF {
		return err
	}
	var enc encoding.Encoding
	switch {
	case bytes.HasPrefix(begin, []byte("PK\x03\x04")):
		f.source, err = f.openWorkbook(from)
		return err
	case bytes.HasPrefix(begin, []byte("\xd0\xcf\x11\xe0")):
		return errOldExcel
	case bytes.HasPrefix(begin, []byte("\xff\xfe")), len(begin) > 3 && begin[0] != 0 && begin[1] == 0 && begin[3] == 0:
		enc = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
		f.note("Read as UTF-16 text.")
	case bytes.HasPrefix(begin, []byte("\xfe\xff")), len(begin) > 3 && begin[0] == 0 && begin[1] != 0 && begin[2] == 0:
		enc = unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
		f.note("Read as UTF-16 text.")
	default:
		western, err := isWestern(io.LimitReader(in, judged))
		if err != nil {
			return err
		}
		if enc = unicode.UTF8BOM; western {
			enc = charmap.Windows1252
			f.note("Read as Windows-1252 text: it is not UTF-8. Check that names with letters such as ö are right.")
		}
	}
	if _, err := from.Seek(0, io.SeekStart); err != nil {
		return err
	}
	var text io.Reader = enc.NewDecoder().Reader(from)
	if enc == unicode.UTF8BOM {
		// Its decoder would replace what is not UTF-8, which has to be refused.
		plain := bufio.NewReaderSize(from, maxLine)
		if bom, _ := plain.Peek(3); string(bom) == "\ufeff" {
			plain.Discard(3)
		}
		text = plain
	}
	f.source, err = newTextSource(text)
	return err
}

// isWestern reports whether text is Windows-1252: it has bytes that UTF-8 cannot have, and more of them than letters that only
// UTF-8 would have so. Text with fewer is UTF-8 in which a few lines are damaged, and so is text with NUL.
func isWestern(text io.Reader) (bool, error) {
	in := bufio.NewReaderSize(text, 64<<10)
	wide, wrong := 0, 0
	for {
		chunk, err := in.Peek(64 << 10)
		if err != nil && err != io.EOF {
			return false, err
		}
		if len(chunk) == 0 {
			return wrong > wide, nil
		}
		used := 0
		for used < len(chunk) && (utf8.FullRune(chunk[used:]) || err == io.EOF) {
			r, size := rune(chunk[used]), 1
			if r >= utf8.RuneSelf {
				if r, size = utf8.DecodeRune(chunk[used:]); r == utf8.RuneError && size == 1 {
					wrong++
				} else {
					wide++
				}
			}
			if r == 0 {
				return false, nil
			}
			used += size
		}
		in.Discard(used)
	}
}
