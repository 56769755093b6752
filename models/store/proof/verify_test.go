package proof_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/db"
)

// keepTables copies the ledger's tables, and returns a function that restores them.
func keepTables(x *storetest.Database, t *testing.T) (restore func(t *testing.T)) {
	t.Helper()
	tables := storetest.LedgerTables[:5]
	for _, table := range tables {
		_, err := x.DB.ExecContext(t.Context(), "CREATE TABLE kept_"+table+" AS SELECT * FROM "+table)
		require.NoError(t, err)
	}
	return func(t *testing.T) {
		for _, table := range tables {
			_, err := x.DB.ExecContext(t.Context(), "DELETE FROM "+table)
			require.NoError(t, err)
			_, err = x.DB.ExecContext(t.Context(), "INSERT INTO "+table+" SELECT * FROM kept_"+table)
			require.NoError(t, err)
		}
	}
}

// forgetTables removes what keep has kept.
func forgetTables(x *storetest.Database, t *testing.T) {
	t.Helper()
	for _, table := range storetest.LedgerTables[:5] {
		_, err := x.DB.ExecContext(t.Context(), "DROP TABLE kept_"+table)
		require.NoError(t, err)
	}
}

// faults returns the faults of each wallet that has any.
func faults(t *testing.T, s *store.Store) map[models.UserID]string {
	t.Helper()
	v, err := s.Verify(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, len(v.Faulty) == 0, v.OK())
	named := map[models.UserID]string{}
	for _, f := range v.Faulty {
		require.NotZero(t, f.Total)
		require.NotEmpty(t, f.Faults)
		name := f.UserID
		if name == "" {
			name = models.UserID(fmt.Sprint(f.PlayerID))
		}
		named[name] = strings.Join(f.Faults, "\n")
	}
	return named
}

// putIn is the beginning of a statement that inserts a forged posting of the platform.
const putIn = `INSERT INTO postings (source, transaction_id, claim, player_id, seq, kind, round_id, bet_minor, win_minor,
	free_spin, after_minor, at_us, hash)
	SELECT 1, 'new', 1, `

