package spins

import (
	"context"
	"strconv"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// BeginGameSession records, before the platform is asked, that a game is to be opened for a player. It returns the record's
// number.
func (s *Store) BeginGameSession(ctx context.Context, by models.Actor, session models.GameSession) (int64, error) {
	var row models.GameSession
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		row = models.GameSession{
			At: s.db.Now(), Actor: by.Name, PlayerID: session.PlayerID, Game: session.Game, Language: session.Language,
			Currency: session.Currency, Reason: session.Reason, State: models.GameSessionRequested, Launch: session.Launch,
		}
		if err := tx.Create(&row).Error; err != nil {
			return err
		}
		return s.db.Record(tx, models.AuditEvent{
			Actor: by, Action: "game session requested", Object: "game session", ObjectID: strconv.FormatInt(row.ID, 10),
			PlayerID: session.PlayerID, Reason: session.Reason,
			After: db.JsonText(map[string]any{"player": session.PlayerID, "user_id": session.UserID,
				"game_id": session.Game.GameID, "language": session.Language}),
		})
	})
	return row.ID, err
}

// EndGameSession records the platform's answer. session.GameURL must be redacted already.
func (s *Store) EndGameSession(ctx context.Context, by models.Actor, session models.GameSession) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		done := tx.Model(&models.GameSession{}).Where("id = ? AND state = ?", session.ID, models.GameSessionRequested).
			Updates(map[string]any{
				"state": session.State, "failure": session.Failure, "latency_us": session.Latency.Microseconds(),
				"game_url": session.GameURL, "answer_raw": session.AnswerRaw,
			})
		if done.Error != nil || done.RowsAffected == 0 {
			return done.Error
		}
		return s.db.Record(tx, models.AuditEvent{
			Actor: by, Action: "game session " + session.State.String(), Object: "game session",
			ObjectID: strconv.FormatInt(session.ID, 10),
			PlayerID: session.PlayerID,
			Before:   models.GameSessionRequested.String(),
			After: db.JsonText(map[string]any{"state": session.State.String(), "failure": session.Failure,
				"game_url": session.GameURL}),
		})
	})
}

func (s *Store) selectGameSessions(ctx context.Context) *gorm.DB {
	return s.db.Read.WithContext(ctx).Table("game_sessions s").Joins("JOIN players p ON p.id = s.player_id").
		Joins("JOIN games g ON g.id = s.game_id").
		Select("s.*, p.user_id, g.game_id AS game_platform_id, g.name AS game_name")
}

// GameSession returns the game session with this number, or false if there is none.
func (s *Store) GameSession(ctx context.Context, id int64) (models.GameSession, bool, error) {
	return db.One[models.GameSession](s.selectGameSessions(ctx).Where("s.id = ?", id))
}

// LaunchedSession returns the newest session that actor launched from the form with this name, or false if the platform has not
// answered yet.
func (s *Store) LaunchedSession(ctx context.Context, actor, launch string) (models.GameSession, bool, error) {
	q := s.selectGameSessions(ctx).Where("s.launch = ? AND s.actor = ? AND s.state <> ?", launch, actor, models.GameSessionRequested).
		Order("s.id DESC")
	return db.One[models.GameSession](q)
}

// NextSession selects when the next session of a session's player was requested, or 0 if there is none.
const NextSession = "COALESCE((SELECT MIN(n.at_us) FROM game_sessions n WHERE n.player_id = s.player_id " +
	"AND n.at_us > s.at_us), 0)"

// PlayedUntil returns until when a player's transactions are assumed to be in the session's game: for four hours, or until the
// next session is requested. Reports by game use it.
func (s *Store) PlayedUntil(ctx context.Context, g models.GameSession) (time.Time, error) {
	next, err := db.Value[int64](s.db.Read.WithContext(ctx), "SELECT "+NextSession+" FROM game_sessions s WHERE s.id = ?", g.ID)
	if err != nil {
		return time.Time{}, err
	}
	until := g.At.Add(models.GameSessionLasts)
	if next != 0 && db.FromMicros(next).Before(until) {
		until = db.FromMicros(next)
	}
	return until, nil
}

// GameSessions returns a page of the game sessions that f selects, newest first.
func (s *Store) GameSessions(ctx context.Context, f models.GameSessionFilter) (models.Page[models.GameSession], error) {
	list := db.List{Table: "game_sessions s", Index: "game_sessions_at", At: "s.at_us", ID: "s.id", Span: f.Span, Filters: []db.Filter{
		db.If(f.PlayerID != 0, "game_sessions_player", "s.player_id = ?", f.PlayerID),
		db.If(f.State != 0 && f.State != models.GameSessionOpened, "game_sessions_state", ""),
		db.If(f.Actor != "", "game_sessions_actor", "s.actor = ?", f.Actor),
		db.If(f.GameID != 0, "game_sessions_game", "s.game_id = ?", f.GameID),
		db.If(f.State != 0, "game_sessions_state", "s.state = ?", f.State),
		db.If(!f.OpenAt.IsZero(), "", "s.at_us > ? AND "+NextSession+" = 0", db.Micros(f.OpenAt.Add(-models.GameSessionLasts))),
	}}
	return db.FindPage[models.GameSession](s.db, s.selectGameSessions(ctx), list)
}
