package pages

import (
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// NoticeBadge returns the state of a notice.
func NoticeBadge(n models.Notice) views.Badge {
	switch {
	case n.State == models.NoticeSent:
		return views.Quiet("Sent")
	case n.State == models.NoticeFailed:
		return views.Waiting("Given up")
	case n.Tries > 0:
		return views.Waiting("Tried " + web.Several(int64(n.Tries), "time", "times"))
	}
	return views.Plain("Waiting")
}
