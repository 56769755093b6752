package callbacks_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/callbacks/wire"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// together sends all requests simultaneously over separate connections and returns how often each body was answered.
func together(t *testing.T, d *testServer, sends ...func() answer) map[string]int {
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	answers := make([]answer, len(sends))
	for i, send := range sends {
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-start
			answers[i] = send()
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
	bodies := map[string]int{}
	for _, a := range answers {
		require.Equal(t, 200, a.status)
		bodies[a.body]++
	}
	return bodies
}

func times(n int, send func(i int) answer) []func() answer {
	sends := make([]func() answer, n)
	for i := range sends {
		sends[i] = func() answer { return send(i) }
	}
	return sends
}

// onEach runs fn on each database, many times and with fresh names, and verifies the ledger at the end.
func onEach(t *testing.T, rounds int, fn func(t *testing.T, h database, d *testServer, round string)) {
	storetest.Each(t, func(t *testing.T, url string) {
		h := database{storetest.Open(t, store.Config{URL: url})}
		d := open(t, h)
		for i := range rounds {
			fn(t, h, d, fmt.Sprint(i, " "))
		}
		h.count(t)
	})
}

func TestRaceOfOneIDOverManyConnections(t *testing.T) {
	onEach(t, 5, func(t *testing.T, h database, d *testServer, round string) {
		h.create(t, models.UserID(round+"anna"), 10000)
		bodies := together(t, d, times(24, func(int) answer {
			return d.call(t, wire.Withdraw, bet(round+"anna", "10.00", round+"t"))
		})...)
		assert.Equal(t, map[string]int{ok("90.00"): 1, duplicate("90.00"): 23}, bodies)
	})
}

func TestRaceOfManyDebitsOnOneBalance(t *testing.T) {
	onEach(t, 5, func(t *testing.T, h database, d *testServer, round string) {
		h.create(t, models.UserID(round+"anna"), 1000)
		bodies := together(t, d, times(24, func(i int) answer {
			return d.call(t, wire.Withdraw, bet(round+"anna", "1.00", fmt.Sprint(round, "t", i)))
		})...)
		want := map[string]int{poor: 14}
		for i := range 10 {
			want[ok(fmt.Sprintf("%d.00", i))] = 1
		}
		assert.Equal(t, want, bodies)
	})
}

func TestRaceOfAWithdrawWithItsRollback(t *testing.T) {
	onEach(t, 20, func(t *testing.T, h database, d *testServer, round string) {
		h.create(t, models.UserID(round+"anna"), 10000)
		bodies := together(t, d,
			func() answer { return d.call(t, wire.Withdraw, bet(round+"anna", "10.00", round+"t")) },
			func() answer { return d.call(t, wire.RollbackTransaction, undo(round+"anna", round+"t")) },
		)
		// Either the bet came first and was rolled back, or the rollback came first and the bet was refused.
		betFirst := map[string]int{ok("90.00"): 1, ok("100.00"): 1}
		rollbackFirst := map[string]int{notFound: 1, rolledBack: 1}
		assert.Contains(t, []map[string]int{betFirst, rollbackFirst}, bodies)
		assert.Equal(t, has("100.00"), d.call(t, wire.GetBalance, balanceOf(round+"anna")).body)
	})
}

func TestRaceOfOneIDOverTwoPlayers(t *testing.T) {
	onEach(t, 20, func(t *testing.T, h database, d *testServer, round string) {
		h.create(t, models.UserID(round+"anna"), 10000)
		h.create(t, models.UserID(round+"bert"), 500)
		bodies := together(t, d, times(8, func(i int) answer {
			return d.call(t, wire.Withdraw, bet(round+[]string{"anna", "bert"}[i%2], "1.00", round+"t"))
		})...)
		annaWon := map[string]int{ok("99.00"): 1, duplicate("99.00"): 3, duplicate("5.00"): 4}
		bertWon := map[string]int{ok("4.00"): 1, duplicate("4.00"): 3, duplicate("100.00"): 4}
		assert.Contains(t, []map[string]int{annaWon, bertWon}, bodies)
	})
}

func TestRaceOfManyRollbacks(t *testing.T) {
	onEach(t, 5, func(t *testing.T, h database, d *testServer, round string) {
		h.create(t, models.UserID(round+"anna"), 10000)
		require.Equal(t, ok("90.00"), d.call(t, wire.Withdraw, bet(round+"anna", "10.00", round+"t")).body)
		bodies := together(t, d, times(16, func(int) answer {
			return d.call(t, wire.RollbackTransaction, undo(round+"anna", round+"t"))
		})...)
		assert.Equal(t, map[string]int{ok("100.00"): 1, rolledBack: 15}, bodies)
	})
}
