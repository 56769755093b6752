package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"pitboss/cmd/pitboss/config"
	"pitboss/models"
	"pitboss/models/store"
)

type purgeCommand struct {
	Plan  purgePlanCommand  `cmd:"" help:"Print what a purge would remove. Changes nothing."`
	Run   purgeRunCommand   `cmd:"" help:"Archive old entries, delete them, and write a checkpoint of the rest. Callbacks are served meanwhile."`
	Check purgeCheckCommand `cmd:"" help:"Check that an archive is complete and signed, and that its chains are intact."`
}

type purgePlanCommand struct{}

// Run counts what a purge would remove.
func (purgePlanCommand) Run(ctx context.Context, con *console, s *store.Store) error {
	keep, err := config.Load[config.Keep](con.environ)
	if err != nil {
		return err
	}
	scope := keep.Scope(time.Now())
	p, err := s.BeginPurge(ctx, scope, io.Discard)
	if err != nil {
		return err
	}
	tellPurge(con, "would be removed", p.ArchiveCounts, scope.LedgerBefore, scope.AuditBefore)
	return nil
}

func tellPurge(con *console, what string, c models.ArchiveCounts, ledger, audit time.Time) {
	fmt.Fprintf(con.out, "%s: %d entries of %d wallets (%d of money, %d of free spins) from before %s; %d audit events from "+
		"before %s\n",
		what, c.Entries+c.SpinEntries, c.Wallets, c.Entries, c.SpinEntries, ledger.UTC().Format(time.RFC3339), c.AuditEvents,
		audit.UTC().Format(time.RFC3339))
}

type purgeRunCommand struct {
	Archive string `required:"" type:"path" placeholder:"DIR" help:"The folder for the archive and the checkpoint. They contain personal data; keep them as long as the law requires."`
	actorFlag
}

// Run archives, deletes and writes a checkpoint.
func (c purgeRunCommand) Run(ctx context.Context, con *console, s *store.Store) (err error) {
	keep, err := config.Load[config.Keep](con.environ)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.Archive, 0o700); err != nil {
		return err
	}
	now := time.Now()
	name := "pitboss-archive-" + now.UTC().Format("20060102T150405Z") + ".jsonl.gz"
	path := filepath.Join(c.Archive, name)
	file, err := os.OpenFile(path+".part", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer os.Remove(path + ".part")
	scope := keep.Scope(now)
	p, err := s.BeginPurge(ctx, scope, file)
	// Nothing is deleted before the archive is on the disk under its name.
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	if p.ArchiveCounts == (models.ArchiveCounts{}) {
		fmt.Fprintln(con.out, "nothing is old enough to be purged")
		return nil
	}
	if err := errors.Join(os.Rename(path+".part", path), syncFolder(c.Archive)); err != nil {
		return err
	}
	if err := s.FinishPurge(ctx, c.actor(), p, name); err != nil {
		return fmt.Errorf("%w; the deleted lines are in %s. Run the purge again to delete the rest", err, path)
	}
	tellPurge(con, "archived to "+path+" and deleted", p.ArchiveCounts, scope.LedgerBefore, scope.AuditBefore)
	cp, err := config.Evidence{Dir: c.Archive}.Service(s, instance(), slog.New(slog.DiscardHandler)).Write(ctx, c.actor())
	if err != nil {
		return err
	}
	fmt.Fprintf(con.out, "checkpoint %d of the remaining ledger is in the same folder\n", cp.Number)
	return nil
}

func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

type purgeCheckCommand struct {
	File string `arg:"" type:"existingfile" help:"The archive."`
}

// Run reads an archive. It needs the ledger's key and no database.
func (c purgeCheckCommand) Run(_ context.Context, con *console) error {
	settings, err := config.Load[archiveKey](con.environ)
	if err != nil {
		return err
	}
	file, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	h, counts, err := models.ReadArchive(file, models.NewChain([]byte(settings.LedgerKey)))
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	tellPurge(con, "complete and signed", counts, h.LedgerBefore, h.AuditBefore)
	return nil
}

// archiveKey is what an archive was signed with.
type archiveKey struct {
	LedgerKey string `env:"PITBOSS_LEDGER_KEY"`
}
