package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"pitboss/cmd/pitboss/config"
	"pitboss/models/store"
)

type checkpointCommand struct {
	Write checkpointWriteCommand `cmd:"" help:"Write a checkpoint to the configured folder."`
}

type checkpointWriteCommand struct {
	Dir string `type:"path" placeholder:"DIR" help:"Write the checkpoint to this folder only."`
	actorFlag
}

// Run writes a checkpoint and prints what it covers.
func (c checkpointWriteCommand) Run(ctx context.Context, con *console, s *store.Store) error {
	settings, err := config.Load[config.Evidence](con.environ)
	if err != nil {
		return err
	}
	if c.Dir != "" {
		settings.Dir = c.Dir
	}
	cp, err := settings.Service(s, instance(), slog.New(slog.DiscardHandler)).Write(ctx, c.actor())
	if cp.Signature != [32]byte{} {
		fmt.Fprintf(con.out, "checkpoint %d of %s: %d wallets, %d entries (%d of money, %d of free spins), audit events up to %d, "+
			"digest %x\n",
			cp.Number, cp.At.Format(time.RFC3339), cp.Wallets, cp.AllEntries(), cp.Entries, cp.SpinEntries, cp.AuditSeq, cp.Digest)
		if !s.Keyed() {
			fmt.Fprintln(con.out, "it is unsigned because PITBOSS_LEDGER_KEY is not set: keep it where it cannot be changed")
		}
	}
	return err
}
