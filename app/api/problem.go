package api

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"pitboss/app/platform"
	"pitboss/callbacks/wire"
	"pitboss/models"
)

// Problem is the answer to a request that was not done (RFC 9457). Programs decide by Type, which is stable, and never by the
// words.
type Problem struct {
	Type   string              `json:"type" doc:"What is wrong, as a stable name for programs." example:"urn:pitboss:player-unknown"`
	Title  string              `json:"title" doc:"The meaning of the status."`
	Status int                 `json:"status"`
	Detail string              `json:"detail" doc:"What is wrong and what to do, for people."`
	Errors []*huma.ErrorDetail `json:"errors,omitempty" doc:"What is wrong with which part of the request."`

	Limit *playerLimit `json:"limit,omitempty" doc:"The player's limit that refused it."`

	retryAfter int // seconds; 0 for none
}

// Error returns the detail.
func (p *Problem) Error() string { return p.Detail }

// GetStatus returns the HTTP status.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType returns the content type of problems.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

func newProblem(status int, kind, detail string) *Problem {
	return &Problem{Type: "urn:pitboss:" + kind, Title: http.StatusText(status), Status: status, Detail: detail}
}

// strictJSON is JSON as callbacks have to be: no name twice in an object, and valid Unicode. Its errors name none of our types.
var strictJSON = huma.Format{Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: func(data []byte, v any) error {
	if err := wire.CheckJSON(data); err != nil {
		return err
	}
	err := json.Unmarshal(data, v)
	if field := new(json.UnmarshalTypeError); errors.As(err, &field) {
		return errors.New(field.Field + " has a value of the wrong type")
	}
	return err
}}

// Every error that huma finds becomes a Problem too. Names of fields are case-sensitive.
func init() {
	huma.ValidateStrictCasing = true
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		kind := "invalid"
		switch status {
		case http.StatusRequestEntityTooLarge:
			kind = "too-large"
		case http.StatusUnsupportedMediaType:
			kind, message = "media-type", "send application/json"
		case http.StatusInternalServerError:
			kind, message, errs = "internal", "an unexpected error; it is in the log", nil
		}
		p := newProblem(status, kind, sentence(message)+" Compare the request with /v1/openapi.json.")
		for _, err := range errs {
			detail := &huma.ErrorDetail{Message: err.Error()}
			var found huma.ErrorDetailer
			if errors.As(err, &found) {
				detail = found.ErrorDetail()
			}
			if strings.HasPrefix(detail.Message, "invalid date/time") {
				detail.Message = "expected a time such as 2026-11-21T18:30:00Z"
			}
			p.Errors = append(p.Errors, &huma.ErrorDetail{Message: detail.Message, Location: detail.Location}) // never the value
		}
		return p
	}
}

// refusals maps the domain's errors to problems. The error's own words say what is wrong, and the remedy what to do.
var refusals = []struct {
	err    error
	status int
	kind   string
	remedy string
}{
	{models.ErrPlayerUnknown, 404, "player-unknown", "IDs are case-sensitive."},
	{models.ErrPlayerExists, 409, "player-exists", "Read the player with GET /v1/players/{id}."},
	{models.ErrPlayerRestricted, 409, "player-restricted", "GET /v1/players/{id} says until when."},
	{models.ErrCloseNotEmpty, 409, "player-not-empty", "Pay out the balance first."},
	{models.ErrCashOutWaiting, 409, "cash-out-waiting", "GET /v1/cashouts/{id} shows when they have."},
	{models.ErrCashOutNotPaid, 409, "cash-out-not-paid", "GET /v1/cashouts/{id} returns its state."},
	{models.ErrGameUnknown, 404, "game-unknown", "GET /v1/games lists the games."},
	{models.ErrGameGone, 409, "game-gone", "GET /v1/games says which games are available."},
	{models.ErrGrantFreeSpinID, 404, "grant-unknown", ""},
	{models.ErrGrantUnknown, 404, "grant-unknown", "Use the ID that POST /v1/free-spins returned."},
	{models.ErrID, 422, "invalid", ""},
	{models.ErrSpins, 422, "invalid", ""},
	{models.ErrDecisionText, 422, "invalid", ""},
	{models.ErrRestrictionUntil, 422, "invalid", ""},
	{models.ErrRestrictionKind, 422, "invalid", ""},
	{models.ErrSelfExcludedScope, 422, "invalid", ""},
	{models.ErrLimitTwice, 422, "invalid", ""},
	{models.ErrLimitAmount, 422, "invalid", ""},
	{models.ErrLimitZone, 422, "invalid", ""},
	{models.ErrLimitZoneIs, 409, "limit-zone", "Leave it out: GET /v1/players/{id} returns it."},
	{models.ErrReasonMissing, 422, "invalid", ""},
	{models.ErrEventsLost, 409, "events-lost", "Send the IDs of earlier events, newest first: the first one accepted is the last event that " +
		"both sides have. Undo the effects of later events, and continue from there, or from 0."},
	{models.ErrCursorShape, 422, "invalid", "Send the next of an earlier answer to the same call with the same filters, or leave it out."},
}

// problem returns the answer to an error. An unknown error is a failure: it goes to the log, and the client can send the
// request again.
func (s *Server) problem(err error) error {
	for _, r := range refusals {
		if errors.Is(err, r.err) {
			return newProblem(r.status, r.kind, strings.TrimSpace(sentence(r.err.Error())+" "+r.remedy))
		}
	}
	var (
		known   *Problem
		frozen  models.FrozenError
		limit   models.LimitErrors
		pending models.PendingGrantError
		calling *platform.Error
	)
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, models.ErrRestrictedMany):
		p := newProblem(429, "too-many-restricted", sentence(models.ErrRestrictedMany.Error()))
		p.retryAfter = 600
		return p
	case errors.As(err, &frozen):
		return newProblem(409, "frozen", sentence(frozen.Error())+" Staff end the freeze in the back office.")
	case errors.As(err, &limit):
		return newProblem(409, "limit", sentence(limit.Error())+" Administrators set the limits of the bonus role.")
	case errors.As(err, &pending):
		return newProblem(409, "grant-pending", sentence(pending.Error()))
	case errors.As(err, &calling) && calling.Known:
		return newProblem(502, "platform", sentence(calling.Error())+" Nothing was changed. Send it again with another Idempotency-Key.")
	}
	s.Log.Error("A request to the API failed.", slog.Any("error", err))
	p := newProblem(503, "unavailable", "The request failed and may or may not have taken effect. Send it again with the same "+
		"Idempotency-Key: it never takes effect twice.")
	p.retryAfter = 1
	return p
}

// sentence returns a text as a sentence.
func sentence(text string) string {
	if text = strings.TrimSpace(text); text == "" {
		return text
	}
	text = strings.ToUpper(text[:1]) + text[1:]
	if !slices.Contains([]byte(".!?"), text[len(text)-1]) {
		text += "."
	}
	return text
}
