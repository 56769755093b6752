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

// Checking a code needs the TOTP secret itself, so the secrets cannot be hashed. The database has them sealed: encrypted with
// AES-256-GCM under a key derived from the session key, and bound to the staff member's number. So a copy of the database
// reveals no codes, and nobody can use another person's row as their own. With another session key the secrets cannot be read;
// recovery codes still work, and an administrator can reset the second factor.

// SealedMark begins every sealed secret. No base32 text begins with it.
const SealedMark = "v1:"

// errUnreadable is returned for a secret that was sealed under another key or for somebody else, or was changed.
var errUnreadable = errors.New("the second factor cannot be read with this session key")

// Sealer seals TOTP secrets.
type Sealer struct{ aead cipher.AEAD }

// NewSealer returns a sealer for this session key.
func NewSealer(sessionKey []byte) (Sealer, error) {
	key, err := hkdf.Key(sha256.New, sessionKey, nil, "pitboss staff second factor", 32)
	if err != nil {
		return Sealer{}, fmt.Errorf("key of the second factors: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return Sealer{}, fmt.Errorf("key of the second factors: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return Sealer{}, fmt.Errorf("key of the second factors: %w", err)
	}
	return Sealer{aead}, nil
}

// Seal encrypts the secret of the staff member with this number.
func (s Sealer) Seal(staffID int64, secret string) string {
	return SealedMark + base64.RawStdEncoding.EncodeToString(s.aead.Seal(nil, nil, []byte(secret), owner(staffID)))
}

// Open returns the secret that was sealed for the staff member with this number, or errUnreadable.
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
