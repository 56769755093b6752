package control_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

func requireDeclined(t testing.TB, want models.Decline, err error) {
	t.Helper()
	var declined models.CorrectionDeclinedError
	require.ErrorAs(t, err, &declined)
	require.Equal(t, want, declined.Decline)
}

// Each kind of correction books its money once, and the platform's own call is answered accordingly if it comes late.
func TestCorrectionsAreNotPaidTwice(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		d := storetest.NewColleagues(t, s, 10000)
		for _, op := range []models.Operation{storetest.Bet("anna", "bet", 2500), storetest.Win("anna", "win", 300),
			storetest.BetWin("anna", "both", 100, 40), storetest.FreeSpin("anna", "spin", 50)} {
			require.Equal(t, models.None, storetest.Apply(t, s, op).Decline)
		}
		before := models.Amount(10000 - 2500 + 300 - 60)
		require.Equal(t, before, storetest.Balance(t, s, "anna"))

		for _, row := range []struct {
			r      models.CorrectionRequest
			effect models.Amount
			spin   bool
			late   models.Operation // what the platform may still send
			answer models.Decline
		}{
			{d.Rollback("bet"), 2500, false, storetest.Rollback("anna", "bet"), models.RolledBack},
			{d.Rollback("win"), -300, false, storetest.Rollback("anna", "win"), models.RolledBack},
			{d.Rollback("both"), 60, false, storetest.Rollback("anna", "both"), models.RolledBack},
			{d.Rollback("spin"), 0, true, storetest.Rollback("anna", "spin"), models.RolledBack},
			{d.Win("missing", 700), 700, false, storetest.Win("anna", "missing", 700), models.Duplicate},
			{d.Adjust(models.CorrectCredit, 150, "goodwill"), 150, false, storetest.Bet("anna", "bet", 2500),
				models.RolledBack},
			{d.Adjust(models.CorrectDebit, 25, "paid-out"), -25, false, storetest.Rollback("anna", "missing-2"),
				models.NotFound},
		} {
			asked := d.Request(d.Mira, row.r)
			require.Equal(t, before, storetest.Balance(t, s, "anna"), "a request moves no money")
			require.Equal(t, row.effect, asked.Effect)
			require.Equal(t, before, asked.BalanceAtRequest)
			require.Equal(t, "MIRA", asked.Maker.Name)
			booked := d.MustApprove(d.Jonas, asked)
			require.Equal(t, [2]models.Amount{before, before + row.effect}, [2]models.Amount{booked.Before, booked.After})
			require.Equal(t, "JONAS", booked.Checker.Name)
			table, id, source := "entries", row.r.TransactionID, " AND source = 1"
			if row.r.Kind.Adjusts() {
				id, source = models.AdjustmentID(booked.ID), " AND source = 2"
			}
			if row.spin {
				table, source = "spin_entries", ""
			}
			require.Equal(t, row.spin, booked.Spin)
			require.EqualValues(t, 1,
				x.Number(t, "SELECT COUNT(*) FROM "+table+" WHERE player_id = ? AND seq = ? AND transaction_id = ?"+source,
					d.Anna.ID, booked.Seq, string(id)))

			before += row.effect
			r := storetest.Apply(t, s, row.late)
			require.Equal(t, row.answer, r.Decline, "%s", row.r.Kind)
			require.False(t, r.OtherContents)
			require.Equal(t, before, storetest.Balance(t, s, "anna"))
		}
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Rollback("anna", "missing")).Decline,
			"a win booked by hand can be rolled back like any other")
		require.EqualValues(t, 1,
			x.Number(t, "SELECT COUNT(*) FROM audit_events WHERE object = 'correction' AND action = 'correction approved' "+
				"AND object_id = '1' AND actor = 'jonas'"))
		storetest.RequireWhole(t, s)
	})
}

