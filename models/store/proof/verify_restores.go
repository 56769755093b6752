package proof

import (
	"context"
	"database/sql"
	"fmt"

	"pitboss/models"
	"pitboss/models/store/db"
)

// How the ledger is compared with a checkpoint, and how a declared restore explains lines that the checkpoint has and the ledger
// does not. Each chain must still contain the line that was its head at the checkpoint. If a declaration names the checkpoint, then
// chains that were set back must contain the line from which they continue, as the declaration says, instead. Everything else is
// a fault. Until a second person has confirmed the declaration, the gap itself is one too.

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

// restoreDigest returns the digest of a declaration's wallets, and their number.
func (v *verifier) restoreDigest(id int64) (digest models.Hash, n int64, err error) {
	err = db.Each(v.tx, func(rows *sql.Rows) error {
		var w models.RestoreWallet
		err := v.tx.ScanRows(rows, &w)
		digest = v.s.db.Chain.RestoreWallet(digest, &w)
		n++
		return err
	}, "SELECT * FROM restore_wallets WHERE restore_id = ? ORDER BY player_id", id)
	if err != nil {
		return digest, n, fmt.Errorf("read the wallets of restore %d: %w", id, err)
	}
	return digest, n, nil
}

// restored replaces what the checkpoint says about the wallets of the chunk by what the declaration says, for those that it names.
func (v *verifier) restored(ctx context.Context, from, to int64) error {
	d := v.explaining()
	if d == nil {
		return nil
	}
	return v.ranged(ctx, func(rows *sql.Rows) error {
		var r models.RestoreWallet
		err := v.tx.ScanRows(rows, &r)
		if w := v.open[r.PlayerID]; err == nil && w != nil && w.held != nil {
			w.hold(r.Wallet)
			w.held.restore = d.ID
		}
		return err
	}, "SELECT * FROM restore_wallets WHERE restore_id = ? AND player_id > ? AND player_id <= ?", d.ID, from, to)
}

// heldWallet has the lines that a wallet's chains must still contain, and whether they do: the heads of the chains at the
// checkpoint or, if a restore names the wallet, when that was declared.
type heldWallet struct {
	models.Wallet
	restore      int64 // the restore's number, or 0
	money, spins bool
}

// hold says which lines the wallet's chains must still contain.
func (w *walletCheck) hold(held models.Wallet) {
	w.held = &heldWallet{Wallet: held, money: held.Seq == 0, spins: held.SpinSeq == 0}
}

// begins notes which of the two lines a purge has archived. They count as found, because the purge has proved them.
func (h *heldWallet) begins(b *models.Beginning) {
	if h != nil && b.Seq >= h.Seq {
		h.money = b.Seq > h.Seq || b.Head == h.Head
	}
	if h != nil && b.SpinSeq >= h.SpinSeq {
		h.spins = b.SpinSeq > h.SpinSeq || b.SpinHead == h.SpinHead
	}
}

// settle adds a fault for each chain of a wallet that does not contain the line that it must contain.
func (v *verifier) settle(w *walletCheck) {
	h := w.held
	if h == nil {
		return
	}
	continues := !w.missing && h.money && h.spins
	if v.gone != nil && !continues {
		is := w.row
		is.PlayerID, is.Currency = h.PlayerID, h.Currency
		v.gone[h.PlayerID] = models.RestoreWallet{Wallet: is, LostSeq: h.Seq, LostSpinSeq: h.SpinSeq, LostBalance: h.Balance,
			LostHeld: h.Held}
	}
	switch {
	case h.restore != 0 && h.money && h.spins:
		v.explaining().Wallets++
	case h.restore != 0:
		w.fault("it does not continue from where restore %d says", h.restore)
	case !w.missing:
		end := w.derived
		if w.ahead {
			end = w.row
		}
		w.reaches("entry", "entries", h.money, h.Seq, end.Seq)
		w.reaches("free-spin entry", "free-spin entries", h.spins, h.SpinSeq, end.SpinSeq)
	}
}

// reaches adds a fault unless a chain that ends at a line has the line that was its head at the checkpoint.
func (w *walletCheck) reaches(one, many string, has bool, head, end int64) {
	switch {
	case has:
	case head > end:
		w.fault("%s gone since the checkpoint: the end of the chain was deleted, or an older state was restored",
			lines(one, many, end+1, head))
	default:
		w.fault("%s %d differs from the checkpoint: it or an earlier entry was changed", one, head)
	}
}

// heldEvent returns the event that the audit chain must still contain, like heldWallet; its number is 0 if there is none.
func (v *verifier) heldEvent() chainHead {
	switch d := v.explaining(); {
	case d != nil:
		return chainHead{d.AuditSeq, d.AuditHead}
	case v.checkpoint != nil:
		return chainHead{v.checkpoint.AuditSeq, v.checkpoint.Audit}
	}
	return chainHead{}
}
