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

// HashPassword returns the hash that the store keeps of a password that models.CheckPassword has accepted.
func HashPassword(password string) (string, error) {
	hash, err := argon2id.CreateHash(password, HashParams)
	if err != nil {
		return "", fmt.Errorf("hash password: %w", err)
	}
	return hash, nil
}

// Nobody is a hash to compare passwords with if there is no account, so that the answer takes as long as for a real one. To
// find a password that matches, one would have to break argon2id.
var Nobody = func() string {
	hash, err := HashPassword(rand.Text())
	if err != nil {
		panic(err)
	}
	return hash
}()
