package models

import (
	"bytes"
	"database/sql/driver"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
)

// Sum is a sum of amounts, in minor units. It is always exact: its 128 bits have room for 18 quintillion amounts of the largest
// size, more than a ledger can have lines. Sums can be compared with ==.
type Sum struct {
	hi int64 // the upper half, in two's complement
	lo uint64
}

// SumOf returns a as a sum.
func SumOf(a Amount) Sum { return Sum{int64(a) >> 63, uint64(a)} }

// Plus returns s + t.
func (s Sum) Plus(t Sum) Sum {
	lo, carry := bits.Add64(s.lo, t.lo, 0)
	hi, _ := bits.Add64(uint64(s.hi), uint64(t.hi), carry)
	return Sum{int64(hi), lo}
}

// Minus returns s - t.
func (s Sum) Minus(t Sum) Sum {
	lo, borrow := bits.Sub64(s.lo, t.lo, 0)
	hi, _ := bits.Sub64(uint64(s.hi), uint64(t.hi), borrow)
	return Sum{int64(hi), lo}
}

// Add returns s + a.
func (s Sum) Add(a Amount) Sum { return s.Plus(SumOf(a)) }

// Neg returns -s.
func (s Sum) Neg() Sum { return Sum{}.Minus(s) }

// IsZero reports whether s is 0.00.
func (s Sum) IsZero() bool { return s == Sum{} }

// Sign returns -1, 0 or 1.
func (s Sum) Sign() int { return s.Cmp(Sum{}) }

// Cmp returns -1 if s is less than t, 0 if they are equal, or 1 if s is greater.
func (s Sum) Cmp(t Sum) int {
	switch {
	case s == t:
		return 0
	case s.hi < t.hi, s.hi == t.hi && s.lo < t.lo:
		return -1
	}
	return 1
}

// Amount returns the sum as an amount, or false if it is out of range.
func (s Sum) Amount() (Amount, bool) { return Amount(s.lo), s == SumOf(Amount(s.lo)) }

func (s Sum) minor() *big.Int {
	n := big.NewInt(s.hi)
	return n.Add(n.Lsh(n, 64), new(big.Int).SetUint64(s.lo))
}

// Minor returns the sum in minor units: "1234" for 12.34.
func (s Sum) Minor() string {
	if a, fits := s.Amount(); fits {
		return strconv.FormatInt(int64(a), 10)
	}
	return s.minor().String()
}

// Decimal returns the sum in units of the currency.
func (s Sum) Decimal() decimal.Decimal { return decimal.NewFromBigInt(s.minor(), -2) }

// String returns the sum in the format of Amount.String.
func (s Sum) String() string { return s.Decimal().StringFixed(2) }

// Grouped returns the sum for people, in the format of Amount.Grouped.
func (s Sum) Grouped() string { return groupThousands(s.String()) }

// Signed returns Grouped with a plus sign if the sum is positive.
func (s Sum) Signed() string {
	if s.Sign() > 0 {
		return "+" + s.Grouped()
	}
	return s.Grouped()
}

var errSum = errors.New("models: not a sum of amounts")

// ParseSum parses what Minor returned.
func ParseSum(minor string) (Sum, error) {
	if n, err := strconv.ParseInt(minor, 10, 64); err == nil {
		return SumOf(Amount(n)), nil
	}
	n, ok := new(big.Int).SetString(minor, 10)
	if !ok || n.BitLen() > 127 {
		return Sum{}, errSum
	}
	hi := new(big.Int).Rsh(n, 64) // rounds down, as two's complement does
	lo := new(big.Int).Sub(n, new(big.Int).Lsh(hi, 64))
	return Sum{hi.Int64(), lo.Uint64()}, nil
}

// halfBits is the number of bits in the second number of Halves.
const halfBits = 32

// Halves returns the sum as two whole numbers with a colon between them: the multiple of 2^32, and the rest. Databases without
// numbers of the size of a Sum can store these, and add up each half by itself. See Scan.
func (s Sum) Halves() string {
	high := s.hi<<halfBits | int64(s.lo>>halfBits)
	return strconv.FormatInt(high, 10) + ":" + strconv.FormatUint(s.lo&(1<<halfBits-1), 10)
}

// Scan reads a sum from a database: a whole number in minor units, as a number or as text, or two halves with a colon between
// them. The second half may be larger than 2^32. NULL is 0.00.
func (s *Sum) Scan(value any) (err error) {
	var text string
	switch v := value.(type) {
	case nil:
		*s = Sum{}
		return nil
	case int64:
		*s = SumOf(Amount(v))
		return nil
	case []byte:
		text = string(v)
	case string:
		text = v
	default:
		return fmt.Errorf("%w: %T", errSum, value)
	}
	high, low, halves := strings.Cut(text, ":")
	if !halves {
		*s, err = ParseSum(text)
		return err
	}
	h, err := strconv.ParseInt(high, 10, 64)
	if err != nil {
		return errSum
	}
	l, err := strconv.ParseInt(low, 10, 64)
	if err != nil {
		return errSum
	}
	*s = Sum{h >> (64 - halfBits), uint64(h) << halfBits}.Add(Amount(l))
	return nil
}

// Value returns the sum in minor units.
func (s Sum) Value() (driver.Value, error) { return s.Minor(), nil }

// MarshalJSON returns the sum as a whole number of minor units.
func (s Sum) MarshalJSON() ([]byte, error) { return []byte(s.Minor()), nil }

// UnmarshalJSON parses a whole number of minor units.
func (s *Sum) UnmarshalJSON(text []byte) (err error) {
	*s, err = ParseSum(string(bytes.TrimSpace(text)))
	return err
}
