package audit_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// The list shows which days were reviewed. Filtered to a casino day, it has the form that marks the day.
func TestReviewOfADay(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		storetest.SetZone(t, s.Store, "Australia/Sydney")
		zone, err := time.LoadLocation("Australia/Sydney")
		require.NoError(t, err)
		chloe := s.SignedIn("chloe", models.Compliance)
		require.Equal(t, http.StatusOK, chloe.Get("/audit").Status)
		require.Zero(t, chloe.Get("/audit").Find("[aria-label='Reviewed days']").Length(), "no day has ended")
		day := models.DayOf(s.Now(), zone)
		path := "/audit?casino-day=" + string(day)
		running := chloe.Get(path)
		require.Contains(t, apptest.TextOf(running, "[aria-label='Review of the day']"), "The day has not ended yet")
		require.Zero(t, running.Find("[aria-label='Review of the day'] form").Length())
		refused := func(path, why string) {
			t.Helper()
			answer := chloe.Post("/audit", path, url.Values{"note": {""}})
			require.Equal(t, http.StatusSeeOther, answer.Status, answer.Body)
			require.Contains(t, chloe.Get(answer.Location).Find(".pb-flash").Text(), why)
		}
		refused(path, "has not ended yet in the casino’s time zone")
		refused("/audit?casino-day=2020-02-29", "The audit log has no events of this day")
		require.Equal(t, http.StatusBadRequest, chloe.Post("/audit", "/audit?casino-day=soon", nil).Status)
		require.Contains(t, chloe.Get("/audit?casino-day=soon").Find(".pb-empty").Text(), "Invalid filter")

		// Passwords stay valid for these two days, but sessions end.
		s.Later(48 * time.Hour)
		chloe, ann, farid := s.SignedIn("chloe2", models.Compliance), s.SignedIn("ann", models.Administrator), s.SignedIn("farid", models.Finance)
		strip := chloe.Get("/audit").Find("[aria-label='Reviewed days'] > div")
		require.Equal(t, 2, strip.Length(), "days that have ended since the log began")
		require.Equal(t, day.Format("Mon, 2 Jan")+" Not reviewed", strings.Join(strings.Fields(strip.First().Text()), " "))
		require.Equal(t, "Nothing to review", strip.Last().Find("dd").Text(), "nothing happened on the second day")
		require.Contains(t, apptest.TextOf(chloe.Get(strip.Last().Find("a").AttrOr("href", "")), "[aria-label='Review of the day']"),
			"has no events of this day")
		page := chloe.Get(strip.First().Find("a").AttrOr("href", ""))
		require.Equal(t, day.Format("2 Jan")+" 00:00 to "+day.Add(1).Format("2 Jan")+" 00:00, Australia/Sydney",
			page.Find("[aria-label='Review of the day'] .end").Text())
		require.NotZero(t, page.Find(".pb-audit tbody tr").Length())
		require.Contains(t, apptest.TextOf(farid.Get(path), "[aria-label='Review of the day']"), "Nobody has reviewed this day yet")
		require.Zero(t, farid.Get(path).Find("[aria-label='Review of the day'] form").Length())
		require.Equal(t, http.StatusForbidden, farid.Post("/audit", path, url.Values{"note": {""}}).Status)

		long := chloe.Post(path, path, url.Values{"note": {strings.Repeat("x", models.MaxChangeReason+1)}})
		require.Equal(t, http.StatusUnprocessableEntity, long.Status)
		require.Contains(t, long.Find("#f-note-wrong").Text(), "at most 2,000 characters")
		marked := chloe.Post(path, page.Find("[aria-label='Review of the day'] form").AttrOr("action", ""), url.Values{"note": {"Two sign-ins <b>looked</b> at."}})
		require.Equal(t, http.StatusSeeOther, marked.Status, marked.Body)
		after := chloe.Get(marked.Location)
		require.Contains(t, after.Find(".pb-flash").Text(), "is marked as reviewed")
		said := apptest.TextOf(after, "[aria-label='Review of the day'] p")
		require.Regexp(t, `^Reviewed .* by chloe2 ?: \d+ events ?\. Two sign-ins <b>looked</b> at\.$`, said)
		require.Zero(t, after.Find("[aria-label='Review of the day'] form").Length())
		require.Contains(t, apptest.TextOf(after, "[aria-label='Reviewed days'] > div"), "chloe2")
		event := chloe.Get(after.Find("[aria-label='Review of the day'] p a").AttrOr("href", ""))
		require.Contains(t, event.Find("h1").Text(), "Log reviewed: "+string(day)+", ")
		require.Contains(t, event.Find(".pb-diff").Text(), "hash")
		refusedBy := ann.Post("/audit", path, url.Values{"note": {""}})
		require.Contains(t, ann.Get(refusedBy.Location).Find(".pb-flash").Text(), "was already marked as reviewed, by chloe2")
		empty := ann.Post("/audit", "/audit?casino-day="+string(day.Add(1)), url.Values{"note": {""}})
		require.Contains(t, ann.Get(empty.Location).Find(".pb-flash").Text(), "no events of this day", "nothing happened on the second day")
	})
}
