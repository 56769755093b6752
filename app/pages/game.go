package pages

import (
	"context"
	"math"
	"time"

	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// LanguageNames has the languages of the specification (Platform API rule 3) by the names that staff know. "kr" is the
// platform's code for Korean.
var LanguageNames = map[string]string{
	"en": "English", "fr": "French", "de": "German", "it": "Italian", "kr": "Korean", "tr": "Turkish", "pt": "Portuguese",
	"id": "Indonesian",
	"es": "Spanish", "zh": "Chinese", "uk": "Ukrainian", "ru": "Russian",
}

// GameSessionRow is a session as a row of a list.
type GameSessionRow struct {
	models.GameSession
	Href, PlayerHref, GameHref string
	Badge                      views.Badge
	Took                       string
}

// NewGameSessionRow returns the row of a session.
func NewGameSessionRow(s models.GameSession) GameSessionRow {
	row := GameSessionRow{
		GameSession: s, Href: web.PathOf("/sessions", s.ID), PlayerHref: web.PathOf("/players", s.PlayerID),
		GameHref: web.PathOf("/games", s.Game.ID), Badge: views.Quiet("Opened"),
	}
	if s.Latency > 0 {
		row.Took = web.Lasted(s.Latency)
	}
	switch s.State {
	case models.GameSessionRequested:
		row.Badge = views.Waiting("No answer recorded")
	case models.GameSessionFailed:
		row.Badge = views.Refused("Failed")
	}
	return row
}

// lingers is how long after a game was opened a transaction can still belong to it.
const lingers = 24 * time.Hour

// SessionBefore returns the last game that was opened for the player in the day before a transaction, or nil if there is none.
func (s *Site) SessionBefore(ctx context.Context, t models.Transaction) (*models.GameSession, error) {
	list, err := s.Store.GameSessions(ctx, models.GameSessionFilter{
		PlayerID: t.PlayerID, State: models.GameSessionOpened,
		Span: models.Span{Page: models.Cursor{At: t.At, ID: math.MaxInt64}, Limit: 1},
	})
	if err != nil || len(list.Rows) == 0 || t.At.Sub(list.Rows[0].At) > lingers || t.RoundID == "" {
		return nil, err
	}
	return &list.Rows[0], nil
}

// NoGame is the error for a field that names no game, or several.
const NoGame = "No single game has this ID or name. Type part of its name and choose it from the list."
