package simulator

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"net/http"
	"time"
)

// The states of a line. To the platform, a transaction without a definite answer has failed, whatever the wallet did.
const (
	lineSettled    = "settled"
	lineRolledBack = "rolled back"
	lineFailed     = "failed"
)

// line is a transaction in the platform's statement, which an operator compares with the ledger. The specification has no
// statement file (platform notes: no transaction feed); this is one that a platform might provide.
type line struct {
	At       time.Time
	Call     call
	Currency string
	State    string
}

// write records the state of a transaction. A rolled-back transaction stays rolled back, and a settled one is not changed by
// later calls with its ID.
func (b *books) write(at time.Time, c call, state string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	next := line{at, c, b.currencies[c.UserID], state}
	if known := b.lines[c.TransactionID]; known != nil {
		if known.State == lineRolledBack {
			return
		}
		next = *known
		if known.State == lineFailed && state == lineSettled {
			next.Call = c
		}
		next.State = state
	}
	b.save(record{Line: &next})
}

// learn stores a player's currency from an answer.
func (b *books) learn(userID string, got exchange) {
	if got.answer.Currency != "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.currencies[userID] = got.answer.Currency
	}
}

var kindWords = map[string]string{withdraw: "bet", deposit: "win", betWin: "bet and win"}

// WriteStatement writes the transactions from one time until just before another as CSV, in the order in which they were first
// sent. Amounts have two decimal places, times are UTC.
func (s *Simulator) WriteStatement(w io.Writer, from, until time.Time) error {
	out := csv.NewWriter(w)
	out.Write([]string{"Time (UTC)", "Transaction ID", "Round ID", "Player", "Currency", "Type", "Bet", "Win", "Free spin",
		"Status"})
	for _, line := range s.books.between(from, until) {
		c, bet, win, spin := line.Call, "", "", "no"
		if c.Endpoint != deposit {
			bet = c.Bet.String()
		}
		if c.Endpoint != withdraw {
			win = c.Win.String()
		}
		if c.FreeSpin {
			spin = "yes"
		}
		out.Write([]string{line.At.UTC().Format("2006-01-02 15:04:05.000"), c.TransactionID, c.RoundID, c.UserID, line.Currency,
			kindWords[c.Endpoint], bet, win, spin, line.State})
	}
	out.Flush()
	return out.Error()
}

func (b *books) between(from, until time.Time) (list []line) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, id := range b.order {
		if line := b.lines[id]; !line.At.Before(from) && line.At.Before(until) {
			list = append(list, *line)
		}
	}
	return list
}

// sendStatement answers with the statement of a day, by default today.
func (s *Simulator) sendStatement(w http.ResponseWriter, r *http.Request) {
	from, err := time.Parse(time.DateOnly, cmp.Or(r.URL.Query().Get("day"), s.now().UTC().Format(time.DateOnly)))
	if err != nil {
		http.Error(w, "write the day like 2026-11-19", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="statement-%s.csv"`, from.Format(time.DateOnly)))
	w.Header().Set("Cache-Control", "no-store")
	s.WriteStatement(w, from, from.AddDate(0, 0, 1))
}
