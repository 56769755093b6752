package storetest

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
)

// Administrators returns two confirmed administrators, and creates them if they do not exist.
func Administrators(t testing.TB, s *store.Store) (maker, checker models.Signer) {
	t.Helper()
	var signers []models.Signer
	for _, name := range []string{"admin-one", "admin-two"} {
		made, err := s.CreateStaff(t.Context(), models.System,
			models.Staff{Username: name, Name: name, Role: models.Administrator, PasswordHash: "x"})
		if errors.Is(err, models.ErrStaffExists) {
			made, _, err = s.StaffNamed(t.Context(), name)
		}
		require.NoError(t, err)
		signers = append(signers, models.Signer{
			Actor: models.Actor{Name: name, Channel: models.ChannelBrowser, Session: "s-" + name}, StaffID: made.ID,
			Role: models.Administrator,
		})
	}
	return signers[0], signers[1]
}

// Change makes a change that needs two administrators.
func Change(t testing.TB, s *store.Store, subject models.ChangeSubject, value any) {
	t.Helper()
	maker, checker := Administrators(t, s)
	r, err := s.RequestChange(t.Context(), maker, subject, value, "tried")
	require.NoError(t, err)
	require.NoError(t, Approve(t.Context(), s, "change", checker, r.ID))
}

// SetZone changes the casino's time zone, unless it already is this one.
func SetZone(t testing.TB, s *store.Store, zone string) {
	t.Helper()
	if now, err := s.ReportZone(t.Context()); err != nil || now != zone {
		require.NoError(t, err)
		Change(t, s, models.ChangeReportZone, zone)
	}
}

// Confirm confirms an account that an administrator has created or changed.
func Confirm(t testing.TB, s *store.Store, username string) {
	t.Helper()
	_, other := Administrators(t, s)
	member, found, err := s.StaffNamed(t.Context(), username)
	require.NoError(t, err)
	require.True(t, found)
	_, err = s.ConfirmStaff(t.Context(), other, member.ID, member.Unconfirmed.Digest())
	require.NoError(t, err)
}
