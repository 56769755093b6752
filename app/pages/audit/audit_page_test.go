package audit_test

import (
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/app/pages/staff"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

func auditActions(a *apptest.Answer) (actions []string) {
	for _, n := range a.Find(".pb-audit tbody .c-what a").EachIter() {
		actions = append(actions, n.Text())
	}
	return actions
}

func TestAuditPage(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		chloe := s.SignedIn("chloe", models.Compliance)
		by := models.Actor{Name: "sofia", Address: "203.0.113.5", Session: "abcd1234"}
		hostile := models.UserID(`"><script>alert(1)</script>`)
		p, err := s.Store.CreatePlayer(t.Context(), by, models.NewPlayer{UserID: hostile, Currency: "EUR", Test: true})
		require.NoError(t, err)
		signer := storetest.SignerNamed(t, s.Store, "sofia", models.Support)
		signer.Actor = by
		_, err = s.Store.Restrict(t.Context(), signer, models.Restriction{Subject: models.OfPlayer, PlayerID: p.ID,
			Kind: models.Abuse, Scope: models.FromPlay, Until: models.Permanent, Reason: `asked <b>us</b> to, "at once"`})
		require.NoError(t, err)
		id := strconv.FormatInt(p.ID, 10)
		set, restricted, created := "Restriction set", "Player restriction set: "+string(hostile), "Player created: "+string(hostile)+", 0.00 EUR"

		require.Equal(t, []string{restricted, set, created}, auditActions(chloe.Get("/audit?who=sofia")))
		require.Equal(t, []string{restricted, set}, auditActions(chloe.Get("/audit?who=sofia&reason=AT+ONCE")))
		require.Equal(t, []string{restricted}, auditActions(chloe.Get("/audit?object=player&id="+id+"&what=player+restriction+set")))
		require.Equal(t, []string{restricted, set, created}, auditActions(chloe.Get("/audit?session=abcd1234")))
		require.Equal(t, []string{restricted, set, created},
			auditActions(chloe.Get("/audit?address=203.0.113.5&since="+
				url.QueryEscape(time.Now().Add(-time.Hour).UTC().Format("2006-01-02 15:04")))))
		require.Empty(t, auditActions(chloe.Get("/audit?who=Sofia")))
		require.Contains(t, chloe.Get("/audit?since=yesterday").Find(".pb-empty").Text(), "Invalid filter")
		require.Contains(t, chloe.Get("/audit?player=nobody").Find(".pb-empty").Text(), "No player has the ID")

		// Filter by player. Viewing the list is an event too, and the newest one.
		page := chloe.Get("/audit?player=" + url.QueryEscape(string(hostile)))
		require.Equal(t, []string{"Player viewed: " + string(hostile), restricted, set, created}, auditActions(page))
		require.Equal(t, pages.PlayerPath(p.ID),
			page.Find(".pb-audit tbody tr").First().Find("td:nth-child(3) a").AttrOr("href", ""))
		apptest.RequireNothingInline(t, page)
		require.Zero(t, page.Find("main script, main b:contains('us')").Length())

		href, _ := page.Find(".pb-audit tbody tr:nth-child(2) .c-what a").Attr("href")
		event := chloe.Get(href)
		require.Equal(t, http.StatusOK, event.Status)
		require.Equal(t, restricted, event.Find("h1 bdi").Text())
		require.Equal(t, `asked <b>us</b> to, "at once"`, event.Find(".pb-quote").Text())
		require.Equal(t, []string{"play from", "", "permanent"},
			event.Find(".pb-diff tbody tr").First().Children().
				Map(func(_ int, n *goquery.Selection) string { return n.Text() }))
		apptest.RequireNothingInline(t, event)

		// A command-line session in a colleague's name does not look as if the colleague had used a browser.
		shell := models.Actor{Name: "farid", Channel: models.ChannelCommandLine, OSUser: "deploy"}
		require.NoError(t, s.Store.SetSetting(t.Context(), shell, "export hours", "12", "asked again"))
		page = chloe.Get("/audit?who=farid")
		require.Contains(t, page.Find(".pb-audit tbody .c-who").Text(), "command line as deploy")
		href, _ = page.Find(".pb-audit tbody tr .c-what a").Attr("href")
		require.Contains(t, chloe.Get(href).Find("main").Text(), "command line as deploy")
		require.Contains(t, chloe.Get("/audit?who=chloe").Find(".pb-audit tbody .c-who").First().Text(), "browser")

		require.Equal(t, http.StatusForbidden, s.SignedIn("stan", models.Support).Get("/audit").Status)
		require.Equal(t, http.StatusNotFound, chloe.Get("/audit/999999").Status)
		require.Equal(t, http.StatusNotFound, chloe.Get("/audit/x").Status)
	})
}

