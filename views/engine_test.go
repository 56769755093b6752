package views

import (
	"errors"
	"html/template"
	"io"
	"io/fs"
	"path"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// A name that changes the direction of text cannot affect the amount beside it, names that differ only by characters that
// cannot be seen look different, and forms send values back unchanged.
func TestInvisibleCharactersAreShown(t *testing.T) {
	for page, want := range map[string]string{
		"<bdi>\u202eanna</bdi> has 12.34":                   "<bdi>[U+202E]anna</bdi> has 12.34",
		"<title>\u2066a\u2069b\u202c</title>":               "<title>[U+2066]a[U+2069]b[U+202C]</title>",
		`<input value="` + "\u202e" + `"> x`:                `<input value="` + "\u202e" + `"> x`,
		"<textarea rows=3>\u202e</textarea><p>\u202e</p>":   "<textarea rows=3>\u202e</textarea><p>[U+202E]</p>",
		"plain, anna’s “אבג” \u200f and \u200d are as ever": "plain, anna’s “אבג” \u200f and \u200d are as ever",
		"<bdi>anna\u200d</bdi>":                             "<bdi>anna[U+200D]</bdi>",
		"<p>anna\u00a0 and an\u200bna, an\ufeffna</p>":      "<p>anna[U+00A0] and an[U+200B]na, an[U+FEFF]na</p>",
		"<b>75.00\u00a0EUR</b>":                             "<b>75.00\u00a0EUR</b>",
		"<bdi class=x>anna </bdi> <bdi> anna</bdi>":         "<bdi class=x>anna␣</bdi> <bdi>␣anna</bdi>",
		`<span class="id" title="a ">a </span> `:            `<span class="id" title="a ">a␣</span> `,
		"<bdi>an <mark>na</mark></bdi>":                     "<bdi>an <mark>na</mark></bdi>",
	} {
		require.Equal(t, want, string(showInvisible([]byte(page))))
	}
}

// Each shared template is defined once: a second one of the same name would replace it on every page.
func TestSharedTemplatesAreDefinedOnce(t *testing.T) {
	defines := regexp.MustCompile(`{{-?\s*define "([^"]+)"`)
	shared, pages := map[string]string{}, map[string][]string{}
	require.NoError(t, fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".html" {
			return err
		}
		text, err := fs.ReadFile(files, name)
		for _, define := range defines.FindAllStringSubmatch(string(text), -1) {
			if folder := path.Dir(name); folder == "partials" || folder == "layouts" {
				require.Empty(t, shared[define[1]], "%s is defined in %s too", define[1], name)
				shared[define[1]] = name
			} else {
				pages[define[1]] = append(pages[define[1]], name)
			}
		}
		return err
	}))
	require.NotEmpty(t, shared)
	for _, block := range []string{"window", "heading", "lede", "crumbs", "actions", "so-far", "doing", "progress-facts",
		"requested", "requested-also", "request-button", "request-maker", "none", "selection", "shown", "list-head", "found",
		"list-note"} {
		require.NotEmpty(t, shared[block])
		delete(shared, block) // pages replace these with their own
	}
	for name, by := range pages {
		require.Empty(t, shared[name], "%s, shared by %s, is defined again in %s", name, shared[name], by)
	}
}

// html/template finds out in which context a value is only when it first executes a page. No page has a value, or a call of
// another template, where it cannot be escaped.
func TestTemplatesAreEscaped(t *testing.T) {
	engine, err := New(nil)
	require.NoError(t, err)
	for name, page := range engine.pages {
		for _, define := range page.Templates() {
			var wrong *template.Error
			if err := page.ExecuteTemplate(io.Discard, define.Name(), nil); errors.As(err, &wrong) {
				require.NoError(t, err, "%s: %s", name, define.Name())
			}
		}
	}
}
