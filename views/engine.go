// Package views has the templates of the back office and renders them. All pages share the layouts and partials. Each page is a
// file in the folder of its subject. It defines a template "content", and a template "part:x" for each part that can also be
// requested alone.
package views

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/template/parse"
	"unicode/utf8"
)

//go:embed */*.html icons.svg
var files embed.FS

// Handbook has the chapters of the handbook, in Markdown, and their pictures, in the folder help.
//
//go:embed help/*.md help/pictures/*.webp
var Handbook embed.FS

// Engine renders pages. It implements Fiber's Views. New parses every template once. Pages are rendered into a buffer first, so
// that the browser gets a whole page or none of it.
//
// Each page has its own copies of the shared templates that it can reach, because html/template rewrites templates for the
// context of their values. Copies of all shared templates for each page took four fifths of an instance's memory.
type Engine struct {
	pages   map[string]*template.Template
	buffers sync.Pool // of *bytes.Buffer
}

// New parses all templates. The map has the names of built files by their plain names, such as main.css; the template function
// asset returns their addresses.
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
		// filled returns the trimmed output of a block of the page, such as "lede". Each page replaces it with its own.
		"filled": func(string, any) (template.HTML, error) { return "", nil },
	}}
	shared, pages := newTemplate(functions), map[string]string{}
	err = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".html" {
			return err
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		source := indentation.ReplaceAllLiteralString(sentences.ReplaceAllString(string(text), " $1"), "")
		if folder := path.Dir(name); folder == "layouts" || folder == "partials" {
			_, err = shared.Parse(source)
		} else {
			pages[name] = source
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("views: %w", err)
	}
	e := &Engine{pages: map[string]*template.Template{}, buffers: sync.Pool{New: func() any { return new(bytes.Buffer) }}}
	for name, source := range pages {
		page := newTemplate(functions)
		page.Funcs(template.FuncMap{"filled": func(block string, binding any) (template.HTML, error) {
			var b strings.Builder
			err := page.ExecuteTemplate(&b, block, binding)
			return template.HTML(strings.TrimSpace(b.String())), err
		}})
		if _, err := page.Parse(source); err != nil {
			return nil, fmt.Errorf("views: %s: %w", name, err)
		}
		if err := addReached(page, shared); err != nil {
			return nil, fmt.Errorf("views: %s: %w", name, err)
		}
		e.pages[strings.TrimSuffix(name, ".html")] = page
	}
	return e, nil
}

// sentences are broken in templates, where lines would become too long, but not in pages.
var sentences = regexp.MustCompile(`\n +([^ <{\n])`)

// indentation is left out of pages: it would make them a third larger.
var indentation = regexp.MustCompile(`(?m)^ +`)

// newTemplate returns an empty set of templates that may call the functions.
func newTemplate(functions []template.FuncMap) *template.Template {
	t := template.New("").Option("missingkey=error")
	for _, f := range functions {
		t.Funcs(f)
	}
	return t
}

// layouts are the templates that frame pages.
var layouts = []string{"app", "bare", "paper", "signin"}

// addReached adds copies of the shared templates that the layouts and the page's own templates call, directly or not.
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

// appendNames appends all possible names of templates in a node: those that {{template}} calls, and every string, because
// functions such as filled take a name.
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

// Load does nothing: New has parsed the templates. Fiber's Views requires it.
func (e *Engine) Load() error { return nil }

// Has reports whether a page has a template of this name, such as "part:rows".
func (e *Engine) Has(page, name string) bool {
	p, ok := e.pages[page]
	return ok && p.Lookup(name) != nil
}

// Render writes a page, such as "staff/list", in a layout, by default "app". With the name of a part, such as "part:rows", in
// place of a layout, it writes only that part. If a template fails, nothing is written.
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
	if b.Cap() <= maxBuffered {
		defer e.buffers.Put(b)
	}
	if err := p.ExecuteTemplate(b, through, binding); err != nil {
		return fmt.Errorf("views: %s: %w", page, err)
	}
	_, err := w.Write(showInvisible(b.Bytes()))
	return err
}

// maxBuffered is the size of the largest buffer that is used again.
const maxBuffered = 1 << 20

// showInvisible replaces characters that cannot be seen by their code points, such as [U+202E], wherever a page shows text:
// those that change the direction of text, and spaces that look like none or like others. Names come from outside: such a
// character in a name could show the amounts beside it backward, even to the person who approves a correction, and two names
// could look the same. A blank at an end of a name becomes an open box. Values of attributes and text areas stay unchanged,
// because forms send them back.
func showInvisible(page []byte) []byte {
	var shown []byte
	written, inTag, inArea, inName := 0, false, false, false
	replace := func(at, size int, by string) {
		shown = append(append(shown, page[written:at]...), by...)
		written = at + size
	}
	for i := 0; i < len(page); i++ {
		switch b := page[i]; {
		case b == '<':
			inTag = true
			rest := page[i:]
			inArea = bytes.HasPrefix(rest, []byte("<textarea")) || inArea && !bytes.HasPrefix(rest, []byte("</textarea"))
			inName = bytes.HasPrefix(rest, []byte("<bdi")) || bytes.HasPrefix(rest, []byte(`<span class="id"`))
		case b == '>':
			inTag = false
		case inTag || inArea:
		case b == ' ' && inName && (page[i-1] == '>' || bytes.HasPrefix(page[i+1:], []byte("</"))):
			replace(i, 1, "␣")
		case b >= utf8.RuneSelf && utf8.RuneStart(b):
			r, size := utf8.DecodeRune(page[i:])
			ours := r == '\u00a0' && i > 0 && page[i-1] >= '0' && page[i-1] <= '9' && i+size < len(page) &&
				page[i+size] >= 'A' && page[i+size] <= 'Z' // between an amount and its currency
			if !ours && (strings.ContainsRune(hidden, r) || inName && r >= 0x200c && r <= 0x200f) {
				replace(i, size, fmt.Sprintf("[%U]", r))
			}
			i += size - 1
		}
	}
	if shown == nil {
		return page
	}
	return append(shown, page[written:]...)
}

// hidden are the characters that showInvisible replaces everywhere. In names it also replaces joiners and marks of direction,
// which other texts need for some languages.
const hidden = "\u00a0\u00ad\u034f\u115f\u1160\u180e\u2007\u200b\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u202f" +
	"\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\u3164\ufeff\uffa0"
