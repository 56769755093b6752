// Package help has the pages of the handbook. Its chapters are in views/help.
package help

import (
	"bytes"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/views"
)

// Area has the handlers of this part of the site.
type Area struct {
	*pages.Site
	chapters []chapter
}

// New reads the handbook. It returns an error if a chapter is missing or has no title.
func New(s *pages.Site) (*Area, error) {
	a := &Area{Site: s}
	for _, name := range order {
		source, err := views.Handbook.ReadFile("help/" + name + ".md")
		if err != nil {
			return nil, fmt.Errorf("read the handbook: %w", err)
		}
		c, err := read(name, source)
		if err != nil {
			return nil, fmt.Errorf("chapter %s of the handbook: %w", name, err)
		}
		a.chapters = append(a.chapters, c)
	}
	return a, nil
}

// order lists the chapters by name, in the order of the contents.
var order = []string{"support", "bonus", "finance", "compliance", "administration", "cases", "rules", "going-live", "api", "installing",
	"operating", "backup", "sizing", "assurance", "performance"}

// forOperators is the first chapter for the people who run the program. The chapters before it are for those who work in it.
const forOperators = "going-live"

type chapter struct {
	Name, Title string
	Lede        string        // its first sentence, without markup
	Body        template.HTML // without the title
	Sections    []section
}

// section is a heading with everything below it, up to the next heading.
type section struct {
	ID, Title string
	text      string // the section and its title, without markup
}

var markdown = goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()))

// read parses a chapter, whose first line must be its title.
func read(name string, source []byte) (chapter, error) {
	c := chapter{Name: name}
	title, rest, _ := bytes.Cut(source, []byte("\n"))
	var found bool
	c.Title, found = strings.CutPrefix(string(title), "# ")
	if !found {
		return c, fmt.Errorf("its first line must be its title, not %q", title)
	}
	document := markdown.Parser().Parse(text.NewReader(rest))
	var shown []*ast.Image
	var pages []*ast.CodeSpan // addresses of pages, which become links only here: in the repository, they would lead nowhere
	err := ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Link:
			if entering {
				n.Destination = []byte(address(string(n.Destination)))
			}
		case *tables.Table:
			n.SetAttributeString("tabindex", []byte("0")) // so that a wide table scrolls with the keyboard too
		case *ast.Image:
			if entering {
				shown = append(shown, n)
			}
		case *ast.CodeSpan:
			if entering && name == "rules" && strings.HasPrefix(plain(n, rest), "/") {
				pages = append(pages, n)
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return c, err
	}
	for _, image := range shown {
		inBothThemes(image, rest)
	}
	for _, page := range pages {
		link := ast.NewLink()
		link.Destination = []byte(plain(page, rest))
		page.Parent().ReplaceChild(page.Parent(), page, link)
		link.AppendChild(link, page)
	}
	for n := document.FirstChild(); n != nil; n = n.NextSibling() {
		words := plain(n, rest)
		if heading, is := n.(*ast.Heading); is {
			id, _ := heading.AttributeString("id")
			c.Sections = append(c.Sections, section{ID: string(id.([]byte)), Title: words, text: words})
			continue
		}
		if c.Lede == "" {
			first, _, _ := strings.Cut(words, ". ")
			c.Lede = strings.TrimSuffix(first, ".") + "."
		}
		if len(c.Sections) == 0 {
			c.Sections = append(c.Sections, section{Title: c.Title, text: c.Title})
		}
		c.Sections[len(c.Sections)-1].text += " " + words
	}
	var body bytes.Buffer
	if err := markdown.Renderer().Render(&body, rest, document); err != nil {
		return c, err
	}
	c.Body = template.HTML(body.String())
	return c, nil
}

