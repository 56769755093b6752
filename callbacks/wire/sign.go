package wire

// Signatures (specification, Authentication 3 to 7).
//
//   - A signature is HMAC-SHA-256 over the values of a call, in the call's order and without separators, as UTF-8; the key is
//     the secret key as UTF-8. It is written as 64 uppercase hexadecimal characters.
//   - The values are signed as they were sent. Nothing is parsed, trimmed or rounded before the signature has been verified.
//   - Without separators a signature does not show where a value ends: "ab"+"c" and "a"+"bc" have the same one. That is a
//     property of the protocol. A signature proves who sent a message, and nothing more; freeSpin is not signed at all.
//   - Verification takes the same time wherever the first wrong character is. A signature of another shape (length, other
//     characters) is refused without using the key.
//   - A signature that is right except for lower-case letters is refused, as the specification demands. But it proves who sent
//     the message: whoever reads it can write it in upper case and send it for other values. So it counts as verified, and the
//     refused text leaves its digest like that of any other verified callback (models/signed.go).
//   - Two keys are accepted while a key is being rotated. An empty key is never accepted, because anybody could sign with it.

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"strings"
	"sync"
)

// SignLength is the length of a signature in characters (specification, Limits 2).
const SignLength = 2 * sha256.Size

// SignedValues returns the values that the endpoint signs, in order (specification, Authentication, "Sign input order"). It
// appends them to into[:0], which needs room for six, to avoid an allocation.
func (r *Request) SignedValues(e Endpoint, into []string) []string {
	into = append(into[:0], r.AgentID, r.UserID)
	switch e {
	case Withdraw, Deposit:
		into = append(into, r.Amount, r.TransactionID, r.RoundID)
	case BetWin:
		into = append(into, r.BetAmount, r.WinAmount, r.TransactionID, r.RoundID)
	case RollbackTransaction:
		into = append(into, r.TransactionID)
	}
	return into
}

// Why a signature is refused. The platform gets InvalidSign for all of them.
var (
	ErrSignShape    = errors.New("the sign is not 64 uppercase hexadecimal characters")
	ErrSignCase     = errors.New("the sign is right, but in lower case; it must be 64 uppercase hexadecimal characters")
	ErrSignMismatch = errors.New("the sign does not match")
)

// Sign returns the signature of the values under the key.
func Sign(key string, values ...string) string {
	k := newKey(key)
	sum := k.sum(values)
	return strings.ToUpper(hex.EncodeToString(sum[:]))
}

// Verifier verifies signatures under several keys; put the usual one first. It is safe for concurrent use.
type Verifier struct{ keys []*key } // nil for an empty one

// NewVerifier returns a Verifier that accepts signatures under any of the keys. It ignores empty keys; without keys it accepts
// nothing.
func NewVerifier(keys ...string) *Verifier {
	v := &Verifier{keys: make([]*key, len(keys))}
	for i, k := range keys {
		if k != "" {
			v.keys[i] = newKey(k)
		}
	}
	return v
}

// Verify returns the index of the key under which sign is the signature of the values. The error is ErrSignCase if it is in
// lower case, and ErrSignShape or ErrSignMismatch if there is no such key.
func (v *Verifier) Verify(sign string, values ...string) (used int, err error) {
	var want [sha256.Size]byte
	var lower error
	if strings.ContainsAny(sign, "abcdef") {
		sign, lower = strings.ToUpper(sign), ErrSignCase
	}
	var text [SignLength]byte
	copy(text[:], sign)
	if _, wrong := hex.Decode(want[:], text[:]); wrong != nil || len(sign) != SignLength {
		return 0, ErrSignShape
	}
	for i, k := range v.keys {
		if k == nil {
			continue
		}
		if got := k.sum(values); hmac.Equal(got[:], want[:]) {
			return i, lower
		}
	}
	return 0, ErrSignMismatch
}

// key pools HMAC states, because deriving one from the secret costs as much as signing a callback.
type key struct{ states sync.Pool }

type state struct {
	mac     hash.Hash
	message []byte
}

func newKey(secret string) *key {
	k := &key{}
	k.states.New = func() any { return &state{mac: hmac.New(sha256.New, []byte(secret))} }
	return k
}

func (k *key) sum(values []string) (sum [sha256.Size]byte) {
	s := k.states.Get().(*state)
	s.message = s.message[:0]
	for _, v := range values {
		s.message = append(s.message, v...)
	}
	s.mac.Reset()
	s.mac.Write(s.message)
	s.message = s.mac.Sum(s.message[:0])
	copy(sum[:], s.message)
	k.states.Put(s)
	return sum
}
