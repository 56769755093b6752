package models_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

const (
	me, another     = int64(1), int64(2)
	most            = models.MaxAmount
	someone         = "474e1a293c2f4e7ab122c52d68423fcb"
	someRound       = "ab9c15f2efdd46278e4a56b303127234"
	tenEuro, twenty = models.Amount(1000), models.Amount(2000)
)

func operation(kind models.OperationKind, stake, win models.Amount) models.Operation {
	op := models.Operation{Source: models.SourcePlatform, Kind: kind, UserID: "anna", TransactionID: someone,
		RoundID: someRound, Bet: stake, Win: win}
	if kind == models.Rollback {
		op.RoundID = ""
	}
	return op
}

func spin(stake models.Amount) models.Operation {
	op := operation(models.Bet, stake, 0)
	op.FreeSpin = true
	return op
}

// adjustment returns the operation of a correction that credits or debits.
func adjustment(credit, debit models.Amount, allowNegative bool) models.Operation {
	return models.Operation{
		Source: models.SourceOwn, Kind: models.Adjustment, UserID: "anna", TransactionID: "correction:1", Win: credit,
		Bet: debit, AllowNegative: allowNegative,
	}
}

// prior returns the transaction of op for a player, in a state.
func prior(player int64, state models.TransactionState, op models.Operation) *models.Transaction {
	t := &models.Transaction{
		ID: 5, Source: op.Source, TransactionID: op.TransactionID, PlayerID: player, Kind: op.Kind, RoundID: op.RoundID,
		Bet: op.Bet, Win: op.Win, FreeSpin: op.FreeSpin, State: state, At: time.UnixMicro(1),
	}
	if state == models.Reversed {
		t.ReversedAt = time.UnixMicro(2)
	}
	return t
}

func wallet(balance models.Amount) models.Wallet {
	return models.Wallet{PlayerID: me, Currency: "EUR", Balance: balance}
}

func restricted(balance models.Amount) models.Wallet {
	w := wallet(balance)
	w.PlayFrom = models.Permanent
	return w
}

var ended = time.UnixMicro(1_000)

func restrictedUntil(end time.Time, balance models.Amount) models.Wallet {
	w := wallet(balance)
	w.PlayFrom = end
	return w
}

// limitOf returns a limit of the stake per day of which nothing is used.
func limitOf(most models.Amount) *models.PlayerLimits {
	return &models.PlayerLimits{Zone: "UTC", List: []models.PlayerLimit{
		{Kind: models.LimitStake, Period: models.LimitDay, Amount: most}}}
}

// what summarizes an outcome: the decline, what is stored, and the lines.
func what(o models.Outcome) string {
	s := o.Decline.String()
	if o.OtherContents {
		s += ", other contents"
	}
	for does, yes := range map[string]bool{", process": o.Process, ", reverse": o.Reverse, ", tombstone": o.Tombstone} {
		if yes {
			s += does
		}
	}
	for _, l := range o.Lines {
		s += fmt.Sprintf("; %s %s", l.Kind, l.Amount)
		if l.Spins != 0 {
			s += fmt.Sprintf(" %+d", l.Spins)
		}
	}
	return s
}

