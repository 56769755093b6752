package simulator

import (
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
)

// refuseCrossSite refuses requests from other sites' pages in the same browser, which could play games or change moods.
func refuseCrossSite(next http.Handler) http.Handler {
	return http.NewCrossOriginProtection().Handler(next)
}

// maxListedGames is how many games the HTML page shows; the JSON has all.
const maxListedGames = 100

func (s *Simulator) routeControls(mux *http.ServeMux) {
	mux.HandleFunc("GET /{$}", s.showHome)
	mux.HandleFunc("GET /simulator/moods", s.showMoods)
	mux.HandleFunc("POST /simulator/moods", control("/simulator/moods", s.changeMoods, s.showMoods))
	mux.HandleFunc("GET /simulator/games", s.showGames)
	mux.HandleFunc("POST /simulator/games", control("/simulator/games", s.changeGame, s.showGames))
	mux.HandleFunc("GET /simulator/grants", s.showGrants)
	mux.HandleFunc("GET /simulator/statement.csv", s.sendStatement)
	mux.HandleFunc("GET /simulator/status", s.showStatus)
	mux.HandleFunc("POST /simulator/status", control("/simulator/status", s.changeStatus, s.showStatus))
}

func wantsPage(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept"), "text/html") }

// control applies a change sent as a form or as a JSON object of strings. A form is redirected to the page; JSON is answered
// with the new state. An invalid change gets status 400 and the reason.
func control(page string, change func(fields map[string]string) error, state http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		fields, err := readFields(w, r)
		if err == nil {
			err = change(fields)
		}
		switch {
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadRequest)
		case wantsPage(r):
			http.Redirect(w, r, page, http.StatusSeeOther)
		default:
			state(w, r)
		}
	}
}

func readFields(w http.ResponseWriter, r *http.Request) (map[string]string, error) {
	r.Body = http.MaxBytesReader(w, r.Body, maxRequestBytes)
	fields := map[string]string{}
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind == "application/json" {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(body, &fields); err != nil {
			return nil, fmt.Errorf("expected a JSON object of strings: %w", err)
		}
		return fields, nil
	}
	if err := r.ParseForm(); err != nil {
		return nil, err
	}
	for name := range r.PostForm {
		fields[name] = r.PostForm.Get(name)
	}
	return fields, nil
}

type homePage struct {
	Title       string
	AgentID     string
	CallbackURL string
	Games       int
	Removed     int
	Grants      int
	Calls       []callCount
	Moods       []Mood
	Spelling    string
}

type callCount struct {
	Name  string
	Count int
}

func (s *Simulator) showHome(w http.ResponseWriter, r *http.Request) {
	page := homePage{
		Title: "Game platform simulator", AgentID: s.config.AgentID, CallbackURL: s.config.CallbackURL,
		Games: len(s.Games()), Removed: len(s.games.gone()), Grants: len(s.Grants()), Moods: s.Moods(),
		Spelling: s.statusSpelling(),
	}
	counts := s.Calls()
	for _, name := range platformCalls {
		page.Calls = append(page.Calls, callCount{name, counts[name]})
	}
	s.show(w, http.StatusOK, "home", page)
}

type moodsPage struct {
	Title string
	Moods []Mood
	Calls []string
	Kinds []string
}

func (s *Simulator) showMoods(w http.ResponseWriter, r *http.Request) {
	if wantsPage(r) {
		s.show(w, http.StatusOK, "moods", moodsPage{"Moods of the platform", s.Moods(), platformCalls, moodKinds})
		return
	}
	var written []string
	for _, mood := range s.Moods() {
		written = append(written, mood.String())
	}
	writeJSON(w, map[string][]string{"moods": written})
}

// changeMoods takes either a list in the format of ParseMoods (field moods), or the parts of one mood (fields endpoint, mood,
// argument, calls).
func (s *Simulator) changeMoods(fields map[string]string) error {
	if spec, whole := fields["moods"]; whole {
		return s.SetMoods(spec)
	}
	spec := fields["endpoint"] + "=" + fields["mood"]
	if fields["argument"] != "" {
		spec += "(" + fields["argument"] + ")"
	}
	if fields["calls"] != "" {
		spec += ":" + fields["calls"]
	}
	mood, err := parseMood(spec)
	if err != nil {
		return err
	}
	return s.SetMood(mood)
}

type gamesPage struct {
	Title   string
	Query   string
	Games   []Game
	More    int
	Removed []Game
}

func (s *Simulator) showGames(w http.ResponseWriter, r *http.Request) {
	offered, removed := s.Games(), s.games.gone()
	if !wantsPage(r) {
		writeJSON(w, map[string][]Game{"games": offered, "removed": removed})
		return
	}
	page := gamesPage{Title: "Games on offer", Query: r.URL.Query().Get("q"), Removed: removed}
	for _, game := range offered {
		if !strings.Contains(strings.ToLower(game.GameID+" "+game.GameName+" "+game.Provider), strings.ToLower(page.Query)) {
			continue
		}
		if len(page.Games) < maxListedGames {
			page.Games = append(page.Games, game)
		} else {
			page.More++
		}
	}
	s.show(w, http.StatusOK, "games", page)
}

// changeGame takes a gameID and an action: remove, restore, or rename, which needs a name.
func (s *Simulator) changeGame(fields map[string]string) error {
	switch fields["action"] {
	case "remove":
		return s.RemoveGame(fields["gameID"])
	case "restore":
		return s.RestoreGame(fields["gameID"])
	case "rename":
		return s.RenameGame(fields["gameID"], fields["name"])
	}
	return fmt.Errorf("%.40q is not an action; use remove, restore or rename", fields["action"])
}

type grantsPage struct {
	Title  string
	Grants []Grant
}

func (s *Simulator) showGrants(w http.ResponseWriter, r *http.Request) {
	if wantsPage(r) {
		s.show(w, http.StatusOK, "grants", grantsPage{"Free spins granted", s.Grants()})
		return
	}
	writeJSON(w, map[string][]Grant{"grants": s.Grants()})
}

type statusPage struct {
	Title     string
	Spelling  string
	Spellings []string
}

func (s *Simulator) showStatus(w http.ResponseWriter, r *http.Request) {
	if wantsPage(r) {
		s.show(w, http.StatusOK, "status", statusPage{"Spelling of the free spin counts", s.statusSpelling(), spellings})
		return
	}
	writeJSON(w, map[string]string{"spelling": s.statusSpelling()})
}

func (s *Simulator) changeStatus(fields map[string]string) error {
	return s.SetStatusSpelling(fields["spelling"])
}

func (s *Simulator) statusSpelling() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.spelling
}