// Verify finds whatever somebody does to the ledger with SQL, and names the wallet.
func TestVerifyFindsTampering(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		anna, bert, carl := storetest.BookEveryKind(t, s)
		storetest.RequireWhole(t, s)
		storetest.DropTriggers(t, x.Config.URL)
		restore := keepTables(x, t)
		// ANNA, BERT and CARL stand for the wallets' numbers, FIRST and LAST for the ends of the column's range.
		first, last := "-9000000000000000000", "9223372036854775807"
		if x.Engine == storetest.MariaDB {
			first, last = "-2147483648", "2147483647"
		}
		numbered := strings.NewReplacer("ANNA", fmt.Sprint(anna), "BERT", fmt.Sprint(bert), "CARL", fmt.Sprint(carl),
			"FIRST", first, "LAST", last)
		for _, row := range []struct {
			what, statements, wallets string
		}{
			{"a stake", "UPDATE postings SET bet_minor = bet_minor + 1 WHERE transaction_id = 'x1'", "bert"},
			{"a win", "UPDATE postings SET win_minor = 1 WHERE transaction_id = 'x1'", "bert"},
			{"a win of nothing", "UPDATE postings SET win_minor = 1, after_minor = after_minor + 1 WHERE player_id = CARL",
				"carl"},
			{"a balance after", "UPDATE postings SET after_minor = after_minor + 1 WHERE player_id = ANNA AND seq = 2", "anna"},
			{"a larger opening, carried through to the balance",
				"UPDATE postings SET win_minor = win_minor + 5 WHERE player_id = ANNA AND seq = 1 AND source = 2;" +
					"UPDATE postings SET after_minor = after_minor + 5 WHERE player_id = ANNA; UPDATE wallets " +
					"SET balance_minor = balance_minor + 5 WHERE player_id = ANNA", "anna"},
			{"a stake, carried through to the balance",
				"UPDATE postings SET bet_minor = 0, after_minor = after_minor + 100 WHERE transaction_id = 'x2';" +
					"UPDATE wallets SET balance_minor = balance_minor + 100 WHERE player_id = BERT", "bert"},
			{"a bet made a win", "UPDATE postings SET kind = 2 WHERE transaction_id = 'x1'", "bert"},
			{"a kind that does not exist", "UPDATE postings SET kind = 99 WHERE transaction_id = 'x1'", "bert"},
			{"a negative kind", "UPDATE postings SET kind = -1 WHERE transaction_id = 'x1'", "bert"},
			{"a source", "UPDATE postings SET source = 2 WHERE transaction_id = 'x1'", "bert"},
			{"a negative source", "UPDATE postings SET source = -1 WHERE transaction_id = 'x1'", "bert"},
			{"a transaction's name", "UPDATE postings SET transaction_id = 'X1' WHERE transaction_id = 'x1'", "bert"},
			{"a blank after a name", "UPDATE postings SET transaction_id = 'x1 ' WHERE transaction_id = 'x1'", "bert"},
			{"a round", "UPDATE postings SET round_id = 'r-x1 ' WHERE transaction_id = 'x1'", "bert"},
			{"a time", "UPDATE postings SET at_us = at_us + 1 WHERE transaction_id = 'x1'", "bert"},
			{"the time of a rollback", "UPDATE postings SET at_us = at_us + 1 WHERE transaction_id = 'b1' AND claim = 2",
				"anna"},
			{"the amount of a rollback",
				"UPDATE postings SET bet_minor = bet_minor + 1 WHERE transaction_id = 'b1' AND claim = 2", "anna"},
			{"the transaction of a rollback",
				"UPDATE postings SET transaction_id = 'w1' WHERE transaction_id = 'b1' AND claim = 2", "anna"},
			{"a bet made a rollback", "UPDATE postings SET claim = 2 WHERE transaction_id = 'x1'", "bert"},
			{"a rollback made a bet",
				"UPDATE postings SET claim = 1, transaction_id = 'b1x' WHERE transaction_id = 'b1' AND claim = 2", "anna"},
			{"a claim that does not exist", "UPDATE postings SET claim = 3 WHERE transaction_id = 'x1'", "bert"},
			{"a negative claim", "UPDATE postings SET claim = -1 WHERE transaction_id = 'x1'", "bert"},
			{"no claim", "UPDATE postings SET claim = NULL WHERE transaction_id = 'x1'", "bert"},
			{"a bet made a free spin", "UPDATE postings SET free_spin = 1 WHERE transaction_id = 'x1'", "bert"},
			{"a free spin made a bet", "UPDATE postings SET free_spin = 0 WHERE transaction_id = 's3'", "bert"},
			{"neither bet nor free spin", "UPDATE postings SET free_spin = 2 WHERE transaction_id = 's3'", "bert"},
			{"a free spin's stake in its posting", "UPDATE postings SET bet_minor = 1 WHERE transaction_id = 's3'", "bert"},
			{"a free spin's place", "UPDATE postings SET seq = seq - 1 WHERE transaction_id = 's3'", "bert"},
			{"a free spin's round in its posting", "UPDATE postings SET round_id = 'r' WHERE transaction_id = 's3'", "bert"},
			{"a free spin's time in its posting", "UPDATE postings SET at_us = at_us + 1 WHERE transaction_id = 's3'", "bert"},
			{"a free spin's hash in its posting",
				"UPDATE postings SET hash = (SELECT head FROM wallets WHERE player_id = ANNA) WHERE transaction_id = 's3'",
				"bert"},
			{"a free spin's posting deleted", "DELETE FROM postings WHERE transaction_id = 's3'", "bert"},
			{"a free spin's posting inserted",
				"INSERT INTO postings (source, transaction_id, claim, player_id, seq, kind, round_id, bet_minor, win_minor, " +
					"free_spin, after_minor, at_us, hash)" +
					" SELECT source, 'new', claim, player_id, 4, kind, round_id, bet_minor, win_minor, free_spin, " +
					"after_minor, " +
					"at_us, hash FROM postings WHERE transaction_id = 's3'", "bert"},
			{"a hash", "UPDATE postings SET hash = (SELECT head FROM wallets WHERE player_id = BERT) WHERE player_id = ANNA " +
				"AND seq = 2", "anna"},
			{"the last hash and the head",
				"UPDATE postings SET hash = (SELECT head FROM wallets WHERE player_id = BERT) " +
					"WHERE player_id = CARL; UPDATE wallets SET head = (SELECT hash FROM postings WHERE player_id = CARL) " +
					"WHERE player_id = CARL", "carl"},
			{"no hash", "UPDATE postings SET hash = x'' WHERE player_id = ANNA AND seq = 2", "anna"},
			{"two places", "UPDATE postings SET seq = -2 WHERE player_id = ANNA AND seq = 2; UPDATE postings SET seq = 2 " +
				"WHERE player_id = ANNA AND seq = 3; UPDATE postings SET seq = 3 WHERE player_id = ANNA AND seq = -2", "anna"},
			{"the first place", "UPDATE postings SET seq = 0 WHERE player_id = CARL", "carl"},
			{"the last place", "UPDATE postings SET seq = seq + 1 WHERE transaction_id = 'x2'", "bert"},
			{"a posting moved to another wallet", "UPDATE postings SET player_id = CARL, seq = 2 WHERE transaction_id = 'x2'",
				"bert carl"},
			{"a posting moved to nobody", "UPDATE postings SET player_id = 77777 WHERE transaction_id = 'x2'", "bert 77777"},
			{"the first posting deleted", "DELETE FROM postings WHERE player_id = ANNA AND seq = 1", "anna"},
			{"a posting deleted", "DELETE FROM postings WHERE player_id = ANNA AND seq = 4", "anna"},
			{"the last posting deleted", "DELETE FROM postings WHERE transaction_id = 'x2'", "bert"},
			{"a rollback deleted", "DELETE FROM postings WHERE transaction_id = 'b1' AND claim = 2", "anna"},
			{"a free spin's rollback deleted", "DELETE FROM postings WHERE transaction_id = 's1' AND claim = 2", "anna"},
			{"an opening deleted", "DELETE FROM postings WHERE player_id = CARL", "carl"},
			{"a tombstone deleted", "DELETE FROM postings WHERE player_id = ANNA AND transaction_id = 't1'", "anna"},
			{"a tombstone inserted", "INSERT INTO postings (source, transaction_id, claim, player_id, seq, kind, round_id, " +
				"bet_minor, win_minor, free_spin, after_minor, at_us, hash)" +
				" SELECT source, 'new', claim, CARL, 2, kind, round_id, 0, 0, 0, 0, at_us, hash FROM postings " +
				"WHERE transaction_id = 't1' AND player_id = BERT", "carl"},
			{"a tombstone moved", "UPDATE postings SET player_id = CARL WHERE transaction_id = 't1' AND player_id = BERT",
				"bert carl"},
			{"a tombstone's transaction",
				"UPDATE postings SET transaction_id = 'T1' WHERE transaction_id = 't1' AND player_id = BERT", "bert"},
			{"a tombstone's time", "UPDATE postings SET at_us = at_us + 1 WHERE transaction_id = 't1' AND player_id = BERT",
				"bert"},
			{"every posting of a wallet deleted", "DELETE FROM postings WHERE player_id = ANNA", "anna"},
			{"every trace of a wallet deleted",
				"DELETE FROM postings WHERE player_id = BERT; DELETE FROM spin_entries WHERE player_id = BERT;" +
					"UPDATE wallets SET balance_minor = 0, seq = 0, head = x'" + strings.Repeat("00", 32) +
					"', spin_seq = 0, spin_head = x'" + strings.Repeat("00", 32) + "' WHERE player_id = BERT", "bert"},
			{"every trace of a wallet deleted, and the wallet",
				"DELETE FROM postings WHERE player_id = BERT; DELETE FROM spin_entries WHERE player_id = BERT; DELETE " +
					"FROM wallets WHERE player_id = BERT", "bert"},
			{"a posting inserted at the end",
				putIn + "player_id, seq + 1, 2, 'r', 0, 5, 0, after_minor + 5, at_us, hash FROM postings " +
					"WHERE transaction_id = 'x2'", "bert"},
			{"a posting inserted at the end, with a balance",
				putIn + "player_id, seq + 1, 2, 'r', 0, 5, 0, after_minor + 5, at_us, hash FROM postings " +
					"WHERE transaction_id = 'x2';" +
					"UPDATE wallets SET balance_minor = balance_minor + 5, seq = seq + 1 WHERE player_id = BERT", "bert"},
			{"a posting inserted before the first",
				putIn + "player_id, 0, 5, '', 0, 0, 0, 0, at_us, hash FROM postings WHERE player_id = BERT AND seq = 1",
				"bert"},
			{"a posting of nobody",
				putIn + "77777, 1, 5, '', 0, 0, 0, 0, at_us, hash FROM postings WHERE player_id = BERT AND seq = 1", "77777"},
			{"a posting of the largest number",
				putIn + "LAST, 1, 5, '', 0, 0, 0, 0, at_us, hash FROM postings WHERE player_id = BERT " +
					"AND seq = 1", "LAST"},
			{"a posting of a negative number",
				putIn + "FIRST, 1, 5, '', 0, 0, 0, 0, at_us, hash FROM postings WHERE player_id = BERT " +
					"AND seq = 1", "FIRST"},
			{"another wallet's whole history",
				"DELETE FROM postings WHERE player_id = CARL; INSERT INTO postings (source, transaction_id, claim, " +
					"player_id, seq, kind, round_id, bet_minor, win_minor, free_spin, after_minor, at_us, hash)" +
					" SELECT 3, transaction_id, claim, CARL, seq, kind, round_id, bet_minor, win_minor, free_spin, " +
					"after_minor, " +
					"at_us, hash FROM postings WHERE player_id = BERT AND free_spin = 0;" +
					"UPDATE wallets SET balance_minor = 9800, seq = 4, head = (SELECT hash FROM postings " +
					"WHERE player_id = BERT " +
					"AND seq = 4) WHERE player_id = CARL", "carl"},
			{"an older state of a wallet",
				"DELETE FROM postings WHERE player_id = BERT AND seq > 2; UPDATE wallets " +
					"SET balance_minor = 9900, seq = 2, head = (SELECT hash FROM postings WHERE player_id = BERT " +
					"AND seq = 2) WHERE player_id = BERT", "bert"},
			{"a spin's stake", "UPDATE spin_entries SET stake_minor = 1 WHERE player_id = BERT", "bert"},
			{"a spin's stake and its row's",
				"UPDATE spin_entries SET stake_minor = 1 WHERE player_id = BERT; UPDATE postings SET bet_minor = 1 " +
					"WHERE transaction_id = 's3'", "bert"},
			{"a number of spins", "UPDATE spin_entries SET spins = 2 WHERE player_id = BERT", "bert"},
			{"a spin's kind", "UPDATE spin_entries SET kind = 21 WHERE player_id = BERT", "bert"},
			{"a spin's negative kind", "UPDATE spin_entries SET kind = -1 WHERE player_id = BERT", "bert"},
			{"whether a grant was known", "UPDATE spin_entries SET grant_known = 1 - grant_known WHERE player_id = BERT",
				"bert"},
			{"neither known nor unknown", "UPDATE spin_entries SET grant_known = 2 WHERE player_id = BERT", "bert"},
			{"a spin's time", "UPDATE spin_entries SET at_us = at_us - 1 WHERE player_id = BERT", "bert"},
			{"a spin's round", "UPDATE spin_entries SET round_id = 'R-s3' WHERE player_id = BERT", "bert"},
			{"a spin's transaction", "UPDATE spin_entries SET transaction_id = 'S3' WHERE player_id = BERT", "bert"},
			{"a spin's hash", "UPDATE spin_entries SET hash = (SELECT head FROM wallets WHERE player_id = BERT) " +
				"WHERE player_id = BERT", "bert"},
			{"a spin moved", "UPDATE spin_entries SET player_id = CARL WHERE player_id = BERT", "bert carl"},
			{"two spins' places", "UPDATE spin_entries SET seq = -1 WHERE player_id = ANNA AND seq = 1; UPDATE spin_entries " +
				"SET seq = 1 WHERE player_id = ANNA AND seq = 3; UPDATE spin_entries SET seq = 3 WHERE player_id = ANNA " +
				"AND seq = -1", "anna"},
			{"a spin deleted", "DELETE FROM spin_entries WHERE player_id = BERT", "bert"},
			{"a rolled-back spin deleted", "DELETE FROM spin_entries WHERE player_id = ANNA AND seq = 1", "anna"},
			{"a spin inserted", "INSERT INTO spin_entries SELECT CARL, seq, kind, transaction_id, round_id, spins, " +
				"stake_minor, grant_known, at_us, hash, signed_digest FROM spin_entries WHERE player_id = BERT", "carl"},
			{"a spin of nobody", "INSERT INTO spin_entries SELECT 77777, seq, kind, transaction_id, round_id, spins, " +
				"stake_minor, grant_known, at_us, hash, signed_digest FROM spin_entries WHERE player_id = BERT", "77777"},

			{"a balance", "UPDATE wallets SET balance_minor = balance_minor + 1 WHERE player_id = CARL", "carl"},
			{"two balances swapped",
				"UPDATE wallets SET balance_minor = 19800 - balance_minor WHERE player_id = BERT; UPDATE wallets " +
					"SET balance_minor = 9800 - balance_minor WHERE player_id = CARL", "bert carl"},
			{"a currency", "UPDATE wallets SET currency = 'USD' WHERE player_id = CARL", "carl"},
			{"a head's number", "UPDATE wallets SET seq = seq - 1 WHERE player_id = BERT", "bert"},
			{"a head", "UPDATE wallets SET head = spin_head WHERE player_id = BERT", "bert"},
			{"a spin head's number", "UPDATE wallets SET spin_seq = 0 WHERE player_id = BERT", "bert"},
			{"a spin head", "UPDATE wallets SET spin_head = head WHERE player_id = BERT", "bert"},
			{"a wallet deleted", "DELETE FROM wallets WHERE player_id = BERT", "bert"},
			{"a wallet's number", "UPDATE wallets SET player_id = 77777 WHERE player_id = BERT", "bert 77777"},
			{"a player deleted", "DELETE FROM players WHERE user_id = 'bert'", fmt.Sprint(bert)},
			{"everything deleted but the players", "DELETE FROM postings; DELETE FROM spin_entries; DELETE FROM wallets",
				"anna bert carl"},
		} {
			for statement := range strings.SplitSeq(row.statements, ";") {
				x.Exec(t, numbered.Replace(strings.TrimSpace(statement)))
			}
			found := faults(t, s)
			for name := range strings.FieldsSeq(numbered.Replace(row.wallets)) {
				require.Contains(t, found, models.UserID(name), row.what)
			}
			require.Len(t, found, len(strings.Fields(row.wallets)), "%s: %v", row.what, found)
			restore(t)
		}
		storetest.RequireWhole(t, s)

		// A block is not part of the ledger; the audit log covers it.
		x.Exec(t, "UPDATE wallets SET play_from_us = 1")
		v, err := s.Verify(t.Context(), nil)
		require.NoError(t, err)
		require.Empty(t, v.Faulty)
		require.Equal(t, 3, v.Rows.Total, v.Rows.Faults)
	})
}

