// Package draft encrypts what somebody has entered into a form for the next page: the confirmation page, or the form again with
// its errors. The draft is in the address of that page, encrypted and authenticated with a key derived from the session key,
// and bound to the page and to the staff member. Nothing is stored, so any instance can show the page, even after the person
// has signed in again. A draft changes nothing: that takes the final POST with the session's token.
package draft

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
)

const (
	Lasts   = 12 * time.Hour
	Longest = 7 << 10 // bytes in the address; proxies commonly accept addresses of 8 KB

	// Nobody is the owner of what was typed while signed out. Such a draft only fills in a form, as a link with parameters
	// does.
	Nobody = 0
)

// Draft is the contents of a draft.
type Draft struct {
	At     int64             `json:"a"` // Unix seconds
	Values map[string]string `json:"v"`
	Wrong  map[string]string `json:"w,omitempty"` // what is wrong, by field
}

// ErrUnreadable is returned for a draft that was changed, belongs to somebody else or another page, or is too old.
var ErrUnreadable = errors.New("the draft cannot be read")

// ErrLong is returned for a draft that does not fit into an address. It is never cut: half of a pasted sheet would look whole.
var ErrLong = errors.New("the draft is too long for an address")

// Sealer seals and opens drafts.
type Sealer struct {
	aead cipher.AEAD
	now  func() time.Time
}

// NewSealer returns the sealer of this session key.
func NewSealer(sessionKey []byte, now func() time.Time) (Sealer, error) {
	key, err := hkdf.Key(sha256.New, sessionKey, nil, "pitboss form draft", 32)
	if err != nil {
		return Sealer{}, fmt.Errorf("key of the drafts: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return Sealer{}, fmt.Errorf("key of the drafts: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	return Sealer{aead, now}, err
}

// owner returns the bytes that bind a draft to a page and a person.
func owner(path string, staffID int64) []byte {
	return []byte(strconv.FormatInt(staffID, 10) + " " + path)
}

// Seal returns the draft as a text for the address of the page at path. It returns ErrLong if the text is too long.
func (s Sealer) Seal(path string, staffID int64, d Draft) (string, error) {
	if d.size() > Longest { // before any work: whoever sends a form chooses its length
		return "", ErrLong
	}
	d.At = s.now().Unix()
	plain, err := json.Marshal(d)
	if err != nil {
		return "", err
	}
	sealed := base64.RawURLEncoding.EncodeToString(s.aead.Seal(nil, nil, plain, owner(path, staffID)))
	if len(sealed) > Longest {
		return "", ErrLong
	}
	return sealed, nil
}

// size returns how many bytes the fields have.
func (d Draft) size() (bytes int) {
	for _, fields := range []map[string]string{d.Values, d.Wrong} {
		for name, value := range fields {
			bytes += len(name) + len(value)
		}
	}
	return bytes
}

// Open returns the draft that was sealed for the page at path and the member of staff with this internal ID, or ErrUnreadable.
func (s Sealer) Open(path string, staffID int64, text string) (d Draft, err error) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return d, ErrUnreadable
	}
	plain, err := s.aead.Open(nil, nil, raw, owner(path, staffID))
	if err != nil || json.Unmarshal(plain, &d) != nil {
		return d, ErrUnreadable
	}
	if age := s.now().Sub(time.Unix(d.At, 0)); age < -time.Minute || age > Lasts {
		return d, ErrUnreadable
	}
	return d, nil
}
