package callbacks_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/callbacks"
	"pitboss/callbacks/scenarios"
	"pitboss/callbacks/wire"
	"pitboss/models"
)

// untouched is a store that no request must reach.
type untouched struct{ t testing.TB }

func (u untouched) Apply(_ context.Context, op models.Operation) (models.Result, error) {
	u.t.Errorf("the store was asked to apply %+v", op)
	return models.Result{}, nil
}

func (untouched) KeepRefused(context.Context, string, models.Reading) error { return nil }

func (u untouched) Balance(_ context.Context, user models.UserID) (models.Balance, bool, error) {
	u.t.Errorf("the store was asked for the balance of %q", user)
	return models.Balance{}, false, nil
}

// template is a correctly signed Withdraw; the tests change it.
func template(t testing.TB) string { return signed(t, wire.Withdraw, bet("anna", "1.00", "t1"), key) }

// field returns a signed Withdraw in which the value of one field is raw JSON. The signature is that of the decoded text, if
// the value is a string.
func field(t testing.TB, name, raw string) string {
	var fields map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(template(t)), &fields))
	fields[name] = json.RawMessage(raw)
	values := make([]string, 0, 5)
	for _, n := range []string{wire.FieldAgentID, wire.FieldUserID, wire.FieldAmount, wire.FieldTransactionID,
		wire.FieldRoundID} {
		var text string
		_ = json.Unmarshal(fields[n], &text) // other types are refused before the signature is verified
		values = append(values, text)
	}
	if name != wire.FieldSign {
		sign, err := json.Marshal(wire.Sign(key, values...))
		require.NoError(t, err)
		fields[wire.FieldSign] = sign
	}
	body, err := json.Marshal(fields)
	require.NoError(t, err)
	return string(body)
}

// What Decode and ParseAmount refuse has tests of its own; these bodies are hostile to a server.
func TestHostileBodies(t *testing.T) {
	d := open(t, untouched{t})
	good := template(t)
	and := func(member string) string { return strings.TrimSuffix(good, "}") + "," + member + "}" }
	for _, c := range []struct{ name, body, want string }{
		{"nothing", "", wrongInput},
		{"10,000 arrays deep", strings.Repeat("[", 10000) + strings.Repeat("]", 10000), wrongInput},
		{"10,000 arrays deep in a field", and(`"x":` + strings.Repeat("[", 10000) + strings.Repeat("]", 10000)), wrongInput},
		{"a million open brackets", strings.Repeat("[", 1_000_000), wrongInput},
		{"a million open objects", strings.Repeat(`{"a":`, 200_000), wrongInput},
		{"a huge number", and(`"x":` + strings.Repeat("9", 100_000) + "e"), wrongInput},
		{"an amount as object", field(t, "amount", `{"$gt":""}`), wrongInput},
		{"an amount beyond the range", field(t, "amount", `"1000000000000.00"`), wrongInput},
		{"an amount of 255 digits", field(t, "amount", `"`+strings.Repeat("9", 252)+`.00"`), wrongInput},
		{"sign as number", field(t, "sign", `1`), invalidSign},
		{"sign null", field(t, "sign", `null`), invalidSign},
		{"sign wrong", field(t, "sign", `"`+strings.Repeat("A", 64)+`"`), invalidSign},
		{"sign very long", field(t, "sign", `"`+strings.Repeat("A", 60_000)+`"`), invalidSign},
		{"sign with a NUL", field(t, "sign", `"\u0000"`), invalidSign},
		{"another agent", field(t, "agentID", `"Partner02"`), wrongInput},
		{"the agent in another case", field(t, "agentID", `"partner01"`), wrongInput},
	} {
		got := d.post(t, "/Withdraw", c.body)
		assert.Equal(t, 200, got.status, c.name)
		assert.Equal(t, c.want, got.body, c.name)
		assert.Equal(t, "application/json", got.header.Get("Content-Type"), c.name)
	}
}

