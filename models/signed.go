package models

import (
	"slices"
	"strconv"
	"strings"
)

// What a sign is good for.
//
// The protocol signs the values of a callback one after the other, without separators, and Withdraw and Deposit sign the same
// values. So one sign fits every way of splitting its text, and several endpoints: "win-7781" + "round-55" is "win-7781r" +
// "ound-55", and a Deposit of 2.00 to "anna1" is one of 12.00 to "anna". The rule that closes this: once a text has been
// accepted with one reading, every other reading of it is refused (SignReused), for good and on every instance.
//
// Nothing has to be stored for that. What was accepted is there already: an applied bet or win is a transaction, an accepted
// rollback is a transaction that was rolled back, or a tombstone. A purge keeps what is needed of these rows. From one of them
// its text follows, and from the new text follow the few transactionIDs that another reading of it could have: those of a
// length that the ledger has seen (IDShapes). Platforms write IDs of one length, or of a few, so there is usually no other ID
// to look for.
//
//   - Bets and wins end with transactionID and roundID, behind an amount. Wherever an amount may end in the text, the rest is
//     split at each pair of lengths seen.
//   - A rollback is userID and transactionID: its text is split at each length of a transactionID seen.
//   - A GetBalance changes nothing and leaves nothing. But the GetBalance of player "anna1" has the text of anna's rollback of
//     transaction "1", so a rollback whose userID and transactionID together are a player's name is refused.
//   - A declined callback leaves no transaction. A digest of its text is kept, so that a declined Withdraw cannot be sent as a
//     Deposit: not for another player, and not for one who gets the name later. The same callback again is decided afresh. That
//     of a callback that names nobody is kept too.
//   - An erased player's name tells no text any more. Erasing it keeps digests of what only the name tells: GetBalances, and
//     rollbacks that came first.
//
// freeSpin belongs to no reading, because no sign covers it. A transactionID that comes again for the same player under another
// endpoint stays a duplicate with other contents: nothing is booked either way.
//
// One thing is left to the operator: a player whose name contains an amount ("anna12.30x") has GetBalance texts that read as a
// bet or win of another player. PITBOSS_USER_ID_FORMAT excludes such names.

// SignedDigest identifies a signed text without telling it: 128 bits of a hash, keyed with the ledger's key where there is one.
type SignedDigest [16]byte

// Signed returns the digest of what a callback's sign covers after the agentID, which is always ours.
func (c *Chain) Signed(text string) (digest SignedDigest) {
	sum := c.sum('T', Hash{}, func(b []byte) []byte { return append(b, text...) })
	copy(digest[:], sum[:])
	return digest
}

// Reading is one way of splitting a signed text into the values of a callback. The text and these three give all values:
// amounts say themselves where they end, and what is left is the roundID.
type Reading struct {
	Kind              OperationKind
	UserLength        int
	TransactionLength int
}

// Reading returns how op reads the text that its callback signed.
func (op *Operation) Reading() Reading {
	return Reading{op.Kind, len(op.UserID), len(op.TransactionID)}
}

// Shape returns the lengths of op's IDs.
func (op *Operation) Shape() IDShape {
	return IDShape{len(op.TransactionID), len(op.RoundID), op.Kind != Rollback && beginsWithAmount(string(op.TransactionID))}
}

// beginsWithAmount reports whether a BetWin could be read as a bet or win of this transactionID. No platform is known to write
// such IDs.
func beginsWithAmount(id string) bool {
	digits := len(id) - len(strings.TrimLeft(id, "0123456789"))
	return digits > 0 && len(id) >= digits+len(".00") && id[digits] == '.' && digit(id[digits+1]) && digit(id[digits+2])
}

// IDShape is how long the IDs of an accepted callback were, in bytes. A rollback that came first has no roundID.
type IDShape struct {
	Transaction, Round int
	Amount             bool // the transactionID begins with an amount
}

// IDShapes are the shapes that the ledger has seen. They never become fewer.
type IDShapes struct {
	known        map[IDShape]bool
	byTotal      map[int][]IDShape // by the length of both IDs together
	transactions []int             // all lengths of transactionIDs
}