// In order of precedence, under the headings of decide.go: each reason is tested together with lower ones that apply at the
// same time.
func TestDecide(t *testing.T) {
	bet, win, both := operation(models.Bet, tenEuro, 0), operation(models.Win, 0, tenEuro),
		operation(models.BetWin, tenEuro, twenty)
	opening, back := operation(models.Opening, 0, tenEuro), operation(models.Rollback, 0, 0)
	credit, debit, overdraw := adjustment(tenEuro, 0, false), adjustment(0, tenEuro, false), adjustment(0, tenEuro, true)
	otherRound := bet
	otherRound.RoundID = "another round"
	for _, row := range []struct {
		name  string
		state models.State
		op    models.Operation
		want  string
	}{
		// RolledBack
		{"a bet that was rolled back", models.State{Wallet: wallet(tenEuro), Prior: prior(me, models.Reversed, bet)}, bet,
			"already rolled back"},
		{"of other contents", models.State{Wallet: wallet(tenEuro), Prior: prior(me, models.Reversed, bet)}, otherRound,
			"already rolled back"},
		{"under another player", models.State{Wallet: wallet(tenEuro), Prior: prior(another, models.Reversed, bet)}, bet,
			"already rolled back"},
		{"and the player is blocked and poor", models.State{Wallet: restricted(0), Prior: prior(me, models.Reversed, bet)}, bet,
			"already rolled back"},
		{"a win that was rolled back would overflow",
			models.State{Wallet: wallet(most), Prior: prior(me, models.Reversed, win)}, win, "already rolled back"},
		{"a late original", models.State{Wallet: wallet(tenEuro), Tombstoned: true}, bet, "already rolled back"},
		{"a late original, blocked and poor", models.State{Wallet: restricted(-1), Tombstoned: true}, bet, "already rolled back"},
		{"a late win would overflow", models.State{Wallet: wallet(most), Tombstoned: true}, win, "already rolled back"},
		{"a late bet and win", models.State{Wallet: wallet(0), Tombstoned: true}, both, "already rolled back"},
		{"a late free spin", models.State{Wallet: wallet(0), Tombstoned: true}, spin(5), "already rolled back"},
		{"a late original that another player processed meanwhile",
			models.State{Wallet: wallet(0), Tombstoned: true, Prior: prior(another, models.Processed, bet)}, bet,
			"already rolled back"},
		// Duplicate
		{"a retry", models.State{Wallet: wallet(tenEuro), Prior: prior(me, models.Processed, bet)}, bet,
			"duplicate transaction"},
		{"a retry of a blocked and poor player", models.State{Wallet: restricted(0), Prior: prior(me, models.Processed, bet)},
			bet, "duplicate transaction"},
		{"a retry of a win that would overflow", models.State{Wallet: wallet(most), Prior: prior(me, models.Processed, win)},
			win, "duplicate transaction"},
		{"another amount", models.State{Wallet: restricted(0), Prior: prior(me, models.Processed, bet)},
			operation(models.Bet, 999, 0), "duplicate transaction, other contents"},
		{"another round", models.State{Wallet: wallet(tenEuro), Prior: prior(me, models.Processed, bet)}, otherRound,
			"duplicate transaction, other contents"},
		{"another kind", models.State{Wallet: wallet(tenEuro), Prior: prior(me, models.Processed, bet)}, win,
			"duplicate transaction, other contents"},
		{"a bet as free spin", models.State{Wallet: wallet(tenEuro), Prior: prior(me, models.Processed, bet)}, spin(tenEuro),
			"duplicate transaction, other contents"},
		{"a free spin as bet", models.State{Wallet: wallet(0), Prior: prior(me, models.Processed, spin(tenEuro))}, bet,
			"duplicate transaction, other contents"},
		{"another win of the same bet", models.State{Wallet: wallet(tenEuro), Prior: prior(me, models.Processed, both)},
			operation(models.BetWin, tenEuro, 0), "duplicate transaction, other contents"},
		{"another player's", models.State{Wallet: wallet(tenEuro), Prior: prior(another, models.Processed, bet)}, bet,
			"duplicate transaction, other contents"},
		{"an adjustment, again", models.State{Wallet: wallet(0), Prior: prior(me, models.Processed, debit)}, debit,
			"duplicate transaction"},
		{"an adjustment of another amount", models.State{Wallet: wallet(0), Prior: prior(me, models.Processed, debit)}, credit,
			"duplicate transaction, other contents"},
		// PlayerRestricted
		{"a bet of a restricted player", models.State{Wallet: restricted(tenEuro)}, bet, "player restricted"},
		{"of a restricted and poor player", models.State{Wallet: restricted(0)}, bet, "player restricted"},
		{"a bet of 0.00", models.State{Wallet: restricted(tenEuro)}, operation(models.Bet, 0, 0), "player restricted"},
		{"a bet and win", models.State{Wallet: restricted(0)}, both, "player restricted"},
		{"a bet and win that would overflow", models.State{Wallet: restricted(most)}, operation(models.BetWin, 0, most),
			"player restricted"},
		{"a free spin", models.State{Wallet: restricted(0)}, spin(tenEuro), "player restricted"},
		{"a win is not a bet", models.State{Wallet: restricted(0)}, win, "applied, process; win 10.00"},
		{"a restriction that has ended", models.State{Wallet: restrictedUntil(ended, tenEuro), At: ended}, bet,
			"applied, process; bet -10.00"},
		{"a moment before", models.State{Wallet: restrictedUntil(ended, tenEuro), At: ended.Add(-1)}, bet, "player restricted"},
		// LimitReached
		{"a bet above a limit", models.State{Wallet: wallet(tenEuro), Limits: limitOf(tenEuro - 1)}, bet, "player's limit reached"},
		{"of a poor player", models.State{Wallet: wallet(0), Limits: limitOf(tenEuro - 1)}, bet, "player's limit reached"},
		{"of a restricted player", models.State{Wallet: restricted(0), Limits: limitOf(0)}, bet, "player restricted"},
		{"an exact fit", models.State{Wallet: wallet(tenEuro), Limits: limitOf(tenEuro)}, bet, "applied, process; bet -10.00"},
		{"a bet of 0.00", models.State{Wallet: wallet(0), Limits: limitOf(0)}, operation(models.Bet, 0, 0),
			"applied, process; bet 0.00"},
		{"a bet and win counts its bet", models.State{Wallet: wallet(tenEuro), Limits: limitOf(tenEuro - 1)}, both,
			"player's limit reached"},
		{"a win", models.State{Wallet: wallet(0), Limits: limitOf(0)}, win, "applied, process; win 10.00"},
		{"a free spin", models.State{Wallet: wallet(0), Limits: limitOf(0)}, spin(tenEuro), "applied, process; free spin 10.00 +1"},
		// HouseFrozen
		{"a bet", models.State{Wallet: wallet(tenEuro), Frozen: true}, bet, "all play is frozen"},
		{"of a restricted and poor player", models.State{Wallet: restricted(0), Frozen: true}, bet, "all play is frozen"},
		{"a free spin", models.State{Wallet: wallet(0), Frozen: true}, spin(tenEuro), "all play is frozen"},
		{"a win", models.State{Wallet: wallet(0), Frozen: true}, win, "applied, process; win 10.00"},
		// InsufficientFunds
		{"one cent short", models.State{Wallet: wallet(999)}, bet, "insufficient funds"},
		{"a bet and win is checked before its win", models.State{Wallet: wallet(999)}, both, "insufficient funds"},
		{"a bet and win that would overflow", models.State{Wallet: wallet(999)}, operation(models.BetWin, tenEuro, most),
			"insufficient funds"},
		{"on a negative balance", models.State{Wallet: wallet(-1)}, operation(models.Bet, 1, 0), "insufficient funds"},
		{"the whole balance", models.State{Wallet: wallet(tenEuro)}, bet, "applied, process; bet -10.00"},
		{"a bet of 0.00 on a negative balance", models.State{Wallet: wallet(-1)}, operation(models.Bet, 0, 0),
			"applied, process; bet 0.00"},
		{"a bet of 0.00 and a win on a negative balance", models.State{Wallet: wallet(-1)}, operation(models.BetWin, 0, 5),
			"applied, process; bet 0.00; win 0.05"},
		{"a free spin needs no funds", models.State{Wallet: wallet(-1)}, spin(tenEuro), "applied, process; free spin 10.00 +1"},
		{"a debit one cent short", models.State{Wallet: wallet(999)}, debit, "insufficient funds"},
		{"a debit on a negative balance", models.State{Wallet: restricted(-1)}, adjustment(0, 1, false), "insufficient funds"},
		{"a debit of the whole balance", models.State{Wallet: wallet(tenEuro)}, debit, "applied, process; adjustment -10.00"},
		{"a debit that may overdraw", models.State{Wallet: wallet(-1)}, overdraw, "applied, process; adjustment -10.00"},
		// BalanceOverflow
		{"a credit one cent too much", models.State{Wallet: wallet(most)}, adjustment(1, 0, false), "balance overflow"},
		{"a debit below the smallest balance", models.State{Wallet: wallet(-most)}, overdraw, "balance overflow"},
		{"one cent too much", models.State{Wallet: wallet(most)}, operation(models.Win, 0, 1), "balance overflow"},
		{"a bet and win one cent too much", models.State{Wallet: wallet(most)}, operation(models.BetWin, 1, 2),
			"balance overflow"},
		{"an opening", models.State{Wallet: wallet(1)}, operation(models.Opening, 0, most), "balance overflow"},
		{"up to the largest balance", models.State{Wallet: wallet(most - tenEuro)}, win, "applied, process; win 10.00"},
		{"a bet and win of the largest amounts", models.State{Wallet: wallet(most)}, operation(models.BetWin, most, most),
			"applied, process; bet -999999999999.99; win 999999999999.99"},
		// None
		{"a win", models.State{Wallet: wallet(-5)}, win, "applied, process; win 10.00"},
		{"a win of 0.00", models.State{Wallet: wallet(0)}, operation(models.Win, 0, 0), "applied, process; win 0.00"},
		{"a lost bet and win", models.State{Wallet: wallet(tenEuro)}, operation(models.BetWin, tenEuro, 0),
			"applied, process; bet -10.00; win 0.00"},
		{"a free spin of 0.00", models.State{Wallet: wallet(0)}, spin(0), "applied, process; free spin 0.00 +1"},
		{"an opening balance", models.State{Wallet: wallet(0)}, opening, "applied, process; opening balance 10.00"},
		{"a credit", models.State{Wallet: wallet(-5)}, credit, "applied, process; adjustment 10.00"},
		{"a credit of a restricted player", models.State{Wallet: restricted(0)}, credit, "applied, process; adjustment 10.00"},
		{"a debit of a restricted player", models.State{Wallet: restricted(tenEuro)}, debit, "applied, process; adjustment -10.00"},
		{"an opening balance of 0.00", models.State{Wallet: wallet(0)}, operation(models.Opening, 0, 0),
			"applied, process; opening balance 0.00"},

		// A rollback: NotFound
		{"of an unknown transaction", models.State{Wallet: wallet(0)}, back,
			"transaction not found, tombstone; rollback before its original 0.00"},
		{"of an unknown transaction, again", models.State{Wallet: wallet(0), Tombstoned: true}, back, "transaction not found"},
		{"of another player's transaction", models.State{Wallet: wallet(0), Prior: prior(another, models.Processed, bet)}, back,
			"transaction not found"},
		{"of another player's transaction, after a tombstone",
			models.State{Wallet: wallet(0), Tombstoned: true, Prior: prior(another, models.Processed, bet)}, back,
			"transaction not found"},
		{"of another player's transaction, rolled back",
			models.State{Wallet: wallet(0), Prior: prior(another, models.Reversed, bet)}, back, "transaction not found"},
		{"of another player's transaction, which would overflow",
			models.State{Wallet: wallet(most), Prior: prior(another, models.Processed, bet)}, back, "transaction not found"},
		{"by a restricted player, of an unknown transaction", models.State{Wallet: restricted(0)}, back,
			"transaction not found, tombstone; rollback before its original 0.00"},
		// RolledBack
		{"again", models.State{Wallet: wallet(0), Prior: prior(me, models.Reversed, bet)}, back, "already rolled back"},
		{"again, and it would overflow", models.State{Wallet: wallet(most), Prior: prior(me, models.Reversed, bet)}, back,
			"already rolled back"},
		{"of a free spin, again", models.State{Wallet: wallet(0), Prior: prior(me, models.Reversed, spin(5))}, back,
			"already rolled back"},
		// BalanceOverflow
		{"of a bet above the largest balance", models.State{Wallet: wallet(most), Prior: prior(me, models.Processed, bet)},
			back, "balance overflow"},
		{"of a bet and win above the largest balance",
			models.State{Wallet: wallet(most - 9), Prior: prior(me, models.Processed, operation(models.BetWin, tenEuro, 990))},
			back, "balance overflow"},
		{"of a bet and win below the smallest balance",
			models.State{Wallet: wallet(-most), Prior: prior(me, models.Processed, both)}, back, "balance overflow"},
		{"of a win below the smallest balance", models.State{Wallet: wallet(-most), Prior: prior(me, models.Processed, win)},
			back, "balance overflow"},
		// None
		{"of a bet", models.State{Wallet: wallet(5), Prior: prior(me, models.Processed, bet)}, back,
			"applied, reverse; bet rolled back 10.00"},
		{"of a bet of 0.00",
			models.State{Wallet: wallet(5), Prior: prior(me, models.Processed, operation(models.Bet, 0, 0))}, back,
			"applied, reverse; bet rolled back 0.00"},
		{"of a spent win", models.State{Wallet: wallet(5), Prior: prior(me, models.Processed, win)}, back,
			"applied, reverse; win rolled back -10.00"},
		{"of a bet and win", models.State{Wallet: wallet(0), Prior: prior(me, models.Processed, both)}, back,
			"applied, reverse; bet rolled back 10.00; win rolled back -20.00"},
		{"of a bet and win on a full balance", models.State{Wallet: wallet(most), Prior: prior(me, models.Processed, both)},
			back, "applied, reverse; win rolled back -20.00; bet rolled back 10.00"},
		{"of a bet and win of the largest amounts",
			models.State{Wallet: wallet(most), Prior: prior(me, models.Processed, operation(models.BetWin, most, most))}, back,
			"applied, reverse; win rolled back -999999999999.99; bet rolled back 999999999999.99"},
		{"of a free spin", models.State{Wallet: wallet(most), Prior: prior(me, models.Processed, spin(5))}, back,
			"applied, reverse; free spin rolled back -0.05 -1"},
		{"by a restricted player", models.State{Wallet: restricted(0), Prior: prior(me, models.Processed, bet)}, back,
			"applied, reverse; bet rolled back 10.00"},
	} {
		require.Equal(t, row.want, what(models.Decide(row.state, row.op)), "%s: %s", row.op.Kind, row.name)
	}
}

