package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"pitboss/models"
	"pitboss/models/store/db"
)

// The callback log: every callback that reached the listener, what was decided, and how it was answered.
//
// It has three tables, because applied bets and wins pay for each byte that is written with them:
//
//	callback_receipts  applied bets and wins. Written by the batch in the transaction of their postings, so a receipt exists
//	                   exactly if its posting does. One or two rows per batch, with a line of text per callback: request,
//	                   player, kind, ledger line, time of arrival, address. Everything else is in the posting
//	callback_records   all others: rollbacks and declined callbacks (written by the batch that decided them), and callbacks
//	                   that were refused earlier or have no definite answer. One row each, with what was sent
//	callback_answers   how the callbacks that a batch recorded were answered, and after how long, which is known only after
//	                   the commit. Written from the listener's queue, a row per flush with a line of text per callback
//
// Why packed: on MariaDB one narrow row per callback at the end of a table cost 10 % of a batch's CPU time, an index by player
// another 10 %, and packed text costs 1 to 2 %. It is text so that it can be read without this program.
//
// Why relative: a request's number has 19 digits and a time 16, and the lines of a row share most of them. So a line has the
// difference between its request's number and the row's first, and between its time of arrival and the row's time. That takes a
// third of the bytes.
//
// How it is read: all three tables are ordered by time. A batch gives its receipts the same time as its postings, so the
// receipt of a posting can be found by time. Applied callbacks of a player or a transaction ID are found through the indexes of
// postings, so bets pay for no index of the log. To find them by address or endpoint, the log is scanned in the order of time,
// up to a limit; the page says where it stopped. Records have an index for each of these filters.
//
// If an attempt of unknown outcome was committed, so were its records. The next attempt then decides a callback that has no
// effect again, so the callback has two records, both correct.

// receipts are the callbacks of an attempt, written with their outcomes.
type receipts struct {
	applied []*Member         // those that became transactions
	records []models.Callback // all others
}

// add adds the callback of m, which has just been decided.
func (r *receipts) add(m *Member, at time.Time) {
	switch receipt := m.Op.Receipt; {
	case receipt == nil:
	case m.processed:
		r.applied = append(r.applied, m)
	default:
		c := models.Callback{
			At: at, Request: receipt.RequestID, Address: receipt.Address, Kind: models.CallbackKind(m.Op.Kind),
			Verdict: models.VerdictOf(m.Result.Decline, m.Result.OtherContents),
			UserID:  m.Op.UserID, TransactionID: m.Op.TransactionID, RoundID: m.Op.RoundID, FreeSpin: m.Op.FreeSpin,
			PlayerID: m.PlayerID, Seq: m.Wrote.Seq, Spin: m.Wrote.Spin, Cause: m.cause,
		}
		if m.PlayerID != 0 && m.Result.Decline != models.None {
			had := m.Result.Balance.Amount
			c.Had = &had
		}
		switch c.Kind {
		case models.Withdraw:
			c.Amount = m.Op.Bet.String()
		case models.Deposit:
			c.Amount = m.Op.Win.String()
		case models.BetWinCallback:
			c.Amount, c.WinAmount = m.Op.Bet.String(), m.Op.Win.String()
		}
		r.records = append(r.records, c)
	}
}

// write stores the callbacks of the attempt that began at the given time.
func (r *receipts) write(ctx context.Context, tx db.Execer, stmt *db.Statement, at time.Time) error {
	if len(r.applied) > 0 {
		p := newPacking(stmt, "callback_receipts", at)
		for _, m := range r.applied {
			p.add(m.Op.Receipt.Number, func(b []byte, last *netip.Addr) []byte { return appendReceipt(b, m, at, last) })
		}
		if err := p.write(ctx, tx, ""); err != nil {
			return err
		}
	}
	if len(r.records) == 0 {
		return nil
	}
	return writeRecords(ctx, tx, stmt, r.records, "")
}

// mostPacked is the approximate size in bytes at which a row ends: two such rows fit on a page of InnoDB. InnoDB stores longer
// texts on separate pages, which waste space, and MariaDB 10.11 has crashed when the disk had no room for them.
const mostPacked = 7400

// packing writes lines of text into rows with the same time.
type packing struct {
	stmt    *db.Statement
	at      time.Time
	rows    int
	first   int64
	address netip.Addr // of the row's previous line
	lines   int64
	packed  []byte
}

func newPacking(stmt *db.Statement, table string, at time.Time) *packing {
	stmt.Begin("INSERT INTO ").Text(table).Text(" (at_us, first_request, callbacks, packed) VALUES ")
	return &packing{stmt: stmt, at: at}
}

