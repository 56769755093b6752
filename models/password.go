package models

import (
	_ "embed"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Why a password is refused. Staff see these texts.
var (
	ErrPasswordShort = errors.New("a password must have at least 12 characters")
	ErrPasswordLong  = errors.New("a password can have at most 256 bytes")
	ErrPasswordName  = errors.New("a password must not contain the username or the name of this program")
	ErrPasswordKnown = errors.New("this password is easy to guess; use several unrelated words instead")
)

// known_passwords.txt has the words that make passwords guessable, one per line.
//
//go:embed known_passwords.txt
var knownPasswordsText string

var knownPasswords = func() map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsSeq(knownPasswordsText) {
		words[word] = true
	}
	return words
}()

// keyboardRows are sequences of keys. A password along one of them is easy to guess, however long it is.
var keyboardRows = []string{
	"abcdefghijklmnopqrstuvwxyz", "1234567890", "qwertyuiop", "qwertzuiop", "asdfghjkl", "zxcvbnm",
	"qwertyuiopasdfghjklzxcvbnm", "qwertzuiopasdfghjklyxcvbnm", "azertyuiopqsdfghjklmwxcvbn",
	"1q2w3e4r5t6y7u8i9o0p", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p", "q1w2e3r4t5y6u7i8o9p0", "zaq12wsxcde34rfvbgt56yhn",
	"!@#$%^&*()",
}

// CheckPassword returns why this staff member cannot use this password, or nil.
func CheckPassword(username, password string) error {
	if utf8.RuneCountInString(password) < 12 {
		return ErrPasswordShort
	}
	if len(password) > 256 {
		return ErrPasswordLong
	}
	lower := strings.ToLower(password)
	if strings.Contains(lower, username) && username != "" || strings.Contains(lower, "pitboss") {
		return ErrPasswordName
	}
	if distinct(lower) < 5 || alongKeys(lower) {
		return ErrPasswordKnown
	}
	// People add digits and symbols around a refused word, and replace letters within it.
	core := strings.TrimFunc(lower, func(r rune) bool { return !unicode.IsLetter(r) })
	for _, guess := range []string{lower, core} {
		if isKnownWord(letters(guess)) || isKnownWord(letters(unleet.Replace(guess))) {
			return ErrPasswordKnown
		}
	}
	return nil
}

func distinct(s string) int {
	seen := map[rune]bool{}
	for _, r := range s {
		seen[r] = true
	}
	return len(seen)
}

// alongKeys reports whether s follows a keyboard row forward or backward, possibly repeated.
func alongKeys(s string) bool {
	for _, walk := range keyboardRows {
		round := strings.Repeat(walk, len(s)/len(walk)+2)
		if strings.Contains(round, s) || strings.Contains(reversed(round), s) {
			return true
		}
	}
	return false
}

func reversed(s string) string {
	b := []byte(s)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return string(b)
}

// unleet replaces digits and symbols by the letters that they stand for.
var unleet = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "8", "b", "@", "a", "$", "s", "!",
	"i")

// letters returns s without digits and symbols.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, s)
}

// isKnownWord reports whether s is one known word or two in a row. Three are as good as a passphrase.
func isKnownWord(s string) bool {
	if s == "" || knownPasswords[s] {
		return true
	}
	for i := 1; i < len(s); i++ {
		if knownPasswords[s[:i]] && knownPasswords[s[i:]] {
			return true
		}
	}
	return false
}
