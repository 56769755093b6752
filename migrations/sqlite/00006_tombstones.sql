-- Rollbacks that came before their originals, per player: another player's original is not touched by one.
-- +goose Up
CREATE TABLE tombstones (
  transaction_id TEXT NOT NULL,
  player_id INTEGER NOT NULL,
  at_us INTEGER NOT NULL,
  PRIMARY KEY (transaction_id, player_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX tombstones_player ON tombstones (player_id);
