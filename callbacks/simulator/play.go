package simulator

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

const (
	defaultAttemptTimeout = 10 * time.Second
	defaultRetryFor       = time.Minute
	defaultDrain          = 5 * time.Second
)

// PlayOptions say who is played, how, and for how long. Players is needed; the rest has defaults.
type PlayOptions struct {
	Players []string // userIDs, each with a wallet of its own; whatever they hold at the start is where the books begin
	Seed    uint64   // the same seed, players and opening balances give the same plan

	Rounds   int           // how many rounds are played in all; 0 means no limit
	Duration time.Duration // how long rounds are begun; 0 means no limit. Without either limit play goes on until ctx ends
	Workers  int           // how many rounds run at once; 0 means 1
	Pace     time.Duration // pause of a worker after each round

	// Rate is how many calls are due in a second, at even intervals, whatever became of those before. A call that is due while
	// every player waits for an answer is sent late, as soon as one of them is free; Event.Late says by how much. Repetitions
	// of a call come beside the schedule. 0 means that calls are sent as soon as they can be. Once play is over nothing waits.
	Rate float64

	// Shared lets every worker play every player. Then no single answer can be foretold where funds decide, and only the sum of
	// what was acknowledged is compared. Otherwise each player is played by one worker, and every answer must be right to the
	// cent.
	Shared bool

	// Gentle plays what a platform usually sends: spins, wins, the free spins that were granted, a voided round or a retry now
	// and then. Otherwise play looks for faults.
	Gentle bool

	// Odd has the first players begin with a round each such as a platform should never send: the rollback of a bet that never
	// comes, a free spin that nobody granted, a transactionID that comes again with other contents, a bet that the statement
	// calls failed although the wallet has it. The wallet answers all of them well.
	Odd bool

	// First names kinds of round that the first players begin with, one each, in place of what the plan has: for a past in
	// which something happened. Odd is such a list.
	First []string

	// Company says that other hands move these players' money meanwhile and may block them: staff with corrections, a person at
	// a game page. Then the books take over the balance before each round, a bet may also be answered 1, and balances are not
	// compared.
	Company bool

	// Relayed says that a proxy before the wallet sends a call to another instance when one is gone. So a call that was sent
	// once may be answered as a repetition.
	Relayed bool

	LostAnswers    float64       // share of money callbacks, 0 to 1, whose first answer is lost
	AttemptTimeout time.Duration // for one attempt; 0 means ten seconds
	RetryFor       time.Duration // how long a call is repeated without a definite answer; 0 means a minute
	Drain          time.Duration // how long rounds in play may finish once ctx has ended; 0 means five seconds

	RunID   string      // makes the transactionIDs of this run its own; empty means a random one
	OnEvent func(Event) // told of every answer, one at a time; it must not block for long
}

// Event is one answered callback of Play.
type Event struct {
	At            time.Time
	UserID        string
	Round         int    // the number of the round in its lane
	Kind          string // the kind of round in the plan
	RoundID       string
	What          string // what the call is in its round, in a few words
	Endpoint      string
	TransactionID string
	Amount        string // "1.00"; bet and win of a BetWin as "1.00 / 5.00"; empty where there is none
	FreeSpin      bool
	Result        int
	Balance       string        // as answered; empty where there was none
	Latency       time.Duration // of the attempt that was answered
	Late          time.Duration // from when the call was due until it was sent first; see PlayOptions.Rate
	Took          time.Duration // from when the call was due until it was answered, repetitions included
}

// run is one Play from its start to its report.
type run struct {
	simulator *Simulator
	options   PlayOptions
	runID     string
	books     []*book

	ctx context.Context // for calls: outlives the caller's context by the drain

	playing <-chan struct{} // closed when play is over
	due     schedule

	mu     sync.Mutex
	result Report

	telling sync.Mutex
}

// Play plays rounds against the wallet and checks every answer and, at the end, every balance against its own books. It lasts
// until the rounds or the duration are over or ctx ends, and survives a wallet that is away for less than RetryFor. What it
// found wrong is in the Report (see Report.Err); the error says that play could not begin, for example because a player is
// unknown.
func (s *Simulator) Play(ctx context.Context, options PlayOptions) (Report, error) {
	r, err := s.newRun(options)
	if err != nil {
		return Report{}, err
	}
	begun := time.Now()
	var cancel context.CancelFunc
	r.ctx, cancel = context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stopDrain := context.AfterFunc(ctx, func() {
		select {
		case <-time.After(r.options.Drain):
			cancel()
		case <-r.ctx.Done():
		}
	})
	defer stopDrain()

	if err := r.open(); err != nil {
		return Report{}, err
	}
	playing := ctx
	if r.options.Duration > 0 {
		var over context.CancelFunc
		playing, over = context.WithTimeout(ctx, r.options.Duration)
		defer over()
	}
	r.playing = playing.Done()
	r.playAll(playing)
	r.audit()
	r.result.Elapsed = time.Since(begun)
	return r.result, nil
}

