// Package demo plays the weeks before the demo's first start, so that charts, reports, days to sign, cases and timelines have
// something to show. It writes nothing straight into the database. The platform sends its callbacks to a callback listener,
// which books them like any others. Staff grant, request, approve and sign through the same methods that their pages call, and
// the background jobs run at the end of each day. Only the clock is not real.
package demo

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"time"

	"pitboss/app/activity"
	"pitboss/app/bonus"
	"pitboss/app/catalogue"
	"pitboss/app/evidence"
	"pitboss/app/platform"
	"pitboss/app/reconcile"
	"pitboss/callbacks"
	"pitboss/callbacks/simulator"
	"pitboss/models"
	"pitboss/models/store"
)

// Days is how many days are played before today.
const Days = 21

// Pause is how long before Config.Until play ends.
const Pause = 2 * time.Minute

// UnsignedDays is how many of the last days are left for people to sign.
const UnsignedDays = 4

// Size is how much is played.
type Size struct {
	Crowd  int // number of players besides those with a story
	Rounds int // number of rounds a day
}

// Casino is the size of the demo. Its first start takes less than 20 seconds on two cores.
var Casino = Size{Crowd: 300, Rounds: 400}

// Config says what to play, and with which services.
type Config struct {
	Database  store.Config
	Callbacks callbacks.Config
	API       platform.Config  // how Pitboss calls the platform; the demo sets the address
	Platform  simulator.Config // its books continue after the past

	Checkpoints string // the folder for checkpoints
	Size        Size
	Until       time.Time
	Progress    func(days, all int64) // may be nil
	Log         *slog.Logger
}

// past is the demo while it plays its past. It is also the http.RoundTripper through which the platform sends callbacks,
// because the clock must not leap while a callback is being answered.
type past struct {
	Config
	store      *store.Store
	wallet     *callbacks.Server
	sim        *simulator.Simulator
	bonus      *bonus.Service
	activity   *activity.Service
	evidence   *evidence.Service
	statements *reconcile.Service
	luck       *rand.Rand
	staff      map[string]models.Signer
	first, end time.Time // midnight of the first day, and the end of play

	calls sync.RWMutex // a callback holds it for reading, a leap of the clock for writing
	mu    sync.Mutex   // guards the field below
	at    time.Time
}

// now returns the time in the past. It only moves forward. Between the receipt of a callback and its answer it moves by less
// than the callback really takes, so that no callback is answered before it was decided.
func (p *past) now() time.Time {
	p.forward(7 * time.Microsecond)
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.at
}

func (p *past) forward(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at = p.at.Add(d)
}

func (p *past) to(at time.Time) {
	if d := at.Sub(p.now()); d > 0 {
		p.forward(d)
	}
}

var transport = &http.Transport{MaxIdleConnsPerHost: 64}

// RoundTrip sends a callback while the clock cannot leap.
func (p *past) RoundTrip(r *http.Request) (*http.Response, error) {
	p.calls.RLock()
	defer p.calls.RUnlock()
	return transport.RoundTrip(r)
}

// Play plays the past: it fills the database, and the file with the platform's books.
func Play(ctx context.Context, config Config) (err error) {
	end := config.Until.Add(-Pause)
	first := models.DayOf(end, time.UTC).Add(-Days).Begin(time.UTC)
	p := &past{Config: config, at: first, first: first, end: end, luck: rand.New(rand.NewPCG(7, 11)), staff: map[string]models.Signer{}}
	p.Database.Now, p.Callbacks.Now, p.Callbacks.Path, p.Platform.Now = p.now, p.now, "", p.now
	if p.store, err = store.Open(ctx, p.Database); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.store.Close()) }()
	if _, err := p.store.Migrate(ctx); err != nil {
		return err
	}
	if err := p.store.BeginLedger(ctx); err != nil {
		return err
	}
	p.Callbacks.Journal = p.store
	if p.wallet, err = callbacks.New(p.Callbacks, p.store); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	listening := make(chan error, 1)
	go func() { listening <- p.wallet.Listen(listener) }()
	defer func() {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		err = errors.Join(err, p.wallet.Shutdown(grace), <-listening)
	}()
	p.Platform.CallbackURL, p.Platform.Client = "http://"+listener.Addr().String(), &http.Client{Transport: p}
	if p.sim, err = simulator.New(p.Platform); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.sim.Close()) }()
	outside, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: p.sim.Handler(), ReadHeaderTimeout: time.Minute}
	go server.Serve(outside)
	defer server.Close()
	p.API.URL = "http://" + outside.Addr().String()
	client, err := platform.New(p.API)
	if err != nil {
		return err
	}
	p.bonus = bonus.New(bonus.Config{Store: p.store, Platform: client, Now: p.now, Log: p.Log})
	p.activity = activity.New(activity.Config{Store: p.store, Counts: p.wallet.Counters().Counts, Now: p.now})
	p.evidence = evidence.New(evidence.Config{Store: p.store, Dir: p.Checkpoints, Holder: "demo", Log: p.Log})
	p.statements = reconcile.New(reconcile.Config{Store: p.store, Log: p.Log})
	if err := p.open(ctx); err != nil {
		return err
	}
	games := catalogue.New(catalogue.Config{Store: p.store, Platform: client, Now: p.now, Log: p.Log})
	if _, err := games.Sync(ctx, p.by("ada")); err != nil {
		return err
	}
	return p.play(ctx)
}

