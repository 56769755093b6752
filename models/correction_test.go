package models_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

func signer(id int64, role models.Role) models.Signer {
	return models.Signer{Actor: models.Actor{Name: "staff" + string(rune('0'+id))}, StaffID: id, Role: role}
}

var decidedAt = time.UnixMicro(5).UTC()

// Who may decide a correction, depending on its state and on the person who tries.
func TestMakerAndChecker(t *testing.T) {
	maker := signer(1, models.Finance)
	decided := func(state models.ApprovalState) error { return models.DecidedError{State: state} }
	for _, row := range []struct {
		name         string
		state        models.ApprovalState
		by           models.Signer
		decide, take error // Approve and Refuse; Withdraw
	}{
		{"a colleague", models.ApprovalWaiting, signer(2, models.Finance), nil, models.ErrNotYourRequest},
		{"a colleague who does not decide", models.ApprovalWaiting, signer(2, models.Support), models.ErrCheckerRole,
			models.ErrNotYourRequest},
		{"the maker", models.ApprovalWaiting, maker, models.ErrOwnRequest, nil},
		{"the maker in another role", models.ApprovalWaiting, signer(1, models.Support), models.ErrOwnRequest, nil},
		{"an administrator", models.ApprovalWaiting, signer(3, models.Administrator), models.ErrCheckerRole,
			models.ErrNotYourRequest},
		{"too late", models.ApprovalApproved, signer(2, models.Finance), decided(models.ApprovalApproved),
			decided(models.ApprovalApproved)},
		{"too late, and the maker", models.ApprovalRefused, maker, decided(models.ApprovalRefused),
			decided(models.ApprovalRefused)},
		{"withdrawn", models.ApprovalWithdrawn, signer(2, models.Finance), decided(models.ApprovalWithdrawn),
			decided(models.ApprovalWithdrawn)},
	} {
		asked := models.Correction{ID: 7, Kind: models.CorrectCredit, Amount: 500,
			Approval: models.Approval{Maker: models.Signature{StaffID: 1, Username: "staff1", Role: models.Finance},
				State: row.state}}
		for action, do := range map[string]struct {
			want  error
			state models.ApprovalState
		}{
			"approve":  {row.decide, models.ApprovalApproved},
			"refuse":   {row.decide, models.ApprovalRefused},
			"withdraw": {row.take, models.ApprovalWithdrawn},
		} {
			c := asked
			err := c.Decide(c.Rule(), row.by, do.state, "no", decidedAt)
			require.ErrorIs(t, err, do.want, "%s: %s", row.name, action)
			if do.want != nil {
				require.ErrorAs(t, err, new(models.ApprovalError))
				require.Equal(t, asked, c, "%s: %s: a refusal changes nothing", row.name, action)
				continue
			}
			require.Equal(t, do.state, c.State)
			require.Equal(t, decidedAt, c.DecidedAt)
			if action == "approve" || action == "refuse" {
				require.Equal(t, row.by.StaffID, c.Checker.StaffID)
			} else {
				require.Zero(t, c.Checker, "there is no second approver")
			}
		}
	}
}

// What the platform may still send is booked under the platform's ID, and everything else under IDs that the platform cannot
// use.
func TestOperationOfACorrection(t *testing.T) {
	c := models.Correction{ID: 1042, UserID: "anna", TransactionID: "t", RoundID: "r", Amount: 2500, Reason: "other"}
	for kind, want := range map[models.CorrectionKind]models.Operation{
		models.CorrectRollback: {Source: models.SourcePlatform, Kind: models.Rollback, UserID: "anna", TransactionID: "t"},
		models.CorrectWin: {Source: models.SourcePlatform, Kind: models.Win, UserID: "anna", TransactionID: "t",
			RoundID: "r", Win: 2500},
		models.CorrectCredit: {Source: models.SourceOwn, Kind: models.Adjustment, UserID: "anna",
			TransactionID: "correction:1042", Win: 2500},
		models.CorrectDebit: {Source: models.SourceOwn, Kind: models.Adjustment, UserID: "anna",
			TransactionID: "correction:1042", Bet: 2500},
	} {
		c.Kind = kind
		require.Equal(t, want, c.Operation(), kind.String())
	}
	c.Kind, c.Reason = models.CorrectDebit, "charge-back"
	require.True(t, c.Operation().AllowNegative)
	for id, want := range map[models.TransactionID]int64{"correction:1042": 1042, "correction:01042": 0, "correction:-1": 0,
		"correction:": 0, "correction:0": 0, "opening:5": 0, "Correction:5": 0} {
		n, ok := models.CorrectionOf(id)
		require.Equal(t, want != 0, ok, string(id))
		if ok {
			require.Equal(t, want, n)
		}
	}
}

