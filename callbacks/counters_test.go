package callbacks_test

import (
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/callbacks/wire"
	"pitboss/models"
)

// gather returns all metrics by name and labels, such as "pitboss_callback_answers_total Withdraw 0". The value of a histogram
// is its number of samples.
func gather(t testing.TB, c prometheus.Collector) map[string]float64 {
	registry := prometheus.NewPedanticRegistry()
	require.NoError(t, registry.Register(c))
	families, err := registry.Gather()
	require.NoError(t, err)
	all := map[string]float64{}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			name := family.GetName()
			for _, label := range metric.GetLabel() {
				name += " " + label.GetValue()
			}
			all[name] = metric.GetCounter().GetValue() + float64(metric.GetHistogram().GetSampleCount())
		}
	}
	return all
}

func TestMetrics(t *testing.T) {
	m := newStore(t)
	m.create(t, "anna", 10000)
	d := open(t, m)
	d.call(t, wire.Withdraw, bet("anna", "1.00", "t1"))
	d.call(t, wire.Withdraw, bet("anna", "1.00", "t1"))
	d.call(t, wire.Withdraw, bet("anna", "1.00", "t1"))
	d.post(t, "/Withdraw", "x")
	d.post(t, "/nowhere", "x")
	c := d.server.Counters()
	assert.EqualValues(t, 1, c.Answered(wire.Withdraw, wire.Success))
	assert.EqualValues(t, 2, c.Answered(wire.Withdraw, wire.DuplicateTransaction))
	assert.EqualValues(t, 1, c.Answered(wire.Withdraw, wire.WrongInput))
	assert.EqualValues(t, 0, c.Answered(wire.Deposit, wire.Success))
	assert.EqualValues(t, 1, c.Refused(404))

	counts := c.Counts()
	assert.Equal(t, map[models.CallbackAnswer]uint64{
		{Endpoint: "Withdraw", Result: 0}: 1, {Endpoint: "Withdraw", Result: 11}: 2, {Endpoint: "Withdraw", Result: 2}: 1,
		{Result: 404}: 1,
	}, counts.Answers)
	metrics := gather(t, c)
	assert.Equal(t, 1.0, metrics["pitboss_callback_answers_total Withdraw 0"])
	assert.Equal(t, 2.0, metrics["pitboss_callback_answers_total Withdraw 11"])
	assert.Equal(t, 1.0, metrics["pitboss_callback_answers_total Withdraw 2"])
	assert.Contains(t, metrics, "pitboss_callback_answers_total Withdraw none")
	assert.Equal(t, 4.0, metrics["pitboss_callback_duration_seconds Withdraw"])
	assert.Equal(t, 1.0, metrics["pitboss_callback_refusals_total 404"])
	assert.Contains(t, metrics, "pitboss_callback_duration_seconds Deposit")
}
