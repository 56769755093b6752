// Package uploads limits how many large request bodies are in memory at once.
package uploads

import (
	"maps"
	"sync"
	"time"

	"github.com/valyala/fasthttp"
)

const (
	AtOnce   = 4                // files for import that are larger than a form
	BodyTime = 30 * time.Second // for a body, unless it is a statement
)

// Places are the large bodies in memory: a server has room for a few, not for one on each of its connections. A body is
// identified by its request's header, which stays the same object from arrival to answer. Statements do not count, because most
// of a statement is on disk.
type Places struct {
	Mu    sync.Mutex
	Until map[*fasthttp.RequestHeader]time.Time // by when the body has arrived or failed; zero while the request is handled
}

// Begin takes a place for a request whose body is about to be read, and reports whether there was one.
func (u *Places) Begin(h *fasthttp.RequestHeader) bool {
	u.Mu.Lock()
	defer u.Mu.Unlock()
	// If a client disconnects before the first byte of the body, nothing reports that the request has ended.
	maps.DeleteFunc(u.Until, func(other *fasthttp.RequestHeader, until time.Time) bool {
		return other == h || !until.IsZero() && time.Now().After(until)
	})
	if len(u.Until) >= AtOnce {
		return false
	}
	u.Until[h] = time.Now().Add(BodyTime + time.Second)
	return true
}

// Arrived keeps the place of a request, if it has one, until the request has been handled.
func (u *Places) Arrived(h *fasthttp.RequestHeader) {
	u.Mu.Lock()
	defer u.Mu.Unlock()
	if _, there := u.Until[h]; there {
		u.Until[h] = time.Time{}
	}
}

// End frees the place of a request.
func (u *Places) End(h *fasthttp.RequestHeader) {
	u.Mu.Lock()
	defer u.Mu.Unlock()
	delete(u.Until, h)
}
