package settings_test

import (
	"errors"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app"
	"pitboss/app/notices"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// unheard sets up a mail server that delivers notices to nobody.
func unheard(_ *app.Config, deps *app.Deps) {
	deps.Notices = notices.New(notices.Config{Store: deps.Store, Server: "smtp://127.0.0.1:1", Password: "hidden"})
}

// failNotices puts one notice in every state.
func failNotices(s *apptest.Site) {
	s.T.Helper()
	_, err := s.Store.FollowNotices(s.T.Context(), false) // nobody is notified of earlier events
	require.NoError(s.T, err)
	for range 3 {
		_, err := s.Store.SyncGames(s.T.Context(), models.System, models.GameSync{At: time.Now(), Error: "no answer"}, nil)
		require.NoError(s.T, err)
	}
	_, err = s.Store.FollowNotices(s.T.Context(), true)
	require.NoError(s.T, err)
	due, err := s.Store.DueNotices(s.T.Context(), 10)
	require.NoError(s.T, err)
	require.Len(s.T, due, 3)
	require.NoError(s.T, s.Store.NoteNotice(s.T.Context(), due[0], nil))
	due[1].Tries = models.MaxNoticeTries
	require.NoError(s.T, s.Store.NoteNotice(s.T.Context(), due[1], errors.New("the mail server: 550 no such mailbox")))
	require.NoError(s.T, s.Store.NoteNotice(s.T.Context(), due[2],
		errors.New("the mail server: connection refused")))
}

func TestNoticesPage(t *testing.T) {
	none := apptest.SqliteSite(t).SignedIn("ann", models.Administrator)
	require.Contains(t, none.Get("/settings/notices").Find("[aria-label=Channels]").Text(),
		"not set up (PITBOSS_NOTICE_SMTP)")
	require.Contains(t, none.Get(none.Post("/settings/notices", "/settings/notices/test", nil).Location).Find(".pb-flash").
		Text(), "Nothing was sent")
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		ann := s.SignedIn("ann", models.Administrator)
		failNotices(s)
		page := ann.Get("/settings/notices")
		apptest.RequireNothingInline(t, page)
		require.Equal(t, len(models.CaseRules), page.Find("[name=case][checked]").Length(),
			"all of them, unless somebody chooses")
		require.NotContains(t, page.Body, "hidden</")
		require.NotContains(t, page.Body, "127.0.0.1:1")
		require.Equal(t, 3, page.Find("tbody tr").Length())
		require.Equal(t, 2, page.Find("form[action$='/again']").Length())
		require.Equal(t, 1, ann.Get("/settings/notices?state=failed").Find("tbody tr").Length())
		again := page.Find("form[action$='/again']").First().AttrOr("action", "")
		require.Equal(t, http.StatusSeeOther, ann.Post("/settings/notices", again, nil).Status)
		require.Equal(t, http.StatusNotFound, ann.Post("/settings/notices", "/settings/notices/999/again", nil).Status)
		require.Equal(t, http.StatusSeeOther, ann.Post("/settings/notices", "/settings/notices/test", nil).Status)
		require.Equal(t, 4, ann.Get("/settings/notices").Find("tbody tr").Length())

		require.Equal(t, http.StatusSeeOther,
			ann.Post("/settings/notices", "/settings/notices", url.Values{"kind": {"request"}}).Status)
		rules, err := s.Store.NoticeRules(t.Context())
		require.NoError(t, err)
		require.Equal(t, []models.NoticeKind{models.NoticeRequest}, rules.Kinds)
		require.Equal(t, models.CaseRules, rules.Quiet)
		wrong := ann.Post("/settings/notices", "/settings/notices", url.Values{"kind": {"shoe"}})
		require.Equal(t, http.StatusUnprocessableEntity, wrong.Status)
		require.Contains(t, wrong.Find("#kind-wrong").Text(), "does not exist. Nothing was saved")
		wrong = ann.Post("/settings/notices", "/settings/notices", url.Values{"kind": {"case"}, "case": {"99"}})
		require.Equal(t, http.StatusUnprocessableEntity, wrong.Status)
		require.Contains(t, wrong.Find("#case-wrong").Text(), "There is no rule “99”.")
		require.Equal(t, http.StatusSeeOther,
			ann.Post("/settings/notices", "/settings/notices", url.Values{"kind": {"case"}, "case": {"2", "10"}}).Status)
		chosen := ann.Get("/settings/notices").Find("[name=case][checked]")
		require.Equal(t, 2, chosen.Length())
		require.Contains(t, apptest.TextOf(ann.Get("/settings/notices"), ".pb-ticks label:has([checked])"), "Negative balance")
		require.Equal(t, http.StatusSeeOther, ann.Post("/settings/notices", "/settings/notices", nil).Status)
		require.Zero(t, ann.Get("/settings/notices").Find("[name=kind][checked]").Length(),
			"staff may choose no notices at all")

		chloe := s.SignedIn("chloe", models.Compliance)
		page = chloe.Get("/settings/notices")
		require.Equal(t, http.StatusOK, page.Status)
		require.Zero(t, page.Find("form[action$='/again'], form[action$='/test']").Length())
		require.Equal(t, http.StatusForbidden, chloe.Post("/settings/notices", "/settings/notices/test", nil).Status)
	}, unheard)
}
