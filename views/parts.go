package views

import (
	"fmt"
	"html"
	"html/template"
	"reflect"
	"strings"
	"unicode/utf8"
)

// The data of the partials. Pages build these in Go, where the compiler checks them, or in templates with the functions below.

// Badge is a state: a shape, a word, and only then a color.
type Badge struct {
	Kind  string // "quiet" normal; "" gray; "on" running; "wait" waiting for a person; "risk" money at risk
	Shape string // a glyph of icons.svg without its "g-", or empty
	Word  string
}

// Quiet returns the badge of a normal state, such as applied, granted or offered.
func Quiet(word string) Badge { return Badge{"quiet", "check", word} }

// Refused returns the badge of something that was refused or has expired.
func Refused(word string) Badge { return Badge{"", "refused", word} }

// Undone returns the badge of something that was rolled back.
func Undone(word string) Badge { return Badge{"", "back", word} }

// Gone returns the badge of something that no longer exists.
func Gone(word string) Badge { return Badge{"", "gone", word} }

// Active returns the badge of something that is running.
func Active(word string) Badge { return Badge{"on", "on", word} }

// Waiting returns the badge of something that waits for a person.
func Waiting(word string) Badge { return Badge{"wait", "wait", word} }

// AtRisk returns the badge of an unknown outcome.
func AtRisk(word string) Badge { return Badge{"risk", "unknown", word} }

// Plain returns a gray badge without a shape.
func Plain(word string) Badge { return Badge{"", "", word} }

// Money is an amount as a table shows it: digits, and the currency in a narrow place of its own so that digits line up.
type Money struct {
	Text     string // grouped, with a true minus, and a plus where the sign matters
	Currency string // empty if the column says it
	Void     bool   // without effect: paler
	Struck   bool   // rolled back
	Second   bool   // beside the figure that counts, such as a balance
}

// ID is a name given by a machine. If Short is set, the page shortens it in the middle; hovering and copying give the whole ID.
type ID struct {
	Text  string
	Kind  string // "transaction ID", for the copy button's label
	Short bool
}

// ShortID returns an ID that the page shortens.
func ShortID(text, kind string) ID { return ID{Text: text, Kind: kind, Short: true} }

// Shown returns the ID as the page shows it.
func (id ID) Shown() string {
	if !id.Short || utf8.RuneCountInString(id.Text) <= 13 {
		return id.Text
	}
	r := []rune(id.Text)
	return string(r[:6]) + "…" + string(r[len(r)-4:])
}

// Fact is one of up to five in the strip below the head of a page.
type Fact struct {
	Label, Value, Note string
	Href               string // makes the value a link
	Big                bool
	Moment             Moment // shown in place of Value if it is set
}

// Note is a notice of something to do, or a message that stays until it has been read.
type Note struct {
	Kind  string // "", "wait", "risk"; "done" for what was just done
	Icon  string
	Title string
	Text  string
	Links []Link
}

// Info returns a note that something is not as the reader expected, such as that a colleague acted first. title may be empty.
func Info(title, text string) Note { return Note{Kind: "wait", Icon: "info", Title: title, Text: text} }

// Warning returns the note that something was not done, or needs the reader's attention. title may be empty.
func Warning(title, text string, links ...Link) Note {
	return Note{Kind: "wait", Icon: "warning", Title: title, Text: text, Links: links}
}

// Link is an action with an address. One link of a row is the main one.
type Link struct {
	Word, Href, Icon string
	Main             bool
	Destroys         bool
}

// Tab is one of several pages about the same thing.
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
	After  string // the result, such as the balance
}

// Chip is an active filter. Without is the address of the list without it.
type Chip struct{ Label, Value, Without string }

// Paging has the addresses of the previous and next pages of a list. An address is empty if there is no such page.
type Paging struct {
	Count        int    // how many rows the page has; 0 if Note says it
	Note         string // follows Count, such as ", looked back to 12 Nov"
	Newer, Older string
	NewerWord    string // "Newer" unless set
	OlderWord    string
	Sums         []Sum  // of the rows of all pages
	AddUp        string // the address of this page with sums
	Unsummed     int    // there are more rows than this, so they are not added up
}

// Sum is an amount that is added up under a list.
type Sum struct{ Word, Amount string }

// As returns the paging with the words of its buttons, which are in the page's template.
func (p Paging) As(newer, older string) Paging {
	p.NewerWord, p.OlderWord = newer, older
	return p
}

// Shown returns the paging with a text in place of its count. The text is a string, or the output of a block of the page
// (filled).
func (p Paging) Shown(note any) Paging {
	text := fmt.Sprint(note)
	if block, ok := note.(template.HTML); ok {
		text = html.UnescapeString(string(block))
	}
	p.Count, p.Note = 0, text+p.Note
	return p
}

// Empty replaces a list without rows: why it is empty, and what to do next.
type Empty struct {
	Title, Text string
	Links       []Link
}

