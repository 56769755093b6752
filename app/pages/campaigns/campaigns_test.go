package campaigns_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"pitboss/app/export"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

func TestASheetIsGranted(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g := s.SyncedGame()
		good := s.SheetOfPlayers(g, 12, 20)
		bruno := s.SignedIn("bruno", models.Bonus)
		require.Contains(t, bruno.Get("/campaigns").Find(".pb-empty").Text(), "No campaigns yet")
		require.Contains(t, bruno.Get("/campaigns/new").Find(".pb-dl").Text(), "0 of 15,000 spins")

		bad := strings.Replace(strings.Replace(good, "u3,", "u3x,", 1), "u8,"+string(g.GameID)+",20",
			"u8,"+string(g.GameID)+",many", 1)
		page := uploadGrants(bruno, bad, "Loyalty")
		require.Equal(t, http.StatusOK, page.Status)
		require.Contains(t, page.Find("h1 .badge").Text(), "2 lines have errors")
		var lines, wrong []string
		for _, row := range page.Find("[aria-label='Lines with errors'] tbody tr").EachIter() {
			lines = append(lines, strings.TrimSpace(row.Find("td").First().Text()))
			wrong = append(wrong, strings.TrimSpace(row.Find("td").Last().Text()))
		}
		require.Equal(t, []string{"5", "10"}, lines)
		require.Equal(t, []string{"No player has this ID.",
			"“many” is not a number of spins. Enter a whole number, such as 20."}, wrong)
		require.Zero(t, page.Find(".pb-confirm").Length())
		facts := func(page *apptest.Answer) string {
			return strings.Join(strings.Fields(page.Find(".pb-facts").Text()), " ")
		}
		require.Contains(t, facts(page), "Players 10 Spins 200", "an unknown player is no player, and a line with an error grants nothing")

		// The reader goes on without the two bad lines, and can download them with the reasons.
		file := bruno.SendAgain(page, "#campaign", url.Values{"download": {"lines"}})
		require.Equal(t, http.StatusOK, file.Status, file.Body)
		require.Contains(t, file.Body, "u3x,"+string(g.GameID)+",20,No player has this ID.\n")
		without := bruno.SendAgain(page, "#campaign", url.Values{"skip": {"2"}, "budget-spins": {"70"}})
		require.Contains(t, without.Find(".action").Text(), "Grant 60 spins to 3 players in 3 grants.", "a budget bounds what is promised")
		require.Equal(t, 2, without.Find("[aria-label='Lines with errors'] tbody tr").Length())
		require.Contains(t, facts(without), "2 skipped")
		require.Contains(t, facts(without), "Spins 60then the budget stops the campaign")

		s.Later(10 * time.Minute)
		asked := uploadGrants(bruno, good, "Loyalty")
		require.Equal(t, http.StatusOK, asked.Status, asked.Body)
		require.Contains(t, asked.Find(".action").Text(), "Grant 240 spins to 12 players in 12 grants.")
		require.Contains(t, asked.Find(".pb-ba").Text(), "240 of 15,000")
		require.Equal(t, 10, asked.Find("[aria-label='The first lines'] tbody tr").Length())
		require.Equal(t, g.Name, asked.Find("[aria-label='The first lines'] [data-label=Game]").First().Text(), "people do not know IDs")
		require.Empty(t, s.Sim.Grants())
		refused := bruno.SendAgain(asked, ".pb-confirm", url.Values{"password": {"not it"}})
		require.Equal(t, http.StatusUnprocessableEntity, refused.Status)
		begun := bruno.SendAgain(refused, ".pb-confirm", url.Values{"password": {apptest.Password}})
		require.Equal(t, http.StatusSeeOther, begun.Status, begun.Body)
		twice := bruno.SendAgain(refused, ".pb-confirm", url.Values{"csrf": {bruno.Token("/")}, "password": {apptest.Password}})
		require.Equal(t, begun.Location, twice.Location, "a second press leads to the same campaign")
		require.Contains(t, bruno.Get(twice.Location).Find(".pb-flash").Text(), "Nothing was granted a second time")

		// Campaigns run in the background. In this test, nothing runs them but the test itself.
		campaigns, err := s.Store.Campaigns(t.Context(), models.CampaignFilter{Span: models.Span{Limit: 9}})
		require.NoError(t, err)
		require.Len(t, campaigns.Rows, 1)
		running := bruno.Get(begun.Location)
		live := running.Find("#progress[data-live]")
		require.Equal(t, 1, live.Length())
		require.NoError(t, s.Sim.SetMood("assignFreeSpin=refused(2 no such game):2"))
		_, err = s.Bonus.Run(t.Context(), campaigns.Rows[0].ID, func(now models.Campaign) {
			if now.ToGo.Lines == 6 {
				require.NoError(t, s.Sim.SetMood("assignFreeSpin=dropped-after:1"))
			}
		})
		require.NoError(t, err)
		request := bruno.Request(http.MethodGet, live.AttrOr("hx-get", ""), nil)
		for name, value := range map[string]string{"HX-Request": "true", "HX-Target": "progress", "Pitboss-Live": "1"} {
			request.Header.Set(name, value)
		}
		require.Equal(t, "true", bruno.Send(request).Header.Get("HX-Refresh"), "it has finished, so the page reloads itself")
		page = bruno.Get(begun.Location)
		require.Contains(t, page.Find("h1 .badge").Text(), "Finished")
		var figures []string
		for _, figure := range page.Find("#progress dd.big").EachIter() {
			figures = append(figures, figure.Contents().First().Text())
		}
		require.Equal(t, []string{"9", "2", "1", "0"}, figures)
		require.Equal(t, 12, page.Find("#lines tbody tr").Length())
		require.Equal(t, "13", page.Find("#lines tbody tr").Last().Find("td[data-label=Line]").Text())
		require.Equal(t, 2, bruno.Get(begun.Location+"?outcome=left-out").Find("#lines tbody tr").Length())
		require.Contains(t, bruno.Get(begun.Location+"?outcome=unknown").Find("#lines tbody tr").Text(), "Decide")
		require.Equal(t, 9, bruno.Get(begun.Location+"?outcome=granted").Find("#lines tbody tr").Length())
		require.Zero(t, bruno.Get(begun.Location+"?outcome=to-go").Find("#lines tbody tr").Length())
		require.Zero(t, page.Find("form[action$='/pause'], form[action$='/resume']").Length(), "it has ended")

		list := bruno.Get("/campaigns")
		require.Equal(t, begun.Location, list.Find("tbody .c-what a").AttrOr("href", ""))
		require.Zero(t, bruno.Get("/campaigns?state=running").Find("tbody tr").Length())

		// Granting the same file again needs an explicit confirmation.
		again := uploadGrants(bruno, good, "Loyalty")
		require.Contains(t, again.Find(".pb-note").Text(), "Exactly these lines were granted before")
		require.Zero(t, again.Find(".pb-confirm").Length())
		knowing := bruno.SendAgain(again, "#campaign", url.Values{"again": {"yes"}})
		require.Contains(t, knowing.Find(".pb-checks .warn").Text(), "Every player in them gets the spins once more.")
		require.Equal(t, http.StatusSeeOther, bruno.SendAgain(knowing, ".pb-confirm",
			url.Values{"password": {apptest.Password}}).
			Status)
		campaigns, err = s.Store.Campaigns(t.Context(), models.CampaignFilter{Span: models.Span{Limit: 9}})
		require.NoError(t, err)
		require.Len(t, campaigns.Rows, 2)
		bruno.SendAgain(knowing, ".pb-confirm", nil)
		campaigns, err = s.Store.Campaigns(t.Context(), models.CampaignFilter{Span: models.Span{Limit: 9}})
		require.NoError(t, err)
		require.Len(t, campaigns.Rows, 2, "granting again creates one more campaign")
	})
}

