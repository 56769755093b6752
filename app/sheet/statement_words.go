package sheet

import (
	"errors"
	"fmt"
	"strings"

	"pitboss/models"
)

// Why the amounts of a line cannot be read.
var (
	errNoAmount   = errors.New("it has no amount")
	errSigns      = errors.New("a win cannot be below zero")
	errNoKindSign = errors.New("an amount of 0.00 can be a bet or a win, and no column says which")
)

func (s *StatementReader) amounts(l *models.StatementLine, field func(models.StatementField) (Cell, bool)) error {
	read := func(f models.StatementField) (a models.Amount, there bool, err error) {
		cell, mapped := field(f)
		cell.Text = strings.TrimSpace(cell.Text)
		if !mapped || cell.Text == "" || cell.Text == "-" {
			return 0, false, nil
		}
		if a, err = cell.amount(s.layout.Decimal); err != nil {
			return 0, false, fmt.Errorf("%s %.40q: %w", strings.ToLower(f.Word()), cell.Text, err)
		}
		return a, true, nil
	}
	if _, single := s.at[models.StatementAmount]; single {
		a, there, err := read(models.StatementAmount)
		if err != nil {
			return err
		}
		if !there {
			return errNoAmount
		}
		kind := l.Kind
		if kind == 0 {
			switch {
			case a < 0:
				kind = models.Bet
			case a > 0:
				kind = models.Win
			default:
				return errNoKindSign
			}
			l.Kind = kind
		}
		switch kind {
		case models.Bet:
			l.Bet = max(a, -a)
		case models.Win:
			if l.Win = a; a < 0 {
				return errSigns
			}
		case models.BetWin:
			return errors.New("a bet and win needs a column for bets and one for wins")
		}
		return nil
	}
	bet, hasBet, err := read(models.StatementBet)
	if err != nil {
		return err
	}
	win, hasWin, err := read(models.StatementWin)
	if err != nil {
		return err
	}
	if !hasBet && !hasWin {
		return errNoAmount
	}
	if win < 0 {
		return errSigns
	}
	l.Bet, l.Win = max(bet, -bet), win
	return nil
}

// Words that statements use, in lower case and without separators.
var (
	kindWords = map[string]models.OperationKind{
		"bet": models.Bet, "withdraw": models.Bet, "withdrawal": models.Bet, "debit": models.Bet, "stake": models.Bet, "wager": models.Bet, "freespin": models.Bet,
		"win": models.Win, "deposit": models.Win, "credit": models.Win, "payout": models.Win, "prize": models.Win,
		"betwin": models.BetWin, "betandwin": models.BetWin, "debitcredit": models.BetWin,
		"rollback": models.Rollback, "rollbacktransaction": models.Rollback, "refund": models.Rollback, "cancel": models.Rollback, "cancelbet": models.Rollback,
		"void": models.Rollback, "reversal": models.Rollback,
	}
	standingWords = map[string]models.Standing{
		"": models.StandingApplied, "applied": models.StandingApplied, "processed": models.StandingApplied, "ok": models.StandingApplied,
		"success": models.StandingApplied, "successful": models.StandingApplied,
		"completed": models.StandingApplied, "complete": models.StandingApplied, "settled": models.StandingApplied, "done": models.StandingApplied,
		"accepted": models.StandingApplied, "confirmed": models.StandingApplied, "0": models.StandingApplied,
		"rolledback": models.StandingRolledBack, "rollback": models.StandingRolledBack, "reversed": models.StandingRolledBack,
		"refunded": models.StandingRolledBack, "cancelled": models.StandingRolledBack,
		"canceled": models.StandingRolledBack, "void": models.StandingRolledBack, "voided": models.StandingRolledBack,
		"failed": models.StandingFailed, "error": models.StandingFailed, "declined": models.StandingFailed, "rejected": models.StandingFailed,
		"refused": models.StandingFailed, "timeout": models.StandingFailed,
	}
	// Words, and other meanings, in the statements of clients that move cash.
	cashKindWords = map[string]models.OperationKind{
		"cashin": models.Win, "payin": models.Win, "cashout": models.Bet, "payout": models.Bet,
		"return": models.Rollback, "returned": models.Rollback, "chargeback": models.Rollback,
	}
	cashStandingWords = map[string]models.Standing{
		"deposited": models.StandingApplied, "paid": models.StandingApplied, "sent": models.StandingApplied,
		"returned": models.StandingRolledBack, "bounced": models.StandingRolledBack, "chargedback": models.StandingRolledBack,
		"requested": models.StandingRequested, "waiting": models.StandingRequested, "approved": models.StandingRequested,
		"pending": models.StandingRequested, "processing": models.StandingRequested, "held": models.StandingRequested,
	}
	flagWords = map[string]bool{
		"true": true, "yes": true, "y": true, "1": true, "freespin": true, "free": true,
		"false": false, "no": false, "n": false, "0": false, "real": false, "money": false,
	}
)

// plainWord returns a word in the form of the lists above. It leaves out only blanks and marks between words.
func plainWord(s string) string {
	return strings.NewReplacer(" ", "", "-", "", "_", "", "/", "", "+", "", "&", "").Replace(strings.ToLower(s))
}

// meaning looks up a word of a statement in the lists, and returns the first meaning.
func meaning[T any](what, word, such string, lists ...map[string]T) (meant T, err error) {
	for _, list := range lists {
		if meant, known := list[plainWord(word)]; known {
			return meant, nil
		}
	}
	return meant, fmt.Errorf("the %s %.40q is unknown; %s and common synonyms are known", what, word, such)
}

func kindOf(word string, cash bool) (models.OperationKind, error) {
	if cash {
		return meaning("kind", word, "deposit, cash-out, return", cashKindWords, kindWords)
	}
	return meaning("kind", word, "bet, win, bet-win, rollback", kindWords)
}

func standingOf(word string, cash bool) (models.Standing, error) {
	if cash {
		return meaning("state", word, "requested, paid, returned, failed", cashStandingWords, standingWords)
	}
	return meaning("state", word, "applied, rolled back, failed", standingWords)
}

func flagOf(word string) (*bool, error) {
	flag, err := meaning("free spin", word, "yes, no", flagWords)
	return &flag, err
}
