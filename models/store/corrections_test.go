package store_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/storetest"
)

// desk is a store with a player, and people who request corrections and decide them.
type desk struct {
	*store.Store
	t            testing.TB
	anna         models.Player
	mira, jonas  models.Signer // finance
	sofia, admin models.Signer // support, administrator
}

func newDesk(t testing.TB, s *store.Store, opening models.Amount) *desk {
	t.Helper()
	return deskOf(t, s, create(t, s, "anna", opening))
}

// deskOf returns a desk for a player who exists already.
func deskOf(t testing.TB, s *store.Store, anna models.Player) *desk {
	t.Helper()
	d := &desk{Store: s, t: t, anna: anna}
	for _, who := range []struct {
		to   *models.Signer
		name string
		role models.Role
	}{{&d.mira, "mira", models.Finance}, {&d.jonas, "jonas", models.Finance}, {&d.sofia, "sofia", models.Support},
		{&d.admin, "ada", models.Administrator}} {
		made, err := s.CreateStaff(t.Context(), tester,
			models.Staff{Username: who.name, Name: strings.ToUpper(who.name), Role: who.role, PasswordHash: "x",
				Profile: models.DefaultProfile})
		require.NoError(t, err)
		*who.to = models.Signer{Actor: models.Actor{Name: who.name}, StaffID: made.ID, Role: who.role}
	}
	return d
}

// otherLoss says why a correction is not one that is like it: tests repeat amounts.
const otherLoss = "each of these is for another loss"

func (d *desk) rollback(id models.TransactionID) models.CorrectionRequest {
	return models.CorrectionRequest{Kind: models.CorrectRollback, PlayerID: d.anna.ID, TransactionID: id,
		Reason: "round-voided", Text: "Their ticket 88213.", Another: otherLoss}
}

func (d *desk) win(id models.TransactionID, amount models.Amount) models.CorrectionRequest {
	return models.CorrectionRequest{Kind: models.CorrectWin, PlayerID: d.anna.ID, TransactionID: id,
		RoundID: "r-" + models.RoundID(id), Amount: amount, Reason: "win-not-credited", Text: "Their win was lost.",
		Another: otherLoss}
}

func (d *desk) adjust(kind models.CorrectionKind, amount models.Amount, reason models.ReasonCode) models.CorrectionRequest {
	return models.CorrectionRequest{Kind: kind, PlayerID: d.anna.ID, Amount: amount, Reason: reason, Text: "As agreed.",
		Another: otherLoss}
}

// try requests a correction as somebody who has seen all others.
func (d *desk) try(by models.Signer, r models.CorrectionRequest) (models.Correction, error) {
	d.t.Helper()
	var err error
	r.Seen, err = d.NewestCorrection(d.t.Context(), r.PlayerID)
	require.NoError(d.t, err)
	return d.AskCorrection(d.t.Context(), by, r)
}

func (d *desk) ask(by models.Signer, r models.CorrectionRequest) models.Correction {
	d.t.Helper()
	c, err := d.try(by, r)
	require.NoError(d.t, err)
	return c
}

// seen returns what a page shows about the correction now.
func (d *desk) seen(c models.Correction) models.CorrectionBasis {
	d.t.Helper()
	o, err := d.Outlook(d.t.Context(), c)
	require.NoError(d.t, err)
	return o.CorrectionBasis
}

func (d *desk) approve(by models.Signer, c models.Correction) (models.Correction, error) {
	return d.approveSeen(by, c, d.seen(c))
}

func (d *desk) approveSeen(by models.Signer, c models.Correction, seen models.CorrectionBasis) (models.Correction, error) {
	ctx, cancel := context.WithTimeout(d.t.Context(), patience)
	defer cancel()
	return d.ApproveCorrection(ctx, by, c.ID, seen)
}

func (d *desk) book(by models.Signer, c models.Correction) models.Correction {
	d.t.Helper()
	booked, err := d.approve(by, c)
	require.NoError(d.t, err)
	require.Equal(d.t, models.ApprovalApproved, booked.State)
	return booked
}

func requireDeclined(t testing.TB, want models.Decline, err error) {
	t.Helper()
	var declined models.CorrectionDeclinedError
	require.ErrorAs(t, err, &declined)
	require.Equal(t, want, declined.Decline)
}

