-- The platform's games, kept when they vanish. search holds name, ID and provider, folded; pages are listed in its order.
-- +goose Up
CREATE TABLE games (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  game_id TEXT NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  provider TEXT NOT NULL,
  thumbnail TEXT NOT NULL,
  former_name TEXT NOT NULL,
  search TEXT NOT NULL,
  added_at_us INTEGER NOT NULL,
  seen_at_us INTEGER NOT NULL,
  gone_at_us INTEGER NOT NULL,
  UNIQUE (game_id)
) STRICT;
CREATE INDEX games_search ON games (search);
CREATE INDEX games_provider ON games (provider);
CREATE INDEX games_type ON games (type);
