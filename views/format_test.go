package views

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

var rewrite = flag.Bool("format", false, "rewrite the templates that are not formatted")

// All templates have the format of formatTemplate. "make format" rewrites them.
func TestTemplatesAreFormatted(t *testing.T) {
	names, err := filepath.Glob("*/*.html")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	texts := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		texts[name] = string(text)
	}
	shapes := map[string]shape{}
	for range 3 { // the shape of a template may depend on those that it calls
		for _, name := range names {
			nest(split(texts[name]), shapes)
		}
	}
	for define, s := range shapes {
		require.Empty(t, s.open, "%s leaves elements open", define)
	}
	for _, name := range names {
		formatted := formatTemplate(texts[name], shapes)
		for i, line := range strings.Split(formatted, "\n") {
			require.LessOrEqual(t, utf8.RuneCountInString(line), columns, "break line %d of %s, or say it more briefly:\n%s", i+1, name, line)
		}
		require.Equal(t, formatted, formatTemplate(formatted, shapes), "formatting %s again changes it", name)
		if *rewrite && formatted != texts[name] {
			require.NoError(t, os.WriteFile(name, []byte(formatted), 0o644))
			continue
		}
		lines := strings.Split(texts[name], "\n")
		for i, want := range strings.Split(formatted, "\n") {
			require.True(t, i < len(lines) && lines[i] == want, "%s is not formatted; run make format. Line %d has to be:\n%s", name, i+1, want)
		}
	}
}

func TestFormat(t *testing.T) {
	for source, want := range map[string]string{
		"{{define \"a\"}}<ul\nclass=\"x\">{{range .}}<li>{{.}}</li>{{end}}</ul>{{end}}\n": `{{define "a"}}
  <ul class="x">
    {{range .}}
      <li>{{.}}</li>
    {{end}}
  </ul>
{{end}}
`,
		"{{define \"b\"}}<p>One\ntwo {{if .X}}<b>three</b>{{end}}.</p>{{end}}\n":  "{{define \"b\"}}\n  <p>One two {{if .X}}<b>three</b>{{end}}.</p>\n{{end}}\n",
		"{{define \"c\"}}{{.A}}\n{{- if .X}}, b\n{{- else}}, c{{end}}{{end}}\n":   "{{define \"c\"}}{{.A}}\n  {{- if .X}}, b\n  {{- else}}, c{{end}}{{end}}\n",
		"{{define \"d\"}}{{template \"e-begin\"}}<p>A</p></div></section>{{end}}": "{{define \"d\"}}\n  {{template \"e-begin\"}}\n      <p>A</p>\n    </div>\n  </section>\n{{end}}\n",
		"{{define \"f\"}}<pre>a\n  b</pre>{{end}}":                                "{{define \"f\"}}\n  <pre>a\n  b</pre>\n{{end}}\n",
	} {
		require.Equal(t, want, formatTemplate(source, map[string]shape{"e-begin": {true, []string{"section", "div"}}}))
	}
}

// piece is a part of a template: a tag, an action or a text, with the white space before it.
type piece struct {
	kind    string // "open", "close" or "void" of a tag; "begin", "else" or "end" of a control action; "call", "action", "comment", "text"
	name    string // of a tag, or of a called template
	text    string
	space   string
	trimmed bool     // whether a trim marker removes that space
	inside  *frame   // the innermost element or control action around it
	closes  *frame   // what it closes or, if it is an {{else}}, continues
	opens   []*frame // a call opens several if the called template leaves elements open
}

// frame is an element or a control action, with what is in it.
type frame struct {
	tag      string // "" if a control action
	around   *frame
	spacious bool // whether what is in it has lines of its own
	indent   int
}

// element returns the innermost element around, or the define.
func (f *frame) element() *frame {
	for f.tag == "" && f.around != nil && f.around.around != nil {
		f = f.around
	}
	return f
}

// shape is what a formatter has to know of a template that others call: whether it begins with a block, and which elements it
// leaves open.
type shape struct {
	block bool
	open  []string
}

var blocks = strings.Fields(`html head body meta title link script main header footer nav section article aside div p ul ol li dl dt dd
	table caption thead tbody tr th td form fieldset legend details summary h1 h2 h3 h4 blockquote pre doctype`)

// whole are block elements without white space at their ends: styles ask whether they are empty, or show it.
var whole = strings.Fields("td div blockquote")

var voids = strings.Fields("area base br col embed hr img input link meta source wbr doctype path circle rect")

