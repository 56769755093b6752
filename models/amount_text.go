package models

import "strings"

// Grouped returns the amount for people: with grouped thousands, two decimals and a true minus sign: "1,234.50", "−0.05".
func (a Amount) Grouped() string { return groupThousands(a.String()) }

func groupThousands(s string) string {
	sign := ""
	if digits, negative := strings.CutPrefix(s, "-"); negative {
		s, sign = digits, "−"
	}
	whole, cents, _ := strings.Cut(s, ".")
	var b strings.Builder
	b.WriteString(sign)
	for i, d := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String() + "." + cents
}

// Signed returns Grouped with a plus sign if the amount is positive.
func (a Amount) Signed() string {
	if a > 0 {
		return "+" + a.Grouped()
	}
	return a.Grouped()
}
