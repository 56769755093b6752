// Package views holds the templates of the back office and renders them. Layouts and partials are shared by all pages; each
// page is a file in the folder of its subject and defines "content", and a template named "part:x" for every part that is also
// answered by itself.
package views

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"text/template/parse"
	"unicode/utf8"
)

//go:embed */*.html icons.svg
var files embed.FS

// Engine renders pages. It implements Fiber's Views. Every template is parsed once, by New, and a page reaches the browser
// whole or not at all: it is rendered into a buffer first.
//
// A page has its own copies of the shared templates that it can reach, because html/template changes them as it learns where
// their values stand. Copies of all of them, for each page, were four fifths of what an instance kept in memory.
type Engine struct {
	pages   map[string]*template.Template
	buffers sync.Pool // of *bytes.Buffer
}

// New parses all templates. The map names the built files behind plain ones, such as main.css; asset gives their addresses.
func New(assets map[string]string) (*Engine, error) {
	drawings, err := readDrawings()
	if err != nil {
		return nil, err
	}
	functions := []template.FuncMap{drawings.functions(), partFunctions, wordFunctions, {
		"asset": func(name string) string {
			if built, ok := assets[name]; ok {
				return "/static/" + built
			}
			return ""
		},
		"seq": func(n int) []int { return make([]int, n) },
		// filled is what a block of the page shows, such as "lede": empty where it shows nothing. Each page has its own.
		"filled": func(string, any) (template.HTML, error) { return "", nil },
	}}
	shared, err := newTemplate(functions).ParseFS(files, "layouts/*.html", "partials/*.html")
	if err != nil {
		return nil, fmt.Errorf("views: %w", err)
	}
	e := &Engine{pages: map[string]*template.Template{}, buffers: sync.Pool{New: func() any { return new(bytes.Buffer) }}}
	err = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		folder := path.Dir(name)
		if err != nil || entry.IsDir() || folder == "." || folder == "layouts" || folder == "partials" {
			return err
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		page := newTemplate(functions)
		page.Funcs(template.FuncMap{"filled": func(block string, binding any) (template.HTML, error) {
			var b strings.Builder
			err := page.ExecuteTemplate(&b, block, binding)
			return template.HTML(strings.TrimSpace(b.String())), err
		}})
		if _, err := page.Parse(string(text)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := addReached(page, shared); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		e.pages[strings.TrimSuffix(name, ".html")] = page
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("views: %w", err)
	}
	return e, nil
}

// newTemplate is an empty set of templates that may call the functions.
func newTemplate(functions []template.FuncMap) *template.Template {
	t := template.New("").Option("missingkey=error")
	for _, f := range functions {
		t.Funcs(f)
	}
	return t
}

// layouts are the templates that pages are rendered through.
var layouts = []string{"app", "bare", "signin"}

// addReached adds copies of those shared templates to a page that its layouts and its own templates lead to.
func addReached(page, shared *template.Template) error {
	next := slices.Clone(layouts)
	for _, own := range page.Templates() {
		next = appendNames(next, own.Tree.Root)
	}
	for len(next) > 0 {
		name := next[0]
		next = next[1:]
		there := shared.Lookup(name)
		if there == nil || page.Lookup(name) != nil {
			continue
		}
		if _, err := page.AddParseTree(name, there.Tree.Copy()); err != nil {
			return err
		}
		next = appendNames(next, there.Tree.Root)
	}
	return nil
}

// appendNames appends what may be the name of a template in a node: what {{template}} calls, and each string, since functions
// such as filled are told a name.
func appendNames(names []string, node parse.Node) []string {
	each := func(nodes ...parse.Node) {
		for _, n := range nodes {
			names = appendNames(names, n)
		}
	}
	branches := func(b *parse.BranchNode) {
		each(b.Pipe, b.List)
		if b.ElseList != nil {
			each(b.ElseList)
		}
	}
	switch n := node.(type) {
	case *parse.ListNode:
		each(n.Nodes...)
	case *parse.TemplateNode:
		names = append(names, n.Name)
		if n.Pipe != nil {
			each(n.Pipe)
		}
	case *parse.ActionNode:
		each(n.Pipe)
	case *parse.PipeNode:
		for _, c := range n.Cmds {
			each(c.Args...)
		}
	case *parse.IfNode:
		branches(&n.BranchNode)
	case *parse.RangeNode:
		branches(&n.BranchNode)
	case *parse.WithNode:
		branches(&n.BranchNode)
	case *parse.ChainNode:
		each(n.Node)
	case *parse.StringNode:
		names = append(names, n.Text)
	}
	return names
}

// Load is part of Fiber's Views. New has done it.
func (e *Engine) Load() error { return nil }

// Has reports whether a page has a template of this name, such as "part:rows".
func (e *Engine) Has(page, name string) bool {
	p, ok := e.pages[page]
	return ok && p.Lookup(name) != nil
}

// Render writes a page, such as "staff/list", through the layout named, "app" unless one is. A name such as "part:rows" in the
// layout's place writes that part alone. Nothing is written when a template fails.
func (e *Engine) Render(w io.Writer, page string, binding any, layout ...string) error {
	p, ok := e.pages[page]
	if !ok {
		return fmt.Errorf("views: there is no page %q", page)
	}
	through := "app"
	if len(layout) > 0 {
		through = layout[0]
	}
	b := e.buffers.Get().(*bytes.Buffer)
	b.Reset()
	if b.Cap() <= mostBuffered {
		defer e.buffers.Put(b)
	}
	if err := p.ExecuteTemplate(b, through, binding); err != nil {
		return fmt.Errorf("views: %s: %w", page, err)
	}
	_, err := w.Write(showDirections(b.Bytes()))
	return err
}

// mostBuffered is the largest buffer that serves another page.
const mostBuffered = 1 << 20

// showDirections writes the characters that turn the direction of a text as what they are, such as [U+202E], wherever a page
// shows text. Names come from outside, and such a character in one would otherwise show the amounts beside it backwards, also
// to whoever approves a correction. The values of attributes and what stands in text areas are left as they are: they are sent
// back.
func showDirections(page []byte) []byte {
	var shown []byte
	written, inTag, inArea := 0, false, false
	for i := 0; i < len(page); i++ {
		switch page[i] {
		case '<':
			inTag = true
			rest := page[i:]
			inArea = bytes.HasPrefix(rest, []byte("<textarea")) || inArea && !bytes.HasPrefix(rest, []byte("</textarea"))
		case '>':
			inTag = false
		case 0xe2:
			r, size := utf8.DecodeRune(page[i:])
			if inTag || inArea || !(r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069) {
				continue
			}
			shown = fmt.Appendf(append(shown, page[written:i]...), "[%U]", r)
			written = i + size
		}
	}
	if shown == nil {
		return page
	}
	return append(shown, page[written:]...)
}