// Each kind of correction books its money once, and the platform's own call is answered accordingly if it comes late.
func TestCorrectionsAreNotPaidTwice(t *testing.T) {
	onBoth(t, func(t *testing.T, x *site) {
		s := x.open(t)
		d := newDesk(t, s, 10000)
		for _, op := range []models.Operation{bet("anna", "bet", 2500), win("anna", "win", 300),
			betWin("anna", "both", 100, 40), freeSpin("anna", "spin", 50)} {
			require.Equal(t, models.None, apply(t, s, op).Decline)
		}
		before := models.Amount(10000 - 2500 + 300 - 60)
		require.Equal(t, before, balance(t, s, "anna"))

		for _, row := range []struct {
			r      models.CorrectionRequest
			effect models.Amount
			spin   bool
			late   models.Operation // what the platform may still send
			answer models.Decline
		}{
			{d.rollback("bet"), 2500, false, rollback("anna", "bet"), models.RolledBack},
			{d.rollback("win"), -300, false, rollback("anna", "win"), models.RolledBack},
			{d.rollback("both"), 60, false, rollback("anna", "both"), models.RolledBack},
			{d.rollback("spin"), 0, true, rollback("anna", "spin"), models.RolledBack},
			{d.win("missing", 700), 700, false, win("anna", "missing", 700), models.Duplicate},
			{d.adjust(models.CorrectCredit, 150, "goodwill"), 150, false, bet("anna", "bet", 2500), models.RolledBack},
			{d.adjust(models.CorrectDebit, 25, "paid-out"), -25, false, rollback("anna", "missing-2"), models.NotFound},
		} {
			asked := d.ask(d.mira, row.r)
			require.Equal(t, before, balance(t, s, "anna"), "a request moves no money")
			require.Equal(t, row.effect, asked.Effect)
			require.Equal(t, before, asked.AskedBefore)
			require.Equal(t, "MIRA", asked.Maker.Name)
			booked := d.book(d.jonas, asked)
			require.Equal(t, [2]models.Amount{before, before + row.effect}, [2]models.Amount{booked.Before, booked.After})
			require.Equal(t, "JONAS", booked.Checker.Name)
			require.False(t, booked.Alone)
			table, id, source := "entries", row.r.TransactionID, " AND source = 1"
			if row.r.Kind.Adjusts() {
				id, source = models.AdjustmentID(booked.ID), " AND source = 2"
			}
			if row.spin {
				table, source = "spin_entries", ""
			}
			require.Equal(t, row.spin, booked.Spin)
			require.EqualValues(t, 1,
				x.number(t, "SELECT COUNT(*) FROM "+table+" WHERE player_id = ? AND seq = ? AND transaction_id = ?"+source,
					d.anna.ID, booked.Seq, string(id)))

			before += row.effect
			r := apply(t, s, row.late)
			require.Equal(t, row.answer, r.Decline, "%s", row.r.Kind)
			require.False(t, r.OtherContents)
			require.Equal(t, before, balance(t, s, "anna"))
		}
		require.Equal(t, models.None, apply(t, s, rollback("anna", "missing")).Decline,
			"a win booked by hand can be rolled back like any other")
		require.EqualValues(t, 1,
			x.number(t, "SELECT COUNT(*) FROM audit_events WHERE object = 'correction' AND action = 'correction approved' "+
				"AND object_id = '1' AND actor = 'jonas'"))
		requireWhole(t, s)
	})
}

// What the wallet or the rules would refuse is refused when it is requested, and leaves nothing behind.
func TestAskingIsRefused(t *testing.T) {
	onEngines(t, func(t *testing.T, x *site) {
		s := x.open(t)
		d := newDesk(t, s, 1000)
		apply(t, s, bet("anna", "bet", 400))
		apply(t, s, bet("anna", "gone", 100))
		apply(t, s, rollback("anna", "gone"))
		apply(t, s, rollback("anna", "early"))
		create(t, s, "bert", 500)
		apply(t, s, bet("bert", "berts", 100))

		declined := func(want models.Decline, r models.CorrectionRequest) {
			t.Helper()
			_, err := d.try(d.mira, r)
			requireDeclined(t, want, err)
		}
		declined(models.RolledBack, d.rollback("gone"))
		declined(models.NotFound, d.rollback("never"))
		declined(models.NotFound, d.rollback("berts"))
		declined(models.NotFound, d.rollback(models.TransactionID(fmt.Sprintf("opening:%d", d.anna.ID))))
		declined(models.RolledBack, d.win("gone", 10))
		declined(models.RolledBack, d.win("early", 10))
		declined(models.Duplicate, d.win("bet", 10))
		declined(models.InsufficientFunds, d.adjust(models.CorrectDebit, 601, "paid-out"))
		declined(models.BalanceOverflow, d.adjust(models.CorrectCredit, models.MaxAmount, "goodwill"))
		_, err := d.try(d.admin, d.rollback("bet"))
		require.ErrorIs(t, err, models.ErrMakerRole)
		_, err = d.try(models.Signer{Actor: d.sofia.Actor, StaffID: d.sofia.StaffID, Role: models.Finance}, d.rollback("bet"))
		require.ErrorIs(t, err, models.ErrSignerChanged, "the role has changed since")
		nobody := d.adjust(models.CorrectCredit, 5, "goodwill")
		nobody.PlayerID = 999
		_, err = d.try(d.mira, nobody)
		require.ErrorIs(t, err, models.ErrPlayerUnknown)
		require.Zero(t, x.number(t, "SELECT COUNT(*) FROM corrections"))
		require.Zero(t, x.number(t, "SELECT COUNT(*) FROM tombstones WHERE transaction_id = 'never'"),
			"looking ahead leaves no tombstone")

		first := d.ask(d.sofia, d.rollback("bet"))
		_, err = d.try(d.mira, d.rollback("bet"))
		require.ErrorIs(t, err, models.PendingCorrectionError{ID: first.ID})
		twice := d.adjust(models.CorrectCredit, 5, "goodwill")
		twice.Seen = 0
		_, err = s.AskCorrection(t.Context(), d.sofia, twice)
		require.ErrorIs(t, err, models.CorrectionMeanwhileError{ID: first.ID}, "the button was pressed twice")
		requireWhole(t, s)
	})
}

