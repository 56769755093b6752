package books_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// readEvents reads all events after a place, limit at a time, and returns what each was.
func readEvents(t *testing.T, s *store.Store, after models.EventPlace, limit int64) (list []string, places []models.EventPlace) {
	for {
		events, next, more, err := s.EventsAfter(t.Context(), after, limit)
		if !assert.NoError(t, err) {
			return list, places
		}
		for _, e := range events {
			places = append(places, e.Place)
			switch {
			case e.Audit != nil:
				list = append(list, fmt.Sprint("audit ", e.Audit.ID))
			case e.Posting != nil:
				list = append(list, fmt.Sprint("posting ", e.Posting.ID, e.UserID, e.Currency))
			default:
				list = append(list, fmt.Sprint("spin ", e.UserID, e.Spin.Seq))
			}
		}
		if after = next; !more {
			return list, places
		}
	}
}

// TestEventsAtOnce lets several instances book and order events while clients follow them. Every committed change is read
// exactly once, in one order, the same from any place.
func TestEventsAtOnce(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		instances := []*store.Store{x.Open(t), x.Open(t), x.Open(t)}
		s := instances[0]
		users := []models.UserID{"anna", "bert", "carl", "dora"}
		for _, user := range users {
			storetest.CreatePlayer(t, s, user, 1_000_000)
		}
		var writing atomic.Int64
		writing.Store(int64(len(instances)))
		followed := make([][]string, 2)
		storetest.Together(len(instances)+len(followed), func(i int) {
			if i >= len(instances) {
				var at models.EventPlace
				for writing.Load() > 0 {
					list, places := readEvents(t, instances[i-len(instances)], at, 7)
					followed[i-len(instances)] = append(followed[i-len(instances)], list...)
					if len(places) > 0 {
						at = places[len(places)-1]
					}
				}
				list, _ := readEvents(t, s, at, 7)
				followed[i-len(instances)] = append(followed[i-len(instances)], list...)
				return
			}
			defer writing.Add(-1)
			for n := range 40 {
				user, id := users[(n+i)%len(users)], models.TransactionID(fmt.Sprintf("%d-%d", i, n))
				ops := []models.Operation{storetest.Bet(user, id, 100), storetest.BetWin(user, id, 100, 50),
					storetest.FreeSpin(user, id, 100)}
				_, err := instances[i].Apply(t.Context(), ops[n%3])
				assert.NoError(t, err)
				if n%5 == 0 {
					_, err = instances[i].Apply(t.Context(), storetest.Rollback(user, id))
					assert.NoError(t, err)
				}
				if n%4 == 0 {
					_, err = instances[i].FollowDays(t.Context())
					assert.NoError(t, err)
				}
				if n == 20 && i == 0 {
					assert.NoError(t, s.RebuildDays(t.Context())) // which sums every line up again
				}
			}
		})
		_, err := s.FollowDays(t.Context())
		require.NoError(t, err)
		all, places := readEvents(t, s, models.EventPlace{}, 500)
		unique := map[string]bool{}
		for _, e := range all {
			unique[e] = true
		}
		require.Len(t, unique, len(all), "nothing twice")
		require.EqualValues(t, x.Number(t, "SELECT (SELECT COUNT(*) FROM postings WHERE free_spin = 0) + "+
			"(SELECT COUNT(*) FROM spin_entries) + (SELECT COUNT(*) FROM audit_events)"), len(all), "nothing missing")
		for _, list := range followed {
			require.Equal(t, all[:len(list)], list, "whoever follows reads the same order")
		}
		for i := range places {
			if i%17 != 0 {
				continue
			}
			rest, _ := readEvents(t, instances[1], places[i], int64(3+i%5))
			require.Equal(t, all[i+1:], rest, "the same from any place")
		}
	})
}

// TestLateCommitIsAnEvent commits a posting after others with higher numbers were read as events.
func TestLateCommitIsAnEvent(t *testing.T) {
	x := storetest.NewDatabase(t, storetest.MariaDB) // SQLite has one writer, so it has no late commits
	s := x.Open(t)
	late := storetest.CreatePlayer(t, s, "anna", 1000)
	storetest.CreatePlayer(t, s, "bert", 1000)
	tx, err := storetest.OpenURL(t, x.Config.URL).BeginTx(t.Context(), nil)
	require.NoError(t, err)
	defer func() { _ = tx.Rollback() }()
	for _, q := range []string{"INSERT INTO postings (source, transaction_id, claim, player_id, seq, kind, round_id, bet_minor, win_minor, " +
		"free_spin, after_minor, at_us, hash) SELECT 1, 'late', 1, player_id, 2, 1, 'r', 100, 0, 0, 900, at_us, hash " +
		"FROM postings WHERE player_id = ?", "UPDATE wallets SET seq = 2, balance_minor = 900 WHERE player_id = ?"} {
		_, err := tx.ExecContext(t.Context(), q, late.ID)
		require.NoError(t, err)
	}
	storetest.Apply(t, s, storetest.Bet("bert", "early", 100))
	_, err = s.FollowDays(t.Context())
	require.NoError(t, err)
	before, places := readEvents(t, s, models.EventPlace{}, 500)
	require.NoError(t, tx.Commit())
	require.Less(t, x.Number(t, "SELECT id FROM postings WHERE transaction_id = 'late'"),
		x.Number(t, "SELECT id FROM postings WHERE transaction_id = 'early'"))
	_, err = s.FollowDays(t.Context())
	require.NoError(t, err)
	after, _ := readEvents(t, s, places[len(places)-1], 500)
	require.Len(t, after, 1, "the late one, once")
	all, _ := readEvents(t, s, models.EventPlace{}, 500)
	require.Equal(t, append(before, after...), all)
}
