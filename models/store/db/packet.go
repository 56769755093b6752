package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
)

// An attempt on money sends its statements in two packets: one that locks and looks up, and one that writes and commits. With a
// packet for each statement, waiting for answers took a quarter of an attempt's time if the database was on the same machine,
// and most of it if the database was a millisecond away.
//
// Why that is safe on a single server. It executes the statements of a packet in their order and stops at the first that
// fails, so COMMIT is executed only after everything before it has succeeded. (After a KILL QUERY between two statements it
// may stop without another answer. The attempt then waits until its deadline.) InnoDB rolls a transaction back only while the
// transaction's own statement is executed, as that statement's error; there is no moment between two statements of a packet
// in which it could be undone unnoticed. If the packet gets no answer, its outcome is as unknown as that of a COMMIT without
// an answer, and it is looked up in the same way.
//
// On Galera there is such a moment: the cluster may roll a transaction back because of another node's, and packets of several
// statements have lost acknowledged writes there. So each statement is sent separately on Galera, and also on SQLite, which
// runs in this process.
//
// Only the connections for money accept several statements in one packet; the other pools do not need to. In all pools, values
// from outside are bound, and the driver escapes them (see checkCharset).

// SendsTogether reports whether statements that do not need each other's results are sent in one packet.
func (s *DB) SendsTogether() bool { return s.Dialect == MySQL && !s.Galera() }

// Packet collects statements of a transaction that return no rows, and sends them together. If Together is false, it sends each
// statement immediately.
type Packet struct {
	Together bool
	to       Execer
	text     []byte
	args     []any
}

// NewPacket returns a packet for a transaction. together is only for connections of the pool for money.
func NewPacket(to Execer, together bool) *Packet { return &Packet{Together: together, to: to} }

// ExecContext adds a statement to the packet, or runs it. It has no result.
func (p *Packet) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if !p.Together {
		_, err := p.to.ExecContext(ctx, query, args...)
		return driver.ResultNoRows, err
	}
	if len(p.text) > 0 {
		p.text = append(p.text, ';')
	}
	p.text, p.args = append(p.text, query...), append(p.args, args...)
	return driver.ResultNoRows, nil
}

// Send runs what has been added since the last Send. After an error, the statements before the one that failed have been
// executed, and none after it.
func (p *Packet) Send(ctx context.Context) error {
	if len(p.text) == 0 {
		return nil
	}
	_, err := p.to.ExecContext(ctx, string(p.text), p.args...)
	p.text, p.args = p.text[:0], p.args[:0]
	return err
}

// Commit ends the packet with COMMIT and sends it.
func (p *Packet) Commit(ctx context.Context) error {
	if _, err := p.ExecContext(ctx, "COMMIT"); err != nil {
		return err
	}
	return p.Send(ctx)
}

// Reads are queries of a transaction, with a function for the rows of each. If Together is true, they are sent together.
type Reads struct {
	Together bool
	queries  []Statement
	scan     []func(*sql.Rows) error
}

// Add adds a query; see Statement.Add.
func (r *Reads) Add(scan func(*sql.Rows) error, text string, values ...any) {
	var q Statement
	r.queries, r.scan = append(r.queries, *q.Add(text, values...)), append(r.scan, scan)
}

// Run runs the queries in their order.
func (r *Reads) Run(ctx context.Context, tx Queryer) error {
	if !r.Together {
		for i := range r.queries {
			if err := r.queries[i].Query(ctx, tx, r.scan[i]); err != nil {
				return err
			}
		}
		return nil
	}
	all := r.queries[0]
	for _, q := range r.queries[1:] {
		all.text, all.args = append(append(all.text, ';'), q.text...), append(all.args, q.args...)
	}
	return all.Query(ctx, tx, r.scan...)
}
