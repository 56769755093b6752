// Package platform calls the game platform: the four calls of its API (specification, Platform API).
//
// What a failure means stands in Error. Three of the calls change nothing and are tried again; /assignFreeSpin is sent once, on
// a connection of its own, so that neither we nor the HTTP library can ever send it twice. Its outcome is known in two cases:
// the platform gave a whole, readable answer, or nothing can have reached it. After several failures in a row the circuit
// opens: calls then fail at once instead of keeping people waiting, and every few seconds one of the harmless calls finds out
// whether the platform is back. A grant never is that probe.
package platform

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"pitboss/callbacks/wire"
	"pitboss/models"
)

// Client calls one platform. It is safe for concurrent use.
type Client struct {
	config  Config
	base    string
	safe    *http.Client // for calls that may be repeated
	list    *http.Client // the same, with more patience
	once    *http.Client // for grants: a connection for each
	breaker circuitbreaker.CircuitBreaker[any]
	retry   retrypolicy.RetryPolicy[answer]
	meter   *meter
}

// New makes a client. Its error names everything that is wrong with the configuration.
func New(config Config) (*Client, error) {
	if err := config.Check(); err != nil {
		return nil, err
	}
	c := &Client{config: config.withDefaults(), base: strings.TrimRight(config.URL, "/"), meter: newMeter()}
	if u, err := url.Parse(config.URL); err == nil && u.Scheme == "http" && !loopback(u.Hostname()) {
		c.config.Log.Warn("The platform's address is not https: the API token crosses the network in the clear.", "host",
			u.Host)
	}
	c.safe, c.list = c.httpClient(true, c.config.HeaderTimeout), c.httpClient(true, c.config.ListTimeout)
	c.once = c.httpClient(false, c.config.HeaderTimeout)
	c.breaker = circuitbreaker.NewBuilder[any]().
		WithFailureThreshold(c.config.BreakerFailures).WithSuccessThreshold(1).
		WithDelay(c.config.BreakerDelay).WithJitterFactor(0.1).
		OnStateChanged(func(e circuitbreaker.StateChangedEvent) {
			c.config.Log.Warn("The circuit to the platform has changed.", "from", e.OldState.String(), "to",
				e.NewState.String())
		}).Build()
	c.retry = retrypolicy.NewBuilder[answer]().
		WithMaxAttempts(c.config.Attempts).
		WithBackoff(c.config.Backoff, max(20*c.config.Backoff, c.config.Backoff+1)).WithJitterFactor(0.3).
		HandleIf(func(_ answer, err error) bool { return worthRepeating(err) }).
		ReturnLastFailure().Build()
	return c, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// httpClient makes a client that follows no redirect: it would carry the token to wherever the answer says.
func (c *Client) httpClient(reuse bool, header time.Duration) *http.Client {
	transport := &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: c.config.ConnectTimeout}).DialContext,
		TLSHandshakeTimeout:   c.config.TLSTimeout,
		TLSClientConfig:       &tls.Config{MinVersion: tls.VersionTLS12},
		ResponseHeaderTimeout: header,
		IdleConnTimeout:       30 * time.Second,
		MaxIdleConnsPerHost:   4,
		DisableKeepAlives:     !reuse,
	}
	return &http.Client{Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// worthRepeating reports whether another attempt may succeed.
func worthRepeating(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Kind {
	case Timeout, Connection, Unreadable:
		return true
	case Status:
		return e.Status >= 500 || e.Status == http.StatusTooManyRequests || e.Status == http.StatusRequestTimeout
	}
	return false
}

// Ready reports whether calls are sent now. While it is false a grant is not even tried, and Probe may find out whether the
// platform is back.
func (c *Client) Ready() bool { return c.breaker.IsClosed() }

// Probe asks a platform that has failed for its games, which changes nothing, as soon as that is due again, and returns nil
// when calls are sent again.
func (c *Client) Probe(ctx context.Context, call Call) error {
	if c.Ready() {
		return nil
	}
	_, err := c.guarded(ctx, c.request(CallGameList, c.config.SignGameList))
	if !c.Ready() {
		var e *Error
		if errors.As(err, &e) && e.Kind == Cancelled {
			return err
		}
		return &Error{Call: call, Kind: CircuitOpen, Known: true,
			Message: "the platform has failed several times and is left alone for a while; nothing was sent"}
	}
	return nil
}

// GameList is the platform's list of games.
type GameList struct {
	Games    []models.OfferedGame // each ID once
	Unusable int                  // entries without a usable ID, or with one that came before
	Latency  time.Duration
}

// GameList asks for the games (Platform API rule 1). Errors are of type *Error.
func (c *Client) GameList(ctx context.Context) (GameList, error) {
	a, err := c.repeated(ctx, c.request(CallGameList, c.config.SignGameList))
	if err != nil {
		return GameList{}, err
	}
	list := GameList{Latency: a.latency}
	seen := make(map[models.GameID]bool, len(a.Games))
	for _, raw := range a.Games {
		var g struct{ GameID, GameName, GameType, Provider, Thumbnail text }
		if err := json.Unmarshal(raw, &g); err != nil {
			list.Unusable++
			continue
		}
		game, err := models.NewOfferedGame(string(g.GameID), string(g.GameName), string(g.GameType), string(g.Provider),
			string(g.Thumbnail))
		if err != nil || seen[game.GameID] {
			list.Unusable++
			continue
		}
		seen[game.GameID] = true
		list.Games = append(list.Games, game)
	}
	return list, nil
}

// UserAuth is what opens a game.
type UserAuth struct {
	UserID   models.UserID
	GameID   models.GameID
	Language string
	Currency models.Currency // the wallet's; sent only where the configuration says so
}

// SendsCurrency reports whether UserAuth sends the currency.
func (c *Client) SendsCurrency() bool { return c.config.SendCurrency }

// GameSession is an opened game.
type GameSession struct {
	GameURL string // http or https; short-lived, and whoever has it plays
	Latency time.Duration
}

// UserAuth opens a game for a player (rule 2). Errors are of type *Error.
func (c *Client) UserAuth(ctx context.Context, u UserAuth) (GameSession, error) {
	fields := []field{{wire.FieldUserID, string(u.UserID)}, {fieldGameID, string(u.GameID)}, {fieldLanguage, u.Language}}
	if c.config.SendCurrency {
		fields = append(fields, field{fieldCurrency, string(u.Currency)})
	}
	for name, value := range c.config.UserAuthFields {
		fields = append(fields, field{name, value})
	}
	a, err := c.repeated(ctx, c.request(CallUserAuth, c.config.SignUserAuth, fields...))
	if err != nil {
		return GameSession{}, err
	}
	return GameSession{GameURL: string(a.GameURL), Latency: a.latency}, nil
}

// Assigned is a grant that the platform gave.
type Assigned struct {
	FreeSpinID models.FreeSpinID
	Latency    time.Duration
	Raw        string
}

// AssignFreeSpin grants free spins (rule 6). It is sent at most once, and whoever gives up in the meantime does not stop it:
// only the platform's answer, or the time-out, ends it. Errors are of type *Error; where Known is false, the spins may have
// been granted.
func (c *Client) AssignFreeSpin(ctx context.Context, user models.UserID, game models.GameID, spins int64) (Assigned, error) {
	if err := c.Probe(ctx, CallAssignFreeSpin); err != nil {
		c.meter.notSent(err)
		return Assigned{}, err
	}
	r := c.request(CallAssignFreeSpin, []string{wire.FieldAgentID, wire.FieldUserID, fieldGameID, fieldSpinCount},
		field{wire.FieldUserID, string(user)}, field{fieldGameID, string(game)}, field{fieldSpinCount, spins})
	a, err := c.send(context.WithoutCancel(ctx), r)
	c.note(err)
	if err != nil {
		return Assigned{}, err
	}
	return Assigned{FreeSpinID: models.FreeSpinID(a.FreeSpinID), Latency: a.latency, Raw: keep(a.raw)}, nil
}

// FreeSpinStatus is what the platform says of a grant. Counts that it does not give are models.NoCount.
type FreeSpinStatus struct {
	Status  string // active, completed, expired, or a word that the specification does not know
	Total   int64
	Used    int64
	Left    int64
	Latency time.Duration
	Raw     string
}

// FreeSpinStatus asks for a grant (rule 7). Errors are of type *Error.
func (c *Client) FreeSpinStatus(ctx context.Context, id models.FreeSpinID) (FreeSpinStatus, error) {
	a, err := c.repeated(ctx,
		c.request(CallFreeSpinStatus, []string{wire.FieldAgentID, fieldFreeSpinID}, field{fieldFreeSpinID, string(id)}))
	if err != nil {
		return FreeSpinStatus{}, err
	}
	s := FreeSpinStatus{
		Status: printable(string(a.Status), 64), Latency: a.latency, Raw: keep(a.raw),
		Total: first(a.TotalSpins, a.Total, a.SpinsTotal), Used: first(a.UsedSpins, a.Used, a.SpinsUsed),
		Left: first(a.RemainingSpins, a.Remaining, a.SpinsRemaining),
	}
	if s.Total != models.NoCount && s.Used == models.NoCount && s.Left != models.NoCount {
		s.Used = s.Total - s.Left
	}
	return s, nil
}

func first(counts ...*count) int64 {
	for _, c := range counts {
		if c != nil {
			return int64(*c)
		}
	}
	return models.NoCount
}

// Requests.

type field struct {
	name  string
	value any // a string, or a whole number
}

type request struct {
	call    Call
	body    []byte
	sign    string
	timeout time.Duration
}

// request signs the values of the named fields, in order (specification, Authentication 4 and 5), and writes the body.
func (c *Client) request(call Call, signed []string, fields ...field) request {
	body := map[string]any{fieldAPIToken: c.config.APIToken, wire.FieldAgentID: c.config.AgentID}
	for _, f := range fields {
		body[f.name] = f.value
	}
	values := make([]string, len(signed))
	for i, name := range signed {
		switch v := body[name].(type) {
		case string:
			values[i] = v
		case int64:
			values[i] = strconv.FormatInt(v, 10)
		}
	}
	sign := wire.Sign(c.config.SecretKey, values...)
	body[wire.FieldSign] = sign
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // what is signed is what the bytes say, whoever reads them
	e.Encode(body)         // strings and numbers: it cannot fail
	r := request{call: call, sign: sign, body: bytes.TrimSuffix(b.Bytes(), []byte("\n")), timeout: c.config.Timeout}
	if call == CallGameList {
		r.timeout = c.config.ListTimeout
	}
	return r
}

// repeated sends a request that changes nothing until it succeeds or is not worth repeating.
func (c *Client) repeated(ctx context.Context, r request) (answer, error) {
	a, err := failsafe.With(c.retry).WithContext(ctx).Get(func() (answer, error) { return c.guarded(ctx, r) })
	var e *Error
	if err != nil && !errors.As(err, &e) { // the context ended between two attempts
		err = &Error{Call: r.call, Kind: Cancelled, Known: true, Message: "nobody waits for the answer any more"}
	}
	return a, err
}

// guarded sends a request if the circuit lets it through.
func (c *Client) guarded(ctx context.Context, r request) (answer, error) {
	if !c.breaker.TryAcquirePermit() {
		err := &Error{Call: r.call, Kind: CircuitOpen, Known: true,
			Message: "the platform has failed several times and is left alone for a while"}
		c.meter.notSent(err)
		return answer{}, err
	}
	a, err := c.send(ctx, r)
	c.note(err)
	return a, err
}

// note tells the circuit how a call went. A refusal is an answer of a platform that works; one that nobody waited for says
// nothing, but has to give its permit back.
func (c *Client) note(err error) {
	var e *Error
	switch {
	case err == nil, errors.As(err, &e) && e.Kind == Refused:
		c.breaker.RecordSuccess()
	case errors.As(err, &e) && e.Kind == Status && e.Status < 500 && e.Status != http.StatusTooManyRequests:
		c.breaker.RecordSuccess()
	case errors.As(err, &e) && e.Kind == Cancelled && c.breaker.IsClosed():
	default:
		c.breaker.RecordFailure()
	}
}

// send makes one attempt.
func (c *Client) send(ctx context.Context, r request) (answer, error) {
	began := c.config.Now()
	ctx, span := otel.Tracer("pitboss/platform").Start(ctx, "platform "+r.call.label(),
		trace.WithSpanKind(trace.SpanKindClient))
	defer span.End()
	a, failure := c.exchange(ctx, r)
	a.latency = c.config.Now().Sub(began)
	c.meter.sent(r.call, failure, a.latency)
	if failure != nil {
		span.SetStatus(codes.Error, outcomes[failure.Kind])
		failure.Call, failure.Latency = r.call, a.latency
		failure.Raw, failure.Message = c.withoutSecrets(failure.Raw, r), c.withoutSecrets(failure.Message, r)
		if r.call == CallUserAuth && (failure.Kind != Refused || strings.Contains(failure.Raw, "://")) {
			failure.Raw = "" // what is there of an address may open the game
		}
		c.config.Log.LogAttrs(ctx, slog.LevelWarn, "A call of the platform failed.", slog.String("call", string(r.call)),
			slog.String("reason", failure.Reason()), slog.Bool("outcome_known", failure.Known),
			slog.Duration("latency", a.latency))
		return answer{}, failure
	}
	a.raw = []byte(c.withoutSecrets(string(a.raw), r))
	c.config.Log.LogAttrs(ctx, slog.LevelDebug, "A call of the platform succeeded.", slog.String("call", string(r.call)),
		slog.Duration("latency", a.latency))
	return a, nil
}

// withoutSecrets takes out what we sent in confidence, should the platform ever echo it.
func (c *Client) withoutSecrets(s string, r request) string {
	for _, secret := range []string{c.config.APIToken, c.config.SecretKey, r.sign} {
		s = strings.ReplaceAll(s, secret, "***")
	}
	return s
}

func (c *Client) exchange(ctx context.Context, r request) (answer, *Error) {
	attempt, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	var connected atomic.Bool
	client := c.safe
	switch r.call {
	case CallGameList:
		client = c.list
	case CallAssignFreeSpin:
		client = c.once
	}
	traced := httptrace.WithClientTrace(attempt,
		&httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }})
	post, err := http.NewRequestWithContext(traced, http.MethodPost, c.base+string(r.call), bytes.NewReader(r.body))
	if err != nil {
		return answer{}, &Error{Kind: Connection, Known: true, Message: "the request could not be made"}
	}
	post.Header.Set("Content-Type", "application/json")
	post.Header.Set("Accept", "application/json")
	if r.call == CallAssignFreeSpin {
		post.GetBody = nil // without it the HTTP library cannot send the body a second time
	}
	response, err := client.Do(post)
	if err != nil {
		return answer{}, c.failure(ctx, attempt, err, !connected.Load())
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(response.Body, c.config.MaxAnswer+1))
	if response.StatusCode != http.StatusOK {
		return answer{}, &Error{Kind: Status, Status: response.StatusCode, Raw: keep(raw),
			Known: surelyRefused(response.StatusCode)}
	}
	if err != nil {
		f := c.failure(ctx, attempt, err, false)
		f.Raw = keep(raw)
		return answer{}, f
	}
	if int64(len(raw)) > c.config.MaxAnswer {
		return answer{}, &Error{Kind: Unreadable,
			Message: "it is larger than " + strconv.FormatInt(c.config.MaxAnswer, 10) + " bytes"}
	}
	return read(r.call, raw)
}

