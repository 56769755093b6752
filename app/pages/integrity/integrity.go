package integrity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/evidence"
	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Integrity: the proof that nobody has altered the ledger or the audit log.

// IntegrityRows is how many verifications a page shows.
const IntegrityRows = 10

// TriggersRemedy is what to do where the database does not refuse changes of the ledger.
const TriggersRemedy = "Run pitboss migrate up with PITBOSS_MIGRATE_DATABASE_URL naming an account that has the privilege " +
	"TRIGGER; where MySQL or MariaDB writes a binary log (error 1419), " +
	"one that has SUPER too, or with log_bin_trust_function_creators on meanwhile."

type integrityPage struct {
	web.Page
	Facts       []views.Fact
	Notes       []views.Note
	Runs        []runRow
	Earlier     string // the address of older verifications, where there are
	Open        bool   // a verification is under way
	Checkpoints []checkpointLine
	Older       string // the address of older checkpoints, where there are
	Places      []web.Definition
	Kept        []web.Definition // for how long lines are kept
	Purges      []purgeRow
	Restores    []restoreRow
	CanVerify   bool // this server verifies
	CanWrite    bool // and writes checkpoints
}

// purgeRow is a purge as the audit log tells of it.
type purgeRow struct {
	At                    time.Time
	Who, What, Href, From string
	Entries, Events       string
}

// purges reads the newest purges from the audit log, and for how long lines are kept.
func (a *Area) purges(ctx context.Context, page *integrityPage) error {
	for _, s := range a.StorageSettings {
		if strings.HasSuffix(s.What, "kept for") {
			page.Kept = append(page.Kept, web.Definition{Label: s.What, Value: s.Value})
		}
	}
	events, _, err := a.Store.AuditEvents(ctx, models.AuditFilter{Object: "purge", Limit: 10})
	if err != nil {
		return err
	}
	for _, e := range events {
		var told struct {
			Archive     string `json:"archive"`
			Entries     int64  `json:"entries"`
			SpinEntries int64  `json:"spin_entries"`
			AuditEvents int64  `json:"audit_events"`
		}
		if err := json.Unmarshal([]byte(e.After), &told); err != nil {
			continue // its text was erased
		}
		page.Purges = append(page.Purges, purgeRow{
			At: e.At, Who: e.Actor.Name, What: web.FirstUpper(e.Action), From: told.Archive,
			Href:    "/audit/" + strconv.FormatInt(e.ID, 10),
			Entries: web.Grouped(told.Entries + told.SpinEntries), Events: web.Grouped(told.AuditEvents),
		})
	}
	return nil
}

// runRow is a verification in the list.
type runRow struct {
	models.VerificationRun
	Href    string
	Badge   views.Badge
	What    string
	Against string
	Took    string
}

// checkpointLine is a checkpoint in the list.
type checkpointLine struct {
	models.WrittenCheckpoint
	ID    views.ID
	Where string

	WalletsText, EntriesText string
	Href                     string // of its file, where it is in this instance's folder
	Badge                    views.Badge
}

func newRunRow(r models.VerificationRun) runRow {
	row := runRow{VerificationRun: r, Href: things.VerificationPath(r.ID), Badge: runState(r), Against: "no checkpoint"}
	switch {
	case r.State == models.VerificationAsked:
		row.What, row.Against = "queued", ""
	case r.State == models.VerificationRunning:
		row.What, row.Against = web.Grouped(r.Read)+" of "+web.Grouped(r.Expected)+" entries", ""
	case r.Report == nil:
		row.What, row.Against = "not done: "+r.Error, ""
	default:
		row.What = web.Several(r.Report.Wallets, "wallet", "wallets") + ", " +
			web.Several(r.Report.AllEntries(), "entry", "entries") + ", " +
			web.Several(r.Report.AuditEvents, "event", "events")
		if r.Report.Held > 0 {
			row.Against = "checkpoint " + strconv.FormatInt(r.Report.Held, 10)
		}
	}
	if r.State == models.VerificationEnded && !r.StartedAt.IsZero() {
		row.Took = web.Lasted(r.EndedAt.Sub(r.StartedAt))
	}
	return row
}

