-- Where a wallet's chains begin after a purge has archived what came before, proved with the ledger's key.
-- +goose Up
CREATE TABLE ledger_beginnings (
  player_id BIGINT NOT NULL PRIMARY KEY,
  at_us BIGINT NOT NULL,
  balance_minor BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  head BINARY(32) NOT NULL,
  spin_seq BIGINT NOT NULL,
  spin_head BINARY(32) NOT NULL,
  tombstones BIGINT NOT NULL,
  proof BINARY(32) NOT NULL
) ENGINE=InnoDB;
