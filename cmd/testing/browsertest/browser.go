// Package browsertest drives a headless Chromium in tests. It opens pages in both themes and at any width, with and without
// scripts, and checks their accessibility with axe-core.
package browsertest

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// The window widths at which pages are checked: a desktop and a phone.
const (
	Desk  = 1280
	Phone = 360
)

// patience is how long a test waits for anything before it fails.
const patience = 2 * time.Minute

// Browser is the Chromium of a test process. Tests that run at the same time share it, because each tab has its own cookies.
type Browser struct {
	ctx context.Context
}

// shared is the Chromium that the first test starts for the whole process.
var shared struct {
	mu  sync.Mutex
	ctx context.Context // nil until the first test starts it
	end context.CancelFunc
}

// Start returns the Chromium of this test process. The first call starts it, and End ends it. Start uses the program that
// PITBOSS_CHROMIUM names, or chromium-headless-shell, chromium or google-chrome from the path. If there is none, the test fails
// with a message that says how to install one.
func Start(t testing.TB) *Browser {
	t.Helper()
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.ctx != nil {
		return &Browser{shared.ctx}
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(program(t)), chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.Flag("headless", true), chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("disable-gpu", true),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("font-render-hinting", "none"),
		// A page is open for a second only, so compiling its scripts to fast code would take longer than it saves.
		chromedp.Flag("js-flags", "--no-opt --no-maglev"),
	}
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // as root, Chromium refuses to start with a sandbox
	}
	allocator, end := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, _ := chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {}))
	if err := chromedp.Do(ctx); err != nil { // the first run starts the browser
		end()
		require.NoError(t, err)
	}
	shared.ctx, shared.end = ctx, end
	return &Browser{ctx}
}

// End ends the Chromium if a test has started it. A package that uses it calls End after its tests.
func End() error {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.ctx == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(shared.ctx, patience)
	defer cancel()
	defer shared.end()
	if err := chromedp.Cancel(ctx); err != nil {
		return fmt.Errorf("browsertest: end Chromium: %w", err)
	}
	return nil
}

func program(t testing.TB) string {
	t.Helper()
	if named := os.Getenv("PITBOSS_CHROMIUM"); named != "" {
		return named
	}
	for _, name := range []string{"chromium-headless-shell", "chromium", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			return found
		}
	}
	t.Fatal("browsertest: no Chromium found; on Debian: apt-get install --no-install-recommends chromium-headless-shell " +
		"fonts-dejavu-core")
	return ""
}

// View is how a tab shows pages.
type View struct {
	Width     int  // of the window; Desk unless set
	Dark      bool // the system asks for dark colors
	NoScripts bool // the browser runs no scripts
}

// Tab is an open page. Its methods fail the test if the page does not do what they expect.
type Tab struct {
	t   testing.TB
	ctx context.Context

	mu     sync.Mutex
	errors []string
}

// Open opens a tab with its own cookies, like another person's browser.
func (b *Browser) Open(t testing.TB, view View) *Tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	tab := &Tab{t: t, ctx: ctx}
	require.NoError(t, chromedp.Do(ctx)) // the first run opens the tab
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return // the tab is closed
			}
			// Tests open pages that answer with a refusal on purpose. That is not an error of the page.
			if (m.IsException() || m.Type == "error") && !strings.Contains(m.Text, "the server responded with a status of 4") {
				tab.mu.Lock()
				tab.errors = append(tab.errors, m.Text+" "+m.URL)
				tab.mu.Unlock()
			}
		}
	}()
	tab.Look(view)
	return tab
}

// Look changes how the tab shows its pages.
func (tab *Tab) Look(view View) {
	tab.t.Helper()
	if view.Width == 0 {
		view.Width = Desk
	}
	theme := "light"
	if view.Dark {
		theme = "dark"
	}
	ctx, cancel := context.WithTimeout(tab.ctx, patience)
	defer cancel()
	_, err := chromedp.Call(ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: int64(view.Width), Height: 800, DeviceScaleFactor: 1, Mobile: view.Width < 600,
	})
	require.NoError(tab.t, err)
	_, err = chromedp.Call(ctx, emulation.SetEmulatedMedia,
		emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"},
		}})
	require.NoError(tab.t, err)
	_, err = chromedp.Call(ctx, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: view.NoScripts})
	require.NoError(tab.t, err)
}

