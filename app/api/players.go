package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"pitboss/models"
)

// NewPlayer and CreatedPlayer are exported because huma only describes exported fields of other types.
type NewPlayer struct {
	ID       string `json:"id" minLength:"1" maxLength:"255" doc:"As the platform sends it in callbacks. It never changes." example:"anna"`
	Currency string `json:"currency" pattern:"^[A-Z][A-Z0-9]{2,7}$" doc:"It never changes." example:"EUR"`
	Test     bool   `json:"test,omitempty" doc:"A test player: staff may play with the wallet, and reports exclude it."`
	Zone     string `json:"time_zone,omitempty" maxLength:"64" doc:"Where the days of the player's limits begin. Without it, the zone of the house's days." example:"Europe/Vienna"`
}

// CreatedPlayer never changes, so that a repeated request gets the same answer.
type CreatedPlayer struct {
	NewPlayer
	CreatedAt time.Time `json:"created_at"`
}

type player struct {
	CreatedPlayer
	Balance         string        `json:"balance" example:"12.50"`
	Held            string        `json:"held" doc:"By cash-outs that are neither paid nor returned. It is not part of the balance." example:"0.00"`
	State           string        `json:"state" enum:"active,restricted,closed" doc:"A restricted player has a restriction from play."`
	MayPlay         bool          `json:"may_play"`
	MayGetBonuses   bool          `json:"may_get_bonuses"`
	RestrictedUntil *time.Time    `json:"restricted_until" doc:"The end of the restriction from play; the year 9999 if it has none."`
	Limits          []playerLimit `json:"limits" doc:"The player's own limits that are in effect, and what is left."`
	LimitZone       *string       `json:"limits_time_zone" doc:"Where their periods begin and end; null without limits."`
}

