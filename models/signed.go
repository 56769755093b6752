package models

import (
	"database/sql/driver"
	"errors"
	"strings"
)

// What a signature proves.
//
// The protocol signs the concatenated values of a callback, without separators, and Withdraw and Deposit sign the same values.
// So one signature is valid for every way of splitting its text, and for several endpoints: "win-7781" + "round-55" is also
// "win-7781r" + "ound-55", and a Deposit of 2.00 to "anna1" is also one of 12.00 to "anna". The rules against this:
//
//   - Of all readings of a text at most one is ever applied, on all instances together (models/store/ledger/signed.go).
//   - A callback that is declined or refused leaves its text too, before it is answered, and only the same reading may be repeated:
//     otherwise a declined bet could be credited as a win. freeSpin is not part of a reading, because it is not signed.
//   - What was applied can always be rolled back. A GetBalance applies nothing, so no player's name makes a rollback doubtful.
//   - No player's ID contains an amount (CheckUserID), and no transaction ID begins with one (CheckSigned).
//
// A refused reading may be the genuine one, if the forged one came first. It opens a case (CaseSignReused). Once the platform
// has confirmed it, two people book it by hand with its own transaction ID, and its repeats are then duplicates.

// ErrUserAmount refuses a player's ID that could be read as an ID and an amount.
var ErrUserAmount = errors.New("a player ID must not contain an amount such as 12.30, nor end like the beginning of one, such " +
	"as 12. or 12.3: a signature would not show where the ID ends")

// ErrAmountFirst refuses a callback whose transaction ID could be read as another amount.
var ErrAmountFirst = errors.New("transactionID and roundID together begin with an amount such as 12.30, so the signature does " +
	"not show where the amount ends")

// CheckUserID returns an error unless s may be the ID of a new player.
func CheckUserID(s string) error {
	if err := CheckID(s); err != nil {
		return err
	}
	if strings.ContainsFunc(s, unseen) || strings.TrimSpace(s) != s {
		return ErrUserUnseen
	}
	if erasedName.MatchString(s) {
		return ErrUserErased
	}
	if !provenUser(s) {
		if shortenedNumber.MatchString(s) {
			return errors.New(OddUserID(UserID(s)))
		}
		return ErrUserAmount
	}
	return nil
}

// provenUser reports whether the first amount in a text that begins with this user ID is the amount that follows it.
func provenUser(id string) bool { return firstAmount(id+"00") == 0 }

// CheckSigned returns ErrAmountFirst if these IDs of a callback could be read as an amount and other IDs. A rollback has no
// roundID.
func CheckSigned(transaction TransactionID, round RoundID) error {
	if amountLength(string(transaction)+string(round)) > 0 {
		return ErrAmountFirst
	}
	return nil
}

// SignedDigest identifies a signed text without revealing it: 128 bits of a hash, keyed with the ledger's key if there is one.
type SignedDigest [16]byte

// Value returns the digest as stored: NULL for none.
func (d SignedDigest) Value() (driver.Value, error) {
	if d == (SignedDigest{}) {
		return nil, nil
	}
	return d[:], nil
}

// Scan reads a stored digest. A value of the wrong length becomes one that no text has.
func (d *SignedDigest) Scan(stored any) error {
	*d = SignedDigest{}
	if b, ok := stored.([]byte); ok && copy(d[:], b) != len(b) || ok && len(b) != len(d) {
		*d = SignedDigest{1}
	}
	return nil
}

// Signed returns the digest of a callback's signed text after the agent ID, which is always ours.
func (c *Chain) Signed(text string) (digest SignedDigest) {
	sum := c.sum(tagSigned, Hash{}, func(b []byte) []byte { return append(b, text...) })
	copy(digest[:], sum[:])
	return digest
}

// Reading is a way of splitting a signed text into the values of a callback. The text and these fields determine all values: an
// amount ends after its two decimals, and the rest is the round ID. The zero Reading is never accepted.
type Reading struct {
	Kind              OperationKind
	UserLength        int
	TransactionLength int
}

// Reading returns op's own reading of its signed text.
func (op *Operation) Reading() Reading {
	return Reading{op.Kind, len(op.UserID), len(op.TransactionID)}
}

// firstAmount returns where the first amount in text ends, or 0 if there is none.
func firstAmount(text string) int {
	for i := 1; i+2 < len(text); i++ {
		if text[i] == '.' && digit(text[i-1]) && digit(text[i+1]) && digit(text[i+2]) {
			return i + len(".00")
		}
	}
	return 0
}

// amountLength returns the length of the amount with which text begins, or 0 if it does not begin with one.
func amountLength(text string) int {
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	end := digits + len(".00")
	if digits == 0 || len(text) < end || text[digits] != '.' || !digit(text[digits+1]) || !digit(text[digits+2]) {
		return 0
	}
	return end
}

func digit(c byte) bool { return c >= '0' && c <= '9' }
