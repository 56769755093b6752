package models

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Sums of any size are stored and written correctly in every format.
func TestSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, want := Sum{}, new(big.Int)
		amount := rapid.OneOf(rapid.Int64(),
			rapid.SampledFrom([]int64{int64(MaxAmount), -int64(MaxAmount), -int64(MaxAmount) - 1, 0, 1, -1, 1 << 32, -1 << 32}))
		for _, a := range rapid.SliceOf(amount).Draw(t, "amounts") {
			if rapid.Bool().Draw(t, "minus") {
				s, want = s.Minus(SumOf(Amount(a))), want.Sub(want, big.NewInt(a))
			} else {
				s, want = s.Add(Amount(a)), want.Add(want, big.NewInt(a))
			}
		}
		require.Equal(t, want.String(), s.Minor())
		require.Equal(t, want.Sign(), s.Sign())
		require.Equal(t, new(big.Int).Neg(want).String(), s.Neg().Minor())
		require.Equal(t, want.Sign() == 0, s.IsZero())
		a, fits := s.Amount()
		require.Equal(t, want.IsInt64(), fits)
		if fits {
			require.Equal(t, want.Int64(), int64(a))
			require.Equal(t, a.String(), s.String())
			require.Equal(t, a.Grouped(), s.Grouped())
			require.Equal(t, a.Signed(), s.Signed())
		}
		parsed, err := ParseSum(s.Minor())
		require.NoError(t, err)
		require.Equal(t, s, parsed)
		for _, stored := range []any{s.Halves(), []byte(s.Halves()), []byte(s.Minor())} {
			var back Sum
			require.NoError(t, back.Scan(stored), "%s", stored)
			require.Equal(t, s, back, "%s", stored)
		}
		text, err := json.Marshal(s)
		require.NoError(t, err)
		var back Sum
		require.NoError(t, json.Unmarshal(text, &back))
		require.Equal(t, s, back)
		other := SumOf(Amount(rapid.Int64().Draw(t, "other")))
		require.Equal(t, want.Cmp(other.minor()), s.Cmp(other))
	})
	var s Sum
	require.NoError(t, s.Scan(nil))
	require.NoError(t, s.Scan(int64(-5)))
	require.Equal(t, "−0.05", s.Grouped())
	require.NoError(t, s.Scan("1:4294967297"), "a second half that was added up")
	require.Equal(t, SumOf(1<<32+4294967297), s)
	for _, bad := range []any{1.5, "", "x", "1:", ":1", "1:x", "170141183460469231731687303715884105729"} {
		require.Error(t, s.Scan(bad), "%v", bad)
	}
	max := SumOf(MaxAmount)
	require.Equal(t, "276,701,161,105,643,274.21", max.Plus(max).Plus(max).Grouped())
	require.Equal(t, "−184467440737095516.14", "−"+max.Plus(max).String())
}