func (s *Simulator) newRun(options PlayOptions) (*run, error) {
	if len(options.Players) == 0 {
		return nil, errors.New("simulator: there is nobody to play")
	}
	if options.LostAnswers < 0 || options.LostAnswers > 1 {
		return nil, errors.New("simulator: the share of lost answers is from 0 to 1")
	}
	if options.Rounds < 0 || options.Workers < 0 || options.Rate < 0 {
		return nil, errors.New("simulator: neither rounds, workers nor the rate can be negative")
	}
	if options.Workers == 0 {
		options.Workers = 1
	}
	for setting, standard := range map[*time.Duration]time.Duration{
		&options.AttemptTimeout: defaultAttemptTimeout, &options.RetryFor: defaultRetryFor, &options.Drain: defaultDrain,
	} {
		if *setting == 0 {
			*setting = standard
		}
	}
	if options.Odd {
		options.First = nil
		for _, kind := range oddRounds {
			options.First = append(options.First, kind.name)
		}
	}
	for _, name := range options.First {
		if _, known := namedKind(name); !known {
			return nil, fmt.Errorf("simulator: there is no kind of round called %q", name)
		}
	}
	r := &run{simulator: s, options: options, runID: options.RunID, due: schedule{rate: options.Rate}}
	if r.runID == "" {
		r.runID = s.token(8)
	}
	r.result = Report{Seed: options.Seed, RunID: r.runID, Calls: map[string]map[string]int{}, Kinds: map[string]int{}}
	known := map[string]bool{}
	for _, userID := range options.Players {
		if known[userID] {
			return nil, fmt.Errorf("simulator: player %q is named twice", userID)
		}
		known[userID] = true
		r.books = append(r.books,
			&book{userID: userID, exact: !options.Company && (!options.Shared || options.Workers == 1),
				company: options.Company})
	}
	return r, nil
}

// open reads every balance: the books begin there.
func (r *run) open() error {
	for _, b := range r.books {
		balance, err := r.balanceOf(b)
		if err != nil {
			return fmt.Errorf("simulator: player %q: %w", b.userID, err)
		}
		b.start, b.balance = balance, balance
	}
	return nil
}

var errNoAnswer = errors.New("no definite answer to GetBalance")

// balanceOf asks for a player's balance until there is a definite answer.
func (r *run) balanceOf(b *book) (minor, error) {
	asking := &lane{run: r, book: &book{userID: b.userID}}
	got, _, ok := asking.exchange(call{endpoint: getBalance, userID: b.userID}, noLoss)
	switch {
	case !ok:
		return 0, fmt.Errorf("%w: %w", errNoAnswer, got.err)
	case got.result() != resultSuccess:
		return 0, fmt.Errorf("GetBalance was answered with result %d", got.result())
	case got.answer.Balance == nil:
		return 0, errors.New("GetBalance was answered without a balance")
	}
	return *got.answer.Balance, nil
}

// playAll hands the lanes to the workers and waits for them. A player has one lane, or one for each worker when players are
// shared.
func (r *run) playAll(ctx context.Context) {
	var lanes []*lane
	hands := 1
	if r.options.Shared {
		hands = r.options.Workers
	}
	mine := make([][]*lane, r.options.Workers)
	for hand := range hands {
		for i, b := range r.books {
			next := &lane{run: r, index: len(lanes), book: b}
			lanes = append(lanes, next)
			worker := hand
			if !r.options.Shared {
				worker = i % r.options.Workers
			}
			mine[worker] = append(mine[worker], next)
		}
	}
	var workers sync.WaitGroup
	for _, own := range mine {
		workers.Go(func() { r.work(ctx, own, len(lanes)) })
	}
	workers.Wait()
}

// work plays a worker's lanes in turn until each has had its rounds or play is over.
func (r *run) work(ctx context.Context, lanes []*lane, all int) {
	for playing := true; playing; {
		playing = false
		for _, l := range lanes {
			share := (r.options.Rounds + all - 1 - l.index) / all
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

// audit compares every balance with the books.
func (r *run) audit() {
	for _, b := range r.books {
		check := BalanceCheck{UserID: b.userID, Opening: b.start.String(), Booked: b.balance.String()}
		if b.unsettled {
			r.result.Unsettled = append(r.result.Unsettled, b.userID)
			continue
		}
		answered, err := r.balanceOf(b)
		if errors.Is(err, errNoAnswer) {
			r.result.Unsettled = append(r.result.Unsettled, b.userID)
			continue
		}
		if err != nil {
			check.Answered = "unknown"
			r.report(Mismatch{UserID: b.userID, What: "final balance", Endpoint: getBalance, Found: err.Error()})
		} else if check.Answered = answered.String(); r.options.Company {
			check.Booked = check.Answered
		} else if answered != b.balance {
			r.report(Mismatch{UserID: b.userID, What: "final balance", Endpoint: getBalance,
				Found: fmt.Sprintf("the balance is %s, and must be %s by the books", answered, b.balance)})
		}
		r.result.Balances = append(r.result.Balances, check)
	}
}

// hasFreeSpins tells whether a player has a grant with spins left.
func (s *Simulator) hasFreeSpins(userID string) bool {
	return len(s.grants.list(func(grant Grant) bool { return grant.UserID == userID && grant.Status == StatusActive })) > 0
}
