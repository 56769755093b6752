package sheet

import (
	"errors"
	"regexp"
	"strings"

	"github.com/shopspring/decimal"

	"pitboss/models"
)

var errNotAmount = errors.New("it is not an amount")

// amount returns the amount in a cell. A number of a workbook has a decimal point, whatever the mark of texts is.
func (c Cell) amount(mark string) (models.Amount, error) {
	if c.Kind == Number {
		mark = "."
	}
	return parseAmount(c.Text, mark)
}

// parseAmount parses an amount with up to two decimals. It may have further zeros, a sign, and separators between thousands.
func parseAmount(text, mark string) (models.Amount, error) {
	var b strings.Builder
	decimals := -1
	for i, r := range text {
		switch {
		case r >= '0' && r <= '9':
			if decimals >= 0 {
				decimals++
			}
			b.WriteRune(r)
		case string(r) == mark && decimals < 0:
			decimals = 0
			b.WriteByte('.')
		case i == 0 && (r == '-' || r == '−'):
			b.WriteByte('-')
		case i == 0 && r == '+':
		case decimals < 0 && i > 0 &&
			(r == ' ' || r == '\u00a0' || r == '\u202f' || r == '\'' || r == '’' || r == '.' || r == ','):
		default:
			return 0, errNotAmount
		}
	}
	if b.Len() > 40 {
		return 0, models.ErrAmountRange
	}
	if whole, _, _ := strings.Cut(text, mark); groupedWrongly(whole) {
		return 0, errors.New("it is not an amount with the chosen decimal mark")
	}
	d, err := decimal.NewFromString(b.String())
	if err != nil || decimals == 0 {
		return 0, errNotAmount
	}
	minor := d.Shift(2)
	if !minor.IsInteger() {
		return 0, errors.New("it has more than two decimals")
	}
	if minor.Abs().GreaterThan(decimal.NewFromInt(int64(models.MaxAmount))) {
		return 0, models.ErrAmountRange
	}
	return models.Amount(minor.IntPart()), nil
}

// groupedWrongly reports whether a separator is not between thousands: 1.00 is not a hundred if the comma is the decimal mark.
func groupedWrongly(text string) bool {
	digits, groups := 0, 0
	for _, r := range text {
		if r >= '0' && r <= '9' {
			digits++
			continue
		}
		if digits == 0 && groups == 0 {
			continue // the sign
		}
		if groups > 0 && digits != 3 || groups == 0 && digits > 3 {
			return true
		}
		digits, groups = 0, groups+1
	}
	return groups > 0 && digits != 3
}

// thousandOrOne matches what can be thousands or decimals.
var thousandOrOne = regexp.MustCompile(`^[+\-−]?[1-9][0-9]{0,2}[.,][0-9]{3}$`)

// decimalMark infers the decimal mark of a column from its amounts: 12,50 has a comma and 1,000.00 a point, but 1.000 and 1,000
// can mean one or one thousand. It returns "" if there are such amounts and no other amount settles the mark.
func decimalMark(amounts []Cell) string {
	unclear := false
	for _, cell := range amounts {
		if cell.Kind == Number {
			continue
		}
		text := cell.Text
		_, noPoint := parseAmount(text, ".")
		_, noComma := parseAmount(text, ",")
		switch {
		case thousandOrOne.MatchString(text):
			unclear = true
		case noPoint == nil && noComma != nil:
			return "."
		case noComma == nil && noPoint != nil:
			return ","
		}
	}
	if unclear {
		return ""
	}
	return "."
}
