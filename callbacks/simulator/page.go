package simulator

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"time"
)

//go:embed pages
var pageFiles embed.FS

var pageNames = []string{"home", "moods", "games", "grants", "status", "table", "notice"}

func parsePages() (map[string]*template.Template, error) {
	pages := map[string]*template.Template{}
	for _, name := range pageNames {
		page, err := template.ParseFS(pageFiles, "pages/layout.html", "pages/"+name+".html")
		if err != nil {
			return nil, err
		}
		pages[name] = page
	}
	return pages, nil
}

// show renders a page into memory first, so that a failing template never sends half a page.
func (s *Simulator) show(w http.ResponseWriter, status int, name string, data any) {
	var page bytes.Buffer
	if err := s.pages[name].ExecuteTemplate(&page, "layout", data); err != nil {
		s.log.Error("page", "name", name, "error", err)
		http.Error(w, "the page could not be rendered", http.StatusInternalServerError)
		return
	}
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Security-Policy",
		"default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'")
	header.Set("Referrer-Policy", "same-origin")
	header.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	page.WriteTo(w)
}

type noticePage struct{ Title, Text string }

func (s *Simulator) notice(w http.ResponseWriter, status int, title, text string) {
	s.show(w, status, "notice", noticePage{title, text})
}

func (s *Simulator) routePages(mux *http.ServeMux) {
	mux.HandleFunc("GET /play/{token}", s.enterGame)
	mux.HandleFunc("GET /session/{id}", s.showTable)
	mux.HandleFunc("POST /session/{id}", s.playTable)
	mux.HandleFunc("GET /thumbnails/{file}", s.thumbnail)
	mux.HandleFunc("GET /simulator.css", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, pageFiles, "pages/simulator.css")
	})
}

// enterGame opens a game session for a short-lived gameURL and redirects to the session's own address.
func (s *Simulator) enterGame(w http.ResponseWriter, r *http.Request) {
	id, ok := s.sessions.enter(r.PathValue("token"), s.token(24))
	if !ok {
		s.notice(w, http.StatusGone, "This game link has expired",
			"A gameURL can only be opened for a short time. Start the game again from the casino.")
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, "/session/"+id, http.StatusSeeOther)
}

// What can be chosen on the game page.
const (
	luckChance = "chance"
	luckWin    = "win"
	luckLose   = "lose"

	actionSpin     = "spin"
	actionBetWin   = "betwin"
	actionFreeSpin = "freespin"
	actionVoid     = "void"
	actionRetry    = "retry"
)

var stakes = []string{"0.00", "0.10", "0.20", "0.50", "1.00", "2.50", "5.00", "25.00", "100.00", "1000000.00"}

// freeSpinStake is the nominal stake of a free spin; it does not change the balance.
const freeSpinStake minor = 20

// shownExchange is a callback and its answer, as listed on the page.
type shownExchange struct {
	At            string
	What          string
	Endpoint      string
	Amount        string
	TransactionID string
	Outcome       string
	Meaning       string
	Good          bool
	Balance       string
	Latency       string
}

var meanings = map[int]string{
	0: "success", 1: "general error", 2: "wrong input", 3: "invalid sign", 4: "invalid agent", 5: "user not found",
	6: "insufficient funds", 8: "transaction not found", 9: "already rolled back", 11: "duplicate transaction",
}

// sendFrom sends a callback for the page and lists it. The caller holds the session's lock.
func (s *Simulator) sendFrom(ctx context.Context, session *gameSession, what string, sent *sentCall) exchange {
	got := s.callback(ctx, sent.call.endpoint, sent.body)
	s.statement.learn(sent.call.userID, got)
	s.account(sent.call, got)
	line := shownExchange{
		At: s.now().UTC().Format("15:04:05"), What: what, Endpoint: sent.call.endpoint, Amount: sent.call.amount(),
		TransactionID: sent.call.transactionID, Outcome: got.outcome(),
		Latency: got.latency.Round(100 * time.Microsecond).String(),
	}
	if got.answer != nil {
		line.Good = got.answer.Result == resultSuccess
		line.Meaning = meanings[got.answer.Result]
		if got.answer.Balance != nil {
			line.Balance = got.answer.Balance.String()
		}
	}
	session.exchanges = slices.Insert(session.exchanges, 0, line)
	session.exchanges = session.exchanges[:min(len(session.exchanges), maxShownExchanges)]
	return got
}

