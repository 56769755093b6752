package db

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
)

// Every list is read in one way. It is declared by its table, the order of its rows and its filters. A page is one statement
// along one index, from the place where the page begins until it is full; rows are checked against the other filters on the
// way. The index is always named: without a hint, optimizers may read from the end of a list up to a page in its middle, or a
// whole table if a filter seems to match much of it. models.Listing walks long lists for exports, page by page.

// List declares a list, and which part of it to read.
type List struct {
	Table string // and its alias, if it has one
	Index string // which is in the list's order; empty lets the database choose
	At    string // the column of times by which rows are ordered first; empty if there is none
	ID    string // the column of numbers by which rows are ordered next; empty if no two texts of At are equal

	Up     bool // the lowest first
	ByName bool // At is a column of texts, and a place in the list is the id of a row
	Events bool // rows are numbered in the order of their times at_us; see Apart

	Filters []Filter // the index of the first that is Set and has one replaces Index
	Span    models.Span

	stopped models.Cursor // where the search for rare rows ends, if before the end of the list
}

// Filter is a condition of a list, if it is Set. Its index, if there is one, begins with the column of the condition, followed
// by the columns of the list's order.
type Filter struct {
	Set   bool
	Index string
	Where string // empty if another filter has the condition
	Args  []any

	Paths  []Path // the parts of an index where all rows are that match, in place of Index
	Common bool   // most rows match, so that looking for them takes no limit
}

// If returns a filter.
func If(set bool, index, where string, args ...any) Filter {
	return Filter{Set: set, Index: index, Where: where, Args: args}
}

// Most returns a filter that most rows match.
func Most(where string, args ...any) Filter {
	return Filter{Set: true, Where: where, Args: args, Common: true}
}

// Along returns a filter whose rows are in some parts of an index, if that is the list's index. Otherwise it is a condition.
func Along(set bool, paths []Path, where string, args ...any) Filter {
	return Filter{Set: set, Paths: paths, Where: where, Args: args}
}

// Ints returns numbers for a condition: GORM would take a list of bytes for one value.
func Ints[T ~uint8](list []T) []int {
	numbers := make([]int, len(list))
	for i, n := range list {
		numbers[i] = int(n)
	}
	return numbers
}

// Primary is the index of a table's row numbers.
const Primary = "PRIMARY"

// Path is a part of an index that is in the order of a list.
type Path struct {
	Index string
	Where string
	Args  []any
	By    string // the column by which the index is ordered before row numbers, which ascend with it
}

// Hint returns the index hint that makes a statement use the path.
func (p Path) Hint(d Dialect) string {
	index := cmp.Or(p.Index, Primary)
	if d == SQLite && index == Primary {
		return " NOT INDEXED"
	}
	return d.pick(" FORCE INDEX ("+index+")", " INDEXED BY "+index)
}

// Far is how many rows along a path of events a page looks through for rows that match the other filters. Through the table
// itself it can look further than through an index, where each step reads a row from another place.
type Far struct {
	AlongTable, AlongIndex int64
}

// Apart is the most by which the times of two events may contradict the order of their numbers. It allows for waits for locks,
// which a callback's deadline limits, and for the different clocks of several instances.
const Apart = 15 * time.Second

// conditions is a list of SQL conditions and their arguments.
type conditions struct {
	where []string
	args  []any
}

func (c *conditions) add(where string, args ...any) {
	if where != "" {
		c.where, c.args = append(c.where, where), append(c.args, args...)
	}
}

func (c *conditions) String() string { return strings.Join(c.where, " AND ") }

// and returns the WHERE clause for these conditions and those of a path.
func (c conditions) and(p Path) (where string, args []any) {
	c.where, c.args = slices.Clip(c.where), slices.Clip(c.args)
	if c.add(p.Where, p.Args...); c.where != nil {
		where = " WHERE " + c.String()
	}
	return where, c.args
}

// split returns the paths along which the list is read, the conditions to check on the way, and whether few rows may meet them.
func (l *List) split() (paths []Path, checked conditions, rare bool) {
	for _, f := range l.Filters {
		switch {
		case !f.Set:
		case paths == nil && f.Paths != nil:
			paths = f.Paths
		case paths == nil && f.Index != "":
			paths = []Path{{Index: f.Index, Where: f.Where, Args: f.Args}}
		case f.Where != "":
			checked.add(f.Where, f.Args...)
			rare = rare || !f.Common
		}
	}
	if paths == nil {
		paths = []Path{{Index: l.Index}}
	}
	return paths, checked, rare
}

