package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"text/tabwriter"

	"pitboss/app/evidence"
	"pitboss/cmd/pitboss/config"
	"pitboss/models"
	"pitboss/models/store"
)

type restoreCommand struct {
	Plan    restorePlanCommand    `cmd:"" help:"List what is gone: compare the restored database with later checkpoints. Changes nothing."`
	Declare restoreDeclareCommand `cmd:"" help:"Do what plan does, and record the restore in the audit log. Finance or compliance then confirms it on the Integrity page."`
}

// restoreEvidence is what a restored database is compared with.
type restoreEvidence struct {
	Checkpoint []string `type:"existingfile" placeholder:"FILE" help:"A checkpoint that was written after the backup, such as one kept by the webhook. Those in PITBOSS_CHECKPOINT_DIR are found automatically. May be repeated."`
	Base       string   `type:"existingfile" placeholder:"FILE" help:"The last checkpoint before the backup, if it is not in PITBOSS_CHECKPOINT_DIR."`
}

type restorePlanCommand struct{ restoreEvidence }

// Run prints what is lost.
func (c restorePlanCommand) Run(ctx context.Context, con *console) error {
	s, _, _, err := c.plan(ctx, con)
	if s != nil {
		defer s.Close()
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(con.out, "nothing was changed; record the restore with: pitboss restore declare")
	return nil
}

type restoreDeclareCommand struct {
	restoreEvidence
	Backup string `required:"" placeholder:"TEXT" help:"The backup that was restored, such as its file name, and its point in time."`
	Reason string `required:"" help:"Why it was restored."`
	actorFlag
}

// Run prints what is lost and records the restore. Before that it pauses running campaigns and voids those that wait for
// approval, because it is unknown which of them the platform has granted since the backup.
func (c restoreDeclareCommand) Run(ctx context.Context, con *console) error {
	s, plan, service, err := c.plan(ctx, con)
	if s != nil {
		defer s.Close()
	}
	if err != nil {
		return err
	}
	campaigns, err := s.PauseCampaigns(ctx, c.actor())
	if err != nil {
		return err
	}
	for _, id := range campaigns {
		fmt.Fprintf(con.out, "campaign %d is paused: compare its lines with the platform's free spins before you resume "+
			"it\n", id)
	}
	void, err := s.VoidCampaigns(ctx)
	if err != nil {
		return err
	}
	for _, id := range void {
		fmt.Fprintf(con.out, "campaign %d is void: it may have been approved and granted since the "+
			"backup\n", id)
	}
	declared, err := s.DeclareRestore(ctx, c.actor(), plan, models.RestoreWords{Source: c.Backup, Reason: c.Reason})
	if err != nil {
		return err
	}
	fmt.Fprintf(con.out, "restore %d is declared: all staff must sign in again, and one-time links are void\n", declared.ID)
	if service.Configured() {
		cp, err := service.Write(ctx, c.actor())
		if err != nil {
			return fmt.Errorf("the restore is declared, but no checkpoint was written: %w", err)
		}
		fmt.Fprintf(con.out, "checkpoint %d is the first of the restored database\n", cp.Number)
	}
	fmt.Fprintln(con.out, "finance or compliance must confirm the restore on the Integrity page; until then verify counts it "+
		"as a fault")
	return nil
}

// plan opens the database and compares it. Even with an error, the store is open unless it is nil.
func (c restoreEvidence) plan(ctx context.Context,
	con *console) (s *store.Store, p models.RestorePlan, service *evidence.Service, err error) {
	settings, err := config.Load[config.Evidence](con.environ)
	if err != nil {
		return nil, p, nil, err
	}
	if s, err = openLedger(ctx, con); err != nil {
		return nil, p, nil, err
	}
	service = settings.Service(s, instance(), slog.New(slog.DiscardHandler))
	lost, err := service.Lost(ctx)
	if err != nil {
		return s, p, service, err
	}
	defer func() { lost.Close() }()
	for _, path := range c.Checkpoint {
		f, err := service.OpenFile(path)
		if err != nil {
			return s, p, service, err
		}
		lost = append(lost, f)
	}
	base, found, err := c.base(ctx, service)
	if err != nil {
		return s, p, service, err
	}
	var before *models.CheckpointReader
	if found {
		defer base.File.Close()
		before = base.CheckpointReader
	}
	bar := newProgress(con, "reading entries")
	p, err = s.PlanRestore(ctx, lost, before, func(entries int64) { bar.show(entries, unknownTotal) })
	var faults models.RestoreFaultsError
	if errors.As(err, &faults) {
		tellVerification(con, faults.Verification, before)
	}
	if err != nil {
		return s, p, service, err
	}
	tellRestore(con, p)
	fmt.Fprintln(con.out, "the platform's statement shows which transactions these were: compare it on the page Statements once an "+
		"instance runs")
	return s, p, service, nil
}

// base opens the last checkpoint before the backup.
func (c restoreEvidence) base(ctx context.Context, service *evidence.Service) (models.LostFile, bool, error) {
	if c.Base == "" {
		return service.Base(ctx)
	}
	f, err := service.OpenFile(c.Base)
	return f, err == nil, err
}

// toldWallets is how many wallets are printed.
const toldWallets = 20

func tellRestore(con *console, p models.RestorePlan) {
	for _, cp := range p.Checkpoints {
		fmt.Fprintf(con.out, "checkpoint %d of %s (%s) has a later state\n", cp.Number,
			cp.At.Format("2006-01-02 15:04:05 UTC"), cp.File)
	}
	if p.Base > 0 {
		fmt.Fprintf(con.out, "everything up to checkpoint %d is unchanged\n", p.Base)
	} else {
		fmt.Fprintln(con.out, "there was no older checkpoint to compare with: only the chains show that nothing from before "+
			"the backup was changed (--base FILE)")
	}
	newest := p.Checkpoints[0]
	fmt.Fprintf(con.out, "gone, as far as the checkpoints show: %d entries (%d of money, %d of free spins) of %d wallets, and "+
		"the audit events %d to %d\n",
		p.AllEntries(), p.Entries, p.SpinEntries, p.Wallets, min(p.AuditSeq+1, newest.AuditSeq), newest.AuditSeq)
	fmt.Fprintf(con.out, "only the platform knows what happened after checkpoint %d was written\n", newest.Number)
	for _, sum := range p.Sums {
		fmt.Fprintf(con.out, "funds of these players, with what is held: %s %s before, %s now\n", sum.Before.StringFixed(2), sum.Currency,
			sum.After.StringFixed(2))
	}
	table := tabwriter.NewWriter(con.out, 0, 0, 2, ' ', 0)
	for i, w := range p.Gone {
		if i == toldWallets {
			break
		}
		fmt.Fprintf(table, "  wallet %d\tentries %d to %d\tfunds %s\twere %s %s\n", w.PlayerID, w.Seq+1, w.LostSeq, w.Funds(),
			w.LostFunds(), w.Currency)
	}
	table.Flush()
	if more := len(p.Gone) - toldWallets; more > 0 {
		fmt.Fprintf(con.out, "  and %d more\n", more)
	}
}
