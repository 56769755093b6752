package simulator

import (
	"context"
	_ "embed" // the page
	"html/template"
	"net/http"
	"strings"
	"time"

	"pitboss/callbacks/wire"
	"pitboss/models"
)

// tableRetryFor is how long a round played by hand retries while the wallet does not answer.
const tableRetryFor = 3 * time.Second

// table is a game that was launched for a player.
type table struct {
	UserID string
	Game   Game
}

//go:embed table.html
var tableText string

// tablePage has a form that plays a round of any kind with a chosen bet, and lists the calls and answers.
var tablePage = template.Must(template.New("table").Parse(tableText))

// tableView is the data of the page.
type tableView struct {
	table
	Balance, Round, Bet, Problem string
	Kinds                        []roundKind
	Sent                         []Event
}

// serveTable shows a launched game. A POST first plays a round.
func (s *Simulator) serveTable(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	found, launched := s.launched[r.PathValue("token")]
	s.mu.Unlock()
	if !launched {
		http.Error(w, "This game was not launched. Start it again from the casino.", http.StatusGone)
		return
	}
	page := tableView{table: found, Round: r.PostFormValue("round"), Bet: "1.00", Kinds: roundKinds}
	if r.Method == http.MethodPost {
		page.Bet = r.PostFormValue("bet")
		page.play(r.Context(), s)
	}
	page.Balance = s.balanceNow(r.Context(), found.UserID)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	tablePage.Execute(w, page)
}

// play plays a round, and records why it could not be played or what the wallet did wrong. A round that has started is finished
// even if the browser goes away.
func (p *tableView) play(ctx context.Context, s *Simulator) {
	bet, err := models.ParseAmount(strings.Replace(p.Bet, ",", ".", 1))
	if err != nil || bet <= 0 {
		p.Problem = "Enter a bet above zero with two decimal places, such as 1.50."
		return
	}
	report, err := s.Play(context.WithoutCancel(ctx), PlayOptions{
		Players: []string{p.UserID}, Seed: uint64(s.config.Now().UnixNano()), Rounds: 1, First: []string{p.Round}, Gentle: true,
		Company: true, Bet: bet, RetryFor: tableRetryFor, OnEvent: func(e Event) { p.Sent = append(p.Sent, e) },
	})
	if err == nil {
		err = report.Err()
	}
	if err != nil {
		p.Problem = err.Error()
	}
}

// balanceNow returns the balance that the wallet answers for a player.
func (s *Simulator) balanceNow(ctx context.Context, userID string) string {
	ctx, cancel := context.WithTimeout(ctx, defaultAttemptTimeout)
	defer cancel()
	got, err := s.send(ctx, call{Endpoint: wire.GetBalance, UserID: userID}, false)
	if err != nil || got.balance == nil {
		return "unknown"
	}
	return got.balance.String() + " " + got.currency
}
