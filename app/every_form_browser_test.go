package app_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/app/web"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/browsertest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// choice is one way to send a form: with this value of one of its radio buttons or selects, or by this button. The zero value
// sends the form as it is.
type choice struct {
	Kind, Name, Value string // Kind is "radio", "select" or "button"
}

// sendable is a form of some pages, and the ways to send it.
type sendable struct {
	key     string // its method, address and fields
	sender  string // the username of whoever sends it
	on      []string
	filled  map[string]string
	choices []choice
}

// keyOfForm returns the key of a form in the browser, as formKey does.
const keyOfForm = `(form) => [(form.getAttribute("method") ?? "get").toLowerCase(),
	(form.getAttribute("action") ?? location.pathname).split("?")[0].replace(/\d+/g, "N"),
	...[...new Set([...form.querySelectorAll("[name]")].map((e) => e.getAttribute("name")))].sort()].join(" ")`

func formKey(form *goquery.Selection, path string) (at, key string) {
	at, _, _ = strings.Cut(form.AttrOr("action", path), "?")
	names := form.Find("[name]").Map(func(_ int, e *goquery.Selection) string { return e.AttrOr("name", "") })
	slices.Sort(names)
	return at, strings.Join(append([]string{strings.ToLower(form.AttrOr("method", "get")), numerals.ReplaceAllString(at, "N")},
		slices.Compact(names)...), " ")
}

// chosenFreely are selects whose value changes nothing else in the form.
var chosenFreely = []string{"assignee", "theme", "density", "language"}

// choicesOf returns the ways to send a form, in the short form of the test the first. A form in which something has to be
// chosen is not sent without.
func choicesOf(form *goquery.Selection) (list []choice) {
	form.Find("input[type=radio]").Each(func(_ int, e *goquery.Selection) {
		list = append(list, choice{"radio", e.AttrOr("name", ""), e.AttrOr("value", "")})
	})
	form.Find("select").Each(func(_ int, e *goquery.Selection) {
		options := e.Find("option:not([value=''])")
		if options.Length() <= 8 && !slices.Contains(chosenFreely, e.AttrOr("name", "")) {
			options.Each(func(_ int, o *goquery.Selection) {
				list = append(list, choice{"select", e.AttrOr("name", ""), o.AttrOr("value", "")})
			})
		}
	})
	if buttons := form.Find("button:not([type=button])"); buttons.Length() > 1 {
		buttons.Each(func(_ int, b *goquery.Selection) {
			list = append(list, choice{"button", b.AttrOr("name", ""), b.AttrOr("formaction", b.AttrOr("value", ""))})
		})
	}
	if len(list) == 0 {
		list = []choice{{}}
	}
	return list[:storetest.Scaled(1, len(list))]
}

// fillForm makes the form with a key ready to be sent with a choice and some fields filled in, and says what the browser's own
// validation says.
const fillForm = `((key, choice, fill) => {
	const keyOf = ` + keyOfForm + `, address = (key) => key.split(" ").slice(0, 2).join(" ");
	const form = [...document.forms].find((f) => keyOf(f) === key) ??
		[...document.forms].find((f) => address(keyOf(f)) === address(key)); // it may ask for the password meanwhile
	if (!form) return {There: false};
	const called = (name) => [...form.querySelectorAll("[name]")].filter((e) => e.getAttribute("name") === name);
	const action = (b) => b.getAttribute("formaction") ?? b.getAttribute("value") ?? "";
	let button = form.querySelector("button:not([type=button])");
	if (choice.Kind === "radio") called(choice.Name).find((e) => e.value === choice.Value)?.click();
	if (choice.Kind === "select") { const s = called(choice.Name)[0]; s.value = choice.Value; s.dispatchEvent(new Event("change", {bubbles: true})); }
	if (choice.Kind === "button")
		button = [...form.querySelectorAll("button:not([type=button])")].find((b) => (b.getAttribute("name") ?? "") === choice.Name &&
			(b.getAttribute("formaction") ?? b.getAttribute("value") ?? "").replace(/\d+/g, "N") === choice.Value.replace(/\d+/g, "N"));
	for (const [name, value] of Object.entries(fill))
		for (const e of called(name)) {
			if (e.type === "file") {
				const files = new DataTransfer();
				files.items.add(new File([value], "sent.csv"));
				e.files = files.files;
			} else if (e.type === "checkbox") e.checked = true;
			else if (e.type === "password" && name === "password") e.value = "` + apptest.Password + `";
			else if (e.type === "radio") { if (!called(name).some((r) => r.checked)) e.checked = true; }
			else if (e.tagName === "SELECT") e.value = [...e.options].map((o) => o.value).find((v) => v === value) ?? [...e.options].map((o) => o.value).find((v) => v) ?? "";
			else if (e.type !== "hidden") e.value = value;
		}
	if (!button || button.disabled) return {There: false};
	form.removeAttribute("target");
	window.sendForm = () => { form.noValidate = true; button.click(); };
	const typed = {};
	for (const e of form.querySelectorAll("input, textarea, select"))
		if (e.name && e.value && !["hidden", "password", "file", "checkbox", "radio"].includes(e.type)) typed[e.name] = e.value;
	return {There: true, Typed: typed, Demanded: button.formNoValidate || form.noValidate ? [] :
		[...new Set([...form.elements].filter((e) => e.name && !e.checkValidity()).map((e) => e.name))]};
})`

