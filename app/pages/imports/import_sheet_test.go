package imports_test

import (
	"database/sql"
	"encoding/csv"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/apptest"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/models/store/storetest"
)

func TestASheetIsCorrected(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g := s.SyncedGame()
		for _, user := range []string{"anna", "bertold", "kemal.yildirim", "Zoe"} {
			s.NewPlayer(models.UserID(user), false)
		}
		bruno, berta := s.SignedIn("bruno", models.Bonus), s.SignedIn("berta", models.Bonus)
		pasted := fmt.Sprintf("anna\t%[1]s\t5\nbertodl\t%[1]s\t5\nkemal.yildrim\t%[2]sx\t5\nzoe\t%[1]s\t\n\t%[1]s\t1 000\n",
			g.GameID, g.Name)
		kept := bruno.Post("/free-spins/imports/new", "/free-spins/imports/drafts",
			url.Values{"paste": {pasted}, "reason": {"Loyalty"}})
		require.Equal(t, http.StatusSeeOther, kept.Status, kept.Body)
		path := kept.Location
		page := bruno.Get(path)
		require.Contains(t, page.Find("h1 .badge").Text(), "4 lines have errors")
		require.Equal(t, "No player has this ID.", strings.TrimSpace(page.Find("#f-player-2-wrong").Text()))
		require.Equal(t, "The number of spins is missing.", strings.TrimSpace(page.Find("#f-spins-4-wrong").Text()))
		require.Equal(t, "The player ID is missing.", strings.TrimSpace(page.Find("#f-player-5-wrong").Text()))
		require.Equal(t, "“1 000” is not a number of spins. Enter a whole number, such as 20.",
			strings.TrimSpace(page.Find("#f-spins-5-wrong").Text()))
		require.Equal(t, http.StatusNotFound, berta.Get(path).Status, "a colleague's sheet")

		use := func(start string) string {
			t.Helper()
			button := page.Find(`button[name=use][value^="` + start + `"]`)
			require.Equal(t, 1, button.Length(), start)
			return button.AttrOr("value", "")
		}
		press := func(name, value string, more ...string) {
			t.Helper()
			form := apptest.FormFields(page, path)
			for i := 0; i+1 < len(more); i += 2 {
				form.Set(more[i], more[i+1])
			}
			if name != "" {
				form.Set(name, value)
			}
			done := bruno.Post("", path, form)
			require.Equal(t, path, done.Location)
			page = bruno.Get(path)
		}
		require.Equal(t, "2:player:bertold", use("2:player:"))
		require.Equal(t, "3:player:kemal.yildirim", use("3:player:"))
		press("use", use("2:player:"), "spins-4", "7", "player-4", "zoe")
		require.Equal(t, "4:player:Zoe", use("4:player:"), "suggests the ID in the right case")
		press("use", use("4:player:"))
		press("use", use("3:player:"))
		require.Equal(t, "No game has this ID or name.", strings.TrimSpace(page.Find("#f-game-3-wrong").Text()))
		require.Equal(t, "3:game:"+string(g.GameID),
			page.Find(`button[name=use][value^="3:game:"]`).First().AttrOr("value", ""), "a game by its name")
		require.Zero(t, page.Find(`button[name=use][value^="5:game:"]`).Length(), "nothing is wrong with this ID")

		// Only the lines with errors, corrected elsewhere.
		file := bruno.Get(path + "/errors.csv")
		rows, err := csv.NewReader(strings.NewReader(file.Body)).ReadAll()
		require.NoError(t, err)
		require.Len(t, rows, 3)
		require.Equal(t, []string{"3", "kemal.yildirim", g.Name + "x", "5", "No game has this ID or name."}, rows[1])
		require.Contains(t, bruno.Post(path, path+"/lines", url.Values{"paste": {"one cell"}}).Find("#f-paste-wrong").Text(),
			"The first line has 1 column")
		corrected := strings.Replace(file.Body, "3,kemal.yildirim,"+g.Name+"x", "3,kemal.yildirim,"+strings.ToUpper(g.Name), 1)
		require.Equal(t, path, bruno.Post(path, path+"/lines", url.Values{"paste": {corrected}}).Location)
		page = bruno.Get(path)
		require.Contains(t, page.Find(".pb-flash").Text(), "2 lines replaced by 2 lines.")
		require.Equal(t, 1, page.Find(".pb-sheet tbody tr").Length())
		require.Equal(t, "5", strings.TrimSpace(page.Find(".pb-sheet tbody td").First().Text()), "a line keeps its number")

		// Deliberately only the valid lines.
		valid := bruno.Get(path + "/valid")
		require.Contains(t, valid.Find(".action").Text(), "Grant 22 spins to 4 players in 4 grants, and leave out 1 line.")
		unticked := bruno.SendAgain(valid, ".pb-confirm", nil)
		require.Equal(t, http.StatusUnprocessableEntity, unticked.Status)
		require.Contains(t, unticked.Find("#agreed-wrong").Text(), "Tick this")
		imports := func() []models.GrantImport {
			list, err := s.Store.GrantImports(t.Context(), models.ImportFilter{Span: models.Span{Limit: 9}})
			require.NoError(t, err)
			return list.Rows
		}
		require.Empty(t, imports())
		changed := bruno.SendAgain(valid, ".pb-confirm", url.Values{"agreed": {"yes"}, "digest": {"other"}})
		require.Equal(t, path, changed.Location)
		require.Contains(t, bruno.Get(path).Find(".pb-flash").Text(), "changed after you opened the page")
		require.Empty(t, imports())
		done := bruno.SendAgain(valid, ".pb-confirm", url.Values{"agreed": {"yes"}})
		require.Len(t, imports(), 1)
		require.EqualValues(t, 4, imports()[0].Lines)
		events, err := s.Store.AuditEvents(t.Context(),
			models.AuditFilter{Object: "grant import", ObjectID: "1", Action: "grant import created", Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		require.Contains(t, events.Rows[0].After, `"left_out":1`)
		page = bruno.Get(done.Location)
		page = bruno.Get(done.Location) // the message is gone by now, but the link stays
		note := page.Find(".pb-note:contains('1 line was left out')")
		require.Equal(t, "Correct 1 line", note.Find("a").Text())
		require.Zero(t, berta.Get(done.Location).Find(".pb-note").Length(), "a colleague's lines")
		rest := bruno.Get(note.Find("a").AttrOr("href", ""))
		require.Equal(t, 1, rest.Find(".pb-sheet tbody tr").Length())
		require.Equal(t, done.Location, bruno.Get(path).Location, "the sheet leads to its import")
		require.Equal(t, done.Location, bruno.SendAgain(valid, ".pb-confirm", url.Values{"agreed": {"yes"}}).Location)
		anew := url.Values{"agreed": {"yes"}, "csrf": {bruno.Token("/")}}
		require.Equal(t, path, bruno.SendAgain(valid, ".pb-confirm", anew).Location)
		require.Len(t, imports(), 1, "a second press grants nothing")
	})
}