// A balance may go below zero only for a reason that allows it; credits never need one.
func TestBelowZeroNeedsAReason(t *testing.T) {
	for _, row := range []struct {
		reason        models.ReasonCode
		before, after models.Amount
		want          error
	}{
		{"paid-out", 100, 0, nil},
		{"paid-out", 100, -1, models.ErrBelowZero},
		{"paid-out", -5, -6, models.ErrBelowZero},
		{"goodwill", -5, -1, nil},
		{"charge-back", 100, -1, nil},
		{"round-voided", 0, -100, nil},
		{"other", 0, -100, models.ErrBelowZero},
		{"no such reason", 0, -100, models.ErrBelowZero},
	} {
		c := models.Correction{Reason: row.reason}
		require.Equal(t, row.want, c.Leaves(row.before, row.after), "%+v", row)
	}
}

func TestCheckOfACorrectionRequest(t *testing.T) {
	good := map[models.CorrectionKind]models.CorrectionRequest{
		models.CorrectRollback: {TransactionID: "t", Reason: "round-voided"},
		models.CorrectWin:      {TransactionID: "t", RoundID: "r", Amount: 1, Reason: "win-not-credited"},
		models.CorrectCredit:   {Amount: 1, Reason: "goodwill"},
		models.CorrectDebit:    {Amount: 1, Reason: "charge-back", Reference: "88213"},
	}
	for kind, r := range good {
		r.Kind, r.Text = kind, "because"
		require.Empty(t, r.Check(), kind.String())
		for field, change := range map[string]func(*models.CorrectionRequest){
			"text":      func(r *models.CorrectionRequest) { r.Text = " \n" },
			"reason":    func(r *models.CorrectionRequest) { r.Reason = "no such reason" },
			"reference": func(r *models.CorrectionRequest) { r.Reference = strings.Repeat("ü", 101) },
		} {
			other := r
			change(&other)
			require.Contains(t, other.Check(), field, "%s without %s", kind, field)
		}
	}
	for _, r := range []models.CorrectionRequest{
		{Kind: models.CorrectRollback, Reason: "round-voided", Text: "t"},
		{Kind: models.CorrectWin, Reason: "win-not-credited", Text: "t", TransactionID: "t", Amount: 1},
		{Kind: models.CorrectWin, Reason: "win-not-credited", Text: "t", TransactionID: "t", RoundID: "r"},
		{Kind: models.CorrectCredit, Reason: "goodwill", Text: "t", Amount: -1},
		{Kind: models.CorrectCredit, Reason: "round-voided", Text: "a bet is given back by its rollback", Amount: 1},
		{Kind: models.CorrectDebit, Reason: "goodwill", Text: "t", Amount: 1},
		{Kind: 9, Reason: "other", Text: "t"},
	} {
		require.NotEmpty(t, r.Check(), "%+v", r)
	}
}

func TestSeenAgrees(t *testing.T) {
	seen := models.CorrectionBasis{After: 100, Others: 2, Reversed: 1}
	require.True(t, seen.Agrees(seen))
	other := seen
	other.After = 101
	require.False(t, seen.Agrees(other))
	seen.AnyBalance = true
	require.True(t, seen.Agrees(other), "the second approver accepts any balance")
	other.Others++
	require.False(t, seen.Agrees(other), "a win has arrived in the round")
	other.Others, other.Reversed = 2, 2
	require.False(t, seen.Agrees(other))
}

func TestCorrectionNotBooked(t *testing.T) {
	for _, no := range []error{
		models.ErrCorrectionUnknown, models.ErrBelowZero, models.ApprovalError{Why: models.ErrOwnRequest},
		models.CorrectionDeclinedError{Decline: models.Duplicate}, models.CorrectionChangedError{},
	} {
		require.True(t, models.CorrectionNotBooked(fmt.Errorf("book: %w", no)), no.Error())
	}
	for _, unknown := range []error{context.DeadlineExceeded, errors.New("invalid connection")} {
		require.False(t, models.CorrectionNotBooked(fmt.Errorf("book: %w", unknown)))
	}
}
