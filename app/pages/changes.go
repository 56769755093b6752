package pages

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// ChangeTitle returns the subject of a change in a few words, with the client's name if it is about a client.
func ChangeTitle(r models.ChangeRequest) string {
	kind, known := r.Subject.Kind()
	title := kind.Title
	if !known {
		title = web.FirstUpper(string(r.Subject))
	}
	if name := r.Client(); name != "" {
		title += " " + name
	}
	return title
}

// ChangeRows returns the rows of a change, each with the value before and after.
func ChangeRows(r models.ChangeRequest) []views.Change {
	var sheet models.RateSheet
	var was, is models.Thresholds
	kind, _ := r.Subject.Kind()
	switch {
	case r.Subject == models.ChangeThresholds && errors.Join(unmarshalled(r.Before, &was), unmarshalled(r.After, &is)) == nil:
		return thresholdChanges(was, is)
	case kind.New != nil:
		before, after := kind.New(), kind.New()
		if errors.Join(unmarshalled(r.Before, before), unmarshalled(r.After, after)) == nil {
			return ValueChanges(before, after)
		}
	case r.Subject == models.ChangeRates && unmarshalled(r.After, &sheet) == nil:
		return RateChanges(sheet)
	case r.Subject == models.ChangeAccounts:
		if accounts, err := models.ParseAccountReview(r.After); err == nil {
			return ReviewChanges(nil, accounts)
		}
	case r.Subject == models.ChangeAPISecret:
		want, _, _ := models.ParseAPISecretRequest(r.After)
		before := "the one of now, for " + web.Several(int64(want.Overlap), "more hour", "more hours")
		if strings.Contains(r.Before, `"secret_at":""`) {
			before = "none"
		}
		return []views.Change{{What: "Secret of " + want.Name, Before: before, After: "a new one"}}
	}
	return []views.Change{{What: ChangeTitle(r), Before: r.Before, After: r.After}}
}

// ValueChanges returns the fields in which two values of the same type differ, with the names that they have on the settings
// pages. Amounts are written as amounts.
func ValueChanges(before, after any) (rows []views.Change) {
	was, is := map[string]string{}, map[string]string{}
	addFields(was, "", reflect.ValueOf(before))
	addFields(is, "", reflect.ValueOf(after))
	all := maps.Clone(was)
	maps.Copy(all, is)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		row := views.Change{What: web.FirstUpper(cmp.Or(name, "value")), Before: "not set", After: "not set"}
		if word, had := was[name]; had {
			row.Before = cmp.Or(word, "none")
		}
		if word, has := is[name]; has {
			row.After = cmp.Or(word, "none")
		}
		if !row.Same() {
			rows = append(rows, row)
		}
	}
	return rows
}

// addFields adds the fields of a value. A nested field's name follows the name of the field that contains it.
func addFields(fields map[string]string, path string, v reflect.Value) {
	within := func(name string) string { return strings.Trim(path+", "+name, ", ") }
	if text, is := v.Interface().(fmt.Stringer); is && v.Kind() != reflect.Pointer {
		fields[path] = text.String()
		if amount, is := text.(models.Amount); is {
			fields[path] = amount.Grouped()
		}
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		addFields(fields, path, v.Elem())
	case reflect.Map:
		for _, key := range v.MapKeys() {
			addFields(fields, within(key.String()), v.MapIndex(key))
		}
	case reflect.Struct:
		for _, f := range reflect.VisibleFields(v.Type()) {
			if !f.Anonymous {
				word, named := settingWords[f.Name]
				if !named {
					word = fieldWords(f.Name)
				}
				addFields(fields, within(word), v.FieldByIndex(f.Index))
			}
		}
	case reflect.Slice:
		words := make([]string, v.Len())
		for i := range words {
			words[i] = fmt.Sprint(v.Index(i))
		}
		fields[path] = strings.Join(words, ", ")
	default:
		fields[path] = valueWord(v.Interface())
	}
}

// settingWords has the names of fields on the pages of settings and clients that differ from the field's own name. An empty
// name means that only the nested fields have names.
var settingWords = map[string]string{
	"Limits": "", "SpinCost": "one spin counts as", "Cost": "limits on cost",
	"SpinsPerGrant": "spins in one grant", "PlayerGrantsPerDay": "grants to one player a day",
	"PlayerSpinsPerDay": "spins to one player a day", "StaffGrantsPerDay": "grants by one person a day",
	"StaffSpinsPerDay": "spins by one person a day", "HouseSpinsPerDay": "spins by all staff a day",
	"Grant": "one grant", "PlayerPerDay": "one player a day", "HousePerDay": "all staff a day",
	"IdleMinutes": "idle timeout (minutes)", "SessionHours": "maximum session (hours)",
	"ConfirmMinutes": "ask for the password again after (minutes)", "SecondFactorRoles": "roles that need a second factor",
	"LockAfter": "lock after (failed sign-ins)", "LockMinutes": "lock for (minutes)",
	"UnusedDays": "disable unused accounts after (days)", "OldPasswords": "passwords that cannot be reused",
	"LinkHours": "password links expire after (hours)",
	"PerMinute": "calls a minute", "Cash": "cash in one call", "CashPerDay": "cash in a day",
	"CashPerPlayer": "cash in a day with one player", "ApproveAbove": "cash-outs that finance approves", "Events": "told about", "Test": "test players only",
}

