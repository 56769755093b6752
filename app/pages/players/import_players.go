package players

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/sheet"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// importFileSize is the maximum size of a file of players, in bytes. 10,000 of the longest user IDs fit.
const importFileSize = 3 << 20

// shownLines is the most lines of a file that are shown, with or without errors.
const shownLines = 200

type importPlayersPage struct {
	web.Page
	File    views.Field
	Name    string
	Correct int // lines
	Wrong   int // lines

	Currencies int
	Bad        []models.LineError
	BadMore    int
	Good       []importLine
	More       int
	Content    string // the file in base64, for the second step
	Notes      []string
	Doubts     []models.LineError // what may be wrong about players
	DoubtsMore int
	SureWrong  string // why the players were not created in spite of them
}

type importLine struct {
	Line     int
	UserID   string
	Currency string
}

func (a *Area) ImportPlayersForm(c *fiber.Ctx) error { return a.showImportPlayers(c, "") }

// showImportPlayers shows the form for a file. wrong is the error in the last file, or empty.
func (a *Area) showImportPlayers(c *fiber.Ctx, wrong string) error {
	page := &importPlayersPage{Page: a.Page(c, ""),
		File: views.Field{ID: "f-file", Name: "file", Type: "file", Required: true, Wrong: web.Sentence(wrong)}}
	return a.RenderForm(c, wrong != "", "players/import", page)
}

// PreviewPlayers reads the file that was sent and shows what it would create.
func (a *Area) PreviewPlayers(c *fiber.Ctx) error {
	sent, err := c.FormFile("file")
	if err != nil {
		return a.showImportPlayers(c, "choose a file")
	}
	if sent.Size > importFileSize {
		return a.showImportPlayers(c, "the file is larger than 3 MB; import it in parts, or at the command line")
	}
	file, err := sent.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	content, err := io.ReadAll(file)
	if err != nil {
		return err
	}
	return a.showPlayersFile(c, web.FileName(sent.Filename), content, nil, "")
}

// Why a file of players is refused on the site.
var (
	errPlayersTooMany = fmt.Errorf("a file can have at most %d players here; import a larger one in parts, or at the command line",
		models.MaxImportedPlayers)
	errPlayersNone = errors.New("the file has no players")
	// errMoney refuses a balance other than 0.00.
	errMoney = errors.New("players start with 0.00 here: to add money, request a correction, which a second person approves")
)

// readPlayers reads a file of players whose wallets open with 0.00.
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

// showPlayersFile shows a file of players: what is wrong with it, or which players it would create. taken are the lines that
// the database refused. If it is nil, showPlayersFile asks the database. sureWrong says why nothing was created.
func (a *Area) showPlayersFile(c *fiber.Ctx, name string, content []byte, taken []models.LineError, sureWrong string) error {
	file, err := readPlayers(c.UserContext(), content)
	if err != nil {
		return a.showImportPlayers(c, err.Error())
	}
	if taken == nil {
		if taken, err = a.Store.TakenPlayers(c.UserContext(), file.PlayerFile); err != nil {
			return err
		}
	}
	bad := append(file.Bad, taken...)
	slices.SortFunc(bad, func(a, b models.LineError) int { return a.Line - b.Line })
	page := &importPlayersPage{Page: a.Page(c, ""), Name: name, Wrong: len(bad), Notes: file.Notes, SureWrong: sureWrong}
	wrong, currencies := map[int]bool{}, map[models.Currency]bool{}
	for _, b := range bad {
		wrong[b.Line] = true
	}
	for i, p := range file.Players {
		if !wrong[file.Lines[i]] {
			page.Correct++
		}
		currencies[p.Currency] = true
		if len(bad) == 0 && i < shownLines {
			page.Good = append(page.Good, importLine{file.Lines[i], string(p.UserID), string(p.Currency)})
		}
	}
	page.Currencies = len(currencies)
	if len(bad) > 0 {
		page.Bad, page.BadMore = bad[:min(len(bad), shownLines)], max(len(bad)-shownLines, 0)
		return a.RenderForm(c, true, "players/preview", page)
	}
	doubts, err := a.Store.DoubtfulPlayers(c.UserContext(), file.PlayerFile)
	if err != nil {
		return err
	}
	page.Doubts, page.DoubtsMore = doubts[:min(len(doubts), shownLines)], max(len(doubts)-shownLines, 0)
	page.More, page.Content = max(len(file.Players)-shownLines, 0), base64.StdEncoding.EncodeToString(content)
	return a.RenderForm(c, sureWrong != "", "players/preview", page)
}

// ImportPlayers creates the players of a file that was previewed. It parses the file again, because the server keeps nothing
// between the two steps.
func (a *Area) ImportPlayers(c *fiber.Ctx) error {
	f := web.NewForm(c)
	content, err := base64.StdEncoding.DecodeString(f.Text("content"))
	if err != nil || len(content) == 0 || len(content) > importFileSize {
		return a.showImportPlayers(c, "the file did not arrive completely; upload it again")
	}
	name := f.Text("name")
	file, err := readPlayers(c.UserContext(), content)
	if err != nil || len(file.Bad) > 0 {
		return a.showPlayersFile(c, name, content, nil, "")
	}
	if f.Text("sure") != "yes" {
		doubts, err := a.Store.DoubtfulPlayers(c.UserContext(), file.PlayerFile)
		if err != nil {
			return err
		}
		if len(doubts) > 0 {
			return a.showPlayersFile(c, name, content, nil, "Check these lines, then tick this to create the players.")
		}
	}
	taken, err := a.Store.ImportPlayers(c.UserContext(), a.Actor(c), file.PlayerFile, nil)
	if errors.Is(err, models.ErrPlayerExists) {
		return a.showImportPlayers(c,
			"a colleague created one of these players at the same moment, so nothing was imported; upload the file again")
	}
	if err != nil {
		return err
	}
	if len(taken) > 0 {
		return a.showPlayersFile(c, name, content, taken, "")
	}
	return a.Done(c, "/players",
		"Imported "+web.Several(int64(len(file.Players)), "player", "players")+" from "+name+", each with 0.00.")
}
