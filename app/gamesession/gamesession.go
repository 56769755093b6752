// Package gamesession opens games for players.
package gamesession

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"pitboss/app/platform"
	"pitboss/models"
	"pitboss/models/store"
)

// Config configures a Service.
type Config struct {
	Store    *store.Store
	Platform *platform.Client
}

// Service opens games.
type Service struct{ Config }

// New returns a service.
func New(config Config) *Service { return &Service{config} }

// Request is a request to open a game with a player's wallet.
type Request struct {
	UserID   models.UserID
	GameID   models.GameID
	Language string // one of models.Languages
	Reason   string // required unless the player is a test player
	Launch   string // identifies the form that sent the request; may be empty
	AnyOne   bool   // the requester may open games for players other than test players
}

// Launch opens a game and returns its URL, which the player must open immediately. It records the request before it calls the
// platform, and the outcome, with a redacted URL, afterwards. Its error is models.ErrPlayerUnknown, ErrPlayerRestricted,
// ErrNotTestPlayer, ErrReasonMissing, ErrGameUnknown or ErrGameGone, a models.FrozenError, the error of CheckLanguage, a
// *platform.Error, or an error of the database.
func (s *Service) Launch(ctx context.Context, by models.Actor,
	r Request) (gameURL string, session models.GameSession, err error) {
	player, game, err := s.check(ctx, r)
	if err != nil {
		return "", session, fmt.Errorf("open game: %w", err)
	}
	session = models.GameSession{
		Actor: by.Name, PlayerID: player.ID, UserID: player.UserID, Game: game.Ref(), Language: r.Language,
		Reason: strings.TrimSpace(r.Reason),
		State:  models.GameSessionRequested, Launch: r.Launch,
	}
	if s.Platform.SendsCurrency() {
		session.Currency = player.Wallet.Currency
	}
	if session.ID, err = s.Store.BeginGameSession(ctx, by, session); err != nil {
		return "", session, err
	}
	opened, failure := s.Platform.UserAuth(ctx, platform.UserAuth{
		UserID: player.UserID, GameID: game.GameID, Language: r.Language, Currency: player.Wallet.Currency,
	})
	session.State, session.GameURL, session.Latency = models.GameSessionOpened, models.RedactAddress(opened.GameURL),
		opened.Latency
	if failure != nil {
		session.State, session.Failure = models.GameSessionFailed, failure.Error()
		var e *platform.Error
		if errors.As(failure, &e) {
			session.AnswerRaw, session.Latency = e.Raw, e.Latency
		}
	}
	// Record the outcome even if the requester has gone. A URL whose outcome could not be recorded is not returned.
	if err := s.Store.EndGameSession(context.WithoutCancel(ctx), by, session); err != nil {
		return "", session, errors.Join(failure, err)
	}
	if failure != nil {
		return "", session, fmt.Errorf("open game: %w", failure)
	}
	return opened.GameURL, session, nil
}

func (s *Service) check(ctx context.Context, r Request) (player models.Player, game models.Game, err error) {
	if err := models.CheckLanguage(r.Language); err != nil {
		return player, game, err
	}
	player, found, err := s.Store.Player(ctx, r.UserID)
	switch {
	case err != nil:
		return player, game, err
	case !found:
		return player, game, models.ErrPlayerUnknown
	case !player.Wallet.MayPlay(s.Store.Now()):
		return player, game, models.ErrPlayerRestricted
	case !player.Test && !r.AnyOne:
		return player, game, models.ErrNotTestPlayer
	case !player.Test && strings.TrimSpace(r.Reason) == "":
		return player, game, models.ErrReasonMissing
	}
	game, found, err = s.Store.Game(ctx, r.GameID)
	switch {
	case err != nil:
		return player, game, err
	case !found:
		return player, game, models.ErrGameUnknown
	case game.Gone():
		return player, game, models.ErrGameGone
	}
	return player, game, s.Store.Frozen(ctx, game)
}
