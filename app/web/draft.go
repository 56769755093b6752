package web

import (
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/credentials"
	"pitboss/views"
)

// A form is answered with a redirect to the next page, so Back and Reload never ask whether to send the form again. The address
// of that page contains the values of the form: a draft, sealed for the page and the person. Nothing is stored, so any instance
// can show the page, even after the person has signed in again. Only the final POST, with the session's token, changes
// anything.

const (
	draftName     = "draft"
	draftLostText = "What was typed is kept for 12 hours, and only for the person who typed it. Nothing has changed."

	signedInAgainText = "You have signed in again since you opened this form. Check it, then send it."

	draftLasts   = 12 * time.Hour
	LongestDraft = 7 << 10 // bytes in the address; proxies commonly accept addresses of 8 KB

	// Nobody owns drafts typed while signed out. Such a draft only fills in a form, as a link with parameters does.
	Nobody = 0
)

// Draft has the values that somebody has entered into a form.
type Draft struct {
	At     time.Time         `json:"a"`
	Values map[string]string `json:"v"`
	Wrong  map[string]string `json:"w,omitempty"` // errors by field
}

// ErrDraftLong is returned for a draft that does not fit into an address. A draft is never cut: half of a pasted sheet would
// look whole.
var ErrDraftLong = errors.New("the draft is too long for an address")

// SealDraft returns a draft for the address of the page at path, or ErrDraftLong.
func (s *Site) SealDraft(path string, staffID int64, d Draft) (string, error) {
	bytes := 0
	for _, fields := range []map[string]string{d.Values, d.Wrong} {
		for name, value := range fields {
			bytes += len(name) + len(value)
		}
	}
	if bytes > LongestDraft { // before any work, because the sender chooses the length
		return "", ErrDraftLong
	}
	d.At = s.Now()
	text, err := json.Marshal(d)
	sealed := s.Sealer.Seal(staffID, path, string(text))
	if len(sealed) > LongestDraft {
		return "", ErrDraftLong
	}
	return sealed, err
}

// OpenDraft returns the draft that was sealed for the page at path and this member of staff, or credentials.ErrSealed if there
// is none or it is too old.
func (s *Site) OpenDraft(path string, staffID int64, sealed string) (d Draft, err error) {
	text, err := s.Sealer.Open(staffID, path, sealed)
	if err == nil && (json.Unmarshal([]byte(text), &d) != nil || s.Now().Sub(d.At) > draftLasts) {
		err = credentials.ErrSealed
	}
	return d, err
}

// neverKept are the fields that do not go into a draft.
var neverKept = []string{"csrf", "password", "code", draftName}

// QueryWithoutDraft returns the query of a form's request without the draft, for a following page that must not show the form's
// values.
func QueryWithoutDraft(c *fiber.Ctx) string {
	query, err := url.ParseQuery(string(c.Request().URI().QueryString()))
	if err != nil {
		return ""
	}
	return Without(query, draftName)
}

// takeDraft fills in the form from the draft in the address. If the draft cannot be read, it redirects to the page
// without one.
func (s *Site) takeDraft(c *fiber.Ctx, r Route) error {
	text := c.Query(draftName)
	if !Safe(c) || text == "" || r.Needs == Public {
		return nil
	}
	d, err := s.OpenDraft(c.Path(), ReaderOf(c).ID, text)
	if err != nil {
		d, err = s.OpenDraft(c.Path(), Nobody, text)
	}
	if err != nil {
		return s.Flash(c, c.Path(), views.Info("This form is empty again", draftLostText))
	}
	NewForm(c).fill(&d)
	return nil
}

// ShowAgain redirects to the page at path, which shows the typed values and their errors. more are additional values. If the
// draft is too long for an address, the answer to the form is the page itself, without a redirect.
func (s *Site) ShowAgain(c *fiber.Ctx, f *Form, path string, more ...views.Hidden) error {
	address, err := s.draftAddress(c, f, path, more...)
	if errors.Is(err, ErrDraftLong) {
		return s.showAtOnce(c, f, path, more)
	}
	if err != nil {
		return err
	}
	return c.Redirect(address, fiber.StatusSeeOther)
}

// showAtOnce answers with the page at path. The page gets the parameters of the form's own address.
func (s *Site) showAtOnce(c *fiber.Ctx, f *Form, path string, more []views.Hidden) error {
	values := f.Values()
	for _, h := range more {
		values[h.Name] = h.Value
	}
	f.fill(&Draft{Values: values})
	if r, there := s.pageAt(path); there {
		return r.Handle(c)
	}
	return NotFound("page")
}

// draftAddress returns the address of the page at path with the typed values.
func (s *Site) draftAddress(c *fiber.Ctx, f *Form, path string, more ...views.Hidden) (string, error) {
	values := f.Values()
	for _, h := range more {
		values[h.Name] = h.Value
	}
	owner := int64(Nobody)
	if who := ReaderOf(c); who != nil {
		owner = who.ID
	}
	sealed, err := s.SealDraft(path, owner, Draft{Values: values, Wrong: f.Wrong})
	return path + "?" + draftName + "=" + sealed, err
}

// Unchanged returns the address of the page at path with the typed values but without errors: the way back from a confirmation
// page.
func (s *Site) Unchanged(c *fiber.Ctx, f *Form, path string) (string, error) {
	address, err := s.draftAddress(c, &Form{C: c, kept: f.kept}, path)
	if errors.Is(err, ErrDraftLong) {
		return path, nil
	}
	return address, err
}

// RefusedOtherThan reports whether the form has errors other than the password's, which a confirmation page asks for itself.
func (f *Form) RefusedOtherThan(password string) bool {
	_, wrong := f.Wrong[password]
	return len(f.Wrong) > 1 || len(f.Wrong) == 1 && !wrong
}

// keepForm redirects a reader whose session has ended to the form with its values, through the sign-in page unless they have
// signed in again in another tab. It returns false if the form is not kept.
func (s *Site) keepForm(c *fiber.Ctx, r Route) (bool, error) {
	address, err := s.keptForm(c, r)
	if address == "" || err != nil {
		return err != nil, err
	}
	if ReaderOf(c) != nil {
		return true, s.Flash(c, address, views.Info("Nothing was sent", signedInAgainText))
	}
	return true, c.Redirect("/signin?next="+EscapeQuery(address), fiber.StatusSeeOther)
}

// keptForm returns the address of a form's page with its values, or "" if the form is not kept.
func (s *Site) keptForm(c *fiber.Ctx, r Route) (string, error) {
	page := r.Form
	if page == "" || c.Get("HX-Request") != "" {
		return "", nil
	}
	if id := c.Params("id"); id != "" {
		page = strings.Replace(page, ":id", id, 1)
	}
	address, err := s.draftAddress(c, NewForm(c), page)
	if errors.Is(err, ErrDraftLong) {
		return "", nil
	}
	return address, err
}