func TestSheetsThatCannotBeRead(t *testing.T) {
	s := apptest.SqliteSite(t)
	g := s.SyncedGame()
	s.NewPlayer("anna", false)
	bruno := s.SignedIn("bruno", models.Bonus)
	for name, row := range map[string]struct{ contents, reason, words string }{
		"empty":       {"", "x", "Enter a player, paste some lines, or choose a file or a saved view."},
		"one column":  {"anna\n", "x", "The first line has 1 column"},
		"no game":     {"user_id,spins\nanna,5\n", "x", "none for game"},
		"no lines":    {"user_id,game_id,spins\n", "x", "no lines"},
		"no reason":   {"user_id,game_id,spins\nanna," + string(g.GameID) + ",5\n", "", "a name of 1 to 100 characters"},
		"long reason": {"user_id,game_id,spins\nanna," + string(g.GameID) + ",5\n", strings.Repeat("x", 501), "a name of 1 to 100 characters"},
	} {
		t.Run(name, func(t *testing.T) {
			page := uploadGrants(bruno, row.contents, row.reason)
			require.Equal(t, http.StatusUnprocessableEntity, page.Status)
			require.Contains(t, page.Find(".invalid-feedback").Text(), row.words)
		})
	}
	page := uploadGrants(bruno, "user_id,game_id,spins\nanna,"+string(g.GameID)+",5\n\"anna,broken", "x")
	require.Contains(t, page.Find("[aria-label='Lines with errors']").Text(), "A quotation mark is not closed on this line")
}

