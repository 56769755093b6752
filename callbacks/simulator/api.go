package simulator

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// languages are the codes that /userAuth accepts (specification, Platform API rule 3).
var languages = []string{"en", "fr", "de", "it", "kr", "tr", "pt", "id", "es", "zh", "uk", "ru"}

const (
	maxRequestBytes = 1 << 20
	maxSpinCount    = 10_000
)

// apiRequest is the body of a platform call. Missing fields are empty.
type apiRequest struct {
	apiToken, agentID, userID, gameID, language, currency, spinCount, freeSpinID, sign string

	public string // base of the URLs in the answer
}

var errShape = errors.New("the body is not a JSON object with fields of the expected types")

// readRequest decodes a body. Names are case-sensitive. Every known field is a string, except spinCount, a whole number.
func readRequest(body []byte) (apiRequest, error) {
	var request apiRequest
	var fields map[string]json.RawMessage
	if !utf8.Valid(body) || json.Unmarshal(body, &fields) != nil || fields == nil {
		return request, errShape
	}
	for name, field := range map[string]*string{
		"apiToken": &request.apiToken, "agentID": &request.agentID, "userID": &request.userID, "gameID": &request.gameID,
		"language": &request.language, "currency": &request.currency, "freeSpinID": &request.freeSpinID, "sign": &request.sign,
	} {
		value, there := fields[name]
		if there && (!bytes.HasPrefix(value, []byte{'"'}) || json.Unmarshal(value, field) != nil) {
			return request, errShape
		}
	}
	if value, there := fields["spinCount"]; there {
		if !writtenInteger.Match(value) {
			return request, errShape
		}
		request.spinCount = string(value)
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
	{"gameList", func(r apiRequest) []string { return []string{r.agentID} }, (*Simulator).gameList},
	{"userAuth", func(r apiRequest) []string { return []string{r.agentID, r.userID, r.gameID} }, (*Simulator).userAuth},
	{"assignFreeSpin", func(r apiRequest) []string {
		return []string{r.agentID, r.userID, r.gameID, r.spinCount}
	}, (*Simulator).assignFreeSpin},
	{"freeSpinStatus", func(r apiRequest) []string { return []string{r.agentID, r.freeSpinID} }, (*Simulator).freeSpinStatus},
}

func (s *Simulator) routeAPI(mux *http.ServeMux) {
	for _, call := range platformTable {
		mux.HandleFunc("/"+call.name, func(w http.ResponseWriter, r *http.Request) { s.serveCall(call, w, r) })
	}
}

// serveCall answers a platform call in its current mood. Every answer is HTTP 200 with a result, unless the mood prevents it.
func (s *Simulator) serveCall(call platformCall, w http.ResponseWriter, r *http.Request) {
	body, readErr := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequestBytes))
	mood := s.moods.next(call.name)
	s.mu.Lock()
	s.calls[call.name]++
	s.mu.Unlock()

	switch mood.Kind {
	case moodSlow:
		wait := time.NewTimer(mood.Delay)
		select {
		case <-wait.C:
		case <-r.Context().Done(): // the caller hung up; the platform still does what it was asked
		}
		wait.Stop()
	case moodStatus:
		s.logCall(call.name, mood, -1)
		http.Error(w, http.StatusText(mood.Status), mood.Status)
		return
	case moodRefused:
		s.logCall(call.name, mood, mood.Result)
		writeJSON(w, apiAnswer{"result": mood.Result, "message": mood.Message})
		return
	case moodNotJSON:
		s.logCall(call.name, mood, -1)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, "<!doctype html><title>Gateway</title><h1>We will be back shortly</h1>\n")
		return
	case moodDroppedBefore:
		s.logCall(call.name, mood, -1)
		panic(http.ErrAbortHandler)
	}

	result, message, fields := resultWrongInput, "the body could not be read", apiAnswer(nil)
	if readErr == nil && r.Method == http.MethodPost {
		result, message, fields = s.judge(call, body, s.publicURL(r))
	} else if r.Method != http.MethodPost {
		message = "only POST is served"
	}
	given := apiAnswer{"result": result}
	for name, value := range fields {
		given[name] = value
	}
	if result != resultSuccess {
		given["message"] = message
	}
	s.logCall(call.name, mood, result)

	switch mood.Kind {
	case moodDroppedAfter:
		panic(http.ErrAbortHandler)
	case moodHalf, moodTruncated:
		whole := marshal(given)
		w.Header().Set("Content-Type", "application/json")
		length := len(whole)
		if mood.Kind == moodTruncated {
			length /= 2
		}
		w.Header().Set("Content-Length", strconv.Itoa(length))
		w.Write(whole[:len(whole)/2])
		if mood.Kind == moodHalf {
			http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}
		return
	}
	writeJSON(w, given)
}

