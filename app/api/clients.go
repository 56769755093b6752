package api

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"pitboss/models"
)

// clientReads reads the calling clients. The calls that arrive during a read share the next one, because reading and checking a
// client costs more than booking a deposit: without it, deposits at 64 connections took twice as long as bets. No call uses a
// read that began before it, so a revoked client is refused at once.
type clientReads struct {
	load func(ctx context.Context, ids []int64) ([]models.APIClient, error)

	mu   sync.Mutex
	next *clientRead // begins when the one under way has ended; nil if nobody waits
	busy bool
}

type clientRead struct {
	results map[int64]clientResult
	done    chan struct{}
}

type clientResult struct {
	client models.APIClient
	found  bool
	err    error
}

// read returns the client with this number, or false if there is none.
func (r *clientReads) read(ctx context.Context, id int64) (models.APIClient, bool, error) {
	r.mu.Lock()
	if r.next == nil {
		r.next = &clientRead{results: map[int64]clientResult{}, done: make(chan struct{})}
	}
	waited := r.next
	waited.results[id] = clientResult{}
	if !r.busy {
		r.busy = true
		go r.run()
	}
	r.mu.Unlock()
	select {
	case <-waited.done:
		result := waited.results[id]
		return result.client, result.found, result.err
	case <-ctx.Done():
		return models.APIClient{}, false, ctx.Err()
	}
}

func (r *clientReads) run() {
	for {
		r.mu.Lock()
		read := r.next
		r.next, r.busy = nil, read != nil
		r.mu.Unlock()
		if read == nil {
			return
		}
		r.fill(read)
		close(read.done)
	}
}

// fill reads the clients together, or one by one if that fails: a row that was tampered with is one client's problem.
func (r *clientReads) fill(read *clientRead) {
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	ids := slices.Collect(maps.Keys(read.results))
	defer func() {
		if fault := recover(); fault != nil { // as in a handler: these calls fail, the program continues
			read.note(ids, nil, fmt.Errorf("panic while reading clients: %v", fault))
		}
	}()
	list, err := r.load(ctx, ids)
	if err == nil || len(ids) == 1 {
		read.note(ids, list, err)
		return
	}
	for _, id := range ids {
		one := []int64{id}
		list, err := r.load(ctx, one)
		read.note(one, list, err)
	}
}

// note stores what was read of the clients with these numbers.
func (r *clientRead) note(ids []int64, list []models.APIClient, err error) {
	for _, id := range ids {
		r.results[id] = clientResult{err: err}
	}
	for _, c := range list {
		r.results[c.ID] = clientResult{c, true, err}
	}
}
