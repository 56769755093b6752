package web

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/models"
	"pitboss/views"
)

// The lists that can be exported. An export reads its filters with the same function as the list's page, and its rows with the
// same query, but more rows at a time.

// ExportPage is how many rows are read at once.
const ExportPage = 1000

// Exportable is a list that can be exported. Its path may have one variable part: :id for a number, :day for a day.
type Exportable struct {
	Path, Title string
	Needs       Permission // to read the list, besides the permission to export
	// List reads the filters in the address of page. It returns a chip for each, and a message if one cannot be read, or
	// names a player or game that does not exist.
	List func(ctx context.Context, page Page) (export.List, []views.Chip, *views.Empty, error)
}

// Paths of lists that belong to one thing.
const (
	TimelineList  = "/players/:id/timeline"
	LedgerList    = "/players/:id/ledger"
	StatementList = "/players/:id/statement"
	CampaignList  = "/campaigns/:id"
	// DifferenceList is the page of a statement.
	DifferenceList = "/statements/:id"
)

// ExportableAt returns the list at a path, with its Path set to that path, or false if there is no list that can be exported.
func (s *Site) ExportableAt(path string) (Exportable, bool) {
	for _, e := range s.Contents.Lists {
		if _, there := Matched(e.Path, path); there {
			e.Path = path
			return e, true
		}
	}
	return Exportable{}, false
}

// PageAt returns a page with another path and query, from which the filters of that address can be read.
func (s *Site) PageAt(c *fiber.Ctx, path, query string) (Page, error) {
	p := s.Page(c, "")
	if len(query) > 4096 {
		return p, errFilters
	}
	return p, p.moveTo(path, query)
}

// PageOf returns a page with a path and query as a member of staff would have got it at a time.
func (s *Site) PageOf(who models.Staff, zone *time.Location, at time.Time, path, query string) (Page, error) {
	p := Page{Reader: &Reader{Staff: who, Zone: zone}, Zone: zone, Now: at, comma: s.DecimalComma}
	return p, p.moveTo(path, query)
}

var errFilters = BadForm("The filters of the list cannot be read, so nothing was done.")

func (p *Page) moveTo(path, query string) error {
	values, err := url.ParseQuery(query)
	if err != nil {
		return errFilters
	}
	for _, name := range PlaceNames {
		values.Del(name)
	}
	p.Path, p.Params, p.Query = path, values, Without(values)
	return nil
}

// Matched reports whether path matches pattern, and returns the variable part. A number or a day matches in one spelling only,
// so that a list has one path.
func Matched(pattern, path string) (part string, there bool) {
	want, parts := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(want) != len(parts) {
		return "", false
	}
	for i, p := range parts {
		switch want[i] {
		case ":id":
			n, err := strconv.ParseInt(p, 10, 64)
			if err != nil || n < 1 || strconv.FormatInt(n, 10) != p {
				return "", false
			}
			part = p
		case ":day":
			if _, err := models.ParseDay(p); err != nil {
				return "", false
			}
			part = p
		case p:
		default:
			return "", false
		}
	}
	return part, true
}

// MayExport reports whether the reader may export the list at a path.
func (s *Site) MayExport(p *Page, path string) bool {
	list, known := s.ExportableAt(path)
	return known && p.Can(ExportData) && p.Can(list.Needs)
}