// Authenticator gives the tab an authenticator for passkeys. It acts as if its owner touched it whenever it asks for that.
func (tab *Tab) Authenticator() {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, patience)
	defer cancel()
	_, err := chromedp.Call(ctx, webauthn.Enable, webauthn.EnableParams{})
	require.NoError(tab.t, err)
	_, err = chromedp.Call(ctx, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{
		Options: &webauthn.VirtualAuthenticatorOptions{Protocol: webauthn.AuthenticatorProtocolCtap2,
			Transport: webauthn.AuthenticatorTransportUsb, AutomaticPresenceSimulation: true},
	})
	require.NoError(tab.t, err)
}

func (tab *Tab) do(steps ...chromedp.Action[chromedp.Void]) {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, patience)
	defer cancel()
	require.NoError(tab.t, chromedp.Do(ctx, steps...))
}

// evaluate returns the value of an expression in the page, even if the page's own scripts do not run.
func evaluate[T any](tab *Tab, expression string, options ...chromedp.EvaluateOption) T {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, patience)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, options...))
	require.NoError(tab.t, err)
	return value
}

// until waits until an expression in the page is true. what says in the error what it waited for.
func (tab *Tab) until(condition, what string) {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, patience)
	defer cancel()
	again := time.NewTicker(25 * time.Millisecond)
	defer again.Stop()
	for {
		// An evaluation fails while the tab leaves a page.
		if done, err := chromedp.Run(ctx, chromedp.Evaluate[bool](condition)); err == nil && done {
			return
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			tab.t.Fatalf("waited for %s at %s, which says:\n%s", what, tab.Address(), tab.Text("body"))
		}
	}
}

// Go opens an address and waits until it has loaded.
func (tab *Tab) Go(address string) {
	tab.t.Helper()
	tab.do(chromedp.Navigate(address))
}

const visible = `[...document.querySelectorAll(%s)].some((e) => e.checkVisibility({visibilityProperty: true}))`

// Wait waits until an element that matches the selector is visible.
func (tab *Tab) Wait(selector string) {
	tab.t.Helper()
	tab.until(fmt.Sprintf(visible, quote(selector)), selector)
}

// Gone waits until no element that matches the selector is visible.
func (tab *Tab) Gone(selector string) {
	tab.t.Helper()
	tab.until("!"+fmt.Sprintf(visible, quote(selector)), selector+" to go")
}

// WaitText waits until a matching element contains a text.
func (tab *Tab) WaitText(selector, text string) {
	tab.t.Helper()
	tab.until(fmt.Sprintf(`[...document.querySelectorAll(%s)].some((e) => e.innerText.includes(%s))`, quote(selector),
		quote(text)), fmt.Sprintf("%q in %s", text, selector))
}

func quote(s string) string {
	b, _ := json.Marshal(s) // a string never fails
	return string(b)
}

// Click clicks on a visible element. If the click opens another page, use Follow.
func (tab *Tab) Click(selector string) {
	tab.t.Helper()
	tab.Wait(selector)
	tab.do(chromedp.Click(chromedp.CSS(selector)))
}

// Follow clicks on a visible element and waits for the page that it opens.
func (tab *Tab) Follow(selector string) {
	tab.t.Helper()
	tab.Wait(selector)
	ctx, cancel := context.WithTimeout(tab.ctx, patience)
	defer cancel()
	_, err := chromedp.RunResponse(ctx, chromedp.Click(chromedp.CSS(selector)))
	require.NoError(tab.t, err, "after a click on %s", selector)
}

// Evaluate returns the value of an expression in the page.
func Evaluate[T any](tab *Tab, expression string) T { return evaluate[T](tab, expression) }

// Leave runs a script that leaves the page, for example by sending a form. It returns the status of the page that answers, or 0
// if the answer is a file.
func (tab *Tab) Leave(script string) int64 {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, patience)
	defer cancel()
	answer, err := chromedp.RunResponse(ctx, chromedp.Evaluate[chromedp.Void](script))
	if err != nil && strings.Contains(err.Error(), "ERR_ABORTED") { // a download
		return 0
	}
	require.NoError(tab.t, err, "after %s", script)
	return answer.Status
}

