package web

import (
	"cmp"
	"context"
	"iter"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/models"
	"pitboss/views"
)

// List is a list. Its page, its files, its sums and its saved views follow from it. S is the struct of its page, which embeds
// Page and Listed, and T is a row.
type List[S, T any] struct {
	Title   string
	Path    string     // of its page, with up to one variable part: :id for a number, :day for a day; empty if it has no files
	Needs   Permission // to read the list; a file also takes the permission to export
	Class   string     // of its table
	Columns []Column[S, T]
	Amounts Amounts[T] // of a list that can be ordered by amount
	// Select reads the filters in the address of a page, and returns the rows that match. Errors in filters replace the list.
	Select func(ctx context.Context, page *S) (models.Listing[T], error)
	// Load reads data about the rows that only the page shows; nil if there is none.
	Load func(ctx context.Context, page *S, rows []T) error
	// Implied returns filters that a file names and its page shows elsewhere, such as the player; nil if there are none.
	Implied func(page *S) []views.Chip
	// Ends returns rows that a file has before and after those of the page, such as balances; nil if there are none.
	Ends   func(page *S) (first, last []T)
	AtOnce int // how many rows a file reads at once, if not ExportPage
}

// Column is a column of a list: of its page if it has a Head, of its files if it has a Value.
type Column[S, T any] struct {
	Head     string // on the page
	Name     string // in files, if not as on the page
	Kind     export.Kind
	Value    func(T) any
	Cell     func(*S, T) views.Cell // what the page shows, if not the value
	Badge    func(*S, T) views.Badge
	Block    string // the block of the list's template that shows a Row, in place of Cell
	Class    string
	Order    string          // in which the list can be read by this column: ByTime or Largest
	When     func(*S) bool   // whether the page has the column; nil if always
	Audience export.Audience // who may read it in a pack
	Unseen   bool            // only screen readers get the head
}

// ListPage is the page of a list that shows nothing else.
type ListPage struct {
	Page
	Listed
}

// Row is what a block that shows a cell is given.
type Row[S, T any] struct {
	Page *S
	Row  T
}

// parts returns the Page and the Listed that the struct of a page embeds.
func parts[S any](page *S) (*Page, *Listed) {
	of := any(page).(interface {
		pager
		listed() *Listed
	})
	return of.Base(), of.listed()
}

func (l *Listed) listed() *Listed { return l }

// Serve answers with the page of a list that needs nothing else.
func (l List[S, T]) Serve(site *Site, c *fiber.Ctx, name string) error {
	s := new(S)
	page, _ := parts(s)
	*page = site.Page(c, "")
	if _, err := l.Show(c.UserContext(), s); err != nil {
		return err
	}
	return site.Render(c, name, any(s).(pager))
}

// Show reads the page of the list that the address names, makes its table, and returns its rows.
func (l List[S, T]) Show(ctx context.Context, s *S) ([]T, error) {
	page, listed := parts(s)
	page.list, page.Saveable = page.Path, page.Path == l.Path
	selected, err := l.Select(ctx, s)
	if err != nil {
		return nil, err
	}
	page.Saveable = page.Saveable && len(page.Filters) > 0
	listed.Instead = cmp.Or(listed.Instead, page.Unread())
	found, err := ReadAmounts(ctx, page, listed, selected, l.Amounts)
	if err == nil && l.Load != nil {
		err = l.Load(ctx, s, found.Rows)
	}
	if err == nil {
		listed.Table = l.table(s, found.Rows)
	}
	return found.Rows, err
}

// table returns the table of rows.
func (l List[S, T]) table(s *S, rows []T) views.Table {
	page, listed := parts(s)
	table := views.Table{Title: l.Title, Class: l.Class, Rows: make([][]views.Cell, len(rows))}
	for _, c := range l.Columns {
		if c.Head == "" || c.When != nil && !c.When(s) {
			continue
		}
		class := c.class()
		head := listed.Head(c.Head, c.Order)
		head.Class, head.Unseen = class, c.Unseen
		table.Heads = append(table.Heads, head)
		for i, row := range rows {
			cell := c.cell(page, s, row)
			cell.Class, cell.Label = class, c.Head
			if strings.Contains(class, "c-who") || strings.Contains(class, "c-name") {
				cell.Title, cell.Clip = cmp.Or(cell.Title, cell.Text), strings.Contains(class, "c-name")
			}
			table.Rows[i] = append(table.Rows[i], cell)
		}
	}
	return table
}

