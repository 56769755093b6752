package store_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"flag"
	"fmt"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/storetest"
)

func TestMain(m *testing.M) {
	if url := os.Getenv(applyInto); url != "" {
		applyUntilKilled(url)
		return
	}
	storetest.Main(m)
}

// scaled returns how often to do something: short by default, long under PITBOSS_PROVE, which `make prove` sets.
func scaled(short, long int) int {
	if os.Getenv("PITBOSS_PROVE") != "" {
		return long
	}
	return short
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

// site is a fresh, migrated database, and the configuration with which stores open it.
type site struct {
	engine string
	cfg    store.Config
	db     *sql.DB // a separate connection, for inspecting and tampering
}

var ledgerKey = []byte("ledger key of the tests")

// onEngines runs fn on a fresh database of each engine at the same time, with batches.
func onEngines(t *testing.T, fn func(t *testing.T, x *site)) {
	storetest.EachEngine(t, func(t *testing.T, engine string) { fn(t, newSite(t, engine, false)) })
}

// onBoth runs fn on a fresh database of each engine with batches, and of each without.
func onBoth(t *testing.T, fn func(t *testing.T, x *site)) {
	storetest.EachEngine(t, func(t *testing.T, engine string) {
		t.Run("batched", func(t *testing.T) { fn(t, newSite(t, engine, false)) })
		t.Run("unbatched", func(t *testing.T) { fn(t, newSite(t, engine, true)) })
	})
}

func newSite(t testing.TB, engine string, unbatched bool) *site {
	t.Helper()
	url := storetest.URL(t, engine)
	other := openURL(t, url)
	createLedgerViews(t, other)
	return &site{engine, store.Config{URL: url, LedgerKey: ledgerKey, Unbatched: unbatched}, other}
}

// open opens a store on the site, as another instance of the program would, and closes it when the test ends.
func (x *site) open(t testing.TB) *store.Store {
	t.Helper()
	return storetest.Open(t, x.cfg)
}

// openURL opens a database independently of the store.
func openURL(t testing.TB, url string) *sql.DB {
	t.Helper()
	driver, dsn := "mysql", strings.TrimPrefix(url, "mysql://")
	if path, ok := strings.CutPrefix(url, "sqlite://"); ok {
		driver, dsn = "sqlite", "file:"+path+"?_pragma=busy_timeout(20000)&_txlock=immediate"
	}
	db, err := sql.Open(driver, dsn)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

// exec changes the database without the store, and requires that something changed.
func (x *site) exec(t testing.TB, statement string, args ...any) {
	t.Helper()
	done, err := x.db.ExecContext(t.Context(), statement, args...)
	require.NoError(t, err, statement)
	n, err := done.RowsAffected()
	require.NoError(t, err)
	require.NotZero(t, n, "nothing was changed by: %s", statement)
}

// number reads one number from the database.
func (x *site) number(t testing.TB, query string, args ...any) (n int64) {
	t.Helper()
	require.NoError(t, x.db.QueryRowContext(t.Context(), query, args...).Scan(&n), query)
	return n
}

// ledgerTables are the tables with money and its evidence.
var ledgerTables = []string{"players", "wallets", "postings", "spin_entries", "retired_postings", "audit_events"}

// digest returns a hash of every row of every table of the ledger: if it is equal twice, nothing changed in between.
func (x *site) digest(t testing.TB) string {
	t.Helper()
	sum := sha256.New()
	for _, table := range ledgerTables {
		rows, err := x.db.QueryContext(t.Context(), "SELECT * FROM "+table+" ORDER BY 1, 2")
		require.NoError(t, err)
		columns, err := rows.Columns()
		require.NoError(t, err)
		row, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		for rows.Next() {
			require.NoError(t, rows.Scan(into...))
			fmt.Fprintf(sum, "%s %q\n", table, row)
		}
		require.NoError(t, rows.Err())
		require.NoError(t, rows.Close())
	}
	return hex.EncodeToString(sum.Sum(nil))
}

var tester = models.Actor{Name: "tester", Channel: models.ChannelSystem, Address: "127.0.0.1", Session: "s1"}

func create(t testing.TB, s *store.Store, user models.UserID, balance models.Amount) models.Player {
	t.Helper()
	p, err := s.CreatePlayer(t.Context(), tester, models.NewPlayer{UserID: user, Currency: "EUR", Balance: balance})
	require.NoError(t, err)
	return p
}

// patience is the deadline for operations that must succeed, however busy the machine.
const patience = time.Minute

var requests atomic.Int64

// received gives an operation of the platform the receipt of its callback, unless it has one.
func received(op models.Operation) models.Operation {
	if op.Source == models.SourcePlatform && op.Receipt == nil {
		op.Receipt = &models.Receipt{
			RequestID: models.RequestID{Received: time.Now().UTC().Truncate(time.Microsecond),
				Number: int64(os.Getpid())<<32 | requests.Add(1)},
			Address: netip.MustParseAddr("203.0.113.7"),
		}
	}
	return op
}

// apply applies op and requires a definite answer.
func apply(t testing.TB, s *store.Store, op models.Operation) models.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	r, err := s.Apply(ctx, received(op))
	require.NoError(t, err)
	return r
}

func balance(t testing.TB, s *store.Store, user models.UserID) models.Amount {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	b, ok, err := s.Balance(ctx, user)
	require.NoError(t, err)
	require.True(t, ok)
	return b.Amount
}

func bet(user models.UserID, id models.TransactionID, stake models.Amount) models.Operation {
	return models.Operation{Source: models.SourcePlatform, Kind: models.Bet, UserID: user, TransactionID: id,
		RoundID: "r-" + models.RoundID(id), Bet: stake}
}

func win(user models.UserID, id models.TransactionID, win models.Amount) models.Operation {
	return models.Operation{Source: models.SourcePlatform, Kind: models.Win, UserID: user, TransactionID: id,
		RoundID: "r-" + models.RoundID(id), Win: win}
}

func betWin(user models.UserID, id models.TransactionID, stake, win models.Amount) models.Operation {
	op := bet(user, id, stake)
	op.Kind, op.Win = models.BetWin, win
	return op
}

func freeSpin(user models.UserID, id models.TransactionID, stake models.Amount) models.Operation {
	op := bet(user, id, stake)
	op.FreeSpin = true
	return op
}

func rollback(user models.UserID, id models.TransactionID) models.Operation {
	return models.Operation{Source: models.SourcePlatform, Kind: models.Rollback, UserID: user, TransactionID: id}
}

// requireWhole requires that the ledger verifies without faults.
func requireWhole(t testing.TB, s *store.Store) models.Verification {
	t.Helper()
	v, err := s.Verify(t.Context(), nil)
	require.NoError(t, err)
	require.Empty(t, v.Faulty)
	require.Empty(t, v.Rows.Faults)
	return v
}

// together runs fn n times at once, and returns when all have ended.
func together(n int, fn func(i int)) {
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-start
			fn(i)
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
}

// answered is an operation with its answer, or an error if there was none.
type answered struct {
	models.Operation
	models.Result
	err error
}

// applyTogether applies all operations at once, each under the same deadline, over the stores in turn.
func applyTogether(t testing.TB, wait time.Duration, ops []models.Operation, stores ...*store.Store) []answered {
	t.Helper()
	all := make([]answered, len(ops))
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	together(len(ops), func(i int) {
		r, err := stores[i%len(stores)].Apply(ctx, received(ops[i]))
		all[i] = answered{ops[i], r, err}
	})
	return all
}

// tally counts answers by decline, and requires that each is definite.
func tally(t testing.TB, all []answered) map[models.Decline]int {
	t.Helper()
	n := map[models.Decline]int{}
	for _, a := range all {
		require.NoError(t, a.err, "%+v", a.Operation)
		n[a.Decline]++
	}
	return n
}

func TestApply(t *testing.T) {
	onBoth(t, func(t *testing.T, x *site) {
		s := x.open(t)
		create(t, s, "anna", 10000)
		create(t, s, "bert", 500)

		require.Equal(t, models.Result{Balance: models.Balance{Amount: 7500, Currency: "EUR"}},
			apply(t, s, bet("anna", "1", 2500)))
		require.Equal(t, models.Duplicate, apply(t, s, bet("anna", "1", 2500)).Decline)
		other := apply(t, s, bet("anna", "1", 2600))
		require.True(t, other.OtherContents)
		require.EqualValues(t, 7500, other.Balance.Amount)
		require.Equal(t, models.Duplicate, apply(t, s, bet("bert", "1", 2500)).Decline, "transaction IDs are unique over all players")
		require.Equal(t, models.InsufficientFunds, apply(t, s, bet("bert", "2", 501)).Decline)
		require.Equal(t, models.None, apply(t, s, bet("bert", "2", 500)).Decline, "a refused bet may come again")
		require.Equal(t, models.NotFound, apply(t, s, rollback("bert", "1")).Decline, "not bert's")
		require.Equal(t, models.None, apply(t, s, rollback("anna", "1")).Decline)
		require.Equal(t, models.RolledBack, apply(t, s, rollback("anna", "1")).Decline)
		require.Equal(t, models.RolledBack, apply(t, s, bet("bert", "1", 1)).Decline, "even for another player")
		require.Equal(t, models.NotFound, apply(t, s, rollback("anna", "3")).Decline)
		require.Equal(t, models.NotFound, apply(t, s, rollback("anna", "3")).Decline)
		require.Equal(t, models.RolledBack, apply(t, s, bet("anna", "3", 100)).Decline, "the late original")
		require.Equal(t, models.None, apply(t, s, bet("bert", "3", 0)).Decline, "another player's original")
		require.Equal(t, models.UnknownPlayer, apply(t, s, bet("Anna", "4", 100)).Decline)
		require.Equal(t, models.Result{Unexplained: true, Balance: models.Balance{Amount: 0, Currency: "EUR"}},
			apply(t, s, freeSpin("bert", "5", 700)))
		require.Equal(t, models.None, apply(t, s, rollback("bert", "5")).Decline)

		require.EqualValues(t, 10000, balance(t, s, "anna"))
		require.EqualValues(t, 0, balance(t, s, "bert"))
		_, ok, err := s.Balance(t.Context(), "Anna")
		require.NoError(t, err)
		require.False(t, ok)
		v := requireWhole(t, s)
		require.True(t, v.Keyed)
		require.Equal(t, models.Verification{Keyed: true, Wallets: 2, Entries: 7, SpinEntries: 2, Transactions: 6,
			Tombstones: 1, AuditEvents: 2, GuardedRows: 2}, v)
	})
}

// Names are bytes: names that a text collation would treat as equal are different players and transactions.
func TestNamesAreBytes(t *testing.T) {
	names := []string{"anna", "Anna", "anna ", " anna", "\u00e4nna", "a\u0308nna", "anna\n", "\uff41nna", "anna\u200b", "'",
		"\\", `"`, "\U0001f3b0", strings.Repeat("x", 255)}
	onBoth(t, func(t *testing.T, x *site) {
		s := x.open(t)
		for _, name := range names {
			create(t, s, models.UserID(name), 1000)
		}
		named := func(name string) models.Operation {
			op := bet(models.UserID(name), models.TransactionID(name), 10)
			op.RoundID = models.RoundID(name)
			return op
		}
		for _, name := range names {
			require.Equal(t, models.NotFound,
				apply(t, s, rollback(models.UserID(names[0]), models.TransactionID(name[1:]+"?"))).Decline, "%q", name)
			require.Equal(t, models.None, apply(t, s, named(name)).Decline, "%q", name)
		}
		for _, name := range names {
			r := apply(t, s, named(name))
			require.Equal(t, models.Duplicate, r.Decline, "%q", name)
			require.False(t, r.OtherContents, "%q", name)
			require.EqualValues(t, 990, balance(t, s, models.UserID(name)), "%q", name)
		}
		requireWhole(t, s)
	})
}

// A callback can never name an operation of our own, not even an opening balance.
func TestOwnOperationsCannotBeNamed(t *testing.T) {
	onBoth(t, func(t *testing.T, x *site) {
		s := x.open(t)
		p := create(t, s, "anna", 1000)
		opening := models.TransactionID(fmt.Sprintf("opening:%d", p.ID))
		require.EqualValues(t, 1, x.number(t, "SELECT COUNT(*) FROM transactions WHERE transaction_id = ?", string(opening)))
		require.Equal(t, models.NotFound, apply(t, s, rollback("anna", opening)).Decline)
		require.Equal(t, models.RolledBack, apply(t, s, bet("anna", opening, 10)).Decline,
			"by the tombstone just left, in the platform's own key space")
		create(t, s, "bert", 1000)
		require.Equal(t, models.None, apply(t, s, bet("bert", opening, 10)).Decline)
		require.EqualValues(t, 1000, balance(t, s, "anna"))
		requireWhole(t, s)
	})
}
