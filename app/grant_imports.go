package app

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/bonus"
	"pitboss/app/export"
	"pitboss/models"
	"pitboss/views"
)

// Free spins for many, from a file: upload, what is wrong with it line by line, one sentence of what will happen, and then a page that
// follows the lines. Nothing is kept before it is confirmed: the file travels in the form.

const (
	importRows      = 20
	importLineRows  = 20
	mendedLines     = 50       // at most so many bad lines are shown; a file with more is mended in several rounds
	maxUpload       = 15 << 20 // bytes of a file, and of what a form carries once it is unpacked
	outcomesAtATime = 1000
)

func importState(s models.ImportState) views.Badge {
	switch s {
	case models.ImportRunning:
		return views.Active("Running")
	case models.ImportPaused:
		return views.Waiting("Paused")
	case models.ImportStopped:
		return views.Gone("Stopped")
	}
	return views.Quiet("Finished")
}

type importsPage struct {
	Page
	States []views.Choice
	Rows   []importRow
	Paging views.Paging
	Empty  views.Empty
}

type importRow struct {
	models.GrantImport
	Href  string
	Badge views.Badge
	Done  int64
	Meter views.Meter
}

var importStates = map[string]models.ImportState{"running": models.ImportRunning, "paused": models.ImportPaused, "stopped": models.ImportStopped, "finished": models.ImportFinished}

// newImportRow is an import with its bar. What waits for a person or was refused is seen however little of the whole it is.
func newImportRow(imp models.GrantImport) importRow {
	row := importRow{GrantImport: imp, Href: pathOf("/free-spins/imports", imp.ID), Badge: importState(imp.State), Done: imp.Lines - imp.ToGo.Lines}
	// Thousandths of the bar: a part of one line is three of them at least.
	at, width := int64(0), max(imp.Lines, 1)
	row.Meter = views.Meter{
		Width: 1000, Tall: true, Parts: []views.MeterPart{{Kind: "bg", Width: 1000}},
		Label: fmt.Sprintf("%d granted, %d refused, %d unknown, %d to go", imp.Granted.Lines, imp.Refused.Lines, imp.Unknown.Lines, imp.ToGo.Lines),
	}
	for _, part := range []struct {
		kind string
		n    int64
	}{{"u", imp.Granted.Lines}, {"q", imp.Refused.Lines}, {"r", imp.Unknown.Lines}} {
		if part.n > 0 {
			wide := max(part.n*1000/width, 3)
			row.Meter.Parts = append(row.Meter.Parts, views.MeterPart{Kind: part.kind, X: at, Width: wide})
			at += wide
		}
	}
	return row
}

func (a *App) grantImports(c *fiber.Ctx) error {
	page := &importsPage{Page: a.page(c, "Free spins from files")}
	page.Crumbs = []views.Crumb{{Word: "Free spins", Href: "/free-spins"}, {Word: "Imports"}}
	page.Lede = "Files of grants, and how far each has come. Newest first."
	grant, err := page.Can(grantFreeSpins)
	if err != nil {
		return err
	}
	if grant {
		page.Actions = []views.Link{{Word: "Grant from a file", Href: "/free-spins/imports/new", Icon: "upload", Main: true}}
	}
	if page.Exportable, err = a.mayExport(&page.Page, page.Path); err != nil {
		return err
	}
	filter := page.filters()
	if filter.Page, err = page.place(); err != nil {
		return err
	}
	list, more, err := a.Store.GrantImports(c.UserContext(), filter)
	if err != nil {
		return err
	}
	for _, imp := range list {
		page.Rows = append(page.Rows, newImportRow(imp))
	}
	if n := len(list); n > 0 {
		page.Paging = page.around(filter.Page, models.Cursor{At: list[0].At, ID: list[0].ID}, models.Cursor{At: list[n-1].At, ID: list[n-1].ID}, more, strconv.Itoa(n)+" shown")
	}
	page.Empty = views.Empty{Title: "No file of grants", Text: "Spins for many players are granted from a CSV file with the columns user_id, game_id and spins."}
	if grant {
		page.Empty.Links = []views.Link{{Word: "Grant from a file", Href: "/free-spins/imports/new", Main: true}}
	}
	return a.render(c, "free-spins/imports", page)
}

// filters reads the filters from the address.
func (page *importsPage) filters() models.ImportFilter {
	states := []string{"", "All", "running", "Running", "paused", "Paused", "stopped", "Stopped", "finished", "Finished"}
	state := page.filter("state", "State", wordOf(states))
	page.States = choices(state, states...)
	return models.ImportFilter{State: importStates[state], Limit: importRows}
}

