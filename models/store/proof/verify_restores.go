package proof

import (
	"context"
	"database/sql"
	"fmt"

	"pitboss/models"
	"pitboss/models/store/db"
)

// How a declared restore explains lines that a checkpoint has and the ledger does not. If the declaration names the checkpoint,
// the checkpoint may be ahead of a chain, as long as the declaration says from which line that chain continues and the chain
// has this line. Everything else is a fault. Until a second person has confirmed the declaration, the gap itself is one too.

// restores reads the declarations, and finds the one that concerns the checkpoint. One that differs from the audit log explains
// nothing, and coveredRows reports it.
func (v *verifier) restores() error {
	list, err := v.s.untouchedRestores(v.tx)
	if err != nil {
		return err
	}
	for _, r := range list {
		d := models.DeclaredRestore{Restore: r}
		digest, rows, err := v.restoreDigest(r.ID)
		if err != nil {
			return err
		}
		if whole := digest == r.Digest && rows == r.Wallets; !whole {
			v.report.Rows.Add("the wallets of restore %d are not those that were declared", r.ID)
		} else if v.checkpoint != nil && r.Lost(v.checkpoint.Digest) {
			d.Explains = true
			v.declared = len(v.report.Restores) + 1
		}
		v.report.Restores = append(v.report.Restores, d)
	}
	if d := v.explaining(); d != nil && d.State != models.ApprovalApproved {
		v.report.Written.Add("checkpoint %d has a later state, as restore %d declares, but it is not confirmed: "+
			"finance or compliance confirms it on the page Integrity",
			v.checkpoint.Number, d.ID)
	}
	return nil
}

// explaining returns the declaration that concerns the checkpoint, or nil.
func (v *verifier) explaining() *models.DeclaredRestore {
	if v.declared == 0 {
		return nil
	}
	return &v.report.Restores[v.declared-1]
}

const selectRestoreWallets = `SELECT player_id, currency, lost_seq, lost_spin_seq, lost_minor, lost_held_minor, seq, head,
	spin_seq, spin_head, balance_minor, held_minor FROM restore_wallets WHERE restore_id = `

func scanRestoreWallet(rows *sql.Rows) (models.RestoreWallet, error) {
	var w models.RestoreWallet
	err := rows.Scan(&w.PlayerID, (*string)(&w.Currency), &w.LostSeq, &w.LostSpinSeq, (*int64)(&w.LostBalance),
		(*int64)(&w.LostHeld), &w.Seq, &w.Head, &w.SpinSeq, &w.SpinHead, (*int64)(&w.Balance), (*int64)(&w.Held))
	return w, err
}

// restoreDigest returns the digest of a declaration's wallets, and their number.
func (v *verifier) restoreDigest(id int64) (digest models.Hash, n int64, err error) {
	err = db.Each(v.tx, func(rows *sql.Rows) error {
		w, err := scanRestoreWallet(rows)
		digest = v.s.db.Chain.RestoreWallet(digest, &w)
		n++
		return err
	}, selectRestoreWallets+"? ORDER BY player_id", id)
	if err != nil {
		return digest, n, fmt.Errorf("read the wallets of restore %d: %w", id, err)
	}
	return digest, n, nil
}

// restored assigns the declaration's wallets to the wallets of the chunk.
func (v *verifier) restored(ctx context.Context, from, to int64) error {
	d := v.explaining()
	if d == nil {
		return nil
	}
	return v.ranged(ctx, func(rows *sql.Rows) error {
		r, err := scanRestoreWallet(rows)
		if w := v.open[r.PlayerID]; err == nil && w != nil {
			w.restored = &restoredWallet{Wallet: r.Wallet, money: r.Seq == 0, spins: r.SpinSeq == 0}
		}
		return err
	}, selectRestoreWallets+"? AND player_id > ? AND player_id <= ?", d.ID, from, to)
}

// restoredWallet has the lines from which a wallet's chains continue after a restore, and whether the chains have these lines.
type restoredWallet struct {
	models.Wallet
	money, spins bool
}

// begins notes which of the two lines a purge has archived. They count as found, because the purge has proved them.
func (r *restoredWallet) begins(b *models.Beginning) {
	if r != nil {
		r.money = r.money || b.Seq > r.Seq || b.Seq == r.Seq && b.Head == r.Head
		r.spins = r.spins || b.SpinSeq > r.SpinSeq || b.SpinSeq == r.SpinSeq && b.SpinHead == r.SpinHead
	}
}

// line notes a line of the money ledger that a chain of the wallet has.
func (r *restoredWallet) line(seq int64, hash models.Hash) {
	if r != nil && seq == r.Seq && hash == r.Head {
		r.money = true
	}
}

// spin does the same for a line of the free-spin ledger.
func (r *restoredWallet) spin(seq int64, hash models.Hash) {
	if r != nil && seq == r.SpinSeq && hash == r.SpinHead {
		r.spins = true
	}
}

// unlike notes a difference from the checkpoint. When all of the wallet has been read, settle decides whether a restore
// explains it.
func (w *walletCheck) unlike(format string, args ...any) {
	w.heldFaults = append(w.heldFaults, fmt.Sprintf(format, args...))
}

// settle counts differences from the checkpoint as faults, unless a declared restore explains them.
func (v *verifier) settle(w *walletCheck) {
	if len(w.heldFaults) == 0 {
		return
	}
	d := v.explaining()
	if d != nil && w.restored != nil && w.restored.money && w.restored.spins {
		d.Wallets++
		return
	}
	for _, text := range w.heldFaults {
		w.fault("%s", text)
	}
	if d != nil && w.restored == nil {
		w.fault("restore %d, which explains what is gone since the checkpoint, does not name this wallet", d.ID)
	} else if d != nil {
		w.fault("it does not continue from where restore %d says", d.ID)
	}
}

// auditGoesOn reports whether a purge has archived the event from which, according to a declared restore, the audit chain
// continues.
func (v *verifier) auditGoesOn(head models.AuditHead) bool {
	d := v.explaining()
	return d != nil && (head.BeginSeq > d.AuditSeq || head.BeginSeq == d.AuditSeq && head.BeginHash == d.AuditHead)
}

// auditReaches reports whether a line is the one from which, according to a declared restore, the audit chain continues.
func (v *verifier) auditReaches(l *models.AuditLine) bool {
	d := v.explaining()
	return d != nil && l.ID == d.AuditSeq && l.Hash == d.AuditHead
}
