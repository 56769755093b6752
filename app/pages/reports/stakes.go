package reports

import (
	"context"
	"slices"
	"sync"
	"time"

	"pitboss/models"
	"pitboss/models/store"
)

// stakesSharedFor is how long readers share the result of a read.
const stakesSharedFor = 4 * time.Second

// Stakes in play are money that has left the balances but that a win may still bring back.

// StakesReader shares one read of the present stakes in play among everybody who asks at about the same time. Overviews refresh
// every ten seconds, and in a busy casino, the last five minutes have many bets.
type StakesReader struct {
	mu   sync.Mutex
	at   time.Time
	read []models.Stakes
}

// Now returns the present stakes in play, up to stakesSharedFor old.
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

// StakesOf returns the stakes that a report's filters select. If the filters include test players, it adds up the stakes of
// test players and real players.
func StakesOf(list []models.Stakes, f models.ReportFilter) (kept []models.Stakes) {
	for _, s := range list {
		if f.Test == models.WithoutTest && s.Test || f.Test == models.OnlyTest && !s.Test {
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
