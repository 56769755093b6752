package db

import (
	"errors"

	"gorm.io/gorm"
)

// Galera: several nodes that can all be written to.
//
// What is different there. A transaction runs on one node. COMMIT sends its writes to all nodes, in the same order for all of
// them, and each node then checks the keys of the written rows. The transaction fails with a deadlock (1213) if another one
// that it had not seen came before it and wrote one of these rows. So:
//
//   - a node applies other nodes' commits a moment later, so a read may return the state before an acknowledged commit;
//   - a row lock excludes only transactions of the same node, and rows that were locked but not written are not checked;
//   - a transaction that writes nothing, such as a refusal, is never checked.
//
// How this is made safe:
//
//   - Causal reads (wsrep_sync_wait), on every connection. The first statement of a transaction, and each statement outside a
//     transaction, waits until its node has applied everything that any node had committed before. So a read after an
//     acknowledged commit sees at least that commit, on every instance: a balance, a rollback that came first, a player's name
//     after an erasure, a session that was ended. A refusal was right at some moment between the request and its answer, and on
//     a single server it means no more than that. Causal reads are not limited to money, because a stale answer on a page or in
//     a job is wrong too, and the wait was measured at only 0.3 ms on a busy node. An attempt waits once, however many
//     callbacks it settles, and so does a batch of GetBalances. A wait that fails is a lock wait (1205): the attempt has done
//     nothing and is repeated.
//   - Locks that write. Every applied operation writes its wallet's row, and postings_key and postings_signed refuse an ID or a
//     signed text that another node has applied. LockLease writes the row that it locks. All audited changes write the audit head;
//     DB.TakeTurn protects what they have read before that.
//   - A deadlock at COMMIT does not prove a failure. A node that loses its cluster during COMMIT may report a deadlock although
//     the others have received the transaction, so its outcome is looked up as after a lost connection. The lookup may run on
//     another node, where nothing waits for the first attempt to end. If the first attempt reaches the cluster later after all,
//     it writes a wallet or IDs that the second has written, and fails its check. If the second attempt refused the operation
//     instead, something has been written to the same wallet or about the same text in the meantime, and the first attempt
//     fails because of that.
//
// The statements of a transaction are sent one by one, because packets of several statements have lost acknowledged writes
// (packet.go).

// askForCausalReads turns on causal reads for all statements: 1 for SELECT and BEGIN, 2 for UPDATE and DELETE, 4 for INSERT and
// REPLACE.
const askForCausalReads = "SET SESSION wsrep_sync_wait = 7"

// Galera reports whether the database is a Galera cluster.
func (s *DB) Galera() bool { return s.Pools.galera.Load() }

// errOvertakenElsewhere means that a change has read data from before another node's change. The change is repeated.
var errOvertakenElsewhere = errors.New("another change was recorded meanwhile")

// TakeTurn serializes audited changes on several Galera nodes. Locks on one node do not exclude changes on another, so a change
// may read something that another one is about to change, such as the last of a limit or the last administrator. Both write the
// head of the audit log. So a change notes the head before it reads anything else, and starts again if it finds another head at
// its end (WriteAudit). If again is true, it locks the head first; if another node's change arrives after that, this one ends
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
		return nil // WriteAudit returns it if the change has anything to record
	}
	change.began = &head.Seq
	return err
}