// Each row that was altered, removed, inserted or moved is named.
func TestVerifyNamesRows(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		_, bert, carl := storetest.BookEveryKind(t, s)
		storetest.DropTriggers(t, x.Config.URL)
		restore := keepTables(x, t)
		numbered := strings.NewReplacer("BERT", fmt.Sprint(bert), "CARL", fmt.Sprint(carl), "ANNA", fmt.Sprint(bert-1))
		const spin = "kind, transaction_id, round_id, spins, stake_minor, grant_known, at_us, hash, signed_digest FROM spin_entries"
		const entry = "2, 'r', 0, 5, 0, after_minor + 5, at_us, hash FROM postings"
		for _, row := range []struct{ what, statements, named string }{
			{"an entry altered", "UPDATE postings SET round_id = 'r' WHERE player_id = BERT AND seq = 2",
				"bert: entry 2: its hash does not match"},
			{"an entry removed", "DELETE FROM postings WHERE player_id = BERT AND seq = 2", "bert: entry 2 is missing"},
			{"entries removed", "DELETE FROM postings WHERE player_id = BERT AND seq IN (2, 3)",
				"bert: entries 2 to 3 are missing"},
			{"the last entry removed", "DELETE FROM postings WHERE player_id = BERT AND seq = 4",
				"bert: entry 4 is missing: the head is entry 4"},
			{"an entry inserted", putIn + "player_id, 5, " + entry + " WHERE player_id = BERT AND seq = 3 AND free_spin = 0",
				"bert: entry 5: its hash"},
			{"an entry inserted after the head",
				putIn + "player_id, 5, " + entry + " WHERE player_id = BERT AND seq = 3 AND free_spin = 0",
				"entry 5 is inserted after the head, which is entry 4"},
			{"an entry inserted before the first",
				putIn + "player_id, 0, " + entry + " WHERE player_id = BERT AND seq = 3 AND free_spin = 0",
				"bert: entry 0 is before the chain's beginning"},
			{"entries swapped", "UPDATE postings SET seq = -2 WHERE player_id = BERT AND seq = 2; UPDATE postings " +
				"SET seq = 2 WHERE player_id = BERT AND seq = 4; UPDATE postings SET seq = 4 WHERE player_id = BERT " +
				"AND seq = -2", "entry 2: its hash does not match its contents and the line before it"},

			{"a spin altered", "UPDATE spin_entries SET stake_minor = 1 WHERE player_id = ANNA AND seq = 3",
				"anna: free-spin entry 3: its hash"},
			{"a spin removed", "DELETE FROM spin_entries WHERE player_id = ANNA AND seq = 2",
				"anna: free-spin entry 2 is missing"},
			{"the last spin removed", "DELETE FROM spin_entries WHERE player_id = ANNA AND seq = 3",
				"anna: free-spin entry 3 is missing: the head"},
			{"a spin inserted", "INSERT INTO spin_entries SELECT player_id, 4, " + spin + " WHERE player_id = ANNA AND seq = 3",
				"free-spin entry 4 is inserted after the head"},
			{"spins swapped", "UPDATE spin_entries SET seq = -1 WHERE player_id = ANNA AND seq = 1; UPDATE spin_entries " +
				"SET seq = 1 WHERE player_id = ANNA AND seq = 3; UPDATE spin_entries SET seq = 3 WHERE player_id = ANNA " +
				"AND seq = -1", "anna: free-spin entry 1: its hash"},

			{"a bet altered", "UPDATE postings SET bet_minor = 1 WHERE transaction_id = 'x1'",
				"bert: entry 2: 100.00 and -0.01 do not add up to 99.00"},
			{"a bet moved", "UPDATE postings SET player_id = CARL WHERE transaction_id = 'x1'",
				"carl: entry 2: its hash does not match"},
			{"a rollback altered", "UPDATE postings SET bet_minor = 1 WHERE transaction_id = 'b1' AND claim = 2",
				`anna: entry 3 reverses something that transaction "b1" did not book`},
			{"a free spin altered", "UPDATE postings SET bet_minor = 1 WHERE transaction_id = 's3'",
				`bert: free-spin entry 1 differs from the ledger about transaction "s3"`},
			{"a free spin removed", "DELETE FROM postings WHERE transaction_id = 's3'",
				`bert: free-spin entry 1: transaction "s3" is not in the ledger`},
			{"a free spin's line removed", "DELETE FROM spin_entries WHERE transaction_id = 's3'",
				`bert: transaction "s3" is a free spin without a line`},

			{"a balance altered", "UPDATE wallets SET balance_minor = 1 WHERE player_id = CARL",
				"carl: the balance is 0.01, but its entries add up to 0.00"},
			{"a head altered", "UPDATE wallets SET head = spin_head WHERE player_id = CARL",
				"carl: the head is not the hash of entry 1"},
			{"a wallet removed", "DELETE FROM wallets WHERE player_id = BERT", "bert: "},
			{"a wallet inserted", "INSERT INTO wallets (player_id, currency, balance_minor, seq, head, spin_seq, spin_head) " +
				"SELECT 77777, currency, balance_minor, seq, head, spin_seq, spin_head FROM wallets WHERE player_id = BERT",
				"77777: its player is gone"},
		} {
			for statement := range strings.SplitSeq(row.statements, ";") {
				x.Exec(t, numbered.Replace(strings.TrimSpace(statement)))
			}
			var found strings.Builder
			for name, told := range faults(t, s) {
				for line := range strings.SplitSeq(told, "\n") {
					fmt.Fprintf(&found, "%s: %s\n", name, line)
				}
			}
			require.Contains(t, found.String(), row.named, row.what)
			restore(t)
		}
		storetest.RequireWhole(t, s)
	})
}

