package proof_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/db"
	"pitboss/models/store/proof"
	"pitboss/models/store/storetest"
)

// purge archives and deletes what is older than these times, and returns the archive.
func purge(t *testing.T, s *store.Store, scope models.PurgeScope) (*proof.Purge, []byte) {
	t.Helper()
	var archive bytes.Buffer
	p, err := s.BeginPurge(t.Context(), scope, &archive)
	require.NoError(t, err)
	require.NoError(t, s.FinishPurge(t.Context(), storetest.Keeper, p, "archive-1"))
	return p, archive.Bytes()
}

// After a purge the balances are unchanged, every rule applies to what stays, purged transactions are still answered, and the
// archive proves its contents.
func TestPurge(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		chain := models.NewChain(storetest.LedgerKey)
		anna, _, carl := storetest.BookEveryKind(t, s)
		before := storetest.WriteCheckpoint(t, s)
		middle := time.Now().UTC()
		storetest.Apply(t, s, storetest.Rollback("anna", "b3"))
		storetest.Apply(t, s, storetest.Bet("anna", "later", 5))
		balances := func() [2]models.Amount {
			return [2]models.Amount{storetest.Balance(t, s, "anna"), storetest.Balance(t, s, "bert")}
		}
		had, events := balances(), x.Number(t, "SELECT COUNT(*) FROM audit_events")

		// A dry run changes nothing.
		digest := x.Digest(t)
		would, err := s.BeginPurge(t.Context(), models.PurgeScope{LedgerBefore: middle, AuditBefore: middle}, io.Discard)
		require.NoError(t, err)
		require.Equal(t, digest, x.Digest(t))

		_, err = s.FollowDays(t.Context())
		require.NoError(t, err)
		p, archive := purge(t, s, models.PurgeScope{LedgerBefore: middle, AuditBefore: middle})
		// Clients read the events that are left: each line once, and no part of the order is about archived lines only.
		_, err = s.FollowDays(t.Context())
		require.NoError(t, err)
		left, _, err := s.EventsAfter(t.Context(), models.EventPlace{}, 1000)
		require.NoError(t, err)
		require.EqualValues(t, x.Number(t, "SELECT (SELECT COUNT(*) FROM postings WHERE free_spin = 0) + "+
			"(SELECT COUNT(*) FROM spin_entries) + (SELECT COUNT(*) FROM audit_events)"), len(left))
		require.Zero(t, x.Number(t, "SELECT COUNT(*) FROM event_order WHERE player_id = ?", carl))
		require.Equal(t, would.ArchiveCounts, p.ArchiveCounts)
		require.Equal(t, events, p.AuditEvents)
		require.EqualValues(t, 2, x.Number(t, "SELECT COUNT(*) FROM audit_events WHERE object = 'purge'"),
			"purge begun, and purge finished")
		require.EqualValues(t, 4, x.Number(t, "SELECT COUNT(*) FROM audit_events WHERE object <> 'purge'"),
			"the states of three players and a checkpoint")
		require.EqualValues(t, 2, x.Number(t, "SELECT COUNT(*) FROM entries WHERE player_id = ?", anna))
		require.Zero(t, x.Number(t, "SELECT COUNT(*) FROM entries WHERE player_id = ?", carl))
		require.Equal(t, had, balances())
		storetest.RequireWhole(t, s)
		missing, err := s.Unguarded(t.Context())
		require.NoError(t, err)
		require.Empty(t, missing, "the triggers are back")

		// The outlook of a correction includes purged transactions.
		outlook := func(r models.CorrectionRequest) models.CorrectionOutlook {
			r.PlayerID, r.Reason, r.Text = anna, models.Reasons[0].Code, "tried"
			_, o, err := s.CorrectionOutlook(t.Context(), r)
			require.NoError(t, err)
			return o
		}
		again := outlook(models.CorrectionRequest{Kind: models.CorrectWin, TransactionID: "w1", RoundID: "r1", Amount: 700})
		require.Equal(t, models.CorrectionDeclinedError{Decline: models.Duplicate}, again.Refusal)
		again = outlook(models.CorrectionRequest{Kind: models.CorrectWin, TransactionID: "t1", RoundID: "r1", Amount: 700})
		require.Equal(t, models.CorrectionDeclinedError{Decline: models.RolledBack}, again.Refusal, "a tombstone stays")
		require.Nil(t, outlook(models.CorrectionRequest{Kind: models.CorrectRollback, TransactionID: "bw2"}).Refusal)

		// A purged transaction is answered as if it had not been purged, and can still be rolled back.
		require.Equal(t, models.Duplicate, storetest.Apply(t, s, storetest.Win("anna", "w1", 700)).Decline)
		require.Equal(t, models.RolledBack, storetest.Apply(t, s, storetest.Bet("anna", "b1", 1000)).Decline)
		require.Equal(t, models.RolledBack, storetest.Apply(t, s, storetest.Bet("anna", "t1", 1)).Decline, "a tombstone stays")
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Rollback("anna", "bw2")).Decline)
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Rollback("anna", "s2")).Decline)
		storetest.Apply(t, s, storetest.Bet("carl", "first", 0))
		v := storetest.RequireWhole(t, s)
		require.Positive(t, v.Transactions)
		require.True(t, storetest.VerifyAgainst(t, s, storetest.WriteCheckpoint(t, s)).OK())
		require.True(t, storetest.VerifyAgainst(t, s, before).OK(), "a checkpoint from before the purge")
		tx, found, err := s.Transaction(t.Context(), x.Number(t, "SELECT id FROM transactions WHERE transaction_id = 'later'"))
		require.NoError(t, err)
		require.True(t, found)
		lines, err := s.TransactionEntries(t.Context(), tx)
		require.NoError(t, err)
		require.True(t, lines[0].Holds)

		// The archive proves itself, and shows if it was changed.
		header, counts, err := models.ReadArchive(bytes.NewReader(archive), chain)
		require.NoError(t, err)
		require.Equal(t, p.ArchiveCounts, counts)
		require.True(t, header.LedgerBefore.Equal(middle))
		_, _, err = models.ReadArchive(bytes.NewReader(archive), models.NewChain([]byte("another")))
		require.Error(t, err)
		for _, change := range [][2]string{
			{`"Win":700`, `"Win":900`}, {`{"wallets":`, `{"wallets":1`}, {`player created`, `player removed`},
		} {
			_, _, err = models.ReadArchive(altered(t, archive, change[0], change[1]), chain)
			require.ErrorIs(t, err, models.ErrArchiveBroken, change)
		}
		_, _, err = models.ReadArchive(bytes.NewReader(archive[:len(archive)-30]), chain)
		require.ErrorIs(t, err, models.ErrArchiveBroken)

		// A second purge removes the rest, and the ledger verifies again.
		purge(t, s, models.PurgeScope{LedgerBefore: time.Now().UTC(), AuditBefore: time.Now().UTC()})
		require.Zero(t, x.Number(t, "SELECT COUNT(*) FROM entries"))
		storetest.RequireWhole(t, s)

		// What was kept to refuse old IDs is covered too.
		for _, statement := range []string{
			"DELETE FROM retired_postings WHERE transaction_id = 'w1'",
			"UPDATE retired_postings SET win_minor = win_minor + 1 WHERE transaction_id = 'w1'",
			"UPDATE retired_postings SET transaction_id = 'w1x' WHERE transaction_id = 'w1'",
		} {
			storetest.DropTriggers(t, x.Config.URL)
			restore := keepTables(x, t)
			x.Exec(t, statement)
			require.Contains(t, faults(t, s)["anna"], "to refuse their IDs again", statement)
			restore(t)
			forgetTables(x, t)
		}
		storetest.RequireWhole(t, s)

		// Nobody without the key can move a beginning unnoticed.
		for _, column := range []string{"balance_minor", "seq", "spin_seq", "at_us"} {
			x.Exec(t, "UPDATE ledger_beginnings SET "+column+" = "+column+" + 1 WHERE player_id = ?", anna)
			require.Contains(t, faults(t, s)["anna"], "nothing proves", column)
			x.Exec(t, "UPDATE ledger_beginnings SET "+column+" = "+column+" - 1 WHERE player_id = ?", anna)
		}
		x.Exec(t, "DELETE FROM ledger_beginnings WHERE player_id = ?", anna)
		require.Contains(t, faults(t, s), models.UserID("anna"))
	})
}

