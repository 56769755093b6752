// Package demo plays the weeks before the demo's first start, so that charts, reports, days to sign, cases and timelines have
// something to show. Nothing is written straight into the database. The platform sends its callbacks to a callback listener, which
// books them like any others; staff grant, request, approve and sign through the methods that their pages call; and the background
// jobs run at the end of each day. Only the clock is not the real one.
package demo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/shopspring/decimal"

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

// Pause is how long before Config.Until the past ends.
const Pause = 2 * time.Minute

// Size is how much is played.
type Size struct {
	Crowd  int // players besides those that staff deal with
	Rounds int // a day, on average
}

// Casino is the size of the demo. Its first start takes less than 20 seconds on two cores.
var Casino = Size{Crowd: 300, Rounds: 400}

// Config says what is played, and with what.
type Config struct {
	Database  store.Config
	Callbacks callbacks.Config
	API       platform.Config  // how staff call the platform; the address is the demo's
	Platform  simulator.Config // its books continue after the past

	Checkpoints string // folder
	Size        Size
	Until       time.Time
	Progress    func(days, all int64) // may be nil
	Log         *slog.Logger
}

// rhythm says which share of a day's rounds is played between two hours.
var rhythm = []struct {
	from, until time.Duration
	share       float64
}{
	{0, 7 * time.Hour, 0.14}, {7 * time.Hour, 12 * time.Hour, 0.16}, {12 * time.Hour, 17 * time.Hour, 0.21},
	{17 * time.Hour, 20 * time.Hour, 0.19}, {20 * time.Hour, 24 * time.Hour, 0.30},
}

// pastClock is the time of the past. It only ever goes forward. Between the receipt of a callback and its answer it goes forward
// by less than the callback really takes, so that none is answered before it was decided.
type pastClock struct {
	mu    sync.Mutex
	at    time.Time
	calls sync.RWMutex // held by a callback until it is answered, and by a leap of the clock
	send  *http.Transport
}

func (c *pastClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(7 * time.Microsecond) // everything takes some time
	return c.at
}

func (c *pastClock) forward(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// leap goes forward by a step between callbacks, unless that would be after until, and returns the time.
func (c *pastClock) leap(step time.Duration, until time.Time) time.Time {
	c.calls.Lock()
	defer c.calls.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if next := c.at.Add(step); next.Before(until) {
		c.at = next
	}
	return c.at
}

func (c *pastClock) to(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at.After(c.at) {
		c.at = at
	}
}

// RoundTrip sends a callback, during which the clock makes no leap.
func (c *pastClock) RoundTrip(r *http.Request) (*http.Response, error) {
	c.calls.RLock()
	defer c.calls.RUnlock()
	return c.send.RoundTrip(r)
}

// past is the demo while it plays its past.
type past struct {
	Config
	*pastClock
	store      *store.Store
	wallet     *callbacks.Server
	sim        *simulator.Simulator
	catalogue  *catalogue.Service
	bonus      *bonus.Service
	activity   *activity.Service
	evidence   *evidence.Service
	statements *reconcile.Service
	luck       *rand.Rand
	staff      map[string]models.Signer
	first, end time.Time // midnight of the first day, and when the past ends
}

// Play plays the past into the database, and the platform's books into their file.
func Play(ctx context.Context, config Config) (err error) {
	end := config.Until.Add(-Pause)
	first := models.DayOf(end, time.UTC).Add(-Days).Begin(time.UTC)
	p := &past{
		Config: config, pastClock: &pastClock{at: first, send: &http.Transport{MaxIdleConnsPerHost: 64}}, first: first, end: end, luck: rand.New(rand.NewPCG(7, 11)),
		staff: map[string]models.Signer{},
	}
	config.Database.Now = p.now
	if p.store, err = store.Open(ctx, config.Database); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.store.Close()) }()
	if _, err := p.store.Migrate(ctx); err != nil {
		return err
	}
	if err := p.store.BeginLedger(ctx); err != nil {
		return err
	}
	return p.serve(ctx)
}

