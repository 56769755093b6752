package app

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"
	"github.com/stretchr/testify/require"

	"pitboss/app/pages/staff"
	"pitboss/app/web"
	"pitboss/models"
)

// fillIn replaces the parameters of a path with the internal ID of a row that exists.
func fillIn(path string, id int64) string {
	return strings.ReplaceAll(path, ":id", strconv.FormatInt(id, 10))
}

// TestEveryRouteForEveryRole compares the site with its tables of routes and permissions: people who may do something are not
// refused, everybody else is, and somebody who is signed out is redirected to sign in.
func TestEveryRouteForEveryRole(t *testing.T) {
	t.Parallel()
	eachSite(t, func(t *testing.T, s *site) {
		target := s.hire("target", models.Support)
		signedOut := s.browser("198.51.100.9")
		for _, role := range models.Roles {
			who := s.signedIn("r-"+string(role), role)
			for _, r := range s.Routes() {
				if r.Method == web.Post && (r.Path == "/signout" || strings.HasPrefix(r.Path, "/account/sessions/")) {
					continue // they end the session; TestSignIn and TestRevocation cover them
				}
				t.Run(string(role)+" "+nameOf(r), func(t *testing.T) {
					allowed := web.May(role, r.Needs)
					answer := who.ask(r, fillIn(r.Path, target.ID))
					switch {
					case r.Needs == web.Halfway:
						require.Equal(t, http.StatusSeeOther, answer.status)
						require.Equal(t, "/", answer.location)
					case allowed:
						require.NotContains(t, []int{http.StatusUnauthorized, http.StatusForbidden}, answer.status, answer.text)
						require.False(t, strings.HasPrefix(answer.location, "/signin"), "signed out on the way")
						require.Less(t, answer.status, http.StatusInternalServerError, answer.text)
					default:
						require.Equal(t, http.StatusForbidden, answer.status)
						require.Contains(t, answer.Find(".pb-error").Text(), "which cannot "+r.Needs.String())
						require.Equal(t, role != models.Administrator,
							strings.Contains(answer.Find(".pb-error").Text(), "Administrators change roles"))
					}
					requireNothingInline(t, answer)
				})
			}
		}
		for _, r := range s.Routes() {
			if r.Needs == web.Public || r.Needs == web.Machine {
				continue
			}
			t.Run("signed out "+nameOf(r), func(t *testing.T) {
				answer := signedOut.ask(r, fillIn(r.Path, target.ID))
				if r.Method == web.Get {
					require.Equal(t, http.StatusSeeOther, answer.status)
					require.Equal(t, "/signin?next="+url.QueryEscape(fillIn(r.Path, target.ID)), answer.location)
					return
				}
				if r.Form != "" {
					require.Equal(t, http.StatusSeeOther, answer.status)
					require.True(t, strings.HasPrefix(answer.location, "/signin?next="), answer.location)
					return
				}
				require.Equal(t, http.StatusUnauthorized, answer.status)
				requireNothingInline(t, answer)
			})
		}
	})
}

// ask sends a request to a route. A POST has only the token of its session.
func (b *browser) ask(r web.Route, path string) *answer {
	b.t.Helper()
	if r.Method == web.Get {
		return b.get(path)
	}
	return b.post("/account", path, url.Values{})
}

// requireNothingInline checks a page against the Content-Security-Policy: what it forbids would not run, but should not be
// there either.
func requireNothingInline(t *testing.T, a *answer) {
	t.Helper()
	policy := a.header.Get(fiber.HeaderContentSecurityPolicy)
	require.NotContains(t, policy, "unsafe")
	require.Contains(t, policy, "default-src 'none'")
	require.Contains(t, policy, "form-action 'self' https://games.example")
	require.Equal(t, "nosniff", a.header.Get(fiber.HeaderXContentTypeOptions))
	require.Equal(t, "no-store", a.header.Get(fiber.HeaderCacheControl))
	require.Zero(t, a.Find("script:not([src]), style, [style], [onclick], [onload], [onerror], a[href^='javascript:']").
		Length(), a.text)
}

// TestNamesFromOutside renders hostile names of people and platforms.
func TestNamesFromOutside(t *testing.T) {
	s := sqliteSite(t)
	admin := s.signedIn("ann", models.Administrator)
	s.hire("hostile", models.Support)
	for i, name := range []string{
		`"><script>alert(1)</script>`, `'><img src=x onerror=alert(1)>`, "{{.Reader.PasswordHash}}", "</title></textarea>",
		"\u202Eevil", strings.Repeat("w", 100),
	} {
		made, err := s.Store.CreateStaff(t.Context(), models.Actor{Name: "ann"}, models.Staff{
			Username: "hostile" + strconv.Itoa(i), Name: name, Role: models.Support, PasswordHash: passwordHash(),
			Profile: models.DefaultProfile,
		})
		require.NoError(t, err)
		for _, path := range []string{staff.StaffPath(made.ID), staff.StaffPath(made.ID) + "/disable", "/staff",
			"/search?q=hostil",
			"/search/matches?q=hostile", "/staff?q=" + url.QueryEscape(name)} {
			page := admin.get(path)
			require.Equal(t, http.StatusOK, page.status, path)
			requireNothingInline(t, page)
			require.Zero(t, page.Find("img").Length(), path)
		}
		require.Equal(t, directionShown(name), admin.get(staff.StaffPath(made.ID)).Find("h1 bdi").Text())
	}
	page := admin.get("/search?q=" + url.QueryEscape(`<script>alert(2)</script>`))
	require.Contains(t, page.Find("h2").Text(), `<script>alert(2)</script>`)
	requireNothingInline(t, page)
}

// directionShown returns a text as pages show it: characters that turn its direction are shown by their names.
func directionShown(text string) string { return strings.ReplaceAll(text, "\u202e", "[U+202E]") }

// TestRefusedPathsAreStrict: a page has one address only.
func TestRefusedPathsAreStrict(t *testing.T) {
	s := sqliteSite(t)
	admin := s.signedIn("ann", models.Administrator)
	for _, path := range []string{"/Staff", "/staff/", "/Account/profile", "/account/profile/", "/staff/0", "/staff/x",
		"/staff/99999", "/static/manifest.json", "/static/..%2fembed.go", "/static/placeholder.txt"} {
		require.Equal(t, http.StatusNotFound, admin.get(path).status, path)
	}
}

// TestAssetsAreKept: browsers may cache files whose names have a hash, and get them compressed.
func TestAssetsAreKept(t *testing.T) {
	s := sqliteSite(t)
	b := s.browser("")
	href := b.get("/signin").Find("link[rel=stylesheet]").AttrOr("href", "")
	require.True(t, strings.HasPrefix(href, "/static/main-"), "npm run build in static/ makes the stylesheet")
	request := b.request(http.MethodGet, href, nil)
	request.Header.Set("Accept-Encoding", "br, gzip")
	answer := b.send(request)
	require.Equal(t, http.StatusOK, answer.status)
	require.Equal(t, "br", answer.header.Get("Content-Encoding"))
	require.Equal(t, "public, max-age=31536000, immutable", answer.header.Get("Cache-Control"))
	require.Equal(t, "text/css; charset=utf-8", answer.header.Get("Content-Type"))
	require.Less(t, len(answer.text), 120_000)
}
