package proof_test

import (
	"bytes"
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
)

// auditFaults returns the faults of the audit chain, and requires that there are no other faults.
func auditFaults(t *testing.T, s *store.Store) string {
	t.Helper()
	v, err := s.Verify(t.Context(), nil)
	require.NoError(t, err)
	require.Empty(t, v.Faulty)
	require.Zero(t, v.Written.Total)
	require.Equal(t, v.Audit.Total == 0, v.OK())
	return strings.Join(v.Audit.Faults, "\n")
}

// recorded returns a ledger with seven audit events.
func recorded(t *testing.T, x *storetest.Database) *store.Store {
	t.Helper()
	s := x.Open(t)
	storetest.CreatePlayer(t, s, "anna", 1000)
	storetest.CreatePlayer(t, s, "bert", 1000)
	for i := range 5 {
		require.NoError(t, s.SetSetting(t.Context(), storetest.Tester, "export hours", fmt.Sprint(10+i), fmt.Sprint("reason ", i)))
	}
	require.Empty(t, auditFaults(t, s))
	return s
}

// Verify finds whatever somebody does to the audit log with SQL, and names the event.
func TestVerifyFindsTamperingWithAuditEvents(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := recorded(t, x)
		storetest.DropTriggers(t, x.Config.URL)
		for _, table := range []string{"audit_events", "audit_head"} {
			_, err := x.DB.ExecContext(t.Context(), "CREATE TABLE kept_"+table+" AS SELECT * FROM "+table)
			require.NoError(t, err)
		}
		copied := func(id string) string {
			others := "at_us, actor, address, session, action, object, object_id, before_text, after_text, reason, salts, " +
				"digests, hash, channel, os_user, stated, replaces, player_id"
			return "INSERT INTO audit_events (id, " + others + ") SELECT " + id + ", " + others + " FROM kept_audit_events WHERE id = 4;"
		}
		for _, row := range []struct{ what, statements, found string }{
			{"a time", "UPDATE audit_events SET at_us = at_us + 1 WHERE id = 4",
				"event 4 (setting changed, by tester): its hash"},
			{"an actor", "UPDATE audit_events SET actor = 'somebody' WHERE id = 4",
				"event 4 (setting changed, by somebody): its hash"},
			{"a session", "UPDATE audit_events SET session = '' WHERE id = 4",
				"event 4 (setting changed, by tester): its hash"},
			{"an action", "UPDATE audit_events SET action = 'setting removed' WHERE id = 4",
				"event 4 (setting removed, by tester): its hash"},
			{"an object", "UPDATE audit_events SET object = 'staff' WHERE id = 4",
				"event 4 (setting changed, by tester): its hash"},
			{"an object's number", "UPDATE audit_events SET object_id = '77' WHERE id = 4",
				"event 4 (setting changed, by tester): its hash"},
			{"a player", "UPDATE audit_events SET player_id = 77 WHERE id = 4",
				"event 4 (setting changed, by tester): its hash"},
			{"a hash", "UPDATE audit_events SET hash = (SELECT hash FROM audit_head) WHERE id = 4",
				"event 4 (setting changed, by tester): its hash"},
			{"no hash", "UPDATE audit_events SET hash = x'' WHERE id = 4", "event 4 (setting changed, by tester): its hash"},
			{"digests", "UPDATE audit_events SET digests = x'' WHERE id = 4",
				"event 4 (setting changed, by tester): its hash"},
			{"salts", "UPDATE audit_events SET salts = x'' WHERE id = 4", "event 4 (setting changed, by tester): its reason"},
			{"an address", "UPDATE audit_events SET address = '' WHERE id = 4",
				"event 4 (setting changed, by tester): its address is not the original"},
			{"what was before", "UPDATE audit_events SET before_text = '{}' WHERE id = 4",
				"event 4 (setting changed, by tester): its text before is not the original"},
			{"what was after", "UPDATE audit_events SET after_text = '{}' WHERE id = 4",
				"event 4 (setting changed, by tester): its text after is not the original"},
			{"a reason", "UPDATE audit_events SET reason = 'another' WHERE id = 4",
				"event 4 (setting changed, by tester): its reason is not the original"},
			{"a reason erased without the key",
				"UPDATE audit_events SET reason = '', salts = x'" + strings.Repeat("00", 80) + "' WHERE id = 4",
				"event 4 (setting changed, by tester): its reason is not the original"},
			{"the first removed", "DELETE FROM audit_events WHERE id = 1", "event 1 is missing"},
			{"one removed", "DELETE FROM audit_events WHERE id = 4", "event 4 is missing"},
			{"two removed", "DELETE FROM audit_events WHERE id IN (4, 5)", "events 4 to 5 are missing"},
			{"the last removed", "DELETE FROM audit_events WHERE id = 7", "event 7 is missing: the head is event 7"},
			{"all removed", "DELETE FROM audit_events", "events 1 to 7 are missing"},
			{"one removed and the gap closed",
				"DELETE FROM audit_events WHERE id = 6; UPDATE audit_events SET id = 6 WHERE id = 7",
				"event 6 (setting changed, by tester): its hash"},
			{"one inserted at the end", copied("8"), "event 8 is inserted after the head"},
			{"one inserted before the first", copied("-5"), "event -5 (setting changed, by tester) is before"},
			{"one inserted in between", "UPDATE audit_events SET id = 8 WHERE id = 7; UPDATE audit_events SET id = 7 " +
				"WHERE id = 6;" + copied("6") + "UPDATE audit_head SET seq = 8",
				"event 6 (setting changed, by tester): its hash"},
			{"two swapped", "UPDATE audit_events SET id = -4 WHERE id = 4; UPDATE audit_events SET id = 4 " +
				"WHERE id = 5; UPDATE audit_events SET id = 5 WHERE id = -4",
				"event 5 (setting changed, by tester): its hash"},
			{"the head's number", "UPDATE audit_head SET seq = 6", "event 7 is inserted after the head"},
			{"the head's hash", "UPDATE audit_head SET hash = (SELECT hash FROM audit_events WHERE id = 6)", "the head is not the hash of event 7"},
			{"no head", "DELETE FROM audit_head", "the head of the audit chain is gone"},
			{"the front cut off", "DELETE FROM audit_events WHERE id <= 4", "events 1 to 4 are missing"},
		} {
			for statement := range strings.SplitSeq(strings.Trim(row.statements, "; "), ";") {
				x.Exec(t, strings.TrimSpace(statement))
			}
			require.Contains(t, auditFaults(t, s), row.found, row.what)
			for _, table := range []string{"audit_events", "audit_head"} {
				_, err := x.DB.ExecContext(t.Context(), "DELETE FROM "+table)
				require.NoError(t, err)
				x.Exec(t, "INSERT INTO "+table+" SELECT * FROM kept_"+table)
			}
		}
		require.Empty(t, auditFaults(t, s))
	})
}

