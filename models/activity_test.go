package models

import (
	"testing"

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
	earlier := CallbackCounts{Answers: map[CallbackAnswer]uint64{bet: 7, balance: 9}}
	now := CallbackCounts{Answers: map[CallbackAnswer]uint64{bet: 10, balance: 9}}
	require.Equal(t, CallbackCounts{Answers: map[CallbackAnswer]uint64{bet: 3}}, now.Since(earlier))
	require.True(t, now.Since(now).Empty())
	require.Equal(t, uint64(2), CallbackCounts{Answers: map[CallbackAnswer]uint64{bet: 2}}.Since(earlier).Answers[bet],
		"a count that was reset")
	require.Equal(t, now, now.Since(CallbackCounts{}))
	now.Answers[CallbackAnswer{"", 404}] = 100
	require.Equal(t, uint64(19), now.Callbacks(nil), "other requests are not counted as callbacks")
	require.Equal(t, uint64(10), now.Callbacks(func(a CallbackAnswer) bool { return a.Endpoint == "Withdraw" }))
}
