package pages

import (
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// StatementBadge returns the badge for a comparison's progress or result. Differences need attention until all their cases are
// closed.
func StatementBadge(run models.StatementRun) views.Badge {
	switch run.State {
	case models.JobWaiting, models.JobRunning:
		return views.Active("Being compared")
	case models.JobStopped:
		return views.Gone("Stopped")
	case models.JobFailed:
		return views.Waiting("Failed")
	case models.JobFinished:
		differences := web.Several(run.Differences, "difference", "differences")
		switch {
		case run.Differences == 0 && run.BadLines > 0:
			return views.Waiting(web.Several(run.BadLines, "line not compared", "lines not compared"))
		case run.Differences == 0 && run.Respelled > 0:
			return views.Waiting(web.Several(run.Respelled, "ID differs in case", "IDs differ in case"))
		case run.Differences == 0:
			return views.Quiet("Matches")
		case run.Open == 0:
			return views.Quiet(differences + ", cases closed")
		case run.Open < run.Differences:
			return views.Waiting(differences + ", " + web.Grouped(run.Open) + " open")
		}
		return views.Waiting(differences)
	}
	return views.Plain("Not compared yet")
}
