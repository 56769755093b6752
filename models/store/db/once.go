package db

import (
	"context"
	"errors"
	"sync"

	"gorm.io/gorm"
)

// Values that a page needs more than once. Several independent functions put a page together: a report and its calendar both
// need the time zone, the navigation and the overview both count open cases. With a context of ReadingOnce the first of them
// reads the value and the others get the same one, so that a page is also consistent.

type (
	onceKey  struct{}
	onceRead struct {
		mu    sync.Mutex
		known map[string]*onceValue
	}
	onceValue struct {
		read  chan struct{} // closed when it has been read
		value any
		err   error
	}
)

// ReadingOnce returns a context for a request that changes nothing, with which Once reads each value only once.
func ReadingOnce(ctx context.Context) context.Context {
	return context.WithValue(ctx, onceKey{}, &onceRead{known: map[string]*onceValue{}})
}

// Once returns the result of read, or the earlier result for the same name if tx's context is one of ReadingOnce. Within a
// transaction, which may have changed the value, it always calls read. A caller that passes a list or a map on to code outside
// the store must copy it first, because all callers share it. If another caller is reading the value, Once waits for it. An
// error is not kept: the callers that waited then read for themselves.
func Once[T any](tx *gorm.DB, name string, read func() (T, error)) (T, error) {
	ctx := tx.Statement.Context
	kept, _ := ctx.Value(onceKey{}).(*onceRead)
	if _, within := tx.Statement.ConnPool.(gorm.TxCommitter); kept == nil || within {
		return read()
	}
	kept.mu.Lock()
	once := kept.known[name]
	if once != nil {
		kept.mu.Unlock()
		if <-once.read; once.err == nil {
			return once.value.(T), nil
		}
		return read()
	}
	once = &onceValue{read: make(chan struct{}), err: errNotRead}
	kept.known[name] = once
	kept.mu.Unlock()
	defer func() { // also if read panics
		if once.err != nil {
			kept.mu.Lock()
			delete(kept.known, name)
			kept.mu.Unlock()
		}
		close(once.read)
	}()
	value, err := read()
	once.value, once.err = value, err
	return value, err
}

// errNotRead is the error of a value whose read has panicked.
var errNotRead = errors.New("not read")
