package simulator

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func newTextLogger(to io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(to, nil)) }

// open launches a game as Pitboss does and returns the address of the session.
func (p *platform) open(userID, gameID string) string {
	p.t.Helper()
	address := p.ask("userAuth", userAuthRequest(userID, gameID, "de"))["gameURL"].(string)
	response, err := http.Get(address)
	require.NoError(p.t, err)
	response.Body.Close()
	require.Equal(p.t, http.StatusOK, response.StatusCode)
	return response.Request.URL.String()
}

func (p *platform) page(address string, wantStatus int) *goquery.Document {
	p.t.Helper()
	asking, err := http.NewRequest(http.MethodGet, address, nil)
	require.NoError(p.t, err)
	asking.Header.Set("Accept", "text/html")
	response, err := http.DefaultClient.Do(asking)
	require.NoError(p.t, err)
	return p.read(response, wantStatus)
}

func (p *platform) read(response *http.Response, wantStatus int) *goquery.Document {
	p.t.Helper()
	defer response.Body.Close()
	require.Equal(p.t, wantStatus, response.StatusCode)
	assert.Contains(p.t, response.Header.Get("Content-Security-Policy"), "default-src 'none'")
	document, err := goquery.NewDocumentFromReader(response.Body)
	require.NoError(p.t, err)
	assert.Zero(p.t, document.Find("script, img").Length(), "a page runs no script, not even from a game's name")
	return document
}

func (p *platform) play(session, action, stake, luck string) *goquery.Document {
	p.t.Helper()
	response, err := http.PostForm(session, url.Values{"action": {action}, "stake": {stake}, "luck": {luck}})
	require.NoError(p.t, err)
	return p.read(response, http.StatusOK)
}

// sent lists the endpoints and results on the page, newest first.
func sent(page *goquery.Document) []string {
	return page.Find(".exchanges li").Map(func(_ int, line *goquery.Selection) string {
		endpoint := strings.Fields(line.Find(".what").Text())[0]
		return endpoint + " " + line.Find(".figure").Text() + " " + line.Find(".result").Text()
	})
}

// gameOfType returns an available game of this type.
func (p *platform) gameOfType(gameType string) string {
	for _, game := range p.Games() {
		if game.GameType == gameType {
			return game.GameID
		}
	}
	p.t.Fatalf("no game is of type %s", gameType)
	return ""
}

func TestGamePage(t *testing.T) {
	wallet := newFakeWallet(testBalances)
	p := newPlatform(t, wallet, nil)
	slot := p.gameOfType("slots")
	session := p.open("ana", slot)

	page := p.page(session, http.StatusOK)
	assert.Equal(t, "100.00", page.Find("#balance").Text())
	assert.Contains(t, page.Find(".facts").Text(), "ana")
	assert.Equal(t, "Spin", page.Find(`button[value="spin"]`).Text())
	assert.Zero(t, page.Find(`button[value="freespin"], button[value="betwin"]`).Length())
	_, disabled := page.Find(`button[value="retry"]`).Attr("disabled")
	assert.True(t, disabled, "nothing was sent yet")

	page = p.play(session, "spin", "1.00", "lose")
	assert.Equal(t, "99.00", page.Find("#balance").Text())
	assert.Equal(t, []string{"GetBalance  0 success", "Withdraw 1.00 0 success"}, sent(page)[:2])
	assert.Contains(t, page.Find(".headline").Text(), "No win")

	page = p.play(session, "spin", "1.00", "win")
	assert.Equal(t, "Withdraw 1.00 0 success", sent(page)[2])
	assert.Contains(t, sent(page)[1], "Deposit")
	assert.Contains(t, page.Find(".headline").Text(), "You won")

	page = p.play(session, "retry", "1.00", "win")
	assert.Contains(t, sent(page)[1], "Deposit")
	assert.Contains(t, sent(page)[1], "11 duplicate transaction")

	before := page.Find("#balance").Text()
	page = p.play(session, "void", "5.00", "chance")
	assert.Equal(t, []string{"RollbackTransaction  0 success", "Withdraw 5.00 0 success"}, sent(page)[1:3])
	assert.Equal(t, before, page.Find("#balance").Text())
	page = p.play(session, "retry", "5.00", "chance")
	assert.Equal(t, "RollbackTransaction  9 already rolled back", sent(page)[1])

	page = p.play(session, "spin", "1000000.00", "win")
	assert.Equal(t, "Withdraw 1000000.00 6 insufficient funds", sent(page)[1])
	assert.Contains(t, page.Find(".headline").Text(), "insufficient funds")
	assert.Equal(t, before, page.Find("#balance").Text())
	assert.Equal(t, minor(wallet.balances["ana"]).String(), before)
}