// class returns the classes of the column's cells.
func (c Column[S, T]) class() string {
	switch {
	case c.Kind == export.Number || c.Kind == export.Money:
		return strings.TrimSpace("num " + c.Class)
	case c.Order == ByTime:
		return strings.TrimSpace("c-time " + c.Class)
	case c.Badge != nil:
		return "c-state"
	}
	return c.Class
}

// cell returns the cell of a row.
func (c Column[S, T]) cell(page *Page, s *S, row T) (cell views.Cell) {
	switch {
	case c.Block != "":
		return views.Cell{Block: c.Block, Of: Row[S, T]{s, row}}
	case c.Badge != nil:
		return views.Cell{Badges: []views.Badge{c.Badge(s, row)}}
	case c.Cell != nil:
		return c.Cell(s, row)
	}
	switch value := c.Value(row).(type) {
	case string:
		cell.Text = value
	case int64:
		cell.Text = Grouped(value)
	case bool:
		cell.Text = map[bool]string{true: "yes", false: "no"}[value]
	case models.Amount:
		cell.Money = new(page.Money(value, ""))
	case time.Time:
		cell.Moment = new(page.Time(value))
	}
	return cell
}

// Exportable returns the list with its files.
func (l List[S, T]) Exportable() Exportable {
	return Exportable{Path: l.Path, Title: l.Title, Needs: l.Needs, List: l.file}
}

// file returns the file of the list that a page shows; see Exportable.
func (l List[S, T]) file(ctx context.Context, p Page) (file export.List, chips []views.Chip, instead *views.Empty, err error) {
	s := new(S)
	page, listed := parts(s)
	*page = p
	selected, err := l.Select(ctx, s)
	if err != nil {
		return file, nil, nil, err
	}
	listed.Instead = cmp.Or(listed.Instead, page.Unread())
	if l.Implied != nil {
		chips = l.Implied(s)
	}
	pages := selected.Pages
	switch {
	case listed.Order == Oldest:
		pages = func(ctx context.Context, most int) iter.Seq2[models.Page[T], error] {
			return selected.OldestFirst(ctx, most, page.Now)
		}
	case listed.Order == Largest && listed.Instead == nil:
		all, err := l.Amounts.ordered(ctx, page, listed, selected)
		if err != nil {
			return file, nil, nil, err
		}
		pages = func(context.Context, int) iter.Seq2[models.Page[T], error] {
			return func(yield func(models.Page[T], error) bool) { yield(models.Page[T]{Rows: all}, nil) }
		}
	}
	var values []func(T) any
	for _, c := range l.Columns {
		if c.Value != nil {
			file.Columns = append(file.Columns, export.Column{Name: cmp.Or(c.Name, c.Head), Kind: c.Kind, Audience: c.Audience})
			values = append(values, c.Value)
		}
	}
	file.Read = func(ctx context.Context, next func([]export.Row) error) error {
		write := func(list []T) error {
			rows := make([]export.Row, len(list))
			for i, row := range list {
				rows[i] = make(export.Row, len(values))
				for j, value := range values {
					rows[i][j] = value(row)
				}
			}
			return next(rows)
		}
		var first, last []T
		if l.Ends != nil {
			first, last = l.Ends(s)
		}
		if err := write(first); err != nil {
			return err
		}
		for found, err := range pages(ctx, cmp.Or(l.AtOnce, ExportPage)) {
			if err == nil {
				err = write(found.Rows)
			}
			if err != nil {
				return err
			}
		}
		return write(last)
	}
	return file, append(chips, page.Chips...), listed.Instead, nil
}
