package staff_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// A client is what two administrators agreed on, and so is each change of its terms. A secret is stored as a hash, is accepted
// with the one before it for the overlap only, and revoking the client ends both.
func TestAPIClients(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		testAPIClients(t, x.Open(t), x)
	})
}

func testAPIClients(t *testing.T, s *store.Store, x *storetest.Database) {
	ctx := t.Context()
	ada, adam := storetest.Administrators(t, s)
	client, token := storetest.APIClient(t, s, models.APITerms{Name: "cashier", Scopes: []models.APIScope{models.ScopeRead}})
	id, secret, ok := models.ParseAPIToken(token)
	require.True(t, ok)
	require.Equal(t, client.ID, id)
	require.True(t, client.Accepts(secret, s.Now()))
	require.False(t, client.Accepts(strings.ToLower(secret), s.Now()))
	require.Zero(t, x.Number(t, "SELECT COUNT(*) FROM audit_events WHERE after_text LIKE '%"+secret[:20]+"%'"))

	terms := client.APITerms
	terms.Scopes = []models.APIScope{models.ScopeGrants}
	r, err := s.RequestChange(ctx, ada, models.ChangeAPIClient, models.APITermsRequest{ID: id, APITerms: terms}, "free spins instead")
	require.NoError(t, err)
	err = storetest.Approve(ctx, s, "change", ada, r.ID)
	require.ErrorIs(t, err, models.ErrOwnRequest)
	read, _, err := s.APIClient(ctx, id)
	require.NoError(t, err)
	require.True(t, read.May(models.ScopeRead) && !read.May(models.ScopeGrants))
	err = storetest.Approve(ctx, s, "change", adam, r.ID)
	require.NoError(t, err)
	read, _, err = s.APIClient(ctx, id)
	require.NoError(t, err)
	require.Equal(t, terms, read.APITerms)
	require.Equal(t, client.Secret, read.Secret)

	newer := storetest.APISecret(t, s, id, 1)
	_, secret2, _ := models.ParseAPIToken(newer)
	read, _, err = s.APIClient(ctx, id)
	require.NoError(t, err)
	require.True(t, read.Accepts(secret, s.Now()) && read.Accepts(secret2, s.Now()))
	later := s.Now().Add(time.Hour + time.Second)
	require.True(t, !read.Accepts(secret, later) && read.Accepts(secret2, later))
	_, _, err = s.RequestAPISecret(ctx, ada, id, 169, "x")
	require.ErrorIs(t, err, models.ErrSecretOverlap)
	_, _, err = s.RequestAPISecret(ctx, storetest.SignerNamed(t, s, "farid", models.Finance), id, 0, "x")
	require.ErrorIs(t, err, models.ErrMakerRole)

	r, err = s.RequestChange(ctx, ada, models.ChangeAPIClient, models.APITermsRequest{APITerms: terms}, "another one")
	require.NoError(t, err)
	err = storetest.Approve(ctx, s, "change", adam, r.ID)
	require.ErrorIs(t, err, models.ErrClientNameTaken)
	err = storetest.Refuse(ctx, s, "change", adam, r.ID, "the name is taken")
	require.NoError(t, err)

	_, asked, err := s.RequestAPISecret(ctx, ada, id, 0, "a new one")
	require.NoError(t, err)
	_, _, err = s.RequestAPISecret(ctx, ada, id, 0, "twice")
	require.ErrorAs(t, err, new(models.ChangePendingError))
	storetest.APIClient(t, s, models.APITerms{Name: "beside", Scopes: []models.APIScope{models.ScopeRead}})
	require.ErrorIs(t, s.RevokeAPIClient(ctx, ada, id, ""), models.ErrReasonMissing)
	require.NoError(t, s.RevokeAPIClient(ctx, ada, id, "it leaked"))
	read, _, err = s.APIClient(ctx, id)
	require.NoError(t, err)
	require.False(t, read.Accepts(secret, s.Now()) || read.Accepts(secret2, s.Now()))
	err = storetest.Approve(ctx, s, "change", adam, asked.ID)
	require.ErrorIs(t, err, models.ErrChangeOvertaken, "it was requested before")
	err = storetest.Refuse(ctx, s, "change", adam, asked.ID, "it is revoked")
	require.NoError(t, err)
	require.ErrorIs(t, s.RevokeAPIClient(ctx, ada, id, "again"), models.ErrClientRevoked)

	// It comes back with a new secret, because only it can end the cash-outs that it holds.
	_, secret, _ = models.ParseAPIToken(storetest.APISecret(t, s, id, 0))
	read, _, err = s.APIClient(ctx, id)
	require.NoError(t, err)
	require.True(t, read.Accepts(secret, s.Now()) && read.Active())
	v, err := s.Verify(ctx, nil)
	require.NoError(t, err)
	require.True(t, v.OK(), v)
}

// Terms that make no sense, and tokens that are none, are refused.
func TestAPITerms(t *testing.T) {
	good := models.APITerms{Name: "crm-2", Scopes: models.APIScopes, PerMinute: 1, Networks: "192.0.2.7/32"}
	require.NoError(t, good.Check())
	for want, change := range map[error]func(*models.APITerms){
		models.ErrClientName:      func(terms *models.APITerms) { terms.Name = "CRM <b>" },
		models.ErrClientScopes:    func(terms *models.APITerms) { terms.Scopes = []models.APIScope{"everything"} },
		models.ErrClientPerDay:    func(terms *models.APITerms) { terms.CashPerDay = "1.00" },
		models.ErrClientPerPlayer: func(terms *models.APITerms) { terms.CashPerPlayer = "EUR 0.00" },
		models.ErrClientCash:      func(terms *models.APITerms) { terms.Cash = "EUR 1.00, EUR 2.00" },
		models.ErrClientNetworks:  func(terms *models.APITerms) { terms.Networks = "" },
		models.ErrClientPerMinute: func(terms *models.APITerms) { terms.PerMinute = 0 },
	} {
		terms := good
		change(&terms)
		require.ErrorIs(t, terms.Check(), want)
	}
	half, _ := models.NewHalfSecret()
	token := models.APIToken(7, half+half)
	for _, bad := range []string{"", "pb_", "pb_7_", "pb_7_short", strings.Replace(token, "7", "-7", 1), token + "x", token[1:],
		strings.Replace(token, "7", "99999999999999999999", 1)} {
		_, _, ok := models.ParseAPIToken(bad)
		require.False(t, ok, bad)
	}
}
