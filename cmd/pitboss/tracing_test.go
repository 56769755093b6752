package main

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"pitboss/callbacks"
	"pitboss/callbacks/wire"
	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/storetest"
)

// spans is a collector that takes OTLP over HTTP.
type spans struct {
	*httptest.Server
	mu    sync.Mutex
	list  []*tracepb.Span
	wire  bytes.Buffer
	heads []http.Header
	held  chan struct{} // answers wait until it is closed; nil: they do not
}

func collect(t *testing.T, held chan struct{}) *spans {
	t.Helper()
	s := &spans{held: held}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if s.held != nil {
			<-s.held
		}
		var data tracepb.TracesData
		if err := proto.Unmarshal(body, &data); err != nil || r.URL.Path != "/v1/traces" ||
			r.Header.Get("Content-Type") != "application/x-protobuf" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.wire.Write(body)
		s.heads = append(s.heads, r.Header)
		for _, resource := range data.ResourceSpans {
			for _, scope := range resource.ScopeSpans {
				s.list = append(s.list, scope.Spans...)
			}
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// find waits for a span.
func (s *spans) find(t *testing.T, name string, which func(*tracepb.Span) bool) (found *tracepb.Span) {
	t.Helper()
	require.Eventually(t, func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, span := range s.list {
			if span.Name == name && which(span) {
				found = span
				return true
			}
		}
		return false
	}, time.Minute, 20*time.Millisecond, name)
	return found
}

func attributesOf(span *tracepb.Span) map[string]string {
	values := map[string]string{}
	for _, a := range span.Attributes {
		values[a.Key] = a.Value.GetStringValue()
		if a.Value.GetStringValue() == "" {
			values[a.Key] = fmt.Sprint(a.Value.GetIntValue())
		}
	}
	return values
}

// TestTraces finds the trace of a callback by its row in the callback log, and its commit by the trace.
func TestTraces(t *testing.T) {
	eachInTurn(t, func(t *testing.T, url string) {
		collector := collect(t, nil)
		server := boot(t, environment(url, "PITBOSS_TRACES_URL="+collector.URL+"/v1/traces", "PITBOSS_TRACES_SHARE=1",
			"PITBOSS_TRACES_HEADER=Authorization: Bearer of-the-tests"))
		ctx := t.Context()
		_, err := server.store.CreatePlayer(ctx, models.System,
			models.NewPlayer{UserID: "anna-of-the-traces", Currency: "EUR", Balance: 10000})
		require.NoError(t, err)
		require.NoError(t, createDemoStaff(ctx, server.store))
		withdraw := wire.Request{AgentID: testAgent, UserID: "anna-of-the-traces", Amount: "1.00", TransactionID: "t-traced",
			RoundID: "r-1"}
		require.Zero(t, call(t, server.CallbackURL(), wire.Withdraw, withdraw))
		withdraw.Amount, withdraw.TransactionID = "900000.00", "t-poor"
		require.NotZero(t, call(t, server.CallbackURL(), wire.Withdraw, withdraw))

		var row models.Callback
		require.Eventually(t, func() bool {
			page, err := server.store.Callbacks(ctx, models.CallbackFilter{TransactionID: "t-traced", Limit: 1})
			if err != nil || len(page.Rows) == 0 {
				return false
			}
			row = page.Rows[0]
			return true
		}, time.Minute, 20*time.Millisecond)
		id := row.Request.TraceID()
		span := collector.find(t, "callback Withdraw", func(s *tracepb.Span) bool { return bytes.Equal(s.TraceId, id[:]) })
		values := attributesOf(span)
		require.Equal(t, row.Request.String(), values["pitboss.request"])
		require.Equal(t, "t-traced", values["pitboss.transaction"])
		require.Equal(t, "0", values["pitboss.result"])
		require.Equal(t, "200", values["http.response.status_code"])
		require.Greater(t, span.EndTimeUnixNano, span.StartTimeUnixNano)
		commit := collector.find(t, "commit", func(s *tracepb.Span) bool {
			return len(s.Links) > 0 && bytes.Equal(s.Links[0].TraceId, id[:])
		})
		require.Equal(t, span.SpanId, commit.Links[0].SpanId)
		require.Equal(t, "1", attributesOf(commit)["pitboss.operations"])
		poor := collector.find(t, "callback Withdraw", func(s *tracepb.Span) bool {
			return attributesOf(s)["pitboss.transaction"] == "t-poor"
		})
		require.NotEqual(t, "0", attributesOf(poor)["pitboss.result"])

		// A page, a job, and a call of the platform within the page or job that made it.
		desk := sitDown(t, server.AdminURL(), "sofia")
		desk.get("/players")
		page := collector.find(t, "GET /players", func(*tracepb.Span) bool { return true })
		require.Regexp(t, "^req_", attributesOf(page)["pitboss.request"])
		require.Equal(t, "200", attributesOf(page)["http.response.status_code"])
		_, text := desk.get("/players/999999")
		missing := collector.find(t, "GET /players/:id", func(*tracepb.Span) bool { return true })
		require.Equal(t, "404", attributesOf(missing)["http.response.status_code"])
		require.Contains(t, text, attributesOf(missing)["pitboss.request"], "the error page shows the number")
		collector.find(t, "job cases", func(*tracepb.Span) bool { return true })
		_, err = server.services.platform.GameList(ctx)
		require.Error(t, err)
		collector.find(t, "platform gameList", func(s *tracepb.Span) bool { return s.Status.GetMessage() != "" })

		collector.mu.Lock()
		defer collector.mu.Unlock()
		for _, secret := range []string{"anna-of-the-traces", testSecret, testToken, "sofia", "1.00", demoPassword,
			wire.Sign(testSecret, withdraw.SignedValues(wire.Withdraw, nil)...)} {
			require.NotContains(t, collector.wire.String(), secret)
		}
		for _, head := range collector.heads {
			require.Equal(t, "Bearer of-the-tests", head.Get("Authorization"))
		}
	})
}

// A collector that is gone, answers nonsense or never answers costs callbacks nothing and the log one line, and delays the end
// of the program only briefly: otherwise the test would wait for the collector.
func TestTracesAreLost(t *testing.T) {
	gone := httptest.NewServer(nil)
	gone.Close()
	refusing := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(refusing.Close)
	held := make(chan struct{})
	silent := collect(t, held)
	t.Cleanup(func() { close(held) }) // before the collector waits for its answers
	for name, address := range map[string]string{"gone": gone.URL, "refusing": refusing.URL, "silent": silent.URL} {
		t.Run(name, func(t *testing.T) {
			var log overheard
			settings, err := load[serverSettings](environment(storetest.URL(t, storetest.SQLite),
				"PITBOSS_TRACES_URL="+address+"/secret-path", "PITBOSS_TRACES_SHARE=1"))
			require.NoError(t, err)
			tracing := newTracing(settings.Traces, slog.New(slog.NewTextHandler(&log, nil)))
			for i := range 3 * traceQueue { // more than may wait
				tracing.callback(callbacks.Traced{ID: models.RequestID{Received: time.Now(), Number: 1<<32 | int64(i+1)},
					Endpoint: wire.Withdraw, TransactionID: "t", Arrived: time.Now(), Definite: true})
			}
			tracing.stop()
			log.mu.Lock()
			defer log.mu.Unlock()
			require.LessOrEqual(t, strings.Count(log.text.String(), "\n"), 1, log.text.String())
			require.NotContains(t, log.text.String(), "secret-path")
		})
	}
}

// The share of callbacks that are traced is what the setting says, and a commit goes by the same choice.
func TestTracesShare(t *testing.T) {
	collector := collect(t, nil)
	tracing := newTracing(traceSettings{URL: collector.URL + "/v1/traces", Share: 0.1}, slog.New(slog.DiscardHandler))
	defer tracing.stop()
	chosen := 0
	at := time.Now()
	for i := range 10_000 {
		if tracing.chosen(models.RequestID{Received: at.Add(time.Duration(i) * 37 * time.Microsecond),
			Number: 7<<32 | int64(i+1)}) {
			chosen++
		}
	}
	require.InDelta(t, 1000, chosen, 200)
	none := newTracing(traceSettings{URL: collector.URL, Share: 0}, slog.New(slog.DiscardHandler))
	defer none.stop()
	require.False(t, none.chosen(models.RequestID{Received: at, Number: 1}))
	require.Nil(t, newTracing(traceSettings{Share: 1}, nil))
}

func TestTraceSettings(t *testing.T) {
	for _, row := range []struct{ setting, says string }{
		{"PITBOSS_TRACES_URL=127.0.0.1:4318", "PITBOSS_TRACES_URL must be an address where a collector"},
		{"PITBOSS_TRACES_SHARE=2", "the share of callbacks that are traced, must be from 0 to 1"},
		{"PITBOSS_TRACES_SHARE=NaN", "the share of callbacks that are traced, must be from 0 to 1"},
		{"PITBOSS_TRACES_HEADER=token", "PITBOSS_TRACES_HEADER must be a header"},
	} {
		_, err := load[serverSettings](environment("sqlite:///tmp/x.db", row.setting))
		require.ErrorContains(t, err, row.says)
	}
}

// BenchmarkTracing measures what a span costs its maker. A callback that is not chosen allocates nothing.
func BenchmarkTracing(b *testing.B) {
	collector := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer collector.Close()
	at := time.Now()
	told := callbacks.Traced{ID: models.RequestID{Received: at}, Endpoint: wire.Withdraw, TransactionID: "t-1",
		Arrived: at, Took: time.Millisecond, Status: http.StatusOK, Definite: true}
	attempt := store.Attempt{Began: at, Operations: 1, Requests: func(yield func(models.RequestID) bool) { yield(told.ID) }}
	for _, row := range []struct {
		name  string
		share float64
	}{{"not chosen", 0}, {"chosen", 1}} {
		tracing := newTracing(traceSettings{URL: collector.URL, Share: row.share}, slog.New(slog.DiscardHandler))
		for name, span := range map[string]func(){
			"callback": func() { tracing.callback(told) }, "commit of one": func() { tracing.attempt(attempt) },
		} {
			b.Run(name+", "+row.name, func(b *testing.B) {
				b.ReportAllocs()
				for i := range b.N {
					told.ID.Number = 1<<32 | int64(i+1)
					span()
				}
			})
		}
		tracing.stop()
	}
}
