// Package lobby is a small casino for trying Pitboss out: players sign up, pay in, pick a game by its picture, play and cash
// out. Like a casino's website, it knows only the operator's API and nothing else of Pitboss. Its cashier has no bank: the
// visitor says whether the money was sent.
//
// It asks for no passwords, so it belongs on loopback, with an API client that only reaches test players.
package lobby

import (
	"bytes"
	"cmp"
	"crypto/rand"
	_ "embed" // the pages
	"html/template"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// Config configures the lobby.
type Config struct {
	API      API
	Platform string   // the origin of games and pictures, for example http://127.0.0.1:8090
	Currency string   // of players who sign up
	Players  []string // whom visitors can log in as without signing up
	Log      *slog.Logger
}

type lobby struct{ Config }

//go:embed lobby.html
var pagesText string

//go:embed lobby.css
var style []byte

var pages = template.Must(template.New("lobby").Parse(pagesText))

// New returns a handler for the lobby's pages. Pages of other sites cannot post to them.
func New(config Config) http.Handler {
	l := lobby{config}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", l.home)
	mux.HandleFunc("POST /signup", l.signUp)
	mux.HandleFunc("POST /login", l.logIn)
	mux.HandleFunc("POST /logout", func(w http.ResponseWriter, r *http.Request) { enter(w, r, "") })
	mux.HandleFunc("POST /play", l.signedIn(l.play))
	mux.HandleFunc("GET /money", l.signedIn(l.money))
	mux.HandleFunc("POST /deposits", l.signedIn(l.deposit))
	mux.HandleFunc("POST /cashouts", l.signedIn(l.cashOut))
	mux.HandleFunc("POST /cashier", l.signedIn(l.cashier))
	mux.HandleFunc("GET /lobby.css", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		w.Write(style)
	})
	policy := "default-src 'none'; style-src 'self'; img-src 'self' " + config.Platform + "; form-action 'self' " + config.Platform +
		"; base-uri 'none'; frame-ancestors 'none'"
	return http.NewCrossOriginProtection().Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Cache-Control", "no-store")
		header.Set("Content-Security-Policy", policy)
		header.Set("Referrer-Policy", "same-origin")
		header.Set("X-Content-Type-Options", "nosniff")
		r.Body = http.MaxBytesReader(w, r.Body, 16<<10)
		mux.ServeHTTP(w, r)
	}))
}

// page is the data of a page.
type page struct {
	Name   string  // the template's name
	Player *player // nil unless somebody is logged in
	Key    string  // for the form with an Idempotency-Key
	Done   string  // what was just done
	Form   string  // the form that was refused
	Typed  string  // what was typed into that form
	Wrong  string  // why the form was refused

	Players  []string // welcome
	Currency string

	Games      []game // games
	Query      string
	Found      int
	Next, Back int

	Rows []row // money

	Repeat url.Values // the form to send again, because its outcome is unknown
	Path   string
}