// Only others may decide, and there is only one decision.
func TestDecisionsBelongToOthers(t *testing.T) {
	onBoth(t, func(t *testing.T, x *site) {
		s := x.open(t)
		d := newDesk(t, s, 1000)
		c := d.ask(d.mira, d.adjust(models.CorrectCredit, 100, "goodwill"))
		seen := d.seen(c)
		untouched := func(want error, err error) {
			t.Helper()
			require.ErrorIs(t, err, want)
			require.EqualValues(t, 1000, balance(t, s, "anna"))
			now, _, err := s.Correction(t.Context(), c.ID)
			require.NoError(t, err)
			require.Equal(t, c, now)
		}
		_, err := d.approveSeen(d.mira, c, seen)
		untouched(models.ErrOwnRequest, err)
		_, err = d.approveSeen(d.admin, c, seen)
		untouched(models.ErrCheckerRole, err)
		require.NoError(t, s.SetStaffRole(t.Context(), tester, d.mira.StaffID, models.Support))
		_, err = d.approveSeen(d.mira, c, seen)
		untouched(models.ErrSignerChanged, err)
		again := d.mira
		again.Role = models.Support
		_, err = d.approveSeen(again, c, seen)
		untouched(models.ErrOwnRequest, err)
		_, err = s.RefuseCorrection(t.Context(), again, c.ID, "no")
		untouched(models.ErrOwnRequest, err)
		_, err = s.WithdrawCorrection(t.Context(), d.jonas, c.ID, "no")
		untouched(models.ErrNotYourRequest, err)
		require.NoError(t, s.DisableStaff(t.Context(), tester, d.jonas.StaffID, "", "left"))
		_, err = d.approveSeen(d.jonas, c, seen)
		untouched(models.ErrSignerChanged, err)
		_, err = s.RefuseCorrection(t.Context(), d.jonas, c.ID, "no")
		untouched(models.ErrSignerChanged, err)
		require.NoError(t, s.EnableStaff(t.Context(), tester, d.jonas.StaffID))
		_, err = d.approveSeen(d.jonas, models.Correction{ID: 99}, seen)
		untouched(models.ErrCorrectionUnknown, err)

		refused, err := s.RefuseCorrection(t.Context(), d.jonas, c.ID, "They were paid yesterday.")
		require.NoError(t, err)
		require.Equal(t, models.ApprovalRefused, refused.State)
		require.Equal(t, "They were paid yesterday.", refused.DecisionText)
		_, err = d.approveSeen(d.jonas, c, seen)
		require.ErrorIs(t, err, models.DecidedError{State: models.ApprovalRefused})
		other := d.ask(d.sofia, d.adjust(models.CorrectCredit, 100, "goodwill"))
		withdrawn, err := s.WithdrawCorrection(t.Context(), d.sofia, other.ID, "A mistake.")
		require.NoError(t, err)
		require.Equal(t, models.ApprovalWithdrawn, withdrawn.State)
		_, err = d.approve(d.jonas, other)
		require.ErrorIs(t, err, models.DecidedError{State: models.ApprovalWithdrawn})
		require.EqualValues(t, 1000, balance(t, s, "anna"))
		requireWhole(t, s)
	})
}

