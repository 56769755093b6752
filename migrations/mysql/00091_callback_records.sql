-- All other callbacks: declined, refused, without an answer, and rollbacks. Rare beside the applied, so each has a row and questions an index.
-- +goose Up
CREATE TABLE callback_records (
  at_us BIGINT NOT NULL,
  request BIGINT NOT NULL,
  received_us BIGINT NOT NULL,
  kind TINYINT NOT NULL,
  verdict TINYINT NOT NULL,
  address VARBINARY(16) NOT NULL,
  user_id VARBINARY(255) NOT NULL,
  transaction_id VARBINARY(255) NOT NULL,
  round_id VARBINARY(255) NOT NULL,
  amount VARBINARY(64) NOT NULL,
  win_amount VARBINARY(64) NOT NULL,
  free_spin TINYINT NOT NULL,
  cause VARBINARY(255) NOT NULL,
  left_out BIGINT NOT NULL,
  player_id BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  spin TINYINT NOT NULL,
  result INT NOT NULL,
  status INT NOT NULL,
  latency_us BIGINT NOT NULL,
  PRIMARY KEY (at_us, request),
  KEY callback_records_verdict (verdict),
  KEY callback_records_address (address),
  KEY callback_records_user (user_id),
  KEY callback_records_transaction (transaction_id)
) ENGINE=InnoDB;
