package pages

import (
	"fmt"
	"slices"

	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// RateChanges returns a row for each rate, with the latest one before it.
func RateChanges(sheet models.RateSheet) (rows []views.Change) {
	for _, r := range sheet.Rates {
		row := views.Change{What: fmt.Sprintf("1 %s in %s on %s", r.Currency, sheet.Base, r.Day.Format("2 Jan 2006")),
			Before: "no rate in the weeks before", After: r.Rate.String()}
		if percent, known := r.Change(); known {
			row.Before = r.Before.String() + " on " + r.BeforeDay.Format("2 Jan 2006")
			sign := ""
			if percent.IsPositive() {
				sign = "+"
			}
			row.After += " (" + sign + percent.StringFixed(1) + "%)"
		}
		if r.BeforeDay != "" && r.BeforeDay.Add(1) < r.Day {
			row.After += "; none for " + web.DaysWords(r.BeforeDay.Add(1), r.Day.Add(-1))
		}
		if r.Doubtful() {
			row.After += ": check this one"
		}
		if r.Replaces.IsPositive() {
			row.After += "; replaces " + r.Replaces.String() + ", which was confirmed for this day"
		}
		rows = append(rows, row)
	}
	return rows
}

func thresholdChanges(before, after models.Thresholds) (rows []views.Change) {
	for _, t := range slices.Concat(before, after) {
		what := t.Ranking.Title()
		if t.Currency != "" {
			what += ", " + string(t.Currency)
		}
		row := views.Change{What: what, Before: ThresholdWords(before.Of(t)), After: ThresholdWords(after.Of(t))}
		if !row.Same() && !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	return rows
}

// ThresholdWords returns the condition that opens a case, such as "500.00 or more on one day".
func ThresholdWords(t models.Threshold) string {
	switch {
	case t.Least == 0:
		return "off"
	case t.Ranking.InMoney():
		return models.Amount(t.Least).Grouped() + " or more on one day"
	}
	return web.Grouped(t.Least) + " or more on one day"
}
