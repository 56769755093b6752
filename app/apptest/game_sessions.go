package apptest

import (
	"sync/atomic"

	"pitboss/models"
)

var calledBefore atomic.Int64

// BookCallbacks books operations as callbacks do, so that the log has them too.
func (s *Site) BookCallbacks(ops ...models.Operation) {
	s.T.Helper()
	for _, op := range ops {
		op.Receipt = &models.Receipt{RequestID: models.RequestID{Received: s.Now(), Number: calledBefore.Add(1)}}
		s.Book(op)
	}
}