// add adds the line of a request: the difference between its number and the row's first, and what rest appends. rest gets the
// address of the row's previous line and may change it.
func (p *packing) add(number int64, rest func(line []byte, address *netip.Addr) []byte) {
	if len(p.packed) > mostPacked {
		p.endRow()
	}
	if p.lines == 0 {
		p.first, p.address = number, netip.Addr{}
	}
	p.lines++
	p.packed = append(strconv.AppendInt(p.packed, number-p.first, 10), ' ')
	p.packed = append(rest(p.packed, &p.address), '\n')
}

func (p *packing) endRow() {
	p.stmt.Row(p.rows)
	p.stmt.Number(p.at.UnixMicro()).Comma().Number(p.first).Comma().Number(p.lines).Comma().String(string(p.packed)).Text(")")
	p.rows, p.lines, p.packed = p.rows+1, 0, p.packed[:0]
}

// write stores the rows. suffix says what to do with rows that exist already.
func (p *packing) write(ctx context.Context, tx db.Execer, suffix string) error {
	p.endRow()
	return p.stmt.Text(suffix).Exec(ctx, tx)
}

// writeRecords stores callbacks with everything that is known about them. suffix says what to do with rows that exist already.
func writeRecords(ctx context.Context, tx db.Execer, stmt *db.Statement, list []models.Callback, suffix string) error {
	q := stmt.Begin("INSERT INTO callback_records (at_us, request, received_us, kind, verdict, address, user_id, " +
		"transaction_id, round_id, amount, win_amount, free_spin, cause, left_out, player_id, seq, spin, result, status, " +
		"latency_us, balance_minor) VALUES ")
	for i := range list {
		c := &list[i]
		var answered models.Answered
		if c.Answered != nil {
			answered = *c.Answered
		}
		q.Row(i)
		q.Number(c.At.UnixMicro()).Comma().Number(c.Request.Number).Comma().Number(c.Request.Received.UnixMicro()).Comma().
			Number(int64(c.Kind)).Comma().
			Number(int64(c.Verdict)).Comma().Address(c.Address).Comma().String(string(c.UserID)).Comma().
			String(string(c.TransactionID)).Comma().
			String(string(c.RoundID)).Comma().String(c.Amount).Comma().String(c.WinAmount).Comma().Flag(c.FreeSpin).Comma().
			String(c.Cause).Comma().
			Number(c.LeftOut).Comma().Number(c.PlayerID).Comma().Number(c.Seq).Comma().Flag(c.Spin).Comma().
			Number(int64(answered.Result)).Comma().
			Number(int64(answered.Status)).Comma().Number(answered.Latency.Microseconds()).Comma()
		if c.Had != nil {
			q.Number(int64(*c.Had)).Text(")")
		} else {
			q.Text("NULL)")
		}
	}
	return q.Text(suffix).Exec(ctx, tx)
}

// A receipt's line: request, player, kind, ledger line (after an "s" in the free-spin ledger), microseconds from arrival to the
// row's time, and the address, which is omitted if it is that of the previous line, and "-" if it is unknown.

func appendReceipt(b []byte, m *Member, at time.Time, last *netip.Addr) []byte {
	r := m.Op.Receipt
	b = append(strconv.AppendInt(b, m.PlayerID, 10), ' ')
	b = append(strconv.AppendInt(b, int64(m.Op.Kind), 10), ' ')
	if m.Wrote.Spin {
		b = append(b, 's')
	}
	b = append(strconv.AppendInt(b, m.Wrote.Seq, 10), ' ')
	b = strconv.AppendInt(b, at.UnixMicro()-r.Received.UnixMicro(), 10)
	switch {
	case !r.Address.IsValid():
		b = append(b, " -"...)
	case r.Address != *last:
		b = r.Address.AppendTo(append(b, ' '))
	}
	*last = r.Address
	return b
}

// Packed is a row of callback_receipts or callback_answers.
type Packed struct {
	At    time.Time
	First int64 // number of the row's first request; At and First are the key
	Lines string
}

var errPacked = errors.New("a line of the callback log cannot be read")

// Receipts calls each with every callback of a row of callback_receipts.
func (p *Packed) Receipts(each func(models.Callback)) error {
	var last netip.Addr
	for line := range strings.Lines(p.Lines) {
		var fields [6]string
		fieldsOf(line, fields[:])
		seq, spin := strings.CutPrefix(fields[3], "s")
		request, err := strconv.ParseInt(fields[0], 10, 64)
		player, err2 := strconv.ParseInt(fields[1], 10, 64)
		kind, err3 := strconv.ParseUint(fields[2], 10, 8)
		first, err4 := strconv.ParseInt(seq, 10, 64)
		before, err5 := strconv.ParseInt(fields[4], 10, 64)
		if err := errors.Join(err, err2, err3, err4, err5); err != nil {
			return errPacked
		}
		switch fields[5] {
		case "":
		case "-":
			last = netip.Addr{}
		default:
			if last, err = netip.ParseAddr(fields[5]); err != nil {
				return errPacked
			}
		}
		received := p.At.Add(-time.Duration(before) * time.Microsecond)
		each(models.Callback{
			At: p.At, Request: models.RequestID{Received: received, Number: p.First + request}, Verdict: models.Applied,
			PlayerID: player, Kind: models.CallbackKind(kind), Seq: first, Spin: spin, Address: last,
		})
	}
	return nil
}

