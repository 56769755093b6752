package db

import (
	"errors"

	"gorm.io/gorm"
)

// Galera: several nodes that can all be written to.
//
// What is different there. A transaction runs on its node alone. COMMIT sends what it wrote to all nodes, in one order for all
// of them, and each node then checks the keys of the written rows: a transaction fails with a deadlock (1213) when another one,
// which it had not seen, came before it and wrote one of these rows. So
//
//   - a node applies what others committed a moment later. A read may return what was true before an acknowledged commit;
//   - a row lock keeps away only transactions of the same node. What was read under a lock and not written is not checked;
//   - what writes nothing is never checked, a refusal among it.
//
// How each of these is made safe
//
//   - Causal reads (wsrep_sync_wait), on every connection. The first statement of a transaction, and each statement outside of
//     one, waits until its node has applied everything that any node had committed before. Whoever asks after an
//     acknowledgement gets at least that state, whichever instance is asked: a balance, a rollback that came first, a player's
//     name after an erasure, a session that was ended. A refusal was right at a moment between its question and its answer,
//     which is all that a refusal on one server can claim. All statements ask, not those of money alone: a stale answer on a
//     page or in a job is wrong too, and the wait was measured at 0.3 ms on a busy node. An attempt waits once, however many
//     callbacks it settles, and a batch of GetBalances once. A wait that fails is a lock wait (1205): the attempt has done
//     nothing, and is repeated.
//   - Locks that are written. Whatever an attempt applies writes the row of its wallet, and postings_key refuses an ID that was
//     applied by another node. A name in leases is locked by counting its turns. Changes that are audited all write the audit
//     head: see DB.TakeTurn for what they have read before that.
//   - Turns of texts. Two readings of one signed text may be of two players and have two IDs, so that they write no row in
//     common. On one server the second waits for a lock on the other's wallet, which another node does not see. On Galera each
//     attempt therefore writes the digests of its members' texts into text_turns before it looks other readings up, and deletes
//     them again. Of two attempts with one text, on two nodes, the later one fails its check and finds the first when it is
//     repeated. Where the first has been applied on this node before the digests were written, the lookup after them finds it.
//     The table is always empty; its price is two statements for each attempt.
//   - A deadlock at COMMIT is not a clear no. A node that loses its cluster during COMMIT may report one though the others have
//     received the transaction, so its outcome is looked up like that of a connection that was cut. The lookup may run on
//     another node, where nothing waits for the first attempt to end: if the first comes later after all, it writes a wallet
//     that the second has written, or IDs that the second has booked, and fails its check. If the second found reason to refuse
//     instead, something has been written to the same wallet or about the same text since then, and the first fails because of
//     that.
//
// Statements of a transaction are sent one by one: in one packet they have lost acknowledged writes (packet.go).

// askForCausalReads asks for causal reads: 1 for SELECT and BEGIN, 2 for UPDATE and DELETE, 4 for INSERT and REPLACE.
const askForCausalReads = "SET SESSION wsrep_sync_wait = 7"

// galeraSynced is the state of a node that has all that its cluster has.
const galeraSynced = "4"

// Galera reports whether the database is a Galera cluster.
func (s *DB) Galera() bool { return s.Pools.galera.Load() }

// errOvertakenElsewhere is met by a change that read before another node's change had come, and is repeated.
var errOvertakenElsewhere = errors.New("another change was recorded meanwhile")

// TakeTurn makes audited changes on several nodes follow one another. The locks of two of them do not meet, so the second may
// have read what the first was about to change: a limit that is used up, the last administrator. The head of the audit log
// tells, since both write it. A change notes the head before it reads anything else, and begins again where it finds another
// one at its end (WriteAudit). It then locks the head first: a change that comes from another node after that ends this one
// with a deadlock.
func (s *DB) TakeTurn(tx *gorm.DB, change *collected, again bool) error {
	if !s.Galera() {
		return nil
	}
	lock := ""
	if again {
		lock = s.Dialect.ForUpdate()
	}
	head, err := ReadAuditHead(tx, lock)
	if errors.Is(err, ErrAuditHead) {
		return nil // WriteAudit says so, if the change has anything to record
	}
	change.began = &head.Seq
	return err
}