// NewIDShapes returns the set of these shapes.
func NewIDShapes(list []IDShape) *IDShapes {
	s := &IDShapes{known: make(map[IDShape]bool, len(list)), byTotal: map[int][]IDShape{}}
	for _, shape := range list {
		if s.known[shape] {
			continue
		}
		s.known[shape] = true
		if shape.Round > 0 {
			s.byTotal[shape.Transaction+shape.Round] = append(s.byTotal[shape.Transaction+shape.Round], shape)
		}
		if shape.Transaction > 0 && !slices.Contains(s.transactions, shape.Transaction) {
			s.transactions = append(s.transactions, shape.Transaction)
		}
	}
	return s
}

// With returns the set with more shapes in it.
func (s *IDShapes) With(more []IDShape) *IDShapes {
	list := slices.Clone(more)
	for shape := range s.known {
		list = append(list, shape)
	}
	return NewIDShapes(list)
}

// Has reports whether shape would add nothing: for a rollback that came first, whether a transactionID of that length was seen.
func (s *IDShapes) Has(shape IDShape) bool {
	return s.known[shape] || shape.Round == 0 && slices.Contains(s.transactions, shape.Transaction)
}

// OtherReadings returns what other readings of op's text could be found by: the transactionIDs that one may have had, without
// op's own, and whom it may have named, without op's own player. Both may hold names that nobody has.
func (s *IDShapes) OtherReadings(op *Operation) (ids []TransactionID, users []UserID) {
	text := op.Signed
	if text == "" {
		return nil, nil
	}
	first := len(text) // where an amount may end for the first time
	for end := range amountEnds(text) {
		first = min(first, end)
		for _, shape := range s.byTotal[len(text)-end] {
			id := text[end : end+shape.Transaction]
			if TransactionID(id) != op.TransactionID && beginsWithAmount(id) == shape.Amount {
				ids = append(ids, TransactionID(id))
			}
		}
	}
	// As a rollback: a bet or win could be one only where the transactionID reaches back into the amount.
	least := 1
	if op.Kind != Rollback {
		least = len(text) - first + 1
	}
	for _, n := range s.transactions {
		if n >= least && n < len(text) {
			if id := TransactionID(text[len(text)-n:]); op.Kind != Rollback || id != op.TransactionID {
				ids, users = append(ids, id), append(users, UserID(text[:len(text)-n]))
			}
		}
	}
	if len(ids) > 0 || op.Kind == Rollback {
		users = append(users, op.otherUsers()...)
	}
	return ids, users
}

// otherUsers returns whom else op's text could name: digits move between the userID and the amount, and the text of a rollback
// may be a name as a whole.
func (op *Operation) otherUsers() (users []UserID) {
	text := op.Signed
	for end := range amountEnds(text) {
		for i := end - len("0.00"); i > 0 && digit(text[i]); i-- {
			// An amount has no leading zeros.
			if user := UserID(text[:i]); user != op.UserID && (text[i] != '0' || i == end-len("0.00")) {
				users = append(users, user)
			}
		}
	}
	if op.Kind == Rollback && len(text) <= MaxIDBytes {
		users = append(users, UserID(text))
	}
	return users
}

// amountEnds yields each place in text where an amount may end and IDs may follow.
func amountEnds(text string) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; ; i++ {
			next := strings.IndexByte(text[i:], '.')
			if next < 0 {
				return
			}
			i += next
			if i > 1 && i+len(".00") < len(text) && digit(text[i-1]) && digit(text[i+1]) && digit(text[i+2]) &&
				!yield(i+len(".00")) {
				return
			}
		}
	}
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// SignedAs reports whether t was accepted with another reading of op's text, and which player it named: whoever had that name
// then. It leaves to Decide what is a duplicate in spite of another endpoint.
func (op *Operation) SignedAs(t *Transaction) (user UserID, other bool) {
	ids := string(t.TransactionID) + string(t.RoundID)
	var values string
	switch t.Kind {
	case Bet:
		values = t.Bet.String() + ids
	case Win:
		values = t.Win.String() + ids
	case BetWin:
		values = t.Bet.String() + t.Win.String() + ids
	default:
		return "", false
	}
	if name, ok := strings.CutSuffix(op.Signed, values); ok && name != "" {
		return UserID(name), op.Kind == Rollback || UserID(name) != op.UserID || t.TransactionID != op.TransactionID
	}
	if t.State != Reversed || op.Kind == Rollback && t.TransactionID == op.TransactionID {
		return "", false
	}
	name, ok := strings.CutSuffix(op.Signed, string(t.TransactionID))
	return UserID(name), ok && name != ""
}

// ErasedName is what a player is called whose personal data were erased.
func ErasedName(player int64) UserID { return UserID("erased-" + strconv.FormatInt(player, 10)) }
