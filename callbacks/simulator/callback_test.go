package simulator

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMinor(t *testing.T) {
	for written, want := range map[string]minor{"0.00": 0, "12.30": 1230, "-0.05": -5, "-120.00": -12000,
		"999999999999.99": 99999999999999} {
		got, err := parseMinor(written)
		require.NoError(t, err)
		assert.Equal(t, want, got)
		assert.Equal(t, written, want.String())
	}
	for _, written := range []string{"", "12", "12.3", "12.300", "012.30", "+1.00", "1e2", " 1.00", "1,00", "1.00\n", "٣.٠٠",
		"99999999999999999.00"} {
		_, err := parseMinor(written)
		assert.Error(t, err, "%q", written)
	}
	assert.Equal(t, "-92233720368547758.08", minor(math.MinInt64).String())
}

func TestReadAnswer(t *testing.T) {
	for raw, want := range map[string]minor{`{"result":0,"balance":"12.30"}`: 1230, `{"result":0,"balance":12.30}`: 1230,
		`{"balance":-0.01,"result":0,"x":[1]}`: -1} {
		got, err := readAnswer([]byte(raw))
		require.NoError(t, err, raw)
		require.NotNil(t, got.Balance)
		assert.Equal(t, want, *got.Balance)
	}
	got, err := readAnswer([]byte(`{"result":6,"message":"no","currency":"EUR"}`))
	require.NoError(t, err)
	poor := 6
	assert.Equal(t, &answer{Result: &poor, Message: "no", Currency: "EUR"}, got)
	for _, raw := range []string{
		``, `{`, `null`, `[]`, `{}`, `{"result":"0"}`, `{"result":0.0}`, `{"result":0} x`, `{"Result":0}`,
		`{"result":0,"balance":12.3}`,
		`{"result":0,"balance":"12.3"}`, `{"result":0,"balance":1.230e1}`,
		`{"result":0,"message":7}`,
	} {
		_, err := readAnswer([]byte(raw))
		assert.ErrorIs(t, err, errUnreadable, raw)
	}
}

func TestCallBodies(t *testing.T) {
	for endpoint, want := range map[string]string{
		getBalance:          `{"agentID":"A","userID":"u","sign":"` + sign("k", "A", "u") + `"}`,
		withdraw:            `{"agentID":"A","userID":"u","amount":"1.00","transactionID":"t","roundID":"r","freeSpin":true,"sign":"` + sign("k", "A", "u", "1.00", "t", "r") + `"}`,
		betWin:              `{"agentID":"A","userID":"u","betAmount":"1.00","winAmount":"2.05","transactionID":"t","roundID":"r","freeSpin":true,"sign":"` + sign("k", "A", "u", "1.00", "2.05", "t", "r") + `"}`,
		rollbackTransaction: `{"agentID":"A","userID":"u","transactionID":"t","sign":"` + sign("k", "A", "u", "t") + `"}`,
	} {
		c := call{Endpoint: endpoint, UserID: "u", TransactionID: "t", RoundID: "r", Bet: 100, Win: 205, FreeSpin: true}
		assert.JSONEq(t, want, string(c.body("A", "k")))
	}
	plain := call{Endpoint: deposit, UserID: "u", TransactionID: "t", RoundID: "r", Win: 205}
	assert.NotContains(t, string(plain.body("A", "k")), "freeSpin")
}
