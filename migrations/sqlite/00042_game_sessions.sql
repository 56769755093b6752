-- Games opened by staff with a player's wallet. The address is kept without what would open it.
-- +goose Up
CREATE TABLE game_sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  actor TEXT NOT NULL,
  player_id INTEGER NOT NULL,
  game_id INTEGER NOT NULL,
  language TEXT NOT NULL,
  currency TEXT NOT NULL,
  reason TEXT NOT NULL,
  state INTEGER NOT NULL,
  failure TEXT NOT NULL,
  latency_us INTEGER NOT NULL,
  game_url TEXT NOT NULL,
  answer_raw TEXT NOT NULL
) STRICT;
CREATE INDEX game_sessions_at ON game_sessions (at_us);
CREATE INDEX game_sessions_player ON game_sessions (player_id, at_us);
CREATE INDEX game_sessions_game ON game_sessions (game_id, at_us);
