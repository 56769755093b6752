package views

import (
	"encoding/xml"
	"fmt"
	"html/template"
	"strings"
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

// functions returns the template functions that insert a drawing into a page. They insert its shapes, because under the
// Content-Security-Policy not every browser lets a page refer to shapes in another file. With an unknown name, the page fails,
// and so does a test.
func (d drawings) functions() template.FuncMap {
	draw := func(class, prefix string) func(name string) (template.HTML, error) {
		drawn := map[string]template.HTML{}
		for name, s := range d {
			if short, is := strings.CutPrefix(name, prefix); is {
				drawn[short] = template.HTML(`<svg class="` + class + `" viewBox="` + s.ViewBox + `" aria-hidden="true">` +
					s.Shapes + `</svg>`)
			}
		}
		return func(name string) (template.HTML, error) {
			if text, ok := drawn[name]; ok {
				return text, nil
			}
			return "", fmt.Errorf("there is no drawing %q", prefix+name)
		}
	}
	mark := draw("pb-mark", "")
	return template.FuncMap{
		"icon": draw("pb-i", ""), "small": draw("pb-i sm", ""), "glyph": draw("g", "g-"), "bucket": draw("b", "b-"),
		"node": draw("n", "n-"), "art": draw("art", "art-"),
		"mark": func() (template.HTML, error) { return mark("mark") },
	}
}
