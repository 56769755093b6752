package callbacks_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/callbacks"
	"pitboss/callbacks/scenarios"
	"pitboss/callbacks/wire"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// step is a callback and its expected answer or, without an answer, a change to a player.
type step struct {
	endpoint wire.Endpoint
	request  wire.Request
	want     string
	do       func(t testing.TB, h database, prefix string)
}

// The scenarios of this file need what a live service cannot be asked for: two players, a restricted player, other settings,
// balances at the end of the range. What every wallet has to answer is in package scenarios.

// A scenario starts with two players: anna has 100.00 and bert has 5.00. Player and transaction IDs get a prefix per scenario.
type scenario struct {
	name   string
	config func(*callbacks.Config)
	steps  []step
	wrote  written // besides the two opening balances
}

func (s *scenario) play(t *testing.T, h database, prefix string) {
	h.create(t, models.UserID(prefix+"anna"), 10000)
	h.create(t, models.UserID(prefix+"bert"), 500)
	before := h.count(t)
	var change []func(*callbacks.Config)
	if s.config != nil {
		change = append(change, s.config)
	}
	d := open(t, h, change...)
	for i, step := range s.steps {
		if step.do != nil {
			step.do(t, h, prefix)
			continue
		}
		r := step.request
		r.UserID = prefix + r.UserID
		if r.TransactionID != "" {
			r.TransactionID = prefix + r.TransactionID
		}
		got := d.call(t, step.endpoint, r)
		assert.Equal(t, 200, got.status, "step %d", i+1)
		assert.Equal(t, step.want, got.body, "step %d: %s %+v", i+1, step.endpoint, step.request)
		assert.Equal(t, "application/json", got.header.Get("Content-Type"))
	}
	assert.Equal(t, s.wrote, h.count(t).minus(before), "what the ledger gained")
}

func TestScenariosOnEachDatabase(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		h := database{storetest.Open(t, store.Config{URL: url})}
		for _, s := range moneyScenarios {
			t.Run(s.name, func(t *testing.T) { s.play(t, h, s.name+" ") })
		}
	})
}

// ours plays the scenarios of every wallet. Each answer must be exactly ours: the first result that is right, and the balance.
func ours(t *testing.T, h database, player string, dialect wire.Dialect) {
	h.create(t, models.UserID(player), 10000)
	d := open(t, h, func(c *callbacks.Config) { c.Dialect = dialect })
	balance := decimal.RequireFromString("100.00")
	for _, scenario := range scenarios.All {
		for i, step := range scenario.Steps {
			name := step.ID
			if name == "" {
				name = strconv.Itoa(i)
			}
			m := step.Message(wire.Request{AgentID: agent, UserID: player, RoundID: "r1",
				TransactionID: player + scenario.Name + name}, balance)
			got := d.post(t, step.Endpoint.Path(), string(m.Bytes(key)))
			if step.Change != "" {
				balance = balance.Add(decimal.RequireFromString(step.Change))
			}
			want := wire.Answer{Result: wire.AlreadyRolledBack} // where the specification is silent
			if dialect == wire.GitSlotPark && step.Public != nil {
				want.Result = step.Public[0]
			} else if step.Results != nil {
				want.Result = step.Results[0]
			}
			if want.Result == wire.Success || want.Result == wire.DuplicateTransaction {
				want.Balance = balance.StringFixed(2)
			}
			if want.Result != wire.Success && dialect == wire.GitSlotPark {
				want.Message = want.Result.String()
			}
			assert.Equal(t, string(want.AppendTo(nil, dialect)), got.body, "%s: %s", scenario.Name, step.Name)
		}
		now := wire.Answer{Balance: balance.StringFixed(2), Currency: "EUR"}
		assert.Equal(t, string(now.AppendTo(nil, dialect)), d.call(t, wire.GetBalance, balanceOf(player)).body, scenario.Name)
	}
	h.count(t)
}

func TestScenariosOfEveryWallet(t *testing.T) {
	dialects := map[string]wire.Dialect{"spec ": wire.Spec, "public ": wire.GitSlotPark}
	storetest.Each(t, func(t *testing.T, url string) {
		h := database{storetest.Open(t, store.Config{URL: url})}
		for name, dialect := range dialects {
			ours(t, h, name+"anna", dialect)
		}
	})
}

func blocked(user string, blocked bool) step {
	return step{do: func(t testing.TB, h database, prefix string) { h.block(t, models.UserID(prefix+user), blocked) }}
}

