package simulator

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"pitboss/callbacks/wire"
)

// The states of a free spin bonus (specification, States and transitions).
const (
	StatusActive    = "active"
	StatusCompleted = "completed"
)

// Grant is a free spin bonus. It ends when its spins are used.
type Grant struct {
	FreeSpinID, UserID, GameID string
	Total, Used                int
}

// Status returns active while the grant has spins left, then completed.
func (g Grant) Status() string {
	if g.Used < g.Total {
		return StatusActive
	}
	return StatusCompleted
}

// The states of a line. The platform considers a transaction failed if it got no definite answer, whatever the wallet did.
const (
	lineSettled    = "settled"
	lineRolledBack = "rolled back"
	lineFailed     = "failed"
)

// line is one transaction in the platform's statement, which operators compare with the ledger. The specification has no
// statement file (platform notes: no transaction feed), so this one is an example of what a platform might provide.
type line struct {
	At       time.Time
	Call     call
	Currency string
	State    string
}

// books are the platform's memory: the lines of its statement and the free spins it granted, oldest first. If there is a file,
// each change is appended to it before the next callback is sent, so a killed program loses nothing.
type books struct {
	mu         sync.Mutex        // guards the fields below
	lines      []*line           // in the order in which their transactions were first sent
	byID       map[string]*line  // by transactionID
	currencies map[string]string // by user ID
	grants     []*Grant
	file       *os.File // nil if nothing is saved
	failed     error    // why a change could not be saved; the latest such error
}

// record is one change in the file. Exactly one of its fields is set.
type record struct {
	Line  *line  `json:",omitzero"`
	Grant *Grant `json:",omitzero"`
}

// openBooks continues the books in the file at path. If path is empty or the file is new, the books are empty; without a path
// nothing is saved.
func openBooks(path string) (*books, error) {
	b := &books{byID: map[string]*line{}, currencies: map[string]string{}}
	if path == "" {
		return b, nil
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	for in := jsontext.NewDecoder(file); ; {
		var change record
		whole := in.InputOffset()
		if json.UnmarshalDecode(in, &change) != nil { // the end, or a change cut short by a crash
			b.file = file
			return b, file.Truncate(whole)
		}
		b.apply(change)
	}
}

// save makes a change and appends it to the file. The caller holds mu.
func (b *books) save(change record) {
	b.apply(change)
	if b.file != nil {
		b.failed = cmp.Or(json.MarshalWrite(b.file, change), b.failed)
	}
}

func (b *books) apply(change record) {
	if l := change.Line; l != nil {
		if known := b.byID[l.Call.TransactionID]; known != nil {
			*known = *l
		} else {
			b.lines, b.byID[l.Call.TransactionID] = append(b.lines, l), l
		}
	}
	if g := change.Grant; g != nil {
		if i := b.grant(g.FreeSpinID); i >= 0 {
			*b.grants[i] = *g
		} else {
			b.grants = append(b.grants, g)
		}
	}
}

// grant returns the index of a grant, or -1. The caller holds mu.
func (b *books) grant(freeSpinID string) int {
	return slices.IndexFunc(b.grants, func(g *Grant) bool { return g.FreeSpinID == freeSpinID })
}

// addGrant records a new grant.
func (b *books) addGrant(grant Grant) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.save(record{Grant: &grant})
}

// takeSpin uses a spin of the player's oldest active grant and returns its freeSpinID, or an empty text if the player has no
// active grant. giveBack returns the spin if the wallet refuses it or it is rolled back.
func (b *books) takeSpin(userID string) (freeSpinID string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, g := range b.grants {
		if g.UserID == userID && g.Status() == StatusActive {
			used := *g
			used.Used++
			b.save(record{Grant: &used})
			return g.FreeSpinID
		}
	}
	return ""
}

func (b *books) giveBack(freeSpinID string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := b.grant(freeSpinID); i >= 0 {
		left := *b.grants[i]
		left.Used--
		b.save(record{Grant: &left})
	}
}

// learn stores a player's currency, which the wallet's answer names.
func (b *books) learn(userID, currency string) {
	if currency != "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.currencies[userID] = currency
	}
}

// write records the state of a transaction. A rolled-back transaction never changes again, and a settled one keeps the call that
// settled it.
func (b *books) write(at time.Time, c call, state string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	next := line{at, c, b.currencies[c.UserID], state}
	if known := b.byID[c.TransactionID]; known != nil {
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

// Grants returns every free spin bonus, oldest first.
func (s *Simulator) Grants() (list []Grant) {
	s.books.mu.Lock()
	defer s.books.mu.Unlock()
	for _, grant := range s.books.grants {
		list = append(list, *grant)
	}
	return list
}

// Close closes the books' file, if there is one, and returns an error if a change could not be saved.
func (s *Simulator) Close() error {
	s.books.mu.Lock()
	defer s.books.mu.Unlock()
	file := s.books.file
	if file == nil {
		return nil
	}
	s.books.file = nil
	return errors.Join(s.books.failed, file.Close())
}

var kindWords = map[wire.Endpoint]string{wire.Withdraw: "bet", wire.Deposit: "win", wire.BetWin: "bet and win"}

// WriteStatement writes the transactions from one time up to, but not including, another as CSV, in the order in which they
// were first sent. Amounts have two decimal places; times are UTC.
func (s *Simulator) WriteStatement(w io.Writer, from, until time.Time) error {
	s.books.mu.Lock()
	defer s.books.mu.Unlock()
	out := csv.NewWriter(w)
	out.Write([]string{"Time (UTC)", "Transaction ID", "Round ID", "Player", "Currency", "Type", "Bet", "Win", "Free spin",
		"Status"})
	for _, l := range s.books.lines {
		if l.At.Before(from) || !l.At.Before(until) {
			continue
		}
		c, bet, win, spin := l.Call, "", "", "no"
		if c.Endpoint != wire.Deposit {
			bet = c.Bet.String()
		}
		if c.Endpoint != wire.Withdraw {
			win = c.Win.String()
		}
		if c.FreeSpin {
			spin = "yes"
		}
		out.Write([]string{l.At.UTC().Format("2006-01-02 15:04:05.000"), c.TransactionID, c.RoundID, c.UserID, l.Currency,
			kindWords[c.Endpoint], bet, win, spin, l.State})
	}
	out.Flush()
	return out.Error()
}

// sendStatement answers with the statement of a day, today's by default.
func (s *Simulator) sendStatement(w http.ResponseWriter, r *http.Request) {
	day, err := time.Parse(time.DateOnly, cmp.Or(r.URL.Query().Get("day"), s.config.Now().UTC().Format(time.DateOnly)))
	if err != nil {
		http.Error(w, "the day must look like 2026-11-19", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="statement-%s.csv"`, day.Format(time.DateOnly)))
	s.WriteStatement(w, day, day.AddDate(0, 0, 1))
}