// The preview, the page and the file of a campaign show the same figures, and its cost is the sum of the exported wins.
func TestFiguresOfACampaign(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		rules := models.DefaultGrantRules
		rules.SpinCost = map[models.Currency]models.Amount{"EUR": 20, "USD": 25}
		storetest.Change(t, s.Store, models.ChangeGrantLimits, rules)
		g := s.SyncedGame()
		var lines strings.Builder
		for user, of := range map[models.UserID]struct {
			currency models.Currency
			spins    int
		}{"anna": {"EUR", 3}, "bert": {"EUR", 4}, "uma": {"USD", 5}, "tina": {"TRY", 6}} {
			s.NewPlayerIn(user, of.currency, false)
			fmt.Fprintf(&lines, "%s\t%s\t%d\n", user, g.GameID, of.spins)
		}
		bruno, farid := s.SignedIn("bruno", models.Bonus), s.SignedIn("farid", models.Finance)
		preview := bruno.Post("/campaigns/new", "/campaigns/new", url.Values{"paste": {lines.String()}, "name": {"Loyalty"}})
		require.Contains(t, preview.Find(".action").Text(), "Grant 18 spins to 4 players in 4 grants.")
		require.Contains(t, preview.Find(".pb-confirm").Text(), "Cost: 1.40 EUR; 6 spins in TRY, whose cost is not set; 1.25 USD.")
		path := bruno.SendAgain(preview, ".pb-confirm", url.Values{"password": {apptest.Password}}).Location
		s.RunCampaigns()
		for i, win := range []models.Amount{150, 7, 1_000} {
			s.PlayFreeSpin([]models.UserID{"anna", "bert", "uma"}[i], fmt.Sprint("f-", i), win)
		}
		won := map[string]decimal.Decimal{}
		header, rows, _ := farid.Download("/transactions?with=free-spin-wins", export.CSV)
		for i := range rows {
			win, err := decimal.NewFromString(apptest.ColumnOf(t, header, rows, "Win")[i])
			require.NoError(t, err)
			currency := apptest.ColumnOf(t, header, rows, "Currency")[i]
			won[currency] = won[currency].Add(win)
		}
		header, rows, _ = farid.Download(path, export.CSV)
		granted := map[string]int{}
		for i := range rows {
			require.Equal(t, "granted", apptest.ColumnOf(t, header, rows, "Outcome")[i])
			spins, err := strconv.Atoi(apptest.ColumnOf(t, header, rows, "Spins")[i])
			require.NoError(t, err)
			granted[map[string]string{"uma": "USD", "tina": "TRY"}[apptest.ColumnOf(t, header, rows, "Player")[i]]] += spins
		}
		require.Equal(t, map[string]int{"": 7, "USD": 5, "TRY": 6}, granted)
		page, shown := bruno.Get(path), map[string][]string{}
		for _, row := range page.Find("[aria-label='Cost and result'] tbody tr").EachIter() {
			cells := row.Find("td").Map(func(_ int, cell *goquery.Selection) string { return strings.Join(strings.Fields(cell.Text()), " ") })
			shown[cells[0]] = cells[1:6]
		}
		require.Equal(t, map[string][]string{
			"EUR": {"2", "2 of 7", "1.40EUR", "2 grants", won["EUR"].StringFixed(2) + "EUR"},
			"USD": {"1", "1 of 5", "1.25USD", "1 grant", won["USD"].StringFixed(2) + "USD"},
			"TRY": {"1", "0 of 6", "not set", "0 grants", "0.00TRY"},
		}, shown)
	})
}

