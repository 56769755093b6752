package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"pitboss/app/reconcile"
	"pitboss/models"
	"pitboss/models/store"
)

type reconcileCommand struct {
	File string `arg:"" type:"existingfile" help:"The platform's CSV file. Its first line has the column names."`
	From string `required:"" placeholder:"DAY" help:"Start of the period: 2026-11-19, or '2026-11-19 06:00'."`
	To   string `required:"" placeholder:"DAY" help:"End of the period. A date means its end, 24:00."`
	layoutFlags
	Margin time.Duration `default:"5m" help:"Transactions this close to the start or end may appear in the previous or next file, because clocks differ."`
	Report string        `type:"path" placeholder:"FILE" help:"Write the differences as CSV."`
	JSON   bool          `name:"json" help:"Print the result as JSON."`
	actorFlag
}

// layoutFlags say how a statement is read.
type layoutFlags struct {
	Zone      string            `placeholder:"ZONE" help:"Time zone of the period and of the file's times, such as Europe/Vienna. By default that of the last file with the same columns, or UTC."`
	Column    map[string]string `placeholder:"FIELD=NAME" help:"The column of each field: transaction, kind, amount (or bet and win), state, player, currency, time, free-spin. By default as in the last file with the same columns, or as the names suggest."`
	Delimiter string            `enum:",comma,semicolon,tab,bar" default:"" help:"The separator of fields: comma, semicolon, tab or bar. By default it is detected."`
	Decimal   string            `enum:",point,comma" default:"" help:"The decimal mark: point or comma. By default it is detected."`
	Times     string            `enum:",iso,day-first,month-first,unix,unix-ms" default:"" help:"The format of times: iso, day-first, month-first, unix or unix-ms. By default it is detected."`
}