// If a request fails several checks, the first of them decides the answer.
func TestOrderOfChecks(t *testing.T) {
	d := open(t, untouched{t}, func(c *callbacks.Config) { c.Dialect = wire.GitSlotPark })
	code := func(body string) int {
		var a struct{ Result int }
		require.NoError(t, json.Unmarshal([]byte(d.post(t, "/Withdraw", body).body), &a))
		return a.Result
	}
	everythingWrong := wire.Request{AgentID: "Partner02", UserID: "nobody", Amount: "1", TransactionID: "t1", RoundID: ""}
	assert.Equal(t, 2, code(signed(t, wire.Withdraw, everythingWrong, "another key")), "first the shape")
	everythingWrong.RoundID = "r1"
	assert.Equal(t, 3, code(signed(t, wire.Withdraw, everythingWrong, "another key")), "then the sign")
	assert.Equal(t, 4, code(signed(t, wire.Withdraw, everythingWrong, key)), "then the agent")
	everythingWrong.AgentID = agent
	assert.Equal(t, 2, code(signed(t, wire.Withdraw, everythingWrong, key)), "then the amounts; the player comes last")
}

// What every wallet has to refuse for its form or its signature, ours refuses before it asks the store.
func TestRefusalsDoNotReachTheStore(t *testing.T) {
	d := open(t, untouched{t})
	forms, sent := []string{"Signatures", "Wrong input", "Strictness where the specification is silent"}, 0
	for _, scenario := range scenarios.All {
		if !slices.Contains(forms, scenario.Name) {
			continue
		}
		for _, step := range scenario.Steps {
			sent++
			m := step.Message(wire.Request{AgentID: agent, UserID: "anna", TransactionID: "t1", RoundID: "r1"}, decimal.Zero)
			got := d.post(t, step.Endpoint.Path(), string(m.Bytes(key)))
			assert.Equal(t, 200, got.status, step.Name)
			assert.Equal(t, fmt.Sprintf(`{"result":%d}`, step.Results[0]), got.body, step.Name)
		}
	}
	require.Greater(t, sent, 60)
}

func TestSignsUnderTheCurrentAndThePreviousKey(t *testing.T) {
	m := newStore(t)
	m.create(t, "anna", 10000)
	d := open(t, m, func(c *callbacks.Config) { c.SecretKey, c.PreviousSecretKey = "new", "old" })
	assert.Equal(t, has("100.00"), d.post(t, "/GetBalance", signed(t, wire.GetBalance, balanceOf("anna"), "new")).body)
	assert.Equal(t, has("100.00"), d.post(t, "/GetBalance", signed(t, wire.GetBalance, balanceOf("anna"), "old")).body)
	assert.Equal(t, invalidSign, d.post(t, "/GetBalance", signed(t, wire.GetBalance, balanceOf("anna"), "older")).body)
	assert.Equal(t, invalidSign, d.post(t, "/GetBalance", signed(t, wire.GetBalance, balanceOf("anna"), "")).body)
	current, previous := d.server.Counters().Keys()
	assert.EqualValues(t, 1, current.Signed)
	assert.EqualValues(t, 1, previous.Signed)
	assert.False(t, previous.Last.IsZero())
}

// Unusual requests that are accepted.
func TestOddBodiesThatAreCallbacks(t *testing.T) {
	m := newStore(t)
	long := strings.Repeat("é", 127) + "a"
	for _, user := range []string{"anna", "プレイヤー7", "an na", "an\"na\\", long} {
		m.create(t, models.UserID(user), 10000)
	}
	d := open(t, m)
	for _, user := range []string{"anna", "プレイヤー7", "an na", "an\"na\\", long} {
		assert.Equal(t, has("100.00"), d.call(t, wire.GetBalance, balanceOf(user)).body, user)
	}
	sign := wire.Sign(key, agent, "anna")
	for _, body := range []string{
		"\n\t {\"userID\" : \"anna\",\r\n\"sign\":\"" + sign + "\", \"agentID\":\"Partner01\"} \n",
		`{"agentID":"Partner01","userID":"\u0061nn\u0061","sign":"` + sign + `"}`,
		`{"agentID":"Partner01","user\u0049D":"anna","sign":"` + sign + `"}`,
		`{"agentID":"Partner01","userID":"anna","sign":"` + sign + `","USERID":"bert","amount":7,"x":{"sign":[null,1e400]}}`,
		`{"x":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `,"agentID":"Partner01","userID":"anna","sign":"` +
			sign + `"}`,
	} {
		assert.Equal(t, has("100.00"), d.post(t, "/GetBalance", body).body, body[:40])
	}
}
