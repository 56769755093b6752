package integrity

import (
	"fmt"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

type verificationPage struct {
	web.Page
	web.Progress
	Run        runRow
	Keyed      bool
	Rate       int64         // entries a second; 0 until it is known
	Left       time.Duration // the time to go at this rate
	MoreFaulty int64         // wallets with faults beyond those in the report
	Audit      []faultLine
	Cases      pages.ThingCases
}

// faultLine is a line about a fault, with a link to the object that has the fault.
type faultLine struct{ Text, Href, Link string }

func (a *Area) Verification(c *fiber.Ctx) error {
	r, err := web.Find(c, "verification", a.Store.VerificationRun)
	if err != nil {
		return err
	}
	page := &verificationPage{Page: a.Page(c, ""), Run: runRow{r}, Keyed: a.Store.Keyed(),
		Progress: web.NewProgress(pages.VerificationPath(r.ID), r.State, views.Share(r.Read, r.Expected))}
	page.Badges = []views.Badge{page.Run.Badge()}
	page.Meter.Tall = true
	if page.Reload(c) {
		return nil
	}
	if page.Open {
		page.Rate, page.Left = runningRate(r, page.Now)
	}
	if v := r.Report; v != nil {
		page.Keyed = v.Keyed
		page.MoreFaulty = r.Faults - int64(len(v.Faulty)+v.Audit.Total+v.Rows.Total+v.Figures.Total+v.Written.Total)
		page.Audit = auditFaults(v.Audit)
	}
	if r.Faults > 0 {
		page.Cases, err = a.CasesOf(c.UserContext(), &page.Page, models.CaseFilter{Verification: r.ID},
			"verification="+strconv.FormatInt(r.ID, 10))
		if err == nil && len(page.Cases.Rows) == 0 { // an earlier verification found the same faults and opened the cases
			page.Cases, err = a.CasesOf(c.UserContext(), &page.Page, models.CaseFilter{Rule: models.CaseLedgerFault},
				"rule="+strconv.Itoa(int(models.CaseLedgerFault)))
		}
		if err != nil {
			return err
		}
	}
	return a.Render(c, "integrity/verification", page)
}

// runningRate returns how many entries a second a verification reads, and how long it will still take. Both are 0 right after
// the start.
func runningRate(r models.VerificationRun, now time.Time) (rate int64, left time.Duration) {
	ran := now.Sub(r.StartedAt)
	if r.State == models.JobWaiting || ran < time.Second || r.Read == 0 {
		return 0, 0
	}
	perSecond := float64(r.Read) / ran.Seconds()
	return int64(perSecond), time.Duration(float64(max(r.Expected-r.Read, 0)) / perSecond * float64(time.Second))
}

// auditFaults returns the faults of the audit log, each with a link to its event.
func auditFaults(f models.ChainFaults) (list []faultLine) {
	for _, text := range f.Faults {
		line := faultLine{Text: text}
		var event int64
		if n, err := fmt.Sscanf(text, "event %d (", &event); n == 1 && err == nil && event > 0 {
			line.Href, line.Link = web.PathOf("/audit", event), "Event "+strconv.FormatInt(event, 10)
		}
		list = append(list, line)
	}
	return list
}
