package main

import (
	"bytes"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/callbacks/wire"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// post sends a callback with this sign to a server and returns its answer's body.
func post(t *testing.T, server *Server, e wire.Endpoint, r wire.Request) string {
	t.Helper()
	body, err := json.Marshal(r)
	require.NoError(t, err)
	answer, err := http.Post(server.CallbackURL()+e.Path(), "application/json", bytes.NewReader(body))
	require.NoError(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return string(text)
}

// genuine signs a callback as the platform does.
func genuine(e wire.Endpoint, r wire.Request) wire.Request {
	r.AgentID = testAgent
	r.Sign = wire.Sign(testSecret, r.SignedValues(e, nil)...)
	return r
}

// attacked boots two servers over one database in which anna and anna1 have 100.00 each, and verifies the ledger afterwards.
func attacked(t *testing.T, fn func(t *testing.T, one, other *Server, s *store.Store, url string), settings ...string) {
	storetest.Each(t, func(t *testing.T, url string) {
		environ := environment(url, settings...)
		one, other := boot(t, environ), boot(t, environ)
		s := open(t, url)
		for _, user := range []models.UserID{"anna", "anna1"} {
			_, err := s.CreatePlayer(t.Context(), models.System,
				models.NewPlayer{UserID: user, Currency: "EUR", Balance: 10000})
			require.NoError(t, err)
		}
		fn(t, one, other, s, url)
		requireWhole(t, s)
	})
}

const signRefused = `{"result":3}`

func TestAttackResplitSignature(t *testing.T) {
	attacked(t, func(t *testing.T, one, other *Server, s *store.Store, _ string) {
		seen := genuine(wire.Deposit,
			wire.Request{UserID: "anna", Amount: "50.00", TransactionID: "win-7781", RoundID: "round-55"})
		require.Contains(t, post(t, one, wire.Deposit, seen), `"result":0`)
		for i := 1; i < len("round-55"); i++ {
			resplit := seen
			resplit.TransactionID, resplit.RoundID = seen.TransactionID+seen.RoundID[:i], seen.RoundID[i:]
			require.Equal(t, signRefused, post(t, other, wire.Deposit, resplit))
			require.Equal(t, signRefused, post(t, one, wire.Withdraw, resplit))
		}
		require.Contains(t, post(t, other, wire.Deposit, seen), `"result":11,"balance":"150.00"`)
		require.Eventually(t, func() bool {
			_, err := s.FindCases(t.Context(), models.CaseRulesConfig{})
			require.NoError(t, err)
			list, err := s.Cases(t.Context(), models.CaseFilter{Rule: models.CaseSignReused, Span: models.Span{Limit: 50}})
			require.NoError(t, err)
			return len(list.Rows) == len("round-55")-1
		}, time.Minute, 50*time.Millisecond, "each has its case")
	})
}

func TestAttackLostBetAsDeposit(t *testing.T) {
	attacked(t, func(t *testing.T, one, other *Server, _ *store.Store, _ string) {
		lost := genuine(wire.Withdraw,
			wire.Request{UserID: "anna", Amount: "50.00", TransactionID: "bet-1", RoundID: "round-1"})
		require.Contains(t, post(t, one, wire.Withdraw, lost), `"result":0`)
		won := lost
		won.TransactionID, won.RoundID = "bet-1r", "ound-1"
		require.Equal(t, signRefused, post(t, other, wire.Deposit, won))
		require.Contains(t, post(t, other, wire.Deposit, lost), `"result":11,"balance":"50.00"`)

		declined := genuine(wire.Withdraw,
			wire.Request{UserID: "anna", Amount: "5000.00", TransactionID: "bet-2", RoundID: "round-1"})
		require.Contains(t, post(t, one, wire.Withdraw, declined), `"result":6`)
		require.Equal(t, signRefused, post(t, other, wire.Deposit, declined))
		require.Contains(t, post(t, other, wire.Withdraw, declined), `"result":6`)
	})
}

func TestAttackDigitsFromUserToAmount(t *testing.T) {
	attacked(t, func(t *testing.T, one, other *Server, _ *store.Store, _ string) {
		seen := genuine(wire.Deposit, wire.Request{UserID: "anna1", Amount: "2.00", TransactionID: "win-1", RoundID: "round-1"})
		require.Contains(t, post(t, one, wire.Deposit, seen), `"result":0`)
		moved := seen
		moved.UserID, moved.Amount = "anna", "12.00"
		require.Contains(t, post(t, other, wire.Deposit, moved), `"result":11,"balance":"100.00"`)
		for _, ids := range [][2]string{{"win-1r", "ound-1"}, {"win-", "1round-1"}} {
			moved.TransactionID, moved.RoundID = ids[0], ids[1]
			require.Equal(t, signRefused, post(t, other, wire.Deposit, moved))
		}
	})
}

// A win can be rolled back, although somebody has created a player whose GetBalance has the rollback's signature.
func TestAttackNameOfARollback(t *testing.T) {
	attacked(t, func(t *testing.T, one, other *Server, s *store.Store, _ string) {
		win := genuine(wire.Deposit, wire.Request{UserID: "anna", Amount: "500.00", TransactionID: "WIN-7781", RoundID: "round-1"})
		require.Contains(t, post(t, one, wire.Deposit, win), `"result":0`)
		storetest.CreatePlayer(t, s, "annaWIN-7781", 0)
		require.Contains(t, post(t, one, wire.GetBalance, genuine(wire.GetBalance, wire.Request{UserID: "annaWIN-7781"})), `"result":0`)
		back := genuine(wire.RollbackTransaction, wire.Request{UserID: "anna", TransactionID: "WIN-7781"})
		require.Contains(t, post(t, other, wire.RollbackTransaction, back), `"result":0,"balance":"100.00"`)
	})
}

// The signature of a callback that was refused before it reached a wallet cannot be used for another reading, on any instance.
func TestAttackRefusedThenReadAnew(t *testing.T) {
	attacked(t, func(t *testing.T, one, other *Server, _ *store.Store, _ string) {
		const refused = `{"result":2}`
		bet := genuine(wire.Withdraw, wire.Request{UserID: "anna", Amount: "50.00", TransactionID: "tx1", RoundID: "round-1"})
		require.Contains(t, post(t, one, wire.Withdraw, bet), `"result":0`)
		for _, c := range []struct {
			name             string
			first            wire.Endpoint
			refused          wire.Request
			body             func(text string) string // changes the first body
			second           wire.Endpoint
			agent, user      string
			amount, id, rest string
		}{
			{"a name with an amount", wire.GetBalance, wire.Request{UserID: "anna55.00ccccccccdddddddd"}, nil,
				wire.Deposit, testAgent, "anna", "55.00", "cccccccc", "dddddddd"},
			{"an amount that is too large", wire.Deposit,
				wire.Request{UserID: "anna", Amount: "1500000000000.00", TransactionID: "large", RoundID: "round-1"}, nil,
				wire.Deposit, testAgent, "anna1", "500000000000.00", "large", "round-1"},
			{"freeSpin null", wire.Withdraw,
				wire.Request{UserID: "anna", Amount: "5.00", TransactionID: "null", RoundID: "round-1"},
				func(text string) string { return strings.Replace(text, "{", `{"freeSpin":null,`, 1) },
				wire.Deposit, testAgent, "anna", "5.00", "null", "round-1"},
			{"an amount as number", wire.Withdraw,
				wire.Request{UserID: "anna", Amount: "5.00", TransactionID: "number", RoundID: "round-1"},
				func(text string) string { return strings.Replace(text, `"5.00"`, `5.00`, 1) },
				wire.Deposit, testAgent, "anna", "5.00", "number", "round-1"},
			{"a round that is missing", wire.Withdraw,
				wire.Request{UserID: "anna", Amount: "5.00", TransactionID: "missing-round"},
				nil, wire.Deposit, testAgent, "anna", "5.00", "missing-", "round"},
			{"another agent", wire.Withdraw,
				wire.Request{AgentID: testAgent + "an", UserID: "na", Amount: "5.00", TransactionID: "agent", RoundID: "round-1"},
				nil, wire.Deposit, testAgent, "anna", "5.00", "agent", "round-1"},
			{"an amount in front of the transaction ID", wire.Withdraw,
				wire.Request{UserID: "anna", Amount: "5.00", TransactionID: "1.00x", RoundID: "round-1"},
				nil, wire.BetWin, testAgent, "anna", "5.00", "x", "round-1"},
			{"a sign in lower case", wire.Withdraw,
				wire.Request{UserID: "anna", Amount: "5.00", TransactionID: "lower", RoundID: "round-1"},
				func(text string) string {
					before, sign, _ := strings.Cut(text, `"sign":`)
					return before + `"sign":` + strings.ToLower(sign)
				},
				wire.Deposit, testAgent, "anna", "5.00", "lower", "round-1"},
		} {
			first := c.refused
			if first.AgentID == "" {
				first.AgentID = testAgent
			}
			first.Sign = wire.Sign(testSecret, first.SignedValues(c.first, nil)...)
			body, err := json.Marshal(first)
			require.NoError(t, err)
			text := string(body)
			if c.body != nil {
				text = c.body(text)
			}
			answer, err := http.Post(one.CallbackURL()+c.first.Path(), "application/json", strings.NewReader(text))
			require.NoError(t, err)
			got, err := io.ReadAll(answer.Body)
			require.NoError(t, err)
			answer.Body.Close()
			require.Contains(t, []string{refused, signRefused}, string(got), c.name)

			second := wire.Request{AgentID: c.agent, UserID: c.user, Amount: c.amount, TransactionID: c.id, RoundID: c.rest,
				Sign: first.Sign}
			if c.second == wire.BetWin {
				second.Amount, second.BetAmount, second.WinAmount = "", c.amount, "1.00"
			}
			require.Equal(t, first.Sign, wire.Sign(testSecret, second.SignedValues(c.second, nil)...), c.name)
			require.Equal(t, signRefused, post(t, other, c.second, second), c.name)
		}
	})
}

// A reading that names no player does not kill the genuine callback for good: people book it with its own transaction ID.
func TestAttackGenuineCallbackRefused(t *testing.T) {
	attacked(t, func(t *testing.T, one, other *Server, s *store.Store, _ string) {
		won := genuine(wire.Deposit, wire.Request{UserID: "anna", Amount: "5.00", TransactionID: "win-1", RoundID: "round-1"})
		forged := won
		forged.UserID, forged.Amount, forged.TransactionID, forged.RoundID = "ann", "", "a5.00win-1round-1", ""
		require.Equal(t, `{"result":2}`, post(t, one, wire.RollbackTransaction, forged))
		require.Equal(t, signRefused, post(t, other, wire.Deposit, won))
		require.Eventually(t, func() bool {
			_, err := s.FindCases(t.Context(), models.CaseRulesConfig{})
			require.NoError(t, err)
			list, err := s.Cases(t.Context(), models.CaseFilter{Rule: models.CaseSignReused, Span: models.Span{Limit: 50}})
			require.NoError(t, err)
			return len(list.Rows) == 1
		}, time.Minute, 50*time.Millisecond)
		byHand, err := s.Apply(t.Context(), models.Operation{Source: models.SourcePlatform, Kind: models.Win, UserID: "anna",
			TransactionID: "win-1", RoundID: "round-1", Win: 500})
		require.NoError(t, err)
		require.Equal(t, models.None, byHand.Decline)
		require.Contains(t, post(t, one, wire.Deposit, won), `"result":11,"balance":"105.00"`)
	})
}

// forms are the ways in which a sign might be written.
func forms(sign string) []string {
	raw, _ := hex.DecodeString(sign)
	doubled := base64.StdEncoding.EncodeToString([]byte(sign))
	return []string{sign, strings.ToLower(sign), base64.StdEncoding.EncodeToString(raw),
		base64.RawURLEncoding.EncodeToString(raw), doubled[:80], string(raw)}
}

// No row of the database has the sign of a callback, whatever its outcome, so nothing made from the database can show one.
func TestAttackSignatureInTheDatabase(t *testing.T) {
	attacked(t, func(t *testing.T, one, _ *Server, s *store.Store, url string) {
		var signs []string
		send := func(e wire.Endpoint, r wire.Request) {
			r = genuine(e, r)
			signs = append(signs, r.Sign)
			post(t, one, e, r)
			r.RoundID += "x" // does not match now
			post(t, one, e, r)
		}
		send(wire.Withdraw, wire.Request{UserID: "anna", Amount: "1.00", TransactionID: "t1", RoundID: "r1"})
		send(wire.Withdraw, wire.Request{UserID: "anna", Amount: "1000.00", TransactionID: "t2", RoundID: "r1"})
		send(wire.Deposit, wire.Request{UserID: "nobody", Amount: "1.00", TransactionID: "t3", RoundID: "r1"})
		send(wire.RollbackTransaction, wire.Request{UserID: "anna", TransactionID: "t1"})
		send(wire.GetBalance, wire.Request{UserID: "anna"})
		dump := dumped(t, url)
		require.Contains(t, dump, "t1")
		for _, sign := range signs {
			for _, form := range forms(sign) {
				require.NotContains(t, dump, form)
			}
		}
	})
}

// dumped returns every value of every table of a database.
func dumped(t *testing.T, url string) string {
	t.Helper()
	db := rawDB(t, url)
	list := "SELECT name FROM sqlite_master WHERE type = 'table'"
	if strings.HasPrefix(url, "mysql://") {
		list = "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()"
	}
	var out strings.Builder
	for _, table := range column(t, db, list) {
		rows, err := db.QueryContext(t.Context(), "SELECT * FROM "+table)
		require.NoError(t, err)
		names, err := rows.Columns()
		require.NoError(t, err)
		row, into := make([]sql.RawBytes, len(names)), make([]any, len(names))
		for i := range row {
			into[i] = &row[i]
		}
		for rows.Next() {
			require.NoError(t, rows.Scan(into...))
			for _, value := range row {
				out.Write(value)
				out.WriteByte(' ')
			}
		}
		require.NoError(t, rows.Err())
		require.NoError(t, rows.Close())
	}
	return out.String()
}

func column(t *testing.T, db *sql.DB, query string) (list []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var text string
		require.NoError(t, rows.Scan(&text))
		list = append(list, text)
	}
	return list
}

func rawDB(t *testing.T, url string) *sql.DB {
	t.Helper()
	driver, dsn := "mysql", strings.TrimPrefix(url, "mysql://")
	if path, ok := strings.CutPrefix(url, "sqlite://"); ok {
		driver, dsn = "sqlite", path
	}
	db, err := sql.Open(driver, dsn)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}
