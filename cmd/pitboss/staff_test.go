package main

import (
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store/storetest"
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
		require.Contains(t, errs, "there are staff already")

		s := open(t, url)
		ann, _, err := s.StaffNamed(t.Context(), "ann")
		require.NoError(t, err)
		require.True(t, ann.MustChangePassword)
		ties, err := s.Ties(t.Context())
		require.NoError(t, err)
		require.Empty(t, ties, "the first administrator is not tied to anybody")

		link := regexp.MustCompile(`https://backoffice\.example/link#[0-9]+\.[A-Za-z0-9_-]{43}\n`)
		status, out, errs := command(t, environ, "staff", "create", "--username", "farid", "--role", "finance")
		require.Zero(t, status, errs)
		require.Regexp(t, link, out)
		require.Contains(t, errs, "For 7 days, farid")
		status, again, errs := command(t, environ, "staff", "link", "--username", "farid")
		require.Zero(t, status, errs)
		require.NotEqual(t, link.FindString(out), link.FindString(again))
		farid, _, err := s.StaffNamed(t.Context(), "farid")
		require.NoError(t, err)
		require.Empty(t, farid.PasswordHash)
		ties, err = s.Ties(t.Context())
		require.NoError(t, err)
		var tied models.TiedError
		require.ErrorAs(t, ties.Between(farid.ID, 99), &tied, "nobody knows who is at the command line")
		require.NoError(t, ties.Between(ann.ID, 99))

		status, _, errs = command(t, environment(url), "staff", "link", "--username", "farid")
		require.Equal(t, 1, status)
		require.Contains(t, errs, "PITBOSS_PUBLIC_URL is not set")
		status, _, errs = command(t, environ, "staff", "link", "--username", "nobody")
		require.Equal(t, 1, status)
		require.Contains(t, errs, "no such member of staff")
	})
}
