package clients_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

const newPath = "/clients/new"

// One administrator requests a client, another approves it, and its token is shown once. Revoking the client ends the token.
func TestClientPages(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		ada, adam := s.SignedIn("ada", models.Administrator), s.SignedIn("adam", models.Administrator)
		chloe, sofia := s.SignedIn("chloe", models.Compliance), s.SignedIn("sofia", models.Support)
		require.Equal(t, http.StatusForbidden, sofia.Get("/clients").Status)
		require.Equal(t, http.StatusForbidden, chloe.Get(newPath).Status)
		require.Contains(t, chloe.Get("/clients").Text(), "No API clients yet")

		form := url.Values{"name": {"cashier"}, "scope": {"deposits", "read"}, "networks": {"192.0.2.7, 10.0.0.0/8"},
			"webhook": {"https://cashier.example/pitboss"}, "event": {"player", "game session"}, "per-minute": {"60"}, "cash": {"eur 50.00"}, "per-day": {"eur 900.00"},
			"reason": {"the website's cashier"}}
		for field, wrong := range map[string][2]string{"name": {"<b>", "Enter a name"}, "scope": {"all", "Choose at least one"},
			"networks": {"home", "neither a network"}, "per-minute": {"0", "Enter a whole number"}, "cash": {"EUR 5", "Enter the largest deposit"},
			"per-day": {"50", "Enter the most per day for"}, "per-player": {"EUR 1.00, EUR 1.00", "Enter the most per day and player"},
			"webhook": {"http://cashier.example", "Enter an https address"}, "event": {"staff", "Choose the subjects of the webhook"},
			"reason": {"", "Say why"}} {
			typed := url.Values{}
			for name, values := range form {
				typed[name] = values
			}
			typed[field] = []string{wrong[0]}
			refused := ada.Post(newPath, "/clients", typed)
			require.Equal(t, http.StatusUnprocessableEntity, refused.Status, field)
			require.Contains(t, refused.Find(".invalid-feedback").Text(), wrong[1], field)
		}
		requested := ada.Post(newPath, "/clients", form)
		require.Equal(t, http.StatusSeeOther, requested.Status, requested.Body)
		require.Contains(t, adam.Get("/clients").Find(".pb-note").Text(), "Waiting for a second administrator")
		shown := strings.Join(strings.Fields(adam.Get(requested.Location).Find(".pb-ba").Text()), " ")
		require.Contains(t, shown, "EUR 900.00")
		require.Contains(t, shown, "deposits, read")
		require.Contains(t, shown, "192.0.2.7/32, 10.0.0.0/8")
		require.Contains(t, shown, "EUR 50.00")
		require.Contains(t, shown, "https://cashier.example/pitboss")
		require.Contains(t, shown, "player, game session")
		require.Equal(t, http.StatusSeeOther, adam.Post(requested.Location, requested.Location+"/approval", nil).Status)

		path := pages.APIClientPath(1)
		require.Contains(t, adam.Get(path).Find("h1").Text(), "No secret yet")
		require.Zero(t, chloe.Get(path).Find("a[href$='/secret']").Length())
		require.Equal(t, http.StatusForbidden, chloe.Post("/clients", path+"/secret", nil).Status)
		require.Contains(t, ada.Post(path+"/secret", path+"/secret", nil).Find(".invalid-feedback").Text(), "Say why")
		why := url.Values{"reason": {"go live"}, "overlap": {"0"}}
		half := func(page *apptest.Answer) string { return page.Find(".pb-link-code .id").First().Text() }
		first := half(ada.Post(path+"/secret", path+"/secret", why))
		require.Contains(t, adam.Get("/clients").Find(".pb-note").Text(), "Waiting for a second administrator")
		asked := pages.ChangePath(2)
		require.NotContains(t, adam.Get(asked).Find(".pb-ba").Text(), "the one of now", "it is the first")
		require.Equal(t, http.StatusSeeOther, ada.Post(asked, asked+"/approval", nil).Status)
		second := adam.Post(asked, asked+"/approval", nil)
		token := first + half(second)
		require.Contains(t, second.Text(), "set PITBOSS_LEDGER_KEY")
		require.NotContains(t, adam.Get(asked).Body, half(second))
		id, text, ok := models.ParseAPIToken(token)
		require.True(t, ok && id == 1, token)
		client, _, err := s.Store.APIClient(t.Context(), 1)
		require.NoError(t, err)
		require.True(t, client.Accepts(text, s.Now()))
		require.NotContains(t, ada.Get(path).Body, text)

		// The page shows what was sent to the webhook, and can send it again.
		require.Contains(t, ada.Get(path).Text(), "Nothing was sent yet")
		s.NewPlayer("anna", false)
		_, err = s.Store.FollowNotices(t.Context(), false)
		require.NoError(t, err)
		due, err := s.Store.DueNotices(t.Context(), 10)
		require.NoError(t, err)
		require.NoError(t, s.Store.NoteNotice(t.Context(), due[len(due)-1], nil))
		row := ada.Get(path).Find("[aria-label=Deliveries] tbody tr")
		require.Contains(t, row.Text(), "player created")
		require.Contains(t, row.Text(), "Sent")
		require.Zero(t, chloe.Get(path).Find("[aria-label=Deliveries] button").Length())
		resend := row.Find("form").AttrOr("action", "")
		require.Equal(t, http.StatusForbidden, chloe.Post("/clients", resend, nil).Status)
		require.Equal(t, http.StatusNotFound, ada.Post(path, path+"/deliveries/999/again", nil).Status)
		require.Equal(t, http.StatusSeeOther, ada.Post(path, resend, nil).Status)
		require.Contains(t, ada.Get(path).Find("[aria-label=Deliveries] tbody tr").Text(), "Waiting")
		require.NotContains(t, ada.Get("/settings/notices").Text(), "An event for an API client", "those are notices to people")

		why.Set("overlap", "1000")
		require.Contains(t, ada.Post(path+"/secret", path+"/secret", why).Find(".invalid-feedback").Text(),
			"0 to 168 hours")
		why.Set("overlap", "24")
		require.NotEmpty(t, half(ada.Post(path+"/secret", path+"/secret", why)))
		require.NotEmpty(t, half(adam.Post(pages.ChangePath(3), pages.ChangePath(3)+"/approval", nil)))
		require.Contains(t, ada.Get(path).Find("main").Text(), "The previous one is accepted until")

		form.Set("name", "cash-desk")
		form["reason"] = []string{"renamed"}
		require.Equal(t, "cashier", ada.Get(path+"/terms").Find("[name=name]").AttrOr("value", ""))
		changed := ada.Post(path+"/terms", path+"/terms", form)
		require.Equal(t, http.StatusSeeOther, changed.Status, changed.Body)
		require.Equal(t, http.StatusSeeOther, adam.Post(changed.Location, changed.Location+"/approval", nil).Status)
		require.Contains(t, ada.Get(path).Find("h1").Text(), "cash-desk")

		require.Equal(t, http.StatusUnprocessableEntity, ada.Post(path+"/revocation", path+"/revocation", nil).Status)
		require.Equal(t, http.StatusSeeOther,
			ada.Post(path+"/revocation", path+"/revocation", url.Values{"reason": {"it leaked"}}).Status)
		require.Contains(t, ada.Get(path).Find("h1").Text(), "Revoked")
		require.Contains(t, ada.Get("/clients?state=revoked").Find("tbody").Text(), "cash-desk")
		require.Contains(t, ada.Get("/clients?state=valid").Find("main").Text(), "No API clients match")
		require.Zero(t, ada.Get(path).Find("a[href$='/revocation']").Length())
		require.Equal(t, http.StatusOK, ada.Post(path+"/secret", path+"/secret", why).Status, "a new secret brings it back")
		client, _, err = s.Store.APIClient(t.Context(), 1)
		require.NoError(t, err)
		require.False(t, client.Accepts(text, s.Now()))
	})
}