// What the wallet or the rules would refuse is refused when it is requested, and leaves nothing behind.
func TestAskingIsRefused(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		d := storetest.NewColleagues(t, s, 1000)
		storetest.Apply(t, s, storetest.Bet("anna", "bet", 400))
		storetest.Apply(t, s, storetest.Bet("anna", "gone", 100))
		storetest.Apply(t, s, storetest.Rollback("anna", "gone"))
		storetest.Apply(t, s, storetest.Rollback("anna", "early"))
		storetest.CreatePlayer(t, s, "bert", 500)
		storetest.Apply(t, s, storetest.Bet("bert", "berts", 100))

		declined := func(want models.Decline, r models.CorrectionRequest) {
			t.Helper()
			_, err := d.TryRequest(d.Mira, r)
			requireDeclined(t, want, err)
		}
		declined(models.RolledBack, d.Rollback("gone"))
		declined(models.NotFound, d.Rollback("never"))
		declined(models.NotFound, d.Rollback("berts"))
		declined(models.NotFound, d.Rollback(models.TransactionID(fmt.Sprintf("opening:%d", d.Anna.ID))))
		declined(models.RolledBack, d.Win("gone", 10))
		declined(models.RolledBack, d.Win("early", 10))
		declined(models.Duplicate, d.Win("bet", 10))
		declined(models.InsufficientFunds, d.Adjust(models.CorrectDebit, 601, "paid-out"))
		declined(models.BalanceOverflow, d.Adjust(models.CorrectCredit, models.MaxAmount, "goodwill"))
		_, err := d.TryRequest(d.Admin, d.Rollback("bet"))
		require.ErrorIs(t, err, models.ErrMakerRole)
		_, err = d.TryRequest(models.Signer{Actor: d.Sofia.Actor, StaffID: d.Sofia.StaffID, Role: models.Finance},
			d.Rollback("bet"))
		require.ErrorIs(t, err, models.ErrSignerChanged, "the role has changed since")
		nobody := d.Adjust(models.CorrectCredit, 5, "goodwill")
		nobody.PlayerID = 999
		_, err = d.TryRequest(d.Mira, nobody)
		require.ErrorIs(t, err, models.ErrPlayerUnknown)
		require.Zero(t, x.Number(t, "SELECT COUNT(*) FROM corrections"))
		require.Zero(t, x.Number(t, "SELECT COUNT(*) FROM tombstones WHERE transaction_id = 'never'"),
			"looking ahead leaves no tombstone")

		d.Request(d.Sofia, d.Rollback("bet"))
		again := d.Rollback("bet")
		again.Another = ""
		_, err = d.TryRequest(d.Mira, again)
		require.ErrorIs(t, err, models.ErrAnother, "it waits already")
		twice := d.Adjust(models.CorrectCredit, 400, "goodwill")
		_, err = s.RequestCorrection(t.Context(), d.Sofia, twice)
		require.ErrorIs(t, err, models.ErrAnother, "the button was pressed twice")
		storetest.RequireWhole(t, s)
	})
}

