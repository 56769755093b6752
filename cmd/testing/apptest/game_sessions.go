package apptest

import (
	"pitboss/models"
)

// BookCallbacks books operations as callbacks do, so that the callback log has them too.
func (s *Site) BookCallbacks(ops ...models.Operation) {
	s.T.Helper()
	for _, op := range ops {
		s.Callback(op, 0)
	}
}
