package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
)

// CashClient is the number of the API client that books cash in tests.
const CashClient = 7

// CashActor is CashClient's name in the audit log.
var CashActor = models.Actor{Name: models.APIActor + "cashier", Channel: models.ChannelAPI}

// Cash returns a request to book cash with the ID of CashClient.
func Cash(user models.UserID, id string, amount models.Amount) models.CashRequest {
	return models.CashRequest{Client: CashClient, ID: id, UserID: user, Amount: amount, Currency: "EUR"}
}

// CashID returns the transaction ID of CashClient's ID.
func CashID(id string) models.TransactionID { return models.CashID(CashClient, id) }

// ApplyCash books a cash deposit or requests a cash-out.
func ApplyCash(t testing.TB, s *store.Store, op models.Operation) models.CashResult {
	t.Helper()
	r, err := s.ApplyCash(t.Context(), CashActor, op, models.APITerms{})
	require.NoError(t, err)
	return r
}

// ReviewTerms are terms under which cash-outs of more than 0.01 wait for approval.
var ReviewTerms = models.APITerms{ApproveAbove: "EUR 0.01"}

// ReviewedCash requests a cash-out that waits for approval.
func ReviewedCash(t testing.TB, s *store.Store, op models.Operation) models.CashResult {
	t.Helper()
	r, err := s.ApplyCash(t.Context(), CashActor, op, ReviewTerms)
	require.NoError(t, err)
	return r
}

// EndCashOut pays or returns a cash-out.
func EndCashOut(t testing.TB, s *store.Store, id string, how models.OperationKind) models.CashResult {
	t.Helper()
	r, err := s.EndCashOut(t.Context(), CashActor, CashID(id), how)
	require.NoError(t, err)
	return r
}
