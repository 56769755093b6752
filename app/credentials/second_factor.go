package credentials

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/hex"
	"fmt"
	"image/png"
	"strings"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"
)

// Second factors are six digits every 30 seconds (RFC 6238), and recovery codes in case the authenticator is lost.

const totpPeriod = 30

var totpOptions = totp.ValidateOpts{Period: totpPeriod, Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1}

// NewTOTPSecret makes a random secret of 160 bits, in base32.
func NewTOTPSecret() string {
	b := make([]byte, 20)
	rand.Read(b)
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b)
}

// TOTPStep returns the 30-second step that a code belongs to: the current one, the one before or the one after. It returns
// false for any other code. It does not know whether a code of that step was already used; the store does.
func TOTPStep(secret, code string, now time.Time) (int64, bool) {
	current := now.Unix() / totpPeriod
	found, ok := int64(0), false
	for step := current - 1; step <= current+1; step++ {
		want, err := totp.GenerateCodeCustom(secret, time.Unix(step*totpPeriod, 0), totpOptions)
		if err == nil && subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 {
			found, ok = step, true
		}
	}
	return found, ok
}

// TOTPPicture returns a PNG of the QR code from which an authenticator app reads the secret.
func TOTPPicture(secret, username, operator string) ([]byte, error) {
	raw, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(secret)
	if err != nil {
		return nil, fmt.Errorf("second factor: %w", err)
	}
	issuer := "Pitboss"
	if operator != "" {
		issuer += " " + operator
	}
	key, err := totp.Generate(totp.GenerateOpts{Issuer: issuer, AccountName: username, Secret: raw, Period: totpPeriod,
		Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1})
	if err != nil {
		return nil, fmt.Errorf("second factor: %w", err)
	}
	picture, err := key.Image(384, 384)
	if err != nil {
		return nil, fmt.Errorf("second factor: %w", err)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		return nil, fmt.Errorf("second factor: %w", err)
	}
	return b.Bytes(), nil
}

// Digits removes the spaces that authenticator apps show in codes.
func Digits(code string) string { return strings.Join(strings.Fields(code), "") }

// RecoveryCodes is how many recovery codes a person gets.
const RecoveryCodes = 10

// NewRecoveryCodes makes codes of 60 random bits, such as k3vq-72ta-mn5e, and the hashes that the store keeps. Codes this long
// do not need a slow hash.
func NewRecoveryCodes() (codes, hashes []string) {
	for range RecoveryCodes {
		b := make([]byte, 8)
		rand.Read(b)
		s := strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b))[:12]
		code := s[:4] + "-" + s[4:8] + "-" + s[8:]
		codes, hashes = append(codes, code), append(hashes, RecoveryHash(code))
	}
	return codes, hashes
}

// RecoveryHash returns the hash that the store keeps of a recovery code. Case, spaces and hyphens do not matter.
func RecoveryHash(code string) string {
	code = strings.ToLower(strings.ReplaceAll(strings.Join(strings.Fields(code), ""), "-", ""))
	return Sha256Text(code)
}

// Sha256Text returns the SHA-256 of a text in hexadecimal.
func Sha256Text(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