func (l lobby) show(w http.ResponseWriter, status int, p page) {
	p.Key, p.Currency = "lobby-"+rand.Text(), l.Currency
	var text bytes.Buffer
	if err := pages.ExecuteTemplate(&text, "page", p); err != nil {
		l.Log.Error("The lobby could not show a page.", "error", err)
		http.Error(w, "This page failed. The log says why.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	w.Write(text.Bytes())
}

// playerCookie holds the ID of the player who is logged in. There are no passwords, so the cookie needs no signature.
const playerCookie = "lobby_player"

// enter logs a player in, or out if the ID is empty, and shows the lobby.
func enter(w http.ResponseWriter, r *http.Request, id string) {
	age := 0
	if id == "" {
		age = -1
	}
	http.SetCookie(w, &http.Cookie{Name: playerCookie, Value: url.QueryEscape(id), Path: "/", HttpOnly: true, MaxAge: age,
		SameSite: http.SameSiteStrictMode})
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// player returns the player who is logged in, or nil.
func (l lobby) player(r *http.Request) (*player, error) {
	cookie, err := r.Cookie(playerCookie)
	if err != nil {
		return nil, nil
	}
	id, err := url.QueryUnescape(cookie.Value)
	if err != nil || id == "" {
		return nil, nil
	}
	return l.API.player(r.Context(), id)
}

// signedIn calls a handler with the player who is logged in, or else redirects to the page for logging in.
func (l lobby) signedIn(handle func(http.ResponseWriter, *http.Request, *player)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		p, err := l.player(r)
		switch {
		case err != nil:
			l.unknown(w, r, err)
		case p == nil:
			http.Redirect(w, r, "/", http.StatusSeeOther)
		default:
			handle(w, r, p)
		}
	}
}

// refusals says in a casino's words why the API refused a call, by the type of its problem.
var refusals = map[string]string{
	"player-exists":      "This name is taken. Choose another one, or log in with it.",
	"player-unknown":     "There is no test player with this name. Sign up with it.",
	"player-restricted":  "You cannot do this at the moment. The casino’s support can say why.",
	"player-limit":       "This would exceed a limit that you have set.",
	"insufficient-funds": "This is more than your balance.",
	"cash-limit":         "This is more than the cashier moves at once.",
	"too-much":           "This is more than a wallet holds.",
	"cash-out-ended":     "This cash-out has ended already.",
	"key-reused":         "This form was sent before, with other values. Look at your transactions before you send it again.",
	"frozen":             "This cannot be played at the moment. Pick another game.",
	"game-unknown":       "The casino does not have this game any more. Pick another one.",
	"game-gone":          "The casino does not have this game any more. Pick another one.",
	"launch-failed":      "The platform did not open the game. Try again, or pick another one.",
}

// refused returns the casino's words for a refusal, or an empty text if the outcome of the call is unknown.
func refused(err error) string {
	kind := kindOf(err)
	if kind == "" {
		return ""
	}
	return cmp.Or(refusals[kind], err.Error())
}

// unknown shows that the API's answer does not say what became of a call. The visitor can send the form again, with the same
// key.
func (l lobby) unknown(w http.ResponseWriter, r *http.Request, err error) {
	l.Log.Warn("The lobby’s API call failed.", "error", err)
	p := page{Name: "unknown", Path: r.URL.Path, Wrong: refused(err)}
	if r.Method == http.MethodPost && r.ParseForm() == nil {
		p.Repeat = r.PostForm
	}
	l.show(w, http.StatusServiceUnavailable, p)
}

var names = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{1,29}$`)

// named reads the name from a form, and shows the form again if the name is invalid.
func (l lobby) named(w http.ResponseWriter, r *http.Request, form string) (name string, ok bool) {
	name = strings.ToLower(strings.TrimSpace(r.PostFormValue("name")))
	if !names.MatchString(name) {
		l.welcome(w, http.StatusUnprocessableEntity, page{Form: form, Typed: name,
			Wrong: "A name has 2 to 30 letters from a to z, digits and hyphens, such as lena-7."})
		return "", false
	}
	return name, true
}

func (l lobby) welcome(w http.ResponseWriter, status int, p page) {
	p.Name, p.Players = "welcome", l.Players
	l.show(w, status, p)
}

func (l lobby) signUp(w http.ResponseWriter, r *http.Request) {
	name, ok := l.named(w, r, "signup")
	if !ok {
		return
	}
	err := l.API.post(r.Context(), "/v1/players", r.PostFormValue("key"),
		map[string]any{"id": name, "currency": l.Currency, "test": true}, nil)
	l.entered(w, r, "signup", name, err)
}

func (l lobby) logIn(w http.ResponseWriter, r *http.Request) {
	name, ok := l.named(w, r, "login")
	if !ok {
		return
	}
	l.entered(w, r, "login", name, l.API.get(r.Context(), "/v1/players/"+url.PathEscape(name), new(player)))
}

func (l lobby) entered(w http.ResponseWriter, r *http.Request, form, name string, err error) {
	why := refused(err)
	switch {
	case err == nil:
		enter(w, r, name)
	case why == "":
		l.unknown(w, r, err)
	default:
		l.welcome(w, http.StatusUnprocessableEntity, page{Form: form, Typed: name, Wrong: why})
	}
}

func (l lobby) home(w http.ResponseWriter, r *http.Request) {
	p, err := l.player(r)
	switch {
	case err != nil:
		l.unknown(w, r, err)
	case p == nil:
		l.welcome(w, http.StatusOK, page{})
	default:
		l.games(w, r, http.StatusOK, page{Player: p})
	}
}
