package exports_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/apptest"
	"pitboss/app/pack"
	"pitboss/app/pages"
	"pitboss/models"
	"pitboss/models/store/storetest"
)

// Finance and compliance make packs with a form that shows what is wrong. Everybody else is told who can make them. A pack is
// listed with its reason, and downloaded by the person who made it and by compliance.
func TestPacksAreMadeAndDownloaded(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		s := apptest.NewSite(t, dbURL)
		p := s.PlayerWithHistory("anna")
		farid, mira, chloe, sofia := s.SignedIn("farid", models.Finance), s.SignedIn("mira", models.Finance),
			s.SignedIn("chloe", models.Compliance), s.SignedIn("sofia", models.Support)
		require.Equal(t, 1, farid.Get(pages.PlayerPath(p.ID)).Find("a[href='/packs/new?"+pages.PlayerOf(p.ID)+"']").Length())
		require.Zero(t, sofia.Get(pages.PlayerPath(p.ID)).Find("a[href^='/packs/new']").Length())
		refused := sofia.Get("/packs/new")
		require.Equal(t, http.StatusForbidden, refused.Status)
		require.Contains(t, refused.Text(), "Ask a colleague with the finance or compliance role.")

		wrong := farid.Post("/packs/new", "/packs",
			url.Values{"player": {"Anna"}, "since": {"2020-11-30"}, "until": {"2020-11-01"},
				"reference": {strings.Repeat("x", 101)}})
		require.Equal(t, http.StatusUnprocessableEntity, wrong.Status)
		for _, words := range []string{"There is no player with this ID.", "The last day is before the first.",
			"Enter the reason.",
			"Choose what the pack is for.", "at most 100 characters"} {
			require.Contains(t, wrong.Find(".invalid-feedback").Text(), words)
		}

		made := farid.Post("/packs/new", "/packs", url.Values{"player": {"anna"}, "since": {"2020-01-01"},
			"until": {s.Now().UTC().Format(time.DateOnly)}, "purpose": {"data access"}, "reference": {"DSAR-3"},
			"why": {"anna asked"}})
		require.Equal(t, http.StatusSeeOther, made.Status, made.Body)
		id, err := strconv.ParseInt(strings.TrimPrefix(made.Location, "/exports/"), 10, 64)
		require.NoError(t, err)
		var e models.Export
		require.Eventually(t, func() bool {
			e, _, err = s.Store.Export(t.Context(), id)
			require.NoError(t, err)
			return !e.State.Open()
		}, 30*time.Second, 5*time.Millisecond)
		require.Equal(t, models.JobFinished, e.State, e.Failure)
		require.Positive(t, e.Rows)

		page := farid.Get(made.Location)
		require.Contains(t, page.Find("h1").Text(), "Data-access pack as ZIP")
		require.NotContains(t, page.Find("main").Text(), "Dispute")
		for _, words := range []string{"anna asked", "DSAR-3", "A data-access request"} {
			require.Contains(t, page.Text(), words)
		}
		again := farid.Get(page.Find("a[href^='/packs/new?']").AttrOr("href", ""))
		require.Equal(t, "DSAR-3", again.Find("[name=reference]").AttrOr("value", ""))
		require.Equal(t, "data access", again.Find("[name=purpose][checked]").AttrOr("value", ""))
		for b, status := range map[*apptest.Browser]int{farid: http.StatusOK, chloe: http.StatusOK, mira: http.StatusNotFound,
			sofia: http.StatusForbidden} {
			file := b.Get(made.Location + "/file")
			require.Equal(t, status, file.Status)
			if status != http.StatusOK {
				continue
			}
			require.Equal(t, "application/zip", file.Header.Get("Content-Type"))
			report := pack.Check(strings.NewReader(file.Body), int64(len(file.Body)), "")
			require.True(t, report.OK(), report.Problems)
			require.Equal(t, pack.DataAccess, report.Manifest.Purpose)
			require.NotContains(t, file.Body, "farid", "names of staff are not for the player")
		}
		require.Contains(t, chloe.Get("/exports").Find("tbody").Text(), "anna asked")
		require.Contains(t, chloe.Get("/exports").Find("tbody").Text(), "Data-access pack")
		require.Contains(t, chloe.Get(pages.PlayerPath(p.ID)+"/history").Text(), "Data-access pack downloaded")
		list := farid.Post("/exports", "/exports", url.Values{"list": {models.PackList(p.ID)}, "format": {"csv"}})
		require.Equal(t, http.StatusBadRequest, list.Status, "a pack is not a list")
	})
}
