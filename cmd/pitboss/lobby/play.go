package lobby

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// gamesAtOnce is how many games are on a page.
const gamesAtOnce = 24

// games shows the games whose name or provider contains the query.
func (l lobby) games(w http.ResponseWriter, r *http.Request, status int, p page) {
	all, err := l.API.games(r.Context())
	if err != nil {
		l.unknown(w, r, err)
		return
	}
	p.Query = strings.TrimSpace(r.FormValue("q"))
	all = slices.DeleteFunc(all, func(g game) bool {
		return !strings.Contains(strings.ToLower(g.Name+"\n"+g.Provider), strings.ToLower(p.Query))
	})
	from, _ := strconv.Atoi(r.FormValue("from")) // 0 if it is not a number
	from = max(0, min(from, len(all)))
	p.Name, p.Found, p.Games = "games", len(all), all[from:min(from+gamesAtOnce, len(all))]
	if from+gamesAtOnce < len(all) {
		p.Next = from + gamesAtOnce
	}
	if p.Back = -1; from > 0 {
		p.Back = max(0, from-gamesAtOnce)
	}
	l.show(w, status, p)
}

// play opens a game and redirects the browser to it.
func (l lobby) play(w http.ResponseWriter, r *http.Request, p *player) {
	address, err := l.API.launch(r.Context(), p.ID, r.PostFormValue("game"))
	switch why := refused(err); {
	case err == nil:
		http.Redirect(w, r, address, http.StatusSeeOther)
	case why == "":
		l.unknown(w, r, err)
	default:
		l.games(w, r, http.StatusUnprocessableEntity, page{Player: p, Form: "play", Wrong: why})
	}
}

// row is one of the player's transactions.
type row struct {
	transaction
	What, Amount, State string
	CashOut             string // the ID of the cash-out, if the cashier can pay or return it
}

// done has the messages about what was just done.
var done = map[string]string{
	"deposit":  "The deposit is in your balance.",
	"cashout":  "The cash-out is requested. The money is held until the cashier has sent it.",
	"sent":     "The cashier has sent the money.",
	"returned": "The money is back in your balance.",
}

func (l lobby) money(w http.ResponseWriter, r *http.Request, p *player) {
	l.showMoney(w, r, http.StatusOK, page{Player: p, Done: done[r.FormValue("done")]})
}

func (l lobby) showMoney(w http.ResponseWriter, r *http.Request, status int, p page) {
	var list struct{ Data []transaction }
	if err := l.API.get(r.Context(), "/v1/transactions?limit=50&player="+url.QueryEscape(p.Player.ID), &list); err != nil {
		l.unknown(w, r, err)
		return
	}
	for _, t := range list.Data {
		v := row{transaction: t, What: strings.ToUpper(t.Kind[:1]) + t.Kind[1:], Amount: "+" + t.Win}
		cash := t.Kind == "cash-out"
		switch taken, less := strings.CutPrefix(t.Amount, "-"); {
		case less || cash:
			v.Amount = "−" + taken
		case t.Amount != "":
			v.Amount = "+" + t.Amount
		case t.Win == "0.00" && t.Bet != "0.00":
			v.Amount = "−" + t.Bet
		case t.Bet != "0.00":
			v.Amount = "−" + t.Bet + " +" + t.Win
		}
		switch {
		case t.FreeSpin:
			v.What, v.Amount = "Free spin", "0.00"
		case t.PaidAt != nil:
			v.State = "sent " + moment(*t.PaidAt)
		case t.RolledBackAt != nil && cash:
			v.State = "returned " + moment(*t.RolledBackAt)
		case t.RolledBackAt != nil:
			v.State = "canceled " + moment(*t.RolledBackAt)
		case cash:
			v.State = "requested"
			if id, _, ours := strings.Cut(t.ID, "@"); ours && strings.HasPrefix(id, "lobby-") {
				v.CashOut = id
				var now struct{ State string }
				if l.API.get(r.Context(), "/v1/cashouts/"+url.PathEscape(id), &now) == nil {
					v.State = strings.Replace(now.State, "waiting", "waits for approval in the back office", 1)
				}
			}
		}
		p.Rows = append(p.Rows, v)
	}
	p.Name = "money"
	l.show(w, status, p)
}

func moment(t time.Time) string { return t.Local().Format("2 Jan 15:04:05") }

// When returns the time at which the transaction was booked.
func (v row) When() string { return moment(v.At) }

var amounts = regexp.MustCompile(`^0*([0-9]{1,12})(?:[.,]([0-9]{1,2}))?$`)

// amountOf reads an amount as people type it, such as 25, 25.5 or 25,50.
func amountOf(typed string) (amount string, ok bool) {
	parts := amounts.FindStringSubmatch(typed)
	if parts == nil {
		return "", false
	}
	amount = parts[1] + "." + (parts[2] + "00")[:2]
	return amount, amount != "0.00"
}

func (l lobby) deposit(w http.ResponseWriter, r *http.Request, p *player) {
	l.cash(w, r, p, "deposit", "/v1/deposits")
}

func (l lobby) cashOut(w http.ResponseWriter, r *http.Request, p *player) {
	l.cash(w, r, p, "cashout", "/v1/cashouts")
}

func (l lobby) cash(w http.ResponseWriter, r *http.Request, p *player, form, path string) {
	typed := strings.TrimSpace(r.PostFormValue("amount"))
	amount, ok := amountOf(typed)
	if !ok {
		l.showMoney(w, r, http.StatusUnprocessableEntity, page{Player: p, Form: form, Typed: typed,
			Wrong: "Enter an amount above zero with at most two decimals, such as 25.00."})
		return
	}
	l.moved(w, r, p, form, typed, l.API.post(r.Context(), path, r.PostFormValue("key"),
		map[string]string{"player": p.ID, "amount": amount, "currency": p.Currency}, nil))
}

// cashier marks a cash-out as paid, or returns the money.
func (l lobby) cashier(w http.ResponseWriter, r *http.Request, p *player) {
	id, end, how := r.PostFormValue("id"), "commit", "sent"
	if r.PostFormValue("end") == "cancel" {
		end, how = "cancel", "returned"
	}
	l.moved(w, r, p, how, "", l.API.post(r.Context(), "/v1/cashouts/"+url.PathEscape(id)+"/"+end, id+"-"+how, struct{}{}, nil))
}

// moved shows whether money was moved, and why not.
func (l lobby) moved(w http.ResponseWriter, r *http.Request, p *player, form, typed string, err error) {
	switch why := refused(err); {
	case err == nil:
		http.Redirect(w, r, "/money?done="+form, http.StatusSeeOther)
	case why == "":
		l.unknown(w, r, err)
	default:
		l.showMoney(w, r, http.StatusUnprocessableEntity, page{Player: p, Form: form, Typed: typed, Wrong: why})
	}
}
