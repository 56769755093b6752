package app

import (
	"context"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// What is the reader's own: what is assigned to them, what waits for their decision, and what they have requested.

const (
	yourRows = 50
	// requestNews is for how long the overview shows that a request was decided.
	requestNews = 3 * 24 * time.Hour
)

type yoursPage struct {
	web.Page
	Waiting     []views.Todo // requests of colleagues that the reader can decide
	Cases       []pages.CaseLine
	All         string // the address of all cases of the reader
	Corrections []yourRequest
	Requests    []yourRequest
}

// yourRequest is a request that the reader made, or has to decide.
type yourRequest struct {
	models.Request
	Word, Href string
	Badge      views.Badge
}

// requestKinds has the words and pages of requests, by their kinds.
var requestKinds = map[string]struct {
	word string
	path func(int64) string
}{
	"correction": {"Correction", pages.CorrectionPath}, "campaign": {"Campaign beyond the limits", pages.CampaignPath},
	"restriction": {"End of restriction", pages.RestrictionPath}, "cash-out": {"Cash-out", pages.CashOutPath},
	"change": {"Change of settings or clients", pages.ChangePath},
}

func newYourRequest(r models.Request) yourRequest {
	kind := requestKinds[r.Kind]
	row := yourRequest{Request: r, Word: kind.word, Href: kind.path(r.ID), Badge: views.Plain(web.FirstUpper(r.State.String()))}
	switch r.State {
	case models.ApprovalWaiting:
		row.Badge = views.Waiting("Waiting")
	case models.ApprovalApproved:
		row.Badge = views.Quiet("Approved")
	case models.ApprovalRefused:
		row.Badge = views.Refused("Refused")
	}
	return row
}

func (a *App) yours(c *fiber.Ctx) error {
	page := &yoursPage{Page: a.Page(c, "")}
	own := page.Reader.Username
	page.All = "/cases?owner=" + web.EscapeQuery(own)
	var err error
	if page.Waiting, err = a.waiting(c, a.toDecide()); err != nil {
		return err
	}
	// Those with a due date come first, the nearest one on top.
	for _, byDue := range []bool{true, false} {
		list, err := a.Store.Cases(c.UserContext(), models.CaseFilter{State: models.CaseOpen, Owner: own, ByDue: byDue,
			Span: models.Span{Limit: yourRows}})
		if err != nil {
			return err
		}
		for _, one := range list.Rows {
			if one.Due.IsZero() != byDue {
				page.Cases = append(page.Cases, pages.NewCaseLine(&page.Page, one))
			}
		}
	}
	corrections, err := a.Store.Corrections(c.UserContext(), models.CorrectionFilter{State: models.ApprovalWaiting, Assignee: own,
		Span: models.Span{Limit: yourRows}})
	if err != nil {
		return err
	}
	for _, one := range corrections.Rows {
		page.Corrections = append(page.Corrections, newYourRequest(models.Request{Kind: "correction", ID: one.ID, At: one.At,
			PlayerID: one.PlayerID, UserID: one.UserID, Approval: one.Approval}))
	}
	requests, err := a.Store.Requests(c.UserContext(), page.Reader.ID, yourRows)
	if err != nil {
		return err
	}
	for _, r := range requests {
		page.Requests = append(page.Requests, newYourRequest(r))
	}
	return a.Render(c, "overview/yours", page)
}

// countAssigned counts what is assigned to somebody: open cases, and corrections to decide.
func (a *App) countAssigned(ctx context.Context, who *web.Reader) (web.Count, error) {
	n, err := a.Store.CountCases(ctx, models.CaseFilter{State: models.CaseOpen, Owner: who.Username}, pages.ManyCases)
	return web.Count{N: int(n)}, err
}

// countYours counts for the navigation what is assigned to the reader, and the requests of colleagues that the reader can decide.
func (a *App) countYours(ctx context.Context, who *web.Reader) (web.Count, error) {
	total, err := a.countAssigned(ctx, who)
	if err != nil {
		return total, err
	}
	var kinds []string
	for _, d := range decisions {
		if who.May(d.needs) {
			kinds = append(kinds, d.kind)
		}
	}
	n, err := a.CountApprovable(ctx, who, kinds...)
	return web.Count{N: total.N + int(n), Word: "waiting for you"}, err
}

// assigned returns the open cases that are assigned to the reader, and how many of them are overdue.
func (a *App) assigned(c *fiber.Ctx) (views.Todo, error) {
	todo := views.Todo{Of: "yours", Href: "/yours"}
	who := web.ReaderOf(c)
	n, err := a.countAssigned(c.UserContext(), who)
	if todo.N = int64(n.N); err != nil || n.N == 0 {
		return todo, err
	}
	overdue := models.CaseFilter{State: models.CaseOpen, Owner: who.Username, DueBefore: a.Now()}
	late, err := a.Store.CountCases(c.UserContext(), overdue, pages.ManyCases)
	if todo.Risk = late > 0; todo.Risk {
		todo.Name = web.Grouped(late) + " overdue"
	}
	return todo, err
}

// requested returns the reader's requests that wait, or were decided lately.
func (a *App) requested(c *fiber.Ctx) (views.Todo, error) {
	todo := views.Todo{Of: "requests", Href: "/yours#requests"}
	list, err := a.Store.Requests(c.UserContext(), web.ReaderOf(c).ID, yourRows)
	counts := map[models.ApprovalState]int64{}
	for _, r := range list {
		if r.State == models.ApprovalWaiting || a.Now().Sub(r.DecidedAt) < requestNews && r.State != models.ApprovalWithdrawn {
			counts[r.State]++
			todo.N++
		}
	}
	var words []string
	for _, state := range models.ApprovalStates {
		if n := counts[state]; n > 0 {
			words = append(words, web.Grouped(n)+" "+state.String())
		}
	}
	todo.Name = strings.Join(words, ", ")
	return todo, err
}