// account records a callback of the page in the statement, depending on its answer.
func (s *Simulator) account(c call, got exchange) {
	done := got.definite() && (got.result() == resultSuccess || got.result() == resultDuplicate)
	switch {
	case c.endpoint == getBalance:
	case c.endpoint == rollbackTransaction:
		if done || got.definite() && (got.result() == resultRolledBack || got.result() == resultNotFound) {
			s.statement.writeRollback(c.transactionID)
		}
	case done:
		s.statement.write(s.now(), c, lineSettled)
	case !got.definite() || got.result() != resultRolledBack:
		s.statement.write(s.now(), c, lineFailed)
	}
}

// step sends a money callback of a round and keeps it for a retry. done is true if the wallet has processed it.
func (s *Simulator) step(ctx context.Context, session *gameSession, what string, c call) (done bool, got exchange) {
	c.userID = session.userID
	session.lastSent = &sentCall{call: c, body: c.body(s.config.AgentID, s.config.SecretKey)}
	got = s.sendFrom(ctx, session, what, session.lastSent)
	return got.answer != nil && (got.answer.Result == resultSuccess || got.answer.Result == resultDuplicate), got
}

type tablePage struct {
	Title     string
	Session   string
	UserID    string
	Game      Game
	Language  string
	Balance   string
	Currency  string
	Problem   string
	Grants    []Grant
	SpinsLeft int
	Stakes    []string
	Stake     string
	Luck      string
	Symbols   [3]string
	Headline  string
	Lost      bool
	CanRetry  bool
	Exchanges []shownExchange
}

// Table reports whether the game settles a bet and its win in one callback, as table games do.
func (p tablePage) Table() bool { return p.Game.GameType == "table" }

func (s *Simulator) showTable(w http.ResponseWriter, r *http.Request) {
	session, ok := s.sessions.find(r.PathValue("id"))
	if !ok {
		s.notice(w, http.StatusGone, "This game is over", "Start it again from the casino.")
		return
	}
	session.mu.Lock()
	defer session.mu.Unlock()
	ask := call{endpoint: getBalance, userID: session.userID}
	got := s.sendFrom(r.Context(), session, "balance",
		&sentCall{call: ask, body: ask.body(s.config.AgentID, s.config.SecretKey)})
	page := tablePage{
		Title: session.game.GameName, Session: session.id, UserID: session.userID, Game: session.game,
		Language: session.language,
		Stakes:   stakes, Stake: session.stake, Luck: session.luck, Symbols: session.symbols, Headline: session.headline,
		Lost:     session.lost,
		CanRetry: session.lastSent != nil, Exchanges: session.exchanges,
		Grants: s.grants.list(func(grant Grant) bool {
			return grant.UserID == session.userID && grant.GameID == session.game.GameID && grant.Status == StatusActive
		}),
	}
	for _, grant := range page.Grants {
		page.SpinsLeft += grant.Remaining
	}
	switch {
	case got.answer == nil:
		page.Problem = "The wallet gave no definite answer (" + got.outcome() + ")."
	case got.answer.Result != resultSuccess:
		page.Problem = fmt.Sprintf("The wallet refused to show the balance: result %d, %s.", got.answer.Result,
			meanings[got.answer.Result])
	case got.answer.Balance != nil:
		page.Balance, page.Currency = got.answer.Balance.String(), got.answer.Currency
	}
	s.show(w, http.StatusOK, "table", page)
}

// playTable plays the chosen move with signed callbacks, then shows the table again.
func (s *Simulator) playTable(w http.ResponseWriter, r *http.Request) {
	session, ok := s.sessions.find(r.PathValue("id"))
	if !ok {
		s.notice(w, http.StatusGone, "This game is over", "Start it again from the casino.")
		return
	}
	stake, luck := r.PostFormValue("stake"), r.PostFormValue("luck")
	bet, err := parseMinor(stake)
	if !slices.Contains([]string{luckChance, luckWin, luckLose}, luck) || err != nil || bet < 0 {
		s.notice(w, http.StatusBadRequest, "That is not a stake",
			"A stake is an amount such as 1.00, and luck is chance, win or lose.")
		return
	}
	session.mu.Lock()
	defer session.mu.Unlock()
	session.stake, session.luck = stake, luck
	ctx := context.WithoutCancel(r.Context()) // a round that has started is finished even if the browser goes away
	switch r.PostFormValue("action") {
	case actionSpin:
		s.spin(ctx, session, bet)
	case actionBetWin:
		s.deal(ctx, session, bet)
	case actionFreeSpin:
		s.freeSpin(ctx, session)
	case actionVoid:
		s.voidedRound(ctx, session, bet)
	case actionRetry:
		s.retry(ctx, session)
	default:
		s.notice(w, http.StatusBadRequest, "That is not a move", "The moves are spin, betwin, freespin, void and retry.")
		return
	}
	http.Redirect(w, r, "/session/"+session.id, http.StatusSeeOther)
}