// TestImportWithoutItsSheet makes an exception and an import while sheets cannot be stored.
func TestImportWithoutItsSheet(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		s := apptest.NewSite(t, dbURL)
		g := s.SyncedGame()
		s.NewPlayer("anna", false)
		s.NewPlayer("bert", false)
		bruno := s.SignedIn("bruno", models.Bonus)
		brought := func(lines string) (path string) {
			t.Helper()
			return bruno.Post("/free-spins/imports/new", "/free-spins/imports/drafts",
				url.Values{"paste": {fmt.Sprintf(lines, g.GameID)}, "reason": {"Loyalty"}}).Location
		}
		path := brought("anna\t%[1]s\t120\nnobody\t%[1]s\t5\n")
		asked := bruno.Get(path + "/exception")
		granting := bruno.Get(brought("bert\t%[1]s\t5\nnobody\t%[1]s\t5\nnowhere\t%[1]s\t5\n") + "/valid")
		driver, dsn, _ := strings.Cut(dbURL, "://")
		noRest := "ALTER TABLE grant_sheets ADD CONSTRAINT no_rest CHECK (rest_of = 0)"
		if driver == "sqlite" {
			noRest = "ALTER TABLE grant_sheets ADD COLUMN no_rest INTEGER CHECK (rest_of = 0)"
		}
		raw, err := sql.Open(driver, dsn)
		require.NoError(t, err)
		defer raw.Close()
		_, err = raw.ExecContext(t.Context(), noRest)
		require.NoError(t, err)

		done := bruno.SendAgain(asked, ".pb-confirm", nil)
		require.Equal(t, pages.ExceptionPath(1), done.Location, done.Body)
		page := bruno.Get(done.Location)
		require.Contains(t, apptest.TextOf(page, ".pb-flash"), "The exception is requested, but its sheet could not be saved "+
			"Line 2 was left out, and could not be kept for correction. Correct it in your own file, and upload only that line.")
		require.Contains(t, apptest.TextOf(page, ".pb-flash"), "could not be stored in the database")
		e, found, err := s.Store.GrantException(t.Context(), 1)
		require.NoError(t, err)
		require.True(t, found)
		require.EqualValues(t, 120, e.Spins)
		require.Equal(t, web.PathOf("/free-spins/imports", e.ImportID), bruno.Get(path).Location, "it is not used twice")

		done = bruno.SendAgain(granting, ".pb-confirm", url.Values{"agreed": {"yes"}, "password": {apptest.Password}})
		require.Equal(t, http.StatusSeeOther, done.Status, done.Body)
		require.Contains(t, apptest.TextOf(bruno.Get(done.Location), ".pb-flash"),
			"The grants are being sent, but the sheet could not be "+
				"saved Lines 2 and 3 were left out, and could not be kept for correction.")
	})
}

