package app_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/app/pages/reports"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// What cannot be undone asks for the password, and keeps what was typed if it is wrong or missing.
func TestAttackWithoutThePassword(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	day := s.SetClockToNoon()
	anna := s.PlayerWithBalance("anna", 10_000)
	s.Later(24 * time.Hour)
	s.SumUpDays()
	limits, sign := pages.PlayerPath(anna.ID)+"/limits", reports.DayPath(day)
	restriction := url.Values{"player": {"anna"}, "kind": {"abuse"}, "scope": {"play, deposits and bonuses"}, "term": {"no end"}, "reason": {"bots"}}
	for name, f := range map[string]struct {
		role        models.Role
		page        func(who *apptest.Browser) *apptest.Answer
		form, to    string
		field, says string
	}{
		"limits": {models.Support, func(who *apptest.Browser) *apptest.Answer { return who.Get(limits) }, "form[action$='/limits']", limits, "reason", "called at noon"},
		"a day": {models.Finance, func(who *apptest.Browser) *apptest.Answer { return who.Get(sign) }, "form[action$='/signatures']", sign + "/signatures", "note",
			"No checkpoint is kept here."},
		"no end": {models.Support, func(who *apptest.Browser) *apptest.Answer {
			return who.Post("/restrictions/new", "/restrictions", restriction)
		},
			".pb-confirm", "/restrictions", "confirmed", "yes"},
	} {
		t.Run(name, func(t *testing.T) {
			who := s.SignedIn("who-"+f.field, f.role)
			fresh := apptest.FieldsOf(f.page(who), f.form, f.field, f.says)
			require.NotContains(t, fresh, "password", "it was given just before")
			s.Later(models.ConfirmedFor + time.Minute)
			page := f.page(who)
			require.Equal(t, 1, page.Find(f.form+" #confirm-password").Length(), page.Text())
			fields := apptest.FieldsOf(page, f.form, f.field, f.says)
			if name == "limits" {
				fields.Set("stake-day", "50")
			}
			for password, says := range map[string]string{"": "Enter your password.", "guess": "This is not your password."} {
				fields.Set("password", password)
				refused := who.Post("", f.to, fields)
				require.Equal(t, http.StatusUnprocessableEntity, refused.Status, refused.Text())
				require.Contains(t, refused.Find(f.form+" .invalid-feedback").Text(), says)
				if name != "no end" {
					require.Equal(t, f.says, refused.Find("[name="+f.field+"]").First().AttrOr("value", refused.Find("[name="+f.field+"]").Text()))
				}
			}
			fields.Set("password", apptest.Password)
			require.Equal(t, http.StatusSeeOther, who.Post("", f.to, fields).Status)
		})
	}
}
