package models_test

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pitboss/models"
)

func TestParseAmount(t *testing.T) {
	for _, row := range []struct {
		text string
		want models.Amount
	}{
		{"0.00", 0},
		{"0.01", 1},
		{"0.10", 10},
		{"1.00", 100},
		{"12.30", 1230},
		{"10.05", 1005},
		{"999999999999.99", 99999999999999},
		{"999999999999.99", models.MaxAmount},
	} {
		got, err := models.ParseAmount(row.text)
		require.NoError(t, err, row.text)
		require.Equal(t, row.want, got, row.text)
		require.Equal(t, row.text, got.String())
	}
}

func TestParseAmountRefuses(t *testing.T) {
	for name, row := range map[string]struct {
		text string
		want error
	}{
		"nothing":                     {"", models.ErrAmountShape},
		"a point":                     {".", models.ErrAmountShape},
		"no digit before the point":   {".00", models.ErrAmountShape},
		"no decimals":                 {"12", models.ErrAmountShape},
		"no decimals after a point":   {"12.", models.ErrAmountShape},
		"one decimal":                 {"12.3", models.ErrAmountShape},
		"three decimals":              {"12.300", models.ErrAmountShape},
		"two points":                  {"1.2.34", models.ErrAmountShape},
		"points only":                 {"....", models.ErrAmountShape},
		"a comma":                     {"12,30", models.ErrAmountShape},
		"grouped thousands":           {"1,234.00", models.ErrAmountShape},
		"an underscore":               {"1_000.00", models.ErrAmountShape},
		"a plus sign":                 {"+1.00", models.ErrAmountShape},
		"a minus sign":                {"-1.00", models.ErrAmountShape},
		"minus zero":                  {"-0.00", models.ErrAmountShape},
		"a true minus sign":           {"\u22121.00", models.ErrAmountShape},
		"an exponent":                 {"1e2.00", models.ErrAmountShape},
		"an exponent after":           {"1.00e2", models.ErrAmountShape},
		"an exponent as decimals":     {"1.e2", models.ErrAmountShape},
		"hexadecimal":                 {"0x1.00", models.ErrAmountShape},
		"a space before":              {" 1.00", models.ErrAmountShape},
		"a space after":               {"1.00 ", models.ErrAmountShape},
		"a space within":              {"1 0.00", models.ErrAmountShape},
		"a tab":                       {"\t1.00", models.ErrAmountShape},
		"a line's end":                {"1.00\n", models.ErrAmountShape},
		"NUL":                         {"1.00\x00", models.ErrAmountShape},
		"a leading zero":              {"01.00", models.ErrAmountShape},
		"zeros":                       {"00.00", models.ErrAmountShape},
		"Arabic digits":               {"\u0661.\u0660\u0660", models.ErrAmountShape},
		"full-width digits":           {"\uff11.\uff10\uff10", models.ErrAmountShape},
		"full-width decimals":         {"1.\uff10\uff10", models.ErrAmountShape},
		"invalid UTF-8":               {"\xff.00", models.ErrAmountShape},
		"a byte order mark":           {"\ufeff1.00", models.ErrAmountShape},
		"not a number":                {"NaN", models.ErrAmountShape},
		"infinity":                    {"Inf", models.ErrAmountShape},
		"letters before decimals":     {"abc.00", models.ErrAmountShape},
		"one cent too much":           {"1000000000000.00", models.ErrAmountRange},
		"as long as the largest":      {"99999999999999999.99", models.ErrAmountRange},
		"one digit too many":          {"100000000000000000.00", models.ErrAmountRange},
		"a million digits":            {strings.Repeat("9", 1e6) + ".00", models.ErrAmountRange},
		"a million digits and a sign": {"-" + strings.Repeat("9", 1e6) + ".00", models.ErrAmountShape},
	} {
		_, err := models.ParseAmount(row.text)
		require.Equal(t, row.want, err, "%s: %.60q", name, row.text)
	}
}

