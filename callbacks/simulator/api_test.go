package simulator

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/callbacks/wire"
)

// platform is a simulator on a server of its own, with a client that signs as the platform expects.
type platform struct {
	*Simulator
	t   *testing.T
	url string
}

func newPlatform(t *testing.T, wallet http.Handler, change func(*Config)) *platform {
	t.Helper()
	made := testSimulator(t, wallet, change)
	server := httptest.NewServer(made.Handler())
	t.Cleanup(server.Close)
	return &platform{made, t, server.URL}
}

func (p *platform) post(name, body string) (*http.Response, error) {
	return http.Post(p.url+"/"+name, "application/json", strings.NewReader(body))
}

// ask posts a body and returns the answer, which must be HTTP 200 with JSON.
func (p *platform) ask(name, body string) map[string]any {
	p.t.Helper()
	response, err := p.post(name, body)
	require.NoError(p.t, err)
	defer response.Body.Close()
	require.Equal(p.t, http.StatusOK, response.StatusCode)
	var given map[string]any
	require.NoError(p.t, json.NewDecoder(response.Body).Decode(&given))
	if given["result"] == 0.0 {
		assert.NotContains(p.t, given, "message")
	} else {
		assert.NotEmpty(p.t, given["message"])
	}
	return given
}

func request(fields map[string]any, signed ...string) string {
	fields["apiToken"], fields["agentID"], fields["sign"] = testToken, testAgent,
		wire.Sign(testSecret, append([]string{testAgent}, signed...)...)
	body, _ := json.Marshal(fields)
	return string(body)
}

func gameListRequest() string { return request(map[string]any{}) }

func userAuthRequest(userID, gameID, language string) string {
	return request(map[string]any{"userID": userID, "gameID": gameID, "language": language}, userID, gameID)
}

func grantRequest(userID, gameID string, spins int) string {
	return request(map[string]any{"userID": userID, "gameID": gameID, "spinCount": spins}, userID, gameID, strconv.Itoa(spins))
}

func statusRequest(freeSpinID string) string {
	return request(map[string]any{"freeSpinID": freeSpinID}, freeSpinID)
}

func TestPlatformAPI(t *testing.T) {
	p := newPlatform(t, newFakeWallet(testBalances), nil)

	games := p.ask("gameList", gameListRequest())["games"].([]any)
	require.Len(t, games, 100)
	first := games[0].(map[string]any)
	assert.Equal(t, "20001", first["gameID"])
	for _, name := range []string{"gameName", "gameType", "provider"} {
		assert.NotEmpty(t, first[name])
	}
	assert.Equal(t, p.url+"/thumbnails/20001", first["thumbnail"])
	thumbnail, err := http.Get(first["thumbnail"].(string))
	require.NoError(t, err)
	assert.Equal(t, "image/svg+xml", thumbnail.Header.Get("Content-Type"))
	thumbnail.Body.Close()

	for _, language := range languages {
		given := p.ask("userAuth", userAuthRequest("ana", "20001", language))
		assert.Contains(t, given["gameURL"], p.url+"/play/")
	}
	granted := p.ask("assignFreeSpin", grantRequest("ana", "20002", 5))
	freeSpinID := granted["freeSpinID"].(string)
	assert.Equal(t, map[string]any{"result": 0.0, "status": "active", "totalSpins": 5.0, "usedSpins": 0.0,
		"remainingSpins": 5.0},
		p.ask("freeSpinStatus", statusRequest(freeSpinID)))
	assert.Equal(t, map[string]int{"gameList": 1, "userAuth": 12, "assignFreeSpin": 1, "freeSpinStatus": 1}, p.Calls())
}

