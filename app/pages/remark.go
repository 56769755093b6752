package pages

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Remark is the form on the page of a transaction, round, callback or grant with which staff comment on it, or hand it over to
// a colleague.
type Remark struct {
	CSRF, Back, Object, ID string
	Text                   views.Field
	To                     views.Select
}

// NewRemark returns the form, or nil if the reader may not answer players.
func (s *Site) NewRemark(c *fiber.Ctx, p *web.Page, object, id string) (*Remark, error) {
	if !p.Can(web.AnswerPlayers) {
		return nil, nil
	}
	names, err := s.Colleagues(c.UserContext(), web.WorkCases)
	words, f := []string{"", "Nobody: only a comment"}, web.NewForm(c)
	for _, name := range names {
		if name != p.Reader.Username {
			words = append(words, name, name)
		}
	}
	return &Remark{CSRF: p.CSRF, Back: p.Path, Object: object, ID: id,
		Text: views.Field{ID: "f-remark", Name: "remark", Value: f.Raw("remark"), Required: true, Max: web.MaxReason,
			Wrong: web.Sentence(f.Wrong["remark"])},
		To: views.Select{ID: "f-to", Name: "to", Wrong: web.Sentence(f.Wrong["to"]), Choices: web.Choices(f.Raw("to"), words...)}}, err
}

// Comments returns the comments on an object, for its timeline.
func (s *Site) Comments(ctx context.Context, p *web.Page, object, id string) (events []views.Event, err error) {
	found, err := s.Store.AuditEvents(ctx, models.AuditFilter{Object: object, ObjectID: id, Changes: true,
		Span: models.Span{Limit: casesOfThing}})
	for _, e := range found.Rows {
		if e.Action == object+models.Commented {
			events = append(events, views.Event{At: p.Time(e.At), Node: "staff", Who: e.Actor.Name, Text: " wrote", Quote: e.Reason})
		}
	}
	return events, err
}

// Remarked saves the reader's text as a comment, or as a case for the chosen colleague.
func (s *Site) Remarked(c *fiber.Ctx) error {
	ctx, f, back := c.UserContext(), web.NewForm(c), web.Local(web.Posted(c, "back"), "/")
	r := models.Remark{Object: f.Text("object"), ObjectID: f.Text("id"), Text: f.Text("remark")}
	var found bool
	var err error
	if r.About, found, err = s.remarkable(ctx, r.Object, r.ObjectID); err == nil && !found {
		err = web.NotFound(r.Object)
	}
	if err != nil {
		return err
	}
	if n := utf8.RuneCountInString(r.Text); n == 0 || n > web.MaxReason {
		f.Refuse("remark", fmt.Sprintf("Write 1 to %d characters.", web.MaxReason))
	}
	names, err := s.Colleagues(ctx, web.WorkCases)
	if err != nil {
		return err
	}
	to := f.Text("to")
	if to != "" && !slices.Contains(names, to) {
		f.Refuse("to", "“"+to+"” cannot work on cases. Choose a colleague from the list.")
	}
	switch {
	case !f.Ok():
		return s.ShowAgain(c, f, back)
	case to == "":
		if err := s.Store.CommentOn(ctx, s.Actor(c), r); err != nil {
			return err
		}
		return s.Done(c, back, "The comment is saved.")
	}
	id, err := s.Store.HandOver(ctx, s.Actor(c), r, to)
	if err != nil {
		return err
	}
	return s.Done(c, back, fmt.Sprintf("Handed over to %s as case %d.", to, id))
}

// remarkable returns what a case about an object would be about, or false if there is no such object.
func (s *Site) remarkable(ctx context.Context, object, id string) (about models.Finding, found bool, err error) {
	if object == "callback" {
		place, err := models.ParseCursor(id)
		if err != nil {
			return about, false, nil
		}
		c, found, err := s.Store.Callback(ctx, place)
		return models.Finding{PlayerID: c.PlayerID, Transaction: c.Transaction, TransactionID: c.TransactionID}, found, err
	}
	number, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return about, false, nil
	}
	switch object {
	case "transaction", "round":
		t, found, err := s.Store.Transaction(ctx, number)
		return models.Finding{PlayerID: t.PlayerID, Transaction: t.ID, TransactionID: t.TransactionID}, found, err
	case "grant":
		g, found, err := s.Store.Grant(ctx, number)
		return models.Finding{PlayerID: g.PlayerID, GrantID: g.ID}, found, err
	}
	return about, false, nil
}