// Back goes back in the tab's history, as the browser's button does, and waits for that page. If the browser cannot show the
// page again, it shows its own error page.
func (tab *Tab) Back() {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, patience)
	defer cancel()
	_, err := chromedp.RunResponse(ctx, chromedp.NavigateBack())
	if err != nil && !strings.Contains(err.Error(), "ERR_CACHE_MISS") {
		require.NoError(tab.t, err)
	}
}

// FollowAway clicks on an element that opens another tab and returns that tab.
func (tab *Tab) FollowAway(selector string) *Tab {
	tab.t.Helper()
	before := tab.siblings()
	tab.Click(selector)
	ctx, cancel := context.WithTimeout(tab.ctx, patience)
	defer cancel()
	again := time.NewTicker(25 * time.Millisecond)
	defer again.Stop()
	for {
		for id := range tab.siblings() {
			if before[id] {
				continue
			}
			opened, cancel := chromedp.NewContext(tab.ctx, chromedp.WithTargetID(id))
			tab.t.Cleanup(cancel)
			require.NoError(tab.t, chromedp.Do(opened)) // the first run attaches to it
			return &Tab{t: tab.t, ctx: opened}
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			tab.t.Fatalf("no tab was opened by a click on %s at %s", selector, tab.Address())
		}
	}
}

// siblings returns the tabs that share this tab's cookies, including this one.
func (tab *Tab) siblings() map[target.ID]bool {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, patience)
	defer cancel()
	list, err := chromedp.Targets(ctx)
	require.NoError(tab.t, err)
	own := slices.IndexFunc(list,
		func(info *target.Info) bool { return info.TargetID == chromedp.FromContext(tab.ctx).Target.TargetID })
	require.GreaterOrEqual(tab.t, own, 0, "the tab is not open")
	ids := map[target.ID]bool{}
	for _, info := range list {
		if info.BrowserContextID == list[own].BrowserContextID {
			ids[info.TargetID] = true
		}
	}
	return ids
}

// Fill empties a field and types text into it.
func (tab *Tab) Fill(selector, text string) {
	tab.t.Helper()
	tab.Wait(selector)
	// chromedp.Clear fails on an empty text area
	evaluate[string](tab, fmt.Sprintf(`document.querySelector(%s).value = ""`, quote(selector)))
	tab.do(chromedp.SendKeys(chromedp.CSS(selector), text))
}

// Choose selects a value in a select element.
func (tab *Tab) Choose(selector, value string) {
	tab.t.Helper()
	tab.Wait(selector)
	tab.do(chromedp.SetValue(chromedp.CSS(selector), value))
}

// Upload chooses a file in a file field.
func (tab *Tab) Upload(selector, path string) {
	tab.t.Helper()
	tab.do(chromedp.SetUploadFiles(chromedp.CSS(selector), []string{path}))
}

// Press presses keys as a person would, wherever the focus is, after the page has loaded.
func (tab *Tab) Press(keys string) { tab.press(keys, 0) }

const ctrl = 2 // in the modifiers of a key

// PressCtrl presses a key while Ctrl is held.
func (tab *Tab) PressCtrl(key string) { tab.press(key, ctrl) }

func (tab *Tab) press(keys string, held int64) {
	tab.t.Helper()
	tab.until(`document.readyState === "complete"`, "the page to load")
	ctx, cancel := context.WithTimeout(tab.ctx, patience)
	defer cancel()
	for _, key := range keys {
		// On a real keyboard a key also types its character, unless the page handles the key. By default, chromedp would send
		// key and character separately.
		events := kb.Encode(key)
		if len(events) == 3 {
			events[0].Type, events[0].Text, events[0].UnmodifiedText = input.DispatchKeyEventTypeKeyDown, events[1].Text,
				events[1].UnmodifiedText
			events = []*input.DispatchKeyEventParams{events[0], events[2]}
		}
		for _, event := range events {
			event.Modifiers |= held
			_, err := chromedp.Call(ctx, input.DispatchKeyEvent, *event)
			require.NoError(tab.t, err)
		}
	}
}

// WaitPicture waits until the first matching image has loaded.
func (tab *Tab) WaitPicture(selector string) {
	tab.t.Helper()
	tab.until(fmt.Sprintf(`document.querySelector(%s)?.naturalWidth > 0`, quote(selector)), "the picture "+selector)
}