// importsAtOnce is how many imports an export reads together: the lines of each are counted.
const importsAtOnce = 50

func (a *App) exportImports(_ *fiber.Ctx, p Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &importsPage{Page: p}
	f := page.filters()
	f.Limit = importsAtOnce
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Time", Kind: export.Time}, {Name: "File"}, {Name: "SHA-256 of the file"}, {Name: "By"}, {Name: "Role"}, {Name: "Reason"},
			{Name: "Although granted before", Kind: export.Flag}, {Name: "State"}, {Name: "Ended", Kind: export.Time}, {Name: "Lines", Kind: export.Number}, {Name: "Spins", Kind: export.Number},
			{Name: "Lines granted", Kind: export.Number}, {Name: "Spins granted", Kind: export.Number}, {Name: "Lines refused", Kind: export.Number}, {Name: "Spins refused", Kind: export.Number},
			{Name: "Lines of unknown outcome", Kind: export.Number}, {Name: "Spins of unknown outcome", Kind: export.Number}, {Name: "Lines to go", Kind: export.Number}, {Name: "Spins to go", Kind: export.Number},
		},
		Read: newestFirst(time.Time{}, func(ctx context.Context, at models.Cursor) (models.Looked[models.GrantImport], error) {
			f := f
			f.Page = at
			return looked(a.Store.GrantImports(ctx, f))
		}, func(i models.GrantImport) models.Cursor { return models.Cursor{At: i.At, ID: i.ID} }, each(func(i models.GrantImport) export.Row {
			return export.Row{
				i.ID, i.At, i.FileName, i.Digest, i.Actor, string(i.Role), i.Reason, i.Again, importState(i.State).Word, i.FinishedAt, i.Lines, i.Spins,
				i.Granted.Lines, i.Granted.Spins, i.Refused.Lines, i.Refused.Spins, i.Unknown.Lines, i.Unknown.Spins, i.ToGo.Lines, i.ToGo.Spins,
			}
		})),
	}, page.Chips, nil, nil
}

type newImportPage struct {
	Page
	FileWrong string
	Reason    views.Field
	Limits    []views.Fact
}

func (a *App) newImportForm(c *fiber.Ctx) error { return a.showNewImport(c, newForm(c)) }

func (a *App) showNewImport(c *fiber.Ctx, f *form) error {
	page := &newImportPage{Page: a.page(c, "Grant free spins from a file"), FileWrong: sentence(f.wrong["file"])}
	page.Crumbs = []views.Crumb{{Word: "Free spins", Href: "/free-spins"}, {Word: "Imports", Href: "/free-spins/imports"}, {Word: "New"}}
	page.Lede = "A file is granted whole or not at all. You will see every line that cannot be granted before anything is sent."
	page.Reason = f.field(views.Field{Label: "Reason", Name: "reason", Autocomplete: "off", Required: true, Hint: "Of all the grants in the file. For your colleagues and the audit log."})
	limits, err := a.Store.GrantLimits(c.UserContext())
	if err != nil {
		return err
	}
	limit := limits[reader(c).Role]
	taken, err := a.Store.GrantTaken(c.UserContext(), 0, reader(c).Username)
	if err != nil {
		return err
	}
	page.Limits = []views.Fact{
		{Label: "In one grant", Value: counted(limit.SpinsPerGrant, "spin", "spins")},
		{Label: "To one player", Value: counted(limit.PlayerGrantsPerDay, "grant", "grants") + ", " + counted(limit.PlayerSpinsPerDay, "spin", "spins") + " a day"},
		{Label: "By you today", Value: thousands(taken.StaffGrants) + " of " + counted(limit.StaffGrantsPerDay, "grant", "grants") + ", " + thousands(taken.StaffSpins) + " of " + counted(limit.StaffSpinsPerDay, "spin", "spins")},
	}
	if !f.ok() {
		return a.refused(c, "free-spins/import-new", page)
	}
	return a.render(c, "free-spins/import-new", page)
}

