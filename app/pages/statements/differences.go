package statements

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// The differences that a comparison found, as a part of the statement's page and as a file.

type differencesPage struct {
	web.ListPage
	Statement models.Statement
	Run       models.StatementRun
	Shown     string // the bucket in the address; empty for all differences
}

// Other names the side with which the ledger is compared.
func (p *differencesPage) Other() string {
	if p.Statement.ClientID != 0 {
		return "client"
	}
	return "platform"
}

// Found returns the number of rows in the list, including those set aside.
func (p *differencesPage) Found() int64 { return p.Run.Differences + p.Run.Edges + p.Run.Respelled }

// bucketNames has the names of buckets in addresses and templates, and the names of their icons.
var bucketNames = map[models.Bucket]string{
	models.Agrees: "agree", models.AmountDiffers: "amount", models.StateDiffers: "state", models.OnlyOurs: "ours",
	models.OnlyTheirs: "theirs",
}

// silent is the name of a group, like a bucket's, for transactions that moved no money: they are only in one book, and were
// rolled back or failed there.
const silent = "silent"

type difference = *differenceRow

type differenceRow struct {
	models.Difference
	Icon   string
	Leave  bool      // there is nothing to do
	Done   []doneRow // what people did about it
	Advise bool      // there is still something to do
}

// doneRow is a correction for a difference, or the outcome of its case.
type doneRow struct{ Href, Text string }

// Differences is the list of the differences that a comparison found.
func (a *Area) Differences() web.List[differencesPage, difference] { return a.differences("platform") }

// differences is the list of differences between the ledger and another side: the platform or a client.
func (a *Area) differences(other string) web.List[differencesPage, difference] {
	return web.List[differencesPage, difference]{
		Path: web.DifferenceList, Title: "Differences", Needs: web.ReadStatements, Select: a.selected,
		Implied: func(p *differencesPage) []views.Chip {
			return []views.Chip{{Label: "Statement", Value: strconv.FormatInt(p.Statement.ID, 10)},
				{Label: "Comparison", Value: strconv.FormatInt(p.Run.ID, 10)}}
		},
		Columns: []web.Column[differencesPage, difference]{
			{Head: "Time", Kind: export.Time, Class: "c-time", Value: func(d difference) any { return d.At },
				Cell: func(p *differencesPage, d difference) (cell views.Cell) {
					if !d.At.IsZero() {
						cell.Moment = new(p.Time(d.At))
					}
					return cell
				}},
			{Head: "Transaction", Name: "Transaction ID", Class: "c-what", Value: func(d difference) any { return string(d.TransactionID) },
				Cell: func(_ *differencesPage, d difference) views.Cell {
					cell := views.Cell{Text: web.FirstUpper(d.Kind.String()), ID: views.ShortID(string(d.TransactionID), "transaction ID")}
					if d.FreeSpin {
						cell.Text = "Free spin"
					}
					if d.OurNumber != 0 {
						cell.Href = pages.TransactionPath(d.OurNumber)
					}
					return cell
				}},
			{Name: "Kind", Value: func(d difference) any { return d.Kind.String() }},
			{Name: "Free spin", Kind: export.Flag, Value: func(d difference) any { return d.FreeSpin }},
			{Head: "Player", Class: "c-who tight", Value: func(d difference) any { return string(d.UserID) },
				Cell: func(_ *differencesPage, d difference) views.Cell { return pages.PlayerCell(d.PlayerID, d.UserID) }},
			{Name: "Currency", Value: func(d difference) any { return string(d.Currency) }},
			{Head: "Difference", Class: "c-state", Block: "difference", Value: func(d difference) any { return d.Name() }},
			{Name: "Detail", Value: func(d difference) any { return d.Words() }},
			{Name: "Near the edge", Kind: export.Flag, Value: func(d difference) any { return d.Edge }},
			{Head: "Here", Class: "num wrap", Cell: func(_ *differencesPage, d difference) views.Cell { return sideCell(d, d.Ours) }},
			{Name: "State here", Value: func(d difference) any { return ofSide(d.Ours, d.Ours.Standing.String()) }},
			{Name: "Bet here", Kind: export.Money, Value: func(d difference) any { return ofSide(d.Ours, d.Ours.Bet) }},
			{Name: "Win here", Kind: export.Money, Value: func(d difference) any { return ofSide(d.Ours, d.Ours.Win) }},
			{Head: web.FirstUpper(other), Class: "num wrap", Cell: func(_ *differencesPage, d difference) views.Cell { return sideCell(d, d.Theirs) }},
			{Name: "State there", Value: func(d difference) any { return ofSide(d.Theirs, d.Theirs.Standing.String()) }},
			{Name: "Bet there", Kind: export.Money, Value: func(d difference) any { return ofSide(d.Theirs, d.Theirs.Bet) }},
			{Name: "Win there", Kind: export.Money, Value: func(d difference) any { return ofSide(d.Theirs, d.Theirs.Win) }},
			{Name: "Currency there", Value: func(d difference) any { return string(d.Theirs.Currency) }},
			{Head: "If the " + other + " is right", Name: "If they are right", Class: "wrap", Block: "advice",
				Value: func(d difference) any { return unlessSettled(d, d.Remedy.String()) }},
			{Name: "Amount", Kind: export.Money, Value: func(d difference) any { return unlessSettled(d, d.RemedyAmount) }},
			{Name: "Done", Value: doneWords},
			{Name: "Line", Kind: export.Number, Value: func(d difference) any { return export.NumberOrNone(d.Line) }},
			{Head: "Case", Kind: export.Number, Class: "c-lead keep", Value: func(d difference) any { return export.NumberOrNone(d.CaseID) },
				Cell: func(p *differencesPage, d difference) (cell views.Cell) {
					if d.CaseID != 0 {
						cell.Text = strconv.FormatInt(d.CaseID, 10)
						if p.Can(web.ReadCases) {
							cell.Href = pages.CasePath(d.CaseID)
						}
					}
					return cell
				}},
		},
	}
}

