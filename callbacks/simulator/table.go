package simulator

import (
	"context"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"
)

// tableIdle is how long a game can still be played after it was last used.
const tableIdle = 2 * time.Hour

// tableRetryFor is how long a round played by hand waits for a wallet that does not answer.
const tableRetryFor = 3 * time.Second

// table is a game launched for a player.
type table struct {
	UserID string
	Game   Game
	until  time.Time
}

// tables has the launched games by the token in their gameURL.
type tables struct {
	now      func() time.Time
	lifetime time.Duration

	mu      sync.Mutex
	byToken map[string]table
}

// launch stores the token of a new gameURL, and removes games that have expired.
func (b *tables) launch(token, userID string, game Game) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	maps.DeleteFunc(b.byToken, func(_ string, old table) bool { return !now.Before(old.until) })
	b.byToken[token] = table{UserID: userID, Game: game, until: now.Add(b.lifetime)}
}

// find returns the game of a token, and keeps it open for tableIdle. ok is false if the token is unknown or has expired.
func (b *tables) find(token string) (found table, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	found, known := b.byToken[token]
	if !known || !b.now().Before(found.until) {
		return table{}, false
	}
	found.until = b.now().Add(tableIdle)
	b.byToken[token] = found
	return found, true
}

// tablePage plays any kind of round by its name and lists what was sent and answered.
var tablePage = template.Must(template.New("table").Parse(`<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>{{.Game.GameName}}</title>
  <h1>{{.Game.GameName}}</h1>
  <p>Player <bdi>{{.UserID}}</bdi>, balance <b id="balance">{{.Balance}}</b></p>
  <form method="post">
    <label>Round
      <select name="round">
        {{range .Kinds}}<option{{if eq . $.Round}} selected{{end}}>{{.}}</option>{{end}}
      </select>
    </label>
    <button>Play</button>
  </form>
  {{with .Problem}}<p role="alert">{{.}}</p>{{end}}
  <ol id="sent">
    {{range .Sent}}<li>{{.Endpoint}} {{.Amount}} ({{.What}}): result {{.Result}}</li>{{end}}
  </ol>
</html>
`))

// serveTable shows a launched game. A POST plays a round of the chosen kind first.
func (s *Simulator) serveTable(w http.ResponseWriter, r *http.Request) {
	found, ok := s.tables.find(r.PathValue("token"))
	if !ok {
		http.Error(w, "This game link has expired. Start the game again from the casino.", http.StatusGone)
		return
	}
	page := struct {
		table
		Balance, Round, Problem string
		Kinds                   []string
		Sent                    []Event
	}{table: found, Round: r.PostFormValue("round"), Kinds: kindNames()}
	if r.Method == http.MethodPost {
		if !slices.Contains(page.Kinds, page.Round) {
			http.Error(w, "There is no such round.", http.StatusBadRequest)
			return
		}
		// A round that has started is finished even if the browser goes away.
		report, err := s.Play(context.WithoutCancel(r.Context()), PlayOptions{
			Players: []string{found.UserID}, Seed: uint64(s.now().UnixNano()), Rounds: 1, First: []string{page.Round}, Gentle: true,
			Company: true, RetryFor: tableRetryFor, OnEvent: func(e Event) { page.Sent = append(page.Sent, e) },
		})
		if err == nil {
			err = report.Err()
		}
		if err != nil {
			page.Problem = err.Error()
		}
	}
	page.Balance = s.balanceNow(r.Context(), found.UserID)
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Security-Policy", "default-src 'none'; form-action 'self'; base-uri 'none'")
	header.Set("Referrer-Policy", "same-origin")
	header.Set("X-Content-Type-Options", "nosniff")
	if err := tablePage.Execute(w, page); err != nil {
		s.log.Error("page", "error", err)
	}
}

// balanceNow returns a player's balance as the wallet answers it, or why it does not.
func (s *Simulator) balanceNow(ctx context.Context, userID string) string {
	ctx, cancel := context.WithTimeout(ctx, defaultAttemptTimeout)
	defer cancel()
	question := call{endpoint: getBalance, userID: userID}
	got := s.wallet.send(ctx, getBalance, question.body(s.config.AgentID, s.config.SecretKey), false)
	switch {
	case !got.definite():
		return "unknown: " + got.outcome()
	case got.answer.Balance == nil:
		return "unknown: result " + strconv.Itoa(got.result())
	}
	return got.answer.Balance.String() + " " + got.answer.Currency
}

// thumbnail answers with a rectangle whose color depends on the game.
func thumbnail(w http.ResponseWriter, r *http.Request) {
	number, _ := strconv.Atoi(r.PathValue("gameID"))
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "public, max-age=86400")
	w.Write([]byte(`<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240"><rect width="320" height="240" fill="hsl(` +
		strconv.Itoa(number*47%360) + `,50%,45%)"/></svg>`))
}
