package transactions

import (
	"context"
	"strconv"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// correctionOf is a correction as the page of its transaction shows it.
type correctionOf struct {
	models.Correction
	Title string
}

// tellCorrections adds the corrections that staff requested for a transaction to its page. The event of a ledger line that a
// correction wrote names the correction.
func (a *Area) tellCorrections(ctx context.Context, page *transactionPage) error {
	list, err := a.CorrectionsOf(ctx, page.T)
	if err != nil {
		return err
	}
	readable := page.Can(web.ReadCorrections)
	for _, c := range list {
		page.Corrections = append(page.Corrections, correctionOf{c, pages.CorrectionTitle(c)})
		number := "correction " + strconv.FormatInt(c.ID, 10)
		tell := func(at views.Moment, who models.Signature, text, quote string) {
			event := views.Event{At: at, Node: "staff", Who: pages.SignedBy(who), Text: ", " + string(who.Role) + ", " + text,
				Quote: quote}
			if readable {
				event.Link, event.Href = number, pages.CorrectionPath(c.ID)
			} else {
				event.Text += " " + number
			}
			page.Events = append(page.Events, event)
		}
		tell(page.Time(c.At), c.Maker, "requested a correction, "+web.LowerFirst(pages.CorrectionTitle(c))+":", c.Text)
		switch {
		case c.State == models.ApprovalWaiting:
		case c.Checker.StaffID == 0:
			tell(page.Time(c.DecidedAt), c.Maker, c.State.String(), c.DecisionText)
		default:
			tell(page.Time(c.DecidedAt), c.Checker, c.State.String(), c.DecisionText)
		}
		for _, e := range page.Entries {
			if e.Seq != c.Seq || c.Spin || c.State != models.ApprovalApproved {
				continue
			}
			for i := range page.Events {
				if page.Events[i].Href == pages.LedgerPath(e.Entry) {
					page.Events[i].Text = " by " + number + ","
				}
			}
		}
	}
	return nil
}
