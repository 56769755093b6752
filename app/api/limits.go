package api

import (
	"context"
	"net/http"
	"time"

	"pitboss/models"
)

// NewLimit is exported for the same reason as NewPlayer.
type NewLimit struct {
	Kind   string  `json:"kind" enum:"stake,loss,deposit" doc:"A loss is the stake minus what was won."`
	Period string  `json:"period" enum:"day,week,month" doc:"They begin at midnight; weeks on Monday."`
	Amount *string `json:"amount" required:"true" pattern:"^[0-9]{1,12}[.][0-9]{2}$" doc:"null removes the limit." example:"50.00"`
}

type newLimits struct {
	Limits []NewLimit `json:"limits" minItems:"1" maxItems:"9" doc:"Limits that it does not name stay as they are."`
	Zone   string     `json:"time_zone,omitempty" maxLength:"64" doc:"Only with the player's first limit: where periods begin and end. Without it, the player's time_zone, or the zone of the house's days." example:"Europe/Vienna"`
	Reason string     `json:"reason" minLength:"1" maxLength:"500" doc:"For staff."`
}

// requestedLimits never changes, so that a repeated request gets the same answer.
type requestedLimits struct {
	Player string     `json:"player"`
	Limits []NewLimit `json:"limits" doc:"As requested. Read the player to see what is in effect, and what waits."`
}

type playerLimit struct {
	Kind     string     `json:"kind" enum:"stake,loss,deposit"`
	Period   string     `json:"period" enum:"day,week,month"`
	Amount   string     `json:"amount" example:"50.00"`
	Used     string     `json:"used" doc:"In the current period; of a loss, negative if the player has won." example:"12.50"`
	Left     string     `json:"left" example:"37.50"`
	ResetsAt time.Time  `json:"resets_at"`
	NextFrom *time.Time `json:"next_from" doc:"When it is raised or removed, as was asked for; null if it is not."`
	Next     *string    `json:"next" doc:"The amount from then on; null if the limit is removed."`
}

func viewLimit(s models.LimitState) playerLimit {
	v := playerLimit{Kind: s.Kind.String(), Period: s.Period.String(), Amount: s.Amount.String(), Used: s.Used.String(),
		Left: s.Left.String(), ResetsAt: s.Until}
	if s.Next != nil {
		v.NextFrom = &s.Next.At
		if s.Next.To != nil {
			v.Next = new(s.Next.To.String())
		}
	}
	return v
}

func limitsOf(p models.Player, now time.Time) (zone *string, list []playerLimit) {
	list = []playerLimit{}
	for _, s := range models.ParseLimits(p.Wallet.Limits, p.Wallet.LimitSums).States(now) {
		zone, list = &s.Zone, append(list, viewLimit(s))
	}
	return zone, list
}

// limitReached is the answer to a deposit that would exceed one of the player's limits.
func limitReached(s *models.LimitState) *Problem {
	p := newProblem(409, "player-limit", "The deposit would exceed the player's own limit: "+s.String()+".")
	p.Limit = new(viewLimit(*s))
	return p
}

func (s *Server) limits() {
	call(s, "setLimits", http.MethodPost, "/v1/players/{id}/limits", models.ScopePlayers,
		"Set, lower, raise or remove limits that a player asked for", []int{404}, func(ctx context.Context, in *struct {
			Keyed
			InPath
			Body newLimits
		}) (*body[requestedLimits], error) {
			p, err := s.playerInPath(ctx, in.InPath)
			if err != nil {
				return nil, err
			}
			r := models.LimitsRequest{Zone: in.Body.Zone, Reason: in.Body.Reason}
			for _, l := range in.Body.Limits {
				c := models.LimitChange{Kind: named(models.LimitKinds, l.Kind), Period: named(models.LimitPeriods, l.Period)}
				if l.Amount != nil {
					amount, err := models.ParseAmount(*l.Amount)
					if err != nil {
						return nil, newProblem(422, "invalid", sentence(err.Error()))
					}
					c.To = &amount
				}
				r.Changes = append(r.Changes, c)
			}
			_, _, err = s.once(ctx, "POST /v1/players/{id}/limits", in.Key, []any{p.UserID, in.Body},
				func(ctx context.Context, by models.Actor) error { return s.Store.SetLimitsAs(ctx, by, p.ID, r) })
			if err != nil {
				return nil, err
			}
			return &body[requestedLimits]{requestedLimits{string(p.UserID), in.Body.Limits}}, nil
		})
}

// named returns the value with this word.
func named[T interface{ String() string }](values []T, word string) (value T) {
	for _, v := range values {
		if v.String() == word {
			value = v
		}
	}
	return value
}
