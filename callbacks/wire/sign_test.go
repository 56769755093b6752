package wire

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The test vector of the platform's public documentation (platform notes, Signing).
const (
	vectorKey  = "1234567890"
	vectorSign = "475D834ACC3AB61D7DF4EA42751C6275387BC1787A098D2D0E091698D9BF2043"
)

var vectorRequest = Request{
	AgentID: "Partner01", UserID: "Player01", Amount: "12.30",
	TransactionID: "474e1a293c2f4e7ab122c52d68423fcb", RoundID: "ab9c15f2efdd46278e4a56b303127234", Sign: vectorSign,
}

func verify(sign string, keys []string, values ...string) error {
	_, err := NewVerifier(keys...).Verify(sign, values...)
	return err
}

func TestSignGivesThePublishedVector(t *testing.T) {
	assert.Equal(t, vectorSign, Sign(vectorKey, vectorRequest.SignedValues(Withdraw, nil)...))
	assert.NoError(t, verify(vectorSign, []string{vectorKey}, vectorRequest.SignedValues(Withdraw, nil)...))
}

func TestVerifyAcceptsTheCurrentAndThePreviousKey(t *testing.T) {
	values := []string{"Partner01", "Player01"}
	v := NewVerifier("new", "old")
	for i, key := range []string{"new", "old"} {
		used, err := v.Verify(Sign(key, values...), values...)
		assert.NoError(t, err)
		assert.Equal(t, i, used)
	}
	_, err := v.Verify(Sign("older", values...), values...)
	assert.ErrorIs(t, err, ErrSignMismatch)
}

func TestVerifyNeverAcceptsTheEmptyKey(t *testing.T) {
	sign := Sign("", "Partner01", "Player01")
	assert.ErrorIs(t, verify(sign, []string{"new", ""}, "Partner01", "Player01"), ErrSignMismatch)
	assert.ErrorIs(t, verify(sign, nil, "Partner01", "Player01"), ErrSignMismatch)
}

func TestVerifyRefuses(t *testing.T) {
	values := vectorRequest.SignedValues(Withdraw, nil)
	for name, c := range map[string]struct {
		sign string
		want error
	}{
		"nothing":            {"", ErrSignShape},
		"lower case":         {strings.ToLower(vectorSign), ErrSignCase},
		"one lower letter":   {strings.Replace(vectorSign, "D", "d", 1), ErrSignCase},
		"lower, of others":   {strings.ToLower(Sign(vectorKey, "Partner01", "Player02")), ErrSignMismatch},
		"63 characters":      {vectorSign[:63], ErrSignShape},
		"65 characters":      {vectorSign + "0", ErrSignShape},
		"a space before":     {" " + vectorSign, ErrSignShape},
		"a space within":     {" " + vectorSign[1:], ErrSignShape},
		"not hexadecimal":    {"G" + vectorSign[1:], ErrSignShape},
		"full-width digit":   {"４" + vectorSign[3:], ErrSignShape},
		"first bit wrong":    {"5" + vectorSign[1:], ErrSignMismatch},
		"last bit wrong":     {vectorSign[:63] + "2", ErrSignMismatch},
		"all zeros":          {strings.Repeat("0", 64), ErrSignMismatch},
		"of other values":    {Sign(vectorKey, "Partner01", "Player02"), ErrSignMismatch},
		"of another key":     {Sign("123456789", values...), ErrSignMismatch},
		"of another order":   {Sign(vectorKey, values[1], values[0], values[2], values[3], values[4]), ErrSignMismatch},
		"with a separator":   {Sign(vectorKey, strings.Join(values, ",")), ErrSignMismatch},
		"of 12.3 for 12.30":  {Sign(vectorKey, values[0], values[1], "12.3", values[3], values[4]), ErrSignMismatch},
		"without the amount": {Sign(vectorKey, values[0], values[1], values[3], values[4]), ErrSignMismatch},
	} {
		assert.ErrorIs(t, verify(c.sign, []string{vectorKey}, values...), c.want, name)
	}
}

func TestSignedValuesOrder(t *testing.T) {
	r := Request{AgentID: "a", UserID: "u", Amount: "m", BetAmount: "b", WinAmount: "w", TransactionID: "t", RoundID: "r",
		Sign: "s", FreeSpin: true}
	for e, want := range map[Endpoint]string{
		GetBalance: "a u", Withdraw: "a u m t r", Deposit: "a u m t r", BetWin: "a u b w t r", RollbackTransaction: "a u t",
	} {
		assert.Equal(t, want, strings.Join(r.SignedValues(e, nil), " "), e)
	}
}

// The vectors in testdata were computed by another program. The simulator is tested with them too.
func TestSignGivesTheRecordedVectors(t *testing.T) {
	recorded, err := os.ReadFile("testdata/sign_vectors.json")
	require.NoError(t, err)
	var vectors []struct {
		Operation string
		Key       string
		Values    []string
		Sign      string
	}
	require.NoError(t, json.Unmarshal(recorded, &vectors))
	require.NotEmpty(t, vectors)
	for _, v := range vectors {
		assert.Equal(t, v.Sign, Sign(v.Key, v.Values...), "%s %q", v.Operation, v.Values)
		assert.NoError(t, verify(v.Sign, []string{v.Key}, v.Values...), "%s %q", v.Operation, v.Values)
	}
}
