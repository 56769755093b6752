// Package credentials makes and checks what staff sign in with: password hashes, second factors with their recovery codes, and
// the seal that protects the secrets of second factors in the database. It knows neither HTTP nor the store.
package credentials

import (
	"crypto/rand"
	"fmt"

	"github.com/alexedwards/argon2id"
)

// HashParams are the parameters of argon2id: 19 MiB and two passes, the minimum in OWASP's password storage cheat sheet.
var HashParams = &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// HashPassword hashes a password that models.CheckPassword has accepted, for the store.
func HashPassword(password string) (string, error) {
	hash, err := argon2id.CreateHash(password, HashParams)
	if err != nil {
		return "", fmt.Errorf("hash password: %w", err)
	}
	return hash, nil
}

// Nobody is the hash that a password is compared with if there is no account, so that the answer takes as long. Only breaking
// argon2id yields a password that matches.
var Nobody = func() string {
	hash, err := HashPassword(rand.Text())
	if err != nil {
		panic(err)
	}
	return hash
}()