// Two approvals of one correction at once, from two instances: it is booked once, and only one person is told that they
// approved it.
func TestApprovalsAtOnceBookOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, x *site) {
		a, b := x.open(t), x.open(t)
		d := newDesk(t, a, 1_000_000)
		over := []*desk{d, {Store: b, t: t, anna: d.anna}}
		want := models.Amount(1_000_000)
		for round := range scaled(8, 200) {
			id := models.TransactionID(fmt.Sprint("t", round))
			apply(t, a, bet("anna", "bet-"+id, 100))
			for _, r := range []models.CorrectionRequest{d.rollback("bet-" + id), d.win("win-"+id, 70),
				d.adjust(models.CorrectCredit, 30, "goodwill"), d.adjust(models.CorrectDebit, 20, "paid-out")} {
				c := d.ask(d.mira, r)
				seen := d.seen(c)
				errs := make([]error, 8)
				together(len(errs), func(i int) {
					by := []models.Signer{d.jonas, d.jonas, d.mira, d.jonas}[i%4] // among them its own maker
					_, errs[i] = over[i%2].approveSeen(by, c, seen)
				})
				booked := 0
				for _, err := range errs {
					var decided models.DecidedError
					if err == nil {
						booked++
					} else if !errors.Is(err, models.ErrOwnRequest) {
						require.ErrorAs(t, err, &decided)
						require.Equal(t, models.ApprovalApproved, decided.State)
					}
				}
				require.Equal(t, 1, booked, "%v", errs)
			}
			want += 70 + 30 - 20
			require.Equal(t, want, balance(t, b, "anna"))
		}
		requireWhole(t, b)
	})
}

// An approval, a refusal and a withdrawal at once: one of them happens, and the balance matches it.
func TestOneDecisionOfMany(t *testing.T) {
	onBoth(t, func(t *testing.T, x *site) {
		a, b := x.open(t), x.open(t)
		d := newDesk(t, a, 1000)
		for range scaled(8, 200) {
			from := balance(t, a, "anna")
			c := d.ask(d.mira, d.adjust(models.CorrectCredit, 100, "goodwill"))
			seen := d.seen(c)
			errs := make([]error, 3)
			together(3, func(i int) {
				switch i {
				case 0:
					_, errs[i] = d.approveSeen(d.jonas, c, seen)
				case 1:
					_, errs[i] = b.RefuseCorrection(t.Context(), d.jonas, c.ID, "no")
				case 2:
					_, errs[i] = b.WithdrawCorrection(t.Context(), d.mira, c.ID, "no")
				}
			})
			now, _, err := b.Correction(t.Context(), c.ID)
			require.NoError(t, err)
			states := []models.ApprovalState{models.ApprovalApproved, models.ApprovalRefused, models.ApprovalWithdrawn}
			for i, err := range errs {
				if states[i] == now.State {
					require.NoError(t, err)
				} else {
					require.ErrorIs(t, err, models.DecidedError{State: now.State})
				}
			}
			if now.State == models.ApprovalApproved {
				from += 100
			}
			require.Equal(t, from, balance(t, a, "anna"))
		}
		requireWhole(t, a)
	})
}

// The approval of a rollback races the platform's own rollback, and the approval of a win races the late Deposit. The money
// moves once, and the slower of the two learns that it was slower.
func TestApprovalRacesThePlatform(t *testing.T) {
	onBoth(t, func(t *testing.T, x *site) {
		a, b := x.open(t), x.open(t)
		d := newDesk(t, a, 1_000_000)
		want := models.Amount(1_000_000)
		first := map[bool]int{}
		for round := range scaled(12, 300) {
			id := models.TransactionID(fmt.Sprint("t", round))
			apply(t, a, bet("anna", id, 100))
			for _, row := range []struct {
				r      models.CorrectionRequest
				op     models.Operation
				second models.Decline
				gains  models.Amount
			}{
				{d.rollback(id), rollback("anna", id), models.RolledBack, 0},
				{d.win("win-"+id, 70), win("anna", "win-"+id, 70), models.Duplicate, 70},
			} {
				c := d.ask(d.mira, row.r)
				seen := d.seen(c)
				seen.AnyBalance = true
				var err error
				var answers []answered
				together(2, func(i int) {
					if i == 0 {
						_, err = d.approveSeen(d.jonas, c, seen)
					} else {
						answers = applyTogether(t, patience, []models.Operation{row.op}, b)
					}
				})
				require.NoError(t, answers[0].err)
				ours := err == nil
				first[ours]++
				if ours {
					require.Equal(t, row.second, answers[0].Decline)
				} else {
					require.Equal(t, models.None, answers[0].Decline)
					requireDeclined(t, row.second, err)
					now, _, err := a.Correction(t.Context(), c.ID)
					require.NoError(t, err)
					require.Equal(t, models.ApprovalWaiting, now.State, "a person has to look at it")
					_, err = a.RefuseCorrection(t.Context(), d.jonas, c.ID, "The platform did it.")
					require.NoError(t, err)
				}
				want += row.gains
				require.Equal(t, want, balance(t, b, "anna"))
			}
		}
		t.Logf("the approval came first %d times, the platform %d times", first[true], first[false])
		requireWhole(t, b)
	})
}