func runState(r models.VerificationRun) views.Badge {
	switch {
	case r.State == models.VerificationAsked:
		return views.Waiting("Requested")
	case r.State == models.VerificationRunning:
		return views.Active("Running")
	case r.Report == nil:
		return views.Waiting("Failed")
	case r.Faults > 0:
		return views.AtRisk(web.Several(r.Faults, "fault", "faults"))
	}
	return views.Quiet("No faults")
}

func (a *Area) Integrity(c *fiber.Ctx) error {
	page := &integrityPage{Page: a.Page(c, "")}
	ctx := c.UserContext()
	runs, more, err := a.Store.VerificationRuns(ctx, placeBefore(c, "runs"), IntegrityRows)
	if err != nil {
		return err
	}
	for _, r := range runs {
		page.Runs = append(page.Runs, newRunRow(r))
		page.Open = page.Open || r.State != models.VerificationEnded
	}
	if more {
		page.Earlier = page.With("runs", strconv.FormatInt(runs[len(runs)-1].ID, 10))
	}
	if err := a.integrityCheckpoints(c, page); err != nil {
		return err
	}
	page.CanVerify = a.Evidence != nil
	page.CanWrite = page.CanVerify && a.Evidence.Configured()
	if err := errors.Join(a.purges(ctx, page), a.restores(ctx, page), a.describeIntegrity(ctx, page)); err != nil {
		return err
	}
	return a.Render(c, "integrity/integrity", page)
}

// placeBefore reads the number below which a list goes on.
func placeBefore(c *fiber.Ctx, name string) int64 {
	n, err := strconv.ParseInt(c.Query(name), 10, 64)
	if err != nil || n < 1 {
		return 0
	}
	return n
}

func (a *Area) integrityCheckpoints(c *fiber.Ctx, page *integrityPage) error {
	list, more, err := a.Store.Checkpoints(c.UserContext(), placeBefore(c, "checkpoints"), IntegrityRows)
	if err != nil {
		return err
	}
	for _, w := range list {
		row := checkpointLine{WrittenCheckpoint: w,
			ID: views.ID{Text: fmt.Sprintf("%x", w.Digest), Kind: "digest", Short: true}, WalletsText: web.Grouped(w.Wallets),
			EntriesText: web.Grouped(w.AllEntries())}
		var places []string
		if !w.KeptAt.IsZero() {
			places = append(places, "folder")
		}
		if !w.SentAt.IsZero() {
			places = append(places, "webhook")
		}
		row.Where, row.Badge = strings.Join(places, " and "), views.Quiet("Kept")
		if len(places) == 0 {
			row.Badge = views.Waiting("Not delivered")
		}
		if a.hasFile(w) {
			row.Href = web.PathOf("/integrity/checkpoints", w.Number) + "/file"
		}
		page.Checkpoints = append(page.Checkpoints, row)
	}
	if more {
		page.Older = page.With("checkpoints", strconv.FormatInt(list[len(list)-1].Number, 10))
	}
	return nil
}

// hasFile reports whether a checkpoint's file is in this instance's folder.
func (a *Area) hasFile(w models.WrittenCheckpoint) bool {
	if a.Evidence == nil {
		return false
	}
	file, err := a.Evidence.Open(w)
	if err != nil {
		return false
	}
	file.Close()
	return true
}