// serve plays with the callback listener and the platform's API on ports of their own.
func (p *past) serve(ctx context.Context) error {
	p.Callbacks.Journal, p.Callbacks.Now, p.Callbacks.Path = p.store, p.now, ""
	wallet, err := callbacks.New(p.Callbacks, p.store)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	listening := make(chan error, 1)
	go func() { listening <- wallet.Listen(listener) }()
	p.Platform.CallbackURL, p.Platform.Now = "http://"+listener.Addr().String(), p.now
	p.Platform.Client = &http.Client{Transport: p.pastClock}
	if p.sim, err = simulator.New(p.Platform); err == nil {
		p.wallet = wallet
		err = errors.Join(p.work(ctx), p.sim.Close())
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	return errors.Join(err, wallet.Shutdown(grace), <-listening)
}

// work plays with the services that call the platform.
func (p *past) work(ctx context.Context) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: p.sim.Handler(), ReadHeaderTimeout: time.Minute}
	go server.Serve(listener)
	defer server.Close()
	p.API.URL = "http://" + listener.Addr().String()
	client, err := platform.New(p.API)
	if err != nil {
		return err
	}
	p.catalogue = catalogue.New(catalogue.Config{Store: p.store, Platform: client, Now: p.now, Log: p.Log})
	p.bonus = bonus.New(bonus.Config{Store: p.store, Platform: client, Now: p.now, Log: p.Log})
	p.activity = activity.New(activity.Config{Store: p.store, Counts: p.wallet.Counters().Counts, Now: p.now, Log: p.Log})
	p.evidence = evidence.New(evidence.Config{Store: p.store, Dir: p.Checkpoints, Holder: "demo", Log: p.Log})
	p.statements = reconcile.New(reconcile.Config{Store: p.store, Log: p.Log})
	return p.play(ctx)
}

// play plays one day after the other. Staff act at noon.
func (p *past) play(ctx context.Context) error {
	if err := p.open(ctx); err != nil {
		return err
	}
	actions := p.actions()
	for day := range Days + 1 {
		if p.Progress != nil {
			p.Progress(int64(day), Days)
		}
		midnight := p.first.AddDate(0, 0, day)
		noon, night := midnight.Add(12*time.Hour), midnight.Add(23*time.Hour+55*time.Minute)
		if day == Days { // today, until now
			noon, night = p.end.Add(-p.end.Sub(midnight)/2), p.end
		}
		p.to(midnight)
		if err := p.crowd(ctx, midnight, noon); err != nil {
			return err
		}
		p.to(noon)
		if act := actions[day]; act != nil {
			if err := act(ctx); err != nil {
				return fmt.Errorf("day %d of the past: %w", day, err)
			}
		}
		if err := errors.Join(p.sign(ctx, day), p.rates(ctx, day), p.crowd(ctx, midnight, night)); err != nil {
			return err
		}
		p.to(night)
		if err := p.night(ctx); err != nil {
			return err
		}
	}
	return nil
}

// open creates what the first bet needs: staff, players and games.
func (p *past) open(ctx context.Context) error {
	if err := CreateStaff(ctx, p.store); err != nil {
		return err
	}
	for _, member := range Staff {
		made, found, err := p.store.StaffNamed(ctx, member.Username)
		if err != nil || !found {
			return errors.Join(err, fmt.Errorf("%s has no account", member.Username))
		}
		p.staff[member.Username] = models.Signer{
			Actor:   models.Actor{Name: member.Username, Channel: models.ChannelBrowser, Address: "127.0.0.1", Session: "past"},
			StaffID: made.ID, Role: made.Role,
		}
	}
	if err := errors.Join(createPlayers(ctx, p.store, players), createPlayers(ctx, p.store, crowdOf(p.Size.Crowd))); err != nil {
		return err
	}
	_, err := p.catalogue.Sync(ctx, p.by("ada"))
	return err
}

func (p *past) by(username string) models.Actor { return p.staff[username].Actor }