// forge rewrites the whole audit chain with other reasons and the key of chain, as somebody with the database and the program
// could.
func forge(t *testing.T, x *storetest.Database, chain *models.Chain) {
	t.Helper()
	rows, err := x.DB.QueryContext(t.Context(),
		"SELECT id, at_us, channel, os_user, replaces, actor, address, session, action, object, object_id, player_id, before_text, "+
			"after_text, salts, digests FROM audit_events ORDER BY id")
	require.NoError(t, err)
	var events []models.AuditEvent
	var salts []models.AuditSalts
	var states []models.Hash // of rows, which cannot be recalculated without the key
	for rows.Next() {
		var e models.AuditEvent
		var at int64
		var salt, digests []byte
		require.NoError(t, rows.Scan(&e.ID, &at, &e.Actor.Channel, &e.Actor.OSUser, &e.Replaces, &e.Actor.Name,
			&e.Actor.Address, &e.Actor.Session, &e.Action, &e.Object, &e.ObjectID, &e.PlayerID, &e.Before, &e.After, &salt, &digests))
		e.At, e.Reason = storetest.TimeOf(at), "forged"
		var each models.AuditSalts
		for i := range each {
			copy(each[i][:], salt[16*i:])
		}
		events, salts, states = append(events, e), append(salts, each), append(states, models.Hash(digests[len(digests)-32:]))
	}
	require.NoError(t, rows.Err())
	require.NoError(t, rows.Close())
	var head models.Hash
	for i, e := range events {
		l := chain.AuditLine(head, e, salts[i], nil)
		l.Digests[len(l.Digests)-1] = states[i]
		l.Hash = chain.AuditEvent(head, &l)
		var digests []byte
		for _, d := range l.Digests {
			digests = append(digests, d[:]...)
		}
		x.Exec(t, "UPDATE audit_events SET reason = 'forged', digests = ?, hash = ? WHERE id = ?", digests, l.Hash[:], e.ID)
		head = l.Hash
	}
	x.Exec(t, "UPDATE audit_head SET hash = ?", head[:])
}

