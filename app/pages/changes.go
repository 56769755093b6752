package pages

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// changeTitles are what change requests are about, in a few words.
var changeTitles = map[models.ChangeSubject]string{
	models.ChangeCorrectionLimits: "Single-approval limits",
	models.ChangeTwoPeople:        "Two-person rule",
	models.ChangeGrantLimits:      "Free-spin limits",
	models.ChangeSignInRules:      "Sign-in rules",
	models.ChangeAPIClient:        "API client",
	models.ChangeAPISecret:        "New secret of an API client",
	models.ChangeBaseCurrency:     "Base currency",
	models.ChangeRates:            "Exchange rates",
	models.ChangeGameReturns:      "Theoretical returns of games",
	models.ChangeThresholds:       "Thresholds that open cases",
	models.ChangeAccounts:         "Review of accounts",
}

// ChangeTitle returns what a change is about, in a few words.
func ChangeTitle(subject models.ChangeSubject) string {
	if title, known := changeTitles[subject]; known {
		return title
	}
	return web.FirstUpper(string(subject))
}

// ChangeRows returns the rows of a change, with the values before and after.
func ChangeRows(r models.ChangeRequest) []views.Change {
	switch r.Subject {
	case models.ChangeTwoPeople:
		days := func(value string) string {
			rules := models.DefaultTwoPeople
			if err := json.Unmarshal([]byte(value), &rules); err != nil && value != "" {
				return value
			}
			return web.Several(int64(rules.Days), "day", "days")
		}
		return []views.Change{{What: "Period after an account was changed", Before: days(r.Before), After: days(r.After)}}
	case models.ChangeGrantLimits:
		return grantLimitChanges(r)
	case models.ChangeSignInRules:
		return signInChanges(r)
	case models.ChangeRates, models.ChangeGameReturns, models.ChangeThresholds, models.ChangeBaseCurrency:
		return figureChanges(r)
	case models.ChangeAPIClient:
		return clientChanges(r)
	case models.ChangeAccounts:
		return reviewChanges(r)
	case models.ChangeAPISecret:
		want, _, _ := models.ParseAPISecretRequest(r.After)
		return []views.Change{{What: "Secret of " + want.Name, Before: "the one of now, for " +
			web.Several(int64(want.Overlap), "more hour", "more hours"), After: "a new one"}}
	case models.ChangeCorrectionLimits:
		before, after := limitsOf(r.Before), limitsOf(r.After)
		var rows []views.Change
		for _, role := range models.Roles {
			for _, currency := range append(before.currencies(role), after.currencies(role)...) {
				row := views.Change{What: string(role) + ", " + string(currency), Before: before.words(role, currency),
					After: after.words(role, currency)}
				if !containsChange(rows, row) {
					rows = append(rows, row)
				}
			}
		}
		return rows
	}
	return []views.Change{{What: ChangeTitle(r.Subject), Before: r.Before, After: r.After}}
}

// signInChanges returns the rules that a request would change.
func signInChanges(r models.ChangeRequest) (rows []views.Change) {
	before, after := models.DefaultSignInRules, models.SignInRules{}
	if r.Before != "" {
		before = models.SignInRules{}
	}
	if err := errors.Join(unmarshalled(r.Before, &before), unmarshalled(r.After, &after)); err != nil {
		return []views.Change{{What: ChangeTitle(r.Subject), Before: r.Before, After: r.After}}
	}
	add := func(what string, was, is any) {
		if fmt.Sprint(was) != fmt.Sprint(is) {
			rows = append(rows, views.Change{What: what, Before: fmt.Sprint(was), After: fmt.Sprint(is)})
		}
	}
	factors := func(rules models.SignInRules) string {
		var names []string
		for _, role := range models.Roles {
			if rules.RequiresTOTP(role) {
				names = append(names, string(role))
			}
		}
		return cmp.Or(strings.Join(names, ", "), "none")
	}
	add("Roles that need a second factor", factors(before), factors(after))
	add("Idle timeout (minutes)", before.IdleMinutes, after.IdleMinutes)
	add("Maximum session (hours)", before.SessionHours, after.SessionHours)
	add("Ask for the password again after (minutes)", before.ConfirmMinutes, after.ConfirmMinutes)
	add("Lock after (failed sign-ins)", before.LockAfter, after.LockAfter)
	add("Lock for (minutes)", before.LockMinutes, after.LockMinutes)
	add("Disable unused accounts after (days)", before.UnusedDays, after.UnusedDays)
	add("Passwords that cannot be reused", before.OldPasswords, after.OldPasswords)
	add("Password links expire after (hours)", before.LinkHours, after.LinkHours)
	return rows
}

