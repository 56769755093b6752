package app_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// Every form that shows values which somebody else may change meanwhile sends what it was made from, and is refused if that is
// no longer so.
func TestFormsMadeFromAnOlderState(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	player := s.PlayerWithHistory("anna")
	ada, chloe := s.SignedIn("ada", models.Administrator), s.SignedIn("chloe", models.Compliance)
	farid := s.SignedIn("farid", models.Finance)
	for _, form := range []struct {
		by         *apptest.Browser
		page, path string
	}{
		{ada, "/settings", "/settings"}, {ada, "/settings", "/settings/sign-in"},
		{ada, pages.GrantLimitsPath, pages.GrantLimitsPath}, {ada, "/settings/notices", "/settings/notices"},
		{ada, "/staff/2/role", "/staff/2/role"}, {ada, "/staff/2/email", "/staff/2/email"},
		{chloe, pages.PlayerPath(player.ID) + "/limits", pages.PlayerPath(player.ID) + "/limits"},
		{farid, "/reports/ranked/threshold?of=wins", "/reports/ranked/threshold"},
	} {
		page := form.by.Get(form.page)
		require.Len(t, page.Find("form[action='"+form.path+"'] [name=made-from]").AttrOr("value", ""), 24, form.page)
		sent := form.by.Post(form.page, form.path, url.Values{"made-from": {"000000000000000000000000"}, "of": {"wins"}})
		require.Equal(t, http.StatusSeeOther, sent.Status, form.path)
		require.Contains(t, form.by.Get(sent.Location).Find(".pb-flash").Text(), "have changed since you opened the form", form.path)
	}
}
