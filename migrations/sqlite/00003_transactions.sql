-- What was applied, once for each source and transaction_id: the idempotency key over all players.
-- +goose Up
CREATE TABLE transactions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  source INTEGER NOT NULL,
  transaction_id TEXT NOT NULL,
  player_id INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  round_id TEXT NOT NULL,
  bet_minor INTEGER NOT NULL,
  win_minor INTEGER NOT NULL,
  free_spin INTEGER NOT NULL,
  state INTEGER NOT NULL,
  at_us INTEGER NOT NULL,
  reversed_at_us INTEGER NOT NULL DEFAULT 0,
  other_contents_at_us INTEGER NOT NULL DEFAULT 0,
  UNIQUE (source, transaction_id)
) STRICT;
CREATE INDEX transactions_player ON transactions (player_id);
CREATE INDEX transactions_round ON transactions (round_id);
