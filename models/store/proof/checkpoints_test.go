package proof_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// faultText joins the faults that a verification found. It names wallets by their UserIDs.
func faultText(v models.Verification) string {
	var b strings.Builder
	for _, w := range v.Faulty {
		fmt.Fprintf(&b, "%s: %s\n", w.UserID, strings.Join(w.Faults, "; "))
	}
	fmt.Fprintf(&b, "audit: %s\nwritten: %s\n", strings.Join(v.Audit.Faults, "; "), strings.Join(v.Written.Faults, "; "))
	return b.String()
}

func TestCheckpoints(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		empty := storetest.WriteCheckpoint(t, s)
		anna, _, _ := storetest.BookEveryKind(t, s)
		file := storetest.WriteCheckpoint(t, s)
		cp, err := s.OpenCheckpoint(bytes.NewReader(file))
		require.NoError(t, err)
		require.EqualValues(t, 2, cp.Number)
		require.EqualValues(t, 3, cp.Wallets)
		require.EqualValues(t, x.Number(t, "SELECT COUNT(*) FROM entries"), cp.Entries)
		require.EqualValues(t, x.Number(t, "SELECT COUNT(*) FROM spin_entries"), cp.SpinEntries)
		w, ok, err := cp.Wallet()
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, anna, w.PlayerID)

		// Play goes on, and both checkpoints stay valid.
		storetest.Apply(t, s, storetest.Bet("anna", "later", 100))
		storetest.Apply(t, s, storetest.FreeSpin("carl", "later spin", 100))
		storetest.CreatePlayer(t, s, "dora", 100)
		for _, file := range [][]byte{empty, file, storetest.WriteCheckpoint(t, s)} {
			v := storetest.VerifyAgainst(t, s, file)
			require.True(t, v.OK(), faultText(v))
			require.EqualValues(t, 3, v.Checkpoints)
		}
		list, err := s.Checkpoints(t.Context(), models.Span{Limit: 2})
		require.NoError(t, err)
		require.True(t, list.More)
		require.EqualValues(t, []int64{3, 2}, []int64{list.Rows[0].Number, list.Rows[1].Number})
		require.Equal(t, list.Rows[1].Digest, list.Rows[0].Previous)
		list, err = s.Checkpoints(t.Context(), models.Span{Page: models.Cursor{ID: 2}, Limit: 2})
		require.NoError(t, err)
		require.False(t, list.More)
		require.Len(t, list.Rows, 1)
		require.Len(t, storetest.Pages(t, 1, models.WrittenCheckpoint.Place,
			func(at models.Cursor) models.Page[models.WrittenCheckpoint] {
				page, err := s.Checkpoints(t.Context(), models.Span{Page: at, Limit: 1})
				require.NoError(t, err)
				return page
			}), 3)

		// A checkpoint counts once it is delivered.
		_, found, err := s.LastCheckpoint(t.Context())
		require.NoError(t, err)
		require.False(t, found, "none was delivered")
		require.NoError(t, s.CheckpointKept(t.Context(), 2))
		last, found, err := s.LastCheckpoint(t.Context())
		require.NoError(t, err)
		require.True(t, found)
		require.EqualValues(t, 2, last.Number)
		require.True(t, last.Delivered())

		// Of two checkpoints with the same number, only the first is recorded.
		require.ErrorIs(t, s.RecordCheckpoint(t.Context(), storetest.Tester, last.Checkpoint, 1, ""), models.ErrCheckpointTaken)
	})
}

// since verifies what was written after a checkpoint.
func since(t *testing.T, s *store.Store, file []byte) models.Verification {
	t.Helper()
	cp, err := s.OpenCheckpoint(bytes.NewReader(file))
	require.NoError(t, err)
	v, err := s.VerifySince(t.Context(), cp, nil)
	require.NoError(t, err)
	require.Equal(t, cp.Number, v.Since)
	return v
}