// altered returns an archive in which one text was changed.
func altered(t *testing.T, archive []byte, from, to string) io.Reader {
	t.Helper()
	zip, err := gzip.NewReader(bytes.NewReader(archive))
	require.NoError(t, err)
	text, err := io.ReadAll(zip)
	require.NoError(t, err)
	require.Contains(t, string(text), from)
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(bytes.Replace(text, []byte(from), []byte(to), 1))
	w.Close()
	return &out
}

// An interrupted purge leaves a consistent ledger, and the next one finishes it.
func TestPurgeCutOff(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.ImportPlayers(t, s, "p", 1000) // more than are deleted at once
		storetest.Apply(t, s, storetest.Bet("p999", "b", 10))
		last, all := x.Number(t, "SELECT MAX(player_id) FROM postings"), x.Number(t, "SELECT COUNT(*) FROM postings")
		scope := models.PurgeScope{LedgerBefore: time.Now().UTC()}
		refuse := fmt.Sprintf("CREATE TRIGGER held BEFORE DELETE ON postings WHEN OLD.player_id = %d BEGIN SELECT "+
			"RAISE(ABORT, 'held'); END", last)
		if x.Engine == storetest.MariaDB {
			refuse = fmt.Sprintf("CREATE TRIGGER held BEFORE DELETE ON postings FOR EACH ROW BEGIN IF OLD.player_id = %d "+
				"THEN SIGNAL SQLSTATE '45000'; END IF; END", last)
		}
		_, err := x.DB.ExecContext(t.Context(), refuse)
		require.NoError(t, err)
		p, err := s.BeginPurge(t.Context(), scope, io.Discard)
		require.NoError(t, err)
		require.Error(t, s.FinishPurge(t.Context(), storetest.Keeper, p, "archive-1"))
		left := x.Number(t, "SELECT COUNT(*) FROM entries")
		require.Greater(t, left, int64(0))
		require.Less(t, left, all)
		storetest.RequireWhole(t, s)
		_, err = x.DB.ExecContext(t.Context(), "DROP TRIGGER held")
		require.NoError(t, err)
		rest, _ := purge(t, s, scope)
		require.Equal(t, left, rest.Entries)
		require.Zero(t, x.Number(t, "SELECT COUNT(*) FROM entries"))
		storetest.RequireWhole(t, s)
		require.EqualValues(t, 989, storetest.Balance(t, s, "p999"))
	})
}

