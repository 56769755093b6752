package listener

import (
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// What a connection is doing.
const (
	waiting   int32 = iota // for its peer to send a whole request
	answering              // one
	cut                    // closed to make room
)

// conn is an admitted connection.
type conn struct {
	net.Conn
	guard  *Guard
	addr   netip.Addr
	site   netip.Addr // the address that limits count by
	peers  *int       // how many connections its site has; guarded by guard.mu
	proxy  bool
	known  atomic.Bool
	spoken atomic.Bool  // a request was answered on it
	since  atomic.Int64 // when it began to wait, in nanoseconds
	state  atomic.Int32
	// since when the peer has taken nothing of an answer that is being written, in nanoseconds; 0: nothing is written
	taking atomic.Int64
	at     int // its place in guard.open, or -1; guarded by guard.mu
	once   sync.Once
}

// before reports whether c is cut before other: strangers before known peers, then the connections of the address that has more
// of them, then those that never sent a request, then the one that has waited longer. guard.mu is held.
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

// Write writes an answer in pieces, and notes since when the peer has taken none of them.
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

// Close closes the connection and makes its place free.
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

// WasCut reports whether the guard has cut a connection: nobody reads an answer, and what the reading ended with says nothing.
func WasCut(nc net.Conn) bool {
	c := unwrap(nc)
	return c != nil && c.state.Load() == cut
}

// unwrap finds the guard's connection below TLS; it is nil if there is none.
func unwrap(nc net.Conn) *conn {
	for {
		switch c := nc.(type) {
		case *conn:
			return c
		case interface{ NetConn() net.Conn }:
			nc = c.NetConn()
		default:
			return nil
		}
	}
}
