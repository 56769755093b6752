-- Rollbacks that came before their originals, per player: another player's original is not touched by one.
-- +goose Up
CREATE TABLE tombstones (
  transaction_id VARBINARY(255) NOT NULL,
  player_id BIGINT NOT NULL,
  at_us BIGINT NOT NULL,
  PRIMARY KEY (transaction_id, player_id),
  KEY tombstones_player (player_id)
) ENGINE=InnoDB;