// The audit log of a player has everything that was done to the player and to the player's objects, including views, and
// nothing about other players.
func TestAuditOfAPlayer(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		ctx := t.Context()
		poor := s.PlayerWithRefusedBet()
		s.PlayerWithBalance("bert", 5000)
		s.Book(apptest.Bet("bert", "of bert", "r-bert", 100))
		anna, _, err := s.Store.Player(ctx, "anna")
		require.NoError(t, err)
		bert, _, err := s.Store.Player(ctx, "bert")
		require.NoError(t, err)
		ours, theirs := s.Transaction("b-1"), s.Transaction("of bert")
		for _, player := range []int64{anna.ID, bert.ID} {
			_, _, err := s.Store.OpenCases(ctx, []models.Finding{{Rule: models.CaseNegativeBalance,
				Key: strconv.Itoa(int(player)), At: s.Now(), PlayerID: player}})
			require.NoError(t, err)
		}
		applied, err := s.Store.Callbacks(ctx, models.CallbackFilter{TransactionID: "b-1", Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		_, differs := s.CaseOfDifference(&theirs,
			&models.StatementLine{TransactionID: "of bert", UserID: "bert", Currency: "EUR",
				Kind: models.Bet, Bet: 900, Standing: models.StandingApplied})
		require.True(t, differs)
		_, differs = s.CaseOfDifference(&ours, &models.StatementLine{TransactionID: "b-1", UserID: "anna", Currency: "EUR",
			Kind: models.Bet, Bet: 900, Standing: models.StandingApplied})
		require.True(t, differs)

		sofia, chloe := s.SignedIn("sofia", models.Support), s.SignedIn("chloe", models.Compliance)
		for _, path := range []string{pages.PlayerPath(anna.ID), pages.PlayerPath(bert.ID), pages.TransactionPath(ours.ID),
			pages.TransactionPath(theirs.ID), pages.CasePath(1), pages.CasePath(2), pages.CallbackPath(poor),
			pages.CallbackPath(applied.Rows[0])} {
			require.Equal(t, http.StatusOK, sofia.Get(path).Status, path)
		}
		for _, statement := range []string{"1", "2"} {
			require.NoError(t, s.Store.NoteView(ctx, models.Actor{Name: "farid"}, "statement", statement, 0))
		}
		for _, user := range []string{"anna", "bert"} {
			made := chloe.Post("/packs/new", "/packs", url.Values{"player": {user}, "since": {"2020-01-01"},
				"until": {s.Now().UTC().Format(time.DateOnly)}, "purpose": {"dispute"}, "why": {"It was requested."}})
			require.Equal(t, http.StatusOK, made.Status, made.Body)
		}

		found, err := s.Store.AuditEvents(ctx, models.AuditFilter{PlayerID: anna.ID, Span: models.Span{Limit: 100}})
		require.NoError(t, err)
		seen := map[string]bool{}
		for _, e := range found.Rows {
			seen[e.Object+" "+e.ObjectID] = true
		}
		number := func(id int64) string { return strconv.FormatInt(id, 10) }
		for thing, want := range map[string]bool{
			"player " + number(anna.ID): true, "player " + number(bert.ID): false,
			"transaction " + number(ours.ID): true, "transaction " + number(theirs.ID): false,
			"case 1": true, "case 2": false, "case 3": false, "case 4": true, "statement 1": false, "statement 2": true,
			"callback " + poor.Cursor().String(): true, "callback " + applied.Rows[0].Cursor().String(): true,
		} {
			require.Equal(t, want, seen[thing], thing)
		}
		page := chloe.Get("/audit?player=anna&what=case+viewed")
		require.Equal(t, 1, page.Find("tbody tr").Length(), "with another filter")
		require.Contains(t, page.Find(".lede").Text(), "including campaigns that grant them spins")
		require.NotContains(t, chloe.Get("/audit").Find(".lede").Text(), "concern")
	})
}

// TestFailedSignInsAreRecorded fails to sign in in every possible way.
func TestFailedSignInsAreRecorded(t *testing.T) {
	s := apptest.SqliteSite(t)
	chloe := s.SignedIn("chloe", models.Compliance)
	bob := s.Hire("bob", models.Finance)
	stranger := s.Browser("203.0.113.99")
	for range 3 {
		stranger.SignIn("bob", "a guess")
	}
	stranger.SignIn("hunter2-is-my-password", "oops")
	require.NoError(t, s.Store.DisableStaff(t.Context(), models.Actor{Name: "ann"}, bob.ID, "left"))
	stranger.SignIn("bob", apptest.Password)

	of := func(id string) (told []string) {
		list, err := s.Store.AuditEvents(t.Context(), models.AuditFilter{Actor: "not signed in", Span: models.Span{Limit: 50}})
		require.NoError(t, err)
		for _, e := range list.Rows {
			require.NotContains(t, e.After+e.ObjectID+e.Reason, "hunter2")
			require.Equal(t, "203.0.113.99", e.Actor.Address)
			if e.ObjectID == id {
				told = append(told, e.Action)
			}
		}
		return told
	}
	require.Equal(t, []string{"sign-in while disabled", "sign-in refused", "sign-in refused", "sign-in refused"},
		of(strconv.FormatInt(bob.ID, 10)))
	require.Equal(t, []string{"sign-in refused"}, of(""))
	require.Contains(t, chloe.Get(staff.StaffPath(bob.ID)).Find("[aria-label=History]").Text(), "Sign-in refused")
}