func containsChange(rows []views.Change, row views.Change) bool {
	for _, r := range rows {
		if r == row {
			return true
		}
	}
	return false
}

// limitsOf returns the limits in a request, or none if they cannot be read.
func limitsOf(value string) aloneLimits {
	limits := aloneLimits{}
	json.Unmarshal([]byte(value), &limits) // the store has checked it
	return limits
}

type aloneLimits models.AloneLimits

func (l aloneLimits) currencies(role models.Role) (list []models.Currency) {
	for _, row := range LimitRows(models.AloneLimits(l)) {
		if row.Role == string(role) {
			list = append(list, models.Currency(row.Currency))
		}
	}
	return list
}

func (l aloneLimits) words(role models.Role, currency models.Currency) string {
	limit := models.AloneLimits(l).Of(role, currency)
	if limit.Amount <= 0 {
		return "none"
	}
	return limit.Amount.Grouped() + " per correction, " + limit.PerDay.Grouped() + " a day"
}

// ChangeLine is a request in a list.
type ChangeLine struct {
	models.ChangeRequest
	Href, Title string
	Moment      views.Moment
}

// ChangeLines returns the lines of changes.
func ChangeLines(p *web.Page, list []models.ChangeRequest) []ChangeLine {
	lines := make([]ChangeLine, len(list))
	for i, r := range list {
		lines[i] = ChangeLine{r, ChangePath(r.ID), ChangeTitle(r.Subject), p.Time(r.At)}
	}
	return lines
}

// RequestChange requests a change on behalf of the reader, who has given their password, and redirects to its page.
func (s *Site) RequestChange(c *fiber.Ctx, back string, subject models.ChangeSubject, value any, reason string) error {
	r, err := s.Store.RequestChange(c.UserContext(), s.Signer(c), subject, value, reason)
	if err != nil {
		return s.RequestFailed(c, back, err)
	}
	return s.Done(c, ChangePath(r.ID), "The change is requested. It takes effect when a second person approves it.")
}

// HalfPage shows half a new secret of an API client, once.
type HalfPage struct {
	web.Page
	Half    string
	Second  bool
	Hooked  bool   // the client has a webhook
	Webhook string // the secret of its webhook; empty if there is none
	Back    string
}

// ShowHalf shows half a secret.
func (s *Site) ShowHalf(c *fiber.Ctx, page *HalfPage) error { return s.Render(c, "clients/half", page) }

// RequestFailed shows why a change was not requested, if err says so.
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

// LimitRow is one role's limit in one currency.
type LimitRow struct {
	N                              int // makes its fields' IDs
	Currency, Amount, PerDay, Role string
	Roles                          []views.Choice
}

// LimitLines returns what a role may book without a second approver, one line for each currency.
func LimitLines(limits models.AloneLimits, role models.Role) (lines []string) {
	for _, row := range LimitRows(limits) {
		if row.Role == string(role) {
			l := limits[role][models.Currency(row.Currency)]
			lines = append(lines, l.Amount.Grouped()+" "+row.Currency+" per correction, "+
				l.PerDay.Grouped()+" "+row.Currency+" a day")
		}
	}
	return lines
}

// LimitRows returns the limits, sorted by role and then by currency.
func LimitRows(limits models.AloneLimits) (rows []LimitRow) {
	for _, role := range models.Roles {
		for _, currency := range slices.Sorted(maps.Keys(limits[role])) {
			l := limits[role][currency]
			rows = append(rows, LimitRow{Role: string(role), Currency: string(currency), Amount: l.Amount.String(),
				PerDay: l.PerDay.String()})
		}
	}
	return rows
}

// GrantLimitFields are the limits on grants and spins: each field's name, its label, and where its value is.
var GrantLimitFields = []struct {
	Name, Word string
	Of         func(*models.GrantLimits) *int64
}{
	{"grant", "Spins in one grant", func(l *models.GrantLimits) *int64 { return &l.SpinsPerGrant }},
	{"player-grants", "Grants to one player a day", func(l *models.GrantLimits) *int64 { return &l.PlayerGrantsPerDay }},
	{"player-spins", "Spins to one player a day", func(l *models.GrantLimits) *int64 { return &l.PlayerSpinsPerDay }},
	{"staff-grants", "Grants by one person a day", func(l *models.GrantLimits) *int64 { return &l.StaffGrantsPerDay }},
	{"staff-spins", "Spins by one person a day", func(l *models.GrantLimits) *int64 { return &l.StaffSpinsPerDay }},
	{"role-spins", "Spins by the whole role a day", func(l *models.GrantLimits) *int64 { return &l.RoleSpinsPerDay }},
}

