// Package passkeys lets staff use passkeys (WebAuthn) as second factors. The site challenges a browser to create a passkey, or
// to prove that its owner has one, and keeps the challenge in the session. The browser's answer is valid once, for this site
// and this challenge.
package passkeys

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"pitboss/models"
)

// Site creates and checks passkeys.
type Site struct{ rp *webauthn.WebAuthn }

// New returns the site at its public address, or nil if browsers do not support passkeys there: the address needs a name and,
// except for localhost, https.
func New(public *url.URL, operator string) (*Site, error) {
	if public == nil || public.Scheme != "https" && public.Hostname() != "localhost" {
		return nil, nil
	}
	if _, err := netip.ParseAddr(public.Hostname()); err == nil {
		return nil, nil
	}
	name := "Pitboss"
	if operator != "" {
		name += " " + operator
	}
	lasting := webauthn.TimeoutConfig{Enforce: true, Timeout: 10 * time.Minute, TimeoutUVD: 10 * time.Minute}
	rp, err := webauthn.New(&webauthn.Config{RPID: public.Hostname(), RPDisplayName: name,
		RPOrigins: []string{public.Scheme + "://" + public.Host}, AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{ResidentKey: protocol.ResidentKeyRequirementDiscouraged,
			UserVerification: protocol.VerificationPreferred},
		Timeouts: webauthn.TimeoutsConfig{Login: lasting, Registration: lasting}})
	if err != nil {
		return nil, fmt.Errorf("passkeys: %w", err)
	}
	return &Site{rp}, nil
}

// owner is a staff member as the library sees them.
type owner struct{ models.Staff }

func (o owner) WebAuthnID() []byte { return []byte("staff " + strconv.FormatInt(o.ID, 10)) }

func (o owner) WebAuthnName() string { return o.Username }

func (o owner) WebAuthnDisplayName() string { return o.Name }

func (o owner) WebAuthnCredentials() (list []webauthn.Credential) {
	for _, p := range o.Kept.Passkeys {
		var c webauthn.Credential
		if json.Unmarshal([]byte(p.Credential), &c) == nil { // the audit log covers the row, so it is intact
			c.Authenticator.SignCount = p.SignCount
			list = append(list, c)
		}
	}
	return list
}

// AskToCreate returns a challenge for a browser to create a passkey, and the part of it that the session keeps.
func (s *Site) AskToCreate(of models.Staff) (question, kept string, err error) {
	creation, session, err := s.rp.BeginRegistration(owner{of},
		webauthn.WithExclusions(webauthn.Credentials(owner{of}.WebAuthnCredentials()).CredentialDescriptors()))
	if err != nil {
		return "", "", fmt.Errorf("ask for a passkey: %w", err)
	}
	return texts(creation.Response, session)
}

// AskToProve returns a challenge for a browser to prove that its owner has one of their passkeys, and the part of it that the
// session keeps.
func (s *Site) AskToProve(of models.Staff) (question, kept string, err error) {
	assertion, session, err := s.rp.BeginLogin(owner{of})
	if err != nil {
		return "", "", fmt.Errorf("ask for a passkey: %w", err)
	}
	return texts(assertion.Response, session)
}

func texts(options any, session *webauthn.SessionData) (question, kept string, err error) {
	q, err := json.Marshal(options)
	if err != nil {
		return "", "", err
	}
	k, err := json.Marshal(session)
	return string(q), string(k), err
}

// ErrAnswer means that a browser's answer does not match the challenge.
var ErrAnswer = errors.New("the browser's answer does not match the challenge")

// Created returns the passkey that a browser has created. It has no name yet.
func (s *Site) Created(of models.Staff, kept, answer string) (models.Passkey, error) {
	var session webauthn.SessionData
	parsed, err := protocol.ParseCredentialCreationResponseBytes([]byte(answer))
	if err = errors.Join(err, json.Unmarshal([]byte(kept), &session)); err != nil {
		return models.Passkey{}, fmt.Errorf("%w: %w", ErrAnswer, err)
	}
	made, err := s.rp.CreateCredential(owner{of}, session, parsed)
	if err != nil {
		return models.Passkey{}, fmt.Errorf("%w: %w", ErrAnswer, err)
	}
	p := models.Passkey{StaffID: of.ID, SignCount: made.Authenticator.SignCount}
	made.Authenticator.SignCount, made.Attestation = 0, webauthn.CredentialAttestation{}
	text, err := json.Marshal(made)
	p.Credential = string(text)
	return p, err
}

// Proved returns the passkey that an answer proves, and the signature count of its authenticator.
func (s *Site) Proved(of models.Staff, kept, answer string) (models.Passkey, uint32, error) {
	var session webauthn.SessionData
	parsed, err := protocol.ParseCredentialRequestResponseBytes([]byte(answer))
	if err = errors.Join(err, json.Unmarshal([]byte(kept), &session)); err != nil {
		return models.Passkey{}, 0, fmt.Errorf("%w: %w", ErrAnswer, err)
	}
	used, err := s.rp.ValidateLogin(owner{of}, session, parsed)
	if err != nil {
		return models.Passkey{}, 0, fmt.Errorf("%w: %w", ErrAnswer, err)
	}
	for _, p := range of.Kept.Passkeys {
		var c webauthn.Credential
		if json.Unmarshal([]byte(p.Credential), &c) == nil && string(c.ID) == string(used.ID) {
			return p, parsed.Response.AuthenticatorData.Counter, nil
		}
	}
	return models.Passkey{}, 0, ErrAnswer
}
