package app

import (
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/app/pages/staff"
	"pitboss/app/things"
	"pitboss/models"
)

func auditActions(a *answer) (actions []string) {
	for _, n := range a.Find(".pb-audit tbody .c-what a").EachIter() {
		actions = append(actions, n.Text())
	}
	return actions
}

func TestAuditPage(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		chloe := s.signedIn("chloe", models.Compliance)
		by := models.Actor{Name: "sofia", Address: "203.0.113.5", Session: "abcd1234"}
		hostile := models.UserID(`"><script>alert(1)</script>`)
		p, err := s.Store.CreatePlayer(t.Context(), by, models.NewPlayer{UserID: hostile, Currency: "EUR", Test: true})
		require.NoError(t, err)
		require.NoError(t, s.Store.SetBlocked(t.Context(), by, hostile, true, `asked <b>us</b> to, "at once"`))
		id := strconv.FormatInt(p.ID, 10)
		blocked, created := "Blocked player "+string(hostile), "Created test player "+string(hostile)+" with 0.00\u00a0EUR"

		require.Equal(t, []string{blocked, created}, auditActions(chloe.get("/audit?who=sofia")))
		require.Equal(t, []string{blocked}, auditActions(chloe.get("/audit?who=sofia&reason=AT+ONCE")))
		require.Equal(t, []string{blocked}, auditActions(chloe.get("/audit?object=player&id="+id+"&what=player+blocked")))
		require.Equal(t, []string{blocked, created}, auditActions(chloe.get("/audit?session=abcd1234")))
		require.Equal(t, []string{blocked, created},
			auditActions(chloe.get("/audit?address=203.0.113.5&since="+
				url.QueryEscape(time.Now().Add(-time.Hour).UTC().Format("2006-01-02 15:04")))))
		require.Empty(t, auditActions(chloe.get("/audit?who=Sofia")))
		require.Contains(t, chloe.get("/audit?since=yesterday").Find(".pb-empty").Text(), "cannot be read")
		require.Contains(t, chloe.get("/audit?player=nobody").Find(".pb-empty").Text(), "No player is called")

		// By a player's own name; that somebody looked is an event too, and the newest.
		page := chloe.get("/audit?player=" + url.QueryEscape(string(hostile)))
		require.Equal(t, []string{"Viewed player " + string(hostile), blocked, created}, auditActions(page))
		require.Equal(t, things.PlayerPath(p.ID),
			page.Find(".pb-audit tbody tr").First().Find("td:nth-child(3) a").AttrOr("href", ""))
		requireNothingInline(t, page)
		require.Zero(t, page.Find("main script, main b:contains('us')").Length())

		href, _ := page.Find(".pb-audit tbody tr:nth-child(2) .c-what a").Attr("href")
		event := chloe.get(href)
		require.Equal(t, http.StatusOK, event.status)
		require.Equal(t, blocked, event.Find("h1 bdi").Text())
		require.Equal(t, `asked <b>us</b> to, "at once"`, event.Find(".pb-quote").Text())
		require.Equal(t, []string{"blocked", "no", "yes"},
			event.Find(".pb-diff tbody tr").First().Children().
				Map(func(_ int, n *goquery.Selection) string { return n.Text() }))
		require.Contains(t, event.Find(".pb-links").Text(), "Player created")
		requireNothingInline(t, event)

		// Whoever uses a colleague's name at the command line does not look as if the colleague had used a browser.
		shell := models.Actor{Name: "farid", Channel: models.ChannelCommandLine, OSUser: "deploy"}
		require.NoError(t, s.Store.SetBlocked(t.Context(), shell, hostile, false, "asked again"))
		page = chloe.get("/audit?who=farid")
		require.Contains(t, page.Find(".pb-audit tbody .c-who").Text(), "command line as deploy")
		href, _ = page.Find(".pb-audit tbody tr .c-what a").Attr("href")
		require.Contains(t, chloe.get(href).Find("main").Text(), "command line as deploy")
		require.Contains(t, chloe.get("/audit?who=chloe").Find(".pb-audit tbody .c-who").First().Text(), "browser")

		require.Equal(t, http.StatusForbidden, s.signedIn("sofia", models.Support).get("/audit").status)
		require.Equal(t, http.StatusNotFound, chloe.get("/audit/999999").status)
		require.Equal(t, http.StatusNotFound, chloe.get("/audit/x").status)
	})
}

// TestFailedSignInsAreRecorded looks for each way in which somebody fails to show who they are.
func TestFailedSignInsAreRecorded(t *testing.T) {
	s := sqliteSite(t)
	chloe := s.signedIn("chloe", models.Compliance)
	bob := s.hire("bob", models.Finance)
	stranger := s.browser("203.0.113.99")
	for range 3 {
		stranger.signIn("bob", "a guess")
	}
	stranger.signIn("hunter2-is-my-password", "oops")
	require.NoError(t, s.Store.SetStaffDisabled(t.Context(), models.Actor{Name: "ann"}, bob.ID, true, "left"))
	stranger.signIn("bob", password)

	of := func(id string) (told []string) {
		list, _, err := s.Store.AuditEvents(t.Context(), models.AuditFilter{Actor: "not signed in", Limit: 50})
		require.NoError(t, err)
		for _, e := range list {
			require.NotContains(t, e.After+e.ObjectID+e.Reason, "hunter2")
			require.Equal(t, "203.0.113.99", e.Actor.Address)
			if e.ObjectID == id {
				told = append(told, e.Action)
			}
		}
		return told
	}
	require.Equal(t, []string{"sign-in while disabled", "sign-in refused"}, of(strconv.FormatInt(bob.ID, 10)))
	require.Equal(t, []string{"sign-in refused"}, of(""))
	require.Contains(t, chloe.get(staff.StaffPath(bob.ID)).Find("[aria-label=History]").Text(), "Failed to sign in")
}
