package platform

import (
	"context"
	"fmt"
	"time"

	"pitboss/app/activity"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Charts and figures for the overview: how callbacks were answered over the last two hours.

// chartedMinutes is how many minutes the charts show, including the first and last.
const chartedMinutes = 121

// CallbackCharts are charts of the last full minutes. Successes have a scale of their own, because a handful of refusals would
// be invisible among thousands of them.
type CallbackCharts struct {
	Success, Others views.Chart
	Now             string
	Minutes         []minuteRow // the last five, newest first
}

type minuteRow struct{ At, Success, Funds, Duplicate, Other string }

// The results with their own colors in the charts (specification, Errors 2).
const (
	resultSuccess   = 0
	resultFunds     = 6
	resultDuplicate = 11
)

func withResult(result int) func(models.CallbackAnswer) bool {
	return func(a models.CallbackAnswer) bool { return a.Result == result }
}

func withOtherResult(a models.CallbackAnswer) bool {
	return a.Result != resultSuccess && a.Result != resultFunds && a.Result != resultDuplicate
}

// CallbackCharts returns the charts for the minutes before d.Until.
func (a *Area) CallbackCharts(ctx context.Context, d pages.Today) (*CallbackCharts, error) {
	// A minute is complete once all instances have reported it.
	end := d.Until.Add(-2 * activity.Every).Truncate(time.Minute)
	from := end.Add(-chartedMinutes * time.Minute)
	today, err := a.Store.CallbackMinutes(ctx, from, end)
	if err != nil {
		return nil, err
	}
	yesterday, err := a.Store.CallbackMinutes(ctx, from.Add(-d.Back()), end.Add(-d.Back()))
	if err != nil {
		return nil, err
	}
	series := func(list []models.CallbackMinute, match func(models.CallbackAnswer) bool) []float64 {
		values := make([]float64, len(list))
		for i, m := range list {
			values[i] = float64(m.Callbacks(match))
		}
		return values
	}
	zone := d.Until.Location()
	first, last := from.In(zone).Format("15:04"), today[len(today)-1].At.In(zone).Format("15:04")
	var labels []string
	for i := 0; i < chartedMinutes; i += 30 {
		labels = append(labels, today[i].At.In(zone).Format("15:04"))
	}

	success, before := series(today, withResult(resultSuccess)), series(yesterday, withResult(resultSuccess))
	funds, duplicate, other := series(today, withResult(resultFunds)), series(today, withResult(resultDuplicate)),
		series(today, withOtherResult)
	others := make([]float64, len(today))
	fundsAndDuplicate := make([]float64, len(today))
	for i := range others {
		fundsAndDuplicate[i] = funds[i] + duplicate[i]
		others[i] = fundsAndDuplicate[i] + other[i]
	}
	c := &CallbackCharts{}
	scale := views.NewScale(3, 1, success, before)
	c.Success = views.NewChart(inPlainWords(first, last, success), "", "", scale)
	c.Success.Area("ar", scale, success)
	c.Success.Line("yd", scale, before)
	c.Success.Line("ln", scale, success)
	scale = views.NewScale(2, 1, others)
	c.Others = views.NewChart(inPlainWords(first, last, others), "low", "", scale)
	c.Others.Bars("b6", scale, funds, nil)
	c.Others.Bars("b11", scale, duplicate, funds)
	c.Others.Bars("bx", scale, other, fundsAndDuplicate)
	c.Others.X = labels
	newest := today[len(today)-1]
	c.Now = web.Grouped(int64(newest.Callbacks(nil)))
	for i := len(today) - 1; i >= len(today)-5; i-- {
		c.Minutes = append(c.Minutes, minuteRow{
			At: today[i].At.In(zone).Format("15:04"), Success: views.Figure(success[i]), Funds: views.Figure(funds[i]),
			Duplicate: views.Figure(duplicate[i]), Other: views.Figure(other[i]),
		})
	}
	return c, nil
}

// inPlainWords describes a chart's values for people who cannot see it.
func inPlainWords(first, last string, values []float64) string {
	span := ", " + first + " to " + last + ": "
	highest, ok := views.Highest(values)
	if !ok {
		return span + "none"
	}
	sum, at := 0.0, 0
	for i, v := range values {
		if sum += v; v == highest {
			at = i
		}
	}
	begin, err := time.Parse("15:04", first)
	if err != nil {
		return span
	}
	return fmt.Sprintf("%s%s on average, at most %s at %s", span, views.Figure(sum/float64(len(values))),
		views.Figure(highest), begin.Add(time.Duration(at)*time.Minute).Format("15:04"))
}
