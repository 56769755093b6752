-- The free-spin ledger, apart from the money (specification, Callback service rule 3), with a chain of its own.
-- +goose Up
CREATE TABLE spin_entries (
  player_id BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  kind TINYINT NOT NULL,
  transaction_id VARBINARY(255) NOT NULL,
  round_id VARBINARY(255) NOT NULL,
  spins TINYINT NOT NULL,
  stake_minor BIGINT NOT NULL,
  grant_known TINYINT NOT NULL,
  at_us BIGINT NOT NULL,
  hash BINARY(32) NOT NULL,
  PRIMARY KEY (player_id, seq)
) ENGINE=InnoDB;
