package callbacks

// The listener's part of the callback log.
//
// The store logs a callback that reaches the ledger: its operation carries a Receipt, which is written in the same transaction.
// The rest is collected here and written several times per second: the answer and latency of those callbacks, and complete
// records of callbacks that never reached the ledger, because they were refused before, or that have no definite answer.
// Successful GetBalance calls are only counted.
//
// The journal must not delay callbacks, and a flood must not fill memory, disk or the connection pool:
//
//   - A callback only appends to a slice under a lock. One goroutine writes, on one connection.
//   - The slices are bounded. While the database is unavailable, whatever does not fit is dropped and counted.
//   - Anybody can send callbacks with a wrong signature, so only a burst of them and then one per second is logged. Callbacks
//     with a valid signature have a separate and much larger allowance. The log itself says how many are missing, in one record
//     per minute, and so does a metric.
//   - Text from unverified callers is shortened. Signatures are never stored.
//
// If the program is killed, the answers and refusals of the last flushEvery are lost, but never a receipt.

import (
	"context"
	"log/slog"
	"net/netip"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"pitboss/callbacks/wire"
	"pitboss/models"
)

// Journal stores the listener's part of the callback log. Storing the same callbacks twice changes nothing.
type Journal interface {
	LogCallbacks(ctx context.Context, at time.Time, answers []models.AnsweredRequest, records []models.Callback) error
}

const (
	flushEvery    = 200 * time.Millisecond
	flushDeadline = 5 * time.Second
	leftOutEvery  = time.Minute // how often a record says how many are missing
	maxAnswers    = 1 << 16     // waiting to be written: 4 MB
	maxRecords    = 1 << 12     // waiting to be written: at most 6 MB
	maxUnverified = 64          // bytes of a text if the signature has not been verified
	maxAmount     = 64
	maxCause      = 255
)

// allowance limits how many records are kept: a burst, refilled at a rate.
type allowance struct {
	burst, rate float64 // rate is per second
	left        float64
	at          time.Time
}

func (a *allowance) take(now time.Time) bool {
	a.left = min(a.burst, a.left+a.rate*max(0, now.Sub(a.at).Seconds()))
	a.at = now
	if a.left < 1 {
		return false
	}
	a.left--
	return true
}

// journal collects answers and records and writes them to a Journal. A nil *journal does nothing.
type journal struct {
	to       Journal
	logger   *slog.Logger
	counters *Counters
	identify func(received time.Time) models.RequestID
	begin    sync.Once
	end      sync.Once
	quit     chan struct{}
	stopped  chan struct{}

	mu         sync.Mutex
	answers    []models.AnsweredRequest
	records    []models.Callback
	unverified allowance
	verified   allowance
	missing    [2]missing // of records, and of answers

	waitingAnswers, waitingRecords int // not yet stored
}

// missing counts what was dropped since the last record that said so.
type missing struct {
	verdict models.Verdict
	n       int64
	since   time.Time
}

func newJournal(to Journal, identify func(time.Time) models.RequestID, logger *slog.Logger, counters *Counters) *journal {
	if to == nil {
		return nil
	}
	return &journal{
		to: to, identify: identify, logger: logger, counters: counters, quit: make(chan struct{}), stopped: make(chan struct{}),
		unverified: allowance{burst: 300, rate: 1, left: 300}, verified: allowance{burst: 2000, rate: 100, left: 2000},
		missing: [2]missing{{verdict: models.LeftOutRefused}, {verdict: models.LeftOutAnswers}},
	}
}

// callback logs an answered callback.
func (j *journal) callback(c *callback, r models.Result, err error, v verdict, took time.Duration) {
	if j == nil {
		return
	}
	answered := models.Answered{Result: int(v.result), Status: v.status, Latency: took}
	booked := c.handed && c.endpoint != wire.GetBalance && (err != nil || r.Decline != models.UnknownPlayer)
	if booked {
		// Even after an error the store may have committed the receipt.
		j.answer(models.AnsweredRequest{RequestID: c.id, Answered: answered})
	}
	if err == nil && r.Decline != models.UnknownPlayer {
		return
	}
	record := models.Callback{
		Request: c.id, Kind: kindOf(c.endpoint), Verdict: models.VerdictOf(r.Decline, false), Address: c.client,
		Answered: &answered,
		UserID:   models.UserID(c.request.UserID), TransactionID: models.TransactionID(c.request.TransactionID),
		RoundID: models.RoundID(c.request.RoundID), Amount: c.request.Amount, FreeSpin: c.request.FreeSpin,
	}
	if c.endpoint == wire.BetWin {
		record.Amount, record.WinAmount = c.request.BetAmount, c.request.WinAmount
	}
	if err != nil {
		record.Verdict, record.Cause = verdictOf(c, err), err.Error()
	}
	j.record(record, c.verified, took)
}

// refused logs a request that is not a callback or comes from a forbidden address.
func (j *journal) refused(f *fiber.Ctx, id models.RequestID, client netip.Addr, status int, result wire.Result,
	v models.Verdict, problem string) {
	if j == nil {
		return
	}
	took := time.Since(id.Received)
	j.record(models.Callback{
		Request: id, Verdict: v, Address: client,
		Answered: &models.Answered{Result: int(result), Status: status, Latency: took},
		Cause:    problem + ": " + legible(f.Method()+" "+f.Path()),
	}, false, took)
}

// answer adds the answer to a callback that has a receipt.
func (j *journal) answer(a models.AnsweredRequest) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.waitingAnswers >= maxAnswers {
		j.leaveOut(1)
		return
	}
	j.answers = append(j.answers, a)
	j.waitingAnswers++
}

