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
)

// ErrSealed means that a text was sealed under another key, for another person or for another use, or that it was altered.
var ErrSealed = errors.New("the text cannot be read with this session key")

// Sealer encrypts texts with AES-256-GCM under a key derived from the session key, and binds each to a staff member's number
// and to a use. It cannot open texts that were sealed under another session key.
type Sealer struct{ aead cipher.AEAD }

// NewSealer returns a sealer for this session key.
func NewSealer(sessionKey []byte) (Sealer, error) {
	key, err := hkdf.Key(sha256.New, sessionKey, nil, "pitboss sealed texts", 32)
	if err != nil {
		return Sealer{}, fmt.Errorf("key of sealed texts: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return Sealer{}, fmt.Errorf("key of sealed texts: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	return Sealer{aead}, err
}

func binding(staffID int64, use string) []byte {
	return []byte(strconv.FormatInt(staffID, 10) + " " + use)
}

// Seal seals a text for a person and a use. The result has only characters that are safe in an address.
func (s Sealer) Seal(staffID int64, use, text string) string {
	return base64.RawURLEncoding.EncodeToString(s.aead.Seal(nil, nil, []byte(text), binding(staffID, use)))
}

// Open returns the text that was sealed for this person and use, or ErrSealed.
func (s Sealer) Open(staffID int64, use, sealed string) (string, error) {
	raw, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil {
		return "", ErrSealed
	}
	text, err := s.aead.Open(nil, nil, raw, binding(staffID, use))
	if err != nil {
		return "", ErrSealed
	}
	return string(text), nil
}

// To check a code, Pitboss needs the TOTP secret itself, so it cannot hash the secrets. The database has them sealed: a copy of
// the database reveals no codes, and a row copied to another person is useless. With another session key the secrets cannot be
// opened; recovery codes still work, and an administrator can reset the second factor.
const secondFactor = "second factor"

// SealTOTP seals a secret for the staff member with this number.
func (s Sealer) SealTOTP(staffID int64, secret string) string {
	return s.Seal(staffID, secondFactor, secret)
}

// OpenTOTP opens a secret that was sealed for the staff member with this number, or returns ErrSealed.
func (s Sealer) OpenTOTP(staffID int64, sealed string) (string, error) {
	return s.Open(staffID, secondFactor, sealed)
}