// Filtered adds to a query the list's filters and its index, but not its order and its span.
func (s *DB) Filtered(q *gorm.DB, l List) *gorm.DB {
	paths, c, _ := l.split()
	if c.add(paths[0].Where, paths[0].Args...); c.where != nil {
		q = q.Where(c.String(), c.args...)
	}
	return q.Table(l.Table + s.hint(paths[0]))
}

func (s *DB) hint(p Path) string {
	if p.Index == "" {
		return ""
	}
	return p.Hint(s.Dialect)
}

// List makes a query of a list's table read a page of the list, and one row more if more follow. FindPage does so too.
func (s *DB) List(q *gorm.DB, l *List) *gorm.DB {
	from, args, err := s.From(q.Statement.Context, l)
	q = q.Table(from, args...).Order(l.Order())
	if err != nil {
		_ = q.AddError(err)
	}
	return q
}

// FindPage reads a page of a list. q has the columns, and the tables to join.
func FindPage[T any](s *DB, q *gorm.DB, l List) (models.Page[T], error) {
	rows, err := Find[T](s.List(q, &l))
	if err != nil {
		return models.Page[T]{}, err
	}
	return PageOf(rows, l), nil
}

// Places returns a page of the numbers and times of a list's rows.
func (s *DB) Places(ctx context.Context, l List) (models.Page[models.Cursor], error) {
	var rows []placed
	q := s.List(s.Read.WithContext(ctx), &l).Select(l.ID + " AS id, at_us")
	if err := q.Find(&rows).Error; err != nil {
		return models.Page[models.Cursor]{}, err
	}
	places := make([]models.Cursor, len(rows))
	for i, r := range rows {
		places[i] = models.Cursor{At: FromMicros(r.AtUs), ID: r.ID}
	}
	return PageOf(places, l), nil
}

// PageOf makes the rows that a query has read into a page: one more than the limit of the list's span if more follow.
func PageOf[T any](rows []T, l List) (page models.Page[T]) {
	if page.More = len(rows) > l.Span.Limit; page.More {
		rows = rows[:l.Span.Limit]
	} else {
		page.Stopped = l.stopped
	}
	if l.Span.Page.Newer {
		slices.Reverse(rows)
	}
	page.Rows = rows
	return page
}

// From returns what a query reads in place of the list's table: the rows of the page and one more, if more follow. The query
// has to put them in the list's Order, and PageOf makes them into a page.
func (s *DB) From(ctx context.Context, l *List) (from string, args []any, err error) {
	paths, checked, rare := l.split()
	c, err := s.place(ctx, l)
	if err == nil && l.Events {
		err = s.window(ctx, l, paths, rare, &c)
	}
	if err != nil {
		return "", nil, err
	}
	switch {
	case l.Events:
		c.during("at_us", l.Span)
	case l.At != "" && !l.ByName:
		c.during(l.At, l.Span)
	}
	c.add(checked.String(), checked.args...)
	parts := make([]string, len(paths))
	for i, p := range paths {
		where, some := c.and(p)
		parts[i] = "SELECT * FROM " + l.Table + s.hint(p) + where + l.order(cmp.Or(p.By, l.At), l.ID) + " LIMIT ?"
		args = append(append(args, some...), l.Span.Limit+1)
	}
	if from = parts[0]; len(parts) > 1 {
		from = "SELECT * FROM (" + strings.Join(parts, ") AS r UNION ALL SELECT * FROM (") + ") AS r" +
			l.order(bare(l.At), bare(l.ID)) + " LIMIT ?"
		args = append(args, l.Span.Limit+1)
	}
	return "(" + from + ") AS " + l.Table[strings.LastIndex(l.Table, " ")+1:], args, nil
}

// bare returns a column without the name of its table.
func bare(column string) string { return column[strings.Index(column, ".")+1:] }

// Order returns the order of what a query reads From a list.
func (l *List) Order() string { return strings.TrimPrefix(l.order(l.At, l.ID), " ORDER BY ") }

func (l *List) order(columns ...string) string {
	var by []string
	for _, c := range columns {
		if c != "" {
			by = append(by, c+map[bool]string{true: " DESC"}[l.down()])
		}
	}
	return " ORDER BY " + strings.Join(by, ", ")
}

// down reports whether the page is read from the highest row to the lowest.
func (l *List) down() bool { return l.Up == l.Span.Page.Newer }

// directions returns how what follows in the direction of the page compares with a place, and how what came before it does.
func (l *List) directions() (past, back string) {
	if l.down() {
		return "<", ">"
	}
	return ">", "<"
}

