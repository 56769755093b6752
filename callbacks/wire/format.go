package wire

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
)

// Format says which texts are valid IDs: a length in bytes, a range of lengths, or a pattern for the whole text. The zero
// Format accepts any text.
//
// A signature covers the values without separators. The stricter the formats of IDs are, the fewer ways there are to split the
// signed text; with fixed lengths there is only one.
type Format struct {
	text     string
	min, max int
	pattern  *regexp.Regexp
}

var errFormat = errors.New("a format is a length such as 32, a range such as 8-36, or a pattern for the whole ID such as " +
	"^[0-9a-f]{32}$")

// UnmarshalText parses a format. An empty text accepts any ID.
func (f *Format) UnmarshalText(text []byte) error {
	*f = Format{text: string(text)}
	if f.text == "" {
		return nil
	}
	if strings.HasPrefix(f.text, "^") {
		if !strings.HasSuffix(f.text, "$") || strings.HasSuffix(f.text, `\$`) {
			return fmt.Errorf("the pattern %s has to end with $: %w", f.text, errFormat)
		}
		parsed, err := syntax.Parse(f.text, syntax.Perl)
		if err == nil && parsed.Op == syntax.OpAlternate {
			return fmt.Errorf("the pattern %s has to put its alternatives into parentheses, as in ^(a|b)$", f.text)
		}
		// In Go, $ matches only the very end, but not after (?m); \z always does.
		if f.pattern, err = regexp.Compile(strings.TrimSuffix(f.text, "$") + `\z`); err != nil {
			return fmt.Errorf("the pattern %s is not a valid regular expression: %w", f.text, err)
		}
		f.min, f.max = 1, MaxFieldBytes
		return nil
	}
	low, high, ranged := strings.Cut(f.text, "-")
	if !ranged {
		high = low
	}
	var err, err2 error
	f.min, err = strconv.Atoi(low)
	f.max, err2 = strconv.Atoi(high)
	if err != nil || err2 != nil || f.min < 1 || f.max < f.min || f.max > MaxFieldBytes {
		return fmt.Errorf("%q: %w; lengths are 1 to %d", f.text, errFormat, MaxFieldBytes)
	}
	return nil
}

// String returns the format as written in the settings.
func (f Format) String() string { return f.text }

// IsZero reports whether any ID is accepted.
func (f Format) IsZero() bool { return f.text == "" }

// Match reports whether id has the format.
func (f Format) Match(id string) bool {
	return f.IsZero() || len(id) >= f.min && len(id) <= f.max && (f.pattern == nil || f.pattern.MatchString(id))
}

// Fits reports whether the format accepts IDs of all lengths from shortest to longest. Lengths do not show whether IDs match a
// pattern, so a pattern fits.
func (f Format) Fits(shortest, longest int) bool {
	return f.IsZero() || f.pattern != nil || f.min <= shortest && longest <= f.max
}

// Formats are the formats of a platform's IDs.
type Formats struct{ UserID, TransactionID, RoundID Format }

// Check returns a *ShapeError that names the first field of r with a wrong format, or nil.
func (f *Formats) Check(e Endpoint, r *Request) error {
	switch {
	case !f.UserID.Match(r.UserID):
		return &ShapeError{FieldUserID, "does not match PITBOSS_USER_ID_FORMAT"}
	case e != GetBalance && !f.TransactionID.Match(r.TransactionID):
		return &ShapeError{FieldTransactionID, "does not match PITBOSS_TRANSACTION_ID_FORMAT"}
	case e != GetBalance && e != RollbackTransaction && !f.RoundID.Match(r.RoundID):
		return &ShapeError{FieldRoundID, "does not match PITBOSS_ROUND_ID_FORMAT"}
	}
	return nil
}

// Readings returns how many ways the formats leave to split the signed text of a bet or win into transaction ID and round ID,
// and into player ID and amount. If there is only one, the signature proves these values.
func (f *Formats) Readings(user, amount, transaction, round string) (n int) {
	ids := transaction + round
	for i := 1; i < len(ids); i++ {
		if f.TransactionID.Match(ids[:i]) && f.RoundID.Match(ids[i:]) {
			n++
		}
	}
	head, users := user+amount, 0
	for i := 1; i+len("0.00") <= len(head); i++ {
		if digits := head[i : len(head)-len(".00")]; strings.Trim(digits, "0123456789") == "" &&
			(digits[0] != '0' || len(digits) == 1) && f.UserID.Match(head[:i]) {
			users++
		}
	}
	return n * users
}
