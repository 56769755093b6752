package storetest

import (
	"sync/atomic"
	"time"
)

// Clock is a clock that moves only when a test sets it.
type Clock struct{ us atomic.Int64 }

func (h *Clock) Now() time.Time { return time.UnixMicro(h.us.Load()).UTC() }

func (h *Clock) Set(t time.Time) { h.us.Store(t.UnixMicro()) }