// What the second approver saw is compared with the state at the moment of booking.
func TestChangedMeanwhile(t *testing.T) {
	onBoth(t, func(t *testing.T, x *site) {
		s := x.open(t)
		d := newDesk(t, s, 10000)
		stranded := bet("anna", "stranded", 2500)
		apply(t, s, stranded)

		c := d.ask(d.mira, d.rollback("stranded"))
		seen := d.seen(c)
		require.Equal(t, models.CorrectionBasis{After: 10000}, seen)
		apply(t, s, bet("anna", "another", 500))
		_, err := d.approveSeen(d.jonas, c, seen)
		var changed models.CorrectionChangedError
		require.ErrorAs(t, err, &changed)
		require.EqualValues(t, 9500, changed.Now.After)
		require.EqualValues(t, 7000, balance(t, s, "anna"), "nothing was booked")

		// A win of 0.00 leaves the balance as it is, but settles the round.
		seen = d.seen(c)
		nothing := win("anna", "nothing", 0)
		nothing.RoundID = stranded.RoundID
		apply(t, s, nothing)
		for _, any := range []bool{false, true} {
			seen.AnyBalance = any
			_, err = d.approveSeen(d.jonas, c, seen)
			require.ErrorAs(t, err, &changed)
			require.EqualValues(t, 1, changed.Now.Others)
		}
		seen = d.seen(c)
		apply(t, s, rollback("anna", "nothing"))
		_, err = d.approveSeen(d.jonas, c, seen)
		require.ErrorAs(t, err, &changed)
		require.EqualValues(t, 1, changed.Now.Reversed)

		// A second approver who knows that the player plays on can accept any balance.
		seen = d.seen(c)
		seen.AnyBalance = true
		apply(t, s, bet("anna", "one more", 100))
		booked, err := d.approveSeen(d.jonas, c, seen)
		require.NoError(t, err)
		require.Equal(t, [2]models.Amount{6900, 9400}, [2]models.Amount{booked.Before, booked.After})

		// Even then, a balance only goes below zero for reasons that allow it.
		debit := d.ask(d.mira, d.adjust(models.CorrectDebit, 9400, "paid-out"))
		charge := d.ask(d.mira, d.adjust(models.CorrectDebit, 9400, "charge-back"))
		winning := d.ask(d.mira, d.win("spent", 50))
		d.book(d.jonas, winning)
		taken := d.rollback("spent")
		taken.Reason = "other"
		back := d.ask(d.mira, taken)
		apply(t, s, bet("anna", "all of it", 9450))
		require.EqualValues(t, 0, balance(t, s, "anna"))
		_, err = d.approve(d.jonas, debit)
		requireDeclined(t, models.InsufficientFunds, err)
		_, err = d.approve(d.jonas, back)
		require.ErrorIs(t, err, models.ErrBelowZero)
		require.EqualValues(t, 0, balance(t, s, "anna"))
		o, err := s.Outlook(t.Context(), back)
		require.NoError(t, err)
		require.ErrorIs(t, o.Refusal, models.ErrBelowZero)
		require.EqualValues(t, -9400, d.book(d.jonas, charge).After)
		require.EqualValues(t, -9400, balance(t, s, "anna"))
		requireWhole(t, s)
	})
}

