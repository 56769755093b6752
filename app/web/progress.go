package web

import (
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/models"
	"pitboss/views"
)

// Progress is embedded in the page of a job, for the template progress. The page has the blocks so-far and doing.
type Progress struct {
	Open  bool   // the page refreshes itself
	Poll  string // the address to refresh from
	Meter views.Meter
	state string
}

// NewProgress returns the progress of a job whose page has a path.
func NewProgress(path string, state models.JobState, meter views.Meter) Progress {
	number := strconv.Itoa(int(state))
	return Progress{Open: state.Open(), Poll: path + "?state=" + number, Meter: meter, state: number}
}

// Reload reports whether the job's state has changed since the browser's page, and if so makes the browser load the whole page
// again.
func (p *Progress) Reload(c *fiber.Ctx) bool {
	if c.Get("HX-Target") != "progress" || c.Query("state") == p.state {
		return false
	}
	c.Set("HX-Refresh", "true")
	c.Status(fiber.StatusNoContent)
	return true
}
