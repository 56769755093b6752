package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
)

// RestrictedFor is the reason for the restrictions that tests set.
const RestrictedFor = "asked us to"

// Restrict stops a player from playing, with no end, as a member of the support staff would.
func Restrict(t testing.TB, s *store.Store, user models.UserID) models.Restriction {
	t.Helper()
	r, err := s.Restrict(t.Context(), SignerNamed(t, s, "stan", models.Support), models.Restriction{Subject: models.OfPlayer,
		PlayerID: playerNamed(t, s, user).ID, Kind: models.OtherRestriction, Scope: models.FromPlay, Until: models.Permanent,
		Reason: RestrictedFor})
	require.NoError(t, err)
	return r
}

// Release ends all restrictions of a player early, as two people do.
func Release(t testing.TB, s *store.Store, user models.UserID) {
	t.Helper()
	active := true
	list, err := s.Restrictions(t.Context(), models.RestrictionFilter{PlayerID: playerNamed(t, s, user).ID, Active: &active,
		Span: models.Span{Limit: 100}})
	require.NoError(t, err)
	for _, r := range list.Rows {
		EndRestriction(t, s, r.ID)
	}
}

// EndRestriction ends a restriction early, as two people do.
func EndRestriction(t testing.TB, s *store.Store, id int64) {
	t.Helper()
	require.NoError(t, s.RequestEnd(t.Context(), SignerNamed(t, s, "stan", models.Support), id, "asked again"))
	require.NoError(t, Approve(t.Context(), s, "restriction", SignerNamed(t, s, "cleo", models.Compliance), id))
}

func playerNamed(t testing.TB, s *store.Store, user models.UserID) models.Player {
	t.Helper()
	p, found, err := s.Player(t.Context(), user)
	require.NoError(t, err)
	require.True(t, found, user)
	return p
}