// CostFields are the limits on cost.
var CostFields = []struct {
	Name, Word string
	Of         func(*models.GrantCost) *models.Amount
}{
	{"grant", "One grant", func(c *models.GrantCost) *models.Amount { return &c.Grant }},
	{"player", "One player a day", func(c *models.GrantCost) *models.Amount { return &c.PlayerPerDay }},
	{"role", "The whole role a day", func(c *models.GrantCost) *models.Amount { return &c.RolePerDay }},
}

// grantLimitChanges returns the limits that a request would change.
func grantLimitChanges(r models.ChangeRequest) []views.Change {
	before, after := models.DefaultGrantRules, models.GrantRules{}
	if r.Before != "" {
		before = models.GrantRules{}
	}
	if err := errors.Join(unmarshalled(r.Before, &before), unmarshalled(r.After, &after)); err != nil {
		return []views.Change{{What: ChangeTitle(r.Subject), Before: r.Before, After: r.After}}
	}
	var rows []views.Change
	add := func(what, was, is string) {
		if was != is {
			rows = append(rows, views.Change{What: what, Before: was, After: is})
		}
	}
	currencies := map[models.Currency]bool{}
	for _, rules := range []models.GrantRules{before, after} {
		for currency := range rules.SpinCost {
			currencies[currency] = true
		}
	}
	amount := func(n models.Amount, set bool) string {
		if !set {
			return "no limit"
		}
		return n.Grouped()
	}
	for _, role := range models.GrantingRoles {
		was, is := before.Roles[role], after.Roles[role]
		for _, l := range GrantLimitFields {
			add(web.FirstUpper(string(role))+": "+strings.ToLower(l.Word), web.Grouped(*l.Of(&was)), web.Grouped(*l.Of(&is)))
		}
	}
	for _, currency := range slices.Sorted(maps.Keys(currencies)) {
		add("One spin counts as, "+string(currency), before.SpinCost[currency].Grouped(), after.SpinCost[currency].Grouped())
		for _, role := range models.GrantingRoles {
			was, wasSet := before.Roles[role].Cost[currency]
			is, isSet := after.Roles[role].Cost[currency]
			for _, l := range CostFields {
				add(fmt.Sprintf("%s: cost of %s, %s", web.FirstUpper(string(role)), web.LowerFirst(l.Word), currency),
					amount(*l.Of(&was), wasSet), amount(*l.Of(&is), isSet))
			}
		}
	}
	return rows
}

// clientChanges returns the terms of an API client that a request would change.
func clientChanges(r models.ChangeRequest) (rows []views.Change) {
	var before, after models.APITermsRequest
	if err := errors.Join(unmarshalled(r.Before, &before), unmarshalled(r.After, &after)); err != nil {
		return []views.Change{{What: ChangeTitle(r.Subject), Before: r.Before, After: r.After}}
	}
	was, is := ClientWords(before.APITerms), ClientWords(after.APITerms)
	for i := range is {
		if before.ID == 0 {
			was[i].Words = "none"
		}
		if was[i].Words != is[i].Words {
			rows = append(rows, views.Change{What: is[i].What, Before: was[i].Words, After: is[i].Words})
		}
	}
	return rows
}

// ClientWord is one of an API client's terms in words.
type ClientWord struct{ What, Words string }

// ClientWords returns what an API client may do, in words.
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
		{"Cash-outs that one person approves", above(t.OneAbove)}, {"Cash-outs that two people approve", above(t.TwoAbove)},
		{"Webhook", cmp.Or(t.Webhook, "none")}, {"Told about", cmp.Or(strings.Join(t.Events, ", "), "nothing")}}
}

func above(limits string) string {
	if limits == "" {
		return "none"
	}
	return "above " + limits
}

// unmarshalled decodes a value that may be empty.
func unmarshalled(text string, into any) error {
	if text == "" {
		return nil
	}
	return json.Unmarshal([]byte(text), into)
}

// reviewChanges returns every account of a review, with what was decided.
func reviewChanges(r models.ChangeRequest) (rows []views.Change) {
	accounts, err := models.ParseAccountReview(r.After)
	if err != nil {
		return []views.Change{{What: ChangeTitle(r.Subject), After: r.After}}
	}
	for _, a := range accounts {
		row := views.Change{What: a.Username, Before: string(a.Role) + ", " + a.SignsIn + ", never signed in", After: "keep"}
		if !a.SignedInAt.IsZero() {
			row.Before = string(a.Role) + ", " + a.SignsIn + ", last signed in " + a.SignedInAt.UTC().Format("2 Jan 2006")
		}
		if a.Deactivate {
			row.After = "deactivate"
		}
		rows = append(rows, row)
	}
	return rows
}
