package reports

import (
	"context"
	"slices"
	"sync"
	"time"

	"pitboss/app/web"
	"pitboss/models"
	"pitboss/models/store"
)

// stakesSharedFor is how long readers share the result of one read.
const stakesSharedFor = 4 * time.Second

// Stakes in play are money that has left the balances, but that a win may still bring back.

// StakesReader shares one read of the stakes in play now among all who ask at about the same time. In a busy casino, the last
// five minutes have many bets.
type StakesReader struct {
	mu   sync.Mutex
	at   time.Time
	read []models.Stakes
}

// Now returns the stakes in play now, at most stakesSharedFor old.
func (r *StakesReader) Now(ctx context.Context, s *store.Store, now time.Time) ([]models.Stakes, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.at.IsZero() && now.Sub(r.at).Abs() < stakesSharedFor {
		return r.read, nil
	}
	read, err := s.StakesInPlay(ctx, now)
	if err == nil {
		r.at, r.read = now, read
	}
	return read, err
}

// stakesRow is one currency's stakes as tables show them.
type stakesRow struct{ Currency, Rounds, Sum string }

func stakesRows(list []models.Stakes) (rows []stakesRow) {
	for _, s := range list {
		rows = append(rows, stakesRow{string(s.Currency), web.Grouped(s.Rounds), s.Sum.Grouped()})
	}
	return rows
}

// StakesOf returns the stakes that a report's filters select. If they select both, the stakes of test players and of real
// players are added up.
func StakesOf(list []models.Stakes, f models.ReportFilter) (kept []models.Stakes) {
	for _, s := range list {
		if f.Currency != "" && s.Currency != f.Currency || f.Test == models.WithoutTest && s.Test ||
			f.Test == models.OnlyTest && !s.Test {
			continue
		}
		if i := slices.IndexFunc(kept, func(k models.Stakes) bool { return k.Currency == s.Currency }); i >= 0 {
			kept[i].Rounds, kept[i].Sum = kept[i].Rounds+s.Rounds, kept[i].Sum.Add(s.Sum)
			continue
		}
		kept = append(kept, s)
	}
	return kept
}

// interruptedAtOnce is the most interrupted rounds that are added up. If there are more, something is very wrong.
const interruptedAtOnce = 200

// interrupted adds up the money in interrupted rounds, by currency, and reports whether there are more rounds than it read.
func (a *Area) interrupted(ctx context.Context, f models.ReportFilter) ([]models.Stakes, bool, error) {
	found, err := a.Store.Rounds(ctx, models.RoundFilter{State: models.RoundInterrupted,
		Span: models.Span{Limit: interruptedAtOnce}})
	if err != nil {
		return nil, false, err
	}
	var list []models.Stakes
	for _, r := range found.Rows {
		list = append(list, models.Stakes{Currency: r.Currency, Test: r.Test, Rounds: 1, Sum: r.Funds()})
	}
	return StakesOf(list, f), found.More || !found.Stopped.IsZero(), nil
}

// stakesAt returns the stakes in play now, or at an instant. Those at the end of a closed day are as they were signed.
func (a *Area) stakesAt(ctx context.Context, p *liabilityPage, at time.Time) ([]models.Stakes, error) {
	if at.IsZero() {
		list, err := a.Staked.Now(ctx, a.Store, p.Now)
		return StakesOf(list, p.of), err
	}
	list, err := a.Store.StakesInPlay(ctx, at)
	return StakesOf(list, p.of), err
}
