package ledger_test

import (
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
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
	x := storetest.NewDatabase(t, storetest.MariaDB)
	s := x.Open(t)
	storetest.CreatePlayer(t, s, "anna", 10000)
	letGo := x.HoldWallet(t, "anna")
	defer letGo()
	answers := make(chan []storetest.Answered)
	go func() {
		answers <- storetest.ApplyTogether(t, storetest.Patience, repeat(storetest.Bet("anna", "a", 100), 8), s)
	}()
	require.Eventually(t, func() bool { return counted(t, s)["pitboss_queue_waiting set_aside"] == 8 }, storetest.Patience,
		time.Millisecond)
	letGo()
	<-answers
	require.Eventually(t, func() bool { return counted(t, s)["pitboss_queue_waiting set_aside"] == 0 }, storetest.Patience,
		time.Millisecond)
	require.EqualValues(t, 8, counted(t, s)["pitboss_operations_set_aside_total"])
}

// TestMetricsOfRetries: after a commit without an answer the operation is tried again, and the cause is counted.
func TestMetricsOfRetries(t *testing.T) {
	storetest.OnFaultyConnections(t, func(t *testing.T, _ *storetest.Database, p *storetest.FaultProxy, via *store.Store) {
		storetest.CreatePlayer(t, via, "anna", 10000)
		before := counted(t, via)
		p.AtCommit(storetest.LoseAnswer, 1)
		require.Equal(t, models.None, storetest.Apply(t, via, storetest.Bet("anna", "a", 100)).Decline)
		after := counted(t, via)
		const retries = "pitboss_database_retries_total connection operations"
		require.EqualValues(t, 1, after[retries]-before[retries])
		require.EqualValues(t, 2, after["pitboss_batch_operations"]-before["pitboss_batch_operations"], "two attempts")
		require.Equal(t, after["pitboss_batch_operations"], after["pitboss_batch_duration_seconds"])
		require.EqualValues(t, 32, after["pitboss_database_connections_max money"])
	})
}
