package app_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// HEAD is answered like GET, without the page.
func TestHead(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	ann := s.SignedIn("ann", models.Administrator)
	for path, want := range map[string]int{"/healthz": http.StatusOK, "/signin": http.StatusOK, "/staff": http.StatusSeeOther,
		"/nowhere": http.StatusNotFound} {
		stranger := s.Browser("")
		head := stranger.Send(stranger.Request(http.MethodHead, path, nil))
		require.Equal(t, want, head.Status, path)
		require.Equal(t, stranger.Get(path).Status, head.Status, path)
		require.Empty(t, head.Body, path)
	}
	require.Equal(t, http.StatusOK, ann.Send(ann.Request(http.MethodHead, "/staff", nil)).Status)
	change := ann.Send(ann.Request(http.MethodHead, "/account/profile", nil))
	require.Equal(t, http.StatusSeeOther, change.Status)
	require.Equal(t, "/account", change.Location, "the address of a change leads to its page")
}