// ChangeLine is a change request as a line of a list.
type ChangeLine struct {
	models.ChangeRequest
	Href, Title string
	Moment      views.Moment
}

// ChangeLines returns the lines of change requests.
func ChangeLines(p *web.Page, list []models.ChangeRequest) []ChangeLine {
	lines := make([]ChangeLine, len(list))
	for i, r := range list {
		lines[i] = ChangeLine{r, ChangePath(r.ID), ChangeTitle(r), p.Time(r.At)}
	}
	return lines
}

// ChangeForm is the part that all forms for changes by two people share. Pages embed it.
type ChangeForm struct {
	Waiting []ChangeLine // about the same subjects
	Reason  views.Field
}

// ChangeForm returns the form for changes of subjects that share a rule, or of all subjects if it names none.
func (s *Site) ChangeForm(c *fiber.Ctx, p *web.Page, f *web.Form,
	subjects ...models.ChangeSubject) (form ChangeForm, err error) {
	form.Reason = f.Field(views.Field{Name: "reason", Required: true, Autocomplete: "off"})
	waiting, err := s.Store.WaitingChanges(c.UserContext())
	if err != nil {
		return form, err
	}
	for _, line := range ChangeLines(p, waiting) {
		if len(subjects) == 0 || slices.Contains(subjects, line.Subject) {
			form.Waiting = append(form.Waiting, line)
		}
	}
	return form, nil
}

// LastChange says when a setting was last changed, and by whom.
type LastChange struct {
	At   views.Moment
	By   string
	Href string // the address of its changes; empty if the reader may not view them
}

// LastChange returns the last change of a setting, or nil if it never changed.
func (s *Site) LastChange(c *fiber.Ctx, p *web.Page, setting string) (*LastChange, error) {
	found, err := s.Store.AuditEvents(c.UserContext(), models.AuditFilter{Object: "setting", ObjectID: setting, Span: models.Span{Limit: 1}})
	if err != nil || len(found.Rows) == 0 {
		return nil, err
	}
	last := &LastChange{At: p.Time(found.Rows[0].At), By: found.Rows[0].Actor.Name}
	if p.Can(web.ReadAudit) {
		last.Href = "/audit?" + url.Values{"object": {"setting"}, "id": {setting}}.Encode()
	}
	return last, nil
}

// SecondForm is the part of a page's second form that it does not share with the first.
type SecondForm struct {
	Reason  views.Field
	Confirm *views.Field
}

// Second returns the fields of a page's second form, whose IDs begin with prefix. Values and errors stay in the form that was
// sent, which is the second one if second is true.
func (form *ChangeForm) Second(p *web.Page, prefix string, second bool) (other SecondForm) {
	blank := func(v *views.Field) { v.Value, v.Wrong = "", "" }
	other.Reason = form.Reason
	other.Reason.ID = prefix + "reason"
	if p.Confirm != nil {
		first, again := *p.Confirm, *p.Confirm
		again.ID = prefix + "password"
		p.Confirm, other.Confirm = &first, &again
	}
	reason, confirm := &other.Reason, other.Confirm
	if second {
		reason, confirm = &form.Reason, p.Confirm
	}
	blank(reason)
	if confirm != nil {
		blank(confirm)
	}
	return other
}

// SendChange requests a change in the reader's name and redirects to its page. If the form has errors or no reason, it shows
// the form again instead.
func (s *Site) SendChange(c *fiber.Ctx, f *web.Form, back string, subject models.ChangeSubject, value any,
	show fiber.Handler) error {
	f.RequireReason("reason")
	if !f.Ok() {
		return show(c)
	}
	signer := s.Signer(c)
	signer.Actor = signer.Skipping(f.Skipped)
	r, err := s.Store.RequestChange(c.UserContext(), signer, subject, value, f.Text("reason"))
	if err != nil {
		return s.RequestFailed(c, back, err)
	}
	return s.Done(c, ChangePath(r.ID), "The change is requested. It takes effect when a second person approves it.")
}

// HalfPage shows one half of an API client's new secret, once.
type HalfPage struct {
	web.Page
	Half    string
	Second  bool
	Hooked  bool   // the client has a webhook
	Webhook string // the webhook's secret; empty if there is no webhook
	Back    string
}