// crowd plays the rounds of a day until a time, in the rhythm of a day, for some of the players at each time.
func (p *past) crowd(ctx context.Context, midnight, until time.Time) error {
	age := midnight.Sub(p.first).Hours() / 24 / Days
	day := float64(p.Size.Rounds) * (0.2 + 1.6*age) // a casino that opened three weeks ago grows
	if weekday := midnight.Weekday(); weekday == time.Friday || weekday == time.Saturday {
		day *= 1.3
	}
	for _, r := range rhythm {
		from, to := p.now(), midnight.Add(r.until)
		if begins := midnight.Add(r.from); from.Before(begins) {
			from = begins
		}
		if until.Before(to) {
			to = until
		}
		if !from.Before(to) {
			continue
		}
		p.to(from)
		rounds := int(math.Ceil(day * r.share * to.Sub(from).Hours() / (r.until - r.from).Hours()))
		users, crowd := userIDs(players), userIDs(crowdOf(p.Size.Crowd))
		for _, i := range p.luck.Perm(len(crowd))[:min(len(crowd), rounds/4)] {
			users = append(users, crowd[i])
		}
		if err := p.rounds(ctx, to, rounds, users, nil); err != nil {
			return err
		}
		p.to(to)
	}
	return nil
}

// incidents plays rounds of these kinds, one for each of the first players, within an hour.
func (p *past) incidents(ctx context.Context, kinds ...string) error {
	return p.rounds(ctx, p.now().Add(time.Hour), len(kinds), userIDs(players), kinds)
}

// rounds plays rounds of some players until a time, starting with the kinds of round in first.
func (p *past) rounds(ctx context.Context, until time.Time, rounds int, users, first []string) error {
	p.mu.Lock()
	left := until.Sub(p.at)
	p.mu.Unlock()
	if rounds < 1 || left <= 0 {
		return nil
	}
	pause, told, last := max(2*time.Second, left/time.Duration(rounds+1)-3*time.Second), map[string]bool{}, p.now()
	report, err := p.sim.Play(ctx, simulator.PlayOptions{
		Players: users, Seed: p.luck.Uint64(), Rounds: rounds, Workers: 2 + p.Size.Crowd/50, Gentle: true, Company: true, First: first,
		OnEvent: func(e simulator.Event) {
			step := time.Duration(200+rand.IntN(2000)) * time.Millisecond
			if !told[e.RoundID] {
				told[e.RoundID] = true
				step = pause/2 + time.Duration(rand.Int64N(int64(pause)))
			}
			at := p.leap(step, until)
			if at.Sub(last) > 10*time.Minute && at.After(p.end.AddDate(0, 0, -3)) { // the days with which charts compare today
				last = at
				if err := p.activity.Flush(ctx); err != nil {
					p.Log.Error("Counts of the past were lost.", "error", err)
				}
			}
		},
	})
	if err == nil {
		err = ctx.Err()
	}
	if err == nil && len(report.Mismatches) > 0 {
		err = errors.New(report.String())
	}
	return errors.Join(err, p.wallet.FlushLog(ctx), p.activity.Flush(ctx))
}

