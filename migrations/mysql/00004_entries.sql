-- The money ledger. Clustered by wallet, so that a wallet's history is one read and its tail the only page that grows.
-- +goose Up
CREATE TABLE entries (
  player_id BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  kind TINYINT NOT NULL,
  source TINYINT NOT NULL,
  transaction_id VARBINARY(255) NOT NULL,
  round_id VARBINARY(255) NOT NULL,
  amount_minor BIGINT NOT NULL,
  before_minor BIGINT NOT NULL,
  after_minor BIGINT NOT NULL,
  at_us BIGINT NOT NULL,
  hash BINARY(32) NOT NULL,
  PRIMARY KEY (player_id, seq)
) ENGINE=InnoDB;