// surelyRefused reports statuses by which a server says that it did not do what was asked. Of all others one in between may
// have spoken while the platform did it.
func surelyRefused(status int) bool {
	return status >= 400 && status < 500 && status != http.StatusRequestTimeout && status != http.StatusConflict &&
		status != 499
}

// failure classifies what ended an attempt without an answer.
func (c *Client) failure(asked, attempt context.Context, err error, unsent bool) *Error {
	e := &Error{Kind: Connection, Known: unsent}
	var network net.Error
	switch {
	case asked.Err() != nil && !errors.Is(asked.Err(), context.DeadlineExceeded):
		e.Kind, e.Message = Cancelled, "nobody waits for the answer any more"
	case attempt.Err() != nil, errors.As(err, &network) && network.Timeout():
		e.Kind = Timeout
	default:
		var u *url.Error
		if errors.As(err, &u) { // its text would hold the address
			err = u.Err
		}
		e.Message = printable(err.Error(), maxMessage)
	}
	return e
}

// Answers.

// answer is any answer; the fields that a call has are checked by read. Optional ones are taken in every spelling that is
// known.
type answer struct {
	Result         *result
	Message        text
	Games          []json.RawMessage
	GameURL        text
	FreeSpinID     text
	Status         text
	TotalSpins     *count
	Total          *count
	SpinsTotal     *count
	UsedSpins      *count
	Used           *count
	SpinsUsed      *count
	RemainingSpins *count
	Remaining      *count
	SpinsRemaining *count

	raw     []byte
	latency time.Duration
}

