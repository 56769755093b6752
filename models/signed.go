package models

import (
	"errors"
	"strings"
)

// What a signature proves.
//
// The protocol signs the concatenated values of a callback, without separators, and Withdraw and Deposit sign the same values.
// So one signature is valid for every way of splitting its text, and for several endpoints: "win-7781" + "round-55" is also
// "win-7781r" + "ound-55", and a Deposit of 2.00 to "anna1" is also one of 12.00 to "anna". The rule against this: of all
// readings of a text, at most one is ever accepted, on all instances together. TestOneReadingOfEachShortText tries all short
// texts. The rule rests on four facts:
//
//  1. Amounts end where they end. No player's ID contains an amount, not even together with the two digits that may follow
//     (CheckUserID), and no callback is accepted whose transaction ID and round ID together begin with one (CheckSigned). So
//     the first amount in a text is the bet or the win, one directly after it makes the text a BetWin, and the rest is
//     transaction ID and round ID. Without an amount, the text is a rollback or a GetBalance.
//  2. So bets, wins and BetWins with one text and transaction IDs of one length have the same transaction ID, whichever player
//     and endpoint they name. The unique key of postings refuses the second as a duplicate. Two rollbacks with transaction IDs
//     of one length are the same rollback.
//  3. So another reading has a transaction ID of another length. The ledger keeps the set of lengths that occur (usually one),
//     and Pitboss looks up the IDs of other lengths that the text contains (OtherIDs). An accepted reading is found by its
//     transaction or tombstone, which a purge keeps, and the text can be rebuilt from that (SignedAs).
//     models/store/ledger/signed.go says why no race gets through.
//  4. What leaves no transaction leaves a digest of its text, before it is answered: a declined callback, one that was refused
//     before the ledger, one for an unknown player. Only the same reading may be repeated. GetBalance leaves nothing, but its
//     text is the player's name, so a rollback whose user ID and transaction ID together are a player's name is refused. An
//     erasure leaves the digests of the texts that cannot be recognized without the name: those of GetBalance and tombstones.
//
// A refused reading may have been the forged one, sent to kill the genuine callback. The two cannot be told apart, so the
// genuine one is refused too and opens a case (CaseSignReused). Nothing is lost for good: once the platform has confirmed it,
// two people book it by hand with its own transaction ID, and its repeats are then duplicates.
//
// freeSpin is not part of a reading, because it is not signed. If a player's transaction ID is repeated with another endpoint,
// it is a duplicate with other contents, and nothing is booked.

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

// Signed returns the digest of a callback's signed text after the agent ID, which is always ours.
func (c *Chain) Signed(text string) (digest SignedDigest) {
	sum := c.sum(tagSigned, Hash{}, func(b []byte) []byte { return append(b, text...) })
	copy(digest[:], sum[:])
	return digest
}

// Reading is a way of splitting a signed text into the values of a callback. The text and these fields determine all values: an
// amount ends after its two decimals, and the rest is the round ID. The zero Reading is none that could be accepted.
type Reading struct {
	Kind              OperationKind
	UserLength        int
	TransactionLength int
}

// Reading returns op's own reading of its signed text.
func (op *Operation) Reading() Reading {
	return Reading{op.Kind, len(op.UserID), len(op.TransactionID)}
}

// OtherIDs returns the transaction IDs of these lengths that other readings of op's text could have.
func (op *Operation) OtherIDs(lengths []int) (ids []TransactionID) {
	text := op.Signed
	add := func(id string) {
		if TransactionID(id) != op.TransactionID {
			ids = append(ids, TransactionID(id))
		}
	}
	rest := "" // after the amounts of a bet, win or BetWin
	if end := firstAmount(text); end > 0 {
		rest = text[end:]
		rest = rest[amountLength(rest):]
	}
	for _, n := range lengths {
		if n < len(rest) {
			add(rest[:n])
		}
		if user := len(text) - n; user > 0 && provenUser(text[:user]) {
			add(text[user:]) // of a rollback
		}
	}
	return ids
}

// OtherUsers returns the users whom other readings of the text of a bet, win or BetWin could name: the digits before the point
// belong to the user's ID or to the amount, which has no leading zeros.
func (op *Operation) OtherUsers() (users []UserID) {
	point := firstAmount(op.Signed) - len(".00")
	for i := point - 1; i > 0 && digit(op.Signed[i]); i-- {
		if user := UserID(op.Signed[:i]); user != op.UserID && (op.Signed[i] != '0' || i == point-1) {
			users = append(users, user)
		}
	}
	return users
}

// SignedAs returns the user whom op's text names if it is the text of t or, if t was rolled back, of its rollback. It returns an
// empty string if it is neither.
func (op *Operation) SignedAs(t *Transaction) UserID {
	values := string(t.TransactionID) + string(t.RoundID)
	switch t.Kind {
	case Bet:
		values = t.Bet.String() + values
	case Win:
		values = t.Win.String() + values
	case BetWin:
		values = t.Bet.String() + t.Win.String() + values
	}
	user, ok := strings.CutSuffix(op.Signed, values)
	if !ok && t.State == Reversed {
		user, ok = strings.CutSuffix(op.Signed, string(t.TransactionID))
	}
	if !ok {
		return ""
	}
	return UserID(user)
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
