package api

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"pitboss/models"
)

// NewPlayer and CreatedPlayer are exported because huma only describes exported fields of other types.
type NewPlayer struct {
	ID       string `json:"id" minLength:"1" maxLength:"255" doc:"As the platform sends it in callbacks. It never changes." example:"anna"`
	Currency string `json:"currency" pattern:"^[A-Z][A-Z0-9]{2,7}$" doc:"It never changes." example:"EUR"`
	Test     bool   `json:"test,omitempty" doc:"A test player: staff may play with the wallet, and reports exclude it."`
}

// CreatedPlayer never changes, so that a repeated request gets the same answer.
type CreatedPlayer struct {
	NewPlayer
	CreatedAt time.Time `json:"created_at"`
}

type player struct {
	CreatedPlayer
	Balance         string     `json:"balance" example:"12.50"`
	Held            string     `json:"held" doc:"By cash-outs that are neither paid nor returned. It is not part of the balance." example:"0.00"`
	State           string     `json:"state" enum:"active,restricted,closed" doc:"A restricted player has a restriction from play."`
	MayPlay         bool       `json:"may_play"`
	MayGetBonuses   bool       `json:"may_get_bonuses"`
	RestrictedUntil *time.Time `json:"restricted_until" doc:"The end of the restriction from play; the year 9999 if it has none."`
}

func viewCreated(p models.Player) CreatedPlayer {
	return CreatedPlayer{NewPlayer{string(p.UserID), string(p.Wallet.Currency), p.Test}, p.CreatedAt}
}

type InPath struct {
	ID string `path:"id" maxLength:"765" doc:"The player's ID, percent-encoded."`
}

// player returns a player whom the caller may know.
func (s *Server) player(ctx context.Context, id string) (models.Player, error) {
	p, found, err := s.Store.Player(ctx, models.UserID(id))
	if err == nil && (!found || callerIn(ctx).Test && !p.Test) {
		err = models.ErrPlayerUnknown
	}
	return p, err
}

func (s *Server) playerInPath(ctx context.Context, in InPath) (models.Player, error) {
	id, err := url.PathUnescape(in.ID)
	if err != nil {
		return models.Player{}, models.ErrPlayerUnknown
	}
	return s.player(ctx, id)
}

type newRestriction struct {
	Kind   string     `json:"kind" enum:"self-exclusion,cool-off,money laundering,abuse,other"`
	Scope  string     `json:"scope" enum:"play,deposits,bonuses" doc:"A restriction from play stops deposits and bonuses too."`
	Until  *time.Time `json:"until,omitempty" doc:"When it ends by itself. Leave it out if it has no end."`
	Reason string     `json:"reason" minLength:"1" maxLength:"500" doc:"For staff."`
}

type restriction struct {
	ID     int64      `json:"id"`
	Player string     `json:"player"`
	Kind   string     `json:"kind"`
	At     time.Time  `json:"at"`
	Until  *time.Time `json:"until" doc:"null if it does not end by itself"`
}

type closing struct {
	Reason string `json:"reason" minLength:"1" maxLength:"500" doc:"For staff."`
}