// result is a whole number, also one written as a string.
type result int64

// UnmarshalJSON reads the number, or fails: without it nobody knows what an answer means.
func (r *result) UnmarshalJSON(b []byte) error {
	n, err := strconv.ParseInt(strings.Trim(string(b), `"`), 10, 32)
	*r = result(n)
	return err
}

// count is a whole number from 0, also one written as a string; anything else is models.NoCount.
type count int64

// UnmarshalJSON reads the number.
func (c *count) UnmarshalJSON(b []byte) error {
	n, err := strconv.ParseUint(strings.Trim(string(b), `"`), 10, 31)
	if *c = count(n); err != nil {
		*c = models.NoCount
	}
	return nil
}

// text is a string, also one written as a number; anything else is the empty one.
type text string

// UnmarshalJSON reads the string.
func (t *text) UnmarshalJSON(b []byte) error {
	switch {
	case b[0] == '"':
		return json.Unmarshal(b, (*string)(t))
	case b[0] == '-' || b[0] >= '0' && b[0] <= '9':
		*t = text(b)
	}
	return nil
}

// read takes a whole answer apart. Only an answer whose result and needed field agree is one; everything else is unreadable, so
// that a grant behind it stays unknown.
func read(call Call, raw []byte) (answer, *Error) {
	unreadable := func(why string) (answer, *Error) {
		return answer{}, &Error{Kind: Unreadable, Message: why, Raw: keep(raw)}
	}
	if !utf8.Valid(raw) {
		return unreadable("it is not UTF-8")
	}
	a := answer{raw: raw}
	if err := json.Unmarshal(raw, &a); err != nil {
		return unreadable("it is not the JSON that the specification describes")
	}
	gave := map[Call]bool{
		CallGameList: a.Games != nil, CallUserAuth: a.GameURL != "", CallAssignFreeSpin: a.FreeSpinID != "",
		CallFreeSpinStatus: a.Status != "",
	}[call]
	if a.Result != nil && *a.Result != result(wire.Success) {
		if call == CallAssignFreeSpin && gave {
			return unreadable("it refuses and names a free-spin ID")
		}
		return answer{}, &Error{Kind: Refused, Result: int(*a.Result), Message: printable(string(a.Message), maxMessage),
			Known: true, Raw: keep(raw)}
	}
	// The specification names no result in the answers of the free-spin calls, and one in those of the others.
	if a.Result == nil && (call == CallGameList || call == CallUserAuth) {
		return unreadable("it has no result")
	}
	if !gave {
		return unreadable("it lacks " +
			map[Call]string{CallGameList: "games", CallUserAuth: "gameURL", CallAssignFreeSpin: "freeSpinID",
				CallFreeSpinStatus: "status"}[call])
	}
	switch call {
	case CallUserAuth:
		u, err := url.Parse(string(a.GameURL))
		if err != nil || !slices.Contains([]string{"http", "https"}, u.Scheme) || u.Host == "" {
			a, e := unreadable("gameURL is not an http or https address")
			e.Raw = "" // it may open the game all the same
			return a, e
		}
	case CallAssignFreeSpin:
		if models.CheckID(string(a.FreeSpinID)) != nil {
			return unreadable("freeSpinID cannot be an ID")
		}
	}
	return a, nil
}
