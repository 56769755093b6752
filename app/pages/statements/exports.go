package statements

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"pitboss/app/export"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// ExportDifferences reads the differences that a comparison found for a file; see web.Exportable. It is recorded as a view of
// the statement.
func (a *Area) ExportDifferences(ctx context.Context, p web.Page) (list export.List, chips []views.Chip, instead *views.Empty, err error) {
	text, _ := web.Matched(web.DifferenceList, p.Path)
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return list, nil, nil, err
	}
	st, found, err := a.Store.Statement(ctx, number)
	if err == nil && !found {
		err = web.NotFound("statement")
	}
	if err != nil {
		return list, nil, nil, err
	}
	run, err := a.chosenRun(ctx, st, p.Params.Get("run"))
	if err == nil {
		err = a.ViewedOn(ctx, &p, "statement", st.ID, 0)
	}
	if err != nil {
		return list, nil, nil, err
	}
	p.Knows("run", "bucket")
	chips = []views.Chip{{Label: "Statement", Value: text}, {Label: "Comparison", Value: strconv.FormatInt(run.ID, 10)}}
	filter := models.DifferenceFilter{RunID: run.ID, Bucket: bucketNamed(p.Params.Get("bucket"))}
	if filter.Bucket != 0 {
		chips = append(chips, views.Chip{Label: "Difference", Value: filter.Bucket.String()})
	}
	yes := map[bool]string{true: "yes", false: "no"}
	side := func(s models.StatementSide) []any {
		if !s.There {
			return []any{nil, nil, nil}
		}
		return []any{s.Standing.String(), s.Bet, s.Win}
	}
	return export.List{
		Columns: []export.Column{
			{Name: "Time", Kind: export.Time}, {Name: "Transaction ID"}, {Name: "Kind"}, {Name: "Free spin", Kind: export.Flag},
			{Name: "Player"}, {Name: "Currency"}, {Name: "Difference"}, {Name: "Detail"}, {Name: "Near the edge"},
			{Name: "State here"}, {Name: "Bet here", Kind: export.Money}, {Name: "Win here", Kind: export.Money},
			{Name: "State there"}, {Name: "Bet there", Kind: export.Money}, {Name: "Win there", Kind: export.Money},
			{Name: "Currency there"}, {Name: "If they are right"}, {Name: "Amount", Kind: export.Money}, {Name: "Done"},
			{Name: "Line", Kind: export.Number}, {Name: "Case", Kind: export.Number},
		},
		Read: web.Rows(&p, &web.Listed{}, models.List(filter, a.Store.Differences, models.Difference.Place), web.ExportPage,
			export.Each(func(d models.Difference) export.Row {
				row := export.Row{d.At, string(d.TransactionID), d.Kind.String(), d.FreeSpin, string(d.UserID), string(d.Currency),
					d.Name(), d.Words(), yes[d.Edge]}
				row = append(append(row, side(d.Ours)...), side(d.Theirs)...)
				row = append(row, string(d.Theirs.Currency))
				if d.Settled {
					row = append(row, nil, nil)
				} else {
					row = append(row, d.Remedy.String(), d.RemedyAmount)
				}
				return append(row, doneWords(d), export.NumberOrNone(d.Line),
					export.NumberOrNone(d.CaseID))
			})),
	}, chips, p.Unread(), nil
}

// doneWords returns what people have done about a difference.
func doneWords(d models.Difference) string {
	var words []string
	for _, k := range d.Corrections {
		words = append(words, fmt.Sprintf("correction %d, %s", k.ID, k.State))
	}
	if d.CaseState > models.CaseOpen {
		words = append(words, "case "+d.CaseState.String())
	}
	return strings.Join(words, "; ")
}

// bucketNamed returns the bucket that an address names, or 0.
func bucketNamed(name string) models.Bucket {
	for bucket, is := range bucketNames {
		if is == name {
			return bucket
		}
	}
	return 0
}
