package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"pitboss/app/pages/integrity"
	"pitboss/cmd/pitboss/config"
	"pitboss/models/store"
)

type migrateCommand struct {
	Up     migrateUpCommand     `cmd:"" help:"Apply pending migrations."`
	Status migrateStatusCommand `cmd:"" help:"List all migrations, applied or pending."`
}

type migrateUpCommand struct{}

// Run applies the pending migrations, and creates missing triggers. It fails if triggers are missing afterwards.
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
	switch missing, err := s.Unguarded(ctx); {
	case err != nil:
		return err
	case len(missing) > 0:
		return fmt.Errorf("%s applied, but nothing stops %s: a player is being erased, which creates the triggers that protect the ledger "+
			"again when it is done, or the database does not let this account create them. %s", appliedText(len(applied)),
			strings.Join(missing, ", "), integrity.TriggersRemedy)
	}
	fmt.Fprintf(con.out, "%s applied, the schema is up to date\n", appliedText(len(applied)))
	return nil
}

func appliedText(n int) string {
	if n == 1 {
		return "1 migration"
	}
	return fmt.Sprintf("%d migrations", n)
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
	pending := 0
	for _, m := range list {
		state := "pending"
		if m.AppliedAt.IsZero() {
			pending++
		} else {
			state = "applied " + m.AppliedAt.UTC().Format("2006-01-02 15:04:05 UTC")
		}
		fmt.Fprintf(table, "%s\t%s\n", m.File, state)
	}
	if err := table.Flush(); err != nil || pending == 0 {
		return err
	}
	fmt.Fprintf(con.out, "%s. Apply them with: pitboss migrate up\n", pendingText(pending))
	return nil
}

// pendingMigrations returns how many migrations are pending.
func pendingMigrations(ctx context.Context, s *store.Store) (n int, err error) {
	list, err := s.Migrations(ctx)
	for _, m := range list {
		if m.AppliedAt.IsZero() {
			n++
		}
	}
	return n, err
}

func pendingText(n int) string {
	if n == 1 {
		return "1 migration is pending"
	}
	return fmt.Sprintf("%d migrations are pending", n)
}

// openDatabase opens the configured database as it is, for commands that may find it empty.
func openDatabase(ctx context.Context, con *console) (*store.Store, error) {
	settings, err := config.Load[config.Database](con.environ)
	if err != nil {
		return nil, err
	}
	return store.Open(ctx, settings.Store(nil, commandLockWait))
}
