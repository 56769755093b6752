-- When each game was available: a row for each time that it appeared, disappeared, returned or was renamed. Rows are only added.
-- +goose Up
CREATE TABLE game_changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  sync_id INTEGER NOT NULL,
  game INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  name TEXT NOT NULL,
  former_name TEXT NOT NULL
) STRICT;
CREATE INDEX game_changes_at ON game_changes (at_us);
CREATE INDEX game_changes_game ON game_changes (game, at_us);
