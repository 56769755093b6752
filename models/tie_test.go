package models_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

// Two people are tied if one could sign in as the other, if a third could sign in as both, or if one has just changed the
// other's account.
func TestTies(t *testing.T) {
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	const ada, eve, sofia, farid, mira = 1, 2, 3, 4, 5
	tie := func(by int64, act models.TieAct, on int64, days int) models.Tie {
		return models.Tie{StaffID: on, Staff: "owner", ByID: by, By: "actor", Act: act, At: at, Until: at.AddDate(0, 0, days)}
	}
	for name, row := range map[string]struct {
		ties  models.Ties
		a, b  int64
		steps int // 0: not tied
		days  int
	}{
		"nobody did anything":                   {nil, sofia, farid, 0, 0},
		"the creator and the owner":             {models.Ties{tie(ada, models.TieCreated, farid, 7)}, ada, farid, 1, 7},
		"the other way round":                   {models.Ties{tie(ada, models.TieReset, farid, 7)}, farid, ada, 1, 7},
		"a role, though it lets nobody sign in": {models.Ties{tie(ada, models.TieRole, farid, 7)}, ada, farid, 1, 7},
		"unlocked":                              {models.Ties{tie(farid, models.TieUnlocked, mira, 7)}, mira, farid, 1, 7},
		"two accounts of one administrator": {
			models.Ties{tie(ada, models.TieCreated, sofia, 7), tie(ada, models.TieFactor, farid, 5)}, sofia, farid, 2, 5,
		},
		"through another administrator": {
			models.Ties{tie(ada, models.TieCreated, eve, 7), tie(eve, models.TieReset, farid, 6),
				tie(ada, models.TieEmail, sofia, 7)}, sofia, farid, 3, 6,
		},
		"created by two administrators": {
			models.Ties{tie(ada, models.TieCreated, sofia, 7), tie(eve, models.TieCreated, farid, 7)}, sofia, farid, 0, 0,
		},
		"unlocked and changed by one administrator": {
			models.Ties{tie(ada, models.TieUnlocked, sofia, 7), tie(ada, models.TieRole, farid, 7)}, sofia, farid, 0, 0,
		},
		"others": {models.Ties{tie(ada, models.TieCreated, farid, 7)}, sofia, mira, 0, 0},
		"somebody at the command line": {
			models.Ties{tie(models.SomebodyAtTheCommandLine, models.TieReset, farid, 7)}, farid, mira, 1, 7,
		},
		"created by somebody reset at the command line": {
			models.Ties{tie(models.SomebodyAtTheCommandLine, models.TieReset, ada, 4), tie(ada, models.TieCreated, farid, 7)},
			farid, mira, 2, 4,
		},
		"the longer of two ties counts": {
			models.Ties{tie(ada, models.TieRole, farid, 2), tie(ada, models.TieUnlocked, farid, 6)}, ada, farid, 1, 6,
		},
		"a circle": {
			models.Ties{tie(ada, models.TieReset, eve, 7), tie(eve, models.TieReset, ada, 7),
				tie(eve, models.TieReset, mira, 3)}, ada, mira, 2, 3,
		},
		"unlocked and created by one administrator": {
			models.Ties{tie(ada, models.TieUnlocked, farid, 7), tie(ada, models.TieCreated, sofia, 7)}, sofia, farid, 0, 0,
		},
		"reset by somebody whom the other created": {
			models.Ties{tie(ada, models.TieCreated, eve, 7), tie(eve, models.TieReset, mira, 7)}, ada, mira, 2, 7,
		},
	} {
		t.Run(name, func(t *testing.T) {
			err := row.ties.Between(row.a, row.b)
			other := row.ties.Between(row.b, row.a)
			if row.steps == 0 {
				require.NoError(t, err)
				require.NoError(t, other)
				return
			}
			var tied models.TiedError
			require.ErrorAs(t, err, &tied)
			require.Len(t, tied.Because, row.steps)
			require.Equal(t, at.AddDate(0, 0, row.days), tied.Until)
			require.ErrorAs(t, other, &tied)
			require.Len(t, tied.Because, row.steps)
		})
	}
}

// Somebody tied to the maker of a correction cannot approve it, but can refuse it.
func TestTiedApproval(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	ties := models.Ties{{StaffID: 4, ByID: 3, Act: models.TieUnlocked, At: now, Until: now.AddDate(0, 0, 7)}}
	waiting := models.Approval{State: models.ApprovalWaiting, Maker: models.Signature{StaffID: 3}}
	farid := models.Signer{StaffID: 4, Role: models.Finance}
	var tied models.TiedError
	c := waiting
	require.ErrorAs(t, c.Approve(models.CorrectionRule, farid, ties, now), &tied)
	require.Equal(t, waiting, c)
	require.True(t, models.CorrectionNotBooked(c.Approve(models.CorrectionRule, farid, ties, now)))
	require.NoError(t, c.Approve(models.CorrectionRule, models.Signer{StaffID: 5, Role: models.Finance}, ties, now))
	c = waiting
	require.NoError(t, c.Refuse(models.CorrectionRule, farid, "no", now))
}

// A change needs a second administrator who is not tied to the first.
func TestChangeRequest(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	ties := models.Ties{{StaffID: 2, ByID: 1, Act: models.TieCreated, At: now, Until: now.AddDate(0, 0, 7)}}
	waiting := models.Approval{State: models.ApprovalWaiting, Maker: models.Signature{StaffID: 1}}
	admin := func(id int64) models.Signer { return models.Signer{StaffID: id, Role: models.Administrator} }
	r := waiting
	require.ErrorIs(t, r.Approve(models.ChangeRule, admin(1), ties, now), models.ErrOwnRequest)
	require.ErrorIs(t, r.Approve(models.ChangeRule, models.Signer{StaffID: 3, Role: models.Finance}, ties, now), models.ErrCheckerRole)
	var tied models.TiedError
	require.ErrorAs(t, r.Approve(models.ChangeRule, admin(2), ties, now), &tied)
	require.Equal(t, waiting, r)
	require.ErrorIs(t, r.Withdraw(admin(3), "", now), models.ErrNotYourRequest)
	require.NoError(t, r.Approve(models.ChangeRule, admin(3), ties, now))
	require.ErrorIs(t, r.Refuse(models.ChangeRule, admin(3), "no", now), models.DecidedError{State: models.ApprovalApproved})
	r = waiting
	require.ErrorIs(t, r.Refuse(models.ChangeRule, admin(2), "", now), models.ErrDecisionText)
	require.NoError(t, r.Refuse(models.ChangeRule, admin(2), "Too much for one role.", now))
	require.Equal(t, "Too much for one role.", r.DecisionText)
	r = waiting
	require.NoError(t, r.Withdraw(admin(1), "", now))
}
