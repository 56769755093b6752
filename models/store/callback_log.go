package store

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
// Why packed: a row for each callback, narrow and at the end of its table, cost 10 % of a batch's processor time on MariaDB, an index
// by player as much again, and text in one row 1 to 2 %. It is text, so that it can be read without this program.
//
// How it is read. All three are ordered by time: a decision's time is the one that its batch gave to the postings too, so every posting
// leads to its receipt. The applied callbacks of a player, or of a TransactionID, are found through the indexes of postings, and no bet
// pays for an index of the log. By address and by endpoint they are looked for along time, through so many at most; the page says where
// it stopped. Records have an index for each question instead.
//
// An attempt whose commit was in doubt leaves what it committed, here too: a repeat that had no effect is then decided once more and has two
// records, both of which happened.

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
)

// receipts are the callbacks of one attempt, to be written with what was decided of them.
type receipts struct {
	applied []*member         // plainly
	records []models.Callback // otherwise
}

// add notes the callback that brought m, just decided.
func (r *receipts) add(m *member, at time.Time) {
	switch receipt := m.op.Receipt; {
	case receipt == nil:
	case m.processed:
		r.applied = append(r.applied, m)
	default:
		c := models.Callback{
			At: at, Request: receipt.RequestID, Address: receipt.Address, Kind: models.CallbackKind(m.op.Kind),
			Verdict: models.VerdictOf(m.result.Decline, m.result.OtherContents),
			UserID:  m.op.UserID, TransactionID: m.op.TransactionID, RoundID: m.op.RoundID, FreeSpin: m.op.FreeSpin,
			PlayerID: m.playerID, Seq: m.wrote.seq, Spin: m.wrote.spin, Cause: m.cause,
		}
		if m.playerID != 0 && m.result.Decline != models.None {
			had := m.result.Balance.Amount
			c.Had = &had
		}
		switch c.Kind {
		case models.Withdraw:
			c.Amount = m.op.Bet.String()
		case models.Deposit:
			c.Amount = m.op.Win.String()
		case models.BetWinCallback:
			c.Amount, c.WinAmount = m.op.Bet.String(), m.op.Win.String()
		}
		r.records = append(r.records, c)
	}
}

