package listener

import (
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// The states of a connection.
const (
	waiting   int32 = iota // the peer has not sent a whole request
	answering              // a request is in progress
	cut                    // closed to make room for another connection
)

// conn is an admitted connection.
type conn struct {
	net.Conn
	guard  *Guard
	addr   netip.Addr
	site   netip.Addr // the address, or IPv6 network, that limits count by
	peers  *int       // how many connections its site has; guarded by guard.mu
	proxy  bool
	known  atomic.Bool
	spoken atomic.Bool  // at least one request was answered on it
	since  atomic.Int64 // when it became waiting, in nanoseconds
	state  atomic.Int32
	// when the write in progress began, in nanoseconds; 0 if no write is in progress
	taking atomic.Int64
	at     int // its index in guard.open, or -1; guarded by guard.mu
	once   sync.Once
}

// before reports whether c is cut before other. Connections of unknown peers go first, then those of the address with more
// connections, then those that never sent a request, then the one that has been idle longer. The caller holds guard.mu.
func (c *conn) before(other *conn) bool {
	if a, b := c.known.Load(), other.known.Load(); a != b {
		return b
	}
	if *c.peers != *other.peers {
		return *c.peers > *other.peers
	}
	if a, b := c.spoken.Load(), other.spoken.Load(); a != b {
		return b
	}
	return c.since.Load() < other.since.Load()
}

// writePiece is how much of an answer is written at a time. A peer that takes a piece is not stalled.
const writePiece = 32 << 10

// Write writes an answer in pieces and records when each began, so that stalled recognizes a peer that takes none.
func (c *conn) Write(p []byte) (written int, err error) {
	defer c.taking.Store(0)
	for {
		c.taking.Store(c.guard.now().UnixNano())
		n, err := c.Conn.Write(p[:min(len(p), writePiece)])
		written, p = written+n, p[n:]
		if err != nil || len(p) == 0 {
			return written, err
		}
	}
}

// stalled reports whether the peer has left an answer unread for too long.
func (c *conn) stalled(now time.Time) bool {
	since := c.taking.Load()
	return since != 0 && now.UnixNano()-since >= int64(c.guard.Patience)
}

// Close closes the connection and removes it from the guard.
func (c *conn) Close() error {
	c.once.Do(func() {
		c.guard.mu.Lock()
		if c.state.Load() == cut {
			c.guard.ending--
			c.guard.ended.Signal()
		}
		c.guard.remove(c)
		c.guard.mu.Unlock()
	})
	return c.Conn.Close()
}

// WasCut reports whether the guard has closed a connection to make room. An answer on it reaches nobody, and a read error on it
// means nothing.
func WasCut(nc net.Conn) bool {
	c := unwrap(nc)
	return c != nil && c.state.Load() == cut
}

// unwrap returns the guard's connection, or nil if it is none.
func unwrap(nc net.Conn) *conn {
	c, _ := nc.(*conn)
	return c
}
