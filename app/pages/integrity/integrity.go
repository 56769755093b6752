// Package integrity has the pages of verifications and checkpoints, which prove that the ledger and the audit log are
// unaltered.
package integrity

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/evidence"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Area has the handlers of this part of the site.
type Area struct {
	*pages.Site
	Evidence *evidence.Service // writes checkpoints and verifies the ledger; nil if this server does neither
}

// IntegrityRows is how many verifications a page shows.
const IntegrityRows = 10

// TriggersRemedy says what to do if the database accepts changes to the ledger.
const TriggersRemedy = "Run pitboss migrate up with PITBOSS_MIGRATE_DATABASE_URL naming an account that has the privilege " +
	"TRIGGER. If MySQL or MariaDB writes a binary log (error 1419), the account also needs SUPER, or " +
	"log_bin_trust_function_creators has to be on while it runs."

type integrityPage struct {
	web.Page
	Keyed    bool                    // the hash chains have a key
	PackKey  views.ID                // the public key for checking packs; empty if the ledger has no key
	Allows   []string                // the changes to lines that the database would accept from our account
	Verified *models.VerificationRun // see LastVerification
	Last     *models.WrittenCheckpoint
	Newer    *evidence.File // a checkpoint that is newer than the state of the database
	Late     time.Duration  // the age of the last checkpoint if the next one is overdue
	Folder   string         // where checkpoints go; empty if none are written

	Runs        []runRow
	Earlier     string // the address of older verifications, if there are any
	Open        bool   // a verification is already running
	Checkpoints []checkpointLine
	Older       string // the address of older checkpoints, if there are any
	CanVerify   bool   // this server can verify the ledger
	CanWrite    bool   // this server can write checkpoints

	every time.Duration
}

// Every returns how often checkpoints are written, such as "hour" or "24 hours", or "" if they are only written on request.
func (p *integrityPage) Every() string {
	if p.every == 0 {
		return ""
	}
	return interval(p.every)
}

// Remedy returns TriggersRemedy.
func (p *integrityPage) Remedy() string { return TriggersRemedy }

// checkpointLine is a checkpoint as a line of the list.
type checkpointLine struct {
	models.WrittenCheckpoint
	HasFile bool // its file is in this instance's folder
}

// Name returns the checkpoint's digest, by which its file is named.
func (l checkpointLine) Name() views.ID {
	return views.ID{Text: fmt.Sprintf("%x", l.Digest), Kind: "digest", Short: true}
}

// runRow is a verification in the list, and on its page.
type runRow struct{ models.VerificationRun }

