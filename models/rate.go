package models

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// Rates convert reports into the operator's base currency. A rate says how many units of the base currency one unit of another
// was worth on a day. One person enters the rates of some days and a second confirms them. Reports read the request itself,
// which never changes and which the audit log covers. To correct a mistake, people request the same day again: reports use the
// rate that was confirmed last. If a day has no rate, reports say so; they neither guess one nor use another day's.

// Rate is what one unit of a currency was worth on a day, in the base currency.
type Rate struct {
	Day      Day             `json:"day"`
	Currency Currency        `json:"currency"`
	Rate     decimal.Decimal `json:"rate"`

	// The latest rate before, when this one was requested; zero if there was none.
	Before    decimal.Decimal `json:"before,omitzero"`
	BeforeDay Day             `json:"before_day,omitempty"`
	Replaces  decimal.Decimal `json:"replaces,omitzero"` // the rate confirmed earlier for the same day
}

const (
	// RateDecimals is the most decimals of a rate: enough for four digits of any currency.
	RateDecimals = 10
	// MaxRates is the most rates in one request.
	MaxRates = 400
	// MaxRateDays is the most days that one request covers, and how many days back an earlier rate is looked for.
	MaxRateDays = 366
	// RatePercent is the change, in percent of the rate before, above which people are warned.
	RatePercent = 10
)

// maxRate is the highest rate. It leaves room for sums of amounts.
var maxRate = decimal.NewFromInt(1_000_000)

// ParseRate parses a rate written with digits and a decimal point or comma, without separators between thousands.
func ParseRate(text string) (decimal.Decimal, error) {
	plain := strings.Replace(text, ",", ".", 1)
	d, err := decimal.NewFromString(plain)
	if err != nil || strings.Trim(plain, "0123456789.") != "" || len(plain) > 20 {
		return d, fmt.Errorf("“%.40s” is not a rate, such as 0.9215", text)
	}
	return d, CheckRate(d)
}

// CheckRate returns an error unless d can be a rate.
func CheckRate(d decimal.Decimal) error {
	switch {
	case !d.IsPositive() || d.GreaterThan(maxRate):
		return fmt.Errorf("a rate is above 0 and at most %s, not %s", maxRate, d)
	case d.Exponent() < -RateDecimals:
		return fmt.Errorf("a rate has at most %d decimals, unlike %s", RateDecimals, d)
	}
	return nil
}

// Change returns by how many percent the rate differs from the one before, or false if there was none.
func (r Rate) Change() (percent decimal.Decimal, known bool) {
	if !r.Before.IsPositive() {
		return decimal.Zero, false
	}
	return r.Rate.Sub(r.Before).Mul(decimal.NewFromInt(100)).DivRound(r.Before, 1), true
}

// Doubtful reports whether people are warned: the rate differs by more than RatePercent, or there was none before.
func (r Rate) Doubtful() bool {
	percent, known := r.Change()
	return !known || percent.Abs().GreaterThan(decimal.NewFromInt(RatePercent))
}

// RateSheet are the rates of one request.
type RateSheet struct {
	Base  Currency `json:"base"`
	Rates []Rate   `json:"rates"`
}

// Check returns an error unless the rates can be requested.
func (s RateSheet) Check() error {
	if len(s.Rates) == 0 || len(s.Rates) > MaxRates {
		return fmt.Errorf("there are %d rates; a request has 1 to %d", len(s.Rates), MaxRates)
	}
	if _, err := ParseCurrency(string(s.Base)); err != nil {
		return errors.New("choose the base currency first")
	}
	type key struct {
		day      Day
		currency Currency
	}
	last, known := s.Rates[0].Day, map[key]bool{}
	for _, r := range s.Rates {
		if _, err := ParseDay(string(r.Day)); err != nil {
			return err
		}
		if _, err := ParseCurrency(string(r.Currency)); err != nil {
			return err
		}
		if r.Currency == s.Base {
			return fmt.Errorf("%s is the base currency and needs no rate", r.Currency)
		}
		if err := CheckRate(r.Rate); err != nil {
			return fmt.Errorf("%s on %s: %w", r.Currency, r.Day, err)
		}
		k := key{r.Day, r.Currency}
		if known[k] {
			return fmt.Errorf("%s has two rates for %s", r.Currency, r.Day)
		}
		known[k], last = true, max(last, r.Day)
	}
	first := s.First()
	if days := (ReportFilter{From: first, To: last}).Days(); days > MaxRateDays {
		return fmt.Errorf("the rates cover %d days, from %s to %s; a request covers at most %d", days, first, last, MaxRateDays)
	}
	return nil
}

// First returns the first day of the rates, or "" without rates.
func (s RateSheet) First() (first Day) {
	for i, r := range s.Rates {
		if i == 0 || r.Day < first {
			first = r.Day
		}
	}
	return first
}

// UsedRate is a confirmed rate, and the request by which it was confirmed.
type UsedRate struct {
	Rate
	Request int64
}

// Rates are the rates of some days. Base is empty until somebody chooses a base currency.
type Rates struct {
	Base Currency
	of   map[Day]map[Currency]UsedRate
}

// Add adds a rate, in place of one that was confirmed earlier.
func (r *Rates) Add(rate Rate, request int64) {
	if r.of == nil {
		r.of = map[Day]map[Currency]UsedRate{}
	}
	if r.of[rate.Day] == nil {
		r.of[rate.Day] = map[Currency]UsedRate{}
	}
	r.of[rate.Day][rate.Currency] = UsedRate{rate, request}
}

// On returns the rate of a currency on a day, or false if there is none. The base currency's is 1.
func (r Rates) On(day Day, c Currency) (UsedRate, bool) {
	if c == r.Base {
		return UsedRate{Rate: Rate{Day: day, Currency: c, Rate: decimal.NewFromInt(1)}}, r.Base != ""
	}
	rate, known := r.of[day][c]
	return rate, known
}

// OfDay returns the rates of a day, by currency.
func (r Rates) OfDay(day Day) (list []UsedRate) {
	for _, c := range slices.Sorted(maps.Keys(r.of[day])) {
		list = append(list, r.of[day][c])
	}
	return list
}

// Before returns the latest of these rates of a currency before a day, or false if there is none.
func (r Rates) Before(day Day, c Currency) (latest UsedRate, known bool) {
	for d, rates := range r.of {
		if rate, there := rates[c]; there && d < day && d > latest.Day {
			latest, known = rate, true
		}
	}
	return latest, known
}

// Convert returns an amount in the base currency, at the rate of a day and rounded to two decimals, halves away from zero. It
// returns false if there is no rate. Sums of converted amounts are not rounded again, so a month is exactly the sum of its
// days.
func (r Rates) Convert(a Amount, c Currency, day Day) (Amount, bool) {
	rate, known := r.On(day, c)
	if a == 0 || !known {
		return 0, a == 0
	}
	minor := a.Decimal().Mul(rate.Rate.Rate).Round(2).Shift(2)
	return Amount(minor.IntPart()), minor.BigInt().IsInt64()
}
