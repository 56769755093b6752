package app

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/web"
)

// Every path in web.ReplicaPages is a page of the site.
func TestReplicaPagesAreRoutes(t *testing.T) {
	s := sqliteSite(t)
	for path := range web.ReplicaPages {
		require.True(t, s.HasPage(path), path)
	}
}
