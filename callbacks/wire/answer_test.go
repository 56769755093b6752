package wire

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAnswersInBothDialects(t *testing.T) {
	for _, c := range []struct {
		answer            Answer
		spec, gitSlotPark string
	}{
		{Answer{}, `{"result":0}`, `{"result":0}`},
		{Answer{Result: DuplicateTransaction}, `{"result":11}`, `{"result":11}`},
		{Answer{Balance: "0.00"}, `{"result":0,"balance":"0.00"}`, `{"result":0,"balance":0.00}`},
		{Answer{Balance: "-12.30"}, `{"result":0,"balance":"-12.30"}`, `{"result":0,"balance":-12.30}`},
		{Answer{Balance: "1.00", Currency: "EUR"}, `{"result":0,"balance":"1.00","currency":"EUR"}`,
			`{"result":0,"balance":1.00,"currency":"EUR"}`},
		{Answer{Result: 2, Message: `a "b"`}, `{"result":2,"message":"a \"b\""}`, `{"result":2,"message":"a \"b\""}`},
	} {
		assert.Equal(t, c.spec, string(c.answer.AppendTo(nil, Spec)))
		assert.Equal(t, c.gitSlotPark, string(c.answer.AppendTo(nil, GitSlotPark)))
	}
}

func TestDialectNames(t *testing.T) {
	var d Dialect
	require.NoError(t, d.UnmarshalText([]byte("gitslotpark")))
	assert.Equal(t, GitSlotPark, d)
	require.NoError(t, d.UnmarshalText([]byte("spec")))
	assert.Equal(t, Spec, d)
	assert.Error(t, d.UnmarshalText([]byte("Spec")))
}

func TestEveryResultHasWords(t *testing.T) {
	for _, r := range []Result{0, 1, 2, 3, 4, 5, 6, 8, 9, 11} {
		assert.NotContains(t, r.String(), "Result ")
	}
	assert.Equal(t, "Result 7", Result(7).String())
}