func TestPlatformAPIRefuses(t *testing.T) {
	p := newPlatform(t, newFakeWallet(testBalances), nil)
	require.NoError(t, p.RemoveGame("20003"))
	swap := func(body, from, to string) string {
		require.Contains(t, body, from)
		return strings.Replace(body, from, to, 1)
	}
	good := grantRequest("ana", "20001", 5)
	signature := wire.Sign(testSecret, testAgent, "ana", "20001", "5")
	for _, row := range []struct {
		name, call, body string
		want             float64
	}{
		{"not JSON", "gameList", "{", 2},
		{"an array", "gameList", "[]", 2},
		{"null", "gameList", "null", 2},
		{"two texts", "gameList", gameListRequest() + "{}", 2},
		{"not UTF-8", "gameList", "{\"apiToken\":\"\xff\"}", 2},
		{"a number for a string", "assignFreeSpin", swap(good, `"ana"`, `7`), 2},
		{"a string for a number", "assignFreeSpin", swap(good, `:5`, `:"5"`), 2},
		{"a broken number", "assignFreeSpin", swap(good, `:5`, `:5.0`), 2},
		{"no token", "assignFreeSpin", swap(good, `"apiToken"`, `"token"`), 7},
		{"another's token", "assignFreeSpin", swap(good, testToken, "token"), 7},
		{"a name in other letters", "assignFreeSpin", swap(good, `"apiToken"`, `"apitoken"`), 7},
		{"another agent", "assignFreeSpin", swap(good, testAgent, "Partner02"), 4},
		{"no agent", "assignFreeSpin", swap(good, `"agentID"`, `"agent"`), 4},
		{"no sign", "assignFreeSpin", swap(good, `"sign"`, `"signature"`), 3},
		{"a lower-case sign", "assignFreeSpin", swap(good, signature, strings.ToLower(signature)), 3},
		{"another sign", "assignFreeSpin", swap(good, `"ana"`, `"ben"`), 3},
		{"spins that were not signed", "assignFreeSpin", swap(good, `:5`, `:6`), 3},
		{"the game before the player", "userAuth",
			request(map[string]any{"userID": "ana", "gameID": "20001", "language": "en"}, "20001", "ana"), 3},
		{"the language signed too", "userAuth",
			request(map[string]any{"userID": "ana", "gameID": "20001", "language": "en"}, "ana", "20001", "en"), 3},
		{"no player", "userAuth", userAuthRequest("", "20001", "en"), 2},
		{"no such language", "userAuth", userAuthRequest("ana", "20001", "pl"), 2},
		{"a language in capitals", "userAuth", userAuthRequest("ana", "20001", "EN"), 2},
		{"no such game", "userAuth", userAuthRequest("ana", "1", "en"), 2},
		{"a removed game", "userAuth", userAuthRequest("ana", "20003", "en"), 2},
		{"a removed game", "assignFreeSpin", grantRequest("ana", "20003", 5), 2},
		{"no player", "assignFreeSpin", grantRequest("", "20001", 5), 2},
		{"no spins", "assignFreeSpin", grantRequest("ana", "20001", 0), 2},
		{"fewer than none", "assignFreeSpin", grantRequest("ana", "20001", -1), 2},
		{"too many", "assignFreeSpin", grantRequest("ana", "20001", 10_001), 2},
		{"an unknown grant", "freeSpinStatus", statusRequest("fs-unknown"), 8},
		{"no grant", "freeSpinStatus", statusRequest(""), 2},
	} {
		t.Run(row.call+", "+row.name, func(t *testing.T) {
			assert.Equal(t, row.want, p.ask(row.call, row.body)["result"])
		})
	}
	assert.Empty(t, p.Grants())
	response, err := http.Get(p.url + "/gameList")
	require.NoError(t, err)
	defer response.Body.Close()
	assert.Equal(t, http.StatusOK, response.StatusCode)
}