// Only others may decide, and there is only one decision.
func TestDecisionsBelongToOthers(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		d := storetest.NewColleagues(t, s, 1000)
		c := d.Request(d.Mira, d.Adjust(models.CorrectCredit, 100, "goodwill"))
		seen := d.Basis(c)
		untouched := func(want error, err error) {
			t.Helper()
			require.ErrorIs(t, err, want)
			require.EqualValues(t, 1000, storetest.Balance(t, s, "anna"))
			now, _, err := s.Correction(t.Context(), c.ID)
			require.NoError(t, err)
			require.Equal(t, c, now)
		}
		_, err := d.ApproveWith(d.Mira, c, seen)
		untouched(models.ErrOwnRequest, err)
		_, err = d.ApproveWith(d.Admin, c, seen)
		untouched(models.ErrCheckerRole, err)
		require.NoError(t, s.SetStaffRole(t.Context(), storetest.Tester, d.Mira.StaffID, models.Support))
		_, err = d.ApproveWith(d.Mira, c, seen)
		untouched(models.ErrSignerChanged, err)
		again := d.Mira
		again.Role = models.Support
		_, err = d.ApproveWith(again, c, seen)
		untouched(models.ErrOwnRequest, err)
		err = storetest.Refuse(t.Context(), s, "correction", again, c.ID, "no")
		untouched(models.ErrOwnRequest, err)
		err = storetest.Withdraw(t.Context(), s, "correction", d.Jonas, c.ID, "no")
		untouched(models.ErrNotYourRequest, err)
		require.NoError(t, s.DisableStaff(t.Context(), storetest.Tester, d.Jonas.StaffID, "left"))
		_, err = d.ApproveWith(d.Jonas, c, seen)
		untouched(models.ErrSignerChanged, err)
		err = storetest.Refuse(t.Context(), s, "correction", d.Jonas, c.ID, "no")
		untouched(models.ErrSignerChanged, err)
		require.NoError(t, s.EnableStaff(t.Context(), storetest.Tester, d.Jonas.StaffID))
		_, err = d.ApproveWith(d.Jonas, models.Correction{ID: 99}, seen)
		untouched(models.ErrCorrectionUnknown, err)

		require.NoError(t, storetest.Refuse(t.Context(), s, "correction", d.Jonas, c.ID, "They were paid yesterday."))
		refused, _, err := s.Correction(t.Context(), c.ID)
		require.NoError(t, err)
		require.Equal(t, models.ApprovalRefused, refused.State)
		require.Equal(t, "They were paid yesterday.", refused.DecisionText)
		_, err = d.ApproveWith(d.Jonas, c, seen)
		require.ErrorIs(t, err, models.DecidedError{State: models.ApprovalRefused})
		other := d.Request(d.Sofia, d.Adjust(models.CorrectCredit, 100, "goodwill"))
		require.NoError(t, storetest.Withdraw(t.Context(), s, "correction", d.Sofia, other.ID, "A mistake."))
		withdrawn, _, err := s.Correction(t.Context(), other.ID)
		require.NoError(t, err)
		require.Equal(t, models.ApprovalWithdrawn, withdrawn.State)
		_, err = d.Approve(d.Jonas, other)
		require.ErrorIs(t, err, models.DecidedError{State: models.ApprovalWithdrawn})
		require.EqualValues(t, 1000, storetest.Balance(t, s, "anna"))
		storetest.RequireWhole(t, s)
	})
}

// Two approvals of one correction at once, from two instances: it is booked once, and only one person is told that they
// approved it.
func TestApprovalsAtOnceBookOnce(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		d := storetest.NewColleagues(t, a, 1_000_000)
		over := []*storetest.Colleagues{d, {Store: b, T: t, Anna: d.Anna}}
		want := models.Amount(1_000_000)
		for round := range storetest.Scaled(8, 200) {
			id := models.TransactionID(fmt.Sprint("t", round))
			storetest.Apply(t, a, storetest.Bet("anna", "bet-"+id, 100))
			for _, r := range []models.CorrectionRequest{d.Rollback("bet-" + id), d.Win("win-"+id, 70),
				d.Adjust(models.CorrectCredit, 30, "goodwill"), d.Adjust(models.CorrectDebit, 20, "paid-out")} {
				c := d.Request(d.Mira, r)
				seen := d.Basis(c)
				errs := make([]error, 8)
				storetest.Together(len(errs), func(i int) {
					by := []models.Signer{d.Jonas, d.Jonas, d.Mira, d.Jonas}[i%4] // among them its own maker
					_, errs[i] = over[i%2].ApproveWith(by, c, seen)
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
			require.Equal(t, want, storetest.Balance(t, b, "anna"))
		}
		storetest.RequireWhole(t, b)
	})
}

// An approval, a refusal and a withdrawal at once: one of them happens, and the balance matches it.
func TestOneDecisionOfMany(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		d := storetest.NewColleagues(t, a, 1000)
		for range storetest.Scaled(8, 200) {
			from := storetest.Balance(t, a, "anna")
			c := d.Request(d.Mira, d.Adjust(models.CorrectCredit, 100, "goodwill"))
			seen := d.Basis(c)
			errs := make([]error, 3)
			storetest.Together(3, func(i int) {
				switch i {
				case 0:
					_, errs[i] = d.ApproveWith(d.Jonas, c, seen)
				case 1:
					errs[i] = storetest.Refuse(t.Context(), b, "correction", d.Jonas, c.ID, "no")
				case 2:
					errs[i] = storetest.Withdraw(t.Context(), b, "correction", d.Mira, c.ID, "no")
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
			require.Equal(t, from, storetest.Balance(t, a, "anna"))
		}
		storetest.RequireWhole(t, a)
	})
}

// The approval of a rollback races the platform's own rollback, and the approval of a win races the late Deposit. The money
// moves once, and the slower of the two learns that it was slower.
func TestApprovalRacesThePlatform(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		d := storetest.NewColleagues(t, a, 1_000_000)
		want := models.Amount(1_000_000)
		first := map[bool]int{}
		for round := range storetest.Scaled(12, 300) {
			id := models.TransactionID(fmt.Sprint("t", round))
			storetest.Apply(t, a, storetest.Bet("anna", id, 100))
			for _, row := range []struct {
				r      models.CorrectionRequest
				op     models.Operation
				second models.Decline
				gains  models.Amount
			}{
				{d.Rollback(id), storetest.Rollback("anna", id), models.RolledBack, 0},
				{d.Win("win-"+id, 70), storetest.Win("anna", "win-"+id, 70), models.Duplicate, 70},
			} {
				c := d.Request(d.Mira, row.r)
				seen := d.Basis(c)
				seen.AnyBalance = true
				var err error
				var answers []storetest.Answered
				storetest.Together(2, func(i int) {
					if i == 0 {
						_, err = d.ApproveWith(d.Jonas, c, seen)
					} else {
						answers = storetest.ApplyTogether(t, storetest.Patience, []models.Operation{row.op}, b)
					}
				})
				require.NoError(t, answers[0].Err)
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
					err = storetest.Refuse(t.Context(), a, "correction", d.Jonas, c.ID, "The platform did it.")
					require.NoError(t, err)
				}
				want += row.gains
				require.Equal(t, want, storetest.Balance(t, b, "anna"))
			}
		}
		t.Logf("the approval came first %d times, the platform %d times", first[true], first[false])
		storetest.RequireWhole(t, b)
	})
}

