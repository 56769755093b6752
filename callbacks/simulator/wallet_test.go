package simulator

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	testAgent  = "Partner01"
	testToken  = "token-for-tests"
	testSecret = "1234567890"
)

// The faults that a wallet can have. Play must find each of them.
const (
	faultLosesCent        = "loses a cent of a win"
	faultDoubleBet        = "processes a duplicate bet again"
	faultDoubleWin        = "processes a duplicate win again"
	faultNoRollback       = "ignores a rollback"
	faultDoubleRollback   = "rolls back twice"
	faultLateBet          = "takes a bet after its rollback"
	faultUnknownRollback  = "reports the rollback of an unknown transaction"
	faultOthersRollback   = "rolls back for another player"
	faultPerPlayerKeys    = "keeps transaction IDs per player"
	faultWinPaysBet       = "lets a win pay for its own bet"
	faultNoFundsCheck     = "debits more than there is"
	faultFreeSpinCosts    = "takes free spins from the money balance"
	faultZeroBetNeedsFund = "refuses a zero bet on a negative balance"
	faultRefusalSticks    = "answers a refused bet as a duplicate"
	faultStaleBalance     = "answers with the balance before the effect"
	faultNoBalance        = "answers without a balance"
	faultRetryResult      = "refuses a retry with wrong input"
	faultNotJSON          = "answers with something other than JSON"
)

// fakeWallet is a small wallet that is correct unless the test gives it a fault.
type fakeWallet struct {
	fault   string
	numbers bool // answers balances as JSON numbers
	dupZero bool // answers a duplicate with 0
	outages float64
	blocked map[string]bool // players whose bets get result 1

	mu         sync.Mutex
	random     *rand.Rand
	balances   map[string]int64
	processed  map[string]*fakeTransaction
	refused    map[string]bool
	tombstones map[[2]string]bool
}

type fakeTransaction struct {
	userID     string
	effect     int64
	rolledBack bool
}

func newFakeWallet(balances map[string]int64) *fakeWallet {
	held := map[string]int64{}
	for userID, balance := range balances {
		held[userID] = balance
	}
	return &fakeWallet{balances: held, random: rand.New(rand.NewPCG(1, 2)), processed: map[string]*fakeTransaction{},
		refused: map[string]bool{}, tombstones: map[[2]string]bool{}}
}

var signedFields = map[string][]string{
	"GetBalance":          {"agentID", "userID"},
	"Withdraw":            {"agentID", "userID", "amount", "transactionID", "roundID"},
	"Deposit":             {"agentID", "userID", "amount", "transactionID", "roundID"},
	"BetWin":              {"agentID", "userID", "betAmount", "winAmount", "transactionID", "roundID"},
	"RollbackTransaction": {"agentID", "userID", "transactionID"},
}

func (f *fakeWallet) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	endpoint := strings.TrimPrefix(r.URL.Path, "/wallet/")
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	f.mu.Lock()
	dice := f.random.Float64()
	f.mu.Unlock()
	if dice < f.outages/2 {
		http.Error(w, `{"result":1}`, http.StatusServiceUnavailable)
		return
	}
	given := f.answer(endpoint, body)
	if dice < f.outages {
		http.Error(w, `{"result":1}`, http.StatusServiceUnavailable)
		return
	}
	if f.fault == faultNotJSON && endpoint == "Deposit" {
		io.WriteString(w, "<html>")
		return
	}
	io.WriteString(w, given)
}

func minorOf(amount any) int64 {
	written, _ := amount.(string)
	if !regexp.MustCompile(`^\d+\.\d\d$`).MatchString(written) {
		return -1
	}
	value, _ := strconv.ParseInt(strings.Replace(written, ".", "", 1), 10, 64)
	return value
}

