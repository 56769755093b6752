package storetest

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
)

// Scaled returns how often to do something: short by default, long with PITBOSS_PROVE, which `make prove` sets.
func Scaled(short, long int) int {
	if os.Getenv("PITBOSS_PROVE") != "" {
		return long
	}
	return short
}

// Database is a fresh, migrated database, with the configuration for opening stores on it.
type Database struct {
	Engine string
	Config store.Config
	DB     *sql.DB // a connection that bypasses the store, for inspecting and tampering
}

var LedgerKey = []byte("ledger key of the tests")

// OnEngines runs fn on a fresh database of each engine, all at the same time.
func OnEngines(t *testing.T, fn func(t *testing.T, x *Database)) {
	EachEngine(t, func(t *testing.T, engine string) { fn(t, NewDatabase(t, engine)) })
}

func NewDatabase(t testing.TB, engine string) *Database {
	t.Helper()
	url := URL(t, engine)
	other := OpenURL(t, url)
	createLedgerViews(t, other)
	return &Database{engine, store.Config{URL: url, LedgerKey: LedgerKey}, other}
}

// Open opens a store on the database, as another instance of the program would, and closes it when the test ends.
func (x *Database) Open(t testing.TB) *store.Store {
	t.Helper()
	return Open(t, x.Config)
}

// OpenURL opens a database without the store.
func OpenURL(t testing.TB, url string) *sql.DB {
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

// Exec changes the database without the store, and requires that at least one row changes.
func (x *Database) Exec(t testing.TB, statement string, args ...any) {
	t.Helper()
	done, err := x.DB.ExecContext(t.Context(), statement, args...)
	require.NoError(t, err, statement)
	n, err := done.RowsAffected()
	require.NoError(t, err)
	require.NotZero(t, n, "nothing was changed by: %s", statement)
}

// Number reads a single number from the database.
func (x *Database) Number(t testing.TB, query string, args ...any) (n int64) {
	t.Helper()
	require.NoError(t, x.DB.QueryRowContext(t.Context(), query, args...).Scan(&n), query)
	return n
}

// LedgerTables are the tables with money and its evidence.
var LedgerTables = []string{"players", "wallets", "postings", "spin_entries", "restrictions", "audit_events"}

// Digest returns a hash of every row of the ledger's tables. If it is the same twice, nothing has changed in between.
func (x *Database) Digest(t testing.TB) string {
	t.Helper()
	sum := sha256.New()
	for _, table := range LedgerTables {
		rows, err := x.DB.QueryContext(t.Context(), "SELECT * FROM "+table+" ORDER BY 1, 2")
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

var Tester = models.Actor{Name: "tester", Channel: models.ChannelSystem, Address: "127.0.0.1", Session: "s1"}

func CreatePlayer(t testing.TB, s *store.Store, user models.UserID, balance models.Amount) models.Player {
	t.Helper()
	p, err := s.CreatePlayer(t.Context(), Tester, models.NewPlayer{UserID: user, Currency: "EUR", Balance: balance})
	require.NoError(t, err)
	return p
}

// Patience is the deadline for operations that must succeed, however busy the machine.
const Patience = time.Minute

// Apply applies op and requires a definite answer.
func Apply(t testing.TB, s *store.Store, op models.Operation) models.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), Patience)
	defer cancel()
	r, err := s.Apply(ctx, op)
	require.NoError(t, err)
	return r
}

// Called is like Apply for an operation that arrives as a callback, and also returns its line of the callback log.
func Called(t testing.TB, s *store.Store, op models.Operation) (models.Result, models.Callback) {
	t.Helper()
	if op.Sender.Request.IsZero() {
		op.Sender = Sender(time.Now())
	}
	r := Apply(t, s, op)
	c := Logged(op, r)
	if r.Decline != models.None {
		require.NoError(t, s.LogCallbacks(t.Context(), []models.Callback{c}))
	}
	return r, c
}

func Balance(t testing.TB, s *store.Store, user models.UserID) models.Amount {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), Patience)
	defer cancel()
	b, ok, err := s.Balance(ctx, user)
	require.NoError(t, err)
	require.True(t, ok)
	return b.Amount
}

func Bet(user models.UserID, id models.TransactionID, stake models.Amount) models.Operation {
	return models.Operation{Source: models.SourcePlatform, Kind: models.Bet, UserID: user, TransactionID: id,
		RoundID: "r-" + models.RoundID(id), Bet: stake}
}

func Win(user models.UserID, id models.TransactionID, win models.Amount) models.Operation {
	return models.Operation{Source: models.SourcePlatform, Kind: models.Win, UserID: user, TransactionID: id,
		RoundID: "r-" + models.RoundID(id), Win: win}
}

func BetWin(user models.UserID, id models.TransactionID, stake, win models.Amount) models.Operation {
	op := Bet(user, id, stake)
	op.Kind, op.Win = models.BetWin, win
	return op
}

func FreeSpin(user models.UserID, id models.TransactionID, stake models.Amount) models.Operation {
	op := Bet(user, id, stake)
	op.FreeSpin = true
	return op
}

func Rollback(user models.UserID, id models.TransactionID) models.Operation {
	return models.Operation{Source: models.SourcePlatform, Kind: models.Rollback, UserID: user, TransactionID: id}
}

// RequireWhole requires that a verification of the ledger finds no faults.
func RequireWhole(t testing.TB, s *store.Store) models.Verification {
	t.Helper()
	v, err := s.Verify(t.Context(), nil)
	require.NoError(t, err)
	require.Empty(t, v.Faulty)
	require.Empty(t, v.Rows.Faults)
	return v
}

// Together runs fn n times at once and waits until all calls have returned.
func Together(n int, fn func(i int)) {
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

// Answered is an operation with its answer, or an error if there was none.
type Answered struct {
	models.Operation
	models.Result
	Err error
}

// ApplyTogether applies all operations at once, each with the same deadline, and uses the stores in turn.
func ApplyTogether(t testing.TB, wait time.Duration, ops []models.Operation, stores ...*store.Store) []Answered {
	t.Helper()
	all := make([]Answered, len(ops))
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	Together(len(ops), func(i int) {
		r, err := stores[i%len(stores)].Apply(ctx, ops[i])
		all[i] = Answered{ops[i], r, err}
	})
	return all
}