// record adds a callback that no batch has recorded, cut to the lengths that are stored. If there are too many, it only counts
// the callback as left out.
func (j *journal) record(c models.Callback, verified bool, took time.Duration) {
	c.At = c.Request.Received.Add(took).Truncate(time.Microsecond)
	j.mu.Lock()
	defer j.mu.Unlock()
	of := &j.unverified
	if verified {
		of = &j.verified
	}
	if !of.take(c.At) || j.waitingRecords >= maxRecords {
		j.leaveOut(0)
		return
	}
	most := models.MaxIDBytes
	if !verified {
		most = maxUnverified
	}
	c.UserID, c.TransactionID = models.UserID(cut(string(c.UserID), most)),
		models.TransactionID(cut(string(c.TransactionID), most))
	c.RoundID, c.Cause = models.RoundID(cut(string(c.RoundID), most)), cut(c.Cause, maxCause)
	c.Amount, c.WinAmount = cut(c.Amount, maxAmount), cut(c.WinAmount, maxAmount)
	j.records = append(j.records, c)
	j.waitingRecords++
}

// leaveOut counts a dropped callback (0) or answer (1).
func (j *journal) leaveOut(which int) {
	m := &j.missing[which]
	if m.n == 0 {
		m.since = time.Now()
	}
	m.n++
	j.counters.unjournaled.Add(1)
}

// start starts the goroutine that writes.
func (j *journal) start() {
	if j == nil {
		return
	}
	j.begin.Do(func() { go j.handOver() })
}

// stop writes what is left and waits until that is done or ctx ends.
func (j *journal) stop(ctx context.Context) error {
	if j == nil {
		return nil
	}
	j.begin.Do(func() { close(j.stopped) }) // start was never called
	j.end.Do(func() { close(j.quit) })
	select {
	case <-j.stopped:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// portion is what one call of LogCallbacks stores. at is close to the times of the answers, because the store finds their
// receipts by time.
type portion struct {
	at      time.Time
	answers []models.AnsweredRequest
	records []models.Callback
}

// take returns the collected answers and records, and a record of how many are missing if that is due.
func (j *journal) take(at time.Time, last bool) portion {
	j.mu.Lock()
	defer j.mu.Unlock()
	p := portion{at: at, answers: j.answers, records: j.records}
	j.answers, j.records = nil, nil
	for i := range j.missing {
		m := &j.missing[i]
		if m.n == 0 || !last && at.Sub(m.since) < leftOutEvery {
			continue
		}
		p.records = append(p.records, models.Callback{At: at, Request: j.identify(m.since), Verdict: m.verdict, LeftOut: m.n})
		j.waitingRecords++
		m.n = 0
	}
	return p
}

// release frees the places that p took up.
func (j *journal) release(p portion) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.waitingAnswers -= len(p.answers)
	j.waitingRecords -= len(p.records)
}

// handOver writes a portion at each tick. Portions that the database does not accept are kept and tried again.
func (j *journal) handOver() {
	defer close(j.stopped)
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	var pending []portion
	failing := false
	for last := false; !last; {
		select {
		case <-tick.C:
		case <-j.quit:
			last = true
		}
		if p := j.take(time.Now().UTC().Truncate(time.Microsecond), last); len(p.answers)+len(p.records) > 0 {
			pending = append(pending, p)
		}
		for len(pending) > 0 {
			p := pending[0]
			ctx, cancel := context.WithTimeout(context.Background(), flushDeadline)
			err := j.to.LogCallbacks(ctx, p.at, p.answers, p.records)
			cancel()
			switch {
			case err != nil && last:
				j.logger.Error("The last callbacks could not be written to the callback log.", slog.Any("error", err))
			case err != nil && !failing:
				j.logger.Error("The callback log cannot be written. Callbacks wait in memory; trying again.",
					slog.Any("error", err))
			case err == nil && failing:
				j.logger.Info("The callback log can be written again.")
			}
			if failing = err != nil; failing {
				break
			}
			j.release(p)
			pending = pending[1:]
		}
	}
}

// kindOf returns an endpoint's kind in the callback log.
func kindOf(e wire.Endpoint) models.CallbackKind {
	switch e {
	case wire.GetBalance:
		return models.GetBalance
	case wire.Withdraw:
		return models.Withdraw
	case wire.Deposit:
		return models.Deposit
	case wire.BetWin:
		return models.BetWinCallback
	case wire.RollbackTransaction:
		return models.RollbackTransaction
	}
	return models.NotACallback
}

// verdictOf returns the verdict on a callback that ended with an error.
func verdictOf(c *callback, err error) models.Verdict {
	if c.handed {
		return models.VerdictNoAnswer
	}
	switch refusalResult(err) {
	case wire.WrongInput:
		return models.VerdictWrongInput
	case wire.InvalidSign:
		return models.VerdictInvalidSign
	case wire.InvalidAgent:
		return models.VerdictOtherAgent
	}
	return models.VerdictFault
}

// cut returns a copy of text with at most most bytes, cut between characters and marked with an ellipsis. Invalid UTF-8 is
// replaced. It copies because text may be part of a long request, which it would keep in memory.
func cut(text string, most int) string {
	if len(text) <= most {
		return strings.Clone(strings.ToValidUTF8(text, "?"))
	}
	const mark = "…"
	end := most - len(mark)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return strings.ToValidUTF8(text[:end], "?") + mark
}
