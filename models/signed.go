package models

import (
	"slices"
	"strings"
)

// What a signature proves.
//
// The protocol signs the concatenated values of a callback, without separators, and Withdraw and Deposit sign the same values.
// So one signature is valid for every way of splitting its text, and for several endpoints: "win-7781" + "round-55" is also
// "win-7781r" + "ound-55", and a Deposit of 2.00 to "anna1" is also one of 12.00 to "anna". The rule against this: once a text
// has been accepted with one reading, every other reading of it is refused (SignReused), for good and on every instance.
//
// This needs no extra row per callback, because accepted callbacks are stored anyway: an applied bet or win is a transaction,
// an accepted rollback is a rolled-back transaction or a tombstone. A purge keeps the parts of these rows that are needed. The
// signed text can be rebuilt from such a row. From a new text, Pitboss derives the few transaction IDs and users that another
// reading could have: those with a length that occurs in the ledger (IDShapes). Platforms use IDs of one length or a few
// lengths, so there is usually no other ID to look up.
//
//   - Bets and wins end with transaction ID and round ID, after an amount. Wherever an amount may end in the text, the rest is
//     split at each known pair of lengths.
//   - A rollback is user ID and transaction ID: its text is split at each known length of a transaction ID.
//   - A GetBalance changes nothing and stores nothing. But the GetBalance of player "anna1" has the text of anna's rollback of
//     transaction "1", so a rollback whose user ID and transaction ID together are a player's name is refused.
//   - A declined callback leaves no transaction. A digest of its text is stored, so that a declined Withdraw can be sent
//     neither as a Deposit nor for another player, not even for one who gets the name later. If the same callback is repeated,
//     it is decided again. The digest of a callback for an unknown player is stored too.
//   - After an erasure, texts can no longer be rebuilt from the player's name. So an erasure stores digests of the texts that
//     cannot be recognized without it: those of GetBalances, and of rollbacks that came first.
//
// freeSpin is not part of a reading, because it is not signed. If a player's transaction ID is repeated with another endpoint,
// it is a duplicate with other contents, and nothing is booked.
//
// One case is left to the operator: a player whose name contains an amount ("anna12.30x") has GetBalance texts that can be read
// as a bet or win of another player. PITBOSS_USER_ID_FORMAT excludes such names.

// SignedDigest identifies a signed text without revealing it: 128 bits of a hash, keyed with the ledger's key if there is one.
type SignedDigest [16]byte

// Signed returns the digest of a callback's signed text after the agent ID, which is always ours.
func (c *Chain) Signed(text string) (digest SignedDigest) {
	sum := c.sum(tagSigned, Hash{}, func(b []byte) []byte { return append(b, text...) })
	copy(digest[:], sum[:])
	return digest
}

// Reading is a way of splitting a signed text into the values of a callback. The text and these fields determine all values: an
// amount ends after its two decimals, and the rest is the round ID.
type Reading struct {
	Kind              OperationKind
	UserLength        int
	TransactionLength int
}

// Reading returns op's own reading of its signed text.
func (op *Operation) Reading() Reading {
	return Reading{op.Kind, len(op.UserID), len(op.TransactionID)}
}

// Shape returns the lengths of op's IDs.
func (op *Operation) Shape() IDShape {
	return IDShape{len(op.UserID), len(op.TransactionID), len(op.RoundID),
		op.Kind != Rollback && beginsWithAmount(string(op.TransactionID))}
}

// beginsWithAmount reports whether a BetWin could be read as a bet or win of this transactionID. No platform is known to write
// such IDs.
func beginsWithAmount(id string) bool {
	digits := len(id) - len(strings.TrimLeft(id, "0123456789"))
	return digits > 0 && len(id) >= digits+len(".00") && id[digits] == '.' && digit(id[digits+1]) && digit(id[digits+2])
}

// IDShape has the lengths of the IDs of an accepted callback, in bytes. A rollback that came first has no roundID. The length
// of the userID is stored separately: a stored shape has only User, or everything but User.
type IDShape struct {
	User, Transaction, Round int
	Amount                   bool // the transactionID begins with an amount
}

