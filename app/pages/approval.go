package pages

import (
	"context"
	"errors"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Decision is what a page shows of a request that takes two people: who made it, what the reader may do about it, and who else
// can approve it. Its partials are in partials/approval.html.
type Decision struct {
	models.Approval
	Path   string // of the request; a decision is sent to an address below it
	Reason string // of the request
	Button string // what approving it does

	Decided                 views.Moment
	Decidable, Withdrawable bool
	Approvers               []models.Staff // who can decide a waiting request, if the reader cannot
	Why                     views.Field    // of a refusal
	Password                *views.Field
}

// Decide fills in what the reader may do about a request and who can approve it, by the rule that decides.
func (s *Site) Decide(c *fiber.Ctx, p *web.Page, f *web.Form, d *Decision, rule models.ApprovalRule) error {
	d.Decided = p.Time(d.DecidedAt)
	if d.State != models.ApprovalWaiting {
		return nil
	}
	ctx, by := c.UserContext(), s.Signer(c)
	decides := func(who models.Signer) error { return d.MayDecide(rule, who, p.Now) }
	d.Withdrawable, d.Decidable = d.MayWithdraw(by) == nil, decides(by) == nil
	d.Why = f.Field(views.Field{Name: "why", Autocomplete: "off", Max: models.MaxDecisionText})
	if d.Decidable || d.Withdrawable {
		d.Password = p.Confirm
	}
	var err error
	if !d.Decidable {
		d.Approvers, err = s.Approvers(ctx, rule.Checkers, decides)
	}
	return err
}

// ApprovalBadge returns the badge of a request's state.
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

// CountApprovable counts the waiting requests of some kinds that the reader may approve.
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

// Approvable returns the counter, for the navigation, of the waiting requests of a kind that the reader may approve.
func (s *Site) Approvable(kind string) web.Counter {
	return func(ctx context.Context, who *web.Reader) (web.Count, error) {
		n, err := s.CountApprovable(ctx, who, kind)
		return web.Count{N: int(n), Word: "waiting"}, err
	}
}

// Deciding is a request that the reader decides.
type Deciding struct {
	State models.ApprovalState
	Path  string                  // of the request
	Show  func(f *web.Form) error // shows the request again, with what is wrong in the form
	Known []error                 // why a decision changes nothing, besides an ApprovalError
}

// MakeDecision decides a request. decide returns what it has done in words, or nothing
// if it has answered.
func (s *Site) MakeDecision(c *fiber.Ctx, d Deciding, decide func(by models.Signer, f *web.Form) (string, error)) error {
	f := web.NewForm(c)
	if !f.Ok() {
		return d.Show(f)
	}
	done, err := decide(s.Signer(c), f)
	switch {
	case errors.Is(err, models.ErrDecisionText):
		f.Refuse("why", web.Sentence(models.ErrDecisionText.Error()))
		return d.Show(f)
	case err != nil:
		return s.DecisionFailed(c, d.Path, err, d.Known...)
	case done == "":
		return nil
	}
	return s.Done(c, d.Path, done)
}

// Queue has the addresses of the things before and after an open one, in the list from which the reader opened it.
type Queue struct{ Word, Previous, Next string }

// NewQueue reads the neighbors of the thing at a place in a list, and adds the keys for them. word says what the things are.
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

// DecisionFailed shows on a request's page why a decision changed nothing, if err is an ApprovalError or one of known.
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
