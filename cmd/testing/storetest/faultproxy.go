package storetest

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
)

// CommitFault is what a FaultProxy does with a packet that is a COMMIT or ends with one.
type CommitFault int

// The faults. After each, the client has no answer: either its connection is broken or it waits.
const (
	LoseCommit  CommitFault = iota + 1 // both connections are cut before COMMIT reaches the server
	TearCommit                         // both are cut after the server has received half of the packet
	LoseAnswer                         // both are cut after the server has answered, so unless it refused, it has committed
	DelayCommit                        // the client's connection is cut; COMMIT reaches the server when Release is called
	HoldAnswer                         // the server has answered; the client waits for the answer until Release is called
)

// FaultProxy is a proxy for a MySQL or MariaDB server on loopback that breaks connections at chosen points.
type FaultProxy struct {
	config   *mysql.Config
	upstream string
	listener net.Listener
	flow     sync.RWMutex // held for writing while everything is stalled
	distance atomic.Int64 // the delay of every answer, in nanoseconds

	mu      sync.Mutex
	links   map[*link]bool
	fault   CommitFault
	times   int
	struck  chan CommitFault
	release chan struct{}
	closed  bool
	money   int64 // queries
}

// link is a client's connection to the proxy, with the proxy's connection to the server.
type link struct {
	client, server net.Conn
	mu             sync.Mutex
	money          bool          // whether autocommit is off
	answer         CommitFault   // what to do with the server's next answer
	ended          chan struct{} // closed when the server's connection has ended
}

func (l *link) cut() {
	l.client.Close()
	l.server.Close()
}

// NewFaultProxy starts a proxy for the server in a DSN. The proxy stops when the test ends.
func NewFaultProxy(t testing.TB, dsn string) *FaultProxy {
	t.Helper()
	config, err := mysql.ParseDSN(dsn)
	if err != nil {
		t.Fatal(err)
	}
	p := &FaultProxy{upstream: config.Addr, config: config, links: map[*link]bool{}, struck: make(chan CommitFault, 1000),
		release: make(chan struct{})}
	if p.listener, err = net.Listen("tcp4", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	config.Addr = p.listener.Addr().String()
	var running sync.WaitGroup
	running.Go(func() {
		for {
			client, err := p.listener.Accept()
			if err != nil {
				return
			}
			running.Go(func() { p.serve(client) })
		}
	})
	t.Cleanup(func() {
		p.listener.Close()
		p.mu.Lock()
		p.closed = true
		p.mu.Unlock()
		p.Release()
		p.Cut()
		running.Wait()
	})
	return p
}

// DSN returns the server's DSN with the address of the proxy.
func (p *FaultProxy) DSN() string { return p.config.FormatDSN() }

// AtCommit applies a fault to this many COMMITs, starting with the next one.
func (p *FaultProxy) AtCommit(fault CommitFault, times int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault, p.times = fault, times
}

// MoneyQueries returns how many packets with queries have arrived on connections that move money, which have autocommit off.
func (p *FaultProxy) MoneyQueries() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.money
}

// Struck returns a channel that gets each fault when it happens: DelayCommit when the client's connection has been cut,
// HoldAnswer when the server has answered.
func (p *FaultProxy) Struck() <-chan CommitFault { return p.struck }

// Release forwards everything that DelayCommit and HoldAnswer have held back.
func (p *FaultProxy) Release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.release)
	p.release = make(chan struct{})
}

// Cut breaks all existing connections. New ones work.
func (p *FaultProxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for l := range p.links {
		l.cut()
	}
}

// Stall stops all traffic without closing any connection, like a lost network. resume lets the traffic continue.
func (p *FaultProxy) Stall() (resume func()) {
	p.flow.Lock()
	return p.flow.Unlock
}

// Move delays every answer from now on by distance, as if the server were on another machine.
func (p *FaultProxy) Move(distance time.Duration) { p.distance.Store(int64(distance)) }

func (p *FaultProxy) serve(client net.Conn) {
	server, err := net.Dial("tcp4", p.upstream)
	if err != nil {
		client.Close()
		return
	}
	l := &link{client: client, server: server, ended: make(chan struct{})}
	p.mu.Lock()
	p.links[l] = true
	if p.closed {
		l.cut()
	}
	p.mu.Unlock()
	var both sync.WaitGroup
	both.Go(func() { p.up(l) })
	both.Go(func() { p.down(l) })
	both.Wait()
	p.mu.Lock()
	delete(p.links, l)
	p.mu.Unlock()
}