// What the second approver saw is compared with the state at the moment of booking.
func TestChangedMeanwhile(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		d := storetest.NewColleagues(t, s, 10000)
		stranded := storetest.Bet("anna", "stranded", 2500)
		storetest.Apply(t, s, stranded)

		c := d.Request(d.Mira, d.Rollback("stranded"))
		seen := d.Basis(c)
		require.Equal(t, models.CorrectionBasis{After: 10000}, seen)
		storetest.Apply(t, s, storetest.Bet("anna", "another", 500))
		_, err := d.ApproveWith(d.Jonas, c, seen)
		var changed models.CorrectionChangedError
		require.ErrorAs(t, err, &changed)
		require.EqualValues(t, 9500, changed.Now.After)
		require.EqualValues(t, 7000, storetest.Balance(t, s, "anna"), "nothing was booked")

		// A win of 0.00 leaves the balance as it is, but settles the round.
		seen = d.Basis(c)
		nothing := storetest.Win("anna", "nothing", 0)
		nothing.RoundID = stranded.RoundID
		storetest.Apply(t, s, nothing)
		for _, any := range []bool{false, true} {
			seen.AnyBalance = any
			_, err = d.ApproveWith(d.Jonas, c, seen)
			require.ErrorAs(t, err, &changed)
			require.EqualValues(t, 1, changed.Now.Others)
		}
		seen = d.Basis(c)
		storetest.Apply(t, s, storetest.Rollback("anna", "nothing"))
		_, err = d.ApproveWith(d.Jonas, c, seen)
		require.ErrorAs(t, err, &changed)
		require.EqualValues(t, 1, changed.Now.Reversed)

		// A second approver who knows that the player plays on can accept any balance.
		seen = d.Basis(c)
		seen.AnyBalance = true
		storetest.Apply(t, s, storetest.Bet("anna", "one more", 100))
		booked, err := d.ApproveWith(d.Jonas, c, seen)
		require.NoError(t, err)
		require.Equal(t, [2]models.Amount{6900, 9400}, [2]models.Amount{booked.Before, booked.After})

		// Even then, a balance only goes below zero for reasons that allow it.
		debit := d.Request(d.Mira, d.Adjust(models.CorrectDebit, 9400, "paid-out"))
		charge := d.Request(d.Mira, d.Adjust(models.CorrectDebit, 9400, "charge-back"))
		winning := d.Request(d.Mira, d.Win("spent", 50))
		d.MustApprove(d.Jonas, winning)
		taken := d.Rollback("spent")
		taken.Reason = "other"
		back := d.Request(d.Mira, taken)
		storetest.Apply(t, s, storetest.Bet("anna", "all of it", 9450))
		require.EqualValues(t, 0, storetest.Balance(t, s, "anna"))
		_, err = d.Approve(d.Jonas, debit)
		requireDeclined(t, models.InsufficientFunds, err)
		_, err = d.Approve(d.Jonas, back)
		require.ErrorIs(t, err, models.ErrBelowZero)
		require.EqualValues(t, 0, storetest.Balance(t, s, "anna"))
		o, err := s.Outlook(t.Context(), back)
		require.NoError(t, err)
		require.ErrorIs(t, o.Refusal, models.ErrBelowZero)
		require.EqualValues(t, -9400, d.MustApprove(d.Jonas, charge).After)
		require.EqualValues(t, -9400, storetest.Balance(t, s, "anna"))
		storetest.RequireWhole(t, s)
	})
}

