package typed

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

func TestAmount(t *testing.T) {
	for text, want := range map[string]struct {
		point, comma models.Amount // -1: refused
	}{
		"10": {1000, 1000}, "10.50": {1050, 1050}, "10.5": {1050, 1050}, "10,50": {-1, 1050}, "10,5": {-1, 1050},
		" 10.50 ": {1050, 1050}, "0.05": {5, 5}, "0": {0, 0}, "007": {700, 700},
		"1,050.00": {105000, 105000}, "1.050,00": {105000, 105000}, "1 050.00": {105000, 105000}, "1’050.00": {105000, 105000},
		"1 050,00": {-1, 105000}, "1,050,000": {105000000, 105000000}, "1050": {105000, 105000},
		"1,050": {-1, -1}, "1.050": {-1, -1}, "999,999": {-1, -1}, "0.050": {-1, -1}, "1234.567": {-1, -1},
		"1,05,000": {-1, -1}, "1,050.000": {-1, -1},
		"": {-1, -1}, "-5": {-1, -1}, "1e3": {-1, -1}, ".5": {-1, -1}, "5.": {-1, -1}, "ten": {-1, -1}, "１０": {-1, -1},
		strings.Repeat("9", 40): {-1, -1},
	} {
		for comma, want := range map[bool]models.Amount{false: want.point, true: want.comma} {
			amount, err := Amount(text, comma)
			if want < 0 {
				require.Error(t, err, "%q %v", text, comma)
				continue
			}
			require.NoError(t, err, "%q %v", text, comma)
			require.Equal(t, want, amount, "%q %v", text, comma)
		}
	}
	_, err := Amount("1,050", false)
	require.EqualError(t, err, "“1,050” can mean 1,050.00 or 1.050. Write 1050 or 1.05.")
	_, err = Amount("1.050", true)
	require.EqualError(t, err, "“1.050” can mean 1,050.00 or 1.050. Write 1050 or 1,05.")
	_, err = Amount("10,50", false)
	require.EqualError(t, err,
		"Write 10.50: amounts have a decimal point here.")
}
