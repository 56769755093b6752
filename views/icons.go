package views

import (
	"encoding/xml"
	"fmt"
	"html/template"
)

// drawings are the symbols of icons.svg by name.
type drawings map[string]symbol

type symbol struct {
	Name    string `xml:"id,attr"`
	ViewBox string `xml:"viewBox,attr"`
	Shapes  string `xml:",innerxml"`
}

func readDrawings() (drawings, error) {
	text, err := files.ReadFile("icons.svg")
	if err != nil {
		return nil, err
	}
	var sheet struct {
		Symbols []symbol `xml:"symbol"`
	}
	if err := xml.Unmarshal(text, &sheet); err != nil {
		return nil, fmt.Errorf("views: icons.svg: %w", err)
	}
	d := drawings{}
	for _, s := range sheet.Symbols {
		d[s.Name] = s
	}
	return d, nil
}

// functions are those that put a drawing into a page. They write it out, since a page may not refer to another file's shapes
// under every browser's reading of the Content-Security-Policy. An unknown name fails the page, and with it a test.
func (d drawings) functions() template.FuncMap {
	draw := func(class, name string) (template.HTML, error) {
		s, ok := d[name]
		if !ok {
			return "", fmt.Errorf("there is no drawing %q", name)
		}
		return template.HTML(`<svg class="` + class + `" viewBox="` + s.ViewBox + `" aria-hidden="true">` + s.Shapes +
			`</svg>`), nil
	}
	return template.FuncMap{
		"icon":   func(name string) (template.HTML, error) { return draw("pb-i", name) },
		"small":  func(name string) (template.HTML, error) { return draw("pb-i sm", name) },
		"glyph":  func(name string) (template.HTML, error) { return draw("g", "g-"+name) },
		"bucket": func(name string) (template.HTML, error) { return draw("b", "b-"+name) },
		"node":   func(name string) (template.HTML, error) { return draw("n", "n-"+name) },
		"mark":   func() (template.HTML, error) { return draw("pb-mark", "mark") },
		"art":    func(name string) (template.HTML, error) { return draw("art", "art-"+name) },
	}
}
