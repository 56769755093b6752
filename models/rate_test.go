package models

import (
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
)

func TestRates(t *testing.T) {
	for text, ok := range map[string]bool{"0.9215": true, "0,9215": true, "1000000": true, "0.0000573112": true, "0": false, "-1": false,
		"1e3": false, "1.000,5": false, "": false, "0.12345678901": false, "1000001": false, "½": false} {
		_, err := ParseRate(text)
		require.Equal(t, ok, err == nil, "%s: %v", text, err)
	}
	rates := Rates{Base: "EUR"}
	rates.Add(Rate{Day: "2026-11-02", Currency: "USD", Rate: decimal.RequireFromString("0.9")}, 1)
	rates.Add(Rate{Day: "2026-11-03", Currency: "USD", Rate: decimal.RequireFromString("0.925")}, 2)
	rates.Add(Rate{Day: "2026-11-03", Currency: "USD", Rate: decimal.RequireFromString("0.95")}, 3)
	for _, c := range []struct {
		amount Amount
		in     Currency
		day    Day
		want   Amount
		known  bool
	}{
		{1, "USD", "2026-11-03", 1, true}, {5, "USD", "2026-11-02", 5, true}, {-5, "USD", "2026-11-02", -5, true}, // 0.045 is 0.05
		{1000, "USD", "2026-11-03", 950, true}, {1000, "USD", "2026-11-04", 0, false}, {1000, "TRY", "2026-11-03", 0, false},
		{1000, "EUR", "2026-11-04", 1000, true},
	} {
		got, known := rates.Convert(c.amount, c.in, c.day)
		require.Equal(t, c.known, known, c)
		require.Equal(t, c.want, got, c)
	}
	before, known := rates.Before("2026-11-03", "USD")
	require.True(t, known)
	require.Equal(t, "0.9", before.Rate.Rate.String())
	_, known = Rates{}.Convert(1, "", "2026-11-03")
	require.False(t, known, "there is no base currency")

	require.True(t, Rate{Rate: decimal.NewFromInt(1)}.Doubtful(), "nothing before")
	require.False(t, Rate{Rate: decimal.RequireFromString("1.1"), Before: decimal.NewFromInt(1)}.Doubtful())
	require.True(t, Rate{Rate: decimal.RequireFromString("1.11"), Before: decimal.NewFromInt(1)}.Doubtful())

	one := Rate{Day: "2026-11-03", Currency: "USD", Rate: decimal.NewFromInt(1)}
	far := Rate{Day: "2028-11-03", Currency: "USD", Rate: decimal.NewFromInt(1)}
	for why, sheet := range map[string]RateSheet{"two rates for": {"EUR", []Rate{one, one}}, "covers at most": {"EUR", []Rate{one, far}},
		"needs no rate": {"USD", []Rate{one}}, "a request has": {"EUR", nil}, "base currency first": {"", []Rate{one}}} {
		require.ErrorContains(t, sheet.Check(), why)
	}
	require.NoError(t, RateSheet{"EUR", []Rate{one}}.Check())
}

// The interval of a game's return, against one that was calculated by hand: 40 sessions that stake 10.00, of which one in four
// wins
// 36.00. R is 0.9, each session misses it by -9 or 27, and the standard error is √(40/39 × (30×81 + 10×729)) / 400 = 0.24962.
func TestGameReturnInterval(t *testing.T) {
	g := GameReport{}
	for i := range 40 {
		won := Amount(0)
		if i%4 == 0 {
			won = 3600
		}
		_, _, known := g.ReturnInterval()
		require.Equal(t, i >= 30, known, i)
		g.AddSession(DayFigures{MoneySums: MoneySums{Bets: 10, Stakes: 1000, Wins: won}})
	}
	low, high, known := g.ReturnInterval()
	require.True(t, known)
	require.Equal(t, "41.08 138.92", low.String()+" "+high.String())
	require.Equal(t, "0", g.Outside(decimal.NewFromInt(96)).String())
	require.Equal(t, "1.08", g.Outside(decimal.NewFromInt(40)).String(), "it returned too much")
	require.Equal(t, "-1.08", g.Outside(decimal.NewFromInt(140)).String())
}

func TestThresholds(t *testing.T) {
	wins := Threshold{Ranking: RankWins, Currency: "EUR", Least: 500}
	list := Thresholds{}.With(wins).With(Threshold{Ranking: RankGrants, Least: 9})
	require.NoError(t, list.Check())
	wins.Least = 700
	require.Equal(t, int64(700), list.With(wins).Of(wins).Least)
	wins.Least = 0
	require.Len(t, list.With(wins), 1, "0 switches it off")
	for _, wrong := range []Threshold{{Ranking: RankWins, Least: 1}, {Ranking: RankReturns, Least: 1}, {Ranking: "x", Least: 1},
		{Ranking: RankGrants, Currency: "EUR", Least: 1}, {Ranking: RankGrants}} {
		require.Error(t, Thresholds{wrong}.Check(), wrong)
	}
}
