package main

import (
	"context"
	"fmt"
	"time"

	"pitboss/models"
	"pitboss/models/store"
)

type figuresCommand struct {
	Rebuild figuresRebuildCommand `cmd:"" help:"Recalculate the sums of each day that is not closed from the ledger, after players were marked or unmarked as test players. Callbacks are served meanwhile."`
	Check   figuresCheckCommand   `cmd:"" help:"Compare the sums of all days with the ledger, line by line, and closed days with what was signed. Changes nothing. Exits with 1 if anything differs."`
}

type figuresRebuildCommand struct{}

// Run recalculates the sums.
func (figuresRebuildCommand) Run(ctx context.Context, con *console, s *store.Store) error {
	if err := s.RebuildDays(ctx); err != nil {
		return err
	}
	upTo, err := s.DaysUpTo(ctx)
	if err != nil {
		return err
	}
	if err := s.RecordFiguresRebuilt(ctx, models.System); err != nil {
		return err
	}
	fmt.Fprintf(con.out, "recalculated up to %s UTC\n", upTo.Format(time.DateTime))
	return nil
}

type figuresCheckCommand struct{}

// Run checks the sums of days.
func (figuresCheckCommand) Run(ctx context.Context, con *console, s *store.Store) error {
	check, err := s.CheckDays(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(con.out, "checked %d days of players from %d lines; %d lines count toward a later day than "+
		"their own, %d are not counted yet\n", check.Days, check.Lines, check.Late, check.Waiting)
	for _, fault := range check.Faults {
		fmt.Fprintln(con.out, fault)
	}
	if n := len(check.Faults); n > 0 {
		return fmt.Errorf("the sums of days have %d faults", n)
	}
	return nil
}