// Whatever happens to the commit and its answer, a correction is booked once, and its second approver is told that it was
// booked.
func TestApprovalInDoubt(t *testing.T) {
	storetest.OnFaultyConnections(t, func(t *testing.T, x *storetest.Database, p *storetest.FaultProxy, via *store.Store) {
		d := storetest.NewColleagues(t, via, 100000)
		struck := storetest.Releaser(t, p)
		round := 0
		for name, fault := range storetest.CommitFaults {
			for _, times := range []int{1, 3} {
				t.Run(fmt.Sprintf("%s %d times", name, times), func(t *testing.T) {
					round++
					id := models.TransactionID(fmt.Sprint("t", round))
					storetest.Apply(t, via, storetest.Bet("anna", id, 100))
					storetest.Apply(t, via, storetest.FreeSpin("anna", "spin-"+id, 100))
					for _, r := range []models.CorrectionRequest{
						d.Rollback(id), d.Rollback("spin-" + id), d.Win("win-"+id, 100),
						d.Adjust(models.CorrectCredit, 100, "goodwill"), d.Adjust(models.CorrectDebit, 200, "paid-out"),
					} {
						c := d.Request(d.Mira, r)
						seen := d.Basis(c)
						from, events := storetest.Balance(t, via, "anna"), x.Number(t, "SELECT COUNT(*) FROM audit_events")
						faults := struck.Load()
						p.AtCommit(fault, times)
						booked, err := d.ApproveWith(d.Jonas, c, seen)
						p.AtCommit(0, 0)
						require.NoError(t, err)
						require.Equal(t, models.ApprovalApproved, booked.State)
						require.Equal(t, from+c.Effect, storetest.Balance(t, via, "anna"))
						require.Equal(t, from+c.Effect, booked.After)
						require.Equal(t, events+1, x.Number(t, "SELECT COUNT(*) FROM audit_events"))
						require.Eventually(t, func() bool { return struck.Load() > faults }, storetest.Patience,
							time.Millisecond,
							"the fault never struck")
						_, err = d.ApproveWith(d.Jonas, c, seen)
						require.ErrorIs(t, err, models.DecidedError{State: models.ApprovalApproved})
					}
					storetest.RequireWhole(t, via)
				})
			}
		}
	})
}

