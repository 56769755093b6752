package simulator

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"pitboss/callbacks/wire"
)

// languages are the codes that /userAuth accepts (specification, Platform API rule 3).
var languages = []string{"en", "fr", "de", "it", "kr", "tr", "pt", "id", "es", "zh", "uk", "ru"}

const maxSpinCount = 10_000

// apiRequest is the body of a platform call. Fields that the call does not send are empty.
type apiRequest struct {
	APIToken   string         `json:"apiToken"`
	AgentID    string         `json:"agentID"`
	UserID     string         `json:"userID"`
	GameID     string         `json:"gameID"`
	Language   string         `json:"language"`
	SpinCount  jsontext.Value `json:"spinCount"` // a whole number
	FreeSpinID string         `json:"freeSpinID"`
	Sign       string         `json:"sign"`

	public string // the answer's URLs begin with this
}

var wholeNumbers = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,8})$`)

// invalidToken is the code that the platform answers to a wrong apiToken (platform notes).
const invalidToken wire.Result = 7

// apiAnswer is an answer: its result, with either a message or the call's fields.
type apiAnswer map[string]any

func refusal(result wire.Result, message string) apiAnswer {
	return apiAnswer{"result": result, "message": message}
}

// platformCall is one of the four calls: the values it signs, in order, and what it does when the signature is valid.
type platformCall struct {
	name   string
	signed func(r apiRequest) []string
	work   func(s *Simulator, r apiRequest) apiAnswer
}

// The order of signed values follows the specification (Authentication, Sign input order), which does not cover gameList and
// userAuth. For these two, it follows the platform notes (Signing).
var platformTable = []platformCall{
	{"gameList", func(r apiRequest) []string { return []string{r.AgentID} }, (*Simulator).gameList},
	{"userAuth", func(r apiRequest) []string { return []string{r.AgentID, r.UserID, r.GameID} }, (*Simulator).userAuth},
	{"assignFreeSpin", func(r apiRequest) []string {
		return []string{r.AgentID, r.UserID, r.GameID, string(r.SpinCount)}
	}, (*Simulator).assignFreeSpin},
	{"freeSpinStatus", func(r apiRequest) []string { return []string{r.AgentID, r.FreeSpinID} }, (*Simulator).freeSpinStatus},
}

// mood is how a platform call behaves, or misbehaves.
type mood struct {
	kind              string
	argument, message string
	calls             int // how many more calls have this mood; 0 means all, until the mood is changed
}

var moodShape = regexp.MustCompile(`^(gameList|userAuth|assignFreeSpin|freeSpinStatus|\*)=` +
	`(normal|slow|status|truncated|refused|not-json|dropped-before|dropped-after)(?:\(([^ ()]+) ?(.*)\))?(?::([1-9][0-9]*))?$`)

// SetMood sets how one platform call behaves, or all four with *: CALL=MOOD, or CALL=MOOD:N for only the next N calls. Below,
// the work is what a call asks for, such as granting spins.
//
//	gameList=normal                     does the work and answers
//	userAuth=slow(3s)                   waits, then behaves normally, even if the caller has hung up
//	*=status(503)                       answers with an HTTP status, without doing the work
//	assignFreeSpin=truncated            does the work; the answer is complete HTTP but truncated JSON
//	userAuth=refused(2 no such game):5  answers with a result and a message, without doing the work
//	gameList=not-json                   answers with an HTML page and status 200, without doing the work
//	assignFreeSpin=dropped-before       the connection breaks before the work is done
//	assignFreeSpin=dropped-after:1      does the work, then the connection breaks before any answer
func (s *Simulator) SetMood(spec string) error {
	parts := moodShape.FindStringSubmatch(spec)
	if parts == nil {
		return fmt.Errorf("%.80q is not a mood, such as userAuth=refused(2 no such game):5", spec)
	}
	m := mood{kind: parts[2], argument: parts[3], message: parts[4]}
	m.calls, _ = strconv.Atoi(parts[5]) // empty: 0
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, call := range platformTable {
		if parts[1] == "*" || parts[1] == call.name {
			s.moods[call.name] = m
		}
	}
	return nil
}

// nextMood returns the mood for this call, and counts the call.
func (s *Simulator) nextMood(name string) mood {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[name]++
	m := s.moods[name]
	if m.calls == 1 {
		delete(s.moods, name)
	} else if m.calls > 1 {
		s.moods[name] = mood{m.kind, m.argument, m.message, m.calls - 1}
	}
	return m
}

// serveCall answers a platform call in its current mood. Unless the mood prevents it, every answer is HTTP 200 with a result.
func (s *Simulator) serveCall(call platformCall, w http.ResponseWriter, r *http.Request) {
	body, readErr := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	m := s.nextMood(call.name)
	number, _ := strconv.Atoi(m.argument)
	w.Header().Set("Content-Type", "application/json")
	switch m.kind {
	case "slow":
		delay, _ := time.ParseDuration(m.argument)
		select {
		case <-time.After(delay):
		case <-r.Context().Done(): // the caller has hung up, but the platform does the work anyway
		}
	case "status":
		w.WriteHeader(number)
		return
	case "refused":
		w.Write(marshal(refusal(wire.Result(number), m.message)))
		return
	case "not-json":
		io.WriteString(w, "<!doctype html><title>Gateway</title><h1>We will be back shortly</h1>\n")
		return
	case "dropped-before":
		panic(http.ErrAbortHandler)
	}
	given := refusal(wire.WrongInput, "only POST is served")
	if readErr == nil && r.Method == http.MethodPost {
		given = s.judge(call, body, r.Host)
	}
	text := marshal(given)
	switch m.kind {
	case "dropped-after":
		panic(http.ErrAbortHandler)
	case "truncated":
		text = text[:len(text)/2]
	}
	w.Write(text)
}

// judge checks the form of the body (result 2), the token (7), the agent (4) and the signature (3), in this order, and then
// does the work. Names in the body are case-sensitive.
func (s *Simulator) judge(call platformCall, body []byte, host string) apiAnswer {
	var request apiRequest
	read := &request
	switch {
	case json.Unmarshal(body, &read) != nil || read == nil || len(request.SpinCount) > 0 && !wholeNumbers.Match(request.SpinCount):
		return refusal(wire.WrongInput, "the body is not a JSON object with fields of the expected types")
	case request.APIToken != s.config.APIToken:
		return refusal(invalidToken, "invalid API token")
	case request.AgentID != s.config.AgentID:
		return refusal(wire.InvalidAgent, "invalid agent")
	case request.Sign != wire.Sign(s.config.SecretKey, call.signed(request)...):
		return refusal(wire.InvalidSign, "invalid sign")
	}
	if request.public = s.config.PublicURL; request.public == "" {
		request.public = "http://" + host
	}
	given := apiAnswer{"result": wire.Success}
	maps.Copy(given, call.work(s, request))
	return given
}

func (s *Simulator) gameList(r apiRequest) apiAnswer { return apiAnswer{"games": s.offered(r.public)} }

func (s *Simulator) userAuth(r apiRequest) apiAnswer {
	game, offered := s.findGame(r.GameID)
	switch {
	case r.UserID == "":
		return refusal(wire.WrongInput, "userID is missing")
	case !slices.Contains(languages, r.Language):
		return refusal(wire.WrongInput, "language is not supported")
	case !offered:
		return refusal(wire.WrongInput, "game is not available")
	}
	address := token(24)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.launched[address] = table{r.UserID, game}
	return apiAnswer{"gameURL": r.public + "/play/" + address}
}

func (s *Simulator) assignFreeSpin(r apiRequest) apiAnswer {
	count, err := strconv.Atoi(string(r.SpinCount))
	_, offered := s.findGame(r.GameID)
	switch {
	case r.UserID == "":
		return refusal(wire.WrongInput, "userID is missing")
	case err != nil || count < 1 || count > maxSpinCount:
		return refusal(wire.WrongInput, fmt.Sprint("spinCount is not a whole number from 1 to ", maxSpinCount))
	case !offered:
		return refusal(wire.WrongInput, "game is not available")
	}
	freeSpinID := "fs-" + token(12)
	s.books.addGrant(Grant{FreeSpinID: freeSpinID, UserID: r.UserID, GameID: r.GameID, Total: count})
	return apiAnswer{"freeSpinID": freeSpinID}
}

func (s *Simulator) freeSpinStatus(r apiRequest) apiAnswer {
	if r.FreeSpinID == "" {
		return refusal(wire.WrongInput, "freeSpinID is missing")
	}
	for _, g := range s.Grants() {
		if g.FreeSpinID == r.FreeSpinID {
			return apiAnswer{"status": g.Status(), "totalSpins": g.Total, "usedSpins": g.Used, "remainingSpins": g.Total - g.Used}
		}
	}
	return refusal(wire.TransactionNotFound, "free spin bonus not found")
}
