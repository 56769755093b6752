package app

import (
	"context"
	"fmt"
	"runtime"

	"github.com/alexedwards/argon2id"
)

// hashing parameters: 19 MiB and two passes, the least that OWASP's password storage cheat sheet names for argon2id.
var hashParams = &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// hashesAtOnce keeps sign-ins from taking the processors and the memory that callbacks need.
var hashesAtOnce = max(1, runtime.NumCPU()/2)

// HashPassword hashes a password that models.CheckPassword has accepted, for the store.
func HashPassword(password string) (string, error) {
	hash, err := argon2id.CreateHash(password, hashParams)
	if err != nil {
		return "", fmt.Errorf("hash password: %w", err)
	}
	return hash, nil
}

// nobody is compared with where there is no such account, so that the answer takes as long. No password matches it but by
// breaking argon2id.
var nobody = func() string {
	hash, err := HashPassword(randomText())
	if err != nil {
		panic(err)
	}
	return hash
}()

// passwordMatches compares, waiting for its turn. An empty hash matches nothing, after as long.
func (a *App) passwordMatches(ctx context.Context, password, hash string) (bool, error) {
	done, err := a.turn(ctx)
	if err != nil {
		return false, err
	}
	defer done()
	if hash == "" {
		_, err := argon2id.ComparePasswordAndHash(password, nobody)
		return false, err
	}
	return argon2id.ComparePasswordAndHash(password, hash)
}

func (a *App) hashPassword(ctx context.Context, password string) (string, error) {
	done, err := a.turn(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	return HashPassword(password)
}

// turn waits for one of the few places in which passwords are hashed.
func (a *App) turn(ctx context.Context) (done func(), err error) {
	select {
	case a.hashing <- struct{}{}:
		return func() { <-a.hashing }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("wait to hash a password: %w", ctx.Err())
	}
}
