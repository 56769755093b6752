package models

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestMoneySums(t *testing.T) {
	m := MoneySums{Stakes: Amount(10000), StakesReversed: Amount(1000), Wins: Amount(8800), WinsReversed: Amount(250),
		SpinWins: Amount(300), SpinWinsReversed: Amount(50)}
	require.Equal(t, Amount(9000), m.Turnover())
	require.Equal(t, Amount(8550), m.Payout(), "wins of free spins are not payout")
	require.Equal(t, Amount(450), m.GGR())
	require.Equal(t, Amount(250), m.SpinPayout())
	rtp, ok := m.RTP()
	require.True(t, ok)
	require.Equal(t, "95.00", rtp.StringFixed(2))
	rtp, ok = MoneySums{Stakes: Amount(300), Wins: Amount(200)}.RTP()
	require.True(t, ok)
	require.Equal(t, "66.67", rtp.StringFixed(2))
	for name, none := range map[string]MoneySums{"nothing staked": {Wins: Amount(100)},
		"all given back": {Stakes: Amount(100), StakesReversed: Amount(100)}, "more given back": {StakesReversed: Amount(100)}} {
		_, ok := none.RTP()
		require.False(t, ok, name)
	}
}

func TestCountsSince(t *testing.T) {
	bet, balance := CallbackAnswer{"Withdraw", 0}, CallbackAnswer{"GetBalance", 0}
	quick := CallbackLatency{Endpoint: "Withdraw", Bound: time.Millisecond}
	earlier := CallbackCounts{Answers: map[CallbackAnswer]uint64{bet: 7, balance: 9},
		Latencies: map[CallbackLatency]uint64{quick: 16}}
	now := CallbackCounts{Answers: map[CallbackAnswer]uint64{bet: 10, balance: 9},
		Latencies: map[CallbackLatency]uint64{quick: 19}}
	require.Equal(t, CallbackCounts{Answers: map[CallbackAnswer]uint64{bet: 3},
		Latencies: map[CallbackLatency]uint64{quick: 3}}, now.Since(earlier))
	require.True(t, now.Since(now).Empty())
	require.Equal(t, uint64(2), CallbackCounts{Answers: map[CallbackAnswer]uint64{bet: 2}}.Since(earlier).Answers[bet],
		"a count that was reset")
	require.Equal(t, now, now.Since(CallbackCounts{}))
	now.Answers[CallbackAnswer{"", 404}] = 100
	require.Equal(t, uint64(19), now.Callbacks(nil), "other requests are not counted as callbacks")
	require.Equal(t, uint64(10), now.Callbacks(func(a CallbackAnswer) bool { return a.Endpoint == "Withdraw" }))
}

func TestPercentile(t *testing.T) {
	const ms = time.Millisecond
	bar := func(endpoint string, over, bound time.Duration) CallbackLatency {
		return CallbackLatency{endpoint, over, bound}
	}
	for name, row := range map[string]struct {
		bars     map[CallbackLatency]uint64
		endpoint string
		share    float64
		want     time.Duration
	}{
		"within a bar": {
			map[CallbackLatency]uint64{bar("Withdraw", 0, ms): 50, bar("Withdraw", 10*ms, 20*ms): 50}, "", 0.75, 15 * ms,
		},
		"the end of a bar": {
			map[CallbackLatency]uint64{bar("Withdraw", 0, ms): 95, bar("Withdraw", 10*ms, 20*ms): 5}, "", 0.95, ms,
		},
		"endpoints together": {
			map[CallbackLatency]uint64{bar("Withdraw", 0, 2*ms): 1, bar("Deposit", 0, 2*ms): 1}, "", 0.5, ms,
		},
		"one endpoint": {
			map[CallbackLatency]uint64{bar("Withdraw", 0, 2*ms): 1, bar("Deposit", 40*ms, 50*ms): 9}, "Withdraw", 1, 2 * ms,
		},
		"above all bounds": {
			map[CallbackLatency]uint64{bar("Withdraw", 5*time.Second, 0): 1}, "", 0.95, 5 * time.Second,
		},
		"bars with nothing in them": {
			map[CallbackLatency]uint64{bar("Withdraw", 0, ms): 0, bar("Withdraw", ms, 2*ms): 10}, "", 1, 2 * ms,
		},
		"bars of different programs": {
			map[CallbackLatency]uint64{bar("Withdraw", 0, ms): 10, bar("Withdraw", 0, 5*ms): 10}, "", 1, 5 * ms,
		},
	} {
		t.Run(name, func(t *testing.T) {
			for range 20 { // bars are in a map: their order must not matter
				got, ok := CallbackCounts{Latencies: row.bars}.Percentile(row.endpoint, row.share)
				require.True(t, ok)
				require.InDelta(t, row.want, got, 1)
			}
		})
	}
	_, ok := CallbackCounts{}.Percentile("", 0.95)
	require.False(t, ok)
}