// readUpload reads the file of a form: the one that was chosen, or the one that the form carries along.
func (a *App) readUpload(c *fiber.Ctx, f *form) (bonus.Upload, error) {
	u := bonus.Upload{FileName: fileName(f.text("file_name")), Reason: f.text("reason"), Role: reader(c).Role, Again: f.text("again") == "yes"}
	switch n := len([]rune(u.Reason)); {
	case n == 0:
		f.refuse("reason", "Say why.")
	case n > 500:
		f.refuse("reason", "A reason has at most 500 characters.")
	}
	var err error
	if chosen, fileErr := c.FormFile("file"); fileErr == nil && chosen.Size > 0 {
		u.FileName = fileName(chosen.Filename)
		file, err := chosen.Open()
		if err != nil {
			return u, err
		}
		defer file.Close()
		if u.Contents, err = io.ReadAll(file); err != nil {
			return u, err
		}
	} else if u.Contents, err = unpack(f.text("contents")); err != nil || len(u.Contents) == 0 {
		f.refuse("file", "Choose a CSV file.")
		return u, nil
	}
	if _, _, err := models.ReadGrants(bytes.NewReader(u.Contents)); err != nil {
		f.refuse("file", err.Error())
	}
	return u, nil
}

// fileName is a file's own name, whatever a browser sends.
func fileName(s string) string {
	s = filepath.Base(strings.ReplaceAll(strings.ToValidUTF8(s, "?"), "\\", "/"))
	if r := []rune(s); len(r) > 200 {
		s = string(r[:200])
	}
	return s
}

// pack writes a file as a form carries it, and unpack reads it.
func pack(contents []byte) (string, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(contents)
	if err = errors.Join(err, z.Close()); err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(b.Bytes()), nil
}

func unpack(carried string) ([]byte, error) {
	if carried == "" {
		return nil, nil
	}
	packed, err := base64.RawURLEncoding.DecodeString(carried)
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	contents, err := io.ReadAll(io.LimitReader(z, maxUpload+1))
	if err == nil && len(contents) > maxUpload {
		err = errors.New("the file is too large")
	}
	return contents, err
}

type previewPage struct {
	Page
	FileName string
	Reason   string
	Facts    []views.Fact
	Note     *views.Note
	Rows     []previewRow
	More     int // bad lines that are not shown
	Deed     *views.Deed
	Carried  []views.Hidden
	CanAgain bool // what stands in the way may be passed knowingly
}

// previewRow is a line of a file as it stands there, or a gap of good ones.
type previewRow struct {
	Line              int
	User, Game, Spins string
	Wrong             string
	Gap               int
}

// previewImport shows what a file would grant, or which of its lines cannot be granted.
func (a *App) previewImport(c *fiber.Ctx) error {
	f := newForm(c)
	u, err := a.readUpload(c, f)
	if err != nil {
		return err
	}
	if !f.ok() {
		return a.showNewImport(c, f)
	}
	return a.showPreview(c, f, u)
}

func (a *App) showPreview(c *fiber.Ctx, f *form, u bonus.Upload) error {
	ctx := c.UserContext()
	lines, bad, err := a.Bonus.Check(ctx, a.actor(c), u)
	if err != nil && lines == nil && bad == nil {
		f.refuse("file", err.Error())
		return a.showNewImport(c, f)
	} else if err != nil {
		return err
	}
	page := &previewPage{Page: a.page(c, "Grants from a file"), FileName: u.FileName, Reason: u.Reason}
	page.Crumbs = []views.Crumb{{Word: "Free spins", Href: "/free-spins"}, {Word: "Imports", Href: "/free-spins/imports"}, {Word: "New"}}
	carried, err := pack(u.Contents)
	if err != nil {
		return err
	}
	page.Carried = []views.Hidden{{Name: "contents", Value: carried}, {Name: "file_name", Value: u.FileName}, {Name: "reason", Value: u.Reason}}
	total := rawLines(u.Contents)
	page.Lede = u.FileName + ", " + counted(int64(len(total)), "line", "lines") + ". Nothing has been sent."
	earlier, found, err := a.Store.GrantImportOf(ctx, bonus.Digest(u.Contents))
	if err != nil {
		return err
	}
	if err := a.previewFacts(c, page, u, lines, bad); err != nil {
		return err
	}
	switch {
	case found && !u.Again && onlyPending(bad):
		page.Badges = []views.Badge{views.Waiting("Granted before")}
		page.Note = &views.Note{
			Kind: "wait", Icon: "warning", Title: "This very file was granted before",
			Text:  fmt.Sprintf("It is import %d, of %s by %s. To grant all of it once more, say so.", earlier.ID, page.Time(earlier.At).Brief(), earlier.Actor),
			Links: []views.Link{{Word: "Open import " + strconv.FormatInt(earlier.ID, 10), Href: pathOf("/free-spins/imports", earlier.ID)}},
		}
		page.CanAgain = true
	case len(bad) > 0:
		page.Badges = []views.Badge{views.Waiting(counted(int64(len(bad)), "line to mend", "lines to mend"))}
		page.mend(total, bad)
		page.CanAgain = onlyPending(bad)
	default:
		if err := a.importDeed(c, f, page, u, lines, earlier); err != nil {
			return err
		}
	}
	if !f.ok() || len(bad) > 0 {
		return a.refused(c, "free-spins/import-preview", page)
	}
	return a.render(c, "free-spins/import-preview", page)
}