// An instance starts while an old ledger is being purged, which takes long and for which triggers are removed.
func TestStartDuringAPurge(t *testing.T) {
	x := storetest.NewDatabase(t, storetest.MariaDB)
	x.Config.LockWait = storetest.Patience
	s := x.Open(t)
	anna := storetest.CreatePlayer(t, s, "anna", 1000)
	p, err := s.BeginPurge(t.Context(), models.PurgeScope{LedgerBefore: time.Now().UTC()}, io.Discard)
	require.NoError(t, err)
	hold, err := x.DB.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	defer hold.Rollback()
	_, err = hold.ExecContext(t.Context(), "INSERT INTO ledger_beginnings (player_id, at_us, balance_minor, held_minor, "+
		"seq, head, spin_seq, spin_head, retired, proof) VALUES (?, 0, 0, 0, 0, '', 0, '', '', '')", anna.ID)
	require.NoError(t, err)
	purged := make(chan error)
	go func() { purged <- s.FinishPurge(t.Context(), storetest.Keeper, p, "archive-1") }()
	x.AwaitLockWaits(t, 1)

	other, err := store.Open(t.Context(), x.Config)
	require.NoError(t, err)
	defer other.Close()
	short, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	applied, err := other.Migrate(short)
	require.NoError(t, err)
	require.Empty(t, applied)
	missing, err := other.Unguarded(t.Context())
	require.NoError(t, err)
	require.Contains(t, missing, "DELETE of postings")
	require.Equal(t, models.None, storetest.Apply(t, other, storetest.Bet("anna", "later", 10)).Decline)

	require.NoError(t, hold.Rollback())
	require.NoError(t, <-purged)
	missing, err = s.Unguarded(t.Context())
	require.NoError(t, err)
	require.Empty(t, missing)
	storetest.RequireWhole(t, s)
}

