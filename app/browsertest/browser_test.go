package browsertest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if err := End(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// TestFaultsAreSeen shows that a page does not pass if it is inaccessible, too wide or breaks its own policy.
func TestFaultsAreSeen(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'")
		w.Header().Set("Content-Type", "text/html")
		_, err := w.Write([]byte(
			`<!doctype html><title>x</title><meta name="viewport" content="width=device-width, initial-scale=1, minimum-scale=1"><img src="y.png"><pre>` + strings.Repeat("wide", 200) + `</pre><script>document.title = "ran"</script>`))
		require.NoError(t, err)
	}))
	defer server.Close()
	tab := Start(t).Open(t, View{Width: Phone})
	tab.Go(server.URL)
	var broken []string
	for _, v := range tab.Axe() {
		broken = append(broken, v.ID)
	}
	require.Contains(t, broken, "image-alt")
	require.Contains(t, broken, "html-has-lang")
	require.Positive(t, tab.Overflow())
	require.Eventually(t, func() bool { return len(tab.Errors()) > 0 }, patience, patience/1000)
}

// recorder records the errors for which a test would fail.
type recorder struct {
	testing.TB
	said []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

// TestEachThemeIsChecked shows RequireFine faults that are in one theme only.
func TestEachThemeIsChecked(t *testing.T) {
	browser := Start(t)
	for name, want := range map[string]struct {
		style string
		said  []string
	}{
		"none": {"", nil},
		"colors of the light theme": {
			"@media (prefers-color-scheme: light) { p { color: #eee; background: #fff } }",
			[]string{"light-1280: color-contrast", "light-360: color-contrast"},
		},
		"colors of the dark theme": {
			"@media (prefers-color-scheme: dark) { p { color: #222; background: #111 } }",
			[]string{"dark-1280: color-contrast", "dark-360: color-contrast"},
		},
		"an image of the dark theme": {"@media (prefers-color-scheme: light) { img { display: none } }",
			[]string{"dark-1280: image-alt", "dark-360: image-alt"}},
		"an image of the dark theme when " +
			"narrow": {"@media (prefers-color-scheme: light) or (min-width: 600px) { img { display: none } }",
			[]string{"dark-360: image-alt"}},
	} {
		t.Run(name, func(t *testing.T) {
			image := ""
			if strings.Contains(want.style, "img") {
				image = `<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width="9" height="9">`
			}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				_, err := w.Write([]byte(
					`<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>x</title><style>` + want.style +
						`</style><main><h1>Heading</h1><p>Some text</p>` + image + `</main>`))
				require.NoError(t, err)
			}))
			defer server.Close()
			heard := &recorder{TB: t}
			tab := browser.Open(heard, View{})
			tab.Go(server.URL)
			tab.RequireFine("page")
			require.Len(t, heard.said, len(want.said), "%s", heard.said)
			for i, said := range heard.said {
				require.True(t, strings.HasPrefix(said, "page-"+want.said[i]), "%s", said)
			}
		})
	}
}

// TestTab tries the steps of browser tests, with scripts and without.
func TestTab(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, err := w.Write([]byte(`<!doctype html><p id="said">` + r.URL.Query().Get("a") + r.URL.Query().Get("b") +
			`</p><p id="dark"></p>
			<form><input name="a" value="old"><select name="b"><option>1<option>2</select><button>Go</button></form>
			<script>document.getElementById("dark").textContent = matchMedia("(prefers-color-scheme: dark)").matches</script>`))
		require.NoError(t, err)
	}))
	defer server.Close()
	browser := Start(t)
	for name, view := range map[string]View{"scripts": {Dark: true}, "no scripts": {Dark: true, NoScripts: true}} {
		t.Run(name, func(t *testing.T) {
			tab := browser.Open(t, view)
			tab.Go(server.URL)
			require.Equal(t, !view.NoScripts, tab.Text("#dark") == "true")
			tab.Fill("input", "new")
			tab.Choose("select", "2")
			tab.Follow("button")
			require.Equal(t, "new2", tab.Text("#said"))
			tab.Fill("input", "typed")
			tab.Press(kb.Enter)
			tab.WaitText("#said", "typed1")
			require.Contains(t, tab.Address(), "a=typed")
			require.Empty(t, tab.Errors())
		})
	}
}
