package callbacks

// The callback log's part at the door.
//
// A callback that reaches the ledger is written down by the store, in the transaction of its effect, by the Receipt that its
// operation carries. What the store cannot know then is gathered here and handed over some times a second: what was answered,
// and after how long; and whole records of the callbacks that no batch saw, because they were refused before, or have no
// definite answer. Successful GetBalance calls are counted only.
//
// Nothing here may hold a callback up, and no flood may fill memory, disk or the pool of connections:
//
//   - handing something over means appending to a slice under a lock; one goroutine at a time writes, on one connection;
//   - the slices are bounded. While the database is away what no longer fits is left out, and counted;
//   - of callbacks whose sign has not been verified, which anybody can send, a burst and then one a second are kept; of those
//     that the platform must have sent, many more, from an allowance of their own. What was left out is told in the log itself,
//     by a line for each minute, and by a metric;
//   - what comes from strangers is shortened. The sign is never kept.
//
// A program that is killed takes up to flushEvery's worth of answers and refusals along, never a receipt.

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

// Journal is where the door writes its part of the callback log. Writing the same again changes nothing.
type Journal interface {
	LogCallbacks(ctx context.Context, at time.Time, answers []models.AnsweredRequest, records []models.Callback) error
}

const (
	flushEvery    = 200 * time.Millisecond
	flushDeadline = 5 * time.Second
	leftOutEvery  = time.Minute // how often a line may say what was left out
	maxAnswers    = 1 << 16     // that wait: 4 MB
	maxRecords    = 1 << 12     // that wait: 6 MB at most
	maxStrange    = 64          // bytes of a text from somebody whose sign has not been verified
	maxAmount     = 64
	maxCause      = 255
)

// allowance is how many records may be kept: a burst, which fills up again at a rate.
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

// journal gathers and hands over. A nil *journal does nothing.
type journal struct {
	to       Journal
	logger   *slog.Logger
	counters *Counters
	identify func(received time.Time) models.RequestID
	begin    sync.Once
	end      sync.Once
	quit     chan struct{}
	stopped  chan struct{}

	mu        sync.Mutex
	answers   []models.AnsweredRequest
	records   []models.Callback
	strangers allowance
	platform  allowance
	missing   [2]missing // by what is missing

	waitingAnswers, waitingRecords int // until the database has them
}

// missing counts what was left out since it was last told.
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
		strangers: allowance{burst: 300, rate: 1, left: 300}, platform: allowance{burst: 2000, rate: 100, left: 2000},
		missing: [2]missing{{verdict: models.LeftOutRefused}, {verdict: models.LeftOutAnswers}},
	}
}

// callback takes in a callback that has been answered.
func (j *journal) callback(c *callback, r models.Result, err error, v verdict, took time.Duration) {
	if j == nil {
		return
	}
	answered := models.Answered{Result: int(v.result), Status: v.status, Latency: took}
	booked := c.handed && c.endpoint != wire.GetBalance && (err != nil || r.Decline != models.UnknownPlayer)
	if booked {
		// With an error there may be a receipt all the same.
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

// refused takes in a request that was no callback, or came from where none may come from.
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

// answer keeps what the callback of a receipt was told.
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

// record keeps a callback that no batch saw.
func (j *journal) record(c models.Callback, verified bool, took time.Duration) {
	c.At = c.Request.Received.Add(took).Truncate(time.Microsecond)
	j.mu.Lock()
	defer j.mu.Unlock()
	of := &j.strangers
	if verified {
		of = &j.platform
	}
	if !of.take(c.At) || j.waitingRecords >= maxRecords {
		j.leaveOut(0)
		return
	}
	most := models.MaxIDBytes
	if !verified {
		most = maxStrange
	}
	c.UserID, c.TransactionID = models.UserID(cut(string(c.UserID), most)),
		models.TransactionID(cut(string(c.TransactionID), most))
	c.RoundID, c.Cause = models.RoundID(cut(string(c.RoundID), most)), cut(c.Cause, maxCause)
	c.Amount, c.WinAmount = cut(c.Amount, maxAmount), cut(c.WinAmount, maxAmount)
	j.records = append(j.records, c)
	j.waitingRecords++
}

// leaveOut counts one more that is missing in the log.
func (j *journal) leaveOut(which int) {
	m := &j.missing[which]
	if m.n == 0 {
		m.since = time.Now()
	}
	m.n++
	j.counters.unjournaled.Add(1)
}

// start begins to hand over.
func (j *journal) start() {
	if j == nil {
		return
	}
	j.begin.Do(func() { go j.handOver() })
}

// stop hands over what is left, until ctx ends.
func (j *journal) stop(ctx context.Context) error {
	if j == nil {
		return nil
	}
	j.begin.Do(func() { close(j.stopped) }) // it never began
	j.end.Do(func() { close(j.quit) })
	select {
	case <-j.stopped:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// portion is what is handed over at once. Its time is never long after what it holds: answers are found by it.
type portion struct {
	at      time.Time
	answers []models.AnsweredRequest
	records []models.Callback
}

// take empties the slices into a portion, and tells what was left out if that is due.
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

// release makes room for as much as p held.
func (j *journal) release(p portion) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.waitingAnswers -= len(p.answers)
	j.waitingRecords -= len(p.records)
}

// handOver hands a portion over at each tick. Those that the database does not take are kept and tried again.
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
				j.logger.Error("The end of the callback log could not be written.", slog.Any("error", err))
			case err != nil && !failing:
				j.logger.Error("The callback log cannot be written; it is kept and tried again.", slog.Any("error", err))
			case err == nil && failing:
				j.logger.Info("The callback log is written again.")
			}
			if failing = err != nil; failing {
				break
			}
			j.release(p)
			pending = pending[1:]
		}
	}
}

// kindOf names an endpoint in the log.
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

// verdictOf says what became of a callback that ended with an error.
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

// cut returns a copy of text of at most so many bytes, ended at a character and marked where that shortens it. What is not
// UTF-8 is replaced. It is a copy, because a text may be part of a request of any length.
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