// IDShapes are the lengths of userIDs in the ledger, and the shapes of the other IDs. None is ever removed.
type IDShapes struct {
	users        map[int]bool
	known        map[IDShape]bool  // without User
	byTotal      map[int][]IDShape // by the length of both IDs together
	transactions []int             // all lengths of transactionIDs
}

// NewIDShapes returns the set of these shapes.
func NewIDShapes(list []IDShape) *IDShapes {
	s := &IDShapes{users: map[int]bool{}, known: make(map[IDShape]bool, len(list)), byTotal: map[int][]IDShape{}}
	for _, shape := range list {
		if shape.User > 0 {
			s.users[shape.User] = true
		}
		if shape.User = 0; shape == (IDShape{}) || s.known[shape] {
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

// With returns the set with more shapes added.
func (s *IDShapes) With(more []IDShape) *IDShapes {
	list := slices.Clone(more)
	for shape := range s.known {
		list = append(list, shape)
	}
	for user := range s.users {
		list = append(list, IDShape{User: user})
	}
	return NewIDShapes(list)
}

// Has reports whether the length of the userID, if there is one, and the rest of the shape are known. For a rollback that came
// first, the rest is only the length of its transactionID.
func (s *IDShapes) Has(shape IDShape) bool {
	return (shape.User == 0 || s.users[shape.User]) && s.hasIDs(shape)
}

// hasIDs is Has without the userID.
func (s *IDShapes) hasIDs(shape IDShape) bool {
	shape.User = 0
	return s.known[shape] || shape.Round == 0 && slices.Contains(s.transactions, shape.Transaction)
}

// Without returns those of the shapes that s does not have: the shapes without User, and the lengths of userIDs, each once.
func (s *IDShapes) Without(list []IDShape) (ids []IDShape, users []int) {
	for _, shape := range list {
		if user := shape.User; !s.users[user] && !slices.Contains(users, user) {
			users = append(users, user)
		}
		if shape.User = 0; !s.hasIDs(shape) && !slices.Contains(ids, shape) {
			ids = append(ids, shape)
		}
	}
	return ids, users
}

// OtherReadings returns the transaction IDs and users that other readings of op's text could have, without op's own. Many of
// them may not exist.
func (s *IDShapes) OtherReadings(op *Operation) (ids []TransactionID, users []UserID) {
	text := op.Signed
	if text == "" {
		return nil, nil
	}
	first := len(text) // the first place where an amount may end
	for end := range amountEnds(text) {
		first = min(first, end)
		for _, shape := range s.byTotal[len(text)-end] {
			id := text[end : end+shape.Transaction]
			if TransactionID(id) != op.TransactionID && beginsWithAmount(id) == shape.Amount {
				ids = append(ids, TransactionID(id))
			}
		}
	}
	// As a rollback: if op is a bet or win, the transaction ID of that reading extends into the amount.
	least := 1
	if op.Kind != Rollback {
		least = len(text) - first + 1
	}
	for _, n := range s.transactions {
		if n >= least && n < len(text) {
			if id := TransactionID(text[len(text)-n:]); op.Kind != Rollback || id != op.TransactionID {
				ids = append(ids, id)
				if s.users[len(text)-n] {
					users = append(users, UserID(text[:len(text)-n]))
				}
			}
		}
	}
	if len(ids) > 0 || op.Kind == Rollback {
		users = append(users, s.otherUsers(op)...)
	}
	return ids, users
}

// otherUsers returns the other users that op's text could name: digits may belong to the user ID or the amount, and the whole
// text of a rollback may be a name, whether or not its player has ever played.
func (s *IDShapes) otherUsers(op *Operation) (users []UserID) {
	text := op.Signed
	for end := range amountEnds(text) {
		for i := end - len("0.00"); i > 0 && digit(text[i]); i-- {
			// Amounts have no leading zeros.
			if user := UserID(text[:i]); s.users[i] && user != op.UserID && (text[i] != '0' || i == end-len("0.00")) {
				users = append(users, user)
			}
		}
	}
	if op.Kind == Rollback && len(text) <= MaxIDBytes {
		users = append(users, UserID(text))
	}
	return users
}

// amountEnds yields each index in text at which an amount may end and IDs may follow.
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

// SignedAs reports whether t was accepted with another reading of op's text, and returns the user whom the text named at that
// time. Duplicates with another endpoint are left to Decide.
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
