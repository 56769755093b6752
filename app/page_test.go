package app

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

// HEAD is answered like GET, without the page.
func TestHead(t *testing.T) {
	s := sqliteSite(t)
	ann := s.signedIn("ann", models.Administrator)
	for path, want := range map[string]int{"/healthz": http.StatusOK, "/signin": http.StatusOK, "/staff": http.StatusSeeOther,
		"/nowhere": http.StatusNotFound} {
		stranger := s.browser("")
		head := stranger.send(stranger.request(http.MethodHead, path, nil))
		require.Equal(t, want, head.status, path)
		require.Equal(t, stranger.get(path).status, head.status, path)
		require.Empty(t, head.text, path)
	}
	require.Equal(t, http.StatusOK, ann.send(ann.request(http.MethodHead, "/staff", nil)).status)
	change := ann.send(ann.request(http.MethodHead, "/account/profile", nil))
	require.Equal(t, http.StatusSeeOther, change.status)
	require.Equal(t, "/account", change.location, "the address of a change leads to its page")
}
