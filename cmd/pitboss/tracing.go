package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"pitboss/callbacks"
	"pitboss/models"
	"pitboss/models/store"
)

// Traces are sent by OTLP over HTTP if PITBOSS_TRACES_URL is set.
//
// A callback's trace has the ID of its request (models.RequestID.TraceID), which is also in the callback log, the log line and
// the answer's X-Request-ID. A commit is a trace of its own with links to the callbacks that it settled. Pages, calls of the
// platform and jobs use OpenTelemetry's global provider, so that a call belongs to the page or job that made it.
//
// Spans of callbacks and commits are created after these have ended. So while tracing is off, they cost one comparison, and
// while it is on, a callback that is not sampled costs one multiplication. Spans wait in a bounded queue for a background
// exporter. If the queue is full, they are dropped, so that nobody waits.
//
// OpenTelemetry's own package encodes the messages; the few lines below send them. The usual exporter over HTTP would add gRPC
// to the program, which is more code than everything else in tracing.

const (
	traceQueue    = 4096            // spans waiting to be sent
	traceEvery    = 2 * time.Second // between two batches
	tracePatience = 5 * time.Second // for the collector's answer
	traceFarewell = 3 * time.Second // for sending the last spans when the program ends
)

// traceSettings say where traces go.
type traceSettings struct {
	URL    string  `env:"PITBOSS_TRACES_URL"` // may contain a secret
	Header string  `env:"PITBOSS_TRACES_HEADER"`
	Share  float64 `env:"PITBOSS_TRACES_SHARE" envDefault:"0.01"`
}

func (s traceSettings) check() (problems []error) {
	if u, err := url.Parse(s.URL); s.URL != "" && (err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http") {
		problems = append(problems,
			errors.New("PITBOSS_TRACES_URL must be an address where a collector takes OTLP over HTTP, such as "+
				"http://127.0.0.1:4318/v1/traces"))
	}
	if name, _, there := strings.Cut(s.Header, ":"); s.Header != "" && (!there || strings.ContainsAny(name, " \t\r\n")) {
		problems = append(problems, errors.New("PITBOSS_TRACES_HEADER must be a header such as Authorization: Bearer TOKEN"))
	}
	if !(s.Share >= 0 && s.Share <= 1) {
		problems = append(problems, fmt.Errorf("PITBOSS_TRACES_SHARE, the share of callbacks that are traced, must be from 0 "+
			"to 1, not %v", s.Share))
	}
	return problems
}

// tracing creates spans. A nil *tracing creates none.
type tracing struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
	below    uint64 // requests whose mixed number is at most this are traced; 0 for none
}