// A purge begins while a verification reads the ledger, which may take hours. Callbacks are answered, and the purge goes on when
// the verification has ended.
func TestPurgeBesideAVerification(t *testing.T) {
	t.Parallel() // it waits most of the time
	x := storetest.NewDatabase(t, storetest.MariaDB)
	s := x.Open(t)
	storetest.CreatePlayer(t, s, "anna", 1000)
	p, err := s.BeginPurge(t.Context(), models.PurgeScope{LedgerBefore: time.Now().UTC()}, io.Discard)
	require.NoError(t, err)
	d, err := db.Open(t.Context(), x.Config)
	require.NoError(t, err)
	defer d.Close()
	snapshot, err := d.Snapshot(t.Context())
	require.NoError(t, err)
	var lines int64
	require.NoError(t, snapshot.Raw("SELECT COUNT(*) FROM postings").Scan(&lines).Error)

	purged := make(chan error)
	go func() { purged <- s.FinishPurge(t.Context(), storetest.Keeper, p, "archive-1") }()
	awaitSchemaWait(t, x, "DROP TRIGGER", 0)
	require.Equal(t, models.None, storetest.Apply(t, s, storetest.Bet("anna", "a", 10)).Decline)
	require.NoError(t, snapshot.Rollback().Error)
	require.NoError(t, <-purged)
	missing, err := s.Unguarded(t.Context())
	require.NoError(t, err)
	require.Empty(t, missing)
	storetest.RequireWhole(t, s)
}

// awaitSchemaWait waits until a statement waits for a table whose schema it changes, and returns its number, which is higher than
// after.
func awaitSchemaWait(t *testing.T, x *storetest.Database, statement string, after int64) (number int64) {
	t.Helper()
	require.Eventually(t, func() bool {
		number = x.Number(t, fmt.Sprintf("SELECT COALESCE(MAX(query_id), 0) FROM information_schema.processlist WHERE "+
			"db = DATABASE() AND state = 'Waiting for table metadata lock' AND info LIKE '%s%%'", statement))
		return number > after
	}, storetest.Patience, time.Millisecond)
	return number
}