// A role may act alone up to an amount, and up to a sum per day, in each currency. It cannot go one cent further, however many
// requests come at once.
func TestLimitsAlone(t *testing.T) {
	onBoth(t, func(t *testing.T, x *site) {
		now := new(atomic.Int64)
		now.Store(time.Now().UnixMicro())
		x.cfg.Now = func() time.Time { return time.UnixMicro(now.Load()).UTC() }
		a, b := x.open(t), x.open(t)
		d := newDesk(t, a, 1000)
		alone := func(by models.Signer, c models.Correction, over *store.Store) error {
			seen := d.seen(c)
			seen.AnyBalance = true
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			_, err := over.BookCorrectionAlone(ctx, by, c.ID, seen)
			return err
		}
		credit := func(by models.Signer, amount models.Amount) models.Correction {
			return d.ask(by, d.adjust(models.CorrectCredit, amount, "goodwill"))
		}
		var limit models.AloneLimitError
		c := credit(d.sofia, 1)
		require.ErrorAs(t, alone(d.sofia, c, a), &limit, "nobody acts alone by default")
		storetest.Change(t, a, models.ChangeCorrectionLimits,
			models.AloneLimits{models.Support: {"EUR": {Amount: 100, PerDay: 250}}})
		require.NoError(t, alone(d.sofia, c, a))
		booked, _, err := a.Correction(t.Context(), c.ID)
		require.NoError(t, err)
		require.True(t, booked.Alone)
		require.Zero(t, booked.Checker)
		require.ErrorAs(t, alone(d.sofia, credit(d.sofia, 101), a), &limit)
		require.ErrorIs(t, alone(d.sofia, credit(d.mira, 5), a), models.ErrNotYourRequest)
		require.ErrorAs(t, alone(d.mira, credit(d.mira, 5), a), &limit, "another role")

		list := make([]models.Correction, 6)
		for i := range list {
			list[i] = credit(d.sofia, 100)
		}
		errs := make([]error, len(list))
		together(len(list), func(i int) { errs[i] = alone(d.sofia, list[i], []*store.Store{a, b}[i%2]) })
		n := 0
		for _, err := range errs {
			if err == nil {
				n++
			} else {
				require.ErrorAs(t, err, &limit)
			}
		}
		require.Equal(t, 2, n, "%v", errs)
		taken, err := a.BookedAlone(t.Context(), d.sofia.StaffID, "EUR")
		require.NoError(t, err)
		require.EqualValues(t, 201, taken)
		require.NoError(t, alone(d.sofia, credit(d.sofia, 49), b))
		last := credit(d.sofia, 1)
		require.ErrorAs(t, alone(d.sofia, last, a), &limit)
		require.Equal(t, models.AloneLimitError{Limit: models.AloneLimit{Amount: 100, PerDay: 250}, Taken: 250, Asked: 1},
			limit)
		now.Add((24 * time.Hour).Microseconds())
		require.NoError(t, alone(d.sofia, last, a), "a new day")
		require.EqualValues(t, 1000+1+200+49+1, balance(t, a, "anna"))
		requireWhole(t, a)
	})
}

// Whatever happens to the commit and its answer, a correction is booked once, and its second approver is told that it was
// booked.
func TestApprovalInDoubt(t *testing.T) {
	onFaultyWay(t, func(t *testing.T, x *site, p *storetest.FaultProxy, via *store.Store) {
		d := newDesk(t, via, 100000)
		struck := releaser(t, p)
		round := 0
		for name, fault := range commitFaults {
			for _, times := range []int{1, 3} {
				t.Run(fmt.Sprintf("%s %d times", name, times), func(t *testing.T) {
					round++
					id := models.TransactionID(fmt.Sprint("t", round))
					apply(t, via, bet("anna", id, 100))
					apply(t, via, freeSpin("anna", "spin-"+id, 100))
					for _, r := range []models.CorrectionRequest{
						d.rollback(id), d.rollback("spin-" + id), d.win("win-"+id, 100),
						d.adjust(models.CorrectCredit, 100, "goodwill"), d.adjust(models.CorrectDebit, 200, "paid-out"),
					} {
						c := d.ask(d.mira, r)
						seen := d.seen(c)
						from, events := balance(t, via, "anna"), x.number(t, "SELECT COUNT(*) FROM audit_events")
						faults := struck.Load()
						p.AtCommit(fault, times)
						booked, err := d.approveSeen(d.jonas, c, seen)
						p.AtCommit(0, 0)
						require.NoError(t, err)
						require.Equal(t, models.ApprovalApproved, booked.State)
						require.Equal(t, from+c.Effect, balance(t, via, "anna"))
						require.Equal(t, from+c.Effect, booked.After)
						require.Equal(t, events+1, x.number(t, "SELECT COUNT(*) FROM audit_events"))
						require.Eventually(t, func() bool { return struck.Load() > faults }, patience, time.Millisecond,
							"the fault never struck")
						_, err = d.approveSeen(d.jonas, c, seen)
						require.ErrorIs(t, err, models.DecidedError{State: models.ApprovalApproved})
					}
					requireWhole(t, via)
				})
			}
		}
	})
}

