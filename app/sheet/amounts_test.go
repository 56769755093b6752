package sheet

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

func TestStatementAmounts(t *testing.T) {
	for _, c := range []struct {
		text, mark string
		want       models.Amount
		wrong      bool
	}{
		{"12.30", ".", 1230, false}, {"12.3", ".", 1230, false}, {"12", ".", 1200, false}, {"12,30", ",", 1230, false},
		{"-12.30", ".", -1230, false}, {"−0,05", ",", -5, false},
		{"1,234.50", ".", 123450, false}, {"1.234,50", ",", 123450, false}, {"1 234 567.00", ".", 123456700, false},
		{"1'234.5", ".", 123450, false}, {"1.234", ",", 123400, false},
		{"12.3000", ".", 1230, false}, {"+7", ".", 700, false}, {"0", ".", 0, false},
		{"999999999999.99", ".", models.MaxAmount, false},
		{"12.30", ",", 0, true}, {"12.301", ".", 0, true}, {"12.", ".", 0, true}, {".5.", ".", 0, true},
		{"1,23.40", ".", 0, true}, {"1234,567.00", ".", 0, true}, {"", ".", 0, true}, {"-", ".", 0, true},
		{"1e3", ".", 0, true}, {"NaN", ".", 0, true}, {"0x10", ".", 0, true}, {"12.30 EUR", ".", 0, true},
		{"1000000000000.00", ".", 0, true}, {strings.Repeat("9", 60), ".", 0, true}, {"--1", ".", 0, true},
	} {
		a, err := parseAmount(c.text, c.mark)
		require.Equal(t, c.wrong, err != nil, "%q %q: %v", c.text, c.mark, err)
		require.Equal(t, c.want, a, "%q", c.text)
	}
}

// TestDecimalMark infers the mark from the first amounts, unless they can mean two.
func TestDecimalMark(t *testing.T) {
	for _, c := range []struct{ amounts, mark string }{
		{"1.000 2.000", ""}, {"1,000", ""}, {"1.000 5,00", ","}, {"1.000 5.00", "."}, {"1,000 1,000.00", "."}, {"5,00", ","},
		{"12 13", "."}, {"", "."}, {"-1.000", ""}, {"1'000.00", "."},
	} {
		var cells []Cell
		for _, text := range strings.Fields(c.amounts) {
			cells = append(cells, Cell{Text: text})
		}
		require.Equal(t, c.mark, decimalMark(cells), c.amounts)
	}
}