// A verification begins while a player is erased. The erasure ends, with its trigger, when the verification has ended.
func TestEraseBesideAVerification(t *testing.T) {
	t.Parallel() // it waits most of the time
	x := storetest.NewDatabase(t, storetest.MariaDB)
	x.Config.LockWait = storetest.Patience
	s := x.Open(t)
	anna, sofia := storetest.CreatePlayer(t, s, "anna", 0), storetest.SignerNamed(t, s, "sofia", models.Support)
	_, err := s.Restrict(t.Context(), sofia, models.Restriction{Subject: models.OfPlayer, PlayerID: anna.ID,
		Kind: models.CoolOff, Scope: models.FromPlay, Until: models.Permanent, Reason: "Leaves"})
	require.NoError(t, err)
	letGo := x.HoldWallet(t, "anna")
	erased := make(chan error)
	go func() {
		_, err := s.ErasePlayer(t.Context(), storetest.Keeper, "anna", "Asked for it")
		erased <- err
	}()
	x.AwaitLockWaits(t, 1)
	d, err := db.Open(t.Context(), x.Config)
	require.NoError(t, err)
	defer d.Close()
	snapshot, err := d.Snapshot(t.Context())
	require.NoError(t, err)
	var events int64
	require.NoError(t, snapshot.Raw("SELECT COUNT(*) FROM audit_events").Scan(&events).Error)
	letGo()
	awaitSchemaWait(t, x, "CREATE TRIGGER", awaitSchemaWait(t, x, "CREATE TRIGGER", 0))
	require.NoError(t, snapshot.Rollback().Error)
	require.NoError(t, <-erased)
	missing, err := s.Unguarded(t.Context())
	require.NoError(t, err)
	require.Empty(t, missing)
	storetest.RequireWhole(t, s)
}

// A wallet with many lines is purged in parts. Interrupted between two parts it is consistent, and the same purge finishes it.
func TestPurgeOfALongWallet(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "bert", 100)
		anna := storetest.CreatePlayer(t, s, "anna", 1_000_000).ID
		storetest.CreatePlayer(t, s, "carl", 100)
		var group errgroup.Group
		group.SetLimit(64)
		const bets = 9000
		for i := range bets {
			op := storetest.BetWin("anna", models.TransactionID(fmt.Sprintf("b%d", i)), 10, 5)
			if i%10 == 0 {
				op = storetest.FreeSpin("anna", op.TransactionID, 30)
			}
			group.Go(func() error {
				_, err := s.Apply(t.Context(), op)
				return err
			})
		}
		require.NoError(t, group.Wait())
		storetest.RequireWhole(t, s)
		at := x.Number(t, "SELECT MAX(id) - 100 FROM postings WHERE player_id = ?", anna)
		refuse := fmt.Sprintf("CREATE TRIGGER held BEFORE DELETE ON postings WHEN OLD.id = %d BEGIN SELECT "+
			"RAISE(ABORT, 'held'); END", at)
		if x.Engine == storetest.MariaDB {
			refuse = fmt.Sprintf("CREATE TRIGGER held BEFORE DELETE ON postings FOR EACH ROW BEGIN IF OLD.id = %d "+
				"THEN SIGNAL SQLSTATE '45000'; END IF; END", at)
		}
		var archive bytes.Buffer
		p, err := s.BeginPurge(t.Context(), models.PurgeScope{LedgerBefore: time.Now().UTC()}, &archive)
		require.NoError(t, err)
		_, counts, err := models.ReadArchive(&archive, models.NewChain(storetest.LedgerKey))
		require.NoError(t, err)
		require.EqualValues(t, 3, counts.Wallets)
		require.EqualValues(t, 3+2*bets*9/10, counts.Entries)
		require.EqualValues(t, bets/10, counts.SpinEntries)
		_, err = x.DB.ExecContext(t.Context(), refuse)
		require.NoError(t, err)
		require.Error(t, s.FinishPurge(t.Context(), storetest.Keeper, p, "archive-1"))
		left := x.Number(t, "SELECT COUNT(*) FROM postings WHERE player_id = ?", anna)
		require.Greater(t, left, int64(100))
		require.Less(t, left, int64(bets))
		storetest.RequireWhole(t, s)
		_, err = x.DB.ExecContext(t.Context(), "DROP TRIGGER held")
		require.NoError(t, err)
		require.NoError(t, s.FinishPurge(t.Context(), storetest.Keeper, p, "archive-1"))
		require.Zero(t, x.Number(t, "SELECT COUNT(*) FROM postings")+x.Number(t, "SELECT COUNT(*) FROM spin_entries"))
		storetest.RequireWhole(t, s)
		require.Equal(t, models.Duplicate, storetest.Apply(t, s, storetest.BetWin("anna", "b1", 10, 5)).Decline)
	})
}

