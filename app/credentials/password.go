// Package credentials makes and checks what staff sign in with: password hashes, second factors with their recovery codes, and
// the seal under which the database keeps the secrets of second factors. It knows neither HTTP nor the store.
package credentials

import (
	"crypto/rand"
	"fmt"

	"github.com/alexedwards/argon2id"
)

// HashParams are those of argon2id: 19 MiB and two passes, the least that OWASP's password storage cheat sheet names for
// argon2id.
var HashParams = &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// HashPassword hashes a password that models.CheckPassword has accepted, for the store.
func HashPassword(password string) (string, error) {
	hash, err := argon2id.CreateHash(password, HashParams)
	if err != nil {
		return "", fmt.Errorf("hash password: %w", err)
	}
	return hash, nil
}

// Nobody is compared with where there is no such account, so that the answer takes as long. No password matches it but by
// breaking argon2id.
var Nobody = func() string {
	hash, err := HashPassword(rand.Text())
	if err != nil {
		panic(err)
	}
	return hash
}()