// onlyPending reports whether nothing stands in the way of the lines but earlier grants of unknown outcome.
func onlyPending(bad []models.LineError) bool {
	for _, b := range bad {
		var pending models.PendingGrantError
		if !errors.As(b.Err, &pending) {
			return false
		}
	}
	return true
}

// previewFacts sums a file up.
func (a *App) previewFacts(c *fiber.Ctx, page *previewPage, u bonus.Upload, lines []models.GrantLine, bad []models.LineError) error {
	wrong := map[int]bool{}
	for _, b := range bad {
		wrong[b.Line] = true
	}
	players, games, numbers := map[models.UserID]int{}, map[models.GameID]bool{}, map[int64]int{}
	good, spins := 0, int64(0)
	for _, l := range lines {
		if wrong[l.Line] {
			continue
		}
		good++
		spins += l.Spins
		players[l.UserID]++
		games[l.GameID] = true
		numbers[l.Spins]++
	}
	repeated := 0
	for _, n := range players {
		if n > 1 {
			repeated++
		}
	}
	limits, err := a.Store.GrantLimits(c.UserContext())
	if err != nil {
		return err
	}
	taken, err := a.Store.GrantTaken(c.UserContext(), 0, reader(c).Username)
	if err != nil {
		return err
	}
	limit := limits[u.Role].StaffSpinsPerDay
	page.Facts = []views.Fact{
		{Label: "Lines", Value: thousands(int64(good)) + " good", Note: map[bool]string{true: thousands(int64(len(wrong))) + " to mend", false: "none to mend"}[len(wrong) > 0]},
		{Label: "Players", Value: thousands(int64(len(players))), Note: map[bool]string{true: thousands(int64(repeated)) + " of them several times"}[repeated > 0]},
		{Label: "Games", Value: thousands(int64(len(games)))},
		{Label: "Spins, good lines", Value: thousands(spins), Note: breakdown(numbers)},
		{Label: "Your limit today", Value: thousands(taken.StaffSpins+spins) + " of " + thousands(limit), Note: thousands(max(0, limit-taken.StaffSpins-spins)) + " would be left"},
	}
	return nil
}

// breakdown says how many lines have which number of spins, where that is short.
func breakdown(numbers map[int64]int) string {
	if len(numbers) == 0 || len(numbers) > 3 {
		return ""
	}
	var parts []string
	for n, lines := range numbers {
		parts = append(parts, fmt.Sprintf("%s × %s", thousands(int64(lines)), thousands(n)))
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

// rawLines reads a file's lines as they stand there, good or bad, up to the first that is no CSV.
func rawLines(contents []byte) (list []previewRow) {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(contents, []byte("\ufeff"))))
	r.FieldsPerRecord = -1
	header, err := r.Read()
	if err != nil {
		return nil
	}
	cell := func(record []string, column string) string {
		if i := slices.Index(header, column); i >= 0 && i < len(record) {
			return record[i]
		}
		return ""
	}
	for {
		record, err := r.Read()
		if err != nil {
			return list
		}
		line, _ := r.FieldPos(0)
		list = append(list, previewRow{Line: line, User: cell(record, "user_id"), Game: cell(record, "game_id"), Spins: cell(record, "spins")})
	}
}