// selected reads the statement, the comparison and the bucket from the address. If there are differences, it records that the
// reader viewed them.
func (a *Area) selected(ctx context.Context, page *differencesPage) (list models.Listing[difference], err error) {
	page.Knows("run", "state")
	page.By = "oldest first"
	if page.Statement.ID == 0 {
		text, _ := web.Matched(web.DifferenceList, page.Path)
		number, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return list, err
		}
		var there bool
		if page.Statement, there, err = a.Store.Statement(ctx, number); err == nil && !there {
			err = web.NotFound("statement")
		}
		if err == nil {
			page.Run, err = a.chosenRun(ctx, page.Statement, page.Params.Get("run"))
		}
		if err != nil {
			return list, err
		}
	}
	filter := models.DifferenceFilter{RunID: page.Run.ID}
	page.Shown = page.Filter("bucket", "Difference", func(name string) string {
		for bucket, is := range bucketNames {
			if is == name {
				filter.Bucket = bucket
				return bucket.String()
			}
		}
		return name
	})
	if filter.Bucket == 0 && page.Shown != silent {
		page.Shown = ""
	}
	if page.Found() > 0 {
		err = a.ViewedOn(ctx, &page.Page, "statement", page.Statement.ID, 0)
	}
	return models.List(filter, func(ctx context.Context, f models.DifferenceFilter) (rows models.Page[difference], err error) {
		if f.Bucket == models.Agrees || page.Shown == silent {
			return rows, nil
		}
		found, err := a.Store.Differences(ctx, f)
		for _, d := range found.Rows {
			rows.Rows = append(rows.Rows, newDifference(&page.Page, d))
		}
		rows.More = found.More
		return rows, err
	}, func(d difference) models.Cursor { return d.Place() }), err
}

// newDifference returns a difference as a row of the list.
func newDifference(p *web.Page, d models.Difference) difference {
	row := &differenceRow{Difference: d, Icon: bucketNames[d.Bucket], Advise: !d.Settled,
		Leave: d.Edge || d.Remedy == models.RemedyLeave || d.Remedy == models.RemedyNone}
	for _, k := range d.Corrections {
		done := doneRow{Text: pages.CorrectionTitle(k) + ", booked"}
		if k.State == models.ApprovalWaiting {
			done.Text, row.Advise = pages.CorrectionTitle(k)+", waiting for approval", false
		}
		if p.Can(web.ReadCorrections) {
			done.Href = pages.CorrectionPath(k.ID)
		}
		row.Done = append(row.Done, done)
	}
	if len(row.Done) == 0 && d.CaseState > models.CaseOpen {
		row.Done = append(row.Done, doneRow{Text: web.FirstUpper(d.CaseState.String())})
	}
	return row
}

// NoMoney reports whether the remedy moves no money.
func (d difference) NoMoney() bool { return d.RemedyAmount == 0 }

// side is the contents of a cell about one book.
type side struct {
	There          bool
	Amounts, State string
}

// sideCell returns what one book has: the amounts, and the currency and the state if the books differ in them.
func sideCell(d difference, book models.StatementSide) views.Cell {
	of := side{There: book.There}
	if of.There {
		of.Amounts = book.Amounts()
	}
	if of.There && len(d.Currencies()) > 1 {
		of.Amounts += " " + string(book.Currency)
	}
	if d.Bucket == models.StateDiffers {
		of.State = book.Standing.String()
	}
	return views.Cell{Block: "side", Of: of}
}

// ofSide returns a value from one book, or nil if the book does not have the transaction.
func ofSide(book models.StatementSide, value any) any {
	if !book.There {
		return nil
	}
	return value
}

// unlessSettled returns a value of the remedy, or nil if there is nothing left to do.
func unlessSettled(d difference, value any) any {
	if d.Settled {
		return nil
	}
	return value
}

// doneWords returns what people did about a difference.
func doneWords(d difference) any {
	var words []string
	for _, k := range d.Corrections {
		words = append(words, fmt.Sprintf("correction %d, %s", k.ID, k.State))
	}
	if d.CaseState > models.CaseOpen {
		words = append(words, "case "+d.CaseState.String())
	}
	return strings.Join(words, "; ")
}
