package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/shopspring/decimal"

	"pitboss/app/evidence"
	"pitboss/app/export"
	"pitboss/app/reconcile"
	"pitboss/app/sheet"
	"pitboss/cmd/pitboss/config"
	"pitboss/models"
	"pitboss/models/store"
)

type restoreCommand struct {
	Plan    restorePlanCommand    `cmd:"" help:"List what is gone: compare the restored database with later checkpoints and with the platform's statement. Changes nothing."`
	Declare restoreDeclareCommand `cmd:"" help:"Do what plan does, and record the restore in the audit log. Finance or compliance then confirms it on the Integrity page."`
}

// restoreEvidence is what a restored database is compared with.
type restoreEvidence struct {
	Checkpoint []string          `type:"existingfile" placeholder:"FILE" help:"A checkpoint that was written after the backup, such as one kept by the webhook. Those in PITBOSS_CHECKPOINT_DIR are found automatically. May be repeated."`
	Base       string            `type:"existingfile" placeholder:"FILE" help:"The last checkpoint before the backup, if it is not in PITBOSS_CHECKPOINT_DIR."`
	Statement  string            `type:"existingfile" placeholder:"FILE" help:"The platform's CSV file of transactions from the backup's time until now, to list the transactions that are gone."`
	Report     string            `type:"path" placeholder:"FILE" help:"Write the list of these transactions as CSV."`
	Zone       string            `placeholder:"ZONE" help:"Time zone of the statement's times, such as Europe/Vienna. By default that of the last file with the same columns, or UTC."`
	Column     map[string]string `placeholder:"FIELD=NAME" help:"The statement's column of each field: transaction, kind, amount (or bet and win), state, player, currency, time, free-spin. By default as in the last file with the same columns, or as the names suggest."`
	Decimal    string            `placeholder:"MARK" help:"The statement's decimal mark, . or , if its first lines do not show it."`
	Times      string            `placeholder:"SHAPE" help:"How the statement writes times, if its first lines do not show it: iso, day-first, month-first, unix or unix-ms."`
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

// Run prints what is lost and records the restore. Before that it pauses running imports of grants and voids exceptions from
// limits, because it is unknown which of them the platform has granted since the backup.
func (c restoreDeclareCommand) Run(ctx context.Context, con *console) error {
	s, plan, service, err := c.plan(ctx, con)
	if s != nil {
		defer s.Close()
	}
	if err != nil {
		return err
	}
	imports, err := s.PauseImports(ctx, c.actor())
	if err != nil {
		return err
	}
	for _, id := range imports {
		fmt.Fprintf(con.out, "grant import %d is paused: compare its lines with the platform's free spins before you resume "+
			"it\n", id)
	}
	exceptions, err := s.VoidGrantExceptions(ctx)
	if err != nil {
		return err
	}
	for _, id := range exceptions {
		fmt.Fprintf(con.out, "exception %d to the free-spin limits is void: it may have been approved and granted since the "+
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
	bar.finish()
	var faults models.RestoreFaultsError
	if errors.As(err, &faults) {
		tellVerification(con, faults.Verification, before)
	}
	if err != nil {
		return s, p, service, err
	}
	tellRestore(con, p)
	if c.Statement == "" {
		fmt.Fprintln(con.out, "the platform's statement shows which transactions these were (--statement FILE)")
	} else {
		err = c.missing(ctx, con, s, &p)
	}
	return s, p, service, err
}

// base opens the last checkpoint before the backup.
func (c restoreEvidence) base(ctx context.Context, service *evidence.Service) (models.LostFile, bool, error) {
	if c.Base == "" {
		return service.Base(ctx)
	}
	f, err := service.OpenFile(c.Base)
	return f, err == nil, err
}

// missing compares the database with the platform's statement and lists what is lost.
func (c restoreEvidence) missing(ctx context.Context, con *console, s *store.Store, p *models.RestorePlan) error {
	file, err := os.Open(c.Statement)
	if err != nil {
		return err
	}
	defer file.Close()
	layout, err := c.layout(ctx, con, s, file)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Statement, err)
	}
	dir, err := os.MkdirTemp("", "pitboss-restore-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	missing, err := reconcile.Missing(ctx, s, file, layout, dir)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Statement, err)
	}
	digest := sha256.New()
	to := io.Writer(digest)
	if c.Report != "" {
		report, err := os.OpenFile(c.Report, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		defer report.Close()
		to = io.MultiWriter(report, digest)
	}
	if err := writeMissing(to, missing); err != nil {
		return err
	}
	p.Missing, p.ReportDigest = int64(len(missing)), fmt.Sprintf("%x", digest.Sum(nil))
	tellMissing(con, missing, c.Report)
	return nil
}

// layout returns how the statement is read: as the command line says, as the last file with the same columns was read, or as the
// file suggests.
func (c restoreEvidence) layout(ctx context.Context, con *console, s *store.Store,
	file io.ReadSeeker) (l models.StatementLayout, err error) {
	sample, err := sheet.SampleStatement(file)
	if err != nil {
		return l, err
	}
	l = sample.GuessLayout("UTC")
	last, found, err := s.LayoutOf(ctx, models.Statement{Header: sample.Header})
	if err != nil {
		return l, err
	}
	if found {
		l = last
	}
	if len(c.Column) > 0 {
		l.Columns = map[models.StatementField]string{}
		for field, name := range c.Column {
			l.Columns[models.StatementField(field)] = name
		}
	}
	tellNotes(con, sample.Notes)
	l.Zone, l.Decimal, l.Times = cmp.Or(c.Zone, l.Zone), cmp.Or(c.Decimal, l.Decimal), cmp.Or(models.TimeShape(c.Times), l.Times)
	if err := l.Check(sample.Header); err != nil {
		return l, fmt.Errorf("%w (--column FIELD=NAME, --decimal, --times; the columns are: %s)", err, strings.Join(sample.Header, ", "))
	}
	return l, nil
}

// gone says whether the transaction is missing or only its rollback.
func gone(m *models.Comparison) string {
	if m.Bucket == models.StateDiffers {
		return "its rollback"
	}
	return "the transaction"
}

// lacking returns by how much the wallet's balance is too low; negative if it is too high.
func lacking(m *models.Comparison) decimal.Decimal {
	bet, win := decimal.New(int64(m.Theirs.Bet), -2), decimal.New(int64(m.Theirs.Win), -2)
	if m.FreeSpin {
		bet = decimal.Zero
	}
	if m.Bucket == models.StateDiffers {
		return bet.Sub(win)
	}
	return win.Sub(bet)
}

// writeMissing writes the list of transactions for the platform to send again, or for staff to correct.
func writeMissing(to io.Writer, missing []models.Comparison) error {
	w := export.NewCSV(to)
	w.Write([]string{"transaction_id", "gone", "kind", "player", "currency", "bet", "win", "free_spin", "time", "wallet_lacks"})
	for i := range missing {
		m := &missing[i]
		at := ""
		if !m.At.IsZero() {
			at = m.At.UTC().Format(time.RFC3339Nano)
		}
		w.Write([]string{
			export.Cell(string(m.TransactionID)), gone(m), m.Kind.String(), export.Cell(string(m.UserID)), string(m.Currency),
			m.Theirs.Bet.String(), m.Theirs.Win.String(),
			map[bool]string{true: "yes", false: "no"}[m.FreeSpin], at, lacking(m).StringFixed(2),
		})
	}
	return w.Flush()
}

// toldMissing is how many transactions are printed; the report has all of them.
const toldMissing = 20

func tellMissing(con *console, missing []models.Comparison, report string) {
	fmt.Fprintf(con.out, "the platform's statement has %d transactions or rollbacks that are gone: have the platform send "+
		"them again, or book them as corrections\n", len(missing))
	sums := map[models.Currency]decimal.Decimal{}
	var order []models.Currency
	table := tabwriter.NewWriter(con.out, 0, 0, 2, ' ', 0)
	for i := range missing {
		m := &missing[i]
		if _, known := sums[m.Currency]; !known {
			order = append(order, m.Currency)
		}
		sums[m.Currency] = sums[m.Currency].Add(lacking(m))
		if i < toldMissing {
			fmt.Fprintf(table, "  %s\t%s\t%s\t%s\t%s %s\n", cell(string(m.TransactionID)), gone(m), m.Kind,
				cell(string(m.UserID)), lacking(m).StringFixed(2), m.Currency)
		}
	}
	table.Flush()
	if more := len(missing) - toldMissing; more > 0 {
		fmt.Fprintf(con.out, "  and %d more", more)
		if report == "" {
			fmt.Fprint(con.out, "; --report FILE has all of them")
		}
		fmt.Fprintln(con.out)
	}
	for _, currency := range order {
		fmt.Fprintf(con.out, "without them, the wallets lack %s %s in total\n", sums[currency].StringFixed(2),
			reconcile.CurrencyWord(currency))
	}
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