// describeIntegrity fills in the strip of facts and what needs doing.
func (a *Area) describeIntegrity(ctx context.Context, page *integrityPage) error {
	chains := views.Fact{Label: "Chains", Value: "Keyed", Note: "cannot be forged without the key"}
	if !a.Store.Keyed() {
		chains.Value, chains.Note = "Unkeyed", "show accidents, not forgery"
		page.Notes = append(page.Notes, views.Note{Kind: "wait", Icon: "key", Title: "The chains have no key",
			Text: "Whoever can write to the database could recalculate them. A ledger is keyed from its first line on or " +
				"never: set PITBOSS_LEDGER_KEY before a ledger begins. Checkpoints kept elsewhere show a forgery all the " +
				"same."})
	}
	triggers := views.Fact{Label: "The database", Value: "Refuses changes", Note: "of entries and audit events"}
	open, err := a.Store.Unguarded(ctx)
	if err != nil {
		return err
	}
	if len(open) > 0 {
		triggers.Value, triggers.Note = "Accepts changes",
			web.Several(int64(len(open)), "trigger is missing", "triggers are missing")
		page.Notes = append(page.Notes,
			views.Note{Kind: "wait", Icon: "warning", Title: "The database would allow changes to the ledger",
				Text: "It would let our account do: " + strings.Join(open, ", ") +
					". Verification would find them, but nothing would prevent them. " + TriggersRemedy})
	}
	verified, err := a.lastVerified(ctx, page)
	if err != nil {
		return err
	}
	last, found, err := a.Store.LastCheckpoint(ctx)
	if err != nil {
		return err
	}
	written := views.Fact{Label: "Last checkpoint", Value: "None", Note: "nothing would show a cut-off end"}
	if found {
		written.Moment, written.Note = page.Time(last.At), "number "+strconv.FormatInt(last.Number, 10)
	}
	page.Facts = []views.Fact{chains, triggers, verified, written}
	a.describePlaces(page, last, found)
	return nil
}

// lastVerified is the fact of the newest verification that was done, and a note where it found faults.
func (a *Area) lastVerified(ctx context.Context, page *integrityPage) (views.Fact, error) {
	fact := views.Fact{Label: "Last verification", Value: "Never"}
	newest, _, err := a.Store.VerificationRuns(ctx, 0, IntegrityRows)
	if err != nil {
		return fact, err
	}
	for _, r := range newest {
		if r.Report == nil {
			continue
		}
		fact.Moment, fact.Note = page.Time(r.EndedAt), "no faults"
		if r.Faults > 0 {
			fact.Note = web.Several(r.Faults, "fault", "faults")
			page.Notes = append([]views.Note{{Kind: "risk", Icon: "warning", Title: "The last verification found " + fact.Note,
				Text: "Rows were changed without Pitboss. Keep the database as it is, take " +
					"a backup of it, and look at the findings before anything is repaired.",
				Links: []views.Link{{Word: "See the findings", Href: things.VerificationPath(r.ID), Main: true}}}},
				page.Notes...)
		}
		break
	}
	return fact, nil
}

// describePlaces says where checkpoints go, and what needs doing about it.
func (a *Area) describePlaces(page *integrityPage, last models.WrittenCheckpoint, found bool) {
	e := a.Evidence
	if e == nil || !e.Configured() {
		page.Notes = append(page.Notes, views.Note{Kind: "wait", Icon: "info", Title: "Checkpoints are not written",
			Text: "A cut-off end or restored backup would go unnoticed. Set PITBOSS_CHECKPOINT_DIR to a folder that is kept " +
				"elsewhere, or PITBOSS_CHECKPOINT_WEBHOOK to an address that keeps what it is sent."})
		page.Places = []web.Definition{{Label: "Folder", Value: "none"}, {Label: "Webhook", Value: "none"}}
		return
	}
	every := "only on request"
	if e.Every > 0 {
		every = "every " + interval(e.Every)
		if late := page.Now.Sub(last.At); found && late > 2*e.Every {
			page.Notes = append(page.Notes, views.Note{Kind: "wait", Icon: "clock", Title: "Checkpoints are late",
				Text: "The last one that arrived is " + web.Age(late) + " old, and one is due " + every +
					". The log says why: a folder that is full or gone, or a webhook that does not take it."})
		}
	}
	webhook := "none"
	if e.Webhook != "" {
		webhook = "set up; its address is not shown"
	}
	folder := e.Dir
	if folder == "" {
		folder = "none"
	}
	page.Places = []web.Definition{
		{Label: "Written", Value: every}, {Label: "Folder", Value: folder}, {Label: "Webhook", Value: webhook},
	}
}

