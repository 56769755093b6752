package models

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
)

// Single sign-on. The operator's identity provider says who somebody is (issuer and subject) and, by their groups, which role
// they have.
//
// An account is linked to an issuer and a subject, never found by an e-mail address or a username: those can be given to
// somebody else. The first sign-in of a person creates their account, and each sign-in applies the role of their groups. An
// administrator confirms both, like anything else that an account is given (Given): whoever manages the groups must not be able
// to act as two people. While an account is linked, administrators cannot change its role: it has one source.

// Identity is who an account's owner is at the identity provider: the issuer, # and the subject. An issuer has no #. It is
// empty for an account that is not linked.
type Identity string

// NewIdentity returns the identity of a subject.
func NewIdentity(issuer, subject string) Identity { return Identity(issuer + "#" + subject) }

// Subject returns the name of the owner at the identity provider.
func (i Identity) Subject() string {
	_, subject, _ := strings.Cut(string(i), "#")
	return subject
}

// Value stores an empty identity as NULL, of which a unique column may have many.
func (i Identity) Value() (driver.Value, error) {
	if i == "" {
		return nil, nil
	}
	return string(i), nil
}

// Scan reads an identity.
func (i *Identity) Scan(value any) error {
	switch v := value.(type) {
	case nil:
		*i = ""
	case []byte:
		*i = Identity(v)
	case string:
		*i = Identity(v)
	default:
		return fmt.Errorf("an identity is a text, not %T", value)
	}
	return nil
}

// CheckSubject returns ErrSubject if a text cannot be a subject. OpenID Connect allows 255 ASCII characters.
func CheckSubject(subject string) error {
	if subject == "" || len(subject) > 255 || strings.ContainsFunc(subject, func(r rune) bool { return r < ' ' || r > '~' }) {
		return ErrSubject
	}
	return nil
}

// SignOn is a person whom the identity provider has authenticated.
type SignOn struct {
	Identity
	Username string // of a new account, as ParseUsername returns it
	Name     string // of a new account
	Email    string // of a new account; empty unless the provider has verified it
	Role     Role
}

// Errors of single sign-on. Staff see these texts.
var (
	ErrSubject          = errors.New("enter the subject, of 1 to 255 letters, digits and signs, as the identity provider shows it")
	ErrRoleFromProvider = errors.New("the role comes from groups at the identity provider: change it there")
	ErrIdentityTaken    = errors.New("this subject is already linked to another account")
	ErrOwnIdentity      = errors.New("you cannot link your own account: ask another administrator")
	ErrUsernameNotYours = errors.New("another account has this username")
)
