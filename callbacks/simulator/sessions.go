package simulator

import (
	"sync"
	"time"
)

// sessionIdle is how long an unused game session can still be opened.
const sessionIdle = 2 * time.Hour

// maxShownExchanges is how many callbacks a game page lists.
const maxShownExchanges = 30

// gameSession is a game opened by a player. Its lock is held for a whole round, so that two clicks are two rounds.
type gameSession struct {
	id       string
	userID   string
	game     Game
	language string
	lastUsed time.Time // guarded by the sessionBook

	mu        sync.Mutex
	stake     string
	luck      string
	symbols   [3]string
	headline  string
	lost      bool
	lastSent  *sentCall
	exchanges []shownExchange // newest first
}

// sentCall is a request as it was sent, kept so that it can be repeated byte for byte.
type sentCall struct {
	call call
	body []byte
}

// launch is an issued gameURL. Until it expires, it always opens the same game session.
type launch struct {
	session *gameSession
	until   time.Time
}

type sessionBook struct {
	now      func() time.Time
	lifetime time.Duration

	mu       sync.Mutex
	launches map[string]launch
	open     map[string]*gameSession
}

func newSessionBook(now func() time.Time, lifetime time.Duration) *sessionBook {
	return &sessionBook{now: now, lifetime: lifetime, launches: map[string]launch{}, open: map[string]*gameSession{}}
}

// launch stores the token of a new gameURL, and removes expired launches and sessions.
func (b *sessionBook) launch(token, userID string, game Game, language string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	for old, launched := range b.launches {
		if !now.Before(launched.until) {
			delete(b.launches, old)
		}
	}
	for id, session := range b.open {
		if now.Sub(session.lastUsed) > sessionIdle {
			delete(b.open, id)
		}
	}
	session := &gameSession{userID: userID, game: game, language: language, stake: "1.00", luck: luckChance,
		symbols: [3]string{"7", "7", "7"}}
	b.launches[token] = launch{session: session, until: now.Add(b.lifetime)}
}

// enter opens the game for a token, as session newID on the first visit. ok is false if the token is unknown or has expired.
func (b *sessionBook) enter(token, newID string) (sessionID string, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	launched, known := b.launches[token]
	if !known || !b.now().Before(launched.until) {
		return "", false
	}
	if launched.session.id == "" {
		launched.session.id = newID
		b.open[newID] = launched.session
	}
	launched.session.lastUsed = b.now()
	return launched.session.id, true
}

func (b *sessionBook) find(sessionID string) (*gameSession, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	session, known := b.open[sessionID]
	if !known || b.now().Sub(session.lastUsed) > sessionIdle {
		return nil, false
	}
	session.lastUsed = b.now()
	return session, true
}