func viewCreated(p models.Player) CreatedPlayer {
	return CreatedPlayer{NewPlayer{string(p.UserID), string(p.Wallet.Currency), p.Test, p.Zone}, p.CreatedAt}
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

// NewRestriction is exported for the same reason as NewPlayer.
type NewRestriction struct {
	Kind   string     `json:"kind" enum:"self-exclusion,cool-off,money laundering,abuse,other"`
	Scope  string     `json:"scope" enum:"play,deposits,bonuses" doc:"A restriction from play stops deposits and bonuses too."`
	Until  *time.Time `json:"until,omitempty" doc:"When it ends by itself. Leave it out if it has no end."`
	Reason string     `json:"reason" minLength:"1" maxLength:"500" doc:"For staff."`
}

type newRestrictions struct {
	Players []string `json:"players" minItems:"1" maxItems:"1000" nullable:"false" doc:"Their IDs. None is restricted if one of them is unknown."`
	NewRestriction
}

type restrictedPlayer struct {
	Player      string `json:"player"`
	Restriction int64  `json:"restriction" doc:"The number of the restriction."`
	Done        string `json:"done" enum:"restricted,restricted already" doc:"Already: by a restriction of this kind and scope, as long or longer."`
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
	call(s, "createPlayer", http.MethodPost, "/v1/players", models.ScopePlayers, "Create a player",
		nil, func(ctx context.Context, in *struct {
			Keyed
			Body NewPlayer
		}) (*body[CreatedPlayer], error) {
			want := models.NewPlayer{UserID: models.UserID(in.Body.ID), Currency: models.Currency(in.Body.Currency), Test: in.Body.Test,
				Zone: in.Body.Zone}
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

	call(s, "readPlayer", http.MethodGet, "/v1/players/{id}", models.ScopeRead, "Read a player", []int{404},
		func(ctx context.Context, in *InPath) (*body[player], error) {
			p, err := s.playerInPath(ctx, *in)
			if err != nil {
				return nil, err
			}
			now := s.Store.Now()
			v := player{CreatedPlayer: viewCreated(p), Balance: p.Wallet.Balance.String(), Held: p.Wallet.Held.String(), State: "active",
				MayPlay: p.Wallet.MayPlay(now), MayGetBonuses: p.Wallet.MayGetBonuses(now)}
			v.LimitZone, v.Limits = limitsOf(p, now)
			if !v.MayPlay {
				v.RestrictedUntil = instant(p.Wallet.PlayFrom)
				if v.State, err = s.restrictedState(ctx, p); err != nil {
					return nil, err
				}
			}
			return &body[player]{v}, nil
		})

	call(s, "restrictPlayer", http.MethodPost, "/v1/players/{id}/restrictions", models.ScopePlayers, "Restrict a player, at once",
		[]int{404}, func(ctx context.Context, in *struct {
			Keyed
			InPath
			Body NewRestriction
		}) (*body[restriction], error) {
			return s.restrict(ctx, "restrictions", in.InPath, in.Key, in.Body, in.Body.described())
		})

	call(s, "restrictRegister", http.MethodPost, "/v1/restrictions", models.ScopePlayers,
		"Restrict the players whom a register of exclusions names, at once", []int{404},
		func(ctx context.Context, in *struct {
			Keyed
			Body newRestrictions
		}) (*body[page[restrictedPlayer]], error) {
			return s.restrictSeveral(ctx, in.Key, in.Body)
		})

	call(s, "closePlayer", http.MethodPost, "/v1/players/{id}/closure", models.ScopePlayers,
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

// described returns the restriction that a client describes, without its player.
func (n NewRestriction) described() models.Restriction {
	r := models.Restriction{Subject: models.OfPlayer, Scope: models.FromPlay, Until: models.Permanent, Reason: n.Reason}
	r.Kind = named(models.RestrictionKinds, n.Kind)
	switch n.Scope {
	case "bonuses":
		r.Scope = models.FromBonuses
	case "deposits":
		r.Scope = models.FromDeposits
	}
	if n.Until != nil {
		r.Until = n.Until.UTC().Truncate(time.Microsecond)
	}
	return r
}

// restrictSeveral restricts players, each in a transaction of its own that keeps the player's part of the request, under the
// key and the player's place in the list. So a repeat continues where the first request stopped, and finds everything it did.
func (s *Server) restrictSeveral(ctx context.Context, key string, in newRestrictions) (*body[page[restrictedPlayer]], error) {
	const route, standing = "POST /v1/restrictions", "standing restriction"
	r := in.described()
	players := make([]models.Player, len(in.Players))
	unknown := newProblem(404, "player-unknown", "Nobody was restricted, because players are unknown. IDs are case-sensitive.")
	for i, id := range in.Players {
		p, err := s.player(ctx, id)
		switch {
		case errors.Is(err, models.ErrPlayerUnknown):
			unknown.Errors = append(unknown.Errors, &huma.ErrorDetail{Message: err.Error(), Location: fmt.Sprintf("body.players[%d]", i)})
		case err != nil:
			return nil, err
		}
		players[i] = p
	}
	if len(unknown.Errors) > 0 {
		return nil, unknown
	}
	list := page[restrictedPlayer]{Data: []restrictedPlayer{}}
	for i, p := range players {
		of := key
		if r.PlayerID = p.ID; i > 0 {
			of = fmt.Sprintf("%s %d", key, i) // no client's key has a blank
		}
		want, err := request(ctx, route, of, in)
		if err != nil {
			return nil, err
		}
		had, err := s.answered(ctx, want, func() error {
			number, err := s.Store.StandingRestriction(ctx, r)
			if err == nil && number != 0 {
				return s.Store.KeepAPIRequest(ctx, want, standing, strconv.FormatInt(number, 10))
			}
			if err == nil {
				_, err = s.Store.RestrictAs(s.Store.ForRequest(ctx, want), callerIn(ctx).Actor, r)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		v := restrictedPlayer{Player: string(p.UserID), Done: "restricted"}
		if had.Object == standing {
			v.Done = "restricted already"
		}
		if v.Restriction, err = strconv.ParseInt(had.ObjectID, 10, 64); err != nil {
			return nil, err
		}
		list.Data = append(list.Data, v)
	}
	return &body[page[restrictedPlayer]]{list}, nil
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
