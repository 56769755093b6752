package db

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"net/netip"
	"strconv"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"pitboss/models"
)

// Tx returns the sql.Tx of a GORM transaction.
func Tx(tx *gorm.DB) *sql.Tx { return tx.Statement.ConnPool.(*sql.Tx) }

// LikeLiteral escapes a text for LIKE ... ESCAPE '!'.
var LikeLiteral = strings.NewReplacer("!", "!!", "%", "!%", "_", "!_")

// Locking makes the next SELECT lock its rows until the transaction ends.
func (s *DB) Locking(tx *gorm.DB) *gorm.DB {
	if s.Dialect == MySQL {
		return tx.Clauses(clause.Locking{Strength: "UPDATE"})
	}
	return tx
}

// Statement builds an SQL statement with many rows. Numbers and hashes are written into the text, which is safe because they
// cannot contain SQL; texts are always bound.
type Statement struct {
	Buf  []byte
	args []any
}

// Begin begins another statement.
func (q *Statement) Begin(text string) *Statement {
	q.Buf, q.args = append(q.Buf[:0], text...), q.args[:0]
	return q
}

// Text adds SQL unchanged. It must never be called with anything from outside.
func (q *Statement) Text(s string) *Statement {
	q.Buf = append(q.Buf, s...)
	return q
}

// Comma adds a comma.
func (q *Statement) Comma() *Statement { return q.Text(",") }

// Row begins the values of row i.
func (q *Statement) Row(i int) {
	if i > 0 {
		q.Comma()
	}
	q.Text("(")
}

// Number writes out n.
func (q *Statement) Number(n int64) *Statement {
	q.Buf = strconv.AppendInt(q.Buf, n, 10)
	return q
}

// Flag writes out b as 1 or 0.
func (q *Statement) Flag(b bool) *Statement {
	if b {
		return q.Text("1")
	}
	return q.Text("0")
}

// String binds s.
func (q *Statement) String(s string) *Statement {
	q.Buf = append(q.Buf, '?')
	q.args = append(q.args, s)
	return q
}

// Hash writes out h.
func (q *Statement) Hash(h *models.Hash) *Statement { return q.bytes(h[:]) }

// Digest writes out d, or NULL if there is none.
func (q *Statement) Digest(d models.SignedDigest) *Statement {
	if d == (models.SignedDigest{}) {
		return q.Text("NULL")
	}
	return q.bytes(d[:])
}

// bytes writes out b in hexadecimal.
func (q *Statement) bytes(b []byte) *Statement {
	q.Buf = append(q.Buf, "x'"...)
	q.Buf = hex.AppendEncode(q.Buf, b)
	q.Buf = append(q.Buf, '\'')
	return q
}

// Digests writes out a list of digests.
func (q *Statement) Digests(list []models.SignedDigest) *Statement { return listed(q, list, q.Digest) }

// Address writes out the bytes of an address, which are none for the zero Addr.
func (q *Statement) Address(a netip.Addr) *Statement {
	return q.bytes(a.AsSlice())
}

// Numbers writes out a list of numbers.
func (q *Statement) Numbers(list []int64) *Statement { return listed(q, list, q.Number) }

// Strings binds a list of texts.
func (q *Statement) Strings(list []string) *Statement { return listed(q, list, q.String) }

// listed adds the items of a list with commas between them.
func listed[T any](q *Statement, list []T, add func(T) *Statement) *Statement {
	for i, item := range list {
		if i > 0 {
			q.Comma()
		}
		add(item)
	}
	return q
}

// Execer runs statements.
type Execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// Queryer runs queries.
type Queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Exec runs the statement.
func (q *Statement) Exec(ctx context.Context, tx Execer) error {
	_, err := tx.ExecContext(ctx, string(q.Buf), q.args...)
	return err
}

// Query runs the statement and calls scan for each row. If the statement consists of several queries (see Packet), each has its
// own function.
func (q *Statement) Query(ctx context.Context, tx Queryer, scan ...func(*sql.Rows) error) error {
	rows, err := tx.QueryContext(ctx, string(q.Buf), q.args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for i, scan := range scan {
		if i > 0 && !rows.NextResultSet() {
			return cmp.Or(rows.Err(), errors.New("the database answered fewer queries than it was sent"))
		}
		for rows.Next() {
			if err := scan(rows); err != nil {
				return err
			}
		}
	}
	return rows.Err()
}

// StoredHash returns a hash read from a row. If it has the wrong length, StoredHash returns the zero hash, which no line has.
func StoredHash(b []byte) (h models.Hash) {
	if len(b) == len(h) {
		copy(h[:], b)
	}
	return h
}
