package simulator

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// minor is an amount of money in hundredths of the currency's unit. The books use no other type, so that every comparison is
// exact.
type minor int64

// String returns the amount as the protocol requires: with exactly two decimal places, and a sign only if it is negative.
func (m minor) String() string {
	sign, magnitude := "", uint64(m)
	if m < 0 {
		sign, magnitude = "-", -uint64(m)
	}
	return fmt.Sprintf("%s%d.%02d", sign, magnitude/100, magnitude%100)
}

var writtenAmount = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,15})\.[0-9]{2}$`)

// parseMinor parses an amount with exactly two decimal places. Anything else is an error: a balance that needs rounding is a
// fault to report.
func parseMinor(written string) (minor, error) {
	if !writtenAmount.MatchString(written) {
		return 0, fmt.Errorf("%.40q is not an amount with two decimal places", written)
	}
	value, err := strconv.ParseInt(strings.Replace(written, ".", "", 1), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%.40q is not an amount: %w", written, err)
	}
	return minor(value), nil
}

// MarshalJSON writes the amount as a string.
func (m minor) MarshalJSON() ([]byte, error) { return []byte(`"` + m.String() + `"`), nil }

// UnmarshalJSON reads an amount: a string, as in the specification, or a number, as in the platform's public documentation.
func (m *minor) UnmarshalJSON(text []byte) (err error) {
	*m, err = parseMinor(strings.Trim(string(text), `"`))
	return err
}
