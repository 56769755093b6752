package pages

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

// Each kind has all its words.
func TestWordsOfEveryKind(t *testing.T) {
	for _, kind := range models.CorrectionKinds {
		words := reflect.ValueOf(CorrectionWordsOf(kind))
		for i := range words.NumField() {
			if name := words.Type().Field(i).Name; name != "ID" || !kind.Adjusts() {
				require.NotEmpty(t, words.Field(i).String(), "%s of %s", name, kind)
			}
		}
	}
	for _, state := range models.RoundStates {
		require.True(t, slices.ContainsFunc(RoundStates, func(w RoundWords) bool { return w.State == state }), state)
	}
}
