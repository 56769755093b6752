package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
)

// SignerNamed returns the staff member with this name and role. It creates the account or changes its role if necessary.
func SignerNamed(t testing.TB, s *store.Store, name string, role models.Role) models.Signer {
	t.Helper()
	who, found, err := s.StaffNamed(t.Context(), name)
	require.NoError(t, err)
	if !found {
		who, err = s.CreateStaff(t.Context(), Tester,
			models.Staff{Username: name, Name: name, Role: role, PasswordHash: "x", Profile: models.DefaultProfile})
		require.NoError(t, err)
	}
	if who.Role != role {
		require.NoError(t, s.SetStaffRole(t.Context(), Tester, who.ID, role))
	}
	return models.Signer{Actor: models.Actor{Name: name}, StaffID: who.ID, Role: role}
}

// SeenDay returns what a person sees who opens the page of a day now.
func SeenDay(t *testing.T, s *store.Store, c models.ClosedDay, groups []models.DayGroup) models.DaySeen {
	t.Helper()
	standing, _, err := s.DayStanding(t.Context(), c)
	require.NoError(t, err)
	return models.DaySeen{Figures: models.ReportDigest(c, groups), Standing: standing.Standing()}
}

// SignDay signs a day as a person would who has just looked at it.
func SignDay(t *testing.T, s *store.Store, day models.Day, role models.Role, name string) models.ClosedDay {
	t.Helper()
	c, err := s.DayInterval(t.Context(), day)
	require.NoError(t, err)
	groups, err := s.DayGroups(t.Context(), day)
	require.NoError(t, err)
	_, err = s.SignDay(t.Context(), SignerNamed(t, s, name, role), day, SeenDay(t, s, c, groups), "all is well so far")
	require.NoError(t, err)
	c, err = s.DayInterval(t.Context(), day)
	require.NoError(t, err)
	return c
}
