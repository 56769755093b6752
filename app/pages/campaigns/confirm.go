package campaigns

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/bonus"
	"pitboss/app/pages"
	"pitboss/app/sheet"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// The page after the form shows the lines with errors, or the sentence that the reader has to confirm.

const (
	leftOutRows = 500 // lines shown whose players are not eligible
	sampleRows  = 10  // lines shown as a sample before the confirmation
)

type confirmPage struct {
	web.Page
	Draft   draft
	Kept    []views.Hidden // the form, to be sent again
	Changed string         // why the reader has to check the lines again
	Terms   []term
	Sums    sums
	Anyway  bool              // the lines may repeat grants, so the form appears only when the reader asks for it
	Earlier *models.Campaign  // the last campaign with exactly these lines; nil for none
	LeftOut []models.GrantRow // lines whose players are not eligible
	Bad     *views.BadLines   // lines with errors, or the skipped lines
	Skipped int64             // how many lines with errors are skipped
	Sample  []models.GrantRow // the first lines as they were read
	Grant   *confirmation
}

// sums has the totals of a campaign that the reader has to confirm.
type sums struct {
	models.CampaignSums
	Lines, Bad, LeftOut     int64
	Costs                   []string // in each currency
	SpinsPerDay, SpinsToday int64    // the reader's limit, and their spins today with these lines
}

// wrongRow is a line with errors.
type wrongRow struct {
	models.GrantRow
	Wrong string
}

// confirmation is the form with which the reader confirms the lines.
type confirmation struct {
	Digest string
	Whom   string // the player, or the number of players
	Granter
	Again bool
	Over  *pages.LimitHelp // exceeded limits, for which it needs approval; nil for none
	Lasts int              // how many hours the second person has for that
}

// ConfirmForm shows the errors in the lines of a form, or what the lines would grant.
func (a *Area) ConfirmForm(c *fiber.Ctx) error {
	f := web.NewForm(c)
	if !f.Typed() {
		return c.Redirect(newPath, fiber.StatusSeeOther)
	}
	changed := f.Wrong["changed"]
	d, err := a.readDraft(c, f)
	if err != nil {
		return err
	}
	if f.RefusedOtherThan("password") && changed == "" {
		return a.ShowAgain(c, f, newPath)
	}
	again := f.Text("again") == "yes"
	s, err := a.check(c, d, again)
	if err != nil {
		return err
	}
	page := &confirmPage{Page: a.Page(c, ""), Draft: d, Kept: kept(f), Changed: web.Sentence(changed)}
	page.Terms = terms(&page.Page, d.CampaignTerms)
	if err := a.sumUp(c, page, s); err != nil {
		return err
	}
	for _, row := range s.Rows {
		if s.LeftOut[row.Line] && len(page.LeftOut) < leftOutRows {
			page.LeftOut = append(page.LeftOut, row)
		}
	}
	if page.Skipped = int64(len(s.Skipped)); page.Sums.Bad > 0 || page.Skipped > 0 {
		if page.Bad, err = s.read().Shown(c.UserContext(), "campaign", newPath); err != nil {
			return err
		}
		page.Bad.Change, page.Bad.Skipped = true, page.Skipped > 0 && page.Sums.Bad == 0
	}
	earlier, found, err := a.Store.CampaignOf(c.UserContext(), bonus.Digest(s.Lines))
	if err != nil {
		return err
	}
	if found {
		page.Earlier = &earlier
	}
	page.Anyway = !again && (s.Again || found && page.Sums.Bad == 0)
	switch {
	case page.Sums.Bad > 0:
		page.Badges = []views.Badge{views.Waiting(web.Several(page.Sums.Bad, "line has an error", "lines have errors"))}
		page.Skipped = 0
	case page.Anyway:
		page.Badges = []views.Badge{views.Waiting("Granted before")}
	case page.Sums.Players == 0:
		page.Badges = []views.Badge{views.Waiting("Nobody gets spins")}
	default:
		page.Sample = slices.Clone(s.Rows[:min(len(s.Rows), sampleRows)])
		if page.Grant, err = a.confirmation(c, page, f, s, again); err != nil {
			return err
		}
	}
	if err := a.nameGames(c.UserContext(), page.Sample, page.LeftOut); err != nil {
		return err
	}
	return a.RenderForm(c, !f.Ok(), "campaigns/confirm", page)
}

