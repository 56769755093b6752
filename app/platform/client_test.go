package platform_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/platform"
	"pitboss/callbacks/simulator"
	"pitboss/callbacks/wire"
	"pitboss/models"
)

const (
	agent  = "agent-1"
	token  = "token-of-the-tests"
	secret = "secret-of-the-tests"
)

// config is for a client that does not keep tests waiting.
func config(url string) platform.Config {
	return platform.Config{
		URL: url, AgentID: agent, APIToken: token, SecretKey: secret,
		Timeout: 5 * time.Second, Backoff: time.Millisecond, BreakerDelay: time.Hour,
	}
}

func newClient(t *testing.T, c platform.Config) *platform.Client {
	t.Helper()
	client, err := platform.New(c)
	require.NoError(t, err)
	return client
}

// simulated starts a platform as the specification describes it, which checks tokens and signatures with code of its own.
func simulated(t *testing.T) (*simulator.Simulator, string) {
	t.Helper()
	sim, err := simulator.New(simulator.Config{AgentID: agent, APIToken: token, SecretKey: secret,
		CallbackURL: "http://127.0.0.1:1", Games: 60})
	require.NoError(t, err)
	server := httptest.NewServer(sim.Handler())
	t.Cleanup(server.Close)
	return sim, server.URL
}

// stub starts a server that gives every request the same answer, and counts requests.
func stub(t *testing.T, handle http.HandlerFunc) (url string, calls *atomic.Int64) {
	t.Helper()
	calls = new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		handle(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, calls
}

func answering(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, body) }
}

func TestTheFourCallsAsThePlatformChecksThem(t *testing.T) {
	_, url := simulated(t)
	c := newClient(t, config(url))

	list, err := c.GameList(t.Context())
	require.NoError(t, err)
	require.Len(t, list.Games, 60)
	require.Zero(t, list.Unusable)
	game := list.Games[0].GameID

	session, err := c.UserAuth(t.Context(), platform.UserAuth{UserID: "anna", GameID: game, Language: "en", Currency: "EUR"})
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(session.GameURL, url+"/play/"))

	assigned, err := c.AssignFreeSpin(t.Context(), "anna", game, 20)
	require.NoError(t, err)
	require.NotEmpty(t, assigned.FreeSpinID)

	status, err := c.FreeSpinStatus(t.Context(), assigned.FreeSpinID)
	require.NoError(t, err)
	require.Equal(t, "active", status.Status)
	require.EqualValues(t, []int64{20, 0, 20}, []int64{status.Total, status.Used, status.Left})

	_, err = c.FreeSpinStatus(t.Context(), "no-such")
	var e *platform.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, platform.Refused, e.Kind)
	require.Equal(t, 8, e.Result)
	require.Contains(t, err.Error(), "/freeSpinStatus")
}

func TestWhatIsSentAndSigned(t *testing.T) {
	var body map[string]any
	url, _ := stub(t, func(w http.ResponseWriter, r *http.Request) {
		body = nil
		decoder := json.NewDecoder(r.Body)
		decoder.UseNumber()
		decoder.Decode(&body)
		io.WriteString(w, `{"result":0,"games":[],"gameURL":"https://play.example/x","freeSpinID":"f","status":"active"}`)
	})
	call := func(c platform.Config) {
		t.Helper()
		_, err := newClient(t, c).UserAuth(t.Context(),
			platform.UserAuth{UserID: "ännä<&>", GameID: "g1", Language: "de", Currency: "EUR"})
		require.NoError(t, err)
	}

	c := config(url)
	call(c)
	require.Equal(t, map[string]any{
		"apiToken": token, "agentID": agent, "userID": "ännä<&>", "gameID": "g1", "language": "de",
		"sign": wire.Sign(secret, agent, "ännä<&>", "g1"),
	}, body)

	c.SendCurrency = true
	c.UserAuthFields = map[string]string{"lobbyURL": "https://casino.example/"}
	c.SignUserAuth = []string{"userID", "currency", "lobbyURL", "language"}
	call(c)
	require.Equal(t, "EUR", body["currency"])
	require.Equal(t, "https://casino.example/", body["lobbyURL"])
	require.Equal(t, wire.Sign(secret, "ännä<&>", "EUR", "https://casino.example/", "de"), body["sign"])

	c = config(url + "/api/")
	c.SignGameList = []string{}
	_, err := newClient(t, c).GameList(t.Context())
	require.NoError(t, err)
	require.Equal(t, wire.Sign(secret), body["sign"])

	_, err = newClient(t, config(url)).AssignFreeSpin(t.Context(), "anna", "g1", 20)
	require.NoError(t, err)
	require.Equal(t, json.Number("20"), body["spinCount"])
	require.Equal(t, wire.Sign(secret, agent, "anna", "g1", "20"), body["sign"])
}

