package settings_test

import (
	"cmp"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// Each settings page says when and by whom its setting was last changed, and links to the changes.
func TestLastChanges(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		chloe := s.SignedIn("chloe", models.Compliance)
		rules, err := s.Store.SignInRules(t.Context())
		require.NoError(t, err)
		rules.IdleMinutes++
		limits := models.DefaultGrantRules
		limits.Limits.SpinsPerGrant++
		pages := []struct {
			path    string
			subject models.ChangeSubject // empty for a setting that one person can change
			value   any
		}{
			{"/settings", models.ChangeSignInRules, rules},
			{"/settings", models.ChangeReportZone, "Asia/Tokyo"},
			{"/settings/free-spins", models.ChangeGrantLimits, limits},
			{"/settings/notices", "", models.NoticeRules{}},
			{"/reports/rates", models.ChangeBaseCurrency, models.Currency("EUR")},
			{"/reports/returns", models.ChangeGameReturns, models.GameReturns{"g-1": decimal.RequireFromString("96.5")}},
			{"/reports/ranked/threshold", models.ChangeThresholds, models.Thresholds{{Ranking: models.RankWins, Currency: "EUR", Least: 100}}},
		}
		for _, p := range pages[2:] { // every test sets the sign-in rules
			require.NotContains(t, apptest.TextOf(chloe.Get(p.path), "main"), "Last changed", p.path)
		}
		for _, p := range pages {
			if p.subject == "" {
				require.NoError(t, s.Store.SetNoticeRules(t.Context(), models.Actor{Name: "ann", Channel: models.ChannelBrowser}, p.value.(models.NoticeRules)))
				continue
			}
			maker, checker := storetest.Administrators(t, s.Store)
			if p.subject.Rule().Makers[0] != models.Administrator {
				maker, checker = storetest.SignerNamed(t, s.Store, "farid", models.Finance), storetest.SignerNamed(t, s.Store, "fanny", models.Finance)
			}
			r, err := s.Store.RequestChange(t.Context(), maker, p.subject, p.value, "tried")
			require.NoError(t, err, p.subject)
			require.NoError(t, storetest.Approve(t.Context(), s.Store, "change", checker, r.ID))
		}
		shown := map[string]int{}
		for _, p := range pages {
			page, by := chloe.Get(p.path), "admin-two"
			if p.subject == "" {
				by = "ann"
			} else if p.subject.Rule().Makers[0] != models.Administrator {
				by = "fanny"
			}
			said := page.Find("main p:contains('Last changed')").Eq(shown[p.path])
			require.Regexp(t, `Last changed .*\d\d:\d\d.* by `+by+`\. All changes`, said.Text(), p.path)
			changes := chloe.Get(said.Find("a").AttrOr("href", ""))
			require.Equal(t, "Setting changed: "+string(cmp.Or(p.subject, models.NoticeRulesSetting)), changes.Find(".pb-audit tbody tr").First().Find(".c-what a").Text())
			require.Contains(t, changes.Find(".pb-audit tbody tr").First().Find(".c-who").Text(), by, p.path)
			shown[p.path]++
		}
	})
}