// VerifySince reads what was written after a checkpoint, and finds what is wrong with it.
func TestVerifySince(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		_, bert, _ := storetest.BookEveryKind(t, s)
		file := storetest.WriteCheckpoint(t, s)
		v := since(t, s, file)
		require.True(t, v.OK(), faultText(v))
		require.Zero(t, v.Entries+v.SpinEntries)
		require.EqualValues(t, 3, v.Wallets)

		for _, op := range []models.Operation{
			storetest.Bet("anna", "n1", 100), storetest.Rollback("anna", "b2"), storetest.Rollback("anna", "s2"),
			storetest.FreeSpin("bert", "n2", 5), storetest.Bet("bert", "n3", 7),
			storetest.Rollback("carl", "t3"), storetest.FreeSpin("carl", "n4", 5),
		} {
			storetest.Apply(t, s, op)
		}
		storetest.CreatePlayer(t, s, "dora", 100)
		storetest.Apply(t, s, storetest.Bet("dora", "n5", 1))
		v = since(t, s, file)
		require.True(t, v.OK(), faultText(v))
		require.EqualValues(t, 6, v.Entries, "three bets, a rollback, a tombstone and an opening balance")
		require.EqualValues(t, 3, v.SpinEntries)
		require.EqualValues(t, 2, v.AuditEvents, "the checkpoint itself, and the player who was created")

		storetest.DropTriggers(t, x.Config.URL)
		restore := keepTables(x, t)
		for _, row := range []struct{ statement, fault string }{
			{"UPDATE postings SET win_minor = 1 WHERE transaction_id = 'n3'", "bert: "},
			{"UPDATE postings SET round_id = 'x' WHERE transaction_id = 's2' AND claim = 2", "anna: "},
			{"DELETE FROM postings WHERE transaction_id = 'n1'", "anna: entry 16 is missing"},
			{"UPDATE spin_entries SET stake_minor = 1 WHERE transaction_id = 'n4'", "carl: "},
			{"UPDATE wallets SET balance_minor = balance_minor + 1 WHERE player_id = " + fmt.Sprint(bert),
				"bert: the balance is"},
			{fmt.Sprintf("UPDATE wallets SET seq = 1, head = (SELECT hash FROM postings WHERE player_id = %d AND seq = 1) "+
				"WHERE player_id = %d", bert, bert), "bert: entries 2 to 4 are gone since the checkpoint"},
			{"DELETE FROM wallets WHERE player_id = " + fmt.Sprint(bert),
				"the wallet's row is gone; at the checkpoint it ended at entry 4"},
		} {
			x.Exec(t, row.statement)
			require.Contains(t, faultText(since(t, s, file)), row.fault, row.statement)
			restore(t)
		}
		forgetTables(x, t)
		require.True(t, since(t, s, file).OK())
	})
}

// If somebody with the key cuts off a chain's tail, and removes everything else that would show it, only a checkpoint shows it.
func TestCheckpointShowsACutTail(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		_, bert, _ := storetest.BookEveryKind(t, s)
		early := storetest.WriteCheckpoint(t, s)
		storetest.Apply(t, s, storetest.FreeSpin("bert", "s9", 5))
		storetest.Apply(t, s, storetest.Bet("bert", "x9", 100))
		storetest.Restrict(t, s, "bert")
		late := storetest.WriteCheckpoint(t, s)
		storetest.DropTriggers(t, x.Config.URL)
		for _, statement := range []string{
			"DELETE FROM postings WHERE transaction_id IN ('x9', 's9')", "DELETE FROM spin_entries WHERE transaction_id = 's9'",
			fmt.Sprintf("UPDATE wallets SET balance_minor = balance_minor + 100, seq = seq - 1, spin_seq = spin_seq - 1, "+
				"head = (SELECT hash FROM postings WHERE player_id = %d AND free_spin = 0 ORDER BY seq DESC "+
				"LIMIT 1), spin_head = (SELECT hash FROM spin_entries WHERE player_id = %d ORDER BY seq DESC LIMIT 1) "+
				"WHERE player_id = %d", bert, bert, bert),
			"DELETE FROM audit_events WHERE id > 4",
			"UPDATE audit_head SET seq = 4, hash = (SELECT hash FROM audit_events WHERE id = 4)",
			"DELETE FROM checkpoints WHERE number = 2",
			"UPDATE wallets SET play_from_us = 0 WHERE play_from_us > 0", "DELETE FROM restrictions", "DELETE FROM staff",
		} {
			x.Exec(t, statement)
		}
		require.True(t, storetest.RequireWhole(t, s).OK(), "the chains alone do not show it")
		v := storetest.VerifyAgainst(t, s, early)
		require.True(t, v.OK(), faultText(v))
		v = storetest.VerifyAgainst(t, s, late)
		require.Equal(t,
			"bert: entry 5 is gone since the checkpoint: the end of the chain was deleted, or an older state was restored; "+
				"free-spin entry 2 is gone since the checkpoint: the end of the chain was deleted, or an older state was restored\n"+
				"audit: events 5 to 7 are gone since the checkpoint: the end of the chain was deleted, or an older state was restored\n"+
				"written: the database does not know checkpoint 2 of "+momentOf(t, s, late)+
				": an older state was restored, or the row was deleted\n", faultText(v))
	})
}