var (
	actionWord  = regexp.MustCompile(`^{{-?\s*(/\*|\w*)`)
	quotedName  = regexp.MustCompile(`"([^"]+)"`)
	tagName     = regexp.MustCompile(`^</?!?([a-zA-Z0-9]+)`)
	lineBreak   = regexp.MustCompile(`\s*\n\s*`)
	blanks      = regexp.MustCompile(`[ \t\n]+`)  // and no others, such as those that do not break
	argument    = regexp.MustCompile(`"[^"]*"| `) // a text in an action, or the blank before an argument
	trimmedLeft = regexp.MustCompile(`\s*\n\s*{{- *`)
)

// split splits a template into pieces.
func split(text string) (pieces []piece) {
	for {
		rest := strings.TrimLeft(text, " \t\n")
		if rest == "" {
			return pieces
		}
		p := piece{space: text[:len(text)-len(rest)]}
		n := 0
		if strings.HasPrefix(rest, "{{") {
			n = strings.Index(rest, "}}") + 2
			p.text = lineBreak.ReplaceAllString(rest[:n], " ")
			switch word := actionWord.FindStringSubmatch(rest)[1]; word {
			case "/*":
				n = strings.Index(rest, "*/")
				n += strings.Index(rest[n:], "}}") + 2
				p.kind, p.text = "comment", rest[:n]
			case "if", "with", "range", "define":
				p.kind = "begin"
			case "else", "end":
				p.kind = word
			case "template":
				p.kind, p.name = "call", quotedName.FindStringSubmatch(rest)[1]
			default:
				p.kind = "action"
			}
			if p.kind == "begin" && strings.Contains(rest[:n], "define") {
				p.name = quotedName.FindStringSubmatch(rest)[1]
			}
		} else if tag := tagName.FindStringSubmatch(rest); tag != nil {
			n = tagLength(rest)
			p.name = strings.ToLower(tag[1])
			p.text = lineBreak.ReplaceAllString(trimmedLeft.ReplaceAllString(rest[:n], "{{"), " ")
			switch {
			case rest[1] == '/':
				p.kind = "close"
			case slices.Contains(voids, p.name):
				p.kind = "void"
			case p.name == "pre" || p.name == "textarea": // their white space counts
				end := strings.Index(rest, "</"+p.name+">") + len(p.name) + 3
				p.kind, p.text, n = "void", p.text+rest[n:end], end
			default:
				p.kind = "open"
			}
		} else {
			for n < len(rest) && !strings.HasPrefix(rest[n:], "{{") && !tagName.MatchString(rest[n:]) {
				n++
			}
			n = len(strings.TrimRight(rest[:n], " \t\n"))
			p.kind, p.text = "text", blanks.ReplaceAllString(rest[:n], " ")
		}
		p.trimmed = strings.HasPrefix(p.text, "{{-") || len(pieces) > 0 && strings.HasSuffix(pieces[len(pieces)-1].text, "-}}")
		text, pieces = rest[n:], append(pieces, p)
	}
}

// tagLength returns the length of the tag that a text starts with. Its attributes may contain actions.
func tagLength(text string) int {
	for i := 0; i < len(text); i++ {
		if strings.HasPrefix(text[i:], "{{") {
			i += strings.Index(text[i:], "}}") + 1
		} else if text[i] == '>' {
			return i + 1
		}
	}
	panic("a tag does not end: " + text)
}

// nest finds what is inside what. It adds the shapes of the templates that the pieces define.
func nest(pieces []piece, shapes map[string]shape) {
	root := &frame{indent: -1}
	top, define := root, ""
	for i := range pieces {
		p := &pieces[i]
		next := piece{}
		if i+1 < len(pieces) {
			next = pieces[i+1]
		}
		if p.kind != "close" && p.block(shapes) {
			for f := top; f != root; f = f.around {
				f.spacious = true
			}
			if before := pieces[max(i-1, 0)]; before.kind == "begin" && before.name != "" || i > 1 && before.kind == "begin" && pieces[i-2].name == define {
				shapes[define] = shape{true, shapes[define].open}
			}
		}
		p.inside = top
		if around := top.element(); i > 0 && isBlock(around.tag) && !slices.Contains(whole, around.tag) && breakable(pieces[i-1], *p) {
			around.spacious = true
		}
		push := func(tag string, spacious bool) {
			top = &frame{tag: tag, around: top, spacious: spacious}
			p.opens = append(p.opens, top)
		}
		switch p.kind {
		case "open":
			push(p.name, isBlock(p.name) && strings.Contains(next.space, "\n") && !next.trimmed)
		case "call":
			for _, tag := range shapes[p.name].open {
				push(tag, true)
			}
		case "begin":
			if p.name != "" {
				define = p.name
			}
			push("", false)
		case "close":
			if top.tag == p.name {
				p.closes, top = top, top.around
			}
		case "else", "end":
			var open []string
			for ; top.tag != ""; top = top.around {
				open = append([]string{top.tag}, open...)
			}
			if p.closes = top; p.kind == "end" {
				if top.around == root {
					shapes[define] = shape{shapes[define].block, open}
				}
				top = top.around
			}
		}
	}
}

