// Package platform calls the game platform: the four calls of its API (specification, Platform API).
//
// Error explains what a failure means. Three of the calls change nothing and are retried. /assignFreeSpin is sent once, on a
// connection of its own, so that neither Pitboss nor the HTTP library can send it twice. Its outcome is known in two cases: the
// platform gave a complete, readable answer, or the request cannot have reached it. Each call has its own circuit, which opens
// after several consecutive failures: the call then fails immediately, and every few seconds one attempt tests whether the
// platform is back. In place of a grant, a harmless call is the test.
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
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/retrypolicy"

	"pitboss/callbacks/wire"
	"pitboss/models"
)

// Client calls a platform. It is safe for concurrent use.
type Client struct {
	config   Config
	base     string
	safe     *http.Client // for calls that may be retried
	once     *http.Client // for grants: a new connection for each
	circuits map[Call]circuitbreaker.CircuitBreaker[any]
	retry    retrypolicy.RetryPolicy[answer]
	meter    *meter
}

// New returns a client. Its error lists every problem of the configuration.
func New(config Config) (*Client, error) {
	if err := config.Check(); err != nil {
		return nil, err
	}
	c := &Client{config: config.withDefaults(), base: strings.TrimRight(config.URL, "/"), meter: newMeter(),
		circuits: map[Call]circuitbreaker.CircuitBreaker[any]{}}
	c.safe, c.once = httpClient(true), httpClient(false)
	for _, call := range calls {
		c.circuits[call] = circuitbreaker.NewBuilder[any]().
			WithFailureThreshold(c.config.BreakerFailures).WithSuccessThreshold(1).
			WithDelay(c.config.BreakerDelay).WithJitterFactor(0.1).
			OnStateChanged(func(e circuitbreaker.StateChangedEvent) {
				c.config.Log.Warn("The circuit of a call to the platform has changed.", "call", string(call),
					"from", e.OldState.String(), "to", e.NewState.String())
			}).Build()
	}
	c.retry = retrypolicy.NewBuilder[answer]().
		WithMaxAttempts(c.config.Attempts).
		WithBackoff(c.config.Backoff, max(20*c.config.Backoff, c.config.Backoff+1)).WithJitterFactor(0.3).
		HandleIf(func(_ answer, err error) bool { return worthRepeating(err) }).
		ReturnLastFailure().Build()
	return c, nil
}

// httpClient returns a client that does not follow redirects, which could send the token anywhere.
func httpClient(reuse bool) *http.Client {
	transport := &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: connectTimeout}).DialContext,
		TLSHandshakeTimeout: connectTimeout,
		TLSClientConfig:     &tls.Config{MinVersion: tls.VersionTLS12},
		IdleConnTimeout:     30 * time.Second,
		MaxIdleConnsPerHost: 4,
		DisableKeepAlives:   !reuse,
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

// Paused returns the calls whose circuits are open.
func (c *Client) Paused() (paused []Call) {
	for _, call := range calls {
		if !c.circuits[call].IsClosed() {
			paused = append(paused, call)
		}
	}
	return paused
}

// Probe returns nil if grants are sent. If their circuit is open, it gets the games in place of a grant as soon as the next
// test is due, because that changes nothing: the circuit closes if the platform answers.
func (c *Client) Probe(ctx context.Context) error {
	circuit := c.circuits[CallAssignFreeSpin]
	if circuit.IsClosed() {
		return nil
	}
	if !circuit.TryAcquirePermit() {
		return circuitOpen(CallAssignFreeSpin)
	}
	_, err := c.send(ctx, c.request(CallGameList, c.config.SignGameList))
	c.note(CallAssignFreeSpin, err)
	if err == nil || circuit.IsClosed() {
		return nil
	}
	var e *Error
	if errors.As(err, &e) && e.Kind == Cancelled {
		return err
	}
	return circuitOpen(CallAssignFreeSpin)
}

func circuitOpen(call Call) error {
	return &Error{Call: call, Kind: CircuitOpen, Known: true,
		Message: "this call has failed several times in a row, so nothing was sent; it is tried again in a few seconds"}
}

// GameList is the platform's list of games.
type GameList struct {
	Games    []models.OfferedGame // with distinct IDs
	Unusable int                  // entries with an invalid or repeated ID
	Latency  time.Duration
}

// GameList gets the games (Platform API rule 1). Errors are of type *Error.
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

// UserAuth is a request to open a game.
type UserAuth struct {
	UserID   models.UserID
	GameID   models.GameID
	Language string
	Currency models.Currency // the wallet's; only sent if Config.SendCurrency is true
}

// SendsCurrency reports whether UserAuth sends the currency.
func (c *Client) SendsCurrency() bool { return c.config.SendCurrency }

