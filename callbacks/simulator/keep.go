package simulator

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"time"
)

// keeper saves to a file what the platform must remember after a restart: the lines of its statement, its players' currencies,
// and the free spins that it granted. It appends each change as a line of JSON before the next callback is sent, so nothing is
// lost even if the program is killed. At the start it rewrites the file without obsolete lines. A nil *keeper saves nothing.
type keeper struct {
	path string
	log  *slog.Logger

	mu   sync.Mutex
	file *os.File
}

// kept is a line of the file. Exactly one of its fields is set.
type kept struct {
	Line     *keptLine     `json:"line,omitempty"`
	Currency *keptCurrency `json:"currency,omitempty"`
	Grant    *Grant        `json:"grant,omitempty"`
}

type keptLine struct {
	At            time.Time `json:"at"`
	Endpoint      string    `json:"endpoint"`
	UserID        string    `json:"user"`
	TransactionID string    `json:"transaction"`
	RoundID       string    `json:"round"`
	Bet           minor     `json:"bet"`
	Win           minor     `json:"win"`
	FreeSpin      bool      `json:"free_spin,omitempty"`
	State         string    `json:"state"`
}

type keptCurrency struct {
	UserID   string `json:"user"`
	Currency string `json:"currency"`
}

func (k *keeper) write(change kept) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.file == nil {
		return
	}
	line, err := json.Marshal(change)
	if err == nil {
		_, err = k.file.Write(append(line, '\n'))
	}
	if err != nil {
		k.log.Error("the platform's books could not be saved", "file", k.path, "err", err)
	}
}

func (k *keeper) writeLine(line *statementLine) {
	if k == nil {
		return
	}
	c := line.call
	k.write(kept{Line: &keptLine{line.at, c.endpoint, c.userID, c.transactionID, c.roundID, c.bet, c.win, c.freeSpin,
		line.state}})
}

func (k *keeper) close() error {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.file == nil {
		return nil
	}
	err := k.file.Close()
	k.file = nil
	return err
}

// keepBooks reads the books of the previous run and saves them from now on.
func (s *Simulator) keepBooks(path string) error {
	k := &keeper{path: path, log: s.log}
	if err := s.readBooks(path); err != nil {
		return fmt.Errorf("simulator: read %s: %w", path, err)
	}
	next := path + ".new"
	file, err := os.OpenFile(next, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("simulator: %w", err)
	}
	k.file = file
	s.statement.keep, s.grants.keep = k, k
	for userID, currency := range s.statement.currencies {
		k.write(kept{Currency: &keptCurrency{userID, currency}})
	}
	for _, id := range s.statement.order {
		k.writeLine(s.statement.lines[id])
	}
	for _, grant := range s.grants.grants {
		k.write(kept{Grant: grant})
	}
	if err := os.Rename(next, path); err != nil {
		return errors.Join(fmt.Errorf("simulator: %w", err), k.close())
	}
	return nil
}

// readBooks reads the lines of a file. A crash may have left the last line incomplete.
func (s *Simulator) readBooks(path string) error {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		var change kept
		if err := json.Unmarshal(lines.Bytes(), &change); err != nil {
			if !lines.Scan() {
				break
			}
			return fmt.Errorf("line %d: %w", n, err)
		}
		s.recall(change)
	}
	return lines.Err()
}

func (s *Simulator) recall(change kept) {
	switch {
	case change.Line != nil:
		l := change.Line
		c := call{endpoint: l.Endpoint, userID: l.UserID, transactionID: l.TransactionID, roundID: l.RoundID, bet: l.Bet,
			win: l.Win, freeSpin: l.FreeSpin}
		s.statement.enter(statementLine{l.At, c, l.State})
	case change.Currency != nil:
		s.statement.currencies[change.Currency.UserID] = change.Currency.Currency
	case change.Grant != nil:
		s.grants.recall(*change.Grant)
	}
}

// enter adds a line unchanged. The caller holds the lock or is the only user.
func (s *statement) enter(line statementLine) {
	if _, known := s.lines[line.call.transactionID]; !known {
		s.order = append(s.order, line.call.transactionID)
	}
	s.lines[line.call.transactionID] = &line
}

// recall adds a saved grant, or replaces it if it is known.
func (b *grantBook) recall(grant Grant) {
	if known, there := b.byID[grant.FreeSpinID]; there {
		*known = grant
		return
	}
	b.grants = append(b.grants, &grant)
	b.byID[grant.FreeSpinID] = &grant
}

// Close closes the file of Config.Books, if there is one.
func (s *Simulator) Close() error { return s.statement.keep.close() }
