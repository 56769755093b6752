package pages

import (
	"cmp"
	"context"
	"time"

	"pitboss/app/answers"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Answer is what support can send to a player about what a page shows, in the player's language and time zone.
type Answer struct {
	Text, Code string // the code of the language
	CSRF, Back string
	Player     int64         // whose language the reader may choose; 0 if the reader may not
	Language   *views.Select // nil without Player
	Zone       *views.Field  // nil if it is fixed, or without Player
	FixedZone  string        // that of the player's limits
	Known      string        // the player's zone, whatever limits stand
}

// LastWin returns the newest win of a round that was not rolled back, or nil if it has none.
func (s *Site) LastWin(ctx context.Context, r models.Round) (*models.TransactionLine, error) {
	if r.Wins == 0 {
		return nil, nil
	}
	found, err := s.Store.Transactions(ctx, models.TransactionFilter{RoundID: r.RoundID, PlayerID: r.PlayerID,
		Span: models.Span{Limit: web.TransactionsSeen}})
	for _, t := range found.Rows {
		if t.Win > 0 && t.State != models.Reversed {
			return &t, nil
		}
	}
	return nil, err
}

// NewAnswer returns the answer for a page. It is nil if there is nothing to say. player is zero if nobody is known by that ID.
func NewAnswer(p *web.Page, player models.Player, a answers.Answer) *Answer {
	answer := &Answer{Code: cmp.Or(player.Language, models.PlayerLanguages[0]), CSRF: p.CSRF, Back: p.Path}
	name, fixed := player.TimeZone(p.Now)
	zone, err := time.LoadLocation(name)
	if name == "" || err != nil {
		zone = p.Zone
	}
	if answer.Text = a.Text(answer.Code, zone); answer.Text == "" {
		return nil
	}
	if !p.Can(web.AnswerPlayers) || player.ID == 0 || player.Erased {
		return answer
	}
	var words []string
	for _, code := range models.PlayerLanguages {
		words = append(words, code, answers.Name(code))
	}
	answer.Player = player.ID
	answer.Language = &views.Select{ID: "f-language", Name: "language", Choices: web.Choices(answer.Code, words...)}
	if answer.FixedZone, answer.Known = name, player.Zone; !fixed {
		answer.Zone = &views.Field{ID: "f-answer-zone", Name: "zone", Value: player.Zone, Autocomplete: "off"}
	}
	return answer
}
