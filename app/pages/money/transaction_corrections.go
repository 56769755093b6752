package money

import (
	"context"
	"strconv"

	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// tellCorrections adds to a transaction's page what staff had corrected about it, and the way to ask for it. A line of the
// ledger that a correction has written is said to be its.
func (a *Area) tellCorrections(ctx context.Context, page *transactionPage, t models.TransactionLine,
	entries []models.LinkedEntry) error {
	ask := page.Can(web.AskCorrections)
	if ask && t.Source == models.SourcePlatform && t.State == models.Processed {
		page.Actions = append(page.Actions,
			views.Link{Word: "Request a correction",
				Href: "/corrections/new?transaction=" + web.EscapeQuery(string(t.TransactionID)), Icon: "corrections"})
	}
	list, err := a.CorrectionsOf(ctx, t)
	if err != nil {
		return err
	}
	readable := page.Can(web.ReadCorrections)
	for _, c := range list {
		number := "correction " + strconv.FormatInt(c.ID, 10)
		tell := func(at views.Moment, who models.Signature, text, quote string) {
			event := views.Event{At: at, Node: "staff", Who: things.SignedBy(who), Text: ", " + string(who.Role) + ", " + text,
				Quote: quote}
			if readable {
				event.Link, event.Href = number, things.CorrectionPath(c.ID)
			} else {
				event.Text += " " + number
			}
			page.Events = append(page.Events, event)
		}
		tell(page.Time(c.At), c.Maker, "asked for a correction, "+web.LowerFirst(things.CorrectionTitle(c))+":", c.Text)
		switch {
		case c.State == models.CorrectionAsked:
			note := views.Note{Kind: "wait", Icon: "clock", Title: "A correction waits",
				Text: things.CorrectionTitle(c) + ", asked for by " + things.SignedBy(c.Maker) + "."}
			if readable {
				note.Links = []views.Link{{Word: web.FirstUpper(number), Href: things.CorrectionPath(c.ID)}}
			}
			page.Notes = append(page.Notes, note)
		case c.Alone:
			tell(page.Time(c.DecidedAt), c.Maker, "booked alone", "")
		case c.Checker.StaffID == 0:
			tell(page.Time(c.DecidedAt), c.Maker, c.State.String(), c.DecisionText)
		default:
			tell(page.Time(c.DecidedAt), c.Checker, c.State.String(), c.DecisionText)
		}
		for _, e := range entries {
			if e.Seq != c.Seq || c.Spin || c.State != models.CorrectionApproved {
				continue
			}
			for i := range page.Events {
				if page.Events[i].Href == things.LedgerPath(e.Entry) {
					page.Events[i].Text = " by " + number + ","
				}
			}
		}
	}
	return nil
}
