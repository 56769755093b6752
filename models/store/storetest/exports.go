package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
)

func RequestExport(t *testing.T, s *store.Store, staff int64) models.Export {
	t.Helper()
	e, err := s.CreateExport(t.Context(), models.Actor{Name: "ann"}, models.Export{
		StaffID: staff, List: "/transactions", Title: "Transactions", Query: "player=anna", Zone: "Europe/Vienna",
		Format:  models.CSV,
		Filters: []models.ExportFilter{{Label: "Player", Value: `"><b>=1+1`}},
	})
	require.NoError(t, err)
	return e
}