// play plays one day after another. Staff act at noon.
func (p *past) play(ctx context.Context) error {
	actions := p.actions()
	for day := range Days + 1 {
		if p.Progress != nil {
			p.Progress(int64(day), Days)
		}
		midnight := p.first.AddDate(0, 0, day)
		noon, night := midnight.Add(12*time.Hour), midnight.Add(23*time.Hour+55*time.Minute)
		if day == Days { // today, up to now
			noon, night = midnight.Add(p.end.Sub(midnight)/2), p.end
		}
		act := actions[day]
		if act == nil {
			act = func(context.Context) error { return nil }
		}
		p.to(midnight)
		if err := p.crowd(ctx, noon); err != nil {
			return err
		}
		if err := act(ctx); err != nil {
			return fmt.Errorf("day %d of the past: %w", day, err)
		}
		if err := errors.Join(p.sign(ctx, day), p.crowd(ctx, night), p.night(ctx)); err != nil {
			return err
		}
	}
	return nil
}

// open creates the staff and players that the first bet needs.
func (p *past) open(ctx context.Context) error {
	if err := CreateStaff(ctx, p.store); err != nil {
		return err
	}
	for _, member := range Staff {
		made, _, err := p.store.StaffNamed(ctx, member.Username)
		if err != nil {
			return err
		}
		p.staff[member.Username] = models.Signer{
			Actor:   models.Actor{Name: member.Username, Channel: models.ChannelBrowser, Address: "127.0.0.1", Session: "past"},
			StaffID: made.ID, Role: made.Role,
		}
	}
	return createPlayers(ctx, p.store, append(crowdOf(p.Size.Crowd), players...))
}

func (p *past) by(username string) models.Actor { return p.staff[username].Actor }

// crowd plays half of a day's rounds, up to a time, for some of the players.
func (p *past) crowd(ctx context.Context, until time.Time) error {
	rounds, users, crowd := p.Size.Rounds/2, userIDs(players), userIDs(crowdOf(p.Size.Crowd))
	for _, i := range p.luck.Perm(len(crowd))[:min(len(crowd), rounds/4)] {
		users = append(users, crowd[i])
	}
	err := p.rounds(ctx, until, rounds, users, nil)
	p.to(until)
	return err
}

// incidents plays one round of each of these kinds within an hour, each with another of the first players.
func (p *past) incidents(ctx context.Context, kinds ...string) error {
	return p.rounds(ctx, p.now().Add(time.Hour), len(kinds), userIDs(players), kinds)
}

// rounds plays rounds of these players up to a time, starting with the kinds of round in first.
func (p *past) rounds(ctx context.Context, until time.Time, rounds int, users, first []string) error {
	last, told := p.now(), map[string]bool{}
	left := until.Sub(last)
	if left <= 0 {
		return nil
	}
	pause := max(2*time.Second, left/time.Duration(rounds+1)-3*time.Second)
	report, err := p.sim.Play(ctx, simulator.PlayOptions{
		Players: users, Seed: p.luck.Uint64(), Rounds: rounds, Workers: 2 + p.Size.Crowd/50, Gentle: true, Company: true, First: first,
		OnEvent: func(e simulator.Event) {
			step := time.Duration(200+rand.IntN(2000)) * time.Millisecond
			if !told[e.RoundID] {
				told[e.RoundID], step = true, pause/2+rand.N(pause)
			}
			p.calls.Lock()
			at := p.now()
			if at.Add(step).Before(until) {
				p.forward(step)
			}
			p.calls.Unlock()
			if at.Sub(last) > 10*time.Minute && at.After(p.end.AddDate(0, 0, -3)) { // on days with which charts compare today
				last = at
				if err := p.activity.Flush(ctx); err != nil {
					p.Log.Error("Counts of callbacks in the demo's past were lost.", "error", err)
				}
			}
		},
	})
	if err == nil && len(report.Mismatches) > 0 {
		err = report.Err()
	}
	return errors.Join(err, ctx.Err(), p.wallet.FlushLog(ctx), p.activity.Flush(ctx))
}

// night runs the background jobs at the end of a day, after giving everything time to commit.
func (p *past) night(ctx context.Context) error {
	p.forward(min(4*time.Minute, max(0, p.end.Add(Pause/2).Sub(p.now()))))
	_, err := p.store.FollowSpins(ctx)
	if err == nil {
		err = p.bonus.Poll(ctx)
	}
	if err == nil {
		_, err = p.store.FollowDays(ctx)
	}
	if err == nil {
		_, err = p.store.FindCases(ctx, models.CaseRulesConfig{})
	}
	return err
}