// read returns the draft's lines with errors or, if all of them are skipped, the skipped lines.
func (s checked) read() web.ReadFile {
	r, bad := s.File, s.wrongRows()
	r.Good = len(s.Rows) - len(bad)
	if len(bad) == 0 || s.Limited {
		r.Good, bad = len(s.Rows), s.Skipped
	}
	for _, row := range bad {
		r.Bad = append(r.Bad, models.LineError{Line: row.Line, Err: errors.New(row.Wrong)})
	}
	if len(r.Content) == 0 { // a saved view, or a campaign
		r.Name = "campaign.csv"
		r.Lines = func(wrong map[int]string) (sheet.Table, error) {
			t := sheet.NewTable("player", "game", "spins")
			for _, row := range bad {
				t.Add(row.Line, wrong[row.Line], row.Player, row.Game, row.Spins)
			}
			return t, nil
		}
	}
	return r
}

// kept returns the form's fields for the page to send again, without those that the page sets itself.
func kept(f *web.Form) (list []views.Hidden) {
	values := f.Values()
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if values[name] != "" && !slices.Contains([]string{"digest", "beyond", "again", "repeats", "change", "download"}, name) {
			list = append(list, views.Hidden{Name: name, Value: values[name]})
		}
	}
	return list
}

// confirmation returns the form for confirming the lines.
func (a *Area) confirmation(c *fiber.Ctx, page *confirmPage, f *web.Form, s checked, again bool) (*confirmation, error) {
	p, sums := &page.Page, page.Sums
	g := &confirmation{Digest: bonus.Digest(s.Lines), Whom: string(s.granted()[0].UserID), Again: again,
		Granter: Granter{Who: "you", Grants: sums.Grants(), Spins: sums.Spins()}}
	if sums.Players > 1 {
		g.Whom = web.Several(sums.Players, "player", "players")
	}
	var err error
	if g.Limits, g.Taken, err = a.limits(c); err != nil {
		return nil, err
	}
	if s.Limited {
		var words []string
		for _, limit := range s.Over {
			words = append(words, limitWords(limit))
		}
		g.Lasts = int(models.ExceptionLasts.Hours())
		if g.Over, err = a.LimitHelp(c.UserContext(), p, words); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// Start turns what the reader has confirmed into a campaign. Its lines are sent in the background, one by one. Beyond the
// limits, a second person has to approve it first.
func (a *Area) Start(c *fiber.Ctx) error {
	f := web.NewForm(c)
	d, err := a.readDraft(c, f)
	if err != nil {
		return err
	}
	if f.RefusedOtherThan("password") {
		return a.ShowAgain(c, f, newPath)
	}
	again := f.Text("again") == "yes"
	s, err := a.check(c, d, again)
	if err != nil {
		return err
	}
	u := bonus.Upload{CampaignTerms: d.CampaignTerms, FileName: d.FileName, Lines: s.Lines, Role: web.ReaderOf(c).Role, Again: again}
	u.Repeats, _ = strconv.ParseInt(f.Text("repeats"), 10, 64) // 0, which is no campaign, if it is not a number
	if f.Text("digest") != bonus.Digest(u.Lines) || len(u.Lines) < len(s.Rows) || (f.Text("beyond") == "yes") != s.Limited {
		f.Refuse("changed", "The lines or the limits changed after you opened the page. Check them again.")
		return a.ShowAgain(c, f, confirmPath)
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, confirmPath)
	}
	var campaign models.Campaign
	var bad []models.LineError
	signer := a.Signer(c)
	if len(s.Skipped) > 0 {
		signer.Actor = signer.Skipping(s.read().Skipped())
	}
	if s.Limited {
		campaign, bad, err = a.Bonus.Request(c.UserContext(), signer, u)
	} else {
		campaign, bad, err = a.Bonus.Create(c.UserContext(), signer.Actor, u)
	}
	var before models.GrantedBeforeError
	switch {
	case errors.As(err, &before):
		return a.Flash(c, web.PathOf("/campaigns", before.ID), views.Info("Nothing was granted a second time",
			"This campaign already has exactly these lines. Yours was not started."))
	case errors.Is(err, models.ErrSignerChanged):
		f.Refuse("changed", models.ErrSignerChanged.Error())
		return a.ShowAgain(c, f, confirmPath)
	case errors.Is(err, models.ErrExceptionNeedless), err == nil && len(bad) > 0: // something changed after the lines were checked
		return a.ShowAgain(c, f, confirmPath)
	case err != nil:
		return err
	}
	said := "The grants are being sent. You can leave this page: sending continues."
	switch {
	case campaign.State == models.JobHeld:
		said = "The campaign is requested. Nothing is granted until a second person approves it."
	case campaign.StartsAt.After(a.Now()):
		said = "The campaign is scheduled. Nothing is granted before its start."
	}
	return a.Done(c, web.PathOf("/campaigns", campaign.ID), said)
}

// checked is a draft whose lines were checked.
type checked struct {
	draft
	Lines   []models.GrantLine      // the lines that describe a grant
	LeftOut map[int]bool            // the lines whose players are not eligible
	Wrong   map[int]string          // the errors, by line
	Skipped []wrongRow              // the lines with errors that the reader skips
	Of      map[int]models.Currency // the currencies of known players, by line
	Over    models.LimitErrors      // the exceeded limits, each with the figures of the first line that exceeds it
	Again   bool                    // the only errors are repeated grants, and earlier grants of unknown outcome
	Limited bool                    // the only errors are limits, so a second person can approve the campaign
}

// nameGames replaces the game IDs in rows with names for people to read.
func (a *Area) nameGames(ctx context.Context, lists ...[]models.GrantRow) error {
	names := map[string]string{}
	for _, rows := range lists {
		for i := range rows {
			typed := rows[i].Game
			if _, known := names[typed]; !known {
				game, found, err := a.GameFinder().ByID(ctx, typed)
				if err != nil {
					return err
				}
				if names[typed] = typed; found {
					names[typed] = game.Ref().Title()
				}
			}
			rows[i].Game = names[typed]
		}
	}
	return nil
}

// wrongRows returns the lines with errors.
func (s checked) wrongRows() (rows []wrongRow) {
	for _, row := range s.Rows {
		if wrong := s.Wrong[row.Line]; wrong != "" {
			rows = append(rows, wrongRow{row, wrong})
		}
	}
	return rows
}

// check checks which lines could be granted now. It leaves out lines with errors if the reader skips them.
func (a *Area) check(c *fiber.Ctx, d draft, again bool) (checked, error) {
	s, err := a.checkAll(c, d, again)
	if err != nil || !d.Skips || s.Again || s.Limited {
		return s, err
	}
	skipped := s.wrongRows()
	d.Rows = slices.DeleteFunc(slices.Clone(d.Rows), func(row models.GrantRow) bool { return s.Wrong[row.Line] != "" })
	s, err = a.checkAll(c, d, again)
	s.Skipped = skipped
	return s, err
}

// checkAll checks which lines could be granted now. If again is true, repeated grants and earlier grants of unknown outcome are
// not errors. A game is given by its ID, or by its name if no other game has that name.
func (a *Area) checkAll(c *fiber.Ctx, d draft, again bool) (checked, error) {
	s := checked{draft: d, Wrong: map[int]string{}, LeftOut: map[int]bool{}}
	var texts []string
	for _, row := range d.Rows {
		texts = append(texts, row.Game)
	}
	slices.Sort(texts)
	named, err := a.Store.GamesTyped(c.UserContext(), slices.Compact(texts))
	if err != nil {
		return s, err
	}
	for _, row := range d.Rows {
		row.Game = cmp.Or(string(named[row.Game]), row.Game)
		line, wrong := row.Grant()
		if len(wrong) > 0 {
			s.Wrong[row.Line] = strings.Join(wrong, " ")
		} else {
			s.Lines = append(s.Lines, line)
		}
	}
	found, err := a.Store.CheckGrantLines(c.UserContext(), a.Actor(c), again, s.Lines)
	if err != nil {
		return s, err
	}
	for _, line := range found.LeftOut {
		s.LeftOut[line] = true
	}
	whole := len(s.Wrong) == 0 && len(found.Bad) > 0
	s.Of, s.Again, s.Limited = found.Currencies, whole, whole
	for _, b := range found.Bad {
		var over models.LimitErrors
		limited := errors.As(b.Err, &over)
		repeated := errors.As(b.Err, new(models.PendingGrantError)) || errors.As(b.Err, new(models.RepeatedGrantError))
		s.Wrong[b.Line] = lineWords(b.Err)
		s.Again, s.Limited, s.Over = s.Again && repeated, s.Limited && limited, s.Over.With(over)
	}
	return s, nil
}

// granted returns the lines to send to the platform: those that are neither left out nor wrong. A line beyond the limits is
// among them if a second person can approve it.
func (s checked) granted() []models.GrantLine {
	return slices.DeleteFunc(slices.Clone(s.Lines), func(l models.GrantLine) bool {
		return s.LeftOut[l.Line] || s.Wrong[l.Line] != "" && !s.Limited
	})
}

// lineWords says why a line cannot be granted.
func lineWords(err error) string {
	var over models.LimitErrors
	switch {
	case errors.Is(err, models.ErrPlayerUnknown):
		return "No player has this ID."
	case errors.Is(err, models.ErrGameUnknown):
		return "No game has this ID or name."
	case errors.As(err, &over):
		words := make([]string, len(over))
		for i, limit := range over {
			words[i] = limitWords(limit)
		}
		return strings.Join(words, " ")
	}
	return web.Sentence(pages.RootText(err))
}

// limitWords says which limit a line exceeds, and by how much it is used.
func limitWords(limit models.LimitError) string {
	if limit.Limit == models.LimitSpinsPerGrant {
		return fmt.Sprintf("Your limit is %s in one grant.", web.Several(limit.Allowed, "spin", "spins"))
	}
	return fmt.Sprintf("Over the limit on %s: %s allowed, %s used by earlier grants and the lines above.",
		limit.Limit, limit.Words(limit.Allowed), limit.Words(limit.Taken))
}

// sumUp fills in the totals.
func (a *Area) sumUp(c *fiber.Ctx, page *confirmPage, s checked) error {
	page.Sums = sums{Lines: int64(len(s.Rows) + len(s.Skipped)), Bad: int64(len(s.Wrong)), LeftOut: int64(len(s.LeftOut))}
	if s.Limited { // a second person can approve the lines
		page.Sums.Bad = 0
	}
	rules, err := a.Store.GrantRules(c.UserContext())
	if err != nil {
		return err
	}
	page.Sums.CampaignSums = s.Sum(rules, s.granted(), s.Of)
	for _, f := range page.Sums.Figures {
		text := web.Several(f.Spins, "spin", "spins") + " in " + string(f.Currency) + ", whose cost is not set"
		if counts, set := f.CountsAs(rules); set {
			text = counts.Grouped() + " " + string(f.Currency)
		}
		page.Sums.Costs = append(page.Sums.Costs, text)
	}
	limits, taken, err := a.limits(c)
	page.Sums.SpinsPerDay, page.Sums.SpinsToday = limits.StaffSpinsPerDay, taken.StaffSpins+page.Sums.Spins()
	return err
}

// term is a campaign's term in words.
type term struct{ Name, Words string }

// terms returns the terms that were set for a campaign.
func terms(p *web.Page, t models.CampaignTerms) (list []term) {
	if !t.StartsAt.IsZero() {
		list = append(list, term{"Start", p.Time(t.StartsAt).Brief()})
	}
	if !t.EndsAt.IsZero() {
		list = append(list, term{"End", p.Time(t.EndsAt).Brief()})
	}
	if t.BudgetSpins > 0 {
		list = append(list, term{"Budget", web.Several(t.BudgetSpins, "spin", "spins")})
	}
	for _, m := range pages.Sums(p, t.BudgetCost) {
		list = append(list, term{"Budget in " + m.Currency, m.Text})
	}
	return list
}

// Granter is a person who grants spins, with the limits of one day, how much of them is used, and what new grants would add.
type Granter struct {
	Who           string
	Limits        models.GrantLimits
	Taken         models.GrantTaken
	Grants, Spins int64
}