func (f *fakeWallet) answer(endpoint string, body []byte) string {
	var request map[string]any
	if json.Unmarshal(body, &request) != nil || signedFields[endpoint] == nil {
		return `{"result":2}`
	}
	var signed string
	for _, name := range signedFields[endpoint] {
		value, _ := request[name].(string)
		if value == "" {
			return `{"result":2}`
		}
		signed += value
	}
	mac := hmac.New(sha256.New, []byte(testSecret))
	mac.Write([]byte(signed))
	if request["sign"] != strings.ToUpper(hex.EncodeToString(mac.Sum(nil))) {
		return `{"result":3}`
	}
	userID, _ := request["userID"].(string)
	id, _ := request["transactionID"].(string)
	key := id
	if f.fault == faultPerPlayerKeys {
		key = userID + "/" + id
	}

	f.mu.Lock()
	defer f.mu.Unlock()
	before, known := f.balances[userID]
	if !known {
		return `{"result":2}`
	}
	result := 0
	switch endpoint {
	case "GetBalance":
	case "RollbackTransaction":
		result = f.rollback(userID, key)
	default:
		bet, win := int64(0), int64(0)
		switch endpoint {
		case "Withdraw":
			bet = minorOf(request["amount"])
		case "Deposit":
			win = minorOf(request["amount"])
		case "BetWin":
			bet, win = minorOf(request["betAmount"]), minorOf(request["winAmount"])
		}
		if bet < 0 || win < 0 {
			return `{"result":2}`
		}
		result = f.money(userID, key, endpoint, bet, win, request["freeSpin"] == true)
	}
	balance := f.balances[userID]
	if f.fault == faultStaleBalance {
		balance = before
	}
	sign := ""
	if balance < 0 {
		sign, balance = "-", -balance
	}
	written := sign + strconv.FormatInt(balance/100, 10) + "." + strconv.FormatInt(balance/10%10, 10) +
		strconv.FormatInt(balance%10, 10)
	if !f.numbers {
		written = `"` + written + `"`
	}
	text := `{"result":` + strconv.Itoa(result)
	if withBalance := result == 0 || result == 11; withBalance && (f.fault != faultNoBalance || endpoint == "GetBalance") {
		text += `,"balance":` + written
	}
	if endpoint == "GetBalance" {
		text += `,"currency":"EUR"`
	}
	return text + "}"
}

func (f *fakeWallet) money(userID, key, endpoint string, bet, win int64, freeSpin bool) int {
	if f.tombstones[[2]string{userID, key}] && f.fault != faultLateBet {
		return 9
	}
	old := f.processed[key]
	if old != nil {
		switch {
		case old.rolledBack && f.fault != faultLateBet:
			return 9
		case f.fault == faultDoubleBet && endpoint == "Withdraw", f.fault == faultDoubleWin && endpoint == "Deposit":
			f.balances[userID] += win - bet
			return 11
		case f.fault == faultRetryResult:
			return 2
		case f.dupZero && !old.rolledBack && old.userID == userID:
			return 0
		case !old.rolledBack:
			return 11
		}
	}
	if f.refused[key] && f.fault == faultRefusalSticks {
		return 11
	}
	if f.blocked[userID] && endpoint != "Deposit" {
		return 1
	}
	have := f.balances[userID]
	if f.fault == faultWinPaysBet {
		have += win
	}
	short := have < bet && bet > 0 || f.fault == faultZeroBetNeedsFund && have < bet
	if short && endpoint != "Deposit" && !freeSpin && f.fault != faultNoFundsCheck {
		f.refused[key] = true
		return 6
	}
	effect := win - bet
	if freeSpin && f.fault != faultFreeSpinCosts {
		effect = 0
	}
	if f.fault == faultLosesCent && endpoint == "Deposit" && win > 0 {
		effect--
	}
	f.balances[userID] += effect
	f.processed[key] = &fakeTransaction{userID: userID, effect: effect}
	return 0
}

func (f *fakeWallet) rollback(userID, key string) int {
	old := f.processed[key]
	if old == nil || old.userID != userID && f.fault != faultOthersRollback {
		f.tombstones[[2]string{userID, key}] = true
		if f.fault == faultUnknownRollback {
			return 0
		}
		return 8
	}
	if old.rolledBack && f.fault != faultDoubleRollback {
		return 9
	}
	old.rolledBack = true
	if f.fault != faultNoRollback {
		f.balances[userID] -= old.effect // the fault: this is the wrong player
	}
	return 0
}

// testSimulator returns a simulator that sends callbacks to handler, under the path /wallet.
func testSimulator(t *testing.T, handler http.Handler, change func(*Config)) *Simulator {
	t.Helper()
	wallet := httptest.NewServer(handler)
	t.Cleanup(wallet.Close)
	config := Config{AgentID: testAgent, APIToken: testToken, SecretKey: testSecret, CallbackURL: wallet.URL + "/wallet/",
		Games: 100}
	if change != nil {
		change(&config)
	}
	made, err := New(config)
	require.NoError(t, err)
	return made
}
