package wire

// Signatures (specification, Authentication 3 to 7).
//
//   - A sign is HMAC-SHA-256 over the values of a call, in the call's order, one after the other without a separator, as UTF-8
//     bytes; the key is the secret key's UTF-8 bytes. It is written as 64 uppercase hexadecimal characters.
//   - The values are those that were sent. An amount is signed as it stands in the message, so nothing is parsed, trimmed or
//     rounded before its sign has been verified.
//   - Without separators a sign does not say where one value ends: "ab"+"c" and "a"+"bc" have the same one. This is how the
//     protocol is; what follows from it is that a sign proves who sent a message, and that nothing else about it is proved:
//     freeSpin is not signed at all.
//   - Verifying takes the same time whatever the first wrong character. A sign of another shape (length, lower case, other
//     characters) is refused without looking at the key.
//   - While a key is being rotated two are accepted. The empty key is never accepted: it would be one that everybody knows.

import (
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"hash"
	"sync"
)

// SignLength is the length of every sign in characters (specification, Limits 2).
const SignLength = 2 * sha256.Size

// The ways in which a sign does not hold. On the wire both are InvalidSign.
var (
	ErrSignShape    = errors.New("the sign is not 64 uppercase hexadecimal characters")
	ErrSignMismatch = errors.New("the sign does not match")
)

const hexDigits = "0123456789ABCDEF"

// Sign returns the sign of the values under the key, which is used as it is.
func Sign(key string, values ...string) string {
	k := newKey(key)
	sum := k.sum(values)
	return string(appendHex(make([]byte, 0, SignLength), sum[:]))
}

// Verify returns nil when sign is that of the values under one of the keys, else ErrSignShape or ErrSignMismatch. Empty keys
// are passed over. Whoever verifies often makes a Verifier once.
func Verify(sign string, keys []string, values ...string) error {
	return NewVerifier(keys...).Verify(sign, values...)
}

// Verifier verifies signs under a few keys, the usual one first. It may be used by several goroutines at once.
type Verifier struct{ keys []*key }

// NewVerifier accepts signs under any of the keys. Empty keys are passed over; without any key nothing is accepted.
func NewVerifier(keys ...string) *Verifier {
	v := &Verifier{}
	for _, k := range keys {
		if k != "" {
			v.keys = append(v.keys, newKey(k))
		}
	}
	return v
}

// Verify returns nil when sign is that of the values under one of the keys, else ErrSignShape or ErrSignMismatch.
func (v *Verifier) Verify(sign string, values ...string) error {
	var want [sha256.Size]byte
	if !parseHex(&want, sign) {
		return ErrSignShape
	}
	for _, k := range v.keys {
		got := k.sum(values)
		if hmac.Equal(got[:], want[:]) {
			return nil
		}
	}
	return ErrSignMismatch
}

// key keeps HMAC states at hand, because deriving one from the secret costs as much as signing a callback.
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

func appendHex(b, sum []byte) []byte {
	for _, c := range sum {
		b = append(b, hexDigits[c>>4], hexDigits[c&15])
	}
	return b
}

// parseHex reads exactly SignLength uppercase hexadecimal characters.
func parseHex(sum *[sha256.Size]byte, s string) bool {
	if len(s) != SignLength {
		return false
	}
	for i := range sum {
		high, ok := nibble(s[2*i])
		low, ok2 := nibble(s[2*i+1])
		if !ok || !ok2 {
			return false
		}
		sum[i] = high<<4 | low
	}
	return true
}

func nibble(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}