// rewrite replaces a wallet's entries with those of a forger who has the database and the program, but perhaps not the key:
// every line is consistent, and every hash, the balance and the head are recalculated.
func rewrite(t *testing.T, x *storetest.Database, player int64, chain *models.Chain, gift models.Amount) {
	t.Helper()
	rows, err := x.DB.QueryContext(t.Context(),
		"SELECT id, source, transaction_id, claim, seq, kind, round_id, bet_minor, win_minor, after_minor, at_us "+
			"FROM postings WHERE player_id = ? ORDER BY seq", player)
	require.NoError(t, err)
	var postings []models.Posting
	for rows.Next() {
		p := models.Posting{PlayerID: player}
		var at int64
		var id, round string
		require.NoError(t, rows.Scan(&p.ID, (*uint8)(&p.Source), &id, (*uint8)(&p.Claim), &p.Seq, (*uint8)(&p.Kind), &round,
			(*int64)(&p.Bet), (*int64)(&p.Win), (*int64)(&p.After), &at))
		p.TransactionID, p.RoundID, p.At = models.TransactionID(id), models.RoundID(round), storetest.TimeOf(at)
		postings = append(postings, p)
	}
	require.NoError(t, rows.Err())
	require.NoError(t, rows.Close())
	var head models.Hash
	for i, p := range postings {
		if i == 0 {
			p.Win += gift
		}
		p.After += gift
		head = chain.PostingHash(head, "EUR", &p)
		x.Exec(t, "UPDATE postings SET win_minor = ?, after_minor = ?, hash = ? WHERE id = ?", int64(p.Win), int64(p.After),
			head[:], p.ID)
	}
	x.Exec(t, "UPDATE wallets SET balance_minor = balance_minor + ?, head = ? WHERE player_id = ?", int64(gift), head[:],
		player)
}