// ShowHalf shows half a secret.
func (s *Site) ShowHalf(c *fiber.Ctx, page *HalfPage) error { return s.Render(c, "clients/half", page) }

// RequestFailed shows why a change was not requested, if err says so. It returns any other error.
func (s *Site) RequestFailed(c *fiber.Ctx, back string, err error) error {
	var pending models.ChangePendingError
	switch {
	case errors.As(err, &pending):
		return s.Flash(c, ChangePath(pending.ID), views.Info("Nothing was requested", web.Sentence(err.Error())))
	case errors.Is(err, models.ErrChangeSame):
		return s.Flash(c, back, views.Info("", "Nothing was requested: these values are already in effect."))
	case errors.Is(err, models.ErrSignerChanged):
		return s.Flash(c, back, views.Warning("", web.Sentence(RootText(err))))
	}
	return err
}

// GrantLimitFields has the limits on grants and spins: each field's name, its label, and where its value is.
var GrantLimitFields = []struct {
	Name, Word string
	Of         func(*models.GrantLimits) *int64
}{
	{"grant", "Spins in one grant", func(l *models.GrantLimits) *int64 { return &l.SpinsPerGrant }},
	{"player-grants", "Grants to one player a day", func(l *models.GrantLimits) *int64 { return &l.PlayerGrantsPerDay }},
	{"player-spins", "Spins to one player a day", func(l *models.GrantLimits) *int64 { return &l.PlayerSpinsPerDay }},
	{"staff-grants", "Grants by one person a day", func(l *models.GrantLimits) *int64 { return &l.StaffGrantsPerDay }},
	{"staff-spins", "Spins by one person a day", func(l *models.GrantLimits) *int64 { return &l.StaffSpinsPerDay }},
	{"all-spins", "Spins by all staff a day", func(l *models.GrantLimits) *int64 { return &l.HouseSpinsPerDay }},
}

// CostFields has the limits on cost.
var CostFields = []struct {
	Name, Word string
	Of         func(*models.GrantCost) *models.Amount
}{
	{"grant", "One grant", func(c *models.GrantCost) *models.Amount { return &c.Grant }},
	{"player", "One player a day", func(c *models.GrantCost) *models.Amount { return &c.PlayerPerDay }},
	{"all", "All staff a day", func(c *models.GrantCost) *models.Amount { return &c.HousePerDay }},
}

// ClientWord is one of an API client's terms: its name, and its value in words.
type ClientWord struct{ What, Words string }

// ClientWords returns the terms of an API client in words.
func ClientWords(t models.APITerms) []ClientWord {
	scopes := make([]string, len(t.Scopes))
	for i, s := range t.Scopes {
		scopes[i] = string(s)
	}
	players := "all"
	if t.Test {
		players = "test players only"
	}
	return []ClientWord{{"Name", t.Name}, {"Scopes", strings.Join(scopes, ", ")}, {"Networks", cmp.Or(t.Networks, "any")},
		{"Players", players}, {"Calls a minute", web.Grouped(int64(t.PerMinute))},
		{"Cash in one call", cmp.Or(t.Cash, "none")}, {"Cash in a day", cmp.Or(t.CashPerDay, "no limit")},
		{"Cash in a day with one player", cmp.Or(t.CashPerPlayer, "no limit")},
		{"Cash-outs that finance approves", above(t.ApproveAbove)},
		{"Webhook", cmp.Or(t.Webhook, "none")}, {"Told about", cmp.Or(strings.Join(t.Events, ", "), "nothing")}}
}

func above(limits string) string {
	if limits == "" {
		return "none"
	}
	return "above " + limits
}

// unmarshalled decodes a value from JSON. An empty text leaves it as it is.
func unmarshalled(text string, into any) error {
	if text == "" {
		return nil
	}
	return json.Unmarshal([]byte(text), into)
}

// ReviewChanges compares the accounts of a review with those of the earlier one, if there is one.
func ReviewChanges(was, is []models.ReviewedAccount) (rows []views.Change) {
	words := func(list []models.ReviewedAccount, of models.ReviewedAccount, otherwise string) string {
		i := slices.IndexFunc(list, func(a models.ReviewedAccount) bool { return a.ID == of.ID })
		if i < 0 {
			return otherwise
		}
		return string(list[i].Role) + ", " + list[i].SignsIn
	}
	for _, a := range is {
		rows = append(rows, views.Change{What: a.Username, Before: words(was, a, "none"), After: words(is, a, "")})
	}
	for _, a := range was {
		if gone := words(is, a, ""); gone == "" {
			rows = append(rows, views.Change{What: a.Username, Before: words(was, a, ""), After: "disabled"})
		}
	}
	return rows
}