// Verify distinguishes a correction without its line from a line without its correction.
func TestVerifyComparesCorrectionsWithTheirLines(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		d := storetest.NewColleagues(t, s, 10000)
		storetest.Apply(t, s, storetest.Bet("anna", "bet", 100))
		storetest.Apply(t, s, storetest.FreeSpin("anna", "spin", 100))
		for _, r := range []models.CorrectionRequest{d.Rollback("bet"), d.Rollback("spin"), d.Win("win", 5),
			d.Adjust(models.CorrectCredit, 30, "goodwill"), d.Adjust(models.CorrectDebit, 20, "paid-out")} {
			d.MustApprove(d.Jonas, d.Request(d.Mira, r))
		}
		waiting := d.Request(d.Mira, d.Adjust(models.CorrectCredit, 30, "goodwill"))
		storetest.RequireWhole(t, s)
		for _, row := range []struct{ tamper, undo, want string }{
			{"UPDATE corrections SET state = 3 WHERE id = 4", "UPDATE corrections SET state = 2 WHERE id = 4",
				"an adjustment without an approved correction"},
			{"UPDATE corrections SET effect_minor = 31 WHERE id = 4", "UPDATE corrections SET effect_minor = 30 WHERE id = 4",
				"differs from what correction 4 says that it booked"},
			{"UPDATE corrections SET transaction_id = 'bet2' WHERE id = 1",
				"UPDATE corrections SET transaction_id = 'bet' WHERE id = 1",
				"differs from what correction 1 says that it booked"},
			{"UPDATE corrections SET transaction_id = 'x' WHERE id = 2",
				"UPDATE corrections SET transaction_id = 'spin' WHERE id = 2",
				"differs from what correction 2 says that it booked"},
			{"UPDATE corrections SET kind = 1 WHERE id = 3", "UPDATE corrections SET kind = 4 WHERE id = 3",
				"differs from what correction 3 says that it booked"},
			{"UPDATE corrections SET state = 2, seq = 99 WHERE id = " + strconv.FormatInt(waiting.ID, 10),
				"UPDATE corrections SET state = 1, seq = 0 WHERE id = " + strconv.FormatInt(waiting.ID, 10),
				"says that it booked line 99, which does not exist"},
			{"UPDATE corrections SET state = 2, seq = 3 WHERE id = " + strconv.FormatInt(waiting.ID, 10),
				"UPDATE corrections SET state = 1, seq = 0 WHERE id = " + strconv.FormatInt(waiting.ID, 10),
				"both say that they booked line 3"},
		} {
			x.Exec(t, row.tamper)
			v, err := s.Verify(t.Context(), nil)
			require.NoError(t, err)
			require.Len(t, v.Faulty, 1, row.tamper)
			require.Contains(t, strings.Join(v.Faulty[0].Faults, "; "), row.want, row.tamper)
			x.Exec(t, row.undo)
		}
		storetest.RequireWhole(t, s)
	})
}

// The platform cannot refer to what we book ourselves: if it has already rolled back an ID like one of ours, our correction is
// booked all the same.
func TestAPlatformRollbackCannotStopAnAdjustment(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		d := storetest.NewColleagues(t, s, 1000)
		require.Equal(t, models.NotFound, storetest.Apply(t, s, storetest.Rollback("anna", models.AdjustmentID(1))).Decline)
		c := d.Request(d.Mira, d.Adjust(models.CorrectCredit, 100, "goodwill"))
		require.EqualValues(t, 1, c.ID)
		d.MustApprove(d.Jonas, c)
		require.Equal(t, models.NotFound, storetest.Apply(t, s, storetest.Rollback("anna", models.AdjustmentID(1))).Decline)
		require.EqualValues(t, 1100, storetest.Balance(t, s, "anna"))
		storetest.RequireWhole(t, s)
	})
}

// Lists and counts of corrections.
func TestCorrectionLists(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		d := storetest.NewColleagues(t, s, 1000)
		storetest.Apply(t, s, storetest.Bet("anna", "bet", 100))
		begun := time.Now().Add(-time.Minute)
		one := d.Request(d.Sofia, d.Rollback("bet"))
		two := d.Request(d.Mira, d.Adjust(models.CorrectCredit, 30, "goodwill"))
		three := d.Request(d.Mira, d.Adjust(models.CorrectDebit, 20, "paid-out"))
		two = d.MustApprove(d.Jonas, two)
		require.Equal(t, "bet", one.Original.Kind.String())
		ids := func(f models.CorrectionFilter) (ids []int64) {
			if f.Limit == 0 {
				f.Limit = 10
			}
			list, err := s.Corrections(t.Context(), f)
			require.NoError(t, err)
			for _, c := range list.Rows {
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
			{models.CorrectionFilter{MakerID: d.Mira.StaffID}, []int64{three.ID, two.ID}},
			{models.CorrectionFilter{CheckerID: d.Jonas.StaffID}, []int64{two.ID}},
			{models.CorrectionFilter{Reason: "paid-out"}, []int64{three.ID}},
			{models.CorrectionFilter{PlayerID: d.Anna.ID, Span: models.Span{Since: begun}}, []int64{three.ID, two.ID, one.ID}},
			{models.CorrectionFilter{Span: models.Span{Until: begun}}, nil},
			{models.CorrectionFilter{Span: models.Span{Limit: 1, Page: models.Cursor{At: three.At, ID: three.ID}}}, []int64{two.ID}},
			{models.CorrectionFilter{Span: models.Span{Limit: 1, Page: models.Cursor{At: one.At, ID: one.ID, Newer: true}}},
				[]int64{two.ID}},
		} {
			require.Equal(t, row.want, ids(row.f), "%+v", row.f)
		}
		waiting, err := s.WaitingRequests(t.Context(), "correction")
		require.NoError(t, err)
		require.ElementsMatch(t, []models.WaitingRequests{{Kind: "correction", MakerID: d.Mira.StaffID, N: 1},
			{Kind: "correction", MakerID: d.Sofia.StaffID, N: 1}}, waiting)
	})
}

