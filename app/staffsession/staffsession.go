// Package staffsession stores staff sessions in the database, behind gorilla's interface. The browser has the session's random
// name. The database has a keyed hash of the name, and a MAC of the name, the owner, the start and end, and the values, which
// say how far sign-in has come. So somebody with write access to the database can end a session, but can neither create one nor
// turn one into a colleague's.
package staffsession

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/gorilla/sessions"

	"pitboss/app/credentials"
	"pitboss/models"
)

// Rows stores sessions.
type Rows interface {
	CreateStaffSession(ctx context.Context, session models.StaffSession, of models.Staff) error
	EndAlteredSession(ctx context.Context, row models.StaffSession) error
	EndStaffSession(ctx context.Context, hash string) error
	SaveStaffSession(ctx context.Context, hash string, data string, mac string) (bool, error)
	StaffSession(ctx context.Context, hash string) (models.StaffSession, models.Staff, bool, error)
}

// Store reads and writes sessions. It implements gorilla's Store. Only a sign-in creates a row. After that, Save only updates
// the row, so a session that is revoked during a request stays revoked.
type Store struct {
	Key        []byte // keys the hashes and MACs
	Rows       Rows
	Secure     bool // browsers reach the site over TLS
	CookieName func(name string) string
	Rules      func(ctx context.Context) (models.SignInRules, error)
	Now        func() time.Time
	Log        *slog.Logger
}

// Row is a session's row with its owner's account.
type Row struct {
	models.StaffSession
	Staff models.Staff
}

// ErrRevoked means that Save found no row for the session.
var ErrRevoked = errors.New("this session was ended")

// rowKey is the key of a session's row among its values; it is not stored with them.
type rowKey struct{}

// ownerKey is the key of a new session's row, which is not in the database yet.
type ownerKey struct{}

// RowOf returns a session's row if it is in the database, and false if not.
func RowOf(session *sessions.Session) (*Row, bool) {
	row, ok := session.Values[rowKey{}].(*Row)
	return row, ok
}

// SetOwner sets the owner of a new session, with the account as it was at sign-in. Save refuses a new session without an owner.
func SetOwner(session *sessions.Session, row models.StaffSession, staff models.Staff) {
	session.Values[ownerKey{}] = &Row{row, staff}
}

// Get returns the request's session.
func (s *Store) Get(r *http.Request, name string) (*sessions.Session, error) {
	return sessions.GetRegistry(r).Get(s, name)
}

// New returns the session that the cookie names. If that session is unknown, has ended or was idle for too long, it returns a
// new, empty one.
func (s *Store) New(r *http.Request, name string) (*sessions.Session, error) {
	session := sessions.NewSession(s, name)
	session.IsNew = true
	session.Options = &sessions.Options{Path: "/", HttpOnly: true, Secure: s.Secure, SameSite: http.SameSiteLaxMode}
	cookie, err := r.Cookie(s.CookieName(name))
	if err != nil || cookie.Value == "" {
		return session, nil
	}
	row, staff, found, err := s.Rows.StaffSession(r.Context(), s.Hash(cookie.Value))
	if err != nil || !found {
		return session, err
	}
	if !hmac.Equal([]byte(row.MAC), []byte(s.mac(cookie.Value, row))) {
		s.Log.Warn("a session's row was altered in the database, or is from an older release; the session has ended",
			"session", row.ID)
		return session, s.Rows.EndAlteredSession(r.Context(), row)
	}
	rules, err := s.Rules(r.Context())
	if err != nil {
		return session, err
	}
	now := s.Now()
	idle := row.SeenAt.Add(time.Duration(rules.IdleMinutes) * time.Minute)
	whole := row.CreatedAt.Add(time.Duration(rules.SessionHours) * time.Hour)
	if staff.Disabled || now.After(idle) || now.After(whole) || now.After(row.ExpiresAt) {
		return session, s.Rows.EndStaffSession(r.Context(), row.Hash)
	}
	values := map[string]string{}
	if err := json.Unmarshal([]byte(row.Data), &values); err != nil {
		return session, fmt.Errorf("read session: %w", err)
	}
	for k, v := range values {
		session.Values[k] = v
	}
	session.Values[rowKey{}] = &Row{row, staff}
	session.ID, session.IsNew = cookie.Value, false
	return session, nil
}

// Save writes a session. A session without an ID gets a new row and a cookie; an existing one is updated, or ended if its
// MaxAge is negative.
func (s *Store) Save(r *http.Request, w http.ResponseWriter, session *sessions.Session) error {
	name := s.CookieName(session.Name())
	if session.Options.MaxAge < 0 {
		http.SetCookie(w, sessions.NewCookie(name, "", session.Options))
		if session.ID == "" {
			return nil
		}
		return s.Rows.EndStaffSession(r.Context(), s.Hash(session.ID))
	}
	values := map[string]string{}
	for k, v := range session.Values {
		if k, ok := k.(string); ok {
			values[k], _ = v.(string)
		}
	}
	data, err := json.Marshal(values)
	if err != nil {
		return fmt.Errorf("write session: %w", err)
	}
	if session.ID != "" {
		known, ok := RowOf(session)
		if !ok {
			return ErrRevoked
		}
		row := known.StaffSession
		row.Data = string(data)
		there, err := s.Rows.SaveStaffSession(r.Context(), row.Hash, row.Data, s.mac(session.ID, row))
		if err == nil && !there {
			err = ErrRevoked
		}
		return err
	}
	begun, ok := session.Values[ownerKey{}].(*Row)
	if !ok {
		return errors.New("a new session needs an owner")
	}
	row := begun.StaffSession
	session.ID = credentials.RandomText()
	row.Hash, row.Data = s.Hash(session.ID), string(data)
	row.MAC = s.mac(session.ID, row)
	if err := s.Rows.CreateStaffSession(r.Context(), row, begun.Staff); err != nil {
		return err
	}
	session.Values[rowKey{}] = &Row{row, begun.Staff}
	session.IsNew = false
	http.SetCookie(w, sessions.NewCookie(name, session.ID, session.Options))
	return nil
}

// Hash returns the hash that the database stores of a session's name. It is keyed, so write access to the database is not
// enough to create a session.
func (s *Store) Hash(name string) string {
	h := hmac.New(sha256.New, s.Key)
	h.Write([]byte(name))
	return hex.EncodeToString(h.Sum(nil))
}

// mac returns the keyed hash of a session's name and row, without the time at which the session was last seen.
func (s *Store) mac(name string, row models.StaffSession) string {
	h := hmac.New(sha256.New, s.Key)
	for _, part := range []string{
		"session", name, strconv.FormatInt(row.StaffID, 10), strconv.FormatInt(row.CreatedAt.UnixMicro(), 10),
		strconv.FormatInt(row.ExpiresAt.UnixMicro(), 10), row.Data,
	} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil))
}
