package db

import (
	"context"
	"database/sql"
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

// Packet collects statements of a transaction and sends them together or, if that is not safe, one after another.
type Packet struct {
	Tx         Transaction
	Together   bool // only for connections of the pool for money, and if DB.Together allows it
	statements []Statement
	scans      []func(*sql.Rows) error
}

// Transaction runs statements within a transaction: an sql.Tx, or a connection on which one has begun.
type Transaction interface {
	Execer
	Queryer
}

// Together reports whether packets may be sent together.
func (s *DB) Together() bool { return s.Dialect == MySQL && !s.Pools.galera.Load() }

// Add adds a statement that returns no rows; see Statement.Add. More may be added to the Statement before the next one is.
func (p *Packet) Add(text string, values ...any) *Statement { return p.Query(nil, text, values...) }

// Query adds a query, with the function that is called for each of its rows. A packet has either queries or other statements.
func (p *Packet) Query(scan func(*sql.Rows) error, text string, values ...any) *Statement {
	p.statements, p.scans = append(p.statements, Statement{}), append(p.scans, scan)
	return p.statements[len(p.statements)-1].Add(text, values...)
}

// Send runs what has been added since the last Send, in that order. After an error, the statements before the one that failed
// have been executed, and none after it.
func (p *Packet) Send(ctx context.Context) error {
	statements, scans := p.statements, p.scans
	p.statements, p.scans = nil, nil
	if p.Together && len(statements) > 1 {
		all := statements[0]
		for _, q := range statements[1:] {
			all.text, all.args = append(append(all.text, ';'), q.text...), append(all.args, q.args...)
		}
		statements = []Statement{all}
	}
	for i := range statements {
		var err error
		switch {
		case scans[i] == nil:
			_, err = p.Tx.ExecContext(ctx, string(statements[i].text), statements[i].args...)
		case p.Together:
			err = statements[i].Query(ctx, p.Tx, scans...)
		default:
			err = statements[i].Query(ctx, p.Tx, scans[i])
		}
		if err != nil {
			return err
		}
	}
	return nil
}
