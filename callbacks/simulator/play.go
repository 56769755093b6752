package simulator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"pitboss/callbacks/wire"
	"pitboss/models"
)

const defaultAttemptTimeout = 10 * time.Second

// PlayOptions say who plays, how, and for how long. Players is required; everything else has a default.
type PlayOptions struct {
	Players []string // user IDs with separate wallets; the books open with the balances that they have at the start
	Seed    uint64   // the same seed, players and opening balances give the same plan

	Rounds  int           // in total; 0 means until ctx ends
	Workers int           // rounds played at once; 0 means 1
	Pace    time.Duration // a worker's pause after each round

	// Gentle plays what a platform usually sends: spins, wins, granted spins, and now and then a voided round or a retry.
	// Otherwise, play looks for faults.
	Gentle bool

	// First names the kinds of rounds, one per player, with which the first players start instead of the plan's: for example
	// incidents, which a platform should never send. The wallet answers all of them correctly.
	First []string

	Bet models.Amount // the stake of every bet; 0 means that each is drawn

	// Company means that others may change these players' balances or restrict the players meanwhile: staff with corrections,
	// or a person on a game's page. The books then take over the wallet's balance before each round, the wallet may also answer
	// a bet with 1, and balances are not compared.
	Company bool

	LostAnswers    float64       // the share of money callbacks whose first answer is lost, from 0 to 1
	AttemptTimeout time.Duration // of one attempt; 0 means ten seconds
	RetryFor       time.Duration // how long to repeat a call without a definite answer; 0 means a minute
	Drain          time.Duration // how long rounds in progress may take after ctx ends; 0 means five seconds

	OnEvent func(Event) // called with each answer, never concurrently; must not block for long
}

// Event is one answered callback of Play.
type Event struct {
	call
	At      time.Time
	What    string // what the call is for, such as "the bet again"
	Result  int
	Balance string // in the answer; empty if it has none
}

// Report says what Play did and which faults of the wallet it found.
type Report struct {
	Seed       uint64
	Rounds     int
	Retries    int      // attempts repeated for lack of a definite answer, not counting LostAnswers
	Unsettled  []string // players with an operation of unknown outcome; their final balances are not compared
	Mismatches []string // answers and final balances that differ from the books, one per line
}

// Err returns nil if every answer and balance was right and every operation got a definite answer. Otherwise it returns an
// error with the faults and the seed that reproduces them.
func (r Report) Err() error {
	if len(r.Mismatches) == 0 && len(r.Unsettled) == 0 {
		return nil
	}
	return fmt.Errorf("simulator: seed %d: %d rounds, %d retries\n  players with an operation that never got a definite answer: %q\n"+
		"  answers and balances that differ from the books:\n  %s", r.Seed, r.Rounds, r.Retries, r.Unsettled, strings.Join(r.Mismatches, "\n  "))
}

// run is a Play in progress.
type run struct {
	simulator *Simulator
	options   PlayOptions
	id        string // makes the transaction IDs of this run unique
	lanes     []*lane
	ctx       context.Context // for calls; it ends options.Drain after the caller's

	mu     sync.Mutex // guards the field below
	result Report

	telling sync.Mutex // held during OnEvent instead of mu, so that a slow OnEvent does not delay the counts
}

// Play plays rounds against the wallet and compares every answer and, at the end, every balance with its own books. It ends
// when it has played the number of rounds or ctx ends. While the wallet is unavailable, it retries for up to RetryFor. The
// Report has the wallet's faults (see Report.Err). The error says why play could not start, for example because a player is
// unknown.
func (s *Simulator) Play(ctx context.Context, options PlayOptions) (Report, error) {
	options.Workers, options.AttemptTimeout = cmp.Or(options.Workers, 1), cmp.Or(options.AttemptTimeout, defaultAttemptTimeout)
	options.RetryFor, options.Drain = cmp.Or(options.RetryFor, time.Minute), cmp.Or(options.Drain, 5*time.Second)
	for _, name := range options.First {
		if _, known := namedKind(name); !known {
			return Report{}, fmt.Errorf("simulator: there is no kind of round called %q", name)
		}
	}
	r := &run{simulator: s, options: options, id: token(8), result: Report{Seed: options.Seed}}
	var cancel context.CancelFunc
	r.ctx, cancel = context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() {
		select {
		case <-time.After(r.options.Drain):
			cancel()
		case <-r.ctx.Done():
		}
	})()
	for i, userID := range options.Players {
		l := &lane{run: r, index: i, userID: userID}
		var err error
		if l.balance, err = l.answeredBalance(); err != nil {
			return Report{}, fmt.Errorf("simulator: player %q: %w", l.userID, err)
		}
		r.lanes = append(r.lanes, l)
	}
	var workers sync.WaitGroup
	for worker := range options.Workers {
		workers.Go(func() { r.work(ctx, worker) })
	}
	workers.Wait()
	r.audit()
	return r.result, nil
}

var errNoAnswer = errors.New("no definite answer to GetBalance")

// answeredBalance asks for the player's balance until there is a definite answer.
func (l *lane) answeredBalance() (models.Amount, error) {
	got, _, ok := l.exchange(call{Endpoint: wire.GetBalance, UserID: l.userID}, false)
	switch {
	case !ok:
		return 0, errNoAnswer
	case got.result != wire.Success || got.balance == nil:
		return 0, fmt.Errorf("GetBalance was answered with result %d, or without a balance", got.result)
	}
	return *got.balance, nil
}

// work plays a worker's lanes in turn until each has played its rounds or play is over.
func (r *run) work(ctx context.Context, worker int) {
	for playing := true; playing; {
		playing = false
		for i := worker; i < len(r.lanes); i += r.options.Workers {
			l := r.lanes[i]
			share := (r.options.Rounds + len(r.lanes) - 1 - i) / len(r.lanes)
			if l.stopped || r.options.Rounds > 0 && l.round >= share {
				continue
			}
			if ctx.Err() != nil {
				return
			}
			l.playRound()
			playing = true
			if r.options.Pace > 0 {
				select {
				case <-ctx.Done():
				case <-time.After(r.options.Pace):
				}
			}
		}
	}
}

// audit compares each final balance with the books.
func (r *run) audit() {
	for _, l := range r.lanes {
		answered, err := models.Amount(0), error(nil)
		if !l.stopped {
			answered, err = l.answeredBalance()
		}
		switch c := (call{Endpoint: wire.GetBalance, UserID: l.userID}); {
		case l.stopped, errors.Is(err, errNoAnswer):
			r.result.Unsettled = append(r.result.Unsettled, l.userID)
		case err != nil:
			l.mismatch("final balance", c, err.Error())
		case !r.options.Company && answered != l.balance:
			l.mismatch("final balance", c, fmt.Sprintf("the balance is %s, but must be %s by the books", answered, l.balance))
		}
	}
}

// count changes the report under the lock.
func (r *run) count(change func(*Report)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.result)
}
