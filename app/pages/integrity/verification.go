package integrity

import (
	"fmt"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

type verificationPage struct {
	web.Page
	Run   runRow
	Open  bool
	Meter views.Meter

	Read, Expected string // how many entries

	Rate    string
	Facts   []views.Fact
	Wallets []faultyWallet
	More    string // of the wallets that are not named
	Audit   []faultLine
	Rows    []faultLine
	Figures []faultLine
	Written []faultLine

	Restores []faultLine // that were declared
	Rest     []web.Definition
	Cases    things.ThingCases
}

// faultyWallet is a wallet that does not hold.
type faultyWallet struct {
	Name, Href string
	Number     int64
	Faults     []string
	More       string
}

// faultLine is a fault of the audit log, of a row that it covers, or of the checkpoints.
type faultLine struct{ Text, Href, Link string }

func (a *Area) Verification(c *fiber.Ctx) error {
	id, err := web.Number(c, "id")
	if err != nil {
		return web.NotFound("verification")
	}
	r, found, err := a.Store.VerificationRun(c.UserContext(), id)
	if err == nil && !found {
		err = web.NotFound("verification")
	}
	if err != nil {
		return err
	}
	page := &verificationPage{Page: a.Page(c, "Verification "+strconv.FormatInt(id, 10)), Run: newRunRow(r),
		Open: r.State != models.VerificationEnded}
	page.Crumbs = []views.Crumb{{Word: "Integrity", Href: "/integrity"}, {Word: "Verification " + strconv.FormatInt(id, 10)}}
	page.Badges = []views.Badge{page.Run.Badge}
	page.Lede = "Requested " + page.Time(r.AskedAt).Brief() + " " + web.ByWhom(r.Actor) + "."
	page.Meter = views.Share(r.Read, r.Expected)
	page.Read, page.Expected = web.Grouped(r.Read), web.Grouped(r.Expected)
	page.Meter.Tall, page.Meter.Label = true, page.Read+" of "+page.Expected+" entries read"
	page.Rest = []web.Definition{{Label: "Chains", Value: chainWords(a.Store.Keyed())}}
	switch {
	case page.Open:
		page.Lede += " You can leave this page; the verification continues."
		page.Rate = runningRate(r, page.Now)
	case page.Run.Took != "":
		page.Lede += " It took " + page.Run.Took + "."
	}
	if r.Report != nil {
		page.describe(r.Report)
	}
	if r.Faults > 0 {
		page.Cases, err = a.CasesOf(c.UserContext(), &page.Page, models.CaseFilter{Verification: id},
			"verification="+strconv.FormatInt(id, 10))
		if err == nil && len(page.Cases.Rows) == 0 { // an earlier one found the same, and has its cases
			page.Cases, err = a.CasesOf(c.UserContext(), &page.Page, models.CaseFilter{Rule: models.CaseLedgerFault},
				"rule="+strconv.Itoa(int(models.CaseLedgerFault)))
		}
		if err != nil {
			return err
		}
	}
	return a.Render(c, "integrity/verification", page)
}

// runningRate says how quickly a verification reads.
func runningRate(r models.VerificationRun, now time.Time) string {
	ran := now.Sub(r.StartedAt)
	if r.State == models.VerificationAsked || ran < time.Second || r.Read == 0 {
		return ""
	}
	rate := float64(r.Read) / ran.Seconds()
	left := time.Duration(float64(max(r.Expected-r.Read, 0)) / rate * float64(time.Second))
	return web.Grouped(int64(rate)) + " a second, about " + web.Age(left) + " to go"
}

// chainWords says what the chains prove.
func chainWords(keyed bool) string {
	if keyed {
		return "Keyed: nobody forges them without the key"
	}
	return "Unkeyed: they show accidents, not forgery"
}

// describe fills in what a verification counted and found.
func (p *verificationPage) describe(v *models.Verification) {
	p.Facts = []views.Fact{
		{Label: "Wallets", Value: web.Grouped(v.Wallets), Big: true},
		{Label: "Entries", Value: web.Grouped(v.AllEntries()), Big: true,
			Note: web.Grouped(v.Entries) + " of money, " + web.Grouped(v.SpinEntries) + " of free spins"},
		{Label: "Transactions", Value: web.Grouped(v.Transactions), Big: true,
			Note: web.Several(v.Tombstones, "tombstone", "tombstones")},
		{Label: "Audit events", Value: web.Grouped(v.AuditEvents), Big: true},
	}
	if v.ErasedTexts > 0 {
		p.Facts[3].Note = web.Several(v.ErasedTexts, "text was erased", "texts were erased")
	}
	against := "None: a cut tail would not show"
	if v.Held > 0 {
		against = "Checkpoint " + strconv.FormatInt(v.Held, 10)
	}
	p.Rest = []web.Definition{{Label: "Chains", Value: chainWords(v.Keyed)}, {Label: "Held against", Value: against},
		{Label: "Checkpoints", Value: web.Grouped(v.Checkpoints) + " in the database"}}
	if !v.AsOf.IsZero() {
		p.Rest = append(p.Rest, web.Definition{Label: "Read from", Value: "A replica, as of " +
			v.AsOf.In(p.Zone).Format("15:04:05") + ", up to audit event " + strconv.FormatInt(v.AuditHead, 10) +
			". pitboss verify reads the primary."})
	}
	for _, w := range v.Faulty {
		line := faultyWallet{Name: string(w.UserID), Number: w.PlayerID, Faults: w.Faults}
		if w.UserID != "" {
			line.Href = things.PlayerPath(w.PlayerID) + "/ledger"
		}
		if more := w.Total - len(w.Faults); more > 0 {
			line.More = "and " + web.Grouped(int64(more)) + " more"
		}
		p.Wallets = append(p.Wallets, line)
	}
	if more := p.Run.Faults - int64(len(v.Faulty)+v.Audit.Total+v.Rows.Total+v.Figures.Total+v.Written.Total); more > 0 {
		p.More = web.Several(more, "more wallet does", "more wallets do") + " not hold; pitboss verify lists them all."
	}
	p.Audit, p.Rows, p.Figures, p.Written = faultLines(v.Audit), faultLines(v.Rows), faultLines(v.Figures),
		faultLines(v.Written)
	p.Restores = restoreLines(v.Restores)
}

func faultLines(f models.ChainFaults) []faultLine {
	var list []faultLine
	for _, text := range f.Faults {
		line := faultLine{Text: text}
		var event int64
		if n, err := fmt.Sscanf(text, "event %d (", &event); n == 1 && err == nil && event > 0 {
			line.Href, line.Link = web.PathOf("/audit", event), "Event "+strconv.FormatInt(event, 10)
		}
		list = append(list, line)
	}
	if more := f.Total - len(f.Faults); more > 0 {
		list = append(list, faultLine{Text: "and " + web.Grouped(int64(more)) + " more"})
	}
	return list
}
