package proof

import "pitboss/models"

// How the ledger is compared with a checkpoint: each chain must still contain the line that was its head at the checkpoint.

// heldWallet is a wallet at the checkpoint, and whether its chains still contain the lines that were their heads.
type heldWallet struct {
	models.Wallet
	money, spins bool
}

// hold sets the wallet's state at the checkpoint.
func (w *walletCheck) hold(held models.Wallet) {
	w.held = &heldWallet{Wallet: held, money: held.Seq == 0, spins: held.SpinSeq == 0}
}

// settle adds a fault for each chain of a wallet that does not contain the line that it must contain.
func (w *walletCheck) settle() {
	h := w.held
	if h == nil || w.missing {
		return
	}
	end := w.derived
	if w.ahead {
		end = w.row
	}
	w.reaches("entry", "entries", h.money, h.Seq, end.Seq)
	w.reaches("free-spin entry", "free-spin entries", h.spins, h.SpinSeq, end.SpinSeq)
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

// heldEvent returns the head that the audit chain had at the checkpoint; its number is 0 without one.
func (v *verifier) heldEvent() chainHead {
	if v.checkpoint == nil {
		return chainHead{}
	}
	return chainHead{v.checkpoint.AuditSeq, v.checkpoint.Audit}
}
