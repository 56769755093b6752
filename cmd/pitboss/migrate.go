package main

import (
	"context"
	"fmt"
	"text/tabwriter"

	"pitboss/models/store"
)

type migrateCommand struct {
	Up     migrateUpCommand     `cmd:"" help:"Apply what is pending."`
	Status migrateStatusCommand `cmd:"" help:"List all migrations, applied or pending."`
}

type migrateUpCommand struct{}

// Run applies what is pending.
func (migrateUpCommand) Run(ctx context.Context, con *console) error {
	s, err := openDatabase(ctx, con)
	if err != nil {
		return err
	}
	defer s.Close()
	applied, err := s.Migrate(ctx)
	if err != nil {
		return err
	}
	for _, m := range applied {
		fmt.Fprintf(con.out, "applied %s\n", m.File)
	}
	fmt.Fprintf(con.out, "%d migrations applied, the schema is up to date\n", len(applied))
	return nil
}

type migrateStatusCommand struct{}

// Run lists the migrations.
func (migrateStatusCommand) Run(ctx context.Context, con *console) error {
	s, err := openDatabase(ctx, con)
	if err != nil {
		return err
	}
	defer s.Close()
	list, err := s.Migrations(ctx)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(con.out, 0, 0, 2, ' ', 0)
	for _, m := range list {
		state := "pending"
		if !m.AppliedAt.IsZero() {
			state = "applied " + m.AppliedAt.UTC().Format("2006-01-02 15:04:05 UTC")
		}
		fmt.Fprintf(table, "%s\t%s\n", m.File, state)
	}
	return table.Flush()
}

// openDatabase opens the configured database as it is, for commands that may find it empty.
func openDatabase(ctx context.Context, con *console) (*store.Store, error) {
	settings, err := load[databaseSettings](con.environ)
	if err != nil {
		return nil, err
	}
	return store.Open(ctx, settings.store(nil, commandLockWait))
}
