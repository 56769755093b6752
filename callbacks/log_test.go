package callbacks_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"pitboss/callbacks"
	"pitboss/callbacks/wire"
)

// Only failures have lines, not more than 20 per second, and none shows a signature or a key.
func TestLinesOfFailures(t *testing.T) {
	d := open(t, failing{func(context.Context) error { return errors.New("the database is gone") }}, func(c *callbacks.Config) {
		c.SecretKey, c.PreviousSecretKey = "TOP-SECRET", "OLD-SECRET"
	})
	began := time.Now()
	for range 50 {
		for e, r := range every {
			d.post(t, e.Path(), signed(t, e, r, "another"))
			d.post(t, "/nowhere", "x")
			for _, k := range []string{"TOP-SECRET", "OLD-SECRET"} {
				assert.Equal(t, 503, d.post(t, e.Path(), signed(t, e, r, k)).status)
			}
		}
	}
	lines := strings.Count(d.log.String(), "\n")
	assert.GreaterOrEqual(t, lines, 20)
	assert.LessOrEqual(t, float64(lines), 20*(time.Since(began).Seconds()+1))
	assert.Equal(t, lines, strings.Count(d.log.String(), "the database is gone"))
	assert.EqualValues(t, 100, d.server.Counters().Outages(wire.Withdraw), "all of them are counted")
	assert.NotContains(t, d.log.String(), "SECRET")
	assert.NotRegexp(t, "[0-9A-F]{16}", d.log.String())
}
