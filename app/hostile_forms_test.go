package app_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/gofiber/fiber/v2"
	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/app/pages/reports"
	"pitboss/app/web"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// hostile are values that somebody may put into any field. The longest comes first, because a form that succeeded often cannot
// be sent again.
var hostile = []string{
	strings.Repeat("ü", 70_000), "\xff\xfe\x00", "a\x00b", "9223372036854775808", "-1", "１２", "1e3", "99999-12-31",
	"\u202e<b>&\"'", "2026-11-19T99:99", " ", "\U0010ffff\r\n\x1b[2J",
}

// sentForm is a form of a page, and how it is sent.
type sentForm struct {
	from, method, action string
	fields               url.Values
	free                 []string // fields that accept any text
}

var numerals = regexp.MustCompile(`\d+`)

// TestHostileForms walks through the pages of each role, sends every form that it finds with hostile values in each field, and
// never gets an internal error. The short form sends each field the longest value and every sixth of the others, beginning with
// another one at each field; the long form sends each field all of them.
func TestHostileForms(t *testing.T) {
	t.Parallel()
	s := apptest.NewSite(t, storetest.URL(t, storetest.MariaDB)) // the stricter database
	found, _ := s.CaseOfOpenBet()
	desks := map[models.Role]*apptest.Browser{}
	for _, role := range models.Roles {
		desks[role] = s.SignedIn("f-"+string(role), role)
	}
	mira := s.SignedIn("mira", models.Finance)
	mira.RequestCorrection(url.Values{"kind": {"credit"}, "player": {"anna"}, "amount": {"5"}, "reason": {"goodwill"},
		"text": {"As agreed."}})
	_, err := s.Store.FollowDays(t.Context())
	require.NoError(t, err)
	sent := map[string]bool{}
	for _, role := range models.Roles {
		b := desks[role]
		starts := []string{"/", pages.CasePath(found.ID), "/corrections/1", "/corrections/new?kind=win",
			"/corrections/new?kind=credit", "/corrections/new?kind=debit", "/corrections/new", "/players/new",
			"/reports/liability"}
		seen, queue := map[string]bool{}, starts
		for len(queue) > 0 && len(seen) < 120 {
			path := queue[0]
			queue = queue[1:]
			at, _, _ := strings.Cut(path, "?")
			key := numerals.ReplaceAllString(at, "N")
			if at == "/corrections/new" {
				key = path
			}
			if seen[key] || strings.HasSuffix(at, "/file") || strings.HasPrefix(at, "/static") {
				continue
			}
			seen[key] = true
			page := b.Get(path)
			require.Less(t, page.Status, 500, "%s %s", role, path)
			page.Find("a[href^='/']").
				Each(func(_ int, a *goquery.Selection) { queue = append(queue, a.AttrOr("href", "")) })
			for _, f := range formsOf(page, path) {
				for _, name := range f.free {
					once := f.method + " " + numerals.ReplaceAllString(f.action, "N") + " " + name
					if sent[once] {
						continue
					}
					sent[once] = true
					for i, value := range hostile {
						if i > 0 && i%6 != len(sent)%6 && storetest.Scaled(0, 1) == 0 {
							continue
						}
						form := url.Values{}
						for k, v := range f.fields {
							form[k] = v
						}
						form.Set(name, value)
						var a *apptest.Answer
						if f.method == http.MethodPost {
							a = b.Send(b.Request(http.MethodPost, f.action, form))
						} else {
							if len(value) > 1000 {
								form.Set(name, value[:1000]) // the rest of an address is never read
							}
							a = b.Get(f.action + "?" + form.Encode())
						}
						for _, again := range formsOf(a, f.action) { // somebody will send the corrected form
							require.True(t, again.method == http.MethodGet || hasForm(s, again.action),
								"%s shows a form for %s", f.action, again.action)
						}
						if a.Status >= 500 {
							t.Errorf("%s: %s %s with %s = %.40q: %d %s %s", role, f.method, f.action, name, value,
								a.Status, apptest.TextOf(a, "h1"), form.Encode()[:min(400, len(form.Encode()))])
						}
					}
				}
			}
		}
	}
	require.Greater(t, len(sent), 140, "fields")
	stranger := s.Browser("198.51.100.9")
	token := stranger.Token("/signin")
	for _, value := range hostile {
		for _, form := range []url.Values{
			{"username": {value}, "password": {apptest.Password}}, {"username": {"mira"}, "password": {value}},
			{"username": {"mira"}, "password": {"x"}, "next": {value}},
		} {
			form.Set("csrf", token)
			require.Less(t, stranger.Send(stranger.Request(http.MethodPost, "/signin", form)).Status, 500, "%.40q", value)
		}
		part := url.PathEscape(value[:min(len(value), 1000)])
		for _, path := range []string{"/cases/" + part + "/owner?seen=" + part, "/reports/days/" + part + "/signatures",
			"/corrections/" + part + "/approval"} {
			require.Less(t, mira.Post("/account", path, nil).Status, 500, path)
		}
		require.Less(t, mira.Get("/reports/days/"+part).Status, 500)
	}
}

