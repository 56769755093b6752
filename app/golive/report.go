package golive

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Write prints the report: a line for each check and, if it is not ok, what was expected and by which section of the
// specification. It returns w's error.
func (r *Report) Write(w io.Writer) error {
	var text strings.Builder
	fmt.Fprintf(&text, "Go-live checks of %s as agent %s, with player %s.\n", printable(r.CallbackURL), printable(r.AgentID),
		printable(r.UserID))
	text.WriteString("Use a test player that is not used for anything else: the checks place bets and wins, and roll them back.\n")
	if r.Currency != "" {
		fmt.Fprintf(&text, "Balance at the beginning: %s %s.\n", r.Opening.StringFixed(2), r.Currency)
	}
	counts, slowest, topic := map[string]int{}, Check{}, ""
	for _, c := range r.Checks {
		if c.Topic != topic {
			topic = c.Topic
			fmt.Fprintf(&text, "\n%s\n", topic)
		}
		verdict := c.verdict()
		counts[verdict]++
		if c.Latency > slowest.Latency {
			slowest = c
		}
		fmt.Fprintf(&text, "  %-7s %s: %s", verdict, c.Name, c.Got)
		if !c.OK && !c.NotRun {
			fmt.Fprintf(&text, "; expected %s (%s)", c.Expected, c.Section)
		}
		text.WriteByte('\n')
	}
	fmt.Fprintf(&text, "\n%d checks: %d ok, %d failed, %d advice only, %d not run. Slowest answer: %s (%s).\n", len(r.Checks),
		counts["ok"], counts["FAIL"], counts["advice"], counts["-"], slowest.Latency.Round(time.Millisecond/10), slowest.Name)
	if r.Unsettled != "" {
		fmt.Fprintln(&text, r.Unsettled)
	}
	if r.Passed() {
		fmt.Fprintln(&text, "Passed.")
	} else {
		fmt.Fprintln(&text, "Not passed: every check must be ok, except where it says advice.")
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// verdict returns the word for a check's outcome.
func (c *Check) verdict() string {
	switch {
	case c.OK:
		return "ok"
	case c.NotRun:
		return "-"
	case c.Advisory:
		return "advice"
	}
	return "FAIL"
}