// newTracing returns a tracing, or nil if there is no address.
func newTracing(s traceSettings, log *slog.Logger) *tracing {
	if s.URL == "" {
		return nil
	}
	collector := &collector{url: s.URL, log: log, client: http.Client{Timeout: tracePatience,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	name, value, _ := strings.Cut(s.Header, ":")
	collector.header, collector.value = strings.TrimSpace(name), strings.TrimSpace(value)
	about := resource.NewSchemaless(attribute.String("service.name", "pitboss"), attribute.String("service.version", version),
		attribute.String("service.instance.id", instance()))
	t := &tracing{below: uint64(s.Share * math.MaxUint32)}
	t.provider = sdktrace.NewTracerProvider(sdktrace.WithResource(about), sdktrace.WithSampler(sdktrace.AlwaysSample()),
		sdktrace.WithIDGenerator(spanIDs{}),
		sdktrace.WithBatcher(otlptrace.NewUnstarted(collector), sdktrace.WithMaxQueueSize(traceQueue),
			sdktrace.WithBatchTimeout(traceEvery), sdktrace.WithExportTimeout(tracePatience)))
	t.tracer = t.provider.Tracer("pitboss")
	otel.SetTracerProvider(t.provider)
	return t
}

// stop sends the last spans, for at most traceFarewell.
func (t *tracing) stop() {
	if t == nil {
		return
	}
	otel.SetTracerProvider(noop.NewTracerProvider())
	ctx, cancel := context.WithTimeout(context.Background(), traceFarewell)
	defer cancel()
	_ = t.provider.Shutdown(ctx) // lost spans have been logged
}

// chosen reports whether a request is traced; the answer is the same on every instance.
func (t *tracing) chosen(id models.RequestID) bool {
	mixed := (uint64(id.Number) ^ uint64(id.Received.UnixMicro())) * 0x9e3779b97f4a7c15
	return mixed>>32 <= t.below && t.below > 0
}

// callback creates the span of an answered callback.
func (t *tracing) callback(c callbacks.Traced) {
	if !t.chosen(c.ID) {
		return
	}
	_, span := t.tracer.Start(context.WithValue(context.Background(), requestKey{}, c.ID), "callback "+c.Endpoint.String(),
		trace.WithTimestamp(c.Arrived), trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(
			attribute.String("pitboss.request", c.ID.String()), attribute.String("pitboss.callback", c.Endpoint.String()),
			attribute.String("pitboss.transaction", strings.ToValidUTF8(strings.Clone(c.TransactionID), "\ufffd")),
			attribute.Int("pitboss.result", int(c.Result)), attribute.Int("http.response.status_code", c.Status)))
	if !c.Definite {
		span.SetStatus(codes.Error, "there is no definite answer")
	}
	span.End(trace.WithTimestamp(c.Arrived.Add(c.Took)))
}

// attempt creates the span of a commit if any of its callbacks is traced.
func (t *tracing) attempt(a store.Attempt) {
	var links []trace.Link
	for id := range a.Requests {
		if t.chosen(id) {
			links = append(links, trace.Link{SpanContext: trace.NewSpanContext(trace.SpanContextConfig{
				TraceID: id.TraceID(), SpanID: spanOf(id), TraceFlags: trace.FlagsSampled,
			}), Attributes: []attribute.KeyValue{attribute.String("pitboss.request", id.String())}})
		}
	}
	if len(links) == 0 {
		return
	}
	_, span := t.tracer.Start(context.Background(), "commit", trace.WithTimestamp(a.Began), trace.WithLinks(links...),
		trace.WithAttributes(attribute.Int("pitboss.operations", a.Operations)))
	if a.Err != nil {
		span.SetStatus(codes.Error, "it was not committed, or its outcome is not known")
	}
	span.End()
}

// requestKey is the key of a callback's request in the context that its span is made with.
type requestKey struct{}

// spanIDs generates IDs of traces and spans: a callback's from its request, all others at random.
type spanIDs struct{}

// NewIDs returns the IDs of a trace and its first span.
func (spanIDs) NewIDs(ctx context.Context) (traceID trace.TraceID, spanID trace.SpanID) {
	if id, ok := ctx.Value(requestKey{}).(models.RequestID); ok {
		return id.TraceID(), spanOf(id)
	}
	binary.NativeEndian.PutUint64(traceID[:8], rand.Uint64())
	binary.NativeEndian.PutUint64(traceID[8:], rand.Uint64()|1)
	return traceID, spanIDs{}.NewSpanID(ctx, traceID)
}

// NewSpanID returns the ID of another span of a trace.
func (spanIDs) NewSpanID(context.Context, trace.TraceID) (id trace.SpanID) {
	binary.NativeEndian.PutUint64(id[:], rand.Uint64()|1)
	return id
}

// spanOf returns the ID of a callback's span.
func spanOf(id models.RequestID) (span trace.SpanID) {
	binary.BigEndian.PutUint64(span[:], uint64(id.Number))
	return span
}

// collector sends spans to a collector. Spans that cannot be delivered are lost; that is logged once, and once more when
// delivery works again.
type collector struct {
	url, header, value string
	client             http.Client
	log                *slog.Logger

	mu      sync.Mutex
	failing bool
	lost    int // spans since delivery began to fail
}

// Start does nothing, because there is no connection to open.
func (*collector) Start(context.Context) error { return nil }

// Stop closes idle connections.
func (c *collector) Stop(context.Context) error {
	c.client.CloseIdleConnections()
	return nil
}

// UploadTraces sends spans. It never returns an error, because OpenTelemetry would log each.
func (c *collector) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	err := c.send(ctx, spans)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		if c.failing {
			c.log.Info("Traces are delivered again.", "spans_lost", c.lost)
		}
		c.failing, c.lost = false, 0
		return nil
	}
	for _, r := range spans {
		for _, s := range r.ScopeSpans {
			c.lost += len(s.Spans)
		}
	}
	if !c.failing {
		c.log.Warn("Traces cannot be delivered. Callbacks and pages are not affected; this is not logged again until it works.",
			"error", err)
	}
	c.failing = true
	return nil
}

func (c *collector) send(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	// On the wire it is an ExportTraceServiceRequest, whose Go type would pull in gRPC.
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans})
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return errors.New("PITBOSS_TRACES_URL is not a URL") // the error would quote it
	}
	r.Header.Set("Content-Type", "application/x-protobuf")
	if c.header != "" {
		r.Header.Set(c.header, c.value)
	}
	answer, err := c.client.Do(r)
	if err != nil {
		var quoting *url.Error
		if errors.As(err, &quoting) {
			err = quoting.Err
		}
		return err
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10)) // so that the connection can be used again
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("the collector answered %d", answer.StatusCode)
	}
	return nil
}
