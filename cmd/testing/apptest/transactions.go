package apptest

import (
	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/models"
)

type Selection = goquery.Selection

func (s *Site) Transaction(id string) models.TransactionLine {
	s.T.Helper()
	page, err := s.Store.Transactions(s.T.Context(),
		models.TransactionFilter{TransactionID: models.TransactionID(id), Span: models.Span{Limit: 1}})
	require.NoError(s.T, err)
	require.Len(s.T, page.Rows, 1)
	return page.Rows[0]
}