func TestACampaignIsPausedResumedAndStopped(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g := s.SyncedGame()
		file := s.SheetOfPlayers(g, 5, 10)
		bruno, chloe := s.SignedIn("bruno", models.Bonus), s.SignedIn("chloe", models.Compliance)
		path := bruno.SendAgain(uploadGrants(bruno, file, "x"), ".pb-confirm", nil).Location
		require.Zero(t, chloe.Get(path).Find(".pb-head .pb-actions form").Length())
		said := func(a *apptest.Answer) string { return bruno.Get(a.Location).Find(".pb-flash").Text() }
		require.Contains(t, said(bruno.Post(path, path+"/pause", nil)), "is paused")
		require.Contains(t, bruno.Get(path).Find("h1 .badge").Text(), "Paused")
		require.Contains(t, said(bruno.Post(path, path+"/resume", nil)), "is running again")
		asked := bruno.Get(path + "/stop")
		require.Contains(t, asked.Find(".action").Text(), "The 5 lines to go will never be sent.")
		require.Contains(t, said(bruno.SendAgain(asked, ".pb-confirm", nil)), "is stopped")
		require.Contains(t, said(bruno.Post(path, path+"/resume", nil)), "has already ended")
		require.Equal(t, path, bruno.Get(path+"/stop").Location)
		require.Empty(t, s.Sim.Grants())
	})
}

// A campaign is stopped while a line is being sent. Its page follows that line until it ends.
func TestStoppedCampaignFollowsItsLastLine(t *testing.T) {
	s := apptest.SqliteSite(t)
	bruno := s.SignedIn("bruno", models.Bonus)
	asked := uploadGrants(bruno, s.SheetOfPlayers(s.SyncedGame(), 2, 5), "Loyalty")
	path := bruno.SendAgain(asked, ".pb-confirm", url.Values{"password": {apptest.Password}}).Location
	ctx, by := t.Context(), models.Actor{Name: "bruno"}
	campaigns, err := s.Store.Campaigns(ctx, models.CampaignFilter{Span: models.Span{Limit: 1}})
	require.NoError(t, err)
	lines, err := s.Store.CampaignLines(ctx, models.CampaignLineFilter{CampaignID: campaigns.Rows[0].ID, ToGo: true,
		Span: models.Span{Limit: 1}})
	require.NoError(t, err)
	g, err := s.Store.RequestCampaignLine(ctx, by, campaigns.Rows[0], lines.Rows[0])
	require.NoError(t, err)
	_, err = s.Store.SendGrant(ctx, g.ID)
	require.NoError(t, err)
	require.NoError(t, s.Store.SetCampaignState(ctx, by, campaigns.Rows[0].ID, models.JobStopped, "too many"))
	stopped := bruno.Get(path)
	require.Contains(t, stopped.Find("#progress[data-live]").Text(), "The last line is being sent")
	_, err = s.Store.AnswerGrant(ctx, by, g.ID, models.GrantOutcome{State: models.GrantActive, FreeSpinID: "f1"})
	require.NoError(t, err)
	poll := bruno.Request(http.MethodGet, stopped.Find("#progress").AttrOr("hx-get", ""), nil)
	for name, value := range map[string]string{"HX-Request": "true", "HX-Target": "progress", "Pitboss-Live": "1"} {
		poll.Header.Set(name, value)
	}
	ended := bruno.Send(poll)
	require.Zero(t, ended.Find("[data-live]").Length())
	require.Contains(t, ended.Find("#lines tbody").Text(), "f1")
}

