package main

import (
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// The first administrator is given a password at the command line; everybody after that sets their own with a link, and an
// account that was changed on the command line cannot be anybody's second approver for a while.
func TestStaffCommands(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		environ := append(environment(url), "PITBOSS_PUBLIC_URL=https://backoffice.example")
		status, _, errs := command(t, environ, "migrate", "up")
		require.Zero(t, status, errs)
		withPassword := func(username, role string) (int, string) {
			var errs strings.Builder
			status := run(t.Context(), []string{"staff", "create", "--username", username, "--role", role, "--password-stdin"},
				&console{environ: environ, in: strings.NewReader("plum orbit lantern 47\n"), out: io.Discard, err: &errs})
			return status, errs.String()
		}
		status, errs = withPassword("farid", "finance")
		require.Equal(t, 1, status)
		require.Contains(t, errs, "for the first administrator")
		status, errs = withPassword("ann", "admin")
		require.Zero(t, status, errs)
		status, errs = withPassword("eve", "admin")
		require.Equal(t, 1, status)
		require.Contains(t, errs, "there are staff accounts already")

		s := open(t, url)
		ann, _, err := s.StaffNamed(t.Context(), "ann")
		require.NoError(t, err)
		require.True(t, ann.MustChangePassword)
		require.Empty(t, ann.Unconfirmed, "nobody could confirm the first administrator")

		link := regexp.MustCompile(`https://backoffice\.example/link#[0-9]+\.[A-Za-z0-9_-]{43}\n`)
		status, out, errs := command(t, environ, "staff", "create", "--username", "farid", "--role", "finance")
		require.Zero(t, status, errs)
		require.Regexp(t, link, out)
		require.Contains(t, errs, "farid can view pages, and change nothing until an administrator confirms")
		status, again, errs := command(t, environ, "staff", "link", "--username", "farid")
		require.Zero(t, status, errs)
		require.NotEqual(t, link.FindString(out), link.FindString(again))
		farid, _, err := s.StaffNamed(t.Context(), "farid")
		require.NoError(t, err)
		require.Empty(t, farid.PasswordHash)
		require.Equal(t, models.GivenAtCommandLine, farid.Unconfirmed[0].By)

		// So is nobody to confirm the second administrator, whose first link belongs to the account. The third is confirmed by them.
		for _, name := range []string{"adam", "adam", "eli"} {
			args := []string{"staff", "create", "--username", name, "--role", "admin"}
			if admin, _, err := s.StaffNamed(t.Context(), name); err == nil && admin.ID != 0 {
				args = []string{"staff", "link", "--username", name}
			}
			status, _, errs := command(t, environ, args...)
			require.Zero(t, status, errs)
			admin, _, err := s.StaffNamed(t.Context(), name)
			require.NoError(t, err)
			require.Equal(t, name == "eli", len(admin.Unconfirmed) > 0, name)
		}
		status, _, errs = command(t, environ, "staff", "link", "--username", "ann")
		require.Zero(t, status, errs)
		ann, _, err = s.StaffNamed(t.Context(), "ann")
		require.NoError(t, err)
		require.NotEmpty(t, ann.Unconfirmed, "a later link is confirmed, whoever it is for")

		status, _, errs = command(t, environment(url), "staff", "link", "--username", "farid")
		require.Equal(t, 1, status)
		require.Contains(t, errs, "PITBOSS_PUBLIC_URL is not set")
		status, _, errs = command(t, environ, "staff", "link", "--username", "nobody")
		require.Equal(t, 1, status)
		require.Contains(t, errs, "no such member of staff")
	})
}
