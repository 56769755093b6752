package credentials

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// TOTP secrets have to be known to check a code, so they cannot be hashes. The database keeps them sealed: encrypted with
// AES-256-GCM under a key that is derived from the session key, and bound to the number of the member of staff, so that neither
// a copy of the database gives codes away nor somebody else's row stands in for one's own. Under another session key they
// cannot be read: recovery codes still sign in, and an administrator can reset the second factor.

// SealedMark begins every sealed secret. No base32 text begins so.
const SealedMark = "v1:"

// errUnreadable is returned for a secret that was sealed under another key or for somebody else, or was changed.
var errUnreadable = errors.New("app: the second factor cannot be read with this session key")

// Sealer seals TOTP secrets.
type Sealer struct{ aead cipher.AEAD }

// NewSealer returns the sealer of this session key.
func NewSealer(sessionKey []byte) (Sealer, error) {
	key, err := hkdf.Key(sha256.New, sessionKey, nil, "pitboss staff second factor", 32)
	if err != nil {
		return Sealer{}, fmt.Errorf("app: key of the second factors: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return Sealer{}, fmt.Errorf("app: key of the second factors: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return Sealer{}, fmt.Errorf("app: key of the second factors: %w", err)
	}
	return Sealer{aead}, nil
}

// Seal encrypts the secret of the member of staff with this number.
func (s Sealer) Seal(staffID int64, secret string) string {
	return SealedMark + base64.RawStdEncoding.EncodeToString(s.aead.Seal(nil, nil, []byte(secret), owner(staffID)))
}

// Open returns the secret that was sealed for the member of staff with this number, or errUnreadable.
func (s Sealer) Open(staffID int64, sealed string) (string, error) {
	text, marked := strings.CutPrefix(sealed, SealedMark)
	raw, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil || !marked {
		return "", errUnreadable
	}
	secret, err := s.aead.Open(nil, nil, raw, owner(staffID))
	if err != nil {
		return "", errUnreadable
	}
	return string(secret), nil
}

func owner(staffID int64) []byte { return []byte("staff " + strconv.FormatInt(staffID, 10)) }
