package apptest

import (
	"maps"
	"net/http"
	"net/url"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/models"
)

// PlayerWithOpenBet creates a player whose bet has neither a win nor a rollback.
func (s *Site) PlayerWithOpenBet(user models.UserID, id models.TransactionID, balance, stake models.Amount) models.Player {
	s.T.Helper()
	p, err := s.Store.CreatePlayer(s.T.Context(), models.Actor{Name: "tester"},
		models.NewPlayer{UserID: user, Currency: "EUR", Balance: balance})
	require.NoError(s.T, err)
	s.Apply(models.Operation{Kind: models.Bet, UserID: user, TransactionID: id, RoundID: "r-" + models.RoundID(id),
		Bet: stake})
	return p
}

func (s *Site) Apply(op models.Operation) models.Result {
	s.T.Helper()
	op.Source = models.SourcePlatform
	r, err := s.Store.Apply(s.T.Context(), op)
	require.NoError(s.T, err)
	return r
}

func (s *Site) Balance(user models.UserID) models.Amount {
	s.T.Helper()
	b, _, err := s.Store.Balance(s.T.Context(), user)
	require.NoError(s.T, err)
	return b.Amount
}

// FieldsOf returns the hidden and filled-in fields of a page's form, and adds those in more.
func FieldsOf(page *Answer, selector string, more ...string) url.Values {
	form := url.Values{}
	page.Find(selector + " input").Each(func(_ int, input *goquery.Selection) {
		name, _ := input.Attr("name")
		kind := input.AttrOr("type", "text")
		if name != "" && kind != "checkbox" {
			form.Set(name, input.AttrOr("value", ""))
		}
	})
	for i := 0; i+1 < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return form
}

// RequestCorrection goes through both steps of a request and returns the correction's page.
func (b *Browser) RequestCorrection(form url.Values, more ...string) *Answer {
	b.T.Helper()
	sent := maps.Clone(form)
	sent.Del("csrf") // it belongs to another session
	page := b.Post("/corrections/new", "/corrections/new", sent)
	require.Equal(b.T, http.StatusOK, page.Status, page.Body)
	done := b.Post("", "/corrections", FieldsOf(page, ".pb-confirm", append([]string{"password", Password}, more...)...))
	require.Equal(b.T, http.StatusSeeOther, done.Status, done.Body)
	shown := b.Get(done.Location)
	require.Equal(b.T, http.StatusOK, shown.Status, shown.Body)
	return shown
}

func RollbackForm(id string) url.Values {
	return url.Values{"kind": {"rollback"}, "transaction": {id}, "reason": {"round-voided"}, "text": {"Their ticket 88213."},
		"reference": {"88213"}}
}

// ApproveCorrection opens a correction's page and sends the approval form.
func (b *Browser) ApproveCorrection(path string, more ...string) *Answer {
	b.T.Helper()
	page := b.Get(path)
	form := FieldsOf(page, ".pb-confirm", append([]string{"password", Password}, more...)...)
	return b.Post("", path+"/approval", form)
}
