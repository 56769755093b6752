package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
)

// APIClient returns a client that two administrators have approved, and its token. If the terms name no scopes, it gets all of
// them.
func APIClient(t testing.TB, s *store.Store, terms models.APITerms) (models.APIClient, string) {
	t.Helper()
	ada, adam := Administrators(t, s)
	if len(terms.Scopes) == 0 {
		terms.Scopes = models.APIScopes
	}
	if terms.Networks == "" {
		terms.Networks = "127.0.0.1/32"
	}
	if terms.PerMinute == 0 {
		terms.PerMinute = models.MaxAPICallsPerMinute
	}
	r, err := s.RequestChange(t.Context(), ada, models.ChangeAPIClient, models.APITermsRequest{APITerms: terms}, "go live")
	require.NoError(t, err)
	require.NoError(t, Approve(t.Context(), s, "change", adam, r.ID))
	list, err := s.APIClients(t.Context(), models.APIClientFilter{Span: models.Span{Limit: 1}})
	require.NoError(t, err)
	token := APISecret(t, s, list.Rows[0].ID, 0)
	client, _, err := s.APIClient(t.Context(), list.Rows[0].ID)
	require.NoError(t, err)
	require.Equal(t, terms.Name, client.Name)
	return client, token
}

// APISecret gives a client a new secret, as two administrators do, and returns its token.
func APISecret(t testing.TB, s *store.Store, id int64, overlapHours int) string {
	t.Helper()
	ada, adam := Administrators(t, s)
	begin, r, err := s.RequestAPISecret(t.Context(), ada, id, overlapHours, "a new secret")
	require.NoError(t, err)
	half := Half(t.Context(), s, adam, r.ID)
	require.NotEmpty(t, half)
	return begin + half
}
