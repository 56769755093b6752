package web

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"pitboss/models"
	"pitboss/views"
)

// MaxReason is how many characters of a reason are kept.
const MaxReason = 500

// RequireReason refuses a reason that is missing or longer than a change request keeps.
func (f *Form) RequireReason(name string) {
	switch n := utf8.RuneCountInString(f.Text(name)); {
	case n == 0:
		f.Refuse(name, "Say why.")
	case n > models.MaxChangeReason:
		f.Refuse(name, fmt.Sprintf("A reason has at most %s characters.", Grouped(models.MaxChangeReason)))
	}
}

// FileName returns a file's own name, without the path that some browsers send.
func FileName(s string) string {
	s = filepath.Base(strings.ReplaceAll(strings.ToValidUTF8(s, "?"), "\\", "/"))
	if r := []rune(s); len(r) > 200 {
		s = string(r[:200])
	}
	return s
}

// Form is a form that was sent: its values and their errors.
type Form struct {
	C     *fiber.Ctx
	kept  *Draft // typed on an earlier page; nil if the request itself sends the form
	Wrong map[string]string
	// Skipped are the lines that the form's sender goes on without; see ReadFile
	Skipped models.SkippedLines
}

// NewForm returns the form that the request sends, or the form whose draft is in the address. It is the same one for the whole
// request, so a handler that has refused it shows it again by calling the handler of its page.
func NewForm(c *fiber.Ctx) *Form {
	f, made := c.Locals(formKey).(*Form)
	if !made {
		f = &Form{C: c, Wrong: map[string]string{}}
		c.Locals(formKey, f)
	}
	return f
}

// fill fills in a form from a draft.
func (f *Form) fill(d *Draft) {
	f.kept = d
	maps.Copy(f.Wrong, d.Wrong)
}

// Typed reports whether the reader has typed into the form: the request sends it, or its draft is in the address.
func (f *Form) Typed() bool { return f.kept != nil || f.C.Method() == fiber.MethodPost }

// Raw returns a field exactly as it was typed.
func (f *Form) Raw(name string) string {
	if f.kept != nil {
		return f.kept.Values[name]
	}
	return Posted(f.C, name)
}

// Text returns a field without surrounding blanks. Bytes that are not valid UTF-8 become the replacement character, because
// databases refuse them.
func (f *Form) Text(name string) string {
	return strings.TrimSpace(strings.ToValidUTF8(f.Raw(name), "\ufffd"))
}

// named returns the text and number that identify the object of a field: from the form if it was sent, or else from the
// address. If the text was deleted, there is no number.
func (f *Form) named(name string) (text, number string) {
	if !f.Typed() {
		return f.C.Query(name), f.C.Query(numberOf(name))
	}
	text = strings.ToValidUTF8(f.Raw(name), "\ufffd")
	if strings.TrimSpace(text) == "" {
		return "", ""
	}
	return text, f.Raw(numberOf(name))
}

// set replaces the value of a field.
func (f *Form) set(name, value string) {
	if f.kept != nil {
		f.kept.Values[name] = value
	} else if f.Typed() {
		f.C.Request().PostArgs().Set(name, value)
	}
}

// Values returns the typed values by field name, except fields that are never kept.
func (f *Form) Values() map[string]string {
	values := map[string]string{}
	if f.kept != nil {
		maps.Copy(values, f.kept.Values)
	}
	for name, value := range f.C.Request().PostArgs().All() {
		values[string(name)] = string(value)
	}
	if sent, err := f.C.MultipartForm(); err == nil {
		for name, list := range sent.Value {
			values[name] = list[0]
		}
	}
	for _, name := range neverKept {
		delete(values, name)
	}
	return values
}

// Refuse sets the error message of a field. If the field already has one, the first stays.
func (f *Form) Refuse(name, why string) {
	if _, refused := f.Wrong[name]; !refused {
		f.Wrong[name] = why
	}
}

// Ok reports whether nothing was refused.
func (f *Form) Ok() bool { return len(f.Wrong) == 0 }

// Field returns a text field with its typed value. A password is not sent back.
func (f *Form) Field(v views.Field) views.Field {
	if v.ID == "" {
		v.ID = "f-" + v.Name
	}
	if v.Type != "password" && f.Typed() {
		v.Value = f.Raw(v.Name)
	}
	v.Wrong = Sentence(f.Wrong[v.Name])
	return v
}

// Choices returns the options of a select, from pairs of value and words.
func Choices(chosen string, pairs ...string) []views.Choice {
	var list []views.Choice
	for i := 0; i+1 < len(pairs); i += 2 {
		list = append(list, views.Choice{Value: pairs[i], Word: pairs[i+1], Chosen: pairs[i] == chosen})
	}
	return list
}

// RenderForm answers with the page of a form: with status 422 if the form was refused.
func (s *Site) RenderForm(c *fiber.Ctx, refused bool, name string, page pager, layout ...string) error {
	if refused {
		c.Status(fiber.StatusUnprocessableEntity)
	}
	return s.Render(c, name, page, layout...)
}

// Done redirects after a change, and leaves a message that the next page shows.
func (s *Site) Done(c *fiber.Ctx, to, message string) error {
	return s.Flash(c, to, views.Note{Kind: "done", Icon: "check", Text: message})
}

// Flash redirects with a message of any kind.
func (s *Site) Flash(c *fiber.Ctx, to string, note views.Note) error {
	b, err := json.Marshal(note)
	if err != nil {
		return err
	}
	if err := s.SetValue(c, valueFlash, string(b)); err != nil {
		return err
	}
	return c.Redirect(to, fiber.StatusSeeOther)
}

// Number returns the internal ID in an address. If there is no valid one, it returns the problem that there is no such page.
func Number(c *fiber.Ctx, name string) (int64, error) {
	n, err := strconv.ParseInt(c.Params(name), 10, 64)
	if err != nil || n < 1 {
		return 0, NotFound("page")
	}
	return n, nil
}

// Find reads the object whose number the address of a page has. If there is none, the error is NotFound(thing).
func Find[T any](c *fiber.Ctx, thing string, read func(context.Context, int64) (T, bool, error)) (found T, err error) {
	id, err := Number(c, "id")
	if err != nil {
		return found, NotFound(thing)
	}
	found, there, err := read(c.UserContext(), id)
	if err == nil && !there {
		err = NotFound(thing)
	}
	return found, err
}

// Local returns an address from a form or a link if it belongs to this site, or else the fallback.
func Local(address, fallback string) string {
	u, err := url.Parse(address)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") ||
		strings.ContainsAny(address, "\\\r\n\t") {
		return fallback
	}
	return address
}

// PostedAll returns all values of a field that may be sent several times.
func PostedAll(c *fiber.Ctx, name string) []string {
	var values []string
	for _, v := range c.Request().PostArgs().PeekMulti(name) {
		values = append(values, string(v))
	}
	return values
}
