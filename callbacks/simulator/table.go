package simulator

import (
	"context"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// tableRetryFor is how long a round played by hand waits for a wallet that does not answer.
const tableRetryFor = 3 * time.Second

// table is a game launched for a player.
type table struct {
	UserID string
	Game   Game
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
	s.mu.Lock()
	found, launched := s.launched[r.PathValue("token")]
	s.mu.Unlock()
	if !launched {
		http.Error(w, "This game was not launched. Start it again from the casino.", http.StatusGone)
		return
	}
	page := struct {
		table
		Balance, Round, Problem string
		Kinds                   []string
		Sent                    []Event
	}{table: found, Round: r.PostFormValue("round")}
	for _, kind := range roundKinds {
		page.Kinds = append(page.Kinds, kind.name)
	}
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
	tablePage.Execute(w, page)
}

// balanceNow returns a player's balance as the wallet answers it, or why it does not.
func (s *Simulator) balanceNow(ctx context.Context, userID string) string {
	ctx, cancel := context.WithTimeout(ctx, defaultAttemptTimeout)
	defer cancel()
	question := call{Endpoint: getBalance, UserID: userID}
	got := s.send(ctx, getBalance, question.body(s.config.AgentID, s.config.SecretKey), false)
	switch {
	case got.answer == nil:
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
