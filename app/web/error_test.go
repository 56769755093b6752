package web

import (
	"bytes"
	"net/netip"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/views"
)

// Each problem says in sentences what happened, what that means for money and what to do, and leads to a page of the site.
func TestProblemsAreSentences(t *testing.T) {
	t.Parallel()
	engine, err := views.New(nil)
	require.NoError(t, err)
	for _, p := range []Problem{errTooLarge, errManyFields, errCompressed, errFraming, errIncomplete, errConnection, errBusy,
		errSignedOut, errSessionEnded, errSessionRevoked, errOtherSession, errOtherSite, errSlow, errFailed, ErrNoDay,
		ErrGameElsewhere, NotFound("player"), Forbidden(models.Bonus, RestrictPlayers), errUnconfirmed(GrantFreeSpins),
		errOtherNetwork(netip.MustParseAddr("192.0.2.7")), errTampered(models.TamperedError{Object: "correction", ObjectID: "7"}),
		BookingUnknown(7), StatementDeleted(7), errFilters} {
		var b bytes.Buffer
		require.NoError(t, engine.Render(&b, "errors/problem", &errorPage{Problem: p}, "bare"), p.Title)
		page, err := goquery.NewDocumentFromReader(&b)
		require.NoError(t, err)
		require.Equal(t, p.Title, page.Find("h1").Text())
		require.Equal(t, p.Title+" · Pitboss", page.Find("title").Text())
		said := page.Find(".pb-error dd")
		require.GreaterOrEqual(t, said.Length(), 2, p.Title)
		said.Each(func(_ int, said *goquery.Selection) {
			require.Regexp(t, `^[A-Z].*\.$`, strings.TrimSpace(said.Text()), p.Title)
		})
		page.Find(".pb-error a").Each(func(_ int, link *goquery.Selection) {
			require.Regexp(t, "^/", link.AttrOr("href", ""), p.Title)
			require.NotEmpty(t, link.Text(), p.Title)
		})
	}
}