// GameSession is an opened game.
type GameSession struct {
	GameURL string // http or https; valid for a short time, and anybody with it can play
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

// Assigned is a grant made by the platform.
type Assigned struct {
	FreeSpinID models.FreeSpinID
	Latency    time.Duration
	Raw        string
}

// AssignFreeSpin grants free spins (rule 6). It is sent at most once, and a canceled ctx does not stop it: only the platform's
// answer or the timeout ends it. Errors are of type *Error; if Known is false, the spins may have been granted.
func (c *Client) AssignFreeSpin(ctx context.Context, user models.UserID, game models.GameID, spins int64) (Assigned, error) {
	if err := c.Probe(ctx); err != nil {
		c.meter.notSent(err)
		return Assigned{}, err
	}
	r := c.request(CallAssignFreeSpin, []string{wire.FieldAgentID, wire.FieldUserID, fieldGameID, fieldSpinCount},
		field{wire.FieldUserID, string(user)}, field{fieldGameID, string(game)}, field{fieldSpinCount, spins})
	a, err := c.send(context.WithoutCancel(ctx), r)
	c.note(r.call, err)
	if err != nil {
		return Assigned{}, err
	}
	return Assigned{FreeSpinID: models.FreeSpinID(a.FreeSpinID), Latency: a.latency, Raw: keep(a.raw)}, nil
}

// FreeSpinStatus is the platform's information about a grant. Missing counts are models.NoCount.
type FreeSpinStatus struct {
	Status  string // active, completed, expired, or a word that is not in the specification
	Total   int64
	Used    int64
	Left    int64
	Latency time.Duration
	Raw     string
}

// FreeSpinStatus gets the state of a grant (rule 7). Errors are of type *Error.
func (c *Client) FreeSpinStatus(ctx context.Context, id models.FreeSpinID) (FreeSpinStatus, error) {
	a, err := c.repeated(ctx,
		c.request(CallFreeSpinStatus, []string{wire.FieldAgentID, fieldFreeSpinID}, field{fieldFreeSpinID, string(id)}))
	if err != nil {
		return FreeSpinStatus{}, err
	}
	s := FreeSpinStatus{
		Status: printable(string(a.Status), 64), Latency: a.latency, Raw: keep(a.raw),
		Total: int64(a.TotalSpins), Used: int64(a.UsedSpins), Left: int64(a.RemainingSpins),
	}
	if s.Total != models.NoCount && s.Used == models.NoCount && s.Left != models.NoCount {
		s.Used = s.Total - s.Left
	}
	return s, nil
}

// Requests.

type field struct {
	name  string
	value any // a string, or a whole number
}

type request struct {
	call    Call
	body    []byte
	secrets *regexp.Regexp // to remove from the answer: the token, the key and the signature
	timeout time.Duration
}

// request signs the values of the named fields, in order (specification, Authentication 4 and 5), and encodes the body.
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
	e.SetEscapeHTML(false) // so that the body has exactly the signed values
	e.Encode(body)         // strings and numbers: it cannot fail
	r := request{call: call, body: bytes.TrimSuffix(b.Bytes(), []byte("\n")), timeout: c.config.Timeout,
		secrets: anyNotation(c.config.APIToken, c.config.SecretKey, sign)}
	if call == CallGameList {
		r.timeout = listTimeout
	}
	return r
}

// repeated sends a request that changes nothing, and retries it while that may help.
func (c *Client) repeated(ctx context.Context, r request) (answer, error) {
	a, err := failsafe.With(c.retry).WithContext(ctx).Get(func() (answer, error) { return c.guarded(ctx, r) })
	var e *Error
	if err != nil && !errors.As(err, &e) { // the context ended between two attempts
		err = &Error{Call: r.call, Kind: Cancelled, Known: true, Message: "request canceled"}
	}
	return a, err
}

// guarded sends a request if the call's circuit allows it.
func (c *Client) guarded(ctx context.Context, r request) (answer, error) {
	if !c.circuits[r.call].TryAcquirePermit() {
		err := circuitOpen(r.call)
		c.meter.notSent(err)
		return answer{}, err
	}
	a, err := c.send(ctx, r)
	c.note(r.call, err)
	return a, err
}

// note tells the circuit of a call whether the platform works. A refusal shows that it does. A canceled call shows nothing, but
// its permit has to be released.
func (c *Client) note(call Call, err error) {
	circuit := c.circuits[call]
	var e *Error
	switch {
	case err == nil, errors.As(err, &e) && e.Kind == Refused:
		circuit.RecordSuccess()
	case errors.As(err, &e) && e.Kind == Status && e.Status < 500 && e.Status != http.StatusTooManyRequests:
		circuit.RecordSuccess()
	case errors.As(err, &e) && e.Kind == Cancelled && circuit.IsClosed():
	default:
		circuit.RecordFailure()
	}
}