// failures are all the ways in which a call goes wrong.
var failures = []struct {
	name    string
	handle  http.HandlerFunc
	kind    platform.Kind
	known   bool // what it says about a grant
	repeats bool // whether a harmless call is tried again
	says    string
}{
	{"refused", answering(`{"result":2,"message":"no such game"}`), platform.Refused, true, false,
		"refused with result 2, no such game"},
	{"refused, written as text", answering(`{"result":"7"}`), platform.Refused, true, false, "refused with result 7"},
	{"refused in hostile words",
		answering("{\"result\":1,\"message\":\"\\u0007\\u202e<b>" + strings.Repeat("x", 5000) + "\"}"), platform.Refused, true,
		false, `\a\u202e<b>xxx`},
	{"status 500", status(500), platform.Status, false, true, "HTTP status 500"},
	{"status 502", status(502), platform.Status, false, true, "HTTP status 502"},
	{"status 404", status(404), platform.Status, true, false, "HTTP status 404"},
	{"status 408", status(408), platform.Status, false, true, "HTTP status 408"},
	{"status 204", status(204), platform.Status, false, false, "HTTP status 204"},
	{"a redirect is not followed", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	}, platform.Status, false, false, "HTTP status 307"},
	{"not JSON", answering("<html>We will be back</html>"), platform.Unreadable, false, true, "not the JSON"},
	{"half the JSON", answering(`{"result":0,"freeSp`), platform.Unreadable, false, true, "not the JSON"},
	{"an array", answering(`[]`), platform.Unreadable, false, true, "not the JSON"},
	{"not UTF-8", answering("{\"result\":0,\"message\":\"\xff\"}"), platform.Unreadable, false, true, "not UTF-8"},
	{"success without what was asked for", answering(`{"result":0}`), platform.Unreadable, false, true, "it lacks"},
	{"a result that is none", answering(`{"result":{},"freeSpinID":"f","gameURL":"https://x.example"}`), platform.Unreadable,
		false, true, "not the JSON"},
	{"too large", func(w http.ResponseWriter, r *http.Request) { w.Write(bytes.Repeat([]byte(" "), 1<<16)) },
		platform.Unreadable, false, true, "larger than 32768 bytes"},
	{"dropped", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, platform.Connection, false, true,
		"connection"},
	{"half an answer", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "100")
		io.WriteString(w, `{"result":0,`)
	}, platform.Connection, false, true, "connection"},
	{"no answer", func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}, platform.Timeout, false, true, "no answer within"},
	{"an answer that never ends", func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, `{"result":0,`)
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}, platform.Timeout, false, true, "no answer within"},
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(code)
		io.WriteString(w, `{"result":0,"freeSpinID":"f","gameURL":"https://x.example/secret-address"}`)
	}
}

func TestFailures(t *testing.T) {
	for _, f := range failures {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			url, calls := stub(t, f.handle)
			var log bytes.Buffer
			c := config(url)
			c.MaxAnswer, c.BreakerFailures = 1<<15, 100
			c.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			if f.kind == platform.Timeout {
				c.Timeout = time.Second
			}
			client := newClient(t, c)

			var e *platform.Error
			_, err := client.AssignFreeSpin(t.Context(), "anna", "g1", 5)
			require.ErrorAs(t, err, &e)
			require.EqualValues(t, 1, calls.Load(), "a grant is sent once")
			require.Equal(t, platform.CallAssignFreeSpin, e.Call)
			require.Equal(t, f.kind, e.Kind)
			require.Equal(t, f.known, e.Known)
			require.Contains(t, err.Error(), f.says)
			require.Equal(t, !f.known, strings.Contains(e.GrantWords(), "may or may not have been granted"))
			require.Less(t, len([]rune(e.Message)), 400)

			calls.Store(0)
			_, err = client.UserAuth(t.Context(), platform.UserAuth{UserID: "anna", GameID: "g1", Language: "en"})
			require.ErrorAs(t, err, &e)
			require.Equal(t, f.kind, e.Kind)
			require.NotContains(t, e.Raw, "secret-address", "anybody who reads it could play")
			want := int64(1)
			if f.repeats {
				want = 3
			}
			require.Equal(t, want, calls.Load(), "attempts of a harmless call")

			for _, text := range []string{log.String(), e.Error(), e.Raw} {
				require.NotContains(t, text, token)
				require.NotContains(t, text, secret)
			}
		})
	}
}

