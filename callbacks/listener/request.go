package listener

import (
	"bytes"
	"errors"
	"net"
	"net/netip"
	"strings"

	"github.com/valyala/fasthttp"
)

// What is wrong with the body of a request, whatever is in it.
var (
	// ErrEncoded: the body has a Content-Encoding. A body is never decompressed, because a few bytes can become gigabytes.
	ErrEncoded = errors.New("the body has a Content-Encoding")
	// ErrFraming: the request has both a Content-Length and a Transfer-Encoding. A proxy may have used the other one and seen a
	// different next request, so the connection has to be closed.
	ErrFraming = errors.New("the body has both a length and chunks")
)

// CheckBody returns ErrEncoded or ErrFraming for a request whose body must not be read.
func CheckBody(header *fasthttp.RequestHeader) error {
	for _, encoding := range header.PeekAll(fasthttp.HeaderContentEncoding) {
		if len(encoding) > 0 && !bytes.EqualFold(encoding, []byte("identity")) {
			return ErrEncoded
		}
	}
	const chunked = -1
	if header.ContentLength() == chunked && bytes.Contains(bytes.ToLower(header.RawHeaders()), []byte("content-length")) {
		return ErrFraming
	}
	return nil
}

// Peer returns the address at the other end of a connection, and the zero Addr if it has none.
func Peer(addr net.Addr) netip.Addr {
	if tcp, ok := addr.(*net.TCPAddr); ok {
		return tcp.AddrPort().Addr().Unmap().WithZone("")
	}
	return netip.Addr{}
}

// Client returns the address that a request comes from: the peer's, or, if the peer is a trusted proxy, the first address in
// X-Forwarded-For, read from the right, that is not a trusted proxy. Whatever is to the left of that address was written by somebody
// who may write anything. If a trusted proxy wrote something that is not an address, Client returns the nearest address that it could
// read, and false.
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
