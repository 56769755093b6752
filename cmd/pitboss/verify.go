package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"pitboss/models"
	"pitboss/models/store"
)

type verifyCommand struct {
	Checkpoint string `type:"existingfile" placeholder:"FILE" help:"Read only what was written after this checkpoint, and compare the ledger with it."`
	Whole      bool   `help:"Read everything, even with --checkpoint."`
	actorFlag
}

// Run verifies the ledger, and prints what it counted and every fault.
func (c verifyCommand) Run(ctx context.Context, con *console, s *store.Store) error {
	var checkpoint *models.CheckpointReader
	if c.Checkpoint != "" {
		file, err := os.Open(c.Checkpoint)
		if err != nil {
			return err
		}
		defer file.Close()
		if checkpoint, err = s.OpenCheckpoint(file); err != nil {
			return fmt.Errorf("%s: %w", c.Checkpoint, err)
		}
	}
	started := time.Now()
	p := newProgress(con, "reading entries")
	verify := func(done func(int64)) (models.Verification, error) { return s.VerifySince(ctx, checkpoint, done) }
	if c.Whole {
		verify = func(done func(int64)) (models.Verification, error) { return s.VerifyAgainst(ctx, checkpoint, done) }
	}
	v, err := verify(func(entries int64) { p.show(entries, unknownTotal) })
	if err != nil {
		return err
	}
	if err := s.RecordVerification(ctx, c.actor(), started, v); err != nil {
		fmt.Fprintln(con.err, "pitboss: the result could not be recorded in the database:", err)
	}
	tellVerification(con, v, checkpoint)
	if !v.OK() {
		return errFailed
	}
	return nil
}

func tellVerification(con *console, v models.Verification, checkpoint *models.CheckpointReader) {
	fmt.Fprintf(con.out, "read %d wallets, %d entries (%d of money, %d of free spins), %d transactions, %d tombstones, %d audit "+
		"events, %d rows that they cover\n",
		v.Wallets, v.AllEntries(), v.Entries, v.SpinEntries, v.Transactions, v.Tombstones, v.AuditEvents, v.CoveredRows)
	if v.Keyed {
		fmt.Fprintln(con.out, "the chains are keyed")
	} else {
		fmt.Fprintln(con.out, "the chains are unkeyed (PITBOSS_LEDGER_KEY is not set): they show accidents, not forgery by "+
			"anyone who can write to the database")
	}
	if v.ErasedTexts > 0 {
		fmt.Fprintf(con.out, "%d audit texts erased by a key holder\n", v.ErasedTexts)
	}
	if checkpoint != nil {
		fmt.Fprintf(con.out, "compared with checkpoint %d of %s\n", checkpoint.Number,
			checkpoint.At.Format("2006-01-02 15:04:05 UTC"))
	} else {
		fmt.Fprintln(con.out, "not compared with a checkpoint: only that would show whether the newest entries were cut off "+
			"or an older state was restored (--checkpoint FILE)")
	}
	if v.Since > 0 {
		fmt.Fprintf(con.out, "read only what was written after checkpoint %d, without the figures (everything: --whole)\n", v.Since)
	}
	if v.OK() {
		fmt.Fprintln(con.out, "no faults found")
		return
	}
	for _, w := range v.Faulty {
		fmt.Fprintf(con.out, "wallet %d of %q has faults:\n", w.PlayerID, w.UserID)
		tellFaults(con, w.Faults, w.Total)
	}
	for _, part := range []struct {
		heading string
		models.ChainFaults
	}{
		{"the audit log has faults:", v.Audit}, {"rows differ from the audit log:", v.Rows}, {"figures differ from the ledger:", v.Figures},
		{"the checkpoints have faults:", v.Written},
	} {
		if part.Total > 0 {
			fmt.Fprintln(con.out, part.heading)
			tellFaults(con, part.Faults, part.Total)
		}
	}
	fmt.Fprintf(con.out, "wallets with faults: %d; faults in the audit log: %d, in rows that it covers: %d, in "+
		"figures: %d, in the checkpoints: %d\n",
		len(v.Faulty), v.Audit.Total, v.Rows.Total, v.Figures.Total, v.Written.Total)
}

func tellFaults(con *console, faults []string, total int) {
	for _, f := range faults {
		fmt.Fprintf(con.out, "  %s\n", f)
	}
	if more := total - len(faults); more > 0 {
		fmt.Fprintf(con.out, "  and %d more\n", more)
	}
}