func TestNothingSentIsKnown(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := listener.Addr().String()
	listener.Close()
	_, err = newClient(t, config("http://"+address)).AssignFreeSpin(t.Context(), "anna", "g1", 5)
	var e *platform.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, platform.Connection, e.Kind)
	require.True(t, e.Known, "nothing listens there")
}

func TestWhoGivesUpDoesNotStopAGrant(t *testing.T) {
	arrived, go1 := make(chan struct{}), make(chan struct{})
	url, _ := stub(t, func(w http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-go1
		io.WriteString(w, `{"freeSpinID":"f-1"}`)
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-arrived
		cancel()
		close(go1)
	}()
	a, err := newClient(t, config(url)).AssignFreeSpin(ctx, "anna", "g1", 5)
	require.NoError(t, err)
	require.EqualValues(t, "f-1", a.FreeSpinID, "the specification's example has no result")
}

// A platform repeats what it was sent, in any notation. What staff may see of its answer has neither token, key nor signature,
// also after it has been decoded.
func TestAttackEchoedSecrets(t *testing.T) {
	const token, secret = `t0k/en+"<&>ü=`, "s3cr/et"
	sign := wire.Sign(secret, agent, "anna", "g1", "5") + wire.Sign(secret, agent, "f")
	var escaped, named strings.Builder
	for _, r := range token + secret + sign {
		fmt.Fprintf(&escaped, `\u%04X`, r)
		fmt.Fprintf(&named, `&#x%X;`, r)
	}
	quoted, _ := json.Marshal(token + secret + sign)
	plain := string(quoted[1 : len(quoted)-1])
	solidus := strings.ReplaceAll(plain, "/", `\/`)
	twice, _ := json.Marshal(solidus)
	for name, echo := range map[string]string{
		"as JSON": plain, "solidus": solidus, "every character": escaped.String(), "JSON in JSON": string(twice[1 : len(twice)-1]),
		"HTML": html.EscapeString(token) + secret + sign, "HTML by number": named.String(),
		"address": url.QueryEscape(token + secret + sign), "address twice": url.QueryEscape(url.QueryEscape(token + secret + sign)),
		"at the cut": strings.Repeat("x", 4096-len(plain)+10) + plain, "at the message's cut": strings.Repeat("x", 295) + plain,
	} {
		for _, body := range []string{`{"result":1,"message":"` + echo + `"}`, `{"result":0,"status":"` + echo + `"}`,
			`{"result":0,"freeSpinID":"` + echo + `"}`, echo} {
			at, _ := stub(t, answering(body))
			c := config(at)
			c.APIToken, c.SecretKey, c.BreakerFailures = token, secret, 100
			client := newClient(t, c)
			given, err := client.AssignFreeSpin(t.Context(), "anna", "g1", 5)
			texts := []string{given.Raw, string(given.FreeSpinID)}
			signs := map[bool]string{true: sign[:len(sign)/2], false: sign[len(sign)/2:]}
			var e *platform.Error
			if errors.As(err, &e) {
				texts = append(texts, e.Error(), e.Raw, e.Message)
			}
			granting := len(texts)
			is, err := client.FreeSpinStatus(t.Context(), "f")
			texts = append(texts, is.Raw, is.Status)
			if errors.As(err, &e) {
				texts = append(texts, e.Error(), e.Raw, e.Message)
			}
			for i, text := range texts {
				decoded := text
				for range 3 {
					var once string
					if json.Unmarshal([]byte(`"`+decoded+`"`), &once) == nil {
						decoded = once
					}
					decoded = html.UnescapeString(strings.ReplaceAll(decoded, `\/`, "/"))
					if once, err := url.QueryUnescape(decoded); err == nil {
						decoded = once
					}
				}
				for _, secret := range []string{token, token[:6], secret, signs[i < granting]} {
					require.NotContains(t, text, secret, name+": "+body)
					require.NotContains(t, decoded, secret, name+": "+body)
				}
			}
		}
	}
}

// Failures of one call do not stop the others.
func TestEachCallHasACircuit(t *testing.T) {
	at, _ := stub(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == string(platform.CallFreeSpinStatus) {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		io.WriteString(w, `{"result":0,"freeSpinID":"f","games":[],"gameURL":"https://game.example/x"}`)
	})
	client := newClient(t, config(at))
	for range 3 {
		_, err := client.FreeSpinStatus(t.Context(), "f")
		require.Error(t, err)
	}
	require.Equal(t, []platform.Call{platform.CallFreeSpinStatus}, client.Paused())
	_, err := client.GameList(t.Context())
	require.NoError(t, err)
	_, err = client.UserAuth(t.Context(), platform.UserAuth{UserID: "anna", GameID: "g1", Language: "en"})
	require.NoError(t, err)
	_, err = client.AssignFreeSpin(t.Context(), "anna", "g1", 5)
	require.NoError(t, err)
}

func TestACallerWhoGivesUp(t *testing.T) {
	url, _ := stub(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	client := newClient(t, config(url))
	_, err := client.GameList(ctx)
	var e *platform.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, platform.Cancelled, e.Kind)
	require.Empty(t, client.Paused(), "this failure says nothing about the platform")
}

func TestTheCircuit(t *testing.T) {
	var healthy atomic.Bool
	var seen atomic.Value
	url, calls := stub(t, func(w http.ResponseWriter, r *http.Request) {
		seen.Store(r.URL.Path)
		if !healthy.Load() {
			w.WriteHeader(503)
			return
		}
		io.WriteString(w, `{"result":0,"freeSpinID":"f","games":[{"gameID":"g1"}]}`)
	})
	c := config(url)
	c.BreakerFailures, c.BreakerDelay = 2, time.Millisecond
	client := newClient(t, c)
	for range 2 {
		_, err := client.AssignFreeSpin(t.Context(), "anna", "g1", 5)
		require.Error(t, err)
	}
	require.Equal(t, []platform.Call{platform.CallAssignFreeSpin}, client.Paused())

	// Now only harmless calls go out, and a grant is refused without being sent.
	calls.Store(0)
	var e *platform.Error
	require.Eventually(t, func() bool {
		_, err := client.AssignFreeSpin(t.Context(), "anna", "g1", 5)
		require.ErrorAs(t, err, &e)
		require.Equal(t, platform.CircuitOpen, e.Kind)
		require.Equal(t, platform.CallAssignFreeSpin, e.Call)
		require.True(t, e.Known)
		return calls.Load() > 0
	}, time.Minute, time.Millisecond, "somebody has to find out")
	require.Equal(t, "/gameList", seen.Load())

	healthy.Store(true)
	require.Eventually(t, func() bool {
		_, err := client.AssignFreeSpin(t.Context(), "anna", "g1", 5)
		return err == nil
	}, time.Minute, time.Millisecond)
	require.Empty(t, client.Paused())
	require.Equal(t, "/assignFreeSpin", seen.Load())

	_, err := newClient(t, config(url)).UserAuth(t.Context(), platform.UserAuth{})
	require.ErrorAs(t, err, &e)
	require.Equal(t, platform.Unreadable, e.Kind)
}

func TestRefusalsLeaveTheCircuitClosed(t *testing.T) {
	url, _ := stub(t, answering(`{"result":1}`))
	c := config(url)
	c.BreakerFailures = 2
	client := newClient(t, c)
	for range 5 {
		_, err := client.FreeSpinStatus(t.Context(), "f")
		require.Error(t, err)
	}
	require.Empty(t, client.Paused())
}

func TestListsAreReadLeniently(t *testing.T) {
	url, _ := stub(t, answering(`{"result":0,"games":[
		{"gameID":"a","gameName":"A","gameType":"slots","provider":"P","thumbnail":"https://img.example/a.png","more":[1]},
		{"gameID":17,"gameName":null},
		{"gameName":"no ID"}, {"gameID":""}, {"gameID":"a","gameName":"a second one"}, "no object", {"gameID":"b\u0000"}]}`))
	list, err := newClient(t, config(url)).GameList(t.Context())
	require.NoError(t, err)
	require.Equal(t, []models.OfferedGame{
		{GameID: "a", Name: "A", Type: "slots", Provider: "P", Thumbnail: "https://img.example/a.png"}, {GameID: "17"},
	}, list.Games)
	require.Equal(t, 5, list.Unusable)
}

func TestStatusesAreReadLeniently(t *testing.T) {
	for body, want := range map[string][3]int64{
		`{"status":"active","usedSpins":3,"remainingSpins":7}`:                  {-1, 3, 7},
		`{"status":"active","totalSpins":"10","remainingSpins":"7"}`:            {10, 3, 7},
		`{"status":"completed"}`:                                                {-1, -1, -1},
		`{"result":0,"status":"expired","usedSpins":1.5,"remainingSpins":"no"}`: {-1, -1, -1},
	} {
		url, _ := stub(t, answering(body))
		s, err := newClient(t, config(url)).FreeSpinStatus(t.Context(), "f")
		require.NoError(t, err, body)
		require.Equal(t, want, [3]int64{s.Total, s.Used, s.Left}, body)
		require.Equal(t, body, s.Raw)
	}
}

func TestGameURLsThatOpenSomethingElse(t *testing.T) {
	for _, address := range []string{"javascript:alert(1)", "//play.example/x", "/play", "ftp://play.example", "https:"} {
		answer, _ := json.Marshal(map[string]any{"result": 0, "gameURL": address})
		url, _ := stub(t, answering(string(answer)))
		_, err := newClient(t, config(url)).UserAuth(t.Context(), platform.UserAuth{UserID: "anna"})
		require.Error(t, err, address)
	}
}

func TestConfigurationsThatCannotWork(t *testing.T) {
	_, err := platform.New(platform.Config{URL: "https://user:hunter2@platform.example"})
	require.ErrorContains(t, err, "address")
	require.NotContains(t, err.Error(), "hunter2")
	for _, spoil := range []func(*platform.Config){
		func(c *platform.Config) { c.SignUserAuth = []string{"userID", "walletID"} },
		func(c *platform.Config) { c.SignUserAuth = []string{"currency"} },
		func(c *platform.Config) { c.SignGameList = []string{"userID"} },
		func(c *platform.Config) { c.UserAuthFields = map[string]string{"sign": "x"} },
	} {
		c := config("https://platform.example")
		require.NoError(t, c.Check())
		spoil(&c)
		require.Error(t, c.Check())
	}
}

func TestTheMoodsOfThePlatform(t *testing.T) {
	for mood, want := range map[string]struct {
		kind    platform.Kind
		known   bool
		granted int
	}{
		"slow(10s)":          {platform.Timeout, false, 1},
		"status(500)":        {platform.Status, false, 0},
		"truncated":          {platform.Unreadable, false, 1},
		"refused(2 no game)": {platform.Refused, true, 0},
		"not-json":           {platform.Unreadable, false, 0},
		"dropped-before":     {platform.Connection, false, 0},
		"dropped-after":      {platform.Connection, false, 1},
	} {
		t.Run(mood, func(t *testing.T) {
			t.Parallel()
			sim, url := simulated(t)
			require.NoError(t, sim.SetMood("assignFreeSpin="+mood))
			c := config(url)
			if want.kind == platform.Timeout {
				c.Timeout = time.Second
			}
			_, err := newClient(t, c).AssignFreeSpin(t.Context(), "anna", models.GameID(sim.Games()[0].GameID), 5)
			var e *platform.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, want.kind, e.Kind)
			require.Equal(t, want.known, e.Known)
			require.Equal(t, 1, sim.Calls()["assignFreeSpin"])
			require.Eventually(t, func() bool { return len(sim.Grants()) == want.granted }, time.Minute, time.Millisecond)
		})
	}
}
