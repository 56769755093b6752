package pages

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// figureChanges returns the rows of a change of what reports are calculated with, or of what opens cases in them.
func figureChanges(r models.ChangeRequest) []views.Change {
	switch r.Subject {
	case models.ChangeBaseCurrency:
		var before, after models.Currency
		if errors.Join(json.Unmarshal([]byte(r.Before), &before), json.Unmarshal([]byte(r.After), &after)) == nil {
			return []views.Change{{What: "Base currency", Before: cmp.Or(string(before), "none"), After: string(after)}}
		}
	case models.ChangeRates:
		var sheet models.RateSheet
		if json.Unmarshal([]byte(r.After), &sheet) == nil {
			return RateChanges(sheet)
		}
	case models.ChangeGameReturns:
		var before, after models.GameReturns
		if errors.Join(unmarshalled(r.Before, &before), unmarshalled(r.After, &after)) == nil {
			return ReturnChanges(before, after)
		}
	case models.ChangeThresholds:
		var before, after models.Thresholds
		if errors.Join(unmarshalled(r.Before, &before), unmarshalled(r.After, &after)) == nil {
			return thresholdChanges(before, after)
		}
	}
	return []views.Change{{What: ChangeTitle(r.Subject), Before: r.Before, After: r.After}}
}

// RateChanges returns a row for each rate, with the latest one before.
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

// ReturnChanges returns a row for each game whose theoretical return changes.
func ReturnChanges(before, after models.GameReturns) (rows []views.Change) {
	all := maps.Clone(after)
	if all == nil {
		all = models.GameReturns{}
	}
	maps.Copy(all, before)
	percent := func(of models.GameReturns, id models.GameID) string {
		if r, known := of[id]; known {
			return r.String() + "%"
		}
		return "none"
	}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		if row := (views.Change{What: "Game " + string(id), Before: percent(before, id), After: percent(after, id)}); !row.Same() {
			rows = append(rows, row)
		}
	}
	return rows
}

func thresholdChanges(before, after models.Thresholds) (rows []views.Change) {
	for _, t := range slices.Concat(before, after) {
		what := t.Ranking.String()
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

// ThresholdWords returns what opens a case: "500.00 or more on one day".
func ThresholdWords(t models.Threshold) string {
	switch {
	case t.Least == 0:
		return "off"
	case t.Ranking.InMoney():
		return models.Amount(t.Least).Grouped() + " or more on one day"
	}
	return web.Grouped(t.Least) + " or more on one day"
}
