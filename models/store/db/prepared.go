package db

import (
	"container/list"
	"context"
	"database/sql/driver"
	"fmt"

	"modernc.org/sqlite"
)

// SQLite takes longer to parse and plan most statements of a page than to run them. So each connection for reads keeps its
// latest statements prepared. SQLite prepares a kept statement again by itself after the schema has changed. A kept statement
// has no open rows and no locks, because it is reset when its rows are closed.

// mostKept is how many statements a connection keeps. Each takes about 10 kB.
const mostKept = 128

// longestKept is the length in bytes of the longest statement that is kept. Longer ones have lists of many IDs, which differ
// each time.
const longestKept = 6 << 10

// readConnector opens read-only connections to SQLite.
type readConnector struct{ sqliteConnector }

// Connect opens a connection.
func (c readConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.sqliteConnector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	able, ok := conn.(sqliteConn)
	if !ok {
		conn.Close()
		return nil, fmt.Errorf("SQLite's driver has another kind of connection: %T", conn)
	}
	return &keepingConn{sqliteConn: able, kept: map[string]*list.Element{}, latest: list.New()}, nil
}

// sqliteConn is the methods of the driver's connections that database/sql uses.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.Pinger
	driver.QueryerContext
	driver.SessionResetter
	driver.Validator
	sqlite.DBStatus
}

// sqliteRows is the methods of the driver's rows that database/sql uses.
type sqliteRows interface {
	driver.Rows
	driver.RowsColumnTypeDatabaseTypeName
	driver.RowsColumnTypeLength
	driver.RowsColumnTypeNullable
	driver.RowsColumnTypePrecisionScale
	driver.RowsColumnTypeScanType
}

// keepingConn is a connection that keeps statements. Like any of database/sql's, it is used by one goroutine at a time.
type keepingConn struct {
	sqliteConn
	kept   map[string]*list.Element // of *keptStatement, without those whose rows are being read
	latest *list.List               // the most recently used first
}

type keptStatement struct {
	text string
	driver.Stmt
}

// QueryContext runs a query.
func (c *keepingConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if len(query) > longestKept {
		return c.sqliteConn.QueryContext(ctx, query, args)
	}
	statement, err := c.take(ctx, query)
	if err != nil {
		return nil, err
	}
	rows, err := statement.Stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
	if err != nil {
		statement.Close()
		return nil, err
	}
	return &keptRows{rows.(sqliteRows), c, statement}, nil
}

// take removes a statement from the kept ones and returns it, or prepares it.
func (c *keepingConn) take(ctx context.Context, query string) (*keptStatement, error) {
	if e, there := c.kept[query]; there {
		delete(c.kept, query)
		return c.latest.Remove(e).(*keptStatement), nil
	}
	prepared, err := c.PrepareContext(ctx, query)
	return &keptStatement{query, prepared}, err
}

// keep puts a statement back after its rows have been read.
func (c *keepingConn) keep(s *keptStatement) error {
	if _, there := c.kept[s.text]; there { // it was in use twice at the same time
		return s.Close()
	}
	c.kept[s.text] = c.latest.PushFront(s)
	if c.latest.Len() <= mostKept {
		return nil
	}
	oldest := c.latest.Remove(c.latest.Back()).(*keptStatement)
	delete(c.kept, oldest.text)
	return oldest.Close()
}

// Close closes the connection and its statements.
func (c *keepingConn) Close() error {
	for e := c.latest.Front(); e != nil; e = e.Next() {
		e.Value.(*keptStatement).Close()
	}
	return c.sqliteConn.Close()
}

// keptRows are the rows of a kept statement.
type keptRows struct {
	sqliteRows
	conn      *keepingConn
	statement *keptStatement
}

// Close closes the rows and keeps the statement for later, unless it has failed.
func (r *keptRows) Close() error {
	if err := r.sqliteRows.Close(); err != nil {
		r.statement.Close()
		return err
	}
	return r.conn.keep(r.statement)
}
