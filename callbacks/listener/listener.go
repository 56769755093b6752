// Package listener has what the callback listener and the admin listener share: who may connect, how many connections there may
// be, and which requests are refused before their body is read. It imports nothing of ours.
//
// One address, or IPv6 /64, has at most PerAddress connections, and the last quarter of the capacity is for known peers:
// trusted proxies, allowed networks, and addresses that have proved who they are. A full listener closes the connection that
// has been idle longest, of the address with the most. A request in progress is cut only if its peer reads nothing of the
// answer for Patience. Every rejection is counted by reason and logged at most once every ten seconds per reason.
package listener

import (
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
)

// Config configures a Guard.
type Config struct {
	Name           string        // of the listener, in the log and the metrics
	Allow          Networks      // who may connect; empty for everybody
	Proxies        Networks      // trusted proxies, which may always connect
	MaxConnections int           // open at a time
	PerAddress     int           // connections of one address at a time
	Patience       time.Duration // how long a peer may leave an answer unread before it may be cut; 0 means 5 s
	Log            *slog.Logger
}

// Reason is why a connection or a request was turned away.
type Reason int

// The reasons.
const (
	Forbidden  Reason = iota // the peer's address is not allowed
	PerAddress               // its address has too many connections
	Full                     // every connection has a request in progress
	Cut                      // it was cut while it sent nothing or took no answer, to make room
	Busy                     // the client behind a proxy has too many requests in progress
	reasons
)

// String returns the reason's label in the metrics.
func (r Reason) String() string {
	return [...]string{"forbidden", "per_address", "full", "cut", "busy"}[r]
}

// logEvery is how often a line is logged for each reason, at most.
const logEvery = 10 * time.Second

// maxKnown is how many addresses a Guard remembers as known.
const maxKnown = 4096

// Guard decides which connections a listener accepts and keeps.
type Guard struct {
	Config
	mu       sync.Mutex
	open     []*conn
	byAddr   map[netip.Addr]*int
	known    map[netip.Addr]struct{}
	requests map[netip.Addr]int // in progress, of clients behind proxies
	ending   int                // connections that were cut and that the server has not closed yet
	ended    *sync.Cond         // signals that ending has decreased
	now      func() time.Time
	draining atomic.Bool
	listener net.Listener // that Listener wrapped; nil before
	closed   bool         // Close was called

	counts   [reasons]atomic.Uint64
	logMu    sync.Mutex
	logged   [reasons]time.Time
	unlogged [reasons]uint64
}

// New returns a guard for config.
func New(config Config) *Guard {
	if config.Patience == 0 {
		config.Patience = 5 * time.Second
	}
	g := &Guard{
		Config: config, byAddr: map[netip.Addr]*int{}, known: map[netip.Addr]struct{}{}, requests: map[netip.Addr]int{},
		now: time.Now,
	}
	g.ended = sync.NewCond(&g.mu)
	return g
}

// Rejected returns how many connections or requests were turned away for a reason.
func (g *Guard) Rejected(r Reason) uint64 { return g.counts[r].Load() }

// Open returns how many connections are open.
func (g *Guard) Open() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.open)
}

// Listener wraps ln, the guard's only listener, and closes it if Close was called.
func (g *Guard) Listener(ln net.Listener) net.Listener {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.listener = ln; g.closed {
		ln.Close()
	}
	return &guarded{ln, g}
}

// Close ends accepting, now or as soon as there is a listener. Call it before a fasthttp server's Shutdown, which does not end
// a Serve that has not begun yet: that would serve forever.
func (g *Guard) Close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed = true; g.listener != nil {
		g.listener.Close()
	}
}

type guarded struct {
	net.Listener
	guard *Guard
}

// Close closes the listener, unless that was done before.
func (l *guarded) Close() error {
	if err := l.Listener.Close(); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

// Accept returns the next connection that the guard admits.
func (l *guarded) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if admitted := l.guard.admit(c); admitted != nil {
			return admitted, nil
		}
	}
}

// admit returns the admitted connection, or closes c and returns nil.
func (g *Guard) admit(c net.Conn) net.Conn {
	addr := Peer(c.RemoteAddr())
	site := subscriber(addr)
	proxy := g.Proxies.Contains(addr)
	named := proxy || g.Allow.Contains(addr)
	if len(g.Allow) > 0 && !named {
		return g.reject(c, Forbidden, addr)
	}
	g.mu.Lock()
	// Connections are not cut faster than the server closes them, or it would run out of workers.
	for g.ending > g.MaxConnections/2 {
		g.ended.Wait()
	}
	now := g.now()
	_, known := g.known[site]
	known = known || named
	peers := g.byAddr[site]
	if peers == nil {
		peers = new(int)
	}
	if !proxy && *peers >= g.PerAddress {
		g.mu.Unlock()
		return g.reject(c, PerAddress, addr)
	}
	capacity := g.MaxConnections
	if !known {
		capacity -= capacity / 4
	}
	var victim *conn
	if len(g.open) >= capacity {
		if victim = g.victim(known, now); victim == nil {
			g.mu.Unlock()
			return g.reject(c, Full, addr)
		}
		g.remove(victim)
		g.ending++
	}
	admitted := &conn{Conn: c, guard: g, addr: addr, site: site, peers: peers, proxy: proxy, at: len(g.open)}
	admitted.known.Store(known)
	admitted.since.Store(now.UnixNano())
	g.open = append(g.open, admitted)
	*peers++
	g.byAddr[site] = peers // if the victim was the address's last connection, remove has deleted the entry
	g.mu.Unlock()
	if victim != nil {
		g.count(Cut, victim.addr)
		abort(victim.Conn)
	}
	return admitted
}

