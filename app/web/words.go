package web

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/shopspring/decimal"

	"pitboss/models"
	"pitboss/views"
)

// OrWord is a text, or a word where it is empty.
func OrWord(text, word string) string {
	if text == "" {
		return word
	}
	return text
}

// LowerFirst writes the first letter small.
func LowerFirst(s string) string {
	r := []rune(s)
	return strings.ToLower(string(r[:1])) + string(r[1:])
}

// Millis is a time in milliseconds.
func Millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// LatencyWords writes a latency: tenths of milliseconds below ten of them, where they say something.
func LatencyWords(d time.Duration) string {
	ms := Millis(d)
	if ms < 10 {
		return strconv.FormatFloat(ms, 'f', 1, 64) + " ms"
	}
	return Grouped(int64(ms+0.5)) + " ms"
}

// SizeWords is a size of a file for people.
func SizeWords(bytes int64) string {
	switch {
	case bytes < 1000:
		return strconv.FormatInt(bytes, 10) + " bytes"
	case bytes < 1_000_000:
		return fmt.Sprintf("%.0f kB", float64(bytes)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
}

// PathOf is the address of a row: "/games" and its number.
func PathOf(list string, id int64) string { return list + "/" + strconv.FormatInt(id, 10) }

// Lasted writes how long something took.
func Lasted(d time.Duration) string {
	if d < time.Second {
		return LatencyWords(d)
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// ByWhom names an actor in a sentence.
func ByWhom(actor string) string {
	if actor == models.System.Name {
		return "by schedule"
	}
	return "by " + actor
}

// Percent writes a share with two places, and nothing where it is not known.
func Percent(d decimal.Decimal, known bool) string {
	if !known {
		return ""
	}
	return strings.ReplaceAll(d.StringFixed(2), "-", "−") + " %"
}

// OrDash is a text, or a dash where it is empty.
func OrDash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

// Grouped writes a whole number, thousands apart.
func Grouped(n int64) string { return views.Figure(float64(n)) }

// Several writes a number of things.
func Several(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Grouped(n) + " " + many
}

// InWords lists things in a sentence.
func InWords(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

// Clock is a time in a sentence, in the reader's zone.
func (s *Site) Clock(c *fiber.Ctx, at time.Time) string {
	return views.NewMoment(at, s.Now(), ReaderOf(c).Zone).Brief()
}

// HexText writes a hash in hexadecimal.
func HexText(h models.Hash) string { return hex.EncodeToString(h[:]) }

// WaitWords says how long somebody has to wait after failed tries to sign in.
func WaitWords(wait time.Duration) string {
	words := fmt.Sprintf("%d seconds", int(wait/time.Second)+1)
	if wait > time.Minute {
		words = fmt.Sprintf("%d minutes", int(wait/time.Minute)+1)
	}
	return "Too many failed tries. Wait " + words + ", or sign in from where you usually do. An administrator can lift this."
}

// Age is a length of time as people say it, in its two largest units: "3 h 25 min".
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

// FirstUpper begins a word with a capital letter.
func FirstUpper(s string) string { return strings.TrimSuffix(Sentence(s), ".") }

// WordOf is the word of a value among pairs of both.
func WordOf(pairs []string) func(string) string {
	return func(value string) string {
		for i := 0; i+1 < len(pairs); i += 2 {
			if pairs[i] == value {
				return pairs[i+1]
			}
		}
		return value
	}
}