// formAnswer says what a page that answers a form tells about it.
const formAnswer = `((typed) => {
	const seen = (e) => e.checkVisibility({visibilityProperty: true});
	return {
		Refused: [...new Set([...document.querySelectorAll("[aria-invalid=true]")].map((e) => e.name))],
		Messages: [...document.querySelectorAll(".invalid-feedback, .pb-note")].filter(seen).map((e) => e.innerText.trim()).filter(Boolean),
		Heading: document.querySelector("h1")?.innerText ?? "",
		// a game that was found is shown by its name
		Lost: Object.entries(typed).filter(([name, value]) => name !== "game" &&
			![...document.querySelectorAll("[name]")].some((e) => e.getAttribute("name") === name && e.value.includes(value.trim()))).map(([name]) => name),
	};
})`

// typedInto is what the test types into a field that the server asks for, and filled what it fills in before: what a form
// cannot point at.
var (
	typedInto = map[string]string{
		"player": "anna", "transaction": "2-anna", "amount": "1.50", "currency": "EUR", "spins": "5", "least": "5", "kind": "other",
		"moved": "The regulator agreed.", "reference": "R-7", "user": "mia", "username": "nina", "name": "Nina",
		"since": "2026-01-01", "file": "player_id,currency\nzoe,EUR\n", "base": "EUR", "current": apptest.Password, "round": "r-77",
	}
	filled = map[string]map[string]string{
		"/settings/corrections": {"currency": "EUR", "amount": "1.00", "per_day": "2.00"}, "/clients": {"name": "cashier-2"},
		"/sessions": {"player": "tess"}, "/restrictions": {"player": "empty"}, "/restrictions/several": {"players": "empty"},
	}
	// sentElsewhere are forms that need what this test does not have, such as a phone, or end the reader's session.
	sentElsewhere = []string{"/signout", "/sessions", "/account/password", "/account/second-factor", "/account/passkeys", "/account/sessions/revocation",
		"/account/theme"} // a script sends it
)