// Before somebody confirms a sheet, they can read its valid lines, a page at a time, and those of players with several lines.
func TestValidLinesOfASheetAreShown(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g := s.SyncedGame()
		var pasted strings.Builder
		for i := range 60 {
			user := fmt.Sprintf("player%02d", i)
			s.NewPlayer(models.UserID(user), false)
			fmt.Fprintf(&pasted, "%s\t%s\t5\n", user, g.GameID)
		}
		fmt.Fprintf(&pasted, "player07\t%s\t3\nnobody\t%[1]s\t1\n", g.GameID)
		bruno := s.SignedIn("bruno", models.Bonus)
		kept := bruno.Post("/free-spins/imports/new", "/free-spins/imports/drafts",
			url.Values{"paste": {pasted.String()}, "reason": {"Loyalty"}})
		rows := func(page *apptest.Answer) []string {
			return apptest.CellsOf(page, "[aria-label='Valid lines'] tbody tr")
		}
		for _, path := range []string{kept.Location, kept.Location + "/valid"} {
			page := bruno.Get(path)
			require.Equal(t, 50, page.Find("[aria-label='Valid lines'] tbody tr").Length(), path)
			require.Contains(t, apptest.TextOf(page, "[aria-label='Valid lines'] .pb-foot"), "1 to 50 of 61 lines")
			next := bruno.Get(page.Find("[aria-label='Valid lines'] a[rel=next]").AttrOr("href", ""))
			require.Contains(t, apptest.TextOf(next, "[aria-label='Valid lines'] .pb-foot"), "51 to 61 of 61 lines")
			require.Contains(t, apptest.TextOf(next, "[aria-label='Valid lines'] tbody"), "player59")
			several := bruno.Get(page.Find("[aria-label='Valid lines'] .end a").AttrOr("href", ""))
			require.Equal(t, []string{"8", "player07", g.Name + " " + string(g.GameID), "5", "61"}, rows(several)[:5])
			require.Equal(t, 2, several.Find("[aria-label='Valid lines'] tbody tr").Length())
			require.Equal(t, http.StatusOK, bruno.Get(path+"?from=x&lines=y").Status)
		}
	})
}