func (s *Simulator) spin(ctx context.Context, session *gameSession, bet minor) {
	round := s.token(16)
	done, got := s.step(ctx, session, "bet", call{endpoint: withdraw, transactionID: s.token(16), roundID: round, bet: bet})
	if !done {
		session.stop("The bet was not taken", got)
		return
	}
	s.settle(ctx, session, round, bet)
}

// settle draws the result of an accepted bet, and pays the win if there is one.
func (s *Simulator) settle(ctx context.Context, session *gameSession, round string, bet minor) {
	win := s.draw(session, bet)
	if win == 0 {
		return
	}
	if done, got := s.step(ctx, session, "win",
		call{endpoint: deposit, transactionID: s.token(16), roundID: round, win: win}); !done {
		session.stop("The win of "+win.String()+" was not booked", got)
	}
}

func (s *Simulator) deal(ctx context.Context, session *gameSession, bet minor) {
	win := s.draw(session, bet)
	c := call{endpoint: betWin, transactionID: s.token(16), roundID: s.token(16), bet: bet, win: win}
	if done, got := s.step(ctx, session, "bet and win", c); !done {
		session.stop("The hand was not played", got)
	}
}

func (s *Simulator) freeSpin(ctx context.Context, session *gameSession) {
	freeSpinID, taken := s.grants.take(session.userID, session.game.GameID)
	if !taken {
		session.headline, session.lost = "There are no free spins on this game", true
		return
	}
	round := s.token(16)
	c := call{endpoint: withdraw, transactionID: s.token(16), roundID: round, bet: freeSpinStake, freeSpin: true}
	done, got := s.step(ctx, session, "free spin", c)
	if !done {
		if got.definite() {
			s.grants.giveBack(freeSpinID)
		}
		session.stop("The free spin was not taken", got)
		return
	}
	s.settle(ctx, session, round, freeSpinStake)
}

func (s *Simulator) voidedRound(ctx context.Context, session *gameSession, bet minor) {
	c := call{endpoint: withdraw, transactionID: s.token(16), roundID: s.token(16), bet: bet}
	if done, got := s.step(ctx, session, "bet", c); !done && got.definite() {
		session.stop("The bet was not taken", got)
		return
	}
	done, got := s.step(ctx, session, "rollback", call{endpoint: rollbackTransaction, transactionID: c.transactionID})
	if !done {
		session.stop("The round could not be voided", got)
		return
	}
	session.headline, session.lost = "The round was voided and the bet returned", false
}

func (s *Simulator) retry(ctx context.Context, session *gameSession) {
	if session.lastSent == nil {
		session.headline, session.lost = "Nothing was sent yet", true
		return
	}
	got := s.sendFrom(ctx, session, "the same again", session.lastSent)
	session.stop("The last request was sent again", got)
}

// stop says in the headline how the round ended.
func (session *gameSession) stop(what string, got exchange) {
	session.headline, session.lost = what+": "+got.outcome(), true
	if got.answer != nil {
		session.headline = fmt.Sprintf("%s: result %d, %s", what, got.answer.Result, meanings[got.answer.Result])
	}
}

var symbolFaces = []string{"♠", "♥", "♦", "♣", "★", "7"}

// draw decides a round by the chosen luck and returns its win: nothing, or two, three, five or ten times the bet. A zero bet
// wins 1.00, so that its win can be seen.
func (s *Simulator) draw(session *gameSession, bet minor) minor {
	s.mu.Lock()
	defer s.mu.Unlock()
	wins := session.luck == luckWin || session.luck == luckChance && s.luck.IntN(3) == 0
	face := s.luck.IntN(len(symbolFaces))
	if !wins {
		for i := range session.symbols {
			session.symbols[i] = symbolFaces[(face+i*(1+s.luck.IntN(2)))%len(symbolFaces)]
		}
		session.headline, session.lost = "No win this time", true
		return 0
	}
	session.symbols = [3]string{symbolFaces[face], symbolFaces[face], symbolFaces[face]}
	win := bet * []minor{2, 2, 2, 3, 3, 5, 10}[s.luck.IntN(7)]
	if bet == 0 {
		win = 100
	}
	session.headline, session.lost = "You won "+win.String(), false
	return win
}
