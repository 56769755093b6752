package apptest

import (
	"fmt"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

// OpenManyCases opens n cases of one rule and returns the internal ID of the newest.
func (s *Site) OpenManyCases(rule models.CaseRule, n int) int64 {
	s.T.Helper()
	var findings []models.Finding
	for i := range n {
		findings = append(findings,
			models.Finding{Rule: rule, Key: fmt.Sprint(rule, i), At: s.Now(), Amount: 100, Currency: "EUR"})
	}
	numbers, _, err := s.Store.OpenCases(s.T.Context(), findings)
	require.NoError(s.T, err)
	return numbers[len(numbers)-1]
}
