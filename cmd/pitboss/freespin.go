package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"pitboss/app/bonus"
	"pitboss/models"
	"pitboss/models/store"
)

type freespinCommand struct {
	Grant  freespinGrantCommand  `cmd:"" help:"Grant free spins to a player and print the platform's ID of the grant."`
	Status freespinStatusCommand `cmd:"" help:"Ask the platform about a grant."`
	Import freespinImportCommand `cmd:"" help:"Grant free spins from a CSV file with the columns user_id,game_id,spins. If it is interrupted, the same command resumes."`
}

// granter returns the member of staff named by --as. The command grants in their name and within the limits of their role, so
// their account must not be disabled.
func (f actorFlag) granter(ctx context.Context, s *store.Store) (models.Staff, error) {
	if f.As == "" {
		return models.Staff{}, errors.New("--as is missing: name the member of staff who grants, by username. The limits of " +
			"their role apply")
	}
	username, err := models.ParseUsername(f.As)
	if err != nil {
		return models.Staff{}, fmt.Errorf("--as %s: %w", f.As, err)
	}
	who, found, err := s.StaffNamed(ctx, username)
	switch {
	case err != nil:
		return who, err
	case !found:
		return who, fmt.Errorf("--as %s: %w. Name somebody who has an account", f.As, models.ErrStaffUnknown)
	case who.Disabled:
		return who, fmt.Errorf("--as %s: this account is disabled. An administrator can enable it", f.As)
	}
	return who, nil
}

type freespinGrantCommand struct {
	UserID string `required:"" help:"The player's ID."`
	GameID string `required:"" help:"The platform's name for the game."`
	Spins  int64  `required:"" help:"How many."`
	Reason string `help:"Why, for the audit log."`
	Again  bool   `help:"Grant even while the outcome of another grant of this game to this player is unknown."`
	actorFlag
}

// Run grants the spins. It succeeds only when the platform is known to have granted them.
func (c freespinGrantCommand) Run(ctx context.Context, con *console) error {
	s, over, err := openServices(ctx, con)
	if err != nil {
		return err
	}
	defer s.Close()
	who, err := c.granter(ctx, s)
	if err != nil {
		return err
	}
	c.As = who.Username
	g, err := over.bonus.Grant(ctx, c.actor(), models.GrantRequest{
		UserID: models.UserID(c.UserID), GameID: models.GameID(c.GameID), Spins: c.Spins, Reason: c.Reason, Role: who.Role,
		Again: c.Again,
	})
	var pending models.PendingGrantError
	var limit models.LimitError
	if errors.As(err, &limit) {
		return fmt.Errorf("%w. Two administrators can change the limits of the role %s under Settings > Free-spin limits. "+
			"Bonus staff can request an exception on the form of a grant, which a colleague approves", err, who.Role)
	}
	if errors.As(err, &pending) {
		return fmt.Errorf("%w with --again", err)
	}
	switch {
	case err != nil:
		return err
	case g.State == models.GrantUnknown:
		return fmt.Errorf("grant %d: %s Do not grant again before you have checked with the platform", g.ID, g.Message)
	case g.State != models.GrantActive:
		return fmt.Errorf("grant %d: %s; nothing was granted", g.ID, strings.TrimSuffix(g.Message, "."))
	}
	fmt.Fprintln(con.out, g.FreeSpinID)
	return nil
}

type freespinStatusCommand struct {
	FreeSpinID string `required:"" help:"The platform's ID of the grant."`
}

// Run asks about the grant, even if it is not recorded here, because the platform may know more than we do.
func (c freespinStatusCommand) Run(ctx context.Context, con *console) error {
	s, over, err := openServices(ctx, con)
	if err != nil {
		return err
	}
	defer s.Close()
	id := models.FreeSpinID(c.FreeSpinID)
	g, found, err := s.GrantByFreeSpinID(ctx, id)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(con.out, 0, 0, 2, ' ', 0)
	if !found {
		status, err := over.platform.FreeSpinStatus(ctx, id)
		if err != nil {
			return err
		}
		fmt.Fprintln(con.err, "this grant is not recorded here")
		showStatus(table, status.Status, status.Used, status.Left)
		return table.Flush()
	}
	if g, err = over.bonus.Status(ctx, g.ID); err != nil {
		return err
	}
	showStatus(table, g.State.String(), g.Used, g.Remaining)
	fmt.Fprintf(table, "player\t%s\ngame\t%s\nspins\t%d, and %d used by our count\n", cell(string(g.UserID)),
		cell(string(g.Game.GameID)), g.Spins, g.Ours)
	fmt.Fprintf(table, "counts\t%s\n", countsWord(g))
	return table.Flush()
}

// countsWord returns how the platform's count of used spins compares with ours.
func countsWord(g models.Grant) string {
	at := g.ComparedAt.UTC().Format(time.RFC3339)
	switch {
	case g.ComparedAt.IsZero():
		return "not compared yet"
	case g.Disagrees():
		return "the platform's count differs from ours, as it did before; compared at " + at
	case g.Apart > 0:
		return "differed at " + at + "; a bet may be on its way"
	}
	return "matched at " + at
}

func showStatus(table *tabwriter.Writer, status string, used, remaining int64) {
	fmt.Fprintf(table, "status\t%s\nused\t%s\nremaining\t%s\n", cell(status), counted(used), counted(remaining))
}

