package mariadb

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// Remote stands between programs and a server and makes every answer take longer, as if the server were on another machine.
type Remote struct {
	listener net.Listener
	server   string
	distance atomic.Int64 // nanoseconds
	running  sync.WaitGroup

	mu    sync.Mutex
	conns map[net.Conn]bool // nil once it is closed
}

// NewRemote listens on a loopback address for connections to a server. The distance is 0 at first.
func NewRemote(server string) (*Remote, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &Remote{listener: listener, server: server, conns: map[net.Conn]bool{}}
	r.running.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			r.running.Go(func() { r.serve(client) })
		}
	})
	return r, nil
}

// Addr returns the address that programs connect to.
func (r *Remote) Addr() string { return r.listener.Addr().String() }

// Move makes answers take this much longer from now on.
func (r *Remote) Move(distance time.Duration) { r.distance.Store(int64(distance)) }

// Close ends all connections.
func (r *Remote) Close() {
	r.listener.Close()
	r.mu.Lock()
	for c := range r.conns {
		c.Close()
	}
	r.conns = nil
	r.mu.Unlock()
	r.running.Wait()
}

// keep remembers a connection, so that Close can end it. If it is too late for that, it closes it.
func (r *Remote) keep(c net.Conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.conns == nil {
		c.Close()
		return
	}
	r.conns[c] = true
}

func (r *Remote) end(c net.Conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c.Close()
	delete(r.conns, c)
}

// words are a part of an answer, and when it arrives.
type words struct {
	text []byte
	at   time.Time
}

func (r *Remote) serve(client net.Conn) {
	r.keep(client)
	defer r.end(client)
	server, err := net.Dial("tcp", r.server)
	if err != nil {
		return
	}
	r.keep(server)
	var both sync.WaitGroup
	both.Go(func() {
		io.Copy(server, client)
		r.end(server)
	})
	under := make(chan words, 1000) // parts on their way: several statements in one packet have several
	both.Go(func() {
		for w := range under {
			time.Sleep(time.Until(w.at))
			if _, err := client.Write(w.text); err != nil {
				r.end(client)
			}
		}
		r.end(client)
	})
	buffer := make([]byte, 1<<16)
	for {
		n, err := server.Read(buffer)
		if err != nil {
			break
		}
		under <- words{append([]byte(nil), buffer[:n]...), time.Now().Add(time.Duration(r.distance.Load()))}
	}
	close(under)
	both.Wait()
}
