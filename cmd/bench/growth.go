package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"

	"pitboss/models"
)

// compareGrowth compares b, whose ledger is nearly empty, with a ledger of b.growth entries on the same server, in interleaved
// rounds: callbacks per second, and the time that a page of a player's ledger takes.
func (b *bench) compareGrowth(ctx context.Context, grown *bench) error {
	if err := grown.fill(ctx, b.growth); err != nil {
		return err
	}
	spread := measurement{batched, play, false}
	rates := map[*bench]map[int][]sample{b: {}, grown: {}}
	pages := map[*bench][]sample{}
	failed := 0
	for round := range b.rounds {
		for _, ledger := range []*bench{b, grown} {
			fmt.Fprintf(os.Stderr, "round %d of %d\n", round+1, b.rounds)
			for _, c := range b.connections {
				s, err := ledger.measure(ctx, spread, c)
				if err != nil {
					return err
				}
				failed += s.Failed
				rates[ledger][c] = append(rates[ledger][c], s)
			}
			s, err := ledger.readPages(ctx)
			if err != nil {
				return err
			}
			pages[ledger] = append(pages[ledger], s)
		}
	}
	fmt.Printf("\na nearly empty ledger and one with %d entries more, medians of %d interleaved rounds\n\n", b.growth, b.rounds)
	for _, c := range b.connections {
		empty, full := median(rates[b][c], sample.rate), median(rates[grown][c], sample.rate)
		fmt.Printf("callbacks per second at %3d connections: %6.0f and %6.0f, ratio %.2f\n", c, empty, full, full/empty)
	}
	p50 := func(s sample) float64 { return float64(s.P50) / float64(time.Millisecond) }
	empty, full := median(pages[b], p50), median(pages[grown], p50)
	fmt.Printf("a page of a player's ledger, p50: %.2f and %.2f ms, ratio %.2f\n", empty, full, full/empty)
	fmt.Printf("%d requests had a wrong answer or none\n", failed)
	return grown.verify(ctx)
}

// fill applies n bets and wins, or for a purge only bets, as callbacks do. Transaction IDs are random, so that the unique index
// is as scattered as in production.
func (b *bench) fill(ctx context.Context, n int) error {
	bar := progressbar.NewOptions(n, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionThrottle(time.Second),
		progressbar.OptionSetDescription("filling the ledger"))
	var left, failed atomic.Int64
	left.Store(int64(n))
	var group sync.WaitGroup
	for range 1024 {
		group.Go(func() {
			for left.Add(-1) >= 0 && ctx.Err() == nil {
				op := models.Operation{
					Source: models.SourcePlatform, Kind: models.Bet, Bet: 100,
					UserID:        models.UserID(playerID(mathrand.IntN(b.players))),
					TransactionID: models.TransactionID(rand.Text()), RoundID: models.RoundID(rand.Text()),
				}
				if b.purge == 0 && mathrand.IntN(2) == 0 { // a win without a bet would open a case during a purge
					op.Kind, op.Bet, op.Win = models.Win, 0, 100
				}
				if r, err := b.stores[0].Apply(ctx, op); err != nil || r.Decline != models.None {
					failed.Add(1)
				}
				bar.Add(1)
			}
		})
	}
	group.Wait()
	bar.Finish()
	if f := failed.Load(); f > 0 {
		return fmt.Errorf("%d operations failed while filling", f)
	}
	return ctx.Err()
}

// readPages reads the first page and one from the middle of the ledgers of many players, one after the other.
func (b *bench) readPages(ctx context.Context) (sample, error) {
	var c counter
	begin := time.Now()
	for range 400 {
		user := models.UserID(playerID(mathrand.IntN(b.players)))
		p, ok, err := b.stores[0].Player(ctx, user)
		if err != nil || !ok {
			return sample{}, errors.Join(err, fmt.Errorf("there is no player %s", user))
		}
		read := time.Now()
		for _, before := range []int64{0, p.Wallet.Seq / 2} {
			if _, err := b.stores[0].Entries(ctx, p.ID, before, 50); err != nil {
				return sample{}, err
			}
		}
		c.latencies = append(c.latencies, time.Since(read)/2)
	}
	c.seconds = time.Since(begin).Seconds()
	return c.sample(), nil
}
