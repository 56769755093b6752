package simulator

import (
	"encoding/csv"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// The states of a line. To the platform, a transaction without a definite answer has failed, whatever the wallet did.
const (
	lineSettled    = "settled"
	lineRolledBack = "rolled back"
	lineFailed     = "failed"
)

// statement is the platform's own record of transactions, which an operator compares with the ledger. The specification has no
// statement file (platform notes: no transaction feed); this is one that a platform might provide.
type statement struct {
	mu         sync.Mutex
	lines      map[string]*statementLine // by transactionID
	order      []string
	currencies map[string]string // of players
	keep       *keeper
}

type statementLine struct {
	at    time.Time
	call  call
	state string
}

func newStatement() *statement {
	return &statement{lines: map[string]*statementLine{}, currencies: map[string]string{}}
}

// write records the state of a transaction. A rolled-back transaction stays rolled back, and a settled one is not changed by
// later calls with its ID.
func (s *statement) write(at time.Time, c call, state string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	line := s.lines[c.transactionID]
	switch {
	case line == nil:
		s.enter(statementLine{at, c, state})
	case line.state == lineRolledBack:
		return
	case line.state == lineFailed && state == lineSettled:
		line.call, line.state = c, state
	default:
		line.state = state
	}
	s.keep.writeLine(s.lines[c.transactionID])
}

// learn stores a player's currency from an answer.
func (s *statement) learn(userID string, got exchange) {
	if !got.definite() || got.answer.Currency == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.currencies[userID] != got.answer.Currency {
		s.currencies[userID] = got.answer.Currency
		s.keep.write(kept{Currency: &keptCurrency{userID, got.answer.Currency}})
	}
}

var kindWords = map[string]string{withdraw: "bet", deposit: "win", betWin: "bet and win"}

// WriteStatement writes the transactions from one time until just before another as CSV, in the order in which they were first
// sent. Amounts have two decimal places, times are UTC.
func (s *Simulator) WriteStatement(w io.Writer, from, until time.Time) error {
	out := csv.NewWriter(w)
	if err := out.Write([]string{"Time (UTC)", "Transaction ID", "Round ID", "Player", "Currency", "Type", "Bet", "Win",
		"Free spin", "Status"}); err != nil {
		return err
	}
	for _, line := range s.statement.between(from, until) {
		bet, win, spin := "", "", "no"
		if line.call.endpoint != deposit {
			bet = line.call.bet.String()
		}
		if line.call.endpoint != withdraw {
			win = line.call.win.String()
		}
		if line.call.freeSpin {
			spin = "yes"
		}
		err := out.Write([]string{
			line.at.UTC().Format("2006-01-02 15:04:05.000"), line.call.transactionID, line.call.roundID, line.call.userID,
			line.currency, kindWords[line.call.endpoint], bet, win, spin, line.state,
		})
		if err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

type writtenLine struct {
	statementLine
	currency string
}

func (s *statement) between(from, until time.Time) (list []writtenLine) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range s.order {
		if line := s.lines[id]; !line.at.Before(from) && line.at.Before(until) {
			list = append(list, writtenLine{*line, s.currencies[line.call.userID]})
		}
	}
	return list
}

// sendStatement answers with the statement of a day, by default today.
func (s *Simulator) sendStatement(w http.ResponseWriter, r *http.Request) {
	day := s.now().UTC()
	if text := r.URL.Query().Get("day"); text != "" {
		var err error
		if day, err = time.Parse(time.DateOnly, text); err != nil {
			http.Error(w, "write the day like 2026-11-19", http.StatusBadRequest)
			return
		}
	}
	from := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, time.UTC)
	var file strings.Builder
	if err := s.WriteStatement(&file, from, from.AddDate(0, 0, 1)); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="statement-%s.csv"`, from.Format(time.DateOnly)))
	w.Header().Set("Cache-Control", "no-store")
	io.WriteString(w, file.String())
}
