package callbacks_test

import (
	"context"
	"net"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/callbacks"
	"pitboss/callbacks/listener"
	"pitboss/models"
)

func networks(t testing.TB, text string) listener.Networks {
	var n listener.Networks
	require.NoError(t, n.UnmarshalText([]byte(text)))
	return n
}

func TestNetworks(t *testing.T) {
	n := networks(t, "10.0.0.0/8, 192.0.2.7 ,2001:db8::/32,::ffff:198.51.100.0/120,")
	assert.Equal(t, "10.0.0.0/8", n[0].String())
	assert.Equal(t, "192.0.2.7/32", n[1].String())
	assert.Equal(t, "2001:db8::/32", n[2].String())
	assert.Equal(t, "198.51.100.0/24", n[3].String())
	assert.Len(t, n, 4)
	assert.Empty(t, networks(t, ""))
	for _, wrong := range []string{" ", " , ", "10.0.0.0/33", "example.com", "10.0.0", "fe80::1%eth0", "10.0.0.0/8;1.2.3.4",
		"::ffff:10.0.0.0/8"} {
		var n listener.Networks
		assert.Error(t, n.UnmarshalText([]byte(wrong)), wrong)
	}
}

// Requests of the tests come from 127.0.0.1.
func TestClientAddresses(t *testing.T) {
	for _, c := range []struct {
		name, proxies string
		forwarded     []string // X-Forwarded-For, header by header
		want          string
	}{
		{"no proxy, no header", "", nil, "127.0.0.1"},
		{"no proxy: the header is ignored", "", []string{"192.0.2.1"}, "127.0.0.1"},
		{"another proxy: the header is ignored", "10.0.0.1", []string{"192.0.2.1"}, "127.0.0.1"},
		{"our proxy without header", "127.0.0.1", nil, "127.0.0.1"},
		{"our proxy", "127.0.0.1", []string{"192.0.2.1"}, "192.0.2.1"},
		{"a forged beginning", "127.0.0.1", []string{"198.51.100.9, 192.0.2.1"}, "192.0.2.1"},
		{"a forged header before", "127.0.0.1", []string{"198.51.100.9", "192.0.2.1"}, "192.0.2.1"},
		{"two proxies of ours", "127.0.0.0/8,10.0.0.0/8", []string{"198.51.100.9, 192.0.2.1, 10.1.2.3"}, "192.0.2.1"},
		{"two proxies of ours, two headers", "127.0.0.0/8,10.0.0.0/8", []string{"192.0.2.1", "10.1.2.3"}, "192.0.2.1"},
		{"proxies only", "127.0.0.0/8,10.0.0.0/8", []string{"10.9.9.9,10.1.2.3"}, "10.9.9.9"},
		{"with ports", "127.0.0.1", []string{"192.0.2.1:4711"}, "192.0.2.1"},
		{"IPv6", "127.0.0.1", []string{"2001:db8::1"}, "2001:db8::1"},
		{"IPv6 with port", "127.0.0.1", []string{"[2001:db8::1]:4711"}, "2001:db8::1"},
		{"IPv4 in IPv6", "127.0.0.1", []string{"::ffff:192.0.2.1"}, "192.0.2.1"},
		{"no address", "127.0.0.1", []string{"unknown"}, "invalid IP"},
		{"no address on the right", "127.0.0.1", []string{"192.0.2.1, _hidden"}, "invalid IP"},
		{"an empty item", "127.0.0.1", []string{"192.0.2.1,"}, "invalid IP"},
	} {
		var log records
		d, _ := openFor(t, func(config *callbacks.Config) { config.Proxies, config.Journal = networks(t, c.proxies), &log })
		var header []string
		for _, f := range c.forwarded {
			header = append(header, "X-Forwarded-For", f)
		}
		require.Equal(t, wrongInput, d.post(t, "/GetBalance", "{}", header...).body)
		require.NoError(t, d.server.FlushLog(t.Context()))
		require.Len(t, log, 1)
		assert.Equal(t, c.want, log[0].Address.String(), c.name)
	}
}

// records is a callback log.
type records []models.Callback

func (r *records) LogCallbacks(_ context.Context, list []models.Callback) error {
	*r = append(*r, list...)
	return nil
}

func TestAllowList(t *testing.T) {
	for _, c := range []struct {
		name, allow, proxies, forwarded string
		status                          int
		cut                             bool // at accept, without a proxy in between
	}{
		{"everybody", "", "", "", 200, false},
		{"us", "127.0.0.0/8", "", "", 200, false},
		{"others", "192.0.2.0/24", "", "", 0, true},
		{"a forged address", "192.0.2.0/24", "", "192.0.2.1", 0, true},
		{"through our proxy", "192.0.2.0/24", "127.0.0.1", "192.0.2.1", 200, false},
		{"another through our proxy", "192.0.2.0/24", "127.0.0.1", "198.51.100.1", 403, false},
		{"the proxy itself", "192.0.2.0/24", "127.0.0.1", "", 403, false},
		{"nobody knows who", "0.0.0.0/0,::/0", "127.0.0.1", "unknown", 403, false},
	} {
		d, body := openFor(t, func(config *callbacks.Config) {
			config.Allow, config.Proxies = networks(t, c.allow), networks(t, c.proxies)
		})
		var header []string
		if c.forwarded != "" {
			header = []string{"X-Forwarded-For", c.forwarded}
		}
		if c.cut {
			if conn, err := net.Dial("tcp", d.addr); err == nil { // or it was cut before Dial returned
				_, err = conn.Read(make([]byte, 1))
				assert.Error(t, err, "%s: cut off before a request is read", c.name)
				conn.Close()
			}
			assert.EqualValues(t, 1, d.server.Guard().Rejected(listener.Forbidden), c.name)
			continue
		}
		got := d.post(t, "/GetBalance", body, header...)
		assert.Equal(t, c.status, got.status, c.name)
		assert.Equal(t, "application/json", got.header.Get("Content-Type"), c.name)
		if c.status == 200 {
			continue
		}
		assert.Equal(t, generalError, got.body, c.name)
		assert.True(t, got.closed, "%s: the connection is closed", c.name)
		assert.Equal(t, 403, d.post(t, "/nowhere", body, header...).status, c.name)
		assert.EqualValues(t, 2, d.server.Counters().Refused(403), c.name)
	}
}
