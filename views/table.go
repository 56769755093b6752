package views

// Table is the table of a list.
type Table struct {
	Title, Class string
	Heads        []Head
	Rows         [][]Cell
}

// Head is the head of a column.
type Head struct {
	Word, Class string
	Unseen      bool   // only screen readers say it
	Href        string // orders the list by this column
	Sorted      string // for aria-sort
}

// Cell is a cell of a list. It shows the first of these that it has: a block, a time, money, badges, or else a text and an ID.
type Cell struct {
	Label, Class string // of its column
	Block        string // the block of the list's template that shows the cell
	Of           any    // what the block is given
	Moment       *Moment
	Money        *Money
	Badges       []Badge
	Text, Href   string
	Title        string // shown on hover
	Clip         bool   // the text is cut off if it is long
	ID           ID
	Copy         bool   // the ID can be copied
	Note         string // beside the badges or the text
	Refused      bool   // the note says why, and Href has an answer for the player
}