// Box returns the position of the first matching element in pixels of the page: left, top, width and height.
func (tab *Tab) Box(selector string) []float64 {
	tab.t.Helper()
	return evaluate[[]float64](tab,
		fmt.Sprintf(`(() => { const r = document.querySelector(%s).getBoundingClientRect(); return [r.left + scrollX, r.top + scrollY, r.width, r.height]; })()`, quote(selector)))
}

// Text returns the visible text of the first matching element, or an empty string if there is none.
func (tab *Tab) Text(selector string) string {
	tab.t.Helper()
	return evaluate[string](tab, fmt.Sprintf(`document.querySelector(%s)?.innerText ?? ""`, quote(selector)))
}

// Attribute returns an attribute of the first matching element.
func (tab *Tab) Attribute(selector, name string) string {
	tab.t.Helper()
	return evaluate[string](tab,
		fmt.Sprintf(`document.querySelector(%s)?.getAttribute(%s) ?? ""`, quote(selector), quote(name)))
}

// Value returns the value of a field.
func (tab *Tab) Value(selector string) string {
	tab.t.Helper()
	return evaluate[string](tab, fmt.Sprintf(`document.querySelector(%s)?.value ?? ""`, quote(selector)))
}

// Download returns the file behind the first matching link, or the file with which the first matching button's form is
// answered, and the name under which a browser would save it.
func (tab *Tab) Download(selector string) (content []byte, name string) {
	tab.t.Helper()
	got := evaluate[struct{ Body, Name string }](tab, fmt.Sprintf(`(async () => {
		const from = document.querySelector(%s), form = from.form;
		const answer = await (form ? fetch(form.action, {method: form.method, body: new URLSearchParams(new FormData(form, from))}) :
			fetch(from.href));
		const bytes = new Uint8Array(await answer.arrayBuffer());
		let body = "";
		for (let i = 0; i < bytes.length; i += 4096) body += String.fromCharCode(...bytes.subarray(i, i + 4096));
		return {Body: btoa(body), Name: answer.headers.get("Content-Disposition") ?? ""};
	})()`, quote(selector)), chromedp.EvalAwaitPromise)
	content, err := base64.StdEncoding.DecodeString(got.Body)
	require.NoError(tab.t, err)
	_, name, _ = strings.Cut(strings.TrimSuffix(got.Name, `"`), `filename="`)
	return content, name
}

// Strings returns the value of an expression that is a list of strings.
func (tab *Tab) Strings(expression string) []string {
	tab.t.Helper()
	return evaluate[[]string](tab, expression)
}

// Address returns the address of the tab's page.
func (tab *Tab) Address() string {
	tab.t.Helper()
	return evaluate[string](tab, `location.href`)
}

// Errors returns what the browser has reported so far: failed scripts, and violations of the Content-Security-Policy.
func (tab *Tab) Errors() []string {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	return append([]string(nil), tab.errors...)
}

// Overflow returns by how many pixels the page is wider than the window.
func (tab *Tab) Overflow() int {
	tab.t.Helper()
	return evaluate[int](tab, `document.documentElement.scrollWidth - document.documentElement.clientWidth`)
}

// Screenshot saves a picture of the whole page as name.png in the folder that PITBOSS_SCREENSHOTS names, and does nothing if
// that is not set.
func (tab *Tab) Screenshot(name string) {
	tab.t.Helper()
	folder := os.Getenv("PITBOSS_SCREENSHOTS")
	if folder == "" {
		return
	}
	ctx, cancel := context.WithTimeout(tab.ctx, patience)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	require.NoError(tab.t, err)
	require.NoError(tab.t, os.MkdirAll(folder, 0o755))
	require.NoError(tab.t, os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o644))
}

// Picture saves the contents of the window as a WebP file.
func (tab *Tab) Picture(path string) {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, patience)
	defer cancel()
	quality := int64(70)
	shot, err := chromedp.Call(ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{
		Format: page.CaptureScreenshotFormatWebp, Quality: &quality,
	})
	require.NoError(tab.t, err)
	require.NoError(tab.t, os.WriteFile(path, shot.Data, 0o644))
}

// Violation is a rule of axe-core that a page breaks.
type Violation struct {
	ID    string `json:"id"`
	Help  string `json:"help"`
	Nodes []struct {
		HTML    string `json:"html"`
		Summary string `json:"failureSummary"`
	} `json:"nodes"`
}

