package listener

import (
	"bytes"
	"errors"
	"net"
	"net/netip"
	"strings"

	"github.com/valyala/fasthttp"
)

// Why a body must not be read, whatever it contains.
var (
	// ErrEncoded means that the body has a Content-Encoding. A body is never decompressed, because a few bytes can become
	// gigabytes.
	ErrEncoded = errors.New("the body has a Content-Encoding")
	// ErrFraming means that the request has both a Content-Length and a Transfer-Encoding, or a Transfer-Encoding that is not
	// "chunked". A proxy may have parsed it differently and seen a different next request, so the connection has to be closed.
	ErrFraming = errors.New("the end of the body is ambiguous: it has a length and chunks, or an unknown Transfer-Encoding")
)

// CheckBody returns ErrEncoded or ErrFraming for a request whose body must not be read.
func CheckBody(header *fasthttp.RequestHeader) error {
	for _, encoding := range header.PeekAll(fasthttp.HeaderContentEncoding) {
		if len(encoding) > 0 && !bytes.EqualFold(encoding, []byte("identity")) {
			return ErrEncoded
		}
	}
	// fasthttp's parsed header cannot tell: it drops one of the two, and turns an empty chunked body into a length of 0.
	length, chunks := false, false
	for raw := header.RawHeaders(); len(raw) > 0; {
		var line []byte
		line, raw, _ = bytes.Cut(raw, []byte("\n"))
		length, chunks = length || named(line, "Content-Length"), chunks || named(line, "Transfer-Encoding")
	}
	// fasthttp drops "identity" from the value and then reads no body, so compare with the only value it reads correctly.
	if chunks && (length || !bytes.Equal(header.Peek(fasthttp.HeaderTransferEncoding), []byte("chunked"))) {
		return ErrFraming
	}
	return nil
}

// named reports whether a raw header line has this name, in upper or lower case.
func named(line []byte, name string) bool {
	return len(line) > len(name) && line[len(name)] == ':' && bytes.EqualFold(line[:len(name)], []byte(name))
}

// Peer returns the address of a connection's other end, or the zero Addr if it has none.
func Peer(addr net.Addr) netip.Addr {
	if tcp, ok := addr.(*net.TCPAddr); ok {
		return tcp.AddrPort().Addr().Unmap().WithZone("")
	}
	return netip.Addr{}
}

// subscriber returns what limits count by: an IPv4 address, or the first address of an IPv6 network of 64 bits. Internet
// providers give each customer such a network, and the customer can use any address in it.
func subscriber(addr netip.Addr) netip.Addr {
	if addr.Is6() {
		if network, err := addr.Prefix(64); err == nil {
			return network.Addr()
		}
	}
	return addr
}

// Client returns the address that a request comes from: the peer's, or, if the peer is a trusted proxy, the rightmost address
// in X-Forwarded-For that is not a trusted proxy. Everything left of that address could be forged. If a trusted proxy wrote
// something that is not an address, Client returns the last address that it could read, and false.
func Client(peer netip.Addr, header *fasthttp.RequestHeader, proxies Networks) (netip.Addr, bool) {
	if len(proxies) == 0 || !proxies.Contains(peer) {
		return peer, true
	}
	at := peer
	headers := header.PeekAll(fasthttp.HeaderXForwardedFor)
	for i := len(headers) - 1; i >= 0; i-- {
		list := string(headers[i])
		for list != "" {
			item := list
			if comma := strings.LastIndexByte(list, ','); comma >= 0 {
				item, list = list[comma+1:], list[:comma]
			} else {
				list = ""
			}
			next, ok := forwardedAddr(strings.TrimSpace(item))
			if !ok {
				return at, false
			}
			if at = next; !proxies.Contains(at) {
				return at, true
			}
		}
	}
	return at, true
}

// forwardedAddr reads an address as proxies write them: bare, or followed by a port.
func forwardedAddr(item string) (netip.Addr, bool) {
	if addr, err := netip.ParseAddr(item); err == nil {
		return addr.Unmap().WithZone(""), true
	}
	if withPort, err := netip.ParseAddrPort(item); err == nil {
		return withPort.Addr().Unmap().WithZone(""), true
	}
	return netip.Addr{}, false
}
