package apptest

import (
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"
	"github.com/stretchr/testify/require"

	"pitboss/app/web"
)

// FillIn replaces the parameters in a path with the internal ID of an existing row.
func FillIn(path string, id int64) string {
	return strings.ReplaceAll(path, ":id", strconv.FormatInt(id, 10))
}

// SendTo sends a request to a route. A POST has only the session's token.
func (b *Browser) SendTo(r web.Route, path string) *Answer {
	b.T.Helper()
	if r.Method == web.Get {
		return b.Get(path)
	}
	return b.Post("/account", path, url.Values{})
}

// RequireNothingInline checks a page against its Content-Security-Policy. What the policy forbids would not run, but should not
// be on the page either.
func RequireNothingInline(t *testing.T, a *Answer) {
	t.Helper()
	policy := a.Header.Get(fiber.HeaderContentSecurityPolicy)
	require.NotContains(t, policy, "unsafe")
	require.Contains(t, policy, "default-src 'none'")
	require.Contains(t, policy, "form-action 'self' https://games.example")
	require.Equal(t, "nosniff", a.Header.Get(fiber.HeaderXContentTypeOptions))
	require.Equal(t, "no-store", a.Header.Get(fiber.HeaderCacheControl))
	require.Zero(t, a.Find("script:not([src]), style, [style], [onclick], [onload], [onerror], a[href^='javascript:']").
		Length(), a.Body)
}

// DirectionShown returns a text as pages show it: with names in place of characters that change the direction of writing.
func DirectionShown(text string) string { return strings.ReplaceAll(text, "\u202e", "[U+202E]") }