// send makes one attempt.
func (c *Client) send(ctx context.Context, r request) (answer, error) {
	began := c.config.Now()
	a, failure := c.exchange(ctx, r)
	a.latency = c.config.Now().Sub(began)
	c.meter.sent(r.call, failure, a.latency)
	if failure != nil {
		failure.Call, failure.Latency = r.call, a.latency
		if r.call == CallUserAuth && (failure.Kind != Refused || strings.Contains(failure.Raw, "://")) {
			failure.Raw = "" // it may contain a usable game URL
		}
		c.config.Log.LogAttrs(ctx, slog.LevelWarn, "A call to the platform failed.", slog.String("call", string(r.call)),
			slog.String("reason", failure.Reason()), slog.Bool("outcome_known", failure.Known),
			slog.Duration("latency", a.latency))
		return answer{}, failure
	}
	c.config.Log.LogAttrs(ctx, slog.LevelDebug, "A call to the platform succeeded.", slog.String("call", string(r.call)),
		slog.Duration("latency", a.latency))
	return a, nil
}

func (c *Client) exchange(ctx context.Context, r request) (answer, *Error) {
	attempt, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	var connected atomic.Bool
	client := c.safe
	if r.call == CallAssignFreeSpin {
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
		post.GetBody = nil // so that the HTTP library cannot send the body again
	}
	response, err := client.Do(post)
	if err != nil {
		return answer{}, r.failure(ctx, attempt, err, !connected.Load())
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(response.Body, c.config.MaxAnswer+1))
	large := int64(len(raw)) > c.config.MaxAnswer
	if large {
		raw = nil // nobody sees it, and searching it for secrets would take seconds
	}
	raw = r.secrets.ReplaceAllLiteral(raw, redacted) // before anything is decoded or shortened
	if response.StatusCode != http.StatusOK {
		return answer{}, &Error{Kind: Status, Status: response.StatusCode, Raw: keep(raw),
			Known: surelyRefused(response.StatusCode)}
	}
	if err != nil {
		f := r.failure(ctx, attempt, err, false)
		f.Raw = keep(raw)
		return answer{}, f
	}
	if large {
		return answer{}, &Error{Kind: Unreadable,
			Message: "it is larger than " + strconv.FormatInt(c.config.MaxAnswer, 10) + " bytes"}
	}
	return read(r.call, raw)
}

// surelyRefused reports whether a status proves that the call had no effect. Other statuses may come from a proxy after the
// platform has acted.
func surelyRefused(status int) bool {
	return status >= 400 && status < 500 && status != http.StatusRequestTimeout && status != http.StatusConflict &&
		status != 499
}

// failure returns the error for an attempt that ended without an answer.
func (r request) failure(asked, attempt context.Context, err error, unsent bool) *Error {
	e := &Error{Kind: Connection, Known: unsent}
	var network net.Error
	switch {
	case asked.Err() != nil && !errors.Is(asked.Err(), context.DeadlineExceeded):
		e.Kind, e.Message = Cancelled, "request canceled"
	case attempt.Err() != nil, errors.As(err, &network) && network.Timeout():
		e.Kind = Timeout
	default:
		var u *url.Error
		if errors.As(err, &u) { // its text would contain the URL
			err = u.Err
		}
		e.Message = printable(r.secrets.ReplaceAllLiteralString(err.Error(), string(redacted)), maxMessage)
	}
	return e
}

// Answers.

// answer is any answer. read checks the fields that a call requires.
type answer struct {
	Result         *result
	Message        text
	Games          []json.RawMessage
	GameURL        text
	FreeSpinID     text
	Status         text
	TotalSpins     count
	UsedSpins      count
	RemainingSpins count

	raw     []byte
	latency time.Duration
}

// result is a whole number, possibly written as a string.
type result int64

// UnmarshalJSON parses the number, or fails, because the answer has no meaning without it.
func (r *result) UnmarshalJSON(b []byte) error {
	n, err := strconv.ParseInt(strings.Trim(string(b), `"`), 10, 32)
	*r = result(n)
	return err
}

// count is a non-negative whole number, possibly written as a string; anything else is models.NoCount.
type count int64

// UnmarshalJSON reads the number.
func (c *count) UnmarshalJSON(b []byte) error {
	n, err := strconv.ParseUint(strings.Trim(string(b), `"`), 10, 31)
	if *c = count(n); err != nil {
		*c = models.NoCount
	}
	return nil
}

// text is a string, possibly written as a number; anything else is empty.
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

// read decodes a complete answer. It is only valid if the result and the required field agree; everything else is unreadable,
// so that the outcome of a grant stays unknown.
func read(call Call, raw []byte) (answer, *Error) {
	unreadable := func(why string) (answer, *Error) {
		return answer{}, &Error{Kind: Unreadable, Message: why, Raw: keep(raw)}
	}
	if !utf8.Valid(raw) {
		return unreadable("it is not UTF-8")
	}
	a := answer{raw: raw, TotalSpins: models.NoCount, UsedSpins: models.NoCount, RemainingSpins: models.NoCount}
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
	// By the specification, answers to the free-spin calls have no result, but answers to the other calls do.
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
			e.Raw = "" // it may still open the game
			return a, e
		}
	case CallAssignFreeSpin:
		if models.CheckID(string(a.FreeSpinID)) != nil {
			return unreadable("freeSpinID cannot be an ID")
		}
	}
	return a, nil
}