// victim returns the connection to cut, in the order of conn.before, or nil if all candidates have a request in progress. An
// unknown newcomer never replaces a known peer. The caller holds g.mu.
func (g *Guard) victim(forKnown bool, now time.Time) *conn {
	for {
		var first *conn
		var was int32
		for _, c := range g.open {
			state := c.state.Load()
			switch {
			case state == cut, state == answering && !c.stalled(now), c.known.Load() && !forKnown:
			case first == nil, c.before(first):
				first, was = c, state
			}
		}
		if first == nil || first.state.CompareAndSwap(was, cut) {
			return first
		}
	}
}

// remove forgets a closed connection. The caller holds g.mu.
func (g *Guard) remove(c *conn) {
	if c.at < 0 {
		return
	}
	last := len(g.open) - 1
	moved := g.open[last]
	g.open[c.at], moved.at = moved, c.at
	g.open[last], g.open = nil, g.open[:last]
	c.at = -1
	if *c.peers--; *c.peers == 0 {
		delete(g.byAddr, c.site)
	}
}

// reject closes a connection that was not admitted, counts it, and returns nil.
func (g *Guard) reject(c net.Conn, why Reason, addr netip.Addr) net.Conn {
	g.count(why, addr)
	abort(c)
	return nil
}

// abort resets a connection instead of closing it in order, so that nothing waits for the peer.
func abort(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		tcp.SetLinger(0)
	}
	c.Close()
}

// explanations are the log lines of the reasons.
var explanations = [reasons]string{
	Forbidden:  "connections rejected: the address is not allowed",
	PerAddress: "connections rejected: the address has too many",
	Full:       "connections rejected: the listener is full",
	Cut:        "connections cut while they sent nothing or took no answer, to make room for others",
	Busy:       "requests rejected: the client has too many in progress",
}

func (g *Guard) count(why Reason, addr netip.Addr) {
	g.counts[why].Add(1)
	now := g.now()
	g.logMu.Lock()
	g.unlogged[why]++
	n, due := g.unlogged[why], now.Sub(g.logged[why]) >= logEvery
	if due {
		g.logged[why], g.unlogged[why] = now, 0
	}
	g.logMu.Unlock()
	if due && g.Log != nil {
		g.Log.Warn(explanations[why], slog.String("listener", g.Name), slog.Uint64("count", n),
			slog.String("last_address", addr.String()))
	}
}

// Drain closes each connection after its next answer, so that clients with persistent connections go elsewhere before the
// listener closes.
func (g *Guard) Drain() { g.draining.Store(true) }

// Serve wraps a fasthttp server's handler, so that the guard knows which connections have a request in progress. Call it after
// the handler is set. tooMany answers a client behind a proxy that has too many requests in progress.
func (g *Guard) Serve(server *fasthttp.Server, tooMany fasthttp.RequestHandler) {
	handler := server.Handler
	next := func(ctx *fasthttp.RequestCtx) {
		handler(ctx)
		if g.draining.Load() {
			ctx.SetConnectionClose()
		}
	}
	server.Handler = func(ctx *fasthttp.RequestCtx) {
		c := unwrap(ctx.Conn())
		if c == nil {
			next(ctx)
			return
		}
		if !c.state.CompareAndSwap(waiting, answering) {
			// The guard cut the connection just now. Nothing has been done, and an empty answer with status 200 must not be
			// sent before the connection is closed.
			ctx.SetStatusCode(fasthttp.StatusServiceUnavailable)
			ctx.SetConnectionClose()
			abort(c.Conn)
			return
		}
		if !c.proxy {
			next(ctx)
			return
		}
		client, _ := Client(c.addr, &ctx.Request.Header, g.Proxies)
		site := subscriber(client)
		if !g.enter(site) {
			g.count(Busy, client)
			tooMany(ctx)
			return
		}
		defer g.leave(site)
		next(ctx)
	}
	server.ConnState = func(nc net.Conn, state fasthttp.ConnState) {
		if c := unwrap(nc); c != nil && state == fasthttp.StateIdle {
			c.since.Store(g.now().UnixNano())
			c.spoken.Store(true)
			c.state.CompareAndSwap(answering, waiting)
		}
	}
}

func (g *Guard) enter(client netip.Addr) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.requests[client] >= g.PerAddress {
		return false
	}
	g.requests[client]++
	return true
}

func (g *Guard) leave(client netip.Addr) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.requests[client]--; g.requests[client] == 0 {
		delete(g.requests, client)
	}
}

// Vouch marks the peer of a connection as known, so that its connections may use the whole capacity.
func (g *Guard) Vouch(nc net.Conn) {
	c := unwrap(nc)
	if c == nil || c.known.Swap(true) {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.known) >= maxKnown {
		for addr := range g.known { // forget any one: its next verified request adds it again
			delete(g.known, addr)
			break
		}
	}
	g.known[c.site] = struct{}{}
}