// interval writes how often something is done: "hour", "24 hours", "90 minutes".
func interval(d time.Duration) string {
	unit, n := "minute", int64(d/time.Minute)
	if d%time.Hour == 0 {
		unit, n = "hour", int64(d/time.Hour)
	}
	if n == 1 {
		return unit
	}
	return strconv.FormatInt(n, 10) + " " + unit + "s"
}

// VerifyLedger asks for a verification, and shows it.
func (a *Area) VerifyLedger(c *fiber.Ctx) error {
	if a.Evidence == nil {
		return web.NotFound("page")
	}
	id, err := a.Evidence.Ask(c.UserContext(), a.Actor(c))
	if errors.Is(err, models.ErrVerificationUnderWay) {
		return a.Flash(c, things.VerificationPath(id),
			views.Note{Kind: "wait", Icon: "info", Text: "A verification was already running. This page shows it."})
	}
	if err != nil {
		return err
	}
	return c.Redirect(things.VerificationPath(id), fiber.StatusSeeOther)
}

// WriteCheckpoint writes a checkpoint.
func (a *Area) WriteCheckpoint(c *fiber.Ctx) error {
	if a.Evidence == nil {
		return web.NotFound("page")
	}
	cp, err := a.Evidence.Write(c.UserContext(), a.Actor(c))
	switch {
	case errors.Is(err, evidence.ErrNowhere), errors.Is(err, evidence.ErrBusy), errors.Is(err, models.ErrCheckpointTaken):
		return a.Flash(c, "/integrity",
			views.Note{Kind: "wait", Icon: "info", Text: web.Sentence(err.Error()) + " No checkpoint was written."})
	case err != nil:
		a.Log.Error("A checkpoint did not arrive.", "checkpoint", cp.Number, "err", err)
		return a.Flash(c, "/integrity",
			views.Note{Kind: "wait", Icon: "warning",
				Text: "The checkpoint did not arrive everywhere: " + web.Sentence(err.Error()) + " No money is affected."})
	}
	return a.Done(c, "/integrity",
		"Checkpoint "+strconv.FormatInt(cp.Number, 10)+" is written: "+web.Several(cp.Wallets, "wallet", "wallets")+", "+
			web.Several(cp.AllEntries(), "entry", "entries")+".")
}

// CheckpointFile sends a checkpoint's file. It holds every wallet's balance, so looking is recorded.
func (a *Area) CheckpointFile(c *fiber.Ctx) error {
	id, err := web.Number(c, "id")
	if err != nil || a.Evidence == nil {
		return web.NotFound("checkpoint")
	}
	w, found, err := a.Store.Checkpoint(c.UserContext(), id)
	if err != nil {
		return err
	}
	if !found {
		return web.NotFound("checkpoint")
	}
	file, err := a.Evidence.Open(w)
	if errors.Is(err, evidence.ErrNoFile) {
		return web.NotFound("file of this checkpoint in the folder of this instance")
	}
	if err != nil {
		return err
	}
	if err := a.Store.NoteView(c.UserContext(), a.Actor(c), "checkpoint", strconv.FormatInt(id, 10)); err != nil {
		file.Close()
		return err
	}
	c.Attachment(w.FileName)
	c.Set(fiber.HeaderContentType, "application/gzip")
	return c.SendStream(file, int(w.Size)) // fasthttp closes it
}

// CountFaults counts what the newest verification that was done has found, for the navigation.
func (a *Area) CountFaults(ctx context.Context, _ *web.Reader) (web.Count, error) {
	newest, _, err := a.Store.VerificationRuns(ctx, 0, 3)
	for _, r := range newest {
		if r.Report != nil {
			return web.Count{N: int(r.Faults), Word: "faults", Risk: true}, err
		}
	}
	return web.Count{}, err
}