// inBothThemes adds the dark picture next to a light one. The style sheet shows the one for the reader's theme.
func inBothThemes(light *ast.Image, source []byte) {
	link := ast.NewLink()
	link.Destination = []byte("/help/" + strings.Replace(string(light.Destination), "-light.", "-dark.", 1))
	dark := ast.NewImage(link)
	dark.AppendChild(dark, ast.NewString([]byte(plain(light, source))))
	light.Destination = []byte("/help/" + string(light.Destination))
	for image, class := range map[*ast.Image]string{light: "pb-in-light", dark: "pb-in-dark"} {
		image.SetAttributeString("class", []byte(class))
		image.SetAttributeString("width", []byte("1280"))
		image.SetAttributeString("height", []byte("800"))
		image.SetAttributeString("loading", []byte("lazy")) // the browser then fetches only pictures that it shows
	}
	light.Parent().InsertAfter(light.Parent(), light, dark)
}

// address returns the address to which a chapter's link leads in the program. Other files of the repository are not served, so
// a link to one leads to the top of the chapter.
func address(link string) string {
	file, part, found := strings.Cut(link, "#")
	if found {
		part = "#" + part
	}
	name, isChapter := strings.CutSuffix(file, ".md")
	switch {
	case file == "", strings.Contains(link, "://"):
		return link
	case isChapter && slices.Contains(order, name):
		return "/help/" + name + part
	}
	return "#"
}

// plain returns a node's text.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(n.Value(source))
				if n.SoftLineBreak() || n.HardLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.CodeBlock:
			if entering {
				b.Write(n.Lines().Value(source))
			}
		default:
			if !entering && n.Type() == ast.TypeBlock {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

type helpPage struct {
	web.Page
	Text      string // the words to search for
	Found     []hit
	Staff     []chapter
	Operators []chapter
}

// hit is a section that contains the words of a search.
type hit struct{ Href, Chapter, Title, Words string }

// Contents shows the list of chapters or, for a search, the sections that contain all its words.
func (a *Area) Contents(c *fiber.Ctx) error {
	page := &helpPage{Page: a.Page(c, "")}
	page.Text = strings.TrimSpace(page.Params.Get("q"))
	first := slices.Index(order, forOperators)
	page.Staff, page.Operators = a.chapters[:first], a.chapters[first:]
	words := strings.Fields(strings.ToLower(page.Text))
	if len(words) == 0 {
		return a.Render(c, "help/contents", page)
	}
	for _, chapter := range a.chapters {
		for _, s := range chapter.Sections {
			low := strings.ToLower(s.text)
			if slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(low, w) }) {
				continue
			}
			page.Found = append(page.Found, hit{"/help/" + chapter.Name + "#" + s.ID, chapter.Title, s.Title,
				around(s.text, strings.Index(low, words[0]))})
		}
	}
	return a.Render(c, "help/contents", page)
}

// around returns a few words of a text on both sides of a position.
func around(text string, at int) string {
	const before, after = 60, 160
	from, to := max(0, min(at, len(text))-before), min(len(text), at+after)
	if from > 0 {
		from += strings.Index(text[from:], " ") + 1
	}
	from = min(from, to)
	if space := strings.LastIndex(text[from:to], " "); to < len(text) && space > 0 {
		to = from + space
	}
	return strings.ToValidUTF8(text[from:to], "")
}

type chapterPage struct {
	web.Page
	Chapter  chapter
	Next     chapter // empty after the last chapter
	Previous chapter
}

// Chapter shows a chapter.
func (a *Area) Chapter(c *fiber.Ctx) error {
	i := slices.Index(order, c.Params("chapter"))
	if i < 0 {
		return web.NotFound("page")
	}
	page := &chapterPage{Page: a.Page(c, ""), Chapter: a.chapters[i]}
	if i > 0 {
		page.Previous = a.chapters[i-1]
	}
	if i+1 < len(a.chapters) {
		page.Next = a.chapters[i+1]
	}
	return a.Render(c, "help/chapter", page)
}

// Picture sends a picture of a chapter.
func (a *Area) Picture(c *fiber.Ctx) error {
	picture, err := views.Handbook.ReadFile("help/pictures/" + c.Params("name"))
	if err != nil {
		return web.NotFound("page")
	}
	return c.Type("webp").Send(picture)
}
