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

func TestHostileBodies(t *testing.T) {
	d := open(t, untouched{t})
	good := template(t)
	and := func(member string) string { return strings.TrimSuffix(good, "}") + "," + member + "}" }
	for _, c := range []struct{ name, body, want string }{
		{"nothing", "", wrongInput},
		{"white space", " \r\n\t", wrongInput},
		{"an array around it", "[" + good + "]", wrongInput},
		{"null", "null", wrongInput},
		{"a string", `"x"`, wrongInput},
		{"a number", "0", wrongInput},
		{"true", "true", wrongInput},
		{"XML", `<?xml version="1.0"?><x/>`, wrongInput},
		{"binary", "\x00\x01\x02\xff", wrongInput},
		{"half of it", good[:len(good)/2], wrongInput},
		{"two of it", good + good, wrongInput},
		{"something after it", good + "x", wrongInput},
		{"a byte order mark", "\ufeff" + good, wrongInput},
		{"10,000 arrays deep", strings.Repeat("[", 10000) + strings.Repeat("]", 10000), wrongInput},
		{"10,000 arrays deep in a field", and(`"x":` + strings.Repeat("[", 10000) + strings.Repeat("]", 10000)), wrongInput},
		{"a million open brackets", strings.Repeat("[", 1_000_000), wrongInput},
		{"a million open objects", strings.Repeat(`{"a":`, 200_000), wrongInput},
		{"a huge number", and(`"x":` + strings.Repeat("9", 100_000) + "e"), wrongInput},
		{"sign twice", and(`"sign":"A"`), wrongInput},
		{"an unknown name twice", and(`"x":1,"x":2`), wrongInput},
		{"invalid UTF-8", strings.Replace(good, "anna", "ann\xe9", 1), wrongInput},
		{"half a surrogate pair", strings.Replace(good, "anna", `ann\udc00`, 1), wrongInput},
		{"NUL", field(t, "userID", `"an\u0000na"`), wrongInput},
		{"a raw NUL", strings.Replace(good, "anna", "an\x00na", 1), wrongInput},
		{"256 bytes", field(t, "transactionID", `"`+strings.Repeat("t", 256)+`"`), wrongInput},
		{"an empty agentID", field(t, "agentID", `""`), wrongInput},
		{"an empty userID", field(t, "userID", `""`), wrongInput},
		{"an empty transactionID", field(t, "transactionID", `""`), wrongInput},
		{"an empty roundID", field(t, "roundID", `""`), wrongInput},
		{"an empty amount", field(t, "amount", `""`), wrongInput},
		{"an amount as object", field(t, "amount", `{"$gt":""}`), wrongInput},
		{"freeSpin as number", field(t, "freeSpin", `1`), wrongInput},
		{"freeSpin null", field(t, "freeSpin", `null`), wrongInput},

		{"sign as number", field(t, "sign", `1`), invalidSign},
		{"sign null", field(t, "sign", `null`), invalidSign},
		{"sign wrong", field(t, "sign", `"`+strings.Repeat("A", 64)+`"`), invalidSign},
		{"sign very long", field(t, "sign", `"`+strings.Repeat("A", 60_000)+`"`), invalidSign},
		{"sign with a NUL", field(t, "sign", `"\u0000"`), invalidSign},

		{"another agent", field(t, "agentID", `"Partner02"`), wrongInput},
		{"the agent in another case", field(t, "agentID", `"partner01"`), wrongInput},
		{"no digits before the point", field(t, "amount", `".50"`), wrongInput},
		{"a leading zero", field(t, "amount", `"01.00"`), wrongInput},
		{"minus zero", field(t, "amount", `"-0.00"`), wrongInput},
		{"an exponent", field(t, "amount", `"1e2"`), wrongInput},
		{"an exponent of the right length", field(t, "amount", `"1e.02"`), wrongInput},
		{"hexadecimal", field(t, "amount", `"0x1.00"`), wrongInput},
		{"an underscore", field(t, "amount", `"1_0.00"`), wrongInput},
		{"thousands", field(t, "amount", `"1,000.00"`), wrongInput},
		{"a space after", field(t, "amount", `"1.00 "`), wrongInput},
		{"a line's end", field(t, "amount", `"1.00\n"`), wrongInput},
		{"full-width digits", field(t, "amount", `"１.００"`), wrongInput},
		{"NaN", field(t, "amount", `"NaN"`), wrongInput},
		{"Infinity", field(t, "amount", `"Inf"`), wrongInput},
		{"beyond the range", field(t, "amount", `"1000000000000.00"`), wrongInput},
		{"far beyond the range", field(t, "amount", `"99999999999999999999.00"`), wrongInput},
		{"255 digits", field(t, "amount", `"`+strings.Repeat("9", 252)+`.00"`), wrongInput},
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

// A signature is valid only for its call, with the values in that call's order.
func TestSignsAreVerifiedOverTheValuesInOrder(t *testing.T) {
	d := open(t, untouched{t})
	send := func(r wire.Request, values ...string) string {
		r.Sign = wire.Sign(key, values...)
		body, err := json.Marshal(r)
		require.NoError(t, err)
		return d.post(t, "/Withdraw", string(body)).body
	}
	r := bet("anna", "1.00", "t1")
	assert.Equal(t, invalidSign, send(r, agent, "anna", "1.00", "r1", "t1"), "transactionID and roundID changed places")
	assert.Equal(t, invalidSign, send(r, agent, "anna", "1.00", "t1"), "no roundID")
	assert.Equal(t, invalidSign, send(r, agent, "anna", "t1"), "a rollback's sign")
	assert.Equal(t, invalidSign, send(r, agent, "anna"), "a balance's sign")
	assert.Equal(t, invalidSign, send(r, agent, "anna", "2.00", "t1", "r1"), "another amount")
	assert.Equal(t, invalidSign, send(r, agent+",anna,1.00,t1,r1"), "separators")
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
	for _, user := range []string{"anna", "プレイヤー7", " anna ", "an\"na\\", long, "anna\u2028"} {
		m.create(t, models.UserID(user), 10000)
	}
	d := open(t, m)
	for _, user := range []string{"anna", "プレイヤー7", " anna ", "an\"na\\", long, "anna\u2028"} {
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
