package db

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"net/netip"
	"reflect"
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

// Statement is an SQL statement that is put together, such as one with many rows.
type Statement struct {
	text []byte
	args []any
}

// Begin begins another statement.
func (q *Statement) Begin(text string, values ...any) *Statement {
	q.text, q.args = q.text[:0], q.args[:0]
	return q.Add(text, values...)
}

// Add adds SQL, in which each ? stands for the next value; a list stands for its items with commas between them, and nil and a
// zero digest for NULL. Numbers and hashes are written into the text, which is safe because they cannot contain SQL; texts are
// bound. text must never have anything from outside.
func (q *Statement) Add(text string, values ...any) *Statement {
	for _, v := range values {
		before, after, _ := strings.Cut(text, "?")
		q.text = append(q.text, before...)
		q.value(v)
		text = after
	}
	q.text = append(q.text, text...)
	return q
}

// Row adds row i of the values of an INSERT.
func (q *Statement) Row(i int, text string, values ...any) {
	if i > 0 {
		q.text = append(q.text, ',')
	}
	q.Add(text, values...)
}

// Upsert adds the end of an INSERT that sets columns to their new values if the key exists already.
func (q *Statement) Upsert(key string, d Dialect, columns ...string) *Statement {
	q.Add(d.OnConflict(key))
	for i, column := range columns {
		if i > 0 {
			q.text = append(q.text, ',')
		}
		q.Add(d.Incoming(column))
	}
	return q
}

// value adds a value. A list without items becomes NULL, so that nothing is IN it.
func (q *Statement) value(v any) {
	var raw []byte // written in hexadecimal
	switch v := v.(type) {
	case nil:
		q.text = append(q.text, "NULL"...)
		return
	case int64:
		q.text = strconv.AppendInt(q.text, v, 10)
		return
	case models.Amount:
		q.text = strconv.AppendInt(q.text, int64(v), 10)
		return
	case bool:
		if v {
			q.text = append(q.text, '1')
		} else {
			q.text = append(q.text, '0')
		}
		return
	case []int64:
		list(q, v)
		return
	case []string:
		list(q, v)
		return
	case []models.SignedDigest:
		list(q, v)
		return
	case *models.Hash:
		raw = v[:]
	case models.SignedDigest:
		if v == (models.SignedDigest{}) {
			q.text = append(q.text, "NULL"...)
			return
		}
		raw = v[:]
	case netip.Addr:
		raw = v.AsSlice() // none for the zero Addr
	default:
		switch r := reflect.ValueOf(v); r.Kind() {
		case reflect.String:
			q.text, q.args = append(q.text, '?'), append(q.args, r.String())
		case reflect.Uint8:
			q.text = strconv.AppendUint(q.text, r.Uint(), 10)
		default:
			q.text = strconv.AppendInt(q.text, r.Int(), 10) // which panics for what is no number
		}
		return
	}
	q.text = append(q.text, "x'"...)
	q.text = hex.AppendEncode(q.text, raw)
	q.text = append(q.text, '\'')
}

func list[T any](q *Statement, items []T) {
	if len(items) == 0 {
		q.value(nil)
	}
	for i, item := range items {
		if i > 0 {
			q.text = append(q.text, ',')
		}
		q.value(item)
	}
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
	_, err := tx.ExecContext(ctx, string(q.text), q.args...)
	return err
}

// Query runs the statement and calls scan for each row. If the statement consists of several queries (see Packet), each has its
// own function.
func (q *Statement) Query(ctx context.Context, tx Queryer, scan ...func(*sql.Rows) error) error {
	rows, err := tx.QueryContext(ctx, string(q.text), q.args...)
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
