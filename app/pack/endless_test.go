package pack_test

import (
	"context"
	"time"

	"pitboss/models"
)

// endless is a store with one player who has many lines, each made when it is read.
type endless struct {
	chain *models.Chain
	lines int64
	now   time.Time
	seq   int64 // of the last line that was made
	head  models.Hash
}

func (s *endless) Chain() *models.Chain { return s.chain }

func (s *endless) PlayerByID(context.Context, int64) (models.Player, bool, error) {
	return models.Player{ID: 1, UserID: "anna", Wallet: models.Wallet{PlayerID: 1, Currency: "EUR"}}, true, nil
}

func (s *endless) WalletBeginning(context.Context, int64) (b models.Beginning, found bool, err error) {
	return b, false, nil
}

func (s *endless) LedgerPlace(_ context.Context, _ models.Player, at time.Time) (p models.LedgerPlace, err error) {
	if at.After(s.now) {
		return models.LedgerPlace{Seq: s.lines, Balance: models.Amount(s.lines)}, nil
	}
	return p, nil
}

func (s *endless) PostingsAfter(_ context.Context, _, seq int64, limit int) (list []models.Posting, err error) {
	if seq == 0 {
		s.seq, s.head = 0, models.Hash{}
	}
	for len(list) < limit && s.seq < s.lines {
		s.seq++
		p := models.Posting{Source: models.SourcePlatform, TransactionID: models.TransactionID(time.Duration(s.seq).String()),
			Claim: models.ClaimApplied, PlayerID: 1, Seq: s.seq, Kind: models.Win, RoundID: "r", Win: 1,
			After: models.Amount(s.seq),
			At:    s.now.Add(time.Duration(s.seq-s.lines) * time.Second)}
		p.Hash = s.chain.Posting(s.head, "EUR", &p)
		s.head = p.Hash
		list = append(list, p)
	}
	return list, nil
}

func (s *endless) SpinPlace(context.Context, models.Player, time.Time) (p models.SpinPlace, err error) {
	return p, nil
}

func (s *endless) SpinEntriesAfter(context.Context, int64, int64, int) ([]models.SpinEntry, error) {
	return nil, nil
}

func (s *endless) Callbacks(context.Context, models.CallbackFilter) (p models.Page[models.Callback], err error) {
	return p, nil
}

func (s *endless) Rounds(context.Context, models.RoundFilter) (p models.Page[models.Round], err error) {
	return p, nil
}

func (s *endless) Grants(context.Context, models.GrantFilter) ([]models.Grant, bool, error) {
	return nil, false, nil
}

func (s *endless) Cases(context.Context, models.CaseFilter) ([]models.Case, bool, error) {
	return nil, false, nil
}

func (s *endless) Case(context.Context, int64) (c models.Case, notes []models.CaseNote, found bool, err error) {
	return c, nil, false, nil
}

func (s *endless) Corrections(context.Context, models.CorrectionFilter) ([]models.Correction, bool, error) {
	return nil, false, nil
}

func (s *endless) AuditLinesOf(context.Context, string, string, int64, int) ([]models.PrecededAuditLine, error) {
	return nil, nil
}
