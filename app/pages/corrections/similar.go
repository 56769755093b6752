package corrections

import (
	"time"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// similar is the page's list of bookings that may be the same money.
type similar struct {
	models.Similar
	Currency models.Currency
	page     *web.Page
}

// newSimilar returns the similar bookings for a page about a player with this currency.
func newSimilar(p *web.Page, s models.Similar, currency models.Currency) similar {
	return similar{s, currency, p}
}

// Time returns a time in the reader's zone.
func (s similar) Time(at time.Time) views.Moment { return s.page.Time(at) }

// Title says what a correction does.
func (s similar) Title(c models.Correction) string { return pages.CorrectionTitle(c) }

// Maker returns who requested a correction.
func (s similar) Maker(c models.Correction) string { return pages.SignedBy(c.Maker) }
