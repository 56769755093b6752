package simulator

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// maxKeptMismatches is how many mismatches a Report lists; it counts all.
const maxKeptMismatches = 100

// Report says what Play did and which faults it found.
type Report struct {
	Seed   uint64
	RunID  string
	Rounds int
	Kinds  map[string]int // rounds by kind
	// attempts by endpoint and outcome: a result, "HTTP 503", "no answer", "answer lost" ...
	Calls    map[string]map[string]int
	Retries  int            // attempts repeated for lack of a definite answer; LostAnswers are not counted
	Balances []BalanceCheck // the final comparison, player by player
	// players with an operation whose outcome is unknown; their balance is not compared
	Unsettled     []string
	Mismatches    []Mismatch // the first hundred
	MismatchCount int
	Elapsed       time.Duration
}

// BalanceCheck is the final comparison for one player; the amounts have two decimal places.
type BalanceCheck struct {
	UserID   string
	Opening  string
	Booked   string
	Answered string
}

// Mismatch is an answer, or a final balance, that differs from the books.
type Mismatch struct {
	UserID        string
	Round         int
	Kind          string // the kind of round in the plan; empty for the final balance
	What          string // what the call is for
	Endpoint      string
	RoundID       string
	TransactionID string
	Found         string // what was found, and what was expected
}

// String returns the mismatch as one line.
func (m Mismatch) String() string {
	where := "player " + m.UserID
	if m.Kind != "" {
		where += fmt.Sprintf(", round %d (%s)", m.Round, m.Kind)
	}
	if m.TransactionID != "" {
		where += fmt.Sprintf(", transaction %q", m.TransactionID)
	}
	return fmt.Sprintf("%s: %s (%s): %s", where, m.What, m.Endpoint, m.Found)
}

// Err returns nil if every answer and every balance was right and every operation got a definite answer. Otherwise its error
// lists the faults and the seed that reproduces them.
func (r Report) Err() error {
	if r.MismatchCount == 0 && len(r.Unsettled) == 0 {
		return nil
	}
	var found strings.Builder
	fmt.Fprintf(&found, "simulator: seed %d: %d mismatches", r.Seed, r.MismatchCount)
	if len(r.Unsettled) > 0 {
		fmt.Fprintf(&found, "; no definite answer for players %s", strings.Join(r.Unsettled, ", "))
	}
	for _, mismatch := range r.Mismatches[:min(len(r.Mismatches), 10)] {
		found.WriteString("\n  " + mismatch.String())
	}
	return errors.New(found.String())
}

// String returns the report for people.
func (r Report) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "seed %d, run %s: %d rounds in %s, %d retries\n", r.Seed, r.RunID, r.Rounds,
		r.Elapsed.Round(time.Millisecond), r.Retries)
	for _, endpoint := range slices.Sorted(maps.Keys(r.Calls)) {
		fmt.Fprintf(&out, "  %-20s", endpoint)
		for _, outcome := range slices.Sorted(maps.Keys(r.Calls[endpoint])) {
			fmt.Fprintf(&out, "  %s: %d", outcome, r.Calls[endpoint][outcome])
		}
		out.WriteByte('\n')
	}
	right := 0
	for _, check := range r.Balances {
		if check.Booked == check.Answered {
			right++
		}
	}
	fmt.Fprintf(&out, "  %d of %d balances match the books, %d mismatches\n", right, len(r.Balances)+len(r.Unsettled),
		r.MismatchCount)
	for _, mismatch := range r.Mismatches {
		out.WriteString("  " + mismatch.String() + "\n")
	}
	if r.MismatchCount > len(r.Mismatches) {
		fmt.Fprintf(&out, "  and %d more\n", r.MismatchCount-len(r.Mismatches))
	}
	for _, userID := range r.Unsettled {
		fmt.Fprintf(&out, "  player %s: an operation never got a definite answer\n", userID)
	}
	return out.String()
}

func (r *run) report(mismatch Mismatch) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.result.MismatchCount++
	if len(r.result.Mismatches) < maxKeptMismatches {
		r.result.Mismatches = append(r.result.Mismatches, mismatch)
	}
}

func (r *run) countRound(kind string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.result.Rounds++
	r.result.Kinds[kind]++
}

func (r *run) countCall(endpoint, outcome string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.result.Calls[endpoint] == nil {
		r.result.Calls[endpoint] = map[string]int{}
	}
	r.result.Calls[endpoint][outcome]++
}

func (r *run) countRetry() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.result.Retries++
}

// tell calls OnEvent. It has a lock of its own, so that a slow OnEvent delays other events but not the counts.
func (r *run) tell(event Event) {
	r.telling.Lock()
	defer r.telling.Unlock()
	r.options.OnEvent(event)
}