// night runs the background jobs at the end of a day.
func (p *past) night(ctx context.Context) error {
	p.forward(4 * time.Minute) // followers read only what has had time to be committed
	if p.now().After(p.end) {
		p.mu.Lock()
		p.at = p.end.Add(Pause / 2)
		p.mu.Unlock()
	}
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

// rates has finance enter the rates of the week before, and compliance confirm them. The first time, they name the base currency, and
// switch on a threshold. The last rates are left for people to enter.
func (p *past) rates(ctx context.Context, day int) error {
	const week = 7
	if day == 0 || day%week != 0 || day == Days {
		return nil
	}
	confirmed := func(subject models.ChangeSubject, value any, reason string) error {
		r, err := p.store.RequestChange(ctx, p.staff["farid"], subject, value, reason)
		if err == nil {
			p.forward(2 * time.Minute)
			_, err = p.store.ApproveChange(ctx, p.staff["chloe"], r.ID)
		}
		return err
	}
	if day == week {
		if err := errors.Join(confirmed(models.ChangeBaseCurrency, models.Currency("EUR"), "Our books are in euros."),
			confirmed(models.ChangeThresholds, models.Thresholds{{Ranking: models.RankWins, Currency: "EUR", Least: 30000}},
				"We look at every win of 300.00 or more.")); err != nil {
			return err
		}
	}
	sheet := models.RateSheet{Base: "EUR"}
	for i, c := range []models.Currency{"BRL", "TRY", "UAH"} {
		rate := func(day int) decimal.Decimal { return decimal.New([]int64{1610, 203, 206}[i]+int64(day%week), -4) }
		for of := day - week; of < day; of++ {
			r := models.Rate{Day: models.DayOf(p.first.AddDate(0, 0, of), time.UTC), Currency: c, Rate: rate(of)}
			if of > 0 {
				r.Before, r.BeforeDay = rate(of-1), r.Day.Add(-1)
			}
			sheet.Rates = append(sheet.Rates, r)
		}
	}
	return confirmed(models.ChangeRates, sheet, "Reference rates of the week.")
}

// UnsignedDays is how many days at the end of the past are left for people to sign.
const UnsignedDays = 4

// sign has finance and compliance sign yesterday.
func (p *past) sign(ctx context.Context, day int) error {
	if day == 0 || day > Days-UnsignedDays {
		return nil
	}
	yesterday := models.DayOf(p.first.AddDate(0, 0, day-1), time.UTC)
	for _, name := range []string{[]string{"farid", "mira"}[day%2], "chloe"} {
		interval, err := p.store.DayInterval(ctx, yesterday)
		if err != nil {
			return err
		}
		groups, err := p.store.DayGroups(ctx, yesterday)
		if err != nil {
			return err
		}
		standing, _, err := p.store.DayStanding(ctx, interval)
		if err != nil {
			return err
		}
		p.forward(7 * time.Minute)
		seen := models.DaySeen{Figures: models.ReportDigest(interval, groups), Standing: standing.Standing()}
		if _, err := p.store.SignDay(ctx, p.staff[name], yesterday, seen,
			"Compared with the platform’s figures."); err != nil {
			return fmt.Errorf("sign %s: %w", yesterday, err)
		}
	}
	return nil
}

// action is what staff did on a day.
type action func(ctx context.Context) error

// grant grants spins on one of the games.
func (p *past) grant(ctx context.Context, user models.UserID, game int, spins int64, reason string) (models.Grant, error) {
	p.forward(9 * time.Minute)
	games := p.sim.Games()
	return p.bonus.Grant(ctx, p.by("bruno"), models.GrantRequest{
		UserID: user, GameID: models.GameID(games[game%len(games)].GameID), Spins: spins, Reason: reason, Role: models.Bonus,
	})
}

// correct requests a correction and has a colleague decide it: approve, refuse, or "" to leave it waiting.
func (p *past) correct(ctx context.Context, maker, checker, decision string, user models.UserID,
	r models.CorrectionRequest) error {
	player, _, err := p.store.Player(ctx, user)
	if err != nil {
		return err
	}
	r.PlayerID = player.ID
	asked, err := p.store.RequestCorrection(ctx, p.staff[maker], r)
	if err != nil || decision == "" {
		return err
	}
	p.forward(25 * time.Minute)
	if decision == "refuse" {
		_, err = p.store.RefuseCorrection(ctx, p.staff[checker], asked.ID, "The player’s own history explains it.")
		return err
	}
	outlook, err := p.store.Outlook(ctx, asked)
	if err != nil {
		return err
	}
	_, err = p.store.ApproveCorrection(ctx, p.staff[checker], asked.ID, outlook.CorrectionBasis)
	return err
}

// complain records the complaint of a player who reads Spanish, and keeps it.
func (p *past) complain(ctx context.Context, by string, user models.UserID, c models.NewComplaint) error {
	player, _, err := p.store.Player(ctx, user)
	if err != nil {
		return err
	}
	c.PlayerID = player.ID
	id, err := p.store.OpenComplaint(ctx, p.by(by), c)
	if err != nil {
		return err
	}
	return errors.Join(p.store.OwnCase(ctx, p.by(by), id, "", by),
		p.store.SetLanguage(ctx, p.by(by), player.ID, "es", "Europe/Madrid"))
}

// statement compares the platform's statement of a day with the ledger.
func (p *past) statement(ctx context.Context, by string, daysAgo int) error {
	until := p.today().AddDate(0, 0, 1-daysAgo)
	from := until.AddDate(0, 0, -1)
	var file bytes.Buffer
	if err := p.sim.WriteStatement(&file, from, until); err != nil {
		return err
	}
	st, err := p.statements.Keep(ctx, p.by(by), 0, "statement-"+from.Format(time.DateOnly)+".csv", bytes.NewReader(file.Bytes()))
	if err != nil {
		return err
	}
	st.Since, st.Until = from, until
	run, err := p.store.BeginStatementRun(ctx, p.by(by), st)
	if err == nil {
		run, err = p.statements.Compare(ctx, run.ID, nil)
	}
	if err == nil && run.State != models.JobFinished {
		err = fmt.Errorf("the comparison %s: %s", run.State, run.Failure)
	}
	return err
}

func (p *past) today() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return models.DayOf(p.at, time.UTC).Begin(time.UTC)
}

