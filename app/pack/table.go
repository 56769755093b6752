package pack

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"

	"pitboss/app/export"
)

// table is one table of the pack, as JSON and CSV. The JSON is a list of objects, one on each line. The CSV is derived from it,
// with a column for each field, so that the two can be compared.
type table struct {
	name      string
	rows      int64
	json, csv *os.File
	lines     *bufio.Writer
	cells     *csvWriter
}

// newTable begins a table in the folder for temporary files. zero is a row without values, which names the columns.
func (w *making) newTable(name string, zero any) (*table, error) {
	t := &table{name: name}
	w.tables = append(w.tables, t)
	var err, err2 error
	t.json, err = os.Create(filepath.Join(w.dir, name+".json"))
	t.csv, err2 = os.Create(filepath.Join(w.dir, name+".csv"))
	if err := errors.Join(err, err2); err != nil {
		return nil, err
	}
	t.lines = bufio.NewWriterSize(t.json, 64<<10)
	if t.cells, err = newCSVWriter(t.csv, zero); err != nil {
		return nil, err
	}
	_, err = t.lines.WriteString("[")
	return t, err
}

func (t *table) add(row any) error {
	line, err := encode(row)
	if err != nil {
		return err
	}
	end := "\n"
	if t.rows > 0 {
		end = ",\n"
	}
	t.rows++
	t.lines.WriteString(end)
	t.lines.Write(line) // bufio remembers its first error
	return t.cells.write(line)
}

// store adds the table to the ZIP.
func (t *table) store(z *archive) error {
	if _, err := t.lines.WriteString("\n]\n"); err != nil {
		return err
	}
	if err := errors.Join(t.lines.Flush(), t.cells.flush()); err != nil {
		return err
	}
	for name, f := range map[string]*os.File{".json": t.json, ".csv": t.csv} {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return errors.Join(err, errors.New(name))
		}
	}
	if err := z.add(t.name+".csv", t.rows, t.csv); err != nil {
		return err
	}
	return z.add(t.name+".json", t.rows, t.json)
}

func (t *table) close() (err error) {
	for _, f := range []*os.File{t.json, t.csv} {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	return err
}

// csvWriter writes lines of JSON as CSV, in UTF-8 with the byte order mark by which spreadsheets recognize it.
type csvWriter struct {
	out   *csv.Writer
	bytes *bufio.Writer
}

func newCSVWriter(to io.Writer, zero any) (*csvWriter, error) {
	w := &csvWriter{bytes: bufio.NewWriterSize(to, 64<<10)}
	w.out = csv.NewWriter(w.bytes)
	line, err := encode(zero)
	if err != nil {
		return nil, err
	}
	names, _, err := fields(line)
	if err != nil {
		return nil, err
	}
	if _, err := w.bytes.WriteString("\ufeff"); err != nil {
		return nil, err
	}
	return w, w.out.Write(names)
}

func (w *csvWriter) write(line []byte) error {
	_, cells, err := fields(line)
	if err != nil {
		return err
	}
	return w.out.Write(cells)
}

func (w *csvWriter) flush() error {
	w.out.Flush()
	return errors.Join(w.out.Error(), w.bytes.Flush())
}

var errNoObject = errors.New("this line is not a JSON object")

// fields returns the names and values of a JSON object as CSV cells. A text stays as it is, unless a spreadsheet would take it
// for a formula; lists and objects stay JSON.
func fields(line []byte) (names, cells []string, err error) {
	d := json.NewDecoder(bytes.NewReader(line))
	if begin, err := d.Token(); err != nil || begin != json.Delim('{') {
		return nil, nil, errNoObject
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, nil, err
		}
		cell := string(value)
		switch cell[0] {
		case '"':
			if err := json.Unmarshal(value, &cell); err != nil {
				return nil, nil, err
			}
		case 'n':
			cell = ""
		case 't':
			cell = "yes"
		case 'f':
			cell = "no"
		}
		text, _ := name.(string)
		names, cells = append(names, text), append(cells, export.Cell(cell))
	}
	return names, cells, nil
}
