package apptest

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

// SignInSettings returns the form of the sign-in rules with the defaults, and the fields in more.
func SignInSettings(more ...string) url.Values {
	form := url.Values{"idle": {"15"}, "session": {"12"}, "unused": {"90"}, "reason": {"Our rules."}}
	for i := 0; i+1 < len(more); i += 2 {
		form.Add(more[i], more[i+1])
	}
	return form
}

func StaffNamed(t testing.TB, s *Site, username string) models.Staff {
	t.Helper()
	staff, found, err := s.Store.StaffNamed(t.Context(), username)
	require.NoError(t, err)
	require.True(t, found)
	return staff
}
