package app_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages/staff"
	"pitboss/app/web"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// TestEveryRouteForEveryRole compares the site with its tables of routes and permissions: people who may do something are not
// refused, everybody else is, and somebody who is signed out is redirected to sign in.
func TestEveryRouteForEveryRole(t *testing.T) {
	t.Parallel()
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		target := s.Hire("target", models.Support)
		signedOut := s.Browser("198.51.100.9")
		for _, role := range models.Roles {
			who := s.SignedIn("r-"+string(role), role)
			for _, r := range s.Routes() {
				if r.Method == web.Post && (r.Path == "/signout" || strings.HasPrefix(r.Path, "/account/sessions/")) {
					continue // they end the session; TestSignIn and TestRevocation cover them
				}
				t.Run(string(role)+" "+apptest.NameOf(r), func(t *testing.T) {
					allowed := web.May(role, r.Needs)
					answer := who.SendTo(r, apptest.FillIn(r.Path, target.ID))
					switch {
					case r.Needs == web.Halfway:
						require.Equal(t, http.StatusSeeOther, answer.Status)
						require.Equal(t, "/", answer.Location)
					case allowed:
						require.NotContains(t, []int{http.StatusUnauthorized, http.StatusForbidden}, answer.Status, answer.Body)
						require.False(t, strings.HasPrefix(answer.Location, "/signin"), "signed out on the way")
						require.Less(t, answer.Status, http.StatusInternalServerError, answer.Body)
					default:
						require.Equal(t, http.StatusForbidden, answer.Status)
						require.Contains(t, answer.Find(".pb-error").Text(), "which cannot "+r.Needs.String())
						require.Equal(t, role != models.Administrator,
							strings.Contains(answer.Find(".pb-error").Text(), "Administrators change roles"))
					}
					apptest.RequireNothingInline(t, answer)
				})
			}
		}
		for _, r := range s.Routes() {
			if r.Needs == web.Public || r.Needs == web.HealthCheck {
				continue
			}
			t.Run("signed out "+apptest.NameOf(r), func(t *testing.T) {
				answer := signedOut.SendTo(r, apptest.FillIn(r.Path, target.ID))
				if r.Method == web.Get {
					require.Equal(t, http.StatusSeeOther, answer.Status)
					require.Equal(t, "/signin?next="+url.QueryEscape(apptest.FillIn(r.Path, target.ID)), answer.Location)
					return
				}
				if r.Form != "" {
					require.Equal(t, http.StatusSeeOther, answer.Status)
					require.True(t, strings.HasPrefix(answer.Location, "/signin?next="), answer.Location)
					return
				}
				require.Equal(t, http.StatusUnauthorized, answer.Status)
				apptest.RequireNothingInline(t, answer)
			})
		}
	})
}

// TestNamesFromOutside renders hostile names of people and platforms.
func TestNamesFromOutside(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	admin := s.SignedIn("ann", models.Administrator)
	s.Hire("hostile", models.Support)
	for i, name := range []string{
		`"><script>alert(1)</script>`, `'><img src=x onerror=alert(1)>`, "{{.Reader.PasswordHash}}", "</title></textarea>",
		"\u202Eevil", strings.Repeat("w", 100),
	} {
		made, err := s.Store.CreateStaff(t.Context(), models.Actor{Name: "ann"}, models.Staff{
			Username: "hostile" + strconv.Itoa(i), Name: name, Role: models.Support, PasswordHash: apptest.PasswordHash(),
			Profile: models.DefaultProfile,
		})
		require.NoError(t, err)
		for _, path := range []string{staff.StaffPath(made.ID), staff.StaffPath(made.ID) + "/disable", "/staff",
			"/search?q=hostil",
			"/search/matches?q=hostile", "/staff?q=" + url.QueryEscape(name)} {
			page := admin.Get(path)
			require.Equal(t, http.StatusOK, page.Status, path)
			apptest.RequireNothingInline(t, page)
			require.Zero(t, page.Find("img").Length(), path)
		}
		require.Equal(t, apptest.DirectionShown(name), admin.Get(staff.StaffPath(made.ID)).Find("h1 bdi").Text())
	}
	page := admin.Get("/search?q=" + url.QueryEscape(`<script>alert(2)</script>`))
	require.Contains(t, page.Find("h2").Text(), `<script>alert(2)</script>`)
	apptest.RequireNothingInline(t, page)
}

// TestRefusedPathsAreStrict: a page has one address only.
func TestRefusedPathsAreStrict(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	admin := s.SignedIn("ann", models.Administrator)
	for _, path := range []string{"/Staff", "/staff/", "/Account/profile", "/account/profile/", "/staff/0", "/staff/x",
		"/staff/99999", "/static/manifest.json", "/static/..%2fembed.go", "/static/placeholder.txt"} {
		require.Equal(t, http.StatusNotFound, admin.Get(path).Status, path)
	}
}

// TestAssetsAreKept: browsers may cache files whose names have a hash, and get them compressed.
func TestAssetsAreKept(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	b := s.Browser("")
	href := b.Get("/signin").Find("link[rel=stylesheet]").AttrOr("href", "")
	require.True(t, strings.HasPrefix(href, "/static/main-"), "npm run build in static/ makes the stylesheet")
	request := b.Request(http.MethodGet, href, nil)
	request.Header.Set("Accept-Encoding", "br, gzip")
	answer := b.Send(request)
	require.Equal(t, http.StatusOK, answer.Status)
	require.Equal(t, "br", answer.Header.Get("Content-Encoding"))
	require.Equal(t, "public, max-age=31536000, immutable", answer.Header.Get("Cache-Control"))
	require.Equal(t, "text/css; charset=utf-8", answer.Header.Get("Content-Type"))
	require.Less(t, len(answer.Body), 120_000)
}
