package pack

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"pitboss/models"
)

// ledger writes the lines of the money ledger in the period, then those up to the player's line in the checkpoint.
func (w *making) ledger(ctx context.Context) error {
	opening, err := w.Store.LedgerPlace(ctx, w.Player, w.Since)
	if err != nil {
		return err
	}
	closing, err := w.Store.LedgerPlace(ctx, w.Player, w.Until)
	if err != nil {
		return err
	}
	last := closing.Seq
	if c := w.manifest.Checkpoint; c != nil && c.Wallet != nil {
		last = max(last, c.Wallet.Seq)
	}
	if b, found, err := w.Store.WalletBeginning(ctx, w.Player.ID); err != nil {
		return err
	} else if found {
		w.manifest.Archived = &archived{At: stamp(b.At), Seq: b.Seq, Head: digest(b.Head), Balance: money(b.Balance),
			SpinSeq: b.SpinSeq, SpinHead: digest(b.SpinHead), Retired: digest(b.Retired), Proof: digest(b.Proof)}
	}
	w.manifest.Ledger = ledgerSpan{OpeningSeq: opening.Seq, OpeningHash: digest(opening.Head), Opening: money(opening.Balance),
		ClosingSeq: closing.Seq, Closing: money(closing.Balance), LastSeq: last}
	t, err := w.newTable(ledgerTable, ledgerRow{})
	if err != nil {
		return err
	}
	moments, err := w.spool()
	if err != nil {
		return err
	}
	for seq, head := opening.Seq, opening.Head; seq < last; {
		list, err := w.Store.PostingsAfter(ctx, w.Player.ID, seq, rowsAtOnce)
		if err != nil || len(list) == 0 {
			return err
		}
		for i := range list {
			p := &list[i]
			if p.Seq > last {
				return nil
			}
			in := p.Seq <= closing.Seq
			if err := t.add(newLedgerRow(p, head, in)); err != nil {
				return err
			}
			if in {
				err := moments.out.Encode(momentRow{At: stamp(p.At), What: w.postingSentence(p), File: ledgerTable,
					Row: number(p.Seq)})
				if err != nil {
					return err
				}
			}
			seq, head = p.Seq, p.Hash
		}
		if err := w.progress(len(list), list[len(list)-1].At, 0, 400); err != nil {
			return err
		}
	}
	return nil
}

// progress notes that a step has written more rows and has reached the time at. The step's share of the whole work is between
// from and to, in permille.
func (w *making) progress(rows int, at time.Time, from, to int) error {
	w.rows += int64(rows)
	share := 0.0
	if all := w.Until.Sub(w.Since); all > 0 {
		share = min(1, max(0, float64(at.Sub(w.Since))/float64(all)))
	}
	return w.note(w.rows, from+int(share*float64(to-from)))
}

// spins writes the free-spin ledger, as ledger writes the money ledger.
func (w *making) spins(ctx context.Context) error {
	opening, err := w.Store.SpinPlace(ctx, w.Player, w.Since)
	if err != nil {
		return err
	}
	closing, err := w.Store.SpinPlace(ctx, w.Player, w.Until)
	if err != nil {
		return err
	}
	last := closing.Seq
	if c := w.manifest.Checkpoint; c != nil && c.Wallet != nil {
		last = max(last, c.Wallet.SpinSeq)
	}
	w.manifest.Spins = spinSpan{OpeningSeq: opening.Seq, OpeningHash: digest(opening.Head), ClosingSeq: closing.Seq,
		LastSeq: last}
	t, err := w.newTable(spinsTable, spinRow{})
	if err != nil {
		return err
	}
	moments, err := w.spool()
	if err != nil {
		return err
	}
	for seq, head := opening.Seq, opening.Head; seq < last; {
		list, err := w.Store.SpinEntriesAfter(ctx, w.Player.ID, seq, rowsAtOnce)
		if err != nil || len(list) == 0 {
			return err
		}
		for i := range list {
			e := &list[i]
			if e.Seq > last {
				return nil
			}
			in := e.Seq <= closing.Seq
			if err := t.add(newSpinRow(e, head, in)); err != nil {
				return err
			}
			if in {
				if err := moments.out.Encode(momentRow{At: stamp(e.At), What: w.spinSentence(e), File: spinsTable,
					Row: number(e.Seq)}); err != nil {
					return err
				}
			}
			seq, head = e.Seq, e.Hash
		}
		if err := w.progress(len(list), list[len(list)-1].At, 400, 450); err != nil {
			return err
		}
	}
	return nil
}

