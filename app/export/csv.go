package export

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"pitboss/models"
)

// writer writes a file row by row.
type writer interface {
	row(Row) error
	// finish writes the end of the file, without which it is incomplete.
	finish(rows int64) error
	// close releases the writer's resources, whether finished or not.
	close() error
}

// csvWriter writes a table and nothing else, so that every program can read it. Only an XLSX has a sheet about the file.
type csvWriter struct {
	out     *CSVWriter
	columns []Column
	zone    *time.Location
	fields  []string
}

func newCSV(to io.Writer, head Head, columns []Column) (*csvWriter, error) {
	w := &csvWriter{out: NewCSV(to), columns: columns, zone: head.Zone}
	w.out.Mark()
	return w, w.out.Write(headers(columns, head.Zone))
}

func (w *csvWriter) row(r Row) error {
	w.fields = w.fields[:0]
	for i, c := range w.columns {
		switch v := r[i].(type) {
		case string:
			w.fields = append(w.fields, Cell(v))
		case int64:
			w.fields = append(w.fields, strconv.FormatInt(v, 10))
		case models.Amount:
			w.fields = append(w.fields, v.String())
		case bool:
			w.fields = append(w.fields, yes(v))
		case nil:
			w.fields = append(w.fields, "")
		case time.Time:
			at := ""
			if !v.IsZero() {
				at = v.In(w.zone).Format(timeLayout)
			}
			w.fields = append(w.fields, at)
		default:
			return fmt.Errorf("export: column %s cannot hold a %T", c.Name, v)
		}
	}
	return w.out.Write(w.fields)
}

func (w *csvWriter) finish(int64) error { return w.out.Flush() }

func (w *csvWriter) close() error { return nil }
