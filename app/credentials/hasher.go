package credentials

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/alexedwards/argon2id"
)

// Hasher hashes and compares passwords, a few at a time, so that sign-ins do not take the processors and the memory that
// callbacks need.
type Hasher struct {
	Hashing   chan struct{} // has room for as many passwords as may be hashed at once
	strangers chan struct{} // has room for as many strangers as may be served or wait at once
}

// ErrBusy means that too many people are signing in at this moment.
var ErrBusy = errors.New("too many people are signing in")

// NewHasher returns a hasher that uses half of the processors.
func NewHasher() Hasher {
	places := max(1, runtime.NumCPU()/2)
	return Hasher{make(chan struct{}, places), make(chan struct{}, 8*places)}
}

// StrangerMatches is like PasswordMatches, for somebody who signs in from an unknown origin. If too many strangers are waiting
// already, it returns ErrBusy at once. So everybody else waits for a few strangers at most.
func (h Hasher) StrangerMatches(ctx context.Context, password, hash string) (bool, error) {
	select {
	case h.strangers <- struct{}{}:
		defer func() { <-h.strangers }()
		return h.PasswordMatches(ctx, password, hash)
	default:
		return false, ErrBusy
	}
}

// PasswordMatches waits for its turn and compares a password with a hash. An empty hash never matches, but takes as long as a
// real comparison.
func (h Hasher) PasswordMatches(ctx context.Context, password, hash string) (bool, error) {
	done, err := h.turn(ctx)
	if err != nil {
		return false, err
	}
	defer done()
	if hash == "" {
		_, err := argon2id.ComparePasswordAndHash(password, Nobody)
		return false, err
	}
	return argon2id.ComparePasswordAndHash(password, hash)
}

// HashPassword waits for its turn and hashes a password.
func (h Hasher) HashPassword(ctx context.Context, password string) (string, error) {
	done, err := h.turn(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	return HashPassword(password)
}

// turn waits for room to hash a password. The caller must call done afterwards.
func (h Hasher) turn(ctx context.Context) (done func(), err error) {
	select {
	case h.Hashing <- struct{}{}:
		return func() { <-h.Hashing }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("wait to hash a password: %w", ctx.Err())
	}
}
