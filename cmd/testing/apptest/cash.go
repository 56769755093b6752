package apptest

import (
	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// cashier is the API client that books cash in tests.
var cashier = models.Actor{Name: models.APIActor + "cashier", Channel: models.ChannelAPI}

// Cash books a cash deposit, or requests a cash-out that waits for approval.
func (s *Site) Cash(op models.Operation) {
	s.T.Helper()
	r, err := s.Store.ApplyCash(s.T.Context(), cashier, op, storetest.ReviewTerms)
	require.NoError(s.T, err)
	require.Equal(s.T, models.None, r.Decline)
}

// LargeCashOut requests a cash-out that waits for approval, and returns its internal ID.
func (s *Site) LargeCashOut(user models.UserID, id string, amount models.Amount) int64 {
	s.T.Helper()
	s.Cash(models.CashRequest{Client: 1, ID: id, UserID: user, Amount: amount, Currency: "EUR"}.CashOut())
	list, err := s.Store.CashReviews(s.T.Context(), models.CashReviewFilter{Span: models.Span{Limit: 1}})
	require.NoError(s.T, err)
	return list.Rows[0].ID
}
