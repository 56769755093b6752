package credentials

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
)

// RandomText returns a secret of 256 bits.
func RandomText() string {
	b := make([]byte, 32)
	rand.Read(b)
	return base64.RawURLEncoding.EncodeToString(b)
}

// Masked returns a token under a new random mask. It looks different on every page, so the size of a compressed page reveals
// nothing about the token.
func Masked(token string) string {
	b := []byte(token)
	mask := make([]byte, len(b))
	rand.Read(mask)
	subtle.XORBytes(b, b, mask)
	return base64.RawURLEncoding.EncodeToString(append(mask, b...))
}

// TokenMatches reports whether sent is a result of Masked for token.
func TokenMatches(sent, token string) bool {
	b, err := base64.RawURLEncoding.DecodeString(sent)
	if err != nil || len(b) != 2*len(token) || token == "" {
		return false
	}
	subtle.XORBytes(b[len(token):], b[len(token):], b[:len(token)])
	return subtle.ConstantTimeCompare(b[len(token):], []byte(token)) == 1
}
