package app

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"pitboss/models"
)

// TOTP secrets have to be known to check a code, so they cannot be hashes. The database keeps them sealed: encrypted with
// AES-256-GCM under a key that is derived from the session key, and bound to the number of the member of staff, so that neither
// a copy of the database gives codes away nor somebody else's row stands in for one's own. Under another session key they
// cannot be read: recovery codes still sign in, and an administrator can reset the second factor.

// sealedMark begins every sealed secret. No base32 text begins so.
const sealedMark = "v1:"

// errUnreadable is returned for a secret that was sealed under another key or for somebody else, or was changed.
var errUnreadable = errors.New("app: the second factor cannot be read with this session key")

// sealer seals TOTP secrets.
type sealer struct{ aead cipher.AEAD }

func newSealer(sessionKey []byte) (sealer, error) {
	key, err := hkdf.Key(sha256.New, sessionKey, nil, "pitboss staff second factor", 32)
	if err != nil {
		return sealer{}, fmt.Errorf("app: key of the second factors: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return sealer{}, fmt.Errorf("app: key of the second factors: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return sealer{}, fmt.Errorf("app: key of the second factors: %w", err)
	}
	return sealer{aead}, nil
}

// seal encrypts the secret of the member of staff with this number.
func (s sealer) seal(staffID int64, secret string) string {
	return sealedMark + base64.RawStdEncoding.EncodeToString(s.aead.Seal(nil, nil, []byte(secret), owner(staffID)))
}

// open returns the secret that was sealed for the member of staff with this number, or errUnreadable.
func (s sealer) open(staffID int64, sealed string) (string, error) {
	text, marked := strings.CutPrefix(sealed, sealedMark)
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

// SealSecondFactors seals the secrets that an earlier version has left in the clear, and returns how many it has sealed and how
// many cannot be read with this session key. Several instances may do it at once.
func (a *App) SealSecondFactors(ctx context.Context) (sealed, unreadable int, err error) {
	for filter := (models.StaffFilter{Limit: 200}); ; {
		list, more, err := a.Store.ListStaff(ctx, filter)
		if err != nil {
			return sealed, unreadable, err
		}
		for _, member := range list {
			switch {
			case !member.HasTOTP():
			case strings.HasPrefix(member.TOTPSecret, sealedMark):
				if _, err := a.sealer.open(member.ID, member.TOTPSecret); err != nil {
					unreadable++
				}
			default:
				done, err := a.Store.SealStaffTOTP(ctx, models.System, member.ID, member.TOTPSecret, a.sealer.seal(member.ID, member.TOTPSecret))
				if tampered := (models.TamperedError{}); errors.As(err, &tampered) {
					continue // logged; nobody can sign in to that account, and the others can
				}
				if err != nil {
					return sealed, unreadable, err
				}
				if done {
					sealed++
				}
			}
		}
		if !more {
			return sealed, unreadable, nil
		}
		filter.After = list[len(list)-1].Username
	}
}