func TestVerifyFindsAForgerOfAuditEventsWithoutTheKey(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := recorded(t, x)
		storetest.DropTriggers(t, x.Config.URL)
		for _, key := range [][]byte{[]byte("a guess"), nil} {
			forge(t, x, models.NewChain(key))
			found := auditFaults(t, s)
			require.Contains(t, found, "event 1 (player created, by tester): its hash")
		}
		// With the key the forgery passes, which shows that only the key was missing above.
		forge(t, x, models.NewChain(storetest.LedgerKey))
		require.Empty(t, auditFaults(t, s))
	})
}

// Somebody with the key can erase personal data from the audit log, and the chain stays intact.
func TestErasedAuditTextLeavesTheChainWhole(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := recorded(t, x)
		storetest.DropTriggers(t, x.Config.URL)
		var salts, digests []byte
		require.NoError(t, x.DB.QueryRowContext(t.Context(), "SELECT salts, digests FROM audit_events WHERE id = 4").
			Scan(&salts, &digests))
		l := models.AuditLine{AuditEvent: models.AuditEvent{ID: 4}}
		for i := range l.Digests {
			copy(l.Digests[i][:], digests[32*i:])
		}
		mark := func(key []byte, text models.AuditText) []byte {
			m := models.NewChain(key).Erased(&l, text)
			erased := bytes.Clone(salts)
			copy(erased[16*int(text):], m[:])
			return erased
		}
		x.Exec(t, "UPDATE audit_events SET reason = '', salts = ? WHERE id = 4", mark([]byte("a guess"), models.AuditReason))
		require.Contains(t, auditFaults(t, s), "its reason is not the original")
		x.Exec(t, "UPDATE audit_events SET reason = '', salts = ? WHERE id = 4", mark(storetest.LedgerKey, models.AuditAddress))
		require.Contains(t, auditFaults(t, s), "its reason is not the original")
		x.Exec(t, "UPDATE audit_events SET reason = '', salts = ? WHERE id = 4", mark(storetest.LedgerKey, models.AuditReason))
		require.Empty(t, auditFaults(t, s))
		v, err := s.Verify(t.Context(), nil)
		require.NoError(t, err)
		require.EqualValues(t, 1, v.ErasedTexts)
	})
}

// Many changes at once, over two instances, one by one and hundreds in a transaction: their events form one chain without gaps,
// and a failed change adds none.
func TestAuditEventsOfManyAtOnce(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		x.Config.LockWait = storetest.Patience
		a, b := x.Open(t), x.Open(t)
		const workers, each = 6, 10
		var mu sync.Mutex
		var failed error
		storetest.Together(workers, func(i int) {
			s := []*store.Store{a, b}[i%2]
			for n := range each {
				err := s.NoteView(t.Context(), storetest.Tester, "player", fmt.Sprint(i, "-", n), 0)
				_, taken := s.CreatePlayer(t.Context(), storetest.Tester, models.NewPlayer{UserID: "same", Currency: "EUR"})
				if errors.Is(taken, models.ErrPlayerExists) {
					taken = nil
				}
				mu.Lock()
				failed = errors.Join(failed, err, taken)
				mu.Unlock()
			}
		})
		require.NoError(t, failed)
		storetest.ImportPlayers(t, a, "p", 1200)
		v := storetest.RequireWhole(t, b)
		require.EqualValues(t, workers*each+1+1200, v.AuditEvents)
		require.EqualValues(t, v.AuditEvents, x.Number(t, "SELECT seq FROM audit_head"))
		require.EqualValues(t, v.AuditEvents, x.Number(t, "SELECT MAX(id) FROM audit_events"))
	})
}

// A bet never waits for the audit log, even while somebody has locked its head.
func TestCallbacksDoNotWaitForTheAuditHead(t *testing.T) {
	x := storetest.NewDatabase(t, storetest.MariaDB)
	s := x.Open(t)
	storetest.CreatePlayer(t, s, "anna", 1000)
	tx, err := x.DB.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	defer tx.Rollback()
	var seq int64
	require.NoError(t, tx.QueryRowContext(t.Context(), "SELECT seq FROM audit_head FOR UPDATE").Scan(&seq))
	ctx, cancel := context.WithTimeout(t.Context(), storetest.Patience)
	defer cancel()
	r, err := s.Apply(ctx, storetest.Bet("anna", "b1", 100))
	require.NoError(t, err)
	require.Equal(t, models.None, r.Decline)
}