// close closes the open cases of some rules.
func (p *past) close(ctx context.Context, by string, to models.CaseState, reason string, rules ...models.CaseRule) error {
	for _, rule := range rules {
		p.forward(11 * time.Minute)
		if _, err := p.store.DecideCases(ctx, p.by(by), models.CaseFilter{Rule: rule, State: models.CaseOpen}, to, reason,
			100); err != nil {
			return err
		}
	}
	return nil
}

// prove verifies what was written since the newest checkpoint, and writes another.
func (p *past) prove(ctx context.Context) error {
	began := p.now()
	if _, err := p.store.FindCases(ctx, models.CaseRulesConfig{}); err != nil { // as the job does every few seconds
		return err
	}
	newest, found, err := p.store.LastCheckpoint(ctx)
	if err != nil {
		return err
	}
	var since *models.CheckpointReader
	if found {
		file, err := p.evidence.Open(newest)
		if err != nil {
			return err
		}
		defer file.Close()
		if since, err = p.store.OpenCheckpoint(file); err != nil {
			return err
		}
	}
	v, err := p.store.VerifySince(ctx, since, nil)
	if err == nil && v.Faults() > 0 {
		err = fmt.Errorf("verification found %d faults", v.Faults())
	}
	if err == nil {
		p.forward(3 * time.Second)
		err = p.store.RecordVerification(ctx, p.by("chloe"), began, v)
	}
	if err == nil {
		_, err = p.evidence.Write(ctx, p.by("chloe"))
	}
	return err
}

// beyond requests spins beyond the limits for one player.
func (p *past) beyond(ctx context.Context, user string, spins int64) (models.Campaign, error) {
	campaign, _, err := p.bonus.Request(ctx, p.staff["bruno"], bonus.Upload{CampaignTerms: models.CampaignTerms{Name: "VIP of the month"},
		FileName: "One player", Lines: []models.GrantLine{{Line: 1, UserID: models.UserID(user),
			GameID: models.GameID(p.sim.Games()[2].GameID), Spins: spins}}})
	return campaign, err
}

// campaign grants ten spins on one of the games to each of the users, from a file. After paused lines, unless that is 0, the
// campaign is paused.
func (p *past) campaign(ctx context.Context, file, name string, game int, paused int, users ...string) error {
	u := bonus.Upload{CampaignTerms: models.CampaignTerms{Name: name, BudgetSpins: int64(len(users)) * 10}, FileName: file, Role: models.Bonus}
	for i, user := range users {
		u.Lines = append(u.Lines, models.GrantLine{Line: i + 1, UserID: models.UserID(user),
			GameID: models.GameID(p.sim.Games()[game].GameID), Spins: 10})
	}
	campaign, bad, err := p.bonus.Create(ctx, p.by("bruno"), u)
	if err != nil || len(bad) > 0 {
		return errors.Join(err, fmt.Errorf("%d lines of the campaign are wrong", len(bad)))
	}
	var failed error
	_, err = p.bonus.Run(ctx, campaign.ID, func(now models.Campaign) {
		if paused > 0 && now.Granted.Lines == int64(paused) {
			failed = errors.Join(failed, p.store.SetCampaignState(ctx, p.by("bruno"), campaign.ID, models.JobPaused, "The provider is repairing the game."))
		}
	})
	return errors.Join(err, failed)
}