// Verify distinguishes a correction without its line from a line without its correction.
func TestVerifyComparesCorrectionsWithTheirLines(t *testing.T) {
	onEngines(t, func(t *testing.T, x *site) {
		s := x.open(t)
		d := newDesk(t, s, 10000)
		apply(t, s, bet("anna", "bet", 100))
		apply(t, s, freeSpin("anna", "spin", 100))
		for _, r := range []models.CorrectionRequest{d.rollback("bet"), d.rollback("spin"), d.win("win", 5),
			d.adjust(models.CorrectCredit, 30, "goodwill"), d.adjust(models.CorrectDebit, 20, "paid-out")} {
			d.book(d.jonas, d.ask(d.mira, r))
		}
		waiting := d.ask(d.mira, d.adjust(models.CorrectCredit, 30, "goodwill"))
		requireWhole(t, s)
		for _, row := range []struct{ tamper, undo, want string }{
			{"UPDATE corrections SET state = 3 WHERE id = 4", "UPDATE corrections SET state = 2 WHERE id = 4",
				"an adjustment without an approved correction"},
			{"UPDATE corrections SET effect_minor = 31 WHERE id = 4", "UPDATE corrections SET effect_minor = 30 WHERE id = 4",
				"differs from what correction 4 says that it booked"},
			{"UPDATE corrections SET transaction_id = 'bet2' WHERE id = 1",
				"UPDATE corrections SET transaction_id = 'bet' WHERE id = 1", "differs from what correction 1 says that it booked"},
			{"UPDATE corrections SET transaction_id = 'x' WHERE id = 2",
				"UPDATE corrections SET transaction_id = 'spin' WHERE id = 2", "differs from what correction 2 says that it booked"},
			{"UPDATE corrections SET kind = 1 WHERE id = 3", "UPDATE corrections SET kind = 4 WHERE id = 3",
				"differs from what correction 3 says that it booked"},
			{"UPDATE corrections SET state = 2, seq = 99 WHERE id = " + strconv.FormatInt(waiting.ID, 10),
				"UPDATE corrections SET state = 1, seq = 0 WHERE id = " + strconv.FormatInt(waiting.ID, 10),
				"says that it booked line 99, which does not exist"},
			{"UPDATE corrections SET state = 2, seq = 3 WHERE id = " + strconv.FormatInt(waiting.ID, 10),
				"UPDATE corrections SET state = 1, seq = 0 WHERE id = " + strconv.FormatInt(waiting.ID, 10),
				"both say that they booked line 3"},
		} {
			x.exec(t, row.tamper)
			v, err := s.Verify(t.Context(), nil)
			require.NoError(t, err)
			require.Len(t, v.Faulty, 1, row.tamper)
			require.Contains(t, strings.Join(v.Faulty[0].Faults, "; "), row.want, row.tamper)
			x.exec(t, row.undo)
		}
		requireWhole(t, s)
	})
}

// The platform cannot refer to what we book ourselves: if it has already rolled back an ID like one of ours, our correction is
// booked all the same.
func TestAPlatformRollbackCannotStopAnAdjustment(t *testing.T) {
	onBoth(t, func(t *testing.T, x *site) {
		s := x.open(t)
		d := newDesk(t, s, 1000)
		require.Equal(t, models.NotFound, apply(t, s, rollback("anna", models.AdjustmentID(1))).Decline)
		c := d.ask(d.mira, d.adjust(models.CorrectCredit, 100, "goodwill"))
		require.EqualValues(t, 1, c.ID)
		d.book(d.jonas, c)
		require.Equal(t, models.NotFound, apply(t, s, rollback("anna", models.AdjustmentID(1))).Decline)
		require.EqualValues(t, 1100, balance(t, s, "anna"))
		requireWhole(t, s)
	})
}

