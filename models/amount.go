// Package models is Pitboss's domain: players, wallets, operations, and the ordered rules that decide operations. It knows
// neither HTTP nor SQL, takes times and random values as arguments, and imports no other package of Pitboss.
package models

import (
	"errors"
	"fmt"
	"math"

	"github.com/shopspring/decimal"
)

// Amount is money in minor units, hundredths of a currency's unit: 1234 is 12.34. Every currency has two decimals, as in the
// protocol (specification, Limits 1). Arithmetic that could overflow goes through Plus.
type Amount int64

// MaxAmount is the largest amount, 92233720368547758.07.
const MaxAmount Amount = math.MaxInt64

// Why a text is not an amount.
var (
	ErrAmountShape = errors.New("an amount is digits, a point and exactly two decimals, such as 12.30, without sign or " +
		"leading zeros")
	ErrAmountRange = errors.New("an amount is at most 92233720368547758.07")
)

// ParseAmount parses an amount written exactly as digits.dd: ASCII digits, no sign, exponent, space or leading zeros
// (specification, Limits 1). It returns ErrAmountShape if the text is written differently, or ErrAmountRange if the amount is
// too large.
func ParseAmount(s string) (Amount, error) {
	point := len(s) - 3
	if point < 1 || s[point] != '.' || (s[0] == '0' && point > 1) {
		return 0, ErrAmountShape
	}
	for i := 0; i < len(s); i++ {
		if i != point && (s[i] < '0' || s[i] > '9') {
			return 0, ErrAmountShape
		}
	}
	if len(s) > len("92233720368547758.07") {
		return 0, ErrAmountRange
	}
	d, err := decimal.NewFromString(s)
	if err != nil {
		return 0, ErrAmountShape
	}
	minor := d.Shift(2).BigInt()
	if !minor.IsInt64() {
		return 0, ErrAmountRange
	}
	return Amount(minor.Int64()), nil
}

// String returns the amount with exactly two decimals and a minus sign if it is negative: "12.30", "-0.05".
func (a Amount) String() string { return decimal.New(int64(a), -2).StringFixed(2) }

// Plus returns a + b, or false if the sum overflows.
func (a Amount) Plus(b Amount) (Amount, bool) {
	sum := a + b
	return sum, (sum > a) == (b > 0)
}

// Currency is a currency's code as sent to the platform, such as EUR.
type Currency string

// ParseCurrency parses a currency's code: three to eight capital letters or digits, starting with a letter.
func ParseCurrency(s string) (Currency, error) {
	ok := len(s) >= 3 && len(s) <= 8 && s[0] >= 'A' && s[0] <= 'Z'
	for i := 0; ok && i < len(s); i++ {
		ok = s[i] >= 'A' && s[i] <= 'Z' || s[i] >= '0' && s[i] <= '9'
	}
	if !ok {
		return "", fmt.Errorf("a currency is a code of three to eight capital letters or digits, such as EUR, not %.40q", s)
	}
	return Currency(s), nil
}