func (s *Simulator) logCall(name string, mood callMood, result int) {
	s.log.Info("platform call", "call", name, "mood", mood.Kind, "result", result)
}

// judge checks the body's shape (result 2), the token (7), the agent (4) and the signature (3), in this order. Then it does
// what the call asks for.
func (s *Simulator) judge(call platformCall, body []byte, public string) (int, string, apiAnswer) {
	request, err := readRequest(body)
	if err != nil {
		return resultWrongInput, err.Error(), nil
	}
	request.public = public
	if request.apiToken != s.config.APIToken {
		return resultInvalidToken, "invalid API token", nil
	}
	if request.agentID != s.config.AgentID {
		return resultInvalidAgent, "invalid agent", nil
	}
	if request.sign != sign(s.config.SecretKey, call.signed(request)...) {
		return resultInvalidSign, "invalid sign", nil
	}
	return call.work(s, request)
}

func (s *Simulator) gameList(r apiRequest) (int, string, apiAnswer) {
	return resultSuccess, "", apiAnswer{"games": s.games.offered(r.public)}
}

func (s *Simulator) userAuth(r apiRequest) (int, string, apiAnswer) {
	if r.userID == "" {
		return resultWrongInput, "userID is missing", nil
	}
	if !slices.Contains(languages, r.language) {
		return resultWrongInput, "language is not supported", nil
	}
	game, offered := s.games.find(r.gameID)
	if !offered {
		return resultWrongInput, "game is not available", nil
	}
	token := s.token(24)
	s.tables.launch(token, r.userID, game)
	return resultSuccess, "", apiAnswer{"gameURL": r.public + "/play/" + token}
}

func (s *Simulator) assignFreeSpin(r apiRequest) (int, string, apiAnswer) {
	if r.userID == "" {
		return resultWrongInput, "userID is missing", nil
	}
	count, err := strconv.Atoi(r.spinCount)
	if err != nil || count < 1 || count > maxSpinCount {
		return resultWrongInput, "spinCount is not a whole number from 1 to " + strconv.Itoa(maxSpinCount), nil
	}
	if _, offered := s.games.find(r.gameID); !offered {
		return resultWrongInput, "game is not available", nil
	}
	freeSpinID := "fs-" + s.token(12)
	s.grants.add(freeSpinID, r.userID, r.gameID, count)
	return resultSuccess, "", apiAnswer{"freeSpinID": freeSpinID}
}

func (s *Simulator) freeSpinStatus(r apiRequest) (int, string, apiAnswer) {
	if r.freeSpinID == "" {
		return resultWrongInput, "freeSpinID is missing", nil
	}
	grant, known := s.grants.find(r.freeSpinID)
	if !known {
		return resultNotFound, "free spin bonus not found", nil
	}
	return resultSuccess, "", apiAnswer{
		"status": grant.Status, "totalSpins": grant.Total, "usedSpins": grant.Used, "remainingSpins": grant.Remaining,
	}
}

func marshal(value any) []byte {
	var written bytes.Buffer
	encoder := json.NewEncoder(&written)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic("simulator: an answer did not marshal: " + err.Error())
	}
	return written.Bytes()
}

func writeJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Write(marshal(value))
}