// momentOf returns when a checkpoint was written, as faults show it.
func momentOf(t *testing.T, s *store.Store, file []byte) string {
	t.Helper()
	cp, err := s.OpenCheckpoint(bytes.NewReader(file))
	require.NoError(t, err)
	return cp.At.Format("2006-01-02 15:04:05 UTC")
}

// An old state of the whole database is restored, and play goes on: the verification names every wallet that had changed since,
// and no other.
func TestCheckpointShowsARestoredState(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.BookEveryKind(t, s)
		tables := append([]string{"audit_head", "checkpoints"}, storetest.LedgerTables...)
		for _, table := range tables {
			_, err := x.DB.ExecContext(t.Context(), "CREATE TABLE kept_"+table+" AS SELECT * FROM "+table)
			require.NoError(t, err)
		}
		storetest.Apply(t, s, storetest.Win("anna", "big", 5000))
		storetest.Apply(t, s, storetest.Bet("bert", "x8", 100))
		storetest.CreatePlayer(t, s, "dora", 700)
		file := storetest.WriteCheckpoint(t, s)
		storetest.DropTriggers(t, x.Config.URL)
		for _, table := range tables {
			_, err := x.DB.ExecContext(t.Context(), "DELETE FROM "+table)
			require.NoError(t, err)
			_, err = x.DB.ExecContext(t.Context(), "INSERT INTO "+table+" SELECT * FROM kept_"+table)
			require.NoError(t, err)
		}
		for i := range 3 { // bert's chain grows past the checkpoint's place
			storetest.Apply(t, s, storetest.Bet("bert", models.TransactionID(fmt.Sprint("again", i)), 1))
		}
		require.True(t, storetest.RequireWhole(t, s).OK())
		v := storetest.VerifyAgainst(t, s, file)
		found := faultText(v)
		require.Len(t, v.Faulty, 3)
		require.Contains(t, found, "anna: entry 16 is gone since the checkpoint")
		require.Contains(t, found, "bert: entry 5 differs from the checkpoint")
		require.Contains(t, found, ": the wallet's row is gone; at the checkpoint it ended at entry 1")
		require.NotContains(t, found, "carl")
		require.Contains(t, found, "audit: event 4 is gone since the checkpoint")
		require.Contains(t, found, "written: the database does not know checkpoint 1")
	})
}

// Somebody with the database and the key can rewrite history; a checkpoint out of their reach shows that too.
func TestCheckpointShowsARewrittenHistory(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		for _, key := range [][]byte{storetest.LedgerKey, nil} {
			x = storetest.NewDatabase(t, x.Engine)
			x.Config.LedgerKey = key
			s := recorded(t, x)
			storetest.Apply(t, s, storetest.Bet("anna", "b1", 100))
			file := storetest.WriteCheckpoint(t, s)
			storetest.DropTriggers(t, x.Config.URL)
			anna := x.Number(t, "SELECT id FROM players WHERE user_id = 'anna'")
			rewrite(t, x, anna, models.NewChain(key), 50)
			forge(t, x, models.NewChain(key))
			require.True(t, storetest.RequireWhole(t, s).OK())
			v := storetest.VerifyAgainst(t, s, file)
			require.Contains(t, faultText(v), "anna: entry 2 differs from the checkpoint")
			require.Contains(t, faultText(v), "event 7 (setting changed, by tester) differs from the checkpoint")
			require.NotContains(t, faultText(v), "bert")
		}
	})
}

