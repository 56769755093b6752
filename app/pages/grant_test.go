package pages

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

func TestUsedOf(t *testing.T) {
	for name, row := range map[string]struct {
		grant models.Grant
		want  int64
	}{
		"never asked":              {models.Grant{State: models.GrantActive, Used: models.NoCount, Ours: 3}, 3},
		"played on since":          {models.Grant{State: models.GrantActive, Used: 5, Ours: 7}, 7},
		"our bets are on the way":  {models.Grant{State: models.GrantActive, Used: 7, Ours: 5}, 7},
		"differed once":            {models.Grant{State: models.GrantActive, Used: 5, Ours: 7, Apart: 1}, 7},
		"differs":                  {models.Grant{State: models.GrantActive, Used: 5, Ours: 7, Apart: models.ApartForLong}, 5},
		"differs, and never asked": {models.Grant{State: models.GrantActive, Used: models.NoCount, Ours: 7, Apart: 2}, 7},
		"completed":                {models.Grant{State: models.GrantCompleted, Used: 5, Ours: 7}, 5},
	} {
		require.Equal(t, row.want, UsedOf(row.grant), name)
	}
}