func TestMoods(t *testing.T) {
	const call = "assignFreeSpin"
	body := grantRequest("ana", "20001", 5)
	for _, row := range []struct {
		mood    string
		granted int
		check   func(t *testing.T, status int, answered []byte, postErr, readErr error)
	}{
		{"normal", 1, func(t *testing.T, status int, answered []byte, postErr, readErr error) {
			assert.Contains(t, string(answered), `"result":0`)
		}},
		{"slow(1ms)", 1, func(t *testing.T, status int, answered []byte, postErr, readErr error) {
			assert.Contains(t, string(answered), `"result":0`)
		}},
		{"status(502)", 0, func(t *testing.T, status int, answered []byte, postErr, readErr error) {
			assert.Equal(t, 502,
				status)
		}},
		{"truncated", 1, func(t *testing.T, status int, answered []byte, postErr, readErr error) {
			assert.NoError(t, readErr)
			assert.NotEmpty(t, answered)
			assert.False(t, json.Valid(answered))
		}},
		{"refused(2 no such game, sorry)", 0, func(t *testing.T, status int, answered []byte, postErr, readErr error) {
			assert.JSONEq(t, `{"result":2,"message":"no such game, sorry"}`, string(answered))
		}},
		{"not-json", 0, func(t *testing.T, status int, answered []byte, postErr, readErr error) {
			assert.Equal(t, 200, status)
			assert.False(t, json.Valid(answered))
		}},
		{"dropped-before", 0, func(t *testing.T, status int, answered []byte, postErr, readErr error) {
			assert.Error(t,
				postErr)
		}},
		{"dropped-after", 1, func(t *testing.T, status int, answered []byte, postErr, readErr error) {
			assert.Error(t,
				postErr)
		}},
	} {
		t.Run(row.mood, func(t *testing.T) {
			p := newPlatform(t, newFakeWallet(testBalances), nil)
			require.NoError(t, p.SetMood(call+"="+row.mood+":1"))
			var status int
			var answered []byte
			var readErr error
			response, postErr := p.post(call, body)
			if postErr == nil {
				status = response.StatusCode
				answered, readErr = io.ReadAll(response.Body)
				response.Body.Close()
			}
			row.check(t, status, answered, postErr, readErr)
			assert.Len(t, p.Grants(), row.granted)
			assert.Equal(t, 0.0, p.ask(call, body)["result"], "the mood was for one call")
			assert.Equal(t, 0.0, p.ask("gameList", gameListRequest())["result"], "and for that call only")
			assert.Equal(t, 2, p.Calls()[call])
		})
	}
}

func TestSlowMoodWorksForACallerThatHangsUp(t *testing.T) {
	p := newPlatform(t, newFakeWallet(testBalances), nil)
	require.NoError(t, p.SetMood("assignFreeSpin=slow(1h)"))
	client := http.Client{Timeout: 2 * time.Second}
	_, err := client.Post(p.url+"/assignFreeSpin", "application/json", strings.NewReader(grantRequest("ana", "20001", 5)))
	require.Error(t, err)
	require.Eventually(t, func() bool { return len(p.Grants()) == 1 }, time.Minute, time.Millisecond)
}

func TestMoodForAllCountsEachCall(t *testing.T) {
	p := newPlatform(t, newFakeWallet(testBalances), nil)
	require.ErrorContains(t, p.SetMood("gameList=angry"), "is not a mood")
	require.NoError(t, p.SetMood("*=refused(1 closed):2"))
	for range 2 {
		assert.Equal(t, 1.0, p.ask("gameList", gameListRequest())["result"])
		assert.Equal(t, 1.0, p.ask("freeSpinStatus", statusRequest("x"))["result"])
	}
	assert.Equal(t, 0.0, p.ask("gameList", gameListRequest())["result"])
}

func TestGrantsEnd(t *testing.T) {
	p := newPlatform(t, newFakeWallet(testBalances), nil)
	first := p.ask("assignFreeSpin", grantRequest("ana", "20001", 1))["freeSpinID"].(string)
	second := p.ask("assignFreeSpin", grantRequest("ana", "20001", 2))["freeSpinID"].(string)
	require.NotEqual(t, first, second)
	assert.Equal(t, first, p.books.takeSpin("ana"), "the oldest first")
	assert.Equal(t, "completed", p.ask("freeSpinStatus", statusRequest(first))["status"])
	p.books.giveBack(first)
	assert.Equal(t, "active", p.ask("freeSpinStatus", statusRequest(first))["status"])
	assert.Empty(t, p.books.takeSpin("ben"))
	for _, want := range []string{first, second, second, ""} {
		assert.Equal(t, want, p.books.takeSpin("ana"))
	}
}
