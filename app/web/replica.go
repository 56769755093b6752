package web

import (
	"context"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/views"
)

// changedCookie is the cookie with the time of a person's last change, in microseconds. People see their own changes on the
// next page: until the replica has everything from before that time, their pages come from the primary. The time is in the
// browser and not in this process, because the next page may come from another instance. Pages do not wait for the replica,
// because the primary already has the data. Somebody who alters the cookie only changes which copy they read.
const changedCookie = "changed"

// changedKept is how long the cookie is kept: longer than any replica may be behind.
const changedKept = time.Hour

// behindWorthTelling is how far behind a replica must be before a page says so. A shorter time is only the time between two
// heartbeats.
const behindWorthTelling = 5 * time.Second

// replicaNote is the note on a page that was read from a replica.
type replicaNote struct {
	At     views.Moment
	Behind string // how far behind the replica is; empty if less than behindWorthTelling
}

// answer calls a route's handler, which reads from a replica if the page may.
func (s *Site) answer(c *fiber.Ctx, r Route) error {
	if len(s.store.Replicas()) == 0 {
		return r.Handle(c)
	}
	if !Safe(c) {
		err := r.Handle(c)
		SetCookie(c, s.Cookie(changedCookie, strconv.FormatInt(s.store.Now().UnixMicro(), 10), changedKept))
		return err
	}
	if !r.Replica {
		return r.Handle(c)
	}
	ctx := c.UserContext()
	defer c.SetUserContext(ctx)
	// An answer such as "not found" or "this filter cannot be read" is not a failure of the replica: the primary would answer
	// the same.
	var answered error
	failed := s.store.FromReplica(ctx, s.changedBefore(c), 0, func(ctx context.Context) error {
		c.SetUserContext(ctx)
		answered = r.Handle(c)
		if answered == nil {
			return nil
		}
		if p, _ := problemOf(answered, &c.Request().Header); p.Status < fiber.StatusInternalServerError {
			return nil
		}
		return answered
	})
	if failed != nil {
		return failed
	}
	return answered
}

// changedBefore returns when the person who sent the request last changed something, or zero.
func (s *Site) changedBefore(c *fiber.Ctx) time.Time {
	us, err := strconv.ParseInt(c.Cookies(s.CookieName(changedCookie)), 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMicro(us)
}

// tellReplica notes on a page that it was read from a replica.
func (s *Site) tellReplica(c *fiber.Ctx, p *Page) {
	at, replica := s.store.AsOf(c.UserContext())
	if !replica {
		return
	}
	p.Replica = &replicaNote{At: p.Time(at)}
	if behind := s.store.Now().Sub(at); behind >= behindWorthTelling {
		p.Replica.Behind = Age(behind)
	}
}
