package ledger_test

import (
	"flag"
	"fmt"
	"math/big"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// books are a list of operations, like the platform's own, from which every figure is calculated again each time. They share
// only the names of answers with Decide.
type books struct {
	opening    map[models.UserID]int64
	blocked    map[models.UserID]bool
	done       []*doneOperation
	tombstones map[string]bool // player and transaction
	cash       []*cashOperation
}

// cashOperation is a deposit or a cash-out, and how it has ended: 0 if it has not.
type cashOperation struct {
	models.Operation
	end models.OperationKind
}

type doneOperation struct {
	models.Operation
	undone bool
}

func (b *books) find(id models.TransactionID) *doneOperation {
	for _, d := range b.done {
		if d.TransactionID == id {
			return d
		}
	}
	return nil
}

// worth adds up a player's balance.
func (b *books) worth(user models.UserID) *big.Int {
	sum := big.NewInt(b.opening[user])
	for _, d := range b.done {
		if d.UserID == user && !d.undone && !d.FreeSpin {
			sum.Add(sum, big.NewInt(int64(d.Win)))
			sum.Sub(sum, big.NewInt(int64(d.Bet)))
		}
	}
	for _, c := range b.cash {
		if c.UserID == user && c.end != models.CashReturned {
			sum.Add(sum, big.NewInt(int64(c.Win)))
			sum.Sub(sum, big.NewInt(int64(c.Bet)))
		}
	}
	return sum
}

// held adds up a player's cash-outs that have not ended.
func (b *books) held(user models.UserID) *big.Int {
	sum := new(big.Int)
	for _, c := range b.cash {
		if c.UserID == user && c.end == 0 {
			sum.Add(sum, big.NewInt(int64(c.Bet)))
		}
	}
	return sum
}

// askCash is ask for cash.
func (b *books) askCash(op models.Operation) (answer models.Decline, other, writes bool) {
	var first *cashOperation
	for _, c := range b.cash {
		if c.TransactionID == op.TransactionID {
			first = c
		}
	}
	room := func(of, more *big.Int) bool { return fits(new(big.Int).Add(of, more)) }
	amount := big.NewInt(int64(op.Bet + op.Win))
	switch op.Kind {
	case models.CashIn, models.CashOut:
		switch {
		case first != nil:
			return models.Duplicate, first.Operation != op, false
		case op.Currency != "EUR":
			return models.OtherCurrency, false, false
		case op.Kind == models.CashIn && b.blocked[op.UserID]:
			return models.PlayerRestricted, false, false
		case op.Kind == models.CashOut && b.worth(op.UserID).Cmp(amount) < 0:
			return models.InsufficientFunds, false, false
		case op.Kind == models.CashOut && !room(b.held(op.UserID), amount),
			op.Kind == models.CashIn && !room(b.worth(op.UserID), amount):
			return models.BalanceOverflow, false, false
		}
		b.cash = append(b.cash, &cashOperation{Operation: op})
		return models.None, false, true
	}
	switch {
	case first == nil || first.UserID != op.UserID || first.Kind != models.CashOut:
		return models.NotFound, false, false
	case first.end == op.Kind:
		return models.Duplicate, false, false
	case first.end != 0:
		return models.CashOutEnded, false, false
	case op.Kind == models.CashReturned && !room(b.worth(op.UserID), big.NewInt(int64(first.Bet))):
		return models.BalanceOverflow, false, false
	}
	first.end = op.Kind
	return models.None, false, true
}

// lines counts the ledger's lines: those of money and those of free spins.
func (b *books) lines() (money, spins int64) {
	money = int64(len(b.opening) + len(b.tombstones))
	for _, d := range b.done {
		n := int64(1)
		if d.undone {
			n = 2
		}
		switch {
		case d.FreeSpin:
			spins += n
		case d.Kind == models.BetWin:
			money += 2 * n
		default:
			money += n
		}
	}
	for _, c := range b.cash {
		if money++; c.end != 0 {
			money++
		}
	}
	return money, spins
}

func fits(n *big.Int) bool { return n.CmpAbs(big.NewInt(int64(models.MaxAmount))) <= 0 }

// ask answers op as the contract says and records its effect; writes reports whether there was any.
func (b *books) ask(op models.Operation) (answer models.Decline, other, writes bool) {
	if op.Kind.IsCash() {
		return b.askCash(op)
	}
	first := b.find(op.TransactionID)
	tombstone := fmt.Sprintf("%q %q", op.UserID, op.TransactionID)
	worth := b.worth(op.UserID)
	if op.Kind == models.Rollback {
		switch {
		case first == nil && b.tombstones[tombstone]:
			return models.NotFound, false, false
		case first == nil:
			b.tombstones[tombstone] = true
			return models.NotFound, false, true
		case first.UserID != op.UserID:
			return models.NotFound, false, false
		case first.undone:
			return models.RolledBack, false, false
		case !first.FreeSpin && !fits(worth.Sub(worth.Add(worth, big.NewInt(int64(first.Bet))), big.NewInt(int64(first.Win)))):
			return models.BalanceOverflow, false, false
		}
		first.undone = true
		return models.None, false, true
	}
	stakes := op.Kind != models.Win
	switch {
	case b.tombstones[tombstone], first != nil && first.undone:
		return models.RolledBack, false, false
	case first != nil:
		return models.Duplicate, first.Operation != op, false
	case stakes && b.blocked[op.UserID]:
		return models.PlayerRestricted, false, false
	case stakes && !op.FreeSpin && op.Bet != 0 && worth.Cmp(big.NewInt(int64(op.Bet))) < 0:
		return models.InsufficientFunds, false, false
	case !op.FreeSpin && !fits(worth.Sub(worth.Add(worth, big.NewInt(int64(op.Win))), big.NewInt(int64(op.Bet)))):
		return models.BalanceOverflow, false, false
	}
	b.done = append(b.done, &doneOperation{Operation: op})
	return models.None, false, true
}

// subject is what is compared with the books.
type subject interface {
	open(user models.UserID, balance models.Amount)
	apply(op models.Operation) models.Result
	block(user models.UserID, blocked bool)
	balance(user models.UserID) models.Amount
	digest() string
	check(money, spins int64) // requires that the ledger is whole and has this many lines
}

// memory is Decide with the state of a store in maps.
type memory struct {
	t          *rapid.T
	chain      *models.Chain
	wallets    map[models.UserID]models.Wallet
	prior      map[models.TransactionID]models.Transaction
	tombstones map[models.Tombstone]bool
	postings   []models.Posting
	spins      []models.SpinEntry
}

func newMemory(t *rapid.T) *memory {
	return &memory{
		t: t, chain: models.NewChain(storetest.LedgerKey), wallets: map[models.UserID]models.Wallet{},
		prior: map[models.TransactionID]models.Transaction{}, tombstones: map[models.Tombstone]bool{},
	}
}

func (m *memory) open(user models.UserID, balance models.Amount) {
	m.wallets[user] = models.Wallet{PlayerID: int64(len(m.wallets) + 1), Currency: "EUR"}
	op := models.Operation{Source: models.SourceOwn, Kind: models.Opening, UserID: user, Win: balance}
	op.TransactionID = "opening:" + models.TransactionID(user)
	require.Equal(m.t, models.None, m.apply(op).Decline)
}

func (m *memory) apply(op models.Operation) models.Result {
	w := m.wallets[op.UserID]
	tombstone := models.Tombstone{PlayerID: w.PlayerID, TransactionID: op.TransactionID}
	state := models.State{Wallet: w, Tombstoned: m.tombstones[tombstone]}
	prior, ok := m.prior[op.TransactionID]
	if ok {
		state.Prior = &prior
	}
	o := models.Decide(state, op)
	if lines := o.Lines; len(lines) > 0 {
		p := w.Book(m.chain, &o, &op, &prior, storetest.TimeOf(int64(len(m.postings)+1)), models.SignedDigest{})
		m.postings = append(m.postings, p)
		if p.FreeSpin {
			m.spins = append(m.spins, w.BookSpin(m.chain, models.SpinEntry{
				Kind: lines[0].Kind, TransactionID: op.TransactionID, RoundID: op.RoundID, Spins: lines[0].Spins,
				Stake: lines[0].Amount, At: storetest.TimeOf(int64(len(m.spins) + 1)),
			}))
		}
	}
	switch {
	case o.Process:
		prior = models.Transaction{
			Source: op.Source, TransactionID: op.TransactionID, PlayerID: w.PlayerID, Kind: op.Kind, RoundID: op.RoundID,
			Bet: op.Bet, Win: op.Win, FreeSpin: op.FreeSpin, State: models.Processed,
		}
	case o.Reverse:
		prior.State = models.Reversed
	case o.Pay:
		prior.State = models.PaidOut
	case o.Tombstone:
		m.tombstones[tombstone] = true
	}
	m.wallets[op.UserID] = w
	if ok || o.Process {
		m.prior[op.TransactionID] = prior
	}
	return models.Result{Decline: o.Decline, OtherContents: o.OtherContents, Balance: models.Balance{Amount: w.Balance},
		Held: w.Held}
}

// lines returns the number of lines of money.
func (m *memory) lines() (n int64) {
	for i := range m.postings {
		n += m.postings[i].Lines()
	}
	return n
}

func (m *memory) block(user models.UserID, blocked bool) {
	w := m.wallets[user]
	w.PlayFrom = time.Time{}
	if blocked {
		w.PlayFrom = models.Permanent
	}
	m.wallets[user] = w
}

func (m *memory) balance(user models.UserID) models.Amount { return m.wallets[user].Balance }

// digest includes the wallets' heads, which depend on every line.
func (m *memory) digest() string { return fmt.Sprint(m.wallets, m.prior, m.tombstones) }

func (m *memory) check(money, spins int64) {
	require.EqualValues(m.t, spins, len(m.spins))
	sums, seqs, heads := map[int64]models.Amount{}, map[int64]int64{}, map[int64]models.Hash{}
	held := map[int64]models.Amount{}
	require.Equal(m.t, money, m.lines())
	for _, p := range m.postings {
		for _, e := range p.Entries("EUR") {
			require.Equal(m.t, seqs[e.PlayerID]+1, e.Seq)
			require.Equal(m.t, sums[e.PlayerID], e.Before)
			require.Equal(m.t, e.Before+e.Amount, e.After)
			seqs[e.PlayerID], sums[e.PlayerID] = e.Seq, e.After
			held[e.PlayerID] += e.Held
		}
		if p.Kind.IsCash() {
			require.Equal(m.t, held[p.PlayerID], p.Held)
		}
		if !p.FreeSpin {
			require.Equal(m.t, m.chain.PostingHash(heads[p.PlayerID], "EUR", &p), p.Hash)
			heads[p.PlayerID] = p.Hash
		}
	}
	for _, w := range m.wallets {
		require.Equal(m.t, sums[w.PlayerID], w.Balance, "entries sum to the balance")
		require.Equal(m.t, heads[w.PlayerID], w.Head)
		require.Equal(m.t, held[w.PlayerID], w.Held)
	}
}

// stored is a store on one of the databases.
type stored struct {
	t *testing.T
	x *storetest.Database
	s *store.Store
}

func (r *stored) open(user models.UserID, balance models.Amount) {
	storetest.CreatePlayer(r.t, r.s, user, balance)
}

func (r *stored) apply(op models.Operation) models.Result { return storetest.Apply(r.t, r.s, op) }

func (r *stored) balance(user models.UserID) models.Amount { return storetest.Balance(r.t, r.s, user) }

func (r *stored) digest() string { return r.x.Digest(r.t) }

func (r *stored) block(user models.UserID, blocked bool) {
	if storetest.Release(r.t, r.s, user); blocked {
		storetest.Restrict(r.t, r.s, user)
	}
}

func (r *stored) check(money, spins int64) {
	v := storetest.RequireWhole(r.t, r.s)
	require.Equal(r.t, [2]int64{money, spins}, [2]int64{v.Entries, v.SpinEntries})
}

// Few names and amounts, so that operations collide.
var someAmount = rapid.SampledFrom([]models.Amount{0, 0, 1, 99, 100, 101, 500, 1000, models.MaxAmount - 100, models.MaxAmount})

// drawOperation draws an operation whose IDs begin with a prefix.
func drawOperation(t *rapid.T, prefix string) models.Operation {
	op := models.Operation{
		Source: models.SourcePlatform,
		UserID: models.UserID(prefix + rapid.SampledFrom([]string{"anna", "bert", "Anna"}).Draw(t, "player")),
		TransactionID: models.TransactionID(prefix +
			rapid.SampledFrom([]string{"t1", "t2", "t3", "t4", "t5", "T1", "t1 "}).Draw(t, "id")),
		Kind: rapid.SampledFrom([]models.OperationKind{models.Bet, models.Bet, models.Win, models.BetWin,
			models.Rollback, models.Rollback}).Draw(t, "kind"),
	}
	if rapid.IntRange(0, 2).Draw(t, "cash") == 0 {
		return drawCash(t, prefix, op.UserID)
	}
	if op.Kind == models.Rollback {
		return op
	}
	op.RoundID = rapid.SampledFrom([]models.RoundID{"r1", "r2"}).Draw(t, "round")
	if op.Kind != models.Win {
		op.Bet = someAmount.Draw(t, "stake")
	}
	if op.Kind != models.Bet {
		op.Win = someAmount.Draw(t, "win")
	}
	if op.Kind == models.Bet {
		op.FreeSpin = rapid.IntRange(0, 3).Draw(t, "free") == 0
	}
	return op
}

// drawCash draws an operation of cash by one of two clients.
func drawCash(t *rapid.T, prefix string, user models.UserID) models.Operation {
	r := models.CashRequest{Client: int64(rapid.IntRange(7, 8).Draw(t, "client")), UserID: user,
		ID:       prefix + rapid.SampledFrom([]string{"c1", "c2", "c3"}).Draw(t, "id"),
		Amount:   rapid.SampledFrom([]models.Amount{1, 99, 500, 1000, models.MaxAmount - 100, models.MaxAmount}).Draw(t, "amount"),
		Currency: rapid.SampledFrom([]models.Currency{"EUR", "EUR", "EUR", "USD"}).Draw(t, "currency")}
	switch kind := rapid.SampledFrom([]models.OperationKind{models.CashIn, models.CashOut, models.CashOut, models.CashPaid,
		models.CashReturned}).Draw(t, "kind"); kind {
	case models.CashIn:
		return r.Deposit()
	case models.CashOut:
		return r.CashOut()
	default:
		return models.Operation{Source: models.SourceClient, Kind: kind, UserID: user,
			TransactionID: models.CashID(r.Client, r.ID)}
	}
}

// follow plays a random history against a subject and the books: each answer and balance matches the books, a refusal changes
// nothing, a replay changes nothing, and the ledger is whole at the end.
func follow(t *rapid.T, prefix string, s subject, steps int) {
	b := &books{opening: map[models.UserID]int64{}, blocked: map[models.UserID]bool{}, tombstones: map[string]bool{}}
	for _, name := range []string{"anna", "bert", "Anna"} {
		user := models.UserID(prefix + name)
		opening := rapid.SampledFrom([]models.Amount{0, 1000, 1000, models.MaxAmount - 50}).Draw(t, "opening")
		b.opening[user] = int64(opening)
		s.open(user, opening)
	}
	for range rapid.IntRange(1, steps).Draw(t, "steps") {
		if rapid.IntRange(0, 9).Draw(t, "what") == 0 {
			user := models.UserID(prefix + rapid.SampledFrom([]string{"anna", "bert", "Anna"}).Draw(t, "whom"))
			b.blocked[user] = !b.blocked[user]
			s.block(user, b.blocked[user])
			continue
		}
		op := drawOperation(t, prefix)
		before := s.digest()
		answer, other, writes := b.ask(op)
		r := s.apply(op)
		require.Equal(t, answer.String(), r.Decline.String(), "%+v", op)
		require.Equal(t, other, r.OtherContents, "%+v", op)
		require.Equal(t, b.worth(op.UserID).String(), fmt.Sprint(int64(r.Balance.Amount)), "%+v", op)
		if op.Kind.IsCash() {
			require.Equal(t, b.held(op.UserID).String(), fmt.Sprint(int64(r.Held)), "%+v", op)
		}
		after := s.digest()
		require.Equal(t, writes, before != after, "%+v: %s", op, answer)
		if !rapid.Bool().Draw(t, "again") {
			continue
		}
		again := map[models.Decline]models.Decline{models.None: models.Duplicate}
		if op.Kind == models.Rollback {
			again[models.None] = models.RolledBack
		}
		want, ok := again[answer]
		if !ok {
			want = answer
		}
		b.ask(op)
		require.Equal(t, want.String(), s.apply(op).Decline.String(), "a replay of %+v", op)
		require.Equal(t, after, s.digest(), "a replay of %+v changes nothing", op)
	}
	for user := range b.opening {
		require.Equal(t, b.worth(user).String(), fmt.Sprint(int64(s.balance(user))))
	}
	s.check(b.lines())
}

// Only Decide, in memory, over thousands of histories.
func TestRandomHistoriesInMemory(t *testing.T) {
	rapidly(t, storetest.Scaled(1500, 100000))
	rapid.Check(t, func(t *rapid.T) { follow(t, "", newMemory(t), 40) })
}

// clearTables empties the ledger, so that a history begins with nothing.
func clearTables(x *storetest.Database, t testing.TB) {
	t.Helper()
	storetest.DropTriggers(t, x.Config.URL)
	_, err := x.DB.ExecContext(t.Context(), "UPDATE audit_head SET seq = 0, hash = ?", make([]byte, 32))
	require.NoError(t, err)
	for _, table := range append([]string{"staff"}, storetest.LedgerTables...) {
		_, err := x.DB.ExecContext(t.Context(), "DELETE FROM "+table)
		require.NoError(t, err)
	}
}

// The same on the databases.
func TestRandomHistories(t *testing.T) {
	rapidly(t, storetest.Scaled(15, 600))
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		history := 0
		rapid.Check(t, func(rt *rapid.T) {
			history++
			clearTables(x, t)
			follow(rt, fmt.Sprint("h", history, "-"), &stored{t, x, s}, 30)
		})
	})
}

