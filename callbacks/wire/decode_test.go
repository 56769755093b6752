package wire

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	getBalance = `{"agentID":"Partner01","userID":"Player01","sign":"S"}`
	withdraw   = `{"agentID":"Partner01","userID":"Player01","amount":"12.30","transactionID":"t1","roundID":"r1","sign":"S"}`
	betWin     = `{"agentID":"Partner01","userID":"Player01","betAmount":"1.00","winAmount":"0.00","transactionID":"t1","roundID":"r1","sign":"S"}`
	rollback   = `{"agentID":"Partner01","userID":"Player01","transactionID":"t1","sign":"S"}`
)

// with returns a Withdraw with one more member at its end.
func with(member string) string { return strings.TrimSuffix(withdraw, "}") + "," + member + "}" }

// instead returns a Withdraw in which old is replaced by new.
func instead(old, new string) string {
	out := strings.Replace(withdraw, old, new, 1)
	if out == withdraw {
		panic("nothing to replace: " + old)
	}
	return out
}

func TestDecodeReadsEachEndpointsFields(t *testing.T) {
	for _, c := range []struct {
		endpoint Endpoint
		body     string
		want     Request
	}{
		{GetBalance, getBalance, Request{AgentID: "Partner01", UserID: "Player01", Sign: "S"}},
		{Withdraw, withdraw, Request{AgentID: "Partner01", UserID: "Player01", Amount: "12.30", TransactionID: "t1",
			RoundID: "r1", Sign: "S"}},
		{Deposit, withdraw, Request{AgentID: "Partner01", UserID: "Player01", Amount: "12.30", TransactionID: "t1",
			RoundID: "r1", Sign: "S"}},
		{BetWin, betWin, Request{AgentID: "Partner01", UserID: "Player01", BetAmount: "1.00", WinAmount: "0.00",
			TransactionID: "t1", RoundID: "r1", Sign: "S"}},
		{RollbackTransaction, rollback, Request{AgentID: "Partner01", UserID: "Player01", TransactionID: "t1", Sign: "S"}},
		{GetBalance, withdraw, Request{AgentID: "Partner01", UserID: "Player01", Sign: "S"}},
	} {
		body := []byte(c.body)
		got, err := Decode(c.endpoint, body)
		require.NoError(t, err, c.endpoint)
		for i := range body {
			body[i] = '#' // Fiber reads the next request into the same memory
		}
		assert.Equal(t, c.want, got, c.endpoint)
	}
}

func TestDecodeTakesStringsAsTheyCome(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{`" Player01 "`, " Player01 "},
		{`"Pl\u0061yer\u002001"`, "Player 01"},
		{`"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t"},
		{`"é"`, "é"},
		{`"e\u0301"`, "e\u0301"},
		{`"\ud83c\udfb0"`, "🎰"},
		{`"` + strings.Repeat("a", 255) + `"`, strings.Repeat("a", 255)},
		{`"` + strings.Repeat(`\u0061`, 255) + `"`, strings.Repeat("a", 255)},
		{`"` + strings.Repeat("é", 127) + `a"`, strings.Repeat("é", 127) + "a"},
	} {
		got, err := Decode(Withdraw, []byte(instead(`"Player01"`, c.value)))
		require.NoError(t, err, c.value)
		assert.Equal(t, c.want, got.UserID)
	}
}

func TestDecodeAccepts(t *testing.T) {
	for name, body := range map[string]string{
		"white space around":       " \n\t" + withdraw + "\r\n ",
		"an unknown field":         with(`"extra":1`),
		"an unknown object":        with(`"extra":{"a":[1,2,{"b":null}]}`),
		"a field in other case":    with(`"USERID":"x"`),
		"an escaped name":          instead(`"userID"`, `"user\u0049D"`),
		"another endpoint's field": with(`"betAmount":12`),
		"deep unknown arrays":      with(`"extra":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000)),
		"a huge unknown number":    with(`"extra":1` + strings.Repeat("0", 5000) + `e99999`),
		"freeSpin false":           with(`"freeSpin":false`),
		"an empty sign":            instead(`"S"`, `""`),
		"no sign":                  instead(`,"sign":"S"`, ``),
		"a sign that is a number":  instead(`"S"`, `1`),
		"a sign that is null":      instead(`"S"`, `null`),
		"a long sign":              instead(`"S"`, `"`+strings.Repeat("A", 5000)+`"`),
	} {
		_, err := Decode(Withdraw, []byte(body))
		assert.NoError(t, err, name)
	}
	r, err := Decode(Withdraw, []byte(with(`"freeSpin":true`)))
	require.NoError(t, err)
	assert.True(t, r.FreeSpin)
	r, err = Decode(Deposit, []byte(with(`"freeSpin":true`)))
	require.NoError(t, err)
	assert.False(t, r.FreeSpin, "only Withdraw has freeSpin; elsewhere it is an unknown field")
}