func TestVerifyFindsAForgerWithoutTheKey(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 1000)
		bert := storetest.CreatePlayer(t, s, "bert", 1000).ID
		storetest.Apply(t, s, storetest.Bet("bert", "b1", 100))
		storetest.Apply(t, s, storetest.Bet("bert", "b2", 100))
		storetest.DropTriggers(t, x.Config.URL)

		rewrite(t, x, bert, models.NewChain([]byte("a guess")), 50)
		require.Contains(t, faults(t, s)["bert"], "entry 1: its hash does not match")
		rewrite(t, x, bert, models.NewChain(nil), 50)
		require.Contains(t, faults(t, s)["bert"], "entry 1: its hash does not match")

		// The forger makes the ledger say that it never had a key: an instance with a key refuses it.
		x.Exec(t, "UPDATE ledgers SET key_fingerprint = 'unkeyed'")
		require.ErrorIs(t, s.BeginLedger(t.Context()), db.ErrLedgerKey)
		require.Equal(t, []models.UserID{"bert"}, users(faults(t, s)))

		// With the key the forgery passes, which shows that only the key was missing above.
		rewrite(t, x, bert, models.NewChain(storetest.LedgerKey), 50)
		storetest.RequireWhole(t, s)
	})
}

func users(faults map[models.UserID]string) (names []models.UserID) {
	for name := range faults {
		names = append(names, name)
	}
	return names
}