// Concurrent histories over two instances, which are closed and opened again in between. Whatever the order of the operations,
// answers and balances match the ledger.
func TestRandomConcurrentHistories(t *testing.T) {
	rapidly(t, storetest.Scaled(6, 300))
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		storetest.Open(t, x.Config)
		history := 0
		rapid.Check(t, func(rt *rapid.T) {
			history++
			clearTables(x, t)
			prefix := fmt.Sprint("h", history, "-")
			want, applied, undone, early := map[models.UserID]models.Amount{}, map[models.TransactionID]models.Operation{},
				map[models.TransactionID]bool{}, map[models.TransactionID]bool{}
			ended := map[models.TransactionID]models.OperationKind{}
			var all []storetest.Answered
			for phase := range rapid.IntRange(1, 3).Draw(rt, "restarts") {
				a, err := store.Open(t.Context(), x.Config)
				require.NoError(rt, err)
				b, err := store.Open(t.Context(), x.Config)
				require.NoError(rt, err)
				if phase == 0 {
					for _, name := range []string{"anna", "bert", "Anna"} {
						storetest.CreatePlayer(t, a, models.UserID(prefix+name), 1000)
						want[models.UserID(prefix+name)] = 1000
					}
				}
				ops := make([]models.Operation, rapid.IntRange(10, 60).Draw(rt, "operations"))
				for i := range ops {
					ops[i] = drawOperation(rt, prefix)
					ops[i].Bet %= 2000
					ops[i].Win %= 2000
				}
				all = append(all, storetest.ApplyTogether(t, storetest.Patience, ops, a, b)...)
				storetest.RequireWhole(t, b)
				require.NoError(rt, a.Close())
				require.NoError(rt, b.Close())
			}
			for _, o := range all {
				require.NoError(rt, o.Err)
				switch {
				case o.Decline == models.NotFound && o.Kind == models.Rollback:
					early[o.TransactionID] = true
				case o.Decline != models.None:
				case o.Kind == models.CashPaid || o.Kind == models.CashReturned:
					require.Zero(rt, ended[o.TransactionID], "%s has ended twice", o.TransactionID)
					ended[o.TransactionID] = o.Kind
				case o.Kind == models.Rollback:
					require.False(rt, undone[o.TransactionID], "%s was rolled back twice", o.TransactionID)
					undone[o.TransactionID] = true
				default:
					require.NotContains(rt, applied, o.TransactionID, "applied twice")
					applied[o.TransactionID] = o.Operation
				}
			}
			for id, op := range applied {
				if !undone[id] && !op.FreeSpin && ended[id] != models.CashReturned {
					want[op.UserID] += op.Win - op.Bet
				}
			}
			for _, o := range all {
				first, ok := applied[o.TransactionID]
				switch {
				case o.Decline == models.Duplicate && (o.Kind == models.CashPaid || o.Kind == models.CashReturned):
					require.Equal(rt, ended[o.TransactionID], o.Kind, "%+v", o)
				case o.Decline == models.CashOutEnded:
					require.NotZero(rt, ended[o.TransactionID], "%+v", o)
				case o.Decline == models.Duplicate:
					require.True(rt, ok, "a duplicate of nothing: %+v", o)
					require.Equal(rt, first != o.Operation, o.OtherContents, "%+v of %+v", o, first)
				case o.Decline == models.RolledBack:
					require.True(rt, undone[o.TransactionID] || early[o.TransactionID], "%+v", o)
				case o.Decline == models.None && o.Kind == models.Rollback:
					require.Equal(rt, first.UserID, o.UserID)
				}
			}
			s, err := store.Open(t.Context(), x.Config)
			require.NoError(rt, err)
			defer s.Close()
			for user, amount := range want {
				require.Equal(rt, amount, storetest.Balance(t, s, user), user)
			}
			before := x.Digest(t)
			for id, op := range applied {
				again := models.Duplicate
				if undone[id] {
					again = models.RolledBack
				}
				require.Equal(rt, again, storetest.Apply(t, s, op).Decline)
			}
			require.Equal(rt, before, x.Digest(t), "a replay changes nothing")
			storetest.RequireWhole(t, s)
		})
	})
}

// rapidly sets how many random cases rapid tries until the test ends, overriding rapid's own variables: a case on a database
// takes longer than one in memory. The setting applies to all tests that run meanwhile, so call it before tests on several
// databases begin.
func rapidly(t *testing.T, checks int) {
	t.Helper()
	f := flag.Lookup("rapid.checks")
	before := f.Value.String()
	require.NoError(t, f.Value.Set(strconv.Itoa(checks)))
	t.Cleanup(func() { require.NoError(t, f.Value.Set(before)) })
}