// mend shows the bad lines with their neighbours.
func (p *previewPage) mend(lines []previewRow, bad []models.LineError) {
	p.Note = &views.Note{
		Kind: "wait", Icon: "warning", Title: "Nothing has been sent",
		Text: fmt.Sprintf("%s cannot be granted. Mend the file and upload it again: a file is granted whole or not at all.", counted(int64(len(bad)), "line", "lines")),
	}
	p.More = max(0, len(bad)-mendedLines)
	at := map[int]int{}
	for i, l := range lines {
		at[l.Line] = i
	}
	last := -1 // the last line shown
	show := func(i int, wrong string) {
		if i < 0 || i >= len(lines) || i <= last && wrong == "" {
			return
		}
		if gap := i - last - 1; gap > 0 {
			p.Rows = append(p.Rows, previewRow{Gap: gap})
		}
		row := lines[i]
		row.Wrong = wrong
		if i <= last { // it was shown as a neighbour, or for something else that is wrong with it
			if p.Rows[len(p.Rows)-1].Wrong != "" {
				wrong = p.Rows[len(p.Rows)-1].Wrong + " " + wrong
			}
			p.Rows[len(p.Rows)-1].Wrong = wrong
			return
		}
		p.Rows = append(p.Rows, row)
		last = i
	}
	for _, b := range bad[:min(len(bad), mendedLines)] {
		i, known := at[b.Line]
		if !known {
			p.Rows = append(p.Rows, previewRow{Line: b.Line, Wrong: lineWords(b.Err)})
			continue
		}
		show(i-1, "")
		show(i, lineWords(b.Err))
		show(i+1, "")
	}
	if gap := len(lines) - last - 1; gap > 0 && p.More == 0 {
		p.Rows = append(p.Rows, previewRow{Gap: gap})
	}
}

// lineWords says what is wrong with a line.
func lineWords(err error) string {
	var limit models.LimitError
	var pending models.PendingGrantError
	switch {
	case errors.Is(err, models.ErrPlayerUnknown):
		return "There is no player with this user ID."
	case errors.Is(err, models.ErrPlayerBlocked):
		return "This player is blocked."
	case errors.Is(err, models.ErrGameUnknown):
		return "There is no game with this ID."
	case errors.Is(err, models.ErrGameGone):
		return "The platform no longer offers this game."
	case errors.As(err, &pending):
		return fmt.Sprintf("The outcome of grant %d, of this game to this player, is not known.", pending.ID)
	case errors.As(err, &limit) && limit.Limit == models.LimitSpinsPerGrant:
		return fmt.Sprintf("More than %s, your limit for one grant.", counted(limit.Allowed, "spin", "spins"))
	case errors.As(err, &limit):
		return fmt.Sprintf("Over your limit: %s, %s allowed, %s taken by then.", limit.Limit, thousands(limit.Allowed), thousands(limit.Taken))
	}
	return sentence(err.Error())
}

// importDeed adds the sentence that is the deed.
func (a *App) importDeed(c *fiber.Ctx, f *form, page *previewPage, u bonus.Upload, lines []models.GrantLine, earlier models.GrantImport) error {
	players, spins := map[models.UserID]bool{}, int64(0)
	for _, l := range lines {
		players[l.UserID] = true
		spins += l.Spins
	}
	limits, err := a.Store.GrantLimits(c.UserContext())
	if err != nil {
		return err
	}
	taken, err := a.Store.GrantTaken(c.UserContext(), 0, reader(c).Username)
	if err != nil {
		return err
	}
	limit := limits[u.Role]
	grants := int64(len(lines))
	of := func(n, all int64) string { return thousands(n) + " of " + thousands(all) }
	whom := counted(int64(len(players)), "player", "players")
	page.Deed = &views.Deed{
		Sentence:     fmt.Sprintf("Grant %s to %s in %s.", counted(spins, "spin", "spins"), whom, counted(grants, "grant", "grants")),
		Consequences: "They are sent one after the other, in the order of the file, and you can pause or stop in between. What players win with them is paid in real money, and the platform has no way to take spins back.",
		Changes: []views.Change{
			{What: "Spins granted by you today", Before: of(taken.StaffSpins, limit.StaffSpinsPerDay), After: of(taken.StaffSpins+spins, limit.StaffSpinsPerDay)},
			{What: "Grants by you today", Before: of(taken.StaffGrants, limit.StaffGrantsPerDay), After: of(taken.StaffGrants+grants, limit.StaffGrantsPerDay)},
		},
		Notes: []string{"Reason: " + u.Reason}, Action: "/free-spins/imports", Button: fmt.Sprintf("Grant %s to %s", counted(spins, "spin", "spins"), whom),
		Back: views.Link{Word: "Upload another file", Href: "/free-spins/imports/new"}, Hidden: append([]views.Hidden{}, page.Carried...),
	}
	if u.Again {
		page.Deed.Hidden = append(page.Deed.Hidden, views.Hidden{Name: "again", Value: "yes"}, views.Hidden{Name: "repeats", Value: strconv.FormatInt(earlier.ID, 10)})
		words := "Also to players with a grant of the game whose outcome is not known: they may have the spins of both."
		if earlier.ID != 0 {
			words = fmt.Sprintf("This very file was granted before, as import %d. Every player in it is granted the spins once more.", earlier.ID)
		}
		page.Deed.Checks = []views.Check{{Warn: true, Text: words}}
	}
	page.Deed.Password, err = a.confirmField(c, f)
	return err
}

