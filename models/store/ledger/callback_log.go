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

// The callback log: every callback that reached the listener, what was decided, what was answered.
//
// Three tables, because the first two thirds of it are written where every bet pays for them:
//
//	callback_receipts  applied bets and wins. In the batch, in the transaction of their effect: a receipt is there exactly when its
//	                   effect is. A row or two for each batch, with a line of text for each callback: request number, time of receipt, kind,
//	                   player, ledger line, address. Everything else is in the posting
//	callback_records   all others: rollbacks, those declined by the wallet's rules (also written in the batch that decided them), those
//	                   refused before, those without a definite answer. A row each, with what came
//	callback_answers   what was answered to those that the batch wrote down, and after how long, which is known only after the commit. From
//	                   the listener's queue, a row for each flush with a line of text for each callback
//
// Why packed: a row for each callback, narrow and at the end of its table, cost 10 % of a batch's processor time on MariaDB, an
// index by player as much again, and text in one row 1 to 2 %. It is text, so that it can be read without this program.
//
// How it is read. All three are ordered by time: a decision's time is the one that its batch gave to the postings too, so every
// posting leads to its receipt. The applied callbacks of a player, or of a TransactionID, are found through the indexes of
// postings, and no bet pays for an index of the log. By address and by endpoint they are looked for along time, through so many
// at most; the page says where it stopped. Records have an index for each question instead.
//
// An attempt whose commit was in doubt leaves what it committed, here too: a repeat that had no effect is then decided once
// more and has two records, both of which happened.

// receipts are the callbacks of one attempt, to be written with what was decided of them.
type receipts struct {
	applied []*Member         // plainly
	records []models.Callback // otherwise
}

// add notes the callback that brought m, just decided.
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

