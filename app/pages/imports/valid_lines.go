package imports

import (
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// validLines are the lines of a sheet that can be granted, a page at a time: all of them, or those of players with several.
type validLines struct {
	Rows          []validLine
	Count         int  // of the lines that are listed, on all pages
	Several       bool // only those of players with several lines
	SeveralHref   string
	AllHref       string
	Paging        views.Paging
	First, Latest int // of Count, from 1
}

type validLine struct {
	models.GrantLine
	Game string // its name; empty if it has none
	Also []int  // the player's other lines
}

const validRows = 50

// validLines fills in the lines that can be granted.
func (a *Area) validLines(c *fiber.Ctx, page *sheetPage, s checkedSheet) error {
	v := &page.Valid
	v.Several = page.Params.Get("lines") == "several"
	v.SeveralHref, v.AllHref = web.WithQuery(page.Page.Path, "lines=several"), page.Page.Path
	if c.Query("again") == "yes" { // the reader has chosen to grant the lines once more
		v.SeveralHref, v.AllHref = web.WithQuery(page.Page.Path, "again=yes&lines=several"),
			web.WithQuery(page.Page.Path, "again=yes")
	}
	of := map[models.UserID][]int{}
	for _, l := range s.Valid {
		of[l.UserID] = append(of[l.UserID], l.Line)
	}
	list := s.Valid
	if v.Several {
		list = nil
		for _, l := range s.Valid {
			if len(of[l.UserID]) > 1 {
				list = append(list, l)
			}
		}
	}
	v.Count = len(list)
	from, err := strconv.Atoi(page.Params.Get("from"))
	if err != nil || from < 1 || from > len(list) {
		from = 1
	}
	games, err := a.Games(c.UserContext())
	if err != nil {
		return err
	}
	names := map[models.GameID]string{}
	for _, g := range games {
		names[g.GameID] = g.Name
	}
	for _, l := range list[min(from-1, len(list)):min(from-1+validRows, len(list))] {
		row := validLine{GrantLine: l, Game: names[l.GameID]}
		for _, line := range of[l.UserID] {
			if line != l.Line {
				row.Also = append(row.Also, line)
			}
		}
		v.Rows = append(v.Rows, row)
	}
	v.First, v.Latest = from, from-1+len(v.Rows)
	if v.Latest < len(list) {
		v.Paging.Older = page.With("from", strconv.Itoa(v.Latest+1))
	}
	if from > 1 {
		v.Paging.Newer = page.With("from", strconv.Itoa(max(1, from-validRows)))
	}
	return nil
}
