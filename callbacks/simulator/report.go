package simulator

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Report says what Play did and which faults it found.
type Report struct {
	Seed    uint64
	Rounds  int
	Kinds   map[string]int // rounds by kind
	Retries int            // attempts repeated for lack of a definite answer; LostAnswers are not counted
	// players with an operation whose outcome is unknown; their balance is not compared
	Unsettled  []string
	Mismatches []string // answers and final balances that differ from the books, a line each
	Elapsed    time.Duration
}

// Err returns nil if every answer and every balance was right and every operation got a definite answer. Otherwise its error
// lists the faults and the seed that reproduces them.
func (r Report) Err() error {
	if len(r.Mismatches) == 0 && len(r.Unsettled) == 0 {
		return nil
	}
	return errors.New("simulator: " + r.String())
}

// String returns the report for people.
func (r Report) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "seed %d: %d rounds in %s, %d retries\n", r.Seed, r.Rounds, r.Elapsed.Round(time.Millisecond), r.Retries)
	fmt.Fprintf(&out, "  %d answers and balances differ from the books\n", len(r.Mismatches))
	for _, mismatch := range r.Mismatches {
		out.WriteString("  " + mismatch + "\n")
	}
	for _, userID := range r.Unsettled {
		fmt.Fprintf(&out, "  player %s: an operation never got a definite answer\n", userID)
	}
	return out.String()
}

// count changes the report.
func (r *run) count(change func(*Report)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.result)
}