// The rows of checkpoints form a chain.
func TestVerifyFindsTamperingWithCheckpoints(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.BookEveryKind(t, s)
		var file []byte
		for range 4 {
			file = storetest.WriteCheckpoint(t, s)
		}
		_, err := x.DB.ExecContext(t.Context(), "CREATE TABLE kept_checkpoints AS SELECT * FROM checkpoints")
		require.NoError(t, err)
		for _, row := range []struct{ what, statement, found string }{
			{"a time", "UPDATE checkpoints SET at_us = at_us + 1 WHERE number = 2",
				"checkpoint 2: its row is not the one that was signed"},
			{"a digest", "UPDATE checkpoints SET digest = previous WHERE number = 2", "checkpoint 3 does not follow"},
			{"a predecessor", "UPDATE checkpoints SET previous = digest WHERE number = 2", "checkpoint 2 does not follow"},
			{"a signature", "UPDATE checkpoints SET signature = digest WHERE number = 2",
				"checkpoint 2: its row is not the one that was signed"},
			{"one removed", "DELETE FROM checkpoints WHERE number = 2", "checkpoint 2 is missing"},
			{"two removed", "DELETE FROM checkpoints WHERE number <= 2", "checkpoints 1 to 2 are missing"},
			{"the compared one removed", "DELETE FROM checkpoints WHERE number = 4", "the database does not know checkpoint 4"},
			{"the compared one changed", "UPDATE checkpoints SET digest = previous WHERE number = 4",
				"checkpoint 4 in the database differs"},
			{"one inserted", "INSERT INTO checkpoints SELECT 6, at_us, previous, digest, signature, key_fingerprint, actor, " +
				"wallets, entries, spin_entries, audit_seq, size_bytes, file_name, kept_at_us " +
				"FROM kept_checkpoints WHERE number = 2", "checkpoint 5 is missing; checkpoint 6: its row"},
		} {
			x.Exec(t, row.statement)
			v := storetest.VerifyAgainst(t, s, file)
			require.Empty(t, v.Faulty, row.what)
			require.Zero(t, v.Audit.Total, row.what)
			require.Contains(t, faultText(v), row.found, row.what)
			_, err := x.DB.ExecContext(t.Context(), "DELETE FROM checkpoints")
			require.NoError(t, err)
			x.Exec(t, "INSERT INTO checkpoints SELECT * FROM kept_checkpoints")
		}
		require.True(t, storetest.VerifyAgainst(t, s, file).OK())
	})
}

// A checkpoint has the state of one moment, even while players play.
func TestCheckpointDuringPlay(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s, other := x.Open(t), x.Open(t)
		for _, user := range storetest.CrashPlayers {
			storetest.CreatePlayer(t, s, user, 10000000)
		}
		p := &storetest.Platform{S: s, Applied: map[models.TransactionID]models.Operation{}}
		stop := p.Play(t, storetest.CrashPlayers, 8)
		var files [][]byte
		for range storetest.Scaled(4, 100) {
			p.Await(t, 20)
			files = append(files, storetest.WriteCheckpoint(t, other))
		}
		stop()
		for _, file := range files {
			v := storetest.VerifyAgainst(t, other, file)
			require.True(t, v.OK(), faultText(v))
		}
	})
}

// Wallets of a checkpoint are compared with chunks of the ledger, in order, even if wallets are missing at the borders of
// chunks.
func TestCheckpointOfManyWallets(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.ImportPlayers(t, s, "p", 450)
		file := storetest.WriteCheckpoint(t, s)
		require.True(t, storetest.VerifyAgainst(t, s, file).OK())
		storetest.DropTriggers(t, x.Config.URL)
		first := x.Number(t, "SELECT MIN(id) FROM players")
		gone := []int64{0, 199, 200, 399, 400, 449}
		for _, i := range gone {
			for _, statement := range []string{"DELETE FROM wallets WHERE player_id = ?",
				"DELETE FROM postings WHERE player_id = ?", "DELETE FROM players WHERE id = ?"} {
				x.Exec(t, statement, first+i)
			}
		}
		v, err := s.Verify(t.Context(), nil)
		require.NoError(t, err)
		require.Empty(t, v.Faulty, "nothing is left in the ledger that could show it")
		require.Len(t, v.Rows.Faults, len(gone))
		v = storetest.VerifyAgainst(t, s, file)
		require.Len(t, v.Faulty, len(gone))
		for i, w := range v.Faulty {
			require.Equal(t, first+gone[i], w.PlayerID)
		}
	})
}
