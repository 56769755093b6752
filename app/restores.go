package app

import (
	"context"
	"errors"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/models"
	"pitboss/views"
)

// Restores of an older state of the database: one that nobody has declared, those that wait for somebody to confirm them, and
// all that were declared.

func restorePath(id int64) string { return pathOf("/integrity/restores", id) }

// restoreRow is a declared restore in the list.
type restoreRow struct {
	models.Restore
	Href  string
	Badge views.Badge
	Lines string
}

func restoreState(r models.Restore) views.Badge {
	if r.State == models.RestoreConfirmed {
		return views.Quiet("Confirmed")
	}
	return views.AtRisk("Not confirmed")
}

func newRestoreRow(r models.Restore) restoreRow {
	return restoreRow{
		Restore: r, Href: restorePath(r.ID), Badge: restoreState(r),
		Lines: several(r.Entries+r.SpinEntries, "entry", "entries") + " of " + several(r.Wallets, "wallet", "wallets"),
	}
}

// restores lists the restores on the integrity page, and says what needs doing about them.
func (a *App) restores(ctx context.Context, page *integrityPage) error {
	list, err := a.Store.Restores(ctx)
	if err != nil {
		return err
	}
	for _, r := range list {
		page.Restores = append(page.Restores, newRestoreRow(r))
		if r.State == models.RestoreDeclared {
			page.Notes = append(page.Notes,
				views.Note{Kind: "risk", Icon: "warning", Title: "A restored backup waits to be confirmed",
					Text: r.By + " has declared that an older state of the database was restored. " +
						several(r.Entries+r.SpinEntries, "entry is", "entries are") +
						" gone. Finance or compliance confirms it.",
					Links: []views.Link{{Word: "Look at restore " + strconv.FormatInt(r.ID, 10), Href: restorePath(r.ID),
						Main: true}}})
		}
	}
	if note := a.undeclared(&page.Page); note != nil {
		page.Notes = append(page.Notes, *note)
	}
	return nil
}

// undeclared says that an older state of the database was restored and nobody has declared it; nil: none was, as far as this
// instance knows.
func (a *App) undeclared(page *Page) *views.Note {
	if a.Evidence == nil {
		return nil
	}
	lost := a.Evidence.Undeclared()
	if len(lost) == 0 {
		return nil
	}
	return &views.Note{Kind: "risk", Icon: "warning",
		Title: "The database is in an older state than checkpoint " + strconv.FormatInt(lost[0].Number, 10),
		Text: "That checkpoint is of " + page.Time(lost[0].At).Brief() +
			", and the database does not know it. Somebody has restored a backup, or cut the end off. " +
			"Whoever restored it runs pitboss restore plan and pitboss restore declare on the server."}
}

type restorePage struct {
	Page
	Restore     models.Restore
	DeclaredAt  views.Moment
	ConfirmedAt views.Moment
	Facts       []views.Fact
	Sums        []restoreSum
	Checkpoints []lostCheckpoint
	Wallets     []restoredWallet
	More        string // wallets that are not listed
	Missing     string
	Tied        *restoreTied
	Confirmable bool
	Password    *views.Field
}

type restoreSum struct{ Currency, Before, After, Less string }

type lostCheckpoint struct {
	models.LostCheckpoint
	Moment views.Moment
	ID     views.ID
}

type restoredWallet struct {
	Name, Href, Lines, Before, After string
}

// restoreTied says why the reader cannot confirm a restore.
type restoreTied struct {
	Because []string
	Until   views.Moment
}

// mostRestored is how many wallets the page lists.
const mostRestored = 100

// aRestore reads the restore that the address names.
func (a *App) aRestore(c *fiber.Ctx) (models.Restore, error) {
	id, err := number(c, "id")
	if err != nil {
		return models.Restore{}, notFound("restore")
	}
	list, err := a.Store.Restores(c.UserContext())
	if err != nil {
		return models.Restore{}, err
	}
	for _, r := range list {
		if r.ID == id {
			return r, nil
		}
	}
	return models.Restore{}, notFound("restore")
}

func (a *App) restore(c *fiber.Ctx) error { return a.showRestore(c, newForm(c)) }

func (a *App) showRestore(c *fiber.Ctx, f *form) error {
	r, err := a.aRestore(c)
	if err != nil {
		return err
	}
	page := &restorePage{Page: a.page(c, "Restore "+strconv.FormatInt(r.ID, 10)), Restore: r}
	page.Crumbs = []views.Crumb{{Word: "Integrity", Href: "/integrity"}, {Word: "Restore " + strconv.FormatInt(r.ID, 10)}}
	page.Badges = []views.Badge{restoreState(r)}
	page.DeclaredAt, page.ConfirmedAt = page.Time(r.At), page.Time(r.ConfirmedAt)
	page.Facts = []views.Fact{
		{Label: "Wallets that went back", Value: grouped(r.Wallets), Big: true},
		{Label: "Entries gone, at least", Value: grouped(r.Entries), Big: true,
			Note: several(r.SpinEntries, "free-spin entry", "free-spin entries")},
	}
	page.Missing = "The platform’s statement was not compared."
	if r.Missing != models.NotCompared {
		page.Missing = several(r.Missing, "transaction or rollback", "transactions or rollbacks") +
			" of the platform’s statement were gone."
	}
	for _, s := range r.Sums {
		page.Sums = append(page.Sums,
			restoreSum{string(s.Currency), s.Before.StringFixed(2), s.After.StringFixed(2),
				s.After.Sub(s.Before).StringFixed(2)})
	}
	for _, cp := range r.Checkpoints {
		page.Checkpoints = append(page.Checkpoints,
			lostCheckpoint{cp, page.Time(cp.At), views.ID{Text: cp.Digest, Kind: "digest", Short: true}})
	}
	if err := a.restoredWallets(c.UserContext(), page); err != nil {
		return err
	}
	if r.State == models.RestoreDeclared {
		if err := a.offerConfirmation(c, page, f); err != nil {
			return err
		}
	}
	if !f.ok() {
		return a.refused(c, "integrity/restore", page)
	}
	return a.render(c, "integrity/restore", page)
}

