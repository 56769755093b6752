package callbacks_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net"
	"testing"

	"pitboss/callbacks"
	"pitboss/callbacks/wire"
	"pitboss/models"
)

// instant is a store that answers immediately.
type instant struct{}

func (instant) Apply(context.Context, models.Operation) (models.Result, error) {
	return models.Result{Balance: models.Balance{Amount: 12345, Currency: "EUR"}}, nil
}

func (instant) KeepRefused(context.Context, string, models.Reading) error { return nil }

func (instant) Balance(context.Context, models.UserID) (models.Balance, bool, error) {
	return models.Balance{Amount: 12345, Currency: "EUR"}, true, nil
}

// BenchmarkHandler measures a Withdraw over a connection, from the request's bytes to the answer's, without a store. The figure
// includes the clients, which do as little as possible.
func BenchmarkHandler(b *testing.B) {
	d := open(b, instant{}, func(c *callbacks.Config) {
		c.Logger, c.LogLevel = slog.New(slog.DiscardHandler), slog.LevelWarn
	})
	body := signed(b, wire.Withdraw, bet("Player01", "12.30", "474e1a293c2f4e7ab122c52d68423fcb"), key)
	request := []byte(fmt.Sprintf("POST /Withdraw HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "+
		"%d\r\n\r\n%s", len(body), body))
	want := []byte("\r\n\r\n" + ok("123.45"))
	b.ReportAllocs()
	b.SetParallelism(16)
	b.RunParallel(func(pb *testing.PB) {
		conn, err := net.Dial("tcp", d.addr)
		if err != nil {
			b.Error(err)
			return
		}
		defer conn.Close()
		r := bufio.NewReader(conn)
		for pb.Next() {
			if _, err := conn.Write(request); err != nil {
				b.Error(err)
				return
			}
			answer, err := r.ReadSlice('}') // the header and the body
			if err != nil || !bytes.HasSuffix(answer, want) {
				b.Errorf("answered %s: %v", answer, err)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "callbacks/s")
}
