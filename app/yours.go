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

// The page Yours: work that is assigned to the reader, requests that wait for their decision, and their own requests.

const (
	yourRows = 50
	// requestNews is how long the overview shows that a request was decided.
	requestNews = 3 * 24 * time.Hour
)

type yoursPage struct {
	web.Page
	Waiting  []requestRow // requests of colleagues that the reader can decide, oldest first
	Unshown  int64        // how many more there are
	Cases    []assignedCase
	All      string // the address of all cases of the reader
	Assigned []requestRow
	Requests []requestRow // of the reader
}

// assignedCase is an open case of the reader.
type assignedCase struct {
	pages.CaseLine
	pages.HandOver
}

// requestRow is a request that the reader made, or has to decide.
type requestRow struct {
	models.Request
	pages.HandOver
	Word, Href string
	Amount     *views.Money   // nil if it has none
	Deciders   []models.Staff // who can decide a request of the reader that waits
	Badge      views.Badge
}

func (a *App) requestRow(p *web.Page, r models.Request) requestRow {
	row := requestRow{Request: r, Badge: pages.ApprovalBadge(r.State)}
	for _, k := range a.requestKinds() {
		if k.Name == r.Kind {
			row.Word, row.Href = k.Word, k.PathOf(r.ID)
		}
	}
	if r.Kind == "change" {
		row.Word = pages.ChangeTitle(models.ChangeRequest{Subject: models.ChangeSubject(r.About)})
	}
	if r.Amount != 0 {
		row.Amount = new(p.Signed(r.Amount, r.Currency))
	}
	return row
}

func (a *App) yours(c *fiber.Ctx) error {
	page := &yoursPage{Page: a.Page(c, "")}
	ctx, own := c.UserContext(), page.Reader.Username
	page.All = "/cases?owner=" + web.EscapeQuery(own)
	if err := a.readInbox(ctx, page); err != nil {
		return err
	}
	// Those with a due date come first, the nearest one on top.
	for _, byDue := range []bool{true, false} {
		list, err := a.Store.Cases(ctx, models.CaseFilter{State: models.CaseOpen, Owner: own, ByDue: byDue,
			Span: models.Span{Limit: yourRows}})
		if err != nil {
			return err
		}
		for _, one := range list.Rows {
			if one.Due.IsZero() == byDue {
				continue
			}
			handed, err := a.HandedOver(ctx, "case", "case handed over", one.ID, own)
			if err != nil {
				return err
			}
			page.Cases = append(page.Cases, assignedCase{pages.NewCaseLine(&page.Page, one), handed})
		}
	}
	corrections, err := a.Store.Corrections(ctx, models.CorrectionFilter{State: models.ApprovalWaiting, Assignee: own,
		Span: models.Span{Limit: yourRows}})
	if err != nil {
		return err
	}
	for _, one := range corrections.Rows {
		row := a.requestRow(&page.Page, models.Request{Kind: "correction", ID: one.ID, At: one.At,
			PlayerID: one.PlayerID, UserID: one.UserID, Approval: one.Approval})
		if row.HandOver, err = a.HandedOver(ctx, "correction", "correction assigned", one.ID, own); err != nil {
			return err
		}
		page.Assigned = append(page.Assigned, row)
	}
	requests, err := a.Store.RequestsBy(ctx, page.Reader.ID, yourRows)
	if err != nil {
		return err
	}
	for _, r := range requests {
		row := a.requestRow(&page.Page, r)
		if r.State == models.ApprovalWaiting {
			row.Deciders, err = a.Approvers(ctx, r.Rule().Checkers, func(by models.Signer) error { return r.MayDecide(r.Rule(), by, page.Now) })
			if err != nil {
				return err
			}
		}
		page.Requests = append(page.Requests, row)
	}
	return a.Render(c, "overview/yours", page)
}

// readInbox reads the requests of colleagues that wait for the reader's decision.
func (a *App) readInbox(ctx context.Context, page *yoursPage) error {
	kinds := a.decidedBy(page.Reader)
	waiting, err := a.Store.RequestsWaiting(ctx, kinds, yourRows)
	if err != nil {
		return err
	}
	for _, r := range waiting {
		if r.MayDecide(r.Rule(), page.Reader.Staff.Signer(), page.Now) == nil {
			page.Waiting = append(page.Waiting, a.requestRow(&page.Page, r))
		}
	}
	n, err := a.CountApprovable(ctx, page.Reader, kinds...)
	page.Unshown = n - int64(len(page.Waiting))
	return err
}

// decidedBy returns the kinds of requests that a person decides.
func (a *App) decidedBy(who *web.Reader) (kinds []string) {
	for _, k := range a.requestKinds() {
		if who.May(k.Decides) {
			kinds = append(kinds, k.Name)
		}
	}
	return kinds
}

// countAssigned counts the open cases and the waiting corrections that are assigned to somebody.
func (a *App) countAssigned(ctx context.Context, who *web.Reader) (web.Count, error) {
	n, err := a.Store.CountCases(ctx, models.CaseFilter{State: models.CaseOpen, Owner: who.Username}, pages.ManyCases)
	return web.Count{N: int(n)}, err
}

// countYours counts, for the navigation, the reader's assigned work and the requests of colleagues that the reader can decide.
func (a *App) countYours(ctx context.Context, who *web.Reader) (web.Count, error) {
	total, err := a.countAssigned(ctx, who)
	if err != nil {
		return total, err
	}
	n, err := a.CountApprovable(ctx, who, a.decidedBy(who)...)
	return web.Count{N: total.N + int(n), Word: "waiting for you"}, err
}

// assigned returns the open cases that are assigned to the reader, and how many of them are overdue.
func (a *App) assigned(c *fiber.Ctx) (views.Todo, error) {
	todo := views.Todo{One: "Open case of yours", Many: "Open cases of yours", Note: "assigned to you", Href: "/yours"}
	who := web.ReaderOf(c)
	n, err := a.countAssigned(c.UserContext(), who)
	if todo.N = int64(n.N); err != nil || n.N == 0 {
		return todo, err
	}
	overdue := models.CaseFilter{State: models.CaseOpen, Owner: who.Username, DueBefore: a.Now()}
	late, err := a.Store.CountCases(c.UserContext(), overdue, pages.ManyCases)
	if todo.Risk = late > 0; todo.Risk {
		todo.Note = web.Grouped(late) + " overdue"
	}
	return todo, err
}

// requested returns the reader's requests that wait, or were decided lately.
func (a *App) requested(c *fiber.Ctx) (views.Todo, error) {
	todo := views.Todo{One: "Request of yours", Many: "Requests of yours", Href: "/yours#requests"}
	list, err := a.Store.RequestsBy(c.UserContext(), web.ReaderOf(c).ID, yourRows)
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
	todo.Note = strings.Join(words, ", ")
	return todo, err
}
