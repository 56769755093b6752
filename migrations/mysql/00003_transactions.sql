-- What was applied, once for each source and transaction_id: the idempotency key over all players.
-- +goose Up
CREATE TABLE transactions (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  source TINYINT NOT NULL,
  transaction_id VARBINARY(255) NOT NULL,
  player_id BIGINT NOT NULL,
  kind TINYINT NOT NULL,
  round_id VARBINARY(255) NOT NULL,
  bet_minor BIGINT NOT NULL,
  win_minor BIGINT NOT NULL,
  free_spin TINYINT NOT NULL,
  state TINYINT NOT NULL,
  at_us BIGINT NOT NULL,
  reversed_at_us BIGINT NOT NULL DEFAULT 0,
  other_contents_at_us BIGINT NOT NULL DEFAULT 0,
  UNIQUE KEY transactions_key (source, transaction_id),
  KEY transactions_player (player_id),
  KEY transactions_round (round_id)
) ENGINE=InnoDB;
