package models

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestGrantRulesAllow(t *testing.T) {
	l := GrantLimits{
		SpinsPerGrant: 50, PlayerGrantsPerDay: 3, PlayerSpinsPerDay: 100, StaffGrantsPerDay: 10, StaffSpinsPerDay: 400,
		HouseSpinsPerDay: 1000,
		Cost:             map[Currency]GrantCost{"TRY": {Grant: 800, PlayerPerDay: 1000, HousePerDay: 3000}},
	}
	rules := GrantRules{Limits: l, SpinCost: map[Currency]Amount{"TRY": 20, "EUR": 1000}}
	require.NoError(t, rules.Check())
	for _, row := range []struct {
		currency Currency
		taken    GrantTaken
		spins    int64
		limit    string
	}{
		{"EUR", GrantTaken{}, 50, ""},
		{"EUR", GrantTaken{}, 51, LimitSpinsPerGrant},
		{"EUR", GrantTaken{PlayerGrants: 2, PlayerSpins: 60}, 40, ""},
		{"EUR", GrantTaken{PlayerGrants: 3, PlayerSpins: 3}, 1, LimitPlayerGrants},
		{"EUR", GrantTaken{PlayerGrants: 2, PlayerSpins: 60}, 41, LimitPlayerSpins},
		{"EUR", GrantTaken{StaffGrants: 10}, 1, LimitStaffGrants},
		{"EUR", GrantTaken{StaffGrants: 9, StaffSpins: 360}, 41, LimitStaffSpins},
		{"EUR", GrantTaken{HouseSpins: 960}, 41, LimitHouseSpins},
		{"TRY", GrantTaken{}, 40, ""},
		{"TRY", GrantTaken{}, 41, LimitGrantCost},
		{"TRY", GrantTaken{PlayerSpins: 40}, 10, ""},
		{"TRY", GrantTaken{PlayerSpins: 40}, 11, LimitPlayerCost},
		{"TRY", GrantTaken{HouseSpins: 500, HouseSpinsInCurrency: 140}, 10, ""},
		{"TRY", GrantTaken{HouseSpins: 500, HouseSpinsInCurrency: 140}, 11, LimitHouseCost},
	} {
		err := rules.Allow(row.taken, row.currency, row.spins)
		if row.limit == "" {
			require.NoError(t, err)
			continue
		}
		var limit LimitError
		require.ErrorAs(t, err, &limit)
		require.Equal(t, row.limit, limit.Limit)
		require.ErrorContains(t, err, row.limit)
	}
	require.Error(t, GrantRules{}.Allow(GrantTaken{}, "EUR", 1), "without limits nothing may be granted")
	require.EqualError(t, rules.Allow(GrantTaken{PlayerSpins: 40}, "TRY", 11),
		"over the limit: cost of grants to one player a day, 10.00 TRY allowed, 8.00 TRY used already, 2.20 TRY requested")
}

func TestGrantRulesCheck(t *testing.T) {
	require.NoError(t, DefaultGrantRules.Check())
	for name, row := range map[string]struct {
		rules GrantRules
		want  error
	}{
		"below zero": {GrantRules{Limits: GrantLimits{SpinsPerGrant: -1}}, ErrLimitRange},
		"above the maximum": {
			GrantRules{Limits: GrantLimits{HouseSpinsPerDay: MaxGrantLimit + 1}}, ErrLimitRange,
		},
		"more in a grant than a day": {
			GrantRules{Limits: GrantLimits{SpinsPerGrant: 2, PlayerSpinsPerDay: 1, HouseSpinsPerDay: 9}},
			ErrLimitOrder,
		},
		"a person above all staff": {
			GrantRules{Limits: GrantLimits{StaffSpinsPerDay: 2, HouseSpinsPerDay: 1}}, ErrLimitOrder,
		},
		"cost of an unpriced spin": {
			GrantRules{Limits: GrantLimits{Cost: map[Currency]GrantCost{"EUR": {}}}}, ErrNoSpinCost,
		},
		"a spin for nothing": {GrantRules{SpinCost: map[Currency]Amount{"EUR": 0}}, ErrSpinCost},
		"costs out of order": {GrantRules{
			Limits: GrantLimits{Cost: map[Currency]GrantCost{"EUR": {Grant: 2, PlayerPerDay: 1, HousePerDay: 3}}}, SpinCost: map[Currency]Amount{"EUR": 1},
		}, ErrLimitOrder},
	} {
		require.ErrorIs(t, row.rules.Check(), row.want, name)
	}
}

func TestCampaignBeyondLimits(t *testing.T) {
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	waiting := Campaign{ExpiresAt: at.Add(ExceptionLasts),
		Approval: Approval{State: ApprovalWaiting, Maker: Signature{StaffID: 1}}}
	bruno, farid := Signer{StaffID: 1, Role: Bonus}, Signer{StaffID: 2, Role: Finance}
	approve := func(by Signer, at time.Time) error {
		e := waiting
		return e.Decide(e.Rule(), by, ApprovalApproved, "", at)
	}
	require.NoError(t, approve(farid, at))
	require.NoError(t, approve(Signer{StaffID: 3, Role: Bonus}, at))
	require.ErrorIs(t, approve(bruno, at), ErrOwnRequest)
	require.ErrorIs(t, approve(farid, at.Add(ExceptionLasts)), ErrRequestExpired)
	for _, role := range []Role{Administrator, Support, Compliance} {
		require.ErrorIs(t, approve(Signer{StaffID: 4, Role: role}, at), ErrCheckerRole)
	}

	e := waiting
	require.ErrorIs(t, e.Decide(e.Rule(), farid, ApprovalRefused, "", at), ErrDecisionText)
	require.NoError(t, e.Decide(e.Rule(), farid, ApprovalRefused, "too much", at))
	require.ErrorIs(t, e.Decide(e.Rule(), farid, ApprovalApproved, "", at), DecidedError{ApprovalRefused})
	e = waiting
	require.ErrorIs(t, e.Decide(e.Rule(), farid, ApprovalWithdrawn, "", at), ErrNotYourRequest)
	require.NoError(t, e.Decide(e.Rule(), bruno, ApprovalWithdrawn, "", at))
	e = waiting
	require.ErrorIs(t, e.Expire(e.Rule(), at), ErrRequestRuns)
	require.NoError(t, e.Expire(e.Rule(), e.ExpiresAt))
	require.Equal(t, ApprovalExpired, e.Approval.State)
}