// TestEveryFormCanBeSent sends the forms of all pages in a browser, in each of their choices, with only the fields filled in
// that the server asks for. The browser demands no field that the server can do without, each refusal says why where it can be
// seen and keeps what was typed, and in the end each form is accepted, or refused for a reason that can be read. The short form
// sends each form once.
func TestEveryFormCanBeSent(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	paths := []string{}
	for _, page := range fortnight(s) {
		paths = append(paths, page.path)
	}
	s.NewPlayer("tess", true)
	s.PlayerWithBalance("empty", 0)
	typedInto["game"] = string(s.SyncedGame().GameID)
	month := s.Now().AddDate(0, 1, 0).Format(time.DateOnly)
	typedInto["due"], typedInto["until"] = month, month
	for _, r := range s.Routes() {
		if r.Method == web.Get && !strings.Contains(r.Path, ":") && r.Needs != web.HealthCheck && r.Needs != web.Public {
			paths = append(paths, r.Path)
		}
	}
	known, sent, chrome := map[string]bool{}, 0, browsertest.Start(t)
	var gone []string
	detail := regexp.MustCompile(`^/[a-z/-]+/\d+(/[a-z-]+)?$`)
	roles := append(slices.Clone(models.Roles[1:]), models.Roles[0])
	require.Equal(t, models.Administrator, roles[len(roles)-1], "who freezes play, in the end")
	for _, role := range roles {
		b := s.SignedIn("sender-"+string(role), role)
		forms := map[string]*sendable{}
		queue, linked := slices.Clone(paths), map[string]int{}
		for i := 0; i < len(queue); i++ {
			path := queue[i]
			page := b.Get(path)
			for _, href := range page.Find("main a[href]").Map(func(_ int, a *goquery.Selection) string { return a.AttrOr("href", "") }) {
				kind := numerals.ReplaceAllString(href, "N")
				if detail.MatchString(href) && linked[kind] < 8 && !slices.Contains(queue, href) {
					linked[kind]++
					queue = append(queue, href)
				}
			}
			page.Find("form:has(button:not([type=button]):not([disabled]))").Each(func(_ int, form *goquery.Selection) {
				at, key := formKey(form, path)
				if page.Status != http.StatusOK || known[key] || form.HasClass("pb-filters") || form.AttrOr("role", "") == "search" ||
					slices.ContainsFunc(sentElsewhere, func(there string) bool { return strings.HasPrefix(at, there) }) {
					return
				}
				if forms[key] == nil {
					forms[key] = &sendable{key: key, sender: "sender-" + string(role), filled: filled[at], choices: choicesOf(form)}
				}
				forms[key].on = append(forms[key].on, path)
			})
		}
		tab := chrome.Open(t, browsertest.View{})
		s.SignInTab(tab, "sender-"+string(role))
		keys := slices.SortedFunc(maps.Keys(forms), func(a, b string) int {
			last := func(key string) int { return strings.Count(key, "/restrictions/freeze") }
			return cmp.Or(last(a)-last(b), strings.Compare(a, b))
		})
		for _, key := range keys {
			if strings.Contains(key, "/restrictions/freeze") && role != models.Administrator {
				continue
			}
			known[key] = true
			accepted := 0
			for _, c := range forms[key].choices {
				what := fmt.Sprintf("%s: %s (on %s) %+v", role, key, forms[key].on[0], c)
				if sendForm(t, s, tab, forms[key], c, what) {
					accepted++
				} else {
					t.Log(what, "no page has the form any longer")
				}
			}
			if accepted == 0 {
				gone = append(gone, string(role)+": "+key)
			}
			sent += accepted
		}
	}
	require.Greater(t, sent, storetest.Scaled(50, 70))
	require.LessOrEqual(t, len(gone), 4, "what other forms left of these pages has no form any longer: %q", gone)
}

func sendForm(t *testing.T, s *apptest.Site, tab *browsertest.Tab, form *sendable, c choice, what string) bool {
	for i, path := range form.on {
		if i == 12 {
			return false
		}
		fill := map[string]string{}
		maps.Copy(fill, form.filled)
		fill["username"] = "nina-" + cmp.Or(c.Value, "x")
		if tab.Go(s.Base.String() + path); strings.Contains(tab.Address(), "/signin") { // an earlier form ended all sessions
			s.SignInTab(tab, form.sender)
			tab.Go(s.Base.String() + path)
		}
		for range 6 {
			ready := browsertest.Evaluate[struct {
				There    bool
				Typed    map[string]string
				Demanded []string
			}](tab, call(t, fillForm, form.key, c, fill))
			if !ready.There {
				break
			}
			status := tab.Leave("sendForm()")
			answer := browsertest.Evaluate[struct {
				Refused, Messages, Lost []string
				Heading                 string
			}](tab, call(t, formAnswer, ready.Typed))
			if len(answer.Refused) == 0 && status < 400 {
				assert.True(t, len(ready.Demanded) == 0 || len(answer.Messages) > 0,
					"%s: the browser demands %q, without which the server accepts the form", what, ready.Demanded)
				return true
			}
			more := false
			if len(answer.Refused) == 0 { // a page that says so in place of the form
				for _, name := range ready.Demanded {
					fill[name], more = valueFor(name), true
				}
				if more {
					tab.Go(s.Base.String() + path)
					continue
				}
			}
			if !assert.NotEmpty(t, append(answer.Messages, answer.Heading)[0], "%s: refused without a message: %d", what, status) ||
				!assert.Empty(t, answer.Lost, "%s: typed values are lost: %d %q", what, status, answer.Messages) {
				return true
			}
			for _, name := range answer.Refused {
				if _, filled := fill[name]; !filled {
					fill[name], more = valueFor(name), true
				}
			}
			if !more {
				return true // for a reason that can be read, such as an ID that nothing has
			}
		}
	}
	return false
}

func valueFor(name string) string {
	if value, special := typedInto[name]; special {
		return value
	}
	if strings.Contains(name, "password") {
		return apptest.Password
	}
	return "As agreed with the player."
}

func call(t *testing.T, function string, arguments ...any) string {
	var list []string
	for _, a := range arguments {
		b, err := json.Marshal(a)
		require.NoError(t, err)
		list = append(list, string(b))
	}
	return function + "(" + strings.Join(list, ", ") + ")"
}
