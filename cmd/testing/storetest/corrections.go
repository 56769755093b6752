package storetest

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
)

// Colleagues is a store with a player and the people who request and decide corrections.
type Colleagues struct {
	*store.Store
	T            testing.TB
	Anna         models.Player
	Mira, Jonas  models.Signer // finance
	Sofia, Admin models.Signer // support, administrator
}

func NewColleagues(t testing.TB, s *store.Store, opening models.Amount) *Colleagues {
	t.Helper()
	return ColleaguesFor(t, s, CreatePlayer(t, s, "anna", opening))
}

// ColleaguesFor is like NewColleagues for an existing player.
func ColleaguesFor(t testing.TB, s *store.Store, anna models.Player) *Colleagues {
	t.Helper()
	d := &Colleagues{Store: s, T: t, Anna: anna}
	for _, who := range []struct {
		to   *models.Signer
		name string
		role models.Role
	}{{&d.Mira, "mira", models.Finance}, {&d.Jonas, "jonas", models.Finance}, {&d.Sofia, "sofia", models.Support},
		{&d.Admin, "ada", models.Administrator}} {
		made, err := s.CreateStaff(t.Context(), Tester,
			models.Staff{Username: who.name, Name: strings.ToUpper(who.name), Role: who.role, PasswordHash: "x",
				Profile: models.DefaultProfile})
		require.NoError(t, err)
		*who.to = models.Signer{Actor: models.Actor{Name: who.name}, StaffID: made.ID, Role: who.role}
	}
	return d
}

// OtherLoss is the reason why a correction does not duplicate a similar one: tests repeat amounts.
const OtherLoss = "each of these is for another loss"

func (d *Colleagues) Rollback(id models.TransactionID) models.CorrectionRequest {
	return models.CorrectionRequest{Kind: models.CorrectRollback, PlayerID: d.Anna.ID, TransactionID: id,
		Reason: "round-voided", Text: "Their ticket 88213.", Another: OtherLoss}
}

func (d *Colleagues) Win(id models.TransactionID, amount models.Amount) models.CorrectionRequest {
	return models.CorrectionRequest{Kind: models.CorrectWin, PlayerID: d.Anna.ID, TransactionID: id,
		RoundID: "r-" + models.RoundID(id), Amount: amount, Reason: "win-not-credited", Text: "Their win was lost.",
		Another: OtherLoss}
}

func (d *Colleagues) Adjust(kind models.CorrectionKind, amount models.Amount,
	reason models.ReasonCode) models.CorrectionRequest {
	return models.CorrectionRequest{Kind: kind, PlayerID: d.Anna.ID, Amount: amount, Reason: reason, Text: "As agreed.",
		Another: OtherLoss}
}

// TryRequest requests a correction as somebody who has seen the similar ones.
func (d *Colleagues) TryRequest(by models.Signer, r models.CorrectionRequest) (models.Correction, error) {
	d.T.Helper()
	if _, o, err := d.CorrectionOutlook(d.T.Context(), r); err == nil {
		r.Seen = o.Similar
	}
	return d.RequestCorrection(d.T.Context(), by, r)
}

func (d *Colleagues) Request(by models.Signer, r models.CorrectionRequest) models.Correction {
	d.T.Helper()
	c, err := d.TryRequest(by, r)
	require.NoError(d.T, err)
	return c
}

// Basis returns what the correction's page shows now.
func (d *Colleagues) Basis(c models.Correction) models.CorrectionBasis {
	d.T.Helper()
	o, err := d.Outlook(d.T.Context(), c)
	require.NoError(d.T, err)
	return o.CorrectionBasis
}

func (d *Colleagues) Approve(by models.Signer, c models.Correction) (models.Correction, error) {
	return d.ApproveWith(by, c, d.Basis(c))
}

func (d *Colleagues) ApproveWith(by models.Signer, c models.Correction, seen models.CorrectionBasis) (models.Correction,
	error) {
	ctx, cancel := context.WithTimeout(d.T.Context(), Patience)
	defer cancel()
	decision := Opened(ctx, d.Store, "correction", c.ID)
	decision.Do, decision.Basis = models.ApprovalApproved, seen
	booked, err := d.Decide(ctx, by, decision)
	if err != nil {
		return models.Correction{}, err
	}
	return *booked.(*models.Correction), nil
}

func (d *Colleagues) MustApprove(by models.Signer, c models.Correction) models.Correction {
	d.T.Helper()
	booked, err := d.Approve(by, c)
	require.NoError(d.T, err)
	require.Equal(d.T, models.ApprovalApproved, booked.State)
	return booked
}
