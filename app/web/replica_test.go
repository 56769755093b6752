package web

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/gorilla/sessions"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"pitboss/models"
)

// replicated is a store with a replica. Like the real one, it repeats a read that fails there, on the primary.
type replicated struct {
	Store
	failures int
}

func (r *replicated) Replicas() []models.ReplicaState { return make([]models.ReplicaState, 1) }

func (r *replicated) Now() time.Time { return time.Now() }

func (r *replicated) ReadingOnce(ctx context.Context) context.Context { return ctx }

func (r *replicated) AsOf(context.Context) (time.Time, bool) { return time.Time{}, false }

func (r *replicated) SaveStaffSession(context.Context, string, string, string) (bool, error) {
	return true, nil
}

func (r *replicated) SignInRules(context.Context) (models.SignInRules, error) {
	return models.SignInRules{IdleMinutes: 60, SessionHours: 12}, nil
}

func (r *replicated) FromReplica(ctx context.Context, _ time.Time, _ time.Duration, read func(context.Context) error) error {
	if read(ctx) == nil {
		return nil
	}
	r.failures++
	return read(ctx)
}

// A page that fails on the replica is made again from the primary, with the message that it had taken. A page that is not found
// there is not made again.
func TestPagesFromReplicas(t *testing.T) {
	spans := tracetest.NewSpanRecorder()
	before := otel.GetTracerProvider()
	otel.SetTracerProvider(trace.NewTracerProvider(trace.WithSpanProcessor(spans)))
	t.Cleanup(func() { otel.SetTracerProvider(before) })
	broken := errors.New("the replica is broken")
	for name, row := range map[string]struct {
		fails          error // the first time
		calls, failed  int
		status, traced int
	}{
		"nothing":          {nil, 1, 0, 200, 200},
		"a failure":        {broken, 2, 1, 200, 200},
		"no such page":     {NotFound("page"), 1, 0, 404, 404},
		"no such file":     {fiber.ErrNotFound, 1, 0, 404, 404},
		"a bad address":    {BadAddress("It names no place."), 1, 0, 400, 400},
		"a changed row":    {models.TamperedError{Object: "grant", ObjectID: "1"}, 1, 0, 409, 409},
		"an ended session": {models.ErrSessionEnded, 1, 0, 401, 401},
	} {
		t.Run(name, func(t *testing.T) {
			store := &replicated{}
			site, err := New(Config{SessionKey: []byte("a key of this test")}, store, nil, nil)
			require.NoError(t, err)
			calls, flash := 0, ""
			route := Route{Method: Get, Path: "/audit", Needs: Public, Replica: true}
			route.Handle = func(c *fiber.Ctx) error {
				calls++
				if ReaderOf(c) == nil {
					session := sessions.NewSession(site.Sessions, SessionName)
					session.Values[valueFlash] = `{"Text":"The case is closed."}`
					c.Locals(readerKey, &Reader{session: session, Zone: time.UTC, Stage: Arriving})
				}
				page := site.Page(c, "Audit")
				if calls == 1 && row.fails != nil {
					return row.fails
				}
				flash = page.Flash.Text
				return c.SendString("made")
			}
			require.NoError(t, site.Serve(Contents{Routes: []Route{route}}))
			answer, err := site.fiber.Test(httptest.NewRequest(http.MethodGet, "/audit", nil), -1)
			require.NoError(t, err)
			defer answer.Body.Close()
			require.Equal(t, row.status, answer.StatusCode)
			require.Equal(t, row.calls, calls)
			require.Equal(t, row.failed, store.failures)
			if row.status == http.StatusOK {
				require.Equal(t, "The case is closed.", flash, "a message is not lost if the first try fails")
			}
			ended := spans.Ended()
			for _, a := range ended[len(ended)-1].Attributes() {
				if a.Key == "http.response.status_code" {
					require.EqualValues(t, row.traced, a.Value.AsInt64())
				}
			}
		})
	}
}
