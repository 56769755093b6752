package app

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/web"
)

// Every page that may come from a replica is a page.
func TestReplicaPagesAreRoutes(t *testing.T) {
	s := sqliteSite(t)
	for path := range web.ReplicaPages {
		require.True(t, s.HasPage(path), path)
	}
}
