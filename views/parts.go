package views

import (
	"fmt"
	"html"
	"html/template"
	"reflect"
	"strings"
	"unicode/utf8"
)

// What the partials take. Pages build these in Go, where the compiler reads along, or by the functions below in a template.

// Badge is a state: a shape, a word, and only then a colour.
type Badge struct {
	Kind  string // "quiet" is the normal state; "" grey; "on" what runs; "wait" waits for a person; "risk" money at risk
	Shape string // a glyph of icons.svg without its "g-", or empty
	Word  string
}

// Quiet is the normal state: applied, granted, offered.
func Quiet(word string) Badge { return Badge{"quiet", "check", word} }

// Refused is what was refused, or has expired.
func Refused(word string) Badge { return Badge{"", "refused", word} }

// Undone is what was rolled back.
func Undone(word string) Badge { return Badge{"", "back", word} }

// Gone is what is no longer there.
func Gone(word string) Badge { return Badge{"", "gone", word} }

// Active is what runs.
func Active(word string) Badge { return Badge{"on", "on", word} }

// Fresh is what is new.
func Fresh(word string) Badge { return Badge{"on", "new", word} }

// Waiting is what waits for a person.
func Waiting(word string) Badge { return Badge{"wait", "wait", word} }

// AtRisk is what nobody knows the outcome of.
func AtRisk(word string) Badge { return Badge{"risk", "unknown", word} }

// Plain is a word in a frame.
func Plain(word string) Badge { return Badge{"", "", word} }

// Money is an amount as a table shows it: digits, and the currency in a narrow place of its own so that digits line up.
type Money struct {
	Text     string // grouped, with a true minus, and a plus where the sign matters
	Currency string // empty where the column says it
	Void     bool   // without effect: paler
	Struck   bool   // rolled back
	Second   bool   // beside the figure that counts, such as a balance
}

// ID is a name given by a machine. It is shortened in its middle where Short is set, and whole on hover and in the clipboard.
type ID struct {
	Text  string
	Kind  string // "transaction ID", for the copy button's label
	Short bool
}

// Shown is the ID as the page shows it.
func (id ID) Shown() string {
	if !id.Short || utf8.RuneCountInString(id.Text) <= 13 {
		return id.Text
	}
	r := []rune(id.Text)
	return string(r[:6]) + "…" + string(r[len(r)-4:])
}

// Fact is one of the up to five in the strip under a thing's head.
type Fact struct {
	Label, Value, Note string
	Href               string // makes the value a link
	Big                bool
	Moment             Moment // in place of Value, where it is set
}

// Note is something that needs doing, or a message that stays until read.
type Note struct {
	Kind  string // "", "wait", "risk"; "done" for what was just done
	Icon  string
	Title string
	Text  string
	Links []Link
}

// Link is an action that is an address. One in a row is the main one.
type Link struct {
	Word, Href, Icon string
	Main             bool
	Destroys         bool
}

// Tab is one of a thing's pages.
type Tab struct {
	Word, Href, Count string
	Current           bool
}

// Event is one line of a timeline: time, node, sentence, effect.
type Event struct {
	At     Moment
	Node   string // "money", "none", "staff", "case", "risk"
	Who    string // set in bold before the sentence
	Text   string
	Detail string
	Quote  string // what somebody wrote
	Href   string // of Link
	Link   string
	Effect string // what moved, in bold
	After  string // and what it led to
}

// Chip is a filter in force, with the address without it.
type Chip struct{ Label, Value, Without string }

// Paging are the ways to the pages beside this one. An empty address is a way that is not there.
type Paging struct {
	Note         string // "20 shown", or "about 1.2 M" where a number helps
	Newer, Older string
	NewerWord    string // "Newer" unless set
	OlderWord    string
}

// As is the paging with the words of its buttons, which a page's template has.
func (p Paging) As(newer, older string) Paging {
	p.NewerWord, p.OlderWord = newer, older
	return p
}

// Shown is the paging with its note, a text or what a block of the page shows, which a page's template has.
func (p Paging) Shown(note any) Paging {
	text := fmt.Sprint(note)
	if block, ok := note.(template.HTML); ok {
		text = html.UnescapeString(string(block))
	}
	p.Note = text + p.Note
	return p
}

// Empty is what stands where a list has nothing: why, and what next.
type Empty struct {
	Title, Text string
	Links       []Link
}

// Field is a labelled text field of a form, with what was typed and what would be right.
type Field struct {
	ID, Label, Name, Value, Hint, Wrong string
	Type                                string // "text" unless set
	Autocomplete                        string
	InputMode                           string
	Placeholder                         string
	Required                            bool
	Most                                int      // characters that a text area takes; 500 unless set
	Picker                              string   // the kind of thing to suggest, such as "player"
	Picked                              []string // what is known about the value, shown under it
}

// As is the field with its label, and a hint where it needs one: a page's template has both.
func (f Field) As(label string, hint ...string) Field {
	f.Label, f.Hint = label, strings.Join(hint, " ")
	return f
}

// Thumb is a picture of a game, with the size in which the page shows it. Without an address its place shows a plain sign.
type Thumb struct {
	Src           string
	Width, Height int
}

// Meter is a bar of parts. Its width is a number of the page's own choosing: the browser stretches it.
type Meter struct {
	Width int64
	Parts []MeterPart
	Tall  bool
	Label string // what it shows, for those who do not see it; empty where the text beside it says so
}