// An inconsistent ledger is not purged.
func TestPurgeOfABrokenLedger(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		anna, _, _ := storetest.BookEveryKind(t, s)
		storetest.DropTriggers(t, x.Config.URL)
		x.Exec(t, "UPDATE postings SET bet_minor = bet_minor + 1 WHERE player_id = ? AND seq = 2", anna)
		_, err := s.BeginPurge(t.Context(), models.PurgeScope{LedgerBefore: time.Now().UTC()}, io.Discard)
		require.ErrorContains(t, err, fmt.Sprintf("wallet %d is inconsistent at entry 2", anna))
	})
}

// No trace is left of an erased player's name. Money and chains are intact, and nothing else has changed.
func TestErasePlayer(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.BookEveryKind(t, s)
		storetest.CreatePlayer(t, s, "luiza_fernandes", 500)
		storetest.CreatePlayer(t, s, "luizaxfernandes", 0)
		_, err := s.ErasePlayer(t.Context(), storetest.Keeper, "luiza_fernandes", "asked to")
		require.ErrorIs(t, err, proof.ErrNotErasable)
		_, err = s.ErasePlayer(t.Context(), storetest.Keeper, "nobody", "asked to")
		require.ErrorIs(t, err, models.ErrPlayerUnknown)
		storetest.Apply(t, s, storetest.Bet("luiza_fernandes", "l1", 500))
		restricted := storetest.Restrict(t, s, "luiza_fernandes")
		luiza, _, err := s.Player(t.Context(), "luiza_fernandes")
		require.NoError(t, err)
		_, _, err = s.OpenCases(t.Context(), []models.Finding{
			{Rule: models.CaseWinWithoutBet, Key: "hers", PlayerID: luiza.ID},
			{Rule: models.CaseWinWithoutBet, Key: "another's"}, {Rule: models.CaseWinWithoutBet, Key: "a third"},
		})
		require.NoError(t, err)
		for id, text := range map[int64]string{1: "She telephoned from Porto.", 2: "It was luiza_fernandes, they say.",
			3: "They look into it."} {
			require.NoError(t, s.CommentCase(t.Context(), storetest.Keeper, id, text))
			require.NoError(t, s.DecideCase(t.Context(), storetest.Keeper, id, models.CaseExplained, text))
		}
		ask := func(list, query, value string) int64 {
			made, err := s.CreateExport(t.Context(), storetest.Keeper, models.Export{StaffID: 1, List: list, Query: query,
				Filters: []models.ExportFilter{{Label: "Player", Value: value}, {Label: models.WhyLabel, Value: "She wrote."}}})
			require.NoError(t, err)
			_, err = s.FinishExport(t.Context(), made.ID, models.ExportOutcome{File: "f"})
			require.NoError(t, err)
			return made.ID
		}
		erased := []int64{ask(models.PackList(luiza.ID), "why=x", "?"), ask("/transactions", "player=luiza_fernandes", "?"),
			ask("/transactions", "", "luiza_fernandes")}
		other := ask("/transactions", "player=a-luiza_fernandes", "a-luiza_fernandes")
		e, err := s.ErasePlayer(t.Context(), storetest.Keeper, "luiza_fernandes", "asked to")
		require.NoError(t, err)
		require.Positive(t, e.AuditTexts)
		require.EqualValues(t, 4, e.CaseTexts)
		for _, id := range erased {
			export, _, err := s.Export(t.Context(), id)
			require.NoError(t, err)
			require.Equal(t, models.JobStopped, export.State)
			require.Empty(t, export.Query)
			require.Empty(t, export.Filters)
		}
		kept, _, err := s.Export(t.Context(), other)
		require.NoError(t, err)
		require.Equal(t, models.JobFinished, kept.State)
		require.Len(t, kept.Filters, 2)
		restricted, _, err = s.Restriction(t.Context(), restricted.ID)
		require.NoError(t, err)
		require.Empty(t, restricted.Reason)
		require.Equal(t, models.Permanent, restricted.Until, "what was restricted stays")
		require.Zero(t, x.Number(t, "SELECT COUNT(*) FROM audit_events WHERE reason = ?", storetest.RestrictedFor))
		require.EqualValues(t, 1, x.Number(t, "SELECT COUNT(*) FROM case_notes WHERE body <> ''"))
		require.EqualValues(t, 1, x.Number(t, "SELECT COUNT(*) FROM cases WHERE reason <> ''"))
		require.Zero(t, x.Number(t, "SELECT COUNT(*) FROM audit_events WHERE INSTR(reason, 'Porto') > 0"))
		require.EqualValues(t, 1, x.Number(t, "SELECT COUNT(*) FROM audit_events WHERE INSTR(reason, 'They look') > 0"))
		for _, text := range []string{"before_text", "after_text", "reason"} {
			require.Zero(t, x.Number(t, "SELECT COUNT(*) FROM audit_events WHERE "+
				"INSTR(REPLACE("+text+", 'a-luiza_fernandes', ''), 'luiza_fernandes') > 0"), text) // the other ID is not hers
		}
		v := storetest.RequireWhole(t, s)
		require.EqualValues(t, e.AuditTexts, v.ErasedTexts)
		_, found, err := s.Player(t.Context(), "luiza_fernandes")
		require.NoError(t, err)
		require.False(t, found)
		_, found, err = s.Player(t.Context(), e.Player.UserID)
		require.NoError(t, err)
		require.True(t, found)
		_, found, err = s.Player(t.Context(), "luizaxfernandes")
		require.NoError(t, err)
		require.True(t, found)
		missing, err := s.Unguarded(t.Context())
		require.NoError(t, err)
		require.Empty(t, missing)
	})
}

