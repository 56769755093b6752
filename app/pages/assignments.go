package pages

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Cases and corrections are assigned to colleagues. A filter finds them by owner, every page counts them in the same way, and
// keys lead from one to the next.

// Unassigned is the value for nobody in the filter by owner.
const Unassigned = "-"

// ManyCases limits how many cases every page counts.
const ManyCases = 10_000

// MaxColleagues limits the choice of colleagues.
const MaxColleagues = 500

// Colleagues returns the usernames of staff who have a permission, sorted.
func (s *Site) Colleagues(ctx context.Context, what web.Permission) (names []string, err error) {
	list, err := s.Store.ListStaff(ctx, models.StaffFilter{State: "enabled", Span: models.Span{Limit: MaxColleagues}})
	if err != nil {
		return nil, err
	}
	for _, one := range list.Rows {
		allowed := web.May(one.Role, what)
		if allowed {
			names = append(names, one.Username)
		}
	}
	return names, nil
}

// ownerWords returns the choices of a filter by owner, alternating values and words.
func ownerWords(reader string, names []string) []string {
	words := []string{"", "Anyone", reader, "You", Unassigned, "Unassigned"}
	for _, name := range names {
		if name != reader {
			words = append(words, name, name)
		}
	}
	return words
}

// OwnerFilter reads a filter by owner. It offers staff with the permission, but accepts others too, who may have had the
// permission earlier.
func (s *Site) OwnerFilter(ctx context.Context, page *web.Page, name, label string, what web.Permission) (string, error) {
	names, err := s.Colleagues(ctx, what)
	if err != nil {
		return "", err
	}
	chosen := strings.TrimSpace(page.Params.Get(name))
	words := ownerWords(page.Reader.Username, names)
	if chosen != "" && !slices.Contains(words, chosen) {
		_, found, err := s.Store.StaffNamed(ctx, chosen)
		if err != nil {
			return "", err
		}
		if found {
			words = append(words, chosen, chosen)
		}
	}
	return page.Choice(name, label, words), nil
}

// Assignment is the form that assigns a case or a correction.
type Assignment struct {
	Path, Seen string
	CSRF       string
	Choices    []views.Choice
	Why        views.Field // the text for the new owner
	Wrong      string
}

// NewAssignment returns the form that assigns a case or correction to one of names. owner is its present owner, and f the form
// on the page.
func NewAssignment(p *web.Page, f *web.Form, path, owner string, names []string) *Assignment {
	return &Assignment{Path: path, Seen: owner, CSRF: p.CSRF, Choices: Owners(p, owner, names),
		Why: f.Field(views.Field{Name: why, Label: "Why", Max: web.MaxReason, Autocomplete: "off"}), Wrong: f.Wrong[assignee]}
}

// Owners returns the choice of nobody or one of names.
func Owners(p *web.Page, chosen string, names []string) []views.Choice {
	words := []string{Unassigned, "Unassigned"}
	for _, name := range names {
		word := name
		if name == p.Reader.Username {
			word += " (you)"
		}
		words = append(words, name, word)
	}
	return web.Choices(cmp.Or(chosen, Unassigned), words...)
}

// The fields for the colleague and for what that colleague should know.
const (
	assignee = "assignee"
	why      = "why"
)

// Assignee returns the colleague whom the reader chose, or an empty name for nobody, and what that colleague should know.
// chosen is false if the form has no such choice. A name that is not in names, or a text that is too long, is refused at its
// field.
func Assignee(f *web.Form, names []string) (name, told string, chosen bool) {
	if told = f.Text(why); utf8.RuneCountInString(told) > web.MaxReason {
		f.Refuse(why, fmt.Sprintf("This has at most %d characters. Put the rest into a comment.", web.MaxReason))
	}
	switch name = f.Text(assignee); {
	case name == "":
		return "", "", false
	case name == Unassigned:
		return "", told, true
	case !slices.Contains(names, name):
		f.Refuse(assignee, "“"+name+"” cannot decide this: the account is disabled, has another role, or does not count as a "+
			"second person here. Choose a colleague from the list.")
	}
	return name, told, true
}

// HandOver says which colleague assigned something, and why.
type HandOver struct{ By, Why string }

// HandedOver returns who assigned a case or correction to its owner, and why. It returns nothing if the owner took it.
func (s *Site) HandedOver(ctx context.Context, object, action string, id int64, owner string) (h HandOver, err error) {
	of := models.HistoryOf(object, id, 1)
	of.Action = action
	found, err := s.Store.AuditEvents(ctx, of)
	if err != nil || len(found.Rows) == 0 {
		return h, err
	}
	if e := found.Rows[0]; e.After == owner && e.Actor.Name != owner {
		h = HandOver{e.Actor.Name, e.Reason}
	}
	return h, nil
}

// AssignedWords returns a sentence about what an assignment did.
func AssignedWords(what, name string) string {
	if name == "" {
		return what + " is unassigned."
	}
	return what + " is assigned to " + name + "."
}
