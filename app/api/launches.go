package api

import (
	"context"
	"net/http"
	"time"

	"pitboss/app/gamesession"
	"pitboss/models"
)

type newLaunch struct {
	Player   string `json:"player" minLength:"1" maxLength:"255" example:"anna"`
	Game     string `json:"game" minLength:"1" maxLength:"255" doc:"The game's ID."`
	Language string `json:"language" enum:"en,fr,de,it,kr,tr,pt,id,es,zh,uk,ru" example:"en"`
}

type launch struct {
	ID       int64     `json:"id" doc:"Of the session in the back office."`
	At       time.Time `json:"at"`
	Player   string    `json:"player"`
	Game     string    `json:"game"`
	Language string    `json:"language"`
	GameURL  string    `json:"game_url" doc:"Send the player's browser there now. It is given once."`
}

type game struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Provider  string `json:"provider"`
	Type      string `json:"type"`
	Thumbnail string `json:"thumbnail" doc:"The address of a picture; empty if the platform has none."`
	Available bool   `json:"available"`
}

func (s *Server) launches() {
	call(s, "launchGame", http.MethodPost, "/v1/launches", models.ScopeLaunches, "Open a game for a player", []int{404, 502},
		func(ctx context.Context, in *struct {
			Keyed
			Body newLaunch
		}) (*body[launch], error) {
			if _, err := s.player(ctx, in.Body.Player); err != nil {
				return nil, err
			}
			var address string
			id, repeated, err := s.once(ctx, "POST /v1/launches", in.Key, in.Body,
				func(ctx context.Context, by models.Actor) (err error) {
					address, _, err = s.Launcher.Launch(ctx, by, gamesession.Request{UserID: models.UserID(in.Body.Player),
						GameID: models.GameID(in.Body.Game), Language: in.Body.Language, Reason: "Opened by " + by.Name, AnyOne: true})
					return err
				})
			if err != nil {
				return nil, err
			}
			session, _, err := s.Store.GameSession(ctx, id)
			switch {
			case err != nil:
				return nil, err
			case session.State == models.GameSessionFailed:
				return nil, newProblem(502, "launch-failed", "The platform did not open the game: "+sentence(session.Failure)+
					" Try again with a new Idempotency-Key.")
			case repeated || address == "":
				return nil, newProblem(409, "launch-repeated", "A game was requested with this Idempotency-Key before. Its address is "+
					"given once and not kept. Request it with a new key: a launch moves no money.")
			}
			return &body[launch]{launch{session.ID, session.At, string(session.UserID), string(session.Game.GameID), session.Language,
				address}}, nil
		})

	call(s, "listGames", http.MethodGet, "/v1/games", models.ScopeRead, "List the games, by name", nil,
		func(ctx context.Context, in *struct {
			Paged
			Provider string `query:"provider" maxLength:"255"`
		}) (*body[page[game]], error) {
			span, err := s.span(ctx, in.Paged)
			if err != nil {
				return nil, err
			}
			found, err := s.Store.Games(ctx, models.GameFilter{Span: span, Provider: in.Provider})
			if err != nil {
				return nil, err
			}
			return pageOf(ctx, s, found, models.Game.Place, func(g models.Game) game {
				return game{string(g.GameID), g.Name, g.Provider, g.Type, g.Thumbnail, !g.Gone()}
			})
		})
}