// uploadGrants sends a file with the upload form.
func uploadGrants(b *apptest.Browser, contents, reason string) *apptest.Answer {
	b.T.Helper()
	body := &strings.Builder{}
	boundary := "----form"
	part := func(head, text string) { fmt.Fprintf(body, "--%s\r\n%s\r\n\r\n%s\r\n", boundary, head, text) }
	part(`Content-Disposition: form-data; name="csrf"`, b.Token("/campaigns/new"))
	part(`Content-Disposition: form-data; name="name"`, reason)
	part("Content-Disposition: form-data; name=\"file\"; filename=\"november.csv\"\r\nContent-Type: text/csv", contents)
	fmt.Fprintf(body, "--%s--\r\n", boundary)
	request, err := http.NewRequestWithContext(b.T.Context(), http.MethodPost,
		b.Site.Base.String()+"/campaigns/new", strings.NewReader(body.String()))
	require.NoError(b.T, err)
	request.Header.Set("Content-Type", "multipart/form-data; boundary="+boundary)
	request.Header.Set("Origin", b.Site.Base.String())
	return b.Send(request)
}

// Repeating a campaign takes two steps, or more if it repeats grants of the last 30 days. The page names the players who are
// left out, and does not blame the lines for an unknown game.
func TestACampaignIsRepeated(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g, bruno := s.SyncedGame(), s.SignedIn("bruno", models.Bonus)
		for _, user := range []models.UserID{"anna", "bert"} {
			s.NewPlayer(user, false)
		}
		form := url.Values{"name": {"Loyalty"}, "paste": {"anna\nbert\n"}, "game": {"no such game"}, "spins": {"5"}}
		refused := bruno.Post("/campaigns/new", "/campaigns/new", form)
		require.Equal(t, 1, refused.Find("#f-game-wrong").Length())
		require.Zero(t, refused.Find("#f-paste-wrong").Length())

		form.Set("game", string(g.GameID))
		first := bruno.SendAgain(bruno.Post("/campaigns/new", "/campaigns/new", form), ".pb-confirm", nil)
		require.Equal(t, http.StatusSeeOther, first.Status, first.Body)
		_, err := s.Bonus.Run(t.Context(), 1, nil)
		require.NoError(t, err)
		repeat := func() *apptest.Answer {
			return bruno.Post(first.Location, first.Location+"/repeat", nil)
		}
		lately := repeat()
		require.Zero(t, lately.Find(".pb-confirm").Length())
		require.Contains(t, lately.Find(".pb-note").Text(), "Exactly these lines were granted before")

		s.Later(32 * 24 * time.Hour)
		bruno.SignIn("bruno", apptest.Password)
		storetest.Restrict(t, s.Store, "bert")
		again := repeat()
		require.Contains(t, again.Find(".action").Text(), "Grant 5 spins to anna in 1 grant.")
		require.Contains(t, apptest.TextOf(again, "[aria-label='Left out'] tbody"), "bert")
		second := bruno.SendAgain(again, ".pb-confirm", url.Values{"password": {apptest.Password}})
		require.Equal(t, http.StatusSeeOther, second.Status, second.Body)
		require.Equal(t, "/campaigns/2", second.Location)
	})
}

