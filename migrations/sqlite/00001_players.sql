-- Players by the operator's own name for them, kept as bytes: MySQL's text collations fold case and pad spaces.
-- +goose Up
CREATE TABLE players (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL UNIQUE,
  test INTEGER NOT NULL DEFAULT 0,
  created_at_us INTEGER NOT NULL
) STRICT;
