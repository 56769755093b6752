package platform

import (
	"context"
	"time"

	"pitboss/app/platform"
	"pitboss/models"
)

// Health is the data of the health card, which shows whether everything between the platform and Pitboss works.
type Health struct {
	LastCallback  time.Time // zero if there was no recent callback
	Callbacks     callbackHealth
	Paused        []platform.Call // calls that are paused because their circuit is open
	UnknownGrants int64           // grants of unknown outcome
	Sync          models.GameSync // the last sync; zero if there was none
	GamesAsOf     time.Time       // if the last sync failed, the time of the last successful one
	NextSync      time.Time

	Verified    models.VerificationRun // the newest verification with a report; zero if there is none
	FiguresAsOf time.Time              // set if the daily sums are behind
	Keyed       bool
	Older       bool // the database is in an older state than a checkpoint

	ClockFast, ClockSlow time.Duration // how far this machine's clock is ahead of or behind the database's
}

// callbackHealth says how the callbacks of the last hour were answered.
type callbackHealth struct {
	All, Unanswered, WrongSigns int64
	Quiet                       bool // no callback has come for a while
}

const (
	quietAfter = 15 * time.Minute // without a callback
	lateAfter  = 2 * time.Minute  // for the daily sums
)

// resultSign is the result for an invalid signature (specification, Errors 2).
const resultSign = 3

// Health returns the data of the health card.
func (a *Area) Health(ctx context.Context, lastCallback time.Time) (h Health, err error) {
	now := a.Now()
	hour, err := a.Store.CallbackCounts(ctx, now.Add(-time.Hour), now)
	if err != nil {
		return h, err
	}
	h = Health{LastCallback: lastCallback, Keyed: a.Store.Keyed(),
		Callbacks: callbackHealth{All: int64(hour.Callbacks(nil)),
			Unanswered: int64(hour.Callbacks(withResult(models.NoAnswer))),
			WrongSigns: int64(hour.Callbacks(withResult(resultSign))),
			Quiet:      now.Sub(lastCallback) > quietAfter}}
	if a.Platform != nil {
		h.Paused = a.Platform.Paused()
	}
	if h.UnknownGrants, err = a.Store.CountUnresolvedGrants(ctx); err != nil {
		return h, err
	}
	if err := a.gamesHealth(ctx, &h); err != nil {
		return h, err
	}
	if ahead := a.Store.ClockAhead().Round(time.Second); ahead.Abs() > time.Second {
		h.ClockFast, h.ClockSlow = max(ahead, 0), max(-ahead, 0)
	}
	return h, a.ledgerHealth(ctx, &h)
}

func (a *Area) gamesHealth(ctx context.Context, h *Health) (err error) {
	found := false
	if h.Sync, found, err = a.Store.LastGameSync(ctx, false); err != nil || !found {
		return err
	}
	if a.Catalogue != nil {
		h.NextSync = h.Sync.At.Add(a.Catalogue.Every)
	}
	if h.Sync.Error != "" {
		var good models.GameSync
		good, _, err = a.Store.LastGameSync(ctx, true)
		h.GamesAsOf = good.At
	}
	return err
}

func (a *Area) ledgerHealth(ctx context.Context, h *Health) (err error) {
	if h.Verified, _, err = a.LastVerification(ctx); err != nil {
		return err
	}
	upTo, err := a.Store.DaysUpTo(ctx)
	if err != nil {
		return err
	}
	if !upTo.IsZero() && a.Now().Sub(upTo) > lateAfter {
		h.FiguresAsOf = upTo
	}
	h.Older = a.Evidence != nil && a.Evidence.Newer() != nil
	return err
}
