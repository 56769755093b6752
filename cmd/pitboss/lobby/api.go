package lobby

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// API calls the operator's API as its OpenAPI document describes it. If the outcome of a POST is unknown, the lobby sends it
// again with the same key, and the API does it once.
type API struct {
	URL   string // for example http://127.0.0.1:8083
	Token string
	HTTP  *http.Client
}

// The parts of the API's answers that the lobby shows.
type (
	player struct{ ID, Balance, Held, Currency string }
	game   struct {
		ID, Name, Provider, Thumbnail string
		Available                     bool
	}
	transaction struct {
		ID, Kind, Bet, Win string
		Amount             string  // of cash and adjustments, which have neither Bet nor Win
		Balance            *string // nil for a free spin
		FreeSpin           bool    `json:"free_spin"`
		At                 time.Time
		PaidAt             *time.Time `json:"paid_at"`
		RolledBackAt       *time.Time `json:"rolled_back_at"`
	}
)

// problem is the body with which the API refuses a call.
type problem struct {
	Type, Detail string
	Status       int
}

func (p *problem) Error() string { return p.Detail }

// kindOf returns the type of the problem with which the API refused a call, or an empty text if the outcome of the call is
// unknown.
func kindOf(err error) string {
	var refused *problem
	if !errors.As(err, &refused) || refused.Status == http.StatusInternalServerError || refused.Status == http.StatusServiceUnavailable {
		return ""
	}
	return strings.TrimPrefix(refused.Type, "urn:pitboss:")
}

// get decodes the answer at a path into out.
func (a API) get(ctx context.Context, path string, out any) error {
	return a.call(ctx, http.MethodGet, path, "", nil, out)
}

// post sends in with an Idempotency-Key, and decodes the answer into out, which may be nil.
func (a API) post(ctx context.Context, path, key string, in, out any) error {
	return a.call(ctx, http.MethodPost, path, key, in, out)
}

func (a API) call(ctx context.Context, method, path, key string, in, out any) error {
	var body io.Reader
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, a.URL+path, body)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+a.Token)
	if in != nil {
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", key)
	}
	response, err := a.HTTP.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer := json.NewDecoder(io.LimitReader(response.Body, 1<<20))
	if response.StatusCode/100 != 2 {
		refused := problem{Status: response.StatusCode}
		if answer.Decode(&refused) != nil || refused.Type == "" {
			return fmt.Errorf("%s %s: the API answered %s without a problem document", method, path, response.Status)
		}
		return &refused
	}
	if out == nil {
		return nil
	}
	return answer.Decode(out)
}

// player returns a player, or nil if the API knows none with this ID.
func (a API) player(ctx context.Context, id string) (*player, error) {
	var p player
	err := a.get(ctx, "/v1/players/"+url.PathEscape(id), &p)
	if kindOf(err) == "player-unknown" {
		return nil, nil
	}
	return &p, err
}

// games returns the games that players can open.
func (a API) games(ctx context.Context) (games []game, err error) {
	for next := "/v1/games?limit=200"; ; {
		var page struct {
			Data []game
			Next string
		}
		if err := a.get(ctx, next, &page); err != nil {
			return nil, err
		}
		for _, g := range page.Data {
			if g.Available {
				games = append(games, g)
			}
		}
		if page.Next == "" {
			return games, nil
		}
		next = "/v1/games?limit=200&after=" + url.QueryEscape(page.Next)
	}
}

// launch opens a game and returns its address. Every launch has a new key, because the API returns an address only once.
func (a API) launch(ctx context.Context, playerID, gameID string) (address string, err error) {
	var opened struct {
		URL string `json:"game_url"`
	}
	err = a.post(ctx, "/v1/launches", "lobby-"+rand.Text(),
		map[string]string{"player": playerID, "game": gameID, "language": "en"}, &opened)
	return opened.URL, err
}