func (a *App) restoredWallets(ctx context.Context, page *restorePage) error {
	list, err := a.Store.RestoreWallets(ctx, page.Restore.ID, 0, mostRestored)
	if err != nil {
		return err
	}
	for _, w := range list {
		row := restoredWallet{
			Name:   "Player " + strconv.FormatInt(w.PlayerID, 10),
			Lines:  grouped(max(w.LostSeq-w.Seq, 0) + max(w.LostSpinSeq-w.SpinSeq, 0)),
			Before: w.LostBalance.Grouped() + " " + string(w.Currency), After: w.Balance.Grouped() + " " + string(w.Currency),
		}
		if w.Seq > 0 {
			row.Href = playerPath(w.PlayerID) + "/ledger"
		}
		page.Wallets = append(page.Wallets, row)
	}
	if more := page.Restore.Wallets - int64(len(list)); more > 0 {
		page.More = "and " + several(more, "more wallet", "more wallets")
	}
	return nil
}

// offerConfirmation says whether the reader may confirm a restore.
func (a *App) offerConfirmation(c *fiber.Ctx, page *restorePage, f *form) error {
	may, err := page.Can(confirmRestores)
	if err != nil || !may {
		return err
	}
	ties, err := a.Store.Ties(c.UserContext())
	if err != nil {
		return err
	}
	trial := page.Restore
	var tied models.TiedError
	if err := trial.Confirm(a.signer(c), ties, a.Now()); errors.As(err, &tied) {
		page.Tied = &restoreTied{Until: page.Time(tied.Until)}
		for _, t := range tied.Because {
			page.Tied.Because = append(page.Tied.Because, t.String()+".")
		}
		return nil
	}
	page.Confirmable = true
	page.Password, err = a.confirmField(c, f)
	return err
}

// confirmRestore puts the reader's name under a declared restore.
func (a *App) confirmRestore(c *fiber.Ctx) error {
	r, err := a.aRestore(c)
	if err != nil {
		return err
	}
	f := newForm(c)
	if err := a.confirm(c, f); err != nil {
		return err
	}
	if !f.ok() {
		return a.showRestore(c, f)
	}
	_, err = a.Store.ConfirmRestore(c.UserContext(), a.signer(c), r.ID)
	var tied models.TiedError
	switch {
	case err == nil:
		return a.done(c, restorePath(r.ID),
			"The restore is confirmed. Verifications explain by it what newer checkpoints know, and keep naming it.")
	case errors.As(err, &tied), errors.Is(err, models.ErrRestoreConfirmed), errors.Is(err, models.ErrRestoreRole),
		errors.Is(err, models.ErrSignerChanged):
		return a.flash(c, restorePath(r.ID),
			views.Note{Kind: "wait", Icon: "warning", Title: "Nothing has changed", Text: sentence(err.Error())})
	}
	return err
}

// restoresWaiting are the declared restores that nobody has confirmed.
func (a *App) restoresWaiting(c *fiber.Ctx) (views.Todo, error) {
	todo := views.Todo{Word: "Restored backups to confirm", Href: "/integrity", Kind: "risk"}
	list, err := a.Store.Restores(c.UserContext())
	for _, r := range list {
		if r.State == models.RestoreDeclared {
			todo.N++
			todo.Note, todo.Href = "declared by "+r.By+", "+a.clock(c, r.At), restorePath(r.ID)
		}
	}
	if todo.N == 1 {
		todo.Word = "Restored backup to confirm"
	}
	return todo, err
}

// restoredHealth is what the overview's line about the ledger says of restores: the badge is empty if there is nothing to do.
func (a *App) restoredHealth(c *fiber.Ctx, line *views.HealthLine) error {
	list, err := a.Store.Restores(c.UserContext())
	if err != nil {
		return err
	}
	if len(list) > 0 {
		line.Note += ". A backup was restored " + a.clock(c, list[0].At) + ", declared by " + list[0].By
		if list[0].State == models.RestoreDeclared {
			line.Badge = views.AtRisk("Restored")
			line.Note += " and not confirmed"
		}
	}
	if a.Evidence != nil && len(a.Evidence.Undeclared()) > 0 {
		line.Badge, line.Note = views.AtRisk("Older state"),
			"A checkpoint knows a later state of the database: a backup was restored and not declared, or the end was cut off"
	}
	return nil
}

// restoreLines are the declarations as a verification tells of them.
func restoreLines(list []models.DeclaredRestore) (lines []faultLine) {
	for _, r := range list {
		lines = append(lines, faultLine{Text: sentence(r.String()), Href: restorePath(r.ID),
			Link: "Restore " + strconv.FormatInt(r.ID, 10)})
	}
	return lines
}
