package export

import (
	"encoding/csv"
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
	finish(rows int64, sums []Sum) error
	// close releases the writer's resources, whether finished or not.
	close() error
}

// csvWriter writes comma-separated values in UTF-8 with a byte order mark, by which spreadsheets recognize it. Information
// about the file is in lines that begin with #, before the header and after the last row.
type csvWriter struct {
	out     *csv.Writer
	columns []Column
	zone    *time.Location
	fields  []string
}

func newCSV(to io.Writer, head Head, columns []Column) (*csvWriter, error) {
	w := &csvWriter{out: csv.NewWriter(to), columns: columns, zone: head.Zone}
	if _, err := io.WriteString(to, "\ufeff"); err != nil {
		return nil, err
	}
	if err := w.remarks(head.remarks()); err != nil {
		return nil, err
	}
	return w, w.out.Write(headers(columns, head.Zone))
}

// remarks writes one line per remark, in a single cell. The # in front prevents formulas.
func (w *csvWriter) remarks(lines []remark) error {
	for _, l := range lines {
		if err := w.out.Write([]string{harmless(fmt.Sprintf("# %s: %v", l.name, l.value))}); err != nil {
			return err
		}
	}
	return nil
}

func (w *csvWriter) row(r Row) error {
	w.fields = w.fields[:0]
	for i, c := range w.columns {
		switch v := r[i].(type) {
		case string:
			w.fields = append(w.fields, harmless(v))
		case int64:
			w.fields = append(w.fields, strconv.FormatInt(v, 10))
		case models.Amount:
			w.fields = append(w.fields, v.String())
		case models.Sum:
			w.fields = append(w.fields, v.String())
		case bool:
			w.fields = append(w.fields, yes(v))
		case nil:
			w.fields = append(w.fields, "")
		case time.Time:
			if v.IsZero() {
				w.fields = append(w.fields, "", "")
				continue
			}
			w.fields = append(w.fields, v.In(w.zone).Format(localLayout), v.UTC().Format(utcLayout))
		default:
			return fmt.Errorf("export: column %s cannot hold a %T", c.Name, v)
		}
	}
	return w.out.Write(w.fields)
}

func (w *csvWriter) finish(rows int64, sums []Sum) error {
	if err := w.remarks(tail(rows, sums)); err != nil {
		return err
	}
	w.out.Flush()
	return w.out.Error()
}

func (w *csvWriter) close() error { return nil }
