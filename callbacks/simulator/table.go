package simulator

import (
	"context"
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// tableRetryFor is how long a round played by hand waits for a wallet that does not answer.
const tableRetryFor = 3 * time.Second

// table is a game launched for a player.
type table struct {
	UserID string
	Game   Game
}

//go:embed table.html
var tableText string

//go:embed table.css
var tableStyle string

// tablePage plays a round with the chosen bet, of any kind by its name, and lists what was sent and answered.
var tablePage = template.Must(template.New("table").Parse(tableText))

// tablePolicy only allows the page's own style and picture.
var tablePolicy = func() string {
	digest := sha256.Sum256([]byte(tableStyle))
	return "default-src 'none'; form-action 'self'; base-uri 'none'; img-src 'self'; style-src 'sha256-" +
		base64.StdEncoding.EncodeToString(digest[:]) + "'"
}()

// tableView is what the page shows.
type tableView struct {
	table
	Style                              template.CSS
	Home, Balance, Round, Bet, Problem string
	Result                             string // of the round that was just played
	Kinds                              []string
	Sent                               []Event
}

// serveTable shows a launched game. A POST plays a round first.
func (s *Simulator) serveTable(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	found, launched := s.launched[r.PathValue("token")]
	s.mu.Unlock()
	if !launched {
		http.Error(w, "This game was not launched. Start it again from the casino.", http.StatusGone)
		return
	}
	page := tableView{table: found, Style: template.CSS(tableStyle), Home: s.config.Home, Round: r.PostFormValue("round"),
		Bet: "1.00"}
	for _, kind := range roundKinds {
		page.Kinds = append(page.Kinds, kind.name)
	}
	status := http.StatusOK
	if r.Method == http.MethodPost {
		if !slices.Contains(page.Kinds, page.Round) {
			http.Error(w, "There is no such round.", http.StatusBadRequest)
			return
		}
		page.Bet = strings.TrimSpace(r.PostFormValue("bet"))
		if bet, ok := parseBet(page.Bet); !ok {
			page.Problem, status = "Enter a bet from 0.01 to "+maxBet.String()+", such as 1.50.", http.StatusBadRequest
		} else {
			s.playAt(r.Context(), &page, bet)
		}
	}
	page.Balance = s.balanceNow(r.Context(), found.UserID)
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Security-Policy", tablePolicy)
	header.Set("Referrer-Policy", "same-origin")
	header.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	tablePage.Execute(w, page)
}

// maxBet is the highest bet on a game's page.
const maxBet minor = 100_000_00

// parseBet reads a bet. An empty one is drawn.
func parseBet(text string) (bet minor, ok bool) {
	if text == "" {
		return 0, true
	}
	if text = strings.Replace(text, ",", ".", 1); !strings.Contains(text, ".") {
		text += ".00"
	}
	bet, err := parseMinor(text)
	return bet, err == nil && bet > 0 && bet <= maxBet
}

// playAt plays a round, and says what came out.
func (s *Simulator) playAt(ctx context.Context, page *tableView, bet minor) {
	// A round that has started is finished even if the browser goes away.
	report, err := s.Play(context.WithoutCancel(ctx), PlayOptions{
		Players: []string{page.UserID}, Seed: uint64(s.now().UnixNano()), Rounds: 1, First: []string{page.Round}, Gentle: true,
		Company: true, Bet: bet, RetryFor: tableRetryFor, OnEvent: func(e Event) { page.Sent = append(page.Sent, e) },
	})
	if err == nil {
		err = report.Err()
	}
	if err != nil {
		page.Problem = err.Error()
		return
	}
	page.Result = result(page.Sent)
}

// result says what came out of a round.
func result(sent []Event) string {
	staked, won, what := minor(0), minor(0), ""
	for _, e := range sent {
		switch {
		case e.Endpoint == rollbackTransaction:
			return "The round was canceled."
		case e.Result == resultInsufficientFunds:
			return "Your balance does not cover this bet."
		case e.Result == resultGeneralError:
			return "The casino refused this bet."
		case e.Result == resultSuccess && e.FreeSpin:
			what = "This was a free spin. You"
		case e.Result == resultSuccess:
			staked += e.Bet
			won += e.Win
		}
	}
	if what == "" {
		what = "You bet " + staked.String() + " and"
	}
	if won == 0 {
		return what + " won nothing."
	}
	return what + " won " + won.String() + "!"
}

// balanceNow returns a player's balance as the wallet answers it, or why it does not.
func (s *Simulator) balanceNow(ctx context.Context, userID string) string {
	ctx, cancel := context.WithTimeout(ctx, defaultAttemptTimeout)
	defer cancel()
	question := call{Endpoint: getBalance, UserID: userID}
	got := s.send(ctx, getBalance, question.body(s.config.AgentID, s.config.SecretKey), false)
	switch {
	case got.answer == nil:
		return "unknown: the casino gave no definite answer"
	case got.answer.Balance == nil:
		return "unknown: result " + strconv.Itoa(got.result())
	}
	return got.answer.Balance.String() + " " + got.answer.Currency
}

// thumbnail answers with a picture whose colors depend on the game.
func thumbnail(w http.ResponseWriter, r *http.Request) {
	number, _ := strconv.Atoi(r.PathValue("gameID"))
	hue := number * 47 % 360
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "public, max-age=86400")
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240" viewBox="0 0 320 240">`+
		`<rect width="320" height="240" fill="hsl(%d,60%%,35%%)"/><circle cx="160" cy="120" r="80" fill="hsl(%d,65%%,60%%)"/></svg>`,
		hue, (hue+150)%360)
}