// Of 500 lines, five are bad. The other 495 are granted in three steps. The five can be downloaded in the file's own format
// with the reasons, corrected, and sent again as they are.
func TestFiveOf500LinesAreSkipped(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g := s.SyncedGame()
		lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(s.SheetOfPlayers(g, 500, 2), ",", ";")), "\n")
		first, players := len(lines)-500, map[int]string{}
		for i, bad := range map[int]string{7: "=cmd|' /C calc'!A0;%s;2", 80: "nobody;%s;2", 81: "u81;%s;two", 200: "u200;%s;2;5", 499: "\"u499;%s;2"} {
			players[i], lines[first+i] = lines[first+i], fmt.Sprintf(bad, g.GameID)
		}
		bruno := s.SignedIn("bruno", models.Bonus)
		page := uploadGrants(bruno, strings.Join(lines, "\n"), "Loyalty")
		apptest.RequireNothingInline(t, page)
		require.Equal(t, "Continue without 5 lines", page.Find("button[name=skip]").Text())
		require.Contains(t, page.Find("#bad-lines").Text(), "495 lines are good, 5 lines have errors.")
		sheet := bruno.SendAgain(page, "#campaign", url.Values{"download": {"lines"}})
		require.Equal(t, `attachment; filename="november-lines-with-errors.csv"`, sheet.Header.Get("Content-Disposition"))
		rows := strings.Split(strings.TrimSpace(strings.TrimPrefix(sheet.Body, "\ufeff")), "\n")
		require.Len(t, rows, 6)
		id := string(g.GameID)
		require.Equal(t, strings.Split(lines[0], ";"), strings.Split(rows[0], ";")[:3])
		require.Equal(t, "What is wrong", strings.Split(rows[0], ";")[3])
		require.Equal(t, "\"'=cmd|' /C calc'!A0\";"+id+";2;No player has this ID.", rows[1], "no spreadsheet runs it")
		require.Contains(t, rows[4], "u200;"+id+";\"2;5\";\"It has 4 cells", "the cell too many does not get lost")
		require.Contains(t, rows[5], "\"\"\"u499\";"+id+";2;")
		require.Contains(t, uploadGrants(bruno, sheet.Body, "Loyalty").Find("h1 .badge").Text(), "5 lines have errors", "nothing is corrected yet")

		confirm := bruno.SendAgain(page, "#campaign", url.Values{"skip": {page.Find("button[name=skip]").AttrOr("value", "")}})
		require.Contains(t, confirm.Find(".action").Text(), "Grant 990 spins to 495 players in 495 grants.")
		require.Contains(t, confirm.Find("#bad-lines").Text(), "These 5 lines are left out; 495 lines remain.")
		begun := bruno.SendAgain(confirm, ".pb-confirm", url.Values{"password": {apptest.Password}})
		require.Equal(t, http.StatusSeeOther, begun.Status, begun.Body)
		found, _, err := s.Store.Campaign(t.Context(), 1)
		require.NoError(t, err)
		require.EqualValues(t, 495, found.Lines)
		sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
		events, err := s.Store.AuditEvents(t.Context(), models.AuditFilter{Action: "campaign created", Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		for _, text := range []string{`"skipped_lines":5`, `"skipped_of":"november.csv"`, hex.EncodeToString(sum[:])} {
			require.Contains(t, events.Rows[0].After, text)
		}

		// A download that was corrected in a spreadsheet is a file like any other: its last column is ignored.
		for i, number := range []int{7, 80, 81, 200, 499} {
			rows[i+1] = players[number] + ";was wrong"
		}
		again := uploadGrants(bruno, strings.Join(rows, "\n"), "Loyalty, the rest")
		require.Contains(t, again.Find(".action").Text(), "Grant 10 spins to 5 players in 5 grants.")
	})
}