// oldestFirst reads a whole list and calls each for every page, with the oldest row first. The pages from read have the newest
// row first.
func oldestFirst[T any](read func(models.Cursor) (models.Page[T], error), place func(T) models.Cursor,
	each func([]T) error) error {
	for at := (models.Cursor{Newer: true}); ; at.Newer = true {
		page, err := read(at)
		if err != nil {
			return err
		}
		if n := len(page.Rows); n > 0 {
			at = place(page.Rows[0])
		}
		slices.Reverse(page.Rows)
		if err := each(page.Rows); err != nil {
			return err
		}
		if !page.More {
			if at = page.Stopped; at.IsZero() {
				return nil
			}
		}
	}
}

func (w *making) callbacks(ctx context.Context) error {
	t, err := w.newTable(callbacksTable, callbackRow{})
	if err != nil {
		return err
	}
	moments, err := w.spool()
	if err != nil {
		return err
	}
	f := models.CallbackFilter{UserID: w.Player.UserID, Since: w.Since, Until: w.Until, Limit: rowsAtOnce}
	return oldestFirst(func(at models.Cursor) (models.Page[models.Callback], error) {
		f.Page = at
		return w.Store.Callbacks(ctx, f)
	}, func(c models.Callback) models.Cursor { return c.Cursor() }, func(list []models.Callback) error {
		for i := range list {
			c := &list[i]
			if err := t.add(w.callbackRow(c)); err != nil {
				return err
			}
			if c.Verdict == models.Applied || c.Verdict == models.LeftOutAnswers {
				continue // the ledger's spool has it
			}
			if err := moments.out.Encode(momentRow{At: stamp(c.At), What: callbackSentence(c), File: callbacksTable,
				Row: stamp(c.At).String()}); err != nil {
				return err
			}
		}
		if n := len(list); n > 0 {
			return w.progress(n, list[n-1].At, 450, 700)
		}
		return nil
	})
}

func (w *making) rounds(ctx context.Context) error {
	t, err := w.newTable(roundsTable, roundRow{})
	if err != nil {
		return err
	}
	f := models.RoundFilter{PlayerID: w.Player.ID, Since: w.Since, Until: w.Until, Limit: rowsAtOnce}
	return oldestFirst(func(at models.Cursor) (models.Page[models.Round], error) {
		f.Page = at
		return w.Store.Rounds(ctx, f)
	}, f.Place, func(list []models.Round) error {
		for i := range list {
			if err := t.add(newRoundRow(&list[i])); err != nil {
				return err
			}
		}
		if n := len(list); n > 0 {
			return w.progress(n, list[n-1].At, 700, 850)
		}
		return nil
	})
}

// touches reports whether something that began at from and ended at to, or still lasts if to is zero, overlaps the period.
func (w *making) touches(from, to time.Time) bool {
	return from.Before(w.Until) && (to.IsZero() || !to.Before(w.Since))
}

