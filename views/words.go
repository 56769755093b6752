package views

import (
	"fmt"
	"html/template"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// Formats of numbers, times and lists, for templates and for the few sentences that Go code makes.

// Grouped formats a whole number with thousands separators.
func Grouped(n int64) string { return Figure(float64(n)) }

// Several formats a number of things: "1 spin", "2,000 spins".
func Several(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Grouped(n) + " " + many
}

// InWords joins things for a sentence: "a, b and c".
func InWords(list []string) string { return listed(list, " and ") }

// EitherOf joins things for a sentence: "a, b or c".
func EitherOf(list []string) string { return listed(list, " or ") }

// listed joins things with commas, and with a word before the last one.
func listed(list []string, last string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + last + list[len(list)-1]
}

// LowerFirst returns a text with its first letter in lower case.
func LowerFirst(s string) string {
	if s == "" {
		return ""
	}
	r := []rune(s)
	return strings.ToLower(string(r[:1])) + string(r[1:])
}

// FirstUpper returns a text with its first letter capitalized, and without a period at its end.
func FirstUpper(s string) string { return strings.TrimSuffix(Sentence(s), ".") }

// Sentence returns an error's text as a sentence, with a capital letter and a period.
func Sentence(s string) string {
	if s == "" {
		return ""
	}
	r := []rune(s)
	s = strings.ToUpper(string(r[:1])) + string(r[1:])
	if !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "?") {
		s += "."
	}
	return s
}

// Millis returns a duration in milliseconds.
func Millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// LatencyWords formats a latency in milliseconds, with one decimal below 10 ms.
func LatencyWords(d time.Duration) string {
	ms := Millis(d)
	if ms < 10 {
		return strconv.FormatFloat(ms, 'f', 1, 64) + " ms"
	}
	return Grouped(int64(ms+0.5)) + " ms"
}

// Lasted formats how long something took: "12 ms" or "1.5 s".
func Lasted(d time.Duration) string {
	if d < time.Second {
		return LatencyWords(d)
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// Age formats a duration. From an hour on it has two units: "3 h 25 min". A negative duration counts as 0.
func Age(d time.Duration) string {
	d = max(d, 0)
	n := func(d time.Duration, unit string) string { return strconv.Itoa(int(d)) + " " + unit }
	switch {
	case d < time.Minute:
		return n(d/time.Second, "s")
	case d < time.Hour:
		return n(d/time.Minute, "min")
	case d < 24*time.Hour:
		return n(d/time.Hour, "h") + " " + n(d%time.Hour/time.Minute, "min")
	}
	return n(d/(24*time.Hour), "d") + " " + n(d%(24*time.Hour)/time.Hour, "h")
}

// InUnits formats a duration in whole hours or whole minutes if it is a multiple of them, and in seconds if not.
func InUnits(d time.Duration) string {
	switch {
	case d >= time.Hour && d%time.Hour == 0:
		return strconv.Itoa(int(d/time.Hour)) + " h"
	case d >= time.Minute && d%time.Minute == 0:
		return strconv.Itoa(int(d/time.Minute)) + " min"
	}
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + " s"
}

// SizeWords formats the size of a file.
func SizeWords(bytes int64) string {
	switch {
	case bytes < 1000:
		return strconv.FormatInt(bytes, 10) + " bytes"
	case bytes < 1_000_000:
		return fmt.Sprintf("%.0f kB", float64(bytes)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
}

// wordFunctions are the functions for words in templates.
var wordFunctions = template.FuncMap{
	"capital":  func(text any) string { return FirstUpper(fmt.Sprint(text)) },
	"sentence": func(text any) string { return Sentence(fmt.Sprint(text)) },
	"lower":    func(text any) string { return LowerFirst(fmt.Sprint(text)) },
	"text":     func(text any) string { return fmt.Sprint(text) },
	"age":      Age,
	"latency":  LatencyWords,
	"lasted":   Lasted,
	"size":     SizeWords,
	"inunits":  InUnits,
}

// Percent formats a percentage with two decimals, or returns "" if it is not known.
func Percent(d decimal.Decimal, known bool) string {
	if !known {
		return ""
	}
	return strings.ReplaceAll(d.StringFixed(2), "-", "−") + "%"
}

// OrDash returns the text, or a dash if it is empty.
func OrDash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

// WaitWords returns a message about how long somebody has to wait after failed attempts to sign in.
func WaitWords(wait time.Duration) string {
	words := fmt.Sprintf("%d seconds", int(wait/time.Second)+1)
	if wait > time.Minute {
		words = fmt.Sprintf("%d minutes", int(wait/time.Minute)+1)
	}
	return "Too many failed attempts. Wait " + words + ", or sign in from a browser that you have used before. An " +
		"administrator can lift this."
}
