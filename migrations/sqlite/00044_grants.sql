-- Free spins for a player on a game, from the intent on. A line of an import has one grant at most.
-- +goose Up
CREATE TABLE grants (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  actor TEXT NOT NULL,
  role TEXT NOT NULL,
  player_id INTEGER NOT NULL,
  game_id INTEGER NOT NULL,
  spins INTEGER NOT NULL,
  reason TEXT NOT NULL,
  again INTEGER NOT NULL,
  repeat_of INTEGER NOT NULL,
  import_id INTEGER,
  import_line INTEGER,
  state INTEGER NOT NULL,
  free_spin_id TEXT,
  result INTEGER NOT NULL,
  message TEXT NOT NULL,
  latency_us INTEGER NOT NULL,
  answer_raw TEXT NOT NULL,
  sent_at_us INTEGER NOT NULL,
  answered_at_us INTEGER NOT NULL,
  finished_at_us INTEGER NOT NULL,
  resolution INTEGER NOT NULL,
  resolved_by TEXT NOT NULL,
  resolved_at_us INTEGER NOT NULL,
  resolution_note TEXT NOT NULL,
  used INTEGER NOT NULL,
  remaining INTEGER NOT NULL,
  observed_at_us INTEGER NOT NULL,
  next_poll_at_us INTEGER NOT NULL,
  polls INTEGER NOT NULL,
  poll_error TEXT NOT NULL,
  ours INTEGER NOT NULL,
  apart INTEGER NOT NULL,
  UNIQUE (free_spin_id),
  UNIQUE (import_id, import_line)
) STRICT;
CREATE INDEX grants_at ON grants (at_us);
CREATE INDEX grants_player ON grants (player_id, at_us);
CREATE INDEX grants_game ON grants (game_id, at_us);
CREATE INDEX grants_state ON grants (state, at_us);
CREATE INDEX grants_next_poll ON grants (next_poll_at_us);