// Field is a labeled text field of a form, with what was typed and, if that was refused, why.
type Field struct {
	ID, Label, Name, Value, Hint, Wrong string
	Type                                string // "text" unless set
	Autocomplete                        string
	InputMode                           string
	Placeholder                         string
	Required                            bool
	Max                                 int      // characters that a text area takes; 500 unless set
	Picker                              string   // the kind of thing to suggest, such as "player"
	Number                              string   // of the thing that Value names; the form sends it too
	Passkey                             string   // the question for a passkey, which a script can answer instead; see app/passkeys
	Picked                              []string // what is known about the value, shown under it
	Focus                               bool     // the page opens with the cursor in it
}

// Focused returns the field as the first one of a confirmation page, in which the cursor is.
func (f Field) Focused() Field {
	f.Focus = true
	return f
}

// As returns the field with its label and hint, which are in the page's template. Several hints are joined by spaces.
func (f Field) As(label string, hint ...string) Field {
	f.Label, f.Hint = label, strings.Join(hint, " ")
	return f
}

// Filter is a field of the form above a list: a select, a text, or the filter by days, which the page has as Dates.
type Filter struct {
	Field
	Choices []Choice // of a select
	Days    bool
	More    bool // shown under Add filter
}

// Grows reports whether the field takes the space that the others leave.
func (f Filter) Grows() bool { return f.Picker != "" || f.Type == "search" }

// Thumb is a picture of a game, with the size in which the page shows it. Without an address, an icon is shown.
type Thumb struct {
	Src           string
	Width, Height int
}

// Meter is a bar of parts. Its width can be in any unit: the browser stretches the bar.
type Meter struct {
	Width int64
	Parts []MeterPart
	Tall  bool
	Label string // what it shows, for screen readers; empty if the text beside it says the same
}

// MeterPart is a part of a meter. Its kind is "u" used or done, "bg" unused, "q" refused, "w" waiting or "r" at risk.
type MeterPart struct {
	Kind     string
	X, Width int64
}

// Share returns a meter that shows how much of a whole is taken.
func Share(taken, whole int64) Meter {
	whole = max(whole, 1)
	return Meter{Width: whole, Parts: []MeterPart{{"bg", 0, whole}, {"u", 0, min(max(taken, 0), whole)}}}
}

// grouped formats a whole number or an amount with thousands separators.
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

// maxPieces is the largest number of things that a meter shows as separate pieces.
const maxPieces = 60

// Pieces returns a tall meter of things, some of them used.
func Pieces(used, whole int64, label string) Meter {
	if whole > maxPieces {
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

// As returns the choice with its label and hint, which are in the page's template. Several hints are joined by spaces.
func (s Select) As(label string, hint ...string) Select {
	s.Label, s.Hint = label, strings.Join(hint, " ")
	return s
}

// Select is a labeled choice.
type Select struct {
	ID, Label, Name, Hint, Wrong string
	Choices                      []Choice
}

// Change is a row in the table of before and after on a confirmation page.
type Change struct{ What, Before, After string }

// Same reports whether nothing changes in this row.
func (c Change) Same() bool { return c.Before == c.After }

// Check is one of the facts that are checked right before an action.
type Check struct {
	Text string
	Warn bool
}

// BadLines are the lines of a file that cannot be used: see web.ReadFile.
type BadLines struct {
	Good, Bad    int
	Lines        []BadLine // the first of them
	More         int       // that are not shown
	Whole        string    // why the reader cannot go on without them; empty if they can
	Skipped      bool      // the reader goes on without them
	Form, Action string    // the form that sends the file again, and the address that downloads the lines
	Change       bool      // at that address, what was typed can also be changed
}

// BadLine is a line of a file: its cells, and what is wrong.
type BadLine struct {
	Line        int
	Text, Wrong string
}

// Hidden is a hidden field of a form.
type Hidden struct{ Name, Value string }

// partFunctions build parts in templates, for parts that need nothing from the page.
var partFunctions = template.FuncMap{
	"badge": func(kind, shape, word string) Badge { return Badge{kind, shape, word} },
	"minus": func(a, b any) int64 { return reflect.ValueOf(a).Int() - reflect.ValueOf(b).Int() },
	// of formats a part of a whole: "25 of 100".
	"of": func(n, whole any) (string, error) {
		part, err := grouped(n)
		if err != nil {
			return "", err
		}
		all, err := grouped(whole)
		return part + " of " + all, err
	},
	"quiet":   Quiet,
	"plain":   Plain,
	"waiting": Waiting,
	"atrisk":  AtRisk,
	"id":      func(text, kind string) ID { return ID{Text: text, Kind: kind} },
	"shortid": ShortID,
	"field": func(id, label, name, value, hint string) Field {
		return Field{ID: id, Label: label, Name: name, Value: value, Hint: hint}
	},
	"today": func() string { return today },
	"plus":  func(a, b any) int64 { return reflect.ValueOf(a).Int() + reflect.ValueOf(b).Int() },
	// again returns a copy of a field with another ID, so that it can be on the page twice.
	"again": func(f *Field, id string) *Field {
		other := *f
		other.ID = id
		return &other
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
