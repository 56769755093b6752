package simulator

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// launch launches a game as Pitboss does and returns its gameURL.
func (p *platform) launch(userID, gameID string) string {
	p.t.Helper()
	return p.ask("userAuth", userAuthRequest(userID, gameID, "de"))["gameURL"].(string)
}

// table opens a game's page. If round is not empty, it plays a round of this kind first, with a bet if one is given.
func (p *platform) table(address, round string, bet ...string) (status int, page *goquery.Document) {
	p.t.Helper()
	response, err := http.Get(address)
	if round != "" {
		require.NoError(p.t, err)
		response.Body.Close()
		response, err = http.PostForm(address, url.Values{"round": {round}, "bet": append(bet, "1.00")})
	}
	require.NoError(p.t, err)
	defer response.Body.Close()
	page, err = goquery.NewDocumentFromReader(response.Body)
	require.NoError(p.t, err)
	assert.Zero(p.t, page.Find("script, img").Length(), "a page runs no script, not even from a game's name")
	return response.StatusCode, page
}

func TestTable(t *testing.T) {
	p := newPlatform(t, newFakeWallet(testBalances), nil)
	address := p.launch("ana", "20001")
	status, page := p.table(address, "")
	require.Equal(t, http.StatusOK, status)
	assert.Equal(t, "100.00 EUR", page.Find("#balance").Text())
	assert.Equal(t, "Nothing yet.", page.Find("#sent li").Text())

	_, page = p.table(address, "losing spin")
	assert.Equal(t, "97.50 EUR", page.Find("#balance").Text())
	assert.Contains(t, page.Find("#sent").Text(), "Withdraw 2.50 (bet): result 0")
	_, page = p.table(address, "voided round")
	assert.Contains(t, page.Find("#sent").Text(), "RollbackTransaction  (rollback): result 0")
	assert.Equal(t, "97.50 EUR", page.Find("#balance").Text())
	assert.Empty(t, page.Find("[role=alert]").Text())

	for bet, sent := range map[string]string{"7,00": "Withdraw 7.00 (bet): result 0", "1000.50": "Withdraw 1000.50 (bet): result 6"} {
		_, page = p.table(address, "spin", bet)
		assert.Contains(t, page.Find("#sent").Text(), sent)
	}
	before := page.Find("#balance").Text()
	for _, bet := range []string{"0", "-1", "1,5", "1.505", "a", ""} {
		_, page = p.table(address, "spin", bet)
		assert.Contains(t, page.Find("[role=alert]").Text(), "Enter a bet above zero")
		assert.Equal(t, before, page.Find("#balance").Text())
		value, _ := page.Find("[name=bet]").Attr("value")
		assert.Equal(t, bet, value)
	}

	p.ask("assignFreeSpin", grantRequest("ana", "20001", 1))
	_, page = p.table(address, "free spin")
	assert.Contains(t, page.Find("#sent").Text(), "(free spin): result 0")
	assert.Equal(t, StatusCompleted, p.Grants()[0].Status())

	status, _ = p.table(p.url+"/play/unknown", "")
	assert.Equal(t, http.StatusGone, status)
	_, page = p.table(address, "cheat")
	assert.Contains(t, page.Find("[role=alert]").Text(), "no kind of round called")
	crossSite, err := http.NewRequest(http.MethodPost, address, strings.NewReader("round=spin"))
	require.NoError(t, err)
	crossSite.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	crossSite.Header.Set("Sec-Fetch-Site", "cross-site")
	response, err := http.DefaultClient.Do(crossSite)
	require.NoError(t, err)
	response.Body.Close()
	assert.Equal(t, http.StatusForbidden, response.StatusCode, "another site cannot play")
}

func TestCatalogue(t *testing.T) {
	big := newCatalogue(20_000)
	assert.Equal(t, big, newCatalogue(20_000))
	ids, names := map[string]bool{}, map[string]bool{}
	for _, game := range big {
		ids[game.GameID], names[game.GameName] = true, true
	}
	assert.Len(t, ids, 20_000)
	assert.Len(t, names, 20_000)
}