func TestTableGameSettlesInOne(t *testing.T) {
	p := newPlatform(t, newFakeWallet(testBalances), nil)
	session := p.open("dora", p.gameOfType("table"))
	page := p.page(session, http.StatusOK)
	assert.Equal(t, "Deal", page.Find(`button[value="betwin"]`).Text())
	page = p.play(session, "betwin", "5.00", "lose")
	assert.Equal(t, "BetWin 5.00 / 0.00 0 success", sent(page)[1])
	assert.Equal(t, "4995.00", page.Find("#balance").Text())
}

func TestFreeSpinsOnTheGamePage(t *testing.T) {
	p := newPlatform(t, newFakeWallet(testBalances), nil)
	slot := p.gameOfType("slots")
	p.ask("assignFreeSpin", grantRequest("ana", slot, 2))
	session := p.open("ana", slot)
	page := p.play(session, "freespin", "1.00", "lose")
	assert.Equal(t, "Withdraw 0.20 0 success", sent(page)[1])
	assert.Equal(t, "100.00", page.Find("#balance").Text(), "a free spin costs nothing")
	page = p.play(session, "freespin", "1.00", "win")
	assert.Contains(t, sent(page)[1], "Deposit")
	assert.Zero(t, page.Find(`button[value="freespin"]`).Length(), "all spins are used")
	assert.Equal(t, StatusCompleted, p.Grants()[0].Status)
	page = p.play(session, "freespin", "1.00", "win")
	assert.Contains(t, page.Find(".headline").Text(), "no free spins")
}

func TestGamePageWithoutAWallet(t *testing.T) {
	p := newPlatform(t, http.HandlerFunc(func(w http.ResponseWriter,
		r *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
	}), nil)
	slot := p.gameOfType("slots")
	p.ask("assignFreeSpin", grantRequest("ana", slot, 2))
	session := p.open("ana", slot)
	page := p.play(session, "spin", "1.00", "win")
	assert.Contains(t, page.Find(".problem").Text(), "HTTP 503")
	assert.Contains(t, page.Find(".headline").Text(), "HTTP 503")
	p.play(session, "freespin", "1.00", "win")
	assert.Equal(t, 1, p.Grants()[0].Used, "a spin of unknown outcome is not given back")
}

func TestGameAddressesEnd(t *testing.T) {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	p := newPlatform(t, newFakeWallet(testBalances), func(c *Config) { c.Now = func() time.Time { return now } })
	address := p.ask("userAuth", userAuthRequest("ana", "20001", "en"))["gameURL"].(string)
	first := p.page(address, http.StatusOK)
	again := p.page(address, http.StatusOK)
	assert.Equal(t, first.Find("form").AttrOr("action", ""), again.Find("form").AttrOr("action", ""))
	session := p.open("ana", "20001")
	now = now.Add(2 * time.Minute)
	p.page(address, http.StatusGone)
	p.page(p.url+"/play/unknown", http.StatusGone)
	p.page(session, http.StatusOK)
	now = now.Add(sessionIdle + time.Second)
	p.page(session, http.StatusGone)
}

func TestGamePageRefusesNonsense(t *testing.T) {
	p := newPlatform(t, newFakeWallet(testBalances), nil)
	session := p.open("ana", "20001")
	for _, form := range []url.Values{
		{"action": {"spin"}, "stake": {"1"}, "luck": {"win"}},
		{"action": {"spin"}, "stake": {"-1.00"}, "luck": {"win"}},
		{"action": {"spin"}, "stake": {"1.00"}, "luck": {"good"}},
		{"action": {"cheat"}, "stake": {"1.00"}, "luck": {"win"}},
	} {
		response, err := http.PostForm(session, form)
		require.NoError(t, err)
		p.read(response, http.StatusBadRequest)
	}
	crossSite, err := http.NewRequest(http.MethodPost, session, strings.NewReader("action=spin&stake=1.00&luck=win"))
	require.NoError(t, err)
	crossSite.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	crossSite.Header.Set("Sec-Fetch-Site", "cross-site")
	response, err := http.DefaultClient.Do(crossSite)
	require.NoError(t, err)
	response.Body.Close()
	assert.Equal(t, http.StatusForbidden, response.StatusCode, "another site cannot play")
}

func TestHostileNamesAreText(t *testing.T) {
	p := newPlatform(t, newFakeWallet(testBalances), nil)
	names := map[string]string{}
	for _, game := range p.Games() {
		names[game.GameName] = game.GameID
	}
	for _, name := range hostileNames {
		require.Contains(t, names, name)
		page := p.page(p.open("ana", names[name]), http.StatusOK)
		assert.Equal(t, name, page.Find("h1").Text())
	}
	for _, path := range []string{"/", "/simulator/games", "/simulator/grants", "/simulator/moods", "/simulator/status"} {
		p.page(p.url+path, http.StatusOK)
	}
}

