package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/browsertest"
)

// pictureFolder has the pictures of README.md and the handbook, each in both themes, and what their pages said when they were
// taken.
const pictureFolder = "views/help/pictures"

// picture is a page of the demo that a document shows.
type picture struct {
	name     string // of its files, NAME-light.webp and NAME-dark.webp
	username string
	open     func(*workday, *browsertest.Tab)
}

// pictures shows the main job of each role.
var pictures = []picture{
	{"support", "sofia", func(w *workday, tab *browsertest.Tab) { tab.Go(w.server.AdminURL() + w.player("anna")) }},
	{"bonus", "bruno", func(w *workday, tab *browsertest.Tab) {
		tab.Go(w.server.AdminURL() + "/campaigns")
		tab.Follow("tbody a[href^='/campaigns/']")
	}},
	{"finance", "farid", func(w *workday, tab *browsertest.Tab) {
		tab.Go(w.server.AdminURL() + "/corrections")
		tab.Follow("tbody a[href^='/corrections/']")
	}},
	{"compliance", "chloe", at("/integrity")},
	{"administration", "ada", at("/settings/free-spins")},
}

func at(path string) func(*workday, *browsertest.Tab) {
	return func(w *workday, tab *browsertest.Tab) { tab.Go(w.server.AdminURL() + path) }
}

// pageWords returns what a page calls its things: its headings, columns, fields, tabs and buttons, without those that depend on
// the data.
const pageWords = `[...new Set([...document.querySelectorAll(
	"main :is(h1, h2, h3, th, dt, label, button, summary, .btn:not([rel]), .pb-tabs a), nav a")]
	.filter((e) => !e.closest("[aria-label='Won most'], [value=winners]")) // only if a player of the campaign has won by now
	.map((e) => e.innerText.replace(/\s+/g, " ").trim()).filter((s) => s && !/\d/.test(s)))].sort()`

// pictures writes the pictures, or if it is only to compare, fails the test if a page has other words than its picture.
func (w *workday) pictures(take bool) {
	w.Helper()
	folder := filepath.Join(repository(w.T), pictureFolder)
	recorded := filepath.Join(folder, "words.txt")
	var words strings.Builder
	for _, p := range pictures {
		tab := w.tabs[p.username]
		p.open(w, tab)
		fmt.Fprintf(&words, "%s: %s\n", p.name, strings.Join(tab.Strings(pageWords), " | "))
		for theme, dark := range map[string]bool{"light": false, "dark": true} {
			file := filepath.Join(folder, p.name+"-"+theme+".webp")
			if take {
				tab.Look(browsertest.View{Dark: dark})
				tab.Picture(file)
			}
			info, err := os.Stat(file)
			require.NoError(w, err)
			require.Less(w, info.Size(), int64(80<<10), "%s is too large", file)
		}
		tab.Look(browsertest.View{})
	}
	if take {
		require.NoError(w, os.WriteFile(recorded, []byte(words.String()), 0o644))
	}
	then, err := os.ReadFile(recorded)
	require.NoError(w, err)
	require.Equal(w, string(then), words.String(),
		"a page has changed since its picture was taken: run `make pictures` and look at %s", pictureFolder)
}
