package store_test

import (
	"context"
	"fmt"
	"maps"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"modernc.org/sqlite"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// A list stays quick however large its table is: a page, those before and after it, the last page and the nearest day take a
// few steps along an index, or a scan of a fixed number of rows. EXPLAIN shows which index a query begins with, but not how far
// it goes along it. So this test counts what each list reads from a database, and from one three times as large.

// listBase is the time of the first row of every table; row i is i seconds later.
var listBase = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

func listTime(i int) time.Time { return listBase.Add(time.Duration(i) * time.Second) }

// listSize is how many rows of each kind there are.
type listSize struct {
	events  int // transactions, audit events, callbacks: more than a page looks through
	players int
	things  int // cases, corrections, grants and the like
}

// bulk adds rows to tables without the store.
type bulk struct {
	*storetest.Database
	t *testing.T
}

// add inserts a row for each number i above from and up to to, with these columns as expressions of i. Other columns are 0 or
// empty.
func (b bulk) add(table string, from, to int, columns map[string]string) {
	b.t.Helper()
	rows, err := b.DB.QueryContext(b.t.Context(), "SELECT * FROM "+table+" LIMIT 0")
	require.NoError(b.t, err)
	types, err := rows.ColumnTypes()
	require.NoError(b.t, err)
	require.NoError(b.t, rows.Close())
	var names, values []string
	known := maps.Clone(columns)
	for _, column := range types {
		name := column.Name()
		value, given := known[name]
		delete(known, name)
		if !given {
			switch kind := column.DatabaseTypeName(); {
			case name == "id" && table != "wallets":
				continue
			case strings.Contains(kind, "INT") || strings.Contains(kind, "DECIMAL") || kind == "ANY":
				value = "0"
			case strings.Contains(kind, "BLOB") || strings.Contains(kind, "BINARY"):
				value = "x''"
			default:
				value = "''"
			}
		}
		names, values = append(names, name), append(values, value)
	}
	require.Empty(b.t, known, table)
	b.Exec(b.t, "INSERT INTO "+table+" ("+strings.Join(names, ", ")+") SELECT "+strings.Join(values, ", ")+
		fmt.Sprintf(" FROM list_numbers WHERE i > %d AND i <= %d ORDER BY i", from, to))
}

// bytes returns an expression that converts a text to bytes.
func (b bulk) bytes(text string) string {
	return map[string]string{storetest.SQLite: "CAST(" + text + " AS BLOB)", storetest.MariaDB: text}[b.Engine]
}

// fillLists adds rows from one size to another. Rows that filters find rarely do not grow in number.
func fillLists(b bulk, had, now, most listSize) {
	if had.events == 0 {
		_, err := b.DB.ExecContext(b.t.Context(), "CREATE TABLE list_numbers (i INT NOT NULL PRIMARY KEY)")
		require.NoError(b.t, err)
		numbers := "SELECT 0 AS i"
		for place := 1; place <= 1_000_000; place *= 10 {
			var digits []string
			for d := range 10 {
				digits = append(digits, fmt.Sprintf("SELECT %d AS d", d*place))
			}
			numbers = fmt.Sprintf("SELECT n.i + d.d AS i FROM (%s) n, (%s) d", numbers, strings.Join(digits, " UNION ALL "))
		}
		b.Exec(b.t, fmt.Sprintf("INSERT INTO list_numbers SELECT i FROM (%s) n WHERE i > 0 AND i <= %d", numbers, most.events))
	}
	at := fmt.Sprintf("%d + 1000000 * i", listBase.UnixMicro())
	// Three players have a rare currency, two are restricted, two are test players.
	b.add("players", had.players, now.players, map[string]string{"id": "i", "user_id": "CONCAT('user-', i)", "test": "i <= 2",
		"created_at_us": at})
	b.add("wallets", had.players, now.players, map[string]string{"player_id": "i", "play_from_us": fmt.Sprintf("CASE WHEN i IN (3, 4) THEN %d ELSE 0 END", models.Permanent.UnixMicro()), "seq": "1000000",
		"currency": "CASE WHEN i BETWEEN 5 AND 7 THEN 'TRY' WHEN i % 2 = 0 THEN 'EUR' ELSE 'USD' END", "head": "x'00'",
		"spin_head": "x'00'"})
	// A round is three postings of a player. A few were rolled back; openings and adjustments are as rare.
	player := "1 + (i - i % 3) % 2000"
	posting := map[string]string{"source": "1", "transaction_id": "CONCAT('t-', i)", "claim": "1", "player_id": player,
		"seq": "i", "kind": "CASE WHEN i < 40 THEN 5 WHEN i % 3 = 2 THEN 2 ELSE 1 END",
		"round_id": "CASE WHEN i < 40 THEN '' ELSE CONCAT('r-', i - i % 3) END", "bet_minor": "i % 500",
		"win_minor": "CASE WHEN i % 3 = 2 THEN 100 ELSE 0 END", "free_spin": "i BETWEEN 1000 AND 1040 AND i % 3 <> 2",
		"at_us": at, "hash": "x'00'", "request": "i", "received_us": at, "address": "x'c6336402'",
		"signed_digest": "NULL"}
	b.add("postings", had.events, now.events, posting)
	if had.events == 0 {
		back := maps.Clone(posting)
		back["claim"], back["at_us"] = "2", at+" + 500000"
		b.add("postings", 100, 130, back)
	}
	b.add("spin_entries", had.events, now.events, map[string]string{"player_id": player, "seq": "i", "kind": "20",
		"spins":          "1",
		"transaction_id": "CONCAT('t-', i)", "round_id": "CONCAT('r-', i - i % 3)", "at_us": at, "hash": "x'00'"})
	b.add("callback_records", had.events, now.events, map[string]string{"at_us": at, "request": "i", "received_us": at,
		"kind": "CASE WHEN i < 40 THEN 3 ELSE 1 END", "verdict": "CASE WHEN i < 60 THEN 21 ELSE 7 END", "result": "6",
		"address": "CASE WHEN i < 50 THEN x'c6336401' ELSE x'c6336402' END", "status": "200",
		"user_id": "CONCAT('user-', i % 2000)", "transaction_id": "CONCAT('x-', i)"})
	b.add("audit_events", had.events, now.events, map[string]string{"id": "10000 + i", "at_us": at,
		"actor":     "CASE WHEN i < 50 THEN 'ada' ELSE CONCAT('staff-', i % 10) END",
		"action":    "CASE WHEN i < 50 THEN 'staff created' WHEN i % 2 = 0 THEN 'player viewed' ELSE 'case closed' END",
		"object":    "CASE WHEN i < 50 THEN 'staff' WHEN i % 2 = 0 THEN 'player' ELSE 'case' END",
		"object_id": "CONCAT('', i % 3000)",
		"player_id": "CASE WHEN i < 50 THEN 0 ELSE i % 3000 END",
		"address":   "CASE WHEN i < 50 THEN '198.51.100.1' ELSE '198.51.100.2' END",
		"session":   "CASE WHEN i < 50 THEN 's-1' ELSE 's-2' END"})

	// Views of statements that are older than all other events.
	if had.events == 0 {
		b.add("audit_events", 0, 20, map[string]string{"id": "i", "at_us": at + " - 3600000000", "actor": "'chloe'",
			"action": "'statement viewed'", "object": "'statement'", "object_id": "'1'"})
	}

	rare := func(few, most string) string { return "CASE WHEN i <= 30 THEN " + few + " ELSE " + most + " END" }
	things := func(table string, columns map[string]string) {
		columns["id"] = "i"
		b.add(table, had.things, now.things, columns)
	}
	things("cases", map[string]string{"rule": "CASE WHEN i <= 30 THEN 1 WHEN i % 2 = 0 THEN 11 ELSE 6 END",
		"state":      rare("1", "2"),
		"key_digest": b.bytes("CONCAT('case-', i)"), "found_at_us": at, "at_us": at, "player_id": rare("1", "2 + i % 1000"),
		"transaction_number": "i", "transaction_id": "CONCAT('t-', i)", "grant_id": rare("1", "0"), "statement_id": rare("1",
			"2"),
		"verification_id": rare("1", "0"), "currency": rare("'TRY'", "'EUR'"), "owner": rare("'chloe'", "'bruno'"),
		"reference": "CASE WHEN i % 5 = 0 THEN CONCAT('f-', i) ELSE '' END", "due_us": rare(at, "0")})
	things("corrections", map[string]string{"at_us": at, "kind": rare("3", "1"), "player_id": rare("5", "8 + i % 1000"),
		"transaction_id": "CONCAT('t-', i)", "reason": rare("'error'", "'goodwill'"), "maker_id": rare("1", "2"),
		"state": rare("1", "2"), "amount_minor": rare("5", "100 + i"), "checker_id": rare("1", "3"), "assignee": rare("'chloe'", "''"), "decided_at_us": at})
	b.add("games", had.things/10, now.things/10, map[string]string{"id": "i", "game_id": "CONCAT('g-', i)",
		"search": "CONCAT('game ', i, CHAR(10), 'g-', i, CHAR(10))", "name": "CONCAT('Game ', i)"})
	things("game_syncs", map[string]string{"at_us": at})
	things("game_changes", map[string]string{"at_us": at, "game": "1 + i % 100", "kind": rare("1", "2")})
	things("game_sessions", map[string]string{"at_us": at, "actor": rare("'ada'", "'bruno'"), "player_id": rare("1",
		"2 + i % 1000"),
		"game_id": rare("1", "2"), "state": rare("3", "2")})
	things("grants", map[string]string{"at_us": at, "actor": rare("'ada'", "'bruno'"), "player_id": rare("1", "2 + i % 1000"),
		"game_id": rare("1", "2"), "state": rare("7", "4"), "free_spin_id": "CONCAT('f-', i)", "campaign_id": rare("1", "2"),
		"campaign_line": "i", "apart": rare("5", "0"), "resolution": "0"})
	b.add("grant_observations", had.things, now.things, map[string]string{"id": "i", "grant_id": rare("1", "2"), "at_us": at})
	things("campaigns", map[string]string{"at_us": at, "job_state": rare("2", "5"), "state": rare("1", "0"), "maker_id": rare("1", "0")})
	b.add("campaign_lines", had.things, now.things, map[string]string{"campaign_id": "1000000", "line": "i", "player_id": "1",
		"game_id": "1", "grant_id": "i", "mac": "x'00'"})
	things("restrictions", map[string]string{"at_us": at, "subject": "1", "kind": "5", "scope": "1",
		"state": rare("1", "0"), "player_id": rare("1", "2 + i % 1000"), "until_us": rare("9000000000000000", "1")})
	things("cash_reviews", map[string]string{"at_us": at, "transaction_id": "CONCAT('c-', i)", "state": rare("1", "2"),
		"player_id": rare("1", "2 + i % 1000"), "currency": "'EUR'"})
	things("api_clients", map[string]string{"at_us": at, "name": "CONCAT('c', i)"})
	b.add("spin_attributions", had.things, now.things, map[string]string{"player_id": "1 + i % 1000", "seq": "i",
		"grant_id": "2",
		"rule":     "1"})
	// Statements come once a day or so, however much is played.
	b.add("statements", had.things/30, now.things/30, map[string]string{"id": "i", "at_us": at, "since_us": at,
		"until_us": at + " + 1000000", "digest": "CONCAT('', i)"})
	b.add("statement_runs", had.things/30, now.things/30, map[string]string{"id": "i", "statement_id": "i",
		"at_us": at, "state": "4"})
	b.add("statement_differences", had.things, now.things, map[string]string{"run_id": "1", "number": "i",
		"bucket": rare("2", "1"), "at_us": at, "transaction_id": "CONCAT('t-', i)"})
	things("notices", map[string]string{"at_us": at, "event_id": "i", "channel": "'email'", "state": rare("3",
		"2"), "next_us": at})
	things("verifications", map[string]string{"at_us": at, "finished_at_us": at, "state": "5"})
	b.add("checkpoints", had.things, now.things, map[string]string{"number": "i", "at_us": at})
	if b.Engine == storetest.MariaDB { // as InnoDB does automatically, some time after a table has grown
		for _, table := range []string{"players", "wallets", "postings", "callback_records", "cases", "corrections", "grants",
			"game_sessions", "notices", "audit_events", "statement_differences", "campaign_lines"} {
			_, err := b.DB.ExecContext(b.t.Context(), "ANALYZE TABLE "+table)
			require.NoError(b.t, err)
		}
	}
}

// reads counts what a store has read so far: rows on MariaDB, pages of the file on SQLite, where a row takes a few pages to
// find, and many rows are on one.
func reads(t *testing.T, s *store.Store) (n int64) {
	t.Helper()
	for _, pool := range s.SinglePools() {
		conn, err := pool.Conn(t.Context())
		require.NoError(t, err)
		err = conn.Raw(func(driver any) error {
			status, is := driver.(sqlite.DBStatus)
			if !is {
				return nil
			}
			for _, counter := range []sqlite.DBStatusOp{sqlite.DBStatusCacheHit, sqlite.DBStatusCacheMiss} {
				pages, _, err := status.Status(counter, false)
				if err != nil {
					return err
				}
				n += int64(pages)
			}
			return nil
		})
		require.NoError(t, err)
		if s.OnMySQL() {
			rows, err := conn.QueryContext(t.Context(), "SHOW SESSION STATUS WHERE Variable_name LIKE 'Handler_read%' "+
				"OR Variable_name = 'Handler_icp_attempts'")
			require.NoError(t, err)
			for rows.Next() {
				var some int64
				require.NoError(t, rows.Scan(new(string), &some))
				n += some
			}
			require.NoError(t, rows.Err())
			require.NoError(t, rows.Close())
		}
		require.NoError(t, conn.Close())
	}
	return n
}

// look is one query of a list by a page.
type look struct {
	method string // of the store
	name   string
	ask    func(ctx context.Context, s *store.Store) error
}

// lookList collects the queries of every list.
type lookList struct {
	size listSize
	list []look
}

// limit is how many rows a page has.
const limit = 50

func (l *lookList) add(method, name string, ask func(ctx context.Context, s *store.Store) error) {
	l.list = append(l.list, look{method, name, ask})
}

// pages adds a list's first page, one in its middle, and the one before its last.
func (l *lookList) pages(method, name string, n int, ask func(ctx context.Context, s *store.Store, at models.Cursor) error) {
	for where, at := range map[string]models.Cursor{
		"first page": {}, "in the middle": {At: listTime(n / 2), ID: int64(n / 2)},
		"back from the last": {At: listTime(40), ID: 40, Newer: true}, "oldest first": {Newer: true},
	} {
		l.add(method, name+", "+where, func(ctx context.Context, s *store.Store) error { return ask(ctx, s, at) })
	}
}

// spanned returns a filter with a span in place of its own.
func spanned[F any](f F, span models.Span) F {
	reflect.ValueOf(&f).Elem().FieldByName("Span").Set(reflect.ValueOf(span))
	return f
}

// filtered adds the pages of a list with a filter.
func filtered[F, R any](l *lookList, method, name string, n int, f F, ask func(*store.Store, context.Context, F) (R, error)) {
	l.pages(method, name, n, func(ctx context.Context, s *store.Store, at models.Cursor) error {
		_, err := ask(s, ctx, spanned(f, models.Span{Page: at, Limit: limit}))
		return err
	})
}

// byDay adds ten minutes of a list with a filter, and the nearest row before and after a time.
func byDay[F, R any](l *lookList, method, name string, f F, ask func(*store.Store, context.Context, F) (R, error)) {
	middle := listTime(l.size.things / 2)
	for day, span := range map[string]models.Span{
		"ten minutes":    {Since: middle, Until: middle.Add(10 * time.Minute), Limit: limit},
		"nearest before": {Until: middle, Limit: 1},
		"nearest after":  {Since: middle, Limit: 1, Page: models.Cursor{Newer: true}},
	} {
		l.add(method, name+", "+day, func(ctx context.Context, s *store.Store) error {
			_, err := ask(s, ctx, spanned(f, span))
			return err
		})
	}
}

// searched adds a search for a text.
func searched[R any](l *lookList, method, text string, most int, ask func(*store.Store, context.Context, string, int) (R, error)) {
	l.add(method, text, func(ctx context.Context, s *store.Store) error { _, err := ask(s, ctx, text, most); return err })
}

// once adds a query without a filter.
func once[R any](l *lookList, method string, ask func(*store.Store, context.Context) (R, error)) {
	l.add(method, "", func(ctx context.Context, s *store.Store) error { _, err := ask(s, ctx); return err })
}

// looks returns the queries of every list: each filter alone, whether few rows match or most, the usual pairs of filters, and
// the pages of a list.
func looks(size listSize) []look {
	l := &lookList{size: size}
	yes, no, large, small := true, false, models.Amount(100_000), models.Amount(100)

	for name, f := range map[string]models.PlayerFilter{
		"all": {}, "beginning": {Beginning: "user-1"}, "no such beginning": {Beginning: "zz"},
		"rare currency": {Currency: "TRY"},
		"currency":      {Currency: "EUR"}, "no such currency": {Currency: "XXX"}, "restricted": {Restricted: &yes},
		"not restricted": {Restricted: &no}, "test": {Test: &yes}, "no test": {Test: &no},
		"beginning and rare currency": {Beginning: "user-1", Currency: "TRY"},
		"beginning and currency":      {Beginning: "user-1", Currency: "EUR"},
		"restricted of a currency":    {Restricted: &yes, Currency: "EUR"}, "restricted test players": {Restricted: &yes, Test: &yes},
		"beginning and restricted": {Beginning: "user-1", Restricted: &yes}, "beginning and test": {Beginning: "user-1", Test: &yes},
		"test of a currency": {Test: &yes, Currency: "EUR"}, "no test, not restricted": {Test: &no, Restricted: &no},
	} {
		for place, at := range map[string]models.Cursor{"first page": {}, "in the middle": {ID: int64(size.players / 2)},
			"before the middle": {ID: int64(size.players / 2), Newer: true}, "last page": {ID: int64(size.players - 2)}} {
			f := f
			f.Limit, f.Page = limit, at
			l.add("Players", name+", "+place, func(ctx context.Context, s *store.Store) error {
				_, err := s.Players(ctx, f)
				return err
			})
		}
	}
	for _, text := range []string{"user", "user-1", "ser-77", "zz", "us…99", "user-…7"} {
		searched(l, "SearchPlayers", text, limit, (*store.Store).SearchPlayers)
	}
	for _, text := range []string{"t-", "t-77", "zz", "t-…99", "r-", "r-1…3", "x-", "x-1", "f-"} {
		searched(l, "SearchTransactions", text, limit, (*store.Store).SearchTransactions)
		searched(l, "SearchRounds", text, limit, (*store.Store).SearchRounds)
		searched(l, "SearchComplaints", text, 5, (*store.Store).SearchComplaints)
		searched(l, "SearchRefused", text, 5, (*store.Store).SearchRefused)
		searched(l, "SearchGrants", text, limit, (*store.Store).SearchGrants)
	}

	transactions := map[string]models.TransactionFilter{
		"all": {}, "player": {PlayerID: 100}, "player without any": {PlayerID: 1_000_000}, "kind": {Kind: models.Bet},
		"rare kind": {Kind: models.Opening}, "no such kind": {Kind: models.Adjustment}, "rolled back": {State: models.Reversed},
		"rollbacks": {ByRollback: true}, "booked": {Booked: true}, "booked bets": {Booked: true, Kind: models.Bet, With: models.RealMoney},
		"paid": {Booked: true, Kind: models.CashPaid}, "booked of a player": {Booked: true, PlayerID: 100, Kind: models.Bet},
		"processed": {State: models.Processed}, "free spins": {With: models.FreeSpins}, "money": {With: models.RealMoney},
		"ID": {TransactionID: "t-500"}, "IDs": {TransactionIDs: []models.TransactionID{"t-500", "t-501", "zz"}},
		"round": {RoundID: "r-600"}, "large": {Bet: models.AmountRange{From: &large}},
		"small":    {Win: models.AmountRange{To: &small}},
		"currency": {Currency: "EUR"}, "rare currency": {Currency: "TRY"}, "no such currency": {Currency: "XXX"},
		"other contents": {OtherContents: true}, "large of a player": {PlayerID: 100, Bet: models.AmountRange{From: &large}},
		"kind of a player":         {PlayerID: 100, Kind: models.Opening},
		"not play":                 {NotPlay: true},
		"not play of a player":     {PlayerID: 100, NotPlay: true},
		"rare kind and currency":   {Kind: models.Opening, Currency: "TRY"},
		"kind and rare currency":   {Kind: models.Bet, Currency: "TRY"},
		"rolled back of a player":  {PlayerID: 100, State: models.Reversed},
		"rolled back and currency": {State: models.Reversed, Currency: "TRY"},
		"rollbacks of a player":    {PlayerID: 100, ByRollback: true},
		"rollbacks and currency":   {ByRollback: true, Currency: "TRY"},
		"processed and large":      {State: models.Processed, Bet: models.AmountRange{From: &large}},
	}
	for name, f := range transactions {
		filtered(l, "Transactions", name, size.events, f, (*store.Store).Transactions)
		byDay(l, "Transactions", name, f, (*store.Store).Transactions)
	}
	for name, f := range map[string]models.RoundFilter{
		"all": {}, "player": {PlayerID: 100}, "player without any": {PlayerID: 1_000_000},
		"in play":    {State: models.RoundInPlay},
		"no win yet": {State: models.RoundNoWinYet}, "no win": {State: models.RoundNoWin}, "lost": {State: models.RoundLost},
		"interrupted": {State: models.RoundInterrupted}, "won": {State: models.RoundWon},
		"rolled back": {State: models.RoundReversed},
		"no bet":      {State: models.RoundUnstaked}, "undecided": {Undecided: true}, "pending": {Pending: true},
		"funds": {Funds: &large}, "currency": {Currency: "EUR"}, "rare currency": {Currency: "TRY"},
		"interrupted of a player": {State: models.RoundInterrupted, PlayerID: 100},
		"won of a player":         {State: models.RoundWon, PlayerID: 100},
		"lost and currency":       {State: models.RoundLost, Currency: "TRY"},
	} {
		filtered(l, "Rounds", name, size.events, f, (*store.Store).Rounds)
		byDay(l, "Rounds", name, f, (*store.Store).Rounds)
	}
	for name, f := range map[string]models.CallbackFilter{
		"all": {}, "endpoint": {Kind: models.Withdraw}, "rare endpoint": {Kind: models.RollbackTransaction},
		"player":         {UserID: "user-100"},
		"unknown player": {UserID: "zz"}, "ID": {TransactionID: "x-500"},
		"verdict":      {Verdicts: []models.Verdict{models.VerdictInsufficientFunds}},
		"rare verdict": {Verdicts: []models.Verdict{models.VerdictInvalidSign}},
		"applied":      {Verdicts: []models.Verdict{models.Applied}},
		"refused":      {Refused: true}, "refused bets": {Bets: true, Verdicts: models.BetRefusals()},
		"address":             {Address: netip.MustParseAddr("198.51.100.2")},
		"rare address":        {Address: netip.MustParseAddr("198.51.100.1")},
		"refused of a player": {UserID: "user-100", Refused: true},
		"rare verdict from an address": {Verdicts: []models.Verdict{models.VerdictInvalidSign},
			Address: netip.MustParseAddr("198.51.100.2")},
		"rare endpoint from an address": {Kind: models.RollbackTransaction, Address: netip.MustParseAddr("198.51.100.1")},
	} {
		filtered(l, "Callbacks", name, size.events, f, (*store.Store).Callbacks)
		byDay(l, "Callbacks", name, f, (*store.Store).Callbacks)
	}
	for name, f := range map[string]models.AuditFilter{
		"all": {}, "actor": {Actor: "staff-1"}, "rare actor": {Actor: "ada"}, "action": {Action: "player viewed"},
		"rare action": {Action: "staff created"}, "object": {Object: "player"}, "rare object": {Object: "staff"},
		"one thing": {Object: "player", ObjectID: "100"}, "an ID alone": {ObjectID: "zz"}, "address": {Address: "198.51.100.2"},
		"rare address": {Address: "198.51.100.1"}, "session": {Session: "s-2"}, "rare session": {Session: "s-1"},
		"reason": {Reason: "nobody wrote this"}, "action of an actor": {Actor: "ada", Action: "player viewed"},
		"reason of an actor":     {Actor: "staff-1", Reason: "nobody wrote this"},
		"object of an actor":     {Actor: "ada", Object: "case"},
		"object from an address": {Object: "staff", Address: "198.51.100.2"},
		"player":                 {PlayerID: 100}, "action of a player": {PlayerID: 100, Action: "case closed"},
	} {
		filtered(l, "AuditEvents", name, size.events, f, (*store.Store).AuditEvents)
		byDay(l, "AuditEvents", name, f, (*store.Store).AuditEvents)
	}
	l.add("AuditWords", "", func(ctx context.Context, s *store.Store) error { _, _, err := s.AuditWords(ctx); return err })

	for name, f := range map[string]models.CaseFilter{
		"selected": {State: models.CaseOpen, IDs: []int64{7, 500, 501}},
		"all":      {}, "rule": {Rule: models.CaseStatement}, "rare rule": {Rule: models.CaseUnknownRollback},
		"no such rule": {Rule: models.CaseOverflow},
		"open":         {State: models.CaseOpen}, "explained": {State: models.CaseExplained},
		"no such state": {State: models.CaseAdjusted},
		"player":        {PlayerID: 100}, "transactions": {Transactions: []int64{500, 501}}, "grant": {GrantID: 1},
		"statement":      {StatementID: 2},
		"rare statement": {StatementID: 1}, "verification": {Verification: 1}, "owner": {Owner: "bruno"},
		"rare owner":    {Owner: "chloe"},
		"no such owner": {Owner: "zz"}, "nobody's": {Unassigned: true}, "due": {DueBefore: listBase.AddDate(1, 0, 0)},
		"currency": {Currency: "EUR"}, "rare currency": {Currency: "TRY"}, "no such currency": {Currency: "XXX"},
		"open of a rule":           {State: models.CaseOpen, Rule: models.CaseUnknownRollback},
		"open of nobody":           {State: models.CaseOpen, Unassigned: true},
		"open of an owner":         {State: models.CaseOpen, Owner: "chloe"},
		"explained of a rule":      {State: models.CaseExplained, Rule: models.CaseStatement},
		"open of a player":         {State: models.CaseOpen, PlayerID: 100},
		"open of a statement":      {State: models.CaseOpen, StatementID: 2},
		"open of a currency":       {State: models.CaseOpen, Currency: "TRY"},
		"explained of a rare rule": {State: models.CaseExplained, Rule: models.CaseUnknownRollback},
		"rule and rare currency":   {Rule: models.CaseStatement, Currency: "TRY"},
		"open and due":             {State: models.CaseOpen, DueBefore: listBase.AddDate(1, 0, 0)},
	} {
		filtered(l, "Cases", name, size.things, f, (*store.Store).Cases)
		byDay(l, "Cases", name, f, (*store.Store).Cases)
		l.add("CountCases", name,
			func(ctx context.Context, s *store.Store) error { _, err := s.CountCases(ctx, f, 100); return err })
		if f.State == models.CaseOpen {
			l.add("OpenCaseGroups", name, func(ctx context.Context, s *store.Store) error {
				_, _, _, err := s.OpenCaseGroups(ctx, f, "bruno", 100)
				return err
			})
		}
	}

	rare, most := models.Amount(50), models.Amount(100)
	for name, f := range map[string]models.CorrectionFilter{
		"rare amounts": {Amount: models.AmountRange{To: &rare}}, "most amounts": {Amount: models.AmountRange{From: &most}},
		"no such amount": {Amount: models.AmountRange{From: &rare, To: &rare}},
		"all":            {}, "waiting": {State: models.ApprovalWaiting}, "approved": {State: models.ApprovalApproved},
		"no such state": {State: models.ApprovalRefused}, "kind": {Kind: models.CorrectCredit},
		"rare kind":    {Kind: models.CorrectRollback},
		"no such kind": {Kind: models.CorrectWin}, "player": {PlayerID: 100}, "transaction": {TransactionID: "t-500"},
		"reason":      {Reason: "goodwill"},
		"rare reason": {Reason: "error"}, "no such reason": {Reason: "zz"}, "maker": {MakerID: 2}, "rare maker": {MakerID: 1},
		"checker": {CheckerID: 3}, "rare checker": {CheckerID: 1}, "currency": {Currency: "EUR"},
		"rare currency":    {Currency: "TRY"},
		"no such currency": {Currency: "XXX"}, "assignee": {Assignee: "chloe"}, "no such assignee": {Assignee: "zz"},
		"nobody's":              {Unassigned: true},
		"waiting for nobody":    {State: models.ApprovalWaiting, Unassigned: true},
		"waiting for somebody":  {State: models.ApprovalWaiting, Assignee: "chloe"},
		"approved of a kind":    {State: models.ApprovalApproved, Kind: models.CorrectCredit},
		"waiting of a kind":     {State: models.ApprovalWaiting, Kind: models.CorrectCredit},
		"approved by a maker":   {State: models.ApprovalApproved, MakerID: 2},
		"rare kind of a reason": {Kind: models.CorrectRollback, Reason: "goodwill"},
	} {
		filtered(l, "Corrections", name, size.things, f, (*store.Store).Corrections)
		byDay(l, "Corrections", name, f, (*store.Store).Corrections)
	}
	l.add("WaitingRequests", "all", func(ctx context.Context, s *store.Store) error {
		_, err := s.WaitingRequests(ctx, "correction", "campaign", "restriction", "cash-out", "change")
		return err
	})
	l.add("RequestsWaiting", "all", func(ctx context.Context, s *store.Store) error {
		_, err := s.RequestsWaiting(ctx, []string{"correction", "campaign", "restriction", "cash-out", "change"}, limit)
		return err
	})
	for name, maker := range map[string]int64{"maker": 2, "rare maker": 1, "no such maker": 99} {
		l.add("Requests", name, func(ctx context.Context, s *store.Store) error {
			_, err := s.RequestsBy(ctx, maker, limit)
			return err
		})
	}
	for name, f := range map[string]models.GrantFilter{
		"all": {}, "unknown": {States: []models.GrantState{models.GrantUnknown}},
		"completed":     {States: []models.GrantState{models.GrantCompleted}},
		"two states":    {States: []models.GrantState{models.GrantUnknown, models.GrantActive}},
		"no such state": {States: []models.GrantState{models.GrantSent}},
		"unresolved":    {Unresolved: true}, "disagreeing": {Disagreeing: true}, "player": {PlayerID: 100}, "game": {GameID: 2},
		"rare game": {GameID: 1},
		"import":    {CampaignID: 2}, "rare import": {CampaignID: 1}, "actor": {Actor: "bruno"}, "rare actor": {Actor: "ada"},
		"no such actor":          {Actor: "zz"},
		"completed of an actor":  {States: []models.GrantState{models.GrantCompleted}, Actor: "bruno"},
		"unknown of an actor":    {States: []models.GrantState{models.GrantUnknown}, Actor: "bruno"},
		"completed of a game":    {States: []models.GrantState{models.GrantCompleted}, GameID: 1},
		"completed of an import": {States: []models.GrantState{models.GrantCompleted}, CampaignID: 2},
	} {
		filtered(l, "Grants", name, size.things, f, (*store.Store).Grants)
	}
	once(l, "CountUnresolvedGrants", (*store.Store).CountUnresolvedGrants)
	for name, f := range map[string]models.GameSessionFilter{
		"all": {}, "player": {PlayerID: 100}, "game": {GameID: 2}, "rare game": {GameID: 1}, "actor": {Actor: "bruno"},
		"rare actor":    {Actor: "ada"},
		"no such actor": {Actor: "zz"}, "opened": {State: models.GameSessionOpened},
		"failed":             {State: models.GameSessionFailed},
		"no such state":      {State: models.GameSessionRequested},
		"failed of an actor": {State: models.GameSessionFailed, Actor: "bruno"},
	} {
		filtered(l, "GameSessions", name, size.things, f, (*store.Store).GameSessions)
	}
	for name, f := range map[string]models.GameChangeFilter{
		"all": {}, "game": {Game: 5}, "kind": {Kind: models.GameDisappeared}, "rare kind": {Kind: models.GameAppeared},
		"no such kind": {Kind: models.GameRenamed},
	} {
		filtered(l, "GameChanges", name, size.things, f, (*store.Store).GameChanges)
	}
	for grant := range int64(3) {
		l.pages("Observations", fmt.Sprint("of grant ", grant), size.things,
			func(ctx context.Context, s *store.Store, at models.Cursor) error {
				_, err := s.Observations(ctx, grant, models.Span{Page: at, Limit: limit})
				return err
			})
	}
	for _, state := range []models.JobState{0, models.JobRunning, models.JobFinished, models.JobHeld} {
		filtered(l, "Campaigns", fmt.Sprint("state ", state), size.things, models.CampaignFilter{State: state}, (*store.Store).Campaigns)
	}
	for name, f := range map[string]models.RestrictionFilter{"all": {}, "of a player": {PlayerID: 1}, "waiting": {Waiting: true}} {
		filtered(l, "Restrictions", name, size.things, f, (*store.Store).Restrictions)
	}
	for name, f := range map[string]models.CashReviewFilter{"all": {}, "of a player": {PlayerID: 1},
		"waiting": {State: models.ApprovalWaiting}} {
		filtered(l, "CashReviews", name, size.things, f, (*store.Store).CashReviews)
	}
	filtered(l, "APIClients", "all", size.things, models.APIClientFilter{}, (*store.Store).APIClients)
	filtered(l, "Statements", "all", size.things, models.StatementFilter{}, (*store.Store).Statements)
	for _, bucket := range []models.Bucket{0, models.AmountDiffers, models.Agrees, models.OnlyOurs} {
		filtered(l, "Differences", fmt.Sprint("bucket ", bucket), size.things, models.DifferenceFilter{RunID: 1, Bucket: bucket}, (*store.Store).Differences)
	}
	for _, state := range []models.NoticeState{0, models.NoticeWaiting, models.NoticeSent, models.NoticeFailed} {
		filtered(l, "Notices", fmt.Sprint("state ", state), size.things, models.NoticeFilter{State: state}, (*store.Store).Notices)
	}
	for _, before := range []int64{0, 500} {
		span := models.Span{Page: models.Cursor{ID: before}, Limit: limit}
		l.add("VerificationRuns", fmt.Sprint(before), func(ctx context.Context, s *store.Store) error {
			_, err := s.VerificationRuns(ctx, span)
			return err
		})
		l.add("Checkpoints", fmt.Sprint(before), func(ctx context.Context, s *store.Store) error {
			_, err := s.Checkpoints(ctx, span)
			return err
		})
		for _, kinds := range [][]models.TimelineKind{models.TimelineKinds, {models.TimelineCash}} {
			l.add("PlayerPostings", fmt.Sprint(kinds, before), func(ctx context.Context, s *store.Store) error {
				_, err := s.PlayerPostings(ctx, 100, kinds, span)
				return err
			})
		}
		l.add("Entries", fmt.Sprint("of ten minutes, ", before), func(ctx context.Context, s *store.Store) error {
			middle := listTime(l.size.events / 2)
			_, err := s.Entries(ctx, 100, models.Span{Page: span.Page, Limit: limit, Since: middle, Until: middle.Add(10 * time.Minute)})
			return err
		})
		l.add("Entries", fmt.Sprint(before), func(ctx context.Context, s *store.Store) error {
			_, err := s.Entries(ctx, 100, span)
			return err
		})
		l.add("PlayerSpins", fmt.Sprint(before), func(ctx context.Context, s *store.Store) error {
			_, err := s.PlayerSpins(ctx, 100, span)
			return err
		})
	}
	l.add("AuditEvents", "statements that list no difference of a player", func(ctx context.Context, s *store.Store) error {
		list, err := s.AuditEvents(ctx, models.AuditFilter{PlayerID: 1_000_000, Span: models.Span{Until: listBase, Limit: limit}})
		if err == nil && len(list.Rows) != 0 {
			err = fmt.Errorf("%d events are not the player's", len(list.Rows))
		}
		return err
	})
	l.add("GamesTyped", "", func(ctx context.Context, s *store.Store) error {
		texts := []string{"g-77", "GAME 78", "Game 7", "game", "nothing", "g-"}
		found, err := s.GamesTyped(ctx, texts)
		want := map[string]models.GameID{"g-77": "g-77", "GAME 78": "g-78", "Game 7": "g-7"}
		if err == nil && !maps.Equal(found, want) {
			err = fmt.Errorf("%v are found for %v", found, want)
		}
		return err
	})
	once(l, "WalletCurrencies", (*store.Store).WalletCurrencies)
	return l.list
}

// noLists are methods that take a filter but do not list rows of a growing table, and why.
var noLists = map[string]string{
	"DecideCases":   "closes what OpenCaseGroups selects",
	"CountPlayers":  "stops at models.ManyPlayers",
	"ListStaff":     "an operator has some hundred accounts",
	"Games":         "a platform offers some thousand games",
	"CampaignLines": "an import has as many lines as its file",
	"DayReports":    "a report: sums over its days",
	"PlayersReport": "a report: ranks every player of its days",
	"GamesReport":   "a report: sums over its days",
	"Ranked":        "a report: ranks what happened on its days",
	"MonthlyFunds":  "a report: sums over all days",
	"Callback":      "one row, by its place",
}

// mostReads is what a page that looks for rare rows reads at most before it says where it stopped. A part of a player's ID is
// looked for in the whole index of IDs.
var mostReads = map[string]int64{"Transactions": 16_000, "AuditEvents": 16_000, "Callbacks": 17_000, "PlayerPostings": 16_000, "Rounds": 40_000,
	"SearchRounds": 40_000, "SearchTransactions": 40_000, "SearchRefused": 40_000, "SearchPlayers": 140_000}

// Every list reads about as much from a database as from one three times as large. The long form has a million players.
func TestListsReadPagesNotTables(t *testing.T) {
	t.Parallel()
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		sizes := []listSize{{events: storetest.Scaled(6_000, 700_000), players: storetest.Scaled(2_100, 350_000),
			things: storetest.Scaled(2_000, 60_000)},
			{}}
		sizes[1] = listSize{events: 3 * sizes[0].events, players: 3 * sizes[0].players, things: 3 * sizes[0].things}
		x.Config.Now = func() time.Time { return listBase.AddDate(0, 1, 0) }
		s := x.Open(t)
		s.SinglePools()
		s.LookNear()
		work, took := map[string][]int64{}, map[string]time.Duration{}
		had, asked := listSize{}, map[string]bool{}
		for _, size := range sizes {
			fillLists(bulk{x, t}, had, size, sizes[1])
			had = size
			for _, l := range looks(size) {
				before := reads(t, s)
				idle := reads(t, s) - before
				name, began := l.method+": "+l.name, time.Now()
				require.NoError(t, l.ask(t.Context(), s), name)
				took[name] = time.Since(began)
				work[name] = append(work[name], reads(t, s)-before-2*idle)
				asked[l.method] = true
			}
		}
		for _, name := range slices.Sorted(maps.Keys(work)) {
			few, many := work[name][0], work[name][1]
			t.Logf("%7d %7d  %-8s %s", few, many, took[name].Round(100*time.Microsecond), name)
			method, _, _ := strings.Cut(name, ":")
			if many > few*3/2+250 && many > mostReads[method] {
				t.Errorf("%s reads %d from a database, and %d from one three times as large", name, few, many)
			}
		}
		methods := reflect.TypeOf(s)
		for i := range methods.NumMethod() {
			m := methods.Method(i)
			lists := false
			for in := range m.Type.Ins() {
				name := in.Name()
				lists = lists || strings.HasSuffix(name, "Filter") || strings.HasSuffix(name, "Selection") || name == "Cursor"
			}
			for out := range m.Type.Outs() {
				lists = lists || strings.HasPrefix(out.Name(), "Found[") || strings.HasPrefix(out.Name(), "Page[")
			}
			if lists && noLists[m.Name] == "" && !asked[m.Name] {
				t.Errorf("no look counts what %s reads", m.Name)
			}
		}
	})
}