func TestVerifyOfAnUnkeyedLedger(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		x.Config.LedgerKey = nil
		s := x.Open(t)
		storetest.BookEveryKind(t, s)
		v := storetest.RequireWhole(t, s)
		require.False(t, v.Keyed)
		storetest.DropTriggers(t, x.Config.URL)
		x.Exec(t, "UPDATE postings SET bet_minor = bet_minor + 1 WHERE transaction_id = 'x1'")
		require.Equal(t, []models.UserID{"bert"}, users(faults(t, s)))
	})
}

// Faults of one wallet are counted, and the first few listed.
func TestVerifyListsTheFirstFaults(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.BookEveryKind(t, s)
		storetest.DropTriggers(t, x.Config.URL)
		x.Exec(t, "UPDATE postings SET at_us = at_us + 1")
		v, err := s.Verify(t.Context(), nil)
		require.NoError(t, err)
		require.Len(t, v.Faulty, 3)
		require.Len(t, v.Faulty[0].Faults, 10)
		require.Greater(t, v.Faulty[0].Total, 10)
	})
}

// Wallets are read in chunks. Rows at the borders, and rows without a wallet, are in a chunk too.
func TestVerifyOfManyWallets(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.RequireWhole(t, s)
		const many = 600
		storetest.ImportPlayers(t, s, "p", many)
		v := storetest.RequireWhole(t, s)
		require.EqualValues(t, many, v.Wallets)
		require.EqualValues(t, many, v.Entries)
		first := x.Number(t, "SELECT MIN(id) FROM players")
		for _, i := range []int64{0, 199, 200, 399, 400, 599} {
			x.Exec(t, "UPDATE wallets SET balance_minor = balance_minor + 1 WHERE player_id = ?", first+i)
			require.Equal(t, []models.UserID{models.UserID(fmt.Sprint("p", i))}, users(faults(t, s)))
			x.Exec(t, "UPDATE wallets SET balance_minor = balance_minor - 1 WHERE player_id = ?", first+i)
		}
		x.Exec(t, "DELETE FROM wallets WHERE player_id = ?", first+200)
		x.Exec(t, "DELETE FROM wallets WHERE player_id = ?", first+599)
		require.ElementsMatch(t, []models.UserID{"p200", "p599"}, users(faults(t, s)))
	})
}