// After a bad statement a player has more cases than SQLite accepts parameters in one query: the player is erased all the same.
func TestErasePlayerOfManyCases(t *testing.T) {
	t.Parallel()
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		anna := storetest.CreatePlayer(t, s, "anna", 0)
		storetest.Restrict(t, s, "anna")
		findings := make([]models.Finding, 33_000)
		for i := range findings {
			findings[i] = models.Finding{Rule: models.CaseStatement, Key: fmt.Sprint(i), PlayerID: anna.ID}
		}
		_, _, err := s.OpenCases(t.Context(), findings)
		require.NoError(t, err)
		closed, err := s.DecideCases(t.Context(), storetest.Keeper, models.CaseFilter{Rule: models.CaseStatement},
			models.CaseExplained,
			"Anna's file was of another day.", 10)
		require.NoError(t, err)
		require.Equal(t, 10, closed)
		e, err := s.ErasePlayer(t.Context(), storetest.Keeper, "anna", "asked to")
		require.NoError(t, err)
		require.EqualValues(t, 10, e.CaseTexts)
		require.Zero(t, x.Number(t, "SELECT COUNT(*) FROM audit_events WHERE INSTR(reason, 'another day') > 0"))
	})
}

// An instance with a slow clock adds an audit event after recent ones. The event stays with them: a purge archives the log from
// its beginning up to the first event that stays.
func TestPurgeWithAClockBehind(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 100)
		cfg := x.Config
		cfg.Now = func() time.Time { return time.Now().AddDate(-3, 0, 0) }
		storetest.CreatePlayer(t, storetest.Open(t, cfg), "bert", 100)
		before := time.Now().AddDate(-2, 0, 0)
		p, _ := purge(t, s, models.PurgeScope{LedgerBefore: before, AuditBefore: before})
		require.Zero(t, p.AuditEvents)
		storetest.RequireWhole(t, s)
	})
}
