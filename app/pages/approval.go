package pages

import (
	"context"
	"errors"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// RequestKind is a kind of request that takes two people: its pages, who decides it, and what decisions have done, in words.
type RequestKind struct {
	Name                      string         // the object in its audit events
	Word                      string         // its name in lists of requests of all kinds
	Path                      string         // the beginning of the addresses of its requests
	List                      string         // the address of the list of waiting ones
	Waits                     views.Todo     // what the overview of the people who decide calls them
	Reads, Decides, Withdraws web.Permission // if Withdraws is empty, makers cannot withdraw their requests

	Show  func(c *fiber.Ctx, f *web.Form, r models.Requested) error // shows a request and the errors in the form
	Said  map[models.ApprovalState]string                           // what a decision has done
	Known []error                                                   // errors, besides an ApprovalError, of a failed decision

	// These are nil if the kind does nothing beyond what all kinds do.
	Basis func(f *web.Form) models.CorrectionBasis               // what else the reader saw, according to the form
	Done  func(c *fiber.Ctx, r models.Requested) (string, error) // replaces Said for approvals; "" if it has answered
	Fails func(r models.Requested, err error) error              // returns why an approval failed
}

// PathOf returns the address of a request's page.
func (k RequestKind) PathOf(id int64) string { return web.PathOf(k.Path, id) }

// RequestRoutes returns the routes of a kind's requests.
func (s *Site) RequestRoutes(k RequestKind) []web.Route {
	at := k.Path + "/:id"
	routes := []web.Route{{Method: web.Get, Path: at, Needs: k.Reads, Handle: func(c *fiber.Ctx) error {
		r, err := s.requested(c, k)
		if err != nil {
			return err
		}
		return k.Show(c, web.NewForm(c), r)
	}}}
	for _, d := range []struct {
		noun  string
		do    models.ApprovalState
		needs web.Permission
	}{{"approval", models.ApprovalApproved, k.Decides}, {"refusal", models.ApprovalRefused, k.Decides},
		{"withdrawal", models.ApprovalWithdrawn, k.Withdraws}} {
		if d.needs != (web.Permission{}) {
			routes = append(routes, web.Route{Method: web.Post, Path: at + "/" + d.noun, Needs: d.needs,
				Asks:   func(*fiber.Ctx) bool { return true },
				Handle: func(c *fiber.Ctx) error { return s.decide(c, k, d.do) }})
		}
	}
	return routes
}

// requested reads the request whose ID is in the address.
func (s *Site) requested(c *fiber.Ctx, k RequestKind) (models.Requested, error) {
	return web.Find(c, k.Name, func(ctx context.Context, id int64) (models.Requested, bool, error) {
		return s.Store.Request(ctx, k.Name, id)
	})
}

// decide decides the request whose ID is in the address.
func (s *Site) decide(c *fiber.Ctx, k RequestKind, do models.ApprovalState) error {
	r, err := s.requested(c, k)
	if err != nil {
		return err
	}
	f := web.NewForm(c)
	if !f.Ok() {
		return k.Show(c, f, r)
	}
	d := models.Decision{Kind: k.Name, Do: do, Seen: f.Text("seen")}
	if d.ID, err = web.Number(c, "id"); err != nil {
		return err
	}
	if do == models.ApprovalRefused {
		d.Why = f.Text("why")
	}
	if k.Basis != nil {
		d.Basis = k.Basis(f)
	}
	done, err := s.Store.Decide(c.UserContext(), s.Signer(c), d)
	said := k.Said[do]
	switch {
	case errors.Is(err, models.ErrDecisionText):
		f.Refuse("why", web.Sentence(models.ErrDecisionText.Error()))
		return k.Show(c, f, r)
	case err != nil && do == models.ApprovalApproved && k.Fails != nil:
		err = k.Fails(r, err)
	case err == nil && do == models.ApprovalApproved && k.Done != nil:
		if said, err = k.Done(c, done); err != nil || said == "" {
			return err
		}
	}
	if err != nil {
		return s.DecisionFailed(c, k.PathOf(d.ID), err, k.Known...)
	}
	return s.Done(c, k.PathOf(d.ID), said)
}

// Decision is the data of a request that takes two people: who made it, what the reader may do about it, and who else can
// approve it. The partial "request" in partials/approval.html shows it together with the page's template "requested", which
// says what is requested.
type Decision struct {
	models.Approval
	Path, Name string       // of the request; decisions are posted below the path
	Reason     string       // of the request; may be empty
	Moment     views.Moment // when it was requested; may be zero
	Button     string       // the button that approves it
	Refusal    string       // the button that refuses it
	Reads      string       // a sentence about who can read the reason for a refusal

	Own, Mine                           bool // the reader requested it; the reader decided it
	Decided                             views.Moment
	Decidable, Approvable, Withdrawable bool           // by the reader, even if the change is impossible now
	Approvers                           []models.Staff // who can decide a waiting request if the reader cannot
	Why                                 views.Field    // the reason for a refusal
	Password                            *views.Field
	Seen                                string // identifies what the page shows; see models.Decision
	Token                               string // the form's CSRF token
}

// NewDecision returns what the reader may do about a request and who can approve it, by the rule that decides. A page must call
// it before it reads anything else that it shows about the request.
func (s *Site) NewDecision(c *fiber.Ctx, p *web.Page, f *web.Form, path, name string, r models.Requested) (d Decision, err error) {
	a, by := r.Asked(), s.Signer(c)
	d = Decision{Approval: *a, Path: path, Name: name, Refusal: "Refuse", Reads: a.Maker.Username + " can read it.", Token: p.CSRF,
		Decided: p.Time(a.DecidedAt), Own: a.Maker.StaffID == by.StaffID, Mine: a.Checker.StaffID == by.StaffID}
	if a.State != models.ApprovalWaiting {
		return d, nil
	}
	if d.Seen = f.Text("seen"); d.Seen == "" || !f.Typed() {
		if d.Seen, err = s.Store.Seen(c.UserContext(), r); err != nil {
			return d, err
		}
	}
	decides := func(who models.Signer) error { return a.MayDecide(r.Rule(), who, p.Now) }
	d.Withdrawable, d.Decidable = a.MayWithdraw(by) == nil, decides(by) == nil
	if d.Approvable = d.Decidable; d.Decidable {
		p.Keys = append(p.Keys, web.QueueKey{Key: "y", Word: "Approve: moves to the button, changes nothing"},
			web.QueueKey{Key: "n", Word: "Refuse: moves to the button"})
	} else if d.Approvers, err = s.Approvers(c.UserContext(), r.Rule().Checkers, decides); err != nil {
		return d, err
	}
	d.Why = f.Field(views.Field{Name: "why", Autocomplete: "off", Max: models.MaxDecisionText})
	if d.Decidable || d.Withdrawable {
		d.Password = p.Confirm
	}
	return d, nil
}

// ApprovalBadge returns the badge for a request's state.
func ApprovalBadge(state models.ApprovalState) views.Badge {
	switch state {
	case models.ApprovalApproved:
		return views.Quiet("Approved")
	case models.ApprovalRefused:
		return views.Refused("Refused")
	case models.ApprovalWithdrawn:
		return views.Gone("Withdrawn")
	case models.ApprovalExpired:
		return views.Gone("Expired")
	}
	return views.Waiting("Waiting")
}

// CountApprovable counts the waiting requests of these kinds that the reader may approve.
func (s *Site) CountApprovable(ctx context.Context, who *web.Reader, kinds ...string) (n int64, err error) {
	waiting, err := s.Store.WaitingRequests(ctx, kinds...)
	if err != nil || len(waiting) == 0 {
		return 0, err
	}
	for _, w := range waiting {
		request := models.Approval{Maker: models.Signature{StaffID: w.MakerID}, State: models.ApprovalWaiting}
		if request.MayDecide(w.Rule(), who.Staff.Signer(), s.Now()) == nil {
			n += w.N
		}
	}
	return n, nil
}

// Approvable returns a counter for the navigation: the waiting requests of a kind that the reader may approve.
func (s *Site) Approvable(kind string) web.Counter {
	return func(ctx context.Context, who *web.Reader) (web.Count, error) {
		n, err := s.CountApprovable(ctx, who, kind)
		return web.Count{N: int(n), Word: "waiting"}, err
	}
}

// Queue has the addresses of the rows before and after a page's object in the list from which the reader opened it.
type Queue struct{ Word, Previous, Next string }

// NewQueue reads the neighbors of the object at a place in a list, and adds keys that lead to them. word is what one such
// object is called.
func NewQueue[T any](p *web.Page, word string, place models.Cursor, list func(models.Cursor) (models.Page[T], error),
	href func(T) string) (q Queue, err error) {
	q.Word = word
	p.Keys = append(p.Keys, web.QueueKey{Key: "j", Word: "Next " + word}, web.QueueKey{Key: "k", Word: "Previous " + word})
	for newer, to := range map[bool]*string{true: &q.Previous, false: &q.Next} {
		place.Newer = newer
		page, err := list(place)
		if err != nil {
			return q, err
		}
		if len(page.Rows) > 0 {
			*to = href(page.Rows[0])
		}
	}
	return q, nil
}

// DecisionFailed shows on a request's page why a decision changed nothing, if err is an ApprovalError or one of known. It
// returns any other error.
func (s *Site) DecisionFailed(c *fiber.Ctx, path string, err error, known ...error) error {
	var refused models.ApprovalError
	expected := errors.As(err, &refused)
	for _, k := range known {
		expected = expected || errors.Is(err, k)
	}
	if !expected {
		return err
	}
	return s.Flash(c, path, views.Warning("Nothing has changed", web.Sentence(RootText(err))))
}