// createImport keeps a file for the background to grant, line by line.
func (a *App) createImport(c *fiber.Ctx) error {
	f := newForm(c)
	u, err := a.readUpload(c, f)
	if err != nil {
		return err
	}
	if !f.ok() {
		return a.showNewImport(c, f)
	}
	if err := a.confirm(c, f); err != nil {
		return err
	}
	if !f.ok() {
		return a.showPreview(c, f, u)
	}
	if u.Again {
		u.Repeats, _ = strconv.ParseInt(f.text("repeats"), 10, 64) // what is no number names no import
	}
	imp, bad, err := a.Bonus.Create(c.UserContext(), a.actor(c), u)
	var imported models.ImportedError
	switch {
	case errors.As(err, &imported):
		return a.flash(c, pathOf("/free-spins/imports", imported.ID), views.Note{
			Kind: "wait", Icon: "info", Title: "Nothing was granted a second time",
			Text: "Since you looked, this very file was begun, as the import that you see here. Yours was not.",
		})
	case err != nil:
		return err
	case len(bad) > 0:
		return a.showPreview(c, f, u) // something has changed since the file was looked at
	}
	return a.done(c, pathOf("/free-spins/imports", imp.ID), "The file is being granted. You can leave this page, it goes on.")
}

type importPage struct {
	Page
	Import  importRow
	Facts   []views.Fact
	Tabs    []views.Tab
	Outcome string
	Rows    []importLineRow
	Paging  views.Paging
	Rate    string
	Open    bool
	State   string
	OOB     bool
}

type importLineRow struct {
	models.ImportLine
	PlayerHref, GrantHref string
	Badge                 views.Badge
}

func newImportLineRow(l models.ImportLine) importLineRow {
	row := importLineRow{ImportLine: l, PlayerHref: pathOf("/players", l.PlayerID), Badge: views.Quiet("Granted")}
	if l.GrantID != 0 {
		row.GrantHref = pathOf("/free-spins", l.GrantID)
	}
	switch {
	case l.State == models.GrantRefused:
		row.Badge = views.Refused("Refused")
	case l.State == models.GrantUnknown:
		row.Badge = views.AtRisk("Outcome unknown")
	case !l.State.Granted():
		row.Badge = views.Active("Being sent")
		if l.State == 0 {
			row.Badge = views.Plain("To go")
		}
	}
	return row
}

// theImport reads the import that the address names.
func (a *App) theImport(c *fiber.Ctx) (models.GrantImport, error) {
	id, err := number(c, "id")
	if err != nil {
		return models.GrantImport{}, notFound("import")
	}
	imp, found, err := a.Store.GrantImport(c.UserContext(), id)
	if err == nil && !found {
		err = notFound("import")
	}
	return imp, err
}

func (a *App) grantImport(c *fiber.Ctx) error {
	imp, err := a.theImport(c)
	if err != nil {
		return err
	}
	page := &importPage{Page: a.page(c, "Grants from a file"), Import: newImportRow(imp), OOB: c.Get("HX-Target") == "progress", State: strconv.Itoa(int(imp.State))}
	if page.OOB && c.Query("state") != page.State {
		c.Set("HX-Refresh", "true")
		return c.SendStatus(fiber.StatusNoContent)
	}
	page.Crumbs = []views.Crumb{{Word: "Free spins", Href: "/free-spins"}, {Word: "Imports", Href: "/free-spins/imports"}, {Word: strconv.FormatInt(imp.ID, 10)}}
	page.Badges = []views.Badge{page.Import.Badge}
	page.Open = imp.State == models.ImportRunning
	page.Lede = fmt.Sprintf("%s, confirmed %s by %s.", imp.FileName, page.Time(imp.At).Brief(), imp.Actor)
	if page.Open {
		page.Lede += " You can leave this page, it goes on."
	}
	if err := a.actOnImport(page, imp); err != nil {
		return err
	}
	page.Facts = []views.Fact{
		{Label: "Granted", Value: thousands(imp.Granted.Lines), Note: counted(imp.Granted.Spins, "spin", "spins"), Big: true},
		{Label: "Refused", Value: thousands(imp.Refused.Lines), Note: counted(imp.Refused.Spins, "spin", "spins"), Big: true},
		{Label: "Outcome unknown", Value: thousands(imp.Unknown.Lines), Note: counted(imp.Unknown.Spins, "spin", "spins"), Big: true},
		{Label: "To go", Value: thousands(imp.ToGo.Lines), Note: counted(imp.ToGo.Spins, "spin", "spins"), Big: true},
	}
	if err := a.importLines(c, page, imp); err != nil {
		return err
	}
	return a.render(c, "free-spins/import", page)
}

