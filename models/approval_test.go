package models_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

// A change needs a second administrator.
func TestChangeRequest(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	waiting := models.Approval{State: models.ApprovalWaiting, Maker: models.Signature{StaffID: 1}}
	admin := func(id int64) models.Signer { return models.Signer{StaffID: id, Role: models.Administrator} }
	r := waiting
	require.ErrorIs(t, r.Decide(models.ChangeRule, admin(1), models.ApprovalApproved, "", now), models.ErrOwnRequest)
	require.ErrorIs(t, r.Decide(models.ChangeRule, models.Signer{StaffID: 3, Role: models.Finance}, models.ApprovalApproved, "", now), models.ErrCheckerRole)
	require.Equal(t, waiting, r)
	require.ErrorIs(t, r.Decide(models.ChangeRule, admin(3), models.ApprovalWithdrawn, "", now), models.ErrNotYourRequest)
	require.NoError(t, r.Decide(models.ChangeRule, admin(3), models.ApprovalApproved, "", now))
	require.ErrorIs(t, r.Decide(models.ChangeRule, admin(3), models.ApprovalRefused, "no", now), models.DecidedError{State: models.ApprovalApproved})
	r = waiting
	require.ErrorIs(t, r.Decide(models.ChangeRule, admin(2), models.ApprovalRefused, "", now), models.ErrDecisionText)
	require.NoError(t, r.Decide(models.ChangeRule, admin(2), models.ApprovalRefused, "Too much for one role.", now))
	require.Equal(t, "Too much for one role.", r.DecisionText)
	r = waiting
	require.NoError(t, r.Decide(models.ChangeRule, admin(1), models.ApprovalWithdrawn, "", now))
}

// Whoever gave an account something does not confirm it, even if somebody else gave it something too.
func TestUnconfirmed(t *testing.T) {
	by := func(id int64, name string, act models.StaffAct) models.Given {
		return models.Given{Act: act, ByID: id, By: name}
	}
	ann := by(1, "ann", models.StaffCreated)
	line := models.Given{Act: models.StaffLinked, By: models.GivenAtCommandLine}
	u := models.Unconfirmed{}.With(ann).With(by(2, "eve", models.StaffLinked)).With(ann)
	require.Len(t, u, 2, "the same act again is one")
	require.Equal(t, models.Unconfirmed{ann}, u.Besides(1))
	require.Empty(t, u.Besides(1).Besides(2))
	require.Equal(t, models.Unconfirmed{line}, u.With(line), "whoever is at the command line could have done all of it")
	require.NotEqual(t, u.Digest(), u.Besides(1).Digest())

	zoe := models.Staff{ID: 9, Role: models.Administrator, Unconfirmed: models.Unconfirmed{ann}}
	admin := func(id int64) models.Signer { return models.Signer{StaffID: id, Role: models.Administrator} }
	require.ErrorIs(t, zoe.MayConfirm(admin(1)), models.ErrOwnRequest)
	require.ErrorIs(t, zoe.MayConfirm(admin(9)), models.ErrOwnRequest)
	require.ErrorIs(t, zoe.MayConfirm(models.Signer{StaffID: 2, Role: models.Finance}), models.ErrCheckerRole)
	require.ErrorIs(t, zoe.MayConfirm(models.Signer{StaffID: 2, Role: models.Administrator, Unconfirmed: true}), models.ErrUnconfirmed)
	require.NoError(t, zoe.MayConfirm(admin(2)))
}