// Every state in which several reasons can apply, compared with the contract's list: the first that applies is the answer.
func TestDecideKeepsPrecedence(t *testing.T) {
	type question struct {
		models.State
		models.Operation
	}
	bets := func(q question) bool { return q.Kind == models.Bet || q.Kind == models.BetWin }
	money := func(q question) bool { return bets(q) && !q.FreeSpin }
	mine := func(q question) bool { return q.Prior != nil && q.Prior.PlayerID == q.Wallet.PlayerID }
	type reason struct {
		decline models.Decline
		holds   func(question) bool
	}
	asked := []reason{
		{models.RolledBack, func(q question) bool { return q.Tombstoned || q.Prior != nil && !q.Prior.ReversedAt.IsZero() }},
		{models.Duplicate, func(q question) bool { return q.Prior != nil }},
		{models.HouseFrozen, func(q question) bool { return bets(q) && q.Frozen }},
		{models.PlayerRestricted, func(q question) bool { return bets(q) && q.At.Before(q.Wallet.PlayFrom) }},
		{models.InsufficientFunds, func(q question) bool {
			return (money(q) || q.Kind == models.Adjustment && !q.AllowNegative) && q.Bet > 0 && q.Wallet.Balance < q.Bet
		}},
		{models.BalanceOverflow, func(q question) bool {
			return !q.FreeSpin && q.Win > 0 && q.Wallet.Balance-q.Bet > most-q.Win ||
				q.AllowNegative && q.Wallet.Balance < -most+q.Bet
		}},
	}
	rollbacks := []reason{
		{models.NotFound, func(q question) bool { return !mine(q) }},
		{models.RolledBack, func(q question) bool { return !q.Prior.ReversedAt.IsZero() }},
		{models.BalanceOverflow, func(q question) bool {
			net := q.Prior.Bet - q.Prior.Win
			return !q.Prior.FreeSpin && (net > 0 && q.Wallet.Balance > most-net || net < 0 && q.Wallet.Balance < -most-net)
		}},
	}
	ops := []models.Operation{
		operation(models.Bet, 0, 0), operation(models.Bet, tenEuro, 0), spin(tenEuro), operation(models.Win, 0, tenEuro),
		operation(models.BetWin, tenEuro, twenty), operation(models.BetWin, 0, tenEuro), operation(models.Opening, 0, tenEuro),
		adjustment(tenEuro, 0, false),
		adjustment(0, tenEuro, false), adjustment(0, tenEuro, true), operation(models.Rollback, 0, 0),
	}
	seen := map[models.Decline]int{}
	for _, op := range ops {
		var priors []*models.Transaction
		for _, first := range ops[:len(ops)-1] {
			for _, player := range []int64{me, another} {
				if first.Source == models.SourcePlatform && first.Kind != models.Opening {
					priors = append(priors, prior(player, models.Processed, first), prior(player, models.Reversed, first))
				}
			}
		}
		for _, p := range append(priors, nil) {
			for _, tombstoned := range []bool{false, true} {
				if tombstoned && p != nil && p.PlayerID == me {
					continue // the late original was refused
				}
				for _, balance := range []models.Amount{-most, -most + 1, -1, 0, 999, tenEuro, twenty, most - tenEuro,
					most - 1, most} {
					for _, w := range []models.Wallet{wallet(balance), restricted(balance)} {
						q := question{models.State{Wallet: w, Prior: p, Tombstoned: tombstoned}, op}
						reasons := asked
						if op.Kind == models.Rollback {
							reasons = rollbacks
						}
						want := models.None
						for _, r := range reasons {
							if r.holds(q) {
								want = r.decline
								break
							}
						}
						got := models.Decide(q.State, q.Operation)
						require.Equal(t, want, got.Decline, "%+v\nprior %+v", q, p)
						require.Equal(t, got, models.Decide(q.State, q.Operation), "Decide is pure")
						if want != models.None && !got.Tombstone {
							require.Empty(t, got.Lines, "a refusal books nothing")
							require.False(t, got.Process || got.Reverse)
						}
						if want == models.None {
							require.NotEmpty(t, got.Lines, "every change is an entry")
							require.True(t, got.Process != got.Reverse)
						}
						seen[want]++
					}
				}
			}
		}
	}
	for d := models.None; d <= models.BalanceOverflow; d++ {
		if d != models.UnknownPlayer { // only the store gives this answer
			require.NotZero(t, seen[d], "no state led to %s", d)
		}
	}
}

func TestSameContents(t *testing.T) {
	op := operation(models.BetWin, tenEuro, twenty)
	require.True(t, prior(me, models.Processed, op).SameContents(me, op))
	require.False(t, prior(me, models.Processed, op).SameContents(another, op))
	for name, change := range map[string]func(*models.Operation){
		"kind":      func(o *models.Operation) { o.Kind = models.Bet },
		"round":     func(o *models.Operation) { o.RoundID += " " },
		"stake":     func(o *models.Operation) { o.Bet++ },
		"win":       func(o *models.Operation) { o.Win++ },
		"free spin": func(o *models.Operation) { o.FreeSpin = true },
	} {
		other := op
		change(&other)
		require.False(t, prior(me, models.Processed, op).SameContents(me, other), name)
	}
}
