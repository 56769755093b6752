package db

import (
	"context"
	"errors"
	"sync"

	"gorm.io/gorm"
)

// What a page asks for more than once. A page is put together by several functions that do not know of each other: a report and
// its calendar both need the zone of days, the navigation and the overview both count open cases. With a context of ReadingOnce
// the first of them reads, and the others get what it has read, so that one page also shows one state.

type (
	onceKey   struct{}
	onceNamed struct {
		lane *replica
		name string
	}
	onceRead struct {
		mu    sync.Mutex
		known map[onceNamed]*onceValue
	}
	onceValue struct {
		read  chan struct{} // closed when it has been read
		value any
		err   error
	}
)

// ReadingOnce returns a context for one request that changes nothing: what Once has read with it is not read again.
func ReadingOnce(ctx context.Context) context.Context {
	return context.WithValue(ctx, onceKey{}, &onceRead{known: map[onceNamed]*onceValue{}})
}

// Once returns what read returns, or what it returned under the same name with tx's context before. It always reads where the
// context is not one of ReadingOnce, and within a transaction, which may have changed the value. A list or a map that is handed
// on to callers outside the store is copied first, since others get the same one. The primary and each replica are read by
// themselves. Whoever asks while another reads waits for it. An error is not kept: those who waited read for themselves.
func Once[T any](tx *gorm.DB, name string, read func() (T, error)) (T, error) {
	ctx := tx.Statement.Context
	kept, _ := ctx.Value(onceKey{}).(*onceRead)
	if _, within := tx.Statement.ConnPool.(gorm.TxCommitter); kept == nil || within {
		return read()
	}
	key := onceNamed{laneOf(ctx).replica, name}
	kept.mu.Lock()
	once := kept.known[key]
	if once != nil {
		kept.mu.Unlock()
		if <-once.read; once.err == nil {
			return once.value.(T), nil
		}
		return read()
	}
	once = &onceValue{read: make(chan struct{}), err: errNotRead}
	kept.known[key] = once
	kept.mu.Unlock()
	defer func() { // also if read panics
		if once.err != nil {
			kept.mu.Lock()
			delete(kept.known, key)
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
