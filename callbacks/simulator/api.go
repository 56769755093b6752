package simulator

import (
	"errors"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// languages are the codes that /userAuth accepts (specification, Platform API rule 3).
var languages = []string{"en", "fr", "de", "it", "kr", "tr", "pt", "id", "es", "zh", "uk", "ru"}

const (
	maxRequestBytes = 1 << 20
	maxSpinCount    = 10_000
)

// apiRequest is the body of a platform call. Missing fields are empty.
type apiRequest struct {
	APIToken   string         `json:"apiToken"`
	AgentID    string         `json:"agentID"`
	UserID     string         `json:"userID"`
	GameID     string         `json:"gameID"`
	Language   string         `json:"language"`
	SpinCount  jsontext.Value `json:"spinCount"` // a whole number
	FreeSpinID string         `json:"freeSpinID"`
	Sign       string         `json:"sign"`

	public string // base of the URLs in the answer
}

var (
	errShape     = errors.New("the body is not a JSON object with fields of the expected types")
	wholeNumbers = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,8})$`)
)

// readRequest decodes a body. Names are case-sensitive.
func readRequest(body []byte) (request apiRequest, err error) {
	read := &request
	if json.Unmarshal(body, &read) != nil || read == nil || len(request.SpinCount) > 0 && !wholeNumbers.Match(request.SpinCount) {
		return request, errShape
	}
	return request, nil
}

// apiAnswer has the fields of an answer besides result and message.
type apiAnswer map[string]any

// platformCall is one of the four calls: which values it signs, in order, and what it does if the signature is valid.
type platformCall struct {
	name   string
	signed func(r apiRequest) []string
	work   func(s *Simulator, r apiRequest) (result int, message string, fields apiAnswer)
}

// The order of signed values follows the specification (Authentication, Sign input order). It leaves gameList and userAuth
// open; these two follow the platform notes (Signing).
var platformTable = []platformCall{
	{"gameList", func(r apiRequest) []string { return []string{r.AgentID} }, (*Simulator).gameList},
	{"userAuth", func(r apiRequest) []string { return []string{r.AgentID, r.UserID, r.GameID} }, (*Simulator).userAuth},
	{"assignFreeSpin", func(r apiRequest) []string {
		return []string{r.AgentID, r.UserID, r.GameID, string(r.SpinCount)}
	}, (*Simulator).assignFreeSpin},
	{"freeSpinStatus", func(r apiRequest) []string { return []string{r.AgentID, r.FreeSpinID} }, (*Simulator).freeSpinStatus},
}

func (s *Simulator) routeAPI(mux *http.ServeMux) {
	for _, call := range platformTable {
		mux.HandleFunc("/"+call.name, func(w http.ResponseWriter, r *http.Request) { s.serveCall(call, w, r) })
	}
}

// serveCall answers a platform call in its current mood. Every answer is HTTP 200 with a result, unless the mood prevents it.
func (s *Simulator) serveCall(call platformCall, w http.ResponseWriter, r *http.Request) {
	body, readErr := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequestBytes))
	mood := s.nextMood(call.name)
	s.log.Info("platform call", "call", call.name, "mood", mood.kind)
	switch mood.kind {
	case "slow":
		delay, err := time.ParseDuration(mood.argument)
		if err != nil {
			delay = 5 * time.Second
		}
		select {
		case <-time.After(delay):
		case <-r.Context().Done(): // the caller hung up; the platform still does what it was asked
		}
	case "status":
		w.WriteHeader(mood.number(http.StatusInternalServerError))
		return
	case "refused":
		writeJSON(w, apiAnswer{"result": mood.number(resultGeneralError), "message": mood.message})
		return
	case "not-json":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, "<!doctype html><title>Gateway</title><h1>We will be back shortly</h1>\n")
		return
	case "dropped-before":
		panic(http.ErrAbortHandler)
	}

	result, message, fields := resultWrongInput, "the body could not be read", apiAnswer(nil)
	if readErr == nil && r.Method == http.MethodPost {
		result, message, fields = s.judge(call, body, s.publicURL(r))
	} else if r.Method != http.MethodPost {
		message = "only POST is served"
	}
	given := apiAnswer{"result": result}
	maps.Copy(given, fields)
	if result != resultSuccess {
		given["message"] = message
	}

	switch mood.kind {
	case "dropped-after":
		panic(http.ErrAbortHandler)
	case "truncated":
		whole := marshal(given)
		w.Header().Set("Content-Type", "application/json")
		w.Write(whole[:len(whole)/2])
	default:
		writeJSON(w, given)
	}
}

// judge checks the body's shape (result 2), the token (7), the agent (4) and the signature (3), in this order. Then it does
// what the call asks for.
func (s *Simulator) judge(call platformCall, body []byte, public string) (int, string, apiAnswer) {
	request, err := readRequest(body)
	if err != nil {
		return resultWrongInput, err.Error(), nil
	}
	request.public = public
	if request.APIToken != s.config.APIToken {
		return resultInvalidToken, "invalid API token", nil
	}
	if request.AgentID != s.config.AgentID {
		return resultInvalidAgent, "invalid agent", nil
	}
	if request.Sign != sign(s.config.SecretKey, call.signed(request)...) {
		return resultInvalidSign, "invalid sign", nil
	}
	return call.work(s, request)
}

func (s *Simulator) gameList(r apiRequest) (int, string, apiAnswer) {
	return resultSuccess, "", apiAnswer{"games": s.offered(r.public)}
}

func (s *Simulator) userAuth(r apiRequest) (int, string, apiAnswer) {
	if r.UserID == "" {
		return resultWrongInput, "userID is missing", nil
	}
	if !slices.Contains(languages, r.Language) {
		return resultWrongInput, "language is not supported", nil
	}
	game, offered := s.findGame(r.GameID)
	if !offered {
		return resultWrongInput, "game is not available", nil
	}
	address := token(24)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.launched[address] = table{r.UserID, game}
	return resultSuccess, "", apiAnswer{"gameURL": r.public + "/play/" + address}
}

func (s *Simulator) assignFreeSpin(r apiRequest) (int, string, apiAnswer) {
	if r.UserID == "" {
		return resultWrongInput, "userID is missing", nil
	}
	count, err := strconv.Atoi(string(r.SpinCount))
	if err != nil || count < 1 || count > maxSpinCount {
		return resultWrongInput, "spinCount is not a whole number from 1 to " + strconv.Itoa(maxSpinCount), nil
	}
	if _, offered := s.findGame(r.GameID); !offered {
		return resultWrongInput, "game is not available", nil
	}
	freeSpinID := "fs-" + token(12)
	s.books.addGrant(Grant{FreeSpinID: freeSpinID, UserID: r.UserID, GameID: r.GameID, Total: count})
	return resultSuccess, "", apiAnswer{"freeSpinID": freeSpinID}
}

func (s *Simulator) freeSpinStatus(r apiRequest) (int, string, apiAnswer) {
	if r.FreeSpinID == "" {
		return resultWrongInput, "freeSpinID is missing", nil
	}
	grant, known := s.books.findGrant(r.FreeSpinID)
	if !known {
		return resultNotFound, "free spin bonus not found", nil
	}
	return resultSuccess, "", apiAnswer{
		"status": grant.Status(), "totalSpins": grant.Total, "usedSpins": grant.Used, "remainingSpins": grant.Total - grant.Used,
	}
}

func marshal(value any) []byte {
	written, err := json.Marshal(value)
	if err != nil {
		panic("simulator: strings and numbers did not marshal: " + err.Error())
	}
	return written
}

func writeJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Write(marshal(value))
}