// hasForm reports whether a route takes forms at this address.
func hasForm(s *apptest.Site, address string) bool {
	path, _, _ := strings.Cut(address, "?")
	return slices.ContainsFunc(s.Routes(), func(r web.Route) bool {
		return r.Method == web.Post &&
			fiber.RoutePatternMatch(path, r.Path, fiber.Config{CaseSensitive: true, StrictRouting: true})
	})
}

// formsOf returns the forms of a page, except those that end the session.
func formsOf(page *apptest.Answer, path string) (list []sentForm) {
	page.Find("form").Each(func(_ int, s *goquery.Selection) {
		f := sentForm{from: path, method: strings.ToUpper(s.AttrOr("method", "get")), action: s.AttrOr("action", path),
			fields: url.Values{}}
		if f.action == "/signout" || strings.HasPrefix(f.action, "/account/password") ||
			strings.HasPrefix(f.action, "/account/second") || strings.Contains(f.action, "revocation") ||
			!strings.HasPrefix(f.action, "/") {
			return
		}
		s.Find("input, select, textarea, button[name]").Each(func(_ int, field *goquery.Selection) {
			name := field.AttrOr("name", "")
			if name == "" {
				return
			}
			value := field.AttrOr("value", "")
			if goquery.NodeName(field) == "textarea" {
				value = "Said by somebody at length."
			}
			if goquery.NodeName(field) == "select" {
				value = field.Find("option").Last().AttrOr("value", "")
			}
			if field.AttrOr("type", "") == "password" {
				value = apptest.Password
			}
			f.fields.Set(name, value)
			if name != "csrf" && field.AttrOr("type", "") != "password" && field.AttrOr("type", "") != "file" {
				f.free = append(f.free, name)
			}
		})
		list = append(list, f)
	})
	return list
}

// TestLongRemark signs a day with a remark too long for its column: it is refused at its field, and what was typed is still
// there.
func TestLongRemark(t *testing.T) {
	t.Parallel()
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		day := s.SetClockToNoon()
		s.PlayerWithBalance("anna", 10000)
		s.Later(24 * time.Hour)
		_, err := s.Store.FollowDays(t.Context())
		require.NoError(t, err)
		b := s.SignedIn("fred", models.Finance)
		page := b.Get(reports.DayPath(day))
		form := apptest.FieldsOf(page, "form[action$='/signatures']")
		form.Set("note", strings.Repeat("ü", 70_000))
		refused := b.Post("", reports.DayPath(day)+"/signatures", form)
		require.Equal(t, http.StatusUnprocessableEntity, refused.Status)
		require.Contains(t, refused.Text(), "4,000 characters")
		form.Set("note", "at length \xff\xfe\x00")
		again := refused.Find("form[action$='/signatures']").AttrOr("action", "")
		require.Equal(t, reports.DayPath(day)+"/signatures", again, "the form that is shown again can be sent")
		require.Equal(t, http.StatusSeeOther, b.Post("", again, form).Status)
		require.Contains(t, b.Get(reports.DayPath(day)).Find(".pb-flash").Text(), "Signed for finance")
	})
}

// A form shows each error at its field. Only values that nobody can type make the whole form invalid.
func TestWrongFieldsAreNamed(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	ann := s.SignedIn("ann", models.Administrator)
	for field, words := range map[string]string{"zone": "is not a time zone", "theme": "Colors are", "density": "Rows are"} {
		form := url.Values{"zone": {"UTC"}, "theme": {"light"}, "density": {"roomy"}}
		form.Set(field, "pink")
		wrong := ann.Post("/account", "/account/profile", form)
		require.Equal(t, http.StatusUnprocessableEntity, wrong.Status)
		require.Contains(t, wrong.Find("#f-"+field+"-wrong").Text(), words)
		require.Equal(t, 1, wrong.Find(".invalid-feedback").Length(), "only at "+field)
	}
	bar := ann.Post("/account", "/account/theme", url.Values{"theme": {"pink"}})
	require.Equal(t, http.StatusBadRequest, bar.Status)
	require.Contains(t, bar.Find("h1").Text(), "This form cannot be read")
	address := ann.Get("/audit?after=x")
	require.Equal(t, http.StatusBadRequest, address.Status)
	require.Contains(t, address.Find("h1").Text(), "This address cannot be read")
}