// ParseAmount accepts amounts in the protocol's format and nothing else, and String returns them byte for byte.
func TestParseAmountAcceptsOneSpellingOnly(t *testing.T) {
	shape := rapid.OneOf(
		rapid.StringMatching(`(0|[1-9][0-9]{0,19})\.[0-9]{2}`),
		rapid.StringMatching(`[-+ ]?[0-9]{0,4}[.,]?[0-9e]{0,4} ?`),
		rapid.String(),
	)
	spelling := func(s string) bool {
		whole, cents, ok := strings.Cut(s, ".")
		digits := strings.Trim(whole+cents, "0123456789") == ""
		return ok && digits && len(cents) == 2 && whole != "" && (whole == "0" || whole[0] != '0')
	}
	rapid.Check(t, func(t *rapid.T) {
		s := shape.Draw(t, "text")
		got, err := models.ParseAmount(s)
		if !spelling(s) {
			require.Equal(t, models.ErrAmountShape, err)
			return
		}
		if decimal.RequireFromString(s).GreaterThan(decimal.RequireFromString("999999999999.99")) {
			require.Equal(t, models.ErrAmountRange, err)
			return
		}
		require.NoError(t, err)
		require.Equal(t, s, got.String())
	})
}

func TestAmountString(t *testing.T) {
	for amount, want := range map[models.Amount]string{
		0: "0.00", 5: "0.05", -5: "-0.05", 99: "0.99", 100: "1.00", -100: "-1.00", 123456: "1234.56", -123450: "-1234.50",
		math.MaxInt64: "92233720368547758.07", math.MinInt64: "-92233720368547758.08",
	} {
		require.Equal(t, want, amount.String())
	}
}

func TestAmountPlus(t *testing.T) {
	const most, least = models.MaxAmount, -models.MaxAmount
	for _, row := range []struct {
		a, b models.Amount
		ok   bool
	}{
		{0, 0, true}, {1, -1, true}, {-5, 0, true}, {most, 0, true}, {least, 0, true}, {0, most, true}, {0, least, true},
		{most - 1, 1, true}, {least + 1, -1, true}, {most, least, true}, {most, -most, true},
		{most, 1, false}, {1, most, false}, {most, most, false}, {least, -1, false}, {-1, least, false}, {least, least, false},
		{math.MaxInt64, 1, false}, {math.MinInt64, -1, false}, {math.MinInt64, math.MinInt64, false},
	} {
		sum, ok := row.a.Plus(row.b)
		require.Equal(t, row.ok, ok, "%s + %s", row.a, row.b)
		if ok {
			require.Equal(t, row.a+row.b, sum)
		}
	}
}

func TestParseCurrency(t *testing.T) {
	for _, good := range []string{"EUR", "USD", "XBT", "USDT", "M5EUR", "ABCDEFGH"} {
		c, err := models.ParseCurrency(good)
		require.NoError(t, err)
		require.Equal(t, models.Currency(good), c)
	}
	for _, bad := range []string{"", "E", "EU", "eur", "Eur", "EUR ", " EUR", "5EUR", "EU-R", "\u20ac\u20ac\u20ac",
		"ABCDEFGHI", "EU\x00", "\u0415UR"} {
		_, err := models.ParseCurrency(bad)
		require.ErrorContains(t, err, "such as EUR", "%q", bad)
	}
}

// A sum is exact or panics.
func TestAmountSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.Int64(), rapid.SampledFrom([]int64{math.MinInt64, math.MinInt64 + 1, -1, 0, 1, math.MaxInt64}))
		a, b := number.Draw(t, "a"), number.Draw(t, "b")
		for _, row := range []struct {
			want *big.Int
			of   func() models.Amount
		}{
			{new(big.Int).Add(big.NewInt(a), big.NewInt(b)), func() models.Amount { return models.Amount(a).Add(models.Amount(b)) }},
			{new(big.Int).Sub(big.NewInt(a), big.NewInt(b)), func() models.Amount { return models.Amount(a).Sub(models.Amount(b)) }},
		} {
			if row.want.IsInt64() {
				require.Equal(t, models.Amount(row.want.Int64()), row.of())
			} else {
				require.Panics(t, func() { row.of() })
			}
		}
	})
}