func TestCatalogue(t *testing.T) {
	big, same, other := newCatalogue(20_000, 1, false), newCatalogue(20_000, 1, false), newCatalogue(20_000, 2, false)
	assert.Equal(t, big.games, same.games)
	assert.NotEqual(t, big.games, other.games)
	ids, names := map[string]bool{}, map[string]bool{}
	for _, game := range big.games {
		ids[game.GameID], names[game.GameName] = true, true
	}
	assert.Len(t, ids, 20_000)
	assert.Len(t, names, 20_000)
	for count := range 60 {
		assert.Len(t, newCatalogue(count, 3, false).games, count)
	}
	for _, game := range newCatalogue(300, 1, true).games {
		assert.NotContains(t, hostileNames, game.GameName)
		assert.NotContains(t, game.Thumbnail, "javascript")
	}
}

// control posts JSON and returns the status and the decoded answer.
func (p *platform) control(path, body string) (int, map[string]any) {
	p.t.Helper()
	response, err := http.Post(p.url+path, "application/json", strings.NewReader(body))
	require.NoError(p.t, err)
	defer response.Body.Close()
	var given map[string]any
	if response.StatusCode == http.StatusOK {
		require.NoError(p.t, json.NewDecoder(response.Body).Decode(&given))
	}
	return response.StatusCode, given
}

func TestControlsOverHTTP(t *testing.T) {
	p := newPlatform(t, newFakeWallet(testBalances), nil)

	status, given := p.control("/simulator/moods", `{"moods":"gameList=refused(1 closed):1"}`)
	assert.Equal(t, http.StatusOK, status)
	assert.Equal(t, []any{"gameList=refused(1 closed):1", "userAuth=normal", "assignFreeSpin=normal", "freeSpinStatus=normal"},
		given["moods"])
	assert.Equal(t, 1.0, p.ask("gameList", gameListRequest())["result"])
	status, _ = p.control("/simulator/moods", `{"moods":"gameList=angry"}`)
	assert.Equal(t, http.StatusBadRequest, status)
	status, _ = p.control("/simulator/moods", `[]`)
	assert.Equal(t, http.StatusBadRequest, status)
	response, err := http.PostForm(p.url+"/simulator/moods",
		url.Values{"endpoint": {"userAuth"}, "mood": {"slow"}, "argument": {"1ms"}, "calls": {"3"}})
	require.NoError(t, err)
	response.Body.Close()
	assert.Equal(t, "userAuth=slow(1ms):3", p.Moods()[1].String())

	status, given = p.control("/simulator/games", `{"action":"remove","gameID":"20001"}`)
	assert.Equal(t, http.StatusOK, status)
	assert.Len(t, given["games"], 99)
	assert.Len(t, given["removed"], 1)
	status, _ = p.control("/simulator/games", `{"action":"rename","gameID":"20002","name":"Another Name"}`)
	assert.Equal(t, http.StatusOK, status)
	assert.Equal(t, "Another Name", p.Games()[0].GameName)
	_, given = p.control("/simulator/games", `{"action":"restore","gameID":"20001"}`)
	assert.Len(t, given["games"], 100)
	for _, body := range []string{`{"action":"remove","gameID":"1"}`, `{"action":"burn","gameID":"20001"}`} {
		status, _ = p.control("/simulator/games", body)
		assert.Equal(t, http.StatusBadRequest, status)
	}

	status, given = p.control("/simulator/status", `{"spelling":"used"}`)
	assert.Equal(t, http.StatusOK, status)
	assert.Equal(t, "used", given["spelling"])

	p.ask("assignFreeSpin", grantRequest("ana", "20001", 4))
	listed, err := http.Get(p.url + "/simulator/grants")
	require.NoError(t, err)
	defer listed.Body.Close()
	var grants struct{ Grants []Grant }
	require.NoError(t, json.NewDecoder(listed.Body).Decode(&grants))
	assert.Equal(t, p.Grants(), grants.Grants)

	page := p.page(p.url+"/", http.StatusOK)
	for _, link := range []string{"/simulator/moods", "/simulator/games", "/simulator/grants", "/simulator/status"} {
		assert.Positive(t, page.Find(`a[href="`+link+`"]`).Length(), link)
	}
	assert.NotContains(t, page.Text(), testSecret)
	assert.NotContains(t, page.Text(), testToken)
}
