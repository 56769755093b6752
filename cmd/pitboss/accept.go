package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

type acceptCommand struct {
	Object string `required:"" help:"The kind of row, as pitboss verify prints it: player, staff, setting, correction, grant, case, day, ..."`
	ID     string `required:"" help:"The row's number or name, as pitboss verify prints it."`
	Reason string `required:"" help:"Why the row is as it is, for the audit log."`
	actorFlag
}

// Run records in the audit log that a row is right as it is.
func (c acceptCommand) Run(ctx context.Context, con *console) error {
	if len([]rune(strings.TrimSpace(c.Reason))) < 10 {
		return errors.New("--reason must explain in at least 10 characters how the row came to be as it is")
	}
	s, err := openLedger(ctx, con)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.AcceptRow(ctx, c.actor(), c.Object, c.ID, c.Reason); err != nil {
		return err
	}
	fmt.Fprintf(con.out, "the audit log records that %s %s is accepted as it is now\n", c.Object, c.ID)
	return nil
}
