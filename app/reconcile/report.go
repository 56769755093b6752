package reconcile

import (
	"context"
	"io"
	"slices"
	"strconv"
	"time"

	"pitboss/app/export"
	"pitboss/models"
)

// Differences is where findings are read. models/store implements it.
type Differences interface {
	Differences(ctx context.Context, f models.DifferenceFilter) (models.Page[models.Difference], error)
}

// reportAtOnce is how many differences are read at once.
const reportAtOnce = 1000

// WriteReport writes the differences that a run found as CSV, with a header line.
func WriteReport(ctx context.Context, from Differences, to io.Writer, run models.StatementRun) error {
	w := export.NewCSV(to)
	const layout = "2006-01-02 15:04:05.000000"
	utc := func(at time.Time) string {
		if at.IsZero() {
			return ""
		}
		return at.UTC().Format(layout)
	}
	if err := w.Write([]string{"time_utc", "transaction_id", "kind", "free_spin", "user_id", "currency", "difference", "detail",
		"at_edge",
		"ours_state", "ours_bet", "ours_win", "theirs_state", "theirs_bet", "theirs_win", "theirs_currency", "if_theirs_is_right", "amount",
		"line", "case"}); err != nil {
		return err
	}
	side := func(s models.StatementSide) []string {
		if !s.There {
			return []string{"", "", ""}
		}
		return []string{s.Standing.String(), s.Bet.String(), s.Win.String()}
	}
	yes := map[bool]string{true: "yes", false: "no"}
	differences := models.List(models.DifferenceFilter{RunID: run.ID}, 0, from.Differences, models.Difference.Place)
	for page, err := range differences.Pages(ctx, reportAtOnce) {
		if err != nil {
			return err
		}
		for _, d := range page.Rows {
			record := slices.Concat([]string{utc(d.At), export.Cell(string(d.TransactionID)), d.Kind.String(), yes[d.FreeSpin],
				export.Cell(string(d.UserID)), string(d.Currency), d.Name(), export.Cell(d.Words()), yes[d.Edge]},
				side(d.Ours), side(d.Theirs),
				[]string{string(d.Theirs.Currency), d.Remedy.String(), d.RemedyAmount.String(), orNothing(d.Line), orNothing(d.CaseID)})
			if err := w.Write(record); err != nil {
				return err
			}
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return w.Flush()
}

func orNothing(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// CurrencyWord returns a currency for people; it may be unknown, because a line may not have one and its player may be unknown.
func CurrencyWord(c models.Currency) string {
	if c == "" {
		return "of no known currency"
	}
	return string(c)
}
