package callbacks

// The callback log has every callback. One that was applied is a posting; any other is collected here when it has been
// answered, and written several times per second. Successful GetBalance calls are only counted.
//
// The journal must not delay callbacks, and a flood must not fill memory, disk or the connection pool:
//
//   - A callback only appends to a slice under a lock. One goroutine writes, on one connection.
//   - The slice is bounded. While the database is unavailable, whatever does not fit is dropped and counted.
//   - Anybody can send callbacks with a wrong signature, so only a burst of them and then one per second is logged. The log itself
//     says how many are missing, in one record per minute, and so does a metric.
//   - Text from unverified callers is shortened. Signatures are never stored.
//
// If the program is killed, those of the last flushEvery are missing from the log.

import (
	"context"
	"log/slog"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"pitboss/callbacks/wire"
	"pitboss/models"
)

// Journal stores callbacks that were not applied. Storing the same callbacks twice changes nothing.
type Journal interface {
	LogCallbacks(ctx context.Context, list []models.Callback) error
}

const (
	flushEvery    = 200 * time.Millisecond
	flushDeadline = 5 * time.Second
	leftOutEvery  = time.Minute // how often a record says how many are missing
	maxWaiting    = 1 << 14     // waiting to be written: usually 5 MB, at most 24 MB
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

// journal collects callbacks and writes them to a Journal. A nil *journal does nothing.
type journal struct {
	to       Journal
	logger   *slog.Logger
	counters *Counters
	identify func(received time.Time) models.RequestID
	begin    sync.Once
	end      sync.Once
	quit     chan struct{}
	stopped  chan struct{}
	asked    chan chan struct{} // by flush

	mu         sync.Mutex
	list       []models.Callback
	waiting    int // not yet stored
	unverified allowance

	leftOut      int64 // since the last record that said so
	leftOutSince time.Time
}

func newJournal(to Journal, identify func(time.Time) models.RequestID, logger *slog.Logger, counters *Counters) *journal {
	if to == nil {
		return nil
	}
	return &journal{
		to: to, identify: identify, logger: logger, counters: counters, quit: make(chan struct{}), stopped: make(chan struct{}),
		asked:      make(chan chan struct{}),
		unverified: allowance{burst: 300, rate: 1, left: 300},
	}
}

// callback logs an answered callback that was not applied.
func (j *journal) callback(c *callback, r models.Result, err error, said reply, took time.Duration) {
	if j == nil {
		return
	}
	line := models.Callback{
		At: r.Decided.At, Request: c.id, Kind: kinds[c.endpoint], Verdict: said.verdict,
		Address: c.client, Answered: models.Answered{Result: int(said.result), Status: said.status},
		UserID: models.UserID(c.request.UserID), TransactionID: models.TransactionID(c.request.TransactionID),
		RoundID: models.RoundID(c.request.RoundID), Amount: c.request.Amount, FreeSpin: c.request.FreeSpin,
		PlayerID: r.Decided.PlayerID, Seq: r.Decided.Seq, Cause: r.Decided.Cause,
	}
	if c.endpoint == wire.BetWin {
		line.Amount, line.WinAmount = c.request.BetAmount, c.request.WinAmount
	}
	if err == nil && !line.At.IsZero() {
		had := r.Balance.Amount
		line.Had = &had
		j.mu.Lock()
		defer j.mu.Unlock()
		j.add(line)
		return
	}
	if err != nil {
		line.Cause = err.Error()
	}
	j.undecided(line, c.verified, took)
}

// refused logs a request that is not a callback or comes from a forbidden address.
func (j *journal) refused(f *fiber.Ctx, id models.RequestID, client netip.Addr, status int, result wire.Result,
	v models.Verdict, problem string) {
	if j == nil {
		return
	}
	took := time.Since(id.Received)
	j.undecided(models.Callback{
		Request: id, Verdict: v, Address: client,
		Answered: models.Answered{Result: int(result), Status: status},
		Cause:    problem + ": " + strings.Trim(strconv.QuoteToASCII(f.Method()+" "+f.Path()), `"`),
	}, false, took)
}

// undecided adds a callback that the store has not decided, cut to the lengths that are stored.
func (j *journal) undecided(c models.Callback, verified bool, took time.Duration) {
	c.At = c.Request.Received.Add(took).Truncate(time.Microsecond)
	most := models.MaxIDBytes
	if !verified {
		most = maxUnverified
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if !verified && !j.unverified.take(c.At) {
		j.leaveOut()
		return
	}
	c.UserID, c.TransactionID = models.UserID(cut(string(c.UserID), most)),
		models.TransactionID(cut(string(c.TransactionID), most))
	c.RoundID, c.Cause = models.RoundID(cut(string(c.RoundID), most)), cut(c.Cause, maxCause)
	c.Amount, c.WinAmount = cut(c.Amount, maxAmount), cut(c.WinAmount, maxAmount)
	j.add(c)
}

// add adds a callback, or leaves it out if too many are waiting.
func (j *journal) add(c models.Callback) {
	if j.waiting >= maxWaiting {
		j.leaveOut()
		return
	}
	j.waiting++
	j.list = append(j.list, c)
}

func (j *journal) leaveOut() {
	if j.leftOut == 0 {
		j.leftOutSince = time.Now()
	}
	j.leftOut++
	j.counters.unjournaled.Add(1)
}

// start starts the goroutine that writes.
func (j *journal) start() {
	if j == nil {
		return
	}
	j.begin.Do(func() { go j.handOver() })
}

// flush writes what was collected before it was called, and waits until it has been tried or ctx ends.
func (j *journal) flush(ctx context.Context) error {
	tried := make(chan struct{})
	select {
	case j.asked <- tried:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-tried:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
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

// take returns the collected callbacks, and a record of how many are missing if that is due.
func (j *journal) take(at time.Time, last bool) []models.Callback {
	j.mu.Lock()
	defer j.mu.Unlock()
	list := j.list
	j.list = nil
	if j.leftOut > 0 && (last || at.Sub(j.leftOutSince) >= leftOutEvery) {
		list = append(list,
			models.Callback{At: at, Request: j.identify(j.leftOutSince), Verdict: models.VerdictLeftOut, LeftOut: j.leftOut})
		j.waiting++
		j.leftOut = 0
	}
	return list
}

// handOver writes what was collected at each tick. What the database does not accept is kept and tried again.
func (j *journal) handOver() {
	defer close(j.stopped)
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	var pending [][]models.Callback
	failing := false
	for last := false; !last; {
		tried := make(chan struct{})
		select {
		case <-tick.C:
		case tried = <-j.asked:
		case <-j.quit:
			last = true
		}
		if list := j.take(time.Now().UTC().Truncate(time.Microsecond), last); len(list) > 0 {
			pending = append(pending, list)
		}
		for len(pending) > 0 {
			ctx, cancel := context.WithTimeout(context.Background(), flushDeadline)
			err := j.to.LogCallbacks(ctx, pending[0])
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
			j.mu.Lock()
			j.waiting -= len(pending[0])
			j.mu.Unlock()
			pending = pending[1:]
		}
		close(tried)
	}
}

// kinds has each endpoint's kind in the callback log.
var kinds = [...]models.CallbackKind{wire.GetBalance: models.GetBalance, wire.Withdraw: models.Withdraw, wire.Deposit: models.Deposit,
	wire.BetWin: models.BetWinCallback, wire.RollbackTransaction: models.RollbackTransaction}

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
