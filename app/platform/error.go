package platform

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"pitboss/callbacks/wire"
)

// Call is one of the platform's calls, by its path (specification, Platform API).
type Call string

// The four calls.
const (
	CallGameList       Call = "/gameList"
	CallUserAuth       Call = "/userAuth"
	CallAssignFreeSpin Call = "/assignFreeSpin"
	CallFreeSpinStatus Call = "/freeSpinStatus"
)

var calls = []Call{CallGameList, CallUserAuth, CallAssignFreeSpin, CallFreeSpinStatus}

// Kind is how a call failed.
type Kind string

const (
	// Refused: the platform answered with a result other than 0.
	Refused Kind = "refused"
	// Status: an HTTP status other than 200.
	Status Kind = "HTTP status"
	// Unreadable: the answer does not follow the specification, or is too large.
	Unreadable Kind = "unreadable answer"
	// Timeout: no complete answer in time.
	Timeout Kind = "time-out"
	// Connection: there was no connection, or it broke.
	Connection Kind = "connection"
	// CircuitOpen: nothing was sent, because this call has failed several times in a row.
	CircuitOpen Kind = "circuit open"
	// Cancelled: the caller gave up.
	Cancelled Kind = "cancelled"
)

// Error is a failed call. It contains neither token, key nor signature.
type Error struct {
	Call    Call
	Kind    Kind
	Result  int    // Refused: the platform's result
	Status  int    // Status: the HTTP status
	Message string // the platform's message, or what went wrong; printable and shortened
	Known   bool   // the call certainly had no effect; if false, it may have had one
	Raw     string // the answer as far as it was read, shortened
	Latency time.Duration
}

// Error says which call failed, and how.
func (e *Error) Error() string { return "the platform's " + string(e.Call) + ": " + e.Reason() }

// Reason returns Error without the name of the call.
func (e *Error) Reason() string {
	var s string
	switch e.Kind {
	case Refused:
		s = "refused with result " + strconv.Itoa(e.Result)
		if e.Message != "" {
			s += ", " + e.Message
		}
	case Status:
		s = "HTTP status " + strconv.Itoa(e.Status)
	case Timeout:
		s = fmt.Sprintf("no answer within %.1f s", e.Latency.Seconds())
	default:
		s = string(e.Kind)
		if e.Message != "" {
			s += ": " + e.Message
		}
	}
	return s
}

// Words returns for people what happened to a call that was not refused. Technical details are only in the log.
func (e *Error) Words() string {
	switch e.Kind {
	case Status:
		return "The platform answered with HTTP status " + strconv.Itoa(e.Status) + "."
	case Unreadable:
		return "The platform’s answer could not be read."
	case Timeout:
		return fmt.Sprintf("The platform did not answer within %.1f s.", e.Latency.Seconds())
	case CircuitOpen:
		return "The platform failed several times in a row, so nothing was sent."
	case Cancelled:
		return "The call was given up before the platform answered."
	}
	if e.Known {
		return "There was no connection to the platform."
	}
	return "The connection dropped before the platform answered."
}

// GrantWords returns what a failed /assignFreeSpin means, for people: what happened, and whether the spins may have been
// granted.
func (e *Error) GrantWords() string {
	switch {
	case e.Kind == Refused:
		return e.Reason()
	case !e.Known:
		return e.Words() + " The spins may or may not have been granted."
	}
	return e.Words()
}

// ResultWords returns a result of the platform with its meaning, such as "2, wrong input" (specification, Errors 2; platform
// notes, Wallet callbacks). An unknown result is only the number.
func ResultWords(result int) string {
	number := strconv.Itoa(result)
	if result == 7 {
		return number + ", invalid API token" // the platform API's alone
	}
	words := wire.Result(result).String()
	if strings.HasSuffix(words, number) {
		return number
	}
	return number + ", " + strings.ToLower(words[:1]) + words[1:]
}

const (
	maxMessage = 300  // characters
	maxRaw     = 4096 // bytes of a stored answer
)

// printable makes text from the platform safe to show: characters that are not printable become escapes, and it is cut to max
// characters.
func printable(s string, max int) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n++; n > max {
			b.WriteString("…")
			break
		}
		if strconv.IsPrint(r) {
			b.WriteRune(r)
		} else {
			q := strconv.QuoteRuneToASCII(r)
			b.WriteString(q[1 : len(q)-1])
		}
	}
	return b.String()
}

var redacted = []byte("***")

// anyNotation returns the pattern of secrets that a platform may echo: as they are, or with any characters escaped, once or
// several times, as in JSON, HTML or a URL.
func anyNotation(secrets ...string) *regexp.Regexp {
	var b strings.Builder
	for i, secret := range secrets {
		if i > 0 {
			b.WriteByte('|')
		}
		for _, r := range secret {
			c := string(r)
			fmt.Fprintf(&b, `\\*(?:%s|%s|(?i:u%04x|&#0*%d;|&#x0*%x;|`, regexp.QuoteMeta(c),
				regexp.QuoteMeta(html.EscapeString(c)), r, r, r)
			for i := range len(c) {
				fmt.Fprintf(&b, "%%(?:25)*%02x", c[i])
			}
			b.WriteString("))")
		}
	}
	return regexp.MustCompile(b.String())
}

// keep shortens an answer for storing.
func keep(raw []byte) string {
	s := strings.ToValidUTF8(string(raw[:min(len(raw), maxRaw)]), "\uFFFD")
	s = strings.ReplaceAll(s, "\x00", "\uFFFD")
	for len(s) > maxRaw {
		_, size := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-size]
	}
	return s
}