// next counts a query, and returns the fault to apply if the query commits.
func (p *FaultProxy) next(l *link, query []byte) (CommitFault, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if l.money {
		p.money++
	}
	l.money = l.money || bytes.HasPrefix(query, []byte("SET autocommit = 0"))
	if p.times == 0 || p.closed || string(query) != "COMMIT" && !bytes.HasSuffix(query, []byte(";COMMIT")) {
		return 0, nil
	}
	p.times--
	return p.fault, p.release
}

// up forwards the client's packets. Each consists of a header (three bytes for the length, one for the number) and its content.
func (p *FaultProxy) up(l *link) {
	defer l.cut()
	const query = 3
	header := make([]byte, 4)
	for {
		if _, err := io.ReadFull(l.client, header); err != nil {
			return
		}
		length := binary.LittleEndian.Uint32(append(header[:3:3], 0))
		packet := make([]byte, 4+length)
		copy(packet, header)
		if _, err := io.ReadFull(l.client, packet[4:]); err != nil {
			return
		}
		if length > 0 && packet[4] == query {
			switch fault, release := p.next(l, packet[5:]); fault {
			case TearCommit:
				p.write(l.server, packet[:len(packet)/2])
				fallthrough
			case LoseCommit:
				l.cut()
				p.struck <- fault
				return
			case DelayCommit:
				l.client.Close()
				p.struck <- fault
				<-release
				if p.write(l.server, packet) {
					<-l.ended
				}
				return
			case LoseAnswer, HoldAnswer:
				l.mu.Lock()
				l.answer = fault
				l.mu.Unlock()
			}
		}
		if !p.write(l.server, packet) {
			return
		}
	}
}

// down forwards the server's answers.
func (p *FaultProxy) down(l *link) {
	defer close(l.ended)
	defer l.cut()
	buffer := make([]byte, 1<<16)
	for {
		n, err := l.server.Read(buffer)
		if err != nil {
			return
		}
		words := buffer[:n]
		time.Sleep(time.Duration(p.distance.Load()))
		l.mu.Lock()
		fault := l.answer
		l.answer = 0
		l.mu.Unlock()
		if fault != 0 {
			if words, err = wholeAnswer(words, l.server); err != nil {
				p.struck <- fault
				return
			}
		}
		switch fault {
		case LoseAnswer:
			l.cut()
			p.struck <- fault
			return
		case HoldAnswer:
			p.mu.Lock()
			release := p.release
			p.mu.Unlock()
			p.struck <- fault
			<-release
		}
		if !p.write(l.client, words) {
			return
		}
	}
}

// wholeAnswer reads until the server has answered all statements of a packet, or has answered one with an error. None of the
// statements returns rows.
func wholeAnswer(words []byte, server net.Conn) ([]byte, error) {
	const okPacket, moreResults = 0, 8
	words = bytes.Clone(words)
	for at := 0; ; {
		end := at + 4
		if len(words) >= end {
			end += int(binary.LittleEndian.Uint32(append(words[at:at+3:at+3], 0)))
		}
		if len(words) < at+5 || len(words) < end {
			more := make([]byte, 1<<16)
			n, err := server.Read(more)
			if err != nil {
				return nil, err
			}
			words = append(words, more[:n]...)
			continue
		}
		status := words[at+4 : end]
		if status[0] != okPacket {
			return words, nil
		}
		status = status[1:]
		for range 2 { // the number of affected rows, and the inserted ID
			status = status[lengthOfNumber(status[0]):]
		}
		if binary.LittleEndian.Uint16(status)&moreResults == 0 {
			return words, nil
		}
		at = end
	}
}

// lengthOfNumber returns the length in bytes of an encoded number that begins with this byte.
func lengthOfNumber(first byte) int {
	switch first {
	case 0xfc:
		return 3
	case 0xfd:
		return 4
	case 0xfe:
		return 9
	}
	return 1
}

func (p *FaultProxy) write(to net.Conn, b []byte) bool {
	p.flow.RLock()
	defer p.flow.RUnlock()
	_, err := to.Write(b)
	return err == nil
}
