package app

import (
	"slices"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// The top of the overview shows each role its own work: the first few items of each kind, with a link to the rest.

const (
	startRows  = 3
	startReads = 20 // read if some of them may be left out
)

// startPage has the work of one role. The lists of other roles are empty. The template decides which cards to show and what
// they say.
type startPage struct {
	Role models.Role

	Corrections   []views.DeskRow         // finance
	Days          []models.Day            // finance and compliance
	Differences   []models.Statement      // finance
	Unknown       []models.Grant          // bonus
	Running       []runningGrant          // bonus
	Campaigns     []views.DeskRow         // bonus and finance
	Verification  *models.VerificationRun // compliance
	Checkpoint    *models.WrittenCheckpoint
	Verify, Write bool // whether the reader can verify and write a checkpoint now
	Exports       []views.DeskRow
	Viewed        []views.DeskRow // support
	TestPlayers   []models.Player
	Changes       []views.DeskRow // administrators
	Alerts        []views.DeskRow
}

// runningGrant is a grant whose spins are being used.
type runningGrant struct {
	models.Grant
	Used int64
}

// start reads the reader's work.
func (a *App) start(c *fiber.Ctx, p *web.Page) (s startPage, err error) {
	s.Role = p.Reader.Role
	for _, read := range map[models.Role][]func(*fiber.Ctx, *web.Page, *startPage) error{
		models.Finance:       {a.startCorrections, a.startCampaigns, a.startDays, a.startDifferences},
		models.Bonus:         {a.startGrants, a.startCampaigns},
		models.Compliance:    {a.startProof, a.startDays, a.startExports},
		models.Support:       {a.startPlayers},
		models.Administrator: {a.startChanges},
	}[s.Role] {
		if err := read(c, p, &s); err != nil {
			return s, err
		}
	}
	return s, nil
}

// startCorrections reads the corrections that the reader can decide, the oldest first.
func (a *App) startCorrections(c *fiber.Ctx, p *web.Page, s *startPage) error {
	list, err := a.Store.Corrections(c.UserContext(),
		models.CorrectionFilter{State: models.ApprovalWaiting, Span: models.Span{Limit: startReads}})
	if err != nil || len(list.Rows) == 0 {
		return err
	}
	ties, err := a.Store.Ties(c.UserContext())
	if err != nil {
		return err
	}
	by := a.Signer(c)
	for _, k := range slices.Backward(list.Rows) {
		if k.MayApprove(models.CorrectionRule, by, ties, p.Now) == nil && len(s.Corrections) < startRows {
			s.Corrections = append(s.Corrections,
				views.DeskRow{What: pages.CorrectionTitle(k) + ", " + string(k.UserID), Href: pages.CorrectionPath(k.ID),
					Note: pages.SignedBy(k.Maker), Moment: p.Time(k.At)})
		}
	}
	return nil
}

// startDays reads the days that the reader can sign, the oldest first.
func (a *App) startDays(c *fiber.Ctx, _ *web.Page, s *startPage) error {
	days, err := a.unsignedDays(c)
	for _, day := range slices.Backward(days) {
		if len(s.Days) < startRows {
			s.Days = append(s.Days, day)
		}
	}
	return err
}

// startDifferences reads the statements whose newest comparison found differences that have open cases.
func (a *App) startDifferences(c *fiber.Ctx, _ *web.Page, s *startPage) error {
	list, err := a.Store.Statements(c.UserContext(), models.StatementFilter{Span: models.Span{Limit: startReads}})
	for _, st := range list.Rows {
		if st.Run.State == models.JobFinished && st.Run.Open > 0 && len(s.Differences) < startRows {
			s.Differences = append(s.Differences, st)
		}
	}
	return err
}

// startGrants reads the grants of unknown outcome, and the active ones.
func (a *App) startGrants(c *fiber.Ctx, _ *web.Page, s *startPage) (err error) {
	unknown, err := a.Store.Grants(c.UserContext(), models.GrantFilter{Unresolved: true, Span: models.Span{Limit: startRows}})
	if err != nil {
		return err
	}
	s.Unknown = unknown.Rows
	list, err := a.Store.Grants(c.UserContext(),
		models.GrantFilter{States: []models.GrantState{models.GrantActive}, SpinsLeft: true, Span: models.Span{Limit: startRows}})
	for _, g := range list.Rows {
		s.Running = append(s.Running, runningGrant{g, g.UsedSpins()})
	}
	return err
}

// startCampaigns reads the campaigns beyond the limits that the reader can decide.
func (a *App) startCampaigns(c *fiber.Ctx, p *web.Page, s *startPage) error {
	list, err := a.Store.Campaigns(c.UserContext(), models.CampaignFilter{State: models.JobHeld, Span: models.Span{Limit: startReads}})
	if err != nil || len(list.Rows) == 0 {
		return err
	}
	ties, err := a.Store.Ties(c.UserContext())
	if err != nil {
		return err
	}
	by, now := a.Signer(c), a.Now()
	for _, e := range list.Rows {
		if e.MayApprove(e.Rule(), by, ties, now) == nil && len(s.Campaigns) < startRows {
			what := web.Several(e.Spins, "spin", "spins") + " in " + web.Several(e.Lines, "grant", "grants") + ": " + e.Name
			s.Campaigns = append(s.Campaigns,
				views.DeskRow{What: what, Href: pages.CampaignPath(e.ID), Note: e.Maker.Username, Moment: p.Time(e.At)})
		}
	}
	return nil
}

// startProof reads the newest verification and the newest checkpoint.
func (a *App) startProof(c *fiber.Ctx, _ *web.Page, s *startPage) error {
	run, found, err := a.LastVerification(c.UserContext())
	if err != nil {
		return err
	}
	if found {
		s.Verification = &run
	}
	last, found, err := a.Store.LastCheckpoint(c.UserContext())
	if err != nil {
		return err
	}
	if found {
		s.Checkpoint = &last
	}
	if a.evidence == nil {
		return nil
	}
	s.Write = a.evidence.Configured()
	open, err := a.Store.OpenJobs(c.UserContext(), models.VerificationJobs)
	s.Verify = len(open) == 0
	return err
}

// startExports reads the newest exports of all staff.
func (a *App) startExports(c *fiber.Ctx, p *web.Page, s *startPage) error {
	list, err := a.Store.Exports(c.UserContext(), models.ExportSelection{Span: models.Span{Limit: startRows}})
	for _, e := range list.Rows {
		row := a.exports.ExportRow(p, e)
		s.Exports = append(s.Exports, views.DeskRow{What: row.Title, Href: row.Href, Badge: &row.Badge, Moment: row.Moment})
	}
	return err
}

// startPlayers reads the things that the reader viewed last, and the test players.
func (a *App) startPlayers(c *fiber.Ctx, _ *web.Page, s *startPage) error {
	seen, err := a.recent(c)
	if err != nil {
		return err
	}
	for _, h := range seen[:min(len(seen), startRows)] {
		s.Viewed = append(s.Viewed, views.DeskRow{What: h.Text, Href: h.Href, Badge: h.State})
	}
	test := true
	found, err := a.Store.Players(c.UserContext(), models.PlayerFilter{Test: &test, Span: models.Span{Limit: startRows}})
	s.TestPlayers = found.Rows
	return err
}

// startChanges reads the changes that wait for a second administrator, and what others changed since the reader last looked.
func (a *App) startChanges(c *fiber.Ctx, p *web.Page, s *startPage) error {
	waiting, err := a.Store.WaitingChanges(c.UserContext())
	if err != nil {
		return err
	}
	for _, line := range pages.ChangeLines(p, waiting) {
		if len(s.Changes) < startRows {
			s.Changes = append(s.Changes,
				views.DeskRow{What: line.Title, Href: line.Href, Note: line.Maker.Username, Moment: line.Moment})
		}
	}
	events, err := a.Store.Alerts(c.UserContext(), p.Reader.Staff, startRows)
	if err != nil {
		return err
	}
	tell := a.Teller(c.UserContext(), events...)
	for _, e := range events {
		what, err := tell.Sentence(e, false)
		if err != nil {
			return err
		}
		s.Alerts = append(s.Alerts,
			views.DeskRow{What: what, Href: "/staff/changes", Note: e.Actor.Name, Moment: p.Time(e.At)})
	}
	return nil
}
