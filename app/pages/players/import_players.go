package players

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/sheet"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// importFileSize is the size limit of a file of players, in bytes. It allows 10,000 of the longest user IDs.
const importFileSize = 3 << 20

// shownLines is how many lines of a file are shown at most, with or without errors.
const shownLines = 200

type importPlayersPage struct {
	web.Page
	File    views.Field
	Name    string
	Correct int // number of lines without errors
	Wrong   int // number of lines with errors

	Currencies int
	Bad        *views.BadLines
	Good       []importLine
	More       int
	Kept       []views.Hidden // the file, for the second step
	Notes      []string
	Doubts     []models.LineError // possible mistakes about players
	DoubtsMore int
	SureWrong  string // the error at the tick that confirms the doubts
}

type importLine struct {
	Line     int
	UserID   string
	Currency string
}

func (a *Area) ImportPlayersForm(c *fiber.Ctx) error { return a.showImportPlayers(c, "") }

// showImportPlayers shows the form for uploading a file. wrong is what was wrong with the last file, or empty.
func (a *Area) showImportPlayers(c *fiber.Ctx, wrong string) error {
	page := &importPlayersPage{Page: a.Page(c, ""),
		File: views.Field{ID: "f-file", Name: "file", Type: "file", Required: true, Wrong: web.Sentence(wrong)}}
	return a.RenderForm(c, wrong != "", "players/import", page)
}

// PreviewPlayers shows what the uploaded file would create, or sends back its lines with errors.
func (a *Area) PreviewPlayers(c *fiber.Ctx) error {
	f := web.NewForm(c)
	read, err := a.uploaded(c, f)
	if err != nil {
		return err
	}
	if !f.Ok() {
		return a.showImportPlayers(c, f.Wrong["file"])
	}
	return a.showPlayersFile(c, f, read, "")
}

// uploaded returns the file from a form.
func (a *Area) uploaded(c *fiber.Ctx, f *web.Form) (read web.ReadFile, err error) {
	read, err = web.Upload(c, f, importFileSize)
	if len(read.Content) == 0 {
		f.Refuse("file", "Choose a file.")
	}
	read.About = sheet.OfPlayers
	return read, err
}

// Errors with which the site refuses a file of players.
var (
	errPlayersTooMany = fmt.Errorf("a file can have at most %d players here; import a larger one in parts, or at the command line",
		models.MaxImportedPlayers)
	errPlayersNone = errors.New("the file has no players")
	// errMoney refuses any balance but 0.00.
	errMoney = errors.New("players start with 0.00 here: to add money, request a correction, which a second person approves")
)

// readPlayers reads a file of players whose wallets start with 0.00.
func readPlayers(ctx context.Context, content []byte) (sheet.Players, error) {
	file, err := sheet.ReadPlayers(ctx, bytes.NewReader(content))
	switch n := len(file.Players) + len(file.Bad); {
	case err != nil:
		return file, err
	case n > models.MaxImportedPlayers:
		return file, errPlayersTooMany
	case n == 0:
		return file, errPlayersNone
	}
	for i, p := range file.Players {
		if p.Balance != 0 {
			file.Bad = append(file.Bad, models.LineError{Line: file.Lines[i], Err: errMoney})
		}
	}
	return file, nil
}

// readFile reads a file of players, and refuses the lines that cannot be imported.
func (a *Area) readFile(ctx context.Context, read *web.ReadFile) (file sheet.Players, err error) {
	if file, err = readPlayers(ctx, read.Content); err != nil {
		return file, importError{err}
	}
	taken, err := a.Store.TakenPlayers(ctx, file.PlayerFile)
	if err != nil {
		return file, err
	}
	read.Refuse(append(file.Bad, taken...))
	file.PlayerFile = file.Without(read.Bad)
	read.Good = len(file.Players)
	return file, nil
}

// importError is why a file cannot be read at all.
type importError struct{ error }

// showPlayersFile shows what is wrong with a file of players, or which players it would create. sureWrong is the error at the
// tick that confirms the doubts.
func (a *Area) showPlayersFile(c *fiber.Ctx, f *web.Form, read web.ReadFile, sureWrong string) error {
	ctx := c.UserContext()
	file, err := a.readFile(ctx, &read)
	if wrong := (importError{}); errors.As(err, &wrong) {
		return a.showImportPlayers(c, wrong.Error())
	}
	if err != nil {
		return err
	}
	if f.Downloads() {
		return a.SendBadLines(c, read)
	}
	page := &importPlayersPage{Page: a.Page(c, ""), Name: read.Name, Correct: read.Good, Wrong: len(read.Bad), Notes: file.Notes,
		SureWrong: sureWrong, Kept: read.Kept()}
	currencies := map[models.Currency]bool{}
	for _, p := range file.Players {
		currencies[p.Currency] = true
	}
	page.Currencies = len(currencies)
	if page.Bad, err = read.Shown(ctx, "players", previewPath); err != nil {
		return err
	}
	if page.Bad != nil {
		if page.Bad.Skipped = read.Skips(f); !page.Bad.Skipped {
			return a.RenderForm(c, true, "players/preview", page)
		}
		page.Kept = append(page.Kept, views.Hidden{Name: "skip", Value: strconv.Itoa(len(read.Bad))})
	}
	for i, p := range file.Players[:min(len(file.Players), shownLines)] {
		page.Good = append(page.Good, importLine{file.Lines[i], string(p.UserID), string(p.Currency)})
	}
	doubts, err := a.Store.DoubtfulPlayers(ctx, file.PlayerFile)
	if err != nil {
		return err
	}
	page.Doubts, page.DoubtsMore = doubts[:min(len(doubts), shownLines)], max(len(doubts)-shownLines, 0)
	page.More = max(len(file.Players)-shownLines, 0)
	return a.RenderForm(c, sureWrong != "", "players/preview", page)
}

const previewPath = "/players/imports/preview"

// ImportPlayers creates the players of a file after its preview. It parses the file again, because the server keeps nothing
// between the two steps.
func (a *Area) ImportPlayers(c *fiber.Ctx) error {
	f := web.NewForm(c)
	read, err := a.uploaded(c, f)
	if err != nil {
		return err
	}
	if !f.Ok() {
		return a.showImportPlayers(c, f.Wrong["file"])
	}
	sent := read
	file, err := a.readFile(c.UserContext(), &read)
	if err != nil || len(read.Bad) > 0 && !read.Skips(f) {
		return a.showPlayersFile(c, f, sent, "")
	}
	if f.Text("sure") != "yes" {
		doubts, err := a.Store.DoubtfulPlayers(c.UserContext(), file.PlayerFile)
		if err != nil {
			return err
		}
		if len(doubts) > 0 {
			return a.showPlayersFile(c, f, sent, "Check these lines, then tick this to create the players.")
		}
	}
	taken, err := a.Store.ImportPlayers(c.UserContext(), a.Actor(c).Skipping(read.Skipped()), file.PlayerFile, nil)
	if errors.Is(err, models.ErrPlayerExists) {
		return a.showImportPlayers(c,
			"a colleague created one of these players at the same moment, so nothing was imported; upload the file again")
	}
	if err != nil {
		return err
	}
	if len(taken) > 0 {
		return a.showPlayersFile(c, f, sent, "")
	}
	return a.Done(c, "/players",
		"Imported "+web.Several(int64(len(file.Players)), "player", "players")+" from "+read.Name+", each with 0.00."+read.SkippedWords())
}
