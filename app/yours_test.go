package app_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// What mira requests and how it is decided, what is assigned to jonas and overdue, and what waits for him: on the page of each,
// on the overview, in the navigation, and by e-mail to those who want it.
func TestYours(t *testing.T) {
	t.Parallel()
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		hired := func(name string) *apptest.Browser {
			_, err := s.Store.CreateStaff(t.Context(), models.System, models.Staff{Username: name, Name: name, Role: models.Finance,
				PasswordHash: apptest.PasswordHash(), Profile: models.DefaultProfile, Email: name + "@casino.example"})
			require.NoError(t, err)
			b := s.Browser("198.51.100.1")
			b.SignIn(name, apptest.Password)
			return b
		}
		mira, jonas := hired("mira"), hired("jonas")
		notices := func() map[models.NoticeKind][]string {
			require.NoError(t, s.Store.NoteOverdue(t.Context()))
			_, err := s.Store.FollowNotices(t.Context(), true)
			require.NoError(t, err)
			due, err := s.Store.DueNotices(t.Context(), 100)
			require.NoError(t, err)
			to := map[models.NoticeKind][]string{}
			for _, n := range due {
				readers, err := s.Store.NoticeReaders(t.Context(), n)
				require.NoError(t, err)
				to[n.Kind] = append(to[n.Kind], readers...)
			}
			return to
		}
		notices()
		p := s.PlayerWithOpenBet("anna", "bet-1", 10000, 2500)
		s.PlayerWithOpenBet("bert", "bet-2", 10000, 1000)
		require.Contains(t, mira.Get("/yours").Text(), "Nothing is assigned to you")
		mira.RequestCorrection(apptest.RollbackForm("bet-1"))
		mira.RequestCorrection(apptest.RollbackForm("bet-2"))
		decided := jonas.ApproveCorrection(pages.CorrectionPath(1))
		require.Equal(t, http.StatusSeeOther, decided.Status, decided.Body)

		page := mira.Get("/yours")
		apptest.RequireNothingInline(t, page)
		requests := page.Find("#requests tbody tr")
		require.Equal(t, 2, requests.Length())
		require.Contains(t, requests.Eq(0).Text(), "Correction 2")
		require.Equal(t, "Waiting", requests.Eq(0).Find(".badge").Text())
		require.Equal(t, []string{"anna", "jonas", "Approved"}, []string{requests.Eq(1).Find("[data-label=Player]").Text(),
			requests.Eq(1).Find("[data-label=By]").Text(), requests.Eq(1).Find(".badge").Text()})
		require.Contains(t, apptest.TextOf(mira.Get("/"), ".pb-todo"), "2 Requests of yours 1 waiting, 1 approved")
		count := func(b *apptest.Browser) string {
			return b.Get("/").Find("nav a[href='/yours'] .n [aria-hidden]").Text()
		}
		require.Empty(t, count(mira), "her own request does not wait for her")
		require.Equal(t, "1", count(jonas), "a colleague's request waits for him")
		require.Contains(t, apptest.TextOf(mira.Get("/yours"), "#requests tbody"), "can be jonas")
		inbox := jonas.Get("/yours").Find("#inbox tbody tr")
		require.Equal(t, 1, inbox.Length())
		require.Equal(t, []string{"Correction 2", "bert", "+10.00EUR", "mira", "Their ticket 88213."}, []string{inbox.Find("a").First().Text(),
			inbox.Find("[data-label=Player]").Text(), strings.TrimSpace(inbox.Find("[data-label=Amount]").Text()),
			inbox.Find("[data-label='Requested by']").Text(), inbox.Find("[data-label=Reason]").Text()})
		require.Zero(t, mira.Get("/yours").Find("#inbox").Length(), "her own request does not wait for her")

		complaint, err := s.Store.OpenComplaint(t.Context(), models.Actor{Name: "sofia"}, models.NewComplaint{PlayerID: p.ID,
			Reference: "ADR-7", Due: s.Now().Add(time.Hour), Text: "She never saw the win."})
		require.NoError(t, err)
		require.NoError(t, s.Store.OwnCase(t.Context(), models.Actor{Name: "sofia"}, complaint, "", "jonas", "She called twice."))
		require.Equal(t, "2", count(jonas))
		require.Contains(t, apptest.TextOf(jonas.Get("/yours"), "[aria-label='Assigned to you'] tbody"), "from sofia : She called twice.")
		require.NotContains(t, apptest.TextOf(jonas.Get("/yours"), "[aria-label='Assigned to you'] tbody"), "Overdue")
		told := notices()
		require.Equal(t, []string{"mira@casino.example"}, told[models.NoticeDecided])
		require.Equal(t, []string{"jonas@casino.example"}, told[models.NoticeAssigned])
		require.Empty(t, told[models.NoticeOverdue])

		s.Later(2 * time.Hour)
		require.Equal(t, []string{"jonas@casino.example"}, notices()[models.NoticeOverdue])
		require.Len(t, notices()[models.NoticeOverdue], 1, "told once")
		jonas.SignIn("jonas", apptest.Password)
		require.Contains(t, apptest.TextOf(jonas.Get("/"), ".pb-todo .risk"), "1 Open case of yours 1 overdue")
		require.Contains(t, apptest.TextOf(jonas.Get("/yours"), "[aria-label='Assigned to you'] tbody"), "Overdue")

		settings := url.Values{"zone": {"UTC"}, "theme": {"system"}, "density": {"roomy"}}
		require.Equal(t, 1, jonas.Get("/account").Find("[name=mail][checked]").Length())
		require.Equal(t, http.StatusSeeOther, jonas.Post("/account", "/account/profile", settings).Status)
		require.Zero(t, jonas.Get("/account").Find("[name=mail][checked]").Length())
		require.Empty(t, notices()[models.NoticeOverdue], "jonas wants no e-mails")
	})
}