// Badge returns the verification's state.
func (r runRow) Badge() views.Badge {
	switch {
	case r.State == models.JobWaiting:
		return views.Waiting("Requested")
	case r.State == models.JobRunning:
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
	at, err := page.PlaceIn("runs")
	if err != nil {
		return err
	}
	runs, err := a.Store.VerificationRuns(ctx, models.Span{Page: at, Limit: IntegrityRows})
	if err != nil {
		return err
	}
	for _, r := range runs.Rows {
		page.Runs = append(page.Runs, runRow{r})
		page.Open = page.Open || r.State.Open()
	}
	if !page.Open && c.Get("HX-Target") == "runs" {
		c.Set("HX-Refresh", "true") // the facts, notes and buttons outside the list have changed too
		return c.SendStatus(fiber.StatusNoContent)
	}
	if runs.More {
		page.Earlier = page.With("runs", runs.Next(models.VerificationRun.Place).String())
	}
	if err := a.integrityCheckpoints(c, page); err != nil {
		return err
	}
	page.CanVerify = a.Evidence != nil
	page.CanWrite = page.CanVerify && a.Evidence.Configured()
	if err := a.describeIntegrity(ctx, page); err != nil {
		return err
	}
	return a.Render(c, "integrity/integrity", page)
}

func (a *Area) integrityCheckpoints(c *fiber.Ctx, page *integrityPage) error {
	at, err := page.PlaceIn("checkpoints")
	if err != nil {
		return err
	}
	list, err := a.Store.Checkpoints(c.UserContext(), models.Span{Page: at, Limit: IntegrityRows})
	if err != nil {
		return err
	}
	for _, w := range list.Rows {
		page.Checkpoints = append(page.Checkpoints, checkpointLine{w, a.hasFile(w)})
	}
	if list.More {
		page.Older = page.With("checkpoints", list.Next(models.WrittenCheckpoint.Place).String())
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

// describeIntegrity reads the facts at the top of the page and the problems that need action.
func (a *Area) describeIntegrity(ctx context.Context, page *integrityPage) (err error) {
	page.Keyed = a.Store.Keyed()
	if key := a.Store.Chain().PackKey(); key != nil {
		page.PackKey = views.ID{Text: hex.EncodeToString(key.Public().(ed25519.PublicKey)), Kind: "public key"}
	}
	if page.Allows, err = a.Store.Unguarded(ctx); err != nil {
		return err
	}
	run, verified, err := a.LastVerification(ctx)
	if err != nil {
		return err
	}
	if verified {
		page.Verified = &run
	}
	last, found, err := a.Store.LastCheckpoint(ctx)
	if err != nil {
		return err
	}
	if found {
		page.Last = &last
	}
	if e := a.Evidence; page.CanVerify {
		page.Newer = e.Newer()
		page.every, page.Folder = e.Every, e.Dir
		if late := page.Now.Sub(last.At); page.CanWrite && found && e.Every > 0 && late > 2*e.Every {
			page.Late = late
		}
	}
	return nil
}

// interval returns an interval in words, such as "hour", "24 hours" or "90 minutes".
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

// VerifyLedger requests a verification and shows it.
func (a *Area) VerifyLedger(c *fiber.Ctx) error {
	if a.Evidence == nil {
		return web.NotFound("page")
	}
	id, err := a.Evidence.Ask(c.UserContext(), a.Actor(c))
	if errors.Is(err, models.ErrVerificationUnderWay) {
		return a.Flash(c, pages.VerificationPath(id), views.Info("",
			"A verification was already running. This page shows it."))
	}
	if err != nil {
		return err
	}
	return c.Redirect(pages.VerificationPath(id), fiber.StatusSeeOther)
}

// WriteCheckpoint writes a checkpoint.
func (a *Area) WriteCheckpoint(c *fiber.Ctx) error {
	if a.Evidence == nil {
		return web.NotFound("page")
	}
	cp, err := a.Evidence.Write(c.UserContext(), a.Actor(c))
	switch {
	case errors.Is(err, evidence.ErrNowhere), errors.Is(err, evidence.ErrBusy), errors.Is(err, models.ErrCheckpointTaken):
		return a.Flash(c, "/integrity", views.Info("", web.Sentence(err.Error())+" No checkpoint was written."))
	case err != nil:
		a.Log.Error("A checkpoint could not be delivered.", "checkpoint", cp.Number, "err", err)
		return a.Flash(c, "/integrity", views.Warning("",
			"The checkpoint could not be delivered: "+web.Sentence(err.Error())+" No money is affected."))
	}
	return a.Done(c, "/integrity",
		"Checkpoint "+strconv.FormatInt(cp.Number, 10)+" is written: "+web.Several(cp.Wallets, "wallet", "wallets")+", "+
			web.Several(cp.AllEntries(), "entry", "entries")+".")
}

// CheckpointFile sends a checkpoint's file. The file has the balance of every wallet, so the download is recorded in the audit
// log.
func (a *Area) CheckpointFile(c *fiber.Ctx) error {
	if a.Evidence == nil {
		return web.NotFound("checkpoint")
	}
	w, err := web.Find(c, "checkpoint", a.Store.Checkpoint)
	if err != nil {
		return err
	}
	file, err := a.Evidence.Open(w)
	if errors.Is(err, evidence.ErrNoFile) {
		return web.NotFound("file of this checkpoint in the folder of this instance")
	}
	if err != nil {
		return err
	}
	if err := a.Store.NoteView(c.UserContext(), a.Actor(c), "checkpoint", strconv.FormatInt(w.Number, 10), 0); err != nil {
		file.Close()
		return err
	}
	c.Attachment(w.FileName)
	c.Set(fiber.HeaderContentType, "application/gzip")
	return c.SendStream(file, int(w.Size)) // fasthttp closes it
}

// CountFaults returns the number of faults that LastVerification found, for the navigation.
func (a *Area) CountFaults(ctx context.Context, _ *web.Reader) (web.Count, error) {
	run, found, err := a.LastVerification(ctx)
	if !found {
		return web.Count{}, err
	}
	return web.Count{N: int(run.Faults), Word: "faults", Risk: true}, err
}