func counted(n int64) string {
	if n == models.NoCount {
		return "not reported"
	}
	return strconv.FormatInt(n, 10)
}

type freespinImportCommand struct {
	File   string `arg:"" type:"existingfile" help:"A file with the columns player, game and spins, separated by commas, semicolons or tabs."`
	Reason string `help:"Why, for the audit log."`
	Again  bool   `help:"Grant even if this file was granted before, and to players with a grant of unknown outcome."`
	Resume bool   `help:"Continue a paused import of this file."`
	actorFlag
}

// Run grants the lines of the file, or continues an import of it. It succeeds only if every line is known to be
// granted.
func (c freespinImportCommand) Run(ctx context.Context, con *console) error {
	contents, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	lines, bad, err := models.ReadGrants(contents)
	if err != nil {
		return err
	}
	if len(bad) > 0 {
		return badLines(con, bad)
	}
	s, over, err := openServices(ctx, con)
	if err != nil {
		return err
	}
	defer s.Close()
	who, err := c.granter(ctx, s)
	if err != nil {
		return err
	}
	c.As = who.Username
	imp, err := c.begin(ctx, con, s, bonus.Upload{
		FileName: filepath.Base(c.File), Lines: lines, Reason: c.Reason, Role: who.Role, Again: c.Again,
	}, over.bonus)
	if err != nil {
		return err
	}
	imp, err = c.run(ctx, con, s, over.bonus, imp)
	if ctx.Err() != nil {
		if err := over.bonus.Pause(context.WithoutCancel(ctx), c.actor(), imp.ID, "stopped at the command line"); err != nil &&
			!errors.Is(err, models.ErrImportEnded) {
			return err
		}
		fmt.Fprintf(con.err, "paused after %d of %d lines; the same command continues with --resume\n",
			imp.Lines-imp.ToGo.Lines, imp.Lines)
		return errFailed
	}
	if err != nil {
		return err
	}
	return tellImport(ctx, con, s, imp)
}

// begin resumes the unfinished import of the same lines, or creates one. A paused one needs --resume, because somebody may have
// paused it for a reason, or a restore.
func (c freespinImportCommand) begin(ctx context.Context, con *console, s *store.Store, u bonus.Upload,
	b *bonus.Service) (models.GrantImport, error) {
	imp, found, err := s.GrantImportOf(ctx, bonus.Digest(u.Lines))
	if err != nil {
		return imp, err
	}
	if found && imp.State == models.ImportPaused && !c.Resume {
		return imp, fmt.Errorf("import %d of this file is paused, %d of %d lines to go: the audit log says why. Continue it with "+
			"--resume; after a restored backup, compare its lines with the platform's free spins first", imp.ID, imp.ToGo.Lines,
			imp.Lines)
	}
	if found && (imp.State == models.ImportRunning || imp.State == models.ImportPaused) {
		fmt.Fprintf(con.err, "resuming import %d, %d of %d lines to go\n", imp.ID, imp.ToGo.Lines, imp.Lines)
		return imp, b.Resume(ctx, c.actor(), imp.ID, c.Reason)
	}
	imp, bad, err := b.Create(ctx, c.actor(), u)
	var before models.ImportedError
	if errors.As(err, &before) {
		return imp, fmt.Errorf("%w with --again", err)
	}
	if len(bad) > 0 {
		return imp, badLines(con, bad)
	}
	return imp, err
}

// run runs the import, or watches while another instance runs it, because a server may have picked it up.
func (c freespinImportCommand) run(ctx context.Context, con *console, s *store.Store, b *bonus.Service,
	imp models.GrantImport) (models.GrantImport, error) {
	p := newProgress(con, "granting")
	defer p.finish()
	tell := func(i models.GrantImport) { p.show(i.Lines-i.ToGo.Lines, imp.Lines) }
	for {
		now, err := b.Run(ctx, imp.ID, tell)
		if now.ID != 0 {
			imp = now
		}
		tell(imp)
		if !errors.Is(err, bonus.ErrElsewhere) || imp.State != models.ImportRunning {
			if errors.Is(err, bonus.ErrElsewhere) {
				err = nil
			}
			return imp, err
		}
		pause := time.NewTimer(500 * time.Millisecond)
		select {
		case <-ctx.Done():
			pause.Stop()
			return imp, ctx.Err()
		case <-pause.C:
		}
	}
}

// tellImport prints the result of an import, and names each line that was not granted.
func tellImport(ctx context.Context, con *console, s *store.Store, imp models.GrantImport) error {
	for _, state := range []models.GrantState{models.GrantRefused, models.GrantUnknown} {
		filter := models.ImportLineFilter{ImportID: imp.ID, State: state, Limit: 500}
		for more := true; more; {
			var lines []models.ImportLine
			var err error
			if lines, more, err = s.ImportLines(ctx, filter); err != nil {
				return err
			}
			for _, l := range lines {
				fmt.Fprintf(con.err, "line %d: %s: %s\n", l.Line, l.State, cell(l.Message))
				filter.After = l.Line
			}
		}
	}
	fmt.Fprintf(con.out, "import %d %s: %d granted, %d refused, %d of unknown outcome, %d not sent\n",
		imp.ID, imp.State, imp.Granted.Lines, imp.Refused.Lines, imp.Unknown.Lines, imp.ToGo.Lines)
	if imp.Granted.Lines != imp.Lines {
		return errFailed
	}
	return nil
}