func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct{ name, body, problem string }{
		{"nothing", ``, "the body is not valid JSON"},
		{"white space", "  ", "the body is not valid JSON"},
		{"an array", `[]`, "the body is not a JSON object"},
		{"an array of the object", `[` + withdraw + `]`, "the body is not a JSON object"},
		{"null", `null`, "the body is not a JSON object"},
		{"a string", `"x"`, "the body is not a JSON object"},
		{"a number", `12.30`, "the body is not a JSON object"},
		{"a form", `agentID=Partner01`, "the body is not valid JSON"},
		{"an empty object", `{}`, "agentID is missing"},
		{"half an object", strings.TrimSuffix(withdraw, "}"), "the body is not valid JSON"},
		{"a comma too many", strings.TrimSuffix(withdraw, "}") + ",}", "the body is not valid JSON"},
		{"a comment", `/**/` + withdraw, "the body is not valid JSON"},
		{"single quotes", strings.ReplaceAll(withdraw, `"`, `'`), "the body is not valid JSON"},
		{"two objects", withdraw + withdraw, "the body has more after its JSON object"},
		{"a comma after", withdraw + ",", "the body is not valid JSON"},
		{"rubbish after", withdraw + "x", "the body is not valid JSON"},
		{"NUL after", withdraw + "\x00", "the body is not valid JSON"},
		{"a byte order mark", "\ufeff" + withdraw, "the body begins with a byte order mark"},
		{"UTF-16", "{\x00\"\x00", "the body is not valid JSON"},
		{"invalid UTF-8 in a value", instead("Player01", "Pl\xffyer"), "the body is not valid JSON"},
		{"invalid UTF-8 in an unknown value", with("\"extra\":\"\xc0\xaf\""), "the body is not valid JSON"},
		{"invalid UTF-8 in an unknown name", with("\"\xff\":1"), "the body is not valid JSON"},
		{"half a surrogate pair", instead("Player01", `\ud83c`), "the body is not valid JSON"},
		{"a raw control character", instead("Player01", "Play\ner"), "the body is not valid JSON"},
		{"a name twice", with(`"userID":"Player01"`), "a name occurs twice"},
		{"a name twice, escaped", with(`"user\u0049D":"Player01"`), "a name occurs twice"},
		{"sign twice", with(`"sign":"S"`), "a name occurs twice"},
		{"an unknown name twice", with(`"x":1,"x":1`), "a name occurs twice"},
		{"an inner name twice", with(`"x":{"y":1,"y":1}`), "a name occurs twice"},
		{"a bad unknown value", with(`"x":01`), "the body is not valid JSON"},
		{"NaN", with(`"x":NaN`), "the body is not valid JSON"},
		{"10,001 deep", with(`"x":` + strings.Repeat("[", 10001) + strings.Repeat("]", 10001)), "the body is not valid JSON"},
		{"deep and never closed", strings.Repeat("[", 10000), "the body is not a JSON object"},
		{"USERID", instead(`"userID"`, `"USERID"`), "userID is missing"},
		{"userId", instead(`"userID"`, `"userId"`), "userID is missing"},
		{"no agentID", instead(`"agentID":"Partner01",`, ``), "agentID is missing"},
		{"no amount", instead(`"amount":"12.30",`, ``), "amount is missing"},
		{"no transactionID", instead(`"transactionID":"t1",`, ``), "transactionID is missing"},
		{"no roundID", instead(`"roundID":"r1",`, ``), "roundID is missing"},
		{"an empty roundID", instead(`"r1"`, `""`), "roundID is empty"},
		{"amount as number", instead(`"12.30"`, `12.30`), "amount is not a string"},
		{"userID null", instead(`"Player01"`, `null`), "userID is not a string"},
		{"userID an object", instead(`"Player01"`, `{"a":"b"}`), "userID is not a string"},
		{"userID an array", instead(`"Player01"`, `["Player01"]`), "userID is not a string"},
		{"NUL in an ID", instead(`Player01`, `Player\u000001`), "userID contains NUL"},
		{"256 bytes", instead(`"t1"`, `"`+strings.Repeat("t", 256)+`"`), "transactionID is longer than 255 bytes"},
		{"256 bytes of two-byte letters", instead(`"t1"`, `"`+strings.Repeat("é", 128)+`"`),
			"transactionID is longer than 255 bytes"},
		{"freeSpin a string", with(`"freeSpin":"true"`), "freeSpin is neither true nor false"},
		{"freeSpin a number", with(`"freeSpin":1`), "freeSpin is neither true nor false"},
		{"freeSpin null", with(`"freeSpin":null`), "freeSpin is neither true nor false"},
		{"freeSpin twice", with(`"freeSpin":true,"freeSpin":true`), "a name occurs twice"},
	} {
		_, err := Decode(Withdraw, []byte(c.body))
		var shape *ShapeError
		if assert.ErrorAs(t, err, &shape, c.name) {
			assert.Contains(t, err.Error(), c.problem, c.name)
		}
	}
}

