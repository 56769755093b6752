package app

import (
	"errors"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/browsertest"
	"pitboss/app/notices"
	"pitboss/models"
)

// unheard sets up notices that reach nobody.
func unheard(_ *Config, deps *Deps) {
	deps.Notices = notices.New(notices.Config{Store: deps.Store, Webhook: "http://127.0.0.1:1/hook?key=hidden",
		WebhookSecret: "secret-of-the-tests-of-at-least-32-bytes"})
}

// failNotices puts one notice in every state.
func (s *site) failNotices() {
	s.t.Helper()
	channels := s.Notices.Channels()
	_, err := s.Store.FollowNotices(s.t.Context(), nil) // no channel is told what happened before
	require.NoError(s.t, err)
	for range 3 {
		_, err := s.Store.SyncGames(s.t.Context(), models.System, models.GameSync{At: time.Now(), Error: "no answer"}, nil)
		require.NoError(s.t, err)
	}
	_, err = s.Store.FollowNotices(s.t.Context(), channels)
	require.NoError(s.t, err)
	due, err := s.Store.DueNotices(s.t.Context(), 10)
	require.NoError(s.t, err)
	require.Len(s.t, due, 3)
	require.NoError(s.t, s.Store.NoteNotice(s.t.Context(), due[0], nil))
	due[1].Tries = models.MostNoticeTries
	require.NoError(s.t, s.Store.NoteNotice(s.t.Context(), due[1], errors.New("the webhook answered 500")))
	require.NoError(s.t, s.Store.NoteNotice(s.t.Context(), due[2],
		errors.New("the webhook could not be reached: connection refused")))
}

func TestNoticesPage(t *testing.T) {
	none := sqliteSite(t).signedIn("ann", models.Administrator)
	require.Contains(t, none.get("/settings/notices").Find("[aria-label=Channels]").Text(),
		"not set up (PITBOSS_NOTICE_WEBHOOK)")
	require.Contains(t, none.get(none.post("/settings/notices", "/settings/notices/test", nil).location).Find(".pb-flash").
		Text(), "Nothing was sent")
	eachSite(t, func(t *testing.T, s *site) {
		ann := s.signedIn("ann", models.Administrator)
		s.failNotices()
		page := ann.get("/settings/notices")
		requireNothingInline(t, page)
		require.Equal(t, len(models.CaseRules), page.Find("[name=case][checked]").Length(),
			"all of them, unless somebody chooses")
		require.NotContains(t, page.text, "hidden</")
		require.NotContains(t, page.text, "127.0.0.1:1")
		require.Equal(t, 3, page.Find("tbody tr").Length())
		require.Equal(t, 2, page.Find("form[action$='/again']").Length())
		require.Equal(t, 1, ann.get("/settings/notices?state=failed").Find("tbody tr").Length())
		again := page.Find("form[action$='/again']").First().AttrOr("action", "")
		require.Equal(t, http.StatusSeeOther, ann.post("/settings/notices", again, nil).status)
		require.Equal(t, http.StatusNotFound, ann.post("/settings/notices", "/settings/notices/999/again", nil).status)
		require.Equal(t, http.StatusSeeOther, ann.post("/settings/notices", "/settings/notices/test", nil).status)
		require.Equal(t, 4, ann.get("/settings/notices").Find("tbody tr").Length())

		require.Equal(t, http.StatusSeeOther,
			ann.post("/settings/notices", "/settings/notices", url.Values{"kind": {"correction"}}).status)
		rules, err := s.Store.NoticeRules(t.Context())
		require.NoError(t, err)
		require.Equal(t, []models.NoticeKind{models.NoticeCorrection}, rules.Kinds)
		require.Equal(t, models.CaseRules, rules.Quiet)
		wrong := ann.post("/settings/notices", "/settings/notices", url.Values{"kind": {"shoe"}})
		require.Equal(t, http.StatusUnprocessableEntity, wrong.status)
		require.Contains(t, wrong.Find("#kind-wrong").Text(), "does not exist. Nothing was saved")
		wrong = ann.post("/settings/notices", "/settings/notices", url.Values{"kind": {"case"}, "case": {"99"}})
		require.Equal(t, http.StatusUnprocessableEntity, wrong.status)
		require.Contains(t, wrong.Find("#case-wrong").Text(), "There is no rule “99”.")
		require.Equal(t, http.StatusSeeOther,
			ann.post("/settings/notices", "/settings/notices", url.Values{"kind": {"case"}, "case": {"2", "10"}}).status)
		chosen := ann.get("/settings/notices").Find("[name=case][checked]")
		require.Equal(t, 2, chosen.Length())
		require.Contains(t, text(ann.get("/settings/notices"), ".pb-ticks label:has([checked])"), "Negative balance")
		require.Equal(t, http.StatusSeeOther, ann.post("/settings/notices", "/settings/notices", nil).status)
		require.Zero(t, ann.get("/settings/notices").Find("[name=kind][checked]").Length(), "staff may choose no notices at all")

		chloe := s.signedIn("chloe", models.Compliance)
		page = chloe.get("/settings/notices")
		require.Equal(t, http.StatusOK, page.status)
		require.Zero(t, page.Find("form[action$='/again'], form[action$='/test']").Length())
		require.Equal(t, http.StatusForbidden, chloe.post("/settings/notices", "/settings/notices/test", nil).status)
	}, unheard)
}

// TestNoticesPageIsFine checks the page in both themes and at both widths.
func TestNoticesPageIsFine(t *testing.T) {
	t.Parallel()
	chrome := browsertest.Start(t)
	none := sqliteSite(t)
	none.hire("ann", models.Administrator)
	tab := chrome.Open(t, browsertest.View{})
	none.signInTab(tab, "ann")
	tab.Go(none.base.String() + "/settings/notices")
	tab.RequireFine("notices-none")

	s := sqliteSite(t, unheard)
	s.hire("ann", models.Administrator)
	tab = chrome.Open(t, browsertest.View{})
	s.signInTab(tab, "ann")
	s.failNotices()
	tab.Go(s.base.String() + "/settings/notices")
	tab.RequireFine("notices")
	require.Empty(t, tab.Errors())
}