// MeterPart is a stretch of a meter: "u" what is used or done, "bg" what is not, "q" refused, "w" waiting, "r" at risk.
type MeterPart struct {
	Kind     string
	X, Width int64
}

// Share is a meter of how much of a whole is taken.
func Share(taken, whole int64) Meter {
	whole = max(whole, 1)
	return Meter{Width: whole, Parts: []MeterPart{{"bg", 0, whole}, {"u", 0, min(max(taken, 0), whole)}}}
}

// Limit is how much of a limit is taken, with its bar.
type Limit struct {
	Label, Taken, Most, Unit string
	Meter                    Meter
}

// newLimit takes whole numbers, or amounts with their currency as the unit.
func newLimit(label string, taken, most any, unit string) (l Limit, err error) {
	l.Label, l.Unit = label, unit
	if l.Taken, err = grouped(taken); err != nil {
		return l, err
	}
	if l.Most, err = grouped(most); err != nil {
		return l, err
	}
	l.Meter = Share(reflect.ValueOf(taken).Int(), reflect.ValueOf(most).Int())
	return l, nil
}

// grouped writes a whole number or an amount, thousands apart.
func grouped(n any) (string, error) {
	if amount, ok := n.(interface{ Grouped() string }); ok {
		return amount.Grouped(), nil
	}
	v := reflect.ValueOf(n)
	if !v.CanInt() {
		return "", fmt.Errorf("views: %T is no number", n)
	}
	return Figure(float64(v.Int())), nil
}

// mostPieces is up to how many things a meter shows each as a piece of its own.
const mostPieces = 60

// Pieces is a tall meter of things of which some are used.
func Pieces(used, whole int64, label string) Meter {
	if whole > mostPieces {
		m := Share(used, whole)
		m.Tall, m.Label = true, label
		return m
	}
	m := Meter{Width: max(10*whole-2, 1), Tall: true, Label: label}
	for i := range whole {
		kind := "bg"
		if i < used {
			kind = "u"
		}
		m.Parts = append(m.Parts, MeterPart{kind, 10 * i, 8})
	}
	return m
}

// Choice is one of several, in a select or a group of radio buttons.
type Choice struct {
	Value, Word, More string
	Chosen            bool
}

// As is the choice with its label, and a hint where it needs one: a page's template has both.
func (s Select) As(label string, hint ...string) Select {
	s.Label, s.Hint = label, strings.Join(hint, " ")
	return s
}

// Select is a labelled choice.
type Select struct {
	ID, Label, Name, Hint, Wrong string
	Choices                      []Choice
}

// Change is a row of a confirm page's table of before and after.
type Change struct{ What, Before, After string }

// Same reports that nothing changes here.
func (c Change) Same() bool { return c.Before == c.After }

// Check is one of the things that were looked at just now, before an action.
type Check struct {
	Text string
	Warn bool
}

// DeskRow is one piece of work on a start page, or one fact.
type DeskRow struct {
	What, Href, Note string
	Badge            *Badge
	Moment           Moment
}

// Desk begins a card of a start page: its title, and the way to more.
type Desk struct {
	Title string
	More  Link
}

// Hidden is a field that a form carries along.
type Hidden struct{ Name, Value string }

// partFunctions build parts in templates, where a page has nothing to add to them.
var partFunctions = template.FuncMap{
	"badge": func(kind, shape, word string) Badge { return Badge{kind, shape, word} },
	"minus": func(a, b any) int64 { return reflect.ValueOf(a).Int() - reflect.ValueOf(b).Int() },
	// of writes how much of a whole there is: "25 of 100".
	"of": func(n, whole any) (string, error) {
		l, err := newLimit("", n, whole, "")
		return l.Taken + " of " + l.Most, err
	},
	"quiet":   Quiet,
	"plain":   Plain,
	"waiting": Waiting,
	"atrisk":  AtRisk,
	"id":      func(text, kind string) ID { return ID{Text: text, Kind: kind} },
	"shortid": func(text, kind string) ID {
		return ID{Text: text, Kind: kind, Short: true}
	},
	"field": func(id, label, name, value, hint string) Field {
		return Field{ID: id, Label: label, Name: name, Value: value, Hint: hint}
	},
	"today": func() string { return today },
	"plus":  func(a, b any) int64 { return reflect.ValueOf(a).Int() + reflect.ValueOf(b).Int() },
	// again is a field that is on the page a second time, under another ID.
	"again": func(f *Field, id string) *Field {
		other := *f
		other.ID = id
		return &other
	},
	"desk":   func(title, word, href string) Desk { return Desk{title, Link{Word: word, Href: href}} },
	"hidden": func(name, value string) Hidden { return Hidden{name, value} },
	// note begins a note: its words follow in the template, up to </div></section>.
	"note":   func(kind, icon, title string) Note { return Note{Kind: kind, Icon: icon, Title: title} },
	"change": func(what, before, after string) Change { return Change{what, before, after} },
	"limit": func(label string, taken, most any, unit string) (Limit, error) {
		return newLimit(label, taken, most, unit)
	},
	"grouped": grouped,
	"several": func(n any, one, many string) (string, error) {
		words, err := grouped(n)
		if words == "1" {
			return "1 " + one, err
		}
		return words + " " + many, err
	},
	"list": func(words []string) string {
		if len(words) < 2 {
			return strings.Join(words, "")
		}
		return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
	},
}
