// Package bonus grants free spins, to one player or to many from a file, and tracks the grants.
package bonus

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"pitboss/app/jobs"
	"pitboss/app/platform"
	"pitboss/models"
	"pitboss/models/store"
)

// Config configures a Service.
type Config struct {
	Store    *store.Store
	Platform *platform.Client
	// how long after it was sent a grant without an answer becomes unknown; 0 means 2 minutes. It must be well above the
	// platform's timeout
	Stale time.Duration
	Now   func() time.Time // the clock; nil means the system's
	Log   *slog.Logger     // nil means no log
}

// Service grants free spins.
type Service struct {
	Config
	campaigns *jobs.Requests
}

// New returns a service.
func New(config Config) *Service {
	if config.Stale == 0 {
		config.Stale = 2 * time.Minute
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	s := &Service{Config: config}
	s.campaigns = jobs.NewRequests(jobs.Requests{Name: "campaigns", AtOnce: 1, Log: config.Log,
		Open: s.Store.CampaignsDue,
		Do: func(ctx context.Context, id int64) error {
			_, err := s.Run(ctx, id, nil)
			return err
		}})
	return s
}

// ErrReasonLong means that a reason is too long.
var ErrReasonLong = errors.New("enter at most 500 characters as the reason")

// Grant grants free spins: it records the request, calls the platform once, and records the outcome. If the error is nil, the
// grant's State is the outcome: active, refused or unknown. Until the grant is recorded, errors are those of
// store.RequestGrant; send explains the State. A canceled ctx does not stop a grant that has been sent.
func (s *Service) Grant(ctx context.Context, by models.Actor, r models.GrantRequest) (models.Grant, error) {
	r.Reason = strings.TrimSpace(r.Reason)
	if len([]rune(r.Reason)) > 500 {
		return models.Grant{}, ErrReasonLong
	}
	g, err := s.Store.RequestGrant(ctx, by, r)
	if err != nil {
		return g, err
	}
	return s.send(ctx, by, g)
}

// send sends a requested grant, unless another instance has sent it, and returns it with its outcome. After an error, the
// grant's state is requested if this call has sent nothing, and sent if the outcome could not be recorded.
func (s *Service) send(ctx context.Context, by models.Actor, g models.Grant) (models.Grant, error) {
	ctx = context.WithoutCancel(ctx)
	sent, err := s.Store.SendGrant(ctx, g.ID)
	if err != nil {
		return g, err
	}
	assigned, failure := s.Platform.AssignFreeSpin(ctx, sent.UserID, sent.Game.GameID, sent.Spins)
	o := models.GrantOutcome{
		State: models.GrantActive, FreeSpinID: assigned.FreeSpinID, Result: 0, Latency: assigned.Latency, Raw: assigned.Raw,
	}
	if failure != nil {
		o = outcomeOf(failure)
	}
	answered, err := s.answer(ctx, by, g.ID, o)
	if err != nil {
		// The grant stays in the state sent, and becomes unknown. A person can find the platform's answer in the log.
		s.Log.Error("The outcome of a grant could not be recorded.", "grant", g.ID, "outcome", o.State.String(),
			"free_spin_id", o.FreeSpinID, "error", err)
		return sent, err
	}
	return answered, nil
}

// answerTries is how often recording an outcome is attempted: for about six seconds, long enough for a database to restart.
const answerTries = 6

// answer records an outcome. It retries, because the platform answers only once. A failed attempt may have been committed: then
// the grant already has exactly this outcome.
func (s *Service) answer(ctx context.Context, by models.Actor, id int64, o models.GrantOutcome) (g models.Grant, err error) {
	for try := range answerTries {
		if try > 0 {
			time.Sleep(100 * time.Millisecond << try)
		}
		g, err = s.Store.AnswerGrant(ctx, by, id, o)
		if errors.Is(err, models.ErrGrantState) && try > 0 {
			recorded, found, readErr := s.Store.Grant(ctx, id)
			if readErr == nil && found && recorded.State == o.State && recorded.FreeSpinID == o.FreeSpinID {
				return recorded, nil
			}
		}
		if err == nil || errors.Is(err, models.ErrGrantState) || errors.Is(err, models.ErrGrantUnknown) {
			return g, err
		}
	}
	return g, err
}

// outcomeOf returns what a failed call means for the grant.
func outcomeOf(failure error) models.GrantOutcome {
	o := models.GrantOutcome{State: models.GrantUnknown, Result: models.NoResult,
		Message: "The call failed here. The spins may or may not have been granted."}
	var e *platform.Error
	if errors.As(failure, &e) {
		o.Message, o.Latency, o.Raw = e.GrantWords(), e.Latency, e.Raw
		if e.Known {
			o.State = models.GrantRefused
		}
		if e.Kind == platform.Refused {
			o.Result = e.Result
		}
	}
	return o
}

// Resolve records the outcome that a person found for a grant of unknown outcome. If they found its ID, Resolve asks the
// platform about it: the error is a *platform.Error if the platform does not know the ID, and models.ErrFreeSpinIDMismatch if
// the number of spins differs.
func (s *Service) Resolve(ctx context.Context, by models.Actor, id int64, r models.GrantResolution) (g models.Grant, err error) {
	if r.Note = strings.TrimSpace(r.Note); r.Note == "" {
		return g, models.ErrReasonMissing
	}
	if r.Kind == models.ResolvedFound {
		if r.Total, err = s.verifyFound(ctx, id, r.FreeSpinID); err != nil {
			return g, err
		}
	}
	return s.Store.ResolveGrant(ctx, by, id, r)
}

// verifyFound asks the platform about the ID that a person found, and returns its number of spins, or models.NoCount.
func (s *Service) verifyFound(ctx context.Context, id int64, name models.FreeSpinID) (total int64, err error) {
	if err := models.CheckID(string(name)); err != nil {
		return 0, fmt.Errorf("free-spin ID: %w", err)
	}
	g, found, err := s.Store.Grant(ctx, id)
	switch {
	case err != nil:
		return 0, err
	case !found:
		return 0, models.ErrGrantUnknown
	case !g.Unresolved():
		return 0, models.ErrGrantResolved
	}
	status, err := s.Platform.FreeSpinStatus(ctx, name)
	if err == nil && status.Total == 0 {
		err = models.ErrFreeSpinIDMismatch
	}
	return status.Total, err
}

// Status asks the platform about a grant and the player's other active grants, and returns the updated grant. It returns
// models.ErrGrantUnknown, ErrGrantNotActive for a grant without a free-spin ID, or a *platform.Error.
func (s *Service) Status(ctx context.Context, id int64) (models.Grant, error) {
	g, found, err := s.Store.Grant(ctx, id)
	switch {
	case err != nil:
		return g, err
	case !found:
		return g, models.ErrGrantUnknown
	case g.FreeSpinID == "":
		return g, models.ErrGrantNotActive
	}
	open, err := s.Store.PolledGrants(ctx, g.PlayerID)
	if err != nil {
		return g, err
	}
	asked := []models.Grant{g}
	for _, other := range open {
		if other.ID != g.ID {
			asked = append(asked, other)
		}
	}
	failures, err := s.observe(ctx, asked)
	if err == nil {
		err = failures[id]
	}
	if err != nil {
		return g, err
	}
	g, _, err = s.Store.Grant(ctx, id)
	return g, err
}

// observe asks about grants of one player and records the answers. failures has the errors of the grants without an answer.
func (s *Service) observe(ctx context.Context, grants []models.Grant) (failures map[int64]error, err error) {
	failures = map[int64]error{}
	var seen []models.Observation
	for _, g := range grants {
		o := models.Observation{GrantID: g.ID, Total: models.NoCount, Used: models.NoCount, Remaining: models.NoCount}
		status, failure := s.Platform.FreeSpinStatus(ctx, g.FreeSpinID)
		var e *platform.Error
		switch {
		case failure == nil:
			o.Status, o.Total, o.Used, o.Remaining, o.Raw = status.Status, status.Total, status.Used, status.Left, status.Raw
			complete(&o, g.Spins)
		case errors.As(failure, &e) && e.Kind == platform.Refused:
			failures[g.ID] = failure
			o.Result, o.Raw = e.Result, e.Raw
		default:
			failures[g.ID] = failure
			again := s.Now().Add(min(models.PollAfter(g.Polls), 5*time.Minute))
			if err := s.Store.NotePollError(ctx, g.ID, failure.Error(), again); err != nil {
				return failures, err
			}
			continue
		}
		seen = append(seen, o)
	}
	if len(seen) == 0 {
		return failures, nil
	}
	return failures, s.Store.ObserveGrants(ctx, grants[0].PlayerID, seen, len(failures) == 0)
}

// complete infers a count that the platform omitted from the other counts.
func complete(o *models.Observation, spins int64) {
	switch {
	case o.Used == models.NoCount && o.Remaining != models.NoCount:
		o.Used = spins - o.Remaining
	case o.Used == models.NoCount && o.Status == models.StatusCompleted:
		o.Used = spins
	}
	if o.Remaining == models.NoCount && o.Used != models.NoCount {
		o.Remaining = spins - o.Used
	}
}

const (
	pollPlayers  = 100 // per run
	pollsAtATime = 4
)

// Poll asks about the grants that are due. It stops while the circuit to the platform is open.
func (s *Service) Poll(ctx context.Context) error {
	due, err := s.Store.GrantsToPoll(ctx, pollPlayers)
	if err != nil {
		return err
	}
	group, asking := errgroup.WithContext(ctx)
	group.SetLimit(pollsAtATime)
	for _, grants := range due {
		group.Go(func() error {
			failures, err := s.observe(asking, grants)
			for _, failure := range failures {
				var e *platform.Error
				if errors.As(failure, &e) && e.Kind == platform.CircuitOpen {
					err = errors.Join(err, failure)
				}
			}
			return err
		})
	}
	return group.Wait()
}

// Recover gives an outcome to grants whose program ended before the answer.
func (s *Service) Recover(ctx context.Context) error {
	n, err := s.Store.CloseStaleGrants(ctx, s.Now().Add(-s.Stale))
	if n > 0 {
		s.Log.Warn("Pitboss had stopped before these grants were answered. Those that were sent now have an unknown outcome.",
			"grants", n)
	}
	return err
}

// Campaigns is the job that continues campaigns.
func (s *Service) Campaigns() jobs.Job { return s.campaigns.Job() }