// write stores the receipts of the attempt that was begun at at.
func (r *receipts) write(ctx context.Context, tx execer, stmt *statement, at time.Time) error {
	if len(r.applied) > 0 {
		p := newPacking(stmt, "callback_receipts", at)
		for _, m := range r.applied {
			p.add(m.op.Receipt.Number, func(b []byte) []byte { return appendReceipt(b, m) })
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

// mostPacked is how many bytes of lines a row gets, more or less. A longer text leaves InnoDB's page for others of its own, which waste
// space, and a disk that is full at that moment has been seen to end MariaDB 10.11.
const mostPacked = 7000

// packing writes lines of text into rows of one moment.
type packing struct {
	stmt   *statement
	at     time.Time
	rows   int
	first  int64
	lines  int64
	packed []byte
}

func newPacking(stmt *statement, table string, at time.Time) *packing {
	stmt.begin("INSERT INTO ").text(table).text(" (at_us, first_request, callbacks, packed) VALUES ")
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
	p.stmt.row(p.rows)
	p.stmt.number(p.at.UnixMicro()).comma().number(p.first).comma().number(p.lines).comma().string(string(p.packed)).text(")")
	p.rows, p.lines, p.packed = p.rows+1, 0, p.packed[:0]
}

// write stores the rows. The suffix says what to do about those that are there already.
func (p *packing) write(ctx context.Context, tx execer, suffix string) error {
	p.endRow()
	return p.stmt.text(suffix).exec(ctx, tx)
}

// writeRecords stores callbacks with all that is known of them. The suffix says what to do about those that are there already.
func writeRecords(ctx context.Context, tx execer, stmt *statement, list []models.Callback, suffix string) error {
	q := stmt.begin("INSERT INTO callback_records (at_us, request, received_us, kind, verdict, address, user_id, transaction_id, round_id, amount, win_amount, free_spin, cause, left_out, player_id, seq, spin, result, status, latency_us, balance_minor) VALUES ")
	for i := range list {
		c := &list[i]
		var answered models.Answered
		if c.Answered != nil {
			answered = *c.Answered
		}
		q.row(i)
		q.number(c.At.UnixMicro()).comma().number(c.Request.Number).comma().number(c.Request.Received.UnixMicro()).comma().number(int64(c.Kind)).comma().
			number(int64(c.Verdict)).comma().address(c.Address).comma().string(string(c.UserID)).comma().string(string(c.TransactionID)).comma().
			string(string(c.RoundID)).comma().string(c.Amount).comma().string(c.WinAmount).comma().flag(c.FreeSpin).comma().string(c.Cause).comma().
			number(c.LeftOut).comma().number(c.PlayerID).comma().number(c.Seq).comma().flag(c.Spin).comma().number(int64(answered.Result)).comma().
			number(int64(answered.Status)).comma().number(answered.Latency.Microseconds()).comma()
		if c.Had != nil {
			q.number(int64(*c.Had)).text(")")
		} else {
			q.text("NULL)")
		}
	}
	return q.text(suffix).exec(ctx, tx)
}

// A receipt's line: request number, time of receipt, kind, player, ledger line (after an "s" in the free-spin ledger), address ("-" where it
// is not known).

func appendReceipt(b []byte, m *member) []byte {
	r := m.op.Receipt
	b = append(strconv.AppendInt(b, r.Number, 10), ' ')
	b = append(strconv.AppendInt(b, r.Received.UnixMicro(), 10), ' ')
	b = append(strconv.AppendInt(b, int64(m.op.Kind), 10), ' ')
	b = append(strconv.AppendInt(b, m.playerID, 10), ' ')
	if m.wrote.spin {
		b = append(b, 's')
	}
	b = append(strconv.AppendInt(b, m.wrote.seq, 10), ' ')
	if r.Address.IsValid() {
		b = r.Address.AppendTo(b)
	} else {
		b = append(b, '-')
	}
	return append(b, '\n')
}

var errPacked = errors.New("a line of the callback log cannot be read")

// unpackReceipts reads the lines of a row.
func unpackReceipts(at time.Time, packed string, each func(models.Callback)) error {
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
		c.Request = models.RequestID{Received: fromMicros(received), Number: number}
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

func unpackAnswers(packed string, each func(number int64, a models.Answered)) error {
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

// LogCallbacks writes down what the listener has collected until at: answers to callbacks whose receipts the batches wrote, and records of those
// that no batch saw. The same again changes nothing.
func (s *Store) LogCallbacks(ctx context.Context, at time.Time, answers []models.AnsweredRequest, records []models.Callback) error {
	if err := s.logCallbacks(ctx, at, answers, records); err != nil {
		return fmt.Errorf("log callbacks: %w", err)
	}
	return nil
}

// recordsAtOnce keeps a statement's parameters below SQLite's limit.
const recordsAtOnce = 500

func (s *Store) logCallbacks(ctx context.Context, at time.Time, answers []models.AnsweredRequest, records []models.Callback) error {
	tx, err := s.pools.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after Commit it does nothing
	var stmt statement
	if len(answers) > 0 {
		p := newPacking(&stmt, "callback_answers", at)
		for i := range answers {
			p.add(answers[i].Number, func(b []byte) []byte { return appendAnswer(b, &answers[i]) })
		}
		if err := p.write(ctx, tx, s.dialect.onConflict("at_us, first_request")+"callbacks = callback_answers.callbacks"); err != nil {
			return err
		}
	}
	suffix := s.dialect.onConflict("at_us, request") + "request = callback_records.request"
	for len(records) > 0 {
		n := min(len(records), recordsAtOnce)
		if err := writeRecords(ctx, tx, &stmt, records[:n], suffix); err != nil {
			return err
		}
		records = records[n:]
	}
	return tx.Commit()
}

// PurgeCallbacks deletes what the callback log holds from before a time, a little at once so that callbacks are not held up, and returns
// how many rows of its tables went. When ctx ends it stops with ctx's error; what is deleted stays so.
func (s *Store) PurgeCallbacks(ctx context.Context, before time.Time) (deleted int64, err error) {
	const atOnce = 200
	for _, table := range []string{"callback_receipts", "callback_records", "callback_answers"} {
		for {
			var last sql.NullInt64
			err := s.pools.read.QueryRowContext(ctx, "SELECT MAX(at_us) FROM (SELECT at_us FROM "+table+" WHERE at_us < ? ORDER BY at_us LIMIT ?) r", micros(before), atOnce).Scan(&last)
			if err != nil {
				return deleted, fmt.Errorf("purge callbacks: %w", err)
			}
			if !last.Valid {
				break
			}
			done, err := s.pools.write.ExecContext(ctx, "DELETE FROM "+table+" WHERE at_us <= ?", last.Int64)
			if err == nil {
				var n int64
				n, err = done.RowsAffected()
				deleted += n
			}
			if err != nil && !isContention(err) {
				return deleted, fmt.Errorf("purge callbacks: %w", err)
			}
			if !pause(ctx, 0) {
				return deleted, ctx.Err()
			}
		}
	}
	return deleted, nil
}