func isBlock(tag string) bool { return slices.Contains(blocks, tag) }

// block reports whether a piece is, or begins with, a block element.
func (p piece) block(shapes map[string]shape) bool {
	switch p.kind {
	case "open", "void", "close":
		return isBlock(p.name)
	case "call":
		return shapes[p.name].block
	}
	return false
}

// control reports whether a piece is a control action.
func (p piece) control() bool { return p.kind == "begin" || p.kind == "else" || p.kind == "end" }

// breakable reports whether a line break between two pieces stays: those in sentences do not.
func breakable(a, b piece) bool {
	return strings.Contains(b.space, "\n") && (b.trimmed || a.control() || b.control() || a.kind != "text" && b.kind != "text")
}

// gap returns what is between a piece and the next: a line break, a blank, or nothing.
func gap(a, b piece, shapes map[string]shape) string {
	around := b.inside
	if b.closes != nil {
		around = b.closes
	}
	around = around.element()
	switch {
	case b.inside.indent == -1 && b.inside.around == nil && b.closes == nil: // between defines
		if strings.Count(b.space, "\n") > 1 {
			return "\n\n"
		}
		return "\n"
	case len(a.opens) > 0 && a.opens[0].spacious, a.kind == "else" && a.closes.spacious, b.closes != nil && b.closes.spacious,
		len(b.opens) > 0 && b.opens[0].spacious, a.closes != nil && a.closes.spacious:
		return "\n"
	case a.kind != "open" && a.block(shapes), b.kind != "close" && b.block(shapes):
		return "\n"
	case (around.tag == "" || around.spacious || b.trimmed) && breakable(a, b):
		return "\n"
	case b.space != "" && !b.trimmed:
		return " "
	}
	return ""
}

// formatTemplate indents a template by two blanks a level. Block elements are on lines of their own, and so are control actions
// with block elements inside. Other elements share a line, except where the template breaks it beside a trim marker or between
// elements. Sentences, and actions between their arguments, are broken before column 160.
func formatTemplate(text string, shapes map[string]shape) string {
	pieces := split(text)
	nest(pieces, shapes)
	var b []byte
	indent := 0
	for i, p := range pieces {
		between := ""
		if i > 0 {
			between = gap(pieces[i-1], p, shapes)
		}
		if strings.Contains(between, "\n") {
			if indent = p.inside.indent + 1; p.closes != nil {
				indent = p.closes.indent
			}
			between += strings.Repeat("  ", indent)
		} else if p.trimmed { // there is nothing to trim
			b = bytes.TrimSuffix(b, []byte(" -}}"))
			if strings.HasSuffix(pieces[max(i-1, 0)].text, " -}}") {
				b = append(b, "}}"...)
			}
			p.text = strings.Replace(p.text, "{{- ", "{{", 1)
		}
		for level, f := range p.opens {
			f.indent = indent + level
		}
		if p.kind == "text" {
			p.text = strings.ReplaceAll(p.text, " ", soft)
			if between == " " && !breakable(pieces[i-1], piece{kind: p.kind, space: "\n", trimmed: p.trimmed}) {
				between = soft
			}
		}
		if len(p.text) > longAction && strings.HasPrefix(p.text, "{{") {
			p.text = argument.ReplaceAllStringFunc(p.text, func(s string) string {
				if s == " " {
					return soft
				}
				return s
			})
		}
		b = append(append(b, between...), p.text...)
	}
	return wrap(string(b)) + "\n"
}

// columns is the length that no line exceeds if it can be broken in a sentence.
const columns = 160

// longAction is the length from which on an action may be broken between its arguments.
const longAction = 60

// soft is a blank in a sentence, where a line may be broken. The engine joins such lines again: no line that starts with a tag
// or an action is one of them.
const soft = "\x00"

// wrap breaks the sentences of lines that are too long.
func wrap(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		var wrapped strings.Builder
		indent := strings.Repeat(" ", len(line)-len(strings.TrimLeft(line, " "))+2)
		at := 0
		for j, run := range strings.Split(line, soft) {
			n := utf8.RuneCountInString(run)
			switch {
			case j == 0:
			case at+1+n > columns && !strings.HasPrefix(run, "<") && !strings.HasPrefix(run, "{{") && run != "":
				wrapped.WriteString("\n" + indent)
				at = len(indent)
			default:
				wrapped.WriteString(" ")
				at++
			}
			wrapped.WriteString(run)
			at += n
		}
		lines[i] = wrapped.String()
	}
	return strings.Join(lines, "\n")
}
