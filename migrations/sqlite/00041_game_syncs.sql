-- Each synchronisation of the games, also those that failed.
-- +goose Up
CREATE TABLE game_syncs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  actor TEXT NOT NULL,
  latency_us INTEGER NOT NULL,
  offered INTEGER NOT NULL,
  unusable INTEGER NOT NULL,
  added INTEGER NOT NULL,
  renamed INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  gone INTEGER NOT NULL,
  returned INTEGER NOT NULL,
  error TEXT NOT NULL
) STRICT;
CREATE INDEX game_syncs_at ON game_syncs (at_us);