// Somebody with access to the database turns a waiting correction towards another player while it is approved, and back before
// its row is compared with the audit log. Nothing is booked.
func TestApprovalBooksOnlyWhatItProved(t *testing.T) {
	t.Parallel() // it waits most of the time
	x := storetest.NewDatabase(t, storetest.MariaDB)
	x.Config.LockWait = storetest.Patience
	d := storetest.NewColleagues(t, x.Open(t), 1000)
	bert := storetest.CreatePlayer(t, d.Store, "bert", 1000)
	c := d.Request(d.Mira, d.Adjust(models.CorrectCredit, 300, "goodwill"))
	seen := d.Basis(c)
	storetest.DropTriggers(t, x.Config.URL)
	turn := func(to int64) {
		_, err := x.DB.ExecContext(t.Context(), "UPDATE corrections SET player_id = ? WHERE id = ?", to, c.ID)
		require.NoError(t, err)
	}
	decision := storetest.Opened(t.Context(), d.Store, "correction", c.ID)
	decision.Do, decision.Basis = models.ApprovalApproved, seen
	letGo := x.HoldWallet(t, "bert")
	defer letGo()
	turn(bert.ID)
	approved := make(chan error)
	go func() {
		_, err := d.Decide(t.Context(), d.Jonas, decision)
		approved <- err
	}()
	x.AwaitLockWaits(t, 1)
	turn(d.Anna.ID)
	letGo()
	var tampered models.TamperedError
	require.ErrorAs(t, <-approved, &tampered)
	require.Equal(t, "correction", tampered.Object)
	require.EqualValues(t, 1000, storetest.Balance(t, d.Store, "anna"))
	require.EqualValues(t, 1000, storetest.Balance(t, d.Store, "bert"))
	d.MustApprove(d.Jonas, c)
	require.EqualValues(t, 1300, storetest.Balance(t, d.Store, "anna"))
}

// A player is erased while a correction of theirs is being approved. That is no tampering.
func TestErasedDuringApproval(t *testing.T) {
	t.Parallel() // it waits most of the time
	x := storetest.NewDatabase(t, storetest.MariaDB)
	x.Config.LockWait = storetest.Patience
	d := storetest.NewColleagues(t, x.Open(t), 0)
	storetest.Restrict(t, d.Store, "anna")
	c := d.Request(d.Mira, d.Adjust(models.CorrectCredit, 300, "goodwill"))
	seen := d.Basis(c)
	letGo := x.HoldWallet(t, "anna")
	defer letGo()
	erased, approved := make(chan error), make(chan error)
	go func() {
		_, err := d.ErasePlayer(t.Context(), storetest.Tester, "anna", "asked for it")
		erased <- err
	}()
	x.AwaitLockWaits(t, 1)
	go func() {
		_, err := d.ApproveWith(d.Jonas, c, seen)
		approved <- err
	}()
	x.AwaitLockWaits(t, 2)
	letGo()
	require.NoError(t, <-erased)
	err := <-approved
	require.Error(t, err)
	require.False(t, errors.As(err, new(models.TamperedError)), "%v", err)
	storetest.RequireWhole(t, d.Store)
}
