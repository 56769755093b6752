package pages

import (
	"time"

	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Similar is what may be the same money, for a page.
type Similar struct {
	models.Similar
	Currency models.Currency
	page     *web.Page
}

// NewSimilar returns what is similar for a page about a player who plays in this currency.
func NewSimilar(p *web.Page, s models.Similar, currency models.Currency) Similar {
	return Similar{s, currency, p}
}

// Time returns a time in the reader's zone.
func (s Similar) Time(at time.Time) views.Moment { return s.page.Time(at) }

// Title says what a correction does.
func (s Similar) Title(c models.Correction) string { return CorrectionTitle(c) }

// Maker returns who requested a correction.
func (s Similar) Maker(c models.Correction) string { return SignedBy(c.Maker) }