// The players' GGR before and after a campaign is compared over equal numbers of whole days, once the days after are over. The
// campaign can be repeated for the players whom each button names.
func TestPlayBeforeAndAfterACampaign(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		s := apptest.NewSite(t, dbURL)
		s.SetClockToNoon()
		g := s.SyncedGame()
		for _, user := range []models.UserID{"anna", "bert", "carl"} {
			s.PlayerWithBalance(user, 10000)
		}
		const day = 24 * time.Hour
		s.Hire("bruno", models.Bonus)
		bruno := s.Browser("198.51.100.1")
		later := func(d time.Duration) {
			s.Later(d)
			bruno.SignIn("bruno", apptest.Password)
		}
		s.Book(apptest.Bet("anna", "b-1", "r-1", 900))
		later(day) // also signs in again
		s.Book(apptest.Bet("anna", "b-2", "r-2", 500))
		later(7 * day)
		form := url.Values{"name": {"Loyalty"}, "paste": {"anna\nbert\ncarl\n"}, "game": {string(g.GameID)}, "spins": {"5"}}
		path := bruno.SendAgain(bruno.Post("/campaigns/new", "/campaigns/new", form), ".pb-confirm", nil).Location
		s.RunCampaigns()
		s.Book(apptest.Bet("anna", "b-3", "r-3", 300))
		shown := func(query string) string {
			s.SumUpDays()
			return apptest.TextOf(bruno.Get(path+query), "#play")
		}
		later(day)
		s.Book(apptest.Bet("anna", "b-4", "r-4", 200))
		s.PlayFreeSpin("anna", "f-1", 150)
		s.PlayFreeSpin("bert", "f-2", 0)
		require.Contains(t, shown(""), "No play in whole days")
		later(day)
		require.Contains(t, shown(""), "EUR 0.00 EUR 2.00 EUR +2.00 EUR 0.00 EUR 1.50 EUR", "one day before, one after")
		require.Contains(t, shown(""), "For 3 players the 7 days after are not over")
		later(7 * day)
		require.Contains(t, shown(""), "EUR 5.00 EUR 2.00 EUR −3.00 EUR 0.00 EUR 1.50 EUR")
		require.NotContains(t, shown(""), "not over")
		require.Contains(t, shown("?days=14"), "EUR 14.00 EUR 2.00 EUR −12.00 EUR")
		require.Contains(t, shown("?days=14"), "For 3 players the 14 days after are not over")
		require.Contains(t, shown(""), "does not prove that the campaign caused it")

		page := bruno.Get(path)
		for figure, want := range map[string]int{"Grants": 3, "Used": 2, "Won": 1} {
			list := page.Find("[aria-label='Cost and result'] [data-label='"+figure+"'] a").AttrOr("href", "")
			require.Equal(t, http.StatusOK, bruno.Get(list).Status, list)
			require.Equal(t, want, bruno.Get(list).Find("tbody tr").Length(), "%s", list)
		}
		later(32 * day)
		for _, to := range []struct{ value, player string }{{"unused", "carl"}, {"not-won", "bert"}, {"winners", "anna"}} {
			require.Equal(t, 1, page.Find("[name='repeat-to'][value='"+to.value+"']").Length())
			again := bruno.Post(path, path+"/repeat", url.Values{"repeat-to": {to.value}})
			require.Contains(t, again.Find(".action").Text(), "Grant 5 spins to "+to.player+" in 1 grant.", to.value)
		}
		changed := bruno.Post(path, "/campaigns/new", url.Values{"change": {"yes"}, "repeat": {"1"}, "repeat-to": {"unused"}, "name": {"Loyalty"}})
		require.Equal(t, "unused", changed.Find("#grant [name=repeat-to]").AttrOr("value", ""))
		require.Contains(t, changed.Find("#grant").Text(), "who have not used theirs")
	})
}
