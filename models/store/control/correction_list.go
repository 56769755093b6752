package control

import (
	"context"

	"pitboss/models"
	"pitboss/models/store/db"
)

// mustCorrection reads a correction from the primary, because it may just have been written. It returns
// models.ErrCorrectionUnknown if there is none.
func (s *Store) mustCorrection(ctx context.Context, id int64) (models.Correction, error) {
	c, found, err := db.First(correctionsIn(selectCorrections(s.db.Write.WithContext(ctx)).Where("c.id = ?", id)))
	if err == nil && !found {
		err = models.ErrCorrectionUnknown
	}
	return c, err
}

// Correction returns the correction with this number, or false if there is none.
func (s *Store) Correction(ctx context.Context, id int64) (models.Correction, bool, error) {
	return db.First(correctionsIn(selectCorrections(s.db.Read.WithContext(ctx)).Where("c.id = ?", id)))
}

// Corrections returns a page of the corrections that f selects, the newest first.
func (s *Store) Corrections(ctx context.Context, f models.CorrectionFilter) (page models.Page[models.Correction], err error) {
	few, err := s.players.FewOf(ctx, f.Currency)
	if err != nil {
		return page, err
	}
	from, to := f.Amount.Bounds()
	rare, err := s.rareAmounts(ctx, from, to)
	if err != nil {
		return page, err
	}
	l := db.List{Table: "corrections c", Index: "corrections_at", At: "c.at_us", ID: "c.id", Span: f.Span, Filters: []db.Filter{
		db.If(f.TransactionID != "", "corrections_transaction", "c.transaction_id = ?", f.TransactionID),
		db.If(f.PlayerID != 0, "corrections_player", "c.player_id = ?", f.PlayerID),
		db.If(few != nil, "corrections_player", "c.player_id IN ?", few),
		db.If(!f.Amount.IsZero() && rare, "corrections_amount", ""),
		db.If(f.State == models.ApprovalWaiting, "corrections_state", ""),
		db.If(f.Assignee != "", "corrections_assignee", "c.assignee = ?", db.Ascii(f.Assignee)),
		db.If(f.MakerID != 0, "corrections_maker", "c.maker_id = ?", f.MakerID),
		db.If(f.CheckerID != 0, "corrections_checker", "c.checker_id = ?", f.CheckerID),
		db.If(f.Kind != 0, "corrections_kind", "c.kind = ?", f.Kind),
		db.If(f.Reason != "", "corrections_reason", "c.reason = ?", db.Ascii(string(f.Reason))),
		db.If(f.State != 0, "corrections_state", "c.state = ?", f.State),
		db.If(f.Unassigned, "corrections_assignee", "c.assignee = ?", db.Ascii("")),
		db.If(!f.Amount.IsZero(), "", "c.amount_minor BETWEEN ? AND ?", int64(from), int64(to)),
		// In a subquery, so that no optimizer starts with the wallets.
		db.If(f.Currency != "", "", "(SELECT currency FROM wallets WHERE player_id = c.player_id) = ?",
			db.Ascii(string(f.Currency))),
	}}
	list, err := correctionsIn(s.db.List(selectCorrections(s.db.Read.WithContext(ctx)), &l))
	return db.PageOf(list, l), err
}

// fewAmounts is the most corrections of some amounts that a list reads all at once.
const fewAmounts = 1000

// rareAmounts reports whether there are only a few corrections of these amounts.
func (s *Store) rareAmounts(ctx context.Context, from, to models.Amount) (rare bool, err error) {
	n, err := db.Value[int](s.db.Read.WithContext(ctx), "SELECT COUNT(*) FROM (SELECT 1 FROM corrections"+
		db.Path{Index: "corrections_amount"}.Hint(s.db.Dialect)+" WHERE amount_minor BETWEEN ? AND ? LIMIT ?) few",
		int64(from), int64(to), fewAmounts+1)
	return n <= fewAmounts, err
}
