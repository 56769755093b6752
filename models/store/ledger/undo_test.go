package ledger_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// nearTheEnds are amounts with which a balance reaches either end of the range in a few steps.
var nearTheEnds = rapid.SampledFrom([]models.Amount{0, 1, 100, models.MaxAmount/2 - 1, models.MaxAmount / 2,
	models.MaxAmount/2 + 1, models.MaxAmount - 100, models.MaxAmount - 1, models.MaxAmount})

// undoing is a history of one player whose operations can all be undone.
type undoing struct {
	t      *rapid.T
	s      subject
	user   models.UserID
	prefix string
	kinds  []models.OperationKind
	n      int
	live   []models.Operation
}

// effect returns by how much op changed the balance.
func effect(op models.Operation) models.Amount {
	if op.FreeSpin {
		return 0
	}
	return op.Win - op.Bet
}

func (u *undoing) draw() models.Operation {
	u.n++
	op := models.Operation{Source: models.SourcePlatform, UserID: u.user, RoundID: "r",
		TransactionID: models.TransactionID(fmt.Sprint(u.prefix, "u", u.n))}
	op.Kind = rapid.SampledFrom(u.kinds).Draw(u.t, "kind")
	switch op.Kind {
	case models.Bet:
		op.Bet, op.FreeSpin = nearTheEnds.Draw(u.t, "stake"), rapid.IntRange(0, 4).Draw(u.t, "free") == 0
	case models.Win:
		op.Win = nearTheEnds.Draw(u.t, "win")
	case models.BetWin:
		op.Bet, op.Win = nearTheEnds.Draw(u.t, "stake"), nearTheEnds.Draw(u.t, "win")
	case models.Adjustment:
		op.Source, op.RoundID = models.SourceOwn, ""
		if rapid.Bool().Draw(u.t, "credit") {
			op.Win = nearTheEnds.Draw(u.t, "credit")
		} else {
			op.Bet, op.AllowNegative = nearTheEnds.Draw(u.t, "debit"), rapid.Bool().Draw(u.t, "below zero")
		}
	}
	return op
}

// undo rolls back the i-th live operation, or books an adjustment's opposite. It requires that this is refused only if the
// resulting balance would be out of range, and then changes nothing.
func (u *undoing) undo(i int) models.Decline {
	op := u.live[i]
	back := models.Operation{Source: models.SourcePlatform, Kind: models.Rollback, UserID: u.user,
		TransactionID: op.TransactionID}
	if op.Kind == models.Adjustment {
		u.n++
		back = models.Operation{Source: models.SourceOwn, Kind: models.Adjustment, UserID: u.user, Bet: op.Win, Win: op.Bet,
			AllowNegative: true,
			TransactionID: models.TransactionID(fmt.Sprint(u.prefix, "u", u.n))}
	}
	before, digest := u.s.balance(u.user), u.s.digest()
	want, fits := before.Plus(-effect(op))
	r := u.s.apply(back)
	if !fits {
		require.Equal(u.t, models.BalanceOverflow.String(), r.Decline.String(), "%+v on %s", op, before)
		require.Equal(u.t, digest, u.s.digest(), "a refusal changes nothing")
		return r.Decline
	}
	require.Equal(u.t, models.None.String(), r.Decline.String(), "%+v on %s", op, before)
	require.Equal(u.t, want, u.s.balance(u.user))
	u.live = slices.Delete(u.live, i, i+1)
	return r.Decline
}

// undoable plays a history near the ends of the range: what was just applied can be undone at once, and in the end everything
// can.
func undoable(t *rapid.T, prefix string, s subject, steps int, kinds ...models.OperationKind) {
	u := &undoing{t: t, s: s, user: models.UserID(prefix + "anna"), prefix: prefix, kinds: kinds}
	opening := rapid.SampledFrom([]models.Amount{0, 100, models.MaxAmount - 1, models.MaxAmount}).Draw(t, "opening")
	s.open(u.user, opening)
	for range rapid.IntRange(1, steps).Draw(t, "steps") {
		if len(u.live) > 0 && rapid.IntRange(0, 3).Draw(t, "undo") == 0 {
			u.undo(rapid.IntRange(0, len(u.live)-1).Draw(t, "which"))
			continue
		}
		op, before := u.draw(), s.digest()
		if r := s.apply(op); r.Decline != models.None {
			require.Equal(t, before, s.digest(), "a refusal changes nothing: %+v", op)
			continue
		}
		u.live = append(u.live, op)
		if rapid.Bool().Draw(t, "at once") {
			require.Equal(t, models.None, u.undo(len(u.live)-1), "%+v cannot be undone at once", op)
		}
	}
	for len(u.live) > 0 {
		balance := s.balance(u.user)
		i := slices.IndexFunc(u.live, func(op models.Operation) bool {
			return balance >= 0 && effect(op) > 0 || balance < 0 && effect(op) < 0
		})
		require.Equal(t, models.None, u.undo(max(i, 0)), "%+v", u.live)
	}
	require.Equal(t, opening, s.balance(u.user))
}

// TestAttackFullBalance fills a balance to the limit, and has the platform roll back what filled it.
func TestAttackFullBalance(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", models.MaxAmount)
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.BetWin("anna", "both", 100, 100)).Decline)
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Rollback("anna", "both")).Decline,
			"it can be rolled back while the balance is full")
		require.Equal(t, models.None, storetest.Apply(t, s,
			storetest.BetWin("anna", "most", models.MaxAmount, models.MaxAmount)).Decline)
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Rollback("anna", "most")).Decline)

		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Bet("anna", "bet", 100)).Decline)
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Win("anna", "win", 100)).Decline)
		before := x.Digest(t)
		require.Equal(t, models.BalanceOverflow, storetest.Apply(t, s, storetest.Rollback("anna", "bet")).Decline)
		require.Equal(t, before, x.Digest(t), "a refused rollback changes nothing")
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Bet("anna", "more", 100)).Decline)
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Rollback("anna", "bet")).Decline,
			"and succeeds as soon as there is room")
		require.Equal(t, models.MaxAmount, storetest.Balance(t, s, "anna"))
		storetest.RequireWhole(t, s)
	})
}

func TestEverythingCanBeUndoneInMemory(t *testing.T) {
	rapidly(t, storetest.Scaled(3000, 200000))
	rapid.Check(t, func(t *rapid.T) {
		m := newMemory(t)
		undoable(t, "", m, 30, models.Bet, models.Win, models.BetWin, models.Adjustment)
		m.check(m.lines(), int64(len(m.spins)))
	})
}

func TestEverythingCanBeUndone(t *testing.T) {
	rapidly(t, storetest.Scaled(10, 400))
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		history := 0
		rapid.Check(t, func(rt *rapid.T) {
			history++
			clearTables(x, t)
			undoable(rt, fmt.Sprint("h", history, "-"), &stored{t, x, s}, 15, models.Bet, models.Win, models.BetWin)
			storetest.RequireWhole(t, s)
		})
	})
}