// fieldsOf splits a line into fields; missing fields are empty.
func fieldsOf(line string, fields []string) {
	rest := strings.TrimSuffix(line, "\n")
	for i := range fields {
		fields[i], rest, _ = strings.Cut(rest, " ")
	}
}

// usualStatus is the HTTP status of almost every answer.
const usualStatus = 200

// An answer's line: request, latency in microseconds, and, unless they are 0 and 200, the result and the HTTP status.

func appendAnswer(b []byte, a *models.AnsweredRequest) []byte {
	b = strconv.AppendInt(b, a.Latency.Microseconds(), 10)
	if a.Result == 0 && a.Status == usualStatus {
		return b
	}
	b = strconv.AppendInt(append(b, ' '), int64(a.Result), 10)
	return strconv.AppendInt(append(b, ' '), int64(a.Status), 10)
}

// Answers calls each with every answer of a row of callback_answers.
func (p *Packed) Answers(each func(number int64, a models.Answered)) error {
	for line := range strings.Lines(p.Lines) {
		var fields [4]string
		fieldsOf(line, fields[:])
		if fields[2] == "" {
			fields[2], fields[3] = "0", strconv.Itoa(usualStatus)
		}
		var n [4]int64
		for i, field := range fields {
			var err error
			if n[i], err = strconv.ParseInt(field, 10, 64); err != nil {
				return errPacked
			}
		}
		each(p.First+n[0], models.Answered{
			Latency: time.Duration(n[1]) * time.Microsecond, Result: int(n[2]), Status: int(n[3]),
		})
	}
	return nil
}

// LogCallbacks stores what the listener has collected until at: answers to callbacks whose receipts or records a batch wrote,
// and records of callbacks that never reached a batch. It is safe to store the same callbacks twice.
func (s *Store) LogCallbacks(ctx context.Context, at time.Time, answers []models.AnsweredRequest,
	records []models.Callback) error {
	if err := s.logCallbacks(ctx, at, answers, records); err != nil {
		return fmt.Errorf("log callbacks: %w", err)
	}
	return nil
}

// recordsAtOnce keeps a statement within SQLite's limit of parameters.
const recordsAtOnce = 500

func (s *Store) logCallbacks(ctx context.Context, at time.Time, answers []models.AnsweredRequest,
	records []models.Callback) error {
	tx, err := s.db.Pools.Write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after Commit
	var stmt db.Statement
	if len(answers) > 0 {
		p := newPacking(&stmt, "callback_answers", at)
		for i := range answers {
			p.add(answers[i].Number, func(b []byte, _ *netip.Addr) []byte { return appendAnswer(b, &answers[i]) })
		}
		if err := p.write(ctx, tx,
			s.db.Dialect.OnConflict("at_us, first_request")+"callbacks = callback_answers.callbacks"); err != nil {
			return err
		}
	}
	suffix := s.db.Dialect.OnConflict("at_us, request") + "request = callback_records.request"
	for len(records) > 0 {
		n := min(len(records), recordsAtOnce)
		if err := writeRecords(ctx, tx, &stmt, records[:n], suffix); err != nil {
			return err
		}
		records = records[n:]
	}
	return tx.Commit()
}

// PurgeCallbacks deletes the rows of the callback log from before a time, in small steps so that callbacks are not delayed, and
// returns how many it deleted. When ctx ends, it returns ctx's error; what has been deleted stays deleted.
func (s *Store) PurgeCallbacks(ctx context.Context, before time.Time) (deleted int64, err error) {
	const atOnce = 200
	for _, table := range []string{"callback_receipts", "callback_records", "callback_answers"} {
		for {
			var last sql.NullInt64
			err := s.db.Pools.Read.QueryRowContext(ctx,
				"SELECT MAX(at_us) FROM (SELECT at_us FROM "+table+" WHERE at_us < ? ORDER BY at_us LIMIT ?) r",
				db.Micros(before), atOnce).Scan(&last)
			if err != nil {
				return deleted, fmt.Errorf("purge callbacks: %w", err)
			}
			if !last.Valid {
				break
			}
			done, err := s.db.Pools.Write.ExecContext(ctx, "DELETE FROM "+table+" WHERE at_us <= ?", last.Int64)
			if err == nil {
				var n int64
				n, err = done.RowsAffected()
				deleted += n
			}
			if err != nil && !db.IsContention(err) {
				return deleted, fmt.Errorf("purge callbacks: %w", err)
			}
			if !db.Pause(ctx, 0) {
				return deleted, ctx.Err()
			}
		}
	}
	return deleted, nil
}