func (s *Server) players() {
	call(s, http.MethodPost, "/v1/players", models.ScopePlayers, "Create a player",
		nil, func(ctx context.Context, in *struct {
			Keyed
			Body NewPlayer
		}) (*body[CreatedPlayer], error) {
			want := models.NewPlayer{UserID: models.UserID(in.Body.ID), Currency: models.Currency(in.Body.Currency), Test: in.Body.Test}
			if callerIn(ctx).Test && !want.Test {
				return nil, newProblem(403, "test-only", "This client creates test players only: send \"test\": true.")
			}
			if err := models.CheckUserID(string(want.UserID)); err != nil {
				return nil, newProblem(422, "invalid", sentence(err.Error()))
			}
			id, _, err := s.once(ctx, "POST /v1/players", in.Key, in.Body, func(ctx context.Context, by models.Actor) error {
				_, err := s.Store.CreatePlayer(ctx, by, want)
				return err
			})
			if err != nil {
				return nil, err
			}
			p, _, err := s.Store.PlayerByID(ctx, id)
			return &body[CreatedPlayer]{viewCreated(p)}, err
		})

	call(s, http.MethodGet, "/v1/players/{id}", models.ScopeRead, "Read a player", []int{404},
		func(ctx context.Context, in *InPath) (*body[player], error) {
			p, err := s.playerInPath(ctx, *in)
			if err != nil {
				return nil, err
			}
			now := s.Store.Now()
			v := player{CreatedPlayer: viewCreated(p), Balance: p.Wallet.Balance.String(), Held: p.Wallet.Held.String(), State: "active",
				MayPlay: p.Wallet.MayPlay(now), MayGetBonuses: p.Wallet.MayGetBonuses(now)}
			if !v.MayPlay {
				v.RestrictedUntil = instant(p.Wallet.PlayFrom)
				if v.State, err = s.restrictedState(ctx, p); err != nil {
					return nil, err
				}
			}
			return &body[player]{v}, nil
		})

	call(s, http.MethodPost, "/v1/players/{id}/restrictions", models.ScopePlayers, "Restrict a player, at once", []int{404},
		func(ctx context.Context, in *struct {
			Keyed
			InPath
			Body newRestriction
		}) (*body[restriction], error) {
			r := models.Restriction{Subject: models.OfPlayer, Scope: models.FromPlay, Until: models.Permanent, Reason: in.Body.Reason}
			for _, k := range models.RestrictionKinds {
				if k.String() == in.Body.Kind {
					r.Kind = k
				}
			}
			switch in.Body.Scope {
			case "bonuses":
				r.Scope = models.FromBonuses
			case "deposits":
				r.Scope = models.FromDeposits
			}
			if in.Body.Until != nil {
				r.Until = in.Body.Until.UTC().Truncate(time.Microsecond)
			}
			return s.restrict(ctx, "restrictions", in.InPath, in.Key, in.Body, r)
		})

	call(s, http.MethodPost, "/v1/players/{id}/closure", models.ScopePlayers,
		"Close a player's account, at a balance of 0.00 with nothing held", []int{404},
		func(ctx context.Context, in *struct {
			Keyed
			InPath
			Body closing
		}) (*body[restriction], error) {
			return s.restrict(ctx, "closure", in.InPath, in.Key, in.Body, models.Restriction{Subject: models.OfPlayer,
				Kind: models.AccountClosed, Scope: models.FromPlay, Until: models.Permanent, Reason: in.Body.Reason})
		})
}

// restrict restricts a player. Two members of staff can end the restriction early; a client cannot.
func (s *Server) restrict(ctx context.Context, route string, in InPath, key string, contents any,
	r models.Restriction) (*body[restriction], error) {
	p, err := s.playerInPath(ctx, in)
	if err != nil {
		return nil, err
	}
	r.PlayerID = p.ID
	id, _, err := s.once(ctx, "POST /v1/players/{id}/"+route, key, []any{p.UserID, contents},
		func(ctx context.Context, by models.Actor) error {
			_, err := s.Store.RestrictAs(ctx, by, r)
			return err
		})
	if err != nil {
		return nil, err
	}
	made, _, err := s.Store.Restriction(ctx, id)
	v := restriction{ID: made.ID, Player: string(p.UserID), Kind: made.Kind.String(), At: made.At}
	if !made.Until.Equal(models.Permanent) {
		v.Until = instant(made.Until)
	}
	return &body[restriction]{v}, err
}

// restrictedState returns the state of a player who may not play.
func (s *Server) restrictedState(ctx context.Context, p models.Player) (string, error) {
	active := true
	found, err := s.Store.Restrictions(ctx, models.RestrictionFilter{PlayerID: p.ID, Kind: models.AccountClosed, Active: &active,
		Span: models.Span{Limit: 1}})
	if err != nil || len(found.Rows) == 0 {
		return "restricted", err
	}
	return "closed", nil
}
