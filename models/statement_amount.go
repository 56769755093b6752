package models

import (
	"errors"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"
)

// Why the amounts of a line cannot be read.
var (
	errNoAmount   = errors.New("it has no amount")
	errSigns      = errors.New("a win cannot be below zero")
	errNoKindSign = errors.New("an amount of 0.00 can be a bet or a win, and no column says which")
)

func (s *StatementReader) amounts(l *StatementLine, field func(StatementField) (string, bool)) error {
	read := func(f StatementField) (a Amount, there bool, err error) {
		text, mapped := field(f)
		text = strings.TrimSpace(text)
		if !mapped || text == "" || text == "-" {
			return 0, false, nil
		}
		if a, err = parseStatementAmount(text, s.layout.Decimal); err != nil {
			return 0, false, fmt.Errorf("%s %.40q: %w", strings.ToLower(f.Word()), text, err)
		}
		return a, true, nil
	}
	if _, single := s.at[StatementAmount]; single {
		a, there, err := read(StatementAmount)
		if err != nil {
			return err
		}
		if !there {
			return errNoAmount
		}
		kind := l.Kind
		if kind == 0 {
			switch {
			case a < 0:
				kind = Bet
			case a > 0:
				kind = Win
			default:
				return errNoKindSign
			}
			l.Kind = kind
		}
		switch kind {
		case Bet:
			l.Bet = max(a, -a)
		case Win:
			if l.Win = a; a < 0 {
				return errSigns
			}
		case BetWin:
			return errors.New("a bet and win needs a column for bets and one for wins")
		}
		return nil
	}
	bet, hasBet, err := read(StatementBet)
	if err != nil {
		return err
	}
	win, hasWin, err := read(StatementWin)
	if err != nil {
		return err
	}
	if !hasBet && !hasWin {
		return errNoAmount
	}
	if win < 0 {
		return errSigns
	}
	l.Bet, l.Win = max(bet, -bet), win
	return nil
}

// parseStatementAmount parses an amount with up to two decimals. It may have further zeros, a sign, and separators between
// thousands.
func parseStatementAmount(text, mark string) (Amount, error) {
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
			return 0, errors.New("it is not an amount")
		}
	}
	if b.Len() > 40 {
		return 0, ErrAmountRange
	}
	if whole, _, _ := strings.Cut(text, mark); groupedWrongly(whole) {
		return 0, errors.New("it is not an amount with the chosen decimal mark")
	}
	d, err := decimal.NewFromString(b.String())
	if err != nil || decimals == 0 {
		return 0, errors.New("it is not an amount")
	}
	minor := d.Shift(2)
	if !minor.IsInteger() {
		return 0, errors.New("it has more than two decimals")
	}
	if !minor.BigInt().IsInt64() || minor.BigInt().Int64() == -int64(MaxAmount)-1 {
		return 0, ErrAmountRange
	}
	return Amount(minor.BigInt().Int64()), nil
}

// groupedWrongly reports whether separators are anywhere but between thousands: 1.00 is not a hundred if the comma is the
// decimal mark.
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