// actOnImport adds what may be done with an import that has not ended.
func (a *App) actOnImport(page *importPage, imp models.GrantImport) error {
	grant, err := page.Can(grantFreeSpins)
	if err != nil || !grant {
		return err
	}
	switch imp.State {
	case models.ImportRunning:
		page.Actions = append(page.Actions, views.Link{Word: "Pause", Href: page.Import.Href + "/pause", Icon: "pause", Post: true})
	case models.ImportPaused:
		page.Actions = append(page.Actions, views.Link{Word: "Go on", Href: page.Import.Href + "/resume", Icon: "play", Post: true, Main: true})
	default:
		return nil
	}
	page.Actions = append(page.Actions, views.Link{Word: "Stop for good", Href: page.Import.Href + "/stop", Destroys: true})
	return nil
}

var importOutcomes = map[string]models.GrantState{"granted": models.GrantActive, "refused": models.GrantRefused, "unknown": models.GrantUnknown}

// importLines reads the lines that the page shows: the last that were taken in hand, or those of one outcome.
func (a *App) importLines(c *fiber.Ctx, page *importPage, imp models.GrantImport) error {
	page.Outcome = page.params.Get("outcome")
	filter := models.ImportLineFilter{ImportID: imp.ID, Limit: importLineRows, State: importOutcomes[page.Outcome], ToGo: page.Outcome == "to-go", Last: page.Outcome == ""}
	if text := page.params.Get("after"); text != "" {
		after, err := strconv.Atoi(text)
		if err != nil || after < 0 {
			return badAddress("It names a line that does not exist.")
		}
		filter.After = after
	}
	lines, more, err := a.Store.ImportLines(c.UserContext(), filter)
	if err != nil {
		return err
	}
	for _, l := range lines {
		page.Rows = append(page.Rows, newImportLineRow(l))
	}
	path := page.Import.Href
	tab := func(word, outcome string, n int64) {
		t := views.Tab{Word: word, Href: path, Current: page.Outcome == outcome}
		if outcome != "" {
			t.Href += "?outcome=" + outcome
			t.Count = thousands(n)
		}
		page.Tabs = append(page.Tabs, t)
	}
	tab("Newest", "", 0)
	tab("Granted", "granted", imp.Granted.Lines)
	tab("Refused", "refused", imp.Refused.Lines)
	tab("Unknown", "unknown", imp.Unknown.Lines)
	tab("To go", "to-go", imp.ToGo.Lines)
	if page.Outcome == "" {
		page.Paging.Note = fmt.Sprintf("Newest %d of %s", len(lines), thousands(page.Import.Done))
		page.Rate = rateWords(lines, imp, page.now)
		return nil
	}
	page.Paging = views.Paging{Note: strconv.Itoa(len(lines)) + " shown, in the order of the file", NewerWord: "First", OlderWord: "Next"}
	if more {
		page.Paging.Older = path + "?outcome=" + page.Outcome + "&after=" + strconv.Itoa(lines[len(lines)-1].Line)
	}
	if filter.After != 0 {
		page.Paging.Newer = path + "?outcome=" + page.Outcome
	}
	return nil
}

// rateWords says how quickly a running import gets on, by the last lines, the newest first.
func rateWords(lines []models.ImportLine, imp models.GrantImport, now time.Time) string {
	if imp.State != models.ImportRunning || len(lines) < 2 {
		return ""
	}
	took := now.Sub(lines[len(lines)-1].At)
	if took <= 0 {
		return ""
	}
	perSecond := float64(len(lines)) / took.Seconds()
	words := fmt.Sprintf("%.0f a second", perSecond)
	if perSecond < 1 {
		words = fmt.Sprintf("%.0f a minute", perSecond*60)
	}
	left := time.Duration(float64(imp.ToGo.Lines)/perSecond) * time.Second
	switch {
	case left < time.Minute:
		return words + ", less than a minute to go"
	case left < time.Hour:
		return fmt.Sprintf("%s, about %d min to go", words, int(left.Minutes())+1)
	}
	return fmt.Sprintf("%s, about %d h to go", words, int(left.Hours())+1)
}

func (a *App) pauseImport(c *fiber.Ctx) error {
	return a.changeImport(c, models.ImportPaused, "The import is paused. The line under way is finished first.")
}