// place returns the condition for the place where the list's page begins.
func (s *DB) place(ctx context.Context, l *List) (c conditions, err error) {
	at, place := l.At, l.Span.Page
	past, _ := l.directions()
	switch {
	case place.IsZero():
	case at == "":
		c.add(l.ID+" "+past+" ?", place.ID)
	default:
		var value any = Micros(place.At)
		if l.ByName {
			name, found, err := One[string](s.Read.WithContext(ctx).Raw("SELECT "+at+" FROM "+l.Table+" WHERE id = ?", place.ID))
			if err != nil || !found {
				return c, err
			}
			value = name
		}
		if l.ID == "" {
			c.add(at+" "+past+" ?", value)
			break
		}
		c.add(at+" "+past+"= ? AND ("+at+" "+past+" ? OR "+l.ID+" "+past+" ?)", value, value, place.ID)
	}
	return c, nil
}

// during adds the conditions for the times of a span.
func (c *conditions) during(column string, span models.Span) {
	if !span.Since.IsZero() {
		c.add(column+" >= ?", Micros(span.Since))
	}
	if !span.Until.IsZero() {
		c.add(column+" < ?", Micros(span.Until))
	}
}

// window adds the conditions for the numbers of the events among which the page is: those of its times and, if its rows are
// rare, those up to where one of the paths has used up Far.
func (s *DB) window(ctx context.Context, l *List, paths []Path, rare bool, c *conditions) error {
	where, args, err := s.Numbers(ctx, l.Table, l.Span.Since, l.Span.Until)
	if err != nil {
		return err
	}
	c.add(where, args...)
	if l.stopped = (models.Cursor{}); !rare {
		return nil
	}
	_, back := l.directions()
	for _, p := range paths {
		end, found, err := s.far(ctx, l, p, *c)
		if err != nil {
			return err
		}
		if found && (l.stopped.ID == 0 || l.down() == (end.ID > l.stopped.ID)) {
			l.stopped = models.Cursor{At: FromMicros(end.AtUs), ID: end.ID, Newer: l.Span.Page.Newer}
		}
	}
	if l.stopped.ID != 0 {
		c.add("id "+back+"= ?", l.stopped.ID)
	}
	return nil
}

// placed is the place of an event.
type placed struct{ ID, AtUs int64 }

// far returns the event after Far events of a path, or false if the path is shorter.
func (s *DB) far(ctx context.Context, l *List, p Path, c conditions) (end placed, found bool, err error) {
	find := func(c conditions, offset int64) (placed, bool, error) {
		where, args := c.and(p)
		return One[placed](s.Read.WithContext(ctx).Raw("SELECT id, at_us FROM "+l.Table+s.hint(p)+where+l.order(p.By, "id")+
			" LIMIT 1 OFFSET ?", append(args, offset)...))
	}
	if p.Index != Primary {
		return find(c, s.Far.AlongIndex)
	}
	// The table's own numbers have hardly any gaps, so the end is calculated without reading the rows before it.
	first, found, err := find(c, 0)
	if err != nil || !found {
		return first, false, err
	}
	past, _ := l.directions()
	at := first.ID + s.Far.AlongTable
	if l.down() {
		at = first.ID - s.Far.AlongTable
	}
	c.add("id "+past+"= ?", at)
	return find(c, 0)
}

// Numbers returns a condition for the numbers of a table's events in a period, and its arguments. They may be those of other
// events too, up to Apart before and after the period.
func (s *DB) Numbers(ctx context.Context, table string, since, until time.Time) (where string, args []any, err error) {
	low := int64(0)
	if !since.IsZero() {
		if low, err = s.NumberAt(ctx, table, since.Add(-Apart)); err != nil {
			return "", nil, err
		}
	}
	if where, args = "id >= ?", []any{low}; until.IsZero() {
		return where, args, nil
	}
	high, err := s.NumberAt(ctx, table, until.Add(Apart))
	return where + " AND id < ?", append(args, high), err
}

// NumberAt returns the number that divides the table's rows by time: the last row with a lower number is from before at, and
// the first row from that number on is from at or later. The other rows lie on the same sides, except those whose times
// contradict the order of their numbers (Apart).
func (s *DB) NumberAt(ctx context.Context, table string, at time.Time) (int64, error) {
	read := s.Read.WithContext(ctx)
	var last int64
	if err := read.Raw("SELECT COALESCE(MAX(id), 0) FROM " + table).Scan(&last).Error; err != nil {
		return 0, err
	}
	low, high := int64(0), last+1
	for low < high {
		middle := low + (high-low)/2
		var rows []placed
		if err := read.Raw("SELECT id, at_us FROM "+table+" WHERE id >= ? AND id < ? ORDER BY id LIMIT 1", middle, high).
			Scan(&rows).Error; err != nil {
			return 0, err
		}
		if len(rows) == 0 || rows[0].AtUs >= Micros(at) {
			high = middle
		} else {
			low = rows[0].ID + 1
		}
	}
	return low, nil
}