func gets(user, want string) step {
	return step{endpoint: wire.GetBalance, request: balanceOf(user), want: want}
}
func bets(r wire.Request, want string) step {
	return step{endpoint: wire.Withdraw, request: r, want: want}
}
func wins(r wire.Request, want string) step {
	return step{endpoint: wire.Deposit, request: r, want: want}
}
func settles(r wire.Request, want string) step {
	return step{endpoint: wire.BetWin, request: r, want: want}
}
func undoes(r wire.Request, want string) step {
	return step{endpoint: wire.RollbackTransaction, request: r, want: want}
}

func duplicateIsSuccess(c *callbacks.Config) { c.DuplicateIsSuccess = true }

const (
	wrongInput   = `{"result":2}`
	invalidSign  = `{"result":3}`
	generalError = `{"result":1}`
	poor         = `{"result":6}`
	notFound     = `{"result":8}`
	rolledBack   = `{"result":9}`
)

func ok(balance string) string        { return `{"result":0,"balance":"` + balance + `"}` }
func duplicate(balance string) string { return `{"result":11,"balance":"` + balance + `"}` }
func has(balance string) string       { return `{"result":0,"balance":"` + balance + `","currency":"EUR"}` }

var moneyScenarios = []scenario{
	{
		name: "bets of the whole balance, of more, of nothing",
		steps: []step{
			bets(bet("bert", "5.01", "t1"), poor),
			gets("bert", has("5.00")),
			bets(bet("bert", "5.00", "t1"), ok("0.00")), // a bet refused with 6 is not processed and may be repeated
			bets(bet("bert", "0.01", "t2"), poor),
			bets(bet("bert", "0.00", "t3"), ok("0.00")),
			wins(bet("bert", "0.00", "t4"), ok("0.00")),
			bets(bet("bert", "999999999999.99", "t5"), poor),
			bets(bet("bert", "999999999999.99", "t6"), poor),
		},
		wrote: written{entries: 3, transactions: 3},
	},
	{
		name: "large wins, up to the range's end",
		steps: []step{
			wins(bet("bert", "999999999995.00", "t1"), generalError), // one cent above the largest balance
			wins(bet("bert", "999999999994.99", "t1"), ok("999999999999.99")),
			wins(bet("bert", "0.01", "t2"), generalError),
			gets("bert", has("999999999999.99")),
			settles(betWin("bert", "1.00", "1.01", "t3"), generalError),
			gets("bert", has("999999999999.99")),
		},
		wrote: written{entries: 1, transactions: 1},
	},
	{
		name: "a processed transaction is a duplicate, whatever comes with its ID",
		steps: []step{
			bets(bet("anna", "10.00", "t1"), ok("90.00")),
			bets(bet("anna", "10.00", "t1"), duplicate("90.00")),
			bets(bet("anna", "11.00", "t1"), duplicate("90.00")),
			bets(bet("anna", "9999.00", "t1"), duplicate("90.00")), // 11 before 6
			wins(bet("anna", "10.00", "t1"), duplicate("90.00")),
			settles(betWin("anna", "1.00", "2.00", "t1"), duplicate("90.00")),
			bets(bet("bert", "10.00", "t1"), duplicate("5.00")), // the asking player's balance
			blocked("anna", true),
			bets(bet("anna", "10.00", "t1"), duplicate("90.00")), // 11 before blocked
			gets("anna", has("90.00")),
			gets("bert", has("5.00")),
		},
		wrote: written{entries: 1, transactions: 1},
	},
	{
		name:   "duplicates answered 0, only with the same contents",
		config: duplicateIsSuccess,
		steps: []step{
			bets(bet("anna", "10.00", "t1"), ok("90.00")),
			bets(bet("anna", "10.00", "t1"), ok("90.00")),
			bets(bet("anna", "10.01", "t1"), duplicate("90.00")),
			bets(spin("anna", "10.00", "t1"), duplicate("90.00")),
			bets(wire.Request{AgentID: agent, UserID: "anna", Amount: "10.00", TransactionID: "t1", RoundID: "r2"},
				duplicate("90.00")),
			wins(bet("anna", "10.00", "t1"), duplicate("90.00")),
			bets(bet("bert", "10.00", "t1"), duplicate("5.00")),
			settles(betWin("anna", "1.00", "2.00", "t2"), ok("91.00")),
			settles(betWin("anna", "1.00", "2.00", "t2"), ok("91.00")),
			undoes(undo("anna", "t1"), ok("101.00")),
			undoes(undo("anna", "t1"), rolledBack),
			bets(bet("anna", "10.00", "t1"), rolledBack),
		},
		wrote: written{entries: 4, transactions: 2},
	},
	{
		name: "rollbacks of bets and wins",
		steps: []step{
			bets(bet("anna", "40.00", "t1"), ok("60.00")),
			undoes(undo("anna", "t1"), ok("100.00")),
			undoes(undo("anna", "t1"), rolledBack),
			bets(bet("anna", "40.00", "t1"), rolledBack),
			wins(bet("anna", "40.00", "t1"), rolledBack),
			bets(bet("bert", "1.00", "t1"), rolledBack), // from any player
			wins(bet("anna", "7.00", "t2"), ok("107.00")),
			undoes(undo("anna", "t2"), ok("100.00")),
			bets(bet("anna", "0.00", "t3"), ok("100.00")),
			undoes(undo("anna", "t3"), ok("100.00")),
			undoes(undo("anna", "t3"), rolledBack),
		},
		wrote: written{entries: 6, transactions: 3},
	},
	{
		name: "a rollback before its original",
		steps: []step{
			undoes(undo("anna", "t1"), notFound),
			undoes(undo("anna", "t1"), notFound), // every time
			bets(bet("anna", "1.00", "t1"), rolledBack),
			wins(bet("anna", "1.00", "t1"), rolledBack),
			settles(betWin("anna", "1.00", "1.00", "t1"), rolledBack),
			bets(spin("anna", "1.00", "t1"), rolledBack),
			undoes(undo("anna", "t1"), notFound),
			gets("anna", has("100.00")),
			bets(bet("bert", "1.00", "t1"), ok("4.00")), // another player's original is processed
			undoes(undo("anna", "t1"), notFound),
			undoes(undo("bert", "t1"), ok("5.00")),
			undoes(undo("bert", "t1"), rolledBack),
		},
		wrote: written{entries: 3, transactions: 1, tombstones: 1},
	},
	{
		name: "two players' tombstones for one ID",
		steps: []step{
			undoes(undo("anna", "t1"), notFound),
			undoes(undo("bert", "t1"), notFound),
			bets(bet("anna", "1.00", "t1"), rolledBack),
			bets(bet("bert", "1.00", "t1"), rolledBack),
		},
		wrote: written{entries: 2, tombstones: 2},
	},
	{
		name: "a rollback under another player's name",
		steps: []step{
			bets(bet("anna", "10.00", "t1"), ok("90.00")),
			undoes(undo("bert", "t1"), notFound),
			undoes(undo("bert", "t1"), notFound),
			gets("anna", has("90.00")),
			gets("bert", has("5.00")),
			undoes(undo("anna", "t1"), ok("100.00")),
			undoes(undo("bert", "t1"), notFound),
		},
		wrote: written{entries: 2, transactions: 1},
	},
	{
		name: "a spent win is taken back: a negative balance",
		steps: []step{
			wins(bet("bert", "20.00", "t1"), ok("25.00")),
			bets(bet("bert", "25.00", "t2"), ok("0.00")),
			undoes(undo("bert", "t1"), ok("-20.00")),
			gets("bert", has("-20.00")),
			bets(bet("bert", "0.01", "t3"), poor),
			bets(bet("bert", "0.00", "t3"), ok("-20.00")), // a stake of 0.00 needs no funds
			settles(betWin("bert", "0.00", "0.50", "t4"), ok("-19.50")),
			wins(bet("bert", "30.00", "t5"), ok("10.50")),
		},
		wrote: written{entries: 7, transactions: 5},
	},
	{
		name: "free spins touch no money",
		steps: []step{
			bets(spin("bert", "999.00", "t1"), ok("5.00")), // no check of funds
			bets(spin("bert", "999.00", "t1"), duplicate("5.00")),
			bets(bet("bert", "1.00", "t1"), duplicate("5.00")), // one key space
			bets(bet("bert", "1.00", "t2"), ok("4.00")),
			bets(spin("bert", "1.00", "t2"), duplicate("4.00")),
			wins(bet("bert", "3.00", "t3"), ok("7.00")),
			undoes(undo("bert", "t1"), ok("7.00")),
			undoes(undo("bert", "t1"), rolledBack),
			bets(spin("bert", "999.00", "t1"), rolledBack),
			undoes(undo("bert", "t4"), notFound),
			bets(spin("bert", "1.00", "t4"), rolledBack),
		},
		wrote: written{entries: 3, spins: 2, transactions: 3, tombstones: 1},
	},
	{
		name: "a restricted player cannot bet, but rounds settle",
		steps: []step{
			bets(bet("anna", "10.00", "t1"), ok("90.00")),
			blocked("anna", true),
			bets(bet("anna", "10.00", "t2"), generalError),
			bets(bet("anna", "9999.00", "t2"), generalError), // blocked before funds
			bets(bet("anna", "0.00", "t2"), generalError),
			bets(spin("anna", "1.00", "t2"), generalError),
			settles(betWin("anna", "1.00", "2.00", "t2"), generalError),
			gets("anna", has("90.00")),
			wins(bet("anna", "5.00", "t3"), ok("95.00")),
			undoes(undo("anna", "t1"), ok("105.00")),
			bets(bet("anna", "10.00", "t1"), rolledBack), // 9 before blocked
			undoes(undo("anna", "t2"), notFound),
			blocked("anna", false),
			bets(bet("anna", "10.00", "t2"), rolledBack),
			bets(bet("anna", "10.00", "t4"), ok("95.00")),
		},
		wrote: written{entries: 5, transactions: 3, tombstones: 1},
	},
	{
		name: "refused with 1: not processed, may be repeated",
		steps: []step{
			blocked("anna", true),
			bets(bet("anna", "10.00", "t1"), generalError),
			blocked("anna", false),
			bets(bet("anna", "10.00", "t1"), ok("90.00")),
		},
		wrote: written{entries: 1, transactions: 1},
	},
	{
		name: "ids are bytes",
		steps: []step{
			bets(bet("anna", "1.00", "Tx"), ok("99.00")),
			bets(bet("anna", "1.00", "tx"), ok("98.00")),
			bets(bet("anna", "1.00", "tx "), ok("97.00")),
			bets(bet("anna", "1.00", "tx  "), ok("96.00")),
			bets(bet("anna", "1.00", "t\u00e9"), ok("95.00")),
			bets(bet("anna", "1.00", "te\u0301"), ok("94.00")),
			bets(bet("anna", "1.00", "te"), ok("93.00")),
			bets(bet("anna", "1.00", "tß"), ok("92.00")),
			bets(bet("anna", "1.00", "tss"), ok("91.00")),
			bets(bet("anna", "1.00", "t🎰"), ok("90.00")),
			bets(bet("anna", "1.00", "t'; --"), ok("89.00")),
			bets(bet("anna", "1.00", `t\`), ok("88.00")),
			bets(bet("anna", "1.00", "t\x01\r\n"), ok("87.00")),
			bets(bet("anna", "1.00", strings.Repeat("t", 150)), ok("86.00")),
			bets(bet("anna", "1.00", "tx "), duplicate("86.00")),
			bets(bet("anna", "1.00", "te\u0301"), duplicate("86.00")),
			bets(bet("anna", "1.00", "t🎰"), duplicate("86.00")),
			undoes(undo("anna", "TX"), notFound),
			gets("Anna", wrongInput),
			gets("anna ", wrongInput),
			gets("\u0061\u0301nna", wrongInput),
			bets(bet("ANNA", "1.00", "t1"), wrongInput),
		},
		wrote: written{entries: 15, transactions: 14, tombstones: 1},
	},
}

// The published vector is a complete Withdraw. It is accepted if its player exists.
func TestThePublishedVectorIsAccepted(t *testing.T) {
	m := newStore(t)
	m.create(t, "Player01", 10000)
	d := open(t, m)
	got := d.post(t, "/Withdraw",
		`{"agentID":"Partner01","userID":"Player01","amount":"12.30","transactionID":"474e1a293c2f4e7ab122c52d68423fcb",`+
			`"roundID":"ab9c15f2efdd46278e4a56b303127234","sign":"475D834ACC3AB61D7DF4EA42751C6275387BC1787A098D2D0E091698D9BF2043"}`)
	require.Equal(t, ok("87.70"), got.body)
}

// Openings are named opening:1 and so on, in a key space that no callback reaches.
func TestOurOwnOperationsCannotBeNamed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		h := database{storetest.Open(t, store.Config{URL: url})}
		h.create(t, "anna", 10000)
		d := open(t, h)
		assert.Equal(t, notFound, d.call(t, wire.RollbackTransaction, undo("anna", "opening:1")).body)
		assert.Equal(t, has("100.00"), d.call(t, wire.GetBalance, balanceOf("anna")).body)
		assert.Equal(t, ok("99.00"), d.call(t, wire.Withdraw, bet("anna", "1.00", "opening:2")).body)
		h.create(t, "bert", 500)
		assert.Equal(t, duplicate("5.00"), d.call(t, wire.Withdraw, bet("bert", "1.00", "opening:2")).body)
		h.count(t)
	})
}
