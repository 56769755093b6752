package simulator

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/callbacks/wire"
	"pitboss/models"
)

func TestReadAnswer(t *testing.T) {
	for raw, want := range map[string]models.Amount{`{"result":0,"balance":"12.30"}`: 1230, `{"result":0,"balance":12.30}`: 1230,
		`{"balance":-0.01,"result":0,"x":[1]}`: -1} {
		got, err := readAnswer([]byte(raw))
		require.NoError(t, err, raw)
		require.NotNil(t, got.balance)
		assert.Equal(t, want, *got.balance)
	}
	got, err := readAnswer([]byte(`{"result":6,"message":"no","currency":"EUR"}`))
	require.NoError(t, err)
	assert.Equal(t, answer{result: wire.InsufficientFunds, currency: "EUR"}, got)
	for _, raw := range []string{
		``, `{`, `null`, `[]`, `{}`, `{"result":"0"}`, `{"result":0.0}`, `{"result":0} x`, `{"Result":0}`, `{"result":0,"balance":12.3}`,
		`{"result":0,"balance":"12.3"}`, `{"result":0,"balance":1.230e1}`, `{"result":0,"balance":"+1.00"}`, `{"result":0,"balance":null}`,
	} {
		_, err := readAnswer([]byte(raw))
		assert.ErrorIs(t, err, errUnreadable, raw)
	}
}

func TestCallBodies(t *testing.T) {
	for endpoint, want := range map[wire.Endpoint]string{
		wire.GetBalance:          `{"agentID":"A","userID":"u","sign":"` + wire.Sign("k", "A", "u") + `"}`,
		wire.Withdraw:            `{"agentID":"A","userID":"u","amount":"1.00","transactionID":"t","roundID":"r","freeSpin":true,"sign":"` + wire.Sign("k", "A", "u", "1.00", "t", "r") + `"}`,
		wire.BetWin:              `{"agentID":"A","userID":"u","betAmount":"1.00","winAmount":"2.05","transactionID":"t","roundID":"r","sign":"` + wire.Sign("k", "A", "u", "1.00", "2.05", "t", "r") + `"}`,
		wire.RollbackTransaction: `{"agentID":"A","userID":"u","transactionID":"t","sign":"` + wire.Sign("k", "A", "u", "t") + `"}`,
	} {
		c := call{Endpoint: endpoint, UserID: "u", Bet: 100, Win: 205, FreeSpin: endpoint == wire.Withdraw}
		if endpoint != wire.GetBalance {
			c.TransactionID = "t"
		}
		if endpoint == wire.Withdraw || endpoint == wire.BetWin {
			c.RoundID = "r"
		}
		assert.JSONEq(t, want, string(c.body("A", "k")))
	}
}
