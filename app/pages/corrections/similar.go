package corrections

import (
	"time"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// similar has the bookings on a page that may be for the same money.
type similar struct {
	models.Similar
	Currency models.Currency
	page     *web.Page
}

// newSimilar returns the similar bookings for the page of a player with this currency.
func newSimilar(p *web.Page, s models.Similar, currency models.Currency) similar {
	return similar{s, currency, p}
}

// Time returns a time in the reader's time zone.
func (s similar) Time(at time.Time) views.Moment { return s.page.Time(at) }

// Title describes a correction.
func (s similar) Title(c models.Correction) string { return pages.CorrectionTitle(c) }

// Maker returns who requested a correction.
func (s similar) Maker(c models.Correction) string { return pages.SignedBy(c.Maker) }