func (a *App) resumeImport(c *fiber.Ctx) error {
	return a.changeImport(c, models.ImportRunning, "The import goes on.")
}

func (a *App) stopImport(c *fiber.Ctx) error {
	return a.changeImport(c, models.ImportStopped, "The import is stopped. The lines to go are not sent any more.")
}

func (a *App) changeImport(c *fiber.Ctx, to models.ImportState, message string) error {
	imp, err := a.theImport(c)
	if err != nil {
		return err
	}
	change := map[models.ImportState]func() error{
		models.ImportPaused:  func() error { return a.Bonus.Pause(c.UserContext(), a.actor(c), imp.ID, "") },
		models.ImportRunning: func() error { return a.Bonus.Resume(c.UserContext(), a.actor(c), imp.ID, "") },
		models.ImportStopped: func() error { return a.Bonus.Stop(c.UserContext(), a.actor(c), imp.ID, newForm(c).text("reason")) },
	}[to]
	path := pathOf("/free-spins/imports", imp.ID)
	if err := change(); errors.Is(err, models.ErrImportEnded) {
		return a.flash(c, path, views.Note{Kind: "wait", Icon: "info", Text: "This import has ended meanwhile. Nothing was changed."})
	} else if err != nil {
		return err
	}
	return a.done(c, path, message)
}

func (a *App) stopImportForm(c *fiber.Ctx) error {
	imp, err := a.theImport(c)
	if err != nil {
		return err
	}
	path := pathOf("/free-spins/imports", imp.ID)
	if imp.State == models.ImportStopped || imp.State == models.ImportFinished {
		return a.flash(c, path, views.Note{Kind: "wait", Icon: "info", Text: "This import has ended already."})
	}
	page := &deedPage{Page: a.page(c, "Stop the import")}
	page.Crumbs = []views.Crumb{{Word: "Free spins", Href: "/free-spins"}, {Word: "Imports", Href: "/free-spins/imports"}, {Word: strconv.FormatInt(imp.ID, 10), Href: path}, {Word: "Stop"}}
	page.Deed = views.Deed{
		Sentence:     "Stop granting " + imp.FileName + " for good.",
		Consequences: "The " + counted(imp.ToGo.Lines, "line", "lines") + " to go are never sent. What was granted stays granted: the platform has no way to take spins back.",
		Changes: []views.Change{
			{What: "Granted", Before: counted(imp.Granted.Spins, "spin", "spins"), After: counted(imp.Granted.Spins, "spin", "spins")},
			{What: "To go", Before: counted(imp.ToGo.Spins, "spin", "spins"), After: "0 spins"},
		},
		Action: path + "/stop", Button: "Stop import " + strconv.FormatInt(imp.ID, 10) + " for good", Destroys: true, Back: views.Link{Word: "Back", Href: path},
	}
	return a.render(c, "free-spins/confirm", page)
}

// importOutcomesFile is what has become of each line, to be kept or mended and granted anew.
func (a *App) importOutcomesFile(c *fiber.Ctx) error {
	imp, err := a.theImport(c)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	rows := [][]string{{"line", "user_id", "game_id", "spins", "outcome", "free_spin_id", "message", "at_utc"}}
	for after := 0; ; {
		lines, more, err := a.Store.ImportLines(c.UserContext(), models.ImportLineFilter{ImportID: imp.ID, After: after, Limit: outcomesAtATime})
		if err != nil {
			return err
		}
		for _, l := range lines {
			at := ""
			if !l.At.IsZero() {
				at = l.At.UTC().Format("2006-01-02 15:04:05")
			}
			rows = append(rows, []string{
				strconv.Itoa(l.Line), export.Cell(string(l.UserID)), export.Cell(string(l.GameID)), strconv.FormatInt(l.Spins, 10), lineOutcome(l.State),
				export.Cell(string(l.FreeSpinID)), export.Cell(l.Message), at,
			})
			after = l.Line
		}
		if !more {
			break
		}
	}
	if err := w.WriteAll(rows); err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, "text/csv; charset=utf-8")
	c.Set(fiber.HeaderContentDisposition, fmt.Sprintf(`attachment; filename="free-spins-import-%d.csv"`, imp.ID))
	return c.Send(b.Bytes())
}

// lineOutcome is a line's outcome as the file of outcomes writes it. What the platform granted counts as granted, used or not.
func lineOutcome(s models.GrantState) string {
	switch {
	case s.Granted():
		return "granted"
	case s == models.GrantRefused:
		return "refused"
	case s == models.GrantUnknown:
		return "unknown"
	}
	return "to go"
}