// write stores the receipts of the attempt that was begun at at.
func (r *receipts) write(ctx context.Context, tx db.Execer, stmt *db.Statement, at time.Time) error {
	if len(r.applied) > 0 {
		p := newPacking(stmt, "callback_receipts", at)
		for _, m := range r.applied {
			p.add(m.Op.Receipt.Number, func(b []byte) []byte { return appendReceipt(b, m) })
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

// mostPacked is how many bytes of lines a row gets, more or less. A longer text leaves InnoDB's page for others of its own,
// which waste space, and a disk that is full at that moment has been seen to end MariaDB 10.11.
const mostPacked = 7000

// packing writes lines of text into rows of one moment.
type packing struct {
	stmt   *db.Statement
	at     time.Time
	rows   int
	first  int64
	lines  int64
	packed []byte
}

func newPacking(stmt *db.Statement, table string, at time.Time) *packing {
	stmt.Begin("INSERT INTO ").Text(table).Text(" (at_us, first_request, callbacks, packed) VALUES ")
	return &packing{stmt: stmt, at: at}
}

// add adds the line of a request.
func (p *packing) add(number int64, line func([]byte) []byte) {
	if len(p.packed) > mostPacked {
		p.endRow()
	}
	if p.lines == 0 {
		p.first = number
	}
	p.lines++
	p.packed = line(p.packed)
}

func (p *packing) endRow() {
	p.stmt.Row(p.rows)
	p.stmt.Number(p.at.UnixMicro()).Comma().Number(p.first).Comma().Number(p.lines).Comma().String(string(p.packed)).Text(")")
	p.rows, p.lines, p.packed = p.rows+1, 0, p.packed[:0]
}

// write stores the rows. The suffix says what to do about those that are there already.
func (p *packing) write(ctx context.Context, tx db.Execer, suffix string) error {
	p.endRow()
	return p.stmt.Text(suffix).Exec(ctx, tx)
}

// writeRecords stores callbacks with all that is known of them. The suffix says what to do about those that are there already.
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

// A receipt's line: request number, time of receipt, kind, player, ledger line (after an "s" in the free-spin ledger), address
// ("-" where it is not known).

func appendReceipt(b []byte, m *Member) []byte {
	r := m.Op.Receipt
	b = append(strconv.AppendInt(b, r.Number, 10), ' ')
	b = append(strconv.AppendInt(b, r.Received.UnixMicro(), 10), ' ')
	b = append(strconv.AppendInt(b, int64(m.Op.Kind), 10), ' ')
	b = append(strconv.AppendInt(b, m.PlayerID, 10), ' ')
	if m.Wrote.Spin {
		b = append(b, 's')
	}
	b = append(strconv.AppendInt(b, m.Wrote.Seq, 10), ' ')
	if r.Address.IsValid() {
		b = r.Address.AppendTo(b)
	} else {
		b = append(b, '-')
	}
	return append(b, '\n')
}

var errPacked = errors.New("a line of the callback log cannot be read")

// UnpackReceipts reads the lines of a row.
func UnpackReceipts(at time.Time, packed string, each func(models.Callback)) error {
	for line := range strings.Lines(packed) {
		var fields [6]string
		rest := strings.TrimSuffix(line, "\n")
		for i := range fields {
			fields[i], rest, _ = strings.Cut(rest, " ")
		}
		c := models.Callback{At: at, Verdict: models.Applied}
		seq, spin := strings.CutPrefix(fields[4], "s")
		number, err := strconv.ParseInt(fields[0], 10, 64)
		received, err2 := strconv.ParseInt(fields[1], 10, 64)
		kind, err3 := strconv.ParseUint(fields[2], 10, 8)
		player, err4 := strconv.ParseInt(fields[3], 10, 64)
		at, err5 := strconv.ParseInt(seq, 10, 64)
		if err := errors.Join(err, err2, err3, err4, err5); err != nil {
			return errPacked
		}
		if fields[5] != "-" {
			if c.Address, err = netip.ParseAddr(fields[5]); err != nil {
				return errPacked
			}
		}
		c.Request = models.RequestID{Received: db.FromMicros(received), Number: number}
		c.Kind, c.PlayerID, c.Seq, c.Spin = models.CallbackKind(kind), player, at, spin
		each(c)
	}
	return nil
}

// An answer's line: request number, result, HTTP status, latency in microseconds.

func appendAnswer(b []byte, a *models.AnsweredRequest) []byte {
	b = append(strconv.AppendInt(b, a.Number, 10), ' ')
	b = append(strconv.AppendInt(b, int64(a.Result), 10), ' ')
	b = append(strconv.AppendInt(b, int64(a.Status), 10), ' ')
	return append(strconv.AppendInt(b, a.Latency.Microseconds(), 10), '\n')
}

// UnpackAnswers calls each for every answer of a row of callback_answers.
func UnpackAnswers(packed string, each func(number int64, a models.Answered)) error {
	for line := range strings.Lines(packed) {
		var n [4]int64
		rest := strings.TrimSuffix(line, "\n")
		for i := range n {
			var field string
			var err error
			field, rest, _ = strings.Cut(rest, " ")
			if n[i], err = strconv.ParseInt(field, 10, 64); err != nil {
				return errPacked
			}
		}
		each(n[0], models.Answered{Result: int(n[1]), Status: int(n[2]), Latency: time.Duration(n[3]) * time.Microsecond})
	}
	return nil
}

// LogCallbacks writes down what the listener has collected until at: answers to callbacks whose receipts the batches wrote, and
// records of those that no batch saw. The same again changes nothing.
func (s *Store) LogCallbacks(ctx context.Context, at time.Time, answers []models.AnsweredRequest,
	records []models.Callback) error {
	if err := s.logCallbacks(ctx, at, answers, records); err != nil {
		return fmt.Errorf("log callbacks: %w", err)
	}
	return nil
}

// recordsAtOnce keeps a statement's parameters below SQLite's limit.
const recordsAtOnce = 500

func (s *Store) logCallbacks(ctx context.Context, at time.Time, answers []models.AnsweredRequest,
	records []models.Callback) error {
	tx, err := s.db.Pools.Write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after Commit it does nothing
	var stmt db.Statement
	if len(answers) > 0 {
		p := newPacking(&stmt, "callback_answers", at)
		for i := range answers {
			p.add(answers[i].Number, func(b []byte) []byte { return appendAnswer(b, &answers[i]) })
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

// PurgeCallbacks deletes what the callback log holds from before a time, a little at once so that callbacks are not held up,
// and returns how many rows of its tables went. When ctx ends it stops with ctx's error; what is deleted stays so.
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
