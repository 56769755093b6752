package main

import (
	"context"
	"fmt"
)

type figuresCommand struct {
	Rebuild figuresRebuildCommand `cmd:"" help:"Make the sums of each minute anew from the ledger: after players were marked as test players, or unmarked. Callbacks are served meanwhile."`
}

type figuresRebuildCommand struct{}

// Run makes the sums anew.
func (figuresRebuildCommand) Run(ctx context.Context, con *console) error {
	s, err := openLedger(ctx, con)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.RebuildMoney(ctx); err != nil {
		return err
	}
	upTo, err := s.MoneyUpTo(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(con.out, "summed up until %s UTC\n", upTo.Format("2006-01-02 15:04:05"))
	return nil
}
