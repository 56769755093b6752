package models

import (
	"bufio"
	"encoding/binary"
	"io"
	"time"
)

// Standing is the state of a transaction according to the platform's statement.
type Standing uint8

const (
	// StandingUnsaid: the statement does not say.
	StandingUnsaid Standing = 0
	// StandingApplied: it took effect there.
	StandingApplied Standing = 1
	// StandingRolledBack: its effect was reversed there.
	StandingRolledBack Standing = 2
	// StandingFailed: it never had an effect there.
	StandingFailed Standing = 3
	// StandingRequested: a cash-out that has not been paid.
	StandingRequested Standing = 4
)

// idle reports whether the transaction has no effect.
func (s Standing) idle() bool { return s >= StandingRolledBack }

var standingNames = words[Standing]{
	{StandingApplied, "applied"},
	{StandingRolledBack, "rolled back"},
	{StandingFailed, "failed"},
	{StandingRequested, "requested"},
}

// String returns the standing in words.
func (s Standing) String() string { return standingNames.of(s, "not said") }

// StatementLine is a line of a statement, or what several lines say about one transaction.
type StatementLine struct {
	Line          int64 // its number in the file, from 1 for the header; of the first line if there are several
	TransactionID TransactionID
	Kind          OperationKind // Bet, Win, BetWin, CashIn, CashOut, or Rollback for the line of a rollback; 0 if the file does not say
	Bet           Amount
	Win           Amount
	Standing      Standing
	UserID        UserID    // empty if the file does not say
	Currency      Currency  // empty if the file does not say
	At            time.Time // UTC; zero if the file does not say
	FreeSpin      *bool     // nil if the file does not say
	NoAmount      bool      // the file only has its rollback
}

// Join adds what another line says about the same transaction. If the two contradict each other, it returns false and leaves l
// unchanged.
func (l *StatementLine) Join(other StatementLine) bool {
	switch {
	case other.NoAmount: // its rollback
		l.Standing = StandingRolledBack
	case l.NoAmount:
		other.Standing = StandingRolledBack
		*l = other
	case l.Kind == Bet && other.Kind == Win && l.sameBut(other):
		l.Kind, l.Win = BetWin, other.Win
	case l.Kind == Win && other.Kind == Bet && l.sameBut(other):
		l.Kind, l.Bet = BetWin, other.Bet
	case l.Kind == BetWin && other.Kind == Bet && l.sameBut(other) && l.Bet == other.Bet,
		l.Kind == BetWin && other.Kind == Win && l.sameBut(other) && l.Win == other.Win:
	case l.Kind == other.Kind && l.Bet == other.Bet && l.Win == other.Win && l.sameBut(other):
		if other.Standing == StandingRolledBack {
			l.Standing = StandingRolledBack
		}
	default:
		return false
	}
	return true
}

// sameBut reports whether both lines have the same player and currency, and agree on whether it was a free spin and whether it
// failed.
func (l *StatementLine) sameBut(other StatementLine) bool {
	free := l.FreeSpin == nil && other.FreeSpin == nil ||
		l.FreeSpin != nil && other.FreeSpin != nil && *l.FreeSpin == *other.FreeSpin
	return free && l.UserID == other.UserID && l.Currency == other.Currency &&
		(l.Standing == other.Standing || l.Standing != StandingFailed && other.Standing != StandingFailed)
}

// AppendBinary appends the line to b, in the format of ReadStatementLine.
func (l *StatementLine) AppendBinary(b []byte) []byte {
	text := func(s string) { b = append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	text(string(l.TransactionID))
	b = binary.AppendVarint(b, l.Line)
	b = append(b, byte(l.Kind), byte(l.Standing))
	b = binary.AppendVarint(b, int64(l.Bet))
	b = binary.AppendVarint(b, int64(l.Win))
	text(string(l.UserID))
	text(string(l.Currency))
	at := int64(0)
	if !l.At.IsZero() {
		at = l.At.UnixMicro()
	}
	b = binary.AppendVarint(b, at)
	flags := byte(0)
	if l.FreeSpin != nil {
		flags = 1
		if *l.FreeSpin {
			flags = 3
		}
	}
	if l.NoAmount {
		flags |= 4
	}
	return append(b, flags)
}

// ReadStatementLine reads what AppendBinary wrote. It returns io.EOF at the end.
func ReadStatementLine(r *bufio.Reader) (l StatementLine, err error) {
	failed := false
	number := func() int64 {
		n, err := binary.ReadVarint(r)
		failed = failed || err != nil
		return n
	}
	text := func() string {
		n, err := binary.ReadUvarint(r)
		if err != nil || n > 64<<10 { // longer than a line of a file
			failed = true
			return ""
		}
		b := make([]byte, n)
		_, err = io.ReadFull(r, b)
		failed = failed || err != nil
		return string(b)
	}
	octet := func() byte {
		b, err := r.ReadByte()
		failed = failed || err != nil
		return b
	}
	if _, err := r.Peek(1); err != nil {
		return l, err
	}
	l.TransactionID = TransactionID(text())
	l.Line = number()
	l.Kind, l.Standing = OperationKind(octet()), Standing(octet())
	l.Bet, l.Win = Amount(number()), Amount(number())
	l.UserID, l.Currency = UserID(text()), Currency(text())
	if at := number(); at != 0 {
		l.At = time.UnixMicro(at).UTC()
	}
	flags := octet()
	if flags&1 != 0 {
		free := flags&2 != 0
		l.FreeSpin = &free
	}
	l.NoAmount = flags&4 != 0
	if failed {
		return l, io.ErrUnexpectedEOF
	}
	return l, nil
}
