package store_test

import (
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/storetest"
)

// counted reads what a store counts, by name and values of labels: "pitboss_queue_waiting players".
func counted(t *testing.T, s *store.Store) map[string]float64 {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	require.NoError(t, registry.Register(s.Metrics()))
	families, err := registry.Gather()
	require.NoError(t, err)
	all := map[string]float64{}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			name := family.GetName()
			for _, label := range metric.GetLabel() {
				name += " " + label.GetValue()
			}
			all[name] = metric.GetCounter().GetValue() + metric.GetGauge().GetValue() +
				float64(metric.GetHistogram().GetSampleCount())
		}
	}
	return all
}

// TestMetricsOfHeldWallet: an operation whose wallet somebody else has locked is set aside, and is counted as waiting until it
// is settled.
func TestMetricsOfHeldWallet(t *testing.T) {
	x := newSite(t, storetest.MariaDB, false)
	s := x.open(t)
	create(t, s, "anna", 10000)
	letGo := x.holdWallet(t, "anna")
	defer letGo()
	answers := make(chan []answered)
	go func() { answers <- applyTogether(t, patience, repeat(bet("anna", "a", 100), 8), s) }()
	require.Eventually(t, func() bool { return counted(t, s)["pitboss_queue_waiting set_aside"] == 8 }, patience,
		time.Millisecond)
	letGo()
	<-answers
	require.Eventually(t, func() bool { return counted(t, s)["pitboss_queue_waiting set_aside"] == 0 }, patience,
		time.Millisecond)
	require.EqualValues(t, 8, counted(t, s)["pitboss_operations_set_aside_total"])
}

// TestMetricsOfRetries: after a commit without an answer the operation is tried again, and the cause is counted.
func TestMetricsOfRetries(t *testing.T) {
	onFaultyWay(t, func(t *testing.T, _ *site, p *storetest.FaultProxy, via *store.Store) {
		create(t, via, "anna", 10000)
		before := counted(t, via)
		p.AtCommit(storetest.LoseAnswer, 1)
		require.Equal(t, models.None, apply(t, via, bet("anna", "a", 100)).Decline)
		after := counted(t, via)
		const retries = "pitboss_database_retries_total connection operations"
		require.EqualValues(t, 1, after[retries]-before[retries])
		require.EqualValues(t, 2, after["pitboss_batch_operations"]-before["pitboss_batch_operations"], "two attempts")
		require.Equal(t, after["pitboss_batch_operations"], after["pitboss_batch_duration_seconds"])
		require.EqualValues(t, 32, after["pitboss_database_connections_max money"])
	})
}

// TestBacklogOfUnsignedDays: a day with play that has ended waits for both signatures.
func TestBacklogOfUnsignedDays(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
		s := storetest.Open(t, store.Config{URL: url, Now: func() time.Time { return now }})
		create(t, s, "anna", 10000)
		apply(t, s, bet("anna", "a", 100))
		now = now.Add(24 * time.Hour)
		_, err := s.FollowDays(t.Context())
		require.NoError(t, err)
		b, err := s.Backlog(t.Context(), nil)
		require.NoError(t, err)
		require.Equal(t, map[models.Role]int{models.Finance: 1, models.Compliance: 1}, b.UnsignedDays)
	})
}

// TestBacklogIsBounded: however long a backlog is, reading it costs a thousand index entries.
func TestBacklogIsBounded(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		s := storetest.Open(t, store.Config{URL: url})
		empty, err := s.Backlog(t.Context(), nil)
		require.NoError(t, err)
		require.Equal(t, store.Backlog{UnsignedDays: map[models.Role]int{models.Finance: 0, models.Compliance: 0}}, empty)
		for range 1002 {
			require.NoError(t, s.AskTestNotice(t.Context(), tester, []models.NoticeChannel{models.NoticeMail}))
		}
		full, err := s.Backlog(t.Context(), []string{"notices"})
		require.NoError(t, err)
		require.EqualValues(t, 1000, full.Notices)
		held, err := s.Lease(t.Context(), "notices", "host/7/random", time.Minute)
		require.NoError(t, err)
		require.True(t, held)
		full, err = s.Backlog(t.Context(), []string{"notices", "days"})
		require.NoError(t, err)
		require.Equal(t, []store.HeldLease{{Name: "notices", Holder: "host/7", Held: true}}, full.Leases)
		require.NoError(t, s.EndLease(t.Context(), "notices", "host/7/random"))
		full, err = s.Backlog(t.Context(), []string{"notices"})
		require.NoError(t, err)
		require.Equal(t, []store.HeldLease{{Name: "notices", Holder: "host/7"}}, full.Leases)
	})
}