func (w *making) grants(ctx context.Context) error {
	t, err := w.newTable(grantsTable, grantRow{})
	if err != nil {
		return err
	}
	f := models.GrantFilter{PlayerID: w.Player.ID, Limit: rowsAtOnce}
	return oldestFirst(func(at models.Cursor) (models.Page[models.Grant], error) {
		f.Page = at
		return models.Paged(w.Store.Grants(ctx, f))
	}, func(g models.Grant) models.Cursor { return models.Cursor{At: g.At, ID: g.ID} }, func(list []models.Grant) error {
		for i := range list {
			if g := &list[i]; w.touches(g.At, g.FinishedAt) {
				w.audited = append(w.audited, object{"grant", number(g.ID)})
				if err := t.add(w.grantRow(g)); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func (w *making) cases(ctx context.Context) error {
	t, err := w.newTable(casesTable, caseRow{Evidence: []caseFact{}, Comments: []caseComment{}})
	if err != nil {
		return err
	}
	f := models.CaseFilter{PlayerID: w.Player.ID, Limit: rowsAtOnce}
	return oldestFirst(func(at models.Cursor) (models.Page[models.Case], error) {
		f.Page = at
		return models.Paged(w.Store.Cases(ctx, f))
	}, func(c models.Case) models.Cursor { return models.Cursor{At: c.FoundAt, ID: c.ID} }, func(list []models.Case) error {
		for _, c := range list {
			if !w.touches(c.FoundAt, c.DecidedAt) {
				continue
			}
			c, notes, _, err := w.Store.Case(ctx, c.ID)
			if err != nil {
				return err
			}
			w.audited = append(w.audited, object{"case", number(c.ID)})
			if err := t.add(w.caseRow(&c, notes)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (w *making) corrections(ctx context.Context) error {
	t, err := w.newTable(correctionsTable, correctionRow{})
	if err != nil {
		return err
	}
	f := models.CorrectionFilter{PlayerID: w.Player.ID, Limit: rowsAtOnce}
	return oldestFirst(func(at models.Cursor) (models.Page[models.Correction], error) {
		f.Page = at
		return models.Paged(w.Store.Corrections(ctx, f))
	}, func(c models.Correction) models.Cursor { return models.Cursor{At: c.At, ID: c.ID} },
		func(list []models.Correction) error {
			for i := range list {
				if c := &list[i]; w.touches(c.At, c.DecidedAt) {
					w.audited = append(w.audited, object{"correction", number(c.ID)})
					if err := t.add(w.correctionRow(c)); err != nil {
						return err
					}
				}
			}
			return nil
		})
}

// audit writes what staff did to the player, and to the cases, corrections and grants in the pack. It sorts the events in
// memory, because there are few: for a player, rarely more than the times that somebody viewed their data.
func (w *making) audit(ctx context.Context) error {
	zero := auditRow{Salts: []salt{}, Digests: []digest{}}
	t, err := w.newTable(auditTable, zero)
	if err != nil {
		return err
	}
	moments, err := w.spool()
	if err != nil {
		return err
	}
	var list []models.PrecededAuditLine
	for _, of := range append(w.audited, object{"player", number(w.Player.ID)}) {
		for after := int64(0); ; {
			some, err := w.Store.AuditLinesOf(ctx, of.kind, of.id, after, rowsAtOnce)
			if err != nil {
				return err
			}
			for _, l := range some {
				if after = l.ID; !l.At.Before(w.Since) && l.At.Before(w.Until) {
					list = append(list, l)
				}
			}
			if len(some) < rowsAtOnce {
				break
			}
		}
	}
	slices.SortFunc(list, func(a, b models.PrecededAuditLine) int { return cmp.Compare(a.ID, b.ID) })
	for i := range list {
		l := &list[i]
		sentence, err := w.Tell(ctx, l.AuditEvent)
		if err != nil {
			return err
		}
		if w.Purpose == DataAccess {
			sentence = strings.ToUpper(l.Action[:1]) + l.Action[1:] // sentences may name staff
		}
		if err := t.add(w.auditRow(l, sentence)); err != nil {
			return err
		}
		if l.IsView() {
			continue
		}
		about := ""
		if l.Object != "player" {
			about = " (" + l.Object + " " + l.ObjectID + ")"
		}
		if err := moments.out.Encode(momentRow{At: stamp(l.At), What: w.staff(l.Actor) + ": " + sentence + about + ".",
			File: auditTable, Row: number(l.ID)}); err != nil {
			return err
		}
	}
	w.rows += int64(len(list))
	return nil
}
