package storetest

import (
	"testing"
	"time"

	"pitboss/models/store"
)

// OpenAt opens a store whose clock shows begun, and returns that clock for the test to set.
func (x *Database) OpenAt(t *testing.T, begun time.Time) (*store.Store, *time.Time) {
	t.Helper()
	now := begun
	x.Config.Now = func() time.Time { return now }
	return x.Open(t), &now
}
