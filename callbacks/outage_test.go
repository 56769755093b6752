package callbacks_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/callbacks"
	"pitboss/callbacks/wire"
	"pitboss/models"
)

// failing is a store whose outcomes are always unknown.
type failing struct{ fail func(context.Context) error }

func (f failing) Apply(ctx context.Context, _ models.Operation) (models.Result, error) {
	return models.Result{Balance: models.Balance{Amount: 100}}, f.fail(ctx)
}

func (f failing) KeepRefused(ctx context.Context, _ string, _ models.Reading) error {
	return f.fail(ctx)
}

func (f failing) Balance(ctx context.Context, _ models.UserID) (models.Balance, bool, error) {
	return models.Balance{Amount: 100}, true, f.fail(ctx)
}

// every is a valid request for each endpoint.
var every = map[wire.Endpoint]wire.Request{
	wire.GetBalance:          balanceOf("anna"),
	wire.Withdraw:            bet("anna", "1.00", "t1"),
	wire.Deposit:             bet("anna", "1.00", "t1"),
	wire.BetWin:              betWin("anna", "1.00", "1.00", "t1"),
	wire.RollbackTransaction: undo("anna", "t1"),
}

func TestNoDefiniteAnswer(t *testing.T) {
	for name, fail := range map[string]func(context.Context) error{
		"an error":       func(context.Context) error { return errors.New("the database is gone") },
		"a panic":        func(context.Context) error { panic("a fault") },
		"the time is up": func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
		// A store's error means that the outcome is unknown, even if it looks like a refusal.
		"an error of package wire": func(context.Context) error { return wire.ErrSignMismatch },
	} {
		for status, change := range map[int]func(*callbacks.Config){
			503: func(c *callbacks.Config) { c.Deadline = 20 * time.Millisecond },
			200: func(c *callbacks.Config) { c.Deadline, c.OutageStatus = 20*time.Millisecond, 200 },
		} {
			d := open(t, failing{fail}, change)
			for e, r := range every {
				got := d.call(t, e, r)
				assert.Equal(t, status, got.status, "%s: %s", name, e)
				assert.Equal(t, generalError, got.body, "%s: %s", name, e)
				assert.EqualValues(t, 1, d.server.Counters().Outages(e))
			}
			for _, line := range d.log.lines(t, len(every)) {
				assert.Equal(t, "ERROR", line["level"], name)
				assert.Equal(t, "anna", line["player"], name)
				assert.EqualValues(t, status, line["status"], name)
				assert.NotEmpty(t, line["error"], name)
			}
		}
	}
}

func TestTheStoreIsGivenTheDeadline(t *testing.T) {
	deadline := make(chan time.Time, 1)
	d := open(t, failing{func(ctx context.Context) error {
		at, _ := ctx.Deadline()
		deadline <- at
		return nil
	}}, func(c *callbacks.Config) { c.Deadline = time.Hour })
	for e, r := range every {
		before := time.Now()
		d.call(t, e, r)
		assert.WithinRange(t, <-deadline, before.Add(time.Hour), time.Now().Add(time.Hour), e)
	}
}

// Callbacks in progress are answered before the server ends, and no new connections are accepted.
func TestShutdownDrains(t *testing.T) {
	entered, leave := make(chan struct{}), make(chan struct{})
	d := open(t, failing{func(context.Context) error {
		close(entered)
		<-leave
		return nil
	}})
	answered := make(chan answer, 1)
	go func() { answered <- d.call(t, wire.Withdraw, bet("anna", "1.00", "t1")) }()
	<-entered
	down := make(chan error, 1)
	go func() { down <- d.server.Shutdown(context.Background()) }()
	require.Eventually(t, func() bool {
		response, err := d.client.Get(d.url)
		if err == nil {
			response.Body.Close()
		}
		return err != nil
	}, time.Minute, time.Millisecond, "new connections are still accepted")
	select {
	case <-down:
		t.Fatal("the server stopped during a callback")
	default:
	}
	close(leave)
	got := <-answered
	assert.Equal(t, ok("1.00"), got.body)
	assert.NoError(t, <-down)
}

func TestShutdownGivesUpWithItsContext(t *testing.T) {
	entered, leave := make(chan struct{}), make(chan struct{})
	d := open(t, failing{func(context.Context) error {
		close(entered)
		<-leave
		return nil
	}})
	answered := make(chan answer, 1)
	go func() { answered <- d.call(t, wire.Withdraw, bet("anna", "1.00", "t1")) }()
	<-entered
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, d.server.Shutdown(ctx), context.Canceled)
	close(leave)
	<-answered
}
