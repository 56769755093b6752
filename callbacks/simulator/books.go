package simulator

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
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

// Status returns whether the grant has spins left.
func (g Grant) Status() string {
	if g.Used < g.Total {
		return StatusActive
	}
	return StatusCompleted
}

// books are what the platform remembers: the lines of its statement and the free spins that it granted. With a file, each change
// is appended to it before the next callback is sent, so nothing is lost even if the program is killed.
type books struct {
	log *slog.Logger

	mu         sync.Mutex        // guards the fields below
	lines      map[string]*line  // by transactionID
	order      []string          // of the lines
	currencies map[string]string // of players
	grants     []*Grant          // oldest first
	file       *os.File          // nil if nothing is saved
}

// record is one change in the file. One of its fields is set.
type record struct {
	Line  *line  `json:",omitzero"`
	Grant *Grant `json:",omitzero"`
}

// openBooks returns the books of an earlier run, which it continues in the file, or empty ones. An empty path means no file.
func openBooks(path string, log *slog.Logger) (*books, error) {
	b := &books{log: log, lines: map[string]*line{}, currencies: map[string]string{}}
	if path == "" {
		return b, nil
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	for in := jsontext.NewDecoder(file); err == nil; {
		var change record
		whole := in.InputOffset()
		if err = json.UnmarshalDecode(in, &change); err == nil {
			b.apply(change)
		} else if errors.Is(err, io.ErrUnexpectedEOF) { // a crash has left the last change incomplete
			if err = file.Truncate(whole); err == nil {
				break
			}
		}
	}
	if err != nil && err != io.EOF {
		file.Close()
		return nil, fmt.Errorf("simulator: read %s: %w", path, err)
	}
	b.file = file
	return b, nil
}

// save makes a change and appends it to the file. The caller holds the lock.
func (b *books) save(change record) {
	b.apply(change)
	if b.file == nil {
		return
	}
	if err := json.MarshalWrite(b.file, change); err != nil {
		b.log.Error("the platform's books could not be saved", "file", b.file.Name(), "err", err)
	}
}

// apply makes a change. The caller holds the lock or is the only user.
func (b *books) apply(change record) {
	if l := change.Line; l != nil {
		if b.lines[l.Call.TransactionID] == nil {
			b.order = append(b.order, l.Call.TransactionID)
		}
		b.lines[l.Call.TransactionID] = l
	}
	if g := change.Grant; g != nil {
		if known := b.grant(g.FreeSpinID); known != nil {
			*known = *g
		} else {
			b.grants = append(b.grants, g)
		}
	}
}

// grant returns a grant, or nil if there is none. The caller holds the lock.
func (b *books) grant(freeSpinID string) *Grant {
	for _, grant := range b.grants {
		if grant.FreeSpinID == freeSpinID {
			return grant
		}
	}
	return nil
}

// addGrant records a new grant.
func (b *books) addGrant(grant Grant) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.save(record{Grant: &grant})
}

// findGrant returns a grant; ok is false if there is none.
func (b *books) findGrant(freeSpinID string) (grant Grant, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if known := b.grant(freeSpinID); known != nil {
		return *known, true
	}
	return Grant{}, false
}

// hasSpins reports whether a player has a grant with spins left.
func (b *books) hasSpins(userID string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.active(userID) != nil
}

// active returns the player's oldest grant with spins left, or nil. The caller holds the lock.
func (b *books) active(userID string) *Grant {
	for _, grant := range b.grants {
		if grant.UserID == userID && grant.Status() == StatusActive {
			return grant
		}
	}
	return nil
}

// takeSpin uses a spin of the player's oldest active grant and returns its freeSpinID, which is empty if there is none.
// giveBack returns the spin if the wallet refuses it or it is rolled back.
func (b *books) takeSpin(userID string) (freeSpinID string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	grant := b.active(userID)
	if grant == nil {
		return ""
	}
	used := *grant
	used.Used++
	b.save(record{Grant: &used})
	return used.FreeSpinID
}

func (b *books) giveBack(freeSpinID string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if grant := b.grant(freeSpinID); grant != nil && grant.Used > 0 {
		left := *grant
		left.Used--
		b.save(record{Grant: &left})
	}
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

// Close closes the file of Config.Books, if there is one.
func (s *Simulator) Close() error {
	s.books.mu.Lock()
	defer s.books.mu.Unlock()
	file := s.books.file
	if file == nil {
		return nil
	}
	s.books.file = nil
	return file.Close()
}
