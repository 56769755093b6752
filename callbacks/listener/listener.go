// Package listener holds what the callback listener and the admin listener have in common: who may connect, how many
// connections there may be, and which requests are refused before anybody reads their body. It imports nothing of ours.
//
// A Guard protects a listener against connections that cost it capacity and bring nothing:
//
//   - A peer that may not connect is cut off at accept, before TLS and before it takes any capacity.
//   - One address, or one IPv6 network of 64 bits, has at most PerAddress connections. Trusted proxies are exempt: behind them
//     the same number limits the requests that each forwarded address has under way.
//   - The last quarter of the capacity is for known peers: trusted proxies, networks that are allowed by name, and addresses
//     that have proved who they are (a signed callback, a signed-in browser).
//   - A full listener cuts a connection on which no request is under way, and takes the new one: a connection of the address
//     that has the most, and of those the one that has been silent longest. So whoever opens many connections and stays silent
//     competes with themselves, not with clients that open few.
//   - A request under way is never cut, until its peer has taken nothing of the answer for Patience: otherwise whoever asks for
//     large answers and reads none of them would keep every place.
//
// Everything that is rejected or cut is counted by reason, and logged in at most one line per reason and ten seconds.
package listener

import (
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
)

// Config is how a Guard is set up.
type Config struct {
	Name           string        // of the listener, in the log and the metrics
	Allow          Networks      // who may connect; empty: everybody
	Proxies        Networks      // trusted proxies, which may always connect
	MaxConnections int           // at a time
	PerAddress     int           // connections at a time of one address
	Patience       time.Duration // with a peer that takes nothing of its answer, before a full listener may cut it; 0 means 5 s
	Log            *slog.Logger
}

// Reason is why a connection or a request was turned away.
type Reason int

// The reasons.
const (
	Forbidden  Reason = iota // the peer's address is not allowed
	PerAddress               // its address has as many connections as one may have
	Full                     // the listener is full of requests under way
	Cut                      // it was cut while it sent nothing or took no answer, to make room
	Busy                     // a request through a proxy whose client has as many under way as one may have
	reasons
)

// String is the reason's name in the metrics.
func (r Reason) String() string {
	return [...]string{"forbidden", "per_address", "full", "cut", "busy"}[r]
}

// logEvery is how often a line is logged for each reason, at most.
const logEvery = 10 * time.Second

// mostKnown is how many addresses a Guard remembers as known.
const mostKnown = 4096

// Guard decides which connections a listener accepts and keeps.
type Guard struct {
	Config
	mu       sync.Mutex
	open     []*conn
	byAddr   map[netip.Addr]*int
	known    map[netip.Addr]struct{}
	requests map[netip.Addr]int // under way, of clients behind proxies
	ending   int                // connections that were cut and that the server has not let go of yet
	ended    *sync.Cond         // ending has become less
	now      func() time.Time
	draining atomic.Bool

	counts   [reasons]atomic.Uint64
	logMu    sync.Mutex
	logged   [reasons]time.Time
	unlogged [reasons]uint64
}

// New makes a guard.
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

// Listener wraps ln. Put TLS on top of the result, so that a rejected peer costs no handshake.
func (g *Guard) Listener(ln net.Listener) net.Listener { return &guarded{ln, g} }

type guarded struct {
	net.Listener
	guard *Guard
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

// admit takes a connection, or closes it and returns nil.
func (g *Guard) admit(c net.Conn) net.Conn {
	addr := Peer(c.RemoteAddr())
	site := subscriber(addr)
	proxy := g.Proxies.Contains(addr)
	named := proxy || g.Allow.Contains(addr)
	if len(g.Allow) > 0 && !named {
		return g.reject(c, Forbidden, addr)
	}
	g.mu.Lock()
	// Connections are not cut faster than the server lets go of them, or its workers would run out.
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
	g.byAddr[site] = peers // the victim may have been its last
	g.mu.Unlock()
	if victim != nil {
		g.count(Cut, victim.addr)
		abort(victim.Conn)
	}
	return admitted
}

// victim chooses the connection to cut, in the order of conn.before; an unknown newcomer never takes the place of a known peer.
// It is nil if every connection that could be cut has a request under way. g.mu is held.
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

// remove takes a connection off the books. g.mu is held.
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

// reject closes a connection that was not admitted.
func (g *Guard) reject(c net.Conn, why Reason, addr netip.Addr) net.Conn {
	g.count(why, addr)
	abort(c)
	return nil
}

// abort closes a connection without waiting for the other side.
func abort(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		tcp.SetLinger(0)
	}
	c.Close()
}

// explanations say what a reason means, in the log.
var explanations = [reasons]string{
	Forbidden:  "connections rejected: the address is not allowed",
	PerAddress: "connections rejected: their address has as many as one may have",
	Full:       "connections rejected: the listener is full",
	Cut:        "connections cut while they sent nothing or took no answer, to make room for others",
	Busy:       "requests rejected: their address has as many under way as one may have",
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

// Drain has each answer close its connection from now on, so that clients who stay connected go elsewhere before the listener
// closes.
func (g *Guard) Drain() { g.draining.Store(true) }

// Serve has a fasthttp server tell the guard which connections have a request under way. It wraps the server's handler, so call
// it once the handler is set. tooMany answers a client behind a proxy that has too many requests under way.
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
			// It was cut in this moment. Nothing was done, and an empty answer with status 200 must not get out before the
			// connection is closed.
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

// Vouch remembers that the peer of a connection has proved who it is: its connections may use the whole capacity.
func (g *Guard) Vouch(nc net.Conn) {
	c := unwrap(nc)
	if c == nil || c.known.Swap(true) {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.known) >= mostKnown {
		for addr := range g.known { // any one of them: it comes back with its next request
			delete(g.known, addr)
			break
		}
	}
	g.known[c.site] = struct{}{}
}