func TestDecodeKeepsWhatCanBeRead(t *testing.T) {
	r, err := Decode(Withdraw, []byte(instead(`"amount":"12.30"`, `"freeSpin":null,"amount":12.30`)))
	require.ErrorContains(t, err, "freeSpin", "the first")
	assert.Equal(t, Request{AgentID: "Partner01", UserID: "Player01", Amount: "12.30", TransactionID: "t1", RoundID: "r1",
		Sign: "S"}, r)
}

func TestShapeErrorsRepeatNothingOfTheBody(t *testing.T) {
	for _, body := range []string{
		`{"SECRET":1,"SECRET":2}`, `{"SECRET`, `{"agentID":"SECRET` + "\xff" + `"}`, `{"sign":SECRET}`, `SECRET`,
	} {
		_, err := Decode(Withdraw, []byte(body))
		require.Error(t, err)
		assert.NotContains(t, err.Error(), "SECRET")
	}
}

// FuzzDecode compares Decode with encoding/json, which is less strict: whatever Decode accepts, both decode in the same way,
// and whatever encoding/json refuses for its syntax, Decode refuses too.
func FuzzDecode(f *testing.F) {
	for _, body := range []string{
		getBalance, withdraw, betWin, rollback, with(`"freeSpin":true`), with(`"x":{"y":[1,null]}`), with(`"userID":"x"`),
		instead("Player01", `\u00e9\ud83c\udfb0`), "", "[]", "null", "{}", withdraw + "{}", "\ufeff{}",
		instead(`"12.30"`, `12.30`),
		instead("Player01", "\xff"), instead(`"userID"`, `"USERID"`), instead("Player01", `\u0000`),
		instead(`"S"`, `{}`),
	} {
		for _, e := range Endpoints() {
			f.Add(uint8(e), []byte(body))
		}
	}
	f.Fuzz(func(t *testing.T, endpoint uint8, body []byte) {
		e := Endpoint(endpoint % uint8(endpoints))
		got, err := Decode(e, body)
		if err != nil {
			var shape *ShapeError
			require.ErrorAs(t, err, &shape)
			return
		}
		require.True(t, utf8.Valid(body))
		var loose map[string]any
		require.NoError(t, json.Unmarshal(body, &loose))
		values := map[string]string{
			FieldAgentID: got.AgentID, FieldUserID: got.UserID, FieldAmount: got.Amount, FieldBetAmount: got.BetAmount,
			FieldWinAmount: got.WinAmount, FieldTransactionID: got.TransactionID, FieldRoundID: got.RoundID,
		}
		for i, name := range fieldNames {
			value, asked := values[name]
			if !asked {
				continue
			}
			if required[e]&(1<<i) == 0 {
				require.Empty(t, value)
				continue
			}
			require.Equal(t, loose[name], value)
			require.NotEmpty(t, value)
			require.LessOrEqual(t, len(value), MaxFieldBytes)
			require.NotContains(t, value, "\x00")
		}
		sign, _ := loose[FieldSign].(string) // any other type counts as missing
		require.Equal(t, sign, got.Sign)
		if free, ok := loose[FieldFreeSpin]; ok && e == Withdraw {
			require.Equal(t, free, got.FreeSpin)
		} else {
			require.False(t, got.FreeSpin)
		}
	})
}
