package players_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// Support sets, raises and withdraws a player's limits, and explains why a limit refused a bet.
func TestLimitsOfAPlayer(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		p := s.PlayerWithBalance("anna", 100_000)
		sofia, farid := s.SignedIn("sofia", models.Support), s.SignedIn("farid", models.Finance)
		bruno := s.SignedIn("bruno", models.Bonus)
		path := pages.PlayerPath(p.ID)
		form := path + "/limits"
		require.Equal(t, 1, sofia.Get(path).Find("a[href='"+form+"']").Length())
		require.Equal(t, http.StatusForbidden, farid.Get(form).Status)
		require.Equal(t, "UTC", sofia.Get(form).Find("[name=zone]").AttrOr("value", ""))
		fresh := url.Values{"user": {"zoe"}, "currency": {"EUR"}, "zone": {"Tokyo"}}
		require.Contains(t, sofia.Post("/players/new", "/players", fresh).Find(".invalid-feedback").Text(), "Enter a time zone")
		fresh.Set("zone", "Asia/Tokyo")
		zoe := sofia.Post("/players/new", "/players", fresh).Location
		require.Equal(t, "Asia/Tokyo", sofia.Get(zoe+"/limits").Find("[name=zone]").AttrOr("value", ""), "since the player was created")
		fields := url.Values{"stake-day": {"50"}, "deposit-week": {"10"}, "zone": {"Europe/Vienna"}, "reason": {"called at noon"}}
		with := func(name, value string) url.Values {
			changed := url.Values{}
			for field, values := range fields {
				changed[field] = values
			}
			changed.Set(name, value)
			return changed
		}
		for field, wrong := range map[string][2]string{"stake-day": {"x", "Enter an amount"}, "deposit-week": {"0", "from 0.01"}, "zone": {"Vienna", "Enter a time zone"},
			"reason": {" ", "Enter a reason"}} {
			refused := sofia.Post(form, form, with(field, wrong[0]))
			require.Equal(t, http.StatusUnprocessableEntity, refused.Status, field)
			require.Contains(t, refused.Find(".invalid-feedback").Text(), wrong[1])
		}
		require.Contains(t, sofia.Post(form, form, url.Values{"reason": {"x"}}).Find(".invalid-feedback").Text(), "at least one limit")

		older := sofia.Get(form).Find("[name=made-from]").AttrOr("value", "")
		require.Equal(t, http.StatusSeeOther, sofia.Post(form, form, fields).Status)
		require.Contains(t, sofia.Get(path).Find(".pb-flash").Text(), "Daily stake limit set to 50.00 EUR, in effect now.")
		late := with("stake-day", "70.00")
		late.Set("made-from", older)
		require.Equal(t, http.StatusSeeOther, sofia.Post(form, form, late).Status)
		require.Contains(t, sofia.Get(form).Find(".pb-flash").Text(), "have changed since you opened the form")
		card := func(of *apptest.Browser) string { return of.Get(path).Find("[aria-label=Limits]").Text() }
		require.Contains(t, card(sofia), "Can stake 50.00 EUR more")
		require.Contains(t, card(farid), "(limit 50.00, 0.00 used)")
		require.Empty(t, card(bruno))
		require.Zero(t, sofia.Get(form).Find("[name=zone]").Length(), "it stays")

		c := s.Callback(apptest.Bet("anna", "b1", "r1", 5001), 1)
		require.Equal(t, models.VerdictLimitReached, c.Verdict)
		page := sofia.Get(pages.CallbackPath(c))
		require.Contains(t, page.Find("main").Text(), "The stake limit per day is 50.00; 50.00 more can be staked until")
		require.Contains(t, page.Find("[aria-label='For the player']").Text(), "it would have exceeded your daily stake limit")
		require.Contains(t, sofia.Get(path).Text(), "the player’s limit was reached")

		fields = with("stake-day", "80.00")
		require.Equal(t, http.StatusSeeOther, sofia.Post(form, form, fields).Status)
		require.Contains(t, sofia.Get(path).Find(".pb-flash").Text(), "Daily stake limit raised to 80.00 EUR; it takes effect on ")
		require.Contains(t, card(sofia), "Can stake 50.00 EUR more")
		require.Contains(t, card(sofia), "80.00 from ")
		require.Equal(t, http.StatusUnprocessableEntity, sofia.Post(form, form, with("reason", "again")).Status, "nothing is changed")
		require.Equal(t, http.StatusSeeOther, sofia.Post(form, form, with("stake-day", "50")).Status)
		require.NotContains(t, card(sofia), "80.00", "withdrawn")
		require.Equal(t, http.StatusSeeOther, sofia.Post(form, form, with("stake-day", "")).Status)
		require.Contains(t, card(sofia), "No limit from")
		history := sofia.Get(path + "/history").Text()
		require.Contains(t, history, "Player limits set: called at noon")
		require.Contains(t, history, "stake limit per day: 50.00 → 50.00, 80.00 from ")
		require.NotContains(t, bruno.Get(path+"/history").Text(), "called at noon")
		require.NotContains(t, bruno.Get(path+"/history").Text(), "80.00")
	})
}
