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

// PlayOptions say who plays, how, and for how long. Players is required; everything else has a default.
type PlayOptions struct {
	Players []string // user IDs with separate wallets; their balances at the start are the opening balances of the books
	Seed    uint64   // the same seed, players and opening balances give the same plan

	Rounds  int           // how many rounds in total; 0 means until ctx ends
	Workers int           // how many rounds are played at once; 0 means 1
	Pace    time.Duration // how long a worker pauses after each round

	// Rate is how many calls per second are due, at even intervals, however long earlier calls take. A call that is due while
	// every player waits for an answer is sent late, as soon as a player is free; Event.Late says how late. Repeated calls are
	// sent in addition. 0 means that calls are sent as soon as possible. Once play is over, the remaining calls are sent
	// immediately.
	Rate float64

	// Shared lets every worker play every player. An answer that depends on the balance then cannot be predicted, so only the
	// sum of acknowledged transactions is compared. If Shared is false, each player has one worker, and every answer must be
	// exact.
	Shared bool

	// Gentle plays what a platform usually sends: spins, wins, granted spins, and now and then a voided round or a retry. If it
	// is false, play looks for faults.
	Gentle bool

	// Odd makes the first players start with rounds that a platform should never send: a rollback of an unknown bet, a free
	// spin without a grant, a transaction ID repeated with other contents, and a bet that the statement calls failed although
	// the wallet processed it. The wallet answers all of them correctly.
	Odd bool

	// First names the kinds of rounds that the first players start with, one each, instead of the plan's. Demos use it to play
	// a past with incidents. Odd is short for one such list.
	First []string

	// Company means that others change these players' balances at the same time and may block the players: staff with
	// corrections, or a person on a game page. The books then take the wallet's balance before each round, a bet may also be
	// answered with 1, and balances are not compared.
	Company bool

	// Relayed means that a proxy in front of the wallet repeats a call to another instance if the first is gone. So a call that
	// was sent once may be answered like a repeated one.
	Relayed bool

	LostAnswers    float64       // share of money callbacks whose first answer is lost, 0 to 1
	AttemptTimeout time.Duration // of one attempt; 0 means ten seconds
	RetryFor       time.Duration // how long a call without a definite answer is repeated; 0 means a minute
	Drain          time.Duration // how long rounds in progress may take after ctx has ended; 0 means five seconds

	RunID   string      // distinguishes the transaction IDs of this run; empty means a random one
	OnEvent func(Event) // is called with each answer, never concurrently; it must not block for long
}

// Event is one answered callback of Play.
type Event struct {
	At            time.Time
	UserID        string
	Round         int    // its number in the lane
	Kind          string // the kind of round, as in the plan
	RoundID       string
	What          string // what the call is for, such as "the bet again"
	Endpoint      string
	TransactionID string
	Amount        string // "1.00", or "1.00 / 5.00" for a BetWin; empty if the call has none
	FreeSpin      bool
	Result        int
	Balance       string        // as answered; empty if there was none
	Latency       time.Duration // of the answered attempt
	Late          time.Duration // from when the call was due until its first attempt; see PlayOptions.Rate
	Took          time.Duration // from when the call was due until its answer, with repeated attempts
}

// run is a Play in progress.
type run struct {
	simulator *Simulator
	options   PlayOptions
	runID     string
	books     []*book

	ctx context.Context // for calls; it ends after the caller's, by options.Drain

	playing <-chan struct{} // closed when play is over
	due     schedule

	mu     sync.Mutex
	result Report

	telling sync.Mutex
}

// Play plays rounds against the wallet and compares every answer and, at the end, every balance with its own books. It lasts
// until the number of rounds is reached or ctx ends, and retries while the wallet is unavailable, for up to
// RetryFor. Faults of the wallet are in the Report (see Report.Err). The error says why play could not start, for example
// because a player is unknown.
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
	r.playing = ctx.Done()
	r.playAll(ctx)
	r.audit()
	r.result.Elapsed = time.Since(begun)
	return r.result, nil
}

func (s *Simulator) newRun(options PlayOptions) (*run, error) {
	if len(options.Players) == 0 {
		return nil, errors.New("simulator: there are no players")
	}
	if options.LostAnswers < 0 || options.LostAnswers > 1 {
		return nil, errors.New("simulator: the share of lost answers must be from 0 to 1")
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

// open reads every player's balance into the books.
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

// playAll distributes the lanes to the workers and waits for them. A player has one lane, or, if players are shared, one for
// each worker.
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

// audit compares every final balance with the books.
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
				Found: fmt.Sprintf("the balance is %s, but must be %s by the books", answered, b.balance)})
		}
		r.result.Balances = append(r.result.Balances, check)
	}
}

// hasFreeSpins reports whether a player has a grant with spins left.
func (s *Simulator) hasFreeSpins(userID string) bool {
	return len(s.grants.list(func(grant Grant) bool { return grant.UserID == userID && grant.Status == StatusActive })) > 0
}
