package listener

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
)

// Networks is a set of address ranges.
type Networks []netip.Prefix

// UnmarshalText reads networks in CIDR notation and single addresses, separated by commas: "10.0.0.0/8, 192.0.2.7,
// 2001:db8::/32".
func (n *Networks) UnmarshalText(text []byte) error {
	*n = nil
	for item := range strings.SplitSeq(string(text), ",") {
		item = strings.TrimSpace(item)
		if item == "" {
			continue
		}
		prefix, err := netip.ParsePrefix(item)
		if err != nil {
			addr, err := netip.ParseAddr(item)
			if err != nil || addr.Zone() != "" {
				return fmt.Errorf("%q is neither a network such as 10.0.0.0/8 nor an address", item)
			}
			prefix = netip.PrefixFrom(addr, addr.BitLen())
		}
		if addr := prefix.Addr(); addr.Is4In6() {
			if prefix.Bits() < 96 {
				return fmt.Errorf("%q mixes IPv4 and IPv6", item)
			}
			prefix = netip.PrefixFrom(addr.Unmap(), prefix.Bits()-96)
		}
		*n = append(*n, prefix.Masked())
	}
	if len(*n) == 0 && len(text) > 0 {
		// An empty list must not come to mean "everybody".
		return errors.New("it names no network; unset it for the default")
	}
	return nil
}

// Contains reports whether addr is in one of the networks. An IPv4 address written as IPv6 counts as the IPv4 address.
func (n Networks) Contains(addr netip.Addr) bool {
	addr = addr.Unmap()
	for _, prefix := range n {
		if prefix.Contains(addr) {
			return true
		}
	}
	return false
}
