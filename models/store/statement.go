package store

import (
	"context"
	"database/sql"
	"encoding/hex"
	"net/netip"
	"strconv"

	"pitboss/models"
)

// statement builds one SQL statement of many rows. Numbers are written out, which cannot carry anything else; texts and hashes
// are always bound.
type statement struct {
	buf  []byte
	args []any
}

func (q *statement) begin(text string) *statement {
	q.buf, q.args = append(q.buf[:0], text...), q.args[:0]
	return q
}

func (q *statement) text(s string) *statement {
	q.buf = append(q.buf, s...)
	return q
}

func (q *statement) comma() *statement { return q.text(",") }

// row begins the values of row i.
func (q *statement) row(i int) {
	if i > 0 {
		q.comma()
	}
	q.text("(")
}

func (q *statement) number(n int64) *statement {
	q.buf = strconv.AppendInt(q.buf, n, 10)
	return q
}

func (q *statement) flag(b bool) *statement {
	if b {
		return q.text("1")
	}
	return q.text("0")
}

func (q *statement) string(s string) *statement {
	q.buf = append(q.buf, '?')
	q.args = append(q.args, s)
	return q
}

// sum writes out a sum as d stores it.
func (q *statement) sum(d dialect, s models.Sum) *statement {
	if _, fits := s.Amount(); fits || d == mysqlDialect {
		return q.text(s.Minor())
	}
	return q.text("'" + s.Halves() + "'")
}

// hash binds h, which must not change before the statement has run.
func (q *statement) hash(h *models.Hash) *statement {
	q.buf = append(q.buf, '?')
	q.args = append(q.args, h[:])
	return q
}

// digest writes d out.
func (q *statement) digest(d models.SignedDigest) *statement {
	q.buf = append(q.buf, "x'"...)
	q.buf = hex.AppendEncode(q.buf, d[:])
	q.buf = append(q.buf, '\'')
	return q
}

func (q *statement) digests(list []models.SignedDigest) *statement {
	for i, d := range list {
		if i > 0 {
			q.comma()
		}
		q.digest(d)
	}
	return q
}

// address writes out an address's bytes; none for the zero Addr.
func (q *statement) address(a netip.Addr) *statement {
	q.buf = append(q.buf, "x'"...)
	if a.Is4() {
		b := a.As4()
		q.buf = hex.AppendEncode(q.buf, b[:])
	} else if a.IsValid() {
		b := a.As16()
		q.buf = hex.AppendEncode(q.buf, b[:])
	}
	q.buf = append(q.buf, '\'')
	return q
}

func (q *statement) numbers(list []int64) *statement {
	for i, n := range list {
		if i > 0 {
			q.comma()
		}
		q.number(n)
	}
	return q
}

func (q *statement) strings(list []string) *statement {
	for i, s := range list {
		if i > 0 {
			q.comma()
		}
		q.string(s)
	}
	return q
}

func (q *statement) sums(d dialect, list []models.Sum) *statement {
	for i, s := range list {
		if i > 0 {
			q.comma()
		}
		q.sum(d, s)
	}
	return q
}

type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

func (q *statement) exec(ctx context.Context, tx execer) error {
	_, err := tx.ExecContext(ctx, string(q.buf), q.args...)
	return err
}

// query calls scan for each row.
func (q *statement) query(ctx context.Context, tx queryer, scan func(*sql.Rows) error) error {
	rows, err := tx.QueryContext(ctx, string(q.buf), q.args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