// Lists and counts of corrections.
func TestCorrectionLists(t *testing.T) {
	onEngines(t, func(t *testing.T, x *site) {
		s := x.open(t)
		d := newDesk(t, s, 1000)
		apply(t, s, bet("anna", "bet", 100))
		begun := time.Now().Add(-time.Minute)
		one := d.ask(d.sofia, d.rollback("bet"))
		two := d.ask(d.mira, d.adjust(models.CorrectCredit, 30, "goodwill"))
		three := d.ask(d.mira, d.adjust(models.CorrectDebit, 20, "paid-out"))
		two = d.book(d.jonas, two)
		require.Equal(t, "bet", one.Original.Kind.String())
		ids := func(f models.CorrectionFilter) (ids []int64) {
			if f.Limit == 0 {
				f.Limit = 10
			}
			list, _, err := s.Corrections(t.Context(), f)
			require.NoError(t, err)
			for _, c := range list {
				ids = append(ids, c.ID)
			}
			return ids
		}
		for _, row := range []struct {
			f    models.CorrectionFilter
			want []int64
		}{
			{models.CorrectionFilter{}, []int64{three.ID, two.ID, one.ID}},
			{models.CorrectionFilter{State: models.ApprovalWaiting}, []int64{three.ID, one.ID}},
			{models.CorrectionFilter{Kind: models.CorrectRollback}, []int64{one.ID}},
			{models.CorrectionFilter{TransactionID: "bet"}, []int64{one.ID}},
			{models.CorrectionFilter{MakerID: d.mira.StaffID}, []int64{three.ID, two.ID}},
			{models.CorrectionFilter{CheckerID: d.jonas.StaffID}, []int64{two.ID}},
			{models.CorrectionFilter{Reason: "paid-out"}, []int64{three.ID}},
			{models.CorrectionFilter{PlayerID: d.anna.ID, Since: begun}, []int64{three.ID, two.ID, one.ID}},
			{models.CorrectionFilter{Until: begun}, nil},
			{models.CorrectionFilter{Limit: 1, Page: models.Cursor{At: three.At, ID: three.ID}}, []int64{two.ID}},
			{models.CorrectionFilter{Limit: 1, Page: models.Cursor{At: one.At, ID: one.ID, Newer: true}}, []int64{two.ID}},
		} {
			require.Equal(t, row.want, ids(row.f), "%+v", row.f)
		}
		decided, err := s.DecidedCorrections(t.Context(), begun, 10)
		require.NoError(t, err)
		require.Equal(t, []models.Correction{two}, decided)
		waiting, err := s.WaitingByMaker(t.Context())
		require.NoError(t, err)
		require.Equal(t, map[int64]int64{d.mira.StaffID: 1, d.sofia.StaffID: 1}, waiting)
	})
}

// Somebody with access to the database turns a waiting correction towards another player while it is approved, and back before
// its row is compared with the audit log. Nothing is booked.
func TestApprovalBooksOnlyWhatItProved(t *testing.T) {
	t.Parallel() // it waits most of the time
	x := newSite(t, storetest.MariaDB, false)
	x.cfg.LockWait = patience
	d := newDesk(t, x.open(t), 1000)
	bert := create(t, d.Store, "bert", 1000)
	c := d.ask(d.mira, d.adjust(models.CorrectCredit, 300, "goodwill"))
	seen := d.seen(c)
	storetest.DropTriggers(t, x.cfg.URL)
	turn := func(to int64) {
		_, err := x.db.ExecContext(t.Context(), "UPDATE corrections SET player_id = ? WHERE id = ?", to, c.ID)
		require.NoError(t, err)
	}
	letGo := x.holdWallet(t, "bert")
	defer letGo()
	turn(bert.ID)
	approved := make(chan error)
	go func() {
		_, err := d.approveSeen(d.jonas, c, seen)
		approved <- err
	}()
	x.awaitLockWaits(t, 1)
	turn(d.anna.ID)
	letGo()
	var tampered models.TamperedError
	require.ErrorAs(t, <-approved, &tampered)
	require.Equal(t, "correction", tampered.Object)
	require.EqualValues(t, 1000, balance(t, d.Store, "anna"))
	require.EqualValues(t, 1000, balance(t, d.Store, "bert"))
	d.book(d.jonas, c)
	require.EqualValues(t, 1300, balance(t, d.Store, "anna"))
}

// A player is erased while a correction of theirs is being approved. That is no tampering.
func TestErasedDuringApproval(t *testing.T) {
	t.Parallel() // it waits most of the time
	x := newSite(t, storetest.MariaDB, false)
	x.cfg.LockWait = patience
	d := newDesk(t, x.open(t), 0)
	require.NoError(t, d.SetBlocked(t.Context(), tester, "anna", true, "asked for it"))
	c := d.ask(d.mira, d.adjust(models.CorrectCredit, 300, "goodwill"))
	seen := d.seen(c)
	letGo := x.holdWallet(t, "anna")
	defer letGo()
	erased, approved := make(chan error), make(chan error)
	go func() {
		_, err := d.ErasePlayer(t.Context(), tester, "anna", "asked for it")
		erased <- err
	}()
	x.awaitLockWaits(t, 1)
	go func() {
		_, err := d.approveSeen(d.jonas, c, seen)
		approved <- err
	}()
	x.awaitLockWaits(t, 2)
	letGo()
	require.NoError(t, <-erased)
	err := <-approved
	require.Error(t, err)
	require.False(t, errors.As(err, new(models.TamperedError)), "%v", err)
	requireWhole(t, d.Store)
}