// While a server is busy the ledger verifies each time, because it is read in one snapshot.
func TestVerifyDuringPlay(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s, other := x.Open(t), x.Open(t)
		const opening = models.Amount(10000000)
		for _, user := range storetest.CrashPlayers {
			storetest.CreatePlayer(t, s, user, opening)
		}
		p := &storetest.Platform{S: s, Applied: map[models.TransactionID]models.Operation{}}
		stop := p.Play(t, storetest.CrashPlayers, 8)
		var last models.Verification
		for range storetest.Scaled(15, 40) { // each verifies all that was played before, too
			p.Await(t, 20)
			v := storetest.RequireWhole(t, other)
			require.Greater(t, v.Entries+v.SpinEntries, last.Entries+last.SpinEntries, "the writer is busy")
			last = v
		}
		stop()
		p.RequireBooks(t, x.DB, storetest.CrashPlayers, opening)
	})
}

// A verification that is canceled, or cannot read, is an error and never a success.
func TestVerifyThatCannotRead(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.BookEveryKind(t, s)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := s.Verify(ctx, nil)
		require.ErrorIs(t, err, context.Canceled)
		x.Exec(t, "UPDATE wallets SET play_from_us = 1")
		_, err = x.DB.ExecContext(t.Context(), "DROP TABLE spin_entries")
		require.NoError(t, err)
		_, err = s.Verify(t.Context(), nil)
		require.ErrorContains(t, err, "select postings: ")
	})
}

// Concurrent verifications do not disturb each other.
func TestVerifyTwiceAtOnce(t *testing.T) {
	x := storetest.NewDatabase(t, storetest.SQLite)
	s := x.Open(t)
	storetest.BookEveryKind(t, s)
	var mu sync.Mutex
	var err error
	storetest.Together(4, func(int) {
		v, e := s.Verify(t.Context(), nil)
		mu.Lock()
		defer mu.Unlock()
		if e != nil || !v.OK() {
			err = errors.Join(err, fmt.Errorf("%v %w", v, e))
		}
	})
	require.NoError(t, err)
}
