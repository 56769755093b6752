package mariadb

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// Remote is a proxy that delays every answer of a server, as if the server were on another machine.
type Remote struct {
	listener net.Listener
	server   string
	distance atomic.Int64 // nanoseconds
	running  sync.WaitGroup

	mu    sync.Mutex
	conns map[net.Conn]bool // nil after Close
}

// NewRemote returns a proxy for a server that listens on a loopback address. At first it adds no delay.
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

// Addr returns the address at which the proxy listens.
func (r *Remote) Addr() string { return r.listener.Addr().String() }

// Move sets the delay of answers from now on.
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

// keep adds a connection to those that Close will close. After Close, it closes the connection itself.
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

// words are a part of an answer, and the time at which it is to arrive.
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
	under := make(chan words, 1000) // parts on their way: several statements in one packet get several answers
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
