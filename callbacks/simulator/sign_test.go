package simulator

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type signVector struct {
	Operation string   `json:"operation"`
	Key       string   `json:"key"`
	Values    []string `json:"values"`
	Sign      string   `json:"sign"`
}

// sharedVectors test both implementations of the signature. All but the platform's published vector were computed with openssl.
func sharedVectors(t *testing.T) []signVector {
	t.Helper()
	raw, err := os.ReadFile("../wire/testdata/sign_vectors.json")
	require.NoError(t, err)
	var vectors []signVector
	require.NoError(t, json.Unmarshal(raw, &vectors))
	require.NotEmpty(t, vectors)
	return vectors
}

func TestPublishedVector(t *testing.T) {
	assert.Equal(t, "475D834ACC3AB61D7DF4EA42751C6275387BC1787A098D2D0E091698D9BF2043",
		sign("1234567890", "Partner01", "Player01", "12.30", "474e1a293c2f4e7ab122c52d68423fcb",
			"ab9c15f2efdd46278e4a56b303127234"))
}

func TestSharedVectors(t *testing.T) {
	for _, vector := range sharedVectors(t) {
		assert.Equal(t, vector.Sign, sign(vector.Key, vector.Values...), "%s %q", vector.Operation, vector.Values)
	}
}

// Every callback has the signature of its vector, so the values are in the specification's order.
func TestCallbacksAreSignedInOrder(t *testing.T) {
	seen := map[string]bool{}
	for _, vector := range sharedVectors(t) {
		v := vector.Values
		c := call{Endpoint: vector.Operation}
		amount := func(at int) minor {
			value, err := parseMinor(v[at])
			require.NoError(t, err)
			return value
		}
		switch vector.Operation {
		case getBalance:
			c.UserID = v[1]
		case withdraw:
			c.UserID, c.Bet, c.TransactionID, c.RoundID = v[1], amount(2), v[3], v[4]
		case deposit:
			c.UserID, c.Win, c.TransactionID, c.RoundID = v[1], amount(2), v[3], v[4]
		case betWin:
			c.UserID, c.Bet, c.Win, c.TransactionID, c.RoundID = v[1], amount(2), amount(3), v[4], v[5]
		case rollbackTransaction:
			c.UserID, c.TransactionID = v[1], v[2]
		default:
			continue
		}
		seen[vector.Operation] = true
		var sent map[string]any
		require.NoError(t, json.Unmarshal(c.body(v[0], vector.Key), &sent))
		assert.Equal(t, vector.Sign, sent["sign"], vector.Operation)
		assert.Equal(t, v[0], sent["agentID"])
	}
	assert.Len(t, seen, 5)
}

func TestPlatformCallsExpectTheirOrder(t *testing.T) {
	seen := map[string]bool{}
	for _, vector := range sharedVectors(t) {
		for _, c := range platformTable {
			if c.name != vector.Operation {
				continue
			}
			seen[c.name] = true
			v := append(vector.Values, "", "", "")
			request := apiRequest{AgentID: v[0], UserID: v[1], GameID: v[2], SpinCount: []byte(v[3])}
			if c.name == "freeSpinStatus" {
				request = apiRequest{AgentID: v[0], FreeSpinID: v[1]}
			}
			assert.Equal(t, vector.Sign, sign(vector.Key, c.signed(request)...), c.name)
		}
	}
	assert.Len(t, seen, 4)
}
