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

// Places are the large bodies in memory: a server has room for some of them, not for one on each of its connections. They are
// known by the header that their request has from its arrival to its answer. Statements are not among them: most of a statement
// is on disk.
type Places struct {
	Mu    sync.Mutex
	Until map[*fasthttp.RequestHeader]time.Time // the body has arrived or failed; zero: it is being worked on
}

// Begin takes a place for a request whose body is about to be read, and reports whether there was one.
func (u *Places) Begin(h *fasthttp.RequestHeader) bool {
	u.Mu.Lock()
	defer u.Mu.Unlock()
	// Where a client goes before the first byte of the body, nobody says that the request has ended.
	maps.DeleteFunc(u.Until, func(other *fasthttp.RequestHeader, until time.Time) bool {
		return other == h || !until.IsZero() && time.Now().After(until)
	})
	if len(u.Until) >= AtOnce {
		return false
	}
	u.Until[h] = time.Now().Add(BodyTime + time.Second)
	return true
}

// Arrived keeps the place of a request, if it has one, for as long as the request is worked on.
func (u *Places) Arrived(h *fasthttp.RequestHeader) {
	u.Mu.Lock()
	defer u.Mu.Unlock()
	if _, there := u.Until[h]; there {
		u.Until[h] = time.Time{}
	}
}

// End makes the place of a request free.
func (u *Places) End(h *fasthttp.RequestHeader) {
	u.Mu.Lock()
	defer u.Mu.Unlock()
	delete(u.Until, h)
}
