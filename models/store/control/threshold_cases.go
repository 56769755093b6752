package control

import (
	"context"
	"fmt"
	"net/netip"
	"strconv"
	"time"

	"pitboss/models"
	"pitboss/models/store/db"
)

// A threshold opens a case for each row of a day's ranking that reaches it, once the day has ended and its sums are complete.
// It starts with the first day that ends after it was set. TryThreshold shows the cases that it would have opened before.

// thresholdCases opens the cases of the days that ended between two times.
func (s *Store) thresholdCases(ctx context.Context, from, until int64, open func([]models.Finding) error) error {
	thresholds, err := s.staff.Thresholds(ctx)
	if err != nil || len(thresholds) == 0 {
		return err
	}
	zone, err := s.zone(ctx)
	if err != nil {
		return err
	}
	for day := models.DayOf(db.FromMicros(from), zone).Add(-1); db.Micros(day.End(zone)) < until; day = day.Add(1) {
		if db.Micros(day.End(zone)) < from {
			continue
		}
		for _, t := range thresholds {
			found, err := s.reached(ctx, t, day, zone)
			if err == nil {
				err = open(found)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// TryThreshold returns the cases that a threshold would have opened on each of the last complete days, newest first. It writes
// nothing.
func (s *Store) TryThreshold(ctx context.Context, t models.Threshold, days int) (list []models.ThresholdDay, err error) {
	zone, err := s.zone(ctx)
	if err != nil {
		return nil, err
	}
	for day := models.DayOf(s.db.Now(), zone).Add(-1); days > 0; day, days = day.Add(-1), days-1 {
		found, err := s.reached(ctx, t, day, zone)
		if err != nil {
			return nil, err
		}
		list = append(list, models.ThresholdDay{Day: day, Found: found})
	}
	return list, nil
}

func (s *Store) zone(ctx context.Context) (*time.Location, error) {
	name, err := s.books.ReportZone(ctx)
	if err != nil {
		return nil, err
	}
	return time.LoadLocation(name)
}

// reached returns the rows of a day that reach a threshold.
func (s *Store) reached(ctx context.Context, t models.Threshold, day models.Day, zone *time.Location) (list []models.Finding, err error) {
	rows, err := s.books.Ranked(ctx, t.Ranking, models.ReportFilter{From: day, To: day, Currency: t.Currency})
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		if r.Measure(t.Ranking) < t.Least {
			break // the rows are in this order
		}
		f := models.Finding{Rule: models.CaseThreshold, At: day.End(zone).Add(-time.Microsecond), PlayerID: r.PlayerID,
			Transaction: r.Transaction, Amount: r.Amount, Currency: r.Currency,
			Key: fmt.Sprintf("%s %s %s player %d by %q and %q from %x", t.Ranking, r.Currency, day, r.PlayerID, r.Actor, r.Second, r.Address)}
		words := func(n int64) string { return strconv.FormatInt(n, 10) }
		if t.Ranking.InMoney() {
			words = func(n int64) string { return models.Amount(n).Grouped() + " " + string(t.Currency) }
		}
		address := ""
		if ip, known := netip.AddrFromSlice(r.Address); known {
			address = ip.Unmap().String()
		}
		f.Facts = facts("Ranking", t.Ranking.Title(), "Day", string(day), "Requested or granted by", r.Actor, "Approved by", r.Second,
			"IP address", address, "Value", words(r.Measure(t.Ranking)), "Threshold", words(t.Least))
		list = append(list, f)
	}
	return list, nil
}
