// Package models is Pitboss's domain: players, wallets, operations, and the ordered rules that decide operations. It knows
// neither HTTP nor SQL, takes times and random values as arguments, and imports no other package of Pitboss.
package models

import (
	"errors"
	"fmt"

	"github.com/shopspring/decimal"
)

// Amount is money in minor units, hundredths of a currency's unit: 1234 is 12.34. Every currency has two decimals, as in the
// protocol (specification, Limits 1). What is booked and every balance are at most MaxAmount. A sum of many of them, as in
// reports, may be larger: see Add.
type Amount int64

// MaxAmount is the largest amount that is booked, and the largest balance either way: 999999999999.99. The specification has
// no bound ("amount bounds ... not shown"). This one is far beyond any stake, and leaves room in an int64 for sums: only more
// than 92,000 amounts of this size exceed it.
const MaxAmount Amount = 999_999_999_999_99

// Why a text is not an amount.
var (
	ErrAmountShape = errors.New("an amount is digits, a point and exactly two decimals, such as 12.30, without sign or " +
		"leading zeros")
	ErrAmountRange = errors.New("an amount is at most 999999999999.99")
)

// ParseAmount parses an amount written exactly as digits.dd: ASCII digits, no sign, exponent, space or leading zeros
// (specification, Limits 1). It returns ErrAmountShape if the text is written differently, or ErrAmountRange if the amount is
// larger than MaxAmount.
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
	if len(s) > len("999999999999.99") {
		return 0, ErrAmountRange
	}
	d, err := decimal.NewFromString(s)
	if err != nil {
		return 0, ErrAmountShape
	}
	return Amount(d.Shift(2).IntPart()), nil
}

// Decimal returns the amount in units of the currency.
func (a Amount) Decimal() decimal.Decimal { return decimal.New(int64(a), -2) }

// String returns the amount with exactly two decimals and a minus sign if it is negative: "12.30", "-0.05".
func (a Amount) String() string { return a.Decimal().StringFixed(2) }

// Neg returns -a, for templates.
func (a Amount) Neg() Amount { return -a }

// Plus returns the balance a + b, or false if it exceeds MaxAmount or is less than -MaxAmount.
func (a Amount) Plus(b Amount) (Amount, bool) {
	sum := a + b
	return sum, (sum > a) == (b > 0) && -MaxAmount <= sum && sum <= MaxAmount
}

// Add returns a + b, for sums of many amounts. It panics if the sum exceeds an int64, which takes more than 92,000 amounts of
// the largest size: then the page or the job that adds them up fails, and no wrong figure is shown or stored. Sums in SQL fail
// likewise.
func (a Amount) Add(b Amount) Amount {
	sum := a + b
	if (sum > a) != (b > 0) {
		panic(fmt.Sprintf("the sum of %s and %s exceeds what can be added up exactly", a, b))
	}
	return sum
}

// Sub returns a - b. It panics if the difference exceeds an int64, as Add does.
func (a Amount) Sub(b Amount) Amount {
	difference := a - b
	if (difference < a) != (b > 0) {
		panic(fmt.Sprintf("the difference of %s and %s exceeds what can be added up exactly", a, b))
	}
	return difference
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
