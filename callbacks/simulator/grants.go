package simulator

import (
	"sync"
	"time"
)

// The states of a free spin bonus (specification, States and transitions).
const (
	StatusActive    = "active"
	StatusCompleted = "completed"
)

// Grant is a free spin bonus in its current state.
type Grant struct {
	FreeSpinID string    `json:"freeSpinID"`
	UserID     string    `json:"userID"`
	GameID     string    `json:"gameID"`
	Total      int       `json:"total"`
	Used       int       `json:"used"`
	Remaining  int       `json:"remaining"`
	Status     string    `json:"status"`
	GrantedAt  time.Time `json:"grantedAt"`
}

// grantBook has all free spin bonuses. A grant ends when its spins are used.
type grantBook struct {
	now func() time.Time

	mu     sync.Mutex
	grants []*Grant
	byID   map[string]*Grant
	keep   *keeper
}

func newGrantBook(now func() time.Time) *grantBook {
	return &grantBook{now: now, byID: map[string]*Grant{}}
}

func (b *grantBook) add(freeSpinID, userID, gameID string, spins int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	grant := &Grant{FreeSpinID: freeSpinID, UserID: userID, GameID: gameID, Total: spins, GrantedAt: b.now().UTC()}
	b.grants = append(b.grants, grant)
	b.byID[freeSpinID] = grant
	b.keep.write(kept{Grant: grant})
}

// look returns a copy of grant with its current state. The caller holds the lock.
func (b *grantBook) look(grant *Grant) Grant {
	seen := *grant
	seen.Remaining = seen.Total - seen.Used
	if seen.Status = StatusActive; seen.Remaining == 0 {
		seen.Status = StatusCompleted
	}
	return seen
}

func (b *grantBook) find(freeSpinID string) (Grant, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	grant, known := b.byID[freeSpinID]
	if !known {
		return Grant{}, false
	}
	return b.look(grant), true
}

// list returns the grants for which keep returns true, oldest first.
func (b *grantBook) list(keep func(Grant) bool) []Grant {
	b.mu.Lock()
	defer b.mu.Unlock()
	found := []Grant{}
	for _, grant := range b.grants {
		if seen := b.look(grant); keep(seen) {
			found = append(found, seen)
		}
	}
	return found
}

// take uses a spin of the player's oldest active grant and returns its freeSpinID, which is empty if there is none. giveBack returns the spin if the wallet refuses it or it is rolled back.
func (b *grantBook) take(userID string) (freeSpinID string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, grant := range b.grants {
		if grant.UserID == userID && b.look(grant).Status == StatusActive {
			grant.Used++
			b.keep.write(kept{Grant: grant})
			return grant.FreeSpinID
		}
	}
	return ""
}

func (b *grantBook) giveBack(freeSpinID string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if grant, known := b.byID[freeSpinID]; known && grant.Used > 0 {
		grant.Used--
		b.keep.write(kept{Grant: grant})
	}
}

// Grants returns every free spin bonus, oldest first.
func (s *Simulator) Grants() []Grant { return s.grants.list(func(Grant) bool { return true }) }