// describe reads a statement's header and a sample of its lines.
func (c layoutFlags) describe(path string) (models.Statement, models.StatementSample, error) {
	st, sample, err := reconcile.Describe(path,
		map[string]string{"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}[c.Delimiter])
	if err != nil {
		err = usageError{fmt.Errorf("%s: %w", path, err)}
	}
	return st, sample, err
}

// usageError is a mistake in the command line that only shows when the command runs. The program exits with status 2.
type usageError struct{ error }

// Unwrap returns the reason.
func (e usageError) Unwrap() error { return e.error }

// Run compares the file with our transactions and prints the result. It exits with status 0 if the two match and every line was
// read, 1 if not, and 2 if the file cannot be parsed as the command line says.
func (c reconcileCommand) Run(ctx context.Context, con *console) error {
	if err := c.check(); err != nil {
		return usageError{err}
	}
	st, sample, err := c.describe(c.File)
	if err != nil {
		return err
	}
	s, err := openLedger(ctx, con)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := c.layout(ctx, s, &st, sample, c.File); err != nil {
		return err
	}
	if err := c.period(&st); err != nil {
		return err
	}
	known, found, err := s.StatementOf(ctx, st.Digest, st.Since, st.Until)
	if err != nil {
		return err
	}
	if found { // the same file again: the result says what was settled since
		known.Layout, known.Margin = st.Layout, st.Margin
		st = known
	} else if st, err = c.create(ctx, s, st); err != nil {
		return err
	}
	run, err := c.compare(ctx, con, s, st)
	if err != nil {
		return err
	}
	if run.State != models.RunFinished {
		return errors.Join(tellBadLines(ctx, con, s, run), fmt.Errorf("the comparison %s. %s", run.State, run.Failure))
	}
	if c.Report != "" {
		if err := c.write(ctx, s, st, run); err != nil {
			return err
		}
	}
	if err := tellBadLines(ctx, con, s, run); err != nil {
		return err
	}
	if c.JSON {
		err = c.tellJSON(con, st, run)
	} else {
		err = c.tell(con, st, run)
	}
	if err == nil && (run.Differences > 0 || run.BadLines > 0) {
		err = errFailed
	}
	return err
}

// check refuses a file that cannot be read twice, such as a pipe, and a report that would overwrite the file.
func (c reconcileCommand) check() error {
	file, err := os.Stat(c.File)
	if err != nil {
		return err
	}
	if !file.Mode().IsRegular() {
		return fmt.Errorf("%s cannot be read twice: write it to disk first", c.File)
	}
	if report, err := os.Stat(c.Report); c.Report != "" && err == nil && os.SameFile(file, report) {
		return fmt.Errorf("the report would overwrite %s: name another file", c.File)
	}
	return nil
}

// layout fills in how the file is read: from the command line, from the last file with the same columns, and from what the file
// suggests.
func (c layoutFlags) layout(ctx context.Context, s *store.Store, st *models.Statement, sample models.StatementSample,
	file string) error {
	st.Layout = sample.GuessLayout("UTC")
	last, found, err := s.LayoutOf(ctx, st.Header)
	if err != nil {
		return err
	}
	if found && len(c.Column) == 0 {
		if st.Layout = last; last.Delimiter != sample.Delimiter {
			if c.Delimiter == "" {
				here, there := models.DelimiterWord(sample.Delimiter), models.DelimiterWord(last.Delimiter)
				return usageError{fmt.Errorf("%s: its separator is a %s; that of the last file with the same columns was a "+
					"%s. If it is the same export, add --delimiter %s, and --decimal if its amounts are written in another "+
					"way", file, here, there, here)}
			}
			st.Layout.Delimiter = sample.Delimiter
			sample.GuessMarks(&st.Layout)
		}
	} else if found {
		st.Layout.Zone = last.Zone
	}
	if len(c.Column) > 0 {
		st.Layout.Columns = map[models.StatementField]string{}
		for field, name := range c.Column {
			st.Layout.Columns[models.StatementField(field)] = name
		}
		sample.GuessMarks(&st.Layout)
	}
	if c.Decimal != "" {
		st.Layout.Decimal = map[string]string{"point": ".", "comma": ","}[c.Decimal]
	}
	if c.Times != "" {
		st.Layout.Times = models.TimeShape(c.Times)
	}
	if c.Zone != "" {
		st.Layout.Zone = c.Zone
	}
	if err := st.Layout.Check(st.Header); err != nil {
		return usageError{fmt.Errorf("%w (the columns are: %s)", err, strings.Join(st.Header, ", "))}
	}
	return nil
}

// period fills in the time that the statement covers.
func (c reconcileCommand) period(st *models.Statement) error {
	zone, err := time.LoadLocation(st.Layout.Zone)
	if err != nil {
		return usageError{err}
	}
	if st.Since, st.Until, err = models.ParsePeriod(c.From, c.To, zone); err != nil {
		return usageError{err}
	}
	if err := models.CheckPeriod(st.Since, st.Until, c.Margin); err != nil {
		return usageError{err}
	}
	st.Margin = c.Margin
	return nil
}

func (c reconcileCommand) create(ctx context.Context, s *store.Store, st models.Statement) (models.Statement, error) {
	made, err := s.CreateStatement(ctx, c.actor(), st)
	made.Since, made.Until, made.Margin, made.Layout = st.Since, st.Until, st.Margin, st.Layout
	return made, err
}

func (c reconcileCommand) compare(ctx context.Context, con *console, s *store.Store,
	st models.Statement) (models.StatementRun, error) {
	run, err := s.BeginStatementRun(ctx, c.actor(), st)
	if errors.Is(err, models.ErrRunUnderWay) && !st.Kept() && st.Run.ID != 0 {
		// An earlier command was interrupted, or is still running and has the lease.
		fmt.Fprintf(con.err, "resuming run %d of statement %d\n", st.Run.ID, st.ID)
		run, err = st.Run, nil
		if run.State == models.RunPaused {
			err = s.SetRunState(ctx, c.actor(), run.ID, models.RunUnderWay)
		}
	}
	if err != nil {
		return run, err
	}
	service := reconcile.New(reconcile.Config{Store: s, Holder: instance(), Log: slog.New(slog.DiscardHandler)})
	bar := newProgress(con, "comparing")
	defer bar.finish()
	id := run.ID
	for {
		run, err = service.CompareFile(ctx, id, c.File, func(p models.RunProgress) { bar.show(int64(p.Permille), 1000) })
		if ctx.Err() != nil {
			fmt.Fprintln(con.err, "stopped before the end; run the same command to start it again")
			return run, errFailed
		}
		if !errors.Is(err, reconcile.ErrBusy) {
			return run, err
		}
		// A server is working on the same file, or an earlier command was interrupted and its lease has not expired.
		pause := time.NewTimer(500 * time.Millisecond)
		select {
		case <-ctx.Done():
			pause.Stop()
		case <-pause.C:
		}
	}
}

func (c reconcileCommand) write(ctx context.Context, s *store.Store, st models.Statement, run models.StatementRun) (err error) {
	file, err := os.OpenFile(c.Report, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return reconcile.WriteReport(ctx, s, file, st, run)
}

// toldLines limits how many of the lines that were not compared are printed.
const toldLines = 20

func tellBadLines(ctx context.Context, con *console, s *store.Store, run models.StatementRun) error {
	bad, _, err := s.BadLines(ctx, run.ID, 0, toldLines)
	if err != nil {
		return err
	}
	for _, b := range bad {
		fmt.Fprintln(con.err, b)
	}
	if more := run.BadLines - int64(len(bad)); more > 0 {
		fmt.Fprintf(con.err, "and %d more lines that were not compared\n", more)
	}
	return nil
}

// tell prints the result for people.
func (c reconcileCommand) tell(con *console, st models.Statement, run models.StatementRun) error {
	fmt.Fprintf(con.out, "statement %d, run %d: %s, SHA-256 %s\n", st.ID, run.ID, cell(st.FileName), st.Digest)
	fmt.Fprintf(con.out, "%s to %s (%s)\n", st.Since.Format("2006-01-02 15:04 -07:00"),
		st.Until.Format("2006-01-02 15:04 -07:00"), st.Layout.Zone)
	fmt.Fprintf(con.out, "%d lines, %d not compared; %d transactions of theirs, %d of ours in the period\n", run.Lines,
		run.BadLines, run.Theirs, run.Ours)
	table := tabwriter.NewWriter(con.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "bucket\tcurrency\tcount\tturnover ours\ttheirs\twins ours\ttheirs\tfree-spin stakes ours\ttheirs")
	for _, sum := range run.Sums {
		if sum.Count == 0 {
			continue
		}
		name := sum.Bucket.String()
		if sum.Edge {
			name += ", at an edge"
		}
		fmt.Fprintln(table, strings.Join([]string{name, reconcile.CurrencyWord(sum.Currency), strconv.FormatInt(sum.Count, 10),
			sum.Ours.Turnover.String(), sum.Theirs.Turnover.String(), sum.Ours.Payout.String(), sum.Theirs.Payout.String(),
			sum.Ours.SpinStakes.String(), sum.Theirs.SpinStakes.String()}, "\t"))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if run.Before != 0 {
		fmt.Fprintf(con.out, "since run %d: %d settled, %d new\n", run.Before, run.Settled, run.New)
	}
	if run.Edges > 0 {
		fmt.Fprintf(con.out, "%d of ours near the start or end of the period left aside: they may appear in the previous or "+
			"next statement\n", run.Edges)
	}
	if n := run.Silent(); n > 0 {
		fmt.Fprintf(con.out, "%d in one book only, rolled back or failed there: they moved no money and count neither as "+
			"matches nor as differences\n", n)
	}
	fmt.Fprintln(con.out, run.Agreement())
	return nil
}

// tellJSON prints the result for programs.
func (c reconcileCommand) tellJSON(con *console, st models.Statement, run models.StatementRun) error {
	type sum struct {
		Bucket   string `json:"bucket"`
		Currency string `json:"currency"`
		Edge     bool   `json:"at_edge"`
		Count    int64  `json:"count"`
		Ours     amount `json:"ours"`
		Theirs   amount `json:"theirs"`
	}
	sums := []sum{}
	for _, s := range run.Sums {
		sums = append(sums, sum{s.Bucket.String(), string(s.Currency), s.Edge, s.Count, newAmount(s.Ours), newAmount(s.Theirs)})
	}
	out := json.NewEncoder(con.out)
	out.SetIndent("", "  ")
	return out.Encode(map[string]any{
		"statement": st.ID, "run": run.ID, "file": st.FileName, "sha256": st.Digest,
		"since": st.Since.UTC().Format(time.RFC3339), "until": st.Until.UTC().Format(time.RFC3339),
		"lines": run.Lines, "bad_lines": run.BadLines, "theirs": run.Theirs, "ours": run.Ours, "differences": run.Differences,
		"at_edges":       run.Edges,
		"without_effect": run.Silent(), "agree": run.Differences == 0 && run.BadLines == 0, "settled": run.Settled,
		"new": run.New, "sums": sums,
	})
}

// amount has the sums of one side, as decimal texts: a program that reads them as floats would lose cents.
type amount struct {
	Turnover   string `json:"turnover"`
	Payout     string `json:"wins"`
	SpinStakes string `json:"free_spin_stakes"`
}

func newAmount(b models.BookSum) amount {
	return amount{b.Turnover.String(), b.Payout.String(), b.SpinStakes.String()}
}
