package web

import (
	"github.com/gofiber/fiber/v2"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// traced wraps a route's handler in a span. The span has the route and the request's number, which the log and error pages show
// too. It does not have who sent the request or what they asked for.
func traced(r Route, next fiber.Handler) fiber.Handler {
	name := r.Method + " " + r.Path
	return func(c *fiber.Ctx) error {
		ctx, span := otel.Tracer("pitboss/web").Start(c.UserContext(), name, trace.WithSpanKind(trace.SpanKindServer))
		defer span.End()
		if !span.IsRecording() {
			return next(c)
		}
		c.SetUserContext(ctx)
		err := next(c)
		status := c.Response().StatusCode()
		if err != nil {
			p, _ := problemOf(err, &c.Request().Header)
			status = p.Status
		}
		span.SetAttributes(attribute.String("pitboss.request", requestID(c)),
			attribute.Int("http.response.status_code", status))
		if status >= fiber.StatusInternalServerError {
			span.SetStatus(codes.Error, "it failed; the log has the request")
		}
		return err
	}
}
