package api

import (
	"context"
	"net/http"
	"time"

	"pitboss/models"
)

type newFreeSpins struct {
	Player string `json:"player" minLength:"1" maxLength:"255" example:"anna"`
	Game   string `json:"game" minLength:"1" maxLength:"255" doc:"The game's ID."`
	Spins  int64  `json:"spins" minimum:"1" maximum:"1000000"`
	Reason string `json:"reason" minLength:"1" maxLength:"500" doc:"For staff."`
}

type freeSpins struct {
	ID     int64     `json:"id"`
	At     time.Time `json:"at"`
	Player string    `json:"player"`
	Game   string    `json:"game"`
	Spins  int64     `json:"spins"`
	Used   int64     `json:"used"`
	State  string    `json:"state" enum:"sent,active,completed,expired,refused,unknown" doc:"unknown: the platform gave no readable answer, and a person finds out whether the spins were granted. Do not grant them again."`
	Why    string    `json:"why" doc:"Why they were refused, or their state is unknown."`
}

var grantStates = map[models.GrantState]string{
	models.GrantRequested: "sent", models.GrantSent: "sent", models.GrantActive: "active", models.GrantCompleted: "completed",
	models.GrantExpired: "expired", models.GrantRefused: "refused", models.GrantUnknown: "unknown",
}

// grant returns a grant as it is now.
func (s *Server) grant(ctx context.Context, id int64) (*body[freeSpins], error) {
	g, found, err := s.Store.Grant(ctx, id)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, models.ErrGrantUnknown
	}
	if _, err := s.player(ctx, string(g.UserID)); err != nil {
		return nil, models.ErrGrantUnknown
	}
	return &body[freeSpins]{freeSpins{g.ID, g.At, string(g.UserID), string(g.Game.GameID), g.Spins, max(g.UsedSpins(), 0),
		grantStates[g.State], g.Message}}, nil
}

func (s *Server) freeSpins() {
	call(s, "grantFreeSpins", http.MethodPost, "/v1/free-spins", models.ScopeGrants, "Grant free spins to a player", []int{404},
		func(ctx context.Context, in *struct {
			Keyed
			Body newFreeSpins
		}) (*body[freeSpins], error) {
			if _, err := s.player(ctx, in.Body.Player); err != nil {
				return nil, err
			}
			id, _, err := s.once(ctx, "POST /v1/free-spins", in.Key, in.Body, func(ctx context.Context, by models.Actor) error {
				_, err := s.Bonus.Grant(ctx, by, models.GrantRequest{UserID: models.UserID(in.Body.Player),
					GameID: models.GameID(in.Body.Game), Spins: in.Body.Spins, Reason: in.Body.Reason, Role: models.Bonus})
				return err
			})
			if err != nil {
				return nil, err
			}
			return s.grant(ctx, id)
		})

	call(s, "readFreeSpins", http.MethodGet, "/v1/free-spins/{id}", models.ScopeRead, "Read granted free spins", []int{404},
		func(ctx context.Context, in *struct {
			ID int64 `path:"id" minimum:"1"`
		}) (*body[freeSpins], error) {
			return s.grant(ctx, in.ID)
		})
}