// String describes the rule and lists the elements that break it.
func (v Violation) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", v.ID, v.Help)
	for _, n := range v.Nodes {
		fmt.Fprintf(&b, "\n  %.300s\n    %s", n.HTML, strings.ReplaceAll(n.Summary, "\n", "\n    "))
	}
	return b.String()
}

var axe = sync.OnceValues(func() (string, error) {
	root, err := os.Getwd() // tests run in their package's folder; -trimpath hides the path of the source
	for err == nil {
		if _, missing := os.Stat(filepath.Join(root, "go.mod")); missing == nil {
			break
		}
		if filepath.Dir(root) == root {
			return "", errors.New("the tests do not run within the repository")
		}
		root = filepath.Dir(root)
	}
	text, err := os.ReadFile(filepath.Join(root, "static", "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		return "", fmt.Errorf("axe-core is not installed (npm ci in static/): %w", err)
	}
	return string(text), nil
})

// axeTags selects the rules that pages must pass: WCAG 2.0 to 2.2, A and AA, and best practices.
const axeTags = `{type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}`

// axeColors selects the rules among them that check colors.
const axeColors = `{type: "rule", values: ["color-contrast", "link-in-text-block"]}`

// Axe returns the violations of WCAG 2.0 to 2.2, A and AA, and of best practices that axe-core finds on the page.
func (tab *Tab) Axe() []Violation {
	tab.t.Helper()
	return tab.axe(axeTags)
}

func (tab *Tab) axe(rules string) []Violation {
	tab.t.Helper()
	if !evaluate[bool](tab, `typeof axe === "object"`) {
		script, err := axe()
		require.NoError(tab.t, err)
		evaluate[int](tab, script+";0")
	}
	return evaluate[[]Violation](tab,
		`axe.run(document, {resultTypes: ["violations"], runOnly: `+rules+`}).then((r) => r.violations)`,
		chromedp.EvalAwaitPromise)
}

// shape describes everything that axe-core checks on a page except colors: the markup, and the position and visibility of each
// element. It leaves out the theme attribute.
const shape = `(document.documentElement.outerHTML.replace(/data-bs-theme="[a-z]*"/, "") + [...document.querySelectorAll("*")].map((e) => {
	const box = e.getBoundingClientRect();
	return [box.x, box.y, box.width, box.height, e.checkVisibility({visibilityProperty: true, opacityProperty: true})];
}))`

// RequireFine fails the test if the page has an accessibility problem, is wider than its window, draws texts over each other,
// or has made the browser report an error. It checks the page in the light theme at a desktop's width, and in the long form of
// the tests (PITBOSS_PROVE) in both themes at both widths. If the dark theme changes only colors, it checks only the color
// rules there, because the other rules would find the same again. It saves a picture of each view, named after the page.
func (tab *Tab) RequireFine(page string) {
	tab.t.Helper()
	evaluate[int](tab, `window.scrollTo(0, 0);0`) // otherwise the bar at the top may cover part of a button
	views := []View{{Width: Desk}}
	if os.Getenv("PITBOSS_PROVE") != "" {
		views = append(views, View{Width: Desk, Dark: true}, View{Width: Phone}, View{Width: Phone, Dark: true})
	}
	for _, view := range views {
		tab.Look(view)
		name := fmt.Sprintf("%s-%s-%d", page, map[bool]string{false: "light", true: "dark"}[view.Dark], view.Width)
		tab.Screenshot(name)
		rules, same := axeTags, view.Dark && evaluate[bool](tab, `window.shapeInTheLight === `+shape)
		if same {
			rules = axeColors
		} else if !view.Dark {
			evaluate[int](tab, `window.shapeInTheLight = `+shape+`;0`)
		}
		for _, v := range tab.axe(rules) {
			tab.t.Errorf("%s: %s", name, v)
		}
		if same {
			continue // the texts are where they were in the light theme
		}
		if over := tab.Overflow(); over > 0 {
			tab.t.Errorf("%s is %d px wider than its window", name, over)
		}
		for _, o := range tab.Overlaps() {
			tab.t.Errorf("%s: %s", name, o)
		}
	}
	for _, e := range tab.Errors() {
		tab.t.Errorf("%s: the browser says: %s", page, e)
	}
	tab.Look(View{})
}
