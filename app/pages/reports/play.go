package reports

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"pitboss/models"
	"pitboss/models/store"
)

// PlaySharedFor is how long readers share the result of one read. In a large casino, counting a day's distinct players takes a
// tenth of a second.
const PlaySharedFor = 4 * time.Second

// PlayReader shares one read of the play between two times among all who ask at about the same time.
type PlayReader struct {
	mu   sync.Mutex
	read map[[2]int64][]models.CurrencyPlay
}

// Between returns what was played between two times, not including the second. It reads each pair of times once, so callers
// round them to PlaySharedFor.
func (p *PlayReader) Between(ctx context.Context, s *store.Store, from, to time.Time) ([]models.CurrencyPlay, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := [2]int64{from.UnixMicro(), to.UnixMicro()}
	if play, ok := p.read[key]; ok {
		return slices.Clone(play), nil
	}
	play, err := s.Play(ctx, from, to)
	if err != nil {
		return nil, err
	}
	if p.read == nil || len(p.read) >= 64 {
		p.read = map[[2]int64][]models.CurrencyPlay{}
	}
	p.read[key] = slices.Clone(play)
	return play, nil
}

// SortByBets sorts currencies by their number of bets, the highest first. Between equals, before (yesterday) decides, then the
// name.
func SortByBets(list []models.CurrencyPlay, before map[models.Currency]models.CurrencyPlay) {
	slices.SortFunc(list, func(a, b models.CurrencyPlay) int {
		return cmp.Or(cmp.Compare(b.Bets, a.Bets), cmp.Compare(before[b.Currency].Bets, before[a.Currency].Bets),
			cmp.Compare(a.Currency, b.Currency))
	})
}
